"""The command line: clear answers, documented exit codes, quiet pipes."""

import json
import re
from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main

BOOK = str(Path(__file__).parent.parent / "books" / "skirmish.rules")


def test_a_clean_book_checks_silently(capsys):
    assert main(["check", BOOK]) == 0
    assert capsys.readouterr().out == ""


def test_findings_exit_one_and_come_as_text_json_and_sarif(tmp_path, capsys):
    bad = tmp_path / "bad.rules"
    bad.write_text(Path(BOOK).read_text().replace("budget: 3", "budget: speed(u)"))
    assert main(["check", str(bad)]) == 1
    assert "speed" in capsys.readouterr().out
    assert main(["check", str(bad), "--format", "json"]) == 1
    assert any("speed" in d["message"] for d in json.loads(capsys.readouterr().out))
    assert main(["check", str(bad), "--format", "sarif"]) == 1
    assert json.loads(capsys.readouterr().out)["version"] == "2.1.0"


def test_an_unknown_book_is_one_clear_line(capsys):
    assert main(["test", "nosuchbook"]) == 1
    assert 'there is no book "nosuchbook"' in capsys.readouterr().err


def test_wrong_usage_exits_two():
    with pytest.raises(SystemExit) as stopped:
        main(["why"])
    assert stopped.value.code == 2


def test_examples_pass_and_one_case_can_be_picked(capsys):
    assert main(["test", BOOK, "--case", "6"]) == 0
    assert capsys.readouterr().out.strip() == "2 passed, 0 failed"
    assert main(["test", BOOK, "--format", "json"]) == 0
    assert all(row["passed"] for row in json.loads(capsys.readouterr().out))


def test_a_failing_example_names_its_line_and_both_values(tmp_path, capsys):
    bad = tmp_path / "bad.rules"
    bad.write_text(Path(BOOK).read_text().replace("@A3) = 1:1", "@A3) = 2:1"))
    assert main(["test", str(bad)]) == 1
    out = capsys.readouterr().out
    line = bad.read_text().split("\n").index('    expect odds_of({"Red 1", "Red 2"}, @A3) = 2:1') + 1
    assert f"bad.rules:{line}: expected = 2:1, but it is 1:1" in out


def test_a_random_game_plays_to_the_end_and_logs_it(tmp_path, capsys):
    log = tmp_path / "game.log"
    assert main(["play", BOOK, "--players", "random,random", "--seed", "5", "--quiet", "--log", str(log)]) == 0
    assert re.fullmatch(r"\d+ choices; (red|blue) wins\n", capsys.readouterr().out), "quiet tells how it ended"
    assert "Red: " in log.read_text() and "[4]" in log.read_text()


def test_a_script_plays_and_a_save_explains(tmp_path, capsys):
    script = tmp_path / "red.txt"
    script.write_text('red: move(u: "Red 1", p: A1>A2>A3)\n# a comment\nred: done\n')
    save = tmp_path / "game.save"
    args = ["play", BOOK, "--players", f"script:{script},random", "--until", "1", "--save", str(save), "--quiet"]
    assert main(args) == 0
    assert main(["why", BOOK, str(save), 'red: move(u: "Red 1", p: A3>A2)']) == 1
    assert "Red 1 is marked “moved”" in capsys.readouterr().out
    assert main(["why", BOOK, str(save), "in_zone(red, A4)"]) == 0
    assert capsys.readouterr().out.startswith("in_zone(red, @A4) = true")
    assert main(["why", BOOK, str(save)]) == 0
    head, *told = capsys.readouterr().out.splitlines()
    assert head.endswith(" · seed 0 · 1 choices; unfinished") and told[-1].startswith("Red: ") and told[-1].endswith("]")
    assert main(["why", BOOK, str(save), "--format", "json"]) == 0
    assert [x["side"] for x in json.loads(capsys.readouterr().out)["asked"]] == ["Red"]


