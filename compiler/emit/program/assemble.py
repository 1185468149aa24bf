"""The arguments of the program, in order.

In:  the book, what is said of it, and the set of modules that is being built.
Out: one row for each argument; the functions that they name are built on the way.
"""

from __future__ import annotations

from functools import partial

from ...cache.incremental import Known
from ...core.printed import homes
from ...core.shown import shown_keys, veil_keys
from ...core.texts import record_texts, type_text
from ..chunks import Chunks
from ..definitions.memoised import members, owner
from ..fixed import BOARD, UNITS
from ..model.expressions import Expr, Lit, Ref
from ..text import told_texts
from .decisions import DecisionRows
from .doctrine import doctrine_row
from .happenings import HappeningRows
from .rows import Row, argument, table
from .said import Said
from .state import StateRows


def program_rows(chunks: Chunks, said: Said, rules_hash: str) -> list[Row]:
    """The keyword arguments of the program."""
    ctx = chunks.ctx
    book = ctx.book
    state, decisions, happenings = StateRows(chunks), DecisionRows(chunks), HappeningRows(chunks)
    columns = chunks.once(state.columns)
    memories = state.memories()
    quotas = state.quotas()
    asks, offers, actions = decisions.asks(), decisions.offers(), decisions.actions()
    duties, triggers = happenings.duties(), happenings.triggers()
    procedures, invariants = happenings.procedures(), happenings.invariants()
    expiring = chunks.once(state.expiring)
    for name in sorted(ctx.looked_up):
        d = book.definitions[name]
        chunks.chunk(("members", d, owner(ctx, d)), partial(members, ctx, name))

    def again(name: str, value: Expr) -> Row:
        """An argument made of words, as it was printed before where it has not changed."""
        known = ctx.room.find(("argument", name))
        if known is None or known.parts[0] != value:
            known = ctx.room.now["argument", name] = Known((value,), argument(name, value))
        found: Row = known.value
        return found

    return [
        argument("name", Lit("+".join([book.name, *book.overlays]))),
        argument("title", Lit(book.title or book.name)),
        argument("rules_hash", Lit(rules_hash)),
        argument("board", BOARD),
        argument("units", UNITS),
        argument("sides", Lit(tuple(book.kinds.get("side", ())))),
        again("kinds", Lit({k: tuple(v) for k, v in book.kinds.items()})),
        again("scales", Lit({k: tuple(v) for k, v in book.scales.items()})),
        argument("turns", Ref("data", "TURNS")),
        argument("unit_sides", Lit(tuple(u.fields.get("side") for u in book.units))),
        *([argument("homes", Lit(homes(book)))] if homes(book) else []),
        table("columns", columns, "()"),
        argument("bindings", Lit({k: type_text(v) for k, v in book.bindings.items()})),
        argument("readings", Lit({k: tuple(r for r, _ in u.readings) for k, u in book.unclear.items()})),
        table("memories", memories, "()"),
        table("quotas", quotas, "{}"),
        table("asks", asks, "()"),
        table("offers", offers, "()"),
        table("actions", actions, "{}"),
        table("duties", duties, "()"),
        table("triggers", triggers, "()"),
        table("procedures", procedures, "{}"),
        table("scenarios", happenings.scenarios(), "{}"),
        table("invariants", invariants, "()"),
        argument("resets", state.resets()),
        table("expiring", expiring, "()"),
        argument("memo", Lit(len(ctx.memo))),
        again("clears", state.clears()),
        again("owned", state.owned()),
        again("placed", state.placed()),
        *([again("growing", state.growing())] if book.grows else []),
        again("watches", state.watches()),
        again("cases", Lit(dict(book.cases))),
        again("said", Lit(said.texts)),
        *([argument("shown", Lit(shown_keys(book)))] if book.shown else []),
        *([argument("veils", Lit(veil_keys(book)))] if book.veils else []),
        *([argument("unit_names", Lit(said.unit_names))] if said.unit_names else []),
        *([argument("veiled_memories", Lit(said.veiled_memories))] if said.veiled_memories else []),
        *([argument("told_of_units", Lit(said.told_of_units))] if said.told_of_units else []),
        *([argument("own_quotas", Lit(said.own_quotas))] if said.own_quotas else []),
        again("origins", Lit(dict(book.origins))),
        again("house", Lit(said.house)),
        *([again("dice", Lit(said.dice))] if said.dice else []),
        again("waived_by", Lit(dict(book.waived_by))),
        again("own_cases", Lit(said.own_cases)),
        table("values", happenings.values(), "{}"),
        again("records", Lit(record_texts(book))),
        again("told", Lit(told_texts(book))),
        again("hidden", Lit(said.hidden)),
        *([argument("kept", Lit(said.kept))] if said.kept else []),
        *([argument("secret_names", Lit(said.secret_names))] if said.secret_names else []),
        *([argument("hidden_boxes", Lit(said.hidden_boxes))] if said.hidden_boxes else []),
        *([doctrine_row(ctx, book.doctrine)] if book.doctrine is not None else []),
    ]
