"""Faults that lead home: where in the rules an exception comes from, and what was asked there.

In:  an exception that passed through the modules of a compiled rule set.
Out: a `Fault` with the file, line and case of the rules, the question and whoever asked it, in the players' words.

The source map lies beside the modules (`map.json`) and is read when a fault happens, never before.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import lru_cache, wraps
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, NoReturn, ParamSpec, TypeVar

from ..notation import show
from ..problems import NONSENSE, Conflict, Fault, Refusal, rested
from ..program import Program

P = ParamSpec("P")
T = TypeVar("T")
MOST_ASKED = 4
MOST_WIDTH = 200


class Step(NamedTuple):
    """One function of a compiled module on the way to a fault, and the line that it had come to."""

    frame: FrameType
    line: int


def leads_home(work: Callable[P, T]) -> Callable[P, T]:
    """A function out of which faults come with their place in the rules."""

    @wraps(work)
    def run(*args: P.args, **named: P.kwargs) -> T:
        begin_anew(args)
        try:
            return work(*args, **named)
        except (Fault, *NONSENSE) as error:
            raise_located(error)

    return run


def begin_anew(args: tuple[Any, ...]) -> None:
    """Whoever asks a game something has the whole of what may be asked for one decision."""
    state = getattr(args[0], "state", None) if args else None
    if state is not None:
        rested(state)


def listed_home(listing: Callable[P, Iterator[T]]) -> Callable[P, Iterator[T]]:
    """The same of what is listed one by one."""

    @wraps(listing)
    def run(*args: P.args, **named: P.kwargs) -> Iterator[T]:
        try:
            yield from listing(*args, **named)
        except (Fault, *NONSENSE) as error:
            raise_located(error)

    return run


def raise_located(error: Exception, case: str = "") -> NoReturn:
    """Raise an exception on, with its place."""
    found = located(error, case)
    if found is error:
        raise error
    raise found from error


def located(error: Exception, case: str = "") -> Exception:
    """A fault with its place; an exception that did not come from compiled rules stays what it is."""
    steps = steps_of(error)
    if isinstance(error, Fault):
        fault = error
    elif not isinstance(error, Refusal) and (steps or (case and isinstance(error, NONSENSE))):
        fault = Fault("a value that a rule asks for is not there", case)
    else:
        return error
    if fault.where or not steps:
        return fault
    atlas, module = atlas_of(steps[-1].frame)
    rows = rows_at(atlas, module, steps[-1])
    told = [x for x in (question(atlas, step) for step in reversed(steps)) if x]
    asked = list(dict.fromkeys(told))[:MOST_ASKED]
    fault.asked = asked[0] if asked else ""
    notes: list[str] = []
    if rows:
        _, fault_case, file, line, _ = rows[0]
        name = atlas["files"][file]
        fault.case, fault.where = fault.case or fault_case, f"{name}:{line}"
        text = atlas["text"].get(name, {}).get(str(line), "")
        notes += [f"{fault.where} | {text}"] if text else []
        others = {r[1]: f"{r[1]} ({atlas['files'][r[2]]}:{r[3]})" for r in rows[1:] if r[1] != fault_case}
        notes += [f"in the same line: {', '.join(others.values())}"] if others else []
    if isinstance(fault, Conflict):
        notes = disagreement(fault, atlas, steps[-1].frame)
    notes += [f"asked by {x}" for x in asked[1:]]
    fault.notes = (*notes, *fault.notes)
    return fault


def disagreement(fault: Conflict, atlas: dict[str, Any], frame: FrameType) -> list[str]:
    """Both exceptions of a conflict with their files and lines, and what each of them gives."""
    state = frame.f_locals.get("S")
    notes = []
    for case, value in fault.between:
        element = f"{case} {fault.about}"
        rows = [r for rows in atlas["modules"].values() for r in rows if r[4] == element]
        place = f"{atlas['files'][rows[0][2]]}:{rows[0][3]}" if rows else ""
        if case == fault.case and place:
            fault.where = place
        shown = repr(value)
        if state is not None:
            shown = shown_value(state.program, state.program.signature(fault.about)[1], value)
        notes.append(f"{case} ({place}) gives {shown}" if place else f"{case} gives {shown}")
    return notes


def steps_of(error: BaseException) -> list[Step]:
    """The functions of compiled modules that an exception passed through, the innermost last."""
    found: list[Step] = []
    inner: BaseException | None = error
    while inner is not None:
        mine, entry = [], inner.__traceback__
        while entry is not None:
            file = entry.tb_frame.f_code.co_filename
            if Path(file).name.startswith("chapter_") and folder_of(file) is not None:
                mine.append(Step(entry.tb_frame, entry.tb_lineno))
            entry = entry.tb_next
        found = mine or found
        inner = inner.__cause__
    return found


@lru_cache(maxsize=512)
def folder_of(file: str) -> Path | None:
    """The folder of a compiled package, from one of its modules."""
    folder = Path(file).parent
    folder = folder.parent if folder.name == "traced" else folder
    return folder if (folder / "map.json").is_file() else None


def atlas_of(frame: FrameType) -> tuple[dict[str, Any], str]:
    """The source map of a package, and the name of a module in it."""
    path = Path(frame.f_code.co_filename)
    folder = folder_of(str(path))
    assert folder is not None
    return read_atlas(folder), f"traced/{path.stem}" if path.parent != folder else path.stem


@lru_cache(maxsize=4)
def read_atlas(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "map.json").read_text(encoding="utf-8"))
    return found


def rows_at(atlas: dict[str, Any], module: str, step: Step) -> list[list[Any]]:
    """Where a line comes from: what is known of it, or of the nearest line above it in its function."""
    rows = atlas["modules"].get(module, ())
    first = step.frame.f_code.co_firstlineno
    near = max((r[0] for r in rows if first <= r[0] <= step.line), default=None)
    if near is None:
        near = min((r[0] for r in rows if r[0] >= first), default=None)
    return [r for r in rows if r[0] == near]


def question(atlas: dict[str, Any], step: Step) -> str:
    """What a function was asked, as players see it; nothing where it is no question of its own."""
    frame = step.frame
    _, module = atlas_of(frame)
    name, state = frame.f_code.co_name, frame.f_locals.get("S")
    params = atlas["asked"].get(module, {}).get(name)
    if params is None or state is None:
        return ""
    values = {**frame.f_locals.get("L", {}), **frame.f_locals}
    told = [(word.rstrip("_"), shown_value(state.program, type, values.get(word))) for word, type in params]
    plain = name.partition("__")[0]
    if plain not in state.program.values and plain.removeprefix("rule_") in state.program.values:
        plain = plain.removeprefix("rule_")  # an author's name that Python has another use for
    text = f"{plain}({', '.join(f'{word}: {value}' for word, value in told)})"
    return text if len(text) <= MOST_WIDTH else f"{text[: MOST_WIDTH - 1]}…"


def shown_value(program: Program, type: str, value: Any) -> str:
    """A value as players see it."""
    try:
        return show(program, type, value)
    except NONSENSE:
        return "…"
