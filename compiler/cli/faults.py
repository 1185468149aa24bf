"""Turn exceptions into messages and exit codes.

In:  an exception that ended a command.
Out: a message on standard error, and the exit code: 1 refused by the rules, a save or a rule set; 2 wrong usage;
     3 a bug in Rulewright, with the traceback in a file that the message names.
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
    """Wrong usage: one line that says what is wrong, and one that says what to do."""

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message)
        self.message, self.help = message, help


def text_of(path: Path) -> str:
    """The text of a file from the command line; Usage where it is a folder or not UTF-8."""
    if path.exists() and not path.is_file():
        raise Usage(f"{path} is no file", "check the name")
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise Usage(f"{path} is not UTF-8 text", "check the name, or save it as UTF-8") from None


def near(word: str, known: Iterable[str], what: str) -> str:
    """The known names most similar to a wrong one, or all of them where none is similar."""
    names = list(known)
    found = difflib.get_close_matches(word, names, n=3)
    if found:
        return "did you mean " + " or ".join(f'"{name}"' for name in found) + "?"
    return f"{what}: " + ", ".join(names) if names else f"there are no {what}"


def told(error: Exception, words: list[str]) -> int:
    """Print the message for an exception and return the exit code."""
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
    """Report a bug of ours: one line on the terminal, the traceback in a file."""
    first = (str(error).splitlines() or [""])[0][:120]
    what = f"{type(error).__name__}: {first}".rstrip(": ")
    path = write_traceback(error, words)
    where = f"the traceback is in {path}" if path is not None else "the traceback could not be written"
    say(f"this is Rulewright's fault, not yours: {what}; {where}")
    return 3


def write_traceback(error: Exception, words: list[str]) -> Path | None:
    """Write command and traceback to a file in the cache folder, or in the temporary folder if that is not writable."""
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


def wrong(text: str) -> int:
    """Say why nothing was done; the exit code of wrong usage."""
    say(text)
    return 2
