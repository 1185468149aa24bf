"""Emit procedures: one function for each block that the machine may begin with.

In:  a lowered procedure, and what triggers and scheduled effects of the book listen to.
Out: functions of the generated module. Each runs its block and goes straight on into the blocks after it, as long as
     nothing can step in between: no decision, no other procedure, no trigger, no end of the game. Blocks that are only
     ever gone into so have no function of their own.

What a phase begins and ends with is known here: one on which nothing hangs is entered and left in place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..analyse.dependencies import Depends, column_name
from ..core import nodes as c
from ..core.types import PLACE, UNIT
from .expressions import literal
from .lower import Block, Lowered, risky_columns
from .lowered import LowStmt

if TYPE_CHECKING:
    from .module import Function
    from .statements import Statements

MOST = 32
"""Blocks that one function may run through; what comes after is left to the machine."""

OUT_OF_ORDER = ("unless_skipped", "again")
SELDOM = (*OUT_OF_ORDER, "offer", "walk")
"""How a block ends where the way straight on is the second."""

SILENT = {
    "let", "roll", "draw", "halt", "reveal", "note", "skip", "again", "schedule", "due", "begin_for", "begin_repeat",
    "begin_walk", "seq", "if", "for", "repeat",
}  # fmt: skip
"""Statements that by themselves set nothing off."""


def stirs_of(book: c.Book, depends: Depends, lowered: dict[str, Lowered]) -> Stirs:
    """What can set something off; worked out once for the module and its traced twin."""
    if not LATEST or LATEST[0].parts[0] is not depends or LATEST[0].parts[1] is not lowered:
        LATEST[:] = [Stirs(book, depends, lowered)]
    return LATEST[0]


class Stirs:
    """What of a book can set something off: a trigger, a scheduled effect, or an answer that is kept.

    `hung` are the marks, quotas and memories that change when a phase begins or ends.
    """

    def __init__(self, book: c.Book, depends: Depends, lowered: dict[str, Lowered]) -> None:
        self.book = book
        self.parts = (depends, lowered)
        self.known: dict[str, tuple[Any, ...]] = {}
        self.risky = risky_columns(book, depends)
        self.events = {t.event for t in book.triggers}
        stmts = [s for low in lowered.values() for block in low.blocks for s in every(block.stmts)]
        self.scheduled = {s.info[0] for s in stmts if s.op == "schedule"}
        self.shown = {str(s.args[0].info) for s in stmts if s.op == "reveal" and s.args[0].op == "mark"}
        tests = [m.until_test for m in book.marks.values() if m.until_test is not None]
        self.kept = self.risky.union(*depends.closed.values(), depends.of(tests))
        steps = {("happens", x) for x in ("enter", "leave", "cross", "halted")}
        self.walks = "at" not in self.risky and not steps & self.events
        self.hung: dict[tuple[str, str], list[c.Mark | c.Quota | c.Memory]] = {}
        for mark in book.marks.values():
            if mark.until is not None and mark.until_test is None:
                when, phase = mark.until
                self.hung.setdefault((when.removesuffix("_next"), phase), []).append(mark)
        for m in book.memories.values():
            if m.event is not None:
                self.hung.setdefault(m.event, []).append(m)
        for q in book.quotas.values():
            for phase in q.per:
                self.hung.setdefault(("start", phase), []).append(q)

    def still(self, s: LowStmt) -> bool:
        """Whether nothing can step in after a statement."""
        match s.op:
            case "set":
                return column_name(*s.info) not in self.risky
            case "put":
                return "at" not in self.risky
            case "spend":
                return f"spent_{s.info}" not in self.risky
            case "bind":
                return f"bind_{s.info[0]}" not in self.risky
            case "enter_phase":
                return self.quiet("start", s.info[0])
            case "close_phase" | "leave_phase":
                return self.quiet("end", s.info)
            case _:
                return s.op in SILENT and all(self.still(x) for x in (*s.body, *s.other))

    def quiet(self, when: str, phase: str) -> bool:
        """Whether the start or the end of a phase sets nothing off."""
        if (when, phase) in self.events or "phases" in self.risky or (when == "start" and phase in self.scheduled):
            return False
        return not self.risky & {*map(column_of, self.hung.get((when, phase), ()))}

    def plain(self, when: str, phase: str) -> list[tuple[c.Mark | c.Quota, str]] | None:
        """What the start or the end of a phase comes to, where that is no more than to put some marks back."""
        hung = self.hung.get((when, phase), [])
        if not self.quiet(when, phase) or "phases" in self.kept:
            return None
        found = [(x, self.put_back(x)) for x in hung if not isinstance(x, c.Memory)]
        return None if len(found) < len(hung) or any(not text for _, text in found) else found

    def put_back(self, x: c.Mark | c.Quota) -> str:
        """A mark or quota at its start again, where no answer is kept that rests on it."""
        column = column_of(x)
        if column in self.kept:
            return ""
        if isinstance(x, c.Quota):
            return f"S.{column} = {{}}"
        many = {"unit": " * len(data.UNITS)", "place": " * len(data.BOARD.places)", "game": ""}.get(x.owner.name)
        if many is None or x.until is None or x.until[0].endswith("_next"):
            return ""
        start = literal(x.start)
        return f"S.{column} = {f'[{start}]{many}' if many else start}"

    def free(self, s: LowStmt, low: Lowered) -> bool:
        """Whether to set a mark is to give a unit or place of an action a value and no more, but for the log."""
        mark = self.book.marks.get(s.info)
        if mark is None or mark.secret_to is not None or column_name(*s.info) in self.kept or mark.name in self.shown:
            return False
        if (mark.until is not None and mark.until[0].endswith("_next")) or mark.type.name == "number":
            return False
        owner = s.args[1] if len(s.args) > 1 else None
        given = {x.name for x in low.params if x.type in (UNIT, PLACE)} if low.sort == "action" else ()
        return owner is not None and owner.op == "local" and owner.info in given

    def unheard(self, name: str) -> bool:
        """Whether no trigger listens to a procedure."""
        return not {("before", name), ("happens", name)} & self.events

    def facts(self, low: Lowered) -> tuple[Any, ...]:
        """All that the functions of a procedure look at beside the procedure."""
        if low.name not in self.known:
            self.known[low.name] = self.found(low)
        return self.known[low.name]

    def found(self, low: Lowered) -> tuple[Any, ...]:
        stmts = [s for block in low.blocks for s in block.stmts]
        phases = {s.info[0] if s.op == "enter_phase" else s.info for s in stmts if s.op.endswith("_phase")}
        plain = tuple((self.plain("start", x), self.plain("end", x)) for x in sorted(phases))
        free = tuple(self.free(s, low) for s in every(tuple(stmts)) if s.op == "set")
        bound = tuple(f"bind_{s.info[0]}" in self.kept for s in stmts if s.op == "bind")
        unheard = self.unheard(low.name.removeprefix("action "))
        return (tuple(map(self.still, stmts)), plain, free, bound, self.walks, unheard)


LATEST: list[Stirs] = []


def column_of(x: c.Mark | c.Quota | c.Memory) -> str:
    """The column of the state that holds a mark, what is spent of a quota, or what a memory remembers."""
    if isinstance(x, c.Mark):
        return column_name(x.owner.name, x.name)
    return f"spent_{x.name}" if isinstance(x, c.Quota) else f"past_{x.name}"


def every(stmts: tuple[LowStmt, ...]) -> Iterator[LowStmt]:
    for s in stmts:
        yield s
        yield from every((*s.body, *s.other))


class Steps:
    """The functions of one procedure."""

    def __init__(self, e: Statements, low: Lowered, base: str) -> None:
        self.e = e
        self.low = low
        self.base = base
        self.p = e.printer(frame=True)
        self.todo = {0: MOST}
        self.names = ["None"] * len(low.blocks)
        self.straight = True

    def functions(self) -> None:
        """Print them; `names` then holds for each block the name of its function, or None.

        A block that is begun with only where a phase is skipped or comes again goes nowhere by itself.
        """
        while self.todo:
            i = max(self.todo, key=lambda i: (self.todo[i], -i))
            self.room = self.todo.pop(i)
            self.names[i] = f"{self.base}_{i}"
            f = self.e.function(self.names[i], "S, L", f"{self.e.title(self.low.case)}: {self.low.name}, step {i}.")
            self.straight = self.straight and i == 0
            self.run(f, i, "", (i,), self.room)

    def run(self, f: Function, i: int, pad: str, trail: tuple[int, ...], room: int) -> int:
        """One block and what it goes straight on into, up to so many; returns how many they were.

        Every way through ends in a return.
        """
        block = self.low.blocks[i]
        self.straight = self.straight and self.goes_on(block)
        for s in block.stmts:
            if s.op == "begin_walk" and self.e.stirs.walks:
                return self.walk(f, s, block.end[1], pad, trail, room)
            self.e.statement(f, s, self.p, self.low, pad)
        if block.end[0] in ("end", "ask", "ask_all"):
            self.straight = self.straight and block.end[0] == "end"
            self.leave(f, self.last(block.end), pad, trail)
            return 1
        test, yes, no = self.fork(block.end)
        if not self.goes_on(block):
            to = self.entry(no)
            self.leave(f, f"{self.entry(yes)} if {test} else {to}" if test else f"{to}", pad, trail)
            return 1
        used = 1
        if test:
            f.lines.append(self.mark(f"{pad}if {test}:", block.end))
            if block.end[0] in SELDOM:
                self.leave(f, str(self.entry(yes, block.end[0] in OUT_OF_ORDER)), pad + "    ", trail)
            else:
                used += self.go(f, yes, pad + "    ", trail, (room - used) // 2)
        return used + self.go(f, no, pad, trail, room - used)

    def walk(self, f: Function, s: LowStmt, at: int, pad: str, trail: tuple[int, ...], room: int) -> int:
        """A walk of one piece, and what comes after it."""
        line = f"{pad}walk(S, {self.p(s.args[0])}, {self.p(s.args[1])}, {s.case!r})"
        f.lines.append(self.e.at(line, s.case, s.span, f"{s.case} {self.low.name}"))
        return 2 + self.go(f, self.low.blocks[at].end[-1], pad, (*trail, at), room - 2)

    def goes_on(self, block: Block) -> bool:
        """Whether nothing can step in between a block and the next."""
        stirs = self.e.stirs
        return all(map(stirs.still, block.stmts)) and (block.end[0] != "walk" or stirs.walks)

    def go(self, f: Function, to: int, pad: str, trail: tuple[int, ...], room: int) -> int:
        """Go on in a block: straight, or by way of the machine."""
        if to in trail or room < 1:
            self.leave(f, str(self.entry(to)), pad, trail)
            return 0
        return self.run(f, to, pad, (*trail, to), room)

    def leave(self, f: Function, following: str, pad: str, trail: tuple[int, ...]) -> None:
        """Give the machine the number of the next block; each block on the way counts as a step."""
        if len(trail) > 1:
            f.lines.append(f"{pad}S.steps = S.steps + {len(trail) - 1}")
        f.lines.append(self.mark(f"{pad}return {following}", self.low.blocks[trail[-1]].end))

    def entry(self, i: int, seldom: bool = False) -> int:
        """A block that the machine may be told to go on with."""
        if self.names[i] == "None":
            self.todo[i] = max(self.todo.get(i, 1), 1 if seldom else self.room)
        return i

    # ------------------------------------------------------------ how a block ends

    def last(self, end: tuple[Any, ...]) -> str:
        """The next block, as the machine is told it: after questions, or none at all."""
        match end:
            case ("ask", index, after, failing, True):
                return f"{self.entry(after)} if ask(S, {index}, L, {self.entry(failing)}) else {failing}"
            case ("ask", index, after, _, _):
                return f"({self.entry(after)}, ask(S, {index}, L))[0]"
            case ("ask_all", indices, after):
                return f"({self.entry(after)}, {', '.join(f'ask(S, {i}, L)' for i in indices)})[0]"
            case _:
                return "-1"

    def fork(self, end: tuple[Any, ...]) -> tuple[str, int, int]:
        """A test with the blocks to go on with where it holds and where not; without a test there is but the second."""
        match end:
            case ("goto" | "goto_now", to):
                return "", to, to
            case ("branch", test, yes, no):
                return self.p(test), yes, no
            case ("next", slot, var, body, after):
                return f"next_item(L, {slot!r}, {var!r})", body, after
            case ("times", slot, condition, body, after):
                go = self.p(condition) if condition is not None else "True"
                return f"count_down(L, {slot!r}, {go})", body, after
            case ("walk", slot, case, on, after):
                return f"walk_on(S, L, {slot!r}, {case!r})", on, after
            case ("offer", index, again, after):
                return f"window(S, {index}, L)", again, after
            case ("unless_skipped", name, begin, out):
                return f"S.skips and skipped(S, {name!r})", out, begin
            case ("again", name, begin, out):
                return f"S.agains and again(S, {name!r})", begin, out
            case _:
                raise ValueError(f"no way on: {end!r}")

    def mark(self, line: str, end: tuple[Any, ...]) -> str:
        """A line with what it comes from, where a block ends in something that an author wrote."""
        case, name = self.low.case, self.low.name
        match end:
            case ("branch", test, _, _):
                return self.e.at(line, case, test.span, f"{case} {name} branch")
            case ("ask", index, *_):
                return self.e.at(line, case, self.e.book.asks[index].span, f"ask {index}")
            case ("offer", index, *_):
                return self.e.at(line, case, self.e.book.offers[index].span, f"offer {index}")
            case _:
                return line
