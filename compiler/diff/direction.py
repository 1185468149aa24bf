"""Whether a fact makes play narrower, wider or different, as far as that follows from its form.

In:  a fact, both books, and the dependencies between the declarations of each.
Out: a verdict with its reason.

Narrower: no choice is legal that was not before. Wider: every choice that was legal still is. Different: values,
results or the order of play change. The push of a change (a value becomes more or less, a condition holds more or less
often) is propagated from a definition to the prohibitions, requirements and budgets that use it (`effects.py`); only if
all agree is there a verdict. Where a duty keeps a window open while something in it is possible, a side may be `done`
later when more is possible, and sooner when less is: such a verdict holds `but` for that.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n

from ..core import nodes as c
from .dependents import Dependents
from .facts import Fact
from .pushes import victory
from .pushes.legal import action, duty, rule, waiver
from .pushes.polarity import push
from .pushes.readers import printed, read_data, unfelt
from .pushes.values import definition, layer, quota, route
from .pushes.verdict import Verdict, owed, still, won

ASKED_AS = {
    "definition": "define",
    "exception": "define",
    "contribution": "define",
    "memory": "define",
    "quota": "define",
    "growing set": "grow",
    "matching": "matching",
    "unclear": "reading",
}


def direction(f: Fact, a: c.Book, b: c.Book, ours: Dependents, theirs: Dependents) -> Verdict:
    """The verdict on one fact."""
    idle = unfelt((ASKED_AS[f.element], f.name), ours, theirs) if f.element in ASKED_AS else ""
    if idle:
        return still(idle)
    match f.element:
        case "provenance":
            return still("the value is the same; only where it comes from has changed")
        case "invariant":
            return still("an invariant is checked by tests and decides nothing in play")
        case "untranslated":
            return still("an untranslated case has no rule that runs")
        case "look":
            return still("style changes pictures and no rule")
        case "preview" | "shown":
            return still("what players are shown changes no rule")
        case "prohibition" | "stop" | "requirement":
            return rule(f, a, b)
        case "action":
            return owed(action(f), [("action", f.name, 1)], a, b)
        case "duty":
            return duty(f)
        case "waiver":
            return waiver(f, a, b)
        case "quota":
            return quota(f, b)
        case "route":
            return route(f, b)
        case "exception" | "contribution":
            return layer(f, a, b, ours, theirs)
        case "definition" | "memory" | "growing set":
            return definition(f, a, b, ours, theirs)
        case "table" | "cell":
            return read_data(f, ("table", f.name), ours, theirs)
        case "field" | "mark" | "kind" | "scale" | "record" | "box":
            return read_data(f, (f.element, f.name.split(",")[0]), ours, theirs)
        case "unit" | "map feature" | "map" | "calendar" | "scenario" | "set-up" | "roster":
            return printed(f, a, b, ours, theirs)
        case "phrase":
            return still("a phrase says a rule and changes none")
        case "phase" if f.kind == "moved":
            return Verdict(True, "different", "proved", "the phases come in another order")
        case "unclear":
            return Verdict(True, "different", "unproved", "a case may be read in other ways")
        case "trigger" if f.kind == "moved":
            return Verdict(True, "different", "unproved", "these triggers run in another order")
    return won(in_statement(f, b)) or Verdict(True, "different", "unproved", f"the {f.element} does something else")


def in_statement(f: Fact, book: c.Book) -> victory.Won | None:
    """A changed bound in a condition that leads directly to a win; an amended part has the position of the old one."""
    part = f.part
    if part is None or not isinstance(part.after, n.Node) or not part.up:
        return None
    sign = push(part)
    around = part.up[-1][1]
    return victory.by_part(around.span, sign, book) if sign else None
