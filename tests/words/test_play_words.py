"""Play in words: log lines, questions, refusals and the state that is shown say what is so, and tell nobody a secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.diff.compare import diff
from rulewright.compiler.pipeline import analyse
from rulewright.runtime import Refusal
from rulewright.runtime.telling.diary import Diary
from rulewright.runtime.telling.panel import panel
from rulewright.runtime.view import log_for

BOOK = """book clash "A clash"

case 1 "Pieces":
  kind side: red, blue
  kind sky: clear, heavy_rain
  scale odds: 1:2, 1:1, 2:1
  field strength of unit: number
  box dead(s: side)
  mark weather of game: sky = clear
  mark score of side: number = 0
  mark tired of unit
  mark plan of side: number = 0 secret to it
  define enemy(s: side) -> side:
    blue when s = red
    red otherwise
  define alive(s: side) -> number: count(units(s))
  map board:
    grid: rows A..C, columns from the east
    hexes: A1..A5, B1..B5, C1..C5
    name Rzhev: A3
  roster armies:
    form: strength side
    3 red: Red 1 @A1, Red 2 @C3
    4 blue: Blue 1 @C4, Blue 2 @C5
  shown table:
    now_moving, weather, side.score, alive, unit.tired

case 2 "March":
  route march(u: unit):
    over: land
    from: u.hex
    budget: 2
    enter: 1
    forbid as enemy_there when any units_at(there) where it.side != u.side
  action move(u: unit from units(now_moving), p: path from march(u)) by now_moving during player_turn:
    when not u.tired
    walk u along p
    set u.tired

case 3 "Shelling":
  action shell(u: unit from units(enemy(now_moving))) by now_moving during player_turn:
    roll d = 1d6
    let hits = d + 1
    set weather = heavy_rain
    log "{u} in {u.hex} is shelled in {weather}: die {d}, {hits} hits; {{so it is}}"
    set now_moving.score = now_moving.score + hits
    do lose(u)
  procedure lose(u: unit):
    ask u.side for one gone from units(u.side)
    put gone in dead(u.side)

case 4 "Turns":
  sequence war:
    phase player_turn for now_moving in [red, blue]:
      offer now_moving: move, shell
  scenario clash "Clash":
    sequence: war

case 5 "Words":
  words en:
    move: march {u} along {p}
    shell: shell {u}
    lose.gone: Which unit is lost with {u}?
    march.enemy_there: {there} is held by the enemy of {u}
    dead: the dead of {it}
    sky.heavy_rain: pouring rain
    now_moving: the side that moves
    player_turn: the turn of one side
    unit.tired: {it} is tired
  words de:
    move: {u} zieht über {p}
    sky.heavy_rain: Wolkenbruch
