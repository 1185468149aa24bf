"""What statements do to the state, and how a change settles.

A change settles at once: memoised answers that depend on it are invalidated, memories kept
`always` are brought up to date, and triggers that it fires are queued to run right after the
statement. Inside `together` all of that waits for the end of the block. A hypothesis
(kept/supposing.py) changes and restores columns without settling anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import dice as dice_
from .kept.by_place import touch_places
from .notation import units_named
from .pools import blank, forget_rows
from .problems import Fault
from .program import Column, ScenarioInfo
from .state import State, of_owner
from .telling.veils import in_both, kept_amount, kept_marks, kept_parts, kept_units, kept_value
from .values import bounded

ROUNDS = 50


# ---------------------------------------------------------------- change


def touch(S: State, column: str, **owners: Any) -> None:
    """A column changed, for these owners (`unit`, `place`) or for any: invalidate answers, record what must settle.

    For a memory the keys that the change can affect are recorded, `...` for all; see MemoryInfo.
    """
    memo = S.memo
    if "unit" in owners:
        owners |= {"where": [S.at[u] for u in owners["unit"]], "side": {S.unit_side[u] for u in owners["unit"]}}
    for i in S.program.clears.get(column, ()):
        if memo[i] or memo[i].__class__ is not dict:  # a fork may share the old one
            memo[i] = {}
    for i, by in S.program.owned.get(column, ()):
        if memo[i] or memo[i].__class__ is not dict:
            kept = S.own_memo(i)
            for owner in owners.get(by) or tuple(kept):
                kept.pop(owner, None)
    for i, how in S.program.placed.get(column, ()):
        if how != "set":
            touched = owners.get(how)
            if touched is None:
                memo[i] = {}
            else:
                touch_places(memo[i], touched)
    if column in ("at", "unit_side"):
        S.lists.clear()
    if not S.supposing:
        for name, by in S.program.watches.get(column, {}).items():
            S.dirty.setdefault(name, set()).update(() if by == "set" else owners.get(by, (...,)))


def settle(S: State) -> None:
    """Bring memories up to date and queue what became true, until nothing changes."""
    if S.together or S.supposing or not S.dirty:
        return
    program = S.program
    for _ in range(ROUNDS):
        if not S.dirty:
            return
        dirty, S.dirty = S.dirty, {}
        for memory in program.memories:
            if memory.how in ("always", "ever") and memory.name in dirty:
                refresh(S, memory, dirty[memory.name].union(S.dirty.get(memory.name, ())))
        for name, test in program.expiring:
            if "until " + name in dirty:
                expire(S, name, test, dirty["until " + name])
        for trigger in program.by_event.get(("soon", ""), ()):
            if trigger.id in dirty:
                now = bool(trigger.guard(S)) if trigger.guard is not None else True
                if now and not S.soon.get(trigger.id, False):
                    S.queue.append([trigger.procedure, {}])
                S.soon[trigger.id] = now
    raise Fault("memories keep changing one another", "")


def refresh(S: State, memory: Any, some: Any = (...,)) -> None:
    """Recompute a memory for some keys, and for keys that a set it looks them up in gained or lost; or for all."""
    past, start, ever = getattr(S, "past_" + memory.name), memory.start, memory.how == "ever"
    before, sets = S.seen.get(memory.name), memory.sets and memory.sets(S)
    S.seen[memory.name] = sets
    lost = () if before is None else (a ^ b for a, b in zip(before, sets, strict=True) if a is not b)
    keys = memory.keys(S) if before is None or ... in some else memory.keys(S, some.union(*lost))
    changed: list[Any] = []
    listeners = S.program.by_event.get(("change", memory.name), ())
    for key in keys:
        old = past.get(key, start)
        new = (old or bool(memory.value(S, *key))) if ever else memory.value(S, *key, keep=old)
        if new != old:
            past = S.own("past_" + memory.name)
            past[key] = new
            changed += key[:1] or (...,)
            for trigger in listeners:
                queue(S, trigger, key)
    if changed:
        touch(S, "past_" + memory.name, **{memory.of: changed})


def refresh_all(S: State) -> None:
    """Work out every memory of a position for all that it is remembered of."""
    for memory in S.program.memories:
        if memory.how in ("always", "ever"):
            refresh(S, memory)


def expire(S: State, name: str, test: Callable[..., bool], some: set[Any]) -> None:
    """Reset marks whose condition for lasting no longer holds, among the owners that a change has touched."""
    column, known = S.program.column[name], "until " + name in S.seen and ... not in some
    S.seen["until " + name] = ()
    held = ((o, S.held(column, o)) for o in some - {None}) if known else S.each(column)
    gone = [o for o, value in held if value != column.start and of_owner(test, S, o)]
    for o in gone:
        S.give(column, o, column.start)
    if gone:
        touch(S, name, **{column.sort: gone})


def queue(S: State, trigger: Any, args: tuple[Any, ...]) -> None:
    """Queue a trigger; whether it applies is asked when the change that set it off has settled."""
    local = {p: args[i] for p, i in zip(trigger.params, trigger.positions, strict=True) if i < len(args)}
    S.queue.append([trigger.procedure, local])


def due(S: State) -> list[list[Any]]:
    """The queue in the order of the cases, without the triggers whose condition does not hold; it is then empty."""
    queued, S.queue = S.queue, []
    known = S.program.by_procedure
    found = []
    for procedure, local in queued:
        at, trigger = known.get(procedure, (-1, None))
        told = [local[p] for p in trigger.params if p in local] if trigger is not None else []
        if trigger is None or trigger.guard is None or trigger.guard(S, *told):
            found.append((at, [procedure, local]))
    found.sort(key=lambda item: item[0])
    return [item for _, item in found]


def fire(S: State, event: tuple[str, str], args: tuple[Any, ...]) -> None:
    for trigger in () if S.supposing else S.program.by_event.get(event, ()):
        queue(S, trigger, args)


def note(S: State, event: str, case: str, **more: Any) -> None:
    """A line of the game's log, where one is kept."""
    if S.log is not None:
        S.log.append({"event": event, "case": case, **more})


