"""Emit statements: the lines of a procedure.

In:  a statement of a lowered procedure.
Out: lines of the function of its block; emit_steps.py says which blocks have one.
"""

from __future__ import annotations

from ..analyse.dependencies import column_name
from ..core import nodes as c
from .expressions import Printer, mangle
from .lower import Lowered
from .lowered import LowStmt
from .module import Function
from .sets import Sets
from .steps import Steps
from .text import member_text, type_text


class Statements(Sets):
    """Procedures, statement by statement."""

    def blocks(self, low: Lowered) -> Steps:
        """The functions of a procedure."""
        base = self.unique(mangle(low.name, "p"))
        self.names.add(base)
        self.made.add(base)
        steps = Steps(self, low, base)
        steps.functions()
        return steps

    def statement(self, f: Function, s: LowStmt, p: Printer, low: Lowered, pad: str) -> None:
        element = f"{s.case} {low.name}"

        def line(text: str) -> None:
            f.lines.append(self.at(pad + text, s.case, s.span, element))

        match s.op:
            case "let":
                text = p(s.args[0])
                line(f"L[{s.info!r}] = exact({text})" if s.args[0].type.name == "number" else f"L[{s.info!r}] = {text}")
            case "set":
                owner = p(s.args[1]) if len(s.args) > 1 else "None"
                value = p(s.args[0])
                if s.args[0].type.name == "number":
                    value = f"exact({value})"
                free = self.stirs.free(s, low)
                if free:
                    f.lines += [
                        f"{pad}if S.log is None:",
                        f"{pad}    S.own({column_name(*s.info)!r})[{owner}] = {value}",
                    ]
                    f.lines.append(f"{pad}else:")
                line(f"{'    ' * free}set_mark(S, {column_name(*s.info)!r}, {owner}, {value}, {s.case!r})")
            case "put":
                line(f"put(S, {p(s.args[0])}, {p(s.args[1])}, {s.case!r})")
            case "roll":
                dice = s.args[0]
                if dice.op == "const":
                    count, sides = dice.info
                    line(f"L[{s.info!r}] = roll(S, {count}, {sides}, {s.case!r})")
                else:
                    line(f"L[{s.info!r}] = roll(S, *{p(dice)}, {s.case!r})")
            case "draw":
                secret = f", {p(s.args[1])}, L, {s.info!r}" if len(s.args) > 1 else ""
                line(f"L[{s.info!r}] = draw(S, {p(s.args[0])}, {s.case!r}{secret}, type={member_text(s.args[0])!r})")
            case "spend":
                key = p.key(s.args[1:])
                line(f"spend(S, {s.info!r}, {key}, exact({p(s.args[0])}), {s.case!r})")
            case "win":
                line(f"win(S, {p(s.args[0])}, {s.case!r})")
            case "halt":
                line(f"halt(S, {p(s.args[0])})")
            case "reveal":
                mark = ""
                if s.args[0].op == "mark":
                    of = s.args[0].args
                    mark = f", {column_name(of[0].type.plain.name if of else 'game', str(s.args[0].info))!r}"
                    mark += f", {p(of[0])}" if of else ""
                line(f"reveal(S, {p(s.args[0])}, {s.case!r}{mark}, type={type_text(s.args[0].type)!r})")
            case "note":
                line(f"note(S, 'note', {s.case!r}, text={s.info!r})")
            case "skip":
                phase, guard = s.info
                line(f"skip(S, {phase!r}, {guard!r}, L, {s.case!r})")
            case "again":
                if s.args:
                    line(f"if {p(s.args[0])}:")
                    line(f"    call_again(S, {s.info!r}, {s.case!r})")
                else:
                    line(f"call_again(S, {s.info!r}, {s.case!r})")
            case "schedule":
                phase, name, kept = s.info
                line(f"schedule(S, {phase!r}, {name!r}, L, {kept!r}, {s.case!r})")
            case "due":
                if s.args:
                    line(f"if not {p(s.args[0])}:")
                    f.lines.append(pad + "    return -1")
                line("due(S, L)")
            case "test":
                line(f"return 1 if {p(s.args[0])} else 0")
            case "do":
                args = ", ".join(p(a) for a in s.args)
                line(f"call(S, {s.info!r}, ({args + ',' if args else ''}))")
            case "usual":
                line("usual(S, L)")
            case "together":
                line(f"together(S, {bool(s.info)})")
            case "begin_for":
                line(f"L[{s.info!r}] = [*{p(s.args[0])}]")
            case "begin_repeat":
                line(f"L[{s.info!r}] = down({p(s.args[0])})")
            case "begin_walk":
                line(f"begin_walk(S, L, {s.info!r}, {p(s.args[0])}, {p(s.args[1])})")
            case "bind":
                var, local = s.info
                kept = f"bind_{var}" in self.stirs.kept
                line(f"bind(S, {var!r}, L[{local!r}])" if kept else f"S.{mangle(var, 'bind')} = L[{local!r}]")
            case "enter_phase":
                name, var = s.info
                value = f"S.{mangle(var, 'bind')}" if var is not None else "None"
                begin = self.stirs.plain("start", name)
                if begin is None:
                    line(f"enter_phase(S, {name!r}, {var!r}, {value})")
                else:
                    line(f"S.phases.append({name!r})")
                    f.lines.append(f"{pad}S.turn_of_phase[{name!r}] = S.turn_of_phase.get({name!r}, 0) + 1")
                    f.lines.append(f"{pad}if S.log is not None:")
                    f.lines.append(f"{pad}    note(S, 'phase', '', name={name!r}, var={var!r}, value={value})")
                    self._put_back(f, begin, pad)
            case "close_phase":
                if self.stirs.plain("end", s.info) is None:
                    line(f"close_phase(S, {s.info!r})")
            case "leave_phase":
                end = self.stirs.plain("end", s.info)
                self._put_back(f, end or [], pad)
                line(f"leave_phase(S, {s.info!r})" if end is None else "S.phases.pop()")
            case "seq":
                for x in s.body:
                    self.statement(f, x, p, low, pad)
            case "if":
                line(f"if {p(s.args[0])}:")
                self._nested(f, s.body, p, low, pad)
                if s.other:
                    f.lines.append(pad + "else:")
                    self._nested(f, s.other, p, low, pad)
            case "for":
                line(f"for L[{s.info!r}] in rounds(S, {p(s.args[0])}, {s.case!r}):")
                self._nested(f, s.body, p, low, pad)
            case "repeat":
                line(f"for L['@round'] in rounds(S, range(down({p(s.args[0])})), {s.case!r}):")
                if len(s.args) > 1:
                    f.lines.append(f"{pad}    if not {p(s.args[1])}:")
                    f.lines.append(f"{pad}        break")
                self._nested(f, s.body, p, low, pad)
            case _:
                raise ValueError(f"no Python for the statement {s.op}")

    def _put_back(self, f: Function, found: list[tuple[c.Mark | c.Quota, str]], pad: str) -> None:
        """Marks and quotas at their start again."""
        for x, text in found:
            f.lines.append(self.at(pad + text, x.case, x.span, f"mark {x.name}"))

    def _nested(self, f: Function, body: tuple[LowStmt, ...], p: Printer, low: Lowered, pad: str) -> None:
        if not body:
            f.lines.append(pad + "    pass")
        for x in body:
            self.statement(f, x, p, low, pad + "    ")
