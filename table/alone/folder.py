"""Write the folder that plays a book in the browser alone.

In:  a loaded rule set, the folder to write, and where the owner keeps Pyodide, if it is to be copied.
Out: pages, the compiled book with the runtime and the seat in one archive, the maps. The same bytes for the same input.

The archive holds what the table imports and nothing else: no compiler, no third-party package. It is found by importing
the table in a process where those cannot be imported.
"""

from __future__ import annotations

import dataclasses
import io
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rulewright.compiler.cli.faults import Usage
from rulewright.compiler.loader import Loaded, analysed
from rulewright.compiler.pages import map as drawing
from rulewright.compiler.pages.html import short
from rulewright.runtime import __file__ as runtime_init
from rulewright.runtime.automatic import AUTOMATIC
from rulewright.runtime.program import Program
from rulewright.runtime.telling.words import heading, plain

from ..pictures import Pictures

HERE = Path(__file__).parent
OTHERS = ("start.html", "start.js", "table.html", "wire.js")
"""What the page of the server has of its own; all else is the same here."""
PYODIDE = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.js",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
NEEDED = ("pyodide.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"
)
WALL = """
import sys, types
class Wall:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {outside}:
            raise ImportError(name)
sys.meta_path.insert(0, Wall())
sys.modules["sqlite3"] = types.ModuleType("sqlite3")
sys.modules["sqlite3"].Error = sys.modules["sqlite3"].DatabaseError = Exception
import rulewright.table.alone.room
for name, module in sorted(sys.modules.items()):
    if name.partition(".")[0] == "rulewright":
        print(name, module.__file__, sep="\\t")
"""
OUTSIDE = ("lark", "jinja2", "markupsafe", "cerberus", "prompt_toolkit", "starlette", "uvicorn", "websockets", "numba")
BEGUN = (1980, 1, 1, 0, 0, 0)


def write_folder(loaded: Loaded, folder: Path, pyodide: Path | None) -> None:
    """Write the folder; of Pyodide what is there already stays."""
    files = pages(loaded)
    files["game.zip"] = archive(loaded)
    if pyodide is not None and (missing := [x for x in NEEDED if not (pyodide / x).is_file()]):
        help = "name the folder of the npm package: npm pack pyodide, then unpack it"
        raise Usage(f"{pyodide} holds no Pyodide: {', '.join(missing)} is missing", help)
    (folder / "pyodide").mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    for name in PYODIDE if pyodide is not None else ():
        if pyodide is not None and (pyodide / name).is_file():
            shutil.copyfile(pyodide / name, folder / "pyodide" / name)


def pages(loaded: Loaded) -> dict[str, bytes]:
    """The files that the browser reads itself."""
    program = loaded.program
    shared = (x for x in sorted((HERE.parent / "page").iterdir()) if x.is_file() and x.name not in OTHERS)
    found = {x.name: x.read_bytes() for x in shared}
    own = sorted(x for x in (HERE / "page").iterdir() if x.is_file())
    found |= {x.name: x.read_bytes() for x in own}
    table = (HERE.parent / "page" / "table.html").read_text(encoding="utf-8")
    table = table.replace('="/page/', '="').replace('href="/"', 'href="index.html"')
    found["play.html"] = with_policy(table).encode()
    found["index.html"] = with_policy(found["index.html"].decode()).encode()
    for name in maps_of(program):
        pictures = Pictures(loaded, name)
        found[f"map{name and '-' + name}.svg"] = pictures.svg.encode()
        found[f"board{name and '-' + name}.json"] = as_json(pictures.board_data())
    found["book.json"] = as_json(about(loaded))
    return found


def with_policy(page: str) -> str:
    meta = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    return page.replace('<meta charset="utf-8">', f'<meta charset="utf-8">\n{meta}', 1)


def maps_of(program: Program) -> list[str]:
    return list(program.board.maps) or [""]


def about(loaded: Loaded) -> dict[str, Any]:
    """What the first page offers."""
    program, book = loaded.program, analysed(loaded).book
    assert book is not None
    return {
        "title": book.title or short(loaded.name),
        "rules": short(loaded.name),
        "hash": program.rules_hash[:12],
        "sides": [heading(program, "kind:side", side) for side in program.sides],
        "players": ["person", *AUTOMATIC],
        "scenarios": [[name, info.title or plain(name), info.map] for name, info in program.scenarios.items()],
        "maps": maps_of(program),
        "house": bool(program.house),
    }


def printed(loaded: Loaded) -> dict[str, Any]:
    """What the page's Python draws counters and marks from."""
    found: dict[str, Any] = {"rules": short(loaded.name), "package": package_of(loaded), "maps": {}}
    for name in maps_of(loaded.program):
        pictures = Pictures(loaded, name)
        found["maps"][name or next(iter(loaded.program.grounds))] = {
            "style": [
                {"about": x.about, "name": x.name, "value": x.value, "look": fields(x.look)}
                for x in pictures.style.lines
                if x.about in ("side", "unit", "counter", "hex", "hidden")
            ],
            "units": pictures.printed,
            "spots": [[p, x, y] for p, (x, y) in sorted(pictures.spots.items())],
            "signs": {field: [fields(x) for x in signs] for field, signs in pictures.signs.items()},
        }
    return found


def fields(value: Any) -> dict[str, Any]:
    return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}


def package_of(loaded: Loaded) -> str:
    return "book_" + "".join(c if c.isalnum() else "_" for c in loaded.program.name)


def as_json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


# ---------------------------------------------------------------- the archive


def archive(loaded: Loaded) -> bytes:
    """The compiled book, the runtime and the table, as one file."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in sorted(contents(loaded).items()):
            info = zipfile.ZipInfo(name, BEGUN)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(info, text, compresslevel=9)
    return data.getvalue()


def contents(loaded: Loaded) -> Mapping[str, bytes]:
    found = {"printed.json": as_json(printed(loaded))}
    found |= {name: path.read_bytes() for name, path in library()}
    package = package_of(loaded)
    for path in sorted(loaded.folder.rglob("*.py")):
        name = path.relative_to(loaded.folder).as_posix()
        if name != "kernels.py":
            found[f"{package}/{name}"] = path.read_bytes()
    return found


def library() -> Iterator[tuple[str, Path]]:
    """The modules of Rulewright that the table in the browser imports, and the whole runtime."""
    outside = repr(OUTSIDE)
    done = subprocess.run(
        [sys.executable, "-c", WALL.replace("{outside}", outside)], capture_output=True, text=True, check=True
    )
    for line in done.stdout.splitlines():
        name, _, file = line.partition("\t")
        path = Path(file)
        inside = name.replace(".", "/") + ("/__init__.py" if path.name == "__init__.py" else ".py")
        yield inside, path
    runtime = Path(runtime_init).parent
    for path in sorted(runtime.rglob("*.py")):
        yield f"rulewright/runtime/{path.relative_to(runtime).as_posix()}", path
    yield "rulewright/compiler/pages/map/symbols.svg", Path(drawing.__file__).with_name("symbols.svg")
