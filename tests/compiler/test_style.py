"""Style blocks, and the maps and counters that are drawn by them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rulewright.compiler.core.book import Book
from rulewright.compiler.core.looks import SIGNS, SYMBOLS, Look
from rulewright.compiler.core.maps import Grid, Map
from rulewright.compiler.core.maps import Sheet as GridSheet
from rulewright.compiler.diff.facts import facts
from rulewright.compiler.diff.judge import judge
from rulewright.compiler.pages.draw_map import ALWAYS, NEVER, Piece, Position, draw, draw_map
from rulewright.compiler.pages.map import (
    beyond,
    counters,
    ground,
    labels,
    legend,
    network,
    panels,
    paper,
    rivers,
    signs,
    strokes,
    waters,
)
from rulewright.compiler.pages.map.ground import BLANK
from rulewright.compiler.pages.map.position import starting
from rulewright.compiler.pages.map.sheet import Sheet
from rulewright.compiler.pages.map.small import clusters, patch_round, small_map
from rulewright.compiler.pages.map.style import Stroke, Style, style_of
from rulewright.compiler.pipeline import analyse

SVG = "{http://www.w3.org/2000/svg}"
BOOK = """book small "A small game"

case 1 "Pieces":
  kind side: red, blue
  kind ground: open, woods, marsh
  kind arm: foot, tank
  field ground of hex: ground = open
  field town, port of hex: flag
  field river, wall of hexside: flag
  field arm of unit: arm = foot
  field strength, weak of unit: number
  mark spent of unit
  mark fort of hex
  box dead
  map board:
    grid: rows A..F, columns from the west
    hexes: A1..A8, B1..B8, C1..C8, D1..D8, E1..E8, F1..F8
    ground woods: B2, B3, C3
    ground marsh: E5, E6
    town: C5
    port: C5
    name Dorf: C5
    sides river: C2/C3, C3/D3
    sides wall: E1/E2
    lines rail: C1 C2 C3 C4 C5 C6
  roster armies:
    form: strength-weak arm side
    3-1 foot red: Red 1 @A1
    5-2 tank blue: Blue 1 @C5
  style board:
    land: parchment
STYLE
  sequence play:
    phase one:
      if any units(red) where it.spent and it.arm = tank and it.strength > it.weak: win red
      if any hexes where it.fort or it.town or it.port or it.ground = woods or on_line(rail, it): win blue
      if edge(@C2, @C3).river or edge(@E1, @E2).wall: win red
  scenario first:
    sequence: play
