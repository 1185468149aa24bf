"""Two changes at once: every printed witness holds for the fact it stands under. The long form is `make pairs`."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

from rulewright.compiler.pipeline import analyse
from rulewright.compiler.witness.rule_set import Rules

HERE = Path(__file__).resolve().parents[2]
BOOK = HERE / "tests" / "books" / "skirmish.rules"


def campaign() -> Any:
    spec = importlib.util.spec_from_file_location("pairs", HERE / "tools" / "pairs.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["pairs"] = module
    spec.loader.exec_module(module)
    return module


def test_a_few_pairs_of_changes_have_true_witnesses(tmp_path: Path) -> None:
    pairs = campaign()
    folder = tmp_path / "skirmish"
    folder.mkdir()
    (folder / "skirmish.rules").write_text(BOOK.read_text())
    bench = pairs.Bench(str(folder), str(tmp_path / "copies"))
    made = [bench.pair(1, i, 80) for i in range(1, 13)]
    assert [x.wrong for x in made if x.wrong] == []
    assert sum(x.changed for x in made) >= 18


def test_the_campaign_catches_a_witness_under_the_wrong_fact(tmp_path: Path) -> None:
    """A witness of the first change, said to be one of the second."""
    pairs = campaign()
    text = BOOK.read_text()
    edits = {
        "neither": text,
        "first": text.replace("budget: 3", "budget: 4"),
        "second": text.replace("march.enter: 2 when", "march.enter: 3 when"),
        "both": text.replace("budget: 3", "budget: 4").replace("march.enter: 2 when", "march.enter: 3 when"),
    }
    rules = {}
    for name, said in edits.items():
        (tmp_path / f"{name}.rules").write_text(said)
        rules[name] = Rules(analyse(str(tmp_path / f"{name}.rules")))
    example = 'example "x":\n  given "Red 1" at @A1\n  expect not (@A5 in ends(march("Red 1")))'
    said = {"example": example, "holds": "before", "stands": "own", "partners": []}
    mine = [{"f1"}, {"f2"}]
    assert list(pairs.judged(rules, mine, ["first"], said)) == []
    assert list(pairs.judged(rules, mine, ["second"], said)) != []
    assert list(pairs.judged(rules, mine, ["first"], {**said, "stands": "shared"})) != []
    assert list(pairs.judged(rules, mine, ["first"], {**said, "stands": "joint", "partners": ["f2"]})) != []