"""


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("words") / "clash.rules"
    path.write_text(BOOK, encoding="utf-8")
    return load(str(path))


def played(book, *choices: str):
    game = book.new(seed=1)
    for choice in choices:
        game.do(choice)
    return game


SHELLED = ('red: move("Red 1", [@A1, @A2, @A3])', 'red: shell("Blue 1")', 'blue: gone("Blue 2")')


def test_a_game_is_told_as_a_diary(book):
    game = played(book, *SHELLED)
    die = next(e["faces"][0] for e in game.log if e["event"] == "roll")
    assert Diary(book.program).lines(game.log) == [
        "— Turn of one side: Red",
        "Red: march Red 1 along A1, A2, Rzhev (A3)",
        "    Red 1 is tired  [2]",
        "Red: shell Blue 1",
        "    Weather pouring rain  [3]",
        f"    Blue 1 in C4 is shelled in pouring rain: die {die}, {die + 1} hits; {{so it is}}  [3]",
        f"    Red: score {die + 1}  [3]",
        "Blue: Which unit is lost with Blue 1? Blue 2",
        "    Blue 2 → the dead of Blue  [3]",
    ]


def test_detail_tells_every_entry_and_choices_as_they_are_typed(book):
    game = played(book, *SHELLED)
    lines = Diary(book.program, detail=True).lines(game.log)
    assert SHELLED[0].replace('"Red 1"', 'u: "Red 1"').replace("[@A1", "p: [@A1") in lines
    assert [x for x in lines if x.startswith("    die: ")]
    again = book.new(seed=1)
    for line in lines:
        if line.startswith(("red: ", "blue: ")):
            again.do(line)
    assert again.digest() == game.digest()


def test_a_batch_at_a_time_tells_the_same(book):
    game = played(book, *SHELLED)
    diary, told = Diary(book.program), []
    starts = [i for i, e in enumerate(game.log) if e["event"] == "choice"]
    for first, last in zip([0, *starts], [*starts, len(game.log)], strict=True):
        told += diary.lines(game.log[first:last])
    assert told == Diary(book.program).lines(game.log)


def test_a_question_names_what_it_is_about(book):
    game = played(book, *SHELLED[:2])
    (decision,) = game.pending
    assert game.asks(decision) == "Which unit is lost with Blue 1?"


def test_a_refusal_is_said_in_words(book):
    with pytest.raises(Refusal, match="is refused by 2: Red 1 is tired"):
        played(book, SHELLED[0], 'red: move("Red 1", [@A3, @A4])')
    with pytest.raises(Refusal, match="C4 is held by the enemy of Red 2"):
        played(book, 'red: move("Red 2", [@C3, @C4])')


def test_what_is_shown_stands_in_the_order_of_the_book(book):
    game = played(book, *SHELLED)
    hits = next(e["faces"][0] for e in game.log if e["event"] == "roll") + 1
    assert panel(game) == [
        ("Side that moves", "Red"),
        ("Weather", "pouring rain"),
        ("Score", f"Red {hits}, Blue 0"),
        ("Alive", "Red 2, Blue 1"),
    ]


def test_another_language_is_spoken_where_the_book_has_it(book):
    game = played(book, *SHELLED)
    book.program.language = "de"
    try:
        lines = Diary(book.program).lines(game.log)
    finally:
        book.program.language = "en"
    assert "Red: Red 1 zieht über A1, A2, Rzhev (A3)" in lines
    assert "    Weather Wolkenbruch  [3]" in lines
    assert "Red: shell Blue 1" in lines  # it has no German for this


def test_each_side_reads_the_same_open_things(book):
    game = played(book, *SHELLED)
    whole = Diary(book.program).lines(game.log)
    for side in ("red", "blue"):
        assert Diary(book.program, side).lines(log_for(game, side)) == whole


# ---------------------------------------------------------------- checks


def problems(text: str, tmp_path: Path) -> list[tuple[str, int]]:
    path = tmp_path / "book.rules"
    path.write_text(text, encoding="utf-8")
    return [(d.code, d.span.line) for d in analyse(str(path)).report.found if d.severity != "remark"]


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ('log "{u"', "RW101"),
        ('log "u}"', "RW101"),
        ('log "{}"', "RW101"),
        ('log "{u.}"', "RW101"),
        ('log "{nobody_knows}"', "RW201"),
        ('log "{u.size}"', "RW2"),
    ],
)
def test_what_stands_in_braces_is_checked(written: str, code: str, tmp_path: Path):
    text = BOOK.replace('log "{u} in {u.hex} is shelled in {weather}: die {d}, {hits} hits; {{so it is}}"', written)
    line = next(i for i, x in enumerate(text.split("\n"), 1) if written in x)
    found = problems(text, tmp_path)
    assert any(c.startswith(code) and at == line for c, at in found), found


def test_a_log_line_that_tells_a_secret_is_warned_of(tmp_path: Path):
    text = BOOK.replace("is shelled in {weather}", "is shelled by {now_moving.plan}")
    assert any(code == "RW603" for code, _ in problems(text, tmp_path))


def test_what_rests_on_a_secret_is_not_shown_to_all(tmp_path: Path):
    text = BOOK.replace(
        "  define alive(s: side) -> number: count(units(s))",
        "  define alive(s: side) -> number: count(units(s)) + s.plan",
    )
    assert ("RW148", next(i for i, x in enumerate(text.split("\n"), 1) if "now_moving, weather" in x)) in problems(
        text, tmp_path
    )


@pytest.mark.parametrize("name", ["sky", "nothing_known", "march", "a b"])
def test_what_cannot_be_shown_is_refused(name: str, tmp_path: Path):
    text = BOOK.replace("now_moving, weather, side.score", f"now_moving, {name}, side.score")
    assert any(code == "RW148" for code, _ in problems(text, tmp_path))


def test_marks_of_a_kind_and_rules_of_a_like_route_keep_their_phrases(tmp_path: Path) -> None:
    text = BOOK.replace(
        "  kind sky: clear, heavy_rain\n", "  kind sky: clear, heavy_rain\n  kind sky_zone: far_north\n"
    )
    text = text.replace("  mark tired of unit\n", "  mark tired of unit\n  mark sky of sky_zone: sky = clear\n")
    text = text.replace("    now_moving, weather,", "    now_moving, weather, sky_zone.sky,")
    text = text.replace(
        "    set weather = heavy_rain\n", "    set weather = heavy_rain\n    set far_north.sky = heavy_rain\n"
    )
    text = text.replace("  action move(", "  route dash(u: unit) like march:\n    budget: 3\n  action move(")
    text = text.replace(
        "  words en:\n", "  words en:\n    sky_zone.far_north: the far north\n    sky_zone.sky: sky of {it}\n"
    )
    path = tmp_path / "zones.rules"
    path.write_text(text, encoding="utf-8")
    made = load(str(path))
    game = played(made, *SHELLED)
    assert "    Sky of the far north: pouring rain  [3]" in Diary(made.program).lines(game.log)
    assert ("Sky", "the far north pouring rain") in panel(game)
    refused = [x for x in made.program.said["en"].values() if "held by the enemy of" in x]
    assert refused == ["{there:place} is held by the enemy of {u:unit}"]


# ---------------------------------------------------------------- English that is made


MORE = """book town "A town"