"""
LOOKS = """    ground woods: pale_green trees
    ground marsh: teal tufts
    town: square red rank 1
    port: anchor navy
    fort: fort gray
    sides river: water river
    sides wall: brown ticks
    lines rail: black ties
    side red: "#c98a78" box
    side blue: "#8fa9c4" round
    unit.arm foot: infantry XX
    unit.arm tank: armor
    counter: strength
    counter spent: weak
    unit.spent: "S" purple"""


def book_of(folder: Path, style: str = LOOKS, text: str = BOOK) -> Book:
    path = folder / "small.rules"
    path.write_text(text.replace("STYLE", style), encoding="utf-8")
    made = analyse(str(path))
    assert made.book is not None and not made.report.failed, made.report.found
    return made.book


def drawn(book: Book, position: Position | None = None, **more: str) -> ElementTree.Element:
    assert book.map is not None
    return ElementTree.fromstring(draw_map(book.map, style_of(book), position, **more))


def texts(picture: ElementTree.Element) -> list[str]:
    return [x.text or "" for x in picture.iter(f"{SVG}text")]


# ---------------------------------------------------------------- drawing


def test_everything_with_a_look_is_drawn(tmp_path: Path) -> None:
    book = book_of(tmp_path)
    assert book.map is not None
    svg = draw_map(book.map, style_of(book))
    assert all(color in svg for color in ("#c3d6a0", "#4f8a80", "#c8452f", "#22405f", "#5b93bf", "#8d6f4a"))
    assert {"Dorf", "woods", "marsh", "town", "port", "river", "wall", "rail"} <= set(
        texts(ElementTree.fromstring(svg))
    )


def test_the_same_book_gives_the_same_bytes(tmp_path: Path) -> None:
    book = book_of(tmp_path)
    assert book.map is not None
    assert draw_map(book.map, style_of(book)) == draw_map(book.map, style_of(book))


def test_what_has_no_look_gets_a_pattern_and_is_never_black(tmp_path: Path) -> None:
    book = book_of(tmp_path, "    town: dot")
    picture = drawn(book)
    clips = {x for clip in picture.iter(f"{SVG}clipPath") for x in clip}
    drawn_as = {f"{SVG}path", f"{SVG}rect", f"{SVG}circle"}
    shapes = [x for x in picture.iter() if x.tag in drawn_as and x not in clips]
    bare = [x for x in shapes if x.get("fill") is None and x.get("stroke") is None]
    assert not bare, "a shape without a fill would be black"
    assert not [x for x in shapes if (x.get("fill") or "").lower() in ("black", "#000", "#000000")]
    assert len(list(picture.iter(f"{SVG}pattern"))) >= 2  # woods and marsh
    assert {"river", "wall", "rail", "port"} <= set(texts(picture)), "the legend names them all the same"


def test_a_book_without_any_style_is_drawn(tmp_path: Path) -> None:
    text = BOOK.replace("  style board:\n    land: parchment\nSTYLE\n", "")
    assert {"Dorf", "woods"} <= set(texts(drawn(book_of(tmp_path, text=text))))


def test_what_is_hidden_is_not_drawn(tmp_path: Path) -> None:
    shown = set(texts(drawn(book_of(tmp_path, LOOKS + "\n    hidden: port, sides wall, lines rail"))))
    assert "river" in shown and not {"wall", "port", "rail"} & shown


def test_later_lines_count_and_an_overlay_may_change_a_look(tmp_path: Path) -> None:
    book_of(tmp_path)
    (tmp_path / "grey.rules").write_text(
        'variant grey of small "Grey":\n  case 9 "Look":\n    style other:\n      ground woods: olive conifers\n',
        encoding="utf-8",
    )
    made = analyse(f"{tmp_path / 'small.rules'}+{tmp_path / 'grey.rules'}")
    assert made.book is not None and made.book.map is not None
    svg = draw_map(made.book.map, style_of(made.book))
    assert "#8a8b4f" in svg and "#c3d6a0" not in svg


def test_ids_come_up_when_zoomed_or_always_or_never(tmp_path: Path) -> None:
    book = book_of(tmp_path)
    assert book.map is not None
    zoomed, always, never = (draw_map(book.map, ids=ids) for ids in ("zoomed", ALWAYS, NEVER))
    assert "@media (min-resolution:1.5dppx)" in zoomed and ">B4</text>" in zoomed
    assert "<style" not in always and ">B4</text>" in always
    assert ">B4</text>" not in never


def test_pictures_of_one_page_share_no_id(tmp_path: Path) -> None:
    book = book_of(tmp_path)
    assert book.map is not None
    position = starting(book, "first")
    one, two = (
        draw(book.map, style_of(book), position, patches=[["C5", "C4"]], ids=ALWAYS, key=key).svg
        for key in ("a-", "b-")
    )
    ids = [set(re.findall(r'id="([^"]+)"', svg)) for svg in (one, two)]
    assert ids[0] and not ids[0] & ids[1] and "<style" not in one


def test_a_small_map_shows_the_units_and_a_margin(tmp_path: Path) -> None:
    book = book_of(tmp_path)
    near = small_map(book, {"C5": ["Red 1"], "C4": ["Blue 1"]}, title="Two", key="a")
    ids = set(re.findall(r">([A-Z]\d+)</text>", near))
    assert {"C5", "C4", "B4"} <= ids and len(ids) < len(book.map.hexes) and "Red 1 at C5" in near
    assert small_map(book, {"dead": ["Red 1"]}, title="None", key="b") == ""


def test_units_far_apart_get_a_panel_each() -> None:
    grid = Grid(sheets=(GridSheet(lettered=True, rows=(1, 1)),))
    board = Map(name="m", grid=grid, hexes=tuple(f"A{k}" for k in range(1, 31)))
    assert clusters(board, ["A1", "A30", "A4"]) == [["A1", "A4"], ["A30"]]
    assert clusters(board, ["A1", "A9", "A5"]) == [["A1", "A9", "A5"]]
    assert patch_round(board, ["A2", "A4"], 1) == ["A1", "A2", "A3", "A4", "A5"]


def test_spots_are_where_the_hexes_are_drawn(tmp_path: Path) -> None:
    book = book_of(tmp_path)
    assert book.map is not None
    picture = draw(book.map, style_of(book))
    assert set(picture.spots) == set(book.map.hexes)
    wide, high = map(float, re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', picture.svg)[0])
    assert all(0 < x < wide and 0 < y < high for x, y in picture.spots.values())


# ---------------------------------------------------------------- labels, panels


def test_labels_keep_off_rails_signs_and_one_another(tmp_path: Path) -> None:
    book = book_of(tmp_path)
    assert book.map is not None
    sheet = Sheet(book.map, style_of(book), Position(), "m", 0, book.map.hexes, set(book.map.hexes))
    placed = signs.placed(sheet)
    room = labels.taken(sheet, placed, {})
    (where, _, _), *_ = labels.written(sheet, labels.taken(sheet, placed, {}), {}, {})
    x, y, size = (float(v) for v in re.findall(r'"([\d.]+)"', where)[:3])
    half = labels.wide("Dorf", size) * 1.22 / 2
    assert sum(room.cost((x - half, y - size * 0.74, x + half, y))) < 1, "the name covers a rail or a sign"


def test_names_grow_with_a_large_map_and_second_hexes_have_none() -> None:
    def sizes(many: int) -> dict[str | None, float]:
        grid = Grid(sheets=(GridSheet(lettered=True, rows=(1, 3)),))
        hexes = tuple(f"{row}{n}" for row in "ABC" for n in range(1, many + 1))
        names = {"Town": "B2", "Town_2": "B3", "Hamlet": "C1"}
        board = Map(name="m", grid=grid, hexes=hexes, names=names, fields={"town": {"B2": True, "B3": True}})
        style = Style(())
        style.looks["hex", "town", ""] = Look(words=("square",), rank=1)
        picture = ElementTree.fromstring(draw_map(board, style, ids=NEVER))
        return {x.text: float(x.get("font-size", 0)) for x in picture.iter(f"{SVG}text")}

    small, large = sizes(8), sizes(80)
    assert (
        "Town 2" not in small
        and large["Town"] >= 1.5 * small["Town"]
        and large["Town"] > large["Hamlet"] > small["Hamlet"]
    )


def test_what_lies_on_no_sheet_is_blank(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two sheets side by side, one of them taller: the corner is neither land nor sea."""
    monkeypatch.setattr("rulewright.compiler.pages.draw_map.shortened", str)  # shores as they are drawn
    grid = Grid(
        sheets=(
            GridSheet(prefix="A", rows=(1, 6), columns=(1, 4)),
            GridSheet(prefix="B", rows=(1, 3), columns=(1, 4), offset=(4, 0)),
        )
    )
    tall = tuple(f"A{r:02}{c:02}" for r in range(1, 7) for c in range(1, 5))
    low = tuple(f"B{r:02}{c:02}" for r in range(1, 4) for c in range(1, 5))
    board = Map(name="m", grid=grid, hexes=tall + low)
    assert f'fill="{BLANK}"' in draw_map(board, Style()).split("<defs>")[1]
    alone = Map(name="m", grid=Grid(sheets=grid.sheets[:1]), hexes=tall)
    assert f'fill="{BLANK}"' not in draw_map(alone, Style()).split("<defs>")[1]
    shore = draw_map(board, Style()).split('<clipPath id="mland"><path d="')[1].split('"')[0]
    points = [(float(x), float(y)) for x, y in re.findall(r"[MQ ](-?[0-9.]+) (-?[0-9.]+)", shore)]
    right = max(x for x, _ in points)
    low = sheet_of(board, Style()).spots["B0304"][1]
    assert max(y for x, y in points if x > right - 60) > low + 90, "the land goes on under the blank, without a shore"


