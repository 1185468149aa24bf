"""`diff --format sarif`: what the standard demands of a log, checked part by part."""

import json
import re
from urllib.parse import unquote

import pytest

from rulewright.compiler.cli.main import main

QUICK = ["--no-witnesses", "--no-examples", "--quiet"]
CHANGES = (
    ("2 when weather = mud", "1 when weather = mud"),
    ("| 6   | 2 | 1 |", "| 6   | 2 | 2 |"),
    ("distance(u.hex, e.hex) in {1, 2}", "distance(u.hex, e.hex) in {1}"),
    ("    when u.strength > 1\n", ""),
    ("3 red: Red 1 @A1", "4 red: Red 1 @A1"),
    ('"March"', '"March {0} [x](1) \u202e"'),
)


def log_of(capsys, *words):
    assert main(["diff", *words, *QUICK, "--format", "sarif"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def desk(tmp_path, repos, monkeypatch):
    top = repos.repository(tmp_path / "r", {"my books/ford.rules": repos.ford()})
    monkeypatch.chdir(top)
    text = repos.ford()
    for old, new in CHANGES:
        assert old in text
        text = text.replace(old, new, 1)
    (top / "my books" / "ford.rules").write_text(text)
    return top


def message(value):
    """A message: a text without placeholders, whose braces come in pairs."""
    assert set(value) <= {"text", "markdown"} and isinstance(value["text"], str) and value["text"]
    assert not re.search(r"(?<!\{)\{(?!\{)|(?<!\})\}(?!\})", value["text"].replace("{{", "").replace("}}", ""))
    assert value["text"].replace("\n", "").isprintable()


ANY = object()
"""A value that the schema leaves open."""
SCHEMA = {
    "log": ({"version", "runs"}, {"$schema": str, "version": {"2.1.0"}, "runs": ["run"]}),
    "run": (
        {"tool"},
        {
            "tool": "tool", "automationDetails": "automation", "invocations": ["invocation"],
            "originalUriBaseIds": {"*": "artifact"}, "columnKind": {"utf16CodeUnits", "unicodeCodePoints"},
            "results": ["result"],
        },
    ),
    "tool": ({"driver"}, {"driver": "component"}),
    "component": ({"name"}, {"name": str, "semanticVersion": str, "rules": ["rule"]}),
    "rule": (
        {"id"},
        {
            "id": str, "name": str, "shortDescription": "formatted", "fullDescription": "formatted", "help": "formatted",
            "defaultConfiguration": "configuration",
        },
    ),
    "configuration": (set(), {"level": {"none", "note", "warning", "error"}}),
    "formatted": ({"text"}, {"text": str, "markdown": str}),
    "message": ({"text"}, {"text": str, "markdown": str}),  # or an `id`, which is not used
    "automation": (set(), {"id": str}),
    "invocation": ({"executionSuccessful"}, {"executionSuccessful": bool}),
    "result": (
        {"message"},
        {
            "ruleId": str, "ruleIndex": int, "level": {"none", "note", "warning", "error"}, "message": "message",
            "locations": ["location"], "partialFingerprints": {"*": str}, "suppressions": ["suppression"],
            "properties": ANY,
        },
    ),
    "location": (set(), {"physicalLocation": "physical", "logicalLocations": ["logical"]}),
    "physical": ({"artifactLocation"}, {"artifactLocation": "artifact", "region": "region"}),
    "artifact": (set(), {"uri": str, "uriBaseId": str, "description": "message"}),
    "region": (set(), {"startLine": int}),
    "logical": (set(), {"name": str, "fullyQualifiedName": str, "kind": str}),
    "suppression": (
        {"kind"},
        {"kind": {"inSource", "external"}, "status": {"accepted", "underReview", "rejected"}, "justification": str},
    ),
}  # fmt: skip
"""By object of the schema of SARIF 2.1.0 (OASIS, sarif-schema-2.1.0.json): what it requires, and of what it allows
those properties that a log of ours has. Every object of the schema is closed: a property that is not here is refused."""


def held(value, schema, where="log"):
    """A value against the schema, part by part."""
    if schema is ANY:
        return
    if isinstance(schema, str):
        needed, allowed = SCHEMA[schema]
        assert isinstance(value, dict), where
        assert needed <= set(value), (where, needed - set(value))
        assert set(value) <= set(allowed), (where, set(value) - set(allowed))
        for name, part in value.items():
            held(part, allowed[name], f"{where}.{name}")
    elif isinstance(schema, list):
        assert isinstance(value, list), where
        for k, part in enumerate(value):
            held(part, schema[0], f"{where}[{k}]")
    elif isinstance(schema, dict):
        assert isinstance(value, dict), where
        for name, part in value.items():
            held(part, schema["*"], f"{where}.{name}")
    elif isinstance(schema, set):
        assert value in schema, (where, value)
    else:
        assert type(value) is schema, (where, value)
        assert schema is not int or value >= (1 if where.endswith("startLine") else -1), (where, value)


def check_log(log):
    """The shape of SARIF 2.1.0: sections 3.13 (log), 3.14 (run), 3.19 (component), 3.27 (result), 3.29 (location)."""
    held(log, "log")
    assert set(log) == {"$schema", "version", "runs"} and log["version"] == "2.1.0"
    [run] = log["runs"]
    assert set(run) == {
        "tool", "automationDetails", "invocations", "originalUriBaseIds", "columnKind", "results",
    }  # fmt: skip
    driver = run["tool"]["driver"]
    assert driver["name"] == "rulewright" and re.fullmatch(r"\d+\.\d+\.\d+\S*", driver["semanticVersion"])
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(ids) == len(set(ids))
    for rule in driver["rules"]:
        for part in ("shortDescription", "fullDescription", "help"):
            message(rule[part])
        assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
    assert run["automationDetails"]["id"].endswith("/") and run["invocations"][0]["executionSuccessful"] is True
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    prints = set()
    for result in run["results"]:
        assert result["ruleId"] == ids[result["ruleIndex"]]
        assert result["level"] in ("note", "warning", "error")
        message(result["message"])
        [place] = result["locations"]
        at = place["physicalLocation"]["artifactLocation"]
        assert at["uriBaseId"] in run["originalUriBaseIds"] and not re.match(r"/|\w+:|\.\.", at["uri"])
        assert re.fullmatch(r"[!-~]+", at["uri"]) and place["physicalLocation"]["region"]["startLine"] >= 1
        for logical in place.get("logicalLocations", ()):
            assert set(logical) <= {"name", "fullyQualifiedName", "kind", "index"}
        [(key, value)] = result["partialFingerprints"].items()
        assert key == "rulewrightFact/v1" and re.fullmatch(r"f[0-9a-f]{9}(-\d+)?", value)
        prints.add(value)
        for s in result.get("suppressions", ()):
            assert s["kind"] in ("inSource", "external") and s["status"] in ("accepted", "underReview", "rejected")
    assert len(prints) == len(run["results"])
    return run


def test_the_log_is_what_the_standard_demands(desk, capsys):
    run = check_log(log_of(capsys, "my books/ford.rules", "--git", "v1"))
    assert {r["ruleId"] for r in run["results"]} == {
        "amended-definition", "amended-cell", "amended-action", "amended-unit", "amended-title",
    }  # fmt: skip
    assert str(desk) not in json.dumps(run)


def test_every_result_points_at_the_line_that_changed(desk, capsys):
    run = check_log(log_of(capsys, "my books/ford.rules", "--git", "v1"))
    lines = (desk / "my books" / "ford.rules").read_text().splitlines()
    told = {}
    for result in run["results"]:
        place = result["locations"][0]["physicalLocation"]
        assert unquote(place["artifactLocation"]["uri"]) == "my books/ford.rules"
        told.setdefault(result["ruleId"], []).append(lines[place["region"]["startLine"] - 1].strip())
    assert told["amended-definition"] == ["1 when weather = mud"]
    assert told["amended-unit"] == ["4 red: Red 1 @A1, Red 2 @A2"]
    assert told["amended-cell"] == ["table hits(die: number, range: number) -> number:"]


def test_fingerprints_stay_where_lines_move(desk, capsys):
    def prints():
        run = check_log(log_of(capsys, "my books/ford.rules", "--git", "v1"))
        return [r["partialFingerprints"] for r in run["results"]]

    before = prints()
    path = desk / "my books" / "ford.rules"
    path.write_text("# a line\n\n" + path.read_text())
    assert prints() == before


def test_struck_cases_and_overlays_have_places(desk, repos, capsys):
    path = desk / "my books" / "ford.rules"
    text = repos.ford()
    path.write_text(text.replace(text[text.index("case 5 ") : text.index("errata sheet")], ""))
    run = check_log(log_of(capsys, "my books/ford.rules", "--git", "v1"))
    assert {"struck-case", "struck-example"} <= {r["ruleId"] for r in run["results"]}
    path.write_text(text)
    run = check_log(log_of(capsys, "my books/ford.rules", "my books/ford.rules+sheet"))
    lines = text.splitlines()
    at = [lines[r["locations"][0]["physicalLocation"]["region"]["startLine"] - 1].strip() for r in run["results"]]
    assert "except 2 pace: 1 when weather = mud and u.side = red" in at and "forbid move when u.strength = 2" in at


def test_known_facts_are_suppressed_and_those_that_are_off_are_left_out(desk, capsys):
    book = "my books/ford.rules"
    main(["diff", book, "--git", "v1", *QUICK, "--write-baseline", "known"])
    capsys.readouterr()
    lines = (desk / "known").read_text().splitlines()
    (desk / "known").write_text("\n".join(lines[:2]) + "\n")
    run = check_log(log_of(capsys, book, "--git", "v1", "--baseline", "known"))
    [s] = [r for r in run["results"] if "suppressions" in r]
    assert s["partialFingerprints"]["rulewrightFact/v1"] == lines[1].split()[0]
    assert s["suppressions"][0]["justification"]
    (desk / "rulewright.toml").write_text('[severity.element]\nunit = "off"\ncell = "error"\n')
    run = check_log(log_of(capsys, book, "--git", "v1"))
    by = {r["ruleId"]: r["level"] for r in run["results"]}
    assert "amended-unit" not in by and by["amended-cell"] == "error" and by["amended-title"] == "note"


def test_no_difference_is_a_log_too(desk, capsys):
    assert check_log(log_of(capsys, "my books/ford.rules", "my books/ford.rules"))["results"] == []


def test_two_revisions_lead_to_paths_of_the_repository(desk, repos, capsys):
    repos.commit(desk, {})
    run = check_log(log_of(capsys, "my books/ford.rules", "--git", "v1..main"))
    assert {unquote(r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]) for r in run["results"]} == {
        "my books/ford.rules"
    }


@pytest.mark.parametrize(
    "spoil",
    [
        lambda run: run.update(colour="red"),
        lambda run: run["tool"].pop("driver"),
        lambda run: run["tool"]["driver"]["rules"][0].pop("id"),
        lambda run: run["results"][0].pop("message"),
        lambda run: run["results"][0].update(level="grave"),
        lambda run: run["results"][0]["locations"][0]["physicalLocation"]["region"].update(startLine=0),
        lambda run: run["results"][0]["locations"][0]["physicalLocation"].pop("artifactLocation"),
        lambda run: run["invocations"][0].update(executionSuccessful="yes"),
    ],
)
def test_what_the_standard_refuses_is_refused_here(desk, capsys, spoil):
    log = log_of(capsys, "my books/ford.rules", "--git", "v1")
    held(log, "log")
    spoil(log["runs"][0])
    with pytest.raises(AssertionError):
        held(log, "log")
