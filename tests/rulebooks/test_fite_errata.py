"""The orders of battle and the sheet of corrections of Fire in the East: everything is there, and lands where it should."""

from __future__ import annotations

import csv
import re
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler import load
from rulewright.compiler.pipeline import analyse

BOOK = Path(__file__).parents[2] / "rulebooks" / "fite"

# Ground units and flotillas of each list, counted in the print.
LISTED = {
    "OB.A.AGN.18": 22, "OB.A.AGN.4PG": 17, "OB.A.AGN.16": 22, "OB.A.AGN.RES": 9, "OB.A.AGC.3PG": 21,
    "OB.A.AGC.9": 31, "OB.A.AGC.4": 32, "OB.A.AGC.2PG": 41, "OB.A.AGC.RES": 9, "OB.A.AGS.6": 12,
    "OB.A.AGS.1PG": 36, "OB.A.AGS.17": 26, "OB.A.AGS.RES": 7, "OB.A.BRAND": 4, "OB.A.RUM.11": 15, "OB.A.RUM.3": 18,
    "OB.A.RUM.4": 14, "OB.A.RUM.RES": 16, "OB.A.HUN": 6, "OB.A.NOR": 11, "OB.A.FIN": 37, "OB.A.JUN2": 10,
    "OB.A.JUL1": 40, "OB.A.JUL2": 1, "OB.A.AUG1": 5, "OB.A.AUG2": 5, "OB.A.SEP1": 15, "OB.A.SEP2": 2,
    "OB.A.OCT1": 9, "OB.A.OCT2": 2, "OB.A.NOV1": 10, "OB.A.NOV2": 1, "OB.A.DEC1": 4, "OB.A.DEC2": 3,
    "OB.A.JAN1": 13, "OB.A.JAN2": 5, "OB.A.FEB1": 21, "OB.A.FEB2": 1, "OB.A.MAR1": 5,
    "OB.S.STALIN": 20, "OB.S.VMF.RIV": 4, "OB.S.VMF.LAND": 1, "OB.S.JUN2": 5, "OB.S.JUL1": 33, "OB.S.JUL2": 119,
    "OB.S.AUG1": 41, "OB.S.AUG2": 40, "OB.S.SEP1": 42, "OB.S.SEP2": 47, "OB.S.OCT1": 34, "OB.S.OCT2": 43,
    "OB.S.NOV1": 29, "OB.S.NOV2": 33, "OB.S.DEC1": 44, "OB.S.DEC2": 31, "OB.S.JAN1": 54, "OB.S.JAN2": 5,
    "OB.S.FEB1": 42, "OB.S.MAR1": 35, "OB.S.LEN.14": 6, "OB.S.LEN.7": 5, "OB.S.LEN.23": 10, "OB.S.LEN.HANGO": 1,
    "OB.S.LEN.RES": 8, "OB.S.LEN.ND": 16, "OB.S.BALT.8": 11, "OB.S.BALT.11": 13, "OB.S.BALT.27": 4,
    "OB.S.BALT.ISL": 1, "OB.S.BALT.RES": 2, "OB.S.BALT.ND": 20, "OB.S.WEST.3": 8, "OB.S.WEST.10": 16,
    "OB.S.WEST.4": 9, "OB.S.WEST.RES": 21, "OB.S.WEST.ND": 26, "OB.S.KIEV.5": 10, "OB.S.KIEV.6": 10,
    "OB.S.KIEV.26": 9, "OB.S.KIEV.12": 11, "OB.S.KIEV.RES": 32, "OB.S.KIEV.ND": 32, "OB.S.ODESSA.9": 24,
    "OB.S.ODESSA.9RC": 2, "OB.S.ODESSA.ND": 11, "OB.S.STRAT.16": 15, "OB.S.STRAT.19": 18, "OB.S.STRAT.21": 18,
    "OB.S.STRAT.22": 12, "OB.S.STRAT.41": 4, "OB.S.INT.ARK": 2, "OB.S.INT.KHA": 5, "OB.S.INT.MOS": 20,
    "OB.S.INT.NCA": 16, "OB.S.INT.ORL": 7, "OB.S.INT.ND": 21,
}  # fmt: skip
# What the sheet takes away or adds.
CORRECTED = {
    "OB.S.ODESSA.9RC": 3, "OB.S.INT.MOS": 18, "OB.S.INT.NCA": 12, "OB.S.JUL2": 112, "OB.S.AUG1": 43,
    "OB.S.AUG2": 37, "OB.S.OCT2": 42, "OB.S.NOV1": 30, "OB.S.DEC1": 43, "OB.S.JAN1": 53,
}  # fmt: skip


@cache
def units(stack: str) -> tuple[Any, ...]:
    book = analyse(f"{BOOK}{stack}").book
    assert book is not None
    return tuple(book.units)


def per_case(stack: str) -> Counter[str]:
    afloat_or_aloft = {"model", "ship_class"}
    return Counter(u.case for u in units(stack) if u.case.startswith("OB") and not afloat_or_aloft & set(u.fields))


def inventory() -> list[dict[str, str]]:
    with (BOOK / "inventory.tsv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_every_item_of_the_sheet_has_its_case() -> None:
    text = "\n".join(p.read_text(encoding="utf-8") for p in (BOOK / "overlays").glob("*.rules"))
    there = set(re.findall(r"^  case (E\.\S+) ", text, re.M))
    wanted = {r["case"] for r in inventory() if r["case"].startswith("E.") and r["executable"] in ("rule", "data")}
    assert there == wanted
    kinds = Counter(re.findall(r"^  case E\.\S+ .*:\n    nature: (correction|clarification|change)", text, re.M))
    assert kinds == {"correction": 31, "clarification": 3, "change": 17}


def test_every_list_is_there() -> None:
    wanted = {r["case"] for r in inventory() if r["case"].startswith("OB.") and r["executable"] in ("rule", "data")}
    made = analyse(str(BOOK))
    assert made.entries is not None
    assert wanted <= {e.case for e in made.entries if type(e.node).__name__ != "Example"}
    assert len([r for r in inventory() if r["case"].startswith("OB.") and r["executable"] == "data"]) == 113


@pytest.mark.parametrize("stack, expected", [("", LISTED), ("+errata", LISTED | CORRECTED)], ids=["base", "errata"])
def test_the_lists_are_complete(stack: str, expected: dict[str, int]) -> None:
    assert per_case(stack) == expected


def test_no_division_is_lost_between_two_items() -> None:
    """The sheet moves some divisions from one list to another: each is there once."""
    names = Counter(u.name for u in units("+errata"))
    assert {n: names[n] for n in ("Sov 8 Rifle XX", "Sov 86 Rifle XX", "Sov 112 Tank XX", "Sov 234 Rifle XX")} == {
        "Sov 8 Rifle XX": 1, "Sov 86 Rifle XX": 1, "Sov 112 Tank XX": 1, "Sov 234 Rifle XX": 1,
    }  # fmt: skip


@pytest.mark.parametrize("stack, armor", [("", Fraction(1, 5)), ("+errata", Fraction(1, 7))])
def test_only_armor_goes_down_to_a_seventh(stack: str, armor: Fraction) -> None:
    game = load(f"{BOOK}{stack}").new("niemen", 1)
    assert game.value("armor_threshold") == armor
    assert game.value("engineer_threshold") == Fraction(1, 5)
