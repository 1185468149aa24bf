"""Random amendments of shipped books change exactly what they name (the campaign is `make amendments`)."""

import pytest
from amendments import run


@pytest.mark.parametrize(("book", "many"), [("trc", 4), ("tdv", 2), ("fite", 2), ("fragment", 15)])
def test_exactly_the_named_place_changes(book: str, many: int) -> None:
    found = run(book, many, seed=3)
    assert found.wrong == []
    assert found.exact == many and found.refused >= many
    assert found.core >= many // 2, "most numbers stand in the core of a book that still compiles"
