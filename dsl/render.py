"""Render diagnostics: as text for people, as JSON and SARIF for tools.

In:  diagnostics, in the order they were found.
Out: one string.

Columns count characters (code points) from 1 in every form. In text the carets stand
below what they mean: tabs are widened, wide letters take two cells, marks that join a
letter take none. Source text comes from strangers, so control signs are shown, not sent.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .diagnostics import Diagnostic
from .source import NOWHERE

PAGES = Path(__file__).with_name("diagnostics.md")
WIDEST = 160

_RED, _YELLOW, _BLUE, _GREEN, _BOLD, _PLAIN = (f"\x1b[{n}m" for n in ("1;31", "1;33", "1;34", "1;32", "1", "0"))


# ---------------------------------------------------------------- text


def render_text(diagnostics: Iterable[Diagnostic], color: bool = False) -> str:
    """All diagnostics as a person reads them, a blank line between two."""
    return "\n".join(one_as_text(d, color) for d in diagnostics)


def one_as_text(d: Diagnostic, color: bool = False) -> str:
    def paint(shade: str, text: str) -> str:
        return f"{shade}{text}{_PLAIN}" if color and text else text

    shade = {"error": _RED, "warning": _YELLOW, "remark": _BLUE}[d.severity]
    word = "" if d.severity == "error" else f"{d.severity}: "
    lines = [f"{paint(shade, d.code)} {paint(_BOLD, word + visible(d.message))}"]
    if d.span.file != NOWHERE.file:
        number = str(d.span.line)
        margin = " " * len(number)
        bar = paint(_BLUE, "|")
        lines.append(f"{margin}{paint(_BLUE, '-->')} {visible(d.span.file)}:{d.span.line}:{d.span.column}")
        source = source_line(d)
        if source is not None:
            text, carets = excerpt(source, d)
            lines += [
                f"{margin} {bar}",
                f"{paint(_BLUE, number)} {bar} {text}".rstrip(),
                f"{margin} {bar} {caret_paint(carets, shade) if color else carets}",
            ]
    if d.case:
        lines.append(f"{paint(_BLUE, 'case:')} {visible(d.case)}")
    lines += [f"{paint(_BLUE, 'note:')} {visible(note)}" for note in d.notes]
    if d.help:
        lines.append(f"{paint(_GREEN, 'help:')} {visible(d.help)}")
    return "\n".join(lines) + "\n"


def caret_paint(carets: str, shade: str) -> str:
    bare = carets.lstrip(" ")
    return " " * (len(carets) - len(bare)) + f"{shade}{bare}{_PLAIN}"


def source_line(d: Diagnostic) -> str | None:
    lines = d.span.origin.text.split("\n", d.span.row)
    return lines[d.span.row - 1].rstrip("\r") if 0 < d.span.row <= len(lines) and d.span.origin.text else None


def excerpt(source: str, d: Diagnostic) -> tuple[str, str]:
    """The source line as shown, and the carets below it; a very long line is cut around them."""
    start = min(max(d.span.column - 1, 0), len(source))
    end = len(source.rstrip()) if d.span.end_row > d.span.row else d.span.end_column - 1
    end = min(max(end, start + 1), max(len(source), start + 1))
    first = max(0, start - WIDEST // 2) if len(source) > WIDEST else 0
    last = min(len(source), first + WIDEST)
    shown = cellular(source[first:last])
    lead, tail = ("…" if first else ""), ("…" if last < len(source) else "")
    cells_before = len(lead) + sum(width(ch) for ch in shown[: start - first])
    marked = sum(width(ch) for ch in shown[start - first : end - first])
    return lead + "".join(shown) + tail, " " * cells_before + "^" * max(marked, 1)


def cellular(text: str) -> list[str]:
    """One string a character, fit to be shown: tabs widened, control signs made visible."""
    found: list[str] = []
    at = 0
    for ch in text:
        shown = " " * (8 - at % 8) if ch == "\t" else visible(ch)
        at += width(shown)
        found.append(shown)
    return found


def width(text: str) -> int:
    """How many cells of a terminal the text fills."""
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.combining(ch) or unicodedata.category(ch) in ("Mn", "Me", "Cf")
        else 2
        if unicodedata.east_asian_width(ch) in "WF"
        else 1
        for ch in text
    )


def visible(text: str) -> str:
    """The text without signs that would steer a terminal or turn the reading direction."""
    if text.isprintable():
        return text
    return "".join(ch if ch.isprintable() or unicodedata.category(ch) == "Zs" else f"\\u{{{ord(ch):x}}}" for ch in text)


# ---------------------------------------------------------------- JSON and SARIF


def render_json(diagnostics: Iterable[Diagnostic]) -> str:
    """A list of plain objects, one a diagnostic."""
    return json.dumps([as_plain(d) for d in diagnostics], ensure_ascii=False, indent=2) + "\n"


def as_plain(d: Diagnostic) -> dict[str, Any]:
    return {
        "code": d.code,
        "severity": d.severity,
        "message": d.message,
        "file": d.span.file,
        "line": d.span.line,
        "column": d.span.column,
        "end_line": d.span.end_line,
        "end_column": d.span.end_column,
        "case": d.case,
        "notes": list(d.notes),
        "help": d.help,
    }


def render_sarif(diagnostics: Iterable[Diagnostic], pages: Mapping[str, str] | None = None) -> str:
    """SARIF 2.1.0; `pages` holds the page of each code (by default the sections of docs/diagnostics.md)."""
    found = list(diagnostics)
    codes = sorted({d.code for d in found})
    rules = []
    for code in codes:
        page = pages.get(code, "") if pages is not None else code_page(code)
        heading = next((line.lstrip("# ").strip() for line in page.splitlines() if line.strip()), code)
        title = heading.removeprefix(code).strip() or code
        rules.append(
            {
                "id": code,
                "shortDescription": {"text": title},
                "help": {
                    "text": page.strip() or f"{code}: see docs/diagnostics.md.",
                    "markdown": page.strip() or code,
                },
            }
        )
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "rulewright", "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "results": [sarif_result(d, codes.index(d.code)) for d in found],
            }
        ],
    }
    return json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def sarif_result(d: Diagnostic, index: int) -> dict[str, Any]:
    details = [f"case {d.case}"] if d.case else []
    details += [*d.notes, *([f"help: {d.help}"] if d.help else [])]
    result: dict[str, Any] = {
        "ruleId": d.code,
        "ruleIndex": index,
        "level": "note" if d.severity == "remark" else d.severity,
        "message": {"text": sarif_text("\n".join([d.message, *details]))},
    }
    if d.span.file != NOWHERE.file:
        result["locations"] = [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(d.span.file.replace("\\", "/"), errors="surrogateescape")},
                    "region": {
                        "startLine": d.span.line,
                        "startColumn": d.span.column,
                        "endLine": d.span.end_line,
                        "endColumn": d.span.end_column,
                    },
                }
            }
        ]
    return result


def sarif_text(text: str) -> str:
    """A text as a message of SARIF: a brace that begins no placeholder is doubled, control signs are shown."""
    return "\n".join(map(visible, text.split("\n"))).replace("{", "{{").replace("}", "}}")


def code_page(code: str) -> str:
    """The section of a code in docs/diagnostics.md, which is installed with this package; else nothing."""
    try:
        text = PAGES.read_text(encoding="utf-8")
    except OSError:
        return ""
    found = re.search(rf"^### {re.escape(code)} .*?(?=^##|\Z)", text, re.M | re.S)
    return found.group().strip() + "\n" if found is not None else ""