def test_waters_have_names_and_land_beyond_the_map_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = BOOK.replace("A1..A8, B1..B8, C1..C8, D1..D8, E1..E8, F1..F8", "B1..B8, C1..C8, D1..D8, E1..E8, F1..F4")
    text = text.replace("    3-1 foot red: Red 1 @A1\n", "    3-1 foot red: Red 1 @B1\n")
    more = """
    shape Sound: name rank 3 F7
    shape Brook: river C2, C3, C4
    shape Away: land "#123456" F5..F6
    shape Pond: water "#abcdef" 0.1 3.1, 0.4 3.1, 0.3 3.4
    scale: 20 miles
    north: 31"""
    book = book_of(tmp_path, LOOKS + more, text)
    assert book.map is not None
    monkeypatch.setattr("rulewright.compiler.pages.draw_map.shortened", str)  # shores as they are drawn
    svg = draw_map(book.map, style_of(book), title="Small")
    assert {"Sound", "Brook", "N"} <= set(texts(ElementTree.fromstring(svg))) and "rotate(31)" in svg
    assert "50 miles" in svg, "46 units a hex: 50 miles are 115, 100 would be more than the longest bar"
    land = re.search(r'<path d="([^"]+)" fill="#123456"', svg)
    assert land and '"#abcdef"' in svg
    at = draw(book.map, style_of(book)).spots
    assert svg.index('fill="#123456"') < svg.index('fill="#f3ecd6"'), "below the land of the map"
    xs = [float(x) for x in re.findall(r"[MQ ](-?[0-9.]+) -?[0-9.]+", land[1])]
    assert max(xs) > max(x for x, _ in at.values() if x < 9e9) - 3 * 46


