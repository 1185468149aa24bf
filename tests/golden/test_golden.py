"""One book with every form of the language, after each pass, side by side with what is agreed.

`make golden` writes the files anew; read their difference like code.
"""

from __future__ import annotations

import gc
import importlib.util
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler.core import declarations, example_lines, expressions, statements
from rulewright.compiler.core.builtins import BUILTINS
from rulewright.compiler.loader import write
from rulewright.compiler.pipeline import Compiled, analyse, compile_book
from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter
from rulewright.dsl.grammar import parser
from rulewright.dsl.parse import blocks, parse
from rulewright.dsl.print import declaration

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BOOK = "tests/diagnostics/every_form.rules"
spec = importlib.util.spec_from_file_location("rulewright_test_dump", HERE / "dump.py")
assert spec is not None and spec.loader is not None
dumping = importlib.util.module_from_spec(spec)
spec.loader.exec_module(dumping)


@pytest.fixture(scope="module")
def made() -> Compiled:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        return compile_book(BOOK)


@pytest.fixture(scope="module")
def syntax() -> tuple[n.Decl, ...]:
    return parse((ROOT / BOOK).read_text(encoding="utf-8"), BOOK, Reporter())


def agree(folder: str, found: dict[str, str]) -> None:
    """The texts are as agreed; where nothing is agreed yet they are written, to be read."""
    for text in found.values():
        assert str(ROOT) not in text and " object at 0x" not in text, "the same on every machine"
    place = HERE / folder
    if not place.is_dir():
        place.mkdir()
        for name, text in found.items():
            (place / name).write_text(text, encoding="utf-8")
        pytest.fail(f"tests/golden/{folder} was missing and is written now; read it")
    agreed = {path.name: path.read_text(encoding="utf-8") for path in place.iterdir()}
    assert sorted(found) == sorted(agreed)
    for name, text in found.items():
        assert text == agreed[name], "make golden writes it anew; read the difference"


def test_the_syntax_is_as_agreed(syntax: tuple[n.Decl, ...]) -> None:
    agree("syntax", {"every_form.txt": "\n".join(map(dumping.dump, syntax))})


def test_the_amendments_are_as_agreed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What two overlays made of the book: every declaration that they brought or touched, as it reads now."""
    monkeypatch.chdir(ROOT)
    entries = analyse(f"{BOOK}+fog+sheet").entries
    assert entries is not None
    told = []
    for e in entries:
        if e.overlay or e.touched:
            by = [f"brought by {e.overlay}"] * bool(e.overlay) + [f"{t.overlay} {t.case}" for t in e.touched]
            told += [f"# {e.case}: {', '.join(by)}", *declaration(e.node), ""]
    agree("amend", {"every_form+fog+sheet.txt": "\n".join(told)})


def test_the_core_is_as_agreed(made: Compiled) -> None:
    agree("core", {"every_form.txt": dumping.dump(made.book)})


def test_the_lowered_steps_are_as_agreed(made: Compiled) -> None:
    assert made.lowered is not None
    agree("lowered", {"every_form.txt": "\n".join(map(dumping.dump, made.lowered.values()))})


def test_the_modules_are_as_agreed(made: Compiled, tmp_path: Path) -> None:
    write(made, tmp_path)
    modules = {path.relative_to(tmp_path).as_posix(): path for path in tmp_path.rglob("*.py")}
    found = {f"{name.replace('/', '.')}.txt": modules[name].read_text(encoding="utf-8") for name in sorted(modules)}
    agree("emitted", found)


# ---------------------------------------------------------------- the book has every form


def everything(value: Any) -> list[Any]:
    """A value and all that it is made of."""
    found, todo, seen = [], [value], set()
    while todo:
        x = todo.pop()
        if id(x) in seen:
            continue
        seen.add(id(x))
        found.append(x)
        if is_dataclass(x) and not isinstance(x, type):
            todo += [getattr(x, field.name) for field in fields(x)]
        elif isinstance(x, dict):
            todo += x.values()
        elif isinstance(x, tuple | list):
            todo += x
    return found


def leaves(kind: type) -> set[type]:
    """The classes below one that have none below them."""
    return set().union(*map(leaves, kind.__subclasses__())) if kind.__subclasses__() else {kind}


def collect_replaced_classes() -> None:
    """A class with slots replaces one without, which is a subclass until it is collected."""
    gc.unfreeze()  # what a compile has put out of reach of collections
    gc.collect()


def test_the_book_has_every_rule_of_the_grammar() -> None:
    lark = parser()
    rules = {str(r.alias or r.origin.name) for r in lark.rules if r.alias or not r.options.expand1}
    trees = (lark.parse(block) for _, block in blocks((ROOT / BOOK).read_text(encoding="utf-8")))
    seen = {str(node.data) for tree in trees for node in tree.iter_subtrees()}
    assert {rule for rule in rules - seen if not rule.startswith("_")} == set()


def test_the_book_has_every_syntax_node(syntax: tuple[n.Decl, ...]) -> None:
    collect_replaced_classes()
    kinds = {kind for kind in leaves(n.Node) if kind.__module__.startswith(n.__name__)}
    assert {kind.__name__ for kind in kinds - set(map(type, everything(syntax)))} == set()


# Made by later passes only: by inlining, and while a quota is looked up.
LATER = {expressions.Choose, expressions.Total, expressions.QuotaCap}


def test_the_book_has_every_form_of_the_core(made: Compiled) -> None:
    found = everything((made.book, made.lowered))
    collect_replaced_classes()
    forms = leaves(expressions.Operator) | leaves(statements.Statement)
    for module in (declarations, example_lines):
        declared = {x for x in vars(module).values() if isinstance(x, type) and x.__module__ == module.__name__}
        forms |= {kind for kind in declared if is_dataclass(kind) and leaves(kind) == {kind}}
    assert {kind.__name__ for kind in forms - LATER - set(map(type, found))} == set()
    asked = {x.name for x in found if isinstance(x, expressions.BuiltinCall)}
    assert set(BUILTINS) - asked == set()


def test_the_book_is_sound_with_its_overlays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for stack in ("", "+fog", "+fog+sheet"):
        assert compile_book(f"{BOOK}{stack}").report.wrong == []
