"""Printing: parsing what we print gives the same tree."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from rulewright.dsl import nodes as n
from rulewright.dsl.compare import difference, same
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.parse import parse
from rulewright.dsl.print import print_expression, print_rules

_spec = importlib.util.spec_from_file_location("strategies", Path(__file__).parents[1] / "strategies.py")
assert _spec and _spec.loader
strategies: Any = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(strategies)

pytestmark = pytest.mark.filterwarnings("ignore:Generating overly large repr")
SLOWLY = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=60)


def parsed(text: str) -> tuple[n.Decl, ...]:
    report = Reporter()
    found = parse(text, "test.rules", report)
    assert not report.found, f"{text}\n{report.found}"
    return found


def expression(text: str) -> n.Expr:
    (decl,) = parsed(f"let_me x:\n  y\ncase 1:\n  define f -> flag: ({text})\n")[1:]
    assert isinstance(decl, n.Case)
    define = decl.body[0]
    assert isinstance(define, n.Define)
    return define.body.clauses[0].value


@SLOWLY
@given(strategies.books())
def test_parsing_what_we_print_gives_the_same_tree(decls: tuple[n.Decl, ...]) -> None:
    text = print_rules(decls)
    assert difference(decls, parsed(text)) is None, text


@SLOWLY
@given(strategies.expressions(20))
def test_parsing_a_printed_expression_gives_the_same_tree(node: n.Expr) -> None:
    text = print_expression(node)
    assert difference(node, expression(text)) is None, text


@SLOWLY
@given(strategies.books())
def test_printing_twice_gives_the_same_text(decls: tuple[n.Decl, ...]) -> None:
    once = print_rules(decls)
    assert print_rules(parsed(once)) == once


def test_a_value_of_an_exception_that_is_named_as_a_statement_is_stands_in_brackets() -> None:
    text = "except 3 f: (draw) when a\nexcept 3 g:\n  let b = 1\n  (win + 2) when b = 1\n  draw_ otherwise\n"
    (first, second), (again, _) = parsed(text), parsed("except 3 f when a: draw b from c\nexcept 3 f: do usual\n")
    assert isinstance(first, n.Except) and isinstance(second, n.Except) and isinstance(again, n.Instead)
    assert print_rules([first]) + print_rules([second]) == text
    assert "f -> flag: draw" in print_rules(parsed("define f -> flag: draw\n"))


@pytest.mark.parametrize(
    "text",
    [
        "a and b or c",
        "a and (b or c)",
        "a and any s where b or c",
        "(any s where b) and c",
        "(any s where b) or any t",
        "any s and b",
        "not any s where b",
        "not (a and b)",
        "any (s where a) where b",
        "(s where a) + t",
        "any s + t as x where x.a",
        "every s has a",
        "every s as x has x.a",
        "every s as x where x.a has x.b",
        "every (s as x where x.a) as y has y.b",
        "count(s where a) >= 2",
        "sum(it.a over s where b)",
        "sum(x.a over s as x where b)",
        "supposing u at h, m = 1: a and b",
        "(supposing u at h: a) and b",
        "a in 1 .. 6",
        "a not in {b, c}",
        "u is not infantry",
        "u within 2 of h",
        "since Nov/Dec 1942 and before 3 Jun I",
        "@A1.city",
        "-(a + b) * -c",
        "a - (b - c) - d",
        "a / (b * c)",
        "(a = b) = c",
        "{1 .. count(s)}",
        "s else t else u",
        "(s where a) else t",
        "s else (t else u)",
        "f(s else t, x: any u where a, y: {})",
        "odds(b) < 1:6",
        '[a, 1d6, true, "text"]',
    ],
)
def test_canonical_text_prints_as_itself(text: str) -> None:
    assert print_expression(expression(text)) == text


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("((a)) and (b and c)", "a and (b and c)"),
        ("(a and b) and c", "a and b and c"),
        ("not a in b", "a not in b"),
        ("not (u is foot)", "u is not foot"),
        ("any (s where a)", "any s where a"),
        ("every (s where a) has b", "every s where a has b"),
        ("count((s where a))", "count(s where a)"),
        ("a and (any s where b)", "a and any s where b"),
        ("2:4", "1:2"),
    ],
)
def test_needless_parentheses_go(written: str, printed: str) -> None:
    assert print_expression(expression(written)) == printed


def test_a_plain_word_that_opens_lines_elsewhere_is_set_in_parentheses() -> None:
    text = 'case 1:\n  add to f: (times) + 1 when a\n  example "x":\n    expect (conflict) = 1\n'
    decls = parsed(text)
    assert same(decls, parsed(print_rules(decls)))


def test_a_long_guard_is_listed_below_when() -> None:
    links = " and ".join(f"a_rather_long_condition_{i}(u)" for i in range(5))
    text = print_rules(parsed(f"case 1:\n  forbid ground when {links}\n"))
    assert "forbid ground when:\n    a_rather_long_condition_0(u)\n" in text
    assert max(map(len, text.split("\n"))) <= 100


def test_the_longest_chain_prints_and_compares() -> None:
    text = "case 1:\n  define f -> number: " + " + ".join(["a"] * 151) + "\n"
    decls = parsed(text)
    assert same(decls, parsed(print_rules(decls)))


def test_blocks_are_set_apart_and_single_lines_are_not() -> None:
    text = 'book trc "x"\nuse hexes\n\ncase 1:\n  use a\n\ncase 2:\n  use b\n'
    assert print_rules(parsed(text)) == text


def test_compare_sees_every_difference_but_spans() -> None:
    a = parsed("case 1:\n  define f -> number: 1\n")
    assert same(a, parsed("\n\ncase  1 :\n      define f->number:1\n"))
    assert not same(a, parsed("case 1:\n  define f -> number: 2\n"))
    assert not same(a, parsed("case 1:\n  define f -> number: true\n"))
    assert not same(a, parsed("case 1:\n  define f -> number: 1\n  use a\n"))
    assert difference(a, parsed("case 2:\n  define f -> number: 1\n")) == "[0].id: '1' or '2'"


def test_compare_reads_raw_lines_by_their_words_only_when_loose() -> None:
    a = parsed("table t(d: number) -> x:\n  | 1 | a |\n  key: v\n")
    b = parsed("table t(d: number) -> x:\n  |  1|a   |\n  key :  v\n")
    c = parsed("table t(d: number) -> x:\n  | 1 | b |\n  key: v\n")
    assert same(a, b, loose=True) and not same(a, b)
    assert not same(a, c, loose=True)
