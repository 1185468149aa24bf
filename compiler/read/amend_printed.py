"""Carry out amendments of what is printed on the map, on counters and in set-ups.

    amend @T24.terrain: mountain becomes clear                 a field of a hex
    amend @F18/G17.all_water: no becomes yes                   a field of a hexside
    amend "47 Panzer".strength: 8 becomes 9                    a field of a counter
    amend "47 Panzer".hex: @T14 becomes @T15                   where its roster sets it up
    amend "47 Panzer".hex in barbarossa: @T14 becomes @T15     where a scenario sets it up; nowhere for no place

In:  the entries of a rule set, what maps and rosters say, scenarios as they are read.
Out: the same with the new values; the old one must be the one that is printed.
Reports: RW401 nothing is printed there, RW402 another value is, RW406 an item that is not in the text already,
         RW710 a unit set up on a map that its scenario is not played on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, choose
from rulewright.dsl.print import expr as printed
from rulewright.runtime.program import printed_id

from ..core.entries import Entry
from ..core.maps import Map, elsewhere, ends_of, part_with, touch
from ..core.nodes import FieldDecl, Scenario
from ..core.types import FLAG
from .printed_values import ANY, off_map, read_value
from .symbols import Symbols

NOWHERE = "nowhere"


def amend_printed(entries: list[Entry], symbols: Symbols, report: Reporter) -> None:
    """Carry out the amendments of maps and rosters."""
    for entry in entries:
        node = entry.node
        if isinstance(node, n.AmendPrinted) and node.scenario is None:
            report.case = entry.case
            Printed(entry, node, symbols, report).carry_out()


def amend_placed(scenario: Scenario, entries: list[Entry], symbols: Symbols, report: Reporter) -> Scenario:
    """A scenario with the amendments of its set-up carried out."""
    for entry in entries:
        node = entry.node
        if isinstance(node, n.AmendPrinted) and node.scenario == scenario.name:
            report.case = entry.case
            scenario = Printed(entry, node, symbols, report).placed(scenario)
    return scenario


def check_scenarios(entries: list[Entry], symbols: Symbols, report: Reporter) -> None:
    """An amendment of a set-up names a scenario that there is."""
    for entry in entries:
        node = entry.node
        if (
            isinstance(node, n.AmendPrinted)
            and node.scenario is not None
            and node.scenario not in symbols.book.scenarios
        ):
            help = choose(node.scenario, symbols.book.scenarios, "scenarios")
            message = f'there is no scenario "{node.scenario}"'
            report.error("RW401", node.span.find(node.scenario), message, help=help, case=entry.case)


class Printed:
    """One amendment of something that is printed."""

    def __init__(self, entry: Entry, node: n.AmendPrinted, symbols: Symbols, report: Reporter) -> None:
        self.entry, self.node, self.symbols, self.report = entry, node, symbols, report
        self.book = symbols.book

    def carry_out(self) -> None:
        node = self.node
        if node.unit and node.field == "hex":
            return self.set_up()
        if node.unit:
            return self.on_unit()
        found = [self.symbols.place(node.thing, on) for on in self.maps(node.thing)]
        for at in found:
            if isinstance(at, int):
                self.on_hex(self.book.places[at])
        if isinstance(found[0], int):
            return None
        ends = ends_of(node.thing, self.symbols.places)
        if len(ends) != 2:
            return self.not_there()
        for on in self.maps(*ends):
            one, other = (int(str(self.symbols.place(x, on))) for x in ends)
            self.on_side((min(one, other), max(one, other)))
        return None

    def maps(self, *texts: str) -> tuple[str, ...]:
        """The maps that share what is amended: it is the same in print, so that it is amended on each of them."""
        found = [self.symbols.shared.get(text, {}) for text in texts]
        return tuple(name for name in found[0] if all(name in on for on in found)) or ("",)

    def field(self, owner: str) -> FieldDecl | None:
        found = self.book.fields.get((owner, self.node.field))
        if found is None:
            known = [name for (of, name) in self.book.fields if of == owner]
            self.not_there(choose(self.node.field, known, "its fields"))
        return found

    def not_there(
        self, help: str = "name a hex or hexside of the map or a unit of a roster, and a field of it"
    ) -> None:
        node = self.node
        what = f'"{node.thing}"' if node.unit else f"@{node.thing}"
        self.report.error("RW401", node.span, f"nothing is printed as {what}.{node.field}", help=help)

    def values(self, field: FieldDecl) -> tuple[Any, Any]:
        """The old and the new value that are stated."""
        read = (printed(x) for x in (self.node.old, self.node.new))
        old, new = (read_value(x, field.type, self.node.span, self.symbols, self.report, ANY) for x in read)
        return old, new

    def settle(self, now: Any, old: Any, new: Any, put: Callable[[], None], shown: Callable[[Any], str] = str) -> None:
        """Put the new value in place where the old one stands; else say what does."""
        if self.entry.already:
            if now != new:
                self.report.error(
                    "RW406",
                    self.node.span,
                    f"this item is not in the text already: what is printed there is {shown(now)}",
                    help="strike already in text, and let the amendment be carried out",
                )
        elif now != old or old == new:
            self.report.error(
                "RW402",
                self.node.old.span,
                "this amendment changes nothing" if old == new else f"what is printed there is {shown(now)}",
                help="state the value as it stands now, and a new one",
            )
        else:
            put()

    # ------------------------------------------------------------ units

    def on_unit(self) -> None:
        where = self.symbols.units.get(self.node.thing)
        if where is None:
            return self.no_unit()
        field = self.field("unit")
        if field is None:
            return None
        line, name = self.book.units[where], self.node.field
        old, new = self.values(field)

        def put() -> None:
            changed = replace(line, fields={**line.fields, name: new})
            self.book.units = (*self.book.units[:where], changed, *self.book.units[where + 1 :])

        return self.settle(line.fields.get(name, field.default), old, new, put)

    def no_unit(self) -> None:
        self.not_there(choose(self.node.thing, self.symbols.units, "units"))

    def set_up(self) -> None:
        """Where a roster sets a unit up."""
        where = self.symbols.units.get(self.node.thing)
        if where is None:
            return self.no_unit()
        line = self.book.units[where]
        old, new = self.place(self.node.old), self.place(self.node.new)
        if old is None or new is None:
            return None

        def put() -> None:
            changed = replace(line, start=None if new == NOWHERE else new)
            self.book.units = (*self.book.units[:where], changed, *self.book.units[where + 1 :])

        now = NOWHERE if line.start is None else self.named(line.start)
        return self.settle(now, old, new, put, self.shown)

    def placed(self, scenario: Scenario) -> Scenario:
        """A scenario that sets one unit up elsewhere."""
        node = self.node
        if node.thing not in self.symbols.units:
            self.no_unit()
            return scenario
        if node.field != "hex":
            self.not_there(f'a scenario says where a unit is: amend "{node.thing}".hex in {scenario.name}: …')
            return scenario
        old, new = self.place(node.old, scenario.map), self.place(node.new, scenario.map)
        made = [scenario]
        if new is not None and (other := elsewhere(self.book.map, scenario.map, self.symbols.places.get(new))):
            off_map(new, other, scenario.map, node.span, self.report)
            return scenario
        if old is not None and new is not None:

            def put() -> None:
                units = {k: v for k, v in scenario.units.items() if k != node.thing}
                if new != NOWHERE:
                    units[node.thing] = new
                order = sorted(units, key=lambda name: self.symbols.units[name])
                made.append(replace(scenario, units={name: units[name] for name in order}))

            now = scenario.units.get(node.thing, NOWHERE)
            now = self.named(now, scenario.map) if now in self.symbols.names else now
            self.settle(now, old, new, put, self.shown)
        return made[-1]

    def place(self, node: n.Expr, on: str = "") -> str | None:
        """A place by its own name; None where there is no such place, which is reported."""
        text = printed(node).removeprefix("@")
        named = self.named(text, on)
        if named in self.symbols.places or named == NOWHERE:
            return named
        known = [*self.symbols.places, *self.symbols.names]
        self.report.error("RW132", node.span, f'there is no place "{text}"', help=choose(text, known, "places"))
        return None

    def named(self, text: str, on: str = "") -> str:
        """The hex that a name of the map, or its id on another sheet, stands for."""
        at = self.symbols.place(text, on)
        return self.book.places[at] if isinstance(at, int) else text

    def shown(self, place: str) -> str:
        at = self.symbols.places.get(place)
        return f"@{printed_id(place)}" if at is not None and at < self.book.hexes else place

    # ------------------------------------------------------------ the map

    def on_hex(self, where: str) -> None:
        field, board = self.field("place"), self.book.map
        if field is None or board is None:
            return None if field is None else self.not_there()
        old, new = self.values(field)
        column = dict(board.fields.get(self.node.field, {}))
        raw = column.get(where)
        now = field.default if raw is None else raw
        if isinstance(raw, str):
            now = read_value(raw, field.type, self.node.span, self.symbols, self.report, ANY)

        def put() -> None:
            column[where] = new if isinstance(new, bool) else printed(self.node.new)
            self.book.map = replace(board, fields={**board.fields, self.node.field: column})

        return self.settle(now, old, new, put)

    def on_side(self, pair: tuple[int, ...]) -> None:
        """A field of a hexside holds or does not."""
        field, board = self.field("hexside"), self.book.map
        if field is None or board is None:
            return None
        if field.type != FLAG:
            return self.not_there("of a hexside only a flag can be amended")
        old, new = self.values(field)
        name = self.node.field
        one, other = (self.book.places[x] for x in pair)
        part = part_with(board, one)
        if part is None or not touch(part.grid, one, other):
            return self.not_there(f"{printed_id(one)} and {printed_id(other)} do not touch")
        held = [side for side in board.sides.get(name, ()) if set(side) == {one, other}]
        lined = (
            name in board.lines
            and not held
            and any({a, b} == {one, other} for _, chain in board.lines[name] for a, b in pairwise(chain))
        )
        if lined:
            return self.not_there(f"it is part of a line; strike line or replace line the map: lines {name}")

        def put() -> None:
            self.book.map = with_side(board, name, (one, other), bool(new))

        return self.settle(bool(held), old, new, put, lambda x: "yes" if x else "no")


def with_side(board: Map, name: str, side: tuple[str, str], on: bool) -> Map:
    """The map with a field of one hexside set or not, its sides in their order."""
    kept = [x for x in board.sides.get(name, ()) if set(x) != set(side)]
    order = {place: i for i, place in enumerate(board.hexes)}
    one, other = sorted(side, key=lambda place: order.get(place, len(order)))
    if on:
        kept.append((one, other))
    kept.sort(key=lambda x: (order.get(x[0], len(order)), order.get(x[1], len(order))))
    return replace(board, sides={**board.sides, name: tuple(kept)})
