"""Ask git about a repository without running anything that the repository holds.

In:  a folder, and the words of a reading git command.
Out: what git prints, as bytes.
Reports: `GitProblem`, one line about what is wrong and one about what to do.

No shell is involved. Only commands that read objects and refs are run; hooks, pagers, text filters and diff drivers are
not part of them. Missing objects of a partial clone are not fetched, for that would run a program that the
repository's configuration names.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

LOCAL = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CEILING_DIRECTORIES", "GIT_COMMON_DIR", "GIT_DIR", "GIT_EXTERNAL_DIFF",
    "GIT_GRAFT_FILE", "GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY", "GIT_PAGER", "GIT_PREFIX", "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE", "GIT_SSH",
    "GIT_SSH_COMMAND", "GIT_TRACE", "GIT_WORK_TREE",
)  # fmt: skip
"""Variables that lead git to another repository or program; a hook runs with some of them set."""
QUIET = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


class GitProblem(Exception):
    """A repository or revision that is not to be had: one line about it, and what to do next."""

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message)
        self.message, self.help = message, help


class Git:
    """Reads one repository; `top` is the folder that holds its working files."""

    def __init__(self, top: Path) -> None:
        self.top = top

    @staticmethod
    def at(folder: Path) -> Git | None:
        """The repository that a folder lies in; None where it lies in none."""
        done = call(folder, "rev-parse", "--show-toplevel")
        if done.returncode == 0 and done.stdout.strip():
            return Git(Path(os.fsdecode(done.stdout.rstrip(b"\r\n"))).resolve())
        said = words_of(done)
        if not said or "not a git repository" in said:
            return None
        raise GitProblem(f"git cannot read the repository of {folder}: {said}", "mend that, or compare two folders")

    def ask(self, *words: str, given: bytes | None = None) -> bytes | None:
        """What a command prints; None where git answers that there is no such thing."""
        done = call(self.top, *words, given=given)
        return done.stdout if done.returncode == 0 else None

    def read(self, *words: str, given: bytes | None = None) -> bytes:
        """What a command prints, which must work."""
        done = call(self.top, *words, given=given)
        if done.returncode != 0:
            raise GitProblem(f"git {words[0]} failed in {self.top}: {words_of(done)}", "run git fsck there")
        return done.stdout


def call(folder: Path, *words: str, given: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    """Run one git command in a folder."""
    program = shutil.which("git")
    if program is None:
        raise GitProblem("git is not installed", "install git, or compare two folders: rulewright diff OLD NEW")
    around = {name: value for name, value in os.environ.items() if name not in LOCAL}
    command = [program, "--no-pager", "-C", str(folder), "-c", "core.fsmonitor=false", *words]
    try:
        return subprocess.run(command, input=given or b"", capture_output=True, env={**around, **QUIET}, check=False)
    except (OSError, ValueError) as error:
        raise GitProblem(f"git cannot be run: {error}") from None


def words_of(done: subprocess.CompletedProcess[bytes]) -> str:
    """What git complains of, on one line."""
    lines = done.stderr.decode("utf-8", "backslashreplace").strip().splitlines()
    return lines[0].removeprefix("fatal: ") if lines else ""
