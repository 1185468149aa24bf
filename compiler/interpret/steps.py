"""Run lowered blocks by walking their statements.

In:  a block of a lowered procedure.
Out: a function of the state and the frame's locals that gives the number of the next block, as a generated one does.
"""

from __future__ import annotations

from typing import Any

from rulewright.runtime import machine, ops, phases
from rulewright.runtime.state import State

from ..emit.lower import Block
from ..emit.lowered import LowStmt
from ..emit.text import member_text, type_text
from .expressions import Evaluator, floor, whole

END = -1


class Left(Exception):
    """A statement that ends its procedure at once, with the number it ends on."""


def step_of(ev: Evaluator, block: Block) -> Any:
    """The function of one block."""

    def run(S: State, L: dict[str, Any]) -> int:
        try:
            for s in block.stmts:
                perform(ev, S, L, s)
        except Left as left:
            number: int = left.args[0]
            return number
        return go_on(ev, S, L, block.end)

    return run


def perform(ev: Evaluator, S: State, L: dict[str, Any], s: LowStmt) -> None:
    """Carry one statement out."""

    def of(i: int) -> Any:
        found = ev.value(S, s.args[i], L)
        return whole(found) if s.args[i].type.name == "number" else found

    match s.op:
        case "let":
            L[s.info] = of(0)
        case "set":
            owner, name = s.info
            ops.set_mark(S, f"{owner}_{name}", of(1) if len(s.args) > 1 else None, of(0), s.case)
        case "put":
            ops.put(S, of(0), of(1), s.case)
        case "roll":
            count, sides = of(0)
            L[s.info] = ops.roll(S, count, sides, s.case)
        case "draw":
            secret = of(1) if len(s.args) > 1 else None
            L[s.info] = ops.draw(S, of(0), s.case, secret, L, s.info, member_text(s.args[0]))
        case "spend":
            ops.spend(S, s.info, tuple(of(i) for i in range(1, len(s.args))), of(0), s.case)
        case "win":
            ops.win(S, of(0), s.case)
        case "halt":
            ops.halt(S, of(0))
        case "reveal":
            what = s.args[0]
            if what.op == "mark":
                sort = what.args[0].type.plain.name if what.args else "game"
                owner = ev.value(S, what.args[0], L) if what.args else None
                ops.reveal(S, of(0), s.case, f"{sort}_{what.info}", owner, type=type_text(what.type))
            else:
                ops.reveal(S, of(0), s.case, type=type_text(what.type))
        case "note":
            ops.note(S, "note", s.case, text=s.info)
        case "skip":
            phases.skip(S, s.info[0], s.info[1], L, s.case)
        case "again":
            if not s.args or of(0):
                phases.call_again(S, s.info, s.case)
        case "schedule":
            phases.schedule(S, s.info[0], s.info[1], L, s.info[2], s.case)
        case "due":
            if s.args and not of(0):
                raise Left(END)
            phases.due(S, L)
        case "test":
            raise Left(1 if of(0) else 0)
        case "do":
            machine.call(S, s.info, tuple(of(i) for i in range(len(s.args))))
        case "usual":
            machine.usual(S, L)
        case "together":
            machine.together(S, bool(s.info))
        case "begin_for":
            L[s.info] = list(of(0))
        case "begin_repeat":
            L[s.info] = floor(of(0))
        case "begin_walk":
            machine.begin_walk(S, L, s.info, of(0), of(1))
        case "bind":
            ops.bind(S, s.info[0], L[s.info[1]])
        case "enter_phase":
            name, var = s.info
            phases.enter_phase(S, name, var, getattr(S, f"bind_{var}") if var is not None else None)
        case "close_phase":
            phases.close_phase(S, s.info)
        case "leave_phase":
            phases.leave_phase(S, s.info)
        case "seq":
            each(ev, S, L, s.body)
        case "if":
            each(ev, S, L, s.body if of(0) else s.other)
        case "for":
            for L[s.info] in of(0):
                each(ev, S, L, s.body)
        case "repeat":
            for L["@round"] in range(floor(of(0))):
                if len(s.args) > 1 and not of(1):
                    break
                each(ev, S, L, s.body)
        case _:
            raise ValueError(f"the interpreter does not know the statement {s.op}")


def each(ev: Evaluator, S: State, L: dict[str, Any], body: tuple[LowStmt, ...]) -> None:
    for s in body:
        perform(ev, S, L, s)


def go_on(ev: Evaluator, S: State, L: dict[str, Any], end: tuple[Any, ...]) -> int:
    """The number of the next block."""
    found: int
    match end:
        case ("end",):
            return END
        case ("goto" | "goto_now", there):
            found = there
        case ("branch", test, yes, no):
            found = yes if ev.value(S, test, L) else no
        case ("next", slot, var, body, after):
            if not L[slot]:
                del L[slot]
                return int(after)
            L[var] = L[slot].pop(0)
            found = body
        case ("times", slot, condition, body, after):
            if (condition is not None and not ev.value(S, condition, L)) or L[slot] <= 0:
                del L[slot]
                return int(after)
            L[slot] -= 1
            found = body
        case ("walk", slot, case, on, after):
            found = on if machine.walk_on(S, L, slot, case) else after
        case ("ask", index, after, failing, has_failing):
            asked = machine.ask(S, index, L, failing) if has_failing else machine.ask(S, index, L)
            found = after if asked or not has_failing else failing
        case ("ask_all", indices, after):
            for i in indices:
                machine.ask(S, i, L)
            found = after
        case ("offer", index, again, after):
            found = again if machine.window(S, index, L) else after
        case ("unless_skipped", name, begin, out):
            found = out if phases.skipped(S, name) else begin
        case ("again", name, begin, out):
            found = begin if phases.again(S, name) else out
        case _:
            raise ValueError(f"no way on: {end!r}")
    return found