def tell(
    S: State, case: str, texts: tuple[str, ...], values: tuple[tuple[Any, ...], ...], names: tuple[str, ...]
) -> None:
    """A line that the rules write: texts around values, each value with its type and where the units lie that it
    names; `names` are those of the procedure that it tells. In a book with veils a value may say what it is made of:
    units, and veiled marks with their places."""
    if S.log is not None:
        named = [units_named(S.program, type, value) for type, value, *_ in values]
        kept = [[type, value, [S.at[u] for u in us]] for (type, value, *_), us in zip(values, named, strict=True)]
        unseen = veil(S, values, named) if S.program.veils else {}
        S.log.append({"event": "note", "case": case, "texts": texts, "values": kept, "names": names, **unseen})


def veil(S: State, values: tuple[tuple[Any, ...], ...], named: list[Any]) -> dict[str, Any]:
    """From whom the values of a line are kept, each by its number: they name what lies veiled, or are made of it."""
    found: dict[str, list[int]] = {}
    for i, ((_, _, *made), units) in enumerate(zip(values, named, strict=True)):
        parts, marks = made or ((), ())
        for side in kept_parts(S, [*units, *(u for x in parts for u in as_many(x))], marks):
            found.setdefault(side, []).append(i)
    return kept_from(found)


def kept_from(kept: Any) -> dict[str, Any]:
    """What the log holds of something that a veil keeps from a side; nothing where it keeps nothing."""
    return {"kept": kept} if kept else {}


def as_many(what: Any) -> tuple[Any, ...]:
    return () if what is None else what if isinstance(what, tuple) else (what,)


