"""The runtime stands alone: all of it imports, and a compiled book plays, where the compiler cannot be imported."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
WALL = '''
import sys

BARRED = ("lark", "jinja2", "cerberus", "prompt_toolkit", "rulewright.compiler", "rulewright.dsl", "rulewright.editor")


class Wall:
    """Refuses every import of what lies beyond the runtime."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in BARRED or name.startswith(tuple(f"{barred}." for barred in BARRED)):
            raise ImportError(f"{name} is beyond the wall")
        return None


sys.meta_path.insert(0, Wall)
for barred in BARRED:
    assert barred not in sys.modules
    try:
        __import__(barred)
    except ImportError as error:
        assert "beyond the wall" in str(error)
    else:
        raise AssertionError(f"{barred} can be imported")
'''
EVERY_MODULE = '''
import importlib
import json
import pkgutil

import rulewright.runtime

walked = pkgutil.walk_packages(rulewright.runtime.__path__, "rulewright.runtime.")
names = [importlib.import_module(found.name).__name__ for found in walked]
print(json.dumps(names))
'''
A_GAME = '''
import importlib
import json

folder, name, scenario = sys.argv[1:]
sys.path.insert(0, folder)
program = importlib.import_module(name).PROGRAM

from rulewright.runtime import RandomPlayer, new_game, play, resume

game = new_game(program, scenario or None, seed=5)
players = {side: RandomPlayer(i) for i, side in enumerate(program.sides)}
play(game, players, most=7)
choice = next(game.legal())
told = game.why(choice)
assert told.legal, told
game.save("game.save")
again = resume("game.save", lambda rules: program)
assert again.digest() == game.digest()
play(again, players)
assert again.over
print(json.dumps([str(told), len(again.journal)]))
'''


def run(code, *words, folder=None):
    done = subprocess.run([sys.executable, "-c", WALL + code, *words], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_module_of_the_runtime_imports_behind_the_wall():
    files = {".".join(p.relative_to(ROOT).with_suffix("").parts) for p in (ROOT / "runtime").rglob("*.py")}
    expected = {f"rulewright.{name.removesuffix('.__init__')}" for name in files} - {"rulewright.runtime"}
    assert set(run(EVERY_MODULE)) == expected
    assert len(expected) > 20


def test_the_wall_holds():
    """A wall that lets something through would prove nothing."""
    for code in ("import rulewright.compiler.cli.main", "from rulewright.dsl import nodes", "import lark.parsers"):
        done = subprocess.run([sys.executable, "-c", f"{WALL}\n{code}"], capture_output=True, text=True)
        assert done.returncode == 1 and "beyond the wall" in done.stderr


@pytest.mark.parametrize(
    ("book", "scenario", "asked"),
    [
        (str(ROOT / "tests" / "books" / "skirmish.rules"), "", "[4 Battle]"),
        ("trc", "battle", "[12.3/b1"),
    ],
)
def test_a_compiled_book_plays_behind_the_wall(book, scenario, asked, tmp_path):
    code = "import sys; from rulewright.compiler.cli.main import main; sys.exit(main(sys.argv[1:]))"
    compiled = subprocess.run(
        [sys.executable, "-c", code, "compile", book, "-o", "compiled"], cwd=tmp_path, capture_output=True, text=True
    )
    assert compiled.returncode == 0, compiled.stderr
    folder, name = Path(compiled.stdout.strip()).parent, Path(compiled.stdout.strip()).name
    told, events = run(A_GAME, str(folder), name, scenario, folder=tmp_path)
    assert events > 7
    assert told.splitlines()[0].endswith(": legal")
    assert asked in told, "the traced twin tells what the rules asked"
