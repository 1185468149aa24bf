"""Draw the board as text, around one place.

In:  a game as one side sees it, a place in the middle, and how much room there is.
Out: lines of (style, text) pieces. A hex is a brick: each touches two above, two below and one on
     either hand (or turned by a quarter, where columns are set off), just as on paper. Its upper edge
     bears number, city and terrain; below stand the units, an opening bracket a side, or a name.
     A map of points comes as a list, the nearest points first, with the links of each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rulewright.runtime.game import Game
from rulewright.runtime.places import distance
from rulewright.runtime.program import printed_id

from ...seat.facts import Facts

Piece = tuple[str, str]
Line = list[Piece]
BRACKETS = ("[]", "()", "{}", "<>")
UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
BOX = {
    mask: sign
    for sign, mask in {
        "│": UP | DOWN, "─": LEFT | RIGHT, "┌": DOWN | RIGHT, "┐": DOWN | LEFT, "└": UP | RIGHT, "┘": UP | LEFT,
        "├": UP | DOWN | RIGHT, "┤": UP | DOWN | LEFT, "┬": DOWN | LEFT | RIGHT, "┴": UP | LEFT | RIGHT,
        "┼": UP | DOWN | LEFT | RIGHT,
    }.items()
}  # fmt: skip
PLAIN = str.maketrans("│─┌┐└┘├┤┬┴┼★◆♣▲∩≈≋░→—·…›", "|-+++++++++**%^n:::>-..>")


@dataclass(slots=True)
class Sheet:
    """What is drawn: a game as one side sees it, and the highlighted places (number of a choice by place)."""

    game: Game
    facts: Facts
    goals: Mapping[int, str] = field(default_factory=dict)
    marked: frozenset[int] = frozenset()

    def draw(self, middle: int, width: int, height: int) -> list[Line]:
        """The board around a place, of a given width and height."""
        if not self.facts.board.coordinates:
            return Points(self).lines(middle, width, height)
        return Bricks(self, middle, width, max(3, height - 1)).lines()

    def units(self, place: int) -> list[int]:
        S = self.game.state
        board = self.facts.board
        return [] if place in board.cups or place in board.seen_by else S.here[place]

    def side(self, unit: int) -> int:
        sides = self.game.program.sides
        whose = self.game.state.unit_side[unit]
        return sides.index(whose) if whose in sides else 0

    def stack(self, place: int, room: int) -> tuple[int, str]:
        """The side on top of a stack, and the stack as text of limited length: `47Pan+2`."""
        units = self.units(place)
        top = max(units, key=lambda u: (self.facts.points(u), -u))
        more = f"+{len(units) - 1}" if len(units) > 1 else ""
        return self.side(top), self.facts.tag(top)[: room - len(more)] + more


def letter(sides: tuple[str, ...], side: str) -> str:
    """The shortest prefix that distinguishes a side from the others."""
    return next((side[:n] for n in range(1, len(side)) if sum(s.startswith(side[:n]) for s in sides) == 1), side)


# ---------------------------------------------------------------- hexes


class Bricks:
    """A window on a hex grid: first the lines of the grid, then the texts over them."""

    def __init__(self, sheet: Sheet, middle: int, width: int, height: int) -> None:
        self.sheet, self.facts, self.board = sheet, sheet.facts, sheet.facts.board
        self.width, self.height = width, height
        longest = max(map(len, [printed_id(self.board.places[p]) for p in sheet.game.state.hexes]))
        self.size = max(8, (longest + 4) // 2 * 2)
        rows = self.board.staggered == "rows"
        self.step = (self.size // 2, 2) if rows else (self.size, 1)
        self.zero = self.board.coordinates[middle]
        self.strokes = [[0] * width for _ in range(height)]
        self.text: dict[tuple[int, int], tuple[str, str]] = {}
        self.ground: dict[tuple[int, int], str] = {}
        self.legend: dict[str, str] = {}

    def corner(self, place: int) -> tuple[int, int]:
        (x, y), (zx, zy) = self.board.coordinates[place], self.zero
        left = (self.width - self.size) // 2 + (x - zx) * self.step[0]
        return left, (self.height - 2) // 2 + (y - zy) * self.step[1]

    def lines(self) -> list[Line]:
        seen = [(p, *self.corner(p)) for p in self.sheet.game.state.hexes]
        seen = [(p, x, y) for p, x, y in seen if -self.size < x < self.width and -2 < y < self.height]
        for _, x, y in seen:
            self.box(x, y)
        for place, x, y in seen:
            self.fill(place, x, y)
        sides = self.sheet.game.program.sides
        legend = [f"{BRACKETS[i % 4][0]}{side}{BRACKETS[i % 4][1]}" for i, side in enumerate(sides)]
        legend += [f"{sign} {word}" for word, sign in self.legend.items()]
        return [*(self.row(y) for y in range(self.height)), [("class:dim", "  ".join(legend)[: self.width])]]

    def box(self, left: int, top: int) -> None:
        right, bottom = left + self.size, top + 2
        for x in range(left, right + 1):
            for y in (top, bottom):
                self.stroke(x, y, (LEFT if x > left else 0) | (RIGHT if x < right else 0))
        for y in range(top, bottom + 1):
            for x in (left, right):
                self.stroke(x, y, (UP if y > top else 0) | (DOWN if y < bottom else 0))

    def stroke(self, x: int, y: int, mask: int) -> None:
        if 0 <= x < self.width and 0 <= y < self.height:
            self.strokes[y][x] |= mask

    def fill(self, place: int, x: int, y: int) -> None:
        """Number and signs on the upper edge, units or a name below."""
        room, sheet, facts = self.size - 1, self.sheet, self.facts
        terrain = facts.terrain(place)
        if terrain not in ("", "clear"):
            for i in range(1, self.size):
                self.ground[x + i, y] = self.ground[x + i, y + 1] = f"class:{terrain} "
        name = printed_id(self.board.places[place])
        held = facts.holder(sheet.game, place) if facts.city(place) else None
        sides = sheet.game.program.sides
        style = "class:here " if place in sheet.marked else f"class:side{sides.index(held)} " if held else "class:hex "
        self.write(x + 1, y, name, style)
        signs = facts.glyphs(place)
        left = room - len(name)
        shown = dict(list(signs.items())[: max(0, left - (held is not None))])
        told = "".join(shown.values())
        if held and left > len(told):
            told = told[:1] + letter(sides, held)[:1] + told[1:]
        self.write(x + self.size - len(told), y, told, style)
        self.legend |= {word: sign for word, sign in shown.items() if 0 <= x < self.width - 2 and 0 <= y < self.height}
        goal = sheet.goals.get(place)
        units = sheet.units(place)
        if units:
            side, text = sheet.stack(place, room - (len(goal) + 1 if goal else 0))
            self.write(x, y + 1, BRACKETS[side % 4][0], f"class:side{side} bold ")
            closed = text + BRACKETS[side % 4][1] if len(text) + len(goal or "") + (goal is not None) < room else text
            self.write(x + 1, y + 1, closed, f"class:side{side} ")
        elif not goal and place in facts.named:
            self.write(x + 1, y + 1, facts.named[place][:room], "class:name ")
        if goal:
            self.write(x + self.size - len(goal), y + 1, goal, "class:goal ")

    def write(self, x: int, y: int, text: str, style: str) -> None:
        for i, sign in enumerate(text):
            if 0 <= x + i < self.width and 0 <= y < self.height:
                self.text[x + i, y] = (style, sign)

    def row(self, y: int) -> Line:
        pieces: Line = []
        for x in range(self.width):
            mask = self.strokes[y][x]
            style, sign = self.text.get((x, y), ("class:grid ", BOX.get(mask, " ") if mask else " "))
            pieces.append((self.ground.get((x, y), "") + style, sign))
        return merged(pieces)


def merged(pieces: Iterable[Piece]) -> Line:
    """Adjacent pieces of one style merged."""
    found: Line = []
    for style, text in pieces:
        if found and found[-1][0] == style:
            found[-1] = (style, found[-1][1] + text)
        else:
            found.append((style, text))
    return found


# ---------------------------------------------------------------- points


class Points:
    """A map of points as a list: the central point, then those nearest to it."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet, self.facts, self.board = sheet, sheet.facts, sheet.facts.board

    def lines(self, middle: int, width: int, height: int) -> list[Line]:
        far = {p: distance(self.sheet.game.state, middle, p) for p in self.sheet.game.state.hexes}
        found: list[Line] = []
        for place in sorted(far, key=lambda p: (far[p], p)):
            if len(found) >= height:
                break
            found += self.point(place, width, place == middle)
        return found[:height]

    def point(self, place: int, width: int, middle: bool) -> list[Line]:
        sides, sheet = self.sheet.game.program.sides, self.sheet
        held = self.facts.holder(sheet.game, place)
        signs = "".join(self.facts.glyphs(place).values())
        goal = sheet.goals.get(place, "")
        head: Line = [
            (
                "class:here " if middle or place in sheet.marked else "class:hex bold ",
                printed_id(self.board.places[place]),
            ),
            (f"class:side{sides.index(held)} " if held else "", f" {signs}{held}" if held else f" {signs}".rstrip()),
            ("class:goal ", f" {goal}" if goal else ""),
        ]
        lines = [clipped(head, width)]
        for i in range(len(sides)):
            mine = [u for u in sheet.units(place) if sheet.side(u) == i]
            if mine:
                told = ", ".join(f"{sheet.game.program.units[u]} {sheet.facts.points(u)}".rstrip() for u in mine)
                text = f"  {BRACKETS[i % 4][0]}{told}{BRACKETS[i % 4][1]}"
                lines.append(clipped([(f"class:side{i} ", text)], width))
        roads = []
        for layer, links in self.board.layers.items():
            near = [printed_id(self.board.places[p]) for p in links[place]] if place < len(links) else []
            roads += [f"{layer}: {', '.join(near)}"] if near else []
        return [*lines, clipped([("class:dim ", "  " + "; ".join(roads))], width)]


def clipped(line: Line, width: int) -> Line:
    """A line cut to a width, with a sign that it was cut."""
    found: Line = []
    left = width
    for style, text in line:
        if len(text) > left:
            return [*found, (style, text[: max(0, left - 1)] + "…")] if left > 0 else found
        found.append((style, text))
        left -= len(text)
    return found


def said(line: Line) -> str:
    return "".join(text for _, text in line).rstrip()
