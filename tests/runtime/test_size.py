"""The runtime is small: growth is a decision, taken by raising a number here. It is a guide, not a reason to hide code."""

import ast
import io
import tokenize
from pathlib import Path

import rulewright.runtime

FOLDER = Path(rulewright.runtime.__file__).parent
MOST = 7430
MOST_IN_A_MODULE = 320

BLANK = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def code_lines(path: Path) -> int:
    """Lines that hold code: no blank lines, no comments, no docstrings."""
    text = path.read_text(encoding="utf-8")
    told: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            told.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    found: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in BLANK:
            found.update(range(token.start[0], token.end[0] + 1))
    return len(found - told)


def test_the_runtime_stays_small():
    sizes = {str(path.relative_to(FOLDER)): code_lines(path) for path in sorted(FOLDER.rglob("*.py"))}
    assert sum(sizes.values()) <= MOST, sizes
    assert {name: n for name, n in sizes.items() if n > MOST_IN_A_MODULE} == {}


def test_only_code_counts(tmp_path):
    path = tmp_path / "a.py"
    path.write_text(
        '"""Two\nlines."""\n\n# a comment\n\n\ndef f():\n    """Said."""\n    return (\n        1,  # one\n    )\n'
    )
    assert code_lines(path) == 4
