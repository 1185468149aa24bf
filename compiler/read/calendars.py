"""Read calendars: the turns of a game and their dates.

In:  the lines of a calendar block.
Out: a `Calendar`, its turns in order.
Reports: RW123 dates that do not fit the step, or an end that is never reached.

`step: days 1, 11, 21` puts a turn on each of these days of every month that has them.
"""

from __future__ import annotations

from datetime import date, timedelta

from rulewright.dsl.diagnostics import Reporter

from ..core.entries import Entry
from ..core.nodes import Calendar
from .schema import Line

MOST_TURNS = 2000


FITS = "dates go with the step: 2 Jun 1941 by 1 day, Jun 1941 by 1 month, May/Jun 1941 by 2 months, Jun I 1941 by half"


MONTH_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def read_calendar(lines: dict[str, list[Line]], entry: Entry, report: Reporter) -> Calendar:
    first, last, step = (lines[k][0].value for k in ("from", "to", "step"))
    by_day = "day" in step
    for key in ("from", "to"):
        told = lines[key][0].value
        if day_of(told) is None if by_day else told[0].isdigit():
            report.error("RW123", lines[key][0].span, f'"{told}" does not fit a step of {step}', help=FITS)
            return Calendar(turns=(), months=MONTH_NAMES, case=entry.case)
    if by_day:
        fixed = {int(n) for n in step.removeprefix("days ").split(",")} if step.startswith("days ") else set(range(32))
        for line in (lines["from"][0], lines["to"][0]):
            if int(line.value.split()[0]) not in fixed:
                help = "a calendar begins and ends on a day of its step"
                report.error("RW123", line.span, f'"{line.value}" is no day of {step}', help=help)
                return Calendar(turns=(), months=MONTH_NAMES, case=entry.case)
        apart = 1 if step.startswith("days ") else int(step.split()[0])
        days = [turn for turn in by_days(first, last, apart) if int(turn[0].split()[0]) in fixed]
        if not 0 < len(days) <= MOST_TURNS:
            said = f"{first} to {last} by {step} is {'no turn at all' if not days else f'more than {MOST_TURNS} turns'}"
            report.error("RW123", lines["to"][0].span, said, help="check from, to and step")
        return Calendar(turns=tuple(days[:MOST_TURNS]), months=MONTH_NAMES, case=entry.case)
    months = month_labels(first, step)
    if "joined" in lines:
        months = joined_months(months, lines["joined"][0], report)
    label, year = " ".join(first.split()[:-1]), int(first.split()[-1])
    turns: list[tuple[str, int, int]] = []
    if label not in months:
        report.error(
            "RW123",
            lines["from"][0].span,
            f'"{first}" does not fit a step of {step}',
            help=FITS,
        )
        return Calendar(turns=(), months=months, case=entry.case)
    at = months.index(label)
    while len(turns) < MOST_TURNS:
        turns.append((f"{months[at]} {year}", year, at + 1))
        if turns[-1][0] == last:
            return Calendar(turns=tuple(turns), months=months, case=entry.case)
        at += 1
        if at == len(months):
            at, year = 0, year + 1
    report.error(
        "RW123",
        lines["to"][0].span,
        f'"{last}" is never reached from {first} by {step}',
        help="check from, to and step",
    )
    return Calendar(turns=(), months=months, case=entry.case)


def month_labels(first: str, step: str) -> tuple[str, ...]:
    if step == "half month":
        return tuple(f"{m} {half}" for m in MONTH_NAMES for half in ("I", "II"))
    width = int(step.split()[0])
    if width == 1:
        return MONTH_NAMES
    offset = MONTH_NAMES.index(first[:3]) % width
    starts = range(offset, 12, width)
    return tuple("/".join((MONTH_NAMES[i], MONTH_NAMES[(i + width - 1) % 12])) for i in starts)


def joined_months(months: tuple[str, ...], line: Line, report: Reporter) -> tuple[str, ...]:
    """The months of a year where some neighbours make one turn: `joined: Mar/Apr`."""
    for pair in (p.strip() for p in line.value.split(",")):
        one, other = pair.split("/")
        at = months.index(one) if one in months else -1
        if at < 0 or months[at + 1 : at + 2] != (other,):
            report.error(
                "RW123",
                line.span,
                f'"{pair}" does not name two turns in a row',
                help="join two neighbouring months of a monthly calendar",
            )
            continue
        months = (*months[:at], pair, *months[at + 2 :])
    return months


def day_of(text: str) -> date | None:
    """A day of the calendar; None where the text does not name one that there is."""
    try:
        day, month, year = text.split()
        return date(int(year), MONTH_NAMES.index(month) + 1, int(day))
    except ValueError:
        return None


def by_days(first: str, last: str, days: int) -> list[tuple[str, int, int]]:
    """The turns of a calendar by days, one more than there may be where there are too many."""
    found: list[tuple[str, int, int]] = []
    at, end = day_of(first), day_of(last)
    while at is not None and end is not None and at <= end and len(found) <= MOST_TURNS * 31:
        found.append((f"{at.day} {MONTH_NAMES[at.month - 1]} {at.year}", at.year, at.month))
        at = at + timedelta(days=days) if end - at >= timedelta(days=days) else None
    return found
