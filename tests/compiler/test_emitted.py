"""Generated packages are readable: short lines, nothing unused, no double negation, every function with its case."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from rulewright.compiler.core.case_marks import leading_case
from rulewright.compiler.emit.model.literals import comment
from rulewright.compiler.emit.modules import Emitted
from rulewright.compiler.emit.naming import chapter_of
from rulewright.compiler.loader import write
from rulewright.compiler.pipeline import compile_book

ROOT = Path(__file__).parents[2]
WIDTH = 120
HERE = Path(__file__).parent
BOOKS = ["trc", "tdv", "fite", "fragment", str(HERE / "books" / "oracle.rules"), str(HERE / "books" / "folds.rules")]


@cache
def emitted(book: str) -> Emitted:
    made = compile_book(book)
    assert made.emitted is not None, made.report.found
    return made.emitted


@pytest.mark.parametrize("book", BOOKS)
def test_no_line_is_long(book: str) -> None:
    long = [
        (name, i, line)
        for name, text in emitted(book).modules.items()
        for i, line in enumerate(text.split("\n"), 1)
        if len(line) > WIDTH
    ]
    assert long == []


@pytest.mark.parametrize("book", BOOKS)
def test_no_name_is_unused_or_unknown(book: str, tmp_path: Path) -> None:
    for name, text in emitted(book).modules.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    check = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--select", "F", str(tmp_path)]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]


def better_denied_one_by_one(e: ast.expr) -> bool:
    """Whether `not (not a or b)` stands where `a and not b` is no longer."""
    parts = e.values if isinstance(e, ast.BoolOp) else []
    nots = sum(isinstance(x, ast.UnaryOp) and isinstance(x.op, ast.Not) for x in parts)
    turned = sum(isinstance(x, ast.Compare) and len(x.ops) == 1 for x in parts)
    return nots > 0 and len(parts) - nots - turned <= nots + 1


@pytest.mark.parametrize("book", BOOKS)
def test_no_negation_is_negated_and_every_function_is_typed_and_cites_its_case(book: str) -> None:
    made = emitted(book)
    for name, text in made.modules.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
                assert not isinstance(node.operand, ast.UnaryOp), (name, node.lineno)
                assert not isinstance(node.operand, ast.Compare) or len(node.operand.ops) > 1, (name, node.lineno)
                assert not better_denied_one_by_one(node.operand), (name, node.lineno)
            if isinstance(node, ast.FunctionDef) and "chapter_" in name:
                assert "S: State" in ast.unparse(node.args), (name, node.name)
                doc = ast.get_docstring(node) or ""
                case = leading_case(doc)
                home = name.removeprefix("traced/").removesuffix(".py")
                assert chapter_of(case) == home or "__by_" in node.name, (name, node.name, doc)


@pytest.mark.parametrize("book", BOOKS)
def test_every_mapped_line_is_a_line_of_its_function_and_cited_cases_are_mapped(book: str) -> None:
    made = emitted(book)
    for name, rows in made.map.items():
        lines = made.modules[f"{name}.py"].split("\n")
        cases: dict[int, set[str]] = {}
        for line, case, _, rules_line, _ in rows:
            assert lines[line - 1].strip() and not lines[line - 1].startswith("def "), (name, line)
            assert rules_line > 0
            cases.setdefault(line, set()).add(case)
        for i, text in enumerate(lines, 1):
            code, _, cited = text.partition("  # ")
            if cited and code.strip():
                assert {x.strip() for x in cited.split(", ")} <= {comment(x) for x in cases.get(i, ())}, (name, i, text)


@pytest.mark.parametrize("book", BOOKS)
def test_cases_are_cited_anew_in_every_block(book: str) -> None:
    """The first simple statement of a block that speaks for a case says so, whatever was cited above the block."""
    made = emitted(book)
    for name, rows in made.map.items():
        lines = made.modules[f"{name}.py"].split("\n")
        cases: dict[int, set[str]] = {}
        for line, case, *_ in rows:
            cases.setdefault(line, set()).add(comment(case))
        for block in ast.walk(ast.parse("\n".join(lines))):
            for body in (getattr(block, "body", None), getattr(block, "orelse", None)):
                first = body[0] if isinstance(body, list) and body else None
                if isinstance(first, ast.Return | ast.Assign | ast.Expr) and cases.get(first.lineno, {""}) - {""}:
                    near = [lines[first.lineno - 1], lines[first.lineno - 2]]
                    cited = {x.strip() for text in near if "# " in text for x in text.rpartition("# ")[2].split(",")}
                    assert cases[first.lineno] & cited, (name, first.lineno, lines[first.lineno - 1])


def test_turns_of_the_calendar_stand_by_name() -> None:
    modules = emitted("trc").modules
    assert "TURN_JAN_FEB_1942 = 4\n" in modules["fixed.py"]
    for name, text in modules.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Compare) and ast.unparse(node.left) == "S.bind_now":
                assert not any(isinstance(x, ast.Constant) for x in node.comparators), (name, ast.unparse(node))


def test_odds_read_aloud() -> None:
    """What 13.1 says, with fields of records and steps of the scale by name, and the cases of what is inlined."""
    text = emitted("trc").modules["chapter_13.py"]
    body = text.split("\ndef odds(")[1].split("\n\n\n")[0]
    assert body.startswith("S: State, b: Battle) -> Odds:\n")
    assert (
        "for it in each(S, b[BATTLE_ATTACKERS]):" in body
        and "ODDS_10_TO_1" in body
        and "chapter_14.defence_value(S, it, b)" in body
    )
    assert "17.3.1" in body and "[0]" not in body and "memo" not in body


def test_the_same_bytes_from_two_folders(tmp_path: Path) -> None:
    """Modules, map and manifest say nothing of where and when they were compiled."""
    written = []
    for word in ("one", "two/deeper"):
        book = tmp_path / word / "fragment"
        shutil.copytree(ROOT / "rulebooks" / "fragment", book)
        shutil.copytree(ROOT / "rulebooks" / "lib", tmp_path / word / "lib")
        made = compile_book(str(book))
        assert made.emitted is not None, made.report.found
        target = tmp_path / word / "made"
        write(made, target)
        written.append({p.relative_to(target): p.read_bytes() for p in sorted(target.rglob("*")) if p.is_file()})
    assert written[0] == written[1] and len(written[0]) > 20
    assert not any(str(tmp_path).encode() in content for content in written[0].values())
