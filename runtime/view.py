"""What one side may know: position, log, decisions, refusals and explanations through one door.

In:  a game (or a bare state) and a side.
Out: plain data and text, built from an allow-list; what is not named here is not shown.

A mark that is `secret to` another side is left out, and so is what rests on it. Cups, and boxes that are
secret to another side, show how many they hold, not what; a box that is not counted shows nothing.
Secret questions of others, frames, dice and decision numbers are never shown. Refusals and
explanations are given on a *blinded* copy of the game, in which everything that the side may not see
stands at its start, and units that it does not see are dealt anew, in a fixed order, over the places
that it cannot see into; counters that are veiled from it are taken off. So they cannot tell what the
copy does not hold.

Limits: a rule that makes something public depend on a secret (a legality above all) makes the
secret public; that is for the book to say, and for the checker to find.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from . import canon
from .choices.drafts import veiled
from .dice import new_dice
from .game import Decision, Game
from .kept.fork import fork
from .machine import no_answer
from .notation import show
from .ops import as_many, shift
from .problems import NONSENSE, Fault, Ground, Refusal, reasons_of
from .program import printed_id
from .state import State, bound_at_start
from .telling.diary import ways_of
from .telling.explain import Why
from .telling.secrecy import (
    deal,
    keeps_secrets,
    kept_of,
    lift,
    may_see,
    names_kept,
    names_veiled,
    rests_on_secrets,
    rows_for,
    said_for,
    shut,
    text_for,
    unseen,
)
from .telling.veils import sees_less, veiled_marks, veiled_units
from .text import Choice, is_choice, show_owner

OTHERS = "{} does not choose for others"
UNSEEN = "for a reason that {} may not see"
CANNOT = "the rules cannot go on, for a reason that {} may not see"
SEEN = "  as far as {} can see: what is veiled from it is left out"
HIDDEN = "this rests on what {} may not see"


def view(of: Game | State, side: str) -> dict[str, Any]:
    """The position as a side may see it."""
    game = of if isinstance(of, Game) else Game(of.program, of)
    S, program, board = game.state, game.program, game.program.board
    if side not in program.sides:
        raise Refusal(f'there is no side "{side}"; the sides are: ' + ", ".join(program.sides))
    told = ("side", "sort", "name", "case", "secret")
    decisions = [{key: getattr(d, key) for key in told} for d in decisions_for(game, side)]
    return {
        "rules": program.name,
        "side": side,
        "over": game.over,
        "winner": S.winner,
        "phases": list(S.phases),
        **({"map": S.map} if board.maps else {}),
        "bound": {
            b: show(program, t, getattr(S, "bind_" + b))
            for b, t in program.bindings.items()
            if not rests_on_secrets(S, "bind_" + b, side) and not names_veiled(S, t, getattr(S, "bind_" + b), side)
        },
        "readings": dict(S.readings),
        "units": {
            name: {"place": None if place is None else printed_id(board.places[place]), "side": whose}
            for u, (name, place, whose) in enumerate(zip(program.units, S.at, S.unit_side, strict=True))
            if not unseen(S, u, side)
        },
        "cups": {
            board.places[p]: len(S.here[p])
            for p in sorted({*board.cups, *board.seen_by} - board.uncounted)
            if shut(board, p, side)
        },
        "marks": marks(S, side),
        "memories": {
            m.name: plain_rows(rows_for(S, "past_", m.name, side))
            for m in program.memories
            if not rests_on_secrets(S, m.name, side)
        },
        "spent": {
            q: plain_rows(rows_for(S, "spent_", q, side))
            for q in program.quotas
            if not rests_on_secrets(S, "spent_" + q, side)
        },
        "decisions": decisions,
        "waiting": not game.over and not any(d["side"] == side for d in decisions),
    }


# ---------------------------------------------------------------- marks and tables


def marks(S: State, side: str) -> dict[str, dict[str, str]]:
    """The marks that are off their start, as far as the side may see them."""
    program = S.program
    found: dict[str, dict[str, str]] = {}
    for column in (c for c in program.columns if c.name != "unit_side"):
        for owner, value in S.each(column):
            if value == column.start:
                continue
            if not (column.sort == "unit" and unseen(S, owner, side)) and may_see(S, column, owner, side):
                row = found.setdefault(column.name, {})
                row[show_owner(program, column, owner)] = show(program, column.type, value)
    return found


def plain_rows(table: dict[Any, Any]) -> list[list[Any]]:
    """A table by keys as sorted rows of plain data."""
    return sorted(([listed(k), listed(v)] for k, v in table.items()), key=repr)


def listed(value: Any) -> Any:
    if isinstance(value, tuple):
        return [listed(v) for v in value]
    return value if value is None or isinstance(value, bool | int | str) else str(value)


# ---------------------------------------------------------------- decisions and the log


def decisions_for(game: Game, side: str) -> list[Decision]:
    """What is to be decided, without the standing offers and the secret questions of others."""
    seen = blinded(game, side)
    try:
        found = seen.decisions
    except (*NONSENSE, Fault):  # a standing offer that rests on what the side may not see
        found = seen.pending
    return [d for d in found if d.side == side or not (d.secret or d.sort == "standing")]


def legal_for(game: Game, side: str) -> Iterator[Choice]:
    """The side's legal choices as far as it can know them; none where a question rests on another's secret."""
    with suppress(*NONSENSE, Fault):
        yield from blinded(game, side).legal(side)


def log_for(game: Game, side: str) -> list[dict[str, Any]]:
    """The log as a side may read it."""
    return [seen for entry in game.log if (seen := entry_for(game, entry, side)) is not None]


SHOWN = {
    "choice": ("text", "side", "name", "ways", "phases"),
    "answer": ("name", "side", "value", "type"),
    "phase": ("name", "var", "value"),
    "put": ("units", "place"),
    "set": ("mark", "owner", "value"),
    "spend": ("quota", "amount"),
    "roll": ("faces", "sides", "name"),
    "draw": ("drawn", "secret", "type"),
    "reveal": ("value", "mark", "owner", "type"),
    **dict.fromkeys(("skip", "skip_ahead", "again"), ("name",)),
    "note": ("texts", "values", "names"),
    "win": ("side",),
}


def entry_for(game: Game, entry: dict[str, Any], side: str) -> dict[str, Any] | None:
    """One entry of the log with what the side may read of it; None where that is nothing."""
    sort = entry["event"]
    if sort not in SHOWN:
        return None
    made = {"event": sort, "case": entry["case"], **{k: entry[k] for k in SHOWN[sort] if k in entry}}
    kept = kept_of(entry, side)
    match sort:
        case "choice" | "answer" if entry["secret"] and entry["side"] != side:
            return None
        case "choice":
            made["said"] = said_for(game.program, entry, side)
            if "parts" in entry:
                made["text"] = text_for(game.program, entry, side)
                made["ways"] = ways_of(entry) if made["text"] == entry["text"] else []
            elif kept and entry["side"] != side:
                made |= {"text": f"{entry['side']}: {entry['name']}(…)", "ways": []}
        case "answer" if kept and entry["side"] != side:
            return None
        case "phase" if entry["var"] is not None and rests_on_secrets(
            game.state, "bind_" + entry["var"], side, ever=True
        ):
            made["var"] = made["value"] = None
        case "phase" if kept:
            made["var"] = made["value"] = None
        case "spend" if rests_on_secrets(game.state, "spent_" + entry["quota"], side, ever=True):
            return None
        case "spend" if kept:
            return None
        case "set" if entry.get("secret", False) and entry["to"] != side:
            return None
        case "draw" if entry["secret"] not in (None, side) or kept:
            made["drawn"] = None
        case "put" if shut(game.program.board, entry["place"], side):
            if entry["place"] in game.program.board.uncounted:
                return None
            made["units"] = len(entry["units"])
        case "put" if kept:
            made["units"] = tuple(u for u in entry["units"] if u not in kept)
            return made if made["units"] else None
        case "note":
            hidden = (any(shut(game.program.board, p, side) for p in places) for *_, places in entry["values"])
            hidden = (hide or i in kept for i, hide in enumerate(hidden))
            values = zip(entry["values"], hidden, strict=True)
            made["values"] = [["hidden", None, []] if hide else value for value, hide in values]
        case "set" if "at" in entry and shut(game.program.board, entry["at"], side):
            return None
        case "set" if kept:
            made["owner"] = tuple(o for o in as_many(entry["owner"]) if o not in kept)
            return made if made["owner"] else None
    return made


# ---------------------------------------------------------------- refusals and explanations


def blinded(game: Game, side: str, turned: bool = False) -> Game:
    """The game with all that a side may not see put back to its start; `turned` deals unseen units the other way."""
    veil = veiled_units(game.state, side), veiled_marks(game.state, side)
    S, program = fork(game.state), game.program
    unanswered = {ask.name: no_answer(ask) for ask in program.asks}
    kept_names = [(frame, names_kept(S, frame, side)) for frame in S.stack]
    for memory in program.memories:
        if rests_on_secrets(S, memory.name, side):
            setattr(S, "past_" + memory.name, {})
    for quota in program.quotas:
        if rests_on_secrets(S, "spent_" + quota, side):
            setattr(S, "spent_" + quota, {})
    for name, type_ in program.bindings.items():
        if rests_on_secrets(S, "bind_" + name, side):
            setattr(S, "bind_" + name, bound_at_start(type_))
    secret = ((c, o) for c in program.columns if c.secret for o, v in S.each(c) if v != c.start)
    for column, owner in [(c, o) for c, o in secret if not may_see(S, c, o, side)]:
        S.give(column, owner, column.start)
    if program.veils:
        lift(S, side, *veil)
    deal(S, side, turned)
    for frame, kept in kept_names:
        for name in kept:
            frame[2][name] = unanswered.get(name)
    S.dice, S.drafts = new_dice(0), [veiled(draft) for draft in S.drafts]
    S.pending = [x for x in S.pending if x["side"] == side or x["sort"] != "ask" or not program.asks[x["ref"]].secret]
    S.forget()
    return Game(program, S, game.journal)


def refusals_for(game: Game, side: str, choice: Choice | str) -> list[Ground]:
    """Why a side's choice is refused, as far as it may be told; not a word about what others may decide."""
    seen = blinded(game, side)
    made = seen.read(choice) if isinstance(choice, str) else choice
    if made.side != side:
        return [Ground(label=OTHERS.format(side))]
    late = "that decision is not pending"
    try:
        return [Ground(label=late) if not g.case and g.label.startswith(late) else g for g in seen.refusals(made)]
    except (*NONSENSE, Fault):
        return [Ground(label=UNSEEN.format(side))]


