"""The TextMate grammar of `.rules` text, for editors that highlight by it: `python -m rulewright.editor.textmate`.

In:  the words of the grammar.
Out: `vscode/syntaxes/rules.tmLanguage.json`; a test holds the file to what this module writes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from .keywords import DECLARING, OPENERS_OF_VALUES, any_of, patterns, placed, words

FILE = Path(__file__).parent / "vscode" / "syntaxes" / "rules.tmLanguage.json"
CASE = r"[0-9A-Z][0-9A-Za-z]*(?:[./][0-9A-Za-z\-]+\)?)*"


def grammar() -> dict[str, Any]:
    """The grammar as plain data."""

    def one(scope: str, match: str) -> dict[str, Any]:
        return {"name": f"{scope}.rules", "match": match}

    def parts(match: str, *scopes: str) -> dict[str, Any]:
        return {"match": match, "captures": {str(i): {"name": f"{s}.rules"} for i, s in enumerate(scopes, 1)}}

    declaration, control = "keyword.declaration", "keyword.control"
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Rulewright rules",
        "scopeName": "source.rules",
        "fileTypes": ["rules"],
        "patterns": [
            one("comment.line.number-sign", "#.*$"),
            one("string.quoted.double", patterns()["STRING"].replace(r"\n", "")),
            parts(rf"\b(case)[ \t]+({CASE})", declaration, "entity.name.section"),
            parts(
                rf"\b({any_of(placed()['OVERLAY'])})[ \t]+(\w+)[ \t]+(of)(?=[ \t])",
                declaration,
                "entity.name.class",
                control,
            ),
            one(control, rf"(?<![\w.]){any_of(placed()['FACET'])}(?=[ \t]*:)"),
            one(control, rf"^[ \t]+{any_of(placed()['HEAD'])}(?=[ \t]*:)"),
            parts(rf"\b(replace|strike|insert)[ \t]+({any_of(placed()['ROWS'])})(?=[ \t])", control, control),
            one(control, r"\balready[ \t]+in[ \t]+text\b"),
            parts(rf"\b({any_of(DECLARING)})[ \t]+([A-Za-z_]\w*)", declaration, "entity.name.function"),
            one("constant.other.hex", patterns()["HEX"]),
            one("constant.numeric.dice", patterns()["DICE"]),
            one("constant.numeric.ratio", patterns()["RATIO"]),
            one("constant.other.date", patterns()["DATE"]),
            one("entity.name.section", r"\b[0-9]+[A-Za-z]*(?:[./][0-9A-Za-z\-]+)+"),
            one("constant.numeric", r"\b[0-9]+\b"),
            parts(r"\.([A-Za-z_]\w*)", "variable.other.member"),
            one("constant.language", rf"\b{any_of(OPENERS_OF_VALUES)}\b"),
            one(control, rf"\b{any_of(words())}\b"),
            parts(r"\b([A-Za-z_]\w*)(?=\()", "entity.name.function"),
            one("keyword.operator", r"->|!=|<=|>=|\.\.|[-+*/=<>]"),
        ],
    }


def text() -> str:
    return json.dumps(grammar(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(text(), encoding="utf-8")
    print(FILE, file=sys.stderr)
