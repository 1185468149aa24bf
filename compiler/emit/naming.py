"""Names of a generated package: which module a thing stands in, and what it is called there.

In:  the book in the core.
Out: the function of every definition, route, table, least set and matching with its chapter; constants for printed
     columns, fields of records and steps of scales; variables that shadow none of them; types of parameters.

A chapter is the part of a case's number before the first dot, and has a module of its own.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable
from functools import lru_cache

from ..analyse.dependencies import column_name
from ..core import nodes as c
from ..core.case_marks import chapter, mark_of, number_of
from ..core.types import Type
from .model.expressions import Expr, Lit, Ref
from .model.statements import Hint

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,255}\Z")
RUNTIME = {
    "machine": "WITH_OTHERS ask begin_walk call count_down failed next_item rounds together usual walk walk_on window",
    "ops": "bind draw grow halt left note put reveal roll set_mark short spend spent tell win",
    "phases": "again call_again close_phase enter_phase leave_phase skip skipped",
    "places": "all_units bank by_map counters distance edge foremost linked near_places north_of occupied on_map "
    "on_this_map places spare twin units units_at units_in west_of",
    "choices.plans": "Matching is_plan",
    "problems": "Ground each tried",
    "program": "ActionInfo AskInfo Asked Board Column DoctrineInfo DutyInfo MemoryInfo OfferInfo ParamInfo "
    "PreferenceInfo ProcedureInfo Program QuotaInfo RuleInfo ScenarioInfo TriggerInfo",
    "kept.by_place": "ByPlace place_answers recalled",
    "search": "Reach ends_of follows from_each heappush in_order keeps_to legs_any legs_reach links one_each path_to "
    "price_of roam walks",
    "choices.solver": "blocked completable every_plan uncovered",
    "state": "State",
    "kept.supposing": "suppose",
    "telling.trace": "tell_again tell_all told_once traced_since traced_so_far",
    "values": "NOTHING Number Table agree agree_both assigned bounded clamp down exact first_of flat highest lowest "
    "nearest on_scale on_scale_of placed ratio scale share shifted span step_value targets union unique up "
    "up_product without",
}
HELPERS = {name: Ref(f"rulewright.runtime.{part}", name) for part, names in RUNTIME.items() for name in names.split()}
WORDS = (
    "S L memo key value hit parts goals reach found limit mark keep starts plan grounds p q i begin leap seen ahead "
    "costs last free through gone buckets bucket cost queue around total price old known flags asked near node pick "
    "among above reckoning room least ends ways case by brink"
).split()
"""Variables that generated functions have of their own."""
SHARED = {"here", "there", "crossing", "actor", "path", "start", "place", "x"}
"""Variables of ours that the language calls so too, or that no author's name can stand beside."""
RESERVED = {*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *HELPERS, *WORDS, "Fraction", "rules"}
OURS = re.compile(
    r"(?:route|matching|least|table|action|procedure|ask|offer|when|duty|keys|sets|past|secret|expires|invariant|the|"
    r"chapter)_|(?:value_|total_|reach_|held_|shut_|halt_|toll_|ways_|back_|within_)\d+\Z|[A-Z]|.*__"
)
PREFIX = {"define": "", "route": "route_", "matching": "matching_", "grow": "least_", "table": "table_"}
PRIMITIVES = {
    "number": "Number", "ratio": "Number", "flag": "bool", "month": "str", "text": "str", "phase": "str",
    "layer": "str", "unit": "Unit", "place": "Place", "hexside": "Hexside", "turn": "Turn", "path": "Path",
    "plan": "Plan", "shares": "Shares",
}  # fmt: skip
ALIASES = {
    "Unit": "int", "Place": "int", "Hexside": "tuple", "Turn": "int", "Path": "tuple", "Plan": "tuple",
    "Shares": "tuple", "Frame": "dict",
}  # fmt: skip
STATE = Hint("State", ((HELPERS["State"].module, "State"),))


