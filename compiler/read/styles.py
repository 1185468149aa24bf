"""Read blocks of style: how the map and the counters are drawn, a line each.

In:  `style NAME:` blocks, each line `thing: look`. A thing is written as the map writes it (`terrain woods`, `port`,
     `sides river`, `lines rail`), or is `land`, `beyond`, `side WORD`, `unit.FIELD WORD`, `counter`, `at PLACE`,
     `bank PLACE`, `shape NAME`, `north`, `scale` or `hidden`.
Out: style lines in the order of the text; of two for one thing the later counts, so that an overlay changes a look.
Reports: RW140 a line that is no style, or a word that says nothing about it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.dsl import nodes as n
from rulewright.dsl.diagnostics import Reporter, did_you_mean

from ..core.entries import Entry
from ..core.looks import COLORS, WORDS, Look, StyleLine

NAME = r"[^\W\d]\w*"
THINGS = (
    ("ground", re.compile(r"(land|beyond(?= |\Z))(?: (\S+))?\Z")),
    ("hidden", re.compile(r"(hidden)()\Z")),
    ("counter", re.compile(rf"counter(?: ({NAME}))?(?: ({NAME}))?\Z")),
    ("at", re.compile(r"at (\S+)()\Z")),
    ("bank", re.compile(r"bank (\S+)()\Z")),
    ("north", re.compile(r"(north)()\Z")),
    ("scale", re.compile(r"(scale)()\Z")),
    ("shape", re.compile(rf"shape ({NAME})()\Z")),
    ("sides", re.compile(rf"sides ({NAME})()\Z")),
    ("lines", re.compile(rf"lines ({NAME})()\Z")),
    ("side", re.compile(rf"side ({NAME})()\Z")),
    ("unit", re.compile(rf"unit\.({NAME})(?: (\S+))?\Z")),
    ("hex", re.compile(rf"({NAME})(?: (\S+))?\Z")),
)
COUNTER = re.compile(r'([^"]*?)\s*"([^"]{1,60})"\Z')
TOKEN = re.compile(r'"([^"]*)"|([^\s,]+)')
COLOR = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})\Z", re.IGNORECASE)
DEGREES = re.compile(r"([0-9]+(?:\.[0-9]+)?)([NSEW])\Z")
NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?\Z")
SIZE = re.compile(r"[IX]{1,6}\Z")
HEXES = re.compile(r"[^\W_][\w./]*[0-9](?:\.\.[^\W_][\w./]*[0-9])?\Z")
RANKED = ("hex", "shape")
LABELLED = ("ground", "hex", "sides", "lines", "side", "unit")
LONGEST_BADGE = 3
LONGEST_LABEL = 40
HELP = "write terrain woods: pale_green trees, sides river: water river, lines rail: ties, unit.type tank: armor"


def read_styles(data: n.Data, entry: Entry, report: Reporter) -> list[StyleLine]:
    """The looks of one block."""
    found: list[StyleLine] = []
    for line in data.lines:
        text = " ".join(x.text.strip() for x in (line, *line.below))
        key, colon, value = text.partition(":")
        key, value = " ".join(key.split()), value.strip()
        about, match = next(((a, m) for a, x in THINGS if (m := x.match(key))), ("", None))
        if match is None or not colon or not value:
            report.error("RW140", line.span, "a line of style is a thing, a colon and its look", help=HELP)
            continue
        try:
            look = read_look(about, value)
        except Unsaid as problem:
            report.error("RW140", line.span, problem.message, help=problem.help)
            continue
        things = list(hidden(value)) if about == "hidden" else [(match[1] or "", match[2] or "")]
        found += [
            StyleLine(
                about=about,
                name=name,
                value=word,
                look=look,
                text=text,
                case=entry.case,
                overlay=entry.overlay,
                span=line.span,
            )
            for name, word in things
        ]
    return found


def hidden(text: str) -> Iterator[tuple[str, str]]:
    """What is not drawn: its name, and whether that is a field of hexes, a kind of side or a line."""
    for thing in text.split(","):
        what, _, name = thing.strip().partition(" ")
        yield (name, what) if what in ("sides", "lines") else (thing.strip(), "hex")


class Unsaid(Exception):
    """A look that cannot be read."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__(message)
        self.message, self.help = message, help


