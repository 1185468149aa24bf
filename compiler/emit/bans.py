"""Emit rules: the condition under which one refuses.

In:  a rule of the core with its waivers, and the printer of the function that asks it.
Out: an expression of Python that holds where the rule refuses.
"""

from __future__ import annotations

from ..core import nodes as c
from .expressions import Printer


def refusal(rule: c.Rule, p: Printer) -> str:
    if rule.sort == "require":
        text = f"(not {p(rule.test)})"
        if rule.guard is not None:
            text = f"({p(rule.guard)} and {text})"
    else:
        text = p(rule.test)
    if rule.waivers:
        text = f"({text} and not {waived(rule.waivers, p)})"
    return text


def waived(waivers: tuple[c.Waiver, ...], p: Printer) -> str:
    parts = []
    for w in waivers:
        text = p(w.guard) if w.guard is not None else "True"
        if w.waivers:
            text = f"({text} and not {waived(w.waivers, p)})"
        parts.append(text)
    return "(" + " or ".join(parts) + ")"
