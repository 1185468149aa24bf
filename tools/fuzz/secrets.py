"""Campaign 5: two games that differ only in what a side may not see are the same to it, byte for byte."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from rulewright.compiler import load
from rulewright.runtime import Choice, RandomPlayer, canon
from rulewright.runtime.files.past import Past
from rulewright.runtime.game import Game
from rulewright.runtime.ops import as_many, refresh_all, shift
from rulewright.runtime.problems import Ground, Refusal
from rulewright.runtime.program import Column, Program
from rulewright.runtime.state import State
from rulewright.runtime.telling.secrecy import may_see, names_kept, rests_on_secrets, shut, veiled_parts
from rulewright.runtime.telling.veils import mark_veiled, veiled_marks, veiled_units
from rulewright.runtime.view import (
    blinded,
    decisions_for,
    do_for,
    legal_for,
    log_for,
    refusals_for,
    save_for,
    undo_for,
    view,
    why_for,
)

from .runner import Tally, Wrong

ROOT = Path(__file__).resolve().parents[2]
TITLE = "hidden information"
COUNT = 5_000
"""Pairs of positions a book."""
WHAT = """
Random games are played: of tests/books/secrets.rules (secret marks on units, sides, hexes and the game, secret
questions of every sort, secret draws, cups, memories that rest on secrets), of tests/books/hands.rules (secret boxes,
counted and not, and memories, marks and quotas of what lies in them), of tests/books/leaks.rules (arguments that end in
secret marks, two cups, a phase bound to a secret, a quota by what is secret, memories of cups, names given to secrets),
of tests/books/fog.rules (stacks and stores that are veiled, and memories, marks and quotas of what lies in them),
of the other books and probes of the tests, and of the shipped books, The Russian Campaign with the political
chits of 28.7. At every position, for each side, a second game is made that differs in one hidden thing: a secret mark,
a secret answer, draw or name in a procedure under way, whether another side has answered in secret yet, what the next
die or draw will be, which chits lie in a cup, which units in a secret box, where a veiled unit lies
and what is marked on it, a veiled mark of a hex, what a phase is bound to, what is remembered
or spent where that rests on secrets, what the log tells of secret answers, marks, draws and arguments. Where another
side takes an action whose arguments end in a secret, or that names a veiled unit, the second game takes it with other
arguments (where what comes of it lies open, another game is another game, and is not compared).

