"""A playtest as one page that needs nothing else: HTML with its plots and tables.

In:  the document of a playtest.
Out: the page; the same bytes for the same document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import jinja2
from markupsafe import Markup

from ..pages.html import environment, short, stylesheet
from .plots import Bar, bars, histogram, stacked
from .summary import Document
from .text import COUNTS, dice, duties, endings, lying, measured, problems, who

TEMPLATES = Path(__file__).with_name("templates")
Plot = tuple[str, Markup]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, plots under what they show, and the same in lines."""

    id: str
    title: str
    plots: tuple[Plot, ...] = ()
    lines: tuple[str, ...] = ()


def page(found: Document) -> str:
    """The whole page."""
    env = environment()
    env.loader = jinja2.FileSystemLoader(TEMPLATES)
    return env.get_template("playtest.html.j2").render(
        name=short(found["book"]),
        found=found,
        who=[line.strip() for line in who(found["players"])],
        sections=[x for x in sections(found) if x.plots or x.lines],
        style=Markup(stylesheet()),
    )


def sections(found: Document) -> Iterator[Section]:
    yield Section("wins", "Who wins", (share_plot(found),), ())
    yield from pair_section(found)
    yield numbers("margin", "By how much", {f"margin of {k}": v for k, v in measured(found)})
    yield numbers("shown", "What stood at the end", found["shown"])
    yield numbers("length", "How long", {"choices a game": found["length"]["choices"]})
    yield losses(found)
    yield dice_section(found)
    yield Section("how", "How games ended", (), tuple(endings(found["how"]))[1:])
    yield cases(found)
    yield Section("duties", "Duties and conflicts", (), tuple(duties(found)))
    yield Section("problems", "Games without a result", (), tuple(problems(found)))


def plot(draw: Callable[..., str], title: str, *given: object, **named: object) -> Plot:
    """A plot, and what it shows."""
    return title, Markup(draw(title, *given, **named))


def share_plot(found: Document) -> Plot:
    rows = [Bar(f"{side} wins", w["share"], with_share(w), *w["interval"]) for side, w in found["wins"].items()]
    if len(found["players"]) > 1:
        for x in found["seats"]:
            name = found["players"][x["player"]]["name"]
            w = x["won"]
            rows.append(Bar(f"{name} as {x['side']}", w["share"], with_share(w), *w["interval"]))
    return plot(bars, "Shares of wins with 95 % intervals", rows, line=0.5)


def with_share(won: Document) -> str:
    low, high = won["interval"]
    return f"{won['share']:.0%} ({low:.0%} to {high:.0%})"


def pair_section(found: Document) -> Iterator[Section]:
    rows = found["pairs"]
    if not rows or rows["score"] is None:
        return
    first, second = (x["name"] for x in found["players"])
    low, high = rows["interval"]
    score = Bar(f"score of {first}", rows["score"], f"{rows['score']:.1%} ({low:.1%} to {high:.1%})", low, high)
    most = max(rows["counts"]) or 1
    counts = [Bar(f"pairs at {c}", n, str(n)) for c, n in zip(COUNTS, rows["counts"], strict=True)]
    yield Section(
        "pairs",
        f"{first} against {second}, sides swapped",
        (
            plot(bars, f"Pair score of {first} with its 95 % interval", [score], line=0.5),
            plot(bars, f"How many pairs gave {first} how much", counts, end=most),
        ),
        (f"{rows['pairs']} pairs; {len(rows['left_out'])} left out for a game without a result.",),
    )


def numbers(id: str, title: str, rows: dict[str, Document | None]) -> Section:
    known = {name: row for name, row in rows.items() if row is not None}
    plots = tuple(plot(histogram, name, row["values"]) for name, row in known.items())
    return Section(id, title, plots, tuple(f"{name}: {lying(row)}" for name, row in known.items()))


def losses(found: Document) -> Section:
    rows = [
        (f"{side} → {place}", n) for side, places in found["left"].items() for place, n in [*places.items()][:8]
    ] + [(f"{side} ← {place}", n) for side, places in found["came"].items() for place, n in [*places.items()][:8]]
    most = max((n for _, n in rows), default=0)
    title = "Units that left the map (→) and came onto it (←), a game"
    drawn = plot(bars, title, [Bar(k, n, f"{n:g}") for k, n in rows], most)
    return Section("losses", "Losses and arrivals", (drawn,) if rows else ())


def dice_section(found: Document) -> Section:
    plots = []
    for table, columns in found["dice"].items():
        rows = [(column or "all", sorted(row["results"].items())) for column, row in columns.items()]
        plots.append(plot(stacked, f"Results by column of {table}", rows))
    return Section("dice", "Dice by column, and what came of them", tuple(plots), tuple(dice(found["dice"])))


def cases(found: Document) -> Section:
    x = found["cases"]
    if x is None:
        return Section("cases", "")
    lines = (
        f"Of {x['known']} cases with code {len(x['always'])} ran in every game.",
        f"In no game: {', '.join(x['never']) or 'none'}.",
        "In some: " + (", ".join(f"{case} ({n})" for case, n in x["sometimes"].items()) or "none") + ".",
    )
    return Section("cases", "Rules that came into play", (), lines)