case 1 "Pieces":
  kind side: red, blue
  mark tired of unit
  mark wet of hex
  box dead(s: side)
  define room(h: hex) -> flag: count(units_at(h)) < 2
  map board:
    grid: rows A..C, columns from the east
    hexes: A1..A5, B1..B5, C1..C5
    name Rzhev: A3
  roster armies:
    form: side
    red: Red 1 @A1, Red 2 @A1, Red 3 @A4, Red 4 @A4
    blue: Blue 1 @C4
  shown table:
    unit.tired, place.wet
  words en:
    side.red: the Red side
    dead: the dead of {it}
    room: there is room in {h}
    unit.tired: {it} is tired
    place.wet: {it} has wet ground
    moving: the side that moves

case 2 "March":
  route march(u: unit):
    over: land
    from: u.hex
    budget: 2
    enter: 1
    forbid as full when not room(there)
  route dash(u: unit) like march:
    budget: 3
  action go(us: set of unit from units(moving)) by moving during player_turn:
    when any us
    when every us has not it.tired
    set us.tired
    set {@A2, @A3}.wet
  action rest() by moving during player_turn:
    clear units(moving).tired
  action ship(u: unit from units(moving), h: hex from hexes) by moving during player_turn:
    when room(h)
    put u in h
  action run(u: unit from units(moving), p: path from dash(u)) by moving during player_turn:
    walk u along p
  action yield_all() by moving during player_turn:
    win moving
  words en:
    march.full: {there} is full
    go: wear out {us}
    ship: ship {u} to {h}

case 3 "Turns":
  sequence war:
    phase player_turn for moving in [red, blue]:
      offer moving: go, rest, ship, run, yield_all
  scenario town "Town":
    sequence: war
"""


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("town") / "town.rules"
    path.write_text(MORE, encoding="utf-8")
    return load(str(path))


def test_marks_are_told_of_those_that_change_in_one_sentence(town):
    game = played(town, 'red: go({"Red 1"})', "red: rest()", 'red: go({"Red 1", "Red 2"})', "red: rest()")
    lines = Diary(town.program).lines(game.log)
    assert lines == [
        "— Player turn: Red side",
        "Red side: wear out Red 1",
        "    Red 1 is tired  [2]",
        "    A2 and Rzhev (A3) have wet ground  [2]",
        "Red side: rest",
        "    Red 1 is no longer tired  [2]",
        "Red side: wear out Red 1 and Red 2",
        "    Red 1 and Red 2 are tired  [2]",
        "Red side: rest",
        "    Red 1 and Red 2 are no longer tired  [2]",
    ]


def test_where_a_choice_puts_a_unit_is_told_once_and_a_winner_by_name(town):
    game = played(town, 'red: ship("Red 1", @A3)', "red: yield_all()")
    assert Diary(town.program).lines(game.log)[1:] == [
        "Red side: ship Red 1 to Rzhev (A3)",
        "Red side: yield all",
        "*** Red side wins  [2]",
    ]


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ('red: go({"Red 1", "Red 2"})', "at least one of Red 1 and Red 2 is tired"),
        ('red: ship("Red 1", @A4)', "there is no room in A4"),
        ('red: run("Red 1", [@A1, @A2, @A3, @A4])', "A4 is full"),
    ],
)
def test_refusals_are_sentences(town, choice, said):
    assert "nothing is named" in town.program.said["en"].values()  # never `there are no nothing`
    with pytest.raises(Refusal, match=said):
        played(town, 'red: go({"Red 1"})', choice)


NAMED = """
option rested of clash "Rested units":
  case 9 "Rest":
    amend 2 move.fresh: (not u.tired) becomes (not u.tired or u.strength > 9)
option drill of clash "Drill":
  case 9 "Drill":
    waive 2 fresh when u.side = red
