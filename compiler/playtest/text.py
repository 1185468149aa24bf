"""A playtest as lines of text.

In:  the document of a playtest.
Out: lines for a terminal.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .summary import Document, conflicts, pairs_for

MOST = 12
COUNTS = ("0", "¼", "½", "¾", "1")


def text(found: Document) -> Iterator[str]:
    """The whole of it."""
    yield f"{found['book']} · {found['scenario']} · rules {found['rules'][:12]}"
    yield f"{found['games']} games, {found['choices']} choices"
    yield from who(found["players"])
    yield from wins(found)
    yield from paired(found)
    yield from question(found.get("question"), found["players"])
    yield from numbers(found)
    yield from losses(found)
    yield from dice(found["dice"])
    yield from endings(found["how"])
    yield from rules(found["cases"])
    yield from duties(found)
    yield from problems(found)


def who(players: list[Document]) -> Iterator[str]:
    for x in players:
        parts = dict.fromkeys(x["seats"].values())
        of = f" = {', '.join(f'{side} {name}' for side, name in x['seats'].items())}" if len(parts) > 1 else ""
        yield f"  {x['name']} ({x['hash']}){of}"
    for name, warning in {k: v for x in players for k, v in x["aimless"].items()}.items():
        yield f"  caution: {name} {warning}"


def wins(found: Document) -> Iterator[str]:
    for side, won in found["wins"].items():
        yield f"  {side} wins {with_interval(won)}"
    if found["undecided"]:
        yield f"  nobody wins {found['undecided']}"
    if len(found["players"]) > 1:
        for row in found["seats"]:
            name = found["players"][row["player"]]["name"]
            by = row["margin"]
            margin = f"; margin {by['mean']:+.2f}{sure_of(by)}" if by is not None else ""
            yield f"  {name} as {row['side']}: {with_interval(row['won'])} of {row['played']}{margin}"


def with_interval(won: Document) -> str:
    low, high = won["interval"]
    return f"{won['games']} ({won['share']:.1%}; 95 % between {low:.1%} and {high:.1%})"


def paired(found: Document) -> Iterator[str]:
    rows = found["pairs"]
    if not rows:
        return
    first, second = (x["name"] for x in found["players"])
    if rows["score"] is None:
        yield f"pairs: none of the {len(rows['left_out'])} came to an end"
        return
    low, high = rows["interval"]
    yield (
        f"pairs of {first} and {second}, sides swapped: {first} scores {rows['score']:.1%}"
        f" (95 % between {low:.1%} and {high:.1%}; {rows['pairs']} pairs)"
    )
    yield "  pairs by score: " + ", ".join(f"{c}: {n}" for c, n in zip(COUNTS, rows["counts"], strict=True))
    if rows["deviation"]:
        need = pairs_for(rows["deviation"], 0.05)
        yield f"  deviation of a pair {rows['deviation']:.3f}: five points want about {need} pairs (80 % of the time)"
    if rows["left_out"]:
        yield f"  left out: {len(rows['left_out'])} pairs with a game that has no result"


def question(asked: Document | None, players: list[Document]) -> Iterator[str]:
    if asked is None:
        return
    low, high = asked["bounds"]
    about = f"does {players[0]['name']} score {asked['high']:.1%} rather than {asked['low']:.1%}?"
    reply = {"high": "yes", "low": "no", "": "not settled"}[asked["answer"]]
    yield f"{about} {reply}"
    yield (
        f"  log-likelihood ratio {asked['ratio']:+.2f} after {asked['pairs']} pairs; no at {low:+.2f}, yes at"
        f" {high:+.2f}. Where the true score is one of the two, about {asked['error']:.0%} of such answers are wrong"
    )


def numbers(found: Document) -> Iterator[str]:
    for side, row in measured(found):
        yield f"margin of {side}: {lying(row)}"
    for key, row in found["shown"].items():
        yield f"{key} at the end: {lying(row)}"
    length = found["length"]["choices"]
    if length is not None:
        yield f"choices a game: {lying(length)}"


def measured(found: Document) -> list[tuple[str, Document]]:
    """The margin of each side; of two sides that of the first, for the other's is the same with the other sign."""
    rows = [(side, row) for side, row in found["margin"].items() if row is not None]
    return rows[:1] if len(rows) == 2 else rows


def lying(row: Document) -> str:
    return (
        f"{row['mean']:.2f}{sure_of(row)}, deviation {row['deviation']:.2f},"
        f" from {plain(row['low'])} over {plain(row['median'])} to {plain(row['high'])}"
    )


def sure_of(row: Document) -> str:
    return f" (95 % between {row['interval'][0]:.2f} and {row['interval'][1]:.2f})" if row["interval"] else ""


def plain(n: Any) -> str:
    return f"{n:g}"


def losses(found: Document) -> Iterator[str]:
    for word, rows in (("left the map", found["left"]), ("came onto the map", found["came"])):
        for side, places in rows.items():
            told = ", ".join(f"{place} {n:g}" for place, n in [*places.items()][:MOST])
            yield f"units of {side} that {word}, a game: {told}"


def dice(tables: Document) -> Iterator[str]:
    for table, columns in tables.items():
        total = sum(row["rolls"] for row in columns.values())
        yield f"dice read in {table}: {total}"
        often = sorted(columns, key=lambda x: -columns[x]["rolls"])[:MOST]
        for column, row in ((x, columns[x]) for x in columns if x in often):
            results = ", ".join(f"{r} {n}" for r, n in sorted(row["results"].items(), key=lambda x: (-x[1], x[0])))
            by = ", ".join(f"{side} {n}" for side, n in row["by"].items())
            yield f"  {column or 'all'}: {row['rolls']} ({by}): {results}"
        if len(columns) > MOST:
            yield f"  and {len(columns) - MOST} other columns"


def endings(how: list[Document]) -> Iterator[str]:
    if how:
        yield "how:"
    for row in how[:MOST]:
        when = f" in {row['turn']}" if row["turn"] else ""
        by = f" by case {row['case']}" if row["case"] else ""
        yield f"  {row['games']:5} {row['winner']}{by}{when}"
    if len(how) > MOST:
        yield f"        and {len(how) - MOST} other ways"


def rules(found: Document | None) -> Iterator[str]:
    if found is None:
        return
    yield (
        f"of {found['known']} cases with code {len(found['always'])} ran in every game,"
        f" {len(found['sometimes'])} in some, {len(found['never'])} in none"
    )
    if found["never"]:
        more = f" and {len(found['never']) - 2 * MOST} more" if len(found["never"]) > 2 * MOST else ""
        yield f"  in none: {', '.join(found['never'][: 2 * MOST])}{more}"


def duties(found: Document) -> Iterator[str]:
    for name, row in found["duties"].items():
        yield f"duty {name}: {row['owed'] - row['undone']} of {row['owed']} done, in {row['games']} games"
    if conflicts(found):
        yield f"conflicts between cases: {conflicts(found)}"


def problems(found: Document) -> Iterator[str]:
    yield from (f"  seed {p['seed']}: {p['problem']}" for p in found["problems"])
