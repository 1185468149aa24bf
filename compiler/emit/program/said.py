"""What the program says and keeps to itself, whichever set of modules plays.

In:  the book in the core, and what everything in it rests on.
Out: texts, house values, tables of rolls, secrets and citations: the same for the rules and for their traced twin, so
     they are found once for both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...analyse.dependencies import Depends, hidden_memories, veiled_memories
from ...analyse.own_cases import own_cases
from ...analyse.secret_boxes import SecretBoxes, hidden_boxes
from ...analyse.secret_flows import Telling, hidden_tables, kept_arguments
from ...analyse.secret_names import names_of_secrets
from ...analyse.unit_names import names_of_units
from ...analyse.veiled_words import quotas_of_a_side, told_of_units
from ...core import nodes as c
from ...words.play import sayings
from .dice import Reading, tables_of_rolls
from .house import house_texts


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Arguments of the program that do not hang on how its functions are built."""

    texts: Mapping[str, Mapping[str, str]]
    house: Mapping[str, str]
    dice: Mapping[str, tuple[Reading, ...]]
    own_cases: Mapping[str, tuple[str, ...]]
    hidden: Mapping[str, tuple[str, ...]]
    hidden_boxes: Mapping[str, tuple[str, ...]]
    kept: Mapping[str, tuple[str, ...]]
    secret_names: Mapping[str, Mapping[str, tuple[str, ...]]]
    unit_names: Mapping[str, tuple[str, ...]]
    veiled_memories: Mapping[str, tuple[str, ...]]
    told_of_units: Mapping[str, tuple[str, ...]]
    own_quotas: Mapping[str, int]


def said_by(book: c.Book, depends: Depends) -> Said:
    """All of them for one book."""
    boxes = SecretBoxes(book, depends)
    telling = Telling(book, depends, boxes)
    return Said(
        texts=sayings(book),
        house=house_texts(book),
        dice=tables_of_rolls(book),
        own_cases=own_cases(book),
        hidden={**hidden_memories(book, depends), **hidden_tables(telling)},
        hidden_boxes=hidden_boxes(book, depends),
        kept=kept_arguments(telling),
        secret_names=names_of_secrets(telling),
        unit_names=names_of_units(book) if book.veils else {},
        veiled_memories=veiled_memories(book, depends),
        told_of_units=told_of_units(telling),
        own_quotas=quotas_of_a_side(book),
    )
