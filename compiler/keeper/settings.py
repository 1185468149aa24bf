"""The settings of a keeper: a checked file beside the books.

In:  `rulewright.toml`, or the table `[tool.rulewright]` of `pyproject.toml`, in the present folder or the nearest one
     above it, up to the top of the repository; or the file that `--config` names.
Out: levels of severity, and what `diff` fails on, compares with and knows already.
Reports: `SettingsProblem`: what is wrong in which line of which table, and what may stand there.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cerberus import Validator

from .severity import CLASSES, DIRECTIONS, ELEMENTS, KINDS, LEVELS, Levels

VERDICTS = (*CLASSES, *DIRECTIONS, *LEVELS[:3])
LEVEL = {"type": "string", "allowed": list(LEVELS)}
TEXT = {"type": "string", "minlength": 1}
CASE = r"(?:[a-z_][A-Za-z0-9_]* (?=[0-9A-Z]|[a-z]+/))?[A-Za-z0-9](?:[A-Za-z0-9.()/_-]*[A-Za-z0-9)])?"


def levels_by(names: tuple[str, ...]) -> dict[str, Any]:
    return {"type": "dict", "keysrules": {"type": "string", "allowed": list(names)}, "valuesrules": LEVEL}


SCHEMA: dict[str, Any] = {
    "severity": {
        "type": "dict",
        "schema": {
            "default": LEVEL,
            "judgement": levels_by((*CLASSES, *DIRECTIONS)),
            "kind": levels_by(KINDS),
            "element": levels_by(ELEMENTS),
            "case": {"type": "dict", "keysrules": {"type": "string", "regex": CASE}, "valuesrules": LEVEL},
        },
    },
    "diff": {
        "type": "dict",
        "schema": {
            "fail-on": {"type": "list", "schema": {"type": "string", "allowed": list(VERDICTS)}},
            "baseline": TEXT,
            "ignore": TEXT,
            "git": TEXT,
        },
    },
}
NAMES = ("rulewright.toml", "pyproject.toml")


class SettingsProblem(Exception):
    """A file of settings that is not to be used: what is wrong, and what to do."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__(message)
        self.message, self.help = message, help


@dataclass(frozen=True, slots=True)
class Settings:
    """What a file of settings says; paths are those of files."""

    levels: Levels = field(default_factory=Levels)
    fail_on: tuple[str, ...] = ()
    baseline: Path | None = None
    ignore: Path | None = None
    git: str = ""
    path: Path | None = None


def settings(path: Path | None = None) -> Settings:
    """The settings of a file, or of the nearest one."""
    if path is not None:
        return made(path, tables_of(path))
    for near in around(Path.cwd()):
        table = tables_of(near)
        if table is not None:
            return made(near, table)
    return Settings()


def around(folder: Path) -> Iterator[Path]:
    """The files that may hold settings, nearest first, as far as the top of the repository."""
    for home in (folder, *folder.parents):
        yield from (home / name for name in NAMES if (home / name).is_file())
        if (home / ".git").exists():
            return


def read(path: Path) -> dict[str, Any]:
    """The tables of a file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise SettingsProblem(f"{path} is not UTF-8 text", "save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsProblem(f"{path} is no TOML: {error}", "a table is [name], a line is key = value") from None
    except RecursionError:
        raise SettingsProblem(f"{path} is nested too deeply", "a table is [name], a line is key = value") from None
    except OSError as error:
        raise SettingsProblem(f"{path}: {error.strerror or error}", "check the name") from None


def tables_of(path: Path) -> dict[str, Any] | None:
    """The tables of a file that are ours; None for a `pyproject.toml` that has none."""
    table = read(path)
    if path.name != "pyproject.toml":
        return table
    tool = table.get("tool", {})
    found = tool.get("rulewright") if isinstance(tool, dict) else None
    if found is not None and not isinstance(found, dict):
        raise SettingsProblem(f"{path}: tool.rulewright is no table", "write [tool.rulewright.severity]")
    return found


def made(path: Path, table: dict[str, Any] | None) -> Settings:
    """Settings from checked tables."""
    table = table or {}
    checker = Validator(SCHEMA)
    if not checker.validate(table):
        where, value = next(wrong(checker.errors, table))
        name = ".".join(where)
        raise SettingsProblem(f"{path}: {complaint(name, where, value)}", may_stand(where))
    severity, diff = table.get("severity", {}), table.get("diff", {})
    home = path.parent
    return Settings(
        levels=Levels(
            case=severity.get("case", {}),
            element=severity.get("element", {}),
            kind=severity.get("kind", {}),
            judgement=severity.get("judgement", {}),
            default=severity.get("default", ""),
        ),
        fail_on=tuple(diff.get("fail-on", ())),
        baseline=home / diff["baseline"] if "baseline" in diff else None,
        ignore=home / diff["ignore"] if "ignore" in diff else None,
        git=diff.get("git", ""),
        path=path,
    )


def wrong(errors: Any, table: Any, where: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The ways to what does not fit, with the values there, innermost."""
    for key, found in errors.items():
        value = table.get(key) if isinstance(table, dict) else None
        if isinstance(table, list) and isinstance(key, int) and key < len(table):
            value = table[key]
        inner = [x for x in found if isinstance(x, dict)]
        if inner and isinstance(value, dict | list):
            yield from wrong(inner[0], value, (*where, str(key)))
        else:
            yield (*where, str(key)), value


def known(where: tuple[str, ...]) -> tuple[str, ...] | None:
    """The names that may stand at a place; None where any may."""
    match where:
        case (_,):
            return tuple(SCHEMA)
        case ("severity" | "diff" as table, _):
            return tuple(SCHEMA[table]["schema"])
        case ("severity", "judgement" | "kind" | "element" as table, _):
            return tuple(SCHEMA["severity"]["schema"][table]["keysrules"]["allowed"])
    return None


def complaint(name: str, where: tuple[str, ...], value: Any) -> str:
    names = known(where)
    if names is not None and where[-1] not in names:
        return f'it does not know "{name}"'
    if where[:2] == ("severity", "case") and len(where) == 3 and value in LEVELS:
        return f'"{where[2]}" in severity.case is no case number'
    shown = repr(value) if len(repr(value)) <= 60 else repr(value)[:59] + "…"
    return f"{name} may not be {shown}"


def may_stand(where: tuple[str, ...]) -> str:
    """What may stand at a place instead."""
    names = known(where)
    if names is not None and where[-1] not in names:
        near = difflib.get_close_matches(where[-1], names, n=1)
        return (f'did you mean "{near[0]}"? ' if near else "") + "it knows: " + ", ".join(names)
    match where:
        case ("severity", "case", _):
            return 'write "12.3" = "error"; levels are ' + ", ".join(LEVELS)
        case ("severity" | "diff",) | ("severity", "judgement" | "kind" | "element" | "case"):
            return f"it is a table: [{'.'.join(where)}]"
        case ("severity", *_):
            return "levels are " + ", ".join(LEVELS)
        case ("diff", "fail-on", *_):
            return 'a list such as ["error"], of: ' + ", ".join(VERDICTS)
    return "write a text in quotes"
