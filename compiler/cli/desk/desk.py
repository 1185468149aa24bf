"""A seat at the terminal: what a player types, and where on the map to look.

In:  a table, and lines that the player types.
Out: the list of options, the lines of the log, a page of text, one message; screen and plain output draw these.

What is seen and may be picked is the seat's (compiler/seat), which the page in the browser shares.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rulewright.runtime.game import Game
from rulewright.runtime.journal import SaveProblem
from rulewright.runtime.places import distance
from rulewright.runtime.problems import Fault, Refusal
from rulewright.runtime.reading import Reader
from rulewright.runtime.text import WORDS, Choice, is_choice
from rulewright.runtime.view import log_for

from ...seat.pick import Item, Several, Step, search
from ...seat.seat import Seat
from .board import Line, Sheet
from .table import Table

FOUND = 200
PATIENCE = 1.5
DIRECTIONS = {"north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0)}

HELP = """\
N              pick line N; in a set take it in or out (1 3 5-7 works too)
NAME           pick the line of that name: 47 Panzer, K16, Kiev, done
/WORDS         narrow the list to lines with words that begin so; / alone shows all again
ok, all, none  close a set or an order that you build; take all of it; begin it anew
some           add whole choices of this kind to the list, ready to be picked
back           one step back
why N          why line N is legal, with the cases; why TEXT asks about a choice, a hex or a
               value that is not listed: why K5, why done, why holder(Kiev), why weather = snow
why that       why an opponent who follows a doctrine did what it did last; why that 3: three choices ago
map HEX        look at a hex and what is in it; map north (south, east, west) scrolls;
               map alone goes back to the front
log            all that has happened, as far as this side may know; log detail tells marks and
               bookkeeping too, and choices as they are typed; log WORDS only lines with these
