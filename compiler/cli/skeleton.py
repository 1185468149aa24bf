"""Write a skeleton to start from: a small playable book, its opponent, or a variant of a book with one sample change.

In:  a name, and for a variant the book it is of.
Out: the text of a `.rules` file that checks, compiles and plays as it stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from rulewright.dsl import nodes as n
from rulewright.dsl.print import expr

from ..core.entries import Entry
from ..emit.template_files import templates
from ..pipeline import analyse


def new_book(name: str, title: str) -> str:
    """A small game of movement, zones and battle."""
    return render("new_book.rules.j2", name=name, title=title)


def new_plan(name: str) -> str:
    """The name of the opponent that comes with a new book."""
    return f"{name}_plan"


def new_doctrine(name: str) -> str:
    """An opponent for both sides of the book that `new_book` writes."""
    return render("new_doctrine.rules.j2", name=name, plan=new_plan(name))


def new_variant(name: str, book: str, title: str, target: str = "") -> str | None:
    """A variant that amends a number of the case `target`, or the first one found; None where the book is unknown."""
    made = analyse(book)
    if made.book is None or made.entries is None or made.report.failed:
        return None
    own = made.book.name
    found = next(numbers(made.entries, target), None)
    if found is None:
        lines = ["define house_rule -> flag: true", f'example "the house rule of {name} holds":', "  expect house_rule"]
        return render("new_variant.rules.j2", name=name, book=own, title=title, case="V.1", subject="Mine", lines=lines)
    case, called, value = found
    lines = [
        f"amend {case} {called}: {value} becomes {value + 1}",
        f'example "{called} is one more than in the book":',
        f"  expect {called} = {value + 1}",
    ]
    return render(
        "new_variant.rules.j2",
        name=name,
        book=own,
        title=title,
        case="V.1",
        subject=f"One more for {called}",
        lines=lines,
    )


def render(template: str, **values: object) -> str:
    return templates(Path(__file__).with_name("templates")).get_template(template).render(**values).rstrip("\n") + "\n"


def numbers(entries: list[Entry], target: str) -> Iterator[tuple[str, str, int]]:
    """Definitions without parameters whose value is one plain number and that have no exceptions."""
    taken = {e.node.target.name for e in entries if isinstance(e.node, n.Except)}
    for e in entries:
        node = e.node
        if not isinstance(node, n.Define) or node.params or node.name in taken or target not in ("", e.case):
            continue
        clauses = node.body.clauses
        if len(clauses) == 1 and isinstance(clauses[0].value, n.Literal) and not node.body.lets:
            value = clauses[0].value.value
            if isinstance(value, int | Fraction) and not isinstance(value, bool) and expr(clauses[0].value).isdigit():
                yield e.case, node.name, int(value)