def test_a_narrow_water_has_two_shores_and_a_mark_where_it_is_crossed(tmp_path: Path) -> None:
    channel = LOOKS.replace("sides wall: brown ticks", "sides wall: sky red channel link")
    svg = draw_map(*shown(book_of(tmp_path, channel)))
    body = svg.split('<g text-anchor="middle">')[0]  # without the names and the legend
    assert body.rindex('stroke="#c8452f"') > body.rindex('fill="#bcd6e6"/>'), "the mark above the water"
    assert 'stroke="#5e6b73"' in body.split('fill="#bcd6e6"/>')[-2], "and its shores below it"
    plain = LOOKS.replace("sides wall: brown ticks", "sides wall: sky channel")
    assert svg.count("<path") == draw_map(*shown(book_of(tmp_path, plain))).count("<path") + 2, (
        "on the map and in the legend"
    )


def shown(book: Book) -> tuple[Map, Style]:
    assert book.map is not None
    return book.map, style_of(book)


@pytest.mark.parametrize(("bank", "dx", "dy"), [("n", 0, 1), ("w", 1, 0), ("se", -1, -1)])
def test_a_river_runs_by_a_town_on_the_side_that_its_bank_leaves(bank: str, dx: int, dy: int, tmp_path: Path) -> None:
    text = BOOK.replace("    lines rail: C1", "    lines stream Brook: C3 C4 C5 C6 C7\n    lines rail: C1")
    board, style = shown(book_of(tmp_path, f"{LOOKS}\n    lines stream: water river\n    bank Dorf: {bank}", text))
    sheet = Sheet(board, style, Position(), "m", 0, list(board.hexes), set(board.hexes))
    x, y = network.aside(sheet, "C5")
    town = sheet.spots["C5"]
    assert (x - town[0]) * dx + (y - town[1]) * dy > 15
    assert network.aside(sheet, "C4") == network.sway("C4", sheet.spots["C4"])


def river_board(sides: dict[str, tuple[tuple[str, str], ...]], land: str = "ABCDEF") -> Map:
    """Six rows of eight hexes, of which those of some rows are land."""
    grid = Grid(sheets=(GridSheet(lettered=True, rows=(1, 6), columns=(1, 8)),))
    hexes = tuple(f"{row}{n}" for row in land for n in range(1, 9))
    return Map(name="m", grid=grid, hexes=hexes, sides=sides)


def river_style(**looks: Look) -> Style:
    style = Style(())
    for name, look in looks.items():
        style.looks["sides", name, ""] = look
    return style


RIVER, WIDE = Look(words=("river", "thin"), colors=("#0000aa",)), Look(words=("river", "wide"), colors=("#0000bb",))


def sheet_of(board: Map, style: Style) -> Sheet:
    return Sheet(board, style, Position(), "m", 0, list(board.hexes), set(board.hexes))


def test_a_river_reaches_the_sea_and_its_tributary_the_river() -> None:
    """The wide river runs between C4 and C5 to the sea in row B; the thin one joins it at a corner of D5."""
    run = (("C4", "C5"), ("C4", "D5"), ("D4", "D5")), (("C4", "D4"), ("C3", "D4"))
    board = river_board({"broad": run[0], "brook": run[1]}, land="ACDEF")
    sheet = sheet_of(board, river_style(broad=WIDE, brook=RIVER))
    wide, thin = network.courses(sheet)
    into = min((wide.points[0], wide.points[-1]), key=lambda p: p[1])
    assert into[1] < sheet.spots["C4"][1] - 46 / 3**0.5, "the mouth lies beyond the corners of the land"
    line = network.curve(wide.points)
    ends = [min(abs(x - p[0]) + abs(y - p[1]) for x, y in line) for p in (thin.points[0], thin.points[-1])]
    assert min(ends) < 0.01 < max(ends), "one end lies on the line of the river, not at the corner beside it"
    assert wide.rises.count(True) <= 1 and thin.rises.count(True) == 1


