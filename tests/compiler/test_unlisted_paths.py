"""A path that is not listed counts where one is asked for: a question fails, a tier is passed over and a window closes
only where no path at all will do; in code and oracle alike."""

from __future__ import annotations

import pytest

from rulewright.compiler.interpret.game import Oracle, OracleGame
from rulewright.compiler.loader import import_program, write
from rulewright.compiler.pipeline import compile_book
from rulewright.runtime import Choice, Fault, Game, RandomPlayer, Refusal
from rulewright.runtime.begin import new_game
from rulewright.runtime.choices.roaming import MOST_ROAMED
from rulewright.runtime.program import Program

WAY, FAR, SHORT = 'way("Ant", 3)', 'way("Ant", 30)', 'exact("Ant", 3)'
BOOK = """book detour "Ways round"

case 1 "Pieces":
  kind side: red, blue
  mark lost of game
  mark went of game: list of hex = {}
  house map field:
    grid: rows A..C, columns from the west
    hexes: A1..A4, B1..B4, C1..C4
  house roster army:
    form: side
    red: Ant @A1
  route way(u: unit, n: number):
    from: u.hex
    budget: n
    enter: 1
  route exact(u: unit, n: number):
    from: u.hex
    budget: n
    enter: 1
    require as all_of_it: length(path) = n
  define crossed(p: path) -> number: count(steps(p) where it in {@B1, @B2})
"""
SO_THAT = {
    "through a hex that the listed way avoids": (WAY, "@B2 in steps(p) and last(p) = @A3", True),
    "through two hexes": (WAY, "crossed(p) = 2 and last(p) = @A2", True),
    "longer than need be": (WAY, "length(p) = 3 and last(p) = @A2", True),
    "in and out again": (WAY, "count(steps(p) where it = @A1) = 2 and last(p) = @A2", True),
    "one of several of the same length": (SHORT, "@B2 in steps(p) and last(p) = @A3", True),
    "back to where the listed walks do not go": (SHORT, "last(p) = @A1", True),
    "two hexes and one too far": (WAY, "crossed(p) = 2 and last(p) = @A4", False),
    "out of reach": (FAR, "last(p) = @A1 and false", False),
}
TIERS = {
    "the first has one that is not listed": (f"({WAY} where crossed(it) = 2 and last(it) = @A2) else {WAY}", True),
    "the first has none": (f"({WAY} where crossed(it) = 3 and last(it) = @A4) else {WAY}", False),
}
RULES = {
    "a way that is not listed": (WAY, "crossed(p) = 2 and last(p) = @A2", "owed"),
    "no way": (WAY, "crossed(p) = 2 and last(p) = @A4", "closed"),
    "more walks than are looked at": (FAR, "crossed(p) = 25 and last(p) = @A4", "open"),
}
ENDLESS = "crossed(p) = 25 and last(p) = @A4"


def text() -> str:
    """One book with a scenario for each question, each tier and each action."""
    asked = [f"{way} so that {test}" for way, test, _ in SO_THAT.values()]
    asked += [f"({way} where {test.replace('(p)', '(it)')})" for way, test, _ in SO_THAT.values()]
    asked += [source for source, _ in TIERS.values()]
    asked += [f"{FAR} so that {ENDLESS}", f"({FAR} where {ENDLESS.replace('(p)', '(it)')}) else {WAY}"]
    lines = [BOOK, 'case 2 "Play":']
    for i, source in enumerate(asked):
        lines += [f"  sequence ask_{i}:", f"    ask red for one p from {source}", "    failing:", "      set lost"]
        lines += ["    set went = steps(p)", "    win blue", f"  scenario ask_{i}:", f"    sequence: ask_{i}"]
    for i, (way, test, _) in enumerate(RULES.values()):
        lines += [f"  action march_{i}(p: path from {way}) by red during day_{i}:", f"    when {test}"]
        lines += ["    set went = steps(p)", f"  duty move_{i} during day_{i}:", "    any went"]
        lines += [f"  sequence play_{i}:", f"    phase day_{i}:", f"      offer red: march_{i}", "    win blue"]
        lines += [f"  scenario play_{i}:", f"    sequence: play_{i}"]
    return "\n".join(lines) + "\n"


