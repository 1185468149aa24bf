"""Verdicts on facts: what each says, and how a push on something becomes one.

In:  names with the direction in which each is pushed (+1 more, longer, more often; -1 less), and the book.
Out: a verdict: narrower, wider or different, how certain that is, and why.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ...check.phases import windows
from ...core import nodes as c
from . import victory
from .effects import Legal, Push, effects

WORD = {1: "wider", -1: "narrower"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether play may be altered, in which direction, how certain that is, and why; `evident` where it surely is.

    `way` names the side whose chance to win changes, where that is what gets wider or narrower; `but` is the choice for
    which a proved direction does not hold.
    """

    alters: bool
    direction: str
    certainty: str
    reason: str
    evident: bool = False
    way: str = ""
    but: str = ""


def still(reason: str) -> Verdict:
    return Verdict(False, "", "proved", reason)


def pushed(sign: int, reason: str, otherwise: str) -> Verdict:
    if sign == 0:
        return Verdict(True, "different", "unproved", otherwise)
    return Verdict(True, WORD[sign], "proved", reason)


def won(found: victory.Won | None) -> Verdict | None:
    """A verdict on how easily a side wins."""
    if found is None:
        return None
    side, sign = found
    reason = f"{side} wins {'more' if sign > 0 else 'less'} easily"
    return Verdict(True, WORD[sign], "proved", reason, way=f"for {side}")


def spread(pushes: Iterable[Push], book: c.Book, reason: str) -> Verdict:
    """Propagate pushes to all that asks for what is pushed."""
    known = list(pushes)
    sign = known[0][2] if known else 0
    if sign and len(known) == 1 and known[0][0] == "define":
        told = won(victory.by_definition(known[0][1], sign, book))
        if told is not None:
            return told
    found = effects(known, book) if sign else None
    ways = {way for _, _, way in found} if found is not None else set()
    if found is not None and len(ways) == 1:
        reason = f"{reason}; all that asks for it pushes one way"
        return owed(Verdict(True, WORD[ways.pop()], "proved", reason), found, book)
    return Verdict(True, "different", "unproved", reason)


def owed(verdict: Verdict, found: Iterable[Legal], *books: c.Book) -> Verdict:
    """A proved direction of what actions are legal, with what it does to the end of windows that a duty keeps open."""
    if verdict.certainty != "proved" or verdict.direction not in WORD.values():
        return verdict
    hit = {name for sort, name, _ in found if sort == "action"}
    names = [duty_.name for book in books for duty_ in book.duties.values() if keeps_open(duty_, hit, book)]
    if not names:
        return verdict
    later = "later" if verdict.direction == "wider" else "sooner"
    why = f"{verdict.reason}; a side may be done {later} under the duty {', '.join(dict.fromkeys(names))}"
    return replace(verdict, reason=why, but="done")


def keeps_open(duty_: c.Duty, actions: set[str], book: c.Book) -> bool:
    """Whether a duty refuses `done` while one of these actions is possible."""
    if duty_.failing is not None:
        return False
    times = windows(book)
    return any("*" in (at := times.get(name, set())) or at & set(duty_.phases) for name in actions)
