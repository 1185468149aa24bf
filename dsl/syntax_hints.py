"""Turn a parser's complaint into a sentence for an author.

In:  the line, the column where it stopped making sense, the token there, and the terminals
     that could have stood there.
Out: a message that names the mistake, and what to do next.

Each rule below knows one mistake that authors make and looks at the spot; the first that
recognises it speaks. The words of the language are read from the grammar, so a new
keyword needs no change here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from .build import strip_comment
from .diagnostics import near
from .grammar import GRAMMAR, parser

Hint = tuple[str, str] | None

_PIECE = re.compile(r"[^\W\d_]\w*|\w+|\s+|[=<>!&|+*/:.-]+|.")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NAMES = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": 'a text in quotes ("...")',
    "CASEID": "a case number",
    "DATE": "a date",
    "HEX": "a hex (@A1)",
    "DICE": "dice (1d6)",
    "RATIO": "a ratio (3:1)",
    "CMP": "a comparison",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "$END": "the end of the file",
    "COLON": '":"',
    "COMMA": '","',
    "DOT": '"."',
    "EQUAL": '"="',
    "LPAR": '"("',
    "RPAR": '")"',
    "LSQB": '"["',
    "RSQB": '"]"',
    "LBRACE": '"{"',
    "RBRACE": '"}"',
}
_OPERATORS = {
    "==": "=",
    "===": "=",
    "=>": ">=",
    "=<": "<=",
    "<>": "!=",
    "!==": "!=",
    "&&": "and",
    "&": "and",
    "||": "or",
    "|": "or",
    "!": "not",
    "~": "not",
    "%": "/",
    "**": "*",
    "+=": "+",
    "-=": "-",
    "--": "-",
    "++": "+",
    "=-": "= -",
    ":=": "=",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "×": "*",
    "÷": "/",
    "–": "-",
    "—": "-",
    "−": "-",
    "→": "->",
}
_OPEN_FORMS = frozenset(("any", "no", "every", "supposing", "not", "since", "before"))
_FOLDS = frozenset(("count", "sum", "each", "highest", "lowest"))
_INFIX = frozenset(("and", "or", "in", "is", "where", "within", "has", "when", "over", "of", "at"))
_FORMS = {
    "repeat": "write: repeat at most NUMBER while CONDITION:",
    "for": "write: for each NAME in SET:",
    "let": "write: let NAME = VALUE",
    "roll": "write: roll NAME = 1d6",
    "put": "write: put UNITS in PLACE",
    "walk": "write: walk UNIT along PATH",
    "draw": "write: draw NAME from CUP",
    "make": "write: make NAME from POOL in PLACE with MARK = VALUE",
    "add": "write: add to NAME: VALUE when CONDITION",
    "amend": "write: amend CASE NAME: OLD becomes NEW, or amend @HEX.FIELD: OLD becomes NEW",
    "except": "write: except CASE NAME: VALUE when CONDITION, or except CASE NAME when CONDITION: and statements",
}
_FORMER = {
    "instead": "write: except CASE NAME when CONDITION: (rulewright fmt --upgrade does it for you)",
    "schedule": "keep what is to come in a mark, and write: on start of PHASE when CONDITION:",
}
_ENDS = frozenset(("_NL", "_DEDENT", "$END"))
_CLOSES = {")": "(", "]": "[", "}": "{"}
_DATA = frozenset(("COLON", "STRING"))


@dataclass(frozen=True, slots=True)
class Spot:
    """Where parsing stopped: the piece of text there, what stands before it, what was expected."""

    before: str
    word: str
    kind: str
    after: str
    expected: frozenset[str]

    @property
    def first(self) -> str:
        match = _WORD.match((self.before + self.word).lstrip())
        return match.group() if match else ""

    @property
    def prior(self) -> str:
        words = re.findall(r"\S+$", self.before.rstrip())
        tail = re.search(r"[A-Za-z_][A-Za-z0-9_]*$", words[-1]) if words else None
        return tail.group() if tail else ""

    @property
    def starts(self) -> bool:
        return not self.before.strip()

    @property
    def ends(self) -> bool:
        return self.kind in _ENDS

    @property
    def wants_value(self) -> bool:
        return "NUMBER" in self.expected and "NAME" in self.expected

    @property
    def had_value(self) -> bool:
        return "MINUS" in self.expected and not self.wants_value


def hint(line: str, column: int, token: Any, expected: Iterable[str]) -> tuple[str, str]:
    """A message and what to do next."""
    spot = spot_at(line, column, token, expected)
    for rule in RULES:
        found = rule(spot)
        if found is not None:
            return found
    return fallback(spot)


def spot_at(line: str, column: int, token: Any, expected: Iterable[str]) -> Spot:
    code = strip_comment(line)
    kind = getattr(token, "type", "") if token is not None else ""
    before, rest = code[: column - 1], code[column - 1 :]
    piece = _PIECE.match(rest)
    word = piece.group() if piece else ""
    if kind not in ("", "RAW", "HEAD", "NATURE", *_ENDS, "_INDENT") and str(token).strip():
        word = str(token)
    wanted = frozenset(expected)
    if before.rstrip().endswith('"'):
        wanted -= {"STRING"}  # any prose may go on as a further text: true everywhere, and no help here
    return Spot(before, word, kind, rest[len(word) :], wanted)


# ---------------------------------------------------------------- texts, brackets, signs


def bracket_left_open(spot: Spot) -> Hint:
    if spot.kind == "$END" and spot.word in ("(", "[", "{"):
        close = {o: c for c, o in _CLOSES.items()}[spot.word]
        return f'this "{spot.word}" is never closed', f'add the "{close}" where the bracket ends'
    still_open = open_brackets(spot.before)
    if spot.word in _CLOSES:
        if not still_open:
            return f'this "{spot.word}" closes no bracket', "remove it, or open the bracket before it"
        if still_open[-1] != _CLOSES[spot.word]:
            return (
                f'"{spot.word}" does not close "{still_open[-1]}"',
                "close brackets in the order they opened",
            )
    elif still_open and spot.expected & {"RPAR", "RSQB", "RBRACE"} and spot.word in ("when", "otherwise", ":", "so"):
        return (
            f'"{spot.word}" stands inside a bracket: the "{still_open[-1]}" before it is not closed',
            f'close the bracket before "{spot.word}"',
        )
    return None


def open_brackets(text: str) -> list[str]:
    found: list[str] = []
    for ch in re.sub(r'"[^"]*"', "", text):
        if ch in "([{":
            found.append(ch)
        elif ch in _CLOSES and found:
            found.pop()
    return found


def quote_left_open(spot: Spot) -> Hint:
    if spot.word == '"' and '"' not in spot.after:
        help = 'end it with " on the same line; a long text goes on as another one in the next, indented deeper'
        return "this text has no closing quote", help
    if spot.word in ("'", "`"):
        return "a text stands in double quotes", f'write "..." instead of {spot.word}...{spot.word}'
    return None


def text_beside_text(spot: Spot) -> Hint:
    if not spot.word.startswith('"'):
        return None
    if spot.starts:
        return "a text stands here by itself", "indent it deeper than the line above, if it goes on with a text there"
    if spot.before.rstrip().endswith('"'):
        return "two texts stand side by side", "put a comma between two names of units"
    return None


def foreign_operator(spot: Spot) -> Hint:
    lead = re.search(r"[=<>!&|+*:-]*$", spot.before)
    trail = re.match(r"[=<>!&|%~+*-]*", spot.word)
    sign = (lead.group() if lead else "") + (trail.group() if trail else "")
    if spot.word in ("<=", ">=", "!=", "->") or sign == spot.before.strip():
        return None
    if sign in _OPERATORS and trail and trail.group():
        return f'"{sign}" is no sign of this language', f'write "{_OPERATORS[sign]}"'
    return None


# ---------------------------------------------------------------- words


def capital_keyword(spot: Spot) -> Hint:
    for word in (spot.word, spot.first):
        small = word.lower()
        if word == small or small not in keywords():
            continue
        if (word == spot.word and small.upper() in spot.expected) or (
            word == spot.first and (spot.expected <= {*_DATA, "NAME"} or spot.starts)
        ):
            return f'"{word}" has capital letters', f'the words of the language are small: write "{small}"'
    return None


def value_before_otherwise(spot: Spot) -> Hint:
    if spot.first in ("otherwise", "else") and "OTHERWISE" in spot.expected:
        if spot.first == "else":
            return 'a definition has no "else"', "write the value first, and the word last: VALUE otherwise"
        return (
            '"otherwise" stands behind its value',
            "write the value first, and the word last: VALUE otherwise",
        )
    if spot.first == "otherwise" and spot.starts:
        return (
            '"otherwise" has no value before it',
            "write the value first, and the word last: VALUE otherwise",
        )
    return None


def if_in_definition(spot: Spot) -> Hint:
    if spot.prior == "if" and "OTHERWISE" in spot.expected:
        return (
            'a definition has no "if"',
            "put the value first and its condition last: VALUE when CONDITION; end with VALUE otherwise",
        )
    if spot.word == "if" and "WHEN" in spot.expected:
        return 'the condition of a rule follows "when", not "if"', 'write "when" in place of "if"'
    if spot.word == ":" and spot.first in ("forbid", "stop", "waive") and "WHEN" in spot.expected:
        return f'the condition of "{spot.first}" follows "when", not a colon', 'write "when" in place of ":"'
    if spot.word == "when" and spot.expected == {"_NL"}:
        return (
            'a statement takes no "when"',
            f'open a block above it: "if CONDITION:", then "{spot.first} ..."',
        )
    return None


def ask_form(spot: Spot) -> Hint:
    if not re.search(r"(^|[\s:])ask\s", spot.before):
        return None
    form = "ask SIDE for one NAME from SET (or some, order), or ask SIDE whether NAME"
    if {"FOR", "WHETHER"} <= spot.expected:
        return '"ask" lacks its "for"', form
    if spot.expected == {"FROM"}:
        if spot.prior == "from":
            return 'the answer that "ask" brings lacks a name', form
        return '"ask" lacks its "from"', form
    if spot.expected <= {"ONE", "SOME", "ORDER", "SHARES"}:
        return f'"ask ... for" is followed by one, some, order or shares, not "{spot.word}"', form
    return None


def else_without_colon(spot: Spot) -> Hint:
    if spot.first == "else" and {"COLON", "IF"} <= spot.expected:
        return '"else" lacks its colon', 'write "else:" (or "else if CONDITION:")'
    return None


def former_word(spot: Spot) -> Hint:
    """A word that older versions had: what stands for it today."""
    if spot.first in _FORMER and len(spot.before.split()) <= 2:
        return f'"{spot.first}" is no word of the language any more', _FORMER[spot.first]
    return None


def two_exceptions(spot: Spot) -> Hint:
    """`except` gives a value, then its condition; or it has its condition first, and acts."""
    if spot.first != "except":
        return None
    if "DO" in spot.expected and "NAME" not in spot.expected and re.search(r"\swhen\s.*:\s*$", spot.before):
        return "the condition of a value stands behind it", _FORMS["except"]
    word = re.search(r":\s*([a-z]+)(\s+when|\s+otherwise)?\s*$", spot.before)
    goes_on = word and (word[2] or spot.ends or spot.word in ("when", "otherwise", "+", "*", "/", "."))
    if word and goes_on and word[1] in openers("act"):
        return f'"{word[1]}" opens a statement here', f"write ({word[1]}) where a value of that name is meant"
    return None


def not_a_declaration(spot: Spot) -> Hint:
    """A line whose first word is none of ours parses as data (`KIND NAME:`) up to here."""
    data = spot.expected <= _DATA and re.fullmatch(r"\s*[A-Za-z_]\w*\s+\w+\s*", spot.before)
    if not data and not (spot.expected == {"NAME"} and re.fullmatch(r"\s*[A-Za-z_]\w*\s*", spot.before)):
        return None
    first = spot.first
    if first in openers("stmt") and first not in openers("decl"):
        return (
            f'"{first}" is a statement and cannot stand in a case by itself',
            "put it inside a procedure, an action, a sequence or an `on ...:` block",
        )
    if first in openers("decl"):
        return None
    if first in keywords():
        return f'"{first}" does not open a line here', "join it to the line above, or check the indentation"
    found = misspelt(first, openers("decl"), data=spot.expected <= _DATA and spot.ends)
    if found is None and not data:
        return (
            f'"{first}" opens no line here',
            "open it with a word such as case or define; data reads KIND NAME:",
        )
    return found


def misspelt(word: str, known: Iterable[str], data: bool = False) -> Hint:
    names = near(word, known)
    if names and not data:
        return f'"{word}" opens no line here', "did you mean " + " or ".join(f'"{name}"' for name in names) + "?"
    return None


def wrong_opener(spot: Spot) -> Hint:
    if not spot.starts or spot.ends or spot.kind == "_INDENT":
        return None
    known = {word for word in keywords() if word.upper() in spot.expected}
    if "FACET" in spot.expected:
        known |= set(["over", "budget", "leave", "cross", "enter", "jump"])
    if spot.word in openers("decl") and "LET" in spot.expected:
        return (
            f'"{spot.word}" is a declaration and cannot stand among statements',
            "move it out of this block; check the indentation",
        )
    if spot.word in openers("stmt") and spot.word not in known and "DEFINE" in spot.expected:
        return (
            f'"{spot.word}" is a statement and cannot stand in a case by itself',
            "put it inside a procedure, an action, a sequence or an `on ...:` block",
        )
    if spot.word in ("elif", "elsif", "elseif"):
        return f'"{spot.word}" is no word of this language', 'write "else if CONDITION:"'
    if spot.word == "else":
        return 'this "else" follows no "if"', 'line it up with its "if"; nothing may stand between the two'
    if spot.word == "failing":
        return 'this "failing" follows no "ask" or "make"', "line it up with the statement right above it"
    if not _WORD.fullmatch(spot.word) or not known:
        return None
    if "LET" in spot.expected and re.match(r"[\w.() ]*=", spot.after):
        return (
            f'"{spot.word} = ..." is no statement',
            'write "let NAME = ..." to name a value, or "set MARK = ..." to change a mark',
        )
    return misspelt(spot.word, known) or (
        f'"{spot.word}" opens no line here',
        f"a line here opens with {any_of(known)}",
    )


def keyword_as_name(spot: Spot) -> Hint:
    if spot.expected == {"LPAR"} and spot.prior in _FOLDS:
        form = "count(SET)" if spot.prior == "count" else f"{spot.prior}(VALUE over SET)"
        form += f" or {spot.prior}(A, B)" if spot.prior in ("highest", "lowest") else ""
        return (
            f'"{spot.prior}" is a word of the language, not a name',
            f"write {form}, or choose another name",
        )
    if spot.word in keywords() and spot.expected == {"NAME"} and spot.kind != "NAME":
        return f'"{spot.word}" is a word of the language, not a name', "choose another name"
    return None


# ---------------------------------------------------------------- blocks and colons


def indented_too_far(spot: Spot) -> Hint:
    if spot.kind != "_INDENT":
        return None
    if "\t" in spot.before:
        return (
            "this line is indented with a tab, and deeper than the line above",
            "indent by two spaces a level",
        )
    return (
        "this line is indented deeper, but the line above opens no block",
        "end the line above with a colon, line this one up with it, or go on with a word such as and, or, when",
    )


def empty_block(spot: Spot) -> Hint:
    if spot.ends and spot.expected == {"_INDENT"}:
        return "this block is empty", "indent what belongs to it by two spaces below this line"
    return None


def missing_colon(spot: Spot) -> Hint:
    if "COLON" not in spot.expected or spot.wants_value:
        return None
    if spot.ends:
        return "a colon is missing at the end of this line", 'end a line that opens a block with ":"'
    if spot.word == "=" and spot.expected == {"COLON"}:
        return 'a colon stands before the value, not "="', 'write ":" in place of "="'
    if spot.expected <= {"COLON", "OR", "EQUAL"} or (spot.word in openers("stmt") and spot.word != "note"):
        return (
            f'a colon is missing before "{spot.word}"',
            'write ":" between the head of a block and what it holds',
        )
    return None


def missing_value(spot: Spot) -> Hint:
    if not spot.wants_value:
        return None
    if spot.ends:
        what = f' after "{spot.prior}"' if spot.prior else ""
        return f"a value is missing at the end of this line{what}", "complete the line"
    if spot.word in _INFIX or spot.word in (
        ",",
        ")",
        "]",
        "}",
        ":",
        "*",
        "/",
        "=",
        "<",
        ">",
        "<=",
        ">=",
        "!=",
        "+",
    ):
        return f'a value is missing before "{spot.word}"', "write a number, a name, a call or a set there"
    return None


# ---------------------------------------------------------------- expressions


def open_form(spot: Spot) -> Hint:
    if spot.prior in _OPEN_FORMS and spot.had_value:
        return (
            f'"{spot.prior} ..." takes parentheses here',
            f"write ({spot.prior} ...): such a form may stand bare only at the end of a condition",
        )
    if spot.word == "where" and "WHERE" not in spot.expected:
        return "a filter takes parentheses here", "write (SET where CONDITION)"
    if spot.word in ("and", "or"):
        if "HAS" in spot.expected:
            return (
                'this "every" still lacks its test',
                "write every SET has TEST; sets are joined with +, whole conditions in parentheses",
            )
        if spot.expected == {"WHERE"} or spot.expected == {"HAS"}:
            word = "where" if "WHERE" in spot.expected else "has"
            return f'the name after "as" is followed by "{word}"', f"write SET as NAME {word} TEST"
        if "AND" not in spot.expected:
            return (
                f'"{spot.word}" joins conditions, and a plain value stands here',
                "put the whole condition in parentheses",
            )
    return None


def comparison(spot: Spot) -> Hint:
    if spot.kind not in ("EQUAL", "CMP", "IN", "IS", "WITHIN") or not spot.had_value:
        return None
    bare = re.search(r"\b(any|no)\s+\S+\s*$", spot.before)
    if bare:
        return (
            f'"{spot.word}" cannot follow "{bare.group(1)} ..."',
            f"ask about members: {bare.group(1)} SET where CONDITION; or count: count(SET) {spot.word} 2",
        )
    if re.search(r"(=|<|>|\bin\b|\bis\b)[^=<>]*$", spot.before) and "AND" in spot.expected:
        return "comparisons do not chain", 'compare twice and join the two with "and"'
    return "a comparison takes parentheses here", "write (A = B)"


def word_for_value(spot: Spot) -> Hint:
    if spot.prior in _INFIX and spot.had_value and spot.kind not in _ENDS:
        return f'a value is missing before "{spot.prior}"', "write a number, a name, a call or a set there"
    return None


def case_or_name(spot: Spot) -> Hint:
    if spot.expected == {"CASEID"} or (spot.expected <= {"CASEID", "COMMA"} and "CASEID" in spot.expected):
        what = f', not "{spot.word}"' if spot.word and not spot.ends else ""
        return f"a case number is expected here{what}", "name the case first, then the declaration: 7.1 zone"
    if "NAME" in spot.expected and not spot.wants_value and re.fullmatch(r"[0-9][\w./-]*", spot.word):
        number = re.match(r"\S*?(?=[\s:,(]|$)", spot.word + spot.after)
        return (
            f"a name is expected here, not the case number {number.group() if number else spot.word}",
            "name the declaration; the case it belongs to is the one it stands in",
        )
    return None


def missing_arrow(spot: Spot) -> Hint:
    if "->" in texts_of(spot.expected) and not spot.wants_value:
        return (
            "the kind of the value is missing",
            f"write it after an arrow: {spot.first} NAME(...) -> number: ...",
        )
    return None


def one_word_missing(spot: Spot) -> Hint:
    """Where only one word can follow, say so."""
    words = texts_of(spot.expected)
    if len(spot.expected) != 1 or len(words) != 1:
        return None
    (word,) = words
    place = "at the end of this line" if spot.ends else f'before "{spot.word}"'
    return f'"{word}" is missing {place}', _FORMS.get(spot.first, f'write "{word}" there')


def fallback(spot: Spot) -> tuple[str, str]:
    what = "the end of the line" if spot.ends or not spot.word.strip() else f'"{spot.word.strip()}"'
    if spot.wants_value:
        return f"{what} stands where a value is expected", "write a number, a name, a call or a set there"
    if spot.expected == {"_NL"}:
        return f"{what} is one too many: the line is complete before it", "remove it, or begin a new line"
    help = f"here may stand {any_of(spot.expected)}" if spot.expected else "see docs/language.md"
    return f"{what} does not fit here", help


RULES = (
    bracket_left_open,
    quote_left_open,
    text_beside_text,
    foreign_operator,
    indented_too_far,
    empty_block,
    two_exceptions,
    if_in_definition,
    value_before_otherwise,
    capital_keyword,
    ask_form,
    else_without_colon,
    former_word,
    not_a_declaration,
    wrong_opener,
    keyword_as_name,
    open_form,
    comparison,
    word_for_value,
    missing_arrow,
    case_or_name,
    missing_colon,
    missing_value,
    one_word_missing,
)


# ---------------------------------------------------------------- letters, columns, words run together


def letter_hint(line: str, column: int) -> tuple[str, str, int]:
    """Message, help and width for a sign outside ASCII that stands outside texts and comments."""
    sign = line[column - 1]
    if sign in "“”„«»‟":
        return "a curly quote does not open a text", 'write the plain quote: "', 1
    if sign in "‘’‚":
        return "a curly quote does not open a text", 'texts stand in plain double quotes: "..."', 1
    if sign in _OPERATORS:
        return f'"{sign}" is no sign of this language', f'write "{_OPERATORS[sign]}"', 1
    if sign.isspace():
        return "a space of an unusual kind stands here", "replace it by a plain space", 1
    if not sign.isalpha():
        return f'"{sign}" is no sign of this language', "write it in a text in quotes, or leave it out", 1
    start = column - 1
    while start and re.match(r"\w", line[start - 1]):
        start -= 1
    match = re.match(r"\w+", line[start:])
    word = match.group() if match else sign
    return (
        f'the name "{word}" holds the letter "{sign}"',
        "names are written with the letters a to z, digits and _; texts in quotes may hold any letter",
        1,
    )


def dedent_hint(line: str, columns: Iterable[int]) -> tuple[str, str]:
    """For a line that returns to a column where no block stands."""
    margin = line[: len(line) - len(line.lstrip())]
    if "\t" in margin:
        return (
            "this line is indented with tabs, and lines up with nothing above",
            "indent by two spaces a level",
        )
    listed = " or ".join(str(column) for column in sorted(set(columns)))
    return (
        "this line lines up with no line above",
        f"indent it by {listed} spaces, as an open block is; two spaces a level",
    )


def run_together_hint(word: str, keyword: str) -> tuple[str, str]:
    """For a keyword that is only the beginning of a longer word."""
    if word[0].isdigit():
        return f'"{word}" is neither a number nor dice', "dice read 2d6, with at most three digits a side"
    names = near(word, keywords() - {word})
    meant = names[0] if names and names[0] != keyword else keyword
    return f'"{word}" is no word of the language', f'did you mean "{meant}"?'


# ---------------------------------------------------------------- the grammar's words


@cache
def _rules() -> dict[str, str]:
    text = re.sub(r"(?m)^\s*//.*$", "", GRAMMAR.read_text(encoding="utf-8"))
    return dict(re.findall(r"(?m)^[?!]?(\w+)(?:\.\d+)?\s*:((?:.|\n(?=\s*\|))*)", text))


@cache
def keywords() -> frozenset[str]:
    """Every word that the grammar gives a meaning somewhere."""
    literal = {word for body in _rules().values() for word in re.findall(r'"([a-z]+)"', body)}
    return frozenset(literal)


@cache
def openers(rule: str) -> frozenset[str]:
    """The words that a rule of the grammar may open with."""
    found: set[str] = set()
    seen: set[str] = set()
    todo = [rule]
    while todo:
        name = todo.pop()
        if name in seen or name not in _rules():
            continue
        seen.add(name)
        for branch in _rules()[name].split("|"):
            start = re.match(r'\s*(?:"([a-z]+)"|(\w+))', branch)
            if start and start.group(1):
                found.add(start.group(1))
            elif start and start.group(2) != "NAME":
                todo.append(start.group(2))
    return frozenset(found)


def texts_of(terminals: Iterable[str]) -> set[str]:
    """The fixed texts of terminals; terminals that match a pattern are left out."""
    fixed = _fixed_texts()
    return {fixed[name] for name in terminals if name in fixed}


@cache
def _fixed_texts() -> dict[str, str]:
    return {t.name: t.pattern.value for t in parser().terminals if t.pattern.type == "str"}


def any_of(terminals: Iterable[str], most: int = 6) -> str:
    """Terminals or words as a list for reading."""
    names = set(terminals)
    texts = [_NAMES[name] for name in _NAMES if name in names]
    texts += sorted(f'"{text}"' for text in texts_of(names - set(_NAMES)) | {x for x in names if x.islower()})
    if len(texts) > most:
        texts = [*texts[:most], "..."]
    return ", ".join(texts[:-1]) + (" or " if len(texts) > 1 else "") + texts[-1] if texts else "something else"
