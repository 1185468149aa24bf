"""The index of a block: what it declares, and the names that it uses of others."""

from __future__ import annotations

import pytest

from rulewright.compiler.index import index_block
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.parse import parse

PREVIEW = """case 4 "Attack":
  action attack(us: set of unit, h: hex) by phasing during battle:
    set us.fought
  preview attack as strength: sum(it.strength over us)
"""
DOCTRINE = """doctrine bold of picket "Forward" for red:
  case D.1 "First":
    prefer attack when any us by count(us)
"""


@pytest.mark.parametrize("text, row", [(PREVIEW, 4), (DOCTRINE, 3)], ids=["preview", "prefer"])
def test_what_speaks_of_an_action_uses_its_name_and_sees_its_parameters(text: str, row: int) -> None:
    block = index_block(parse(text, "test.rules", Reporter()), text)
    [use] = [m for m in block.mentions if m.text == "attack" and not m.declares]
    assert (use.row, use.form) == (row, "name")
    assert [item.lends for item in block.items if item.lends] == ["attack"]
