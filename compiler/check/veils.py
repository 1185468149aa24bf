"""Check what is veiled: each line names something that can be, and a definition that says from whom.

In:  the book in the core, and what everything in it reads.
Out: nothing.
Reports: RW605 a veil of nothing, or one that no definition of a unit (a hex) and a side lifts; RW602 what is veiled and
         decides what another side may do or answer.
"""

from __future__ import annotations

from rulewright.dsl.diagnostics import Reporter, did_you_mean
from rulewright.dsl.source import Span

from ..analyse.sight import UNIT as UNITS
from ..analyse.sight import Sight
from ..core import nodes as c
from ..core.shown import says_so, veil_key
from ..core.walk import all_procedures, all_statements, rule_exprs
from .wordings import below


def check_veils(book: c.Book, report: Reporter) -> None:
    """Report lines that keep nothing from anybody."""
    for x in book.veils:
        if below(book, x.overlay):
            continue
        report.case = x.case
        if veil_key(book, x.key) is None:
            message = f'"{x.key}" is no mark of hexes, and so nothing that can be veiled'
            marks = (f"{x.key.partition('.')[0]}.{name}" for owner, name in book.marks if owner == "place")
            near = did_you_mean(x.key, marks)
            report.error("RW605", x.span, message, help=near or "veil unit, or a mark of hexes: hex.dump")
        elif not says_so(book, x.key, x.by):
            first = "u: unit" if x.key == "unit" else "h: hex"
            message = f'"{x.by}" does not say what is kept from a side'
            near = did_you_mean(x.by, (name for name in book.definitions if says_so(book, x.key, name)))
            report.error("RW605", x.span, message, help=near or f"write define {x.by}({first}, s: side) -> flag: …")
    report.case = ""


def check_sight(book: c.Book, report: Reporter) -> None:
    """Warn where what one side may do or answer hangs on what is veiled from it."""
    if not book.veils:
        return
    for action in book.actions.values():
        sight = Sight(book, action.by)
        own = frozenset({"actor"})
        for p in action.params:
            own |= {p.name} if p.domain is not None and sight.mine(p.domain, own) else set()
        exprs = [(x, rule.case) for rule in action.rules for x in rule_exprs(rule)]
        exprs += [(p.domain, action.case) for p in action.params if p.domain is not None]
        for top, case in exprs:
            for key in sorted(sight.of(top, own)):
                tells(report, top.span, f"whether {action.name} is legal", key, case)
    for procedure in all_procedures(book):
        for s in all_statements(procedure):
            if isinstance(s, c.AskSide):
                check_question(book, s.ask, report)


def check_question(book: c.Book, ask: c.Ask, report: Reporter) -> None:
    """What a question may be answered with; numbers that its procedure made are not followed, nor are its names."""
    sight = Sight(book, ask.side)
    names = [x for x in ask.side.walk() if isinstance(x, c.Local)]
    for top in (x for x in (ask.source, ask.number, ask.so_that) if x is not None):
        for key in sorted(sight.of(top, frozenset(x.name for x in names)) - {UNITS}):
            tells(report, top.span, f"what {ask.name} may be answered with", key, ask.case)


def tells(report: Reporter, span: Span, what: str, key: str, case: str) -> None:
    told = "a number made of units" if key == UNITS else f'"{key.partition("_")[2]}"'
    report.warning(
        "RW602",
        span,
        f"{what} depends on {told}, which may be veiled from its side",
        help="ask for what is the side's own, or not veiled from it, or let it decide what comes of the choice",
        case=case,
    )
