"""Rename: a declared name, everywhere in its book.

In:  a view of the files, the mention at the cursor, and the new name.
Out: the places to change, file by file.
Reports: `Refused`, with the reason in one sentence.

Mentions in code are found by the index. Data lines (rosters, tables, maps) hold words of many sorts, and a word there
may be something else by the same name: they are changed only where the book would have errors otherwise. The renamed
book is analysed before the edit is sent; a rename that would cause a new diagnostic is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rulewright.compiler.core import nodes as c
from rulewright.compiler.core.builtins import BUILTINS
from rulewright.compiler.elaborate.expressions.special_calls import SPECIAL
from rulewright.dsl.grammar import MOST_NAME
from rulewright.dsl.syntax_hints import keywords
from rulewright.dsl.words import NAME, code_of

from .diagnose import diagnose
from .project import RuleSet, Spot, View

Places = dict[Path, list[tuple[int, int, int]]]
FIXED = {
    "case": "a case keeps its printed number; an overlay moves it with: move CASE to CASE",
    "book": "a book goes by the name of its folder: rename both by hand",
    "overlay": "rule sets and saves name overlays: rename it by hand",
    "answer": "scripts and saves name what is asked for: rename it by hand",
    "local": "only names that are declared for the whole book can be renamed",
}


class Refused(Exception):
    """Why a name is not renamed, in one sentence."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The places of a name, as (line, column, end) counted from 1: in code, and in lines of data."""

    old: str
    new: str
    code: Places
    data: Places


def renamable(view: View, spot: Spot | None) -> list[Spot]:
    """The declarations that a mention refers to; raises Refused where they cannot be renamed."""
    found = view.resolve(spot) if spot is not None else []
    if spot is None or not found:
        raise Refused(FIXED["local"])
    realm = found[0].mention.realm
    if realm in FIXED:
        raise Refused(FIXED[realm])
    own = view.rules.own if view.rules is not None else (view.path,)
    for x in found:
        if x.path not in own:
            raise Refused(f'"{x.mention.text}" is declared in {x.path.name}, which other books use too')
    return found


def plan(view: View, spot: Spot | None, new: str, book: c.Book | None) -> Plan:
    """The places of the name; raises Refused where the new name is not possible."""
    found = renamable(view, spot)
    old, realm = found[0].mention.text, found[0].mention.realm
    if not NAME.fullmatch(new) or len(new) > MOST_NAME:
        raise Refused(f'"{new}" is no name: letters, digits and _, and no digit first')
    if new in keywords():
        raise Refused(f'"{new}" is a word of the language')
    if new in BUILTINS or new in SPECIAL:
        raise Refused(f'"{new}" is a built-in function')
    taken = [x for x in view.declared.get(new, ()) if x.mention.realm in (realm, "name") and x.item is not None]
    if taken and new != old:
        raise Refused(f'"{new}" is declared already, in case {taken[0].item.case if taken[0].item else ""}')
    if book is not None and book.map is not None and new in book.map.names:
        raise Refused(f'"{new}" is a place on the map')
    own = view.rules.own if view.rules is not None else (view.path,)
    code: Places = {}
    for x in view.spots():
        if x.mention.text != old or not names(view, x, realm):
            continue
        if x.path not in own:
            raise Refused(f'"{old}" is used in {x.path.name}, which other books use too')
        if not x.mention.declares and x.mention.form != "member" and view.local(new, x.item) is not None:
            raise Refused(f'"{new}" is a local name in case {x.item.case if x.item else ""}, where "{old}" is used')
        code.setdefault(x.path, []).append((x.line, x.mention.column, x.mention.end))
    return Plan(old, new, {p: sorted(set(at)) for p, at in code.items()}, in_data(view, old, own))


def names(view: View, spot: Spot, realm: str) -> bool:
    """Whether a mention refers to a declaration of this realm."""
    return any(x.mention.realm == realm for x in view.resolve(spot))


def in_data(view: View, word: str, own: tuple[Path, ...]) -> Places:
    """The places of a word in data lines, outside quoted texts and hexes."""
    pattern = re.compile(rf"(?<![\w@.\-]){re.escape(word)}(?![\w\-])")
    in_form = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")  # as in `form: strength-movement side`
    found: Places = {}
    for file in view.files:
        if file.path not in own:
            continue
        for line, column, text, kind in file.raw():
            if kind != "head":
                for m in (in_form if text.startswith("form:") else pattern).finditer(code_of(text)):
                    found.setdefault(file.path, []).append((line, column + m.start(), column + m.end()))
    return found


def apply(text: str, places: list[tuple[int, int, int]], new: str) -> str:
    """The text with the new word at each place."""
    ends = text.split("\n")
    for line, column, end in sorted(places, reverse=True):
        ends[line - 1] = ends[line - 1][: column - 1] + new + ends[line - 1][end - 1 :]
    return "\n".join(ends)


def checked(p: Plan, rules: RuleSet | None, texts: Mapping[Path, str], sources: Mapping[Path, str]) -> Places:
    """The places to change, after analysing the renamed book; raises Refused where it has new diagnostics."""
    if rules is None:
        return p.code
    before = diagnose(rules, texts)
    if before.failed:
        raise Refused("the book has errors: mend them first, so that the rename can be checked")
    known = {(d.code, d.message.replace(p.old, p.new)) for found in before.found.values() for d in found}
    first = ""
    for places in (p.code, merged(p.code, p.data)):
        renamed = {path: apply(sources[path], at, p.new) for path, at in places.items()}
        after = diagnose(rules, {**texts, **renamed})
        fresh = [
            d for found in after.found.values() for d in found if (d.code, d.message.replace(p.old, p.new)) not in known
        ]
        if not fresh:
            return places
        first = first or f"{fresh[0].code} {fresh[0].message} ({fresh[0].span})"
    raise Refused(f'with "{p.new}" the book would not check as before: {first}')


def merged(one: Places, other: Places) -> Places:
    return {path: sorted({*one.get(path, ()), *other.get(path, ())}) for path in {**one, **other}}
