"""Highlighting knows every word of the grammar, in Pygments and in TextMate."""

import json
import re
from pathlib import Path

import pytest

from rulewright.dsl.grammar import parser
from rulewright.editor import textmate
from rulewright.editor.keywords import placed

ROOT = Path(__file__).resolve().parent.parent.parent
REAL = sorted(t.pattern.value for t in parser().terminals if t.pattern.type == "str" and t.pattern.value.isalpha())
LINES = {
    "FACET": "  {}: 3",
    "OVERLAY": "{} x of y",
    "HEAD": "  {}: something",
    "ROWS": "  replace {} 7.1 chart",
    "NATURE": "    {}: change",
}
PLACED = [(LINES[sort].format(word), word) for sort, some in placed().items() for word in some]


def pygments_scope(line, word):
    pygments = pytest.importorskip("pygments.token")
    from rulewright.editor.highlight import RulesLexer

    found = [kind for _, kind, text in RulesLexer().get_tokens_unprocessed(line) if word in text.split()]
    return bool(found) and found[0] in pygments.Keyword


def textmate_scope(line, word):
    """As an editor reads it: at each place the pattern that matches first, of several the one listed first."""
    rules = json.loads(textmate.FILE.read_text())["patterns"]
    at = 0
    while at < len(line):
        matches = [
            (m.start(), i, m) for i, rule in enumerate(rules) if (m := re.compile(rule["match"]).search(line, at))
        ]
        if not matches:
            return False
        _, i, m = min(matches, key=lambda x: x[:2])
        groups = rules[i].get("captures", {"0": {"name": rules[i].get("name")}})
        for group, scope in groups.items():
            if word in m.group(int(group)).split() and scope["name"].startswith(("keyword.", "constant.language")):
                return True
        at = max(m.end(), at + 1)
    return False


def test_the_grammar_has_words():
    assert len(REAL) > 100 and {"define", "except", "times", "groups"} <= set(REAL)
    assert {"over", "budget"} <= set(placed()["FACET"]) and "errata" in placed()["OVERLAY"]


@pytest.mark.parametrize("scope", [pygments_scope, textmate_scope])
def test_every_word_of_the_grammar_is_a_keyword(scope):
    assert [word for word in REAL if not scope(f"  {word} ", word)] == []


@pytest.mark.parametrize("scope", [pygments_scope, textmate_scope])
def test_words_of_one_place_are_keywords_there(scope):
    assert [line for line, word in PLACED if not scope(line, word)] == []


def test_the_textmate_file_is_what_the_grammar_says():
    """Else: python -m rulewright.editor.textmate"""
    assert textmate.FILE.read_text(encoding="utf-8") == textmate.text()


def test_pygments_finds_the_lexer_and_loses_no_text():
    lexers = pytest.importorskip("pygments.lexers")
    from rulewright.editor.highlight import RulesLexer

    assert isinstance(lexers.get_lexer_by_name("rules"), RulesLexer)
    for path in sorted((ROOT / "rulebooks" / "trc").glob("*.rules")):
        text = path.read_text()
        assert "".join(part for _, _, part in RulesLexer().get_tokens_unprocessed(text)) == text


def test_pygments_tells_names_cases_and_texts_apart():
    tokens = pytest.importorskip("pygments.token")
    from rulewright.editor.highlight import RulesLexer

    line = '  except 7.1 zone: {u.hex} when u.type = "case" and @T24 in zone(u)  # case'
    found = {text: kind for _, kind, text in RulesLexer().get_tokens_unprocessed(line)}
    assert found["7.1"] is tokens.Name.Label and found["zone"] is tokens.Name and found["hex"] is tokens.Name.Attribute
    assert found['"case"'] is tokens.String.Double and found["@T24"] is tokens.Literal
    assert found["# case"] is tokens.Comment.Single
