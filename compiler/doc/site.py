"""Write the reference of a rule set: a folder of static pages that needs no server.

In:  a rule set without errors, and its coverage figures.
Out: the files of the folder by name, the same bytes for the same input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from markupsafe import Markup

from rulewright.dsl import nodes as n

from ..core.builtins import BUILTINS
from ..core.case_marks import chapter, one_word
from ..core.case_order import natural
from ..core.maps import Map, one_map
from ..core.notation import named
from ..elaborate.expressions.special_calls import SPECIAL
from ..examples.coverage import STATUSES
from ..pages.draw_map import draw_map
from ..pages.html import environment, short, stylesheet
from ..pages.map.counters import counter_sheet
from ..pages.map.position import pieces
from ..pages.map.style import style_of
from ..pipeline import Compiled
from .cases import CaseView, Printer
from .code import Code, tokens
from .coverage import MEANS, Coverage, Printed
from .model import Declaration, Model, case_anchor, lay_out
from .names import Names, place_href, slug, word_href
from .overrides import Relation, overrides
from .search import Row, as_entries, as_lines, documents, index
from .sequence import draw, sequences
from .tables import by_number, rosters


def doc(made: Compiled, covered: Coverage, printed: list[Printed], colors: bool = True) -> dict[str, str]:
    """The files of the reference; `colors` turns syntax highlighting on."""
    return Pages(made, covered, printed, colors).files()


class Pages:
    def __init__(self, made: Compiled, covered: Coverage, printed: list[Printed], colors: bool) -> None:
        self.made, self.covered, self.printed = made, covered, printed
        self.model: Model = lay_out(made)
        self.book = self.model.book
        rows = dict.fromkeys([*(p.case for p in printed), *covered.rows])
        self.names = Names(self.model, rows)
        self.rosters = rosters(self.model)
        self.printer = Printer(
            self.model,
            self.names,
            overrides(self.model, self.names),
            Code(tokens() if colors else None),
            self.rosters,
            covered,
        )
        self.environment = environment()

    def files(self) -> dict[str, str]:
        """Every page, the stylesheet, the search, and the map."""
        self.titles = chapter_titles(self.model, self.printed)
        self.rules = short(self.made.name)
        heading = f"{self.book.title} ({self.rules})" if self.book.title else self.rules
        self.environment.globals.update(
            heading=heading, rules=self.rules, pages=self.menu(), digest=self.made.digest[:12], covered=self.covered
        )
        found = {"style.css": stylesheet(), "search.js": self.search()}
        found["index.html"] = self.page("doc_index", "index.html", "Contents", chapters=self.contents())
        chapters = list(self.model.chapters)
        for i, id in enumerate(chapters):
            found[f"chapter-{one_word(id)}.html"] = self.chapter(id, chapters[i - 1 : i], chapters[i + 1 : i + 2])
        for name, title in self.menu():
            if name != "index.html":
                found[name] = self.other_page(name)(name, title)
        if self.book.map is not None:
            title = self.book.title or self.book.name
            for picture, board in self.boards():
                found[picture] = draw_map(board, style_of(self.book), title=title)
        return dict(sorted(found.items()))

    def menu(self) -> list[tuple[str, str]]:
        """The pages besides the chapters; empty ones are left out."""
        wanted = [
            ("index.html", "Contents", True),
            ("sequence.html", "Sequence of play", bool(self.book.scenarios)),
            ("tables.html", "Tables", bool(self.book.tables)),
            ("units.html", "Units", bool(self.book.units)),
            ("map.html", "Map", self.book.map is not None),
            ("names.html", "Names", True),
            ("words.html", "Built-in words", bool(self.names.words)),
            ("unclear.html", "Unclear cases", bool(self.of(n.Unclear, n.Untranslated))),
            ("house.html", "House values", any(d.entry.house for d in self.model.declarations())),
            ("overlays.html", "Overlays", bool(self.made.overlays)),
            ("examples.html", "Examples", bool(self.book.examples)),
            ("coverage.html", "Coverage", bool(self.printed or self.covered.rows)),
        ]
        return [(name, title) for name, title, there in wanted if there]

    def page(self, template: str, name: str, title: str, **values: Any) -> str:
        return self.environment.get_template(f"{template}.html.j2").render(page=name, title=title, **values)

    def of(self, *kinds: type[n.Decl]) -> list[Declaration]:
        return [d for d in self.model.declarations() if d.state == "stands" and isinstance(d.entry.node, kinds)]

    # ------------------------------------------------------------ contents and chapters

    def contents(self) -> list[tuple[str, str, str, list[CaseView]]]:
        return [
            (id, self.titles[id], self.model.intros.get(id, ""), [self.printer.head(c) for c in cases])
            for id, cases in self.model.chapters.items()
        ]

    def chapter(self, id: str, before: list[str], after: list[str]) -> str:
        name = f"chapter-{one_word(id)}.html"
        blockless = [p for p in self.printed if chapter(p.case) == id and p.case not in self.model.cases]
        return self.page(
            "doc_chapter",
            name,
            f"{id} {self.titles[id]}".strip(),
            id=id,
            intro=self.model.intros.get(id, ""),
            cases=[self.printer.case(c, name) for c in self.model.chapters[id]],
            before=[(x, self.titles[x]) for x in before],
            after=[(x, self.titles[x]) for x in after],
            blockless=len(blockless),
        )

    # ------------------------------------------------------------ the other pages

    def other_page(self, name: str) -> Callable[[str, str], str]:
        """The function that renders a page, found by the name of its file."""
        return {
            "sequence.html": self.sequence_page,
            "tables.html": self.tables_page,
            "units.html": self.units_page,
            "map.html": self.map_page,
            "names.html": self.names_page,
            "words.html": self.words_page,
            "unclear.html": self.unclear_page,
            "house.html": self.house_page,
            "overlays.html": self.overlays_page,
            "examples.html": self.examples_page,
            "coverage.html": self.coverage_page,
        }[name]

    def sequence_page(self, name: str, title: str) -> str:
        found = [
            (key, titles, home, draw(key, f"Sequence {key}", steps), steps)
            for key, titles, home, steps in sequences(self.model, self.names)
        ]
        return self.page("doc_sequence", name, title, sequences=found)

    def tables_page(self, name: str, title: str) -> str:
        found = [(d, self.printer.grid(d, name)) for d in self.of(n.Table)]
        return self.page("doc_tables", name, title, tables=[(d, g) for d, g in found if g is not None])

    def units_page(self, name: str, title: str) -> str:
        types = {key: f.type for (owner, key), f in self.book.fields.items() if owner == "unit"}
        rows = [
            (
                u,
                f"unit-{slug(u.name)}",
                ", ".join(f"{key} {named(v, types.get(key), self.book)}" for key, v in u.fields.items()),
                d,
            )
            for d, units in self.rosters.items()
            for u in units
        ]
        rows.sort(key=lambda r: by_number(r[0].name))
        faces, counters = counter_sheet(pieces(self.book), style_of(self.book)) if self.book.styles else ("", {})
        return self.page(
            "doc_units",
            name,
            title,
            units=rows,
            rosters=[(d, len(u)) for d, u in self.rosters.items()],
            faces=Markup(faces),
            counters={unit: Markup(drawn) for unit, drawn in counters.items()},
        )

    def boards(self) -> list[tuple[str, Map]]:
        """The maps of the book, each with the file of its picture."""
        board = self.book.map
        if board is None or not board.parts:
            return [("map.svg", board)] if board is not None else []
        return [(f"map-{slug(part.name)}.svg", one_map(board, part.name)) for part in board.parts]

    def map_page(self, name: str, title: str) -> str:
        board = self.book.map
        assert board is not None
        printed: dict[str, list[str]] = {}
        for key, values in sorted(board.fields.items()):
            for place, value in values.items():
                if value:
                    printed.setdefault(place, []).append(key if value is True else f"{key} {value}")
        places = [
            (word, f"place-{slug(word)}", at, ", ".join(printed.get(at, ())))
            for word, at in sorted(self.names.places.items())
        ]
        home = self.names.home
        house = home is not None and home.entry.house
        told = {"board": board, "boards": self.boards(), "places": places}
        return self.page("doc_map", name, title, home=home, house=house, **told)

    def names_page(self, name: str, title: str) -> str:
        return self.page("doc_names", name, title, names=self.names_rows())

    def names_rows(self) -> list[tuple[str, str, Declaration, int, int]]:
        found = {}
        for word, all_ in self.names.declared.items():
            for m, d in all_:
                if m.realm not in ("case", "book", "answer"):
                    uses = self.names.uses.get(d)
                    counts = (len(uses.rules), len(uses.examples)) if uses is not None else (0, 0)
                    found[word, m.declares, d] = (word, m.declares, d, *counts)
        return sorted(found.values(), key=lambda r: (r[0].lower(), r[0], natural(r[2].case), r[1], r[2].anchor))

    def words_page(self, name: str, title: str) -> str:
        rows = []
        for word in sorted(self.names.words):
            b = BUILTINS.get(word)
            if b is not None:
                takes = f"({', '.join(map(str, b.params))})" if b.params else ""
                head, text = f"{word}{takes} -> {b.type}", b.text
            else:
                head, text = f"{word}({', '.join(SPECIAL[word])})", ""
            users = [d for d in self.names.words[word] if d.sort != "example"]
            rows.append((f"word-{slug(word)}", head, text, users))
        return self.page("doc_words", name, title, words=rows)

    def unclear_page(self, name: str, title: str) -> str:
        found = [self.printer.declaration(d, name) for d in self.of(n.Unclear)]
        open_ = [d for d in self.of(n.Untranslated)]
        return self.page("doc_unclear", name, title, unclear=found, untranslated=open_)

    def house_page(self, name: str, title: str) -> str:
        return self.page("doc_house", name, title, found=[d for d in self.model.declarations() if d.entry.house])

    def overlays_page(self, name: str, title: str) -> str:
        force = []
        for head, layer in self.made.layers:
            mine = [d for d in self.model.declarations() if d.entry.overlay == head.name and d.state != "struck"]
            cases = [c for c in self.model.cases.values() if any(b.overlay == head.name for b in c.blocks)]
            acts: dict[tuple[str, str], list[Relation]] = {}
            for d in mine:
                for r in self.printer.overrides.does.get(d, ()):
                    acts.setdefault((d.case, r.word), []).append(r)
            force.append((head, layer.title, cases, acts))
        names = {head.name for head, _ in self.made.layers}
        others = [o for o in self.made.overlays.values() if o.name not in names]
        return self.page(
            "doc_overlays", name, title, force=force, others=sorted(others, key=lambda o: (o.sort, o.name))
        )

    def examples_page(self, name: str, title: str) -> str:
        found = [(c, [d for d in c.declarations() if d.sort == "example"]) for c in self.model.cases.values()]
        return self.page("doc_examples", name, title, cases=[(c, x) for c, x in found if x])

    def coverage_page(self, name: str, title: str) -> str:
        carried: dict[str, list[Declaration]] = {}
        for d in self.model.declarations():
            for case in d.entry.covers if d.state == "stands" else ():
                carried.setdefault(case, []).append(d)
        rows = self.printed or [
            Printed(r.case, self.book.cases.get(r.case, ""), r.executable) for r in self.covered.rows.values()
        ]
        chapters: dict[str, list[tuple[Printed, str, list[Declaration], Any]]] = {}
        for p in rows:
            home = self.model.cases.get(p.case)
            line = (p, home.href if home is not None else "", carried.get(p.case, []), self.covered.rows.get(p.case))
            chapters.setdefault(chapter(p.case), []).append(line)
        return self.page(
            "doc_coverage",
            name,
            title,
            chapters=[(id, self.titles.get(id, ""), lines) for id, lines in chapters.items()],
            statuses=STATUSES,
            means=MEANS,
            anchor=case_anchor,
        )

    # ------------------------------------------------------------ search

    def search(self) -> str:
        """The search script: cases, names, units, places and examples by title, everything by its text."""
        rows: list[Row] = [(f"{c.id} {c.title}".strip(), "case", c.href) for c in self.model.cases.values()]
        rows += [(w, f"{sort}, {d.case}", d.href) for w, sort, d, _, _ in self.names_rows() if sort != "label"]
        rows += [(u.name, f"unit, {d.case}", d.href) for d, units in self.rosters.items() for u in units]
        rows += [(w, "place", place_href(w)) for w in sorted(self.names.places)]
        rows += [(d.name, f"example, {d.case}", d.href) for d in self.model.declarations() if d.sort == "example"]
        rows += [(w, "built-in word", word_href(w)) for w in sorted(self.names.words)]
        found = list(documents(self.model))
        words = index([text for _, text in found])
        return self.environment.get_template("doc_search.js.j2").render(
            rows=Markup(as_lines(list(dict.fromkeys(rows)))),
            texts=Markup(as_lines([row for row, _ in found])),
            words=Markup(as_entries(words)),
        )


def chapter_titles(model: Model, printed: Iterable[Printed]) -> dict[str, str]:
    """A title for each chapter: that of its first printed case, or that of its file."""
    known = {p.case: p.title for p in printed}
    found = {}
    for id, cases in model.chapters.items():
        whole = next((c.title for c in cases if c.id == id), "")
        heading = known.get(id, "") or known.get(f"{id}.0", "")
        files = {b.file for c in cases for b in c.blocks if "/" not in b.file}
        stem = files.pop() if len(files) == 1 else ""
        stem = stem.removesuffix(".rules").lstrip("0123456789-").replace("-", " ")
        title = (whole or heading.removesuffix(" (heading)") or stem).strip()
        found[id] = title[:1].upper() + title[1:]
    return found
