"""Caps: each has its own code, one case within it and one beyond."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from rulewright.dsl.diagnostics import Diagnostic, Reporter
from rulewright.dsl.grammar import MOST_BYTES, MOST_CHAIN, MOST_DIGITS, MOST_NAME, MOST_NESTING
from rulewright.dsl.parse import parse


def found(text: str) -> list[Diagnostic]:
    report = Reporter()
    parse(text, "test.rules", report)
    return report.found


def define(value: str) -> str:
    return f"case 1:\n  define f -> flag: {value}\n"


def stairs(depth: int) -> str:
    lines = ["  " * i + "under a:" for i in range(depth)]
    return "\n".join([*lines, "  " * depth + "use b"]) + "\n"


WITHIN = {
    "name": define("a" * MOST_NAME),
    "number": define("9" * MOST_DIGITS),
    "brackets": define("(" * MOST_NESTING + "a" + ")" * MOST_NESTING),
    "blocks": stairs(MOST_NESTING),
    "sum": define(" + ".join(["a"] * (MOST_CHAIN + 1))),
    "disjunction": define(" or ".join(["u.hex.terrain = woods"] * (MOST_CHAIN - 2))),
    "pairs": define(" or ".join(["(a and b)"] * (MOST_CHAIN - 1))),
    "conditions": "case 1:\n  forbid f when:\n" + "    a = b\n" * MOST_CHAIN,
    "many brackets": define(" and ".join(["f(g(h(a)))"] * 120)),
    "wide set": define("{" + ", ".join(["a + b"] * 3000) + "}"),
    "name in a text": f'case 1:\n  note "{"a" * 500} {"9" * 500}"  # {"b" * 500} {"9" * 50}\n',
    "raw text": (
        f'case 1:\n  map m:\n    title: "{"a" * 500} {"9" * 500}"  # {"9" * 500}\n' + "    " + "(" * 200 + "\n"
    ),
    "letters in texts": 'case 1 "Größe":\n  note "Übermut"  # für alle\n  map m:\n    Köln: A1\n',
}
BEYOND = {
    "name": ("RW103", 2, 21, define("a" * (MOST_NAME + 1))),
    "case number": ("RW103", 1, 6, f"case {'1.' * 70}1:\n  use a\n"),
    "raw name": ("RW103", 3, 10, f"case 1:\n  map m:\n    key: {'a' * 129}\n"),
    "number": ("RW106", 2, 21, define("9" * (MOST_DIGITS + 1))),
    "long number": ("RW106", 2, 25, define("a + " + "9" * 5000)),
    "raw number": ("RW106", 3, 10, f"case 1:\n  map m:\n    key: {'9' * 19}\n"),
    "brackets": ("RW104", 2, 21 + MOST_NESTING, define("(" * 65 + "a" + ")" * 65)),
    "mixed brackets": ("RW104", 2, 105, define("f(" * 20 + "{[" * 500)),
    "blocks": ("RW104", 66, 131, stairs(MOST_NESTING + 1)),
    "raw blocks": ("RW104", 66, 66, "map m:\n" + "".join(" " * i + "x\n" for i in range(1, 100))),
    "sum": ("RW105", 2, None, define(" + ".join(["a"] * (MOST_CHAIN + 2)))),
    "negations": ("RW105", 2, None, define("not " * 501 + "a")),
    "minus signs": ("RW105", 2, None, define("- " * 501 + "a")),
    "filters": ("RW105", 2, None, define("any a where " * 300 + "a")),
    "dots": ("RW105", 2, None, define("a" + ".b" * 501)),
    "chains in brackets": (
        "RW105",
        2,
        None,
        define("(" * 60 + "a" + " + a + a + a + a + a + a + a + a + a)" * 60),
    ),
    "conditions": ("RW105", None, None, "case 1:\n  forbid f when:\n" + "    a = b\n" * 501),
    "sets of sets": ("RW105", 2, None, f"case 1:\n  field a of b: {'set of ' * 501}c\n"),
    "houses": ("RW105", None, None, "house " * 501 + "use a\n"),
    "letter in a name": ("RW107", 2, 23, define("größe(u)")),
    "letter that opens a name": ("RW107", 2, 9, "case 1:\n  field übermut of unit: flag\n"),
}


@pytest.mark.parametrize("name", WITHIN)
def test_text_within_the_caps_passes(name: str) -> None:
    assert found(WITHIN[name]) == []


@pytest.mark.parametrize("name", BEYOND)
def test_text_beyond_a_cap_has_its_own_code(name: str) -> None:
    code, line, column, text = BEYOND[name]
    (only,) = found(text)
    assert only.code == code
    assert line is None or only.span.line == line
    assert column is None or only.span.column == column
    assert only.help


def test_a_file_too_large_is_not_read() -> None:
    (only,) = found("# x\n" * (MOST_BYTES // 4 + 1))
    assert only.code == "RW102"
    assert found("# é" + "é" * (MOST_BYTES // 4) + "\n") == []
    assert [d.code for d in found("# " + "é" * (MOST_BYTES // 2) + "\n")] == ["RW102"]


HOSTILE: dict[str, Callable[[int], str]] = {
    "a name": lambda n: "a" * n,
    "brackets": lambda n: define("(" * n),
    "a sum": lambda n: define("a + " * (n // 4)),
    "negations": lambda n: define("not " * (n // 10) + "a"),
    "empty lines": lambda n: "\n" * n,
    "comments": lambda n: "case 1:\n" + "  # comment\n" * (n // 10) + "  use a\n",
    "short lines": lambda n: "x\n" * (n // 5),
    "a margin": lambda n: " " * n + "x",
    "an open text": lambda n: 'case 1:\n  note "' + "x" * n,
    "quotes": lambda n: "case 1:\n  map m:\n    " + '"' * n + "\n",
    "a raw line": lambda n: "case 1:\n  map m:\n    " + "a1" * (n // 2) + "\n",
    "stairs": lambda n: "case 1:\n" + "".join(" " * (i % 60 + 1) + "x\n" for i in range(n // 20)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_takes_time_in_proportion(name: str) -> None:
    """Four times the text takes some four times as long; sixteen times would be quadratic."""
    found("use warm_up\n")

    def spent(size: int) -> float:
        text, times = HOSTILE[name](size), []
        for _ in range(3):
            start = time.process_time()
            found(text)
            times.append(time.process_time() - start)
        return min(times)

    assert spent(1_000_000) < 9 * max(spent(250_000), 0.02)