option plain of clash "Plain words":
  nature: clarification
  case 9 "Words":
    words en:
      move.fresh: {u} must rest
"""


def test_a_when_line_with_a_label_says_its_phrase(tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    bare, path = tmp_path / "bare" / "clash.rules", tmp_path / "clash.rules"
    bare.write_text(BOOK)
    text = BOOK.replace("when not u.tired", "when as fresh: not u.tired")
    said = "    move.fresh: {u} has marched. It may again when its tiredness is gone\n"
    path.write_text(text.replace("    march.enemy_there", said + "    march.enemy_there") + NAMED)
    again = SHELLED[0], 'red: move("Red 1", [@A3, @A4])'
    with pytest.raises(Refusal, match=r"by 2: Red 1 has marched\. It may again when its tiredness is gone") as found:
        played(load(str(path)), *again)
    assert [(g.case, g.label) for g in found.value.grounds] == [("2", "fresh")]
    with pytest.raises(Refusal, match="by 2: Red 1 must rest"):
        played(load(f"{path}+plain"), *again)
    with pytest.raises(Refusal, match="has marched"):
        played(load(f"{path}+rested"), *again)
    assert len(played(load(f"{path}+drill"), *again).journal) == 2
    facts = diff(analyse(str(bare)), analyse(str(path))).facts
    assert [(f.element, f.name) for f in facts] == [("phrase", "move.fresh")], "a label is no rule"


QUOTAS = [
    ("per player_turn: 1", "nothing is left of the marches of Red; it is counted anew when the next turn of one side beg"),
    ("per game: 1", "nothing is left of the marches of Red; it is not renewed"),
    ("per game: 3", "not enough is left of the marches of Red; it is not renewed"),
]


@pytest.mark.parametrize(("counted", "said"), QUOTAS)
def test_a_refusal_says_when_a_quota_is_counted_anew(counted: str, said: str, tmp_path: Path) -> None:
    text = BOOK.replace("    walk u along p\n", f"    spend {2 if '3' in counted else 1} of marches(u.side)\n    walk u along p\n")
    text = text.replace("  action move", f"  quota marches(s: side) {counted}\n  action move")
    (tmp_path / "clash.rules").write_text(text.replace("    dead: ", "    marches: the marches of {s}\n    dead: "))
    with pytest.raises(Refusal, match=f"by 2: {said}"):
        played(load(str(tmp_path / "clash.rules")), SHELLED[0], 'red: move("Red 2", [@C3, @C2])')


def test_what_says_a_when_line_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "clash.rules"
    for phrase, code in (("{w} is tired", "RW139"), ("{u} is tired", "RW138")):
        text = BOOK.replace("when not u.tired", "when as fresh: not u.tired") if code == "RW139" else BOOK
        path.write_text(text.replace("    march.enemy", f"    move.fresh: {phrase}\n    march.enemy"))
        assert [d.code for d in analyse(str(path)).report.found if d.severity == "error"] == [code]


def test_a_mark_that_a_line_or_the_choice_has_told_is_not_told_again(tmp_path: Path) -> None:
    text = BOOK.replace("  mark tired of unit\n", "  mark tired of unit\n  mark hits of unit: number = 0\n  kind mood: calm, grim\n"
                        "  mark mood of unit: mood = calm\n")  # fmt: skip
    text = text.replace("alive, unit.tired", "alive, unit.tired, unit.hits, unit.mood")
    text = text.replace(
        "case 4 ",
        """case 3.1 "Hits and moods":
  action brood(u: unit from units(now_moving), m: mood) by now_moving during player_turn:
    set u.mood = m
    set u.hits = u.hits + 1
    log "{u} broods"
  action brag(u: unit from units(now_moving)) by now_moving during player_turn:
    do shame(u)
  procedure shame(u: unit):
    set u.hits = u.hits + 1
    log "a boast is heard"

case 4 """,
    ).replace("offer now_moving: move, shell", "offer now_moving: move, shell, brood, brag")
    path = tmp_path / "moods.rules"
    path.write_text(text, encoding="utf-8")
    moods = load(str(path))
    game = played(moods, 'red: brood("Red 1", grim)', 'red: brag("Red 1")')
    lines = Diary(moods.program).lines(game.log)
    assert [x.strip() for x in lines if "Red 1" in x] == [
        "Red: brood: Red 1, grim",
        "Red 1 broods  [3.1]",
        "Red: brag: Red 1",
        "Red 1: hits 2  [3.1]",
    ]
    assert any("mood" in x for x in Diary(moods.program, detail=True).lines(game.log))
