"""Campaign 4: hostile books compile to findings or to harmless modules, under a watch on all that they do."""

from __future__ import annotations

import json
import os
import re
import resource
import select
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path
from typing import Any

from rulewright.dsl.syntax_hints import keywords

from .runner import SLOW, Hangs, Tally, Wrong, patience

ROOT = Path(__file__).resolve().parents[2]
TITLE = "hostile books"
COUNT = 10_000
WHAT = """
Books that want to do harm. In a book that uses every form of the language, each name is changed for one that Python or
our own modules know, each text for code, templates, quotes and odd letters, each number for a vast one, each raw line
for one with a trap; others nest deep, count far, grow large, look alike, or name paths in `use`, `on`, heads and names.

A process of its own, with 3 GB of memory, compiles each, and where it compiles runs its examples, starts a game, lists,
explains and plays a few choices, draws the map, saves and resumes. An audit hook watches it: no file outside the cache
and the book's own folder may be opened (rulebooks may be read), nothing imported but the compiled book, no process
started, no socket opened, and nothing run that we did not generate. Findings, refusals and named faults are answers;
exceptions and anything that the hook saw are faults, and so are more than 5 s when a process of its own, asked again,
takes as long.
"""

HANGS = 20
BASE = ROOT / "tests" / "diagnostics" / "every_form.rules"
EVIL_NAMES = (
    *("__class__", "__import__", "__builtins__", "__init__", "__dict__", "__subclasses__", "__", "_", "_x", "v_x"),
    *("exec", "eval", "open", "print", "globals", "breakpoint", "compile", "getattr", "type", "object", "len", "sum"),
    *(
        "S",
        "L",
        "P",
        "PROGRAM",
        "Program",
        "data",
        "rules",
        "traced",
        "memo",
        "keep",
        "program",
        "state",
        "value",
        "self",
    ),
    *("None_", "True_", "lambda", "class", "import", "yield", "return", "async", "nonlocal", "del", "global", "raise"),
    *("os", "sys", "rulewright", "fractions", "Fraction", "put", "roll", "ask", "call", "note", "draw", "win", "spend"),
    *(
        "a" * 128,
        "O0O0O0",
        "l1Il1I",
        "d_zone",
        "past_held",
        "unit_moved",
        "bind_now",
        "actor",
        "len_",
        "zone_",
        "x" * 60,
    ),
)
EVIL_TEXTS = (
    "__import__('os').system('touch /tmp/rulewright-was-here')",
    "'); __import__('os').system('x'); ('",
    "'''\nimport os\n'''",
    "''' + open('/etc/passwd').read() + '''",
    "\\",
    "\\\\\\'",
    "\\N{LATIN SMALL LETTER A}\\x00\\u0000",
    "{{ 7 * 7 }} {% for x in ().__class__.__mro__ %}{% endfor %}",
    "{0.__class__.__init__.__globals__} %s %(x)s %n",
    "#!/bin/sh # coding: utf-7",
    "\u202e\u2066 txet sdrawkcab \u2069",
    "a\u2028b\u2029c\x85d",
    "\x00\x01\x1b[31m\x07",
    "<script>alert(1)</script> & ]]> <!-- -->",
    "../../../../etc/passwd",
    "C:\\con\\nul",
    "$(touch x) `touch x` ; rm -rf x | cat",
    "x" * 100_000,
    "é" * 5000 + "\U0001f600" * 500,
    "",
    " ",
    "%" * 50,
    "'; DROP TABLE event; --",
)
EVIL_NUMBERS = (
    "0",
    "1",
    "999999999999999999",
    "99999",
    "1/999999999999999999",
    "0:1",
    "1:0",
    "-1",
    "00000000",
    "1d999999",
)
EVIL_LINES = (
    *("(" * 400, "|" * 3000, "a" * 100_000, "1-1" * 800, "3×" * 2000, "@" * 2000, "A1.." * 500, '"' * 999, "\\" * 999),
    *("hexes: A1..A999999999", "hexes: A1..ZZZZ9", "rows: A..ZZZZZZZZ", "grid: rows A..ZZZZZZ, columns 1..99999999"),
    *(
        "name ../../etc/passwd: A1",
        "name __class__: A1",
        "x: " + "a " * 20_000,
        ": : : :",
        "terrain woods: " + "B2 " * 9999,
    ),
    *("| " + " | ".join(["1-9"] * 3000) + " |", "| 1-999999999999 | A | A | A | A |", "from: Jan 1", "to: Dec 99999"),
    *("step: 0 months", "step: 1 day", "form: " + "-".join(["strength"] * 500), "units: A1", "sequence: __class__"),
)


