"""A compile that remembers gives the same bytes as one that does not, whatever was edited before it."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler.cache import incremental as remember
from rulewright.compiler.cache import parsed_blocks as blocks
from rulewright.compiler.manifest import manifest
from rulewright.compiler.pipeline import Compiled, compile_book

ROOT = Path(__file__).resolve().parents[2]
SKIRMISH = ROOT / "tests/books/skirmish.rules"
PROBES = ROOT / "tests/probes"
BOOKS = {
    SKIRMISH: 8,
    PROBES / "fragment_7_a.rules": 3,  # tables and triggers
    PROBES / "tdv_10_5_6.rules": 3,  # routes, a matching and asks
    PROBES / "trc_28_6.rules": 3,  # waivers, memories, replaced procedures
}
Edit = Callable[[str, random.Random], str]


def outcome(made: Compiled) -> dict[str, Any]:
    """Everything that a compile leaves behind."""
    found: dict[str, Any] = {
        "diagnostics": [
            (d.code, d.severity, str(d.span), d.span.end_line, d.span.end_column, d.message, d.help, d.notes, d.case)
            for d in made.report.found
        ]
    }
    if made.emitted is not None:
        found |= {part: getattr(made.emitted, part) for part in ("modules", "map", "asked")}
        found["manifest"] = manifest(made)
    return found


@contextmanager
def nothing_known(monkeypatch: pytest.MonkeyPatch, cache: Path) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setattr(remember, "_MEMORIES", {})
        patch.setattr(blocks, "_FILES", {})
        patch.setenv("RULEWRIGHT_CACHE", str(cache))
        yield


class Bench:
    """One book, compiled again after each edit, and each time from nothing as well."""

    def __init__(self, book: Path | str, monkeypatch: pytest.MonkeyPatch, scratch: Path) -> None:
        self.book, self.monkeypatch, self.scratch = book, monkeypatch, scratch
        self.rounds = self.failed = 0

    def check(self, what: str = "") -> dict[str, Any]:
        again = outcome(compile_book(str(self.book)))
        self.rounds += 1
        with nothing_known(self.monkeypatch, self.scratch / f"cache{self.rounds}"):
            cold = outcome(compile_book(str(self.book)))
        assert again.keys() == cold.keys(), f"{what}: {again['diagnostics']} / {cold['diagnostics']}"
        for part, value in cold.items():
            assert again[part] == value, f"{what}: {part} differs"
        self.failed += "modules" not in cold
        return cold


@pytest.fixture(autouse=True)
def unknown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    with nothing_known(monkeypatch, tmp_path / "cache"):
        yield


# ---------------------------------------------------------------- edits


def pick(text: str, pattern: str, chance: random.Random) -> re.Match[str] | None:
    found = list(re.finditer(pattern, text, re.MULTILINE))
    return chance.choice(found) if found else None


def cut(text: str, match: re.Match[str] | None, new: str, group: int = 0) -> str:
    return text if match is None else text[: match.start(group)] + new + text[match.end(group) :]


def number(text: str, chance: random.Random) -> str:
    return cut(text, pick(text, r"\b\d+\b", chance), str(chance.randint(0, 12)))


def cell(text: str, chance: random.Random) -> str:
    return cut(text, pick(text, r"\| *(\d+) *(?=\|)", chance), str(chance.randint(0, 9)), 1)


def word(text: str, chance: random.Random) -> str:
    """One word for another of the book: a name that does not fit, most of the time."""
    other = pick(text, r"\b[a-z_]{3,}\b", chance)
    return cut(text, pick(text, r"\b[a-z_]{3,}\b", chance), other.group() if other else "x")


def rename(text: str, chance: random.Random) -> str:
    """A declared name, everywhere."""
    found = pick(text, r"^ +(?:define|procedure|action|route|gather|table|mark|field|remember) ([a-z_]+)", chance)
    return re.sub(rf"\b{found[1]}\b", found[1] + "_x", text) if found else text


def rename_here(text: str, chance: random.Random) -> str:
    """A declared name, where it is declared and nowhere else."""
    found = pick(text, r"^ +(?:define|procedure|action|route|gather|table|mark|field|remember) ([a-z_]+)", chance)
    return cut(text, found, found[1] + "_y", 1) if found else text


def drop_line(text: str, chance: random.Random) -> str:
    return cut(text, pick(text, r"^.+\n", chance), "")


def double_line(text: str, chance: random.Random) -> str:
    found = pick(text, r"^.+\n", chance)
    return cut(text, found, found.group() * 2) if found else text


def push_down(text: str, chance: random.Random) -> str:
    """Blank lines between two cases: everything below moves."""
    found = pick(text, r"^case ", chance)
    return cut(text, found, "\n# moved\n\n" + found.group()) if found else text


def drop_case(text: str, chance: random.Random) -> str:
    return cut(text, pick(text, r"^case .*\n(?:(?:[ #].*)?\n)*", chance), "")


def swap_cases(text: str, chance: random.Random) -> str:
    one = pick(text, r"^case .*\n(?:(?:[ #].*)?\n)*", chance)
    return text[: one.start()] + text[one.end() :] + "\n" + one.group() if one else text


def add_case(text: str, chance: random.Random) -> str:
    n = chance.randint(1, 99)
    return f'{text}\ncase 77.{n} "Added":\n  define added_{n}(u: unit) -> number: {n}\n'


def add_field(text: str, chance: random.Random) -> str:
    n = chance.randint(1, 99)
    return f'{text}\ncase 78.{n} "Printed":\n  field printed_{n} of unit: number\n'


EDITS: tuple[Edit, ...] = (
    number, number, number, cell, word, rename, rename_here, drop_line, double_line, push_down, drop_case, swap_cases,
    add_case, add_field,
)  # fmt: skip


# ---------------------------------------------------------------- properties


@pytest.mark.parametrize("seed", range(1))
@pytest.mark.parametrize("book", BOOKS, ids=lambda p: p.stem)
def test_random_edits(book: Path, seed: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    chance = random.Random(seed)
    copy = tmp_path / book.name
    text = good = book.read_text(encoding="utf-8")
    copy.write_text(text, encoding="utf-8")
    bench = Bench(copy, monkeypatch, tmp_path)
    assert "modules" in bench.check()
    for _ in range(BOOKS[book]):
        edit = chance.choice(EDITS)
        text = edit(text, chance)
        copy.write_text(text, encoding="utf-8")
        made = bench.check(edit.__name__)
        if "modules" in made:
            good = text
        elif chance.random() < 0.7:
            text = good
            copy.write_text(text, encoding="utf-8")
            bench.check(f"{edit.__name__}, mended")
    assert bench.failed < bench.rounds


@pytest.mark.parametrize("edit", sorted({*EDITS}, key=lambda e: e.__name__), ids=lambda e: e.__name__)
def test_edit_and_mend(edit: Edit, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    book = PROBES / "fragment_7_a.rules"
    copy = tmp_path / book.name
    text = book.read_text(encoding="utf-8")
    copy.write_text(text, encoding="utf-8")
    bench = Bench(copy, monkeypatch, tmp_path)
    first = bench.check()
    copy.write_text(edit(text, random.Random(5)), encoding="utf-8")
    assert copy.read_text(encoding="utf-8") != text
    bench.check("edited")
    copy.write_text(text, encoding="utf-8")
    assert bench.check("mended") == first


def test_two_edits_of_a_shipped_book(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "fragment"
    shutil.copytree(ROOT / "rulebooks/fragment", folder)
    compile_book(str(folder))
    bench = Bench(folder, monkeypatch, tmp_path)
    moved = folder / "house" / "combat.rules"
    moved.write_text("# one line more\n" + moved.read_text(encoding="utf-8"), encoding="utf-8")
    changed = folder / "house" / "movement.rules"
    changed.write_text(number(changed.read_text(encoding="utf-8"), random.Random(3)), encoding="utf-8")
    bench.check("a number, and a file that moved down")
    changed.write_text(add_case(changed.read_text(encoding="utf-8"), random.Random(1)), encoding="utf-8")
    bench.check("a case added")


OVERLAYS = """
errata sheet of skirmish:
  case E.1:
    amend 3.2 march.enter: 2 becomes 3
    replace cell 4 results:
      1-3 | 2:1: D becomes A
    replace item 1 armies:
      4 blue: Blue 1 @D4 becomes Blue 1 @D3
    amend @B2.terrain: woods becomes clear
  case E.2 "Zones":
    except 2 zone: {u.hex} when u.strength = 3
