"""The facts as an overlay: stacked on the first rule set, it gives the second."""

import importlib.util
import re
import shutil
from pathlib import Path

import pytest

from rulewright.compiler.core.digest import core_digest
from rulewright.compiler.diff.as_overlay import render_rules
from rulewright.compiler.diff.compare import diff
from rulewright.compiler.pipeline import analyse

HERE = Path(__file__).parent
BOOK = HERE.parent / "books" / "skirmish.rules"
PROBES = HERE.parent / "probes"
TRC = HERE.parent.parent / "rulebooks" / "trc"

_spec = importlib.util.spec_from_file_location("mutations", HERE / "mutations.py")
mutations = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(mutations)


def stacked(base, other, tmp_path):
    """Apply the facts to the first book; the core must be that of the second."""
    a, b = analyse(str(base)), analyse(str(other))
    made = diff(a, b, examples=False)
    if all(f.element in ("example", "title") for f in made.facts):
        assert core_digest(a.book) == core_digest(b.book)
        return made
    path = tmp_path / "changes.rules"
    path.write_text(render_rules(made))
    applied = analyse(f"{base}+{path}")
    assert not applied.report.failed, ([d.message for d in applied.report.found], path.read_text())
    assert core_digest(applied.book) == core_digest(b.book), path.read_text()
    return made


def copy(tmp_path, *swaps, text=None):
    text = BOOK.read_text() if text is None else text
    for old, new in swaps:
        assert old in text, old
        text = text.replace(old, new)
    path = tmp_path / "other.rules"
    path.write_text(text)
    return path


@pytest.mark.parametrize("seed", range(4))
def test_random_changes_of_skirmish_come_back(seed, tmp_path):
    found = [stacked(BOOK, path, tmp_path) for path in mutations.mutants(BOOK.read_text(), tmp_path, 6, seed)]
    assert len(found) == 6 and any(made.facts for made in found)


@pytest.mark.parametrize("name", ["fite_10", "tdv_10_2", "caseblue_2_4"])
def test_random_changes_of_a_probe_come_back(name, tmp_path):
    base = PROBES / f"{name}.rules"
    found = [stacked(base, path, tmp_path) for path in mutations.mutants(base.read_text(), tmp_path, 3, 11)]
    assert len(found) == 3


def test_two_changes_of_the_russian_campaign_come_back(tmp_path):
    other = tmp_path / "trc"
    shutil.copytree(TRC, other)
    crt = other / "house" / "crt.rules"
    crt.write_text(re.sub(r"(?m)^(    \| 1 +\| )AR ", r"\1DE ", crt.read_text()))
    units = other / "06-stacking.rules"
    text = units.read_text()
    assert "count(big) <= 3" in text
    units.write_text(text.replace("count(big) <= 3", "count(big) <= 4"))
    made = stacked(TRC, f"{other}/", tmp_path)
    assert {f.element for f in made.facts} >= {"cell"}
    assert len(made.facts) >= 2
    assert any(d.table == "crt" for d in made.distributions)


@pytest.mark.parametrize(
    "swaps",
    [
        [("case 3.2 ", "case 3.7 "), ("in_zone", "covered"), ("budget: 3", "budget: 2")],
        [("case 3 ", "case 9 "), ("except 3 ", "except 9 "), ("by 3\n", "by 9\n")],
        [("case 1 ", "case 99 "), ("case 2 ", "case 1 "), ("case 99 ", "case 2 ")],
        [("kind terrain: clear, woods", "kind terrain: clear, woods, hill"), ("B2, B3", "B2\n    terrain hill: B3")],
        [("3 red: Red 1 @A1, Red 2 @A2", "3 red: Red 1 @A1\n    5 red: Red 2 @A2, Red 3 @A2")],
        [("phase combat:", "phase combat when any units(blue):")],
        [("  stop march when in_zone", "  under phasing = red:\n    stop march when in_zone")],
        [("  table results", "  house table results"), ("| 4-6 | A   | D ", "| 4-6 | D   | D ")],
        [
            (
                "case 3.1",
                'case 3.05 "Two bans":\n  forbid march when u.strength = 7\n  forbid march when u.strength = 8\n\ncase 3.1',
            )
        ],
        [
            ("  mark fought of unit until end of side_turn\n", ""),
            ("  mark moved", "  mark fought of unit until end of side_turn\n  mark moved"),
        ],
    ],
    ids=["number name value", "cited case", "swapped", "kind", "roster", "guard", "under", "house", "bans", "moved"],
)
def test_changes_of_every_sort_come_back(swaps, tmp_path):
    assert stacked(BOOK, copy(tmp_path, *swaps), tmp_path).facts


def test_one_of_several_bans_without_a_name_comes_back(tmp_path):
    bans = "\n  forbid march when u.strength = 7\n  forbid march when u.strength = 8\n\ncase 3.2"
    base = tmp_path / "base.rules"
    base.write_text(BOOK.read_text().replace("\n\ncase 3.2", bans))
    made = stacked(base, copy(tmp_path, ("strength = 8", "strength = 9"), text=base.read_text()), tmp_path)
    assert [(f.before, f.after) for f in made.facts] == [("8", "9")]


def test_another_order_of_triggers_comes_back(tmp_path):
    first = 'case 7.1 "First":\n  on start of combat: log "one"\n'
    second = 'case 7.2 "Second":\n  on start of combat: log "two"\n  define idle() -> number: 1\n'
    use = 'case 8 "Use":\n  forbid attack when idle() = 2\n'
    base = tmp_path / "base.rules"
    base.write_text("\n".join((BOOK.read_text(), first, second, use)))
    stacked(base, copy(tmp_path, text="\n".join((BOOK.read_text(), second, first, use))), tmp_path)


def test_the_facts_stand_in_the_overlay_as_comments(tmp_path):
    a, b = analyse(str(BOOK)), analyse(str(copy(tmp_path, ("budget: 3", "budget: 4"))))
    made = diff(a, b, examples=False)
    text = render_rules(made)
    assert f"# {made.facts[0].id} 3 amended route march: 3 becomes 4" in text
    assert "    amend 3 march: 3 becomes 4" in text
    assert render_rules(diff(a, a)).startswith("#")


def test_the_head_of_an_overlay_is_named_and_the_rest_is_applied(tmp_path):
    base, other = tmp_path / "base", tmp_path / "other"
    base.mkdir(), other.mkdir()
    sheet = '\nerrata sheet of skirmish "Corrections":\n  source: a letter\n  case E.1 "x":\n    strike 3.1\n'
    (base / "skirmish.rules").write_text(BOOK.read_text() + sheet)
    text = (BOOK.read_text() + sheet).replace("a letter", "two letters").replace("budget: 3", "budget: 5")
    (other / "skirmish.rules").write_text(text)
    made = stacked(base / "skirmish.rules", other / "skirmish.rules", tmp_path)
    assert {f.element for f in made.facts} == {"overlay", "route"}
    assert "# an overlay cannot state: the head of overlay sheet, source: a letter becomes two letters" in render_rules(
        made
    )
