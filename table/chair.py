"""A chair at the table: the seat of one side as data for a page; a spectator's has no side and nothing to pick.

In:  a table, a side, and picks by number.
Out: what is asked, what may be picked, what is lit on the map, why something is not allowed.

`n` is the number of the list that lies open. A pick names it, so that a pick from a list that has gone is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import Any

from rulewright.compiler.seat.pick import Item, Ordered, Planned, Several, Shares, Step, words
from rulewright.compiler.seat.seat import Seat, straight
from rulewright.compiler.seat.table import Table
from rulewright.runtime import canon
from rulewright.runtime.choices.spaces import WordSpace
from rulewright.runtime.notation import number
from rulewright.runtime.problems import Refusal
from rulewright.runtime.text import Choice
from rulewright.runtime.view import blinded

from .chronicle import Chronicle
from .linked import told

PATIENCE = 0.4
"""Seconds for finding out what all kinds of action begin with; what is not found by then is not lit."""
UNNOTICED = ("stack", "counter")
"""What changes of the position, blinded, where another has chosen in secret."""
SORTS = {Planned: "plan", Shares: "shares", Ordered: "order", Several: "some"}


class Chair(Seat):
    def __init__(self, table: Table, side: str) -> None:
        super().__init__(table, side)
        self.n = 0
        self.chronicle = Chronicle(side)
        self._lit: list[list[Any]] | None = None
        self._seen: Any = None
        self._open = False

    # ------------------------------------------------------------ following the game

    def follow(self) -> None:
        """Begin anew with what is to be decided now.

        Where the side can see no difference (another has chosen in secret), the list stays open, and its number too:
        not even that something was chosen is told.
        """
        self.chronicle.follow(self.table.game)
        seen = blinded(self.table.game, self.side)
        position = {k: v for k, v in seen.state.plain().items() if k not in UNNOTICED}
        now = (canon.digest(position), self.chronicle.edition, len(self.chronicle.lines), self.table.over)
        if now == self._seen and self._open:
            return
        self._seen = now
        self.message, self.page, self._lit = "", None, None
        if self.side:
            self.look_again()
        else:
            self.refresh("")
        self._open = True
        self.n += 1

    def refresh(self, side: str) -> None:
        self.seen = blinded(self.table.game, side)

    def turned(self, to_another: bool = True) -> None:
        self.n += 1

    # ------------------------------------------------------------ what is asked, as data

    def asked(self) -> dict[str, Any] | None:
        if not self.steps:
            return None
        step = self.step
        program = self.seen.program
        sort = "kinds" if step.kinds else SORTS.get(type(step), "one")
        found: dict[str, Any] = {
            "sort": sort,
            "title": "What do you do?" if step.kinds else step.title,
            "case": [step.case, program.cases.get(step.case, "")] if step.case else None,
            "hint": step.hint,
            "state": step.state(),
            "items": [self.line_of(step, i, x) for i, x in enumerate(step.items)],
            "depth": len(self.steps),
            "about": self.about(step.title),
            "waiting": self.waiting(),
            "whole": not step.kinds and type(step) is Step and self.is_whole(step),
        }
        if isinstance(step, Several):
            found["foreseen"] = step.foreseen()
            found |= {"least": step.least, "most": step.most, "taken": len(step.taken), "ready": not step.wrong()}
        elif isinstance(step, Planned):
            found["ready"] = not step.against(step.value())
        return found

    def line_of(self, step: Step, i: int, x: Item) -> dict[str, Any]:
        """One line to pick; empty members are left out."""
        found = {
            "t": words(x.text) if step.kinds else x.text,
            "note": x.note,
            "p": x.place,
            "u": x.unit,
            "path": list(x.path),
            "cost": cost_of(x.cost),
            "shut": x.shut,
            "mark": step.mark(i).strip(),
        }
        return {k: v for k, v in found.items() if v not in (None, "", [])}

    def is_whole(self, step: Step) -> bool:
        """Whether picking a line of this step makes a choice, so that one may ask what it leads to."""
        if not step.items or (len(self.steps) > 1 and isinstance(self.steps[-2], Planned)):
            return False
        return isinstance(step.then(step.items[0].value), Choice)

    def about(self, title: str) -> list[int]:
        """The units that a question names."""
        found: list[tuple[int, int]] = []
        left = title
        names = self.seen.program.unit_index
        for name in sorted((x for x in names if x in left), key=len, reverse=True):
            at = left.find(name)
            if at >= 0:
                found.append((at, names[name]))
                left = left.replace(name, "\0" * len(name))
        return [u for _, u in sorted(found)][:12]

    def ways_of(self) -> list[dict[str, Any]]:
        """The kinds of action, to change over from one to another."""
        if self.ways is None or not self.ways.kinds:
            return []
        found = [{"t": words(x.text), "note": x.note, "shut": x.shut, "word": self.is_word(x)} for x in self.ways.items]
        return [{k: v for k, v in x.items() if v} for x in found]

    @staticmethod
    def is_word(item: Item) -> bool:
        return isinstance(item.value, tuple) and isinstance(item.value[1], WordSpace)

    def lit(self) -> list[list[Any]]:
        """What actions begin with: the number of the kind, the line in it, unit and place."""
        if self._lit is None:
            self._lit = list(self._begins()) if self.ways is not None and self.ways.kinds else []
        return self._lit

    def _begins(self) -> Iterator[list[Any]]:
        assert self.ways is not None
        late = monotonic() + PATIENCE
        for i, way in enumerate(self.ways.items):
            if way.shut or self.is_word(way) or monotonic() > late:
                continue
            made = self.ways.then(way.value)
            for j, x in enumerate(made.items if isinstance(made, Step) else ()):
                if x.unit is not None or x.place is not None:
                    yield [i, j, x.unit, x.place]

    # ------------------------------------------------------------ picking

    def way(self, i: int, j: int | None) -> None:
        """Change over to a kind of action, and pick its line `j`."""
        if self.ways is None:
            raise Refusal("nothing is to be decided here now")
        kept = self.steps
        self.steps = [self.ways]
        try:
            self.take(self.pick(self.ways, i + 1))
            if j is not None and len(self.steps) > 1:
                self.take(self.pick(self.step, j + 1))
        except Refusal:
            self.steps = kept
            raise

    def via(self, places: list[int]) -> None:
        """Go by a way that bends at these places: the rules judge it like one that is typed."""
        if not self.steps or type(self.step) is not Step or not self.step.items or not self.step.items[0].path:
            raise Refusal("no way is asked for here")
        path = [self.step.items[0].path[0]]
        for place in places:
            if place >= self.seen.program.board.hexes:
                raise Refusal("that is no place on the map")
            leg = straight(self.seen, path[-1], place)
            if not leg:
                raise Refusal("no way leads there")
            path += leg[1:]
        self.take(self.step.then(tuple(path)))

    def shut_down(self) -> None:
        """Let go of the list that lies open."""
        self.steps, self._open = [], False
        self.n += 1

    # ------------------------------------------------------------ why, and what if

    def whys(self, i: int | None, place: int | None) -> dict[str, Any]:
        """Why a line is legal or not, or why a place is not in the list."""
        if not self.steps:
            raise Refusal("nothing is to be decided here now")
        if self.ways is not None and i is None and place is None:
            raise Refusal("why what?")
        if place is not None:
            return self._why_place(place)
        assert i is not None
        built = isinstance(self.step, Several | Planned)
        if not 0 <= i < len(self.step.items) and not built:
            raise Refusal("there is no such line")
        if not built and self.step.kinds:
            item = self.step.items[i]
            made = self.first(self.step.then(item.value))
        elif len(self.steps) > 1 and isinstance(self.steps[-2], Planned):
            raise Refusal("put the plan together; why can be asked of the whole")
        else:
            made = self.meant_line(self.step, i + 1)
        return {"title": self.short(made), "lines": told(self.seen.program, self.why(made))}

    def whys_of(self, back: int) -> dict[str, Any]:
        """Why an opponent who follows a doctrine chose as it did."""
        lines = self.why_that(back)
        return {"title": lines[0], "lines": told(self.seen.program, lines[1:]), "that": back}

    def _why_place(self, place: int) -> dict[str, Any]:
        if place >= len(self.seen.program.board.places):
            raise Refusal("there is no such place")
        listed = next((i for i, x in enumerate(self.step.items) if x.place == place), None)
        if listed is not None and not self.step.kinds:
            return self.whys(listed, None)
        meant = self.meant_place(place)
        name = self.table.facts.place(place)
        if meant is None:
            return {"title": name, "lines": [[[self.told(place)]]]}
        made = self.first(self.step.then(meant))
        return {"title": f"why not {name}", "lines": told(self.seen.program, self.why(made))}

    def whole_choice(self, i: int | None) -> Choice:
        """The choice that a line stands for, or the set that has been built."""
        step = self.step if self.steps else None
        if step is None or step.kinds:
            raise Refusal("pick what to do first")
        if len(self.steps) > 1 and isinstance(self.steps[-2], Planned):
            raise Refusal("put the plan together first")
        if isinstance(step, Several | Planned):
            wrong = step.wrong() if isinstance(step, Several) else step.against(step.value())
            if wrong:
                raise Refusal(wrong)
            made = step.then(step.value())
        else:
            if i is None or not 0 <= i < len(step.items):
                raise Refusal("there is no such line")
            made = step.then(step.items[i].value)
        if not isinstance(made, Choice):
            raise Refusal("this is not a whole choice yet; pick on")
        return made


def cost_of(cost: Any) -> str:
    if isinstance(cost, bool) or cost is None:
        return ""
    return number(cost) if isinstance(cost, int) else str(cost)