def test_bad_saves_and_choices_get_one_line(tmp_path, capsys):
    junk = tmp_path / "junk.save"
    junk.write_bytes(b"not a save")
    assert main(["why", BOOK, str(junk), "red: done"]) == 1
    assert "Traceback" not in capsys.readouterr().err
    assert main(["why", BOOK, str(tmp_path / "none.save"), "red: done"]) in (1, 2)


def test_coverage_is_measured_not_claimed(tmp_path, capsys):
    inventory = tmp_path / "inventory.tsv"
    inventory.write_text("case\texecutable\n3.1\trule\n3.2\trule\n1\tdata\n9\trule\n5\trule\n")
    assert main(["coverage", BOOK, "--inventory", str(inventory), "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    status = {row["case"]: row["status"] for row in report["rows"]}
    assert status["3.1"] == "run"
    assert status["9"] == "missing"
    assert status["5"] == "compiled"
    assert report["totals"]["rule"]["missing"] == 1
    blunt = tmp_path / "blunt.rules"
    more = (
        '\ncase 9 "Blunt":\n  define worth(u: unit) -> number: 5\n  example "blunt":\n    expect worth("Red 1") >= 0\n'
    )
    blunt.write_text(Path(BOOK).read_text() + more)
    main(["coverage", str(blunt), "--inventory", str(inventory), "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert {row["case"]: row["status"] for row in report["rows"]}["9"] == "weak"


def test_a_changed_cell_of_a_table_is_noticed(tmp_path, capsys):
    sharp = tmp_path / "sharp.rules"
    table = '\ncase 9 "Prices":\n  table price(n: number) -> number:\n    | n | price |\n    | 1 | 3     |\n    | 2 | 7     |\n'
    sharp.write_text(Path(BOOK).read_text() + table + '  example "prices":\n    expect price(1) = 3\n')
    inventory = tmp_path / "inventory.tsv"
    inventory.write_text("case\texecutable\n9\tdata\n")
    main(["coverage", str(sharp), "--inventory", str(inventory), "--format", "json"])
    row = json.loads(capsys.readouterr().out)["rows"][0]
    assert row["status"] == "run" and row["by"].startswith("price, row 1, price: 3 becomes 7 fails")


def test_fmt_check_tells_and_fmt_mends(tmp_path, capsys):
    path = tmp_path / "loose.rules"
    path.write_text(Path(BOOK).read_text().replace("set u.moved", "set   u.moved"))
    assert main(["fmt", "--check", str(path)]) == 1
    assert main(["fmt", str(path)]) == 0
    assert main(["fmt", "--check", str(path)]) == 0


def test_fmt_fails_on_a_line_that_it_cannot_break(tmp_path, capsys):
    path = tmp_path / "wide.rules"
    path.write_text(f"case 1:\n  table t(k: x) -> number:\n    | k{' ' * 121} | n |\n    | {'a' * 122} | 1 |\n")
    for words in (["fmt", "--check"], ["fmt"]):
        assert main([*words, str(path)]) == 1
        told = capsys.readouterr().err
        assert f"{path}:4: 134 characters, and a line has at most 120" in told


def test_fmt_says_when_a_file_does_not_parse(tmp_path, capsys):
    path = tmp_path / "broken.rules"
    path.write_text("case 1:\n  define (\n")
    assert main(["fmt", str(path)]) == 1
    assert "RW101" in capsys.readouterr().err
    assert path.read_text() == "case 1:\n  define (\n"


def test_a_misspelt_unit_gets_the_near_name(tmp_path, capsys):
    save = tmp_path / "game.save"
    main(["play", BOOK, "--players", "random", "--until", "1", "--save", str(save), "--quiet"])
    assert main(["why", BOOK, str(save), 'red: move(u: "Red 11", p: A1>A2)']) == 1
    assert 'did you mean "Red 1"?' in capsys.readouterr().err


def test_a_map_is_drawn(tmp_path):
    out = tmp_path / "map.svg"
    assert main(["map", BOOK, "--scenario", "battle", "-o", str(out)]) == 0
    assert "Red 1" in out.read_text()