def test_a_river_that_stops_short_is_carried_on_to_the_sea() -> None:
    board = river_board({"brook": (("D4", "D5"), ("D5", "E4"))}, land="ACDEF")
    sheet = sheet_of(board, river_style(brook=RIVER))
    (course,) = network.courses(sheet)
    assert min(y for _, y in course.points) < sheet.spots["C4"][1] - 20, "it goes on between the hexes of row C"
    far = river_board({"brook": (("F4", "F5"),)}, land="ABCDEF")
    (inland,) = network.courses(sheet_of(far, river_style(brook=RIVER)))
    assert len(inland.points) <= 3, "no water is near but the edge of the map"


def test_a_course_of_the_picture_goes_on_from_a_river() -> None:
    board = river_board({"brook": (("C4", "C5"),)})
    style = river_style(brook=RIVER)
    end = network.courses(sheet_of(board, style))[0].points[-1]
    at = (end[0] / 46, end[1] / 46)
    style.looks["shape", "Upper", ""] = Look(words=("river", "thin"), points=((at[0] + 0.3, at[1]), (at[0] + 3, at[1])))
    own, more = network.courses(sheet_of(board, style))
    assert more.points[0] == end and own.rises[1] is False and "Upper" not in draw_map(board, style)


def test_narrow_waters_run_into_the_sea_and_come_to_a_point_on_land() -> None:
    """A lake that touches nothing; a strait between C4 and C5 from the sea of row B."""
    board = river_board({"narrow": (("E3", "E4"),)}, land="ACDEF")
    sheet = sheet_of(board, river_style(narrow=Look(words=("channel",), colors=("#bcd6e6",))))
    (_, shapes) = waters.narrow(sheet)[0]
    widths = [[abs(a[0] - b[0]) for a, b in zip(s, reversed(s), strict=True)] for s in shapes]
    assert len(shapes) == 1 and all(w[0] < 1 and w[-1] < 1 for w in widths), "pointed where it ends on land"
    open_ = river_board({"narrow": (("C4", "C5"),)}, land="ACDEF")
    (_, (strait,)) = waters.narrow(sheet_of(open_, sheet.style))[0]
    assert min(y for _, y in strait) < sheet.spots["C4"][1] - 46 / 3**0.5, "it reaches into the sea"


def test_a_way_between_points_bows_round_a_lake() -> None:
    board = Map(name="m", grid=Grid(), hexes=("a", "b"), lines={"road": (("", ("a", "b")),)})
    style = Style(())
    style.looks["lines", "road", ""] = Look(words=("solid",))
    style.looks["at", "a", ""], style.looks["at", "b", ""] = Look(points=((0, 0),)), Look(points=((100, 0),))
    sheet = Sheet(board, style, Position(), "m", 0, ["a", "b"], {"a", "b"})
    assert strokes.bowed(sheet, "a", "b") == "M0 0L100 0"
    lake = ((40.0, -6.0), (60.0, -6.0), (60.0, 30.0), (40.0, 30.0))
    style.looks["shape", "lake", ""] = Look(words=("water",), points=lake)
    bow = strokes.bowed(sheet, "a", "b")
    assert "Q50 -" in bow, f"{bow} passes the lake on its nearer side"


def test_the_legend_says_the_words_of_the_style(tmp_path: Path) -> None:
    style = LOOKS.replace("lines rail: black ties", 'lines rail: black ties "railway, one track"')
    assert style != LOOKS
    found = texts(drawn(book_of(tmp_path, style)))
    assert "railway, one track" in found and "rail" not in found
    board, looks = shown(book_of(tmp_path, style))
    groups = dict(legend.groups([sheet_of(board, looks)], "m"))
    assert list(groups) == ["Terrain", "Waters", "Hexsides", "Lines", "Places"], "no counter stands on the map"
    assert [name for _, name in groups["Waters"]] == ["river"]
    assert not {"red", "strength", "foot", "sea (a dot in each hex)"} & set(found)