Both = tuple[Program, Oracle]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Both:
    folder = tmp_path_factory.mktemp("detour")
    (folder / "detour.rules").write_text(text(), encoding="utf-8")
    made = compile_book(str(folder / "detour.rules"))
    assert made.book is not None and made.emitted is not None, [d.message for d in made.report.found]
    write(made, folder / "out")
    return import_program(folder / "out"), Oracle(made.book)


def begun(both: Both, scenario: str) -> tuple[Game, OracleGame]:
    return new_game(both[0], scenario), both[1].new(scenario)


@pytest.mark.parametrize("i", range(2 * len(SO_THAT)), ids=[*SO_THAT, *(f"where, {name}" for name in SO_THAT)])
def test_a_question_fails_only_where_no_path_will_do(both: Both, i: int) -> None:
    there_is = [*SO_THAT.values()][i % len(SO_THAT)][2]
    game, oracle = begun(both, f"ask_{i}")
    assert bool(game.decisions) is there_is and bool(oracle.decisions()) is there_is
    assert game.state.game_lost is not there_is
    if there_is:
        legal = next(game.legal())
        assert not game.refusals(legal) and not oracle.against(0, legal)
        assert not game.refusals(RandomPlayer(1)(game, game.decisions[0]))


def walks(game: Game, longest: int) -> list[tuple[int, ...]]:
    """Every walk from A1, by brute force."""
    near, edge = game.program.board.neighbors, [(game.program.place_index["A1"],)]
    found = []
    for _ in range(longest):
        edge = [(*p, there) for p in edge for there in near[p[-1]]]
        found += edge
    return found


def test_what_is_accepted_and_listed_is_what_the_route_allows(both: Both) -> None:
    game, oracle = begun(both, "ask_1")
    place = game.program.place_index
    crossed, end = {place["B1"], place["B2"]}, place["A2"]
    right = {p for p in walks(game, 3) if sum(h in crossed for h in p[1:]) == 2 and p[-1] == end}
    assert right and {c.args[0][1] for c in game.legal()} <= right
    for path in walks(game, 4):
        choice = Choice(game.decisions[0].id, "red", "p", (("", path),))
        assert (not game.refusals(choice)) is (path in right)
        assert (not oracle.against(0, choice)) is (path in right)


@pytest.mark.parametrize(("i", "name"), [*enumerate(TIERS)])
def test_a_tier_is_passed_over_only_where_it_has_no_path_at_all(both: Both, i: int, name: str) -> None:
    game, oracle = begun(both, f"ask_{2 * len(SO_THAT) + i}")
    short = Choice(game.decisions[0].id, "red", "p", (("", (0, 1)),))
    assert (not game.refusals(short)) is not TIERS[name][1]
    assert {bool(oracle.against(0, c)) for c in game.legal()} == {False}
    assert bool(oracle.against(0, short)) is TIERS[name][1]


def test_a_question_that_stays_open_is_put_and_a_tier_that_does_is_a_fault(both: Both) -> None:
    first = 2 * len(SO_THAT) + len(TIERS)
    game = new_game(both[0], f"ask_{first}")
    assert game.decisions and [*game.legal()] == []
    with pytest.raises(Refusal, match=f"no way was found in {MOST_ROAMED:,} steps, and it is not shown that there is"):
        RandomPlayer(1)(game, game.decisions[0])
    back_and_forth = ", ".join(["@B1", "@B2"] * 12 + ["@B1", "@A1", "@A2", "@A3", "@A4"])
    assert not game.refusals(game.read(f"red: p([@A1, {back_and_forth}])"))
    with pytest.raises(Fault, match=r"it stays open whether one of them will do as p.*case 2") as fault:
        new_game(both[0], f"ask_{first + 1}")
    assert fault.value.case == "2"


@pytest.mark.parametrize(("i", "name"), [*enumerate(RULES)])
def test_a_window_closes_on_a_duty_only_where_no_path_will_do(both: Both, i: int, name: str) -> None:
    game, oracle = begun(both, f"play_{i}")
    done = Choice(game.decisions[0].id, "red", "done")
    match RULES[name][2]:
        case "owed":
            assert game.refusals(done) and oracle.against(0, done)
            ways = [*game.legal()]
            assert ways and {c.name for c in ways} == {f"march_{i}"} and not game.refusals(ways[0])
            game.do(RandomPlayer(1)(game, game.decisions[0]))
            assert game.state.game_went
        case "closed":
            assert not game.refusals(done) and not oracle.against(0, done)
        case _:
            with pytest.raises(Refusal, match="may still be possible"):
                game.do(done)
