"""The printer of the emission model: brackets where precedence needs them, lines that fit, cases where they speak."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.compiler.emit.model.expressions import (
    At,
    Both,
    Call,
    Cited,
    Comp,
    Compare,
    Cond,
    Expr,
    Index,
    Lambda,
    Lit,
    Loop,
    Lst,
    Name,
    Neg,
    Not,
    Op,
    Ref,
    Tup,
    all_of,
    any_of,
    choice,
    compare,
    negated,
)
from rulewright.compiler.emit.model.printer import WIDTH, Printer
from rulewright.compiler.emit.model.statements import Assign, Do, For, Function, Hint, If, Param, Return
from rulewright.dsl.source import NOWHERE

a, b, c = Name("a"), Name("b"), Name("c")


@pytest.mark.parametrize(
    ("e", "text"),
    [
        (Op("*", Op("+", a, b), c), "(a + b) * c"),
        (Op("-", a, Op("-", b, c)), "a - (b - c)"),
        (Op("-", Op("-", a, b), c), "a - b - c"),
        (Neg(Op("//", Neg(a), Lit(2))), "-(-a // 2)"),
        (all_of(a, any_of(b, c)), "a and (b or c)"),
        (any_of(a, all_of(b, c)), "a or b and c"),
        (negated(negated(a)), "a"),
        (negated(compare(a, "in", b)), "a not in b"),
        (negated(any_of(a, b)), "not (a or b)"),
        (Compare(a, (("<=", b), ("<=", c))), "a <= b <= c"),
        (compare(Cond(a, b, c), "==", c), "(b if a else c) == c"),
        (choice(Not(a), b, c), "c if a else b"),
        (Call(Name("any"), (Comp(a, (Loop(a, b, (c,)),)),)), "any(a for a in b if c)"),
        (Call(Name("f"), (Lambda((), a), Tup((b,)))), "f(lambda: a, (b,))"),
        (Index(a, Lit(-1)), "a[-1]"),
        (Call(Ref("rulewright.runtime.values", "ratio"), (a, Lit("x y"))), 'ratio(a, "x y")'),
        (Call(Ref("chapter_07", "zone"), (a,)), "chapter_07.zone(a)"),
        (Lit(("it's", 'a "word"')), """("it's", 'a "word"')"""),
    ],
)
def test_one_line(e: Expr, text: str) -> None:
    assert Printer("chapter_13").flat(e) == text


def test_names_of_modules_are_told() -> None:
    printer = Printer("chapter_13")
    printer.flat(Call(Ref("chapter_13", "odds"), (Ref("data", "UNITS"), Ref("chapter_07", "zone"))))
    assert printer.refs == {("data", "UNITS"), ("", "chapter_07")}


LONG = [Name(f"a_rather_long_name_of_a_variable_{i}") for i in range(5)]
GOLDEN = '''

def odds(S: State, b: Battle) -> Odds:
    """13.1 Odds: odds."""
    total = 0
    for it in b[BATTLE_ATTACKERS]:  # 13.1
        total = total + it
    if (
        a_rather_long_name_of_a_variable_0
        and a_rather_long_name_of_a_variable_1
        and a_rather_long_name_of_a_variable_2  # 17.3
        and a_rather_long_name_of_a_variable_3
        and a_rather_long_name_of_a_variable_4
    ):
        return 1
    elif total == 0:
        return tuple(
            a_rather_long_name_of_a_variable_1(a_rather_long_name_of_a_variable_2, a_rather_long_name_of_a_variable_3)
            for it in a_rather_long_name_of_a_variable_0
            if it
        )
    else:
        note(
            a_rather_long_name_of_a_variable_0,
            a_rather_long_name_of_a_variable_1,
            a_rather_long_name_of_a_variable_2,
            a_rather_long_name_of_a_variable_3,
            a_rather_long_name_of_a_variable_4,
        )
    return total'''


def test_a_function() -> None:
    total, it = Name("total"), Name("it")
    at = At("13.1", NOWHERE, "odds")
    parts = [Cited(x, At("17.3", NOWHERE, "supply")) if x is LONG[2] else x for x in LONG]
    long_call = Call(LONG[1], (LONG[2], LONG[3]))
    body = (
        Assign((total,), Lit(0)),
        For(it, Index(b, Ref("names", "BATTLE_ATTACKERS")), (Assign((total,), Op("+", total, it)),), at),
        If(
            Both("and", tuple(parts)),
            (Return(Lit(1)),),
            (
                If(
                    compare(total, "==", Lit(0)),
                    (Return(Call(Name("tuple"), (Comp(long_call, (Loop(it, LONG[0], (it,)),)),))),),
                    (Do(Call(Name("note"), tuple(LONG))),),
                ),
            ),
        ),
        Return(total),
    )
    params = (Param("S", Hint("State")), Param("b", Hint("Battle")))
    printer = Printer("chapter_13")
    printer.function(Function("odds", params, Hint("Odds"), "13.1 Odds: odds.", body))
    assert "\n".join(printer.lines) == GOLDEN
    assert {case for _, case, _, _ in printer.rows} == {"13.1", "17.3"}


NAMES = st.sampled_from(["a", "b", "some_value", "another_rather_long_name_of_a_value"]).map(Name)
LEAVES = NAMES | st.one_of(st.integers(-5, 5), st.text(max_size=30), st.booleans(), st.none()).map(Lit)


def grown(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    several = st.lists(inner, min_size=2, max_size=4).map(tuple)
    return st.one_of(
        st.builds(Op, st.sampled_from(["+", "-", "*", "//", "%"]), inner, inner),
        st.builds(Both, st.sampled_from(["and", "or"]), several),
        st.builds(compare, inner, st.sampled_from(["==", "<", "in", "not in", "is"]), inner),
        st.builds(Not, inner),
        st.builds(Neg, inner),
        st.builds(Cond, inner, inner, inner),
        st.builds(Tup, several),
        st.builds(Lst, several),
        st.builds(lambda e: Tup((e,)), inner),
        st.builds(lambda f, args: Call(f, args), NAMES, several),
        st.builds(Index, inner, inner),
        st.builds(lambda e, over, test: Comp(e, (Loop(Name("x"), over, (test,)),), "[]"), inner, inner, inner),
        st.builds(lambda e: Lambda(("x",), e), inner),
        st.builds(lambda e: Cited(e, At("7.1", NOWHERE, "zone")), inner),
    )


@settings(max_examples=60, deadline=None)
@given(st.recursive(LEAVES, grown, max_leaves=40))
def test_broken_lines_mean_the_same_as_one(e: Expr) -> None:
    """Whatever is broken over lines is the expression that one line would hold, and no line is too long."""
    printer = Printer("chapter_13")
    flat = printer.flat(e)
    printer.cites.clear()
    printer.head(None, 8, "x = ", e)
    assert all(len(line) <= WIDTH for line in printer.lines if " " in line.strip())
    text = "if 1:\n    if 1:\n" + "\n".join(printer.lines)
    broken = ast.parse(text).body[0].body[0].body[0].value  # type: ignore[attr-defined]
    assert ast.dump(broken) == ast.dump(ast.parse(flat, mode="eval").body)
