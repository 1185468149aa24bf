"""One notation of values: what is printed reads back, by the runtime's reader and by the language itself."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.core import nodes as c
from rulewright.compiler.core import types as t
from rulewright.compiler.core.texts import type_text
from rulewright.compiler.core.types import Type
from rulewright.compiler.elaborate.expressions.build import Expressions
from rulewright.compiler.pipeline import analyse
from rulewright.compiler.read.symbols import Scope
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.parse import parse_expression
from rulewright.runtime.notation import label, show
from rulewright.runtime.reading import Reader
from rulewright.runtime.values import LARGEST, exact, ratio, unique

BOOKS = ("trc", "tdv", "fite", "fragment", "fite+errata")
OTHERS = sorted(map(str, (Path(__file__).parent.parent / "books").glob("*.rules")))
VALUES = 40


class Known:
    """A rule set with its types, and a way from text to value through the language."""

    def __init__(self, name: str) -> None:
        self.program = load(name).program
        self.made = analyse(name)
        self.book = self.made.book

    def types(self) -> dict[str, Type]:
        """Every type that something of the book takes, gives or holds."""
        book = self.book
        found = [x.type for x in (*book.marks.values(), *book.fields.values(), *book.tables.values())]
        for x in (*book.definitions.values(), *book.tables.values(), *book.grows.values(), *book.actions.values()):
            found += [p.type for p in x.params]
        found += [d.type for d in book.definitions.values()] + [*book.bindings.values()]
        found += [of for members in book.records.values() for _, of in members]
        found += [Type("record", name) for name in book.records] + [Type("scale", name) for name in book.scales]
        found += [t.plan_of(name) for name in book.matchings]
        found += [t.set_of(t.HEXSIDE), t.list_of(t.NUMBER), t.RATIO, t.PATH]
        found += [t.TURN] if book.calendar is not None else []
        return {type_text(x.plain, book): x.plain for x in found if x.sort != "any"}

    def read(self, type: Type, text: str) -> object:
        """The value of a text by the language: parsed, elaborated where the type is expected, worked out."""
        report = Reporter()
        node = parse_expression(text, "value", report)
        assert node is not None, (text, report.found)
        found = Expressions(self.made.symbols, report).expr(node, Scope({}), type)
        assert not report.failed, (text, [d.message for d in report.found])
        return worth(found, self.program)


def in_play(program, place):
    """Of hexes that maps share an id for, the one on the map that is played on unless a scenario says otherwise."""
    return program.twins.get(place, {}).get(next(iter(program.grounds)), place)


def worth(e, program):
    """What a literal is worth; only the few operators that literals are written with."""
    boxes, args = program.board.boxes, [worth(a, program) for a in e.args]
    match e:
        case c.Const():
            return e.value
        case c.SetOf():
            return unique(args)
        case c.ListOf() | c.RecordOf():
            return tuple(args)
        case c.Negative():
            return -args[0]
        case c.Over():
            return ratio(*args)
        case c.BuiltinCall(name="edge"):
            return tuple(sorted(args))
        case c.BuiltinCall(name="twin"):
            return in_play(program, args[0])
        case c.BuiltinCall(name="on_this_map"):
            return in_play(program, args[0][0])
        case c.BuiltinCall(name="turn_after"):
            return sum(args)
        case c.BoxOf():
            return boxes[e.name][args[0] if args else None]
        case c.OnScale():
            return -1
    raise AssertionError(f"no literal is written with {type(e).__name__}")


def some(rng: random.Random, known: Known, type: Type, deep: int = 0):
    """A value of a type, as the state holds it."""
    program, book = known.program, known.book
    if deep and rng.random() < 0.05 and not type.many and type.name not in ("number", "flag"):
        return None
    if type.of is not None:
        found = [some(rng, known, type.of, 0) for _ in range(rng.choice((0, 1, 2, 5)))]
        return unique(found) if type.sort == "set" else tuple(found)
    match type.sort:
        case "record":
            return tuple(some(rng, known, of, deep + 1) for _, of in book.records[type.name])
        case "kind":
            return rng.choice(program.words(type.name))
        case "scale":
            return rng.randrange(-1, len(program.scales[type.name]))
    place, unit = (lambda: in_play(program, rng.randrange(len(program.board.places)))), (lambda: rng.randrange(len(program.units)))
    match type.name:
        case "number" | "ratio":
            whole = rng.choice((0, 1, -1, 7, 10**17, -999, LARGEST if type.name == "number" else 3))
            return rng.choice((whole, exact(Fraction(rng.randrange(-50, 50), rng.randrange(1, 20)))))
        case "flag":
            return rng.random() < 0.5
        case "unit":
            return unit()
        case "place":
            return place()
        case "hexside":
            return tuple(sorted((place(), place())))
        case "path":
            return tuple(place() for _ in range(rng.choice((0, 1, 2, 6))))
        case "turn":
            return rng.randrange(-40, len(program.turns) + 40)
        case "month":
            return rng.choice(program.turns)[2]
        case "text":
            return rng.choice(("", "a", "two words: {1}", "é — ∞"))
        case "plan":
            m = book.matchings[type.via]
            return tuple(
                (groups(rng, known, m.targets.type.of), groups(rng, known, m.items.type.of))
                for _ in range(rng.randrange(3))
            )
    raise AssertionError(f"no value of {type}")


def groups(rng, known, type):
    return unique(some(rng, known, type) for _ in range(rng.randrange(1, 4)))


@pytest.mark.parametrize("name", [*BOOKS, *OTHERS], ids=lambda x: Path(x).stem)
def test_what_is_printed_reads_back_both_ways(name):
    known = Known(name)
    types = known.types()
    assert len(types) >= 6
    for word, type in types.items():
        rng = random.Random(f"{name} {word}")
        for _ in range(VALUES):
            value = some(rng, known, type)
            text = show(known.program, word, value)
            reader = Reader(known.program, text)
            assert (reader.value(word), reader.end()) == (value, True), text
            assert known.read(type, text) == value, text


def test_every_sort_of_type_is_met():
    met = {word.partition(":")[0] for name in BOOKS for word in Known(name).types()}
    assert met == {
        "number", "ratio", "flag", "unit", "place", "hexside", "path", "turn", "month", "text", "kind", "scale", "set",
        "list", "record", "plan",
    }  # fmt: skip


def test_values_as_they_look():
    trc, fite = load("trc").program, load("fite").program
    assert show(trc, "record:battle", ((11, 12), (119,), ())) == (
        f'battle(attackers: {{"{trc.units[11]}", "{trc.units[12]}"}}, defenders: {{"{trc.units[119]}"}}, air: {{}})'
    )
    assert show(trc, "scale:odds", 7) == "3:1" and show(trc, "scale:odds", -1) == "below 1:6"
    assert show(trc, "number", Fraction(1, 2)) == "1/2" and show(trc, "number", LARGEST) == "unlimited"
    assert show(trc, "turn", 0) == "May/Jun 1941"
    assert show(trc, "turn", -2) == "turn_after(May/Jun 1941, -2)"
    a, b = (fite.place_index[x] for x in sorted(fite.board.places[:2]))
    assert show(fite, "hexside", (a, b)) == f"@{fite.board.places[a]}/{fite.board.places[b]}"
    assert show(trc, "place", trc.place_index["eliminated(axis)"]) == "eliminated(axis)"
    assert show(trc, "path", (0, 1)) == f"[@{trc.board.places[0]}, @{trc.board.places[1]}]"
    assert label(trc, "path", (0, 1)) == f"{trc.board.places[0]}>{trc.board.places[1]}"
    assert show(trc, "flag", True) == "true" and label(trc, "flag", True) == "yes"