def read_look(about: str, text: str) -> Look:
    """What the right side of a line says."""
    if about == "hidden":
        return Look()
    if about == "counter":
        told = COUNTER.match(text)
        return Look(prints=told[1], label=told[2]) if told else Look(prints=text)
    colors: list[str] = []
    words: list[str] = []
    degrees: list[float] = []
    numbers: list[float] = []
    hexes: list[str] = []
    rank, size, badge, label = 0, "", "", ""
    tokens = [(m[1], m[2]) for m in TOKEN.finditer(text)]
    i = 0
    while i < len(tokens):
        quoted, word = tokens[i]
        i += 1
        if quoted is not None and COLOR.match(quoted):
            colors.append(quoted.lower())
        elif quoted is not None and about == "unit" and 0 < len(quoted) <= LONGEST_BADGE:
            badge = quoted
        elif quoted is not None and about in LABELLED and not label and labels(quoted):
            label = quoted
        elif quoted is not None:
            raise Unsaid(
                f'"{quoted}" is no color',
                'write a color "#c3d6a0", a badge of at most three letters, or words for the legend of at most'
                f" {LONGEST_LABEL} letters",
            )
        elif word == "rank" and about in RANKED and i < len(tokens) and tokens[i][1] in ("1", "2", "3", "4"):
            rank = int(tokens[i][1])
            i += 1
        elif word in WORDS[about]:
            words.append(word)
        elif word in COLORS:
            colors.append(COLORS[word])
        elif about == "unit" and SIZE.match(word):
            size = word
        elif about in ("at", "shape") and (there := DEGREES.match(word)):
            sign = -1 if there[2] in "SW" else 1
            degrees.append(sign * float(there[1]))
        elif about in ("at", "shape", "north", "scale") and NUMBER.match(word):
            numbers.append(float(word))
        elif about == "shape" and HEXES.match(word):
            hexes.append(word)
        else:
            known = [*WORDS[about], *COLORS]
            what = {"ground": "the ground", "side": "a side", "unit": "counters", "at": "a place"}.get(about, about)
            raise Unsaid(
                f'"{word}" says nothing about how {what} looks',
                did_you_mean(word, known) or "its words: " + ", ".join(WORDS[about] or ("50.4N 30.5E", "412, 310")),
            )
    if label and not (colors or words or rank or size or badge):
        raise Unsaid(f'"{label}" says nothing about how it looks', "write words for the legend after a look")
    return Look(
        colors=tuple(colors[:2]),
        words=tuple(dict.fromkeys(words)),
        rank=rank,
        size=size,
        text=badge,
        points=() if hexes and not numbers else points(about, degrees, numbers),
        globe=bool(degrees),
        hexes=tuple(hexes),
        number=one_number(about, numbers, words),
        label=label,
    )


def labels(text: str) -> bool:
    """Whether a text in quotes can stand in a legend."""
    return LONGEST_BADGE < len(text) <= LONGEST_LABEL and not text.startswith("#") and bool(text.strip())


def one_number(about: str, numbers: list[float], words: list[str]) -> float:
    """What a line about the whole picture says: degrees, or a length."""
    if about == "bank" and len(words) != 1:
        raise Unsaid("a place stands on one bank", "write bank Kiev: w")
    if about not in ("north", "scale"):
        return 0.0
    if len(numbers) != 1 or (about == "scale" and (numbers[0] <= 0 or len(words) > 1)):
        raise Unsaid(f"the {about} of a map is one number", "write north: -12, or scale: 36 km")
    return numbers[0]


def points(about: str, degrees: list[float], numbers: list[float]) -> tuple[tuple[float, float], ...]:
    """Pairs: north then east in degrees, or x then y."""
    if about not in ("at", "shape"):
        return ()
    given = degrees or numbers
    if (degrees and numbers) or len(given) % 2 or not given or (about == "at" and len(given) != 2):
        raise Unsaid("a place has two numbers", "write at Kiev: 50.4N 30.5E, or at Kiev: 412, 310")
    pairs = zip(given[::2], given[1::2], strict=True)
    return tuple((east, north) for north, east in pairs) if degrees else tuple(pairs)
