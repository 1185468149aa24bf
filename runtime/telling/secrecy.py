"""Who may see what: places, marks, and whatever was made from them.

In:  a state (or a board), something in it, and a side.
Out: whether the side may see it. `view.py` is the door through which everything for a side passes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..notation import units_named
from ..ops import as_many, shift, touch, unmake
from ..pools import names_units, without_units
from ..program import Board, Column, Program
from ..state import State, bound_at_start, of_owner
from ..text import Choice, show_choice
from .veils import kept_units, mark_veiled, units_in, veiled, veiled_units
from .words import capital, heading, say_action, say_word, slots_of

NOBODY = "*"
"""In place of a mark or box: a secret that nobody can be shown to own, or every box."""


def shut(board: Board, place: int | None, side: str) -> bool:
    """Whether a side cannot see what lies in a place."""
    return place is not None and (place in board.cups or side not in board.seen_by.get(place, (side,)))


def unseen(S: State, u: int, side: str) -> bool:
    """Whether a side cannot see which unit this is: it lies in a place that is shut, or veiled."""
    return shut(S.program.board, S.at[u], side) or veiled(S, u, side)


def names_veiled(S: State, type: str, value: Any, side: str) -> bool:
    """Whether a value names units that are veiled from a side."""
    return bool(S.program.veils) and any(veiled(S, u, side) for u in units_in(type, value))


def may_see(S: State, column: Column, owner: Any, side: str) -> bool:
    """Whether a side may see one owner's value of a mark; of a unit that it does not see this says nothing."""
    if names_veiled(S, column.type, S.held(column, owner), side) or mark_veiled(S, column, owner, side):
        return False
    return owns(S, column, owner, side) or [column.name, owner] in S.shown


def rests_on_secrets(S: State, name: str, side: str, ever: bool = False) -> bool:
    """Whether a memory, a binding (`bind_NAME`) or a quota (`spent_NAME`) was made from what the side may not see.

    With `ever` what has been revealed since does not count: the log is from before.
    """
    named = (*S.program.hidden.get(name, ()), *(f"box {x}" for x in S.program.hidden_boxes.get(name, ())))
    return resting(S, named, side, owns if ever else may_see)


def resting(S: State, named: tuple[str, ...], side: str, known: Callable[..., bool]) -> bool:
    """Whether some columns and boxes hold what a side may not see; `known` says so of one owner's value."""
    program, board = S.program, S.program.board
    boxes = {x[4:] for x in named if x.startswith("box ")}
    for box in sorted(boxes):
        places = {*board.seen_by, *board.cups} if box == NOBODY else places_of(board, box)
        if any(shut(board, p, side) for p in places):
            return True
    columns = [program.column[c] for c in named if c in program.column]
    return NOBODY in named or any(not known(S, c, owner, side) for c in columns for owner, _ in S.each(c))


def names_kept(S: State, frame: list[Any], side: str) -> set[str]:
    """The names in a procedure under way that a side may not know: others' secret answers, and what stands for secrets.

    What a name tells is a column, with its owner where that is known (`side_plan=red`, `side_plan=@s` for the
    owner in the name `s`), a box, another name, whoever acts (`=@actor`) or nobody.
    """
    procedure, _, local = frame
    known = S.program.secret_names.get(local["@wrapped"][0] if "@wrapped" in local else procedure, {})
    found = {name for name, whose in local.get("@secret", ()) if whose != side}
    for _ in range(len(known) + 1):  # names for names
        found |= {name for name, rests in known.items() if any(untold(S, local, x, side, found) for x in rests)}
    return found & set(local)


def untold(S: State, local: dict[str, Any], secret: str, side: str, kept: set[str]) -> bool:
    """Whether one secret that a name tells is kept from a side."""
    if secret.startswith("name "):
        return secret[5:] in kept
    column, known, owner = secret.partition("=")
    if not known:
        return resting(S, (column,), side, may_see)
    whose: Any = owner
    if owner.startswith("@"):
        whose = local[owner[1:]] if owner[1:] in local else getattr(S, f"bind_{owner[1:]}", None)
    return whose != side if not column else not may_see(S, S.program.column[column], whose, side)


def owns(S: State, column: Column, owner: Any, side: str) -> bool:
    """Whether a value of a mark is a side's own to see, shown to others or not."""
    return column.secret is None or bool(of_owner(column.secret, S, owner) == side)


def keeps_secrets(program: Program) -> bool:
    """Whether a rule set has anything that a side may not see."""
    board = program.board
    hides = board.cups or board.seen_by or program.veils
    return bool(hides or any(c.secret for c in program.columns) or any(a.secret for a in program.asks))


def places_of(board: Board, box: str) -> tuple[int, ...]:
    """The places of a box or cup by its name."""
    return tuple(board.boxes[box].values()) if box in board.boxes else (board.places.index(box),)


