"""Build the condition under which a rule refuses.

In:  a rule of the core with its waivers, and the expressions of the function that asks it.
Out: an expression that holds where the rule refuses.
"""

from __future__ import annotations

from ..core import nodes as c
from .expressions.build import Expressions
from .model.expressions import TRUE, At, Cited, Expr, all_of, any_of, negated


def refusal(rule: c.Rule, build: Expressions) -> Expr:
    test = build(rule.test)
    if rule.sort == "require":
        test = negated(test)
        if rule.guard is not None:
            test = all_of(build(rule.guard), test)
    if rule.waivers:
        test = all_of(test, negated(waived(rule.waivers, build)))
    return test


def waived(waivers: tuple[c.Waiver, ...], build: Expressions) -> Expr:
    """Whether one of some waivers applies; each is cited where it speaks."""
    parts = []
    for w in waivers:
        test = build(w.guard) if w.guard is not None else TRUE
        if w.waivers:
            test = all_of(test, negated(waived(w.waivers, build)))
        parts.append(Cited(test, At(w.case, w.span, w.id)))
    return any_of(*parts)
