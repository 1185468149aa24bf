"""What triggers wait for: the things that happen, and what each tells.

In:  a trigger.
Out: the parameters that its body sees, with their types.
Reports: RW201 nothing happens under that name, RW212 too many parameters, RW223 a change of what nothing remembers.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, choose, did_you_mean

from ..core import nodes as c
from ..core import types as t
from ..core.types import Type
from ..read.symbols import Symbols

EVENTS: dict[str, tuple[Type, ...]] = {
    "enter": (t.UNIT, t.PLACE),
    "leave": (t.UNIT, t.PLACE),
    "halted": (t.UNIT, t.PLACE),
    "cross": (t.UNIT, t.HEXSIDE, t.PLACE),
}


def event_params(node: n.Trigger, symbols: Symbols, report: Reporter) -> tuple[c.Param, ...]:
    event = node.event
    if event is None or event.sort in ("start", "end"):
        return ()
    if event.sort == "change":
        signature = symbols.callables.get(event.name)
        if signature is not None and signature.sort == "define":
            report.error(
                "RW223",
                event.span,
                f'"{event.name}" is worked out anew whenever it is asked; only what is remembered changes',
                help=f"remember it, or wait for it: whenever {event.name}(...) ...",
            )
            return ()
        if signature is None or signature.sort != "remember":
            report.error(
                "RW201",
                event.span,
                f'nothing remembered is called "{event.name}"',
                help=choose(event.name, [x for x, s in symbols.callables.items() if s.sort == "remember"], "memories"),
            )
            return ()
        return tuple(c.Param(name=x, type=p.type) for x, p in zip(event.params, signature.params, strict=False))
    if event.name in EVENTS and event.sort == "happens":
        types = EVENTS[event.name]
        if len(event.params) > len(types):
            report.error(
                "RW212",
                event.span,
                f"{event.name} tells {len(types)} things",
                help=f"write on {event.name}({', '.join('uhf'[: len(types)])})",
            )
        return tuple(c.Param(name=x, type=y) for x, y in zip(event.params, types, strict=False))
    signature = symbols.actions.get(event.name) or symbols.procedures.get(event.name)
    if signature is None:
        known = [*EVENTS, *symbols.actions, *symbols.procedures]
        report.error(
            "RW201",
            event.span,
            f'nothing that happens is called "{event.name}"',
            help=did_you_mean(event.name, known) or "name an action, a procedure, or one of: " + ", ".join(EVENTS),
        )
        return ()
    names = [p.name for p in signature.params]
    found = []
    for i, x in enumerate(event.params):
        at = names.index(x) if x in names else i
        if at < len(signature.params):
            found.append(c.Param(name=x, type=signature.params[at].type))
        else:
            report.error("RW212", event.span, f"{event.name} has {len(names)} parameters", help=", ".join(names))
    return tuple(found)
