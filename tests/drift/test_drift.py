"""Drift: a copy of a print is held against fingerprints, with texts of our own."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main
from rulewright.compiler.drift.compare import drift
from rulewright.compiler.drift.fingerprints import Unreadable, of_text, read, written
from rulewright.compiler.drift.own_copy import text_of_copy

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from drift_trial import laid_out, renumbered, scanned  # noqa: E402

SUBJECTS = ("A stack", "The mover", "An army", "The owner", "A convoy", "Each column", "The garrison", "A battery")
DOES = ("enters", "leaves", "holds", "screens", "supplies", "attacks", "passes", "relieves")
WHAT = ("a hill", "the ford", "any town", "the gap", "a road", "its neighbour", "the depot", "no bridge")


def sentence(rng: random.Random) -> str:
    one, two, three = rng.choice(SUBJECTS), rng.choice(DOES), rng.choice(WHAT)
    cost = f"at a cost of {rng.randrange(2, 30)} points"
    return f"{one} that {rng.choice(DOES)} {rng.choice(WHAT)} {two} {three} {cost} unless {rng.choice(WHAT)} lies near."


def made(cases: int = 60, seed: int = 3) -> tuple[str, dict[str, list[tuple[int, int]]]]:
    """A rulebook of our own: its text, and the lines of its cases."""
    rng = random.Random(seed)
    lines, found = ["The Rules", ""], {}
    for i in range(1, cases + 1):
        found[f"{i // 10 + 1}.{i % 10}"] = [(len(lines) + 1, len(lines) + 3)]
        lines += [f"{i // 10 + 1}.{i % 10} Case {i}", sentence(rng), sentence(rng), ""]
    return "\n".join(lines), found


TEXT, CASES = made()
PRINTS = of_text(TEXT, CASES)


def told(text: str) -> dict[str, str]:
    return {v.case: v.status for v in drift(PRINTS, text).verdicts}


def test_the_same_text_is_unchanged():
    assert set(told(TEXT).values()) == {"unchanged"} and not drift(PRINTS, TEXT).new


def test_the_file_holds_no_word_of_the_text():
    file = written(PRINTS)
    body = "\n".join(x for x in file.splitlines() if not x.startswith("#"))
    assert read(file) == PRINTS
    assert not any(word in body for word in ("mover", "garrison", "points", "unless"))


def test_layout_numbers_of_cases_and_slips_are_no_changes():
    rng = random.Random(5)
    copy = scanned(laid_out(renumbered(TEXT, rng), rng), 0.01, rng)
    assert copy != TEXT
    wrong = [case for case, status in told(copy).items() if status != "unchanged"]
    assert len(wrong) <= 1, wrong


@pytest.mark.parametrize("case", ["1.3", "3.7", "6.0"])
def test_a_changed_number_is_found_with_what_was_printed(case: str):
    line = CASES[case][0][0]
    lines = TEXT.split("\n")
    cost = int(lines[line].split("cost of ")[1].split()[0])
    lines[line] = lines[line].replace(f"cost of {cost} ", f"cost of {cost + 1} ")
    found = drift(PRINTS, "\n".join(lines))
    (changed,) = found.of("changed")
    assert changed.case == case
    assert [(x.line, x.text) for x in changed.changes][:1] == [
        (line + 1, f"{cost + 1} stands where the print has {cost}")
    ]


def test_words_put_in_taken_out_and_changed_are_found():
    for old, new in (("unless", "even if"), (" that ", " that never "), ("at a cost", "a cost")):
        lines = TEXT.split("\n")
        at = CASES["2.4"][0][0]
        lines[at] = lines[at].replace(old, new, 1)
        assert told("\n".join(lines))["2.4"] == "changed", (old, new)


def test_cases_that_move_go_or_come_are_told():
    lines = TEXT.split("\n")
    first, last = CASES["2.5"][0]
    block = lines[first - 1 : last + 1]
    moved = lines[: first - 1] + lines[last + 1 :] + block
    found = told("\n".join(moved))
    assert found["2.5"] == "moved" and {k for k, v in found.items() if v != "unchanged"} == {"2.5"}
    gone = lines[: first - 1] + lines[last + 1 :]
    assert told("\n".join(gone))["2.5"] == "gone"
    new = sentence(random.Random(99)) + " " + sentence(random.Random(98))
    more = [*lines[: first - 1], "2.45 A new case", new, "", *lines[first - 1 :]]
    assert [p.first <= first + 1 <= p.last for p in drift(PRINTS, "\n".join(more)).new] == [True]


def test_the_command_tells_and_says_so_by_its_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    prints, copy = tmp_path / "prints.tsv", tmp_path / "copy.txt"
    prints.write_text(written(PRINTS), encoding="utf-8")
    copy.write_bytes(TEXT.replace("The owner", "The “owner”").encode("cp1252"))
    args = ["drift", "fragment", str(copy), "--fingerprints", str(prints)]
    assert main(args) == 0
    copy.write_text(TEXT.replace("cost of", "price of", 1), encoding="utf-16")
    assert main([*args, "--format", "json"]) == 1
    out = capsys.readouterr().out
    told = json.loads(out[out.index("{") :])
    assert [x["case"] for x in told["cases"] if x["status"] == "changed"] == ["1.1"]


@pytest.mark.parametrize(
    "content", [b"%PDF-1.4\nthis is no pdf", b"\x00\x01\x02\x81", b"\xff\xfeodd", b"", b"   \n", b"\x81\x8d\x00"]
)
def test_what_cannot_be_read_is_one_clear_line(content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "copy.bin"
    path.write_bytes(content)
    with pytest.raises(Unreadable):
        text_of_copy(path)
    assert main(["drift", "trc", str(path)]) == 2
    said = capsys.readouterr().err
    assert "Traceback" not in said and str(path) in said


def test_the_text_of_something_else_is_said_to_be_that(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    copy = tmp_path / "letter.txt"
    copy.write_text("Dear Sir, enclosed please find the counters that were missing from the box you bought. " * 9)
    assert main(["drift", "trc", str(copy)]) == 2
    assert "no case of trc stands in" in capsys.readouterr().err


def test_shipped_books_have_fingerprints_of_their_own_cases():
    for book in ("trc", "tdv", "fite", "fragment", "caseblue"):
        folder = ROOT / "rulebooks" / book
        prints = read((folder / "fingerprints.tsv").read_text(encoding="utf-8"))
        inventory = {line.split("\t")[0] for line in (folder / "inventory.tsv").read_text().splitlines()[1:]}
        assert {p.case for p in prints if p.case} <= inventory | {""}, book
        assert sum(len(p.runs) for p in prints) > 100
