"""Geometry: hex distance, neighbors and balls agree with a plain search."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.runtime.hexes import DIRECTIONS, hex_map, hops, point_map

spots = st.lists(st.tuples(st.integers(-6, 6), st.integers(-6, 6)), unique=True, max_size=60)


def block(width, height, shifted=1):
    return hex_map([(x, y) for y in range(height) for x in range(width)], shifted)


def test_an_inner_hex_has_six_neighbors_by_direction():
    board = block(5, 5)
    names = {place: (place % 5, place // 5) for place in range(25)}
    assert [names[b] for b in board.neighbors(12)] == [(3, 2), (2, 1), (1, 1), (1, 2), (1, 3), (2, 3)]
    even = block(5, 5, shifted=0)
    assert [names[b] for b in even.neighbors(12)] == [(3, 2), (3, 1), (2, 1), (1, 2), (2, 3), (3, 3)]


@given(spots, st.sampled_from([0, 1]))
def test_links_run_both_ways_over_one_edge(coordinates, shifted):
    board = hex_map(coordinates, shifted)
    assert board.count == len(coordinates)
    for a in range(board.count):
        for b, edge in zip(board.neighbors(a), board.edges(a), strict=True):
            assert board.ends[edge] == (min(a, b), max(a, b))
            assert board.edge_between(a, b) == board.edge_between(b, a) == edge
            assert board.distance(a, b) == 1
    assert len(set(board.ends)) == len(board.ends) == len(board.to) // 2
    assert list(board.ends) == sorted(board.ends, key=lambda pair: pair[0])


@given(spots)
def test_the_hex_beside_is_beside_in_the_opposite_direction_too(coordinates):
    board = hex_map(coordinates)
    for a in range(board.count):
        for d in range(len(DIRECTIONS)):
            b = board.beside[6 * a + d]
            assert b == -1 or board.beside[6 * b + (d + 3) % 6] == a


@pytest.mark.parametrize("shifted", [0, 1])
def test_distance_on_a_full_map_is_the_number_of_steps(shifted):
    board = block(9, 8, shifted)
    for a in range(0, board.count, 5):
        far = hops(board, (a,))
        assert far == [board.distance(a, b) for b in range(board.count)]


@settings(deadline=None)
@given(spots.filter(bool), st.integers(-1, 14), st.data())
def test_a_ball_is_every_hex_within_the_distance(coordinates, n, data):
    board = hex_map(coordinates)
    center = data.draw(st.integers(0, board.count - 1))
    far = [board.distance(center, b) for b in range(board.count)]
    assert board.within(center, n) == tuple(b for b in range(board.count) if far[b] <= n)
    assert board.ring(center, n) == tuple(b for b in range(board.count) if far[b] == n)


def test_rings_on_open_ground_grow_by_six():
    board = block(15, 15)
    assert [len(board.ring(7 * 15 + 7, n)) for n in range(5)] == [1, 6, 12, 18, 24]


def test_points_know_the_shortest_way():
    points = point_map(6, [(0, 1), (1, 2), (2, 3), (3, 0), (3, 4)])
    assert points.neighbors(3) == (0, 2, 4)
    assert [points.distance(0, b) for b in range(6)] == [0, 1, 2, 1, 2, -1]
    assert points.within(0, 1) == (0, 1, 3)
    assert points.ring(0, 2) == (2, 4)
    assert points.edge_between(0, 2) == -1
    assert points.ends[points.edge_between(4, 3)] == (3, 4)


def test_a_search_obeys_what_it_may_enter_and_cross():
    line = point_map(5, [(0, 1), (1, 2), (2, 3), (3, 4)])
    assert hops(line, (0,), may_enter=lambda p: p != 3) == [0, 1, 2, -1, -1]
    assert hops(line, (0, 4), may_cross=lambda e: line.ends[e] != (1, 2)) == [0, 1, 2, 1, 0]
    assert hops(line, (0,), limit=2) == [0, 1, 2, -1, -1]
    assert hops(line, ()) == [-1] * 5


def test_a_place_given_twice_and_a_bad_link_are_errors():
    with pytest.raises(ValueError, match="places 0 and 2 are both at"):
        hex_map([(1, 1), (2, 1), (1, 1)])
    for links in ([(0, 0)], [(0, 1), (1, 0)], [(0, 2)], [(-1, 0)]):
        with pytest.raises(ValueError, match="the link"):
            point_map(2, links)
