"""Turn a parser's complaint into a sentence for an author; the words of the language are read from the grammar, so
a new keyword needs no change here.
"""

from .blocks import dedent_hint
from .rules import hint, run_together_hint
from .signs import letter_hint
from .words import keywords, openers

__all__ = ["dedent_hint", "hint", "keywords", "letter_hint", "openers", "run_together_hint"]
