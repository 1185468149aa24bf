"""Random amendments of shipped books change exactly what they name (the campaign is `make amendments`)."""

import pytest
from amendments import run


@pytest.mark.parametrize(
    ("book", "many", "core"), [("trc", 25, False), ("tdv", 25, False), ("fite", 15, True), ("fragment", 25, True)]
)
def test_exactly_the_named_place_changes(book: str, many: int, core: bool) -> None:
    found = run(book, many, seed=3, core=core)
    assert found.wrong == []
    assert found.exact == many and found.refused >= many
    assert found.core >= many // 2 or not core, "most numbers stand in the core of a book that still compiles"