def test_the_legend_of_a_position_has_its_counters_and_stacks(tmp_path: Path) -> None:
    board, looks = shown(book_of(tmp_path))
    many = [Piece(name=f"{k} Foot", fields={"side": "red", "arm": "foot", "strength": 2}) for k in range(5)]
    words = {}
    for count in (1, 2, 5):
        sheet = Sheet(board, looks, Position(units={"D4": many[:count]}), "m", 0, board.hexes, set(board.hexes))
        words[count] = [name for _, name in dict(legend.groups([sheet], "m"))["Counters"]]
    assert words[1] == ["red", "strength", "foot"], "what the counters there print, not the tanks and not the mark"
    assert words[2] == ["red", "strength", "stack: the top unit is seen", "foot"]
    assert "how many units are in a larger stack" in words[5] and "how many" not in "".join(words[2])


def test_the_legend_shows_lines_that_lie_on_one_another(tmp_path: Path) -> None:
    text = BOOK.replace(
        "    lines rail: C1 C2 C3 C4 C5 C6\n", "    lines rail: C1 C2 C3 C4 C5 C6\n    lines road: C3 C2\n"
    )
    board, looks = shown(book_of(tmp_path, LOOKS + "\n    lines road: brown double", text))
    groups = dict(legend.groups([sheet_of(board, looks)], "m"))
    assert [name for _, name in groups["Lines"]] == ["rail", "road", "rail and road"]


def test_lines_that_leave_the_map_run_on_to_its_frame(tmp_path: Path) -> None:
    board, looks = shown(book_of(tmp_path))
    sheet = sheet_of(board, looks)
    assert strokes.exits(sheet).keys() == {("C2", "C1")}, "C6 lies in the midst of the map"
    (x, _) = strokes.exits(sheet)["C2", "C1"]
    assert x <= sheet.box[0], "at the frame"
    forked = replace(board, lines={**board.lines, "rail": (*board.lines["rail"], (None, ("C1", "D1")))})
    assert ("C2", "C1") not in strokes.exits(sheet_of(forked, looks)), "it goes on to D1"
    named = replace(board, names={"Ende": "C1"})
    assert not strokes.exits(sheet_of(named, looks)), "a terminus"


def test_a_river_along_the_edge_stays_on_the_map(tmp_path: Path) -> None:
    board, looks = shown(book_of(tmp_path))
    along = replace(board, sides={"river": (("A2", "A3"), ("A2", "A1"))})
    sheet = sheet_of(along, looks)
    sides = [waters.shared_side(along, *pair) for pair in along.sides["river"]]
    assert None not in sides
    at = sheet.at["A2"]
    there = {paper.key(p) for p in paper.corners(along, paper.on_paper(along, at))}
    for one, two in waters.round_the_rim(sheet, [side for side in sides if side]):
        assert {paper.key(one), paper.key(two)} <= there and max(one[1], two[1]) < sheet.spots["A2"][1]
    assert len(waters.round_the_rim(sheet, [side for side in sides if side])) == 2
    assert not waters.round_the_rim(sheet, [side for side in sides[:1] if side]), "one that ends there is let be"


def test_a_river_widens_from_its_upper_course() -> None:
    pen = Stroke(name="great", stroke="river", width=4.0, color="#000000")
    points = tuple((20.0 * k, 5.0 * (k % 2)) for k in range(30))

    def shares(course: network.Course) -> list[float]:
        return [share for share, _ in rivers.drawn_parts(course)]

    joins = shares(network.Course(points=points, stroke=pen, rises=(False, False), upper=(1.0, 0.0)))
    assert joins[0] == 0.25 and joins[-1] == 1.0 and joins == sorted(joins) and len(joins) > 4
    assert shares(network.Course(points=points, stroke=pen, rises=(False, False))) == [1.0]
    assert shares(network.Course(points=points, stroke=pen, rises=(False, True)))[-1] < 0.5


def test_a_counter_without_numbers_prints_none(tmp_path: Path) -> None:
    _, looks = shown(book_of(tmp_path, LOOKS.replace("counter: strength", "counter: strength-weak")))
    assert looks.prints({"strength": 0, "weak": 0}) == ""
    assert looks.prints({"strength": 0, "weak": 3}) == "0-3"
    assert looks.prints({"strength": 10, "weak": 0}) == "10-0"


def test_an_area_with_a_line_of_its_own_keeps_silent(tmp_path: Path) -> None:
    text = BOOK.replace("    town: C5\n", "    town: C5\n    ground marsh: A1..A8, B4..B8\n").replace(
        "    ground marsh: E5, E6\n", ""
    )
    named = LOOKS.replace(
        "    ground woods: pale_green trees\n    ground marsh: teal tufts\n", "    ground: border names\n"
    )
    assert "MARSH" in texts(drawn(book_of(tmp_path, named, text)))
    silent = named.replace("    ground: border names\n", "    ground: border names\n    ground marsh: plain\n")
    assert "MARSH" not in texts(drawn(book_of(tmp_path, silent, text)))


