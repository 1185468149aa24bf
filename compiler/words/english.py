"""English grammar for generated sentences: articles, number, verbs, negation, lists.

In:  words and phrases.
Out: phrases. Nothing here knows about rules; irregular words are in tables.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

AUXILIARIES = {"is": "are", "are": "are", "has": "have", "have": "have", "was": "were", "were": "were", "had": "had"}
"""Verbs that take `not` behind them, with their plural."""
SINGULAR = {"are": "is", "have": "has", "were": "was"}
DENIED = {"can": "cannot", "must": "need not"}
"""Modals whose denial is another word: who does not have to attack *must not* attack only in another sense."""
MODALS = frozenset({"may", "can", "must", "will", "would", "could", "need"})
DOES = {"does": "do", "do": "do"}
PAST = {
    "began": "begin",
    "stood": "stand",
    "left": "leave",
    "held": "hold",
    "lost": "lose",
    "took": "take",
    "went": "go",
}
"""Verbs of the past that names and phrases use, with their base form."""
VERB_FORMS = {"goes": "go", "does": "do", "lies": "lie", "dies": "die", "ties": "tie"}
OWNING = {"has": "does", "have": "do", "had": "did"}
"""Forms of `have` that are the verb itself where a noun follows."""
ARTICLES = frozenset({"a", "an", "the", "its", "their", "any", "enough", "air", "two", "three", "no"})
PERFECT = frozenset(
    "been had gone won lost left fought put made kept begun thrown brought held found come run become met paid spent "
    "set cut sent built burnt dug hit laid led sunk sat struck swum shot stood sold told bought caught taught swept "
    "just still never ever not already yet since in at on by when only".split()
)
"""Words behind `has` of a perfect tense that do not look like a participle."""
IRREGULAR = {"corps": "corps", "hex": "hexes", "army": "armies", "man": "men", "foot": "feet"}
_S = re.compile(r"(?:s|x|z|ch|sh)\Z")


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun phrase: its words without the article, the article, and whether it is plural."""

    head: str
    article: str = ""
    plural: bool = False
    joined: bool = False
    """It names several things with a comma or a conjunction in it, so that more must not hang on its end."""
    amount: bool = False
    """It is a number that is worked out: in brackets where what it counts stands behind it."""

    def __str__(self) -> str:
        return f"{self.article} {self.head}" if self.article else self.head

    @property
    def any(self) -> str:
        """The phrase without `the`: units in the hex."""
        return self.head if self.article == "the" else str(self)

    @property
    def owning(self) -> str:
        """The possessive: the unit's, the units', its."""
        if self.head in PRONOUNS:
            return PRONOUNS[self.head]
        said = str(self)
        return f"{said}'" if self.plural and said.endswith("s") else f"{said}'s"

    @property
    def short(self) -> bool:
        """Whether the possessive reads well in front (the unit's strength) and `of` is not needed."""
        return not self.joined and len(self.head.split()) <= 2

    def many(self) -> Noun:
        return self if self.plural else replace(self, head=plural(self.head), plural=True)


PRONOUNS = {"it": "its", "they": "their", "each": "each one's"}


def words(name: str) -> str:
    """A declared name as words."""
    return name.replace("_", " ").strip()


def plural(noun: str) -> str:
    head, _, last = noun.rpartition(" ")
    made = IRREGULAR.get(last)
    if made is None:
        if last.endswith("y") and last[-2:-1] not in ("a", "e", "o", "u"):
            made = f"{last[:-1]}ies"
        else:
            made = f"{last}es" if _S.search(last) else f"{last}s"
    return f"{head} {made}" if head else made


BEHIND = (
    "of that which whose from in at to on for by with between who where when under over off against into as due round "
    "among without through aboard along"
)
LINKS = re.compile(rf" (?:{BEHIND.replace(' ', '|')}|next to|open to) ")
"""What describes a noun and stands behind it."""


def is_plural(phrase: str) -> bool:
    """Whether the noun that heads a phrase is a plural: the last word before what describes it."""
    head = LINKS.split(f"{phrase} ", maxsplit=1)[0].strip()
    last = head.rpartition(" ")[2].lower().rstrip(",;”")
    return last in PLURALS or (len(last) > 3 and last.endswith("s") and not last.endswith(("ss", "us", "is", "'s")))


PLURALS = frozenset({"men", "feet", "people", "those"})


def article(noun: str) -> str:
    """The indefinite article of a noun, by sound: `unit` and `use` take `a`."""
    return "an" if noun[:1].lower() in "aeiou" and not noun.lower().startswith(("uni", "use", "eu")) else "a"


