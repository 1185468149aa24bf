"""The search that is emitted for a route finds what plain search finds, on any small map and at any prices.

Random points and lines carry routes with random prices, bars, stops, jumps, ends and budgets; paths, ends, costs
and whether there is any path are the same as the oracle's, ties included, and stay so when marks
that the routes look at change and when the same is asked of the traced twin.
"""

from __future__ import annotations

import itertools
import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rulewright.compiler.compiled import names_of
from rulewright.compiler.emit.routes import kernels as emit_kernels
from rulewright.compiler.interpret.expressions import Evaluator
from rulewright.compiler.interpret.routes import Route
from rulewright.compiler.interpret.world import World
from rulewright.compiler.loader import import_program, write
from rulewright.compiler.pipeline import Compiled, compile_book
from rulewright.runtime import ops
from rulewright.runtime.state import State, fresh

POINTS = [f"P{i}" for i in range(7)]
PRICES = {"whole": ["1", "2", "3"], "free": ["0", "1", "2"], "exact": ["1 / 2", "1 / 3", "2 / 3", "1", "0"]}
FEW = settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    phases=[Phase.generate],  # each example compiles a book: shrinking would take minutes
)


def some(draw: st.DrawFn) -> str:
    """A set of points, as text."""
    chosen = draw(st.lists(st.sampled_from(POINTS), min_size=1, max_size=3, unique=True))
    return "{" + ", ".join(f"@{p}" for p in chosen) + "}"


@st.composite
def routes(draw: st.DrawFn, name: str) -> list[str]:
    """The lines of one route."""
    prices = PRICES[draw(st.sampled_from(sorted(PRICES)))]
    price = st.sampled_from(prices)
    lines = [
        f"  route {name}(h: hex, u: unit):",
        f"    over: {draw(st.sampled_from(['road', 'rail', 'road + rail']))}",
        f"    from: {draw(st.sampled_from(['h', f'{{h}} + {some(draw)}']))}",
    ]
    if draw(st.booleans()):
        lines.append(f"    to: {some(draw)} + (hexes where it.goal)")
    if draw(st.booleans()):
        lines.append(f"    budget: {draw(st.sampled_from(['1', '2', '4', '5 / 2', 'u.reach']))}")
    if draw(st.integers(0, 3)) == 0:
        lines.append(f"    jump: {some(draw)}")
    for facet, test in (
        ("leave", f"here in {some(draw)}"),
        ("cross", f"here in {some(draw)} and there in {some(draw)}"),
        ("enter", f"there in {some(draw)}"),
    ):
        if draw(st.integers(0, 2)) or facet == "enter":
            one = draw(price)
            other = one if draw(st.integers(0, 2)) == 0 else draw(price)  # now and then all steps cost the same
            lines += [f"    {facet}:", f"      {one} when {test}", f"      {other} otherwise"]
    tests = [
        f"there in {some(draw)}",
        f"here in {some(draw)}",
        "there.closed",
        "here.closed or there.closed",
        "there.owner != nobody and there.owner != u.side",
        f"here in {some(draw)} and there in {some(draw)}",
        f"u.side = red and (there in {some(draw)} or here in {some(draw)})",
        "u.tired and there.closed",
        "any units_at(there) where it.side != u.side",
        "any units_at(there) where it.tired or there.barred and there.closed",
        "no_way(u.side, there)",
    ]
    for word, most in (("forbid", 2), ("stop", 2)):
        for test in draw(st.lists(st.sampled_from(tests), max_size=most, unique=True)):
            lines.append(f"    {word} when {test}")
    return lines