def test_scattered_pieces_become_panels() -> None:
    cells = {f"a{k}": (2 * k, 0) for k in range(4)} | {f"b{k}": (100 + 2 * k, 60) for k in range(4)}
    assert [len(g) for g in panels.groups(cells, list(cells))] == [4, 4]
    close = {f"a{k}": (2 * k, 0) for k in range(8)}
    assert len(panels.groups(close, list(close))) == 1


def test_panels_do_not_overlap() -> None:
    sizes = [(100.0, 50.0), (30.0, 80.0), (400.0, 20.0), (10.0, 10.0), (200.0, 200.0)]
    boxes = [(x, y, x + w, y + h) for (x, y), (w, h) in zip(panels.pack(sizes), sizes, strict=True)]
    for i, a in enumerate(boxes):
        for b in boxes[i + 1 :]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


# ---------------------------------------------------------------- counters


def test_a_counter_prints_what_its_style_says(tmp_path: Path) -> None:
    style = style_of(book_of(tmp_path))
    look = style.counter({"side": "red", "arm": "foot", "strength": 3, "weak": 1})
    assert (look.symbol, look.size, look.shape, look.prints) == ("infantry", "XX", "box", "3")
    tired = style.counter({"side": "blue", "arm": "tank", "strength": 5, "weak": 2, "spent": True})
    assert (tired.symbol, tired.shape, tired.prints) == ("armor", "round", "2")
    assert tired.badges == (("", "S", "#7d5a86"),)


def test_lost_steps_are_pips(tmp_path: Path) -> None:
    """As many dots as the mark counts, one for a flag; a number where there would be too many."""
    book = book_of(
        tmp_path,
        LOOKS + "\n    unit.lost: pips red",
        BOOK.replace("  mark fort", "  mark lost of unit: number\n  mark fort"),
    )

    def dots(lost: int | bool) -> int:
        piece = Piece(name="1 Foot", fields={"side": "red", "arm": "foot", "lost": lost})
        return len(list(drawn(book, Position(units={"D4": [piece]})).iter(f"{SVG}circle"))) - plain

    plain = 0
    plain = dots(0)
    assert [dots(0), dots(1), dots(3), dots(7), dots(8), dots(True)] == [0, 1, 3, 7, 0, 1]


def test_stacks_are_fanned_and_counted(tmp_path: Path) -> None:
    book = book_of(tmp_path)
    assert book.map is not None
    many = [Piece(name=f"{k} Foot", fields={"side": "red", "arm": "foot"}) for k in range(6)]
    shown = texts(drawn(book, Position(units={"D4": many})))
    assert "6" in shown and "0" in shown and "5" not in shown  # the top counter, and how many there are


def test_marks_on_hexes_are_drawn_from_a_position(tmp_path: Path) -> None:
    book = book_of(tmp_path)
    assert "fort" not in texts(drawn(book))
    assert "fort" in texts(drawn(book, Position(marks={"fort": {"A3": True}})))


def test_the_sprite_has_every_symbol_and_the_licence() -> None:
    assert set(counters.sprite()) == set(SYMBOLS)
    assert set(signs.SHAPES) == set(SIGNS)
    text = Path(counters.__file__).with_name("symbols.svg").read_text(encoding="utf-8")
    ElementTree.fromstring(text)
    assert "The MIT License" in text and "Måns Beckman" in text and "<script" not in text and "href" not in text


