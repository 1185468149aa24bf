"""The typed core: a new operator makes the type checker list every reader that must learn it."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

from rulewright.compiler.core import nodes as c
from rulewright.compiler.emit.lowering.blocks import End
from rulewright.compiler.emit.lowering.machinery import LowStmt

ROOT = Path(__file__).parents[2]

# Modules that treat operators case by case; each ends its `match` in `assert_never`.
OPERATOR_READERS = (
    "compiler.analyse.bounds",
    "compiler.analyse.dependencies",
    "compiler.analyse.inline",
    "compiler.analyse.value_ranges",
    "compiler.check.loops",
    "compiler.diff.pushes.polarity",
    "compiler.core.names",
    "compiler.emit.expressions.build",
    "compiler.interpret.expressions",
    "compiler.witness.position_values",
    "compiler.witness.reads",
    "compiler.witness.steer",
    "compiler.doc.name_types",
)
# The same for statements, and for the lines of examples.
STATEMENT_READERS = (
    "compiler.check.secrets",
    "compiler.core.statements",
    "compiler.diff.meaning.pieces",
    "compiler.core.names",
    "compiler.emit.lowering.builder",
    "compiler.emit.lowering.lower",
    "compiler.emit.procedures.statements",
    "compiler.emit.procedures.effects",
    "compiler.interpret.flow",
    "compiler.witness.reads",
)
LINE_READERS = ("compiler.examples.run", "compiler.interpret.worked")
# The readers of each union of the core: its file, its name, and the base of its members.
READERS = {
    ("expressions.py", "AnyOperator", "Operator"): OPERATOR_READERS,
    ("statements.py", "Stmt", "Statement"): STATEMENT_READERS,
    ("example_lines.py", "ExampleLine", "Line"): LINE_READERS,
}

PROVED = ("compiler.core.names", "compiler.core.statements", "compiler.interpret.worked")
"""Readers on which the type checker is tried, at least one of each union; `make types` holds the others to the same."""

# A syntax node has an `op`, a choice space of the runtime an `info`; no node of the core has either.
UNTYPED = re.compile(r"(?<!\bnode)\.op\b|(?<!\bspace)\.info\b")

SAMPLE = '''
@dataclass(frozen=True, slots=True)
class New{base}({base}):
    """One more."""


'''


def with_sample(path: Path, union: str, base: str) -> None:
    """Add a class, `New` and the name of its base, to one of the unions of the core."""
    text = path.read_text(encoding="utf-8")
    head = re.search(rf"^{union}: TypeAlias = \(\n", text, re.MULTILINE)
    assert head is not None, f"{path.name} has no union {union}"
    sample = SAMPLE.format(base=base)
    text = text[: head.start()] + sample.lstrip("\n") + head[0] + f"    New{base} |" + text[head.end() :]
    path.write_text(text, encoding="utf-8")


def told(folder: Path) -> str:
    """What mypy says of some readers, once there is one operator, one statement and one sort of line more."""
    for name in ("dsl", "runtime", "compiler"):
        shutil.copytree(ROOT / name, folder / "rulewright" / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "rulewright" / "__init__.py", folder / "rulewright")
    core = folder / "rulewright" / "compiler" / "core"
    for file, union, base in READERS:
        with_sample(core / file, union, base)
    asked = [x for name in PROVED for x in ("-m", f"rulewright.{name}")]
    options = ["--config-file=", "--follow-imports=silent", "--ignore-missing-imports", "--no-color-output"]
    made = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "--cache-dir", str(folder / "cache"), *asked],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert made.returncode == 1, made.stdout + made.stderr
    return made.stdout


def test_a_new_class_is_missed_by_its_readers(tmp_path: Path) -> None:
    lines = told(tmp_path).splitlines()
    for (_, _, base), readers in READERS.items():
        named = {line.split(":")[0] for line in lines if "assert_never" in line and f'"New{base}"' in line}
        paths = {f"rulewright/{name.replace('.', '/')}.py" for name in readers if name in PROVED}
        assert paths and sorted(paths - named) == [], "\n".join(lines)


def test_every_reader_ends_in_assert_never() -> None:
    for name in {name for names in READERS.values() for name in names}:
        tree = ast.parse((ROOT / f"{name.replace('.', '/')}.py").read_text(encoding="utf-8"))
        last = [x.cases[-1] for x in ast.walk(tree) if isinstance(x, ast.Match)]
        assert any(ends_in_assert_never(case) for case in last), name


def ends_in_assert_never(case: ast.match_case) -> bool:
    match case:
        case ast.match_case(
            pattern=ast.MatchAs(pattern=None), body=[*_, ast.Expr(ast.Call(ast.Name("assert_never"), [ast.Name()]))]
        ):
            return True
        case _:
            return False


def test_no_node_of_the_core_goes_by_the_name_of_its_operator() -> None:
    kinds = [*get_args(c.AnyOperator), *get_args(c.Stmt), *get_args(LowStmt), *get_args(End)]
    assert len(kinds) > 100
    assert [kind.__name__ for kind in kinds if hasattr(kind, "op") or hasattr(kind, "info")] == []


def test_nobody_asks_for_the_name_of_an_operator() -> None:
    found = []
    for file in sorted([*(ROOT / "compiler").rglob("*.py"), *(ROOT / "editor").rglob("*.py")]):
        where, text = file.relative_to(ROOT), file.read_text(encoding="utf-8")
        found += [f"{where}:{i}: {x.strip()}" for i, x in enumerate(text.splitlines(), 1) if UNTYPED.search(x)]
        found += [f"{where}:{line}: a method whose name is put together" for line in put_together(text)]
    assert found == []


def put_together(text: str) -> list[int]:
    """Lines that pick a method of their own object by a name made at run time."""
    found = []
    for x in ast.walk(ast.parse(text)):
        match x:
            case ast.Call(ast.Name("getattr"), [ast.Name("self"), ast.JoinedStr() | ast.BinOp(), *_]):
                found.append(x.lineno)
            case _:
                pass
    return sorted(found)


def test_a_name_put_together_is_noticed() -> None:
    assert put_together('getattr(self, "_" + op)()\ngetattr(self, f"_{op}")\ngetattr(self, "plain")') == [1, 2]


def test_the_union_has_every_operator() -> None:
    kinds = {kind for kind in vars(c).values() if isinstance(kind, type) and issubclass(kind, c.Operator)}
    bases = {base for kind in kinds for base in kind.__bases__}
    assert kinds - bases == set(get_args(c.AnyOperator))
