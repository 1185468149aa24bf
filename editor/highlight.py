"""A Pygments lexer for `.rules` text; its words come from the grammar."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Keyword, Literal, Name, Number, Operator, Punctuation, String, Text, Whitespace

from .keywords import DECLARING, OPENERS_OF_VALUES, any_of, patterns, placed, words

_CASE = r"[0-9A-Z][0-9A-Za-z]*(?:[./][0-9A-Za-z\-]+\)?)*"


class RulesLexer(RegexLexer):
    """Rulewright's language."""

    name = "Rulewright rules"
    aliases: ClassVar[list[str]] = ["rules", "rulewright"]
    filenames: ClassVar[list[str]] = ["*.rules"]
    url = ""

    tokens: ClassVar[dict[str, list[object]]] = {
        "root": [
            (rf"^([ \t]+)({any_of(placed()['HEAD'])})(?=[ \t]*:)", bygroups(Whitespace, Keyword)),
            (r"[^\S\n]+", Whitespace),
            (r"\n", Whitespace),
            (r"#[^\n]*", Comment.Single),
            (patterns()["STRING"], String.Double),
            (rf"(case)([ \t]+)({_CASE})", bygroups(Keyword.Declaration, Whitespace, Name.Label)),
            (
                rf"({any_of(placed()['OVERLAY'])})([ \t]+)(\w+)([ \t]+)(of)(?=[ \t])",
                bygroups(Keyword.Declaration, Whitespace, Name.Class, Whitespace, Keyword),
            ),
            (rf"(?<![\w.]){any_of(placed()['FACET'])}(?=[ \t]*:)", Keyword),
            (
                rf"(replace|strike|insert)([ \t]+)({any_of(placed()['ROWS'])})(?=[ \t])",
                bygroups(Keyword, Whitespace, Keyword),
            ),
            (r"already[ \t]+in[ \t]+text\b", Keyword),
            (
                rf"\b({any_of(DECLARING)})([ \t]+)([A-Za-z_]\w*)",
                bygroups(Keyword.Declaration, Whitespace, Name.Function),
            ),
            (patterns()["HEX"], Literal),
            (patterns()["DICE"], Number),
            (patterns()["RATIO"], Number),
            (patterns()["DATE"], Literal.Date),
            (r"[0-9]+[A-Za-z]*(?:[./][0-9A-Za-z\-]+)+", Name.Label),
            (r"[0-9]+", Number.Integer),
            (r"(\.)([A-Za-z_]\w*)", bygroups(Punctuation, Name.Attribute)),
            (rf"\b{any_of(OPENERS_OF_VALUES)}\b", Keyword.Constant),
            (rf"\b{any_of(words())}\b", Keyword),
            (r"[A-Za-z_]\w*", Name),
            (r"->|!=|<=|>=|\.\.|[-+*/=<>]", Operator),
            (r"[()\[\]{},:.|]", Punctuation),
            (r".", Text),
        ]
    }