# ---------------------------------------------------------------- checks, differences


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("ground woods: pale_gren", "RW140"),
        ("ground woods", "RW140"),
        ('ground woods: "red"', "RW140"),
        ("unit.arm foot: XXXXXXX", "RW140"),
        ('unit.spent: "long badge"', "RW140"),
        ("at C5: 12", "RW140"),
        ("at C5: 12, 13, 14, 15", "RW140"),
        ("ground wods: trees", "RW141"),
        ("grund woods: trees", "RW141"),
        ("sides rivr: river", "RW141"),
        ("lines rale: ties", "RW141"),
        ("side green: box", "RW141"),
        ("unit.arms foot: infantry", "RW141"),
        ("counter: strenght", "RW141"),
        ("counter spend: strength", "RW141"),
        ("hidden: citty", "RW141"),
        ("at Durf: 12, 13", "RW141"),
        ("beyond ZZ99: gray", "RW141"),
        ("bank Durf: w", "RW141"),
        ("bank Dorf: up", "RW140"),
        ("bank Dorf: n w", "RW140"),
        ("north: up", "RW140"),
        ("north: 3 4", "RW140"),
        ("scale: 0 km", "RW140"),
        ("scale: 30 miles km", "RW140"),
        ("shape Sound: name ZZ99", "RW141"),
        ("shape Sound: land A1..ZZ99", "RW141"),
        ("shape Sound: name", "RW140"),
        ('lines rail: "railway"', "RW140"),
        (f'lines rail: ties "{"long" * 11}"', "RW140"),
    ],
)
def test_a_wrong_line_is_named(line: str, code: str, tmp_path: Path) -> None:
    path = tmp_path / "small.rules"
    path.write_text(BOOK.replace("STYLE", f"{LOOKS}\n    {line}"), encoding="utf-8")
    found = [d for d in analyse(str(path)).report.found if d.severity == "error"]
    assert [d.code for d in found] == [code]
    assert found[0].help


def test_the_warning_names_everything_without_a_look(tmp_path: Path) -> None:
    path = tmp_path / "small.rules"
    path.write_text(BOOK.replace("STYLE", "    unit.arm foot: infantry"), encoding="utf-8")
    (found,) = [d for d in analyse(str(path)).report.found if d.code == "RW708"]
    assert found.severity == "warning"
    told = "ground marsh, ground woods, town, port, sides river, sides wall, lines rail, side red, side blue, counter"
    for thing in (*told.split(", "), "unit.arm tank"):
        assert re.search(rf"\b{re.escape(thing)}\b", found.message), thing


@pytest.mark.parametrize("name", ["trc", "fragment"])
def test_the_books_draw_nothing_without_a_look(name: str) -> None:
    assert not [d for d in analyse(name).report.found if d.code == "RW708"]


def test_a_changed_look_is_a_fact_that_alters_no_play(tmp_path: Path) -> None:
    for folder, text in (("a", LOOKS), ("b", LOOKS.replace("pale_green trees", "olive conifers"))):
        (tmp_path / folder).mkdir()
        book_of(tmp_path / folder, text)
    a, b = (analyse(str(tmp_path / folder / "small.rules")) for folder in "ab")
    found = facts(a, b)
    assert [(f.element, f.name, f.before, f.after) for f in found] == [
        ("look", "ground woods", "pale_green trees", "olive conifers")
    ]
    assert [j.play for j in judge(a, b, found)] == ["not"]


# ---------------------------------------------------------------- hostile names


def test_names_are_text(tmp_path: Path) -> None:
    evil = '<script>alert("x")</script>&\u202egnp.exe\u2066\x07' + "W" * 500
    book = book_of(tmp_path)
    assert book.map is not None
    pieces = [Piece(name=evil, fields={"side": evil, "arm": "foot", "strength": evil})]
    style = Style([*book.styles])
    svg = draw(book.map, style, Position(units={"C5": pieces}), title=evil, description=evil, ids=ALWAYS).svg
    picture = ElementTree.fromstring(svg)
    assert not list(picture.iter(f"{SVG}script")) and "<script" not in svg
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x07]", svg)
    assert all(len(x) < 80 for x in texts(picture))


def test_a_city_is_seen_under_its_counters(tmp_path: Path) -> None:
    board, looks = shown(book_of(tmp_path))
    assert ground.built_up(sheet_of(board, looks)) == [], "a map without counters shows the sign itself"
    position = Position(units={"D4": [Piece(name="1 Foot", fields={"side": "red"})]})
    sheet = Sheet(board, looks, position, "m", 0, board.hexes, set(board.hexes))
    assert [place for place, _ in ground.built_up(sheet)] == ["C5"], "the town, not the port"

    assert len(list(ground.cities(sheet))) == 1


def test_the_name_of_a_sea_moves_off_the_land(tmp_path: Path) -> None:
    sheet = sheet_of(*shown(book_of(tmp_path)))
    wet = {sheet.at[f"E{column}"] for column in range(1, 9)}
    _, (_, y), _ = beyond.afloat(sheet, "Sea", sheet.spots["D4"], 13.0, wet)
    assert abs(y - sheet.spots["E4"][1]) < 20, "in row E, which is water"
    _, (_, there), _ = beyond.afloat(sheet, "Sea", sheet.spots["E4"], 13.0, wet)
    assert there == sheet.spots["E4"][1], "where it is afloat already it stays"
