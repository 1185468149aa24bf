"""Check that a doctrine says how somebody plays, and nothing else.

In:  the overlays in force; the book in the core, and the dependencies.
Out: nothing.
Reports: RW801 a declaration that changes the rules, RW806 (a remark) what the other side may hide, RW807 a case that
         never chooses.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter

from ..analyse.dependencies import Depends, asked_exprs
from ..analyse.secret_boxes import SecretBoxes
from ..core import nodes as c
from ..core.doctrine import Preference
from ..core.entries import Entry, declared_name
from ..overlay.heads import DOCTRINE
from ..read.collect import collect
from .secret_choices import Looking, secrets_of

OWN = (n.Prefer, n.Otherwise, n.Judge, n.Define, n.Table, n.Example)
ABOUT = (n.Except, n.Add)


def check_rules_stay(layers: Iterable[n.Overlay], report: Reporter) -> None:
    """A doctrine declares what it thinks, and changes nothing that others declare."""
    for layer in layers:
        if layer.sort != DOCTRINE:
            continue
        entries = collect(layer.body, Reporter(), layer.name).entries
        names = {declared_name(e.node) for e in entries if isinstance(e.node, n.Define)}
        for entry in entries:
            if not stays(entry, names):
                report.error(
                    "RW801",
                    entry.node.span,
                    f"the doctrine {layer.name} would change the rules here; a doctrine only says how somebody plays",
                    help="put it into a variant; a doctrine holds define, weight, prefer, avoid, judge and otherwise",
                    case=entry.case,
                )


def stays(entry: Entry, names: set[str]) -> bool:
    node = entry.node
    if isinstance(node, n.Except):
        return node.target.name in names
    if isinstance(node, n.Add):
        return node.name in names
    return isinstance(node, OWN)


def check_doctrine(book: c.Book, depends: Depends, report: Reporter) -> None:
    """Tell of cases that never choose, and of secrets that are taken at their start."""
    doctrine = book.doctrine
    if doctrine is None:
        return
    whole: dict[tuple[str, tuple[int, ...]], Preference] = {}
    for x in doctrine.preferences:
        key = (x.target, x.asks)
        if key in whole and x.sort == "prefer":
            report.warning(
                "RW807",
                x.span,
                f"this never chooses: case {whole[key].case} takes any {x.target} that there is",
                help="give that one a when, or put this one before it",
                case=x.case,
            )
        if x.sort == "prefer" and not x.tests:
            whole.setdefault(key, x)
    look = Looking(depends, SecretBoxes(book, depends))
    secret = secrets_of(book, look)
    looking = [(x.definitions(), x.span, x.case) for x in doctrine.preferences]
    if doctrine.judge is not None:
        worth = book.definitions[doctrine.judge]
        looking.append(((doctrine.judge,), worth.base.span, worth.case))
    for names, span, case in looking if secret else ():
        exprs = tuple(e for name in names for e in asked_exprs(book.definitions[name]))
        for mark in look.told(exprs, secret):
            report.remark(
                "RW806",
                span,
                f'this looks at the secret "{mark.name}"; what {" and ".join(doctrine.sides)} may not see is taken '
                "to be as it was at the start",
                help="judge by what the side can see, or let it be so",
                notes=(mark.note(),),
                case=case,
            )
