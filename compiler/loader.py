"""Load a rule set: compile when the text is newer, otherwise just import.

Generated modules live in a cache keyed by the hash of the rule set's text. They are verified before they run; modules
that were spoilt are made anew, and where the cache cannot be written they lie in a private folder for a while.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import types
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.dsl.cache import cache_directory, private_directory
from rulewright.dsl.diagnostics import Diagnostic
from rulewright.dsl.render import render_text
from rulewright.runtime import begin as games
from rulewright.runtime.problems import Refusal

from .cache.passed_checks import compiler_stamp
from .cache.verified_modules import Spoilt, import_sealed, read_sealed, write_modules
from .read.stamps import Stamp, read_stamp, stamp_file, write_stamp

if TYPE_CHECKING:
    from rulewright.runtime.game import Game
    from rulewright.runtime.program import Program
    from rulewright.runtime.telling.explain import Why

    from .pipeline import Compiled

PACKAGE = """\"\"\"A compiled rule set; PROGRAM plays on rulewright.runtime.\"\"\"

from rulewright.runtime.program import Program

from .rules import PROGRAM

__all__ = ["PROGRAM"]


def traced() -> Program:
    \"\"\"The twin of these rules that tells what it asks, imported on the first `why`.\"\"\"
    from .traced import PROGRAM

    return PROGRAM


PROGRAM.traced = traced
"""
TWIN = """\"\"\"The traced twin of a compiled rule set: the same functions, telling what they asked.\"\"\"

from .rules import PROGRAM