def why_for(game: Game, side: str, choice: Choice | str) -> str:
    """The explanation of a side's choice, or of the value of an expression, as far as it may be told."""
    if isinstance(choice, str) and not is_choice(game.program, choice):
        veiled_here = f"\n{SEEN.format(side)}" if sees_less(game.state, side) else ""
        return f"{value_for(game, side, choice)}{veiled_here}"
    seen = blinded(game, side)
    made = seen.read(choice) if isinstance(choice, str) else choice
    try:
        return str(seen.why(made)) if made.side == side else OTHERS.format(side)
    except (*NONSENSE, Fault):
        return UNSEEN.format(side)


def value_for(game: Game, side: str, text: str) -> Any:
    """The explanation of an expression's value, where it rests on nothing that the side may not see.

    What lies in cups stays where it is on the blinded copy, since rules ask for it; so the answer is worked out once
    more without it, and told only if that makes no difference; and once more with unseen units dealt the other way.
    """
    seen, board = blinded(game, side), game.program.board
    answer = valued(seen, text)
    if answer is None or (board.cups and str(answer) != str(valued(emptied(seen), text))):
        raise Refusal(HIDDEN.format(side))
    if board.seen_by:
        turned = str(valued(blinded(game, side, turned=True), text))
        head = str(answer).partition("\n")[0]
        if head != turned.partition("\n")[0]:
            raise Refusal(HIDDEN.format(side))
        if str(answer) != turned and isinstance(answer, Why):  # the value is known, what it is made of is not
            return replace(answer, told=(head,))
    if isinstance(answer, Refusal):
        raise answer
    return answer


