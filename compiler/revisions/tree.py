"""The rules files of a commit, written into a folder.

In:  a repository and a commit.
Out: a folder with every `.rules` file of that commit at its path, and nothing else.
Reports: `GitProblem` of a file that is too large or an object that is missing.

Objects are read as they were stored: nothing is checked out, no filter runs, no submodule is entered. A path that would
leave the folder is left out, and so is a link that leads out of it.
"""

from __future__ import annotations

import os
import shutil
import time
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from rulewright.dsl.cache import cache_directory

from .git import Git, GitProblem

LARGEST = 16 << 20
"""No rules file has so many bytes."""
KEPT = 12
"""So many folders of revisions stay in the cache; older ones go after a day."""
DAY = 24 * 3600
HALF = ".rulewright-"
"""How the name of a file begins that is being written."""
FILE, LINK = ("100644", "100755", "100664"), "120000"


@dataclass(frozen=True, slots=True)
class Held:
    """One entry of a commit's tree: a file or a link."""

    path: str
    link: bool
    object: str


def laid_out(git: Git, commit: str) -> tuple[Path, list[str]]:
    """The folder with the rules files of a commit, and the links that were left out for where they lead."""
    home = cache_directory() / "revisions"
    folder = (home / commit[:24] / (git.top.name or "root")).resolve()
    held = entries(git, commit)
    contents = objects(git, held)
    files = {x.path: contents[x.object] for x in held if not x.link}
    links = {x.path: os.fsdecode(contents[x.object]) for x in held if x.link}
    folder.mkdir(parents=True, exist_ok=True)
    remove_others(folder, {*files}, links)
    for path, content in files.items():
        write(folder / path, content)
    outside = lay_links(folder, links)
    os.utime(folder.parent)
    prune(home, folder.parent)
    return folder, outside


def entries(git: Git, commit: str) -> list[Held]:
    """The rules files of a commit, and its links, which may lead to some."""
    found = []
    for line in git.read("ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0"):
        head, _, name = line.partition(b"\t")
        if not name:
            continue
        mode, _, object = head.decode("ascii").split()
        path = os.fsdecode(name)
        if inside(path) and (mode == LINK or (mode in FILE and path.endswith(".rules"))):
            found.append(Held(path, mode == LINK, object))
    return found


def inside(path: str) -> bool:
    """Whether a path of a tree stays in the folder that the tree is laid out in; a forged tree may hold any name."""
    parts = path.split("/")
    return not path.startswith("/") and "\\" not in path and all(x not in ("", ".", "..") for x in parts)


def objects(git: Git, held: list[Held]) -> dict[str, bytes]:
    """The contents of the entries by object."""
    wanted = list(dict.fromkeys(x.object for x in held))
    names = {x.object: x.path for x in held}
    if not wanted:
        return {}
    asked = "\n".join(wanted).encode() + b"\n"
    for line in git.read("cat-file", "--batch-check", given=asked).decode("ascii", "replace").splitlines():
        object, sort, *size = line.split()
        if sort != "blob" or not size:
            raise GitProblem(f"the repository lacks {names.get(object, object)}", "fetch it whole: git fetch --refetch")
        if int(size[0]) > LARGEST:
            raise GitProblem(f"{names[object]} has {size[0]} bytes, more than {LARGEST}", "no rules file is so large")
    found: dict[str, bytes] = {}
    answer = git.read("cat-file", "--batch", given=asked)
    at = 0
    for object in wanted:
        end = answer.index(b"\n", at)
        size_of = int(answer[at:end].split()[2])
        found[object] = answer[end + 1 : end + 1 + size_of]
        at = end + size_of + 2
    return found


def write(path: Path, content: bytes) -> None:
    """One file, unless it is there already."""
    if path.is_file() and not path.is_symlink() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{HALF}{os.getpid()}-{path.name[-100:]}")
    fresh.write_bytes(content)
    os.replace(fresh, path)


def lay_links(folder: Path, links: dict[str, str]) -> list[str]:
    """Lay links; those that lead out of the folder, once all are laid, are taken away again and returned."""
    outside = []
    for path, target in links.items():
        at = folder / path
        if PurePosixPath(target).is_absolute():
            outside.append(path)
        elif not (at.is_symlink() or at.exists() or "\0" in target):
            try:
                at.parent.mkdir(parents=True, exist_ok=True)
                at.symlink_to(target)
            except OSError:  # a target that no file system takes
                outside.append(path)
    for path in links:
        at = folder / path
        if at.is_symlink() and not Path(os.path.realpath(at)).is_relative_to(folder):
            at.unlink()
            outside.append(path)
    return sorted(outside)


def remove_others(folder: Path, files: set[str], links: dict[str, str]) -> None:
    """Take away what the commit does not hold: the folder may be left from another time."""
    for root, folders, names in os.walk(folder):
        for name in [*names, *(x for x in folders if (Path(root) / x).is_symlink())]:
            at = Path(root) / name
            path = at.relative_to(folder).as_posix()
            stays = links.get(path) == os.readlink(at) if at.is_symlink() else path in files
            if not stays and not name.startswith(HALF):
                at.unlink(missing_ok=True)


def prune(home: Path, but: Path) -> None:
    """Folders of revisions that nobody has asked for of late go."""
    try:
        folders = sorted((x for x in home.iterdir() if x.is_dir()), key=lambda x: x.stat().st_mtime, reverse=True)
        for old in folders[KEPT:]:
            if old.name != but.name and time.time() - old.stat().st_mtime > DAY:
                shutil.rmtree(old, ignore_errors=True)
    except OSError:
        return
