"""Read boards and number places: the hexes of the map, then boxes and the spaces of tracks.

In:  map blocks and box declarations.
Out: the book's map, boxes and places; the symbols know every place by name.
Reports: RW132 a box without a key of a declared kind, RW136 a secret box whose side is not
         named, and what read_map finds.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter
from rulewright.runtime.program import printed_id

from ..core.entries import Entry
from ..core.maps import Map, ends_of, shared_ids
from ..core.nodes import Box, Param
from ..core.types import NUMBER, PLACE
from .map_blocks import read_map
from .symbols import Signature, Symbols


def read_board(data: n.Data, entry: Entry, report: Reporter) -> Map:
    spans = {line.span.line: line.span for line in data.lines}

    def complain(line: int, code: str, message: str, help: str) -> None:
        report.error(code, spans.get(line, data.span), message, help=help, case=entry.case)

    entries = []
    for raw in data.lines:
        key, _, value = raw.text.partition(":")
        entries.append((key.strip(), value.strip(), raw.span.line))
    return read_map(entries, complain)


def add_places(entries: list[Entry], symbols: Symbols, report: Reporter) -> None:
    """Number the places: hexes first, then the boxes that maps and books declare."""
    book = symbols.book
    names: list[str] = []
    if book.map is not None:
        names += book.map.hexes
    book.hexes = len(names)
    if book.map is not None:
        names += book.map.boxes
        for layer in book.map.lines:
            symbols.layers[layer] = layer
    symbols.layers.setdefault("land", "land")
    for entry in entries:
        node = entry.node
        if not isinstance(node, n.Box):
            continue
        kind = node.params[0].type.name if node.params else ""
        values = book.kinds.get(kind, ())
        if len(node.params) > 1 or (node.params and not values):
            report.error(
                "RW132",
                node.span,
                f'the box "{node.name}" needs one parameter of a declared kind',
                help=f"write box {node.name}(s: side)",
                case=entry.case,
            )
        seen_by = () if node.secret_to is None else who_sees(node, values or ("",), entry.case, symbols, report)
        counted = node.secret_to is None or node.counted
        box = Box(case=entry.case, keys=values, sort=node.sort, seen_by=seen_by, counted=counted)
        book.boxes[node.name] = box
        names += box.named(node.name) if values or not node.params else ()
    if book.map is not None:
        for track, steps in book.map.tracks.items():
            spaces = tuple(int(x) for x in steps if x.lstrip("-").isdigit())
            book.boxes[track] = Box(case="", keys=spaces, sort="track")
            names += [f"{track}({x})" for x in spaces]
            space = Param(name="space", type=NUMBER)
            symbols.callables[track] = Signature(sort="box", name=track, params=(space,), type=PLACE)
    book.places = tuple(names)
    symbols.places.update({name: i for i, name in enumerate(names)})
    if book.map is not None:
        symbols.places.update({x: symbols.places[top] for x, top in book.map.aliases.items() if top in symbols.places})
    for name, box in book.boxes.items():
        if not box.keys and name in symbols.places:
            symbols.names[name] = symbols.places[name]
    if book.map is not None:
        for name, where in book.map.names.items():
            if where in symbols.places:
                symbols.names[name] = symbols.places[where]
            elif "/" in where:
                one, _, other = where.partition("/")
                if one in symbols.places and other in symbols.places:
                    symbols.names[name] = tuple(sorted((symbols.places[one], symbols.places[other])))
        for name in book.map.boxes:
            symbols.names.setdefault(name, symbols.places[name])
        share_ids(book.map, symbols)


def share_ids(board: Map, symbols: Symbols) -> None:
    """Of maps that share ids and names: what each of them means by one. Without its mark it stands for the first."""
    for known in (symbols.places, symbols.names):
        for text in [*known] if any(part.mark for part in board.parts) else ():
            known.setdefault(printed_id(text), known[text])  # type: ignore[arg-type]
    for text, on in shared_ids(board).items():
        symbols.shared[text] = {name: numbered(at, symbols.places) for name, at in on.items()}


def numbered(at: str, places: Mapping[str, int]) -> int | tuple[int, ...]:
    """The number of a place, or those of the two ends of a hexside."""
    found = tuple(sorted(places[x] for x in ends_of(at, places)))
    return found if len(found) > 1 else found[0]


def who_sees(
    node: n.Box, keys: tuple[str, ...], case: str, symbols: Symbols, report: Reporter
) -> tuple[tuple[str, ...], ...]:
    """The sides that see into a secret box, for each of its keys: they are the same in every position."""
    sides = symbols.book.kinds.get("side", ())
    own = node.params[0].name if node.params and node.params[0].type.name == "side" else None
    named = node.secret_to.items if isinstance(node.secret_to, n.Collection) else (node.secret_to,)
    words = [x.id for x in named if isinstance(x, n.Name) and (x.id in sides or x.id == own)]
    if not words or len(words) != len(named):
        assert node.secret_to is not None
        report.error(
            "RW136",
            node.secret_to.span,
            f'who sees into the box "{node.name}" must be named by side',
            help=f"write box {node.name}(s: side) secret to s, or name sides: " + ", ".join(sides),
            case=case,
        )
    return tuple(tuple(key if word == own else word for word in words) for key in keys)
