"""Constants that cost work: values that never change in play, computed once when the package is loaded.

In:  sets of hexes that a rule narrows down, exact fractions, scales, charts and lines of the map.
Out: constants of the module `fixed`, each under a name that says what it holds.
"""

from __future__ import annotations

import re
from fractions import Fraction

from ..core import nodes as c
from ..core.maps import several
from .model.expressions import Attr, Call, Expr, Index, Lit, Name, Ref, S
from .model.printer import Printer
from .naming import HELPERS, Naming, upper

Constant = tuple[str, str, Expr]
"""The text of a constant, its name and its value."""
LONGEST = 48
HEXES, NEAR = Ref("fixed", "HEXES"), Ref("fixed", "NEAR")
BOARD = Ref("data", "BOARD")
IN_PLAY = Attr(S, "hexes")
UNITS = Ref("data", "UNITS")
TURN = "turn of the calendar"
"""What turns are known by; the number that their name ends in is a year, as a rule."""


def every_hex(book: c.Book) -> Expr:
    """The hexes of the map; of several, those of the one in play."""
    return IN_PLAY if several(book.map) else HEXES


class Fixed:
    """The constants of one package, in the order in which they are first used."""

    def __init__(self, naming: Naming) -> None:
        self.naming = naming
        self.known: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.values: dict[str, Expr] = {}
        self.used: dict[str, Constant] = {}
        hexes = Call(Name("tuple"), (Call(Name("range"), (Attr(BOARD, "hexes"),)),))
        self.use("HEXES", hexes, "HEXES")
        self.use("NEAR", Call(HELPERS["near_places"], (BOARD,)), "NEAR")
        self.used = {}

    def use(self, name: str, value: Expr, text: str = "") -> Ref:
        """A constant; one that has another value under the same name is numbered."""
        text = text or Printer("fixed").flat(value)
        found = self.known.get(text)
        if found is None:
            found, i = name, 1
            while found in self.names:
                i += 1
                found = f"{name}_{i}"
            self._add(text, found, value)
        self.used[text] = (text, found, value)
        return Ref("fixed", found)

    def _add(self, text: str, name: str, value: Expr) -> None:
        self.known[text] = name
        self.names[name] = text
        self.values[name] = value

    def fits(self, constants: tuple[Constant, ...]) -> bool:
        """Whether these, used one after the other, have their names now too."""
        coming: set[str] = set()
        for text, name, _ in constants:
            known = self.known.get(text)
            numbered = re.search(r"_\d+\Z", name) and not text.startswith(TURN)
            if known is None and not numbered and name not in self.names and name not in coming:
                coming.add(name)
                known = name
            if known != name:
                return False
        return True

    def take(self, constants: tuple[Constant, ...]) -> None:
        for text, name, value in constants:
            if text not in self.known:
                self._add(text, name, value)
            self.used[text] = (text, name, value)

    # ------------------------------------------------------------ sorts of constants

    def table(self, table: c.Table) -> Ref:
        """The cells of a printed table."""
        cells = self.naming.column("cells", table.name)
        value = Call(HELPERS["Table"], (cells, Lit(table.name), Lit(table.case)))
        return self.use(upper("table", table.name), value)

    def links(self, layers: tuple[str, ...]) -> Ref:
        """The neighbours of every place over some layers, as one flat table."""
        return self.use(upper("links", *layers), Call(HELPERS["links"], (BOARD, Lit(layers))))

    def fraction(self, value: Fraction) -> Ref:
        words = "HALF" if value == Fraction(1, 2) else f"{value.numerator}_OVER_{value.denominator}"
        return self.use(f"EXACT_{words}".replace("-", "MINUS_"), Lit(value))

    def turn(self, calendar: c.Calendar | None, value: object) -> Expr:
        """A turn of the calendar by its name."""
        if calendar is None or type(value) is not int or not 0 <= value < len(calendar.turns):
            return Lit(value)
        label = calendar.turns[value][0]
        return self.use(upper("turn", label), Lit(value), f"{TURN} {label}")

    def scale(self, name: str, steps: tuple[object, ...]) -> Ref:
        return self.use(upper(name, "thresholds"), Call(HELPERS["scale"], (Lit(steps),)))

    def members(self, base: c.Expr, tests: list[c.Expr], value: Expr) -> Expr:
        """A set that is narrowed down by what is printed; of several maps, on the one in play."""
        by_map = isinstance(base, c.BuiltinCall) and several(self.naming.book.map)
        if by_map:
            value = Call(HELPERS["by_map"], (BOARD, value))
        words = [base.name if isinstance(base, c.BuiltinCall) else "set"]
        for test in tests:
            for x in test.walk():
                match x:
                    case c.FieldOf(_, (_, name)):
                        words.append(name)
                    case c.Not():
                        words.append("not")
                    case c.Or():
                        words.append(x.sign)
                    case c.Const(str() | int() as word) if not isinstance(word, bool):
                        words.append(str(word))
                    case _:
                        pass
        name = upper(*words)
        if len(name) > LONGEST:
            name = name[:LONGEST].rsplit("_", 1)[0]
        name = re.sub(r"_(\d+)\Z", r"_IS_\1_", name).rstrip("_") + "_SET" * name[-1].isdigit()
        made = self.use(name, value)
        return Index(made, Attr(S, "map")) if by_map else made
