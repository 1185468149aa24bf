"""Choose the overlays that are in force, and put them in order.

In:  the overlays of a book and the names that a rule set lists.
Out: the overlays with their heads, in the order in which they are carried out.
Reports: RW123 a date that is none; RW403 an overlay that is not there, a day before the book was printed; RW404
         overlays that do not go together.

An owner's printed values come first, then dated errata when a day is asked for; `after` puts one on top of another;
among the rest the higher priority comes first, then the order in which they are named.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, choose
from rulewright.dsl.source import Origin, Span

from ..cache.passed_checks import Clean
from ..read.schema import FORMS
from .heads import ERRATA, PRINTED, Head, read_date, read_head

Layer = tuple[Head, n.Overlay]
Find = Callable[[str], n.Overlay | None]


def stack(
    name: str,
    known: dict[str, n.Overlay],
    wanted: list[str],
    as_of: str,
    find: Find,
    report: Reporter,
    clean: Clean | None = None,
) -> list[Layer]:
    """The overlays of the rule set `name`; `find` looks for one outside the book."""
    book = name.split("+")[0].split("@")[0]
    chosen: dict[str, Layer] = {}
    if as_of:
        chosen.update({o.name: (read_head(o, report, clean), o) for o in in_force(known, as_of, report, clean)})

    def take(word: str, span: Span) -> None:
        layer = pick(word, known, report) or find(word)
        if layer is None:
            if not report.failed:
                found = f'there is no overlay "{word}" of {book}'
                report.error("RW403", span, found, help=choose(word, known, "overlays"))
        elif layer.name not in chosen:
            head = read_head(layer, report, clean)
            chosen[layer.name] = (head, layer)
            for other in head.includes:
                take(other, layer.span.find("includes"))
            chosen[layer.name] = chosen.pop(layer.name)

    for word in wanted:
        take(word, Span(Origin(word), 1, 1, 1, 2))
    layers = list(chosen.values())
    if report.failed:
        return []
    check_named(layers, known, find, report)
    layers = standing(layers, report)
    check_mix(layers, known, report)
    return in_order(layers, report)


def check_date(book: n.Book, as_of: str, report: Reporter) -> None:
    """A book that says when it was printed says a date, and is not asked for on an earlier day."""
    if not book.date:
        return
    printed, day = read_date(book.date), read_date(as_of) if as_of else None
    if printed is None:
        report.error("RW123", book.span.find(book.date), f'"{book.date}" is no date', help=FORMS["date"])
    elif day is not None and day < printed:
        message = f"{as_of} is before the first edition: {book.name} was printed in {book.date}"
        report.error("RW403", Span(Origin(as_of), 1, 1, 1, 2), message, help="ask for a later day")


def pick(word: str, known: dict[str, n.Overlay], report: Reporter) -> n.Overlay | None:
    """An overlay by its name, or by the number of a case of its own."""
    if word in known:
        return known[word]
    exact = [o for o in known.values() if any(number == word for number in numbers(o))]
    found = exact or [o for o in known.values() if resolves(word, o)]
    if len(found) > 1:
        report.error(
            "RW403",
            Span(Origin(word), 1, 1, 1, 2),
            f'"{word}" stands in several overlays',
            help="name one: " + ", ".join(o.name for o in found),
        )
    return found[0] if len(found) == 1 else None


def resolves(word: str, overlay: n.Overlay) -> bool:
    """Whether a name or a case number means this overlay."""
    return word == overlay.name or any(
        number == word or number.startswith((f"{word}.", f"{word}/")) for number in numbers(overlay)
    )


def numbers(overlay: n.Overlay) -> list[str]:
    return [x.id for x in overlay.body if isinstance(x, n.Case)]


def with_required(known: Mapping[str, n.Overlay], overlay: str) -> list[str]:
    """An overlay after all those that it requires, and that these require; one that is not known is left out."""
    begun: set[str] = set()
    found: list[str] = []

    def lay(name: str) -> None:
        begun.add(name)
        for word in read_head(known[name], Reporter()).requires:
            for other, layer in known.items():
                if other not in begun and resolves(word, layer):
                    lay(other)
        found.append(name)

    lay(overlay)
    return found


def in_force(known: dict[str, n.Overlay], as_of: str, report: Reporter, clean: Clean | None = None) -> list[n.Overlay]:
    """The dated errata of a book that a day finds published, oldest first."""
    day = read_date(as_of)
    if day is None:
        report.error(
            "RW403",
            Span(Origin(as_of), 1, 1, 1, 2),
            f'"{as_of}" is no date',
            help=FORMS["date"],
        )
        return []
    quiet = Reporter()
    heads = [(read_head(o, quiet, clean), o) for o in known.values()]
    dated = [(head.date, o) for head, o in heads if head.date is not None and head.kind in ERRATA and head.date <= day]
    return [o for _, o in sorted(dated, key=lambda x: x[0])]


def check_mix(layers: list[Layer], known: dict[str, n.Overlay], report: Reporter) -> None:
    """What each overlay requires is there, and what it excludes is not."""
    for head, layer in layers:
        for word in head.requires:
            if not any(resolves(word, other) for _, other in layers):
                needed = next((o for o in known.values() if resolves(word, o)), None)
                title = f' "{needed.title}"' if needed is not None else ""
                report.error(
                    "RW404",
                    layer.span.find("requires"),
                    f"{head.cited} requires {word}{title}",
                    help=f"add it: …+{word}+{head.name}",
                )
        for word in head.excludes:
            for other, _ in [x for x in layers if x[0].name != head.name and resolves(word, x[1])]:
                report.error(
                    "RW404",
                    layer.span.find("excludes"),
                    f"{head.cited} excludes {other.cited}",
                    help=f"leave out {other.name} or {head.name}",
                )


def standing(layers: list[Layer], report: Reporter) -> list[Layer]:
    """The overlays that no other one supersedes; of several that supersede one another in a circle none would stand."""
    by = {head.name: [x for x, _ in layers if x.name != head.name and drops(x, layer)] for head, layer in layers}
    found = [x for x in layers if not by[x[0].name]]
    gone: set[str] = set()
    todo = [head.name for head, _ in found]
    while todo:
        name = todo.pop()
        more = [x for x, heads in by.items() if x not in gone and name in {head.name for head in heads}]
        gone |= {*more}
        todo += more
    circle = [x for x in layers if by[x[0].name] and x[0].name not in gone]
    if circle:
        names = ", ".join(head.name for head, _ in circle)
        report.error(
            "RW404",
            circle[0][1].span.find("supersedes"),
            f"these overlays supersede one another, so that none of them would hold: {names}",
            help="strike one supersedes: line",
        )
    return found


def drops(head: Head, layer: n.Overlay) -> bool:
    """Whether an overlay supersedes another one."""
    return any(resolves(word, layer) for word in head.supersedes)


def check_named(layers: list[Layer], known: dict[str, n.Overlay], find: Find, report: Reporter) -> None:
    """What an overlay supersedes or comes after is an overlay that there is, in the book or in a file of its own, and
    not itself."""
    for head, layer in layers:
        for key in ("supersedes", "after", "requires", "excludes"):
            if head.name in getattr(head, key):
                report.error(
                    "RW404",
                    layer.span.find(key),
                    f'{head.cited} has "{key}: {head.name}", and is that overlay itself',
                    help=f"name another overlay, or strike {key}:",
                )
        for key in ("supersedes", "after"):
            for word in getattr(head, key):
                if not any(resolves(word, o) for o in known.values()) and find(word) is None and not report.failed:
                    report.error(
                        "RW404",
                        layer.span.find(key),
                        f'{head.cited} has "{key}: {word}", and there is no overlay {word} of {head.of}',
                        help=choose(word, (name for name in known if name != head.name), "overlays")
                        or f"name an overlay, or strike {key}:",
                    )


def in_order(layers: list[Layer], report: Reporter) -> list[Layer]:
    """A stable order in which `after` and priority hold."""
    waiting = sorted(layers, key=lambda x: (x[0].kind != PRINTED, -x[0].priority))
    found: list[Layer] = []
    while waiting:
        ready = next((x for x in waiting if not below(x, waiting)), None)
        if ready is None:
            names = ", ".join(head.name for head, _ in waiting)
            report.error(
                "RW404",
                waiting[0][1].span,
                f"these overlays each come after another of them: {names}",
                help="strike one after: line",
            )
            return []
        waiting.remove(ready)
        found.append((resolved(ready, layers), ready[1]))
    return found


def below(layer: Layer, others: list[Layer]) -> list[Layer]:
    """The overlays among others that this one comes after."""
    return [x for x in others if x is not layer and any(resolves(word, x[1]) for word in layer[0].after)]


def resolved(layer: Layer, layers: list[Layer]) -> Head:
    """The head with `after` as names of overlays, and those of them that are not in force."""
    head = layer[0]
    absent = tuple(w for w in head.after if not any(resolves(w, o) for _, o in layers))
    return replace(head, after=tuple(o.name for w in head.after for _, o in layers if resolves(w, o)), absent=absent)
