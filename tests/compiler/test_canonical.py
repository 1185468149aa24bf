"""Canonical forms keep the value of an expression, are their own canonical form, and are one for equal texts."""

import random
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from rulewright.compiler.core import nodes as c
from rulewright.compiler.core.types import FLAG, NUMBER, UNIT
from rulewright.compiler.diff.facts import facts
from rulewright.compiler.diff.meaning.canonical import Canonical, Name, bind
from rulewright.compiler.diff.meaning.wholes import Wholes
from rulewright.compiler.evaluate.expression import read_expression
from rulewright.compiler.interpret.game import Oracle
from rulewright.compiler.interpret.values import NONSENSE
from rulewright.compiler.pipeline import analyse
from rulewright.dsl.diagnostics import Reporter
from rulewright.runtime.problems import Fault

BOOK = str(Path(__file__).parent.parent / "books" / "skirmish.rules")
NAMES = {"x": NUMBER, "y": NUMBER, "f": FLAG, "u": UNIT}


@cache
def made():
    a = analyse(BOOK)
    return a, Canonical(a.book, Wholes(a.book)), Oracle(a.book).new(seed=1)


def read(text, names=NAMES):
    report = Reporter()
    found = read_expression(made()[0], text, report, names)
    assert found is not None, (text, [d.message for d in report.found])
    return found


def labelled(whole=False):
    names = {}
    for name, of in NAMES.items():
        names = bind(names, name, whole and of == NUMBER)
    return names


def again(names):
    """The names of a canonical form, for a second pass over it."""
    return {
        **{n.label: Name(n.label, n.whole) for n in names.values() if n.label},
        **{k: n for k, n in names.items() if k[0] == "\0"},
    }


def value(e, local):
    table = made()[2].begun()[0]
    try:
        return table.ev.value(table.W, e, local)
    except (*NONSENSE, Fault) as error:
        return type(error).__name__ if isinstance(error, Fault) else "fault"


class Maker:
    """Random texts: numbers, conditions and sets over two numbers, a flag and a unit."""

    def __init__(self, seed, whole):
        self.random, self.whole, self.fresh = random.Random(seed), whole, 0

    def pick(self, *ways):
        return self.random.choice(ways)()

    def number(self, deep):
        r = self.random
        if deep <= 0:
            return r.choice(["x", "y", str(r.randint(0, 9)), "u.strength", "count(units(red))"])
        a, b = (lambda: self.number(deep - 1)), (lambda: self.number(deep - 2))
        return self.pick(
            lambda: f"({a()} + {b()})",
            lambda: f"({a()} - {b()})",
            lambda: f"({a()} * {b()})",
            lambda: f"(-{a()})",
            lambda: f"({a()} / {r.choice(['2', '3', b()])})",
            lambda: f"({r.randint(1, 5)}/{r.randint(2, 7)} + {a()})",
            lambda: self.loop("sum({value} over (units({side}) as {v} where true))", lambda: self.number(deep - 2)),
            lambda: self.loop("count(units({side}) as {v} where {value})", lambda: self.flag(deep - 2)),
        )

    def flag(self, deep):
        r = self.random
        if deep <= 0:
            return r.choice(["f", "u.side = red", "true", "x < y", "x = 3", "u.strength >= 3"])
        a, b = (lambda: self.flag(deep - 1)), (lambda: self.flag(deep - 2))
        n = lambda: self.number(deep - 2)  # noqa: E731
        sign = r.choice(["=", "!=", "<", "<=", ">", ">="])
        return self.pick(
            lambda: f"({a()} and {b()})",
            lambda: f"({a()} or {b()})",
            lambda: f"(not {a()})",
            lambda: f"({n()} {sign} {n()})",
            lambda: f"({n()} in {{{n()}, {n()}}})",
            lambda: f"(({a()}) = {r.choice(['true', 'false'])})",
            lambda: self.loop("({how} units({side}) as {v} {has} {value})", lambda: self.flag(deep - 2)),
        )

    def loop(self, form, inner):
        self.fresh += 1
        v = f"v{self.fresh}"
        how = self.random.choice(["any", "no", "every"])
        has = "has" if how == "every" else "where"
        text = form.format(v=v, side=self.random.choice(["red", "blue"]), how=how, has=has, value="@@")
        return text.replace("@@", inner().replace("u.", f"{self.random.choice(['u', v])}."))