def rows_for(S: State, prefix: str, name: str, side: str) -> dict[Any, Any]:
    """A table by keys without the rows that are about units, or hold units, which the side does not see."""
    rows: dict[Any, Any] = getattr(S, prefix + name)
    board = S.program.board
    if not board.seen_by and not board.cups and not S.program.veils:
        return rows
    _, types, kind, _ = S.program.values[name]
    about = [i for i, t in enumerate(types) if t == "unit"]

    def hidden(unit: Any) -> bool:
        return unit is not None and unseen(S, unit, side)

    def told(key: tuple[Any, ...], value: Any) -> bool:
        units = [key[i] for i in about] + (list(as_many(value)) if names_units(kind) else [])
        return not any(map(hidden, units)) and not (kind == "place" and shut(board, value, side))

    if S.program.veils and names_units(kind):
        rows = without_rows_of(rows, frozenset(veiled_units(S, side)))
    if prefix == "past_" and name in S.program.veiled_memories:
        rows = without_veiled_rows(S, name, side)
    if prefix == "spent_" and name in S.program.own_quotas:
        rows = own_rows(S, name, side)
    return {key: value for key, value in rows.items() if told(key, value)}


def without_veiled_rows(S: State, name: str, side: str) -> dict[Any, Any]:
    """A memory that rests on marks of places, without the rows of places where those are veiled, whatever they are now;
    one that is about no place is left out as a whole where any place is veiled."""
    rows: dict[Any, Any] = getattr(S, "past_" + name)
    columns = [S.program.column[x] for x in S.program.veiled_memories[name]]
    about = [i for i, t in enumerate(S.program.values[name][1]) if t == "place"]

    def hidden(place: Any) -> bool:
        return any(mark_veiled(S, column, place, side) for column in columns)

    if not about:
        return {} if rows and any(map(hidden, S.hexes)) else rows
    return {key: value for key, value in rows.items() if not any(hidden(key[i]) for i in about)}


def own_rows(S: State, quota: str, side: str) -> dict[Any, Any]:
    """What a side has spent itself of a quota that is told to its side alone."""
    at, rows = S.program.own_quotas[quota], getattr(S, "spent_" + quota)
    return {key: value for key, value in rows.items() if key[at] == side}


def without_rows_of(rows: dict[Any, Any], gone: frozenset[int]) -> dict[Any, Any]:
    """A table whose rows hold units, without some of them; a row of which nothing is left is no row."""
    kept = ((key, without_units(value, gone, None)) for key, value in rows.items())
    return {key: value for key, value in kept if value not in ((), None)}


def lift(S: State, side: str, units: list[int], marks: list[tuple[Column, Any]]) -> None:
    """Take what is veiled off a copy of the position: units with all that is said and remembered of them, and marks.

    Which units those are a side can tell, for it sees all others. Names of procedures under way let go of them, too;
    a number that was made of them stays, so a book that asks a side in the middle of one shows it what it is about.
    """
    gone = frozenset(units)
    for name in S.program.veiled_memories:
        setattr(S, "past_" + name, without_veiled_rows(S, name, side))
    for name in S.program.own_quotas:
        setattr(S, "spent_" + name, own_rows(S, name, side))
    for column, owner in marks:
        S.give(column, owner, column.start)
    for procedure, _, local in S.stack if units else ():
        running = local["@wrapped"][0] if "@wrapped" in local else procedure
        for name in S.program.unit_names.get(running, ()):
            if gone.intersection(as_many(local.get(name))):
                local[name] = without_units(local[name], gone, None)
    if units:
        unmake(S, units)
        for name, type in S.program.bindings.items():
            if gone.intersection(units_in(type, getattr(S, "bind_" + name))):
                setattr(S, "bind_" + name, bound_at_start(type))
        for prefix, names in (("past_", [m.name for m in S.program.memories]), ("spent_", [*S.program.quotas])):
            for name in (x for x in names if names_units(S.program.values[x][2])):
                setattr(S, prefix + name, without_rows_of(getattr(S, prefix + name), gone))
        for u in units:
            shift(S, u, None)
        touch(S, "at")
    S.dirty = {}


def deal(S: State, side: str, turned: bool) -> None:
    """Deal the units that a side does not see over the places that it cannot see into, each as many as it holds.

    Which units those are, and how many lie in a place that is counted, everybody can know; nothing else of them is
    left. What would lie in a box that is not counted is nowhere, or all of it in the first, where it is `turned`.
    """
    board = S.program.board
    if not board.cups and not board.seen_by:
        return
    places = [p for p in range(len(board.places)) if shut(board, p, side)]
    unseen = sorted(u for p in places for u in S.here[p])
    if not unseen:
        return
    room = {p: len(S.here[p]) for p in places}
    if all(side in who for who in board.seen_by.values()):
        cover(S, unseen, side)
    else:
        unmake(S, unseen)
    for u in unseen:
        shift(S, u, None)
    if turned:
        unseen.reverse()
    for p in places:
        for _ in range(0 if p in board.uncounted else room[p]):
            shift(S, unseen.pop(0), p)
    rest = next((p for p in places if p in board.uncounted), None)
    for u in unseen if turned else ():
        shift(S, u, rest)
    touch(S, "at")
    S.dirty = {}


