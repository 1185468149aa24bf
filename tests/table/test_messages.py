"""Messages: one schema each; whatever else comes is refused, and never ends in anything but `Bad`."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.table.messages import LONGEST, MESSAGES, Bad, read

GOOD = [
    {"do": "sit", "token": "x" * 22},
    {"do": "lift"},
    {"do": "pick", "n": 1, "i": 0},
    {"do": "pick", "n": 1, "i": 0, "times": 3},
    {"do": "way", "n": 1, "i": 0, "j": 2},
    {"do": "via", "n": 1, "places": [1, 2]},
    {"do": "ok", "n": 1},
    {"do": "fill", "n": 1, "every": True},
    {"do": "back", "n": 1},
    {"do": "pass", "n": 1},
    {"do": "why", "n": 1, "place": 4},
    {"do": "chances", "n": 1},
    {"do": "undo", "n": 1, "how": "own"},
    {"do": "agree", "yes": False},
    {"do": "that", "back": 0},
    {"do": "look", "at": 0},
    {"do": "told", "place": 1},
]
BAD = [
    "", "[]", "null", "1", '"sit"', "{}", "{", "NaN", "[" * 5000, '{"do": "sit"}', '{"do": ["sit"]}', '{"do": "pick", "n": 1, "i": true}',
    '{"do": "pick", "n": 1, "i": -1}', '{"do": "pick", "n": 1, "i": 1.5}', '{"do": "pick", "n": 1, "i": "0"}', '{"do": "pick", "n": 1, "i": 0, "side": "red"}',
    '{"do": "pick", "n": 1, "i": 0, "value": [1]}', '{"do": "pick", "n": 1, "i": ' + "9" * 5000 + "}", '{"do": "pick", "n": NaN, "i": 0}', '{"do": "fill", "n": 1, "every": 1}',
    '{"do": "undo", "n": 1, "how": "all"}', '{"do": "via", "n": 1, "places": [1, "2"]}', '{"do": "via", "n": 1, "places": [true]}', '{"do": "via", "n": 1, "places": ' + str(list(range(99))) + "}",
    '{"do": "sit", "token": "x"}', '{"do": "__class__"}', '{"do": "pick", "n": 1e3, "i": 0}', "x" * (LONGEST + 1),
]  # fmt: skip


def test_every_message_has_an_example():
    assert {x["do"] for x in GOOD} == set(MESSAGES)


@pytest.mark.parametrize("message", GOOD)
def test_what_a_page_sends_is_read(message):
    assert read(json.dumps(message)) == message


@pytest.mark.parametrize("text", [*BAD, None, b'{"do": "lift"}'])
def test_anything_else_is_refused(text):
    with pytest.raises(Bad):
        read(text)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9), lambda x: st.lists(x, max_size=3) | st.dictionaries(st.sampled_from(["do", "n", "i", "token", "places", "how", "x"]) | st.text(max_size=3), x | st.sampled_from(sorted(MESSAGES)), max_size=4), max_leaves=8))
def test_no_value_ends_in_anything_but_a_refusal(value):
    with contextlib.suppress(Bad):
        assert isinstance(read(json.dumps(value)), dict)
