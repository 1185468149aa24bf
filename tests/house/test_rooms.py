"""The rooms of the compiler: data flows one way through them, and so do imports."""

import importlib.util
from collections import Counter
from pathlib import Path

spec = importlib.util.spec_from_file_location("rulewright_test_imports", Path(__file__).with_name("imports.py"))
imports = importlib.util.module_from_spec(spec)
spec.loader.exec_module(imports)

# In the order in which data flows; a module imports from its own room and from rooms before it.
ROOMS = (
    "core",
    "cache",
    "read",
    "overlay",
    "elaborate",
    "analyse",
    "check",
    "words",
    "emit",
    "interpret",
    "passes",
    "pipeline",
    "manifest",
    "compiled",
    "evaluate",
    "loader",
    "index",
    "players",
    "examples",
    "provenance",
    "pages",
    "revisions",
    "playtest",
    "diff",
    "carry",
    "witness",
    "sheet",
    "compare",
    "doc",
    "edition",
    "drift",
    "keeper",
    "seat",
    "replay",
    "cli",
)
MAY_USE = {
    "dsl": {"dsl"},
    "runtime": {"runtime"},
    "compiler": {"dsl", "runtime", "compiler"},
    "editor": {"dsl", "runtime", "compiler", "editor"},
    "table": {"dsl", "runtime", "compiler", "table"},
    "adapters": {"runtime", "compiler", "adapters"},
}
MOST_MODULES = 23
# Modules of a compiled rule set are imported by the name of their folder; nothing else is.
COMPUTED = {
    "compiler.cache.verified_modules",
    "compiler.compiled",
    "compiler.examples.in_memory",
    "compiler.loader",
    "compiler.witness.load_mixed",
    "table.alone.room",
}


def room(module: str) -> str:
    """The room of a module of the compiler; "" for the package itself."""
    return module.split(".")[1] if "." in module else ""


def test_every_module_of_the_compiler_is_in_a_room():
    found = {room(m) for m in imports.modules() if m.startswith("compiler.")}
    assert found == set(ROOMS)


def test_imports_run_one_way_through_the_rooms():
    rank = {name: i for i, name in enumerate(ROOMS)}
    against = [
        str(e)
        for e in imports.edges()
        if e.source.startswith("compiler.")
        and e.target.startswith("compiler.")
        and rank[room(e.target)] > rank[room(e.source)]
    ]
    assert against == []


def test_imports_run_one_way_between_folders():
    against = [
        str(e)
        for e in imports.edges()
        if e.target != imports.COMPUTED and e.target.split(".")[0] not in MAY_USE[e.source.split(".")[0]]
    ]
    assert against == []


def test_no_module_imports_in_a_circle():
    """Typing-only and lazy imports count: a circle between two modules is one idea in two places."""
    known = imports.modules()
    packages = {m for m, path in known.items() if path.name == "__init__.py"}
    graph: dict[str, set[str]] = {}
    for e in imports.edges():
        if e.target != imports.COMPUTED and e.target not in packages and e.source not in packages:
            graph.setdefault(e.source, set()).add(e.target)
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join((*path[path.index(name) :], name))
        if name in done:
            return
        for target in sorted(graph.get(name, ())):
            visit(target, (*path, name))
        done.add(name)

    for name in sorted(graph):
        visit(name, ())


def test_only_compiled_rule_sets_are_imported_by_computed_names():
    found = {e.source for e in imports.edges() if e.target == imports.COMPUTED}
    assert found <= COMPUTED


def test_no_folder_is_crowded():
    found = Counter(path.parent for path in imports.modules().values() if path.name != "__init__.py")
    assert {str(folder): n for folder, n in found.items() if n > MOST_MODULES} == {}


def test_the_walk_sees_every_sort_of_import(tmp_path):
    """A module with each trick in it: none stays unseen."""
    folder = tmp_path / "dsl"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "tricks.py").write_text(
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from rulewright.compiler import load\n"
        "def late():\n    import rulewright.runtime.game\n    from . import other\n"
        "def computed(name):\n    import importlib\n    importlib.import_module('rulewright.' + name)\n"
        "    return __import__('rulewright.editor')\n"
    )
    (folder / "other.py").write_text("")
    found = {e.target for e in imports.edges(tmp_path)}
    assert found == {"compiler", "runtime", "dsl.other", imports.COMPUTED, "editor"}
