"""Pair the declarations of two rule sets.

In:  the entries of both.
Out: the cases that were renumbered, the declarations that moved to another case, the terms that were
     renamed, the pairs that differ, and what stands on one side only.

Pairs are found by content hash first. The rest is paired by case and key, and by similarity where a case has several
declarations of one key. Renumbering and renaming are applied to the first side before the rest is compared, so that
changed references to them do not count as changes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

from rulewright.dsl import nodes as n
from rulewright.dsl.print import print_rules

from ..core.entries import Entry, declared_name
from ..core.walk import below
from ..overlay.edit_tree import renamed as with_name
from ..read.case_numbers import renumbered
from .entries import blind, digest, element, key, node_digest

LIKE = 0.5
BOUND = (n.Example, n.Except, n.Add, n.Waive, n.Instead, n.Rule, n.Trigger, n.Untranslated)


@dataclass(slots=True)
class Matched:
    """The pairing of two sides."""

    renumbered: list[tuple[str, str]] = field(default_factory=list)
    renamed: list[tuple[str, str, str, str]] = field(default_factory=list)
    moved: list[tuple[Entry, Entry]] = field(default_factory=list)
    pairs: list[tuple[Entry, Entry]] = field(default_factory=list)
    struck: list[Entry] = field(default_factory=list)
    added: list[Entry] = field(default_factory=list)


def match(ours: list[Entry], theirs: list[Entry], cases: tuple[Mapping[str, str], Mapping[str, str]]) -> Matched:
    """Pair two lists of entries; `cases` are the titles of both sides by number."""
    found = Matched()
    left, right = apart(ours, theirs)
    if not left and not right and set(cases[0]) == set(cases[1]):
        return found
    mapping = renumbering(ours, theirs, left, right, cases)
    if mapping:
        found.renumbered = sorted(mapping.items(), key=lambda x: order(x[0]))
        left, right = apart(recast(ours, mapping), theirs)
    left, right = move(left, right, ours, found)
    left, right = rename(left, right, ours, theirs, found)
    pair(left, right, found)
    return found


def apart(ours: list[Entry], theirs: list[Entry]) -> tuple[list[Entry], list[Entry]]:
    """The entries without an equal on the other side, in order."""
    there = Counter((e.case, digest(e)) for e in theirs)
    left = []
    for e in ours:
        k = (e.case, digest(e))
        if there[k] > 0:
            there[k] -= 1
        else:
            left.append(e)
    right = []
    for e in reversed(theirs):
        k = (e.case, digest(e))
        if there[k] > 0:
            there[k] -= 1
            right.append(e)
    return left, right[::-1]


def order(case: str) -> tuple[tuple[int, str], ...]:
    """A sort key for case numbers: 2 before 10, 10 before 10.1."""
    import re

    return tuple((int(x), "") if x.isdigit() else (10**9, x) for x in re.findall(r"\d+|[^\d.]+", case))


# ---------------------------------------------------------------- numbers


def renumbering(
    ours: list[Entry],
    theirs: list[Entry],
    left: list[Entry],
    right: list[Entry],
    cases: tuple[Mapping[str, str], Mapping[str, str]],
) -> dict[str, str]:
    """Which cases of the first side have another number on the second."""
    changed = whole(ours, left) | (set(cases[0]) - set(cases[1]))
    open_ = whole(theirs, right) | (set(cases[1]) - set(cases[0]))
    if changed == open_ and len(changed) == 1:
        return {}
    if not changed or not open_:
        return {}
    mine, yours = contents(ours, changed), contents(theirs, open_ | changed)
    where: defaultdict[str, set[str]] = defaultdict(set)
    for case in sorted(open_):
        for h in yours[case]:
            where[h].add(case)
        if not yours[case]:
            where["title " + cases[1].get(case, "")].add(case)
        else:
            where["keys " + keys_of(theirs, case, cases[1])].add(case)
    scores: list[tuple[float, int, str, str]] = []
    for case in sorted(changed):
        stay = likeness(mine[case], yours[case])
        hints = {*mine[case], "keys " + keys_of(ours, case, cases[0])}
        if not mine[case]:
            hints = {"title " + cases[0].get(case, "")}
        for other in sorted({x for h in hints for x in where.get(h, ())} - {case}):
            score = likeness(mine[case], yours[other])
            titled = cases[0].get(case) == cases[1].get(other)
            gone = case not in cases[1] and other not in cases[0]
            if (score >= LIKE and score > stay) or (titled and gone):
                scores.append((-score, not titled, case, other))
    mapping: dict[str, str] = {}
    for _, _, case, other in sorted(scores, key=lambda x: (x[0], x[1], order(x[2]), order(x[3]))):
        if case not in mapping and other not in mapping.values():
            mapping[case] = other
    return clear(mapping, {e.case for e in ours} | set(cases[0]))


def whole(entries: list[Entry], odd: list[Entry]) -> set[str]:
    """The cases none of whose declarations stayed in place."""
    all_, some = Counter(e.case for e in entries), Counter(e.case for e in odd)
    return {case for case, count in some.items() if count == all_[case]}


def clear(mapping: dict[str, str], used: set[str]) -> dict[str, str]:
    """Drop renumberings onto a number that another case keeps."""
    while True:
        bad = [a for a, b in mapping.items() if b in used and b not in mapping]
        if not bad:
            return mapping
        mapping = {a: b for a, b in mapping.items() if a not in bad}


def contents(entries: Iterable[Entry], wanted: set[str]) -> defaultdict[str, Counter[str]]:
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for e in entries:
        if e.case in wanted:
            found[e.case][blind(e)] += 1
    return found


def keys_of(entries: list[Entry], case: str, titles: Mapping[str, str]) -> str:
    return titles.get(case, "") + " ".join(sorted("/".join(key(e.node)) for e in entries if e.case == case))


def likeness(a: Counter[str], b: Counter[str]) -> float:
    if not a and not b:
        return 0.0
    return (a & b).total() / max(a.total(), b.total())


def recast(entries: list[Entry], mapping: dict[str, str]) -> list[Entry]:
    """Entries with new case numbers, in their references too."""

    made = []
    for e in entries:
        node = renumbered(e.node, lambda case, *_: mapping.get(case, case))
        case = mapping.get(e.case, e.case)
        made.append(e if node is e.node and case == e.case else replace(e, case=case, node=node))
    return made


# ---------------------------------------------------------------- moves and names


def move(left: list[Entry], right: list[Entry], ours: list[Entry], found: Matched) -> tuple[list[Entry], list[Entry]]:
    """Declarations found unchanged, or under the same name, in another case."""
    there: defaultdict[str, list[Entry]] = defaultdict(list)
    for e in right:
        there[digest(e)].append(e)
    named: defaultdict[tuple[str, str], list[Entry]] = defaultdict(list)
    for e in right:
        if not isinstance(e.node, BOUND):
            named[key(e.node)].append(e)
    for e in list(left):
        same = there[digest(e)]
        other = same[0] if same else None
        if other is None and not isinstance(e.node, BOUND):
            like = named[key(e.node)]
            other = like[0] if len(like) == 1 and like[0].case != e.case else None
        if other is None or other.case == e.case or other not in right:
            continue
        found.moved.append((e, other))
        left = [x for x in left if x is not e]
        right = [x for x in right if x is not other]
        there[digest(other)] = [x for x in there[digest(other)] if x is not other]
        if digest(e) != digest(other):
            found.pairs.append((replace(e, case=other.case), other))
    homes = {declared_name(a.node): (a.case, b.case) for a, b in found.moved if not isinstance(a.node, BOUND)}
    if homes:
        left = [replace(e, node=retarget(e.node, homes)) for e in left]
        left, right = apart(left, right)
    return left, right


def retarget(node: n.Decl, homes: dict[str, tuple[str, str]]) -> n.Decl:
    """Point an exception to the new case of the declaration that it aims at."""
    target = getattr(node, "target", None)
    if not isinstance(target, n.Target) or target.name not in homes:
        return node
    old, new = homes[target.name]
    cases = tuple(new if c == old else c for c in target.cases)
    return replace(node, target=replace(target, cases=cases))  # type: ignore[arg-type]


def rename(
    left: list[Entry], right: list[Entry], ours: list[Entry], theirs: list[Entry], found: Matched
) -> tuple[list[Entry], list[Entry]]:
    """Terms that have another name and are otherwise the same."""
    gone = terms(left, {t for e in theirs for t in names_in(e.node)})
    new = terms(right, {t for e in ours for t in names_in(e.node)})
    for sort, case, old in gone:
        for i, (sort_, case_, name) in enumerate(new):
            if (sort, case) != (sort_, case_):
                continue
            changed = [replace(e, node=with_name(e.node, old, name)) for e in left]
            fewer, rest = apart(changed, right)
            if len(fewer) < len(left):
                found.renamed.append((sort, case, old, name))
                left, right = fewer, rest
                del new[i]
                break
    return left, right


def names_in(node: n.Decl) -> list[str]:
    """The terms that a declaration introduces: its own name, the values of a kind, the phases of a sequence."""
    own = [] if isinstance(node, BOUND) else [declared_name(node)]
    if isinstance(node, n.Kind | n.Scale):
        own += node.values
    if isinstance(node, n.Procedure):
        own += [x.name for x in below(node.body) if isinstance(x, n.Phase)]
    return own


def terms(entries: list[Entry], known: set[str]) -> list[tuple[str, str, str]]:
    found = []
    for e in entries:
        for name in names_in(e.node):
            if name and name not in known:
                sort = element(e.node) if name == declared_name(e.node) else f"{element(e.node)} term"
                found.append((sort, e.case, name))
    return list(dict.fromkeys(found))


# ---------------------------------------------------------------- the rest


def pair(left: list[Entry], right: list[Entry], found: Matched) -> None:
    """Pair by case and key, the most similar first; the rest stays unpaired."""
    ours: defaultdict[tuple[str, str, str], list[Entry]] = defaultdict(list)
    theirs: defaultdict[tuple[str, str, str], list[Entry]] = defaultdict(list)
    for e in left:
        ours[(e.case, *key(e.node))].append(e)
    for e in right:
        theirs[(e.case, *key(e.node))].append(e)
    for k, mine in ours.items():
        yours = theirs.get(k, [])
        if len(mine) == len(yours) == 1:
            found.pairs.append((mine[0], yours[0]))
            continue
        options = sorted(
            ((-alike(a, b), i, j) for i, a in enumerate(mine) for j, b in enumerate(yours)),
        )
        used: set[int] = set()
        taken: set[int] = set()
        for _, i, j in options:
            if i not in used and j not in taken:
                used.add(i)
                taken.add(j)
                found.pairs.append((mine[i], yours[j]))
        found.struck += [e for i, e in enumerate(mine) if i not in used]
        found.added += [e for j, e in enumerate(yours) if j not in taken]
    found.added += [e for k, yours in theirs.items() if k not in ours for e in yours]


def alike(a: Entry, b: Entry) -> float:
    if node_digest(a.node) == node_digest(b.node):
        return 1.0
    return SequenceMatcher(None, print_rules([a.node]), print_rules([b.node]), autojunk=False).ratio()