@st.composite
def books(draw: st.DrawFn) -> str:
    """A book with a random map and four routes."""
    roads = draw(st.lists(st.tuples(*[st.sampled_from(POINTS)] * 2), min_size=6, max_size=12))
    rails = draw(st.lists(st.tuples(*[st.sampled_from(POINTS)] * 2), min_size=3, max_size=6))
    lines = ['book web "A web"', 'case 1 "Everything":', "  kind side: red, blue", "  field reach of unit: number"]
    lines += [
        "  mark closed of hex",
        "  mark goal of hex",
        "  mark owner of hex: side or nobody",
        "  mark tired of unit",
        "  field barred of hex: flag",
        "  define no_way(s: side, h: hex) -> flag: h.barred and h.owner != s",
    ]
    lines += ["  map web:", "    points: " + ", ".join(POINTS), "    barred: P2, P4, P5"]
    for layer, links in (("road", [*roads, ("P0", "P1")]), ("rail", [*rails, ("P1", "P2")])):
        lines += [f"    lines {layer}: {a} {b}" for a, b in links if a != b]
    lines += ["  roster all:", "    form: reach side", "    3 red: One @P0", "    2 blue: Two @P1"]
    for i in range(4):
        name = f"go_{i}"
        lines += draw(routes(name))
        lines.append(f"  define found_{i}(h: hex, u: unit) -> flag: any {name}(h, u)")
    return "\n".join(lines) + "\n"


def compiled(text: str, folder: Path) -> tuple[Compiled, SimpleNamespace, SimpleNamespace, Evaluator]:
    """A book's generated rules, their traced twin and the oracle's evaluator."""
    source = folder / "web.rules"
    source.write_text(text)
    made = compile_book(str(source))
    assert made.emitted is not None, (text, made.report.found)
    assert made.book is not None
    write(made, folder / "made")
    program = import_program(folder / "made")
    assert program.traced is not None
    return made, names_of(program), names_of(program.traced()), Evaluator(made.book)


def assert_same(rules: SimpleNamespace, S: State, plain: Evaluator, name: str, args: tuple[int, int]) -> None:
    """Everything that can be asked of one route."""

    def ask(what: str) -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(rules, f"route_{name}{what}")
        return found

    route = Route(plain, World(S), name, args)
    paths = route.paths()
    assert ask("")(S, *args) == paths
    assert ask("_ends")(S, *args) == route.ends()
    assert ask("_any")(S, *args) == bool(paths)
    costs = [route.cost(path) for path in paths]
    assert [ask("_cost")(S, *args, path) for path in paths] == costs
    shortest = tuple(path for path, cost in zip(paths, costs, strict=True) if cost == min(costs))
    assert ask("_shortest")(S, *args) == shortest
    assert all(ask("_accepts")(S, *args, path) for path in paths)