def valued(game: Game, text: str) -> Any:
    """The explanation of a value, or the refusal; None where the rules cannot go on."""
    try:
        return game.why(text)
    except Refusal as refused:
        return refused
    except (*NONSENSE, Fault):
        return None


def emptied(game: Game) -> Game:
    """The game with nothing in its cups."""
    S = game.state.copy()
    for cup in S.program.board.cups:
        for unit in list(S.here[cup]):
            shift(S, unit, None)
    S.forget()
    return Game(game.program, S, game.journal)


def undo_for(game: Game, side: str) -> None:
    """Take back a side's own last choice, as far as it can see.

    Others may have answered in secret since. Where their questions stood open before the choice, and one still does,
    the answers stay; where such a question was put since, nothing can be taken back, whether it is answered or not.
    """
    past, log = game._past, game.log
    at = next((i for i in range(len(past) - 1, -1, -1) if entry_for(game, log[past[i][1]], side) is not None), None)
    if at is None:
        raise Refusal("there is nothing to undo")
    if log[past[at][1]]["side"] != side:
        raise Refusal("the last choice was another's; undo needs the table's agreement")
    steps = len(past) - at
    before = {x["id"] for x in game._was(at).pending}
    now = [d for d in game.pending if d.id not in before]
    if any(d.secret and d.side != side for d in now) or (steps > 1 and (now or not game.pending)):
        raise Refusal("another side may have chosen since; undo needs the table's agreement")
    made, *since = [Choice.from_plain(event) for event in list(game.journal.events())[len(game.journal) - steps :]]
    if game.program.veils and told_more(game, side, at, made):
        raise Refusal("something hidden has shown in it; undo needs the table's agreement")
    game.undo(steps=steps, but=since)


