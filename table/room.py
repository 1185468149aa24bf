"""A room: one table with those who sit or stand around it. Everything here runs in the one thread of the room.

In:  a card of the shelf; messages of those who hold a link.
Out: answers to whoever asked, and for everybody a frame: the table as this one may see it.

The journal is the truth: a choice is in the file before anybody hears of it, and a room that is closed or killed goes
on from there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rulewright.compiler.seat.table import Table, own_choices
from rulewright.runtime.begin import begun
from rulewright.runtime.doctrine.player import DoctrinePlayer
from rulewright.runtime.game import Game
from rulewright.runtime.journal import Journal, SaveProblem
from rulewright.runtime.lookahead.player import LookaheadPlayer
from rulewright.runtime.players import Player
from rulewright.runtime.problems import Fault, Refusal
from rulewright.runtime.program import Program
from rulewright.runtime.telling.panel import panel
from rulewright.runtime.telling.secrecy import keeps_secrets
from rulewright.runtime.text import Choice
from rulewright.runtime.view import blinded

from .chair import Chair
from .chances import told_chances
from .links import HOT, PERSON, WATCH, Link
from .pictures import Pictures
from .scene import scene
from .shelf import Card, Shelf

if TYPE_CHECKING:
    from rulewright.compiler.loader import Loaded

AT_ONCE = 0.2
"""Seconds for what follows from a choice before anybody is shown anything."""
Tell = Callable[[str], None]
Message = dict[str, Any]


@dataclass(slots=True, eq=False)
class Sitter:
    """Somebody at the table by a link: what the page knows already, so that it is not sent again."""

    link: Link
    side: str = ""
    curtain: bool = False
    faces: set[int] = field(default_factory=set)
    lines: int = 0
    edition: tuple[str, int] = ("", -1)
    shown: Any = None


@dataclass(slots=True)
class Asked:
    """A side asks the others to agree that the last choice, number `to`, is taken back, and what has followed on it."""

    by: str
    to: int
    last_of: str
    agreed: set[str]


class Room:
    def __init__(self, card: Card, shelf: Shelf, tell: Tell = lambda text: None) -> None:
        self.card, self.shelf = card, shelf
        self.tell = tell
        tell(f"reading the rules of {card.rules}")
        self.loaded = loaded = self._rules()
        self.program: Program = loaded.program
        game = self._begin()
        tell("drawing the map")
        self.pictures = self._drawn(game)
        self.table = Table(loaded, game, self._players())
        self.table.path = shelf.path(card)
        self.table.keeping = False
        self.chairs: dict[str, Chair] = {}
        self.sitters: list[Sitter] = []
        self.asked: Asked | None = None
        self.settled = False
        self.pages: dict[str, str] | None = None

    # ------------------------------------------------------------ beginning and ending

    def _rules(self) -> Loaded:
        from rulewright.compiler.loader import load

        return load(self.card.rules)

    def _players(self) -> dict[str, Player | None]:
        from rulewright.compiler.players import EACH, find_seat

        return {
            side: None if word == PERSON else find_seat(self.loaded, word, side).make(self.card.seed * EACH + i)
            for i, (side, word) in enumerate(self.card.players.items())
        }

    def _drawn(self, game: Game) -> Pictures:
        made = Pictures(self.loaded, game.state.map if self.program.board.maps else "")
        made.board_data()
        return made

    def _begin(self) -> Game:
        """The game from its journal, or a new one with a journal of its own."""
        path, card = self.shelf.path(self.card), self.card
        if not path.exists():
            if card.save:
                raise SaveProblem(f"there is no save at {path}", "it was moved; copy it back")
            self.tell("setting up the pieces")
            game = self.loaded.new(card.scenario or None, card.seed, card.readings)
            game.journal.keep_in(path)
            return game
        game = again(Journal.open(path, repair=True), self.program, self.tell)
        return game

    def close(self) -> None:
        """Let go of the file, with what everybody may read of how it stands on the card."""
        self.card.state = self.standing()
        self.shelf.keep(self.card)
        self.table.flush()
        self.table.game.journal.close()

    def standing(self) -> str:
        seen = blinded(self.table.game, "")
        if seen.over:
            return f"over: {seen.winner} wins" if seen.winner else "over: nobody wins"
        names = self.side_names
        deciding = " and ".join(names[s] for s in names if s in {d.side for d in seen.pending})
        rows = [f"{name}: {value}" for name, value in panel(seen, "")[:3]]
        return " · ".join([*([f"{deciding} to decide"] if deciding else []), *rows])

    # ------------------------------------------------------------ coming and going

    def enter(self, link: Link) -> Sitter:
        sitter = Sitter(link, link.sides[0] if link.sides else "")
        self.sitters.append(sitter)
        self._hot_seat(sitter, coming=True)
        return sitter

    def leave(self, sitter: Sitter) -> None:
        if sitter in self.sitters:
            self.sitters.remove(sitter)

    def chair(self, side: str) -> Chair:
        found = self.chairs.get(side)
        if found is None:
            found = self.chairs[side] = Chair(self.table, side)
            found.follow()
        return found

    # ------------------------------------------------------------ the game goes on

    def run(self, seconds: float | None) -> bool:
        """Let the players that need no person go on; says whether a person is to decide, or the game is over."""
        if self.settled:
            return True
        made = len(self.table.game.journal)
        self.table.run(seconds)
        self.settled = self.table.ready
        if len(self.table.game.journal) != made:
            self.changed()
        return self.settled

    def changed(self) -> None:
        """Something has happened on the table: everybody looks anew.

        A request to take something back falls with a choice that everybody may notice, and with no other.
        """
        public = self.chair("")
        noticed = public.n
        for chair in self.chairs.values():
            chair.follow()
        if public.n != noticed:
            self.asked = None
        for sitter in self.sitters:
            self._hot_seat(sitter)

    def _hot_seat(self, sitter: Sitter, coming: bool = False) -> None:
        """One who plays several sides is given the side that decides, behind a curtain where sides keep secrets."""
        if sitter.link.kind != HOT:
            return
        deciding = [d.side for d in self.table.game.decisions if d.sort != "standing" and d.side in sitter.link.sides]
        stays = sitter.side in deciding or not deciding
        if not stays:
            sitter.side = deciding[0]
        if (coming or not stays) and self.table.secrets:
            sitter.curtain = True

    # ------------------------------------------------------------ messages

    def obey(self, sitter: Sitter, message: Message) -> list[Message]:
        """Carry a message out; what only its sender is to hear."""
        made, n = len(self.table.game.journal), message.get("n")
        chair = self.chair(sitter.side)
        if message["do"] == "lift":
            sitter.curtain, sitter.shown = False, None
            return []
        if sitter.curtain:
            return [{"say": "the curtain is down"}]
        if n is not None and n != chair.n:
            sitter.shown = None
            return [{"say": "the table has changed since; look again", "stale": True}]
        try:
            answers = self._do(sitter, chair, message)
        except (Refusal, SaveProblem) as refused:
            answers = [{"say": str(refused)}]
        except Fault as fault:
            answers = [{"say": f"the rules cannot go on: {fault}; the position is as it was"}]
        if chair.page is not None:
            from .linked import told

            answers.append({"why": {"title": chair.page[0], "lines": told(self.program, chair.page[1])}})
            chair.page = None
        if chair.message:
            answers.append({"say": chair.message})
            chair.message = ""
        if len(self.table.game.journal) != made:
            self.settled = False
            self.changed()
        if not self.settled:
            self.run(AT_ONCE)
        return answers

    def _do(self, sitter: Sitter, chair: Chair, message: Message) -> list[Message]:
        if message["do"] == "look":
            return [self._look(sitter, chair, message["at"])]
        if message["do"] == "told":
            if message["place"] >= len(self.program.board.places):
                raise Refusal("there is no such place")
            return [{"told": chair.told(message["place"]), "place": message["place"]}]
        if message["do"] == "that":
            return [{"why": chair.whys_of(message["back"])}]
        if not sitter.side:
            raise Refusal("spectators look on")
        match message["do"]:
            case "pick":
                chair.take(chair.pick(self._open(chair).step, message["i"] + 1, message.get("times", 1)))
            case "way":
                chair.way(message["i"], message.get("j"))
            case "via":
                chair.via(message["places"])
            case "ok":
                self._open(chair).close()
            case "fill":
                self._open(chair).fill(message["every"])
                chair.n += 1
            case "back":
                self._open(chair).back()
            case "pass":
                chair.let_go()
                chair.shut_down()
                self.settled = False
            case "why":
                return [{"why": chair.whys(message.get("i"), message.get("place"))}]
            case "chances":
                return [self._chances(chair, message.get("i"))]
            case "undo":
                return self._undo(sitter, message["how"])
            case "agree":
                return self._agree(sitter, message["yes"])
        return []

    @staticmethod
    def _open(chair: Chair) -> Chair:
        if not chair.steps:
            raise Refusal("nothing is to be decided here now")
        return chair

    def _chances(self, chair: Chair, i: int | None) -> Message:
        choice = chair.whole_choice(i)
        text = chair.short(choice)
        try:
            return {"chances": {"text": text, **told_chances(self.table.game, chair.side, choice)}}
        except Refusal as refused:
            return {"chances": {"text": text, "said": f"This cannot be reckoned: {refused}."}}

    def _look(self, sitter: Sitter, chair: Chair, moment: int) -> Message:
        """The table as this side saw it at an earlier moment."""
        chronicle = chair.chronicle
        seen = chronicle.at(self.table.game, moment)
        shown = scene(seen, chair.side, self.pictures)
        faces = self.new_faces(sitter, {face for *_, face in shown["units"]})
        return {"past": {"at": moment, "of": len(chronicle.moments) - 1, "faces": faces, **shown}}

    # ------------------------------------------------------------ undo

    def _undo(self, sitter: Sitter, how: str) -> list[Message]:
        side = sitter.side
        if how == "own":
            self._back(lambda: self.table.undo_by(side))
        elif how == "phase":
            self._back(lambda: self.table.undo_phase(side))
        else:
            if not self.table.own:
                raise Refusal("there is nothing to undo")
            self.chair("")  # tells what everybody may notice from now on
            to, last_of = self.table.own[-1]
            self.asked = Asked(side, to, last_of, set(sitter.link.sides))
            return self._agreed()
        return []

    def _agree(self, sitter: Sitter, yes: bool) -> list[Message]:
        if self.asked is None:
            raise Refusal("nobody asks for anything")
        if not yes:
            self.asked = None
            return []
        self.asked.agreed |= set(sitter.link.sides)
        return self._agreed()

    def _agreed(self) -> list[Message]:
        """Take the choice back once all persons agree."""
        if self.asked is not None and self.asked.agreed >= set(self.table.persons):
            to, self.asked = self.asked.to, None
            self._back(lambda: self.table.go_back(to, True))
        return []

    def _back(self, step: Callable[[], None]) -> None:
        """Go back to where there was a choice: a choice that was the only one would be made again at once."""
        while True:
            step()
            decision = self.table.game.decisions[0]
            if self.card.players[decision.side] != PERSON or self.table.forced(decision) is None:
                return

    # ------------------------------------------------------------ frames

    def news(self, sitter: Sitter) -> Message | None:
        """A frame, where anything that it shows may have changed since the last one."""
        n = -1 if sitter.curtain else self.chair(sitter.side).n
        around = sorted((s.side, s.link.kind) for s in self.sitters)
        asked = self.asked and (self.asked.by, len(self.asked.agreed))
        now = (n, sitter.side, sitter.curtain, self.settled, around, asked)
        if now == sitter.shown:
            return None
        sitter.shown = now
        return self.frame(sitter)

    def frame(self, sitter: Sitter) -> Message:
        """The table as one of those around it may see it; what the page has already is left out."""
        names = self.side_names
        who = {
            "kind": sitter.link.kind,
            "sides": list(sitter.link.sides),
            "present": sorted({s.side for s in self.sitters if s.side}),
            "watching": sum(s.link.kind == WATCH for s in self.sitters),
            "players": self.card.players,
            "thinking": any(isinstance(x, (DoctrinePlayer, LookaheadPlayer)) for x in self.table.players.values()),
        }
        if sitter.curtain:
            sitter.edition, sitter.lines = ("", -1), 0
            return {"curtain": sitter.side, "name": names[sitter.side], "who": who}
        chair = self.chair(sitter.side)
        shown = scene(chair.seen, chair.side, self.pictures)
        asked = chair.asked()
        deciding = sorted({d.side for d in chair.seen.pending}) if not shown["over"] else []
        about = [[u, self._face_of(shown, u)] for u in asked["about"]] if asked is not None else []
        if asked is not None:
            asked["about"] = about
        frame: Message = {
            "n": chair.n,
            "side": chair.side,
            "status": chair.status() if chair.side else self.program.name,
            **shown,
            "ask": asked,
            "ways": chair.ways_of() if asked is not None else [],
            "lit": chair.lit() if asked is not None else [],
            "deciding": deciding,
            "busy": not self.settled,
            "undo": self._may_undo(sitter),
            "asked": self._asked_for(sitter),
            "moments": len(chair.chronicle.moments) - 1,
            "who": who,
            "ending": chair.ending() if shown["over"] else "",
        }
        wanted = {face for *_, face in shown["units"]} | {face for _, face in about}
        frame["faces"] = self.new_faces(sitter, wanted)
        frame["log"] = self._new_lines(sitter, chair)
        return frame

    @property
    def side_names(self) -> dict[str, str]:
        from rulewright.runtime.telling.words import heading

        return {side: heading(self.program, "kind:side", side) for side in self.program.sides}

    def new_faces(self, sitter: Sitter, wanted: set[int]) -> dict[int, str]:
        """The drawings of faces that the page does not have."""
        lacking = wanted - sitter.faces
        sitter.faces |= lacking
        drawings = list(self.pictures.faces) if lacking else []
        return {face: drawings[face] for face in sorted(lacking)}

    def _face_of(self, shown: Message, unit: int) -> int:
        return next((face for u, _, face in shown["units"] if u == unit), None) or self.pictures.face(unit, {})

    def _new_lines(self, sitter: Sitter, chair: Chair) -> Message:
        chronicle = chair.chronicle
        edition = (chair.side, chronicle.edition)
        if sitter.edition != edition:
            sitter.edition, sitter.lines = edition, 0
        first = sitter.lines
        sitter.lines = len(chronicle.lines)
        return {"from": first, "lines": [[parts, moment] for parts, moment in chronicle.lines[first:]]}

    def _may_undo(self, sitter: Sitter) -> Message:
        last = self.chair(sitter.side).chronicle.last_by
        if not sitter.side or not last or not self.table.own:
            return {}
        mine = last == sitter.side
        return {"own": mine, "phase": mine, "ask": True}

    def _asked_for(self, sitter: Sitter) -> Message | None:
        if self.asked is None:
            return None
        names, asked = self.side_names, self.asked
        whose = "" if keeps_secrets(self.program) else f" of {names[asked.last_of]}"  # it may have been made in secret
        text = f"{names[asked.by]} asks to take back the last choice{whose}"
        return {"text": text, "mine": not set(sitter.link.sides) - asked.agreed}

    # ------------------------------------------------------------ the owner's list

    def digest(self) -> str:
        return self.table.game.digest()


def again(journal: Journal, program: Program, tell: Tell) -> Game:
    """A saved game played again from its first choice, so that its log and its history are whole."""
    if journal.header.rules_hash != program.rules_hash:
        journal.close()
        help = "rulewright migrate carries it over"
        raise SaveProblem(f"this game was saved under other rules of {journal.header.rules}", help)
    path = journal.path
    assert path is not None
    game = begun(program, journal.header)
    many = len(journal)
    for i, event in enumerate(journal.events()):
        if i % 50 == 0:
            tell(f"reading the game, {i} of {many} choices")
        game.do(Choice.from_plain(event))
    journal.close()
    game.journal.go_on_in(path)
    return game


__all__ = ["PERSON", "Room", "Sitter", "again", "own_choices"]