def put(S: State, what: Any, place: int | None, case: str) -> None:
    """Move units to a place at once."""
    moved = [u for u in as_many(what) if S.at[u] != place]
    before = [S.at[u] for u in moved]
    kept = kept_units(S, moved) if S.log is not None else {}
    for u in moved:
        shift(S, u, place)
    if not moved:
        return
    touch(S, "at", unit=moved, place={place, *before})
    kept = in_both(kept, kept_units(S, moved)) if kept else kept
    note(S, "put", case, units=tuple(moved), place=place, **kept_from(kept))
    for u, old in zip(moved, before, strict=True):
        if old is not None:
            fire(S, ("happens", "leave"), (u, old))
        if place is not None:
            fire(S, ("happens", "enter"), (u, place))
    if place in S.program.board.pools:
        unmake(S, moved)
    settle(S)


def unmake(S: State, units: list[int]) -> None:
    """Counters are back in their pool: what was said, remembered and spent of them goes, and what named them."""
    gone = frozenset(units)
    for column in S.program.columns:
        changed = blank(S, column, gone)
        if changed:
            touch(S, column.name, **{column.sort: changed})
    for memory in S.program.memories:
        if forget_rows(S, "past_" + memory.name, memory.name, gone):
            touch(S, "past_" + memory.name)
            if memory.how in ("always", "ever"):
                S.dirty.setdefault(memory.name, set()).add(...)
    for quota in S.program.quotas:
        if forget_rows(S, "spent_" + quota, quota, gone):
            touch(S, "spent_" + quota)
    S.halted = [u for u in S.halted if u not in gone]


def shift(S: State, u: int, place: int | None) -> None:
    S.stand(u, S.at[u], place)
    S.own("at")[u] = place


def owners(column: Column, owner: Any) -> tuple[Any, ...]:
    """Whose mark is meant: one owner or several; a hexside is itself a pair, the game has no name."""
    one = column.sort == "hexside" and isinstance(owner, tuple) and owner and not isinstance(owner[0], tuple)
    return (owner,) if one or column.sort == "game" else as_many(owner)


def set_mark(S: State, name: str, owner: Any, value: Any, case: str) -> None:
    """Give a mark a value, for one owner or each of several."""
    column = S.program.column[name]
    many = owners(column, owner)
    if column.type == "number":
        bounded(value or 0)
    if S.armed.get(name):
        S.armed[name] = [o for o in S.armed[name] if o not in many]
    changed = [o for o in many if S.held(column, o) != value]
    if not changed:
        return
    for o in changed:
        S.give(column, o, value)
    if S.shown:
        S.shown = [x for x in S.shown if x[0] != name or (owner is not None and x[1] != owner)]
    touch(S, name, **{column.sort: changed})
    if column.secret is None and column.sort == "unit" and S.program.board.seen_by:
        for o in many:
            kept = kept_from(kept_marks(S, column, (o,), value) if S.log is not None else {})
            note(S, "set", case, mark=name, owner=o, value=value, **where(S, column, o), **kept)
    elif column.secret is None:
        kept = kept_from(kept_marks(S, column, changed, value) if S.log is not None else {})
        whose = owner if len(changed) == len(many) else tuple(changed)
        note(S, "set", case, mark=name, owner=whose, value=value, **kept)
    else:
        for o in many:
            to = of_owner(column.secret, S, o)
            note(S, "set", case, mark=name, owner=o, value=value, to=to, secret=True, **where(S, column, o))
    settle(S)


def where(S: State, column: Column, owner: Any) -> dict[str, Any]:
    """Where the unit lies whose mark is set, for the log of a game in which not everybody sees every place."""
    return {"at": S.at[owner]} if column.sort == "unit" and S.program.board.seen_by else {}


def bind(S: State, name: str, value: Any) -> None:
    if getattr(S, "bind_" + name) != value:
        setattr(S, "bind_" + name, value)
        touch(S, "bind_" + name)
        settle(S)


def spend(S: State, quota: str, key: tuple[Any, ...], amount: Any, case: str) -> None:
    spent = S.own("spent_" + quota)
    spent[key] = spent.get(key, 0) + amount
    touch(S, "spent_" + quota)
    note(S, "spend", case, quota=quota, amount=amount, **kept_from(kept_amount(S, quota, key)))
    settle(S)


