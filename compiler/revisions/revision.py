"""A rule set as it stood at a revision: which repository, which commit, under which name.

In:  the name of a rule set, and a ref: a branch, tag or hash, or a day.
Out: a `Revision`: the folder of that commit's rules files, and the name under which the rule set is read there.
Reports: `GitProblem`: no repository, no such revision, no commit by that day, no such book in it.

The rule set is read as if one stood in a checkout of that commit, in the same folder as now: its overlays, the book it
stands on and the libraries it uses come from that commit too. What lies outside the repository, such as an installed
book, is taken as it stands today, and `outside` names it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from rulewright.runtime.program import Program

from ..loader import Loaded, load
from ..pipeline import Compiled, analyse
from ..read.library import Source, find_book
from ..read.sources import split_name
from .git import Git, GitProblem
from .tree import laid_out

DAY = re.compile(r"[0-9]{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01]))?)?")
REFS = ("refs/", "refs/tags/", "refs/heads/", "refs/remotes/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A rule set at a commit, or as it stands now; `name` reads it while one is `inside`."""

    name: str
    shown: str
    ref: str = ""
    commit: str = ""
    folder: Path | None = None
    root: Path | None = None
    """The folder that stands for the present one, and the one that stands for the top of the repository."""
    outside: tuple[str, ...] = ()
    """The words of the name that lead out of the repository."""
    links: tuple[str, ...] = ()
    """Links of the commit that lead out of it and were left out."""

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Stand in the folder of the commit that stands for the present one."""
        here = os.getcwd()
        os.chdir(self.folder or here)
        try:
            yield
        finally:
            os.chdir(here)

    def path(self, file: str) -> str | None:
        """The path of a file from the top of the repository, or from here where there is none; None for one outside."""
        here = self.folder or Path.cwd()
        top = self.root or next((x for x in (here, *here.parents) if (x / ".git").exists()), here)
        real, home = Path(os.path.realpath(here / file)), os.path.realpath(top)
        return real.relative_to(home).as_posix() if real.is_relative_to(home) else None

    def analysed(self) -> Compiled:
        """The rule set up to the checked core, under the name that a reader knows it by."""
        with self.inside():
            return replace(analyse(self.name), name=self.shown)

    def loaded(self, folded: bool = True) -> Loaded:
        """The rule set, compiled."""
        with self.inside():
            return load(self.name, folded=folded)

    def program(self) -> Program:
        """What plays it."""
        return self.loaded().program


def present(name: str) -> Revision:
    """A rule set as it stands now."""
    return Revision(name=name, shown=name)


def revision(name: str, ref: str) -> Revision:
    """A rule set at a revision."""
    here = Path.cwd().resolve()
    book, overlays, day = split_name(name)
    sources = {word: source for word in (book, *overlays) if (source := find_book(word)) is not None}
    git = repository(book, sources, here)
    commit = commit_of(git, ref)
    root, links = laid_out(git, commit)
    standing = root / here.relative_to(git.top) if here.is_relative_to(git.top) else root
    standing.mkdir(parents=True, exist_ok=True)
    made = {}
    for word in (book, *overlays):
        path = place(sources[word]) if word in sources else named_path(word, here)
        if path is not None and path.is_relative_to(git.top) and (word == book or written_out(word)):
            made[word] = root / path.relative_to(git.top)
            check_held(git, word, path, made[word], ref, "book" if word == book else "overlay")
    first = str(made.get(book, book))
    return Revision(
        name="+".join((f"{first}@{day}" if day else first, *(str(made.get(word, word)) for word in overlays))),
        shown=f"{name} at {ref}",
        ref=ref,
        commit=commit,
        folder=standing,
        root=root,
        outside=tuple(word for word in sources if not place(sources[word]).is_relative_to(git.top)),
        links=tuple(links),
    )


def place(source: Source) -> Path:
    """The file or folder of a source, by the real path of the folder around it."""
    one = source.files[0] if len(source.files) == 1 and source.files[0].stem == source.name else source.root
    path = Path(os.path.abspath(one))
    return Path(os.path.realpath(path.parent)) / path.name


def named_path(word: str, here: Path) -> Path | None:
    """The path that a word writes out, be there a file or not."""
    return Path(os.path.normpath(here / word)) if written_out(word) else None


def written_out(word: str) -> bool:
    """Whether a word is a path; any other may be an overlay inside its book, and is looked for from the folder."""
    return word.endswith(".rules") or "/" in word or word in (".", "..")


def check_held(git: Git, word: str, path: Path, then: Path, ref: str, what: str) -> None:
    """That a book or overlay of the repository was in it then: nothing else may stand in for it."""
    if find_book(str(then)) is not None:
        return
    asked = ("rev-list", "--format=%h of %cs", "HEAD", "--", f":(top,literal){path.relative_to(git.top).as_posix()}")
    came = [x for x in (git.ask(*asked) or b"").decode("ascii", "replace").splitlines() if not x.startswith("commit ")]
    help = f"it came with commit {came[-1]}" if came else "it has never been committed"
    raise GitProblem(f'there is no {what} "{word}" at {ref}', help)


def repository(book: str, sources: dict[str, Source], here: Path) -> Git:
    """The repository that holds the rule set: that of the present folder before another."""
    homes = dict.fromkeys(x if (x := place(source)).is_dir() else x.parent for source in sources.values())
    tops = [git for home in homes if (git := Git.at(home)) is not None]
    mine = Git.at(here)
    if mine is not None and (book not in sources or any(git.top == mine.top for git in tops)):
        return mine
    if tops:
        return tops[0]
    if book not in sources:
        raise GitProblem(f'there is no book "{book}", and this folder is in no git repository', "check the name")
    raise GitProblem(f"{book} is in no git repository", "without --git, diff compares two folders or files")


def commit_of(git: Git, ref: str) -> str:
    """The commit that a ref names, or the last one of the present branch by a day."""
    if not ref or ref.startswith("-") or not ref.isprintable():
        help = "name a tag, a branch, a hash or a day: --git v1.0, --git 2026-05-01"
        raise GitProblem(f"{ref!r} is no revision", help)
    if DAY.fullmatch(ref) and not any(verified(git, prefix + ref) for prefix in REFS):
        return by_day(git, ref)
    commit = verified(git, ref)
    if commit is None:
        raise GitProblem(f'the repository {git.top} has no revision "{ref}"', nearest(git, ref))
    return commit


def verified(git: Git, ref: str) -> str | None:
    found = git.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    return found.decode("ascii").strip() if found is not None else None


def by_day(git: Git, day: str) -> str:
    """The last commit of the present branch up to the end of a day, by the clock of Greenwich."""
    from datetime import date

    year, month, number = (*map(int, day.split("-")), 1, 1)[:3]
    try:
        end = f"{date(year, month, number).isoformat()}T23:59:59Z"
    except ValueError:
        raise GitProblem(f"there is no day {day}", "write 2026-05-01, 2026-05 or 2026") from None
    if verified(git, "HEAD") is None:
        raise GitProblem(f"the repository {git.top} has no commit yet", "commit the book first")
    found = git.read("rev-list", "-1", "--first-parent", f"--before={end}", "HEAD").decode("ascii").strip()
    if found:
        return found
    first = git.read("rev-list", "--first-parent", "--format=%cs", "HEAD").decode("ascii").split()[-1]
    message = f"the repository {git.top} has no commit by {day}; its first is of {first}"
    raise GitProblem(message, shallow(git) or f"name {first} or a later day")


def nearest(git: Git, ref: str) -> str:
    """What to do about an unknown ref."""
    import difflib

    listed = git.ask("for-each-ref", "--format=%(refname:short)", "refs/tags", "refs/heads", "refs/remotes")
    names = listed.decode("utf-8", "replace").split() if listed is not None else []
    near = difflib.get_close_matches(ref, names, n=3)
    if near:
        return "did you mean " + " or ".join(f'"{x}"' for x in near) + "?"
    return shallow(git) or "git tag and git branch --all list the names"


def shallow(git: Git) -> str:
    """What to do where a clone holds the last commits only, as hosted builds make it."""
    if (git.ask("rev-parse", "--is-shallow-repository") or b"").strip() == b"true":
        return "this clone holds the last commits only: git fetch --unshallow --tags (in a workflow: fetch-depth: 0)"
    return ""