@FEW
@given(books(), st.lists(st.tuples(st.sampled_from(range(4)), st.sampled_from(range(len(POINTS)))), max_size=4))
def test_emitted_searches_find_what_plain_search_finds(text: str, changes: list[tuple[int, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        made, rules, traced, plain = compiled(text, Path(folder))
        assert made.book is not None
        S, twin = fresh(rules.PROGRAM, 1), fresh(traced.PROGRAM, 1)
        for state in (S, twin):
            for unit, line in enumerate(made.book.units):
                ops.put(state, unit, made.book.places.index(str(line.start)), "1")
        for change in (None, *changes):
            for state in (S, twin):
                match change:
                    case None:
                        pass
                    case (0, place):
                        ops.set_mark(state, "place_closed", place, not state.place_closed[place], "1")
                    case (1, place):
                        ops.set_mark(state, "place_goal", place, True, "1")
                    case (2, place):
                        ops.set_mark(state, "place_owner", place, "blue", "1")
                    case (_, place):
                        ops.set_mark(state, "unit_tired", place % 2, True, "1")
            for i in range(4):
                for place in range(len(POINTS)):
                    for unit in (0, 1):
                        assert_same(rules, S, plain, f"go_{i}", (place, unit))
                        assert getattr(traced, f"route_go_{i}")(twin, place, unit) == getattr(rules, f"route_go_{i}")(
                            S, place, unit
                        )


@pytest.mark.parametrize(
    ("price", "sort"), [("1", "buckets"), ("0", "buckets"), ("1 / 2", "queue"), ("u.reach", "buckets")]
)
def test_whole_prices_go_through_buckets(price: str, sort: str, tmp_path: Path) -> None:
    """Only prices that are plainly whole are queued by the number; others by their exact value."""
    text = f"""
book web "A web"
case 1 "Everything":
  kind side: red
  field reach of unit: number
  map web:
    points: P0, P1, P2
    lines road: P0 P1 P2
  roster all:
    form: reach side
    3 red: One @P0
  route go_0(u: unit):
    over: road
    from: u.hex
    enter: {price}
  define found_0(u: unit) -> flag: any go_0(u)
"""
    made, *_ = compiled(text, tmp_path)
    assert made.emitted is not None
    search = made.emitted.code().split("def route_go_0_search", 1)[1].split("\ndef ", 1)[0]
    begins = {"buckets": "buckets, room = [", "queue": "queue = ["}[sort]
    assert begins in search and ("heappush(queue" in search) == (sort == "queue")


def by_kernels(text: str, folder: Path, compiled_code: bool) -> int:
    """Compare the kernels of a book with plain search, before and after a change; returns how many routes have one."""
    pytest.importorskip("numpy", reason="numpy is not installed: the extra rulewright[fast]")
    made, rules, _, plain = compiled(text, folder)
    assert made.book is not None
    fast = rules.FAST
    fast.on = True
    fast.prepare(compiled=compiled_code)  # or the same functions, run by Python: nothing to compile for each book
    S = fresh(rules.PROGRAM, 1)
    for unit, line in enumerate(made.book.units):
        ops.put(S, unit, made.book.places.index(str(line.start)), "1")
    routes = [f"go_{i}" for i in range(4) if hasattr(rules, f"route_go_{i}_fast")]
    for closed in (None, 2, 5):
        if closed is not None:
            ops.set_mark(S, "place_closed", closed, True, "1")
        for name in routes:
            for place in range(len(POINTS)):
                for unit in (0, 1):
                    assert_same(rules, S, plain, name, (place, unit))
                    reach = getattr(rules, f"route_{name}_fast")(S, place, unit, (place,))
                    assert reach is not None and type(reach).__name__ == "FoundReach"
    return len(routes)


def steep(text: str) -> str:
    """The same book with prices of at least one and budgets everywhere, as the kernels need them."""
    lines = []
    for line in text.split("\n"):
        if line.strip().startswith(("0 ", "1 / ", "2 / ")):
            line = line.replace(line.split()[0], "1", 1).replace(" / 2", "").replace(" / 3", "")
        if line.strip().startswith(("jump", "budget")):
            continue
        lines.append(line)
        if line.strip().startswith("from:"):
            lines.append("    budget: u.reach")
    return "\n".join(lines)


COUNT: list[int] = []


@FEW
@given(books())
def test_kernels_find_what_plain_search_finds(text: str) -> None:
    large, emit_kernels.LARGE = emit_kernels.LARGE, 0
    try:
        with tempfile.TemporaryDirectory() as folder:
            COUNT.append(by_kernels(steep(text), Path(folder), False))
    finally:
        emit_kernels.LARGE = large


def test_some_routes_had_kernels() -> None:
    assert not COUNT or sum(COUNT) >= len(COUNT) // 2


def test_kernels_as_machine_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba", reason="numba is not installed: the extra rulewright[fast]")
    monkeypatch.setattr(emit_kernels, "LARGE", 0)
    text = """
book web "A web"
case 1 "Everything":
  kind side: red, blue
  field reach of unit: number
  mark closed of hex
  mark goal of hex
  map web:
    points: P0, P1, P2, P3, P4, P5, P6
    lines road: P0 P1 P2 P3 P4 P5 P6 P0
    lines road: P1 P4
    lines road: P2 P6
  roster all:
    form: reach side
    3 red: One @P0
    2 blue: Two @P1
  route go_0(h: hex, u: unit):
    over: road
    from: h
    budget: u.reach
    enter:
      2 when there in {@P1, @P5}
      1 otherwise
    forbid when there.closed
    stop when any units_at(there) where it.side != u.side
  route go_1(h: hex, u: unit) like go_0:
    to: {@P3, @P6}
  define found_0(h: hex, u: unit) -> flag: any go_0(h, u) or any go_1(h, u)
"""
    assert by_kernels(text, tmp_path, True) == 2


FIELD = """
book field "A field"
case 1 "Everything":
  kind side: red, blue
  kind arm: foot, horse
  field reach of unit: number
  field arm of unit: arm
  field river of hexside: flag
  mark tired of unit
  mark mined of hex
  map field:
    grid: rows A..G, columns from the east
    hexes: A1..A8, B1..B8, C1..C8, D1..D8, E1..E8, F1..F8, G1..G8
    sides river: C3/C4, C4/D4, D4/D5, B6/C6
    lines road: A1 A2 A3 A4 A5 A6
  roster all:
    form: reach arm side
    6 foot red: Ann @B2, Bea @D3, Cid @F4
    9 horse red: Dot @C7
    5 foot blue: Eve @C5, Fay @E5, Gus @A7
    8 horse blue: Hal @F7
  define zone(u: unit) -> set of hex:
    {} when u.arm = horse
    {u.hex} when u.tired
    neighbors(u.hex) where not edge(u.hex, it).river otherwise
  define zones(s: side) -> set of hex: each(zone(it) over units(s) where it.reach > 2)
  define watched(s: side, h: hex) -> flag: h in zones(s)
  define enemy(s: side) -> side:
    blue when s = red
    red otherwise
  route go_0(h: hex, u: unit):
    from: h
    budget: u.reach
    enter:
      1 when links(road, here, there)
      2 when u.arm = horse
      3 otherwise
    forbid when any units_at(there) where it.side != u.side and not it.tired
    forbid when there.mined
    stop when watched(enemy(u.side), there)
  route go_1(h: hex, u: unit) like go_0:
    to: {@A1, @E8} + (hexes where it.mined)
  define ends_of(s: side) -> set of hex:
    {@A1, @E8} when s = red
    {@G8} + (hexes where it.mined) otherwise
  route go_2(s: side, h: hex):
    from: h
    to: ends_of(s)
    budget: 7
    enter:
      2 when s = blue
      1 otherwise
    forbid when any units_at(there) where it.side != s
    stop when watched(enemy(s), there)
  route go_3(s: side, h: hex):
    from: h
    to: ends_of(s)
    budget: 9
    enter:
      1 when links(road, here, there)
      3 otherwise
    forbid when any units_at(there) where it.side != s and not it.tired
    stop when watched(enemy(s), there)
  define found_0(h: hex, u: unit) -> flag: any go_0(h, u) or any go_1(h, u)
  define found_2(s: side, h: hex) -> flag: any go_2(s, h) or any go_3(s, h)
"""


def changes(S: State, units: int, hexes: int, rng: random.Random) -> Iterator[int]:
    """Units move, leave the board, tire and change sides; hexes are mined."""
    for step in range(20):
        unit = rng.randrange(units)
        match step % 5:
            case 0 | 1:
                ops.put(S, unit, rng.randrange(hexes), "1")
            case 2:
                ops.set_mark(S, "unit_tired", unit, not S.unit_tired[unit], "1")
            case 3:
                ops.set_mark(S, "unit_side", unit, "red" if S.unit_side[unit] == "blue" else "blue", "1")
            case 4 if step % 2:
                ops.put(S, unit, None, "1")
            case _:
                ops.set_mark(S, "place_mined", rng.randrange(hexes), True, "1")
        yield step


@pytest.mark.parametrize("large", [True, False], ids=["with kernels", "without"])
def test_one_search_serves_all_who_ask_for_the_same_side(
    large: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From every hex, for either side: whether there is a way, found from the ends backwards for all at once."""
    monkeypatch.setattr(emit_kernels, "LARGE", 0 if large else 10**9)
    made, rules, _, plain = compiled(FIELD, tmp_path)
    assert made.book is not None and made.emitted is not None
    S, hexes = fresh(rules.PROGRAM, 1), len(made.book.places)
    for unit, line in enumerate(made.book.units):
        ops.put(S, unit, made.book.places.index(str(line.start)), "1")
    found = set()
    for step in itertools.islice(changes(S, len(made.book.units), hexes, random.Random(7)), 6):
        for name in ("go_2", "go_3"):
            for side in ("red", "blue"):
                any_way = getattr(rules, f"route_{name}_any")
                said = [any_way(S, side, place) for place in range(hexes)]
                found.update(said)
                for place in range(step, hexes, 9):
                    assert said[place] == bool(plain.paths(World(S), name, (side, place))), (name, side, place)
    assert found == {True, False}
    assert all(f"def route_{name}_together(" in made.emitted.code() for name in ("go_2", "go_3"))


@pytest.mark.parametrize("compiled_code", [False, True], ids=["as Python", "as machine code"])
def test_what_units_cover_is_told_by_whole_columns(
    compiled_code: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kernels and plain search agree while units move, leave the board, tire and change sides."""
    pytest.importorskip("numba", reason="numba is not installed: the extra rulewright[fast]")
    monkeypatch.setattr(emit_kernels, "LARGE", 0)
    made, rules, _, plain = compiled(FIELD, tmp_path)
    assert made.book is not None and made.emitted is not None
    assert made.emitted.code().count("FAST.spread(") == 8, "two clauses of four routes are told by columns"
    rules.FAST.prepare(compiled=compiled_code)
    rng = random.Random(4)
    S, hexes = fresh(rules.PROGRAM, 1), len(made.book.places)
    for unit, line in enumerate(made.book.units):
        ops.put(S, unit, made.book.places.index(str(line.start)), "1")
    for _ in changes(S, len(made.book.units), hexes, rng):
        for on in (True, False):
            rules.FAST.use(on)
            ops.touch(S, "at")
            for args in [(rng.randrange(hexes), rng.randrange(len(made.book.units))) for _ in range(2)]:
                for name in ("go_0", "go_1"):
                    assert_same(rules, S, plain, name, args)


def test_a_route_like_another_may_call_its_mover_otherwise(tmp_path: Path) -> None:
    """Prices taken over from a route that names its mover differently are kept apart by mover all the same."""
    text = """
book web "A web"
case 1 "Everything":
  kind side: red, blue
  mark owner of hex: side or nobody
  map web:
    points: P0, P1, P2
    lines road: P0 P1 P2
  roster all:
    form: side
    red: One @P0
    blue: Two @P0
  define foreign(s: side, h: hex) -> flag: h.owner != nobody and h.owner != s
  route go(u: unit):
    over: road
    from: u.hex
    budget: 2
    leave:
      1 when foreign(u.side, here)
      0 otherwise
    enter: 1
  route flee(v: unit) like go:
    budget: usual + 1
  define found_0(u: unit) -> set of hex: ends(flee(u))
"""
    made, rules, _, plain = compiled(text, tmp_path)
    assert made.book is not None
    S = fresh(rules.PROGRAM, 1)
    for unit in (0, 1):
        ops.put(S, unit, 0, "1")
    for place in (0, 1, 2):
        ops.set_mark(S, "place_owner", place, "red", "1")
    for unit in (0, 1):
        assert rules.route_flee_ends(S, unit) == Route(plain, World(S), "flee", (unit,)).ends()
    assert rules.route_flee_ends(S, 0) != rules.route_flee_ends(S, 1)
