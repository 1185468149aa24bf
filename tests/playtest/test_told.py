"""Questions, matrices and pages of a playtest."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rulewright.compiler.cli.main import main
from rulewright.compiler.playtest.matrix import matrix
from rulewright.compiler.playtest.page import page
from rulewright.compiler.playtest.playtest import playtest
from rulewright.compiler.playtest.records import Setting
from rulewright.compiler.playtest.run import Here
from rulewright.compiler.playtest.sprt import Question
from rulewright.compiler.playtest.stage import Stage

BOOK = str(Path(__file__).parent.parent / "books" / "skirmish.rules")


@pytest.fixture(scope="module")
def stage() -> Stage:
    return Stage(Setting(BOOK, "battle", ("random", "busy"), 20_000, False))


def test_a_question_stops_at_the_pair_that_settles_it(stage: Stage) -> None:
    asked = Question(0.3, 0.8, 0.1)
    [one, two] = [playtest(stage, range(60), asked, Here(jobs)) for jobs in (1, 2)]
    assert one.played == two.played and one.document == two.document
    told = one.document["question"]
    assert told["answer"] == "high" and told["pairs"] < 60
    assert told["pairs"] * 2 == len(one.played) and told["pairs"] % Here(1).at_once, "not only between two looks"
    before = playtest(stage, range(told["pairs"] - 1), asked, Here(1)).document["question"]
    assert before["answer"] == "" and before["ratio"] < told["bounds"][1] <= told["ratio"]


def test_a_matrix_holds_everybody_against_everybody(stage: Stage) -> None:
    found, played = matrix(stage, range(2), Here(1))
    assert len(played) == 8 and [[c["played"] for c in row] for row in found["wins"]] == [[2, 2], [2, 2]]
    for i, row in enumerate(found["wins"]):
        for j, cell in enumerate(row):
            assert cell["games"] == sum(p.winner == "red" for p in played if p.seats == (i, j))
    pairs = playtest(stage, range(2), place=Here(1)).document["pairs"]
    [score] = found["scores"]
    assert (score["score"], score["counts"], score["interval"]) == (pairs["score"], pairs["counts"], pairs["interval"])


def test_the_command_asks_and_tabulates(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["sim", BOOK, "--players", "random,busy", "--jobs", "1", "--no-cases"]
    assert main([*words, "--pairs", "3", "--sprt", "0.5,0.6"]) == 0
    assert "does random score 60.0% rather than 50.0%? not settled" in capsys.readouterr().out
    assert main([*words, "--games", "4", "--matrix"]) == 0
    assert "wins of red, by who plays red (down) and blue (across)" in capsys.readouterr().out
    for bad in ("0.6,0.5", "half", "0.5", "0.5,0.6,0.9"):
        assert main([*words, "--sprt", bad]) == 2
        assert "is no question" in capsys.readouterr().err
    assert main(["sim", BOOK, "--games", "2", "--sprt", "0.5,0.6"]) == 2


def test_the_page_needs_nothing_else(stage: Stage, tmp_path: Path) -> None:
    whole = Stage(Setting(BOOK, "battle", ("random", "busy"), 20_000))
    document = playtest(whole, range(3), place=Here(1)).document
    text = page(document)
    assert text == page(json.loads(json.dumps(document))), "from the JSON as well"
    assert 'href="http' not in text and "src=" not in text and "<script" not in text
    plots = re.findall(r"<svg.*?</svg>", text, re.S)
    assert len(plots) >= 5
    for plot in plots:
        root = ElementTree.fromstring(plot)
        assert root.get("aria-label") and "nan" not in plot
        for bar in root.iter("rect"):
            assert float(bar.get("width", 0)) >= 0
            assert 0 <= float(bar.get("x", 0)) + float(bar.get("width", 0)) <= 721
    for part in ("random (", "caution: busy", "sides swapped", "Rules that came into play"):
        assert part in text


def test_a_diff_asks_whether_a_side_gains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = Path(BOOK).read_text()
    (tmp_path / "base.rules").write_text(text)
    (tmp_path / "hard.rules").write_text(text.replace("3 red: Red 1", "9 red: Red 1"))
    names = [str(tmp_path / name) for name in ("base.rules", "hard.rules")]
    words = [
        "--no-witnesses",
        "--no-examples",
        "--games",
        "200",
        "--players",
        "busy",
        "--jobs",
        "1",
        "--format",
        "json",
    ]
    for question, answer in (("red,0.4,0.1", "yes"), ("red,-0.4,0.1", "no"), ("blue,0.5,0.1", "no")):
        assert main(["diff", *names, *words, "--sprt", question]) == 0
        found = json.loads(capsys.readouterr().out)["balance"]
        assert found["question"]["answer"] == answer
        assert found["games"] == found["question"]["pairs"] < 200, "it stops at the seed that settles it"
    assert main(["diff", *names, *words, "--sprt", "red"]) == 2
    assert main(["diff", *names, *words, "--sprt", "green,0.1"]) == 2
    assert "no side" in capsys.readouterr().err
