"""Random changes of one place in a book's text, for tests of the diff; each still compiles."""

import random
import re

from rulewright.compiler.pipeline import analyse


def number(text, rng):
    found = [m for m in re.finditer(r"(?<![\w@.:/\"-])\d+(?![\w.:/\"-])", text) if rule_line(text, m.start())]
    if not found:
        return None
    m = rng.choice(found)
    return text[: m.start()] + str(int(m[0]) + rng.choice((1, 2))) + text[m.end() :]


def rule_line(text, at):
    line = text[text.rfind("\n", 0, at) + 1 : text.find("\n", at)].strip()
    return not line.startswith(
        ("case ", "note ", "by ", "given", "expect", "refused", "covers", "except", "waive", "#")
    )


def turned(text, rng):
    words = {" and ": " or ", " or ": " and ", " = ": " != ", " < ": " <= ", " >= ": " > ", "any ": "no "}
    found = [(m.start(), w) for w in words for m in re.finditer(re.escape(w), text) if rule_line(text, m.start())]
    if not found:
        return None
    at, w = rng.choice(found)
    return text[:at] + words[w] + text[at + len(w) :]


def line_gone(text, rng):
    lines = text.split("\n")
    found = [
        i
        for i, line in enumerate(lines)
        if line.strip().startswith(("when ", "forbid ", "stop ", "except ", "add to ", "require ", "waive ", "set "))
    ]
    if not found:
        return None
    i = rng.choice(found)
    return "\n".join(lines[:i] + lines[i + 1 :])


def line_twice_other(text, rng):
    """A prohibition with another bound beside the first."""
    lines = text.split("\n")
    found = [i for i, line in enumerate(lines) if re.match(r"  (forbid|stop) \w+ when ", line)]
    if not found:
        return None
    i = rng.choice(found)
    head, _, guard = lines[i].partition(" when ")
    return "\n".join([*lines[: i + 1], f"{head} when not ({guard})", *lines[i + 1 :]])


def cell(text, rng):
    lines = text.split("\n")
    rows = [i for i, line in enumerate(lines) if line.strip().startswith("|") and lines[i - 1].strip().startswith("|")]
    if len(rows) < 2:
        return None
    i, j = rng.sample(rows, 2)
    ours, theirs = lines[i].split("|"), lines[j].split("|")
    if len(ours) != len(theirs) or len(ours) < 4:
        return None
    k = rng.randrange(2, len(ours) - 1)
    ours[k] = theirs[k]
    lines[i] = "|".join(ours)
    return "\n".join(lines)


def unit(text, rng):
    found = list(re.finditer(r"(?m)^    (\d+)( \w+: .*)$", text))
    if not found:
        return None
    m = rng.choice(found)
    return text[: m.start(1)] + str(int(m[1]) + 1) + text[m.end(1) :]


CHANGES = (number, turned, line_gone, line_twice_other, cell, unit)


def mutants(text, folder, count, seed):
    """Paths of changed copies that compile and differ."""
    rng = random.Random(seed)
    made = []
    for i in range(count * 12):
        if len(made) == count:
            break
        new = text
        for _ in range(rng.choice((1, 1, 2, 3))):
            new = rng.choice(CHANGES)(new, rng) or new
        if new == text:
            continue
        path = folder / f"m{i}.rules"
        path.write_text(new)
        if not analyse(str(path)).report.failed:
            made.append(path)
    return made
