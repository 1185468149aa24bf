"""Option types and look-ups that several commands share.

In:  the text of an option.
Out: its value: a date, a number, a loaded rule set, the name of a scenario.
Reports: argparse errors, and `Usage` for a scenario that the rule set does not have.
"""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..loader import Loaded


def date(text: str) -> str:
    """A day, a month or a year."""
    if re.fullmatch(r"[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?", text) is None:
        raise argparse.ArgumentTypeError(f'"{text}" is no date; write 1984-08-01, 1984-08 or 1984')
    return text


def positive(text: str) -> int:
    """A number above zero."""
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) == 0:
        raise argparse.ArgumentTypeError(f'"{text}" is no number above nothing')
    return int(text)


def count(text: str) -> int:
    """A number, zero included."""
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise argparse.ArgumentTypeError(f'"{text}" is no number from 0 up')
    return int(text)


TIME = 300
"""Seconds after which a search for positions ends, unless another limit is given."""


def add_search(p: argparse.ArgumentParser) -> None:
    """The options of commands that look for positions in which two rule sets differ."""
    p.add_argument("--no-examples", action="store_true", help="do not run worked examples under both")
    p.add_argument("--no-witnesses", action="store_true", help="do not search for positions that differ")
    p.add_argument(
        "--time",
        type=positive,
        default=TIME,
        metavar="SECONDS",
        help=f"end the search and the examples then (default {TIME})",
    )
    p.add_argument(
        "--positions",
        type=positive,
        metavar="N",
        help="positions to try for a fact (default: 300, fewer where there are many facts)",
    )
    p.add_argument("--jobs", type=count, default=0, help="processes (default: one a core)")
    p.add_argument("--quiet", action="store_true", help="no progress")


def compiled(name: str, folded: bool = True) -> Loaded:
    """A rule set, compiled if its text has changed; shows on a terminal that it is working."""
    from ..loader import load
    from .progress import busy

    with busy(f"loading {name}"):
        return load(name, folded=folded)


def held(paths: list[str]) -> list[str]:
    """The rule sets that files belong to."""
    from pathlib import Path

    from ..keeper.holding import rule_sets
    from .faults import Usage

    missing = [path for path in paths if not Path(path).is_file()]
    if missing:
        raise Usage(f"there is no file {missing[0]}", "--holding takes files of rules")
    names, stray = rule_sets(map(Path, paths))
    if stray:
        help = "a file of rules stands below a folder with a book, or says of which book it is an overlay"
        raise Usage(f"{stray[0]} belongs to no book", help)
    return names


def scenario_of(loaded: Loaded, name: str | None) -> str | None:
    """The name of a scenario of the rule set; an unknown one is refused with similar names."""
    known = loaded.program.scenarios
    if name is not None and name not in known:
        from .faults import Usage, near

        raise Usage(f'{loaded.name} has no scenario "{name}"', near(name, known, "scenarios"))
    return name