def told_more(game: Game, side: str, at: int, made: Choice) -> bool:
    """Whether a side learned by a choice what it could not have worked out from all that it saw before: a number that
    was made of veiled units, say. Carried out on the position as it saw that, the choice would have come to something
    else."""
    last = at + 1 == len(game._past)
    then = Game(game.program, game.state if last else game._was(at + 1), game.journal)
    then.log = game.log[game._past[at][1] : None if last else game._past[at + 1][1]]
    seen = blinded(Game(game.program, game._was(at), game.journal), side)
    seen.state.log = []
    with suppress(*NONSENSE, Fault):
        if not seen.refusals(made):
            seen.playout(made)
            seen.take_log()
            return told_by(seen, side) != told_by(then, side)
    return True


def told_by(game: Game, side: str) -> bytes:
    """How things stand for a side, and all that its log says but for the choices."""
    log = [entry for entry in log_for(game, side) if entry["event"] != "choice"]
    return canon.dumps([view(blinded(game, side), side), log])


def earlier(game: Game, made: int) -> Game:
    """The game as it was after so many choices, with its log up to there; to be looked at, not to be played on.

    Reports: `Refusal` where the game does not go back so far: one that was resumed from a snapshot begins there.
    """
    at = made - (len(game.journal) - len(game._past))
    if not 0 <= at <= len(game._past):
        raise Refusal(f"this game does not go back to its choice {made}")
    now = at == len(game._past)
    then = Game(game.program, game.state if now else game._was(at), game.journal)
    then.log = game.log if now else game.log[: game._past[at][1]]
    return then


def save_for(game: Game, side: str) -> bytes:
    """All that a side may keep of a game, as one record."""
    return canon.dumps({"view": view(game, side), "log": log_for(game, side)})


def may_be_tried(seen: Game, made: Choice) -> bool:
    """Whether a choice is legal on a blinded copy, in a book with veils; what cannot be judged there may be tried."""
    if not seen.program.veils:
        return True
    with suppress(*NONSENSE, Fault):
        return not seen.refusals(made)
    return True


def do_for(game: Game, side: str, choice: Choice | str) -> None:
    """Carry out a side's choice; a refusal or a fault says no more than the side may know.

    Where counters are veiled the choice has to be legal as the side sees the position, too: what lies veiled makes
    nothing possible, so trying tells nothing.
    """
    seen = blinded(game, side)
    made = seen.read(choice) if isinstance(choice, str) else choice
    try:
        if made.side == side and may_be_tried(seen, made) and not game.refusals(made):
            game.do(made)
            return
    except Fault:
        if keeps_secrets(game.program):
            raise Fault(CANNOT.format(side), "") from None
        raise
    grounds = refusals_for(game, side, choice)
    raise Refusal("refused: " + (reasons_of(grounds) or UNSEEN.format(side)), tuple(grounds))
