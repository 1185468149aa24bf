"""The typed core: a new operator makes the type checker list every reader that must learn it."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

# Modules that treat operators case by case; each ends its `match` in `assert_never`.
OPERATOR_READERS = (
    "compiler.analyse.bounds",
    "compiler.analyse.dependencies",
    "compiler.analyse.inline",
    "compiler.analyse.value_ranges",
    "compiler.check.loops",
    "compiler.diff.polarity",
    "compiler.diff.touched",
    "compiler.diff.whom",
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
    "compiler.diff.touched",
    "compiler.interpret.flow",
    "compiler.witness.reads",
)
LINE_READERS = ("compiler.examples.run", "compiler.interpret.worked")
# The readers of each union of the core: its file, its name, and the base of its members.
READERS = {
    ("expressions.py", "Expr", "Operator"): OPERATOR_READERS,
    ("statements.py", "Stmt", "Statement"): STATEMENT_READERS,
    ("example_lines.py", "ExampleLine", "Line"): LINE_READERS,
}

# Rooms and modules that know operators and statements by their classes alone.
TYPED = (
    "compiler/core",
    "compiler/elaborate",
    "compiler/analyse",
    "compiler/check",
    "compiler/index.py",
    "compiler/simulate.py",
    "compiler/examples",
    "compiler/interpret",
    "compiler/pages",
    "compiler/diff",
    "compiler/witness",
    "compiler/doc",
    "compiler/cli",
    "editor",
)
# Where the properties stand that mimic names of operators, as long as other rooms ask for them.
MIMICS = {"compiler/core/expressions.py", "compiler/core/statements.py"}
# A syntax node has an `op`, a choice space of the runtime an `info`.
UNTYPED = re.compile(r"(?<!\bnode)\.op\b|(?<!\bspace)\.info\b|getattr\(self, f?[\"']_")

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
    """What mypy says of the readers, once there is one operator, one statement and one sort of line more."""
    for name in ("dsl", "runtime", "compiler"):
        shutil.copytree(ROOT / name, folder / "rulewright" / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "rulewright" / "__init__.py", folder / "rulewright")
    core = folder / "rulewright" / "compiler" / "core"
    for file, union, base in READERS:
        with_sample(core / file, union, base)
    modules = sorted({name for names in READERS.values() for name in names})
    asked = [x for name in modules for x in ("-m", f"rulewright.{name}")]
    options = ["--config-file=", "--follow-imports=silent", "--ignore-missing-imports", "--no-color-output"]
    made = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "--cache-dir", str(folder / "cache"), *asked],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert made.returncode == 1, made.stdout + made.stderr
    return made.stdout


def test_a_new_class_is_missed_by_every_reader(tmp_path: Path) -> None:
    lines = told(tmp_path).splitlines()
    for (_, _, base), readers in READERS.items():
        named = {line.split(":")[0] for line in lines if "assert_never" in line and f'"New{base}"' in line}
        paths = {f"rulewright/{name.replace('.', '/')}.py" for name in readers}
        assert sorted(paths - named) == [], "\n".join(lines)


def test_typed_rooms_ask_no_operator_for_its_name() -> None:
    found = []
    for name in TYPED:
        path = ROOT / name
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            where = str(file.relative_to(ROOT))
            lines = enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
            found += [f"{where}:{i}: {x.strip()}" for i, x in lines if where not in MIMICS and UNTYPED.search(x)]
    assert found == []
