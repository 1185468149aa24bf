"""Reading maps: notations, geometry, and a finding for every mistake an author can make."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.compiler.core.maps import (
    Map,
    coordinates,
    distance,
    hex_at,
    locate,
    neighbors,
    spell_id,
    touch,
    touching,
)
from rulewright.compiler.pages.draw_map import Piece, Position, draw_map
from rulewright.compiler.read.map_blocks import read_map

LETTERED = "grid: rows A..QQ, columns from the east"
SMALL = f"{LETTERED}\nhexes: A1..A4, B1..B5, C1..C4\n"


def read(text: str) -> tuple[Map, list[tuple[int, str, str, str]]]:
    found: list[tuple[int, str, str, str]] = []
    entries = []
    for number, line in enumerate(text.strip().splitlines(), 1):
        key, _, value = line.partition(":")
        entries.append((key.strip(), value.strip(), number))
    return read_map(entries, lambda *finding: found.append(finding)), found


def sound(text: str) -> Map:
    board, found = read(text)
    assert found == []
    return board


def codes(text: str) -> list[tuple[int, str]]:
    return [(line, code) for line, code, _, _ in read(text)[1]]


# ------------------------------------------------------------------ lettered rows
def test_odd_rows_touch_n_and_n_plus_1() -> None:
    board = sound(SMALL)
    assert neighbors(board, "C2") == ("B2", "C1", "C3", "B3")
    assert set(neighbors(board, "B2")) == {"A1", "A2", "B1", "B3", "C1", "C2"}


@pytest.mark.parametrize(("one", "other"), [("J17", "I16"), ("J16", "K15"), ("T13", "S12"), ("JJ17", "KK17")])
def test_hexes_pictured_as_neighbours_touch(one: str, other: str) -> None:
    assert touch(sound(LETTERED).grid, one, other)


def test_neighbours_run_clockwise_from_the_north_east() -> None:
    board = sound(f"{LETTERED}\nhexes: D1..D9, E1..E9, F1..F9")
    here = coordinates(board, "E5")
    steps = [(x - here[0], y - here[1]) for x, y in (coordinates(board, h) for h in neighbors(board, "E5"))]
    assert steps == [(1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1)]


def test_even_rows_may_be_the_shifted_ones() -> None:
    board = sound("grid: rows A..C, columns 1..9, even rows touch n and n+1\nhexes: A1..A9, B1..B9, C1..C9")
    assert {"A4", "A5", "C4", "C5"} <= set(neighbors(board, "B4"))


def test_hexes_stand_in_rows_whatever_the_order_of_the_entries() -> None:
    board = sound(f"{LETTERED}\nhexes: AA2, B7, B2..B3\nhexes: A9")
    assert board.hexes == ("A9", "B2", "B3", "B7", "AA2")


# ------------------------------------------------------------------ numbered grids, sheets, points
def test_columns_first_give_ids_of_column_and_row() -> None:
    board = sound("grid: columns 01..60, rows 01..40\nhexes: 4603, 4702, 4701, 1002, 1102")
    assert touch(board.grid, "1002", "1102")
    assert coordinates(board, "4702")[0] - coordinates(board, "4603")[0] == 1


def test_a_column_grid_touches_along_its_columns() -> None:
    grid = "grid: columns 01..60, rows 01..40, odd columns touch n and n+1"
    board = sound(f"{grid}\nhexes: 4501..4505, 4601..4605, 4701..4705")
    assert neighbors(board, "4603") == ("4602", "4702", "4703", "4604", "4503", "4502")


def test_sheets_keep_their_prefix_and_meet_at_their_offset() -> None:
    board = sound(
        "sheet 1B/: rows 01..10, columns 01..08\n"
        "sheet 2A/: rows 01..10, columns 01..08, offset 8 0\n"
        "hexes: 1B/0407, 1B/0408, 2A/0401..2A/0403"
    )
    assert neighbors(board, "1B/0408") == ("2A/0401", "1B/0407")
    assert distance(board, "1B/0407", "2A/0403") == 4


def test_a_side_between_sheets_reads_slashes_right() -> None:
    board = sound(
        "sheet 1B/: rows 01..10, columns 01..08\n"
        "sheet 2A/: rows 01..10, columns 01..08, offset 8 0\n"
        "hexes: 1B/0408, 2A/0401\nsides river: 2A/0401/1B/0408\nname Ford: 1B/0408/2A/0401"
    )
    assert board.sides["river"] == (("1B/0408", "2A/0401"),)
    assert board.names["Ford"] == "1B/0408/2A/0401"


def test_a_prefix_needs_no_slash() -> None:
    board = sound("sheet W: columns 01..50, rows 01..50\nhexes: W1642, W1641")
    assert neighbors(board, "W1642") == ("W1641",)


def test_points_are_joined_by_their_lines() -> None:
    board = sound("points: Paris, Rouen, Lille\nlines road: Paris Rouen\nlines road: Lille Paris")
    assert board.hexes == ("Lille", "Paris", "Rouen"), "in the order of their names, however they are listed"
    assert neighbors(board, "Paris") == ("Lille", "Rouen")


def test_boxes_and_tracks() -> None:
    board = sound(f"{LETTERED}\nbox Off_Map:\nbox: Reserve, Urals\ntrack turn: 1..4, end")
    assert board.boxes == ("Off_Map", "Reserve", "Urals")
    assert board.tracks == {"turn": ("1", "2", "3", "4", "end")}


# ------------------------------------------------------------------ contents
def test_fields_sides_lines_and_names() -> None:
    board = sound(
        SMALL + "name Moscow: B2\nname Strait: B3/B2\nterrain woods: A1..A3, B4\ncity: B2\n"
        "sides coast: B3/A2\nlines rail: A1 B2 C2\nlines river Don: B2 B3"
    )
    assert board.names == {"Moscow": "B2", "Strait": "B2/B3"}
    assert board.fields == {
        "terrain": {"A1": "woods", "A2": "woods", "A3": "woods", "B4": "woods"},
        "city": {"B2": True},
    }
    assert board.sides == {"coast": (("A2", "B3"),)}
    assert board.lines == {"rail": ((None, ("A1", "B2", "C2")),), "river": (("Don", ("B2", "B3")),)}


def test_the_same_value_twice_is_no_mistake() -> None:
    assert sound(SMALL + "city: A1\ncity: A1, A2").fields["city"] == {"A1": True, "A2": True}


def test_water_carries_lines_but_is_not_entered() -> None:
    board = sound(f"{LETTERED}\nhexes: B1, B3\nwater: B2\nlines rail: B1 B2 B3\nsides coast: B1/B2")
    assert board.water == ("B2",)
    assert neighbors(board, "B1") == ()


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("terrain woods: A9", "RW702"),
        ("name Moscow: A9", "RW702"),
        ("sides coast: A1/A9", "RW702"),
        ("lines rail: A1 A9", "RW702"),
        ("hexes: C4", "RW703"),
        ("name Kiev: A2", "RW703"),
        ("terrain swamp: A1", "RW703"),
        ("sides coast: A1/A3", "RW704"),
        ("lines rail: A1 A3", "RW704"),
        ("city: A3..A1", "RW705"),
        ("city: A1..B1", "RW705"),
        ("track turn: 4..1", "RW705"),
        ("sides coast: A1", "RW701"),
        ("two words here: A1", "RW701"),
        ("grid: seven rows", "RW701"),
    ],
)
def test_a_mistake_is_reported_with_its_line(entry: str, code: str) -> None:
    text = SMALL + "name Kiev: A1\nterrain woods: A1\n"
    found = codes(text + entry)
    assert (5, code) in found


def test_what_is_wrong_is_left_out_and_the_rest_stands() -> None:
    board, found = read(SMALL + "lines rail: A1 A3\nlines rail: A1 A2\ncity: A1, Z9")
    assert len(found) == 2
    assert board.lines["rail"] == ((None, ("A1", "A2")),)
    assert board.fields["city"] == {"A1": True}


def test_help_offers_near_ids() -> None:
    [(_, _, message, help_)] = read(SMALL + "city: A44")[1]
    assert '"A44"' in message and "A4" in help_


def test_sheets_that_do_not_mesh_are_reported() -> None:
    text = "sheet 1/: rows 01..04, columns 01..04\nsheet 2/: rows 01..04, columns 01..04, offset 0 5"
    assert [code for _, code in codes(text)] == ["RW701"]


# ------------------------------------------------------------------ properties
GRIDS = st.sampled_from(
    [
        LETTERED,
        "grid: rows A..QQ, columns 1..60, even rows touch n and n+1",
        "grid: columns 01..60, rows 01..40",
        "grid: rows 01..40, columns 01..60 from the east, odd rows touch n and n+1",
        "grid: columns 01..60, rows 01..40 from the south, even columns touch n and n+1",
    ]
)


@given(GRIDS, st.integers(2, 38), st.integers(2, 58))
def test_touching_is_mutual_and_coordinates_lead_back(grid: str, row: int, column: int) -> None:
    board = sound(grid)
    sheet = board.grid.sheets[0]
    here = spell_id(sheet, row, column)
    around = touching(board.grid, here)
    assert len(set(around)) == 6
    for near in around:
        assert here in touching(board.grid, near)
        assert distance(board, here, near) == 1
        at = locate(board.grid, near)
        assert at is not None and hex_at(board.grid, at) == near


@given(st.lists(st.tuples(st.integers(1, 20), st.integers(1, 20)), min_size=3, max_size=3))
def test_distance_keeps_the_triangle(spots: list[tuple[int, int]]) -> None:
    board = sound("grid: columns 01..60, rows 01..40")
    a, b, c = (f"{column:02d}{row:02d}" for column, row in spots)
    assert distance(board, a, c) <= distance(board, a, b) + distance(board, b, c)
    assert distance(board, a, b) == distance(board, b, a)


# ------------------------------------------------------------------ drawing
@pytest.mark.parametrize(
    "text",
    [
        SMALL + "terrain woods: A1\ncity: B2\nname Moscow: B2\nlines rail: A1 B2\nlines river Don: B2 B3",
        "grid: columns 01..60, rows 01..40\nhexes: 0101..0106, 0201..0206\nsides coast: 0101/0102",
        "points: Paris, Rouen, Lille\nlines road: Paris Rouen",
    ],
)
def test_drawings_are_well_formed_and_repeatable(text: str) -> None:
    board = sound(text)
    position = Position(units={board.hexes[0]: [Piece(name="1 <A>")]})
    drawn = draw_map(board, position=position)
    ElementTree.fromstring(drawn)
    assert drawn == draw_map(board, position=position)
    assert "1 &lt;A&gt;" in drawn


def test_a_drawing_around_a_hex_shows_less() -> None:
    board = sound(f"{LETTERED}\nhexes: A1..A30")
    assert "A20" not in draw_map(board, around="A5")
    assert "A20" in draw_map(board)


# ------------------------------------------------------------------ ids with a dot, sheets that overlap
OVERLAP = (
    "sheet G: columns 1..62, rows 01..35 from the south, ids like G1.01, even columns touch n and n+1\n"
    "sheet J: columns 1..62, rows 01..35 from the south, ids like J4.33, offset 0 34, over G\n"
)


def test_ids_with_a_dot_are_spelled_as_printed() -> None:
    board = sound(OVERLAP + "hexes: J4.33, J4.34, G10.07, G62.18")
    assert set(board.hexes) == {"J4.33", "J4.34", "G10.07", "G62.18"}
    assert neighbors(board, "J4.33") == ("J4.34",)
    for wrong in ("J04.33", "J4.3", "J433", "J4.033", "J63.01", "J4."):
        assert locate(board.grid, wrong) is None, wrong


def test_a_hex_of_two_sheets_has_the_id_of_the_upper_one_and_is_found_by_both() -> None:
    board = sound(
        OVERLAP + "hexes: G43.01..G43.03, J43.34\nname Armavir: G43.01\ncity: G43.01\n"
        "sides river: G43.01/J43.34\nlines rail: G43.02 G43.01 J43.34"
    )
    assert "J43.35" in board.hexes and "G43.01" not in board.hexes
    assert board.aliases == {"G43.01": "J43.35"}
    assert board.names == {"Armavir": "J43.35"} and board.fields["city"] == {"J43.35": True}
    assert board.sides["river"] == (("J43.34", "J43.35"),)
    assert board.lines["rail"] == ((None, ("G43.02", "J43.35", "J43.34")),)
    assert neighbors(board, "J43.35") == ("G43.02", "J43.34")


def test_without_over_the_first_name_is_on_top() -> None:
    board = sound(OVERLAP.replace(", over G", "") + "hexes: J43.35")
    assert board.hexes == ("G43.01",) and board.aliases == {"J43.35": "G43.01"}


def test_shared_edges_of_sheets_numbered_from_the_east() -> None:
    board = sound(
        "sheet 5B/: rows 01..51, columns 01..33 from the east, offset 0 -50, even rows touch n and n+1\n"
        "sheet 1B/: rows 01..51, columns 01..33 from the east\nhexes: 5B/5107, 1B/0207"
    )
    assert board.aliases == {"5B/5107": "1B/0107"} and neighbors(board, "1B/0107") == ("1B/0207",)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (OVERLAP + "hexes: G43.01, J43.35", (3, "RW703")),
        (OVERLAP.replace("over G", "over X"), (2, "RW701")),
        (OVERLAP.replace("touch n and n+1", "touch n and n+1, over J"), (1, "RW701")),
        (OVERLAP.replace("like J4.33", "like K4.33"), (2, "RW701")),
        (OVERLAP.replace("like J4.33", "like J4.36"), (2, "RW701")),
    ],
)
def test_mistakes_of_sheets_are_reported(text: str, code: tuple[int, str]) -> None:
    assert code in codes(text)