Everything that the side can get at must be the same bytes in both. Lists, refusals and explanations are made from a
copy of the game without what the side may not know; so for each pair that copy is compared, and the view with the log,
which is also the record that is saved for the side. One pair in twenty (in a hundred of a shipped book) goes through
every door besides: what is to be decided, the side's legal choices, why and refusals of legal and illegal choices,
values of expressions, what doing an illegal choice says, undo. (Where the rules of a book let a secret decide whether a
choice is legal, doing it tells; the compiler warns of that with RW602, and such choices are counted and not compared.
For one veiled thing in ten the lists of the rules themselves are compared, and where they part that is counted.)
"""

TESTS = ROOT / "tests"
LISTED = 40
"""How many choices of a kind are listed to see whether what is veiled decides what is legal."""
FULL, SHIPPED = 20, 100
"""One pair in so many goes through every door; of the large books one in more."""


def test_books() -> dict[str, tuple[str, str | None, int, int]]:
    """The books and probes of the tests that can be played, by name."""
    files = [*(TESTS / "books").glob("*.rules"), *(TESTS / "probes").glob("*.rules")]
    found: dict[str, tuple[str, str | None, int, int]] = {
        path.stem: (str(path), None, 40, 12) for path in sorted(files)
    }
    blue = TESTS / "probes" / "caseblue_2_5" / "caseblue_2_5.rules"
    return {**found, "secrets": (*found["secrets"][:2], 70, 12), "caseblue_2_5": (str(blue), "linked_1942", 40, 12)}


OTHERS = test_books()
BOOKS: dict[str, tuple[str, str | None, int, int]] = {
    **{name: OTHERS.pop(name) for name in ("secrets", "hands", "leaks", "spies", "ambush", "council", "fog", "caseblue_2_5")},
    "fite": ("fite", "niemen", 40, 40),
    "fragment": ("fragment", None, 30, 40),
    "tdv": ("tdv", None, 30, 40),
    "trc with 28.7": ("trc+political_chits", "barbarossa", 30, 40),
    **OTHERS,
    "ocs": ("ocs", "trial", 30, 40),
    "caseblue": ("caseblue", "proving", 30, 40),
}
"""By name: the rule set, its scenario, the longest game and how many pairs are made of a position."""
ANNOUNCED = ("count_off",)
"""Actions of the test books in which the rules announce a number that they make of a veiled unit."""
SMALL = ("secrets", "hands", "leaks", "spies", "fog")


def run(tally: Tally, count: int) -> None:
    """Games of each book until there are enough pairs; in a short run so many of the small books together.

    The number of an input is that of its game times the number of books, and its book.
    """
    if tally.only is not None:
        at, book = divmod(tally.only, len(BOOKS))
        one_game(tally, at, list(BOOKS)[book], count)
        return
    for book in SMALL if tally.short else BOOKS:
        wanted = -(-count // len(SMALL)) if tally.short else count
        at = 0
        while pairs(tally, book) < wanted:
            one_game(tally, at, book, wanted)
            at += 1


def pairs(tally: Tally, book: str) -> int:
    return sum(n for sort, n in tally.tried.items() if sort.partition(": ")[0] == book)


def one_game(tally: Tally, at: int, name: str, count: int) -> None:
    path, scenario, longest, most = BOOKS[name]
    loaded, i = load(path), at * len(BOOKS) + list(BOOKS).index(name)
    dice = tally.dice("secrets", i)
    seed = dice.randrange(1 << 30)
    game = loaded.new(scenario, seed)
    players = {s: RandomPlayer(seed + k) for k, s in enumerate(loaded.program.sides)}
    for made in range(longest):
        if game.over or pairs(tally, name) >= count:
            return
        for side in loaded.program.sides:
            found = list(alterations(game, side, dice))
            dice.shuffle(found)
            found += [Change("dice", (), dice.randrange(1 << 60)) for _ in range(min(most - len(found), most // 4))]
            here = Seen(game, side, made)
            for change in found[:most]:
                with tally.trial(f"{name}: {change.sort}", f"{i} after {made} choices, {side}: {change}"):
                    there = Seen(changed(game, change), side, made)
                    pair(tally, here, there)
                    if change.sort.startswith("veiled"):
                        law(tally, here, there)
            for other in waiting(game, side, dice):
                with tally.trial(f"{name}: chosen", f"{i} after {made} choices, {side}: {other.name}"):
                    twin = copied(game)
                    twin.do(other)
                    if {x["id"] for x in twin.state.pending} == {x["id"] for x in game.state.pending} - {
                        other.decision
                    }:
                        pair(tally, here, Seen(twin, side, made), whole=True)
        decision = game.decisions[0]
        choice = players[decision.side](game, decision)
        other = otherwise(game, choice, dice)
        twin = copied(game) if other is not None else None
        game.do(choice)
        if twin is not None and other is not None:
            twin.do(other)
            for side in (s for s in loaded.program.sides if s != choice.side):
                if any(veiled_units(game.state, x) != veiled_units(twin.state, x) for x in (side, "")):
                    continue
                if shows(loaded.program, choice, other) and view(game, side) != view(twin, side):
                    continue  # what came of it lies open: of the orders to a veiled unit only the log is compared
                with tally.trial(f"{name}: argument", f"{i} after {made} choices, {side}: {game.show(other)}"):
                    pair(tally, Seen(game, side, made), Seen(twin, side, made))


def shows(program: Program, choice: Choice, other: Choice) -> bool:
    """Whether two choices differ in more than what only their side may ever know."""
    differ = {k for (k, v), (_, w) in zip(choice.args, other.args, strict=True) if v != w}
    return not differ <= set(program.kept.get(choice.name, ()))


def otherwise(game: Game, choice: Choice, dice: random.Random) -> Choice | None:
    """The same action with other arguments, as far as only its side may know them."""
    told = veiled_parts(game.program, game.state, choice, "") if choice.name in game.program.actions else {}
    others = [set(told.get(side, ())) for side in game.program.sides if side != choice.side]
    kept = {*game.program.kept.get(choice.name, ()), *(set.intersection(*others) if others else ())}
    if not kept or choice.name in ANNOUNCED:
        return None
    open_ = [(k, v) for k, v in choice.args if k not in kept]
    found = []
    for other in islice(game.legal(choice.side), 400):
        same = (other.decision, other.name) == (choice.decision, choice.name) and other.args != choice.args
        if same and [(k, v) for k, v in other.args if k not in kept] == open_:
            if told and veiled_parts(game.program, game.state, other, "") != told:
                continue
            found.append(other)
    return dice.choice(found) if found else None


def waiting(game: Game, side: str, dice: random.Random) -> Iterator[Choice]:
    """Secret answers that others could give while more questions are open."""
    for decision in game.pending if len(game.state.pending) > 1 else ():
        if decision.secret and decision.side != side:
            found = [c for c in islice(game.legal(decision.side), 40) if c.decision == decision.id]
            yield from [dice.choice(found)] if found else []


class Seen:
    """What a side has of a game; the doors are tried when they are asked for."""

    def __init__(self, game: Game, side: str, at: int) -> None:
        self.game, self.side, self.at = game, side, at
        self.doors: dict[str, Any] | None = None
        self.told = (view(game, side), log_for(game, side))  # what save_for writes
        turned = (False, True) if game.program.board.seen_by else (False,)
        self.known = [blinded(game, side, way).state.plain() for way in turned]

    def through(self) -> dict[str, Any]:
        self.doors = seen_by(self.game, self.side, self.at) if self.doors is None else self.doors
        return self.doors


def pair(tally: Tally, here: Seen, there: Seen, whole: bool = False) -> None:
    """Two games that must look the same to a side; `whole` wants every door tried."""
    if here.told != there.told:
        raise Wrong(f"view and log: {difference(here.told, there.told)}")
    same = here.known == there.known
    tally.answer("view, log and save: the same")
    if same:
        tally.answer("all that lists, refusals and explanations are made from: the same")
    if whole or not same or tally.inputs % (FULL if len(here.game.program.units) < 100 else SHIPPED) == 0:
        compare(tally, here.through(), there.through())


def compare(tally: Tally, mine: dict[str, Any], other: dict[str, Any]) -> None:
    for door, here in mine.items():
        there = other[door]
        if door == "do":
            same = {k: v for k, v in here.items() if "told" not in (v, there.get(k))}
            tally.answers["do: decided by a secret"] += sum("told" in (v, there.get(k)) for k, v in here.items())
            here, there = same, {k: there.get(k) for k in same}
        if canon.dumps(here) != canon.dumps(there):
            raise Wrong(f"{door}: {difference(here, there)}")
        tally.answer(f"{door}: the same")


def law(tally: Tally, here: Seen, there: Seen) -> None:
    """Whether what is veiled decides what is legal: then trying a choice may tell. A book may have it so; it is counted."""
    if tally.inputs % 10 == 0:
        mine, other = (list(lawful(x.game, x.side)) for x in (here, there))
        tally.answer("the law itself: the same" if mine == other else "the law itself: decided by what is veiled")


def lawful(game: Game, side: str) -> Iterator[tuple[str, Any]]:
    """Some choices of each kind that the rules allow, whether the side can know it or not."""
    for decision in (d for d in game.decisions if d.side == side):
        for space in game.spaces(decision):
            yield from ((space.name, args) for args in islice(space.listing(), LISTED))


def difference(a: Any, b: Any) -> str:
    one, two = canon.dumps(a).decode(), canon.dumps(b).decode()
    at = next((k for k, (x, y) in enumerate(zip(one, two, strict=False)) if x != y), min(len(one), len(two)))
    return f"…{one[max(0, at - 60) : at + 60]}… or …{two[max(0, at - 60) : at + 60]}…"


# ---------------------------------------------------------------- every door


def some(items: list[Any], most: int, at: int) -> list[Any]:
    """Some of many, others at other times."""
    start = at * most % max(1, len(items))
    return [*items[start:], *items[:start]][:most]


def seen_by(game: Game, side: str, at: int = 0) -> dict[str, Any]:
    """What a side can get out of a game; of what it could try, and ask about, some, others at other times."""
    program = game.program
    legal = list(islice(legal_for(game, side), 25))
    tries = [*some(legal, 3, at), *some(list(illegal(game, side, legal)), 9, at)]
    texts = [blinded(game, side).show(c) for c in tries]
    return {
        "view": view(game, side),
        "log": log_for(game, side),
        "decisions": [[d.side, d.sort, d.name, d.case] for d in decisions_for(game, side)],
        "legal": [c.plain() for c in legal],
        "texts": texts,
        "refusals": [told(lambda c=c: grounds(refusals_for(game, side, c))) for c in tries],
        "why": [told(lambda c=c: why_for(game, side, c)) for c in tries[:5]],
        "values": [told(lambda t=t: why_for(game, side, t)) for t in some(expressions(program), 8, at)],
        "do": {f"{k} {text}": done(game, side, c) for k, (c, text) in enumerate(zip(tries, texts, strict=True))},
        "do text": [told(lambda t=t: do_for(copied(game), side, t)) for t in some(strange_texts(program, side), 3, at)],
        "undo": told(lambda: undone(game, side)),
        "save": told(lambda: save_for(game, side).hex()),
    }


def expressions(program: Program) -> list[str]:
    """What a side may ask about: every mark, what lies in cups, where units are, and what is remembered."""
    owners = {"unit": f'"{program.units[-1]}".', "place": f"@{program.board.places[0]}.", "game": ""}
    found = [owners[c.sort] + c.name.partition("_")[2] for c in program.columns if c.sort in owners]
    sides = [c.name.removeprefix("side_") for c in program.columns if c.name.startswith("side_")]
    found += [f"{side}.{mark}" for mark in sides for side in program.sides]
    boxes = sorted({*program.board.cups, *program.board.seen_by})
    found += [f"count(units_at({program.board.places[box]}))" for box in boxes]
    found += [f"units_at({program.board.places[box]})" for box in sorted(program.board.seen_by)]
    found += [f'"{name}".hex' for name in program.units[:3]]
    return found[:36]


def grounds(found: Iterable[Ground]) -> list[list[str]]:
    return [[g.case, g.label, g.where] for g in found]


def told(ask: Any) -> Any:
    """An answer, or what was said in refusing it."""
    try:
        answer = ask()
    except Refusal as refusal:
        return ["refused", refusal.message, grounds(refusal.grounds)]
    return answer if answer is None or isinstance(answer, str | list | bytes) else str(answer)


def done(game: Game, side: str, choice: Choice) -> Any:
    """What a refusal says; a choice that is carried out tells what the rules let it tell."""
    try:
        do_for(copied(game), side, choice)
    except Refusal as refusal:
        if refusal.message.endswith("may not see"):
            return "told"
        return ["refused", refusal.message]
    return "told"


def undone(game: Game, side: str) -> Any:
    twin = copied(game)
    undo_for(twin, side)
    return [view(twin, side), log_for(twin, side)]


def illegal(game: Game, side: str, legal: list[Choice]) -> Iterator[Choice]:
    """Choices that a curious side would try: of others, of other times, of other values."""
    program, last = game.program, game.state.counter
    pending = [d.id for d in decisions_for(game, side) if d.id >= 0]
    pending += [key for key in range(max(0, last - 2), last) if key not in pending]
    for key in pending:
        yield Choice(key, side, "done")
        for name in dict.fromkeys(a.name for a in program.asks[:12]):
            yield Choice(key, side, name, (("", 0),))
            yield Choice(key, side, name, (("", "high"),))
        yield Choice(key, next(s for s in program.sides if s != side), "done")
    for name, action in list(program.actions.items())[:8]:
        yield Choice(-1, side, name, tuple((p.name, 0) for p in action.params))
        yield Choice(10**6, side, name)
        for key in pending[:1]:
            yield Choice(key, side, name, tuple((p.name, 1) for p in action.params))


def strange_texts(program: Program, side: str) -> list[str]:
    asked = [a.name for a in program.asks[:6]]
    return [f"{side}: {name}(high)" for name in asked] + [f"{s}: done" for s in program.sides] + ["", f"{side}: x(1/0)"]


# ---------------------------------------------------------------- games that differ in one hidden thing


@dataclass(frozen=True)
class Change:
    """One hidden thing, and its other value."""

    sort: str
    where: tuple[Any, ...]
    value: Any

    def __str__(self) -> str:
        return f"{self.where} = {self.value!r}"[:120]


def alterations(game: Game, side: str, dice: random.Random) -> Iterator[Change]:
    """What a side may not see, each with another value."""
    S, program = game.state, game.program
    for column in program.columns:
        if column.secret is None:
            continue
        owners = [(o, v) for o, v in S.each(column) if not may_see(S, column, o, side)]
        for owner, value in dice.sample(owners, min(4, len(owners))):
            other = another(program, column.type, value, dice, column.start)
            if other != value:
                yield Change("secret mark", (column.name, owner), other)
    for at, frame in enumerate(S.stack):
        local, drawn = frame[2], {name for name, _ in frame[2].get("@secret", ())}
        for name in sorted(names_kept(S, frame, side)):
            asked = next((a.type for a in program.asks if a.name == name), "unit")
            kind = asked if name in drawn else {bool: "flag", int: "number"}.get(local[name].__class__, "")
            other = another(program, kind, local[name], dice, None)
            if other != local[name]:
                yield Change("secret answer" if name in drawn else "secret name", (at, name), other)
    yield Change("dice", (), dice.randrange(1 << 60))
    for name, type in program.bindings.items():
        value = getattr(S, "bind_" + name)
        if rests_on_secrets(S, "bind_" + name, side) and value is not None:
            yield Change("binding", (name,), another(program, type, value, dice, None))
    for quota in program.quotas:
        if rests_on_secrets(S, "spent_" + quota, side):
            yield Change("table", ("spent_" + quota,), dice.choice(range(3)))
    for memory in program.memories:
        if rests_on_secrets(S, memory.name, side):
            yield Change("table", ("past_" + memory.name,), dice.choice(range(3)))
    for place in (p for p in range(len(program.board.places)) if shut(program.board, p, side)):
        inside = S.here[place]
        hidden = [u for u in range(len(S.at)) if shut(program.board, S.at[u], side) and u not in inside]
        if inside and hidden:
            sort = "cup" if place in program.board.cups else "box"
            yield Change(sort, (dice.choice(inside), dice.choice(hidden)), None)
    yield from under_veils(game, side, dice)
    for k, entry in enumerate(game.log):
        match entry:
            case {"kept": kept} if kept.get(side) and entry.get("side") != side:
                found = told_otherwise(entry, kept[side])
                if found is not None:
                    yield Change("log", (k, found[0]), found[1])
            case {"event": "answer" | "choice", "secret": True, "side": whose} if whose != side:
                yield Change("log", (k, "value" if entry["event"] == "answer" else "text"), "something else")
            case {"event": "set", "secret": True, "to": whose} if whose != side:
                yield Change("log", (k, "value"), "something else")
            case {"event": "choice", "parts": told, "side": whose} if whose != side and any(x[2] for x in told):
                other = [[name, 0 if hidden else value, hidden, places] for name, value, hidden, places in told]
                yield Change("log", (k, "parts"), other)
            case {"event": "phase", "var": str(var)} if rests_on_secrets(S, f"bind_{var}", side, ever=True):
                yield Change("log", (k, "value"), "something else")
            case {"event": "draw", "secret": str(whose)} if whose != side:
                yield Change("log", (k, "drawn"), 0 if entry["drawn"] else 1)
            case {"event": "put", "place": place} if shut(program.board, place, side):
                yield Change("log", (k, "units"), tuple(u + 1 for u in entry["units"]))
            case {"event": "set", "at": place} if shut(program.board, place, side):
                yield Change("log", (k, "value"), "something else")


def under_veils(game: Game, side: str, dice: random.Random) -> Iterator[Change]:
    """Other places and marks of what is veiled, where it stays as veiled as it is."""
    S, program = game.state, game.program
    hidden = veiled_units(S, side)
    columns = [x for x in program.columns if x.sort == "unit" and x.secret is None and x.name != "unit_side"]
    for u in dice.sample(hidden, min(4, len(hidden))):
        there = sorted({at for at, whose in zip(S.at, S.unit_side, strict=True) if at is not None and whose != side})
        found = [Change("veiled unit", (u,), dice.choice(there))]
        for column in dice.sample(columns, min(3, len(columns))):
            value = S.held(column, u)
            found.append(Change("veiled unit's mark", (column.name, u), another(program, column.type, value, dice, column.start)))
        for change in found:
            twin = S.copy()
            apply(twin, program, change)
            if twin.plain() != S.plain() and all(veiled_units(twin, x) == veiled_units(S, x) for x in (side, "")):
                yield change
    marks = veiled_marks(S, side)
    for column, owner in dice.sample(marks, min(4, len(marks))):
        change = Change("veiled mark", (column.name, owner), another(program, column.type, S.held(column, owner), dice, 0))
        twin = S.copy()
        apply(twin, program, change)
        if mark_veiled(twin, column, owner, side):
            yield change


def told_otherwise(entry: dict[str, Any], kept: list[Any]) -> tuple[str, Any] | None:
    """What of an entry of the log a veil keeps, as it could be with other units."""
    match entry["event"]:
        case "put":
            return "units", tuple(u for u in entry["units"] if u not in kept)
        case "set" if [*as_many(entry["owner"])] == [*kept]:
            return "value", "something else"
        case "choice" if "parts" in entry:
            return "parts", [[name, 0 if name in kept else value, *rest] for name, value, *rest in entry["parts"]]
        case "choice":
            return "answer", "something else"
        case "answer":
            return "value", 0
        case "note":
            return "values", [["unit", 0, []] if i in kept else value for i, value in enumerate(entry["values"])]
    return None


def another(program: Program, type: str, value: Any, dice: random.Random, start: Any) -> Any:
    """Another value of the same type."""
    head, _, rest = type.partition(":")
    match head:
        case "kind":
            return dice.choice([v for v in (*program.kinds[rest], start) if v != value] or [value])
        case "flag":
            return not value
        case "number":
            return (value or 0) + dice.choice((1, 3, -1))
        case "unit":
            return dice.choice([u for u in range(len(program.units)) if u != value] or [value])
        case "place":
            return dice.choice([p for p in range(program.board.hexes) if p != value] or [value])
        case "set":
            member = another(program, rest, None, dice, None)
            return tuple(v for v in value if v != value[0]) if value else (member,)
        case "list":
            return tuple(reversed(value)) if value else value
        case "shares":
            return tuple((m, n + 1) for m, n in value) if value else value
    return value


def copied(game: Game) -> Game:
    """The same game once more."""
    twin = Game(game.program, game.state.copy(), game.journal.opening(len(game.journal)))
    twin.log = [dict(entry) for entry in game.log]
    twin._past = Past(game._past)
    return twin


def changed(game: Game, change: Change) -> Game:
    """The same game with one hidden thing changed, now and in all that came before."""
    twin = copied(game)
    if change.sort == "log":
        at, key = change.where
        twin.log[at][key] = change.value
        return twin
    apply(twin.state, game.program, change)
    twin._past = Past((plain and alter_past(game.program, plain, change), logged) for plain, logged in game._past)
    return twin


def alter_past(program: Program, plain: dict[str, Any], change: Change) -> dict[str, Any]:
    if change.sort != "secret mark":
        return plain
    state = State.from_plain(program, plain)
    apply(state, program, change)
    return state.plain()


def apply(S: State, program: Program, change: Change) -> None:
    match change.sort:
        case "secret mark" | "veiled unit's mark" | "veiled mark":
            column: Column = program.column[change.where[0]]
            S.give(column, change.where[1], change.value)
        case "secret answer" | "secret name":
            at, name = change.where
            S.stack[at][2][name] = change.value
        case "binding":
            setattr(S, f"bind_{change.where[0]}", change.value)
        case "table":
            rows = sorted(getattr(S, change.where[0]).items(), key=lambda row: canon.dumps(row[0]))
            setattr(S, change.where[0], dict(rows[: change.value]))
        case "dice":
            S.dice["rng"] = change.value
        case "cup" | "box":
            a, b = change.where
            at = S.own("at")
            at[a], at[b] = at[b], at[a]
            S.settle_places()
        case "veiled unit":
            shift(S, change.where[0], change.value)
    S.forget()
    if change.sort.startswith("veiled"):
        refresh_all(S)
        S.dirty = {}
