"""`rulewright completion bash|zsh|fish`: shell completion of commands, options, books and scenarios.

In:  the name of a shell; or, from a running script, the words typed so far (`rulewright completion words -- WORDS…`).
Out: the script for that shell; or the candidates for the last word, one a line, `:files` where the shell should offer
     file names.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ..read.library import find_book, known_books
from .books import listed

FILES = ":files"
HOUSE = re.compile(r"^ +house ([a-z]+) (\w+)", re.M)
OWNED = ("table", "roster", "map", "scenario", "calendar", "define", "gather", "scale", "kind")
FREE = ("choice", "reading", "case", "chapters", "fail_on", "on")
RULE_SETS = ("book", "books", "before", "after", "of")

BASH = """\
# rulewright completion bash > ~/.local/share/bash-completion/completions/rulewright
_rulewright() {
    local line=${COMP_LINE:0:COMP_POINT} current words found
    read -ra words <<< "$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    current=${words[-1]}
    mapfile -t found < <(rulewright completion words -- "${words[@]:1}" 2>/dev/null)
    if [[ ${found[0]} == ":files" ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    else
        COMPREPLY=("${found[@]}")
        [[ ${found[0]} == *[+=] ]] && compopt -o nospace 2>/dev/null
    fi
    if [[ $current == *[:=]* && $COMP_WORDBREAKS == *[:=]* ]]; then
        local head=${current%"${current##*[:=]}"} i
        for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]#"$head"}; done
    fi
}
complete -F _rulewright rulewright
"""

ZSH = """\
#compdef rulewright
# rulewright completion zsh > a folder of $fpath, as _rulewright
_rulewright() {
    local -a found
    found=("${(@f)$(rulewright completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ ${found[1]} == ":files" ]]; then
        _files
    else
        compadd -Q -- "${(@)found:#}"
    fi
}
if [[ $funcstack[1] == _rulewright ]]; then _rulewright "$@"; else compdef _rulewright rulewright; fi
"""

FISH = """\
# rulewright completion fish > ~/.config/fish/completions/rulewright.fish
function __rulewright_words
    set -l words (commandline -opc) (commandline -ct)
    set -l found (rulewright completion words -- $words[2..-1] 2>/dev/null)
    if test "$found[1]" = ":files"
        __fish_complete_path (commandline -ct)
    else
        printf '%s\\n' $found
    end
end
complete -c rulewright -f -a '(__rulewright_words)'
"""

SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


Commands = Mapping[str, Any]
ParserOf = Callable[[str, Any], argparse.ArgumentParser]


def add_completion(p: argparse.ArgumentParser, commands: Commands, parser_of: ParserOf) -> None:
    """Add the options. The commands are passed in, because importing `commands` from here would be circular."""
    p.add_argument("shell", choices=(*SCRIPTS, "words"), help="the shell; `words` is what the scripts ask")
    p.add_argument("typed", nargs="*", help=argparse.SUPPRESS)
    p.set_defaults(run=partial(run_completion, commands, parser_of))


def run_completion(commands: Commands, parser_of: ParserOf, args: argparse.Namespace) -> int:
    """Print the script, or the candidates."""
    if args.shell in SCRIPTS:
        print(SCRIPTS[args.shell], end="")
    else:
        print("\n".join(candidates(args.typed, commands, parser_of)))
    return 0


def candidates(typed: list[str], commands: Commands, parser_of: ParserOf) -> list[str]:
    """Candidates for the last word."""
    *before, last = typed or [""]
    if not before:
        return [name for name in (*commands, "--help", "--version") if name.startswith(last)]
    if before[0] not in commands:
        return []
    parser = parser_of(before[0], commands)
    if before[0] == "new":
        if len(before) == 1:
            return beginning(("book", "variant"), last)
        return rule_sets(last) if before[-1] == "--of" else beginning(("--of", "--title", "--case"), last)
    option = next((a for a in parser._actions if before[-1] in a.option_strings), None)
    if option is not None and option.nargs != 0:
        return of_argument(option, before, last)
    if last.startswith("-"):
        return beginning((s for a in parser._actions for s in a.option_strings if s.startswith("--")), last)
    places = [a for a in parser._actions if not a.option_strings]
    given = positionals(parser, before[1:])
    if not places:
        return []
    many = places[-1].nargs in ("+", "*")
    if given >= len(places) and not many:
        return beginning((s for a in parser._actions for s in a.option_strings if s.startswith("--")), last)
    return of_argument(places[min(given, len(places) - 1)], before, last)


def positionals(parser: argparse.ArgumentParser, words: list[str]) -> int:
    """How many of the words are positional arguments, neither options nor their values."""
    count, skip = 0, False
    for word in words:
        action = next((a for a in parser._actions if word in a.option_strings), None)
        count += not skip and not word.startswith("-")
        skip = action is not None and action.nargs != 0
    return count


def of_argument(action: argparse.Action, before: list[str], last: str) -> list[str]:
    """Candidates for the value of one argument."""
    if action.choices is not None:
        return beginning(map(str, action.choices), last)
    match action.dest:
        case "scenario":
            return beginning(scenarios(before), last)
        case "names":
            return beginning(house_names(before), last)
        case "overlay":
            return beginning((o for book in known_books() for o in overlays(book)), last)
        case "players":
            head, comma, tail = last.rpartition(",")
            words = ("person", "random", "busy", "lookahead", "script:")
            return [f"{head}{comma}{word}" for word in beginning(words, tail)]
        case name if name in RULE_SETS:
            return rule_sets(last) or [FILES]
        case name if name in FREE or (action.type is not None and action.type is not Path):
            return []
        case _:
            return [FILES]


def rule_sets(last: str) -> list[str]:
    """Books; after a plus sign, the overlays of the book."""
    head, plus, tail = last.rpartition("+")
    if not plus:
        return beginning(known_books(), last)
    taken = head.split("+")[1:]
    return [f"{head}+{o}" for o in beginning(overlays(head.split("+")[0].split("@")[0]), tail) if o not in taken]


def overlays(book: str) -> list[str]:
    found = listed(book)
    return [name for o in (found["overlays"] if found else ()) for name in dict.fromkeys((o["call"], o["overlay"]))]


def scenarios(before: list[str]) -> list[str]:
    """The scenarios of the rule set that stands earlier on the line."""
    for word in before[1:]:
        book, *chosen = word.split("+")
        found = listed(book.split("@")[0]) if not word.startswith("-") else None
        if found is not None:
            rows = [*found["scenarios"]]
            for o in found["overlays"]:
                rows += o["scenarios"] if {o["call"], o["overlay"]} & set(chosen) else []
            return [row["scenario"] for row in rows]
    return []


def house_names(before: list[str]) -> list[str]:
    """The house values of the book that stands earlier on the line, found without parsing it."""
    source = find_book(before[1].split("+")[0].split("@")[0]) if len(before) > 1 else None
    if source is None:
        return []
    found = [x for path in source.files for x in HOUSE.findall(path.read_text(encoding="utf-8", errors="replace"))]
    if before[0] == "own":
        return ["charts", "counters", "map", *dict.fromkeys(name for sort, name in found if sort in OWNED)]
    return [*dict.fromkeys(name for _, name in found)]


def beginning(words: Iterable[str], last: str) -> list[str]:
    return [word for word in words if word.startswith(last)]
