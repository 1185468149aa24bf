"""The command line: whatever it is given, one clear answer, a documented exit code, and nothing changed."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

from rulewright.compiler.cli.main import main

from .mutations import noise
from .runner import Tally, Wrong

ROOT = Path(__file__).resolve().parents[2]
TITLE = "the command line"
COUNT = 4_000
WHAT = """
Every command is run with names of books that are not there, empty, folders, binary files, text that is not UTF-8, links
in a circle, pipes, names with odd letters, very long ones; with numbers that are negative, vast or none; with players,
readings, formats, scripts, logs, saves and outputs that cannot be.

The exit code must be 0, 1 or 2; a command that does not end with 0 says why, in no more than a few lines, without a
traceback; and but for what it was asked to write it leaves every file as it was.
"""

SKIRMISH = ROOT / "tests" / "books" / "skirmish.rules"
NUMBERS = ("-1", "0", "1", "-999999999999999999999", "9" * 40, "1e9", "0x10", "", " ", "nan", "1.5", "٣", "x", "--seed")
STRANGE = ("", " ", ".", "-", "+", "++", "@", "a b", "a\nb", "\udcff\udcfe", "x" * 5000, "\u202e", "*", "'", "%s")


def run(tally: Tally, count: int) -> None:
    with tempfile.TemporaryDirectory(prefix="fuzz-") as made:
        folder = Path(made)
        prepare(folder)
        before = os.getcwd()
        os.chdir(folder)
        try:
            for i in tally.numbers(count):
                words = command(tally.dice("arguments", i))
                with tally.trial(words[0], f"{i}: {words!r}"[:300]):
                    tally.answer(f"{words[0]}: exit {judged(folder, words)}")
        finally:
            os.chdir(before)


def prepare(folder: Path) -> None:
    """A folder with everything that a command may stumble over."""
    text = SKIRMISH.read_text(encoding="utf-8")
    (folder / "skirmish.rules").write_text(text, encoding="utf-8")
    (folder / "calm.rules").write_text(
        'variant calm of skirmish "Calm":\n  source: us\n  case V.1 "Mine":\n    define house_rule -> flag: true\n'
        '    example "it holds":\n      expect house_rule\n'
    )
    (folder / "broken.rules").write_text("case 1:\n  define f ->\n")
    (folder / "empty.rules").write_text("")
    (folder / "binary.rules").write_bytes(bytes(range(256)) * 20)
    (folder / "latin.rules").write_bytes('book x "Grün"\n'.encode("latin-1"))
    (folder / "wide.rules").write_bytes(text.encode("utf-16"))
    (folder / "zeros.rules").write_bytes(b"\0" * 5000)
    (folder / "folder.rules").mkdir()
    (folder / "nothing").mkdir()
    (folder / "circle.rules").symlink_to(folder / "circle.rules")
    os.mkfifo(folder / "pipe.rules")
    (folder / "binary").write_bytes(b"\xff\xfe\0\1" * 100)
    (folder / "script").write_text('red: move("Red 1", [@A1])\nnonsense\n')
    (folder / "list.tsv").write_text("case\n1\n")
    from rulewright.compiler import load

    load(str(SKIRMISH)).new(seed=1).save(folder / "game.save")


FILES = (
    *("skirmish.rules", "broken.rules", "empty.rules", "binary.rules", "latin.rules", "wide.rules", "zeros.rules"),
    *(
        "folder.rules",
        "nothing",
        "circle.rules",
        "pipe.rules",
        "binary",
        "nowhere.rules",
        "no/where",
        "game.save",
        "trc.rules",
    ),
    *("skirmish", "skirmish+", "+skirmish", "skirmish+calm.rules", "skirmish+nope", "skirmish.rules+skirmish.rules"),
    *(
        "skirmish@1941",
        "skirmish@1941-13-99",
        "skirmish@",
        "skirmish.rules/",
        "./skirmish.rules",
        "calm.rules",
        "skirmish+calm+calm",
    ),
)
TEXTS = (
    *(
        "red: done",
        "red: move",
        'red: move(u: "Red 1", p: A1>A2)',
        "zone",
        "zone()",
        'zone("Red 1")',
        "zone(1/0)",
        "in_zone(red)",
    ),
    *(
        "red: attack(h: 1/0)",
        "nobody: done",
        "red:",
        ":",
        "in_zone(red, A1",
        'zone("' + "x" * 9000,
        "zone(" * 300,
        "odds_of({}, A1)",
    ),
)


def command(dice: random.Random) -> list[str]:
    """One command with strange arguments."""

    def a_file() -> str:
        return dice.choice((*FILES, *FILES, *STRANGE))

    def a_book() -> str:
        return dice.choice(("skirmish.rules", "skirmish.rules", a_file()))

    def a_number() -> str:
        return dice.choice(NUMBERS)

    def some(*options: list[str]) -> list[str]:
        return [word for option in options if dice.random() < 0.35 for word in option]

    def text() -> str:
        return dice.choice((*TEXTS, noise(dice).replace("\0", "")))

    match dice.randrange(14):
        case 0:
            return [
                "check",
                *(a_file() for _ in range(dice.choice((1, 1, 2)))),
                *some(["--format", a_format(dice)], ["--on", a_file()]),
            ]
        case 1:
            return [
                "compile",
                a_book(),
                *some(["-o", dice.choice(("out", "binary", "skirmish.rules/x", "", "\udcff"))]),
            ]
        case 2:
            return ["test", a_book(), *some(["--case", dice.choice(STRANGE)], ["--format", a_format(dice)])]
        case 3 | 4 | 5:
            players = (
                "random",
                "random,random",
                "",
                ",",
                "random,",
                "script:",
                "script:script",
                "script:binary",
                "script:nope",
            )
            return [
                *(
                    "play",
                    a_book(),
                    "--until",
                    dice.choice(("3", "3", a_number())),
                    "--seed",
                    dice.choice(("1", a_number())),
                ),
                *("--players", dice.choice((*players, "person,random", "script:nothing,random", "\udcff"))),
                *some(
                    ["--scenario", dice.choice(("battle", *STRANGE))], ["--log", output(dice)], ["--save", output(dice)]
                ),
                *some(
                    ["--resume", dice.choice(("game.save", a_file()))],
                    ["--reading", dice.choice(("a=b", "=", *STRANGE))],
                    ["--quiet"],
                ),
            ]
        case 6 | 7:
            return ["why", a_book(), dice.choice(("game.save", "game.save", a_file())), text()]
        case 8:
            return [
                "migrate",
                dice.choice(("game.save", a_file())),
                "--overlay",
                dice.choice(("calm.rules", a_file())),
                "--book",
                a_book(),
            ]
        case 9:
            wanted = some(["--chapters", dice.choice(STRANGE)], ["--inventory", dice.choice(("list.tsv", a_file()))])
            return ["coverage", a_book(), *wanted, *some(["--format", a_format(dice)])]
        case 10:
            return ["fmt", a_file(), *some([a_file()]), "--check"]
        case 11:
            return [
                "map",
                a_book(),
                *some(["-o", output(dice)], ["--save", a_file()], ["--scenario", dice.choice(STRANGE)]),
            ]
        case 12:
            other = dice.choice(("skirmish.rules", "skirmish.rules+calm.rules", a_file()))
            return ["diff", a_book(), other, "--no-witnesses", *some(["--format", a_format(dice)])]
        case _:
            kind = dice.choice(("book", "variant", "", "x"))
            return [
                "new",
                kind,
                dice.choice((*STRANGE, "skirmish")),
                *some(["--title", dice.choice(STRANGE)]),
                *(["--of", a_book()] * (kind == "variant")),
            ]


def a_format(dice: random.Random) -> str:
    return dice.choice(("text", "json", "sarif", "", "xml"))


def output(dice: random.Random) -> str:
    return dice.choice(("out.txt", "nothing", "no/where/out", "", "\udcff", "x" * 300, "skirmish.rules/out"))


def judged(folder: Path, words: list[str]) -> int:
    """Run a command; its exit code, if all is as it should be."""
    before = dict(contents(folder))
    out, err = Strict(), Strict()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(list(words))
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
    after = dict(contents(folder))
    said = err.text() + out.text()
    if code not in (0, 1, 2):
        raise Wrong(f"exit {code}")
    if code and not said.strip():
        raise Wrong(f"exit {code} without a word")
    if "Traceback" in said:
        raise Wrong(f"a traceback: {said[-300:]}")
    asked = {w for w in words if w and len(w) < 255}
    for name in {*before, *after}:
        mine = name in asked or name.partition("/")[0] in asked or name.startswith("out")
        if before.get(name) != after.get(name) and not (mine and name not in before) and words[0] != "new":
            raise Wrong(f"{name} is not what it was")
    for name in {*after} - {*before}:
        path = folder / name
        if path.is_file():
            path.unlink()
    return code


class Strict(io.TextIOWrapper):
    """An output that takes UTF-8 and nothing else, as a terminal does."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", errors="strict", write_through=True)

    def text(self) -> str:
        held = self.buffer
        assert isinstance(held, io.BytesIO)
        return held.getvalue().decode()


def contents(folder: Path) -> Iterator[tuple[str, str]]:
    """Every file below a folder, with a digest of what it holds."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            yield path.relative_to(folder).as_posix(), hashlib.sha256(path.read_bytes()).hexdigest()
