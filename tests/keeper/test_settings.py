"""Severities, what fails a build, and the baseline of known facts."""

import json

import pytest

from rulewright.compiler.cli.main import main
from rulewright.compiler.keeper.settings import SettingsProblem, settings
from rulewright.compiler.keeper.severity import ELEMENTS

QUICK = ["--no-witnesses", "--no-examples"]


@pytest.fixture
def desk(tmp_path, repos, monkeypatch):
    top = repos.repository(tmp_path / "r", {"ford.rules": repos.ford()})
    monkeypatch.chdir(top)
    return top


def levels(capsys, *words):
    assert main(["diff", "ford.rules", "ford.rules+sheet", *QUICK, "--format", "json", *words]) in (0, 1)
    return {f["items"][0]["case"]: f["severity"] for f in json.loads(capsys.readouterr().out)["facts"]}


def code(*words):
    return main(["diff", "ford.rules", "ford.rules+sheet", *QUICK, *words])


def test_without_settings_what_may_alter_play_is_a_warning(desk, capsys):
    assert set(levels(capsys).values()) == {"warning"}
    assert code("--fail-on", "warning") == 1 and code("--fail-on", "note") == 1 and code("--fail-on", "error") == 0


def test_the_most_particular_level_counts(desk, capsys):
    (desk / "rulewright.toml").write_text(
        '[severity]\ndefault = "note"\n[severity.judgement]\nmay = "note"\nnarrower = "error"\n'
        '[severity.kind]\nadded = "warning"\n[severity.element]\ncell = "error"\n[severity.case]\n3 = "note"\n"2.1" = "off"\n'
    )
    found = levels(capsys)
    assert found == {"1.2": "note", "2.1": "off", "2.2": "warning", "3.1": "note"}
    assert code("--fail-on", "error") == 0 and code("--fail-on", "warning") == 1
    assert code("--fail-on", "narrower", "--case", "2.1") == 0  # what is off fails nothing
    assert code("--fail-on", "narrower", "--case", "2.2") == 1


def test_settings_in_pyproject_and_from_a_folder_below(desk, capsys, monkeypatch):
    (desk / "pyproject.toml").write_text('[tool.rulewright.diff]\nfail-on = ["warning"]\n[tool.other]\nx = 1\n')
    assert code() == 1 and code("--fail-on", "error") == 0
    (desk / "deep").mkdir()
    monkeypatch.chdir(desk / "deep")
    assert main(["diff", "../ford.rules", "../ford.rules+sheet", *QUICK]) == 1
    (desk / "deep" / "rulewright.toml").write_text("")
    assert main(["diff", "../ford.rules", "../ford.rules+sheet", *QUICK]) == 0


def test_a_default_revision(desk, repos, capsys):
    (desk / "rulewright.toml").write_text('[diff]\ngit = "v1"\n')
    (desk / "ford.rules").write_text(repos.ford().replace("2 when weather = mud", "1 when weather = mud"))
    assert main(["diff", "ford.rules", *QUICK]) == 0
    assert "ford.rules at v1 → ford.rules: 1 fact" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "said", "help"),
    [
        ("[severty]\n", 'it does not know "severty"', 'did you mean "severity"?'),
        ('[severity.kind]\nmoved_up = "note"\n', 'it does not know "severity.kind.moved_up"', "it knows: added"),
        ('[severity.element]\ncel = "note"\n', 'it does not know "severity.element.cel"', 'did you mean "cell"?'),
        ('[severity.case]\n12 = "fatal"\n', "severity.case.12 may not be 'fatal'", "error, warning, note, off"),
        ('[severity.case]\n"a b" = "note"\n', '"a b" in severity.case is no case number', '"12.3" = "error"'),
        ("[severity]\ndefault = 3\n", "severity.default may not be 3", "levels are"),
        ('[diff]\nfail-on = "error"\n', "diff.fail-on may not be 'error'", "a list such as"),
        ('[diff]\nfail-on = ["worse"]\n', "diff.fail-on.0 may not be 'worse'", "a list such as"),
        ("[diff]\nbaseline = 7\n", "diff.baseline may not be 7", "a text in quotes"),
        ("severity = 1\n", "severity may not be 1", "it is a table: [severity]"),
        ("[severity\n", "is no TOML", "key = value"),
    ],
)
def test_what_it_does_not_know_is_refused_with_what_to_do(desk, capsys, text, said, help):
    (desk / "rulewright.toml").write_text(text)
    assert code() == 2
    err = capsys.readouterr().err
    assert said in err and help in err and len(err.splitlines()) == 2


def test_files_that_are_no_settings(desk, capsys):
    (desk / "rulewright.toml").write_bytes(b"\xff\xfe")
    assert code() == 2 and "is not UTF-8 text" in capsys.readouterr().err
    assert code("--config", "none.toml") == 2 and "none.toml" in capsys.readouterr().err
    (desk / "deep.toml").write_text("a = " + "[" * 5000)
    assert code("--config", "deep.toml") == 2
    with pytest.raises(SettingsProblem):
        settings(desk)


def test_every_sort_of_fact_has_a_level_to_set(tmp_path, capsys):
    """The names in the schema are those that diffs give."""
    from rulewright.compiler.diff import facts

    assert set(ELEMENTS) >= facts.QUIET and {"cell", "unit", "set-up", "map feature", "growing set"} <= set(ELEMENTS)


# ---------------------------------------------------------------- baseline


def test_a_baseline_is_written_read_and_grows_stale(desk, capsys):
    assert code("--write-baseline", "known") == 0
    lines = (desk / "known").read_text().splitlines()
    assert lines[0].startswith("# facts from ford.rules to ford.rules+sheet") and len(lines) == 5
    assert any(line.endswith("3 cell hits, die 3-5, range 2: 0 becomes 1") for line in lines)
    capsys.readouterr()
    assert code("--baseline", "known", "--fail-on", "note") == 0
    out, err = capsys.readouterr()
    assert "4 facts, none shown" in out and "no fact goes back" not in out and "4 facts are known by the baseline" in err
    (desk / "known").write_text("\n".join([*lines[:3], "f000000000  gone since"]) + "\n")
    assert code("--baseline", "known", "--fail-on", "warning") == 1
    err = capsys.readouterr().err
    assert "2 facts are known by the baseline" in err and "no longer found: f000000000" in err
    (desk / "rulewright.toml").write_text('[diff]\nbaseline = "known"\nfail-on = ["warning"]\n')
    assert code() == 1 and code("--write-baseline", "known") == 1 and code() == 0


def test_bad_baselines(desk, capsys):
    assert code("--baseline", "none") == 2
    assert "--write-baseline writes one" in capsys.readouterr().err
    (desk / "bad").write_text("narrower\n")
    assert code("--baseline", "bad") == 2 and 'line 1: "narrower" is no id' in capsys.readouterr().err
    (desk / "bad").write_bytes(b"\xff\xfe\x00")
    assert code("--baseline", "bad") == 2 and "not UTF-8" in capsys.readouterr().err
    (desk / "bad").write_text("\x1b[2Jf123\n")
    assert code("--baseline", "bad") == 2 and "\x1b" not in capsys.readouterr().err
    assert code("--write-baseline", "no/such/folder") == 2
