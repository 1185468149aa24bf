"""Random syntax trees: only trees that some text parses to.

In:  nothing.
Out: hypothesis strategies `expressions()`, `statements()`, `declarations()`, `books()`.

Tests load this file by its path, because tests run without packages:

    spec = importlib.util.spec_from_file_location("strategies", Path(__file__).parents[1] / "strategies.py")
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from rulewright.dsl import nodes as n
from rulewright.dsl.print.expressions import expr
from rulewright.dsl.source import NOWHERE
from rulewright.dsl.syntax_hints import keywords

S = NOWHERE
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
# Plain words with a meaning of their own at the start of some line: names all the same.
LINE_WORDS = [
    "times",
    "plus",
    "let",
    "steps",
    "either",
    "all",
    "failing",
    "asked",
    "nothing",
    "conflict",
    "during",
    "start",
    "end",
]


def _plain(word: str) -> bool:
    return word not in keywords() and word not in MONTHS


names = st.one_of(
    st.sampled_from(["u", "h", "it", "a", "b", "unit", "zone", "phasing", "weather", "Kerch_Strait"]),
    st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,7}", fullmatch=True).filter(_plain),
)
values = st.one_of(names, names, names, st.sampled_from(LINE_WORDS))
case_ids = st.sampled_from(["1", "7.1", "12.5/p2", "28.6.III.MD", "E.R.10C", "26.9.1", "13.3/AE", "A"])
texts = st.text(st.characters(codec="utf-8", exclude_characters='"\n\r', exclude_categories=["Cc", "Cs"]), max_size=12)
prose = st.one_of(texts, texts, texts, st.lists(texts, min_size=15, max_size=25).map(" ".join))
titles = prose
type_names = st.builds(
    n.TypeName,
    wrap=st.lists(st.sampled_from(["set", "list"]), max_size=2).map(tuple),
    name=names,
    absent=st.none() | names,
    span=st.just(S),
)


def ratios() -> st.SearchStrategy[Any]:
    parts = st.integers(0, 9999)
    return st.one_of(st.builds(Fraction, parts, st.integers(1, 9999)), parts.map(lambda left: f"{left}:0"))


def dates() -> st.SearchStrategy[str]:
    month = st.sampled_from(MONTHS)
    return st.builds(
        lambda day, first, second, half, year: day + first + second + half + year,
        st.sampled_from(["", "3 ", "21 "]),
        month,
        st.just("") | month.map(lambda m: "/" + m),
        st.sampled_from(["", " I", " II"]),
        st.sampled_from(["", " 1941"]),
    )


def _literal(sort: str, value: st.SearchStrategy[Any]) -> st.SearchStrategy[n.Literal]:
    return st.builds(n.Literal, sort=st.just(sort), value=value, span=st.just(S))


literals = st.one_of(
    _literal("number", st.integers(0, 10**18 - 1)),
    _literal("ratio", ratios()),
    _literal("date", dates()),
    _literal("text", texts),
    _literal("hex", st.from_regex(r"[A-Za-z0-9]{1,4}(/[A-Za-z0-9]{1,4}){0,3}", fullmatch=True)),
    _literal("dice", st.tuples(st.integers(0, 999), st.integers(0, 999))),
    _literal("flag", st.booleans()),
)
plain_names = st.builds(n.Name, id=values, span=st.just(S))


def _tuples(items: st.SearchStrategy[Any], least: int = 0, most: int = 3) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(items, min_size=least, max_size=most).map(tuple)


def calls(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[n.Call]:
    argument = st.builds(n.Argument, name=st.none() | names, value=inner, span=st.just(S))
    return st.builds(n.Call, name=values, arguments=_tuples(argument), span=st.just(S))


def _quantified(sort: str, base: n.Expr, var: str, test: n.Expr | None) -> n.Expr:
    """As the builder folds them: a filter below `any`, `no` and `count` is their test."""
    if sort == "every":
        return n.Quantified(sort=sort, base=base, var=var, test=test or base, span=S)
    if test is None and isinstance(base, n.Filter):
        return n.Quantified(sort=sort, base=base.base, var=base.var, test=base.test, span=S)
    return n.Quantified(sort=sort, base=base, var="it" if test is None else var, test=test, span=S)


def _fold(sort: str, base: n.Expr, value: n.Expr) -> n.Fold:
    return n.Fold(sort=sort, base=base, var=base.var if isinstance(base, n.Filter) else "it", value=value, span=S)


def _preference(first: n.Expr, rest: tuple[n.Expr, ...]) -> n.Preference:
    head = first.tiers if isinstance(first, n.Preference) else (first,)
    return n.Preference(tiers=(*head, *rest), span=S)


def _membership(left: n.Expr, right: n.Expr, end: n.Expr | None) -> n.Binary:
    if end is not None:
        right = n.Collection(sort="range", items=(right, end), span=S)
    return n.Binary(op="in", left=left, right=right, span=S)


def _extended(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    span = st.just(S)
    operators = st.sampled_from(["and", "or", "=", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/"])
    change = st.builds(n.Change, sort=st.sampled_from(["at", "is"]), what=inner, value=inner, span=span)
    variables = st.just("it") | names
    return st.one_of(
        calls(inner),
        st.builds(n.Dot, base=inner, name=values, span=span),
        st.builds(n.Binary, op=operators, left=inner, right=inner, span=span),
        st.builds(n.Binary, op=st.sampled_from(["and", "or"]), left=inner, right=inner, span=span),
        st.builds(_membership, inner, inner, st.none() | inner),
        st.builds(n.Unary, op=st.sampled_from(["not", "not", "-", "since", "before"]), value=inner, span=span),
        st.builds(n.IsTrait, value=inner, trait=names, span=span),
        st.builds(n.Within, value=inner, reach=inner, of=inner, span=span),
        st.builds(n.Filter, base=inner, var=variables, test=inner, span=span),
        st.builds(_quantified, st.sampled_from(["any", "no", "every", "count"]), inner, variables, st.none() | inner),
        st.builds(_fold, st.sampled_from(["sum", "each", "highest", "lowest"]), inner, inner),
        st.builds(n.Collection, sort=st.just("set"), items=_tuples(inner), span=span),
        st.builds(n.Collection, sort=st.just("list"), items=_tuples(inner, 1), span=span),
        st.builds(n.Collection, sort=st.just("span"), items=_tuples(inner, 2, 2), span=span),
        st.builds(n.Collection, sort=st.sampled_from(["plan", "shares"]), items=_tuples(inner, 2, 2), span=span),
        st.builds(_preference, inner, _tuples(inner, 1, 2)),
        st.builds(n.Supposing, changes=_tuples(change, 1, 2), value=inner, span=span),
    )


def expressions(leaves: int = 8) -> st.SearchStrategy[Any]:
    """Any expression, of about so many leaves."""
    return st.recursive(st.one_of(plain_names, plain_names, literals), _extended, max_leaves=leaves)


values_of = expressions(5)


def unquoted(node: n.Node) -> bool:
    """Whether an expression can stand in a text in quotes, and in braces."""
    text = expr(node)
    return not set('"{}#') & set(text)


def log_pieces() -> st.SearchStrategy[tuple[Any, ...]]:
    """Texts and values in turn; two texts never touch."""
    told = texts.filter(bool)
    values = values_of.filter(unquoted)
    pairs = st.lists(st.tuples(told, values), max_size=2)
    return st.builds(lambda ps, end: (*(x for p in ps for x in p), *end), pairs, st.lists(told, max_size=1))


guards = st.none() | values_of


def targets(several: bool = True, named: bool = True) -> st.SearchStrategy[n.Target]:
    def made(cases: tuple[str, ...], name: str | None, facet: str | None) -> n.Target:
        return n.Target(cases=cases, name=name, facet=facet if name else None, span=S)

    facets = st.none() | st.sampled_from(["over", "budget", "leave", "cross", "enter", "jump", "from", "to", "zones"])
    return st.builds(made, _tuples(case_ids, 1, 2 if several else 1), st.none() | names if named else st.none(), facets)


def params() -> st.SearchStrategy[tuple[n.Param, ...]]:
    return _tuples(st.builds(n.Param, name=names, type=type_names, domain=guards, span=st.just(S)), 0, 2)


# ---------------------------------------------------------------- statements


def _callable() -> st.SearchStrategy[Any]:
    return plain_names | calls(values_of)


def _settable() -> st.SearchStrategy[Any]:
    return st.one_of(plain_names, st.builds(n.Dot, base=values_of, name=names, span=st.just(S)), calls(values_of))


lets = st.builds(n.Let, name=names, value=values_of, span=st.just(S))


def _set(what: n.Expr, value: n.Expr | None, clear: bool) -> n.SetMark:
    return n.SetMark(what=what, value=None if clear else value, clear=clear, span=S)


def _ask(
    side: n.Expr, secret: bool, sort: str, name: str, source: n.Expr, limit: str, number: n.Expr, so_that: Any
) -> n.Ask:
    if sort == "whether":
        return n.Ask(
            side=side,
            secret=secret,
            sort=sort,
            name=name,
            source=None,
            limit="",
            number=None,
            so_that=None,
            span=S,
        )
    if sort == "shares":
        limit = "exactly"
    return n.Ask(
        side=side,
        secret=secret,
        sort=sort,
        name=name,
        source=source,
        limit=limit,
        number=number if limit else None,
        so_that=so_that,
        span=S,
    )


def asks() -> st.SearchStrategy[n.Ask]:
    return st.builds(
        _ask,
        values_of,
        st.booleans(),
        st.sampled_from(["one", "some", "order", "shares", "whether"]),
        names,
        values_of,
        st.sampled_from(["", "exactly", "at_most", "at_least"]),
        values_of,
        guards,
    )


def simple_statements() -> st.SearchStrategy[Any]:
    span = st.just(S)
    offered = st.builds(n.Offered, action=names, guard=guards, span=span)
    bearings = st.builds(n.Bearing, mark=names, value=guards, span=span)
    return st.one_of(
        lets,
        st.builds(_set, _settable(), guards, st.booleans()),
        st.builds(n.Put, what=values_of, place=values_of, span=span),
        st.builds(n.Make, name=names, pool=values_of, place=values_of, bears=_tuples(bearings), span=span),
        st.builds(n.Walk, what=values_of, path=values_of, span=span),
        st.builds(n.Roll, name=names, dice=values_of, span=span),
        st.builds(n.Draw, name=names, source=values_of, secretly_for=guards, span=span),
        st.builds(n.Do, call=_callable(), span=span),
        st.builds(n.Spend, amount=guards, quota=values_of, span=span),
        st.builds(n.Simple, sort=st.sampled_from(["reveal", "win", "halt"]), value=values_of, span=span),
        st.builds(n.PhaseChange, sort=st.sampled_from(["skip", "again"]), phase=names, guard=guards, span=span),
        st.builds(
            n.Offer,
            side=values_of,
            sort=st.sampled_from(["", "once", "draft"]),
            actions=_tuples(offered, 1),
            span=span,
        ),
        asks(),
        st.builds(n.Log, pieces=log_pieces(), span=span),
    )


def _failing(ask: n.Ask, failing: tuple[Any, ...]) -> n.Ask:
    from dataclasses import replace

    return replace(ask, failing=failing)


def _nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    span, block = st.just(S), _tuples(inner, 1, 2)

    def phase(name: str, var: str, source: n.Expr | None, guard: n.Expr | None, body: tuple[Any, ...]) -> n.Phase:
        return n.Phase(name=name, var=var if source else None, source=source, guard=guard, body=body, span=S)

    return st.one_of(
        st.builds(_failing, asks(), block),
        st.builds(n.Make, name=names, pool=values_of, place=values_of, bears=st.just(()), failing=block, span=span),
        st.builds(
            n.If,
            branches=_tuples(st.tuples(values_of, block), 1, 2),
            otherwise=st.just(()) | block,
            span=span,
        ),
        st.builds(n.ForEach, var=names, source=values_of, body=block, span=span),
        st.builds(n.Repeat, most=values_of, condition=guards, body=block, span=span),
        st.builds(
            n.Match,
            value=values_of,
            arms=_tuples(st.tuples(_tuples(values_of, 1, 2), block), 1, 2),
            otherwise=st.none() | block,
            span=span,
        ),
        st.builds(n.Together, body=block, span=span),
        st.builds(phase, names, names, guards, guards, block),
    )


def statements() -> st.SearchStrategy[Any]:
    return st.recursive(simple_statements(), _nested, max_leaves=4)


blocks = _tuples(statements(), 1, 2)


def acts(block: tuple[Any, ...]) -> bool:
    return any(not isinstance(x, n.Let) for x in block)


# ---------------------------------------------------------------- declarations


def clauses(operations: st.SearchStrategy[str] = st.just("")) -> st.SearchStrategy[n.Clause]:
    def made(value: n.Expr, guard: n.Expr | None, last: bool, operation: str) -> n.Clause:
        return n.Clause(value=value, guard=None if last else guard, last=last, operation=operation, span=S)

    return st.builds(made, values_of, guards, st.booleans(), operations)


stage_rules = st.one_of(
    st.builds(n.StageRule, sort=st.just("round"), value=names, span=st.just(S)),
    st.builds(n.StageRule, sort=st.just("once"), value=st.none(), span=st.just(S)),
    st.builds(n.StageRule, sort=st.sampled_from(["most", "least"]), value=values_of, span=st.just(S)),
)
stages = st.builds(n.Stage, name=names, rules=_tuples(stage_rules), span=st.just(S))
bodies = st.builds(
    n.Body,
    lets=_tuples(lets, 0, 1),
    clauses=_tuples(clauses(), 1, 2),
    stages=_tuples(stages, 0, 2),
    span=st.just(S),
)
contributions = st.builds(
    n.Body,
    lets=_tuples(lets, 0, 1),
    clauses=_tuples(clauses(st.sampled_from(["", "times", "plus"])), 1, 2),
    span=st.just(S),
)


def events() -> st.SearchStrategy[n.Event]:
    def made(sort: str, name: str, listed: tuple[str, ...]) -> n.Event:
        if sort in ("start", "end"):
            listed = ()
        elif sort == "change":
            listed = listed[:1] or ("h",)
        return n.Event(sort=sort, name=name, params=listed, span=S)

    return st.builds(made, st.sampled_from(["start", "end", "change", "happens", "before"]), names, _tuples(names))


def rules(own: bool) -> st.SearchStrategy[n.Rule]:
    target = st.none() if own else names
    other = st.builds(
        n.Rule,
        sort=st.sampled_from(["forbid", "stop"]),
        target=target,
        label=st.none() | names,
        tests=guards.map(lambda guard: ((None, guard),)),
        span=st.just(S),
    )
    require = st.builds(
        n.Rule,
        sort=st.just("require"),
        target=target,
        label=st.none() | names,
        tests=_tuples(st.tuples(values_of, guards), 1, 2),
        span=st.just(S),
    )
    return other | require


def raw_lines() -> st.SearchStrategy[n.RawLine]:
    text = st.one_of(
        st.sampled_from(['| die | 1:6 | "a # b" |', "key: value", "3×11-10 Panzer XX 3, 10", "hexes: A1 .. B2", "(:"]),
        st.from_regex(r"[a-z|(][a-z0-9 |:.,-]{0,10}[a-z0-9|]", fullmatch=True),
    )
    leaf = st.builds(n.RawLine, text=text, below=st.just(()), span=st.just(S))
    return st.recursive(leaf, lambda inner: st.builds(raw_block, text, _tuples(inner, 1, 2)), max_leaves=3)


def raw_block(text: str, below: tuple[n.RawLine, ...]) -> n.RawLine:
    """A line of data with lines below it that are lines of their own: a `key: value` each."""
    keyed = (
        line if ":" in line.text else n.RawLine(text=f"k: {line.text}", below=line.below, span=S) for line in below
    )
    return n.RawLine(text=text, below=tuple(keyed), span=S)


def marks() -> st.SearchStrategy[n.Mark]:
    phase = st.builds(
        n.Until,
        sort=st.sampled_from(["start", "end", "end_next"]),
        phase=names,
        condition=st.none(),
        span=st.just(S),
    )
    condition = st.builds(n.Until, sort=st.just("cond"), phase=st.just(""), condition=values_of, span=st.just(S))

    def made(name: str, owner: str, kind: Any, start: Any, secret: Any, until: Any) -> n.Mark:
        return n.Mark(
            name=name,
            owner=owner,
            type=kind,
            start=start if kind else None,
            secret_to=secret,
            until=until,
            span=S,
        )

    return st.builds(made, names, names, st.none() | type_names, guards, guards, st.none() | phase | condition)


def example_lines() -> st.SearchStrategy[n.ExampleLine]:
    def line(sort: str, given: Any, words: Any = st.just(())) -> st.SearchStrategy[n.ExampleLine]:
        return st.builds(n.ExampleLine, sort=st.just(sort), values=given, words=words, span=st.just(S))

    one, name = _tuples(values_of, 1, 1), _tuples(names, 1, 1)
    acts = st.tuples(values_of, _callable())
    return st.one_of(
        line("given_at", _tuples(values_of, 1, 2).map(lambda items: (*items, *items))),
        line("given_is", _tuples(values_of, 2, 2)),
        line("given_during", st.just(()), name),
        line("given_scenario", st.just(()), name),
        line("given_map", st.just(()), name),
        line("dice", _tuples(values_of, 1)),
        line("draws", _tuples(values_of, 1)),
        line("play", acts),
        line("run", st.tuples(_callable())),
        line("expect", one),
        line("expect_asked", one, _tuples(names, 0, 1)),
        line("expect_quiet", st.just(())),
        line("expect_conflict", one),
        line("refused", acts, _tuples(case_ids, 0, 2)),
        line("legal", acts),
    )


def routes() -> st.SearchStrategy[n.Route]:
    facet = st.builds(
        n.Facet,
        name=st.sampled_from(["over", "budget", "leave", "cross", "enter", "jump", "from", "to"]),
        body=bodies,
        span=st.just(S),
    )
    leg = st.builds(n.Leg, sort=st.sampled_from(["one", "maybe", "repeat"]), call=_callable(), span=st.just(S))
    return st.builds(
        n.Route,
        name=names,
        params=params(),
        like=st.none() | names,
        facets=_tuples(facet, 1, 2),
        legs=_tuples(leg, 0, 2),
        rules=_tuples(rules(own=True), 0, 2),
        span=st.just(S),
    )


def matchings() -> st.SearchStrategy[n.Matching]:
    return st.builds(
        n.Matching,
        name=names,
        params=params(),
        item=names,
        items=values_of,
        target=names,
        targets=values_of,
        groups=st.booleans(),
        rules=_tuples(rules(own=True), 0, 2),
        idle=guards,
        empty=guards,
        more_helps=st.booleans(),
        span=st.just(S),
    )


def plain_declarations() -> st.SearchStrategy[Any]:
    """Declarations that hold no others."""
    span = st.just(S)

    def duty(name: str, var: str, domain: Any, phases: Any, test: n.Expr, failing: Any) -> n.Duty:
        return n.Duty(
            name=name,
            var=var if domain else None,
            domain=domain,
            phases=phases,
            test=test,
            failing=failing,
            span=S,
        )

    def remember(name: str, given: Any, kind: n.TypeName, how: str, moment: n.Event, body: n.Body) -> n.Remember:
        timed = moment if how in ("at_event", "counting") else None
        return n.Remember(name=name, params=given, type=kind, how=how, event=timed, body=body, span=S)

    def add(name: str, facet: str | None, stage: str | None, body: n.Body) -> n.Add:
        return n.Add(name=name, facet=facet, stage=stage, body=body, span=S)

    def trigger(moment: n.Event | None, condition: n.Expr, after: Any, guard: Any, body: Any) -> n.Trigger:
        if moment is None:
            return n.Trigger(event=None, condition=condition, after=None, guard=None, body=body, span=S)
        return n.Trigger(event=moment, condition=None, after=after, guard=guard, body=body, span=S)

    def procedure(name: str, given: Any, body: Any, sequence: bool) -> n.Procedure:
        return n.Procedure(name=name, params=() if sequence else given, body=body, sequence=sequence, span=S)

    reading = st.builds(n.Reading, name=names, text=prose, span=span)
    steps = names | st.sampled_from(["1:6", "10:1", "3"])
    return st.one_of(
        st.builds(n.Note, text=prose, span=span),
        st.builds(n.Use, name=names, span=span),
        st.builds(n.Book, name=names, on=st.none() | names, title=titles, date=st.just("") | titles, span=span),
        st.builds(n.Covers, cases=_tuples(case_ids, 1), span=span),
        st.builds(n.Unclear, name=names, text=prose, readings=_tuples(reading, 1), span=span),
        st.builds(n.Untranslated, text=prose, span=span),
        st.builds(n.Kind, name=names, values=_tuples(names, 1), span=span),
        st.builds(n.Scale, name=names, values=_tuples(steps, 1), span=span),
        st.builds(n.Record, name=names, members=_tuples(st.tuples(names, type_names), 1), span=span),
        st.builds(n.Field, names=_tuples(names, 1), owner=names, type=type_names, default=guards, span=span),
        st.builds(n.Box, name=names, params=params(), sort=st.sampled_from(("box", "cup", "pool")), span=span),
        st.builds(
            n.Box,
            name=names,
            params=params(),
            sort=st.just("box"),
            secret_to=values_of,
            counted=st.booleans(),
            span=span,
        ),
        st.builds(n.Table, name=names, params=params(), type=type_names, lines=_tuples(raw_lines(), 1), span=span),
        st.builds(n.Data, kind=names, name=names, title=titles, lines=_tuples(raw_lines(), 1), span=span),
        marks(),
        st.builds(
            remember,
            names,
            params(),
            type_names,
            st.sampled_from(["always", "ever", "at_event", "counting"]),
            events(),
            bodies,
        ),
        st.builds(
            n.Quota,
            name=names,
            params=params(),
            per=st.lists(names, min_size=1, max_size=2).map(tuple),
            body=bodies,
            span=span,
        ),
        st.builds(n.Grow, name=names, params=params(), type=type_names, domain=values_of, test=values_of, span=span),
        st.builds(
            n.Define,
            name=names,
            params=params(),
            type=type_names,
            body=bodies,
            gathered=st.booleans(),
            span=span,
        ),
        st.builds(
            add,
            names,
            st.none() | st.sampled_from(["leave", "from", "zones"]),
            st.none() | names,
            contributions,
        ),
        st.builds(n.Except, target=targets(), body=bodies, span=span),
        rules(own=False),
        st.builds(n.Waive, target=targets(), guard=guards, span=span),
        st.builds(duty, names, names, guards, _tuples(names, 1, 2), values_of, st.none() | blocks),
        st.builds(n.Invariant, name=names, test=values_of, span=span),
        routes(),
        matchings(),
        st.builds(
            n.Action,
            name=names,
            params=params(),
            by=values_of,
            phases=_tuples(names, 0, 2),
            guards=_tuples(st.builds(n.When, label=st.none() | names, test=values_of, span=span), 0, 2),
            body=blocks,
            span=span,
        ),
        st.builds(procedure, names, params(), blocks, st.booleans()),
        st.builds(trigger, st.none() | events(), values_of, st.none() | case_ids, guards, blocks),
        st.builds(n.Instead, target=targets(), guard=guards, body=blocks.filter(acts), span=span),
        st.builds(
            n.Amend,
            target=targets(several=False),
            old=values_of,
            new=values_of,
            times=st.sampled_from([1, 2, 12]),
            span=span,
        ),
        st.builds(
            n.AmendPrinted,
            thing=st.sampled_from(["T24", "A1", "1B/4025"]),
            unit=st.booleans(),
            field=names,
            old=values_of,
            new=values_of,
            span=span,
        ),
        st.builds(n.Strike, target=targets(several=False), span=span),
        st.builds(n.Strike, target=targets(several=False, named=False), example=titles, span=span),
        st.builds(
            n.Rows,
            act=st.sampled_from(["replace", "strike", "insert"]),
            what=st.sampled_from(["row", "line", "item", "cell", "column"]),
            target=targets(several=False),
            lines=_tuples(raw_lines(), 1, 3),
            span=span,
        ),
        st.builds(n.Rename, target=targets(several=False), new=names, span=span),
        st.builds(n.MoveCase, old=case_ids, new=case_ids, span=span),
        st.builds(
            n.Insert,
            where=st.sampled_from(["before", "after", "into", "replace"]),
            phase=names,
            body=blocks,
            span=span,
        ),
        st.builds(n.Insert, where=st.just("strike"), phase=names, body=st.just(()), span=span),
        st.builds(n.Example, title=titles, lines=_tuples(example_lines(), 1), span=span),
    )


def head(key: str, value: str) -> n.RawLine:
    return n.RawLine(text=f"{key}: {value}", below=(), span=S)


heads = st.builds(
    head,
    st.sampled_from(["nature", "source", "date", "requires", "excludes", "supersedes", "after", "priority", "title"]),
    st.sampled_from(["change", "a sheet, 1976", '"x # y"', ""]),
)


def _holding(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    span, body = st.just(S), _tuples(inner, 1, 2)
    return st.one_of(
        st.builds(n.Case, id=case_ids, title=titles, body=body, span=span),
        st.builds(
            n.Case,
            id=case_ids,
            title=titles,
            sort=st.sampled_from(["change", "reversed ruling"]),
            already=st.booleans(),
            body=body,
            span=span,
        ),
        st.builds(n.Replace, target=targets(several=False), decl=inner, span=span),
        st.builds(n.Under, guard=values_of, body=body, span=span),
        st.builds(n.House, decl=inner, span=span),
        st.builds(
            n.Overlay,
            sort=st.sampled_from(["option", "errata", "expansion", "variant", "edition"]),
            name=names,
            of=names,
            title=titles,
            heads=_tuples(heads, 0, 2),
            body=body,
            span=span,
        ),
    )


def declarations() -> st.SearchStrategy[Any]:
    return st.recursive(plain_declarations(), _holding, max_leaves=3)


def books() -> st.SearchStrategy[tuple[Any, ...]]:
    """The declarations of one file."""
    return _tuples(declarations(), 0, 3)
