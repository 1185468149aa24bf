"""Read the head of an overlay: its kind, where it comes from, and what it goes with.

In:  an overlay's head lines.
Out: a Head.
Reports: RW121 an unknown key, RW123 a value of the wrong form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date as calendar_day
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, choose

from ..cache.passed_checks import Clean
from ..read.schema import FORMS, ONE, data_lines

KINDS = (
    "correction",
    "clarification",
    "change",
    "ruling",
    "reversed ruling",
    "option",
    "expansion",
    "variant",
    "printed",
)
PRINTED = "printed"
"""The nature of an owner's file: values of their print in the place of house values."""
DOCTRINE = "doctrine"
"""How an opponent plays: it changes no rule."""
OF_SORT = {"errata": "correction", "edition": "change", "option": "option", "expansion": "expansion"}
ERRATA = ("correction", "clarification", "change", "ruling", "reversed ruling")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

NAMES = {**ONE, "schema": {"type": "string", "regex": r"[A-Za-z0-9_.\-/]+( *, *[A-Za-z0-9_.\-/]+)*"}}
HEAD: dict[str, Any] = {
    "nature": {**ONE, "schema": {"type": "string", "allowed": list(KINDS)}},
    "source": {**ONE, "schema": {"type": "string", "minlength": 1}},
    "title": {**ONE, "schema": {"type": "string", "minlength": 1}},
    "date": {**ONE, "schema": {"type": "string", "minlength": 1}},
    "includes": NAMES,
    "requires": NAMES,
    "excludes": NAMES,
    "supersedes": NAMES,
    "after": NAMES,
    "priority": {**ONE, "schema": {"type": "string", "regex": "[0-9]{1,6}"}},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What an overlay says about itself; `absent` are those of a stack that it comes `after` and that are not in it."""

    name: str
    sort: str
    of: str
    title: str
    kind: str
    source: str = ""
    date: tuple[int, int, int] | None = None
    includes: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    priority: int = 0

    @property
    def cited(self) -> str:
        """How a reader finds it: its name, and its source where it states one."""
        return f"{self.sort} {self.name}" + (f" ({self.source})" if self.source else "")


def read_head(overlay: n.Overlay, report: Reporter, clean: Clean | None = None) -> Head:
    """The head of an overlay; what is malformed is reported and left out."""
    lines = data_lines("overlay", overlay.name, overlay.heads, HEAD, overlay.span, report, clean) or {}
    given = {key: found[0].value for key, found in lines.items()}
    lists = {
        key: tuple(x.strip() for x in given[key].split(",")) if key in given else ()
        for key in ("includes", "requires", "excludes", "supersedes", "after")
    }
    dated = read_date(given["date"]) if "date" in given else None
    if "date" in given and dated is None:
        report.error("RW123", lines["date"][0].span, f'"{given["date"]}" is no date', help=FORMS["date"])
    for case in overlay.body:
        if isinstance(case, n.Case) and case.sort and case.sort not in KINDS:
            report.error(
                "RW123",
                case.span.find(case.sort),
                f'"{case.sort}" is no kind of amendment',
                help=choose(case.sort, KINDS, "kinds"),
                case=case.id,
            )
    return Head(
        name=overlay.name,
        sort=overlay.sort,
        of=overlay.of,
        title=overlay.title or given.get("title", ""),
        kind=given.get("nature", OF_SORT.get(overlay.sort, overlay.sort)),
        source=given.get("source", ""),
        date=dated,
        priority=int(given.get("priority", 0)),
        **lists,
    )


def read_date(text: str) -> tuple[int, int, int] | None:
    """`1 Apr 1976`, `Apr 1976`, `1976-04-01`, `1976-04` or `1976` as year, month, day; the first where none is said.

    None where it is no date, or none that there is: there was no 31 Feb, and no 13th month.
    """
    iso = re.fullmatch(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?", text.strip())
    words = re.fullmatch(r"(?:([0-9]{1,2}) )?([A-Z][a-z]{2})(?:/[A-Z][a-z]{2})?(?: I{1,2})? ([0-9]{4})", text.strip())
    if iso:
        found = tuple(int(x) if x else 1 for x in iso.groups())
    elif words is not None and words[2] in MONTHS:
        found = (int(words[3]), MONTHS.index(words[2]) + 1, int(words[1] or 1))
    else:
        return None
    try:
        day = calendar_day(*found)
    except ValueError:
        return None
    return day.year, day.month, day.day
