"""Declarations as English sentences, all but definitions (definitions.py).

In:  a declaration of the core.
Out: sentences with lists; rules and waivers are listed below what they change, each with its case.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..core import nodes as c
from ..core.types import FLAG
from .called import allowance
from .definitions import conditions, definition, gathered, layer, said_value, waiver
from .english import LINKS, Noun, is_plural, listed, sentence, words
from .expressions import Words
from .phrases import Phrase
from .said import Said
from .scope import Scope, type_noun
from .statements import block


def rule(w: Words, r: c.Rule, scope: Scope, what: str, about: str) -> Said:
    """A prohibition, requirement or stop, under the case that states it."""
    own = w.phrase(f"{about}.{r.label}") if r.label else None
    both = r.guard
    test, below = conditions(w, r.test, scope)
    always = isinstance(r.test, c.Const) and r.test.value is True and r.sort != "require"
    when = f", where {w.clause(both, scope)}" if both is not None else ""
    match r.sort:
        case "forbid":
            text = f"{'not allowed' if what == 'this' else f'{what} is barred'} if {test}{when}"
        case "require":
            text = f"{'' if what == 'this' else f'{what} is allowed '}only if {test}{when}"
        case "stop":
            text = f"{what} ends there if {test}{when}"
    if always:
        every = "every step" if what == "a step" else what
        ban = "this is never allowed" if what == "this" else f"{every} is barred"
        text = f"{ban if r.sort == 'forbid' else f'{every} ends there'}{when}"
    if own is not None and w.diary:
        meant = own.fill({slot: scope.nouns[slot] for slot in own.slots})
        refused = f"if not: “{meant}”" if r.sort == "require" else meant  # what is said to whom the rule refuses
        text = text if meant in text else f"{text} ({refused})"
    items = (*below, *(waiver(w, x, scope) for x in r.waivers))
    return Said(f"({r.case}) " + (sentence(text) if not below else f"{sentence(text)[:-1]}:"), items, r.case)


def title_of(w: Words, name: str, params: Sequence[c.Param], before: str, link: str) -> str:
    """The phrase of a declaration with its parameters; without one its name in quotes, between `before` and `link`."""
    own = w.phrase(name)
    given = w.nouns_of(name, params, False)
    if own is not None:
        return own.act(given)
    return f"{before}“{words(name)}”" + (f" {link} {listed([str(g) for g in given.values()])}" if given else "")


def action(w: Words, x: c.Action) -> list[Said]:
    nouns = w.nouns_of(x.name, x.params)
    scope = Scope({**nouns, "actor": w.noun(x.by, Scope(nouns))})
    phases = listed([f"the {w.phase(p)}" for p in x.phases], "or")
    when = "at any time" if x.anytime else f"in {phases}" if phases else "where it is offered"
    doing = title_of(w, x.name, x.params, "carry out ", "with")
    items: list[Said] = []
    for p in x.params:
        if p.domain is not None:
            items.append(
                Said(
                    sentence(f"{nouns[p.name]} {'are' if p.type.many else 'is'} chosen from {w.noun(p.domain, scope)}")
                )
            )
    items += [rule(w, r, scope, "this", x.name) for r in x.rules]
    for quota, args, amount in x.spends:
        items.append(Said(sentence(f"it spends {w.noun(amount, scope)} of {allowance(w, quota, args, scope)}")))
    # elaboration repeats what an action spends in its procedure: skip it there, or it would be said twice
    below = block(w, tuple(s for s in x.procedure.body if not (isinstance(s, c.Spend) and x.spends)), scope)
    if below:
        items.append(Said("Then:", below))
    items += wrapped(w, x.procedure, scope)
    own = w.phrase(x.name)
    this = "do this: " if own is not None and own.subject() is not None else ""
    head = f"{when}, {w.noun(x.by, scope)} may {this}{doing}"
    return [Said(f"{sentence(head)[:-1]}:" if items else sentence(head), tuple(items), x.case)]


FACETS = {
    "from": "It begins in {}.",
    "to": "It ends in {}.",
    "budget": "It may cost at most {}.",
    "enter": "Each {place} entered costs {}.",
    "leave": "Each {place} left costs {}.",
    "cross": "Each side crossed costs {}.",
    "jump": "From any place on it it may go on at once to {}.",
}


def route(w: Words, r: c.Route) -> list[Said]:
    nouns = w.nouns_of(r.name, r.params)
    inside = {"here": Noun(f"{w.place} left", "the"), "there": Noun(f"{w.place} entered", "the")}
    inside |= {"crossing": Noun("side crossed", "the"), "path": Noun("way", "the")}
    scope = Scope({**nouns, **inside})
    title = title_of(w, r.name, r.params, "", "for")
    items: list[Said] = []
    if r.layers and not r.legs:
        items.append(Said(sentence(f"it runs over {listed([words(x) for x in r.layers])}")))
    if r.over_test is not None:
        items.append(Said(sentence(f"it runs over {w.place} only where {w.clause(r.over_test, scope)}")))
    for facet, name in r.facets.items():
        d = w.book.definitions.get(name)
        if d is None:
            continue
        items.append(facet_of(w, facet, d, scope))
    for leg in r.legs:
        args = listed([str(w.noun(x, scope)) for x in leg.args])
        how = {"one": "then", "maybe": "then perhaps", "repeat": "then any number of times"}[leg.sort]
        items.append(Said(sentence(f"{how} “{words(leg.route)}”" + (f" for {args}" if args else ""))))
    items += [rule(w, x, scope, "a step" if not about_path(x) else "the way", r.name) for x in r.rules]
    head = title if title.startswith("the ") else f"the ways of {title}"
    return [Said(sentence(head)[:-1] + ":", tuple(items), r.case)]


def about_path(r: c.Rule) -> bool:
    return any(isinstance(x, c.Local) and x.name == "path" for x in r.test.walk())


def facet_of(w: Words, facet: str, d: c.Definition, scope: Scope) -> Said:
    told = {**scope.nouns, **{k: v for k, v in w.nouns_of(d.name, d.params).items() if k not in scope.nouns}}
    inner = Scope(told)
    opening = FACETS.get(facet, f"Its {words(facet)}: {{}}.").replace("{place}", w.place)
    only = d.base.clauses[0] if len(d.base.clauses) == 1 and d.base.clauses[0].guard is None else None
    if d.gathered or only is None or d.base.exceptions or d.base.lets:
        head = opening.replace(" {}.", "").replace(": {}.", "")
        said = gathered(w, d, "", inner) if d.gathered else layer(w, d, d.base, "", inner)
        if only is not None:
            return Said(opening.format(said_value(w, d, only.value, inner)), said.items, d.case)
        return Said(f"{head}, by the first of these that applies:", said.items, d.case)
    return Said(opening.format(said_value(w, d, only.value, inner)), (), d.case)


def procedure(w: Words, p: c.Procedure) -> list[Said]:
    scope = Scope(w.nouns_of(p.name, p.params))
    head = title_of(w, p.name, p.params, "", "for")
    items = (*block(w, p.body, scope), *wrapped(w, p, scope))
    return [Said(f"{sentence(head)[:-1]}:", items, p.case)]


def wrapped(w: Words, p: c.Procedure, scope: Scope) -> list[Said]:
    """What other cases have done instead."""
    found = []
    for x in p.wrappers:
        when = f" if {w.clause(x.guard, scope)}" if x.guard is not None else ""
        found.append(Said(f"Except ({x.case}){when}:", block(w, x.body, scope), x.case))
    return found


def trigger(w: Words, t: c.Trigger) -> list[Said]:
    """A trigger: its event and its effects."""
    scope = Scope(w.nouns_of(t.id, t.params))
    guard = w.clause(t.guard, scope) if t.guard is not None else ""
    if t.event[0] == "soon":
        head = f"as soon as {guard}"
    else:
        head = event(w, t, scope) + (f", if {guard}" if guard else "")
    items = (
        *block(w, t.procedure.body, scope),
        *wrapped(w, t.procedure, scope),
        *(waiver(w, x, scope) for x in t.waivers),
    )
    return [Said(f"{sentence(head)[:-1]}:", items, t.case)]


EVENTS = {
    "enter": "{p0} comes to {p1}",
    "leave": "{p0} goes from {p1}",
    "cross": "{p0} crosses {p1}, coming from {p2}",
    "halted": "{p0} ends its move in {p1}",
}
"""What happens by itself, with the things that a trigger names."""


def event(w: Words, t: c.Trigger, scope: Scope) -> str:
    sort, name = t.event
    own = w.phrase(name)
    given = {p.name: scope.nouns[p.name] for p in t.params}
    match sort:
        case "start" | "end":
            return f"at the {sort} of the {w.phase(name)}"
        case "change":
            remembered = w.book.memories.get(name)
            if remembered is not None and own is not None:
                asked = dict(zip((p.name for p in remembered.definition.params), given.values(), strict=False))
                flag = remembered.definition.type.plain == FLAG
                return f"whenever {'it changes whether ' if flag else ''}{own.fill(asked)}{'' if flag else ' changes'}"
            of = f" of {listed([str(x) for x in given.values()])}" if given else ""
            return f"whenever “{words(name)}”{of} changes"
        case _:
            when = "before" if sort == "before" else "after"
            known = EVENTS.get(name)
            if known is not None and name not in w.book.procedures and name not in w.book.actions:
                fresh = list(w.nouns_of(t.id, t.params, False).values())
                return f"{when} {Phrase(known).fill({f'p{i}': x for i, x in enumerate(fresh)})}"
            if own is not None and set(own.slots) <= set(given):
                if own.subject() is not None:
                    return f"{when} {own.act(w.nouns_of(t.id, t.params, False))}"
                return f"{when} this: {own.fill(given)}"
            of = f" of {listed([str(x) for x in given.values()])}" if given else ""
            return f"{when} “{words(name)}”{of}"


def duty(w: Words, d: c.Duty) -> list[Said]:
    scope = Scope({})
    phases = listed([f"the {w.phase(p)}" for p in d.phases], "or")
    ending = f"before {phases} {'end' if is_plural(phases) else 'ends'}"
    if d.var is not None and d.domain is not None:
        of = d.domain.type.plain.of or d.domain.type
        scope = scope.in_loop(d.var, of, w.place)
        head = f"{ending}, this must hold for each of {w.noun(d.domain, Scope({}))}"
    else:
        head = f"{ending}, this must hold"
    said, below = conditions(w, d.test, scope)
    items: list[Said] = list(below) or [Said(sentence(said))]
    items += [waiver(w, x, scope) for x in d.waivers]
    if d.failing is not None:
        items.append(Said("If that cannot be done:", block(w, d.failing.body, scope)))
    return [Said(f"{sentence(head)[:-1]}:", tuple(items), d.case)]


def matching(w: Words, m: c.Matching) -> list[Said]:
    nouns = w.nouns_of(m.name, m.params)
    item = Noun(item_noun(w, m.items), "the")
    target = Noun(item_noun(w, m.targets), "the")
    scope = Scope(nouns)
    inside = Scope(
        {
            **nouns,
            m.item: item,
            m.target: target,
            "group": Noun("group", "the", True),
            "assigned": Noun(f"{item.head}s assigned to it", "the", True),
            "unassigned": Noun(f"{item.head}s left over", "the", True),
        }
    )
    to = f"{'groups of ' if m.groups else ''}{w.noun(m.targets, scope)}"
    own = w.phrase(m.name)
    plan = f"a plan of “{words(m.name)}”" if own is None else f"each of {own.fill(w.nouns_of(m.name, m.params, False))}"
    head = f"{plan} assigns {w.noun(m.items, scope)} to {to}"
    items = [rule(w, r, inside, "an assignment" if r.sort == "forbid" else "each group", m.name) for r in m.rules]
    if m.idle is not None:
        items.append(left(w, f"any {item.head} may be left over", f"{item} may be left over", m.idle, inside))
    if m.empty is not None:
        none = "may be left without any"
        items.append(left(w, f"any {target.head} {none}", f"{target} {none}", m.empty, inside))
    return [Said(f"{sentence(head)[:-1]}:", tuple(items), m.case)]


def left(w: Words, free: str, bound: str, test: c.Expr, scope: Scope) -> Said:
    """What a plan may leave out: always, or on a condition."""
    if isinstance(test, c.Const) and test.value is True:
        return Said(sentence(free))
    return Said(sentence(f"{bound} if {w.clause(test, scope)}"))


def item_noun(w: Words, e: c.Expr) -> str:
    of = e.type.plain.of
    return type_noun(of, w.place) if of is not None else "member"


def memory(w: Words, m: c.Memory) -> list[Said]:
    d = m.definition
    scope = Scope(w.nouns_of(d.name, d.params))
    said = definition(w, d)
    when = {
        "at": "It is looked at once and remembered",
        "ever": "Once it has been so, it stays so",
        "counting": "It is counted",
        "always": "It is kept up to date after every change",
    }[m.how]
    if m.event is not None:
        sort, name = m.event
        when += f", at the {sort} of the {w.phase(name)}" if sort in ("start", "end") else ""
    head = said[0]
    del scope
    return [Said(head.text, (*head.items, Said(sentence(when))), m.case)]


def quota(w: Words, q: c.Quota) -> list[Said]:
    per = f" for each {listed([words(x) for x in q.per])}" if q.per else ""
    said = definition(w, q.definition)[0]
    if w.phrase(q.name) is not None:
        return [Said(f"{sentence(f'counted{per}')[:-1]}:", (said,), q.case)]
    return [Said(sentence(f"the allowance for “{words(q.name)}” is counted{per}"), (said,), q.case)]


def grow(w: Words, g: c.Grow) -> list[Said]:
    scope = Scope({**w.nouns_of(g.name, g.params), "it": Noun("it")})
    joins = f"from {w.noun(g.domain, scope)}, one joins them if {w.clause(g.test, scope)}"
    return [Said(sentence(f"the {words(g.name)} begin with nothing; {joins}, until no more join"), (), g.case)]


ENDS = {"start": "the start of the next", "end": "the end of the", "end_next": "the end of the next"}


def mark(w: Words, m: c.Mark) -> list[Said]:
    """A mark: what it belongs to, and how long it lasts."""
    own = w.phrase(f"{m.owner.plain.name}.{m.name}", m.name)
    flag = m.type.plain == FLAG
    game = m.owner.plain.name == "game"
    name = own.text.removeprefix("the ") if own is not None and not own.slots else words(m.name)
    what = f"{'the' if game or LINKS.search(f'{name} ') else 'its'} {name}"
    if own is not None and flag:
        what = f"whether {own.fill({s: Noun('it') for s in own.slots})}"
    elif own is not None and own.slots:
        what = own.fill({s: Noun("it") for s in own.slots})
    elif flag:
        what = f"whether {'' if game else 'it is marked '}“{words(m.name)}”{' is so' if game else ''}"
    kept = "for the game" if game else f"for each {type_noun(m.owner.plain, w.place)}"
    said = f"kept {kept}: {what}"
    if m.until is not None and m.until_test is None:
        said += f", until {ENDS[m.until[0]]} {w.phase(m.until[1])}"
    if m.until_test is not None:
        said += f", until {w.clause(m.until_test, Scope({'it': Noun('it')}))}"
    if m.secret_to is not None:
        said += f"; only {w.noun(m.secret_to, Scope({'it': Noun('it')}))} sees it"
    return [Said(sentence(said), (), m.case)]


def preview(w: Words, p: c.Preview) -> list[Said]:
    """What a side is told of a choice before it makes it."""
    action, asked = w.book.actions[p.action], w.book.definitions[p.definition]
    nouns = w.nouns_of(action.name, action.params)
    scope = Scope({**nouns, "actor": w.noun(action.by, Scope(nouns))})
    phrase = w.phrases.get(f"{p.action}.{p.name}")
    named = phrase.text if phrase is not None else words(p.name)
    value = w.noun(asked.base.clauses[0].value, scope)
    doing = title_of(w, action.name, action.params, "carry out ", "with")
    return [
        Said(sentence(f"before choosing to {doing}, {scope.nouns['actor']} is told “{named}”: {value}"), (), p.case)
    ]


def invariant(w: Words, i: c.Invariant) -> list[Said]:
    said, below = conditions(w, i.test, Scope({}))
    return [Said(sentence(f"at all times, {said}") if not below else f"At all times {said}:", below, i.case)]


def unclear(w: Words, u: c.Unclear) -> list[Said]:
    readings = tuple(Said(sentence(text or words(name))) for name, text in u.readings)
    return [Said(sentence(u.text), readings, u.case)]