__all__ = ["PROGRAM"]
"""


LAST = "manifest.json"
"""The file of a compiled rule set that is written last: where it stands, all stand."""
Place = tuple[str, int, str, str, int, str]


class NotCompiled(Exception):
    """A rule set with errors; `diagnostics` says which."""

    def __init__(self, name: str, diagnostics: list[Diagnostic]) -> None:
        errors = [d for d in diagnostics if d.severity == "error"]
        super().__init__(f"{name} does not compile:\n" + render_text(errors))
        self.name, self.diagnostics = name, diagnostics

    def __reduce__(self) -> tuple[type[NotCompiled], tuple[str, list[Diagnostic]]]:
        return NotCompiled, (self.name, self.diagnostics)  # it crosses processes, and `args` holds the text alone


@dataclass(frozen=True, slots=True)
class Loaded:
    """A compiled rule set, ready to play."""

    name: str
    program: Program
    folder: Path
    places: tuple[Path, ...] = ()

    def new(self, scenario: str | None = None, seed: int = 0, readings: dict[str, str] | None = None) -> Game:
        """A game at its first decision."""
        from rulewright.runtime.begin import new_game

        return new_game(self.program, scenario, seed, readings)

    def explain(self, game: Game, text: str, side: str | None = None) -> Why:
        """How the value of any expression comes about in a game; with a side, as far as that side may know."""
        from rulewright.runtime.view import value_for

        from .evaluate.explain import explain

        if side is None:
            return explain(analysed(self), game, text)
        answer: Why = value_for(game, side, text)
        return answer

    def data(self) -> types.ModuleType:
        """The printed values of the rule set: map, counters, charts."""
        return importlib.import_module(f"{package_of(self.folder)}.data")

    def source_lines(self) -> list[Place]:
        """Where every line of the chapters comes from: module, line, case, file, line of the rules, element."""
        found = json.loads(read_sealed(self.folder, "map.json"))
        files = found["files"]
        return [
            (module, line, case, files[file], rules_line, element)
            for module, rows in found["modules"].items()
            if not module.startswith("traced/")
            for line, case, file, rules_line, element in rows
        ]

    def kernels(self, on: bool) -> bool:
        """Search a large map by machine code from now on, or not; says whether there is any to use."""
        if not (self.folder / "kernels.py").is_file():
            return False
        return bool(importlib.import_module(f"{package_of(self.folder)}.kernels").FAST.use(on))


_LOADED: dict[str, Loaded] = {}
_ANALYSED: dict[str, Compiled] = {}


def explain(loaded: Loaded, game: Game, text: str, side: str | None = None) -> Why:
    """How the value of any expression comes about in a game of a rule set."""
    return loaded.explain(game, text, side)


def analysed(loaded: Loaded) -> Compiled:
    """The core of a rule set that has been loaded, for those who ask more than its modules know."""
    from .pipeline import analyse

    found = _ANALYSED.get(loaded.folder.name)
    if found is None:
        found = analyse(loaded.name, loaded.places)
        if found.book is None or found.report.failed or found.digest != loaded.program.rules_hash:
            raise Refusal(f"the text of {loaded.name} has changed since it was loaded; load it again")
        _ANALYSED[loaded.folder.name] = found
    return found


def load(name: str, places: tuple[Path, ...] = (), folded: bool = True) -> Loaded:
    """The rule set `book+overlay+…`, compiled when its text has changed.

    Unless `folded`, every case has lines of its own in the module, for those who ask which of them ran.
    """
    _, folder = build(name, places, folded)
    known = _LOADED.get(folder.name)
    if known is not None:
        return known
    try:
        return remember(folder.name, name, folder, places)
    except (Spoilt, SyntaxError, ImportError, EOFError):  # a file in the cache is not as it was written
        _, folder = rebuild(name, places, folded)
        return remember(folder.name, name, folder, places)


def build(name: str, places: tuple[Path, ...] = (), folded: bool = True) -> tuple[str, Path]:
    """The hash of a rule set and where its modules are, written when its text has changed."""
    stamp = read_stamp(stamp_file(name, places, folded))
    return (stamp.digest, stamp.folder) if stamp is not None else rebuild(name, places, folded)


def rebuild(name: str, places: tuple[Path, ...] = (), folded: bool = True) -> tuple[str, Path]:
    """The same, compiled and written now."""
    from .pipeline import compile_book

    made = compile_book(name, places, folded)
    stamp = Stamp(made.digest, written(made))
    write_stamp(stamp_file(name, places, folded), stamp, made.sources, made.lookups)
    return stamp.digest, stamp.folder


def load_compiled(made: Compiled) -> Loaded:
    """A rule set that has been analysed already."""
    from .pipeline import finished

    folder = folder_of(made.digest, made.folded)
    known = _LOADED.get(folder.name)
    if known is not None:
        return known
    if (folder / LAST).is_file():
        try:
            return remember(folder.name, made.name, folder)
        except (Spoilt, SyntaxError, ImportError, EOFError):  # a file in the cache is not as it was written
            pass
    return remember(folder.name, made.name, written(finished(made)))


def written(made: Compiled) -> Path:
    """The folder with the modules of a rule set."""
    if made.emitted is None:
        raise NotCompiled(made.name, made.report.found)
    folder = folder_of(made.digest, made.folded)
    try:
        write(made, folder)
    except OSError:
        folder = private_directory() / "books" / folder.name
        write(made, folder)
    return folder


def write(made: Compiled, folder: Path) -> None:
    """Write the modules and the manifest, sealed; what is there already stays."""
    write_modules(folder, texts_of(made))


def write_out(made: Compiled, folder: Path) -> None:
    """Write them to a folder that somebody has named, to be used without the compiler."""
    for name, text in texts_of(made).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_bytes() != text.encode():
            path.write_bytes(text.encode())


def folder_of(digest: str, folded: bool) -> Path:
    return cache_directory() / "books" / f"{digest[:32]}-{compiler_stamp()}{'' if folded else '-unfolded'}"


def texts_of(made: Compiled) -> dict[str, str]:
    """The files of a compiled rule set: modules, source map and manifest."""
    from .manifest import manifest, source_map

    assert made.emitted is not None and made.book is not None
    return {
        **made.emitted.modules,
        "__init__.py": PACKAGE,
        "traced/__init__.py": TWIN,
        "map.json": source_map(made),
        LAST: manifest(made),
    }


def remember(key: str, name: str, folder: Path, places: tuple[Path, ...] = ()) -> Loaded:
    program = import_program(folder)
    made = Loaded(name, program, folder, places)
    program.explains = made.explain
    _LOADED[key] = made
    return made


def package_of(folder: Path) -> str:
    """The name under which the modules of a folder are imported."""
    return "rulewright_compiled_" + hashlib.sha256(str(folder).encode()).hexdigest()[:16]


def import_program(folder: Path) -> Program:
    """Import the modules of a compiled rule set from its folder, as `import NAME` does where that is on the path."""
    program: Program = import_sealed(package_of(folder), folder).PROGRAM
    return program


def find_program(name: str) -> Program:
    """The program of a rule set, for `resume`."""
    return load(name).program


games.FINDERS.append(find_program)
