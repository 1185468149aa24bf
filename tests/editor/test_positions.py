"""Columns in characters and in code units."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.editor.positions import from_units, to_units

LINES = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@pytest.mark.parametrize(
    "line, column, utf16, utf8",
    [("zone", 2, 2, 2), ("é zone", 2, 2, 3), ("𝄞 zone", 2, 3, 5), ("é𝄞e\u0301x", 4, 5, 9), ("ab", 9, 2, 2)],
)
def test_units_before_a_column(line, column, utf16, utf8):
    assert to_units(line, column) == utf16
    assert to_units(line, column, "utf-8") == utf8
    assert to_units(line, column, "utf-32") == min(column, len(line))


def test_a_place_inside_a_pair_is_moved_before_it():
    assert from_units("a𝄞b", 2) == 1
    assert from_units("a𝄞b", 3) == 2
    assert from_units("a𝄞b", 99) == 3


@given(LINES, st.integers(0, 30), st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_there_and_back(line, column, encoding):
    column = min(column, len(line))
    units = to_units(line, column, encoding)
    assert (
        units
        == len(line[:column].encode(f"{encoding}-le" if encoding != "utf-8" else encoding))
        // ({"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding])
    )
    assert from_units(line, units, encoding) == column
