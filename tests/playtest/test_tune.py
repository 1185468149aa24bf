"""Tuning: weights that are put are those that an overlay gives; what is found is confirmed with other seeds, or not."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from rulewright.compiler import load
from rulewright.compiler.cli.main import main
from rulewright.compiler.playtest.playtest import playtest
from rulewright.compiler.playtest.records import Setting
from rulewright.compiler.playtest.run import Here
from rulewright.compiler.playtest.stage import Stage
from rulewright.compiler.playtest.tune import Trial, tune
from rulewright.runtime.problems import Refusal

BOOK = Path(__file__).parent.parent / "books" / "skirmish.rules"
SHY = """doctrine shy of skirmish "Strikes alone, but with some nerve" for red:
  case S.1 "Nerve":
    weight nerve = 0 in 0 .. 1
    weight haste = 1/2 in 0 .. 2
    define far(u: unit, h: hex) -> number: lowest(distance(h, it.hex) over units(enemy(u.side)))
    prefer attack each us by it.strength when odds_of(us, h) >= 1:1
    prefer attack each us by it.strength when nerve < 1/2
    prefer move each u by u.strength when far(u, last(p)) < far(u, u.hex) by 0 - haste * far(u, last(p))
    otherwise done
"""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    own = "# another text than that of tests/books, which a process may have loaded: doctrines are looked for beside a book\n"
    (tmp_path / "skirmish.rules").write_text(BOOK.read_text() + own)
    (tmp_path / "doctrines").mkdir()
    (tmp_path / "doctrines" / "shy.rules").write_text(SHY)
    (tmp_path / "doctrines" / "plain.rules").write_text(
        SHY.replace(" shy ", " plain ").partition("    weight")[0] + "    otherwise done\n"
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def trial(word: str = "shy", against: str = "random") -> Trial:
    return Trial(Setting("skirmish.rules", "battle", (word,), 20_000), against, Here(1))


def test_weights_that_are_put_are_those_that_an_overlay_gives(desk: Path) -> None:
    made = trial()
    assert [w.name for w in made.weighed.weights] == ["haste", "nerve"] and made.weighed.now == (Fraction(1, 2), 0)
    assert made.weighed.weights[0].at(0.74) == Fraction(3, 2)
    point = (Fraction(3, 2), Fraction(1))
    (desk / "nervy.rules").write_text(made.weighed.overlay(point, "nervy", "Nerve"))
    before, after = made.play(made.weighed.now, range(4)), made.play(point, range(4))

    def printed(word: str) -> list[object]:
        stage = Stage(Setting("skirmish.rules", "battle", (f"{word}/random",), 20_000, False))
        return [(p.seed, p.winner, p.choices, p.reads) for p in playtest(stage, range(4), place=Here(1)).played]

    assert [(p.seed, p.winner, p.choices, p.reads) for p in before] == printed("shy")
    assert [(p.seed, p.winner, p.choices, p.reads) for p in after] == printed("shy+nervy.rules") != printed("shy")


def test_what_is_found_is_confirmed_with_seeds_that_the_search_has_not_seen(desk: Path) -> None:
    seen: list[int] = []
    made = trial()
    score = made.score
    made.score = lambda point, seeds: (seen.extend(seeds), score(point, seeds))[1]  # type: ignore[method-assign]
    best, found = tune(made, points=4, seeds=3, confirm=20)
    assert best[1] > 0 and found["confirmed"]["answer"] == "better" and found["confirmed"]["interval"][0] > 0
    assert found["searched"] == len(set(seen)) == max(seen) + 1 and found["confirmed"]["seeds"] == 20
    again, same = tune(trial(), points=4, seeds=3, confirm=20)
    assert (again, same) == (best, found)


def test_what_is_no_better_is_not_called_so(desk: Path) -> None:
    """Haste alone changes nothing: whatever is found, no difference is shown."""
    made = trial()
    made.weighed.weights = tuple(w for w in made.weighed.weights if w.name == "haste")
    _, found = tune(made, points=3, seeds=1, confirm=4)
    assert found["confirmed"]["answer"] in ("open", "same") and found["confirmed"]["gain"] == 0


def test_the_command_writes_an_overlay(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = "tune skirmish.rules shy --points 4 --seeds 3 --confirm 6 --jobs 1 --quiet".split()
    assert main([*words, "-o", "tuned.rules"]) == 0
    told = capsys.readouterr().out
    assert "against blue random (" in told and "caution: random" in told and "on 6 fresh seeds" in told
    assert load("skirmish.rules+shy+tuned.rules").program.doctrine is not None
    assert main([*words, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["measure"] == "share of wins"
    assert main(["tune", "skirmish.rules", "plain"]) == 2 and "no weights" in capsys.readouterr().err
    assert main(["tune", "skirmish.rules", "nobody"]) == 2
    assert main(["tune", "skirmish.rules", "shy", "--against", "shy"]) == 2, "it does not play the other side"


def test_nevergrads_search(desk: Path) -> None:
    pytest.importorskip("nevergrad")
    best, found = tune(trial(), "nevergrad", points=6, seeds=2, confirm=4)
    assert all(w.least <= x <= w.most for w, x in zip(trial().weighed.weights, best, strict=True))
    assert found["searched"] == 12
    with pytest.raises(Refusal):
        tune(trial(), "by hand")
