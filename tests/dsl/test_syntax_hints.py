"""Hints: each mistake that authors make gets its own sentence, at its own place."""

from __future__ import annotations

import pytest
from lark import Token

from rulewright.dsl.diagnostics import Diagnostic, Reporter
from rulewright.dsl.parse import parse
from rulewright.dsl.syntax_hints import hint, keywords, openers


def only(text: str) -> Diagnostic:
    report = Reporter()
    parse(text, "test.rules", report)
    (found,) = report.found
    return found


def case(*lines: str) -> str:
    return "\n".join(["case 1:", *(f"  {line}" for line in lines)]) + "\n"


def procedure(*lines: str) -> str:
    return case("procedure p:", *(f"  {line}" for line in lines))


def define(value: str) -> str:
    return case(f"define f -> flag: {value}")


# name: (text, line, column, message, a part of the help)
MISTAKES: dict[str, tuple[str, int, int, str, str]] = {
    "case without colon": (
        'case 4.1 "x"  # c\n  use a\n',
        1,
        13,
        "a colon is missing at the end of this line",
        '":"',
    ),
    "definition without colon": (
        case("define f -> flag", "  true"),
        2,
        19,
        "a colon is missing at the end of this line",
        '":"',
    ),
    "trigger without colon": (
        case("on start of turn", "  do x"),
        2,
        19,
        "a colon is missing at the end of this line",
        '":"',
    ),
    "a word of old": (
        case("instead of 3 f when a: do usual"),
        2,
        14,
        '"instead" is no word of the language any more',
        "write: except CASE NAME when CONDITION:",
    ),
    "a statement of old": (
        procedure("schedule next turn:", "  do x"),
        3,
        5,
        '"schedule" is no word of the language any more',
        "on start of PHASE when CONDITION:",
    ),
    "condition before a value": (
        case("except 3 f when a: 4"),
        2,
        22,
        "the condition of a value stands behind it",
        "write: except CASE NAME: VALUE when CONDITION",
    ),
    "a value named as a statement is": (
        case("except 3 f: draw when a"),
        2,
        25,
        '"draw" opens a statement here',
        "write (draw) where",
    ),
    "if without colon": (procedure("if a do x"), 3, 10, 'a colon is missing before "do"', '":"'),
    "kind without colon": (case("kind side axis"), 2, 13, 'a colon is missing before "axis"', '":"'),
    "equals for colon": (
        case("define f -> flag = true"),
        2,
        20,
        'a colon stands before the value, not "="',
        '":"',
    ),
    "double equals": (define("a == b"), 2, 23, '"==" is no sign of this language', 'write "="'),
    "arrow for at least": (define("a => b"), 2, 23, '"=>" is no sign of this language', 'write ">="'),
    "angles for unequal": (define("a <> b"), 2, 23, '"<>" is no sign of this language', 'write "!="'),
    "ampersands": (define("a && b"), 2, 23, '"&&" is no sign of this language', 'write "and"'),
    "exclamation mark": (define("!a"), 2, 21, '"!" is no sign of this language', 'write "not"'),
    "printed sign": (define("a ≤ b"), 2, 23, '"≤" is no sign of this language', 'write "<="'),
    "and after every": (
        define("every b and c"),
        2,
        29,
        'this "every" still lacks its test',
        "every SET has TEST",
    ),
    "and after as": (
        define("any b as x and c"),
        2,
        32,
        'the name after "as" is followed by "where"',
        "SET as NAME where TEST",
    ),
    "open form in a comparison": (
        define("a = any b where c"),
        2,
        29,
        '"any ..." takes parentheses here',
        "(any ...)",
    ),
    "open form in a sum": (
        define("1 + every b has c"),
        2,
        31,
        '"every ..." takes parentheses here',
        "(every ...)",
    ),
    "filter as an operand": (
        procedure("put units where a in pool"),
        3,
        15,
        "a filter takes parentheses here",
        "(SET where CONDITION)",
    ),
    "condition as a plain value": (
        procedure("win a and b"),
        3,
        11,
        '"and" joins conditions, and a plain value stands here',
        "parentheses",
    ),
    "comparison of any": (define("any b = c"), 2, 27, '"=" cannot follow "any ..."', "any SET where"),
    "chained comparison": (define("a < b < c"), 2, 27, "comparisons do not chain", '"and"'),
    "fold as a name": (define("sum + 1"), 2, 25, '"sum" is a word of the language, not a name', "over SET"),
    "count as a name": (
        define("count = 1"),
        2,
        27,
        '"count" is a word of the language, not a name',
        "count(SET)",
    ),
    "tab that lines up with nothing": (
        "case 1:\n    procedure p:\n\t\tdo x\n\tdo y\n",
        4,
        1,
        "this line is indented with tabs, and lines up with nothing above",
        "two spaces",
    ),
    "spaces that line up with nothing": (
        "case 1:\n  procedure p:\n    do x\n   do y\n",
        4,
        1,
        "this line lines up with no line above",
        "0 or 2 or 4 spaces",
    ),
    "deeper without a block": (
        procedure("do x", "  do y"),
        4,
        7,
        "this line is indented deeper, but the line above opens no block",
        "colon",
    ),
    "tab deeper without a block": (
        "case 1:\n  procedure p:\n    do x\n\tdo y\n",
        4,
        2,
        "this line is indented with a tab, and deeper than the line above",
        "two spaces",
    ),
    "empty block": (case("procedure p:"), 2, 15, "this block is empty", "indent"),
    "empty case": ("case 1:\n", 1, 8, "this block is empty", "indent"),
    "else without colon": (
        procedure("if a:", "  do x", "else", "  do y"),
        5,
        9,
        '"else" lacks its colon',
        "else:",
    ),
    "else before a statement": (
        procedure("if a:", "  do x", "else do y"),
        5,
        10,
        '"else" lacks its colon',
        "else:",
    ),
    "else without if": (
        procedure("do x", "else:", "  do y"),
        4,
        5,
        'this "else" follows no "if"',
        "line it up",
    ),
    "failing without ask": (
        procedure("do x", "failing: do y"),
        4,
        5,
        'this "failing" follows no "ask" or "make"',
        "line it up",
    ),
    "elif": (
        procedure("if a:", "  do x", "elif b:", "  do y"),
        5,
        5,
        '"elif" is no word of this language',
        "else if",
    ),
    "misspelt declaration": (
        case("defin zone(u: unit) -> flag: true"),
        2,
        13,
        '"defin" opens no line here',
        '"define"',
    ),
    "misspelt rule": (case("forbidd ground when x"), 2, 18, '"forbidd" opens no line here', '"forbid"'),
    "misspelt case": ('cas 4.1 "x":\n  use a\n', 1, 5, '"cas" opens no line here', '"case"'),
    "misspelt statement": (procedure("wlak u along p"), 3, 5, '"wlak" opens no line here', '"walk"'),
    "misspelt facet": (
        case("route r(u: unit):", "  entr: 1"),
        3,
        5,
        '"entr" opens no line here',
        '"enter"',
    ),
    "keyword with a tail": (
        case('example "x":', "  expects a = b"),
        3,
        5,
        '"expects" is no word of the language',
        '"expect"',
    ),
    "statement in a case": (
        case("set x = 3"),
        2,
        9,
        '"set" is a statement and cannot stand in a case by itself',
        "procedure",
    ),
    "declaration among statements": (
        procedure("define x -> flag: true"),
        3,
        5,
        '"define" is a declaration and cannot stand among statements',
        "indentation",
    ),
    "bare assignment": (procedure("x = 3"), 3, 5, '"x = ..." is no statement', "let NAME"),
    "guard on its own line": (case("when x"), 2, 9, '"when" does not open a line here', "line above"),
    "unknown line": ("hello\n", 1, 6, '"hello" opens no line here', "KIND NAME"),
    "else in a definition": (
        case("define f -> flag:", "  a when b", "  else c"),
        4,
        10,
        'a definition has no "else"',
        "VALUE otherwise",
    ),
    "otherwise before its value": (
        case("define f -> flag:", "  a when b", "  otherwise c"),
        4,
        5,
        '"otherwise" has no value before it',
        "VALUE otherwise",
    ),
    "otherwise with a colon": (
        case("define f -> flag:", "  a when b", "  otherwise: c"),
        4,
        5,
        '"otherwise" has no value before it',
        "VALUE otherwise",
    ),
    "unclosed bracket": (
        case("define f -> flag: g(a, b", "define h -> flag: true"),
        2,
        22,
        'this "(" is never closed',
        '")"',
    ),
    "guard inside a bracket": (
        define("g(a, b when c"),
        2,
        28,
        '"when" stands inside a bracket: the "(" before it is not closed',
        "close",
    ),
    "wrong closing bracket": (define("g(a, b]"), 2, 27, '"]" does not close "("', "order"),
    "bracket too many": (define("a)"), 2, 22, 'this ")" closes no bracket', "remove"),
    "unclosed quote": (case('note "abc'), 2, 8, "this text has no closing quote", 'with "'),
    "text below a text": (case('note "abc"\n  "def"'), 3, 3, "a text stands here by itself", "indent it deeper"),
    "text beside a text": (define('{"a" "b"}'), 2, 26, "two texts stand side by side", "comma"),
    "single quotes": (case("note 'abc'"), 2, 8, "a text stands in double quotes", '"..."'),
    "curly quotes": (case("note “abc”"), 2, 8, "a curly quote does not open a text", '"'),
    "case number for a name": (
        case("forbid 8.2 when x"),
        2,
        10,
        "a name is expected here, not the case number 8.2",
        "declaration",
    ),
    "name for a case number": (
        case("waive zone when x"),
        2,
        9,
        'a case number is expected here, not "zone"',
        "7.1 zone",
    ),
    "if in a definition": (define("if a: b"), 2, 24, 'a definition has no "if"', "VALUE when CONDITION"),
    "if for when": (
        case("forbid ground if x"),
        2,
        17,
        'the condition of a rule follows "when", not "if"',
        '"when"',
    ),
    "colon for when": (
        case("forbid ground: x"),
        2,
        16,
        'the condition of "forbid" follows "when", not a colon',
        '"when"',
    ),
    "when behind a statement": (
        procedure("do x when y"),
        3,
        10,
        'a statement takes no "when"',
        "if CONDITION:",
    ),
    "capital opener": (case("Define f -> flag: true"), 2, 12, '"Define" has capital letters', '"define"'),
    "capital operator": (define("a AND b"), 2, 23, '"AND" has capital letters', '"and"'),
    "capital statement": (procedure("Let x = 3"), 3, 5, '"Let" has capital letters', '"let"'),
    "ask without for": (
        procedure("ask x one y from z"),
        3,
        11,
        '"ask" lacks its "for"',
        "ask SIDE for one NAME",
    ),
    "ask without from": (procedure("ask x for one y z"), 3, 21, '"ask" lacks its "from"', "from SET"),
    "ask without a name": (
        procedure("ask x for one from z"),
        3,
        24,
        'the answer that "ask" brings lacks a name',
        "NAME from SET",
    ),
    "ask without an amount": (
        procedure("ask x for y from z"),
        3,
        15,
        '"ask ... for" is followed by one, some, order or shares, not "y"',
        "for one NAME",
    ),
    "for without each": (
        procedure("for u in s: do x"),
        3,
        9,
        '"each" is missing before "u"',
        "for each NAME in SET",
    ),
    "repeat without a bound": (
        procedure("repeat 3: do x"),
        3,
        12,
        '"at" is missing before "3"',
        "repeat at most",
    ),
    "let without equals": (procedure("let x 3"), 3, 11, '"=" is missing before "3"', "let NAME = VALUE"),
    "definition without a kind": (case("define f: true"), 2, 11, "the kind of the value is missing", "->"),
    "no value at the end": (
        define("a when"),
        2,
        27,
        'a value is missing at the end of this line after "when"',
        "complete",
    ),
    "no value before and": (define("x = and y"), 2, 29, 'a value is missing before "and"', "write"),
    "no value before a comma": (define("f(a, , b)"), 2, 26, 'a value is missing before ","', "write"),
    "word too many": ("use a b\n", 1, 7, '"b" is one too many: the line is complete before it', "new line"),
    "too many dice": (define("1000d6"), 2, 21, '"1000d6" is neither a number nor dice', "three digits"),
    "letter in a name": (define("größe(u)"), 2, 23, 'the name "größe" holds the letter "ö"', "a to z"),
    "hard space": (define("a\u00a0+ b"), 2, 22, "a space of an unusual kind stands here", "plain space"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_common_mistake_has_its_own_sentence(name: str) -> None:
    text, line, column, message, help = MISTAKES[name]
    found = only(text)
    assert (found.message, found.span.line, found.span.column) == (message, line, column)
    assert help in found.help


@pytest.mark.parametrize("name", MISTAKES)
def test_a_hint_is_one_sentence_and_says_what_to_do(name: str) -> None:
    found = only(MISTAKES[name][0])
    assert "\n" not in found.message and not found.message.endswith(".")
    assert found.help


def test_an_error_inside_a_bracket_that_does_close_is_shown_where_it_is() -> None:
    found = only(case("define f -> flag: g(a,", "    b == c)"))
    assert (found.span.line, found.message) == (3, '"==" is no sign of this language')


def test_a_bracket_in_a_raw_line_leaves_nothing_open() -> None:
    found = only(case("map m:", "  a ( b [", "define f -> flag"))
    assert found.message == "a colon is missing at the end of this line"


def test_what_nobody_foresaw_still_says_what_may_stand_there() -> None:
    message, help = hint("  mark x of y z", 13, Token("NAME", "z"), {"COLON", "SECRET", "UNTIL", "_NL"})
    assert message == '"z" does not fit here'
    assert help == 'here may stand the end of the line, ":", "secret" or "until"'


def test_a_hint_is_given_for_any_spot_of_any_line() -> None:
    terminals = {"NAME", "COLON", "_NL", "MINUS"}
    for line in ("", "  define f -> flag: a == b", '  note "', "\t("):
        for column in range(1, len(line) + 3):
            for token in (
                None,
                Token("NAME", "x"),
                Token("_NL", "\n"),
                Token("$END", ""),
                Token("RAW", "= b"),
            ):
                message, help = hint(line, column, token, terminals)
                assert message and help


def test_the_words_come_from_the_grammar() -> None:
    assert {"define", "where", "otherwise", "becomes"} <= keywords()
    assert {"case", "define", "forbid", "mark"} <= openers("decl")
    assert {"let", "set", "if", "ask", "offer"} <= openers("stmt")
    assert "let" not in openers("decl") and "define" not in openers("stmt")