def run(tally: Tally, count: int) -> None:
    """Every book in a process that goes on where the last one broke off."""
    jobs = [(i, name) for i, (name, _) in enumerate(books()) if tally.only in (None, i)]
    step = max(1, -(-len(jobs) // max(1, count)))
    wanted = [i for i, _ in jobs][tally.seed % step :: step]
    names = dict(jobs)
    slow: list[int] = []
    through(tally, wanted, names, slow)
    through(tally, slow, {i: f"again: {names[i]}" for i in slow}, None)


def through(tally: Tally, wanted: list[int], names: dict[int, str], slow: list[int] | None) -> None:
    """All of these books; one that takes too long is put on the list of the slow, or is a fault where there is none."""
    while wanted:
        answered = work(tally, wanted, names, slow)
        if answered == len(wanted):
            break
        lost = wanted[answered]
        tally.tried[sort_of(names[lost])] += 1
        tally.fault(f"{lost} {names[lost]}: the process ended, or could not be stopped")
        wanted = wanted[answered + 1 :]


def sort_of(name: str) -> str:
    return name.partition(":")[0]


def work(tally: Tally, wanted: list[int], names: dict[int, str], slow: list[int] | None) -> int:
    """Let one process answer for some books; how many it came through."""
    with tempfile.TemporaryDirectory(prefix="fuzz-books-") as folder:
        cache = os.environ.get("RULEWRIGHT_CACHE", "")
        words = [sys.executable, "-m", "fuzz.books", folder, *map(str, wanted)]
        paths = os.pathsep.join([str(ROOT / "tools"), *filter(None, sys.path)])
        env = {**os.environ, "PYTHONPATH": paths, "RULEWRIGHT_CACHE": cache or f"{folder}/cache"}
        with subprocess.Popen(words, stdout=subprocess.PIPE, env=env, bufsize=0, cwd=folder) as process:
            assert process.stdout is not None
            done = 0
            try:
                while select.select([process.stdout], [], [], 12 * HANGS)[0] and (line := process.stdout.readline()):
                    answer = json.loads(line)
                    tally.tried[sort_of(names[answer["book"]])] += 1
                    tally._tell()
                    tally.answer(answer["answer"])
                    if answer["took"] > tally.slowest[0]:
                        tally.slowest = (answer["took"], names[answer["book"]])
                    if answer["took"] > SLOW and slow is not None:
                        slow.append(answer["book"])
                    elif answer["took"] > SLOW:
                        answer["faults"].append(f"{answer['took']:.1f} s, twice")
                    for fault in answer["faults"]:
                        tally.fault(f"{answer['book']} {names[answer['book']]}: {fault}")
                    done += 1
            finally:
                process.kill()
    return done


# ---------------------------------------------------------------- in the process


def main() -> None:
    folder, wanted = Path(sys.argv[1]), [int(word) for word in sys.argv[2:]]
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
    (folder / "outside").mkdir()
    (folder / "outside" / "canary.rules").write_text('book canary "Canary"\ncase 1 "x":\n  kind side: red, blue\n')
    place = folder / "books"
    place.mkdir()
    texts = list(books())
    from rulewright.dsl.cache import cache_directory

    from .watch import Watch

    read = (ROOT / "rulebooks", ROOT / "dsl", ROOT / "compiler", ROOT / "runtime", folder / "rulebooks")
    watch = Watch(read, (cache_directory(), place), ("rulewright_compiled_",))
    attempt(place, BASE.read_text(encoding="utf-8"))  # what is imported late is imported now
    attempt(place, "case 1:\n  define f -> \n")
    attempt(place, texts[0][1] + "\n  define twice(x: number) -> flag: y\n")
    for i in wanted:
        print(json.dumps({"book": i, **watched(watch, place, texts[i][1])}), flush=True)


def watched(watch: Any, place: Path, text: str) -> dict[str, Any]:
    import time

    start = time.process_time()
    faults: list[str] = []
    answer = "broke"
    with watch.on() as seen:
        try:
            with patience(HANGS):
                answer = attempt(place, text)
        except Hangs:
            faults.append(f"no answer within {HANGS} s")
        except MemoryError:
            faults.append("no memory left")
        except Exception as error:
            import traceback

            watch.armed = False
            last = traceback.extract_tb(error.__traceback__)[-1]
            faults.append(f"{type(error).__name__}: {error} at {Path(last.filename).name}:{last.lineno}"[:300])
    took = time.process_time() - start
    faults += [f"the watch saw: {what}" for what in dict.fromkeys(seen)]
    return {"answer": answer, "faults": faults, "took": took}


def attempt(place: Path, text: str) -> str:
    """Compile a book, and play a little of it; what came of that."""
    from rulewright.compiler.cache.incremental import forget
    from rulewright.compiler.examples.run import run_examples
    from rulewright.compiler.loader import load_compiled
    from rulewright.compiler.pages.draw_map import draw_map
    from rulewright.compiler.pages.map.position import standing
    from rulewright.compiler.pages.map.style import style_of
    from rulewright.compiler.pipeline import analyse, finished
    from rulewright.runtime import RandomPlayer, resume
    from rulewright.runtime.problems import Fault, Refusal
    from rulewright.runtime.telling.narrate import narrate
    from rulewright.runtime.view import view

    from .front_end import check_findings

    forget()
    path = place / "hostile.rules"
    path.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
    made = analyse(str(path))
    check_findings(made.report.found)
    if made.report.failed:
        return f"findings: {made.report.found[0].code}"
    assert made.book is not None
    loaded = load_compiled(finished(made))
    try:
        run_examples(made.book, loaded.program)
        if made.book.map is not None:
            draw_map(made.book.map, style_of(made.book), standing(made.book, {}))
        if not loaded.program.scenarios:
            return "compiles"
        game = loaded.new(seed=1)
        players = {side: RandomPlayer(k) for k, side in enumerate(loaded.program.sides)}
        for _ in range(4):
            if game.over or not game.decisions:
                break
            for choice in islice(game.legal(), 3):
                str(game.why(choice))
                game.show(choice)
            decision = game.decisions[0]
            game.do(players[decision.side](game, decision))
        for side in loaded.program.sides:
            view(game, side)
        for event in game.log:
            narrate(loaded.program, event)
        game.save(place / "game.save")
        if resume(place / "game.save", lambda _: loaded.program).digest() != game.digest():
            raise Wrong("resumed as another game")
    except Refusal:
        return "compiles; play refused"
    except Fault:
        return "compiles; a fault of the rules, named"
    return "compiles and plays"


# ---------------------------------------------------------------- the books


def books() -> list[tuple[str, str]]:
    """Every hostile book by name, in a fixed order."""
    base = BASE.read_text(encoding="utf-8")
    found: list[tuple[str, str]] = []
    given = [w for w in dict.fromkeys(re.findall(r"[A-Za-z_]\w*", without_texts(base))) if w not in keywords()]
    for k, word in enumerate(given):
        for shift in (0, 17, 31):
            evil = EVIL_NAMES[(k * 7 + shift) % len(EVIL_NAMES)]
            found.append((f"name: {word} is {evil[:20]}", renamed(base, word, evil)))
    for k, match in enumerate(re.finditer(r'"[^"\n]*"', base)):
        for shift in (0, 9, 16):
            evil = EVIL_TEXTS[(k * 5 + shift) % len(EVIL_TEXTS)].replace('"', "'")
            found.append((f"text: number {k}", base[: match.start() + 1] + evil + base[match.end() - 1 :]))
    for k, match in enumerate(re.finditer(r"(?<![\w@.])\d+(?:[:/]\d+)?(?!\w)", base)):
        evil = EVIL_NUMBERS[k * 3 % len(EVIL_NUMBERS)]
        found.append((f"number: number {k} is {evil}", base[: match.start()] + evil + base[match.end() :]))
    raw = [i for i, line in enumerate(base.split("\n")) if re.match(r"    +(\w+( \w+)*:|\||\d)", line)]
    for k, at in enumerate(raw):
        lines = base.split("\n")
        margin = re.match(r" *", lines[at])
        lines[at] = (margin[0] if margin else "") + EVIL_LINES[k % len(EVIL_LINES)]
        found.append((f"line: {at + 1}", "\n".join(lines)))
    return found + [(f"special: {name}", text) for name, text in special().items()]


def without_texts(text: str) -> str:
    return re.sub(r'"[^"\n]*"|#.*|\b[0-9]\w*', "", text)


def renamed(text: str, word: str, evil: str) -> str:
    return re.sub(rf'("[^"\n]*")|(?<![\w@]){re.escape(word)}(?!\w)', lambda m: m[1] or evil, text)


FRAME = """book hostile "Hostile"

case 1 "Pieces":
  kind side: red, blue
  field strength of unit: number
  box dead
  map board:
    grid: rows A..{rows}, columns 1..{columns}
    hexes: {hexes}
  roster armies:
    form: strength side
    3 red: Red 1 @A1
    4 blue: Blue 1 @B1
  mark count_ of game: number = 2
{declarations}
  sequence play:
    repeat at most 3:
      ask red whether ready
{statements}
  scenario battle:
    sequence: play
"""


def frame(declarations: str = "", statements: str = "", rows: str = "B", columns: str = "3", hexes: str = "") -> str:
    declared = "\n".join("  " + line for line in declarations.split("\n") if line)
    done = "\n".join("      " + line for line in statements.split("\n") if line)
    listed = hexes or f"A1..A{columns}, B1..B{columns}"
    return FRAME.format(rows=rows, columns=columns, hexes=listed, declarations=declared, statements=done)


def special() -> dict[str, str]:
    """Books that nest deep, count far, grow large, look alike, or name paths."""
    wide = ", ".join(f"{row}1..{row}40" for row in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    big = {"rows": "Z", "columns": "40", "hexes": wide}
    found = {
        "use a path": 'book a "a"\nuse ../../outside/canary\n',
        "use a path in quotes": 'book a "a"\nuse "../../outside/canary"\n',
        "stand on a path": 'book a on ../outside/canary "a"\n',
        "stand on oneself": 'book hostile extends hostile "a"\n',
        "stand on a device": 'book a extends dev "a"\n',
        "a book named like a path": 'book ../outside/canary "a"\ncase 1:\n  kind side: red, blue\n',
        "a case named like a path": frame() + '\ncase ../../x "x":\n  note "x"\n',
        "a case named like code": frame() + '\ncase 1/__import__.os "x":\n  note "x"\n',
        "sets of numbers without end": frame("", "if count({1 .. 999999999999}) > 2: set count_ = 3"),
        "sets of many numbers": frame("", "if count({1 .. 400000000}) > 2: set count_ = 3"),
        "a question over many numbers": frame("", "ask red for one far from {1 .. 900000000}"),
        "ranges within ranges": frame(
            "define far -> number: count({1..99999} as x where any {1..99999} as y where y = x - 200000)",
            "set count_ = far",
        ),
        "neighbors of neighbors": frame(
            "define far(h: hex) -> flag: "
            + " where ".join(f"any neighbors({f'h{i - 1}' if i else 'h'}) as h{i}" for i in range(18))
            + " where h0 != h0",
            "if far(@A1): set count_ = 1",
        ),
        "an action of five parameters": frame(
            "roster more:\n  form: strength side\n  1 red: " + ", ".join(f"U {k} @A1" for k in range(60)) + "\n"
            "action far(" + ", ".join(f"u{k}: unit from units(red)" for k in range(5)) + ") by red during play_:\n"
            "  when u0 = u1 and u1 = u2 and u2 = u3 and u3 = u4 and u4 != u0\n  set count_ = 1",
            "phase play_:\n  offer red: far",
        ),
        "squares of squares": frame("", "repeat at most 90:\n  set count_ = count_ * count_"),
        "doubling": frame("", "repeat at most 99999:\n  set count_ = count_ + count_"),
        "a tower of definitions": frame(
            "define t0 -> number: 3\n" + "\n".join(f"define t{k} -> number: t{k - 1} * t{k - 1}" for k in range(1, 60)),
            "set count_ = t59",
        ),
        "a fraction of fractions": frame(
            "define t0 -> ratio: 2 / 3\n"
            + "\n".join(f"define t{k} -> ratio: t{k - 1} / (t{k - 1} + 1)" for k in range(1, 60)),
            "if t59 > 0: set count_ = 1",
        ),
        "dividing by nothing": frame("", "set count_ = count_ / (count_ - count_)"),
        "dice without faces": frame("", "roll d = 0d0\nset count_ = d"),
        "very many dice": frame("", "roll d = 999d999\nset count_ = d"),
        "dice beyond counting": frame("", "roll d = 999999999d6\nset count_ = d"),
        "loops in loops": frame(
            "", "".join("  " * k + "repeat at most 99999:\n" for k in range(6)) + " " * 12 + "set count_ = 1"
        ),
        "a loop over everything, six deep": frame(
            "",
            "".join("  " * k + f"for each h{k} in hexes():\n" for k in range(6)) + " " * 12 + "set count_ = 1",
            **big,
        ),
        "a question within a question within a question": frame(
            "define far -> flag: any hexes() as a where any hexes() as b where any hexes() as c where any hexes() as d "
            "where a = b and b = c and c = d and a != b",
            "if far: set count_ = 1",
            **big,
        ),
        "a tower of questions": frame(
            "define q0(h: hex) -> flag: h != h\n"
            + "\n".join(
                f"define q{k}(h: hex) -> flag: any hexes() where q{k - 1}(it) and it != h" for k in range(1, 7)
            ),
            "if q6(@A1): set count_ = 1",
            **big,
        ),
        "a sum over pairs of pairs": frame(
            "define s0 -> number: sum(sum(sum(1 over hexes()) over hexes()) over hexes())", "set count_ = s0", **big
        ),
        "a procedure that calls itself": frame("procedure p:\n  do p", "do p"),
        "procedures in a circle": frame("procedure p:\n  do q\nprocedure q:\n  do p", "do p"),
        "definitions in a circle": frame("define p -> number: q\ndefine q -> number: p", "set count_ = p"),
        "a trigger that feeds itself": frame(
            "whenever count_ > 2:\n  set count_ = 1\n  set count_ = 9", "set count_ = 5"
        ),
        "triggers that play ball": frame(
            "mark other of game: number = 0\nwhenever count_ > 5:\n  set count_ = 0\n  set other = 9\n"
            "whenever other > 5:\n  set other = 0\n  set count_ = 9",
            "set count_ = 9",
        ),
        "an exception to itself": frame(
            "define p -> number: 1\nexcept 1 p: usual + 1 when count_ > 0", "set count_ = p"
        ),
        "all subsets of a crowd": frame(
            "", "ask red for some crowd from hexes() so that count(crowd) = 20 and @A1 in crowd", **big
        ),
        "all orders of a crowd": frame("", "ask red for order crowd from hexes() so that count(crowd) = 2", **big),
        "shares beyond counting": frame("", "ask red for shares crowd of 999999999 among hexes()", **big),
        "a plan of a crowd": frame(
            "matching m(s: side):\n  each h in hexes()\n  to groups g in hexes()\n  idle\n  empty",
            "ask red for one plan_ from m(red)",
            **big,
        ),
        "a route round and round": frame(
            "route r(u: unit):\n  over: land\n  from: u.hex\n  budget: 999999\n  enter: 0",
            'ask red for one way from r("Red 1")',
            **big,
        ),
        "a map of a million hexes": frame(
            rows="ZZ", columns="1500", hexes=", ".join(f"{r}1..{r}1500" for r in ("A", "B", "ZZ"))
        ),
        "a range of hexes without end": frame(hexes="A1..A999999999"),
        "a range of hexes over the letters": frame(hexes="A1..ZZZZ99"),
        "a table of 20,000 rows": frame(
            "table t(n: number) -> number:\n  | n | v |\n" + "\n".join(f"  | {k} | {k} |" for k in range(20_000)),
            "set count_ = t(5)",
        ),
        "a table of ranges over each other": frame(
            "table t(n: number) -> number:\n  | n | v |\n" + "\n".join(f"  | 1-{k + 9} | {k} |" for k in range(300)),
            "set count_ = t(5)",
        ),
        "a table row for a billion": frame(
            "table t(n: number) -> number:\n  | n | v |\n  | 1-999999999 | 1 |", "set count_ = t(5)"
        ),
        "a calendar of days": frame("calendar war:\n  from: 1 Jan 1\n  to: 31 Dec 9999\n  step: 1 day"),
        "a calendar backwards": frame("calendar war:\n  from: Dec 1945\n  to: Jan 1941\n  step: 1 month"),
        "a calendar that stands still": frame("calendar war:\n  from: Jan 1941\n  to: Dec 1945\n  step: 0 months"),
        "10,000 units": frame(
            "roster more:\n  form: strength side\n  1 red: " + ", ".join(f"U {k} @A1" for k in range(10_000))
        ),
        "a unit a billion times": frame("roster more:\n  form: strength side\n  1 red: U x999999999 @A1"),
        "a kind of 5,000 values": frame(
            "kind big: " + ", ".join(f"v{k}" for k in range(5000)), "ask red for one b from big"
        ),
        "3,000 definitions": frame(
            "\n".join(f"define f{k}(x: number) -> number: x + {k}" for k in range(3000)), "set count_ = f9(1)"
        ),
        "3,000 cases": frame() + "".join(f'\ncase 2.{k} "x":\n  note "x"\n' for k in range(3000)),
        "one name 300 times": frame("\n".join("define same -> number: 1" for _ in range(300))),
        "names that look alike": frame("define zоne -> number: 1\ndefine zone -> number: 2"),
        "names that differ in case": frame(
            "define Zone -> number: 1\ndefine zone -> number: 2", "set count_ = Zone + zone"
        ),
        "names that mangle alike": frame(
            "define f(len: number, len_: number, S: number, S_: number) -> number: len * 1000 + len_ * 100 + S * 10 + S_",
            "set count_ = f(1, 2, 3, 4)\nif count_ != 1234: set count_ = 1 / 0",
        ),
        "parameters like our own": frame(
            "define f(L: number, data: number, d_f: number, keep_: number) -> number: L + data + d_f + keep_",
            "set count_ = f(1, 2, 3, 4)",
        ),
        "marks like our own": frame(
            "mark at of unit: number = 0\nmark side_ of unit: number = 0\nmark stack of game: number = 0\nmark __class__ of game: number = 0",
            "set stack = 2\nset __class__ = stack",
        ),
        "marks like the state's own": frame(
            "mark memo of game: number = 0\nmark plain of game: number = 0\nmark copy of game: number = 0\nmark log of game: number = 0",
            "set memo = 1\nset plain = memo\nset copy = plain\nset log = copy",
        ),
        "phases like our own": frame("", "phase __init__:\n  phase over:\n    set count_ = 1"),
        "units named like code": frame(
            "roster more:\n  form: strength side\n  1 red: __import__('os').system('x') @A1, \\'\\\" @A1, {{7*7}} @A1"
        ),
        "units named with odd letters": frame(
            "roster more:\n  form: strength side\n  1 red: \u202eevil @A1, a\u200bb @A1, é\u0301 @A1"
        ),
        "a sequence of nothing": 'book a "a"\ncase 1:\n  kind side: red, blue\n  sequence s:\n    phase p:\n      phase q:\n        log "x"\n  scenario x:\n    sequence: s\n',
        "a window that never closes": frame(
            'action pass_() by red during play_:\n  log "x"', "phase play_:\n  offer red: pass_"
        ),
        "an action over everything three times": frame(
            'action far(a: hex from hexes(), b: hex from hexes(), c: hex from hexes()) by red during play_:\n  when a != a\n  put "Red 1" in a',
            "phase play_:\n  offer red: far",
            **big,
        ),
        "an action over sets of everything": frame(
            "action far(a: set of hex from hexes(), b: set of hex from hexes()) by red during play_:\n  when count(a) = 37 and count(b) = 38\n  set count_ = 1",
            "phase play_:\n  offer red: far",
            **big,
        ),
        "no sides": 'book a "a"\ncase 1:\n  kind side: red\n  sequence s:\n    ask red whether x\n  scenario y:\n    sequence: s\n',
        "a memory of everything": frame("remember m(a: hex, b: hex, c: hex) -> flag ever: a = b and b = c", "", **big),
        "a quota of everything": frame("quota q(a: hex, b: hex) per play: 999999999", "spend q(@A1, @A2)"),
        "brackets beyond the cap": frame("define f -> number: " + "(" * 70 + "1" + ")" * 70),
        "a chain at the cap": frame("define f -> number: " + " + ".join(["1"] * 499), "set count_ = f"),
        "blocks at the cap": frame(
            "", "".join("  " * k + "if count_ > 0:\n" for k in range(50)) + "  " * 50 + "set count_ = 1"
        ),
        "a chain of exceptions": frame("define p -> number: 1")
        + "".join(
            f'\ncase 2.{k} "x":\n  except {"1" if not k else f"2.{k - 1}"} p: {k} when count_ > {k}\n'
            for k in range(200)
        ),
        "a byte order mark": "\ufeff" + frame(),
        "carriage returns": frame().replace("\n", "\r\n"),
        "lone carriage returns": frame().replace("\n", "\r"),
        "form feeds": frame().replace("\n", "\n\x0c"),
        "nothing at all": "",
        "only a comment": "# " + "x" * 100_000,
        "a lone surrogate": frame() + '\ncase 9 "\ud800":\n  note "x"\n',
    }
    for k, key in enumerate(
        ("requires", "excludes", "supersedes", "after", "date", "priority", "kind", "source", "title")
    ):
        for evil in ("../outside/canary", "/etc/passwd", "__import__('os')", "9" * 17, "x" * 5000, '"', "-1", "\u202e"):
            found[f"head {key} {k} {evil[:12]}"] = frame() + (
                f'\noption o of hostile "o":\n  {key}: {evil}\n  case 9 "x":\n    define g -> number: 1\n'
            )
    return found


if __name__ == "__main__":
    main()