def mangle(name: str, prefix: str = "") -> str:
    """A safe identifier for an author's name; two that differ stay different."""
    flat = re.sub(r"[^A-Za-z0-9_]", "_", name)
    if prefix:
        flat = f"{prefix}_{flat}"
    if not NAME.match(flat):
        raise ValueError(f"not a name: {name!r}")
    if not prefix and re.match("v*_", flat):
        flat = f"v{flat}"
    elif not prefix and (flat.rstrip("_") in RESERVED or OURS.match(flat)):
        flat = f"{flat}_"
    return flat


def column_of(owner: str, name: str) -> str:
    """The attribute of the state that holds a mark."""
    found = column_name(owner, name)
    if not NAME.match(found):
        raise ValueError(f"not a name: {found!r}")
    return found


@lru_cache(4096)
def chapter_of(case: str) -> str:
    """The module of a case: chapter_13 for 13.3/AE, chapter_ocs_12 for one of the series, chapter_zones_01."""
    mark, part = mark_of(case), number_of(chapter(case))
    part = f"{int(part):02d}" if part.isdigit() else part
    return "chapter_" + (re.sub(r"[^a-z0-9]+", "_", f"{mark}_{part}".lower()).strip("_") or "book")


def upper(*words: str) -> str:
    """A constant's name out of words of the book."""
    return re.sub(r"[^A-Z0-9]+", "_", "_".join(words).upper()).strip("_") or "NONE"


def camel(name: str) -> str:
    return "".join(x[:1].upper() + x[1:] for x in re.split(r"[^A-Za-z0-9]+", name) if x) or "Value"


