"""Check timing: phases never reached, conditions never met, actions offered outside their phases.

In:  the book in the core.
Out: nothing.
Reports: RW505 a sequence or phase that no scenario runs, RW508 a condition that can never hold,
         RW509 an action that is offered only outside of its phases.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl.diagnostics import Reporter

from ..analyse.order_exceptions import possible
from ..core import nodes as c
from ..core.walk import all_procedures, all_statements


def check_phases(book: c.Book, report: Reporter) -> None:
    """Warn of phases, conditions and windows that never come up."""
    unreached(book, report)
    never(book, report)
    out_of_time(book, report)


def unreached(book: c.Book, report: Reporter) -> None:
    """Phases in procedures that nothing runs, once scenarios say what runs."""
    running = {s.sequence for s in book.scenarios.values()}
    if not running:
        return
    reached = closure(book, running)
    for t in book.triggers:
        if t.event in (("start", "game"), ("end", "game")):
            report.warning(
                "RW505",
                t.span,
                f"nothing waits at the {t.event[0]} of the game: this never runs",
                help="write it at the start or end of the sequence that a scenario names, or on start of a phase",
                case=t.case,
            )
    for name, p in book.procedures.items():
        if name in reached:
            continue
        for s in all_statements(p):
            phase = s.name if isinstance(s, c.RunPhase) else ""
            if phase and not any(phase == other for other in phases_of(book, reached)):
                report.warning(
                    "RW505",
                    s.span.find(phase),
                    f'the phase "{phase}" is never reached: nothing runs {name}',
                    help=f"write do {name} in a sequence that a scenario names",
                    case=s.case,
                )


def closure(book: c.Book, names: set[str]) -> set[str]:
    """The procedures that run when these do, with all that actions, triggers and duties may run."""
    found: set[str] = set()
    todo = list(names)
    others = [p for p in all_procedures(book) if p.sort not in ("procedure", "sequence")]
    todo += [s.name for p in others for s in all_statements(p) if isinstance(s, c.Do)]
    while todo:
        name = todo.pop()
        if name in found or name not in book.procedures:
            continue
        found.add(name)
        todo += [s.name for s in all_statements(book.procedures[name]) if isinstance(s, c.Do)]
    return found


def phases_of(book: c.Book, names: set[str]) -> set[str]:
    return {s.name for name in names for s in all_statements(book.procedures[name]) if isinstance(s, c.RunPhase)}


def never(book: c.Book, report: Reporter) -> None:
    """Conditions over kinds and flags that no combination of values meets."""
    for guard, case, what in guards(book):
        if not possible(book, guard):
            report.warning(
                "RW508",
                guard.span,
                f"this condition can never hold, so {what}",
                help="compare what it asks: two of its parts exclude one another",
                case=case,
            )


def guards(book: c.Book) -> Iterator[tuple[c.Expr, str, str]]:
    for d in book.definitions.values():
        for layer in d.layers():
            for clause in layer.clauses:
                if clause.guard is not None:
                    yield clause.guard, layer.case, "the clause never applies"
    owners: list[c.Route | c.Matching | c.Action] = [*book.routes.values(), *book.matchings.values()]
    for owner in [*owners, *book.actions.values()]:
        for rule in owner.rules:
            if rule.sort == "require":
                yield rule.test, rule.case, f"{owner.name} is never legal"
            else:
                yield rule.test, rule.case, "the rule never applies"
            if rule.guard is not None:
                yield rule.guard, rule.case, "the rule never applies"
    for t in book.triggers:
        if t.guard is not None:
            yield t.guard, t.case, "it never happens"
    for p in all_procedures(book):
        for w in p.wrappers:
            if w.guard is not None:
                yield w.guard, w.case, "the usual procedure always runs"
        for s in all_statements(p):
            match s:
                case c.If():
                    yield s.test, s.case, "the block is never run"
                case c.RunPhase() if s.guard is not None:
                    yield s.guard, s.case, f"the phase {s.name} is never reached"
                case c.SkipPhase() | c.RepeatPhase() if s.guard is not None:
                    yield s.guard, s.case, "this never happens"
                case _:
                    pass


def out_of_time(book: c.Book, report: Reporter) -> None:
    """An action is taken in a window during one of its phases; each window stands in some phases."""
    times = windows(book)
    for name, action in book.actions.items():
        found = times.get(name)
        if not action.phases or found is None or "*" in found or "game" in action.phases or found & set(action.phases):
            continue
        during = ", ".join(sorted(found)) or "no phase at all"
        report.warning(
            "RW509",
            action.span.find(action.phases[0]),
            f'"{name}" may be taken during {", ".join(action.phases)}, but its windows open during {during}',
            help="offer it in one of its phases, or name the phase of the window after during",
            case=action.case,
        )


def windows(book: c.Book) -> dict[str, set[str]]:
    """For each action that a window offers the phases in which that stands; `*` where it may be any."""
    around = surroundings(book)
    times: dict[str, set[str]] = {}
    for p in all_procedures(book):
        free = p.sort not in ("procedure", "sequence")
        for body in (p.body, *(w.body for w in p.wrappers)):
            for s, phases in placed(body, frozenset()):
                if isinstance(s, c.OfferWindow):
                    for name, _ in s.offer.actions:
                        reach = {"*"} if free else phases | around.get(p.name, set())
                        times.setdefault(name, set()).update(reach)
    return times


def surroundings(book: c.Book) -> dict[str, set[str]]:
    """The phases that may run around each procedure, on whatever way it is reached."""
    around: dict[str, set[str]] = {name: set() for name in book.procedures}
    for p in all_procedures(book):
        if p.sort not in ("procedure", "sequence"):
            for s in all_statements(p):
                if isinstance(s, c.Do) and s.name in around:
                    around[s.name].add("*")
    changed = True
    while changed:
        changed = False
        for name, p in book.procedures.items():
            for body in (p.body, *(w.body for w in p.wrappers)):
                for s, phases in placed(body, frozenset()):
                    if isinstance(s, c.Do) and s.name in around:
                        before = len(around[s.name])
                        around[s.name] |= phases | around[name]
                        changed = changed or len(around[s.name]) != before
    return around


def placed(body: tuple[c.Stmt, ...], phases: frozenset[str]) -> Iterator[tuple[c.Stmt, frozenset[str]]]:
    """Each statement with the phases of this block that it stands in."""
    for s in body:
        yield s, phases
        inner = phases | {s.name} if isinstance(s, c.RunPhase) else phases
        yield from placed(s.body, inner)
        yield from placed(s.other, phases)
