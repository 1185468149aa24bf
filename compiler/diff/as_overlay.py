"""Print a diff as an overlay: stacked on the first rule set it gives the second.

In:  a diff.
Out: `.rules` text of an errata overlay, with the facts as comments.

Every amendment is tried on the first rule set with the overlay pass itself and kept only if it gives the wanted
declaration. The smallest is tried first: `amend`, `replace row`, `replace`, then `strike` with a new declaration, and
last the whole case again. What an overlay cannot state is named in a comment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from rulewright.dsl import nodes as n
from rulewright.dsl import print as p
from rulewright.dsl.compare import raw_form
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.parse import parse

from ..core.entries import Entry, declared_name
from ..overlay.amend import overlay
from ..overlay.falls import Asked, about, signature
from ..overlay.heads import read_head
from .compare import Diff
from .entries import digest, each_field, key
from .match import apart, order
from .phrases import change
from .smallest import EXPRESSIONS, Difference, smallest

NAME = "changes"
ROUNDS = 6


def render_rules(made: Diff) -> str:
    """The overlay that turns the first rule set into the second."""
    assert made.before.book is not None and made.after.book is not None
    head = f'errata {NAME} of {made.before.book.name} "From {title(made.before.name)} to {title(made.after.name)}":'
    notes = [f"# {f.id} {f.case} {f.kind} {f.element} {f.name}".rstrip() + f": {change(f)}" for f in made.facts]
    if not made.facts:
        return "\n".join([f"# {made.before.name} and {made.after.name} do not differ", ""])
    writer = Writer(made)
    writer.write()
    missing = [f"# an overlay cannot state: {line}" for line in writer.missing]
    if not writer.blocks:
        return "\n".join([*notes, *missing, ""])
    return "\n".join([*notes, *missing, "", head, *writer.lines(), ""])


def title(name: str) -> str:
    return name.rpartition("/")[2].replace('"', "")


@dataclass(slots=True)
class Block:
    """A case of the overlay with its lines."""

    case: str
    lines: list[str] = field(default_factory=list)


class Writer:
    """Builds the overlay line by line, applying each line to a copy of the entries."""

    def __init__(self, made: Diff) -> None:
        assert made.before.entries is not None and made.after.entries is not None
        assert made.before.book is not None and made.after.book is not None
        self.made = made
        self.book = made.before.book.name
        self.titles = {**made.before.book.cases, **made.after.book.cases}
        self.now = list(each_field(made.before.entries))
        self.goal = each_field(made.after.entries)
        self.asked = Asked()
        self.blocks: list[Block] = []
        self.missing: list[str] = []

    def lines(self) -> Iterator[str]:
        for block in self.blocks:
            yield f'  case {block.case} "{self.titles.get(block.case, "").replace(chr(34), "")}":'
            yield from (f"    {line}" for line in block.lines)

    # ------------------------------------------------------------ steps

    def write(self) -> None:
        self.moves()
        self.renames()
        for x, y in self.pairs():
            self.amend(x, y)
        self.rest()
        for _ in range(ROUNDS):
            wrong = self.out_of_order()
            if not wrong:
                break
            self.anew(wrong)
        left, right = self.apart()
        self.missing += [f"{e.case} {' '.join(key(e.node))} goes" for e in left]
        self.missing += [f"{e.case} {' '.join(key(e.node))} comes" for e in right]
        self.missing += [
            f"the head of overlay {f.name}, {f.where}: {change(f)}" for f in self.made.facts if f.element == "overlay"
        ]

    def attempt(self, case: str, lines: list[str], wanted: Callable[[list[Entry]], bool] = lambda _: True) -> bool:
        """Apply lines; keep them if the overlay pass reports nothing."""
        text = "\n".join(
            [f'errata {NAME} of {self.book} "x":', f'  case {case} "x":', *(f"    {line}" for line in lines), ""]
        )
        report = Reporter()
        found = parse(text, "<diff>", report)
        if report.failed or len(found) != 1 or not isinstance(found[0], n.Overlay):
            return False
        after = overlay(self.now, [(read_head(found[0], report), found[0])], report, whole=False)
        if report.failed or not wanted(after):
            return False
        self.now = after
        if not self.blocks or self.blocks[-1].case != case:
            self.blocks.append(Block(case))
        self.blocks[-1].lines += lines
        return True

    def apart(self) -> tuple[list[Entry], list[Entry]]:
        return apart(self.now, self.goal)

    def differing(self) -> int:
        return sum(map(len, self.apart()))

    def moves(self) -> None:
        """Renumber cases, in an order in which no two ever have the same number."""
        todo = dict(self.made.compared.matched.renumbered)
        used = {e.case for e in self.now}
        aside = 0
        while todo:
            ready = next((old for old, new in todo.items() if new not in used), None)
            if ready is None:
                ready = next(iter(todo))
                aside += 1
                spare = f"9999.{aside}"
                self.attempt(todo[ready], [f"move {ready} to {spare}"])
                todo = {(spare if old == ready else old): new for old, new in todo.items()}
                used = {e.case for e in self.now}
                continue
            new = todo.pop(ready)
            if ready in used:
                self.attempt(new, [f"move {ready} to {new}"])
                used = {e.case for e in self.now}

    def renames(self) -> None:
        for sort, case, old, new in self.made.compared.matched.renamed:
            before = self.differing()

            def fewer(after: list[Entry], before: int = before) -> bool:
                return sum(map(len, apart(after, self.goal))) < before

            if not sort.endswith(" term"):
                self.attempt(case, [f"rename {case} {old} to {new}"], fewer)

    def pairs(self) -> list[tuple[Entry, Entry]]:
        """Differing declarations with exactly one counterpart of the same case and key."""
        left, right = self.apart()
        mine = Counter((e.case, *key(e.node)) for e in left)
        yours = Counter((e.case, *key(e.node)) for e in right)
        there = {(e.case, *key(e.node)): e for e in right}
        return [
            (e, there[k]) for e in left if (k := (e.case, *key(e.node))) in there and mine[k] == 1 and yours[k] == 1
        ]

    # ------------------------------------------------------------ amendments

    def amend(self, x: Entry, y: Entry) -> None:
        """Turn one declaration into the other by the smallest amendment that works."""
        for means in (self.by_words, self.by_parts, self.by_rows, self.by_replacement, self.by_strike):
            now, kept = self.now, [Block(b.case, list(b.lines)) for b in self.blocks]
            if means(x, y) and self.reached(y):
                return
            self.now, self.blocks = now, kept

    def reached(self, y: Entry) -> bool:
        here = Counter((e.case, digest(e)) for e in self.now)
        there = Counter((e.case, digest(e)) for e in self.goal)
        return here[y.case, digest(y)] == there[y.case, digest(y)]

    def by_words(self, x: Entry, y: Entry) -> bool:
        """Amend a kind that lost values or gained some at its end."""
        a, b = x.node, y.node
        if not isinstance(a, n.Kind) or not isinstance(b, n.Kind):
            return False
        for act, words in (("strike", apart_from(a, b)), ("insert", apart_from(b, a))):
            if words and not self.attempt(x.case, [f"{act} item {x.case} {a.name}:", f"  {', '.join(words)}"]):
                return False
        return True

    def by_parts(self, x: Entry, y: Entry) -> bool:
        name = declared_name(x.node)
        if isinstance(x.node, n.Table | n.Data | n.Example) or x.house != y.house or not name:
            return False
        found = smallest(x.node, y.node)
        return bool(found) and all(self.by_part(x.case, name, d) for d in found)

    def by_part(self, case: str, name: str, d: Difference) -> bool:
        """`amend`, with enough context around the value to make it unique in the declaration."""
        for old, new in ((d.before, d.after), *d.up):
            if isinstance(old, EXPRESSIONS) and isinstance(new, EXPRESSIONS):
                line = f"amend {case} {name}: {p.expr(old, p.SUM)} becomes {p.expr(new, p.SUM)}"
                if self.attempt(case, [line]):
                    return True
        return False

    def by_rows(self, x: Entry, y: Entry) -> bool:
        a, b = x.node, y.node
        if not isinstance(a, n.Table | n.Data) or not isinstance(b, n.Table | n.Data) or len(a.lines) != len(b.lines):
            return False
        rows = [
            (old, new)
            for old, new in zip(a.lines, b.lines, strict=True)
            if raw_form(old.text) != raw_form(new.text) or old.below or new.below
        ]
        rows = [(old, new) for old, new in rows if list(p.raw((old,))) != list(p.raw((new,)))]
        if not rows:
            return False
        for old, new in rows:
            both = [*p.raw((old,)), *p.raw((new,))]
            if not any(
                self.attempt(x.case, [f"replace {word} {x.case} {a.name}:", *(f"  {line}" for line in both)])
                for word in ("row", "line")
            ):
                return False
        return True

    def by_replacement(self, x: Entry, y: Entry) -> bool:
        name = declared_name(x.node)
        if not name or isinstance(x.node, n.Example):
            return False
        changed = signature(x.node) != signature(y.node)
        about_it = [e.case for e in self.goal if changed and about(e, x.case, x.node, self.asked)]
        fate = f" keeping {', '.join(dict.fromkeys(about_it))}" if about_it else ""
        return self.attempt(x.case, [f"replace {x.case} {name}{fate}:", *(f"  {line}" for line in declared(y))])

    def by_strike(self, x: Entry, y: Entry) -> bool:
        return self.strike(x) and self.attempt(y.case, declared(y))

    def strike(self, x: Entry) -> bool:
        """Strike one declaration, if its name identifies it."""
        name = declared_name(x.node)

        def gone(after: list[Entry]) -> bool:
            return Counter((e.case, digest(e)) for e in self.now) - Counter(
                (e.case, digest(e)) for e in after
            ) == Counter([(x.case, digest(x))])

        if isinstance(x.node, n.Example):
            return self.attempt(x.case, [f'strike {x.case} "{x.node.title}"'], gone)
        if name and self.attempt(x.case, [f"strike {x.case} {name}"], gone):
            return True
        return self.attempt(x.case, [f"strike {x.case}"], gone)

    # ------------------------------------------------------------ what is left

    def rest(self) -> None:
        """Strike removed declarations and add new ones; where a name is ambiguous, rewrite the case."""
        left, _ = self.apart()
        stuck = [e.case for e in left if not isinstance(e.node, n.Example) and not self.strike(e)]
        for e in left:
            if isinstance(e.node, n.Example):
                self.strike(e)
        if stuck:
            self.anew(stuck)
        _, right = self.apart()
        gone = {(e.case, declared_name(e.node)) for e in self.apart()[0] if isinstance(e.node, n.Example)}
        for e in sorted(right, key=lambda e: order(e.case)):
            if isinstance(e.node, n.Example) and (e.case, e.node.title) in gone:
                continue
            self.attempt(e.case, declared(e))

    def anew(self, cases: Iterable[str]) -> None:
        """Rewrite whole cases: strike all their declarations, and declare the new ones."""
        wanted = list(dict.fromkeys(cases))
        for case in wanted:
            if any(e.case == case and not isinstance(e.node, n.Example) for e in self.now):
                self.attempt(case, [f"strike {case}"])
        for e in self.goal:
            if e.case in wanted and not isinstance(e.node, n.Example):
                self.attempt(e.case, declared(e))

    def out_of_order(self) -> list[str]:
        """The cases whose triggers are not in the wanted order."""
        here, there = (self.triggers(x) for x in (self.now, self.goal))
        return sorted({case for event in there if here.get(event) != there[event] for case, _ in there[event]})

    def triggers(self, entries: list[Entry]) -> dict[str, list[tuple[str, str]]]:
        found: dict[str, list[tuple[str, str]]] = {}
        for e in entries:
            if isinstance(e.node, n.Trigger):
                event = p.event(replace(e.node.event, params=())) if e.node.event is not None else ""
                found.setdefault(event, []).append((e.case, digest(e)))
        return found


def apart_from(a: n.Kind, b: n.Kind) -> list[str]:
    return [x for x in a.values if x not in b.values]


def declared(e: Entry) -> list[str]:
    """A declaration as an overlay states it, with the guards that it is under."""
    node: n.Decl = e.node
    if e.house:
        node = n.House(decl=node, span=node.span)
    for guard in reversed(e.under):
        node = n.Under(guard=guard, body=(node,), span=node.span)
    lines = p.declaration(node)
    if e.covers:
        covers = p.declaration(n.Covers(cases=e.covers, span=node.span))
        lines += [("  " * len(e.under)) + line for line in covers]
    return lines
