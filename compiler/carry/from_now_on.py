"""A saved game that goes on under other rules from its present position.

In:  a save, the rule set that it was played under, and the one that is to hold from now on.
Out: a verdict: whether the position is lawful under the new rules, what breaks which case, what each side loses and
     gains, which earlier choices would have been refused; and the game itself, ready to be played on and saved.
Reports: `SaveProblem` and `Refusal` of a save that does not replay under its own rules.

The journal of the game that goes on begins with its position, and its header names the rules of before, the number of
choices under them and the seal of the last: whoever reads it sees that the rules changed, and where.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulewright.runtime.begin import begun
from rulewright.runtime.game import Game
from rulewright.runtime.journal import CARRIED, Header, Journal, Played, SaveProblem
from rulewright.runtime.state import State
from rulewright.runtime.text import Choice

from .changes import NAMED, Earlier, Open, counters, earlier, open_choices, plain_refused, sentence, shown
from .lawful import Break, Lawful
from .position import Carrier, Stuck
from .ruleset import RuleSet

AWAY = ("not in play", "(not in play)")
"""How a line about a counter ends that is not in play."""
FEW = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What becomes of a game; `game` is there where its position is lawful."""

    rules: tuple[str, str]
    choices: int
    breaks: list[Break]
    owed: list[Break]
    dropped: list[str]
    counters: dict[str, list[str]]
    shown: list[tuple[str, str, str]]
    open: list[Open]
    earlier: Earlier
    game: Game | None
    over: bool

    @property
    def lawful(self) -> bool:
        return self.game is not None


def from_now_on(path: Path, a: RuleSet, b: RuleSet) -> Verdict:
    """The verdict about a save."""
    journal = Journal.read(path)
    header = journal.header
    if header.rules_hash != a.program.rules_hash:
        message = f"the save {path} was played under other rules of {header.rules} than those at hand"
        raise SaveProblem(message, "name those: --book NAME, or --git REF where the text has changed since")
    events = [Choice.from_plain(event) for event in journal.events()]
    carrier, lawful = Carrier(a, b), Lawful(a, b)
    game = begun(a.program, header)
    past = earlier(carrier, game, events)
    breaks, owed, dropped, now = [], [], [], None
    try:
        state = carrier.carried(game.state.plain())
        dropped = list(carrier.dropped)
        breaks = lawful.breaks(game.state, state)
        owed = lawful.owed(game.state, state)
        now = Game(b.program, state.copy())
    except Stuck as stuck:
        breaks = [Break(case, said) for case, said in stuck.reasons]
    return Verdict(
        rules=(header.rules, b.program.name),
        choices=len(events),
        breaks=breaks,
        owed=owed,
        dropped=dropped,
        counters=counters(a, b, game.state),
        shown=shown(game, now) if now is not None else [],
        open=open_choices(game, now) if now is not None and not game.over else [],
        earlier=past,
        over=game.over,
        game=going_on(b, state, header, journal) if now is not None and not breaks and not game.over else None,
    )


def going_on(b: RuleSet, state: State, header: Header, journal: Journal) -> Game:
    """The game as it goes on: a journal of its own, whose header says what was played before."""
    done = Played(header.rules, header.rules_hash, len(journal), journal.head)
    made = Header(
        rules=b.program.name,
        rules_hash=b.program.rules_hash,
        scenario=header.scenario,
        seed=header.seed,
        start=state.plain(),
        format=CARRIED,
        before=(*header.before, done),
    )
    return Game(b.program, state, Journal(made))


# ---------------------------------------------------------------- telling it


def lines(v: Verdict) -> list[str]:
    """The verdict for a reader."""
    old, new = v.rules
    made = f"{v.choices} choice{'s' if v.choices != 1 else ''} under {old}"
    if v.over:
        found = [f"the game is over: there is nothing to go on with under {new}"]
    elif v.lawful:
        found = [f"after {made} the game can go on under {new} from its present position"]
    else:
        found = [f"after {made} the game cannot go on under {new} from its present position"]
    found += ["", "what breaks a rule now:"] if v.breaks else []
    for x in v.breaks:
        found += [f"  {x.case + ': ' if x.case else ''}{x.what}", *([f"    {x.rule}"] if x.rule else [])]
    found += ["", "what is still to be done:"] if v.owed else []
    found += [f"  {x.case}: {x.what}" for x in v.owed]
    found += ["", "what does not come along:"] if v.dropped else []
    found += [f"  {x}" for x in v.dropped]
    for side, told in v.counters.items():
        found += ["", f"counters of {side}:", *(f"  {x}" for x in some(told))]
    found += ["", "what players have before them:"] if v.shown else []
    found += [f"  {name}: {x} becomes {y}" for name, x, y in v.shown]
    for o in v.open:
        found += ["", *choices_of(o)]
    found += ["", *earlier_of(v.earlier, v.choices)]
    return found


def some(told: list[str]) -> list[str]:
    """What is said of counters: all that are in play, and a few of the others."""
    away = [x for x in told if x.endswith(AWAY)]
    more = [f"and {len(away) - FEW} more that are not in play"] if len(away) > FEW else []
    return [*(x for x in told if not x.endswith(AWAY)), *away[:FEW], *more]


def choices_of(o: Open) -> list[str]:
    """What a side may no longer do now, and what it may do besides."""
    cut = " (the first that are listed; there may be more)" if o.cut else ""
    found = [f"lawful choices listed for {o.side}: {o.before} under the old rules, {o.after} under the new{cut}"]
    if o.lost:
        found.append(f"  no longer lawful: {len(o.lost)}")
        found += [f"    {sentence(r)}" for r in o.lost[:NAMED]]
    if o.gained:
        found.append(f"  new: {len(o.gained)}")
        found += [f"    {x}" for x in o.gained[:NAMED]]
    found += [f"  cannot be worked out{f' (case {case})' if case else ''}: {why}" for case, why in o.faults[:NAMED]]
    return found


def earlier_of(e: Earlier, choices: int) -> list[str]:
    if not choices:
        return ["no choice has been made so far"]
    found = [f"earlier choices that the new rules would have refused: {len(e.refused)} of {e.asked}"]
    found += [f"  choice {r.event}: {sentence(r)}" for r in e.refused]
    if e.unasked:
        first, why = e.unasked[0]
        found.append(f"  {len(e.unasked)} could not be asked, choice {first} first: {why}")
    return found


def as_json(v: Verdict) -> dict[str, Any]:
    """The verdict for a program."""
    return {
        "rules": {"before": v.rules[0], "after": v.rules[1]},
        "choices": v.choices,
        "lawful": v.lawful,
        "breaks": [{"case": x.case, "what": x.what, "rule": x.rule} for x in v.breaks],
        "owed": [{"case": x.case, "what": x.what} for x in v.owed],
        "dropped": v.dropped,
        "counters": v.counters,
        "shown": [{"name": n, "before": x, "after": y} for n, x, y in v.shown],
        "open": [
            {
                "side": o.side,
                "before": o.before,
                "after": o.after,
                "cut": o.cut,
                "lost": [plain_refused(r) for r in o.lost],
                "gained": list(o.gained),
                "faults": [{"case": case, "why": why} for case, why in o.faults],
            }
            for o in v.open
        ],
        "earlier": {
            "asked": v.earlier.asked,
            "refused": [plain_refused(r) for r in v.earlier.refused],
            "not_asked": [{"event": i, "why": why} for i, why in v.earlier.unasked],
        },
    }
