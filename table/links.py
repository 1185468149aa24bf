"""Links to seats: who holds one may sit there, and nobody else.

In:  the sides of a game.
Out: links with tokens of 128 random bits; which seat a token opens, compared in constant time.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

PERSON = "person"
"""The word for a side that somebody plays by a link."""
SEAT, HOT, WATCH = "seat", "hot seat", "spectator"


@dataclass(frozen=True, slots=True)
class Link:
    """A token, and the sides that it may play: one, all of them (a hot seat), or none (a spectator)."""

    token: str
    kind: str
    sides: tuple[str, ...] = ()

    def plain(self) -> dict[str, Any]:
        return {"token": self.token, "kind": self.kind, "sides": list(self.sides)}


def new_token() -> str:
    return secrets.token_urlsafe(16)


def new_links(persons: Sequence[str]) -> list[Link]:
    """A link a side that a person plays, one for all of them, one to look on."""
    found = [Link(new_token(), SEAT, (side,)) for side in persons]
    if len(persons) > 1:
        found.append(Link(new_token(), HOT, tuple(persons)))
    return [*found, Link(new_token(), WATCH)]


def find_link(links: Iterable[Link], token: str) -> Link | None:
    """The link of a token; every one is compared, so that time tells nothing."""
    found = None
    for link in links:
        if same(link.token, token):
            found = link
    return found


def same(a: str, b: str) -> bool:
    return secrets.compare_digest(a.encode(), b.encode("utf-8", "replace"))


def read_links(told: Iterable[dict[str, Any]]) -> list[Link]:
    return [Link(str(x["token"]), str(x["kind"]), tuple(map(str, x["sides"]))) for x in told]