pass           let the others go on, where you could step in at any time
undo           take your last choice back; undo agreed does so even after a die
save FILE      save the game there; without a name to the game's own file
resume FILE    go on with another saved game
side NAME      the desk of another side that a person plays
quit           save and leave; Ctrl-C does the same
A whole choice may be typed as log detail shows it: move(u: "47 Panzer", p: T14>T13)."""


class Desk(Seat):
    """The seat of whoever sits at the terminal, with a line to type in; `left` is set when the player leaves."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.words = ""
        self.found: list[Item] = []
        self.curtain = False
        self.left = False
        self.over = False
        self.middle: int | None = None
        self.looking = False
        self.pointed: int | None = None

    # ------------------------------------------------------------ what is before the person

    def begin(self) -> None:
        """Go to the next decision of a person."""
        decision = self.table.advance()
        self.over = decision is None
        if decision is None:
            self.refresh(self.side or self.table.game.program.sides[0])
            self.steps, self.ways = [], None
            return
        stay = self.side if any(d.side == self.side and d.sort != "standing" for d in self.table.game.decisions) else ""
        self.open(stay if stay in self.table.persons else decision.side)

    def open(self, side: str) -> None:
        """Switch to a side; if sides have secrets from one another, a curtain page comes first."""
        self.curtain = bool(self.side) and side != self.side and self.table.secrets
        if side != self.side:
            self.steps = []
        self.side = side
        self.look_again()

    def turned(self, to_another: bool = True) -> None:
        if to_another:
            self.narrow("")
        self.look()

    def chosen(self) -> None:
        self.begin()

    # ------------------------------------------------------------ the list

    def listing(self) -> list[tuple[int, Item]]:
        """The lines that pass the filter, with their numbers; complete choices after the kinds of action."""
        if not self.steps:
            return []
        items = [*self.step.items, *self.found]
        wanted = self.words.lower().split()
        lines = list(enumerate(items, 1))
        here = len(self.step.items)
        return [(n, x) for n, x in lines if n > here or not x.lacks(wanted)]

    def narrow(self, words: str, patience: float = PATIENCE) -> None:
        """Filter the lines by words; a list of kinds of action is searched for complete choices too."""
        self.words, self.found = words, []
        wanted = words.lower().split()
        if not wanted or not self.steps or not self.step.kinds:
            return
        late = time.monotonic() + patience
        for deep in (False, True):
            if self.found or time.monotonic() > late:
                break
            for item in search(self.step, wanted, deep):
                self.found.append(item)
                if len(self.found) >= FOUND or time.monotonic() > late:
                    self.message = "there may be more: say more words"
                    break
        if self.found:
            self.point(self.found[0].place)

    # ------------------------------------------------------------ where to look

    def look(self) -> None:
        """Centre the map on the decision: the places of the list, the last change, or the front."""
        self.looking, self.pointed = False, None
        ground = self.seen.state.ground
        places = [x.place for x in self.step.items if x.place is not None and x.place in ground]
        if places:
            near = [p for p in places if self.middle is not None and distance(self.seen.state, self.middle, p) <= 4]
            if not near:
                self.middle = central(self.seen, places)
        else:
            self.middle = self.last_change() or self.middle or self.front()

    def last_change(self) -> int | None:
        ground = self.seen.state.ground
        for event in reversed(log_for(self.table.game, self.side)[-60:]):
            if event["event"] == "put" and isinstance(event.get("place"), int) and event["place"] in ground:
                return int(event["place"])
        return None

    def front(self) -> int:
        """The place of an own unit nearest to units of others."""
        S = self.seen.state
        ground = S.ground
        mine: set[int] = set()
        others: set[int] = set()
        for unit, at in enumerate(S.at):
            if at is not None and at in ground:
                (mine if S.unit_side[unit] == self.side else others).add(at)
        if not mine or not others:
            return min(mine | others, default=ground.start)
        near = min(distance(S, a, b) for a in mine for b in others)
        close = [a for a in mine if any(distance(S, a, b) <= near for b in others)]
        if not self.seen.program.board.coordinates:
            return max(close, key=lambda p: len(S.here[p]))
        return central(self.seen, close)

    def sheet(self) -> Sheet:
        """The map as it is to be drawn now."""
        goals: dict[int, str] = {}
        marked: set[int] = set()
        if self.steps:
            for n, item in self.listing():
                if item.place is not None and item.place not in goals:
                    goals[item.place] = str(n)
                if item.place is not None and "x" in self.step.mark(n - 1) if n <= len(self.step.items) else False:
                    marked.add(item.place or 0)
        if self.looking and self.middle is not None:
            marked.add(self.middle)
        if self.pointed is not None:
            marked.add(self.pointed)
        return Sheet(self.seen, self.table.facts, goals, frozenset(marked))

    def board(self, width: int, height: int) -> list[Line]:
        return self.sheet().draw(self.seen.state.ground.start if self.middle is None else self.middle, width, height)

    def point(self, place: int | None) -> None:
        """Scroll a place into the window, and highlight it."""
        if place is None or place not in self.seen.state.ground:
            return
        self.pointed = place
        if self.middle is None or distance(self.seen.state, self.middle, place) > 3:
            self.middle = place

    def names(self, beginning: str) -> list[str]:
        """Completions of a prefix: lines of the list, kinds of action, commands."""
        items = [*self.step.items, *(self.ways.items if self.ways is not None else ())] if self.steps else []
        wanted = beginning.lower()
        return list(dict.fromkeys(x for x in (*(i.text for i in items), *COMMANDS) if x.lower().startswith(wanted)))

    def scroll(self, direction: str, far: int = 3) -> None:
        """Scroll the map; on a map of points go to a neighbour."""
        board = self.seen.program.board
        if not board.coordinates or self.middle is None:
            return
        x, y = board.coordinates[self.middle]
        dx, dy = DIRECTIONS[direction]
        goal = (x + dx * far * 2, y + dy * far * 2)
        there = min(self.seen.state.hexes, key=lambda p: away(board.coordinates[p], goal))
        self.middle, self.looking = there, True

    # ------------------------------------------------------------ words about it

    # ------------------------------------------------------------ what the person types

    def line(self, text: str) -> None:
        """Handle one line of input."""
        text = text.strip()
        self.message = ""
        if self.curtain:
            self.curtain = False
            return
        self.page = None
        if not text:
            return
        try:
            self.obey(text)
        except (Refusal, SaveProblem) as problem:
            help = getattr(problem, "help", "")
            self.message = str(problem) + (f" ({help})" if help else "")
        except Fault as fault:
            self.message = f"the rules cannot go on: {fault}; the position is as it was"
        except OSError as error:
            self.message = f"{error.filename or 'a file'}: {error.strerror or error}"

    def obey(self, text: str) -> None:
        word, _, rest = text.partition(" ")
        command = COMMANDS.get(word.lower())
        if text.startswith("/"):
            self.narrow(text[1:].strip())
            return
        if command is not None and (self.steps or word in ("quit", "log", "map", "save", "help", "undo", "why")):
            command(self, rest.strip())
            return
        if not self.steps:
            self.message = "the game is over; log, map, save, undo and quit still work"
        elif re.fullmatch(r"[\d\s,x*-]+", text):
            self.numbers(text)
        else:
            self.named(text)

    def numbers(self, text: str) -> None:
        """Line numbers: one, several, a span, or one some times (`3 x2`)."""
        step, items = self.step, [*self.step.items, *self.found]
        times = int(m[1]) if (m := re.search(r"[x*]\s*(\d+)\s*$", text)) else 1
        made: Any = None
        for first, last in re.findall(r"(\d+)(?:\s*-\s*(\d+))?", re.sub(r"[x*]\s*\d+\s*$", "", text)):
            for n in range(int(first), int(last or first) + 1):
                if not 1 <= n <= len(items):
                    raise Refusal(f"there is no line {n}; the list has {len(items)}")
                made = self.pick(step, n, times)
        self.take(made)

    def pick(self, step: Step, n: int, times: int = 1) -> Any:
        if n > len(step.items):
            then, value = self.found[n - 1 - len(step.items)].value
            return then(value)
        return super().pick(step, n, times)

    def named(self, text: str) -> None:
        """Look input up as the name of a line, else as a value of the right type, else as a complete choice."""
        n = self.named_line(self.step.items, text)
        if n is not None:
            self.take(self.pick(self.step, n))
            return
        way = self.named_line(self.ways.items, text) if self.ways is not None else None
        if way is not None and self.ways is not None:
            self.steps = [self.ways]
            self.take(self.pick(self.ways, way))
            return
        value = self.value(text)
        if value is not None:
            self.take(self.step.then(value[0]))
            return
        if not re.match(r"\w+\s*[:(]", text):
            self.narrow(text)
            lines = self.listing()
            if len(lines) == 1:
                self.take(self.pick(self.step, lines[0][0]))
                return
            if lines:
                self.message = f"{len(lines)} lines with {text}; / shows all again"
                return
            self.narrow("")
            raise Refusal(f'"{text}" is no command and not in this list; help tells what can be typed')
        self.choose(self.seen.read(self.full(text)))

    def named_line(self, items: list[Item], text: str) -> int | None:
        """The line with this name, or the only one whose name begins with it."""
        wanted = text.lower().replace("_", " ").strip('"')
        names = [x.text.lower() for x in items]
        if wanted in names:
            return names.index(wanted) + 1
        for hits in (
            [n for n, name in enumerate(names, 1) if wanted in name.split(" ", 1)],
            [n for n, name in enumerate(names, 1) if name.startswith(wanted)],
        ):
            if len(hits) == 1:
                return hits[0]
        return None

    def value(self, text: str) -> tuple[Any] | None:
        """A value of the type that the step asks for, even if it is not listed."""
        if type(self.step) is not Step or self.step.kinds or not self.step.items:
            return None
        known = self.step.items[0].value
        if isinstance(known, tuple) and ">" in text:
            try:
                return (Reader(self.seen.program, text, self.seen.state.map).value("path"),)
            except Refusal:
                return None
        place = self.place(text)
        meant = self.meant_place(place) if place is not None else None
        return (meant,) if meant is not None else None

    def place(self, text: str) -> int | None:
        program = self.seen.program
        wanted = text.strip().lstrip("@").lower().replace(" ", "_")
        shared = program.board.shared.get(self.seen.state.map, {})
        for name, place in (*shared.items(), *program.place_index.items(), *program.board.names.items()):
            if name.lower() == wanted and isinstance(place, int):
                return place
        return None

    def full(self, text: str) -> str:
        return text if re.match(r"\w+\s*:", text) else f"{self.side}: {text}"

    # ------------------------------------------------------------ commands

    def do_help(self, rest: str) -> None:
        self.page = ("what can be typed", HELP.splitlines())

    def do_quit(self, rest: str) -> None:
        self.left = True

    def do_ok(self, rest: str) -> None:
        self.close()

    def do_all(self, rest: str) -> None:
        self.fill(True)

    def do_none(self, rest: str) -> None:
        self.fill(False)

    def do_back(self, rest: str) -> None:
        if len(self.steps) > 1 or not self.words:
            self.back()
        else:
            self.turned()

    def do_some(self, rest: str) -> None:
        """List complete legal choices that contain what is chosen so far."""
        whole = self.step.whole
        if whole is None:
            raise Refusal("pick what to do first; then some lists whole choices of that kind")
        taken = set(self.step.value()) if isinstance(self.step, Several) and self.step.taken else set()
        depth = self.step.title.count(" › ")
        late = time.monotonic() + PATIENCE
        found: dict[str, Item] = {}
        for choice in whole():
            value = choice.args[min(depth, len(choice.args) - 1)][1] if choice.args else ()
            if not taken or (isinstance(value, tuple) and taken <= set(value)):
                text = self.short(choice)
                found.setdefault(text, Item(text, "", None, (lambda made: made, choice)))
            if len(found) >= FOUND or time.monotonic() > late:
                break
        self.found = list(found.values())
        many = "1 whole choice" if len(found) == 1 else f"{len(found)} whole choices"
        self.message = f"{many}, below the list" if found else "none is found that begins so"

    def do_pass(self, rest: str) -> None:
        self.let_go()
        self.begin()

    def do_undo(self, rest: str) -> None:
        self.table.undo(rest == "agreed")
        self.steps = []
        self.begin()
        self.message = "taken back"

    def do_save(self, rest: str) -> None:
        self.message = f"saved as {self.table.save(Path(rest) if rest else None)}"

    def do_resume(self, rest: str) -> None:
        if not rest:
            raise Refusal("resume which file? resume FILE")
        kept = f"the game so far is saved as {self.table.path}; " if self.table.game.journal.path is not None else ""
        self.table.resume(Path(rest))
        self.steps, self.middle = [], None
        self.begin()
        self.message = f"{kept}going on with {rest}"

    def do_log(self, rest: str) -> None:
        word, _, more = rest.partition(" ")
        detail = word == "detail"
        wanted = (more if detail else rest).lower()
        self.page = ("the log", [x for x in self.told_log(detail or self.table.detail) if wanted in x.lower()])

    def do_map(self, rest: str) -> None:
        if rest in DIRECTIONS:
            self.scroll(rest)
            return
        if not rest:
            self.middle = None
            self.look()
            self.middle = self.front() if self.middle is None else self.middle
            return
        place = self.place(rest)
        if place is None:
            raise Refusal(f'there is no place "{rest}" on the map')
        if place in self.seen.state.ground:
            self.middle, self.looking = place, True
        self.message = self.told(place)

    def do_side(self, rest: str) -> None:
        if rest not in self.table.persons:
            raise Refusal("a person plays: " + ", ".join(self.table.persons))
        if not any(d.side == rest for d in self.table.game.decisions):
            raise Refusal(f"{rest} has nothing to decide now")
        self.steps = []
        self.open(rest)

    def do_why(self, rest: str) -> None:
        """Explain a line, a choice or a value."""
        if not rest:
            raise Refusal("why what? why N, why K5, why holder(Kiev), why that")
        word, _, back = rest.partition(" ")
        if word == "that" and (not back or back.isdigit()):
            self.page = (f"why {rest}", self.why_that(int(back or 1) - 1))
            return
        choice = self.meant(rest)
        if choice is None:
            self.page = (f"why {rest}", self.explained(rest))
            return
        self.page = (f"why {rest}", self.why(choice))

    def meant(self, text: str) -> Choice | None:
        """The choice that `why` is about: a line, an unlisted value, or a complete choice; None for an expression."""
        step = self.steps[-1] if self.steps else None
        n = int(text) if text.isdigit() else self.named_line(step.items, text) if step is not None else None
        if step is not None and n is not None:
            if not 1 <= n <= len(step.items) + len(self.found):
                raise Refusal(f"there is no line {n}")
            if n > len(step.items):
                then, value = self.found[n - 1 - len(step.items)].value
                return self.first(then(value))
            return self.meant_line(step, n)
        way = self.named_line(self.ways.items, text) if self.ways is not None else None
        if way is not None and self.ways is not None:
            return self.first(self.ways.then(self.ways.items[way - 1].value))
        value = self.value(text) if step is not None else None
        if value is not None and step is not None:
            return self.first(step.then(value[0]))
        head = re.match(r"(\w+)\s*(\(|$)", text)
        mine = [word for d in self.seen.decisions for word in d.name.split()]
        named = head is not None and head[1] in (*WORDS, *self.seen.program.actions, *mine)
        if named or is_choice(self.seen.program, text):
            return self.seen.read(self.full(text))
        if text.isdigit():
            raise Refusal(f"there is no line {text}")
        return None


COMMANDS: dict[str, Callable[[Desk, str], None]] = {
    "all": Desk.do_all,
    "back": Desk.do_back,
    "help": Desk.do_help,
    "log": Desk.do_log,
    "map": Desk.do_map,
    "none": Desk.do_none,
    "ok": Desk.do_ok,
    "pass": Desk.do_pass,
    "quit": Desk.do_quit,
    "resume": Desk.do_resume,
    "save": Desk.do_save,
    "side": Desk.do_side,
    "some": Desk.do_some,
    "undo": Desk.do_undo,
    "why": Desk.do_why,
}
"""What can be typed at any step, with what it does."""


def central(game: Game, places: list[int]) -> int:
    """The most central of some places."""
    xy = game.program.board.coordinates
    if not xy:
        return places[0]
    mx, my = (sum(xy[p][i] for p in places) / len(places) for i in (0, 1))
    return min(places, key=lambda p: (away(xy[p], (mx, my)), p))


def away(a: tuple[float, float], b: tuple[float, float]) -> float:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
