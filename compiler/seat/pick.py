"""Build a choice step by step: first the action, then the units, then the place.

In:  a game as one side sees it, and the pending decisions of that side.
Out: `begin` gives the first step. A step is a numbered list; picking from it gives the next step or the complete
     choice. Sets, orders, shares and plans are built member by member and finished by `ok`.

Legality is not decided here: the lists come from the choice spaces of the runtime.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from rulewright.runtime.choices import solver
from rulewright.runtime.choices.chance import every
from rulewright.runtime.choices.plans import Matching
from rulewright.runtime.choices.questions import AskSpace
from rulewright.runtime.choices.spaces import ActionSpace, Space, WordSpace
from rulewright.runtime.choices.ways import members_after, ways
from rulewright.runtime.game import Decision, Game
from rulewright.runtime.notation import label
from rulewright.runtime.problems import NONSENSE, Fault, Ground, Refusal
from rulewright.runtime.program import printed_id
from rulewright.runtime.telling.secrecy import shut
from rulewright.runtime.telling.words import say, say_ground, text
from rulewright.runtime.text import Choice

from .facts import Facts

Then = Callable[[Any], Any]
Whole = Callable[[], Iterator[Choice]]
Worth = Callable[[Any], list[tuple[str, str]]]
ASKED = {"unit": "which unit?", "path": "where to?", "place": "which place?", "number": "how many?"}
FEW = 40
"""So many lines at most tell what the book foresees of each."""
ASKED_MANY = {"unit": "units", "place": "places"}


@dataclass(frozen=True, slots=True)
class Item:
    """One line to pick: its text, a remark, unit and place on the map, and why it is not allowed (if so)."""

    text: str
    note: str = ""
    place: int | None = None
    value: Any = None
    shut: str = ""
    unit: int | None = None
    path: tuple[int, ...] = ()
    """The whole path, where the line is one; `cost` is its price by its route, where that is known."""
    cost: Any = None

    def lacks(self, wanted: list[str], noted: bool = True) -> list[str]:
        """The wanted words that begin no word of this line; a path is found by its end, not by the hexes on the way."""
        noted = noted and not isinstance(self.value, tuple)
        said = re.findall(r"[\w.-]+", f"{self.text} {self.note}".lower() if noted else self.text.lower())
        return [w for w in wanted if not any(x.startswith(w) for x in said)]


@dataclass(slots=True)
class Step:
    """A numbered list to pick one from; `then` makes what follows."""

    title: str
    items: list[Item]
    then: Then
    hint: str = ""
    case: str = ""
    kinds: bool = False
    """Whether the list is only of the kinds of things to do."""
    whole: Whole | None = None
    """Legal choices below this step, for a person who would rather pick a whole one."""
    worth: Worth | None = None
    """What the book tells of the choice that a value would make, where the step is the last one."""

    def pick(self, i: int, times: int = 1) -> Any:
        """What follows an item: another step, or a complete choice."""
        return self.then(self.items[i].value)

    def mark(self, i: int) -> str:
        """The mark in front of an item that has been picked."""
        return ""

    def close(self) -> Any:
        """`ok`: a step that picks one item has nothing to finish."""
        return None

    def fill(self, every: bool) -> bool:
        """`all` and `none`, where they make sense."""
        return False

    def state(self) -> str:
        """What has been picked so far, as text."""
        return ""


@dataclass(slots=True)
class Several(Step):
    """A set: picking adds or removes a member."""

    least: int = 0
    most: int = 0
    taken: list[int] = field(default_factory=list)
    against: Callable[[Any], str] = lambda value: ""

    def pick(self, i: int, times: int = 1) -> Any:
        if i in self.taken:
            self.taken.remove(i)
        else:
            self.taken.append(i)
        return self

    def mark(self, i: int) -> str:
        return "[x] " if i in self.taken else "[ ] "

    def fill(self, every: bool) -> bool:
        self.taken = list(range(len(self.items))) if every else []
        return True

    def value(self) -> Any:
        return tuple(self.items[i].value for i in sorted(self.taken))

    def close(self) -> Any:
        wrong = self.wrong()
        return wrong if wrong else self.then(self.value())

    def wrong(self) -> str:
        """Why the answer is not complete yet."""
        n = len(self.taken)
        if not self.least <= n <= self.most:
            return f"{bounds(self.least, self.most)} needed"
        return self.against(self.value())

    def state(self) -> str:
        wrong = self.wrong()
        told = "".join(f"; {name} {value}" for name, value in self.foreseen())
        return f"{len(self.taken)} taken{told}: {wrong or 'ok closes it'}" if self.taken or not wrong else ""

    def foreseen(self) -> list[tuple[str, str]]:
        """What the book tells beforehand of the set as it is."""
        return self.worth(self.value()) if self.worth is not None and self.taken else []


class Ordered(Several):
    """An order of all members: picking adds the next one."""

    __slots__ = ()

    def mark(self, i: int) -> str:
        return f"[{self.taken.index(i) + 1}] " if i in self.taken else "[ ] "

    def value(self) -> Any:
        return tuple(self.items[i].value for i in self.taken)


class Shares(Several):
    """A number distributed over members: picking gives one more, `N x3` gives three."""

    __slots__ = ()

    def pick(self, i: int, times: int = 1) -> Any:
        if times <= 0:
            self.taken = [x for x in self.taken if x != i]
        self.taken += [i] * min(times, self.most - len(self.taken))
        return self

    def fill(self, every: bool) -> bool:
        self.taken = [] if not every or not self.items else [i % len(self.items) for i in range(self.most)]
        return True

    def mark(self, i: int) -> str:
        return f"[{self.taken.count(i)}] "

    def value(self) -> Any:
        return tuple((x.value, self.taken.count(i)) for i, x in enumerate(self.items) if i in self.taken)


@dataclass(slots=True)
class Planned(Step):
    """An assignment of items to targets, starting from a valid plan; picking an item asks for its target."""

    pairs: dict[Any, tuple[Any, ...]] = field(default_factory=dict)
    targets: Callable[[Any, Then], Step] | None = None
    shown: Callable[[Any], str] = str
    against: Callable[[Any], str] = lambda value: ""

    def pick(self, i: int, times: int = 1) -> Any:
        item = self.items[i].value

        def put(to: Any) -> Step:
            self.pairs = {k: v for k, v in self.pairs.items() if k != item}
            if to is not None and to != ():
                self.pairs[item] = to if isinstance(to, tuple) else (to,)
            return self

        assert self.targets is not None
        return self.targets(item, put)

    def mark(self, i: int) -> str:
        to = self.pairs.get(self.items[i].value, ())
        return f"[{', '.join(map(self.shown, to)) or 'idle'}] "

    def value(self) -> Any:
        groups: dict[Any, list[Any]] = {}
        for item in (x.value for x in self.items if x.value in self.pairs):
            groups.setdefault(self.pairs[item], []).append(item)
        return tuple((to, tuple(items)) for to, items in groups.items())

    def close(self) -> Any:
        wrong = self.against(self.value())
        return wrong if wrong else self.then(self.value())

    def state(self) -> str:
        return self.against(self.value()) or "the plan stands; ok closes it"


def search(step: Step, words: list[str], deep: bool, before: str = "") -> Iterator[Item]:
    """Lines with all the words, here or below; an item found below leads there (its value is what follows).

    Below a line that has none of the words we look only when `deep`.
    """
    for item in step.items:
        if item.shut:
            continue
        left = item.lacks(words, not step.kinds)
        text = f"{before}{item.text}"
        if not left and before:
            yield Item(text, item.note, item.place, (step.then, item.value))
        elif (left != words or deep or step.kinds) and type(step) is Step:
            below = step.then(item.value)
            if isinstance(below, Step):
                yield from search(below, left or words, deep, f"{text} › ")


def bounds(least: int, most: int) -> str:
    return f"exactly {least}" if least == most else f"{least} to {most}"


# ---------------------------------------------------------------- from decisions to steps


@dataclass(slots=True)
class Picker:
    """Makes the steps for one side of a game."""

    game: Game
    facts: Facts
    side: str

    def begin(self, decisions: list[Decision]) -> Step:
        """The first step: the question itself if there is only one, else a list of the kinds of action."""
        spaces = [(d, s) for d in decisions for s in self.game.spaces(d)]
        if len(spaces) == 1 and isinstance(spaces[0][1], AskSpace):
            return self.asked(spaces[0][0], spaces[0][1])
        items = [x for d, s in spaces if (x := self.way(d, s)) is not None]
        case = decisions[0].case if decisions else ""
        return Step("what to do", items, lambda way: self.enter(*way), case=case, kinds=True)

    def way(self, decision: Decision, space: Space) -> Item | None:
        """A kind of action, if a legal choice of it exists; `done` is listed with the reason why it is not possible."""
        standing = "at any time" if decision.sort == "standing" else ""
        if isinstance(space, WordSpace):
            grounds = space.refusals(())
            shut = "; ".join(dict.fromkeys(self.reason(g) + lacking(self.game, g) for g in grounds))
            if grounds and space.name != "done":
                return None
            said = {"done": "finish this step", "take_back": "take the last of these back"}.get(space.name, "")
            return Item(space.name, said, value=(decision, space), shut=shut)
        if next(space.listing(), None) is None:
            return None
        case = space.info.case
        title = self.game.program.cases.get(case, "")
        note = " · ".join(filter(None, (f"{case} {title}".strip(), standing)))
        return Item(words(space.name), note, value=(decision, space))

    def enter(self, decision: Decision, space: Space) -> Any:
        if isinstance(space, WordSpace):
            return Choice(decision.id, decision.side, space.name, ())
        return self.asked(decision, space) if isinstance(space, AskSpace) else self.param(decision, space, ())

    # ------------------------------------------------------------ actions

    def param(self, decision: Decision, space: ActionSpace, args: tuple[Any, ...]) -> Any:
        """The step for the next parameter of an action; one with a single possible value is filled in automatically."""
        params = space.info.params
        if len(args) == len(params):
            named = tuple(zip((p.name for p in params), args, strict=True))
            return Choice(decision.id, decision.side, space.name, named)
        param, last = params[len(args)], len(args) + 1 == len(params)
        members = options(space, args)
        title = self.so_far(space, args)

        def then(value: Any) -> Any:
            return self.param(decision, space, (*args, value))

        if param.type.startswith(("set:", "list:")):
            head, _, inner = param.type.partition(":")
            kind = Several if head == "set" else Ordered
            hint = f"which {ASKED_MANY.get(inner, words(param.name))}? {bounds(1, len(members))}, then ok"

            def against(value: Any) -> str:
                given = (*args, value)
                return "" if opens(space, given) else self.objections(space, given)

            items = self.items(members, inner)
            whole = partial(self.whole, decision, space, args)
            worth = partial(self.worth, space, args) if last and space.info.previews else None
            return kind(title, items, then, hint, space.info.case, False, whole, worth, 1, len(items), against=against)
        if len(members) == 1 and not last:
            return then(members[0])
        if param.type == "path":
            members = tuple(sorted(members, key=len))
        hint = ASKED.get(param.type, f"which {words(param.name)}?")
        whole = partial(self.whole, decision, space, args)
        items = self.items(members, param.type)
        if param.cost is not None:
            items = [replace(x, cost=param.cost(space.S, space.actor, *args, x.value)) for x in items]
        if not last or not space.info.previews:
            return Step(title, items, then, hint, space.info.case, whole=whole)
        worth = partial(self.worth, space, args)
        if len(items) <= FEW:
            items = [replace(x, note=told_with(x.note, worth(x.value))) for x in items]
        return Step(title, items, then, hint, space.info.case, whole=whole, worth=worth)

    def worth(self, space: ActionSpace, args: tuple[Any, ...], value: Any) -> list[tuple[str, str]]:
        """What the book tells of a choice beforehand, by its previews; nothing of one whose value it cannot give."""
        program, name = self.game.program, space.info.name
        found = []
        for preview, asked in space.info.previews:
            try:
                answer = self.game.value(asked, space.actor, *args, value)
            except (*NONSENSE, Fault, Refusal):
                continue
            label_of = text(program, f"{name}.{preview}") or words(preview)
            label_of += " as seen" if program.veils else ""  # what lies veiled is not in it
            found.append((label_of, say(program, program.signature(asked)[1], answer)))
        return found

    def whole(self, decision: Decision, space: ActionSpace, args: tuple[Any, ...]) -> Iterator[Choice]:
        """Legal choices that begin with these arguments: first some random ones if nothing is given, then as listed."""
        names = [p.name for p in space.info.params]
        rng = 1
        for _ in range(0 if args else 24):
            found, rng = space.sample(rng)
            if found is not None:
                yield Choice(decision.id, decision.side, space.name, found)
        for values in ways(space.S, space.info, space.actor, args, every):
            yield Choice(decision.id, decision.side, space.name, tuple(zip(names, values, strict=True)))

    def so_far(self, space: ActionSpace, args: tuple[Any, ...]) -> str:
        shown = [label(self.game.program, p.type, a) for p, a in zip(space.info.params, args, strict=False)]
        return " › ".join((words(space.name), *shown))

    def objections(self, space: ActionSpace, args: tuple[Any, ...]) -> str:
        """The reasons against arguments, or that no legal choice begins with them."""
        if len(args) == len(space.info.params):
            named = tuple(zip((p.name for p in space.info.params), args, strict=True))
            return "; ".join(dict.fromkeys(self.reason(g, dict(named)) for g in space.refusals(named)))
        rules = [r for r in space.info.rules if r.level <= len(args)]
        against = [r for r in rules if r.refuses(space.S, space.actor, *args)]
        if against:
            given = dict(zip((p.name for p in space.info.params), args, strict=False))
            grounds = (Ground(case=r.case, label=r.label, where=r.where) for r in against)
            return "; ".join(dict.fromkeys(self.reason(g, given) for g in grounds))
        members = options(space, args)
        param = space.info.params[len(args)]
        if not members:
            return f"nothing is left for {words(param.name)}"
        return self.objections(space, (*args, members if param.type.startswith(("set:", "list:")) else members[0]))

    # ------------------------------------------------------------ questions

    def asked(self, decision: Decision, space: AskSpace) -> Step:
        """The step that answers one question."""
        info = space.info
        case, title = info.case, self.game.asks(decision)
        inner = info.type.partition(":")[2] if info.sort in ("some", "order", "shares") else info.type

        def then(value: Any) -> Choice:
            answer = space.canonical(value) if not space.refusals((("", value),)) else value
            return Choice(decision.id, decision.side, info.name, (("", answer),))

        def against(value: Any) -> str:
            return "; ".join(map(self.reason, space.refusals((("", value),))))

        def whole() -> Iterator[Choice]:
            return (Choice(decision.id, decision.side, info.name, args) for args in space.listing())

        if space.matching is not None:
            return self.planned(title, space.matching, info.type, then, against, case, whole)
        members = [args[0][1] for args in space.listing()] if info.sort in ("one", "whether") else space.members
        items = self.items(members, inner)
        match info.sort:
            case "some":
                hint = f"{bounds(space.least, space.most)}, then ok"
                return Several(
                    title, items, then, hint, case, False, whole, None, space.least, space.most, against=against
                )
            case "order":
                n = len(items)
                return Ordered(
                    title, items, then, "pick them in order, then ok", case, False, whole, None, n, n, against=against
                )
            case "shares":
                hint = f"share out {space.most}: a pick gives one more, `N x3` three; then ok"
                return Shares(
                    title, items, then, hint, case, False, whole, None, space.most, space.most, against=against
                )
        return Step(title, items, then, "", case)

    def planned(
        self, title: str, m: Matching, type: str, then: Then, against: Callable[[Any], str], case: str, whole: Whole
    ) -> Step:
        item_type, target_type = type.partition(":")[2].split("|")
        start = {item: targets for targets, items in solver.solve(m) or () for item in items}

        def targets(item: Any, put: Then) -> Step:
            fitting = [t for t in m.targets if m.pair(item, t)]
            items = self.items(fitting, target_type)
            name = label(self.game.program, item_type, item)
            if m.group:
                return Several(f"{title} › {name}", items, put, "with which?", case, least=0, most=len(items))
            idle = [Item("idle", "with none of them")] if m.idle(item) else []
            return Step(f"{title} › {name}", items + idle, put, "with which?", case)

        return Planned(
            title,
            self.items(m.items, item_type),
            then,
            "pick one to change where it goes; ok when it stands",
            case,
            pairs=start,
            targets=targets,
            shown=lambda t: label(self.game.program, target_type, t),
            against=against,
            whole=whole,
        )

    def reason(self, ground: Ground, given: Mapping[str, Any] | None = None) -> str:
        """Why something cannot be done, in words, with its case."""
        said = say_ground(self.game.program, ground, {**(given or {}), "actor": self.side})
        return f"{words(said)} ({ground.case})" if ground.case else words(said)

    # ------------------------------------------------------------ items

    def items(self, values: Iterable[Any], type: str) -> list[Item]:
        return [self.item(value, type) for value in values]

    def item(self, value: Any, type: str) -> Item:
        """A value as a line to pick."""
        program, facts, S = self.game.program, self.facts, self.game.state
        if type == "unit" and value is not None:
            at = S.at[value]
            where = "" if at is None or shut(program.board, at, self.side) else f"at {facts.place(at)}"
            return Item(program.units[value], " ".join(filter(None, (facts.unit(value), where))), at, value, unit=value)
        if type == "place" and value is not None:
            seen = [] if shut(program.board, value, self.side) else S.here[value]
            here = ", ".join(program.units[u] for u in seen)
            terrain = " ".join(facts.glyphs(value))
            return Item(facts.place(value), "; ".join(filter(None, (terrain, here))), value, value)
        if type == "path" and value:
            way = ">".join(printed_id(program.board.places[p]) for p in value[1:])
            steps = len(value) - 1
            note = f"{steps} step{'s' * (steps != 1)}: {way}"
            return Item(facts.place(value[-1]), note, value[-1], value, path=value)
        note = "; ".join(
            f"{case} {title}" for case, title in [(str(value), program.cases.get(str(value), ""))] if title
        )
        return Item(label(program, type, value), note, value[0] if type == "hexside" and value else None, value)


def told_with(note: str, told: list[tuple[str, str]]) -> str:
    """A remark, and what the book tells beforehand."""
    return " · ".join(filter(None, (note, *(f"{name} {value}" for name, value in told))))


def words(name: str) -> str:
    return name.replace("_", " ")


def lacking(game: Game, ground: Ground, most: int = 4) -> str:
    """The units whose duties are not done, where that keeps a window open."""
    duty = next((d for d in game.program.duties if (d.name, d.case) == (ground.label, ground.case)), None)
    if duty is None or not isinstance(ground.trail, tuple):
        return ""
    who = [label(game.program, duty.type, m[0]) for m in ground.trail if m]
    more = f" and {len(who) - most} more" if len(who) > most else ""
    return f": {', '.join(who[:most])}{more}" if who else ""


def options(space: ActionSpace, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values of the next parameter from which a legal choice can still be reached; for a set its members."""
    members = members_after(space.S, space.info, space.actor, args) if not space.closed() else ()
    if space.info.params[len(args)].type.startswith(("set:", "list:")):
        return members
    return tuple(m for m in members if opens(space, (*args, m)))


def opens(space: ActionSpace, args: tuple[Any, ...]) -> bool:
    """Whether a legal choice begins with these arguments."""
    return next(ways(space.S, space.info, space.actor, args, every), None) is not None
