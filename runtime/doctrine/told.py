"""Why a doctrine chose as it did, or a player that looks ahead.

In:  the players of a game, who asks, and how many of their choices to go back.
Out: lines for a reader: the case that chose, what the choice was worth and how that came about, the runners-up, the
     cases above that had nothing to say and what stood against them. A choice that was taken back is not told.

The reckoning is made by the traced twin on the position as the side saw it, down to the rulebook's cases. Where a rule
set keeps secrets, others hear of the case alone, and of no choice that they could not read in their log.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..game import Game
from ..lookahead.player import LookaheadPlayer, Trial
from ..lookahead.told import tried
from ..problems import NONSENSE, Fault, Refusal
from ..program import Asked, PreferenceInfo, Program
from ..state import State
from ..telling.explain import below_lines, short, tree
from ..telling.secrecy import keeps_secrets
from ..telling.trace import nodes
from ..text import Choice, show_choice
from ..view import entry_for
from .player import DoctrinePlayer, Thought, Tried

MOST = 3
THINKERS = (DoctrinePlayer, LookaheadPlayer)
"""The players that can say why."""


NOBODY = "nobody's"
"""Who looks on without a side; "" is whoever may know everything."""


def why_that(players: Sequence[Any], asker: str = "", back: int = 0, game: Game | None = None) -> list[str]:
    """Why the last choice of these players was made, or one before it; Reports: `Refusal` where nobody can say.

    With the game, only choices that stand in it are told, and only those that the asker may read in its log.
    """
    known: list[tuple[int, int, Any, Any]] = [
        (t.made, i, p, t) for i, p in enumerate(players) if isinstance(p, THINKERS) for t in p.thoughts
    ]
    known.sort(key=lambda x: x[:2])
    texts: dict[int, str] = {} if game is None else dict(readable(game, asker, {x[0] for x in known}))
    if game is not None:
        known = [x for x in known if x[0] in texts and x[3].choice.side == said_by(game, x[0])]
    if not known:
        forgotten = game is not None and chosen_before(game, players, asker)
        later = "what was thought before the game was taken up again is not remembered"
        raise Refusal(later if forgotten else "nobody here has chosen by a doctrine or by looking ahead yet")
    if not 0 <= back < len(known):
        raise Refusal(f"only {len(known)} choices are remembered")
    made, _, player, thought = known[-1 - back]
    program = game.program if game is not None else player.program
    told = explained(player.program, thought, asker) if isinstance(thought, Thought) else tried(program, thought, asker)
    if texts.get(made) and not is_open(program, thought, asker):
        told[0] = f"{thought.choice.side}, {texts[made]}"
    return told


def readable(game: Game, asker: str, wanted: set[int]) -> Iterator[tuple[int, str]]:
    """The numbers of the choices that a side may read in its log, with their text for it."""
    for made, entry in numbered(game):
        if made in wanted:
            own = entry_for(game, entry, asker) if asker else entry
            if own is not None:
                yield made, str(own.get("text", ""))


def chosen_before(game: Game, players: Sequence[Any], asker: str) -> bool:
    """Whether a side with a doctrine has made a choice that the asker may read; players stand in the order of sides."""
    sides = {s for s, p in zip(game.program.sides, players, strict=False) if isinstance(p, THINKERS)}
    made = (entry for _, entry in numbered(game) if entry["side"] in sides)
    return any(not asker or entry_for(game, entry, asker) is not None for entry in made)


def said_by(game: Game, made: int) -> str:
    return next((str(entry["side"]) for n, entry in numbered(game) if n == made), "")


def numbered(game: Game) -> Iterator[tuple[int, dict[str, Any]]]:
    """The choices of the log, each with how many had been made before it."""
    told = [entry for entry in game.log if entry["event"] == "choice"]
    return enumerate(told, len(game.journal) - len(told))


def is_open(program: Program, thought: Thought | Trial, asker: str) -> bool:
    """Whether the asker may know all that the player knew."""
    return not keeps_secrets(program) or asker in ("", thought.choice.side)


def explained(program: Program, thought: Thought, asker: str = "") -> list[str]:
    """One thought as lines."""
    choice, doctrine = thought.choice, program.doctrine
    assert doctrine is not None
    open_book = is_open(program, thought, asker)
    shown = text_of(program, thought) if open_book or not thought.decision.secret else f"{choice.side}: a secret answer"
    found = [f"{doctrine.name}, {shown}"]
    if thought.chosen is None:
        found.append(f"  {thought.said}")
        return [*found, *above(program, thought.tried)] if open_book else found
    found.append(f"  by {headed(program, thought.chosen)}")
    if not open_book:
        return [*found, "  what it reckoned with is its own secret"]
    found += reckoned(program, thought)
    found += runners_up(program, thought)
    return found + above(program, thought.tried[:-1])


def text_of(program: Program, thought: Thought) -> str:
    """A choice on one line."""
    choice = thought.choice
    types = None
    if thought.chosen is not None and thought.chosen.asks:
        types = {"": program.asks[thought.chosen.asks[0]].type}
    return short(show_choice(program, choice, types))


def headed(program: Program, preference: PreferenceInfo) -> str:
    title = program.cases.get(preference.case, "")
    return f'{preference.case} "{title}"' if title else preference.case


def reckoned(program: Program, thought: Thought) -> list[str]:
    """What the choice was worth, and the conditions that it met, each with what it rests on."""
    assert thought.chosen is not None
    twin = program.traced() if program.traced is not None else program
    assert program.doctrine is not None and twin.doctrine is not None
    at = program.doctrine.preferences.index(thought.chosen)
    preference = twin.doctrine.preferences[at]
    S = State.from_plain(twin, thought.seen)
    values = tuple(value for _, value in thought.choice.args)
    found: list[str] = []
    if preference.by is not None:
        found += value_lines(twin, S, preference.by, thought, values, "worth ")
    for asked in preference.tests:
        found += value_lines(twin, S, asked, thought, values, "since ")[:4]
    return found


def value_lines(
    twin: Program, S: State, asked: Asked, thought: Thought, values: tuple[Any, ...], word: str
) -> list[str]:
    """A ranking or condition with its value, and what was asked for it."""
    S.trace = []
    try:
        value = asked.ask(S, thought.choice.side, *values[: asked.level], *thought.frame)
    except (Fault, *NONSENSE):
        return []
    told = nodes(S.trace)
    head = f"  {word}{asked.text}" + ("" if value is True else f" = {decimal(value)}")
    below = [line for node in told if node.name == asked.name for line in below_lines(twin, nodes(node.below), 2, 4)]
    if not below:
        below = [line for node in told if node.name != asked.name for line in tree(twin, node, 2)]
    return [short(head), *below]


def runners_up(program: Program, thought: Thought) -> list[str]:
    """The next best ways of the case that chose."""
    best = thought.tried[-1].best
    mine = tuple(value for _, value in thought.choice.args)
    others = [(score, values) for score, values in best.found if values != mine][:MOST]
    ranked = thought.chosen is not None and thought.chosen.by is not None
    found = ["  next best:"] if others and ranked else []
    for score, values in others if ranked else ():
        args = tuple((name, value) for (name, _), value in zip(thought.choice.args, values, strict=True))
        other = Choice(thought.choice.decision, thought.choice.side, thought.choice.name, args)
        types = {"": program.asks[thought.chosen.asks[0]].type} if thought.chosen and thought.chosen.asks else None
        text = show_choice(program, other, types).partition(": ")[2]
        found.append(short(f"    {decimal(score)}  {text}"))
    if best.open:
        found.append(f"    the search was cut short after {best.looked:,} ways")
    return found


def decimal(score: Any) -> str:
    """A score for a reader: two figures behind the point are enough to compare."""
    return str(score) if isinstance(score, int) else f"{float(score):.2f}"


def above(program: Program, tried: Sequence[Tried]) -> list[str]:
    """The cases that were asked before and did not choose."""
    found: list[str] = []
    for x in tried:
        found.append(f"  before that, {headed(program, x.preference)}: no {x.preference.target} will do")
        for text, count in sorted(x.against, key=lambda y: -y[1])[:MOST]:
            found.append(short(f"    {count} shut out: {text}"))
    return found
