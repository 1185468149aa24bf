"""Chance: the same numbers everywhere, fair, and scripted faces first."""

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.runtime import dice


def test_the_stream_of_a_seed_stands_for_ever():
    state = dice.seed(7)
    faces = []
    for _ in range(12):
        value, state = dice.draw(state, 6)
        faces.append(value + 1)
    assert faces == [3, 6, 1, 5, 2, 6, 3, 4, 5, 1, 5, 2]


def test_the_mixer_is_splitmix64():
    # The published test vector for the state 1234567.
    value, _ = dice.draw(1234567, 1 << 64)
    assert value == 6457827717110365317


@given(st.integers(), st.integers(1, 2**64))
def test_a_draw_stays_in_range_and_the_source_in_a_word(n, sides):
    value, state = dice.draw(dice.seed(n), sides)
    assert 0 <= value < sides
    assert 0 <= state < 2**64
    assert dice.draw(dice.seed(n), sides) == (value, state)


def test_a_draw_of_two_thirds_of_the_range_is_not_biased():
    # Modulo bias would give the lower half twice the weight.
    n = 2**64 // 3 * 2
    state, low = dice.seed(3), 0
    for _ in range(4000):
        value, state = dice.draw(state, n)
        low += value < n // 2
    assert 1850 < low < 2150


def test_every_face_and_order_comes_about_equally_often():
    state, faces, orders, pairs = dice.seed(1), Counter(), Counter(), Counter()
    for _ in range(6000):
        value, state = dice.draw(state, 6)
        faces[value] += 1
        order, state = dice.shuffle(state, "abc")
        orders[order] += 1
        pair, state = dice.pick_subset(state, range(4), 2)
        pairs[pair] += 1
    for seen, kinds in ((faces, 6), (orders, 6), (pairs, 6)):
        assert len(seen) == kinds
        assert all(850 < count < 1150 for count in seen.values())
    assert set(orders) == set(permutations("abc"))


def test_distinct_seeds_give_distinct_sources():
    seeds = [*range(-500, 500), 2**64, 2**64 + 1, 2**200, -(2**200)]
    assert len({dice.seed(n) for n in seeds}) == len(seeds)


@given(st.integers(), st.lists(st.integers()), st.data())
def test_a_subset_keeps_the_order_of_its_items(n, items, data):
    count = data.draw(st.integers(0, len(items)))
    picked, _ = dice.pick_subset(dice.seed(n), range(len(items)), count)
    assert len(picked) == count
    assert list(picked) == sorted(set(picked))


def test_scripted_faces_come_first_and_do_not_move_the_source():
    record = dice.new_dice(5, [6, 1, 4])
    before = record["rng"]
    assert dice.roll(record, 2, 6) == (6, 1)
    assert record == {"rng": before, "script": [4]}
    rolled = dice.roll(record, 3, 6)
    assert rolled[0] == 4
    assert record["script"] == []
    assert rolled[1:] == dice.roll(dice.new_dice(5), 2, 6)


def test_a_shared_script_is_not_changed_in_place():
    record = dice.new_dice(5, [6, 1])
    copy = dict(record)
    dice.roll(record, 1, 6)
    assert copy["script"] == [6, 1]


@pytest.mark.parametrize("face", [0, 7, -1, "3", True])
def test_a_scripted_face_that_the_die_lacks_is_named_and_nothing_moves(face):
    record = dice.new_dice(5, [2, face])
    before = {"rng": record["rng"], "script": [2, face]}
    with pytest.raises(ValueError, match=f"scripted face {face!r} is not on a die of 6 sides"):
        dice.roll(record, 2, 6)
    assert record == before


def test_impossible_draws_are_errors():
    for wrong in (0, -1, 2**64 + 1):
        with pytest.raises(ValueError, match="cannot draw"):
            dice.draw(1, wrong)
    with pytest.raises(ValueError, match="cannot pick 3 of 2"):
        dice.pick_subset(1, "ab", 3)
    with pytest.raises(ValueError, match="cannot roll"):
        dice.roll(dice.new_dice(1), 1, 0)
