"""Names in scope, and the noun phrase for each.

In:  parameters, locals and loop variables, with their types.
Out: `the unit`, `the attackers`, `it`; the variable of an outer loop becomes `that unit`.

A name of three letters or more is taken for a word and kept. A shorter one is taken for an abbreviation: its type says
more. Two short names of one type keep their letters: unit a, unit b.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..core.types import FLAG, Type
from .english import Noun, is_plural, plural, words
from .english import article as indefinite

PRIMITIVE = {"place": "hex", "prim": "thing", "flag": "condition", "anything": "thing", "layer": "line", "text": "name"}
SHORTEST = 3
ASKING = frozenset({"how", "what", "who", "whom", "which"})
"""Names that say no more than their type."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Noun phrases by name; `loops` are the variables of enclosing loops, outermost first."""

    nouns: Mapping[str, Noun]
    loops: tuple[tuple[str, Type], ...] = ()

    def with_name(self, name: str, noun: Noun) -> Scope:
        return Scope({**self.nouns, name: noun}, self.loops)

    def in_loop(self, var: str, of: Type, place: str) -> Scope:
        """The scope inside a loop: its member is `it`, those of outer loops become `that unit`."""
        nouns = dict(self.nouns)
        for at, (outer, type) in enumerate(self.loops):
            same = sum(1 for _, t in self.loops[: at + 1] if t == type)
            pointer = "that" if same == 1 else "that other"
            nouns[outer] = Noun(type_noun(type, place), pointer)
        nouns[var] = Noun("it")
        return Scope(nouns, (*self.loops, (var, of)))


def type_noun(type: Type, place: str) -> str:
    """The singular noun for a type."""
    if type.of is not None:
        return plural(type_noun(type.of, place))
    if type.name == "place":
        return place
    return words(PRIMITIVE.get(type.name, type.name) or "thing")


def of_names(
    names: Iterable[tuple[str, Type]], place: str, known_already: bool = True, own: Mapping[str, str] | None = None
) -> dict[str, Noun]:
    """The noun phrases of names; `own` are nouns that the book gives to some of them."""
    known = list(names)
    given = {n: f"{words(n)} {type_noun(t, place)}" for n, t in known if describes(n, t)}
    given |= {n: f"number {words(n)}" for n, t in known if t.plain.name == "number" and n in PARTICIPLES}
    given |= dict(own or {})
    brief = {n for n, _ in known if n not in given and (len(n) < SHORTEST or n in ASKING)}
    short = [type_noun(t, place) for name, t in known if name in brief]
    found: dict[str, Noun] = {}
    for name, type in known:
        noun = given.get(name) or (type_noun(type, place) if name in brief else words(name))
        many = type.many or (type.plain.name == "number" and len(name) >= SHORTEST and is_plural(noun))
        if type.plain == FLAG and name not in given:
            found[name] = Noun(f"“{words(name)}”" if known_already else "yes or no")
        elif name in brief and short.count(noun) > 1:
            found[name] = Noun(f"{noun} {name}", "", many)
        elif known_already:
            found[name] = Noun(noun, "the", many)
        else:
            found[name] = Noun(noun, "" if many else indefinite(noun), many)
    return found


ADJECTIVES = frozenset(
    "back beaten best big chosen dead far first free fresh gone held kept last leaving lost lucky near new nearest "
    "next old open other ready sent spent strong surplus taken tired weak worn worst".split()
)
PARTICIPLES = frozenset({"held", "kept", "lost", "sent", "spent", "taken"})
"""Names of numbers that say of what: the number lost."""
DESCRIBED = frozenset({"unit", "place", "side", "plan", "path"})


def describes(name: str, type: Type) -> bool:
    """Whether a name only describes what it stands for, so that its type must be said too: `lost`, `recalled`."""
    of = type.of if type.of is not None else type
    if of.name not in DESCRIBED or "_" in name:
        return False
    return name in ADJECTIVES or (len(name) > 4 and name.endswith("ed"))


def local(name: str, type: Type, place: str) -> Noun:
    """A name bound by a statement: an answer, a roll, a `let`."""
    return of_names([(name, type)], place)[name]