@pytest.mark.parametrize("sort", ["number", "flag"])
@pytest.mark.parametrize("whole", [False, True])
def test_a_canonical_form_has_the_same_value_and_is_its_own(sort, whole):
    canonical = made()[1]
    names = labelled(whole)
    chance = random.Random(7)
    changed = 0
    for seed in range(250):
        text = getattr(Maker(seed, whole), sort)(4)
        e = read(text)
        form = canonical.expr(e, names)
        assert canonical.key(canonical.expr(form, again(names))) == canonical.key(form), text
        changed += canonical.key(form) != canonical.key(e)
        for _ in range(6):
            few = [-2, 0, 1, 2, 3, 4] if whole else [-2, 0, 1, 2, 3, Fraction(5, 2)]
            local = {"x": chance.choice(few), "y": chance.choice(few)}
            local |= {"f": chance.random() < 0.5, "u": chance.randint(0, 3)}
            ours = value(e, local)
            theirs = value(form, {names[k].label: v for k, v in local.items()})
            assert ours == theirs, (text, local)
    assert changed > 150


SAME = [
    ("x + 1 <= y", "y > x"),
    ("x <= 2", "x < 3"),
    ("not x = y", "y != x"),
    ("not (x < 3)", "x >= 3"),
    ("4 + 4", "8"),
    ("x + y + 1", "1 + y + x"),
    ("2 * x - x", "x"),
    ("x / 2 + x / 2", "x"),
    ("f and x = 1", "x = 1 and f"),
    ("not (f and x = 1)", "x != 1 or not f"),
    ("not not f", "f"),
    ("f = true", "f"),
    ("x in {1, 2}", "x = 2 or x = 1"),
    ("x in {3..5}", "x >= 3 and x <= 5"),
    ("x in {3..5}", "5 >= x and 2 < x"),
    ("any units(red) as a where a.strength > 2", "any units(red) where it.strength >= 3"),
    ("no units(red) where it.strength > 2", "every units(red) as k has k.strength < 3"),
    ("count(units(red) as a where any units(blue) as b where a.hex = b.hex)",
     "count(units(red) as b where any units(blue) as a where a.hex = b.hex)"),
    ("{u.hex, @A1} + neighbors(u.hex)", "neighbors(u.hex) + {@A1} + {u.hex}"),
    ("count(units(red) where it.strength > 1 and it.hex = @A1)", "count((units(red) where it.strength > 1) where it.hex = @A1)"),
    ("2 * x <= 5", "x <= 2"),
]  # fmt: skip
OTHER = [
    ("x <= 2", "x < 2"),
    ("x - y", "y - x"),
    ("1/x = y and x > 0", "x > 0 and 1/x = y"),
    ("-x", "x"),
    ("x / 5", "x / 7"),
    ("any units(red) as a where any units(blue) as b where a.strength > b.strength",
     "any units(red) as a where any units(blue) as b where b.strength > a.strength"),
    ("[1, 2]", "[2, 1]"),
    ("units(red) - units(blue)", "units(blue) - units(red)"),
]  # fmt: skip


@pytest.mark.parametrize("pair", [*SAME, *OTHER], ids=lambda pair: pair[0])
def test_what_means_the_same_has_one_form_and_nothing_else_has(pair):
    canonical, names = made()[1], labelled(whole=True)
    one, other = (canonical.key(canonical.expr(read(x), names)) for x in pair)
    assert (one == other) is (pair in SAME)


def test_a_bound_is_moved_by_one_only_where_the_number_is_whole():
    canonical, names = made()[1], labelled(whole=False)
    one, other = (canonical.key(canonical.expr(read(x), names)) for x in ("x <= 2", "x < 3"))
    assert one != other


WHOLES = """
case 20 "Numbers":
  mark purse of game: number = 3
  mark share of game: number = 1
  define half(n: number) -> number: n / 2
  define twice(n: number) -> number: n * 2
  procedure pay():
    set purse = purse + twice(2) - 1
    set share = half(3)
  define rich() -> flag: TEST
"""


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("purse > 2", "purse >= 3", True),
        ("share > 2", "share >= 3", False),
        ("twice(purse) > 2", "twice(purse) >= 3", True),
    ],
)
def test_wholeness_is_followed_through_the_book(before, after, same, tmp_path):
    text = Path(BOOK).read_text() + WHOLES
    sides = []
    for name, test in (("a", before), ("b", after)):
        path = tmp_path / f"{name}.rules"
        path.write_text(text.replace("TEST", test))
        sides.append(analyse(str(path)))
        assert not sides[-1].report.failed, [d.message for d in sides[-1].report.found]
    assert (facts(*sides) == []) is same


def test_every_operator_passes_through_and_keeps_its_key():
    """Every expression of the book that has all forms: canonical once is canonical twice."""
    book = analyse(str(Path(__file__).parent.parent / "diagnostics" / "every_form.rules")).book
    assert book is not None
    canonical = Canonical(book, Wholes(book))
    from rulewright.compiler.core.walk import declared, top_exprs

    seen: set[type] = set()
    for e in (e for x in declared(book) for e in top_exprs(x)):
        form = canonical.expr(e, {})
        seen |= {type(y) for y in e.walk()}
        assert canonical.key(canonical.expr(form, {})) == canonical.key(form)
    assert {c.Filter, c.Suppose, c.TableCell, c.FirstOf, c.Within, c.Union} <= seen
