"""The same idea has the same name in every book: the table of docs/vocabulary.md is read and held against the books."""

import re
import shlex
from functools import cache
from pathlib import Path

import pytest

from rulewright.compiler.cli.main import main
from rulewright.compiler.compare.concepts import concepts, own_names
from rulewright.compiler.compare.render import render_text
from rulewright.compiler.compare.table import check_names, compared
from rulewright.compiler.pipeline import analyse

ROOT = Path(__file__).parents[2]
COMPARE = (ROOT / "docs" / "compare.md").read_text(encoding="utf-8")
ROW = re.compile(r"\| `(\w+)(\(.*?\))?` \|[^|]*\| ([a-z, ]+) \|([^|]*)\|")


def rows() -> list[tuple[str, str, tuple[str, ...], tuple[str, ...]]]:
    """Name, parameters, the books that have it, and words that none of them may use instead."""
    text = (ROOT / "docs" / "vocabulary.md").read_text(encoding="utf-8")
    found = []
    for name, params, books, instead in ROW.findall(text):
        found.append((name, params, tuple(books.split(", ")), tuple(re.findall(r"`(\w+)`", instead))))
    return found


@cache
def core(book: str):
    return analyse(book).book


@cache
def declared(book: str) -> dict[str, str]:
    """Every name of a book with its parameters as a reader writes them."""
    made = core(book)
    found: dict[str, str] = {}
    for family in (made.definitions, made.grows, made.routes, made.actions, made.procedures):
        for name, x in family.items():
            shown = ", ".join(f"{p.name}: {p.type}" for p in x.params)
            found[name] = f"({shown})" if shown else ""
    found |= dict.fromkeys([*made.memories, *made.quotas], "") | {box.partition("(")[0]: "" for box in made.boxes}
    found |= {name: "" for _, name in made.marks} | dict.fromkeys(made.bindings, "")
    return found


def shape(params: str) -> list[str]:
    """The types alone; hex, point and place are one."""
    return ["place" if t in ("hex", "point") else t for t in re.findall(r": ([a-z_ ]+)", params)]


def test_the_table_is_there() -> None:
    assert len(rows()) >= 15 and {book for _, _, books, _ in rows() for book in books} == {
        "trc",
        "tdv",
        "fite",
        "fragment",
    }


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0])
def test_books_use_the_word(row: tuple[str, str, tuple[str, ...], tuple[str, ...]]) -> None:
    name, params, books, instead = row
    for book in books:
        assert name in declared(book), f"{book} has no {name}"
        if params and declared(book)[name]:
            assert shape(declared(book)[name]) == shape(params), (book, name)
    for book in ("trc", "tdv", "fite", "fragment"):
        assert not [word for word in instead if word in declared(book)], book
        assert book in books or name not in declared(book), f"the table forgets that {book} has {name}"


def test_parameters_of_a_definition_are_seen() -> None:
    assert declared("fite")["stack_fits"] == "(us: set of unit, h: place)"


# ---------------------------------------------------------------- docs/compare.md


BOOKS = ("fite", "fragment", "tdv", "trc")


@pytest.mark.parametrize("book", BOOKS)
def test_the_names_that_answer_concepts_are_there(book: str) -> None:
    known = concepts()
    own = own_names(book, known)
    assert own
    check_names(own, book, core(book))


def test_the_page_shows_what_zones_do_in_the_books() -> None:
    known = concepts()
    made = render_text(compared(known["zones"], known, [(book, core(book)) for book in BOOKS]))
    shown = re.search(r"```text\n(.*?)```", COMPARE, re.S)[1]
    assert made.endswith(shown.rstrip("\n"))


def test_the_commands_of_the_page_run(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    for line in re.search(r"```sh\n(.*?)```", COMPARE, re.S)[1].strip().split("\n"):
        assert main([*shlex.split(line)[1:], "--quiet"]) == 0, line
    assert (tmp_path / "victory.md").read_text().startswith("# Victory")
    capsys.readouterr()
    assert main(["compare"]) == 0
    assert capsys.readouterr().out in COMPARE
