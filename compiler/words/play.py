"""What play says: how actions, questions and refusals are put to players.

In:  a book in the core.
Out: texts by key, with slots `{name:type}` for what is filled in when it is said (runtime/telling/words.py):
     `NAME` and `THING.PART` as the book's own words have them, `action NAME`, `quota NAME`, `ask NUMBER`,
     `CASE FILE:LINE` of a rule that refuses.

A book's own phrase is taken where there is one; the writer makes the others, so that nothing is said in code.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..core import nodes as c
from ..core.texts import file_line, type_text
from ..core.types import NUMBER, PLACE, Type
from ..core.walk import all_statements, question_homes, question_key
from .english import Noun, listed, words
from .expressions import Words
from .phrases import SLOT, Phrase, phrases_of
from .scope import Scope
from .statements import chosen


def sayings(book: c.Book) -> dict[str, dict[str, str]]:
    """By language, everything that play says in words of the book."""
    languages = dict.fromkeys(("en", *(x.language for x in book.words)))
    return {language: in_language(book, language) for language in languages}


def in_language(book: c.Book, language: str) -> dict[str, str]:
    """The texts of one language; another than English holds only what the book gives."""
    given = {x.key: x.text for x in book.words if x.language == language}
    own = {key: Phrase(text) for key, text in given.items()}
    w = Words(book, phrases_of(book, language)) if language == "en" else None
    found = {key: text for key, text in given.items() if all(m[1] == "it" for m in SLOT.finditer(text))}
    for x in book.actions.values():
        put(found, f"action {x.name}", action(x, own, w))
    for q in book.quotas.values():
        put(found, f"quota {q.name}", quota(q, own, w))
    for home, p in question_homes(book):
        types = names_of(p)
        for s in all_statements(p):
            if isinstance(s, c.AskSide):
                put(found, f"ask {s.ask.id}", question(s.ask, types, own, w, home))
                put(found, f"so that {s.ask.case} {file_line(s.ask.span)}", condition(s.ask, types, w))
    said_by_book: set[str] = set()
    for about, rules, params in ruled(book):
        for r in rules:
            key, by_book = rule_key(r), f"{about}.{r.label}" in own
            if by_book or key not in said_by_book:  # a route that is like another has its rules, not their phrases
                put(found, key, refusal(r, about, params, own, w))
            if by_book:
                said_by_book.add(key)
    return found


def put(found: dict[str, str], key: str, text: str | None) -> None:
    if text is not None:
        found[key] = text


def slots(types: Mapping[str, Type]) -> dict[str, Noun]:
    """Names as slots that are filled when a text is said."""
    return {name: Noun(slot(name, type), plural=type.many) for name, type in types.items()}


def slot(name: str, type: Type) -> str:
    return f"{{{name}:{type_text(type)}}}"


def typed(text: str, types: Mapping[str, Type]) -> str:
    """A book's own phrase with the types of its slots; a name of no type is said as it is."""
    given = slots(types)
    return SLOT.sub(lambda m: (given[m[1]].owning if m[2] else str(given[m[1]])) if m[1] in given else m[0], text)


def action(x: c.Action, own: Mapping[str, Phrase], w: Words | None) -> str | None:
    """What a side does."""
    types = {p.name: p.type for p in x.params}
    if x.name in own:
        return typed(own[x.name].text, types)
    if w is None:
        return None
    parts = [str(n) for n in slots(types).values()]
    return f"{words(x.name)}{': ' if parts else ''}{', '.join(parts)}"


def quota(q: c.Quota, own: Mapping[str, Phrase], w: Words | None) -> str | None:
    """What is counted; its slots are `k0`, `k1`, …: a refusal knows by position alone what a quota was asked with."""
    params = q.definition.params
    if q.name in own:
        at = {p.name: f"k{i}" for i, p in enumerate(params)}
        told = SLOT.sub(lambda m: f"{{{at.get(m[1], m[1])}{m[2] or ''}}}", own[q.name].text)
        return typed(told, {f"k{i}": p.type for i, p in enumerate(params)})
    if w is None:
        return None
    of = listed([slot(f"k{i}", p.type) for i, p in enumerate(params)])
    return f"the allowance for “{words(q.name)}”" + (f" of {of}" if of else "")


def question(
    ask: c.Ask, types: Mapping[str, Type], own: Mapping[str, Phrase], w: Words | None, home: str
) -> str | None:
    """What a side is asked; the words of the question name what it is about."""
    given = own.get(question_key(home, ask))
    if given is not None:
        return typed(given.text, types)
    if w is None:
        return None
    scope = Scope(slots(types))
    if ask.sort == "whether":
        return f"{words(ask.name)}?"
    said = chosen(w, ask, Noun(words(ask.name)), scope)
    verb, _, rest = said.partition(" ")
    return f"{verb.removesuffix('s')} {rest}" if verb.endswith("s") else said


def condition(ask: c.Ask, types: Mapping[str, Type], w: Words | None) -> str | None:
    """What the answer as a whole must be."""
    if w is None or ask.so_that is None:
        return None
    return w.clause(ask.so_that, Scope(slots(types)))


def refusal(
    r: c.Rule, about: str, params: tuple[c.Param, ...], own: Mapping[str, Phrase], w: Words | None
) -> str | None:
    """What speaks against a choice, as it stands now."""
    types = {p.name: p.type for p in params} | {"here": PLACE, "there": PLACE}
    given = own.get(f"{about}.{r.label}") if r.label else None
    if given is not None:
        return typed(given.text, types)
    if w is None:
        return None
    scope = Scope({**slots(types), "actor": Noun("{actor:kind:side}")})
    said = w.clause(r.test, scope, r.sort != "require")
    if r.guard is not None:
        said += f", where {w.clause(r.guard, scope)}"
    return said


def rule_key(r: c.Rule) -> str:
    """How a ground of the runtime names its rule: by case and place in the text."""
    return f"{r.case} {file_line(r.span)}"


def ruled(book: c.Book) -> Iterable[tuple[str, tuple[c.Rule, ...], tuple[c.Param, ...]]]:
    for several in (book.routes, book.matchings, book.actions):
        for name, x in several.items():
            yield name, x.rules, x.params


def names_of(p: c.Procedure) -> dict[str, Type]:
    """The names that stand in a procedure, with their types."""
    found = {x.name: x.type for x in p.params}
    for s in all_statements(p):
        match s:
            case c.Let(name=name, value=value):
                found[name] = value.type
            case c.Roll(name=name):
                found[name] = NUMBER
            case c.Draw(name=name, source=source) | c.ForEach(var=name, source=source):
                found[name] = source.type.plain.of or source.type
            case c.AskSide(ask=ask):
                found[ask.name] = ask.type
            case _:
                pass
    return found
