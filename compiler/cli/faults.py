"""What is said when a command cannot go on, and with which exit code it ends.

1: the rules, a save or a rule set say no. 2: what was typed is at fault. 3: Rulewright is at fault; the
traceback goes to a file, and one line says so.
"""

from __future__ import annotations

import difflib
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Iterable
from pathlib import Path


class Usage(Exception):
    """Something typed that cannot be meant: one line, and what to do next."""

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message)
        self.message, self.help = message, help


def text_of(path: Path) -> str:
    """The text of a file that was named; anything but a file of UTF-8 text is a mistake in naming it."""
    if path.exists() and not path.is_file():
        raise Usage(f"{path} is no file", "check the name")
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise Usage(f"{path} is not UTF-8 text", "check the name, or save it as UTF-8") from None


def near(word: str, known: Iterable[str], what: str) -> str:
    """The nearest known names, or all of them where none is near."""
    names = list(known)
    found = difflib.get_close_matches(word, names, n=3)
    if found:
        return "did you mean " + " or ".join(f'"{name}"' for name in found) + "?"
    return f"{what}: " + ", ".join(names) if names else f"there are no {what}"


def told(error: Exception, words: list[str]) -> int:
    """Say what went wrong; the exit code."""
    from rulewright.dsl.render import render_text
    from rulewright.runtime.journal import SaveProblem
    from rulewright.runtime.problems import Fault, Refusal
    from rulewright.runtime.telling.faults import located

    from ..loader import NotCompiled

    error = located(error)
    match error:
        case Usage():
            say(error.message, error.help)
            return 2
        case NotCompiled():
            say(render_text([d for d in error.diagnostics if d.severity == "error"]))
            return 1
        case SaveProblem():
            say(error.message, error.help)
            return 1
        case Refusal():
            say(str(error))
            return 1
        case Fault():
            say(f"the rules cannot go on: {error}")
            for line in error.notes:
                say(f"  {line}")
            return 1
        case OSError() if error.filename is not None or error.errno is not None:
            say(f"{error.filename or 'a file'}: {error.strerror or error}")
            return 2
        case _:
            return our_fault(error, words)


def our_fault(error: Exception, words: list[str]) -> int:
    """One line, and the traceback in a file."""
    first = (str(error).splitlines() or [""])[0][:120]
    what = f"{type(error).__name__}: {first}".rstrip(": ")
    path = write_traceback(error, words)
    where = f"the traceback is in {path}" if path is not None else "the traceback could not be written"
    say(f"this is Rulewright's fault, not yours: {what}; {where}")
    return 3


def write_traceback(error: Exception, words: list[str]) -> Path | None:
    """A file with the command and the traceback, in the cache or, where that cannot be written, among the temporary."""
    import rulewright
    from rulewright.dsl.cache import cache_directory

    text = f"rulewright {rulewright.__version__}, Python {sys.version.split()[0]}\n{' '.join(words)}\n\n"
    text += "".join(traceback.format_exception(error))
    name = f"fault-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
    for folder in (cache_directory() / "faults", Path(tempfile.gettempdir())):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8", errors="backslashreplace")
            return folder / name
        except OSError:
            continue
    return None


def say(text: str, help: str = "") -> None:
    print(text, file=sys.stderr)
    if help:
        print(f"help: {help}", file=sys.stderr)