class Naming:
    """The names of one book; those that were asked for since `listen` are noted."""

    def __init__(self, book: c.Book) -> None:
        self.book = book
        self.asked: dict[tuple[str, str], Ref] = {}
        self.locals: dict[str, str] = {}
        self._locals: dict[str, str] = {}
        self.columns: dict[tuple[str, str], str] = {}
        self.constants: dict[str, Expr] = {}
        self.aliases: dict[str, str] = dict(ALIASES)
        self.types: dict[tuple[str, str], str] = {}
        self.steps: dict[tuple[str, int], Ref] = {}
        self.fields: dict[tuple[str, int], Ref] = {}
        self.functions = self._functions()
        self.taken = {x.id for x in self.functions.values()}
        self._columns()
        self._names()

    # ------------------------------------------------------------ functions

    def _functions(self) -> dict[tuple[str, str], Ref]:
        """A name for everything that others ask, unlike any other in the package."""
        book = self.book
        found: dict[tuple[str, str], Ref] = {}
        used: set[str] = set()
        rows: list[tuple[str, str, str]] = [("define", name, d.case) for name, d in book.definitions.items()]
        rows += [("route", name, r.case) for name, r in book.routes.items()]
        rows += [("grow", name, g.case) for name, g in book.grows.items()]
        rows += [("matching", name, m.case) for name, m in book.matchings.items()]
        rows += [("table", name, t.case) for name, t in book.tables.items()]
        for sort, name, case in rows:
            flat = re.sub(r"[^A-Za-z0-9_]", "_", name).rstrip("_") or "_"
            made = f"{PREFIX[sort]}{flat}" if PREFIX[sort] else flat
            if not PREFIX[sort] and (flat in RESERVED or flat in SHARED or OURS.match(flat) or flat[0] == "_"):
                made = f"rule_{flat.strip('_')}"
            found[sort, name] = Ref(chapter_of(case), one_more(made, used))
        return found

    def function(self, sort: str, name: str) -> Ref:
        """What is called to ask for something."""
        key = (sort, name)
        found = self.asked[key] = self.functions[key]
        return found

    def helper(self, sort: str, name: str, suffix: str) -> Ref:
        """A function beside the one that something is asked by."""
        found = self.function(sort, name)
        return Ref(found.module, f"{found.id}{suffix}")

    def local(self, name: str) -> str:
        """A variable; one that is called like a function of the package gets another name."""
        found = self._locals.get(name)
        if found is None:
            found = mangle(name)
            if found.rstrip("_") in self.taken:
                found = f"{found}_"
            self._locals[name] = found
        self.locals[name] = found
        return found

    def listen(self) -> None:
        self.asked, self.locals = {}, {}

    def fits(self, asked: Iterable[tuple[tuple[str, str], Ref]], locals_: Iterable[tuple[str, str]]) -> bool:
        """Whether these names are the same now."""
        functions = self.functions
        return all(functions.get(key) == ref for key, ref in asked) and all(
            self.local(name) == found for name, found in locals_
        )

    # ------------------------------------------------------------ constants

    def _columns(self) -> None:
        used = {"BOARD", "UNITS", "TURNS", "TURN_NUMBERS", "FIELDS_OF_UNIT", "FIELDS_OF_PLACE"}
        for owner, name in self.book.fields:
            self.columns[owner, name] = one_more(upper(owner, name), used)
        for name in self.book.boxes:
            self.columns["box", name] = one_more(upper("box", name), used)
        for name in self.book.tables:
            self.columns["cells", name] = one_more(upper("cells", name), used)

    def column(self, owner: str, name: str) -> Ref:
        """A printed column of the data module."""
        return Ref("data", self.columns[owner, name])

    def _names(self) -> None:
        """Fields of records and steps of scales, and the types that records, kinds and scales are."""
        used: set[str] = set()
        for sort, all_names, kind in (
            ("record", self.book.records, "tuple"),
            ("scale", self.book.scales, "int"),
            ("kind", self.book.kinds, "str"),
        ):
            for name in all_names:
                alias = camel(name)
                if alias in self.aliases or alias in ("Number", "State", "Fraction"):
                    alias += sort.capitalize()
                self.types[sort, name] = alias
                self.aliases.setdefault(alias, kind)
        for name, fields in self.book.records.items():
            for i, (field, _) in enumerate(fields):
                self.fields[name, i] = self._constant(one_more(upper(name, field), used), i)
        for name, labels in self.book.scales.items():
            for i, label in enumerate(labels):
                words = re.sub(r"(?<=\d)\s*[:/]\s*(?=\d)", "_to_", str(label))
                self.steps[name, i] = self._constant(one_more(upper(name, words), used), i)
            self.steps[name, -1] = self._constant(one_more(upper("all", name), used), tuple(range(len(labels))))

    def _constant(self, name: str, value: object) -> Ref:
        self.constants[name] = Lit(value)
        return Ref("names", name)

    def field(self, record: str, index: int) -> Expr:
        return self.fields.get((record, index)) or Lit(index)

    def step(self, scale: str, value: object) -> Expr:
        """A step of a scale by its name."""
        if type(value) is not int or value < 0:
            return Lit(value)
        return self.steps.get((scale, value)) or Lit(value)

    def all_steps(self, scale: str, values: tuple[object, ...]) -> Expr | None:
        """The whole scale, where these are all its steps."""
        whole = self.steps.get((scale, -1))
        return whole if whole is not None and self.constants[whole.id] == Lit(values) else None

    # ------------------------------------------------------------ types

    def hint(self, t: Type | None) -> Hint | None:
        """The type of a parameter or a result, as it is written in a signature."""
        if t is None:
            return None
        if t.of is not None:
            inner = self.hint(t.of)
            assert inner is not None
            return Hint(f"tuple[{inner.text}, ...]", inner.refs)
        if t.sort == "prim":
            text = PRIMITIVES.get(t.name, "object")
        else:
            text = self.types.get((t.sort, t.name), "object")
        refs: tuple[tuple[str, str], ...] = ()
        if text == "Number":
            refs = ((HELPERS["Number"].module, "Number"),)
        elif text in self.aliases:
            refs = (("names", text),)
        return Hint(f"{text} | None", refs) if t.absent and text != "object" else Hint(text, refs)

    def alias(self, name: str) -> Hint:
        return Hint(name, (("names", name),))


def one_more(name: str, used: set[str]) -> str:
    """A name that is not used yet."""
    found, i = name, 1
    while found in used:
        i += 1
        found = f"{name}_{i}"
    used.add(found)
    return found