option quiet of skirmish:
  after: sheet
  case Q.1 "No zones":
    strike 3.1
    strike 6 "a zone stops a march"
  case Q.2 "On they go":
    insert after movement:
      phase movement_again:
        log "on they go"
    rename 4 odds_of to ratio_of
    replace 2 in_zone:
      define in_zone(s: side, h: hex) -> flag: any units(s) where h = it.hex
"""


@pytest.mark.parametrize("seed", range(1))
def test_random_edits_under_overlays(seed: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    chance = random.Random(seed)
    copy = tmp_path / SKIRMISH.name
    text = good = SKIRMISH.read_text(encoding="utf-8") + OVERLAYS
    copy.write_text(text, encoding="utf-8")
    benches = [Bench(f"{copy}{stack}", monkeypatch, tmp_path / stack) for stack in ("+sheet", "+sheet+quiet", "")]
    first = [bench.check() for bench in benches]
    assert all("modules" in made for made in first) and len({repr(made["modules"]) for made in first}) == 3
    for _ in range(5):
        edit = chance.choice(EDITS)
        text = edit(text, chance)
        copy.write_text(text, encoding="utf-8")
        if all("modules" in bench.check(edit.__name__) for bench in benches):
            good = text
        else:
            text = good


def test_what_amendments_make_is_remembered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where neither an entry nor what amends it is edited, the amended entry is the same one again."""
    copy = tmp_path / SKIRMISH.name
    text = SKIRMISH.read_text(encoding="utf-8") + OVERLAYS
    copy.write_text(text, encoding="utf-8")
    first = compile_book(f"{copy}+sheet+quiet").entries
    copy.write_text(text.replace("budget: 3", "budget: 2"), encoding="utf-8")
    again = compile_book(f"{copy}+sheet+quiet").entries
    assert first is not None and again is not None and any(e.touched for e in again)
    known = {id(e) for e in first}
    assert {e.name for e in again if id(e) not in known} <= {"moved", "march", "move"}, "the edited case alone"