def a(noun: str) -> str:
    """A noun with its indefinite article."""
    return f"{article(noun)} {noun}"


def listed(items: Sequence[str], last: str = "and") -> str:
    """Several phrases as one: a, b and c."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def sentence(text: str) -> str:
    """A phrase as a sentence: capital letter and full stop."""
    text = text.strip()
    if not text:
        return ""
    text = text[0].upper() + text[1:]
    return text if text[-1] in ".:!?" else f"{text}."


def verb_phrase(text: str, many: bool, positive: bool) -> str:
    """A verb phrase given in the third person singular, inflected for number and negation."""
    verb, _, rest = text.partition(" ")
    if not positive and verb in OWNING and owned_thing(rest.partition(" ")[0]):
        return f"{'do' if many and verb != 'had' else OWNING[verb]} not have {rest}"
    if verb in AUXILIARIES:
        verb = AUXILIARIES[verb] if many else SINGULAR.get(verb, verb)
        if many and verb in ("are", "were"):
            rest = several_of(rest)
        verb = verb if positive else f"{verb} not"
    elif verb in MODALS:
        verb = verb if positive else DENIED.get(verb, f"{verb} not")
    elif verb in DOES:
        verb = ("do" if many else verb) + ("" if positive else " not")
        rest = rest.removeprefix("not ") if not positive else rest
    elif not positive and verb in PAST:
        verb = f"did not {PAST[verb]}"
    elif not positive:
        verb = f"{'do' if many else 'does'} not {base_form(verb)}"
    elif many:
        verb = base_form(verb)
    return f"{verb} {rest}".strip()


def owned_thing(word: str) -> bool:
    """Whether a word behind `has` begins what is had, and is no participle, nor what stands before one."""
    return word in ARTICLES or not (word in PERFECT or word.endswith(("ed", "en", "wn", "ne")))


def several_of(rest: str) -> str:
    """What several things are: `a combat unit` becomes `combat units`."""
    first, _, behind = rest.partition(" ")
    if first not in ("a", "an") or " or " in f"{behind} ":
        return rest
    link = LINKS.search(f"{behind} ")
    head, tail = (behind[: link.start()], behind[link.start() :]) if link else (behind, "")
    return f"{plural(head)}{tail}"


def base_form(verb: str) -> str:
    """The base form of a verb in the third person singular."""
    if verb in VERB_FORMS:
        return VERB_FORMS[verb]
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    if verb.endswith("es") and _S.search(verb[:-2]):
        return verb[:-2]
    return verb.removesuffix("s") if not verb.endswith("ss") else verb


def is_verb(word: str) -> bool:
    """Whether a word can open a verb phrase: an auxiliary, or a verb in the third person."""
    return word in AUXILIARIES or word in MODALS or word in DOES


def number(n: int) -> str:
    small = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    return small[n] if 0 <= n < len(small) else str(n)


def definite(text: str) -> Noun:
    """A phrase as a noun, in the number of its words: the odds are plural, the zone of a unit is singular."""
    many = is_plural(text)
    for word in ("the", "a", "an"):
        if text.startswith(f"{word} "):
            return Noun(text[len(word) + 1 :], word, many)
    return Noun(text, plural=many)


def agree(verb: str) -> str:
    """A singular verb phrase in the plural."""
    first, _, rest = verb.partition(" ")
    changed = {"is": "are", "has": "have", "was": "were", "does": "do"}.get(first)
    if changed in ("are", "were"):
        denied = "not " if rest.startswith("not ") else ""
        rest = f"{denied}{several_of(rest.removeprefix('not '))}"
    if changed is None:
        changed = first if is_verb(first) else base_form(first)
    return f"{changed} {rest}".strip()


def theirs(verb: str) -> str:
    """A predicate whose subject becomes plural: `its` in it is the subject's, up to what speaks of others."""
    found = re.split(r"(?= (?:whose|that|for which) )", verb, maxsplit=1)
    return re.sub(r"\bits\b", "their", found[0]) + "".join(found[1:])


def of_which(said: str) -> str:
    """A relative clause of a clause about `it`: `in which the enemies stand`, `for which it is the turn`."""
    found = re.fullmatch(r"(.+) (of|on|in|at|to|from|by) it", said)
    if found is not None and not re.search(r"\b(?:its?|that|which|whose)\b", found[1]):
        return f"{found[2]} which {found[1]}"
    return f"{'such that' if said.startswith('for ') else 'for which'} {said}"
