"""The index: where names and cases are declared and used.

In:  the declarations of one block of text, as parsed.
Out: mentions, each a word at a place with what it declares or how it is used; and the block's symbols.

Names live in a few realms: `name` (definitions, procedures, kinds and their values, marks of the game, data),
`member` (fields, marks of things, parts of records), `phase`, `label`, `overlay`, `answer`, `book` and `case`;
what a `let` or a loop names is `local` to its declaration. A use looks in the realms that its form suggests,
in order. Rows count from the start of the block, so that what is known of a block stays true where the block moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from rulewright.dsl import nodes as n
from rulewright.dsl.source import Span
from rulewright.dsl.words import NAME, code_of

from .check.names import local_names
from .core.case_marks import mark_of, marked, number_of
from .core.walk import below

REALMS: dict[str, tuple[str, ...]] = {
    "name": ("name", "phase", "label", "member", "overlay", "answer"),
    "member": ("member", "name"),
    "trait": ("name", "member"),
    "phase": ("phase", "name"),
    "target": ("name", "label", "phase", "member"),
    "overlay": ("overlay", "name"),
    "book": ("book", "overlay"),
    "case": ("case",),
}
"""For each form of use: the realms to look in."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A word at (row, column), counted from 1 in its block.

    `declares` says what the word declares (`define`, `case`, `value`, …); it is empty for a use, whose `form`
    is a key of REALMS. `within` is the number of the item that it belongs to. `cases` narrow a target; of a case they
    are what the rule set calls it, where its text leaves the mark out: `ocs 12.5` for 12.5 in the text of the series.
    """

    text: str
    row: int
    column: int
    form: str = ""
    realm: str = ""
    declares: str = ""
    within: int = -1
    cases: tuple[str, ...] = ()

    @property
    def end(self) -> int:
        return self.column + len(self.text)

    @property
    def meant(self) -> str:
        """The word that is declared or used, which for a case may have a mark."""
        return self.cases[0] if self.cases and "case" in (self.form, self.declares) else self.text


@dataclass(frozen=True, slots=True)
class Item:
    """A declaration with its case: what outlines and hovers show.

    `lends` names the declaration whose parameters it sees too; `name` is empty where an outline passes it over.
    """

    sort: str
    name: str
    case: str
    title: str
    note: str
    row: int
    end_row: int
    head: str
    params: tuple[tuple[str, str, int, int], ...] = ()
    locals: frozenset[str] = frozenset()
    lends: str = ""
    overlay: str = ""


@dataclass(slots=True)
class Block:
    """What one block says: its items, its mentions, and its lines of data."""

    items: list[Item] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    raw: list[tuple[int, int, str, str]] = field(default_factory=list)


def marked_block(block: Block, mark: str) -> Block:
    """The index of a block with its cases as a rule set calls them in which they bear a mark."""

    def case(number: str) -> str:
        return marked(mark, number) if number else number

    def item(x: Item) -> Item:
        lends = "@" + ",".join(map(case, x.lends[1:].split(","))) if x.lends.startswith("@") else x.lends
        return replace(x, name=case(x.name) if x.sort == "case" else x.name, case=case(x.case), lends=lends)

    def mention(m: Mention) -> Mention:
        named = (m.text,) if "case" in (m.form, m.declares) else m.cases
        return replace(m, cases=tuple(map(case, named))) if named else m

    return Block([item(x) for x in block.items], [mention(m) for m in block.mentions], block.raw)


def index_block(decls: tuple[n.Decl, ...], text: str) -> Block:
    """The index of one parsed block."""
    indexer = Indexer(text)
    for decl in decls:
        indexer.declaration(decl, "", "", "", "")
    return indexer.block


class Indexer:
    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.code = [code_of(line) for line in self.lines]
        self.block = Block()

    # ------------------------------------------------------------ declarations

    def declaration(self, d: n.Decl, case: str, title: str, note: str, overlay: str) -> None:
        """Index one declaration, and those that it holds."""
        match d:
            case n.Case():
                note = " ".join(x.text for x in d.body if isinstance(x, n.Note))
                self.item("case", d.id, d, d.id, d.title, note, overlay)
                self.declare(d.id, d.span, "case", "case")
                for inner in d.body:
                    self.declaration(inner, d.id, d.title, note, overlay)
            case n.Overlay():
                self.item(d.sort, d.name, d, "", d.title, "", d.name)
                self.declare(d.name, d.span, "overlay", d.sort)
                self.use(d.of, d.span, "book", skip=2)
                for head in d.heads:
                    self.raw(head, "head")
                for inner in d.body:
                    self.declaration(inner, case, title, note, d.name)
            case n.Under():
                self.uses(d.guard, -1)
                for inner in d.body:
                    self.declaration(inner, case, title, note, overlay)
            case n.House():
                self.declaration(d.decl, case, title, note, overlay)
            case n.Replace():
                self.uses(d.target, -1)
                self.declaration(d.decl, case, title, note, overlay)
            case n.Note() | n.Untranslated():
                pass
            case _:
                self.leaf(d, case, title, note, overlay)

    def leaf(self, d: n.Decl, case: str, title: str, note: str, overlay: str) -> None:
        """One declaration that holds no others."""
        sort, names, realm = declared(d)
        self.item(sort, names[0] if names else shown_name(d), d, case, title, note, overlay)
        at = len(self.block.items) - 1
        where: tuple[int, int] | None = None
        for name in names:
            where = self.declare(name, d.span, realm, sort, at, where)
        match d:
            case n.Kind() | n.Scale():
                for value in d.values:
                    where = self.declare(value, d.span, "name", "value", at, where)
            case n.Record():
                for name, kind in d.members:
                    self.declare(name, line_of(kind.span), "member", "member", at, (kind.span.row, 1))
            case n.Unclear():
                for r in d.readings:
                    self.declare(r.name, r.span, "name", "reading", at)
            case n.Field() | n.Mark():
                self.use(d.owner, d.span, "name", at, start=where)
            case n.Data() | n.Table() | n.Rows():
                for line in d.lines:
                    self.raw(line, d.kind if isinstance(d, n.Data) else "table")
            case _:
                pass
        self.uses(d, at)

    def item(self, sort: str, name: str, d: n.Decl, case: str, title: str, note: str, overlay: str) -> None:
        params = tuple(
            (p.name, p.type.span.text, p.span.row, p.span.column)
            for p in getattr(d, "params", ())
            if isinstance(p, n.Param)
        )
        own: frozenset[str] = frozenset()
        if not isinstance(d, n.Case | n.Overlay):
            own = frozenset(name for name, where in local_names(d) if not isinstance(where, n.Phase))
        self.block.items.append(
            Item(
                sort=sort,
                name=name,
                case=case,
                title=title,
                note=note,
                row=d.span.row,
                end_row=d.span.end_row,
                head=self.head(d.span),
                params=params,
                locals=own,
                lends=lender(d),
                overlay=overlay,
            )
        )

    def head(self, span: Span) -> str:
        """The first line of a declaration, without a block that hangs below it."""
        line = self.lines[span.row - 1][span.column - 1 :]
        return line[: len(code_of(line).rstrip())].rstrip() if '"' not in line else line.strip()

    # ------------------------------------------------------------ uses

    def uses(self, root: n.Node, at: int) -> None:
        """Every word below a node that names something declared elsewhere."""
        for x in below(root):
            match x:
                case n.Name():
                    self.mention(x.id, x.span.row, x.span.column, "name", at)
                case n.Call():
                    self.mention(x.name, x.span.row, x.span.column, "name", at)
                case n.Dot():
                    self.mention(x.name, x.span.end_row, x.span.end_column - len(x.name), "member", at)
                case n.IsTrait():
                    self.mention(x.trait, x.span.end_row, x.span.end_column - len(x.trait), "trait", at)
                case n.TypeName():
                    self.use(x.name, x.span, "name", at)
                case n.Target():
                    self.target(x, at)
                case n.Event():
                    self.use(x.name, x.span, "phase" if x.sort in ("start", "end") else "name", at)
                case n.Offered():
                    self.mention(x.action, x.span.row, x.span.column, "name", at)
                case n.Phase():
                    self.declare(x.name, x.span, "phase", "phase", at)
                    if x.var is not None:
                        self.after("for", (x.var,), x.span, "name", at, declares="of each phase")
                case n.Let() | n.Roll() | n.Draw() | n.Make():
                    self.declare(x.name, x.span, "local", "local", at)
                case n.ForEach():
                    self.after("each", (x.var,), x.span, "local", at, declares="local")
                case n.Ask():
                    self.after("whether" if x.sort == "whether" else "for", (x.name,), x.span, "answer", at, "answer")
                case n.PhaseChange() | n.Until() | n.Insert():
                    if x.phase:
                        self.use(x.phase, x.span, "phase", at, skip=1)
                case n.Duty() | n.Action():
                    self.after("during", x.phases, x.span, "phase", at)
                case n.Quota():
                    self.after("per", x.per, x.span, "phase", at)
                case n.Rule():
                    if x.target is not None:
                        self.use(x.target, x.span, "name", at, skip=1)
                    if x.label is not None:
                        self.after("as", (x.label,), x.span, "label", at, declares="label")
                case n.When() if x.label is not None:
                    self.after("as", (x.label,), x.span, "label", at, declares="label")
                case n.Add():
                    self.use(x.name, x.span, "name", at, skip=1)
                case n.Preview():
                    self.use(x.action, x.span, "name", at, skip=1)
                case n.Prefer():
                    self.use(x.target, x.span, "name", at, skip=1)
                case n.Route() if x.like is not None:
                    self.after("like", (x.like,), x.span, "name", at)
                case n.Trigger() if x.after is not None:
                    self.after("after", (x.after,), x.span, "case", at)
                case n.Covers():
                    self.listed(x.cases, x.span, "case", at)
                case n.MoveCase():
                    self.listed((x.old,), x.span, "case", at)
                case n.AmendPrinted():
                    self.use(x.field, x.span, "member", at)
                case n.Use():
                    self.use(x.name, x.span, "book", at, skip=1)
                case n.Book() if x.on is not None:
                    self.after("of", (x.on,), x.span, "book", at)
                case n.ExampleLine():
                    self.example_line(x, at)
                case _:
                    pass

    def example_line(self, x: n.ExampleLine, at: int) -> None:
        if x.sort == "refused":
            self.after("by", x.words, x.span, "case", at)
        elif x.sort == "given_during":
            self.after("during", x.words, x.span, "phase", at)
        elif x.sort in ("given_scenario", "given_map"):
            self.use(x.words[0], x.span, "name", at, skip=1)

    def target(self, x: n.Target, at: int) -> None:
        end: tuple[int, int] | None = None
        for case in x.cases:
            end = self.use(case, x.span, "case", at, start=end)
        if x.name is not None:
            self.use(x.name, x.span, "target", at, start=end, cases=x.cases)

    def after(self, keyword: str, words: tuple[str, ...], span: Span, form: str, at: int, declares: str = "") -> None:
        """Words that stand in a row behind a keyword."""
        end = self.find(keyword, span)
        if end is None:
            return
        for word in words:
            if declares:
                end = self.declare(word, span, form, declares, at, end)
            else:
                end = self.use(word, span, form, at, start=end)

    def listed(self, words: tuple[str, ...], span: Span, form: str, at: int) -> None:
        end: tuple[int, int] | None = None
        for word in words:
            end = self.use(word, span, form, at, start=end)

    def raw(self, line: n.RawLine, kind: str) -> None:
        """A line of data, kept whole: what its words mean is for its schema to say."""
        row, column = line.span.row, line.span.column
        code = self.lines[row - 1][column - 1 : line.span.end_column - 1]
        self.block.raw.append((row, column, code, kind))
        for inner in line.below:
            self.raw(inner, kind)

    # ------------------------------------------------------------ places of words

    def declare(
        self,
        word: str,
        span: Span,
        realm: str,
        declares: str,
        at: int = -1,
        start: tuple[int, int] | None = None,
    ) -> tuple[int, int] | None:
        """Mention a declared word; its end, or `start` where it does not stand there."""
        spot = self.find(word, span, 1 if start is None and declares not in ("reading", "member") else 0, start)
        if spot is None:
            return start
        row, end = spot
        at = at if at >= 0 else len(self.block.items) - 1
        self.block.mentions.append(Mention(word, row, end - len(word), realm=realm, declares=declares, within=at))
        return spot

    def use(
        self,
        word: str,
        span: Span,
        form: str,
        at: int = -1,
        skip: int = 0,
        start: tuple[int, int] | None = None,
        cases: tuple[str, ...] = (),
    ) -> tuple[int, int] | None:
        spot = self.find(word, span, skip, start)
        if spot is None and form == "case" and mark_of(word):
            word, cases = number_of(word), (word,)
            spot = self.find(word, span, skip, start)
        if spot is None:
            return start
        self.mention(word, spot[0], spot[1] - len(word), form, at, cases)
        return spot

    def mention(self, word: str, row: int, column: int, form: str, at: int, cases: tuple[str, ...] = ()) -> None:
        self.block.mentions.append(Mention(word, row, column, form=form, within=at, cases=cases))

    def find(
        self, word: str, span: Span, skip: int = 0, start: tuple[int, int] | None = None
    ) -> tuple[int, int] | None:
        """Row and end column of a whole word in the code of a span, some words in or from a place on."""
        row, column = start or (span.row, span.column)
        inner = "[./]" if word[:1].isdigit() or not NAME.fullmatch(word) else "[@]"
        while row <= span.end_row:
            code = self.code[row - 1]
            limit = span.end_column - 1 if row == span.end_row else len(code)
            at = column - 1
            while (at := code.find(word, at, limit)) >= 0:
                end = at + len(word)
                before, behind = code[at - 1 : at], code[end : end + 1]
                whole = not (before.isalnum() or before in ("_", "@")) and not (behind.isalnum() or behind == "_")
                if inner == "[./]" and whole:
                    whole = (
                        before not in (".", "/")
                        and (behind != ")" or word.endswith(")"))
                        and not (behind in (".", "/") and code[end + 1 : end + 2].isalnum())
                    )
                if whole and skip and len(code[span.column - 1 if row == span.row else 0 : at].split()) < skip:
                    whole = False
                if whole:
                    return row, end + 1
                at += 1
            row, column, skip = row + 1, 1, 0
        return None


# ---------------------------------------------------------------- what a declaration declares


def declared(d: n.Decl) -> tuple[str, tuple[str, ...], str]:
    """Its sort, the names that it gives, and their realm."""
    match d:
        case n.Field():
            return "field", d.names, "name" if d.owner == "game" else "member"
        case n.Mark():
            return "mark", (d.name,), "name" if d.owner == "game" else "member"
        case n.Define():
            return "gather" if d.gathered else "define", (d.name,), "name"
        case n.Box():
            return d.sort, (d.name,), "name"
        case n.Procedure():
            return "sequence" if d.sequence else "procedure", (d.name,), "name"
        case n.Data():
            return d.kind, (d.name,), "name"
        case n.Book():
            return "book", (d.name,), "book"
        case n.Remember() | n.Quota() | n.Grow() | n.Table() | n.Route() | n.Matching() | n.Action():
            return type(d).__name__.lower(), (d.name,), "name"
        case n.Kind() | n.Scale() | n.Record() | n.Unclear() | n.Duty() | n.Invariant():
            return type(d).__name__.lower(), (d.name,), "name"
        case n.Rule():
            return d.sort, (), "label"
        case n.Instead():
            return "except", (), ""
        case _:
            return type(d).__name__.lower(), (), ""


def shown_name(d: n.Decl) -> str:
    """What an outline calls a declaration that declares no name."""
    match d:
        case n.Example():
            return d.title
        case n.Trigger():
            return f"{d.event.sort} {d.event.name}" if d.event is not None else "whenever"
        case n.Except() | n.Instead():
            return " ".join((", ".join(d.target.cases), d.target.name or "")).strip()
        case n.Add():
            return d.name
        case n.Rule():
            return d.label or d.target or d.sort
        case n.Preview():
            return f"{d.action} as {d.name}"
        case _:
            return ""


def lender(d: n.Decl) -> str:
    """The declaration whose parameters an amendment sees."""
    match d:
        case n.Except() | n.Waive() | n.Instead():
            return d.target.name or "@" + ",".join(d.target.cases)
        case n.Add():
            return d.name
        case n.Rule():
            return d.target or ""
        case n.Preview():
            return d.action
        case n.Prefer():
            return d.target
        case n.Trigger():
            return ""
        case n.Route():
            return d.like or ""
        case _:
            return ""


def line_of(span: Span) -> Span:
    """All of the lines that a span stands in, up to its end."""
    return Span(span.origin, span.row, 1, span.end_row, span.end_column)


def rough(text: str) -> Block:
    """What a block that does not parse still declares, as far as its lines say so."""
    block = Block()
    case, title = "", ""
    for row, line in enumerate(text.split("\n"), start=1):
        for sort, name, column, rest in _opening(line):
            if sort == "case":
                case, title = name, rest
            item = Item(sort=sort, name=name, case=case, title=title, note="", row=row, end_row=row, head=line.strip())
            block.items.append(item)
            realm = "case" if sort == "case" else "member" if sort == "field" else "name"
            block.mentions.append(Mention(name, row, column, realm=realm, declares=sort, within=len(block.items) - 1))
    return block


_SORTS = frozenset(
    "define gather remember quota grow table route matching action procedure sequence kind scale record field box cup "
    "pool mark duty invariant unclear".split()
)


def _opening(line: str) -> Iterator[tuple[str, str, int, str]]:
    words = line.split()
    if words[:1] == ["house"]:
        words = words[1:]
    if len(words) < 2:
        return
    if words[0] == "case":
        name = words[1].rstrip(":")
        title = line.partition('"')[2].partition('"')[0]
        yield "case", name, line.find(name, line.find("case") + 4) + 1, title
    elif words[0] in _SORTS:
        found = NAME.match(words[1])
        if found:
            yield words[0], found.group(), line.find(found.group(), line.find(words[0]) + len(words[0])) + 1, ""