HANGS_TOGETHER = {
    "the price of a step is no longer whole": ("enter: 1\n", "enter: 1 / 2\n"),
    "what a bar asks looks at a mark": ("any units(s) where h in zone(it)", "any units(s) where h in zone(it) and not it.moved"),
    "a price that stands elsewhere": ("define slow(h: hex) -> number: 2", "define slow(h: hex) -> number: 5 / 2"),
    "what is asked of a unit is asked of others too": (
        "define near(u: unit) -> set of hex: neighbors(u.hex)",
        "define near(u: unit) -> set of hex: neighbors(u.hex) where any units_at(it) where it.fought",
    ),
    "what is asked of a unit rests on another mark": (
        "define near(u: unit) -> set of hex: neighbors(u.hex)",
        "define near(u: unit) -> set of hex: {u.hex} where not u.fought",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new"), HANGS_TOGETHER.values(), ids=HANGS_TOGETHER)
def test_what_hangs_together(old: str, new: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One declaration is edited, and another one is printed or kept differently."""
    copy = tmp_path / SKIRMISH.name
    text = SKIRMISH.read_text(encoding="utf-8").replace("march.enter: 2 when", "march.enter: slow(there) when")
    text += """
case 7 "Near":
  define slow(h: hex) -> number: 2
case 8 "Nearer":
  define near(u: unit) -> set of hex: neighbors(u.hex)
case 9 "About":
  define about(h: hex, u: unit) -> set of hex: near(u) where it != h
"""
    copy.write_text(text, encoding="utf-8")
    bench = Bench(copy, monkeypatch, tmp_path)
    first = bench.check()
    assert text.count(old) == 1
    copy.write_text(text.replace(old, new), encoding="utf-8")
    assert bench.check("edited")["modules"] != first["modules"]
    copy.write_text(text, encoding="utf-8")
    assert bench.check("mended") == first


def test_what_is_remembered_is_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing but the edited declaration is printed anew."""
    from rulewright.compiler.emit import modules

    copy = tmp_path / SKIRMISH.name
    text = SKIRMISH.read_text(encoding="utf-8")
    copy.write_text(text, encoding="utf-8")
    compile_book(str(copy))
    printed: list[str] = []
    kept = modules.definition
    monkeypatch.setattr(modules, "definition", lambda ctx, d: (printed.append(d.name), kept(ctx, d))[1])
    compile_book(str(copy))
    assert printed == []
    edited = text.replace("budget: 3", "budget: 2")
    assert edited != text
    copy.write_text(edited, encoding="utf-8")
    compile_book(str(copy))
    assert {name.partition(".")[0] for name in printed} == {"march"}, "the facets of the route, and nothing else"


def test_what_libraries_say_is_remembered_for_each(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Several libraries of one folder do not push one another out of the memory."""
    from rulewright.compiler.emit import modules

    (tmp_path / "lib").mkdir()
    for i in (1, 2, 3):
        text = f'case L.{i} "Number {i}":\n  define n{i}(n: number) -> number: n + {i}\n'
        (tmp_path / "lib" / f"lib{i}.rules").write_text(text, encoding="utf-8")
    copy = tmp_path / SKIRMISH.name
    used = SKIRMISH.read_text(encoding="utf-8").replace("\n\ncase 1", "\n\nuse lib1\nuse lib2\nuse lib3\n\ncase 1", 1)
    copy.write_text(used, encoding="utf-8")
    first = compile_book(str(copy)).book
    assert first is not None and {"n1", "n2", "n3"} <= set(first.definitions)
    printed: list[str] = []
    kept = modules.definition
    monkeypatch.setattr(modules, "definition", lambda ctx, d: (printed.append(d.name), kept(ctx, d))[1])
    copy.write_text(used.replace("budget: 3", "budget: 2"), encoding="utf-8")
    compile_book(str(copy))
    assert {name.partition(".")[0] for name in printed} == {"march"}


def test_a_new_process_takes_what_passed_before(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What passed is not looked at again; what has a finding is, and tells it again."""
    from rulewright.compiler.check import names as check_names
    from rulewright.compiler.emit import allow_list as allow

    copy = tmp_path / SKIRMISH.name
    text = SKIRMISH.read_text(encoding="utf-8") + '\ncase 79 "Hidden":\n  define distance(u: unit) -> number: 1\n'
    copy.write_text(text, encoding="utf-8")
    first = outcome(compile_book(str(copy)))
    assert [d[0] for d in first["diagnostics"]].count("RW218") == 1
    walked: list[object] = []
    for module, name in ((allow, "allow"), (check_names, "own_names")):
        kept = getattr(module, name)
        monkeypatch.setattr(module, name, lambda what, *more, kept=kept: (walked.append(what), kept(what, *more))[1])
    monkeypatch.setattr(remember, "_MEMORIES", {})
    monkeypatch.setattr(blocks, "_FILES", {})
    assert outcome(compile_book(str(copy))) == first
    assert [getattr(node, "name", node) for node in walked] == ["distance"]


def test_a_damaged_memory_costs_nothing_but_time(tmp_path: Path) -> None:
    from rulewright.compiler.cache.passed_checks import Clean

    path = tmp_path / "clean.bin"
    clean = Clean(path)
    clean.note("names", "text")
    clean.store()
    assert Clean(path).passed("names", "text") and not Clean(path).passed("names", "other")
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    assert not Clean(path).passed("names", "text")


def test_a_second_map_comes_and_goes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What looks at all hexes is built otherwise where a book has several maps."""
    book = tmp_path / "skirmish.rules"
    text = SKIRMISH.read_text(encoding="utf-8")
    more = 'case 98 "More ground":\n  map elsewhere:\n    sheet X: rows A..B, columns from the west\n    hexes: XA1..XA3, XB2\n'
    more += "    name Xanthe: XA2\n"
    bench = Bench(book, monkeypatch, tmp_path)
    seen = []
    for what in (text, text + more, text + more.replace("XA3, XB2", "XA3"), text):
        book.write_text(what, encoding="utf-8")
        seen.append(bench.check())
    assert bench.failed == 0 and seen[0] == seen[3] and seen[0] != seen[1] != seen[2]
