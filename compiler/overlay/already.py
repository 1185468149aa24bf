"""Check items that are `already in text`.

In:  an amendment that the book at hand holds already.
Out: nothing: carrying it out would change nothing.
Reports: RW406 an item that is not in the text although it says so.
"""

from __future__ import annotations

from dataclasses import replace

from rulewright.dsl import nodes as n
from rulewright.dsl.compare import same

from ..core.entries import Entry
from .amend_rows import NotThere, Rowed, changed
from .find_spots import found_in, named_spots
from .stacked import Stacked


def check_already(on: Stacked, item: Entry) -> None:
    """An item `already in text`: carrying it out would change nothing, since the book reads as it wants."""
    node = item.node
    wrong = ""
    match node:
        case n.Amend():
            found = [on.entries[i].node for i in on.hits(node.target)]
            new, old = (
                sum(len(found_in(e, named_spots(e, node.target), x)) for e in found) for x in (node.new, node.old)
            )
            if new != node.times or old:
                wrong = f"the new value stands {new or 'no'} times there, the old one {old or 'no'} times"
        case n.Strike(example=None):
            if on.hits(node.target):
                wrong = "what it strikes still stands there"
        case n.Rows():
            wrong = rows_missing(on, node)
        case n.Replace():
            found = [on.entries[i].node for i in on.hits(node.target)]
            if not any(same(e, node.decl, loose=True) for e in found):
                wrong = "the declaration there is another one"
        case n.Example() | n.AmendPrinted():
            on.entries.append(item)
        case n.Rename() | n.MoveCase() | n.Insert() | n.Strike():
            wrong = "only values, rows and declarations can be in the text already"
        case _:
            if not any(e.case == item.case and same(e.node, node, loose=True) for e in on.entries):
                wrong = "the book has no such declaration in that case"
    if wrong:
        on.report.error(
            "RW406",
            node.span,
            f"this item is not in the text already: {wrong}",
            help="strike already in text, and let the amendment be carried out",
        )


def rows_missing(on: Stacked, node: n.Rows) -> str:
    found = [on.entries[i].node for i in on.hits(node.target)]
    tables = [e for e in found if isinstance(e, Rowed)]
    if len(tables) != 1:
        return "there is no such table"
    try:
        changed(tables[0], node if node.act == "strike" else reverse(node))
    except NotThere as error:
        return "" if node.act == "strike" else error.message
    return "what it strikes still stands there" if node.act == "strike" else ""


def reverse(node: n.Rows) -> n.Rows:
    """The change of rows that undoes a change of rows."""
    act = {"insert": "strike", "strike": "insert", "replace": "replace"}[node.act]
    lines = node.lines
    if act == "replace" and node.what in ("cell", "item"):
        lines = tuple(replace(x, text=turned(x.text)) for x in lines)
    elif act == "replace":
        lines = tuple(lines[i ^ 1] for i in range(len(lines) & ~1))
    return replace(node, act=act, lines=lines)


def turned(text: str) -> str:
    key, _, value = text.partition(":")
    old, _, new = value.partition(" becomes ")
    return f"{key}: {new.strip()} becomes {old.strip()}"