def cover(S: State, unseen: list[int], side: str) -> None:
    """Units in cups are as on the first day: their marks at the start, what is remembered and spent of them gone."""
    for column in (c for c in S.program.columns if c.sort == "unit"):
        for u in unseen:
            S.give(column, u, S.program.unit_sides[u] if column.name == "unit_side" else column.start)
    for prefix, names in (("past_", [m.name for m in S.program.memories]), ("spent_", list(S.program.quotas))):
        for name in names:
            setattr(S, prefix + name, dict(rows_for(S, prefix, name, side)))


# ---------------------------------------------------------------- choices as others read them


def open_question(S: State, asked: dict[str, Any]) -> bool:
    """Whether everybody may read what a question is about: it names no secret, and no unit that lies unseen."""
    procedure, _, local = S.stack[asked["frame"]]
    secret = S.program.secret_names.get(local["@wrapped"][0] if "@wrapped" in local else procedure, {})
    kept = {name for name, _ in local.get("@secret", ())} | set(secret)
    named = slots_of(S.program, asked["ref"])
    if kept & set(named):
        return False
    board = S.program.board
    units = [u for name, type in named.items() if name in local for u in units_named(S.program, type, local[name])]
    return not any(S.at[u] in board.seen_by or S.at[u] in board.cups for u in units) and not kept_units(S, units)


def said_for(program: Program, entry: dict[str, Any], side: str | None) -> str:
    """A choice in words, as a side may read it; None reads everything."""
    whose = heading(program, "kind:side", entry["side"])
    if "parts" in entry:
        board, own = program.board, side in (None, entry["side"])
        told = entry["parts"]
        hide = [name for name, _, kept, at in told if kept or any(shut(board, p, side or "") for p in at)]
        hide += kept_of(entry, side or "")
        given = {name: value for name, value, _, _ in told}
        return f"{whose}: {say_action(program, entry['name'], given, () if own else tuple(hide))}"
    if "asked" in entry:
        known = entry["open"] or side in (None, entry["side"])
        answer = "…" if not own_or_open(entry, side) else capital(entry["answer"])
        return f"{whose}: {entry['asked'] if known else '…'} {answer}"
    return f"{whose}: {say_word(entry['name'])}"


def kept_of(entry: dict[str, Any], side: str) -> list[Any]:
    """What of an entry of the log a veil keeps from a side: numbers, names or owners, as the entry counts them."""
    found: list[Any] = entry.get("kept", {}).get(side, [])
    return found


def own_or_open(entry: dict[str, Any], side: str | None) -> bool:
    """Whether a side may read an answer: it gave it, or it names nothing that is veiled."""
    return side in (None, entry["side"]) or not kept_of(entry, side or "")


def veiled_parts(program: Program, S: State, choice: Choice, answered: str) -> dict[str, list[str]]:
    """From whom is kept what a choice names: by side its arguments by name; `answered` is the type of an answer."""
    action = program.actions.get(choice.name)
    known = {p.name: p.type for p in action.params} if action is not None else {"": answered}
    found: dict[str, list[str]] = {}
    for name, value in choice.args if program.veils else ():
        for side in kept_units(S, units_in(known.get(name, ""), value)):
            found.setdefault(side, []).append(name)
    for names in found.values():
        names += [x for x in program.told_of_units.get(choice.name, ()) if x not in names]
    return found


def parts(program: Program, S: State, choice: Choice) -> list[list[Any]]:
    """The arguments of an action, each with whether it is kept, and where the units lie that it names."""
    kept = program.kept.get(choice.name, ())
    known = {p.name: p.type for p in program.actions[choice.name].params}
    found = []
    for name, value in choice.args:
        places = [S.at[u] for u in as_many(value)] if names_units(known.get(name, "")) else []
        found.append([name, value, name in kept, places])
    return found


def text_for(program: Program, entry: dict[str, Any], side: str) -> str:
    """The text of a choice as a side may read it."""
    told, board = entry["parts"], program.board
    hide = [name for name, _, kept, places in told if kept or any(shut(board, p, side) for p in places)]
    hide += kept_of(entry, side)
    if entry["side"] == side or not hide:
        return str(entry["text"])
    args = tuple((name, value) for name, value, _, _ in told)
    return show_choice(program, Choice(-1, entry["side"], entry["name"], args), None, tuple(hide))