def left(S: State, quota: str, key: tuple[Any, ...]) -> Any:
    """What is left of a quota for these arguments."""
    return S.program.quotas[quota].cap(S, *key) - spent(S, quota, key)


def short(S: State, quota: str, key: tuple[Any, ...], price: Any) -> bool:
    """Whether too little of a quota is left to draw so much on it."""
    return bool(price > 0 and left(S, quota, key) < price)


def spent(S: State, quota: str, key: tuple[Any, ...]) -> Any:
    return getattr(S, "spent_" + quota).get(key, 0)


def roll(S: State, count: int, sides: int, case: str, name: str = "") -> int:
    faces = dice_.roll(S.dice, count, sides)
    S.revealed += 1
    note(S, "roll", case, faces=faces, sides=sides, name=name)
    return sum(faces)


def keep_secret(local: dict[str, Any], name: str, side: str) -> None:
    """Mark a value of a procedure under way as one side's own."""
    local["@secret"] = [*local.get("@secret", ()), [name, side]]


def draw(
    S: State, options: tuple[Any, ...], case: str, secret: Any = None, local: Any = None, name: str = "", type: str = ""
) -> Any:
    """One of the options, blindly; None when there are none."""
    if not options:
        return None
    index, S.dice["rng"] = dice_.draw(S.dice["rng"], len(options))
    if S.dice.get("draws"):
        wanted = S.dice["draws"].pop(0)
        if wanted not in options:
            raise Fault("what the script draws is not there to be drawn", case)
        index = options.index(wanted)
    S.revealed += 1
    kept = kept_from(kept_value(S, type, options[index]))
    note(S, "draw", case, drawn=options[index], secret=secret, type=type, **kept)
    if secret is not None:
        keep_secret(local, name, secret)
    return options[index]


def win(S: State, side: str | None, case: str) -> None:
    S.winner, S.over = side, True
    note(S, "win", case, side=side)


def halt(S: State, unit: int) -> None:
    if unit not in S.halted:
        S.halted.append(unit)


def reveal(S: State, value: Any, case: str, mark: str | None = None, owner: Any = None, type: str = "") -> None:
    """Show a value to everybody; a secret mark stays in view until it changes again."""
    S.revealed += 1
    if mark is not None and [mark, owner] not in S.shown:
        S.shown.append([mark, owner])
    note(S, "reveal", case, value=value, mark=mark, owner=owner, type=type)


# ---------------------------------------------------------------- least sets


def grow(
    S: State, key: tuple[Any, ...], domain: Callable[[], tuple[Any, ...]], test: Callable[[Any], bool]
) -> tuple[Any, ...]:
    """The least set of members that pass a test which may ask for the set itself.

    Answers that depend on it are set aside while it grows, and those found of a part of it are dropped.
    """
    if key in S.growing:
        found: tuple[Any, ...] = S.growing[key]
        return found
    members = domain()
    aside = [(i, S.memo[i]) for i in S.program.growing.get(key[0], ())]
    S.growing[key] = ()
    try:
        while True:
            inside = set(S.growing[key])
            for i, _ in aside:
                S.memo[i] = {}
            more = [m for m in members if m not in inside and test(m)]
            if not more:
                return tuple(m for m in members if m in inside)
            inside.update(more)
            S.growing[key] = tuple(m for m in members if m in inside)
    finally:
        del S.growing[key]
        for i, answers in aside:
            S.memo[i] = answers


def set_up(S: State, scenario: ScenarioInfo) -> None:
    """Put a scenario's units and marks on its map; nothing settles yet."""
    S.play_on(scenario.map)
    for unit, place in sorted(scenario.units.items()):
        shift(S, unit, place)
    for sort, name, value in scenario.marks:
        if sort == "reading":
            S.readings[name] = value
        elif sort == "game":
            setattr(S, "game_" + name, value)
        else:
            S.own(f"{sort}_{name}")[value[0]] = value[1]
    S.forget()
