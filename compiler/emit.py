"""Emit Python.

In:  the book in the core, its lowered procedures and what everything rests on.
Out: the text of three modules (data, rules, traced twin) and the source map of the rules.

The model is complete before a template sees it: templates own layout, Python owns decisions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

import jinja2

from rulewright.dsl.cache import cache_directory, write_whole
from rulewright.dsl.source import Span

from . import core as c
from .clean import compiler_stamp
from .depends import ASKED, Depends, column_name, definition_exprs, layer_values
from .emit_data import emit_data
from .emit_routes import Rests, emit_route, is_large, plain_value, route_parts
from .emit_steps import Steps, stirs_of
from .emit_trace import BEGIN, telling, told_lines
from .fold import HEAVY, LOOPS, PLAIN, TABLE, Fold, fold
from .foresee import Foreseen
from .lower import Lowered
from .python import Constants, Printer, fraction, literal, mangle, rounded_part
from .remember import Known, Memory, Room, ident
from .types import Type

T = TypeVar("T")
MARK = re.compile(r"⟦(\d+)⟧")


Place = tuple[int, str, Span, str]


@dataclass(slots=True, eq=False)
class Function:
    """One function to print; lines carry a number that the source map resolves."""

    name: str
    params: str
    doc: str
    lines: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Printed:
    """A function as it stands in the module, and where its lines come from."""

    text: str
    lines: int
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Chunk:
    """The functions of one declaration, with all that printing them took from the module around it."""

    value: Any
    functions: tuple[Printed, ...]
    names: frozenset[str]
    tried: frozenset[str]
    constants: tuple[tuple[str, str, str], ...]
    looked_up: frozenset[str]
    memo: tuple[tuple[int, str, Rests], ...]
    said: tuple[tuple[Span, str], ...]
    asked: tuple[tuple[str, Fold | None], ...]
    foreseen: tuple[tuple[str, c.Expr, object], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Emitted:
    """The modules of one rule set; `map` is (line of rules.py, case, file, line, element id) for every emitted line.

    `pieces` holds the text of each module cut between its statements, the program at its end left empty;
    `arguments` is what belongs into that. `kernels` are searches as machine code; only a large map has them.
    """

    data: str
    rules: str
    traced: str
    map: tuple[tuple[int, str, str, int, str], ...]
    kernels: str = ""
    pieces: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    arguments: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@cache
def templates() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,
        bytecode_cache=Ready(),
    )


class Ready(jinja2.BytecodeCache):
    """Templates as Jinja compiled them before, by their text."""

    def load_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        with suppress(OSError, EOFError, ValueError, TypeError), self.path(bucket).open("rb") as file:
            bucket.load_bytecode(file)

    def dump_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        write_whole(self.path(bucket), bucket.bytecode_to_string())

    def path(self, bucket: jinja2.bccache.Bucket) -> Path:
        return cache_directory() / "templates" / f"{compiler_stamp()}-{bucket.key}.bin"


@cache
def layout() -> Any:
    return templates().get_template("function.py.j2").module


def emit(
    book: c.Book,
    lowered: dict[str, Lowered],
    depends: Depends,
    rules_hash: str,
    memory: Memory | None = None,
    folded: bool = True,
) -> Emitted:
    """All modules of the rule set; unless `folded`, every definition is asked by a call and has lines of its own."""
    memory = memory or Memory()
    folds, foreseen = fold(book, depends, memory), Foreseen(book)
    plain = Emitter(book, lowered, depends, rules_hash, False, memory, folds if folded else None, foreseen).module()
    traced = Emitter(book, lowered, depends, rules_hash, True, memory, folds, foreseen).module()
    template = templates().get_template("data.py.j2")
    head = template.render(title=comment(book.title or book.name), name=comment(book.name))
    data = [head, *(f"\n{name} = {text}" for name, text in emit_data(book, memory)), "\n"]
    return Emitted(
        data="".join(data),
        rules=plain.text(),
        traced=traced.text(),
        map=plain.map(),
        kernels=templates().get_template("kernels.py.j2").render() if is_large(book) else "",
        pieces={"data": tuple(data), "rules": plain.pieces, "traced": traced.pieces},
        arguments={"rules": plain.arguments, "traced": traced.arguments},
    )


def comment(text: str) -> str:
    """Text that may stand in a comment or docstring."""
    return re.sub(r"[^\w .,:;()/+*'’–—-]", " ", text).strip()


def member_text(e: c.Expr | None) -> str:
    """The type of a member of a set."""
    head, _, inner = type_text(e.type).partition(":") if e is not None else ("", "", "")
    return inner if head in ("set", "list") else head


def type_text(t: Type) -> str:
    if t.of is not None:
        return f"{t.sort}:{type_text(t.of)}"
    if t.sort in ("kind", "scale", "record"):
        return f"{t.sort}:{t.name}"
    return t.name


def answer_text(book: c.Book, ask: c.Ask) -> str:
    """The type of an answer, with what a plan sorts onto what and what shares are given to."""
    if ask.type.name == "shares" and ask.source is not None and ask.source.type.of is not None:
        return f"shares:{type_text(ask.source.type.of)}"
    if ask.type.name == "plan" and ask.type.via in book.matchings:
        m = book.matchings[ask.type.via]
        return f"plan:{type_text(m.items.type.of or m.items.type)}|{type_text(m.targets.type.of or m.targets.type)}"
    return type_text(ask.type)


class Emitter:
    def __init__(
        self,
        book: c.Book,
        lowered: dict[str, Lowered],
        depends: Depends,
        rules_hash: str,
        traced: bool,
        memory: Memory | None = None,
        folds: dict[str, Fold] | None = None,
        foreseen: Foreseen | None = None,
    ) -> None:
        self.book = book
        self.lowered = lowered
        self.stirs = stirs_of(book, depends, lowered)
        self.depends = depends
        self.rules_hash = rules_hash
        self.traced = traced
        self.constants = Constants(book)
        self.functions: list[Function] = []
        self.printed: list[Printed] = []
        self.pieces: tuple[str, ...] = ()
        self.arguments: tuple[str, ...] = ()
        self.marks: list[tuple[str, Span, str]] = []
        self.memo: dict[str, Rests] = {}
        self.procs: dict[str, str] = {}
        self.names: set[str] = set()
        self.taken: set[str] = set()
        self.made: set[str] = set()
        self.tried: set[str] = set()
        self.collided = False
        self.noted: list[tuple[int, str, Rests]] = []
        self.memory = memory or Memory()
        self.folded = folds is not None and not traced
        self.constants.foreseen = foreseen or Foreseen(book)
        self.constants.folded, self.constants.traced = self.folded, traced
        self.constants.folds = {k: x for k, x in (folds or {}).items() if x == TABLE or not traced}
        self.room = Room()
        self.worth = Room()
        self.usuals: dict[str, str] = {}
        self.top = False

    # ------------------------------------------------------------ assembling

    def module(self) -> Emitter:
        """Print everything; the text stands in `pieces`."""
        book = self.book
        self.worth = self.memory.room("worth traced" if self.traced else "worth")
        sets = (d.name for d in book.definitions.values() if d.type.many and self._worth_keeping(d))
        self.constants.kept = frozenset(sets)
        self.room = self.memory.room(self._room(), (seen(book), self.constants.kept))
        for table in book.tables.values():
            self.chunk((table,), partial(self._table, table))
        for d in book.definitions.values():
            self.chunk((d, self._owner(d)), partial(self._definition, d))
        for g in book.grows.values():
            self.chunk((g,), partial(self._grow, g))
        for r in book.routes.values():
            self.chunk(route_parts(self, r), partial(emit_route, self, r))
        for m in book.matchings.values():
            self.chunk((m,), partial(self._matching, m))
        self.arguments = tuple(self._program())
        title = f"{book.title or book.name}: the rules" if not self.traced else f"{book.title or book.name}: traced"
        head = templates().get_template("module.py.j2")
        top = head.render(
            title=comment(title),
            name=comment(book.name),
            traced=self.traced,
            constants=self.constants.lines,
            kernels=is_large(book) and not self.traced,
        )
        end = templates().get_template("program.py.j2").render(program=())
        self.pieces = (bare(top), *(f.text for f in self.printed), end)
        return self

    def _room(self) -> str:
        return "emit traced" if self.traced else "emit" if self.folded else "emit unfolded"

    def text(self) -> str:
        """The whole module."""
        end = templates().get_template("program.py.j2").render(program=self.arguments)
        return "".join((*self.pieces[:-1], end))

    def map(self) -> tuple[tuple[int, str, str, int, str], ...]:
        """Where every line of the module comes from."""
        found = []
        at = self.pieces[0].count("\n") + 1
        for f in self.printed:
            found += [(at + i, case, span.file, span.line, element) for i, case, span, element in f.places]
            at += f.lines
        return tuple(found)

    # ------------------------------------------------------------ chunks

    def chunk(self, parts: tuple[Any, ...], make: Callable[[], T]) -> T:
        """Print the functions of one declaration, or take them as they were printed before.

        `make` looks at `parts`, at what `seen` tells of the book, and at what a chunk notes down.
        """
        key = ident(parts)
        known = self.room.find(key)
        if known is None or not self._fits(known.value):
            chunk, alone = self._record(make)
            known = Known(parts, chunk)
            if alone:
                self.room.now[key] = known
            else:
                self.room.now.pop(key, None)
        else:
            self._take(known.value)
        self.printed += known.value.functions
        value: T = known.value.value
        return value

    def once(self, make: Callable[[], T]) -> T:
        """Print functions that are cheaper to print anew than to remember."""
        chunk, _ = self._record(make)
        self.printed += chunk.functions
        value: T = chunk.value
        return value

    def _fits(self, chunk: Chunk) -> bool:
        """Whether the numbers and names that a chunk took are the ones that it would take now."""
        if not (self.names.isdisjoint(chunk.tried) and self.taken.isdisjoint(chunk.tried)):
            return False
        if chunk.memo and chunk.memo[0][0] != len(self.memo):
            return False
        if any(line(span) != text for span, text in chunk.said):
            return False
        if any(self.constants.how(name) is not how for name, how in chunk.asked):
            return False
        foreseen = self.constants.foreseen
        if any(foreseen.answer(question, e) != answer for question, e, answer in chunk.foreseen):
            return False
        return self.constants.fits(chunk.constants)

    def _take(self, chunk: Chunk) -> None:
        self.names |= chunk.names
        for constant in chunk.constants:
            self.constants.use(*constant)
        self.constants.looked_up |= chunk.looked_up
        for _, name, rests in chunk.memo:
            self.memo[name] = rests

    def _record(self, make: Callable[[], Any]) -> tuple[Chunk, bool]:
        """Print, and note down all that is taken from the module; says whether no name was in the way of another."""
        constants = self.constants
        looked_up, constants.looked_up, constants.used = constants.looked_up, set(), {}
        constants.asked, constants.foreseen.noted = {}, []
        self.made, self.tried, self.collided, self.noted = set(), set(), False, []
        self.functions, self.marks = [], []
        _SAID.clear()
        value = make()
        chunk = Chunk(
            value,
            tuple(map(self._print, self.functions)),
            frozenset(self.made),
            frozenset(self.tried | self.made),
            tuple(constants.used.values()),
            frozenset(constants.looked_up),
            tuple(self.noted),
            tuple(_SAID),
            tuple(constants.asked.items()),
            tuple(constants.foreseen.noted),
        )
        constants.looked_up |= looked_up
        self.functions = []
        return chunk, not self.collided

    def _print(self, f: Function) -> Printed:
        """A function with its marks turned into comments that cite cases, and into places for the source map."""
        text: str = layout().function(f)
        lines, found, last = [], [], ""
        for i, line in enumerate(text.split("\n")):
            match = MARK.search(line) if "⟦" in line else None
            if match is None:
                lines.append(line.rstrip())
                continue
            case, span, element = self.marks[int(match.group(1))]
            line = MARK.sub("", line).rstrip()
            if case and case != last:
                line += f"  # {comment(case)}"
                last = case
            lines.append(line)
            found.append((i, case, span, element))
        return Printed("\n".join(lines), len(lines) - 1, tuple(found))

    def at(self, text: str, case: str, span: Span, element: str) -> str:
        """A line of code with a mark for the source map."""
        self.marks.append((case, span, element))
        return f"{text}⟦{len(self.marks) - 1}⟧"

    def function(self, name: str, params: str, doc: str) -> Function:
        if name in self.names:
            raise ValueError(f"two functions called {name}")
        self.names.add(name)
        self.made.add(name)
        made = Function(name, params, comment(doc))
        self.functions.append(made)
        return made

    def printer(self, frame: bool = False, usual: str = "") -> Printer:
        return Printer(self.book, self.constants, frame, usual, self.traced)

    def title(self, case: str) -> str:
        name = self.book.cases.get(case, "")
        return f"{case} {name}".strip()

    # ------------------------------------------------------------ definitions

    def _table(self, table: c.Table) -> None:
        name = mangle(table.name, "table")
        f = self.function(name, "S, key", f"{self.title(table.case)}.")
        line = f"return {self.constants.table(table)}[key]"
        if self.traced:
            line = telling(table.name, "key", repr(table.case), line.removeprefix("return "), leaf=True)
        f.lines += told_lines(self.at(line, table.case, table.span, f"table {table.name}"))

    def _definition(self, d: c.Definition) -> None:
        always = d.sort == "memory" and self.book.memories[d.name].how == "always"
        name = mangle(d.name, "d")
        if always or not self._worth_keeping(d):
            self._layer(d, d.base, True, name=name)
            for f in self.functions:
                f.lines[:] = [line for x in f.lines for line in told_lines(x)]
        else:
            self._kept_definition(d, name)

    def _kept_definition(self, d: c.Definition, name: str) -> None:
        """A definition whose answers are kept: the look-up first, then its body, which keeps what it gives."""
        names, owner, rests = self._kept_by(d)
        self._layer(d, d.base, True, name=name)
        f = next(x for x in self.functions if x.name == name)
        look_up = self.function(f"{name}__memo", "", "")
        self.memoised(look_up, name, names, "", rests, owner)
        self.functions.remove(look_up)
        key = names if "," not in names and names else "key"
        if self.traced:
            look_up.lines[-3] = f"    return tell_again(S, memo[{key}])"
        f.lines[:] = [*look_up.lines[:-2], *(line for x in f.lines for line in keeping(x, key))]

    def _kept_by(self, d: c.Definition) -> tuple[str, str, Rests]:
        """By what answers are kept; by which owner apart, where there is more besides; and what they rest on."""
        own = self.depends.own(d.name)
        at = own[0] if own is not None else -1
        rest = ", ".join(mangle(p.name) for i, p in enumerate(d.params) if i != at)
        owner = mangle(d.params[at].name) if own is not None else ""
        rests = Rests(("define", d.name), owned=own is not None)
        return (rest, owner, rests) if rest else (owner, "", rests)

    def _owner(self, d: c.Definition) -> str:
        """The place of the parameter by which answers are kept apart; it hangs on what else the definition asks."""
        own = self.depends.own(d.name) if not self.traced and self._worth_keeping(d) else None
        return "" if own is None else str(own[0])

    def slot(self, name: str, rests: Rests) -> int:
        """The number under which a function keeps its answers."""
        index = len(self.memo)
        self.memo[name] = rests
        self.noted.append((index, name, rests))
        return index

    def memoised(self, f: Function, name: str, names: str, call: str, rests: Rests, owner: str = "") -> None:
        """Keep answers until something they rest on changes; with an owner, apart for each."""
        index = self.slot(name, rests)
        key = names if names and "," not in names else "key"
        f.lines += [
            f"memo = S.memo[{index}].setdefault({owner}, {{}})" if owner else f"memo = S.memo[{index}]",
            *([f"key = ({names})"] if key == "key" else []),
            f"if {key} in memo:",
            f"    return memo[{key}]",
            f"value = memo[{key}] = {call}",
            "return value",
        ]

    def members(self, names: list[str]) -> None:
        """For every kept set that something is looked for in: the same set, ready for look-ups."""
        for name in names:
            d = self.book.definitions[name]
            params = ", ".join(["S", *(mangle(p.name) for p in d.params)])
            base = mangle(name, "d")
            f = self.function(f"{base}__members", params, f"{self.title(d.case)}: {name}, for look-ups.")
            value, made = plain_value(d), f"frozenset({base}({params}))"
            if self.traced:
                f.lines.append(f"value = {base}({params})")
                made = "frozenset(value)"
            elif value is not None and value.op == "each_of":
                made = self.printer()._fold(value, "frozenset().union(*[{}])")
            keys, owner, rests = self._kept_by(d)
            self.memoised(f, f.name, keys, made, rests, owner)

    def _worth_keeping(self, d: c.Definition) -> bool:
        """Whether an answer is dear enough to be kept until something it rests on changes."""
        if d.sort == "facet" or any(p.type.sort == "record" for p in d.params):
            return False
        if self.constants.how(d.name) == TABLE:
            return False
        if self.worth.work((d,), partial(is_heavy, d)):
            return True
        if not d.type.many or d.sort != "define":
            return False
        exprs = (e for top in definition_exprs(d) for e in top.walk())
        if (self.folded or self.traced) and all(self._at_hand(e) for e in exprs):
            return False
        return self.depends.own(d.name) is not None

    def _at_hand(self, e: c.Expr) -> bool:
        """Whether a part of a definition is found as fast as a kept answer."""
        if e.op == "call":
            return self.constants.how(str(e.info)) is not None
        return e.op in PLAIN or (e.op == "setlit" and len(e.args) <= 1)

    def _waived(self, waivers: tuple[c.Waiver, ...], p: Printer) -> str:
        parts = []
        for w in waivers:
            text = p(w.guard) if w.guard is not None else "True"
            if w.waivers:
                text = f"({text} and not {self._waived(w.waivers, p)})"
            parts.append(text)
        return "(" + " or ".join(parts) + ")"

    def _layer(
        self, d: c.Definition, layer: c.Layer, base: bool, contribution: str | None = None, name: str = ""
    ) -> str:
        """A function for what one case says; exceptions first, then its own clauses."""
        params = ", ".join(["S", *(mangle(p.name) for p in d.params)])
        always = d.sort == "memory" and self.book.memories[d.name].how == "always"
        keep = ", keep=None" if always else ""
        pass_keep = ", keep=keep" if always else ""
        name = name or self._unique(f"{mangle(d.name, 'x')}__{mangle(layer.case, 'c')}")
        self.taken.add(name)
        self.made.add(name)
        if any(e.op == "usual" for x in layer.exceptions for top in layer_values(x) for e in top.walk()):
            for x in layer.exceptions:
                self.usuals[x.id] = f"{name}__usual({params}{pass_keep})"
            own = self.function(
                f"{name}__usual", params + keep, f"{self.title(layer.case)}: {d.name}, without exceptions."
            )
            self._clauses(own, d, layer, base, None, bare=True)
        only = self._always(layer) if contribution is None else None
        made = {x.id: self._layer(d, x, False) for x in (only or layer).exceptions if not self._in_place(x)}
        cases = ", ".join(dict.fromkeys(x.case for x in layer.exceptions)) if base else ""
        more = f" Excepted by {cases}." if cases else ""
        f = self.function(name, params + keep, f"{self.title(layer.case)}: {d.name}.{more}")
        p = self.printer(usual=self.usuals.get(layer.id, ""))
        outer, self.top = self.top, base
        if base and self.traced and not self._asks_nothing(d):
            f.lines.append(BEGIN)
        if layer.waivers:
            f.lines.append(
                self.at(
                    f"if {self._waived(layer.waivers, p)}:",
                    layer.waivers[0].case,
                    layer.waivers[0].span,
                    layer.waivers[0].id,
                )
            )
            f.lines.append("    return NOTHING")
        if not base and layer.exceptions:
            self._applies(f, layer, p)
        amount = (
            (layer.clauses[0].operation or contribution) if contribution and d.type.name in ("number", "ratio") else ""
        )
        if only is not None:
            self._exceptions(f, d, only, made, params + pass_keep)
            self._clauses(f, d, only, False, None)
        else:
            self._exceptions(f, d, layer, made, params + pass_keep, amount)
            self._clauses(f, d, layer, base, contribution)
        if self.folded:
            once_each(f)
        self.top = outer
        return name

    def _asks_nothing(self, d: c.Definition) -> bool:
        """Whether a definition asks nothing that is told of in turn, and its node is not kept."""
        if d.gathered or self._worth_keeping(d):
            return False
        found = [clause.value for layer in d.layers() for clause in layer.clauses]
        tables = [e.args for e in found if e.op == "call" and self.constants.how(str(e.info)) == TABLE]
        mine = [e for e in definition_exprs(d) if e.op != "call" or self.constants.how(str(e.info)) != TABLE]
        asked = (e for top in (*mine, *(x for args in tables for x in args)) for e in top.walk())
        return not any(e.op in ASKED or e.op in ("table", "usual", "memory") for e in asked)

    def _answer(self, d: c.Definition, case: str, text: str) -> str:
        """The statement that gives an answer; the traced twin tells it, or hands it on together with its case."""
        if not self.traced:
            return f"return {text}"
        if not self.top:
            return f"return ({case!r}, {text})"
        return self._told(d, repr(case), text)

    def _told(self, d: c.Definition, case: str, value: str, parts: str = "()") -> str:
        return telling(d.name, [mangle(p.name) for p in d.params], case, value, parts, self._asks_nothing(d))

    def _always(self, layer: c.Layer) -> c.Layer | None:
        """An exception that always applies: what it says stands in for what it excepts."""
        only = layer.exceptions[0] if (self.folded or self.traced) and len(layer.exceptions) == 1 else None
        if only is None or only.waivers or self._in_place(only) or only.clauses[-1].guard is not None:
            return None
        asked = (e for x in only.walk() for top in layer_values(x) for e in top.walk())
        return None if any(e.op == "usual" for e in asked) else only

    def _applies(self, f: Function, layer: c.Layer, p: Printer) -> None:
        """An exception to an exception counts only where the exception itself applies."""
        guards = [x.guard for x in layer.clauses]
        if any(g is None for g in guards):
            return
        for name, value in layer.lets:
            f.lines.append(f"{mangle(name)} = {p(value)}")
        f.lines.append(f"if not ({' or '.join(p(g) for g in guards if g is not None)}):")
        f.lines.append("    return NOTHING")

    def _unique(self, name: str) -> str:
        found, i = name, 1
        self.tried.add(found)
        while found in self.names or found in self.taken:
            self.collided = self.collided or found not in self.made
            i += 1
            found = f"{name}_{i}"
            self.tried.add(found)
        return found

    def _exceptions(
        self, f: Function, d: c.Definition, layer: c.Layer, made: dict[str, str], params: str, operation: str = ""
    ) -> None:
        """Ask what excepts a layer; where it is a contribution, an exception works by the same operation."""
        ordered = sorted(layer.exceptions, key=lambda x: not x.outranks)
        while ordered and ordered[0].id not in made and {y.id for y in ordered[1:]} <= set(ordered[0].outranks):
            x = ordered.pop(0)  # it wins over all the others
            case = x.case
            self._clauses_of(
                f,
                x,
                lambda v, _, case=case: (  # type: ignore[misc]
                    f"return ({case!r}, {operation!r}, {v})" if operation else self._answer(d, case, v)
                ),
            )
            if x.clauses[-1].guard is None:
                return
        if not ordered:
            return
        if len(ordered) == 1:
            x = ordered[0]
            f.lines.append(self.at(f"hit = {made[x.id]}({params})", x.case, x.span, x.id + " asked"))
            answer = f"return ({x.case!r}, {operation!r}, hit)" if operation else "return hit"
            if self.traced:
                answer = f"return (hit[0], {operation!r}, hit[1])" if operation else self._handed_on(d)
            f.lines += ["if hit is not NOTHING:", f"    {answer}"]
            return
        answer = f"return (hit[0], {operation!r}, hit[1])" if operation else "return hit[1]"
        if self.traced and not operation:
            answer = self._handed_on(d)
        most = 3 if self.folded else 2 if self.traced else 0
        if not made and all(plain_rank(ordered, i) for i in range(len(ordered))) and few(ordered, most):
            self._exceptions_at_once(f, d, ordered, operation)
            return
        if not made and all(plain_rank(ordered, i) for i in range(len(ordered))):
            self._exceptions_in_turn(f, d, ordered)
            f.lines += ["if hit is not None:", f"    {answer}"]
            return
        for i, x in enumerate(ordered):
            if x.id in made:
                f.lines.append(self.at(f"value_{i} = {made[x.id]}({params})", x.case, x.span, x.id + " asked"))
                continue
            if x.clauses[-1].guard is not None:
                f.lines.append(f"value_{i} = NOTHING")
            if self.traced:
                self._clauses_of(f, x, lambda v, _, i=i, x=x: f"value_{i} = ({x.case!r}, {v})", "elif")  # type: ignore[misc]
                continue
            self._clauses_of(f, x, lambda v, _, i=i: f"value_{i} = {v}", "elif")  # type: ignore[misc]
        f.lines.append("if " + " or ".join(f"value_{i} is not NOTHING" for i in range(len(ordered))) + ":")
        f.lines.append("    hit = None")
        for i, x in enumerate(ordered):
            outranked = outrankers(ordered, i)
            guard = "".join(f" and value_{j} is NOTHING" for j in outranked)
            f.lines.append(f"    if value_{i} is not NOTHING{guard}:")
            given = f"agree(hit, {x.case!r}, value_{i}, {d.name!r})"
            if self.traced:
                given = f"(value_{i}[0], agree(hit, *value_{i}, {d.name!r})[1])"
            f.lines.append(f"        hit = {given}")
        f.lines += ["    if hit is not None:", f"        {answer}"]

    def _handed_on(self, d: c.Definition) -> str:
        """The answer of an exception in the traced twin, which comes with its case."""
        return self._told(d, "hit[0]", "hit[1]") if self.top else "return hit"

    def _exceptions_in_turn(self, f: Function, d: c.Definition, ordered: list[c.Layer]) -> None:
        """Exceptions one after another: an outranked one is asked only where none before it has an answer."""
        f.lines.append("hit = None")
        for i, x in enumerate(ordered):
            pad = "    " if outrankers(ordered, i) else ""
            f.lines += ["if hit is None:"] if pad else []
            first = not i or pad
            start = len(f.lines)
            self._clauses_of(
                f,
                x,
                lambda v, _, x=x, first=first: (  # type: ignore[misc]
                    f"hit = ({x.case!r}, {v})" if first else f"hit = {self._agreed(x, v, d)}"
                ),
                "elif",
            )
            f.lines[start:] = [pad + line for line in f.lines[start:]]

    def _agreed(self, x: c.Layer, value: str, d: c.Definition) -> str:
        """What two exceptions say that both apply; the traced twin cites the later one."""
        agreed = f"agree(hit, {x.case!r}, {value}, {d.name!r})"
        return f"({x.case!r}, {agreed}[1])" if self.traced else agreed

    def _exceptions_at_once(self, f: Function, d: c.Definition, ordered: list[c.Layer], operation: str) -> None:
        """A few exceptions of one clause: the first that applies answers, once those of its rank are known to agree."""
        printed = []
        for x in ordered:
            p = self.printer(usual=self.usuals.get(x.id, ""))
            guard = x.clauses[0].guard
            assert guard is not None
            printed.append((x, p(guard), p(x.clauses[0].value)))
        for i, (x, test, value) in enumerate(printed):
            span = x.clauses[0].span
            f.lines.append(self.at(f"if {test}:", x.case, span, x.id + " guard"))
            for j, (y, also, other) in enumerate(printed[i + 1 :], i + 1):
                if outrankers(ordered, j) or value == other:
                    continue
                f.lines.append(self.at(f"    if {also}:", y.case, y.clauses[0].span, y.id + " guard"))
                f.lines.append(f"        agree(({x.case!r}, {value}), {y.case!r}, {other}, {d.name!r})")
                if self.traced and not operation:  # of two that agree the later is cited
                    f.lines.append(f"        {self._answer(d, y.case, value)}")
            answer = f"return ({x.case!r}, {operation!r}, {value})" if operation else self._answer(d, x.case, value)
            f.lines.append(self.at(f"    {answer}", x.case, span, x.id))

    def _in_place(self, layer: c.Layer) -> bool:
        """Whether what a layer says can stand where it is asked, without a function of its own."""
        return not (layer.exceptions or layer.waivers or layer.lets)

    def _clauses_of(self, f: Function, layer: c.Layer, give: Callable[[str, str], str], word: str = "if") -> None:
        """The clauses of a layer in place; `give` turns a value and its operation into a statement."""
        p = self.printer(usual=self.usuals.get(layer.id, ""))
        for i, clause in enumerate(layer.clauses):
            given = give(p(clause.value), clause.operation)
            if clause.guard is None:
                pad = "" if word == "if" or not i else "    "
                f.lines += ["else:"] if pad else []
                f.lines.append(self.at(pad + given, layer.case, clause.span, layer.id))
                return
            test = f"{word if i else 'if'} {p(clause.guard)}:"
            f.lines.append(self.at(test, layer.case, clause.span, layer.id + " guard"))
            f.lines.append(self.at(f"    {given}", layer.case, clause.span, layer.id))

    def _clauses(
        self, f: Function, d: c.Definition, layer: c.Layer, base: bool, contribution: str | None, bare: bool = False
    ) -> None:
        """What a layer says by itself; `bare` values come without their case."""
        p = self.printer(usual=self.usuals.get(layer.id, ""))
        taken = {x.name for x in d.params} | {name for name, _ in layer.lets}
        for name, value in layer.lets:
            value = self._sums(f, value, p, taken, (layer.case, layer.id))
            f.lines.append(self.at(f"{mangle(name)} = {p(value)}", layer.case, value.span, layer.id))
        staged = base and d.gathered
        for clause in layer.clauses:
            if clause.guard is None:
                clause = replace(clause, value=self._sums(f, clause.value, p, taken, (layer.case, layer.id)))
            text = p(clause.value)
            case = "" if clause.value.op == "keep" else layer.case  # no case is cited for what stays as it was
            given = f"value = {text}" if staged else self._answer(d, case, text)
            if bare and not staged:
                given = f"return {text}"
            elif contribution is not None and d.type.name in ("number", "ratio"):
                given = f"return ({layer.case!r}, {clause.operation or contribution!r}, {text})"
            if clause.guard is None:
                f.lines.append(self.at(given, layer.case, clause.span, layer.id))
                break
            word = "elif" if staged and clause is not layer.clauses[0] else "if"
            f.lines.append(self.at(f"{word} {p(clause.guard)}:", layer.case, clause.span, layer.id + " guard"))
            f.lines.append(self.at(f"    {given}", layer.case, clause.span, layer.id))
        else:
            if base and staged:
                f.lines += ["else:", f"    value = {literal(empty_of(d.type))}"]
            elif base:
                always = d.sort == "memory" and self.book.memories[d.name].how == "always"
                nothing = "keep" if always else literal(empty_of(d.type))
                f.lines.append(f"return {nothing}" if bare else self._answer(d, "", nothing))
            else:
                f.lines.append("return NOTHING")
        if staged:
            if len(layer.clauses) > 1 and layer.clauses[-1].guard is None:
                last = f.lines.pop()
                f.lines += ["else:", "    " + last]
            self._contributions(f, d, p, bare)

    def _sums(self, f: Function, e: c.Expr, p: Printer, taken: set[str], by: tuple[str, str]) -> c.Expr:
        """Sums that a value asks for in any case, added up before it; a loop is faster than a list."""
        if not self.folded or e.op in ("and", "or", "choose", "suppose", "else") or e.op in LOOPS - {"sum"}:
            return e
        said = p.folded(e)
        if said is not None:
            return self._sums(f, said, p, taken, by)
        if e.op != "sum" or str(e.info) in taken:
            return replace(e, args=tuple(self._sums(f, a, p, taken, by) for a in e.args)) if e.args else e
        name = f"total_{sum(line.startswith('total_') for line in f.lines) + 1}"
        var, over = str(e.info), e.args[0]
        narrow = over.op == "filter" and over.info == var
        text, test = p._narrow(over.args[0], over.args[1], var) if narrow else (p(over), None)
        lines = [f"for {mangle(var)} in {text}:", f"    {name} = {name} + {p.with_var(var, e.args[1])}"]
        if test is not None:
            lines[1:] = [f"    if {p.with_var(var, test)}:", "    " + lines[1]]
        f.lines += [f"{name} = 0", *(self.at(line, by[0], e.span, by[1]) for line in lines)]
        return c.Expr("total", (), e.type, e.span, name)

    def _contributions(self, f: Function, d: c.Definition, p: Printer, bare: bool) -> None:
        params = ", ".join(["S", *(mangle(x.name) for x in d.params)])
        number = d.type.name in ("number", "ratio")
        if self.traced:
            f.lines += [f"case = {d.case!r}", *(["reckoning = []"] if number else [])]
        stages = d.stages or (c.Stage(name=""),)
        whole = number and self._is_whole(d.base)
        for stage in stages:
            mine = [x for x in d.contributions if x.stage == stage.name or not d.stages]
            if number and self._all_alike(stage, mine):
                whole = self._one_of(f, stage, mine, whole)
                continue
            if number and self._in_order(stage, mine):
                taken = {*(x.name for x in d.params), *(name for name, _ in d.base.lets)}
                whole = self._reckon(f, stage, mine, p, whole, taken)
                continue
            if number:
                f.lines.append("parts = []")
            for x in mine:
                self._contribution(f, d, x, params, number)
            if number:
                most = p(stage.most) if stage.most is not None else "None"
                least = p(stage.least) if stage.least is not None else "None"
                trace = ", reckoning" if self.traced else ""
                step = f"value = step_value(value, parts, {stage.round!r}, {stage.once}, {most}, {least}{trace})"
                cited = ["if parts:", "    case = parts[-1][0]"] if self.traced else ["if parts:"]
                if whole and (most, least) == ("None", "None"):
                    f.lines += [*cited, f"    {step}"]
                else:
                    f.lines += [*cited[: 2 * self.traced], step]
                whole = whole and bool(stage.round)
        if not self.traced or (bare and not number):
            f.lines.append("return value")
        elif bare:
            f.lines += told_lines(telling("", [], "''", "value", "reckoning", leaf=True))
        else:
            f.lines.append(self._told(d, "case", "value", "reckoning" if number else "()"))

    def _is_whole(self, layer: c.Layer) -> bool:
        """Whether the clauses of a layer give whole numbers only."""
        return all([self.constants.foreseen.is_whole(clause.value) for clause in layer.clauses])

    def _all_alike(self, stage: c.Stage, mine: list[c.Contribution]) -> bool:
        """Whether the parts of a step of which one counts are all the same, and can be asked until one applies."""
        clauses = [clause for x in mine for clause in x.layer.clauses]
        if not (self.folded and stage.once and clauses and len(clauses) == len(mine)):
            return False
        first = clauses[0]
        if first.value.op != "const" or any(
            x.guard is None or (x.operation, x.value.op, x.value.info) != (first.operation, "const", first.value.info)
            for x in clauses
        ):
            return False
        if not all(self._in_place(x.layer) for x in mine) or stage.most is not None or stage.least is not None:
            return False
        return all(self.constants.foreseen.is_sure(x.guard) for x in clauses if x.guard is not None)

    def _one_of(self, f: Function, stage: c.Stage, mine: list[c.Contribution], whole: bool) -> bool:
        """A step of which one part counts, all of them alike: it counts as soon as one applies."""
        f.lines.append("if (")
        for i, x in enumerate(mine):
            p = self.printer(usual=self.usuals.get(x.layer.id, ""))
            clause = x.layer.clauses[0]
            assert clause.guard is not None
            f.lines.append(self.at(f"    {'or ' if i else ''}{p(clause.guard)}", x.layer.case, clause.span, x.layer.id))
        clause = mine[0].layer.clauses[0]
        sign = "*" if clause.operation == "times" else "+"
        given = f"value {sign} {self.printer()(clause.value)}"
        is_number = whole and isinstance(clause.value.info, int)
        rounded = given if is_number else f"{stage.round or 'exact'}({given})"
        f.lines += ["):", f"    value = {rounded}"]
        if not whole:
            f.lines += ["else:", f"    value = {stage.round or 'exact'}(value)"]
        return is_number or (whole and bool(stage.round))

    def _contribution(self, f: Function, d: c.Definition, x: c.Contribution, params: str, number: bool) -> None:
        """What one case adds: to the parts of a reckoning, to a set, or to a flag."""
        add = "parts.append({})" if number else "value = union(value, {})" if d.type.many else "value = value or {}"
        if self.traced and not number:
            add = f"{add.replace('value = ', 'value, case = ')}, {x.layer.case!r}"
        before, _, after = add.partition("{}")
        layer = x.layer
        if self._in_place(layer):

            def give(text: str, operation: str) -> str:
                part = f"({layer.case!r}, {operation or 'plus'!r}, {text})" if number else text
                return f"{before}{part}{after}"

            self._clauses_of(f, layer, give, "elif")
            return
        name = self._layer(d, layer, False, "plus")
        self._sink(f)
        f.lines.append(self.at(f"hit = {name}({params})", layer.case, layer.span, layer.id + " asked"))
        hit = "hit[1]" if self.traced and not number else "hit"
        f.lines += ["if hit is not NOTHING:", f"    {before}{hit}{after}"]

    def _in_order(self, stage: c.Stage, mine: list[c.Contribution]) -> bool:
        """Whether the parts of a step can be reckoned one after another as they are found."""
        return not stage.once and not self.traced and all(self._in_place(x.layer) for x in mine)

    def _reckon(
        self, f: Function, stage: c.Stage, mine: list[c.Contribution], p: Printer, whole: bool, taken: set[str]
    ) -> bool:
        """One step of a reckoning in place: what each case adds, then rounding, then caps.

        Says whether the value is whole afterwards, if it was before; a whole one is rounded only where parts came.
        """
        again = whole and len(mine) == 1 and len(mine[0].layer.clauses) == 1
        part = self._part_of(stage, mine[0]) if again and self.folded else ""
        if part:
            self._clauses_of(f, mine[0].layer, lambda _, how: f"value = {part}")
            return (stage.most is None and stage.least is None) or self._capped(f, stage, p)
        for x in mine:
            layer, clause = x.layer, x.layer.clauses[0]
            if clause.guard is None:
                value = self._sums(f, clause.value, p, taken, (layer.case, layer.id))
                layer = replace(layer, clauses=(replace(clause, value=value),))
            self._clauses_of(f, layer, lambda v, how: f"value = value {'*' if how == 'times' else '+'} {v}", "elif")
        guarded = again and mine[0].layer.clauses[0].guard is not None
        if self.folded and whole and all([self._adds_whole(x.layer) for x in mine]):
            self._capped(f, stage, p)
            return stage.most is None and stage.least is None
        if mine or not whole:
            f.lines.append(f"{'    ' if guarded else ''}value = {stage.round or 'exact'}(value)")
        self._capped(f, stage, p)
        return whole and (bool(stage.round) or not mine) and stage.most is None and stage.least is None

    def _capped(self, f: Function, stage: c.Stage, p: Printer) -> bool:
        for cap, than in ((stage.most, ">"), (stage.least, "<")):
            if cap is not None:
                f.lines += [f"if value {than} {p(cap)}:", f"    value = {p(cap)}"]
        return False

    def _adds_whole(self, layer: c.Layer) -> bool:
        """Whether a whole number stays whole by what a layer does to it."""
        return self._is_whole(layer)

    def _part_of(self, stage: c.Stage, x: c.Contribution) -> str:
        """A whole number times a fraction, rounded: reckoned in whole numbers."""
        clause = x.layer.clauses[0]
        times = fraction(clause.value) if clause.operation == "times" else None
        if times is None or times <= 0 or stage.round not in ("up", "down"):
            return ""
        return rounded_part("value", times, stage.round)[1:-1]

    def _sink(self, f: Function) -> None:
        """Keep helper functions above the one that calls them."""
        self.functions.remove(f)
        self.functions.append(f)

    def _grow(self, g: c.Grow) -> None:
        names = [mangle(x.name) for x in g.params]
        params = ", ".join(["S", *names])
        p = self.printer()
        name = mangle(g.name, "g")
        f = self.function(name, params, f"{self.title(g.case)}: the least set {g.name}.")
        key = literal(g.name) + "".join(f", {x}" for x in names)
        domain, test = p(g.domain), p.with_var("it", g.test)
        call = f"grow(S, ({key},), lambda: {domain}, lambda it: {test})"
        if self.traced:
            line = self.at(telling(g.name, names, repr(g.case), call), g.case, g.span, f"grow {g.name}")
            f.lines += [BEGIN, *told_lines(line)]
            return
        self.memoised(f, name, ", ".join(names), call, Rests(("grow", g.name)))
        f.lines[-2] = self.at(f.lines[-2], g.case, g.span, f"grow {g.name}")

    # ------------------------------------------------------------ rules

    def refusal(self, rule: c.Rule, p: Printer) -> str:
        if rule.sort == "require":
            text = f"(not {p(rule.test)})"
            if rule.guard is not None:
                text = f"({p(rule.guard)} and {text})"
        else:
            text = p(rule.test)
        if rule.waivers:
            text = f"({text} and not {self._waived(rule.waivers, p)})"
        return text

    # ------------------------------------------------------------ matchings

    def _matching(self, m: c.Matching) -> None:
        names = [mangle(x.name) for x in m.params]
        params = ", ".join(["S", *names])
        base = mangle(m.name, "m")
        title = self.title(m.case)
        p = self.printer()
        item, target = mangle(m.item), mangle(m.target)
        pair = self.function(
            f"{base}_pair", f"{params}, {item}, {target}", f"{title}: whether an item may go to a target."
        )
        for rule in (x for x in m.rules if x.sort == "forbid"):
            pair.lines.append(self.at(f"if {self.refusal(rule, p)}:", rule.case, rule.span, rule.id))
            pair.lines.append("    return False")
        pair.lines.append("return True")
        needs = [x for x in m.rules if x.sort == "require"]
        whole = [x for x in needs if any(e.op == "local" and e.info == "unassigned" for e in x.test.walk())]
        group, assigned, rest = mangle("group"), mangle("assigned"), mangle("unassigned")
        each = self.function(
            f"{base}_each", f"{params}, {group}, {assigned}, {rest}=()", f"{title}: what is required of one group."
        )
        each.lines.append(f"{target} = {group}[0]")
        for rule in needs:
            if rule not in whole:
                each.lines.append(self.at(f"if {self.refusal(rule, p)}:", rule.case, rule.span, rule.id))
                each.lines.append("    return False")
        each.lines.append("return True")
        whole_text = "None"
        if whole:
            f = self.function(f"{base}_whole", f"{params}, plan", f"{title}: what is required of the whole plan.")
            f.lines.append(f"{rest} = without({p(m.items)}, placed(plan))")
            f.lines.append(f"for {group}, {assigned} in plan:")
            f.lines.append(f"    {target} = {group}[0]")
            for rule in whole:
                f.lines.append(self.at(f"    if {self.refusal(rule, p)}:", rule.case, rule.span, rule.id))
                f.lines.append("        return False")
            f.lines.append("return True")
            whole_text = f"lambda plan: {base}_whole({params}, plan)"
        idle = f"lambda {item}: {p.with_var(m.item, m.idle)}" if m.idle is not None else f"lambda {item}: False"
        empty = (
            f"lambda {target}: {p.with_var(m.target, m.empty)}" if m.empty is not None else f"lambda {target}: False"
        )
        f = self.function(base, params, f"{title}: the plans of {m.name}.")
        f.lines.append("return Matching(")
        f.lines.append(self.at(f"    items={p(m.items)},", m.case, m.span, f"matching {m.name}"))
        f.lines.append(f"    targets={p(m.targets)},")
        f.lines.append(f"    pair=lambda {item}, {target}: {base}_pair({params}, {item}, {target}),")
        f.lines.append(f"    each_target=lambda group, assigned: {base}_each({params}, group, assigned),")
        f.lines.append(f"    group={m.groups}, more_helps={m.more_helps},")
        f.lines.append(f"    idle={idle}, empty={empty}, whole={whole_text}, case={m.case!r},")
        f.lines.append(")")

    # ------------------------------------------------------------ the program

    def _program(self) -> list[str]:
        from .emit_program import program_lines

        return program_lines(self)

    # ------------------------------------------------------------ procedures

    def blocks(self, low: Lowered) -> Steps:
        """The functions of a procedure."""
        base = self._unique(mangle(low.name, "p"))
        self.names.add(base)
        self.made.add(base)
        steps = Steps(self, low, base)
        steps.functions()
        return steps

    def _stmt(self, f: Function, s: c.Stmt, p: Printer, low: Lowered, pad: str) -> None:
        element = f"{s.case} {low.name}"

        def line(text: str) -> None:
            f.lines.append(self.at(pad + text, s.case, s.span, element))

        match s.op:
            case "let":
                text = p(s.args[0])
                line(f"L[{s.info!r}] = exact({text})" if s.args[0].type.name == "number" else f"L[{s.info!r}] = {text}")
            case "set":
                owner = p(s.args[1]) if len(s.args) > 1 else "None"
                value = p(s.args[0])
                if s.args[0].type.name == "number":
                    value = f"exact({value})"
                free = self.stirs.free(s, low)
                if free:
                    f.lines += [f"{pad}if S.log is None:", f"{pad}    S.own({column_name(*s.info)!r})[{owner}] = {value}"]
                    f.lines.append(f"{pad}else:")
                line(f"{'    ' * free}set_mark(S, {column_name(*s.info)!r}, {owner}, {value}, {s.case!r})")
            case "put":
                line(f"put(S, {p(s.args[0])}, {p(s.args[1])}, {s.case!r})")
            case "roll":
                dice = s.args[0]
                if dice.op == "const":
                    count, sides = dice.info
                    line(f"L[{s.info!r}] = roll(S, {count}, {sides}, {s.case!r})")
                else:
                    line(f"L[{s.info!r}] = roll(S, *{p(dice)}, {s.case!r})")
            case "draw":
                secret = f", {p(s.args[1])}, L, {s.info!r}" if len(s.args) > 1 else ""
                line(f"L[{s.info!r}] = draw(S, {p(s.args[0])}, {s.case!r}{secret}, type={member_text(s.args[0])!r})")
            case "spend":
                key = p.key(s.args[1:])
                line(f"spend(S, {s.info!r}, {key}, exact({p(s.args[0])}), {s.case!r})")
            case "win":
                line(f"win(S, {p(s.args[0])}, {s.case!r})")
            case "halt":
                line(f"halt(S, {p(s.args[0])})")
            case "reveal":
                mark = ""
                if s.args[0].op == "mark":
                    of = s.args[0].args
                    mark = f", {column_name(of[0].type.plain.name if of else 'game', str(s.args[0].info))!r}"
                    mark += f", {p(of[0])}" if of else ""
                line(f"reveal(S, {p(s.args[0])}, {s.case!r}{mark}, type={type_text(s.args[0].type)!r})")
            case "note":
                line(f"note(S, 'note', {s.case!r}, text={s.info!r})")
            case "skip":
                phase, guard = s.info
                line(f"skip(S, {phase!r}, {guard!r}, L, {s.case!r})")
            case "again":
                if s.args:
                    line(f"if {p(s.args[0])}:")
                    line(f"    call_again(S, {s.info!r}, {s.case!r})")
                else:
                    line(f"call_again(S, {s.info!r}, {s.case!r})")
            case "schedule":
                phase, name, kept = s.info
                line(f"schedule(S, {phase!r}, {name!r}, L, {kept!r}, {s.case!r})")
            case "due":
                if s.args:
                    line(f"if not {p(s.args[0])}:")
                    f.lines.append(pad + "    return -1")
                line("due(S, L)")
            case "test":
                line(f"return 1 if {p(s.args[0])} else 0")
            case "do":
                args = ", ".join(p(a) for a in s.args)
                line(f"call(S, {s.info!r}, ({args + ',' if args else ''}))")
            case "usual":
                line("usual(S, L)")
            case "together":
                line(f"together(S, {bool(s.info)})")
            case "begin_for":
                line(f"L[{s.info!r}] = [*{p(s.args[0])}]")
            case "begin_repeat":
                line(f"L[{s.info!r}] = down({p(s.args[0])})")
            case "begin_walk":
                line(f"begin_walk(S, L, {s.info!r}, {p(s.args[0])}, {p(s.args[1])})")
            case "bind":
                var, local = s.info
                kept = f"bind_{var}" in self.stirs.kept
                line(f"bind(S, {var!r}, L[{local!r}])" if kept else f"S.{mangle(var, 'bind')} = L[{local!r}]")
            case "enter_phase":
                name, var = s.info
                value = f"S.{mangle(var, 'bind')}" if var is not None else "None"
                begin = self.stirs.plain("start", name)
                if begin is None:
                    line(f"enter_phase(S, {name!r}, {var!r}, {value})")
                else:
                    line(f"S.phases.append({name!r})")
                    f.lines.append(f"{pad}S.turn_of_phase[{name!r}] = S.turn_of_phase.get({name!r}, 0) + 1")
                    f.lines.append(f"{pad}if S.log is not None:")
                    f.lines.append(f"{pad}    note(S, 'phase', '', name={name!r}, var={var!r}, value={value})")
                    self._put_back(f, begin, pad)
            case "close_phase":
                if self.stirs.plain("end", s.info) is None:
                    line(f"close_phase(S, {s.info!r})")
            case "leave_phase":
                end = self.stirs.plain("end", s.info)
                self._put_back(f, end or [], pad)
                line(f"leave_phase(S, {s.info!r})" if end is None else "S.phases.pop()")
            case "seq":
                for x in s.body:
                    self._stmt(f, x, p, low, pad)
            case "if":
                line(f"if {p(s.args[0])}:")
                self._nested(f, s.body, p, low, pad)
                if s.other:
                    f.lines.append(pad + "else:")
                    self._nested(f, s.other, p, low, pad)
            case "for":
                line(f"for L[{s.info!r}] in rounds(S, {p(s.args[0])}, {s.case!r}):")
                self._nested(f, s.body, p, low, pad)
            case "repeat":
                line(f"for L['@round'] in rounds(S, range(down({p(s.args[0])})), {s.case!r}):")
                if len(s.args) > 1:
                    f.lines.append(f"{pad}    if not {p(s.args[1])}:")
                    f.lines.append(f"{pad}        break")
                self._nested(f, s.body, p, low, pad)
            case _:
                raise ValueError(f"no Python for the statement {s.op}")

    def _put_back(self, f: Function, found: list[tuple[c.Mark | c.Quota, str]], pad: str) -> None:
        """Marks and quotas at their start again."""
        for x, text in found:
            f.lines.append(self.at(pad + text, x.case, x.span, f"mark {x.name}"))

    def _nested(self, f: Function, body: tuple[c.Stmt, ...], p: Printer, low: Lowered, pad: str) -> None:
        if not body:
            f.lines.append(pad + "    pass")
        for x in body:
            self._stmt(f, x, p, low, pad + "    ")


def outrankers(ordered: list[c.Layer], i: int) -> list[int]:
    """Which of several exceptions win over one of them."""
    return [j for j, y in enumerate(ordered) if ordered[i].id in y.outranks]


def plain_rank(ordered: list[c.Layer], i: int) -> bool:
    """Whether an exception yields to none or to all before it."""
    return outrankers(ordered, i) in ([], list(range(i)))


CALL = re.compile(r"\bd_\w+\(S(?:, \w+)*\)")
FIRST = re.compile(r"(?:if|return|\w+ =) [-(]*$")


def once_each(f: Function) -> None:
    """A definition that a function asks at once and asks again is asked once."""
    text = "\n".join(f.lines)
    if "suppose(" in text or "lambda" in text:
        return
    for call in dict.fromkeys(CALL.findall(text)):
        at = next(i for i, line in enumerate(f.lines) if call in line)
        names = call[:-1].split(", ")[1:]
        if text.count(call) < 2 or not FIRST.match(f.lines[at].split(call)[0]):
            continue
        if any(re.search(rf"\bfor {name} in|^ *{name} = ", text, re.MULTILINE) for name in names):
            continue
        name = f"the_{call[2:].split('(')[0]}"
        if name in text:
            continue
        f.lines[at:] = [f"{name} = {call}", *(line.replace(call, name) for line in f.lines[at:])]


def few(ordered: list[c.Layer], most: int) -> bool:
    """Whether exceptions are so few and short that each may stand beside every other."""
    return len(ordered) <= most and all(len(x.clauses) == 1 and x.clauses[0].guard is not None for x in ordered)


RETURN = re.compile(r"( *)return (.*)")


def keeping(line: str, key: str) -> list[str]:
    """A line that gives a value, so that the value is kept as well."""
    match = RETURN.fullmatch(line)
    if match is not None and match[2].startswith("⟪"):
        return told_lines(line, key)
    return [line] if match is None else [f"{match[1]}value = memo[{key}] = {match[2]}", f"{match[1]}return value"]


def empty_of(t: Type) -> Any:
    if t.many:
        return ()
    if t.name in ("number", "ratio"):
        return 0
    return False if t.name == "flag" else None


_SAID: list[tuple[Span, str]] = []


def where(span: Span) -> str:
    """The file and line that generated code names; a chunk notes them down, for lines move."""
    _SAID.append((span, line(span)))
    return _SAID[-1][1]


def line(span: Span) -> str:
    return f"{span.file.rpartition('/')[2]}:{span.line}"


def bare(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n"))


def is_heavy(d: c.Definition) -> bool:
    """Whether a definition goes through sets, or searches."""
    return any(e.op in HEAVY for top in definition_exprs(d) for e in top.walk())


def seen(book: c.Book) -> Any:
    """All that the printing of one declaration sees of the others."""
    routes = book.routes.values()
    run: list[c.Action | c.Procedure] = [*book.actions.values(), *book.procedures.values()]
    return (
        [*book.cases.items()],
        [*book.kinds.items()],
        [(key, x.default) for key, x in book.fields.items()],
        [(key, x.start) for key, x in book.marks.items()],
        [(x.name, x.how, x.start) for x in book.memories.values()],
        [(x.name, x.case, [p.name for p in x.params], x.clamps) for x in book.tables.values()],
        [(x.name, x.case, x.items.type, x.targets.type) for x in book.matchings.values()],
        [(x.name, x.layers, [*x.facets.items()], any(r.sort == "stop" for r in x.rules), bool(x.legs)) for x in routes],
        [(x.name, [p.name for p in x.params]) for x in run],
    )
