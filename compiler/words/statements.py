"""Statements as English sentences and lists.

In:  a block of statements of the core, and the names in scope.
Out: one `Said` for each effect; nested blocks become lists below it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import zip_longest
from typing import assert_never

from ..core import nodes as c
from ..core.types import FLAG
from .called import allowance, mark, owned
from .english import Noun, a, listed, sentence, words
from .expressions import Words
from .phrases import ARTICLED, Phrase
from .said import Said
from .scope import Scope, local
from .shapes import stripped, worked_out

MATCHED = re.compile(r"matched\d+_[01]")
"""The name that elaboration gives to what a `match` looks at."""


def block(w: Words, body: tuple[c.Stmt, ...], scope: Scope) -> tuple[Said, ...]:
    """The statements of a block in order; names bound in it are in scope to its end."""
    found: list[Said] = []
    for s in body:
        said, scope = statement(w, s, scope)
        found += said
    return tuple(found)


def statement(w: Words, s: c.Stmt, scope: Scope) -> tuple[list[Said], Scope]:
    """One statement, and the scope after it."""
    match s:
        case c.Note() if not w.diary:
            return [], scope
        case c.Note():
            return [Said(sentence(told(w, s, scope)))], scope
        case c.Let() if MATCHED.fullmatch(s.name):
            return [], scope.with_name(s.name, w.noun(s.value, scope))
        case c.Let():
            noun = local(s.name, s.value.type, w.place)
            said = Said(sentence(f"{noun} {'are' if noun.plural else 'is'} {w.noun(s.value, scope)}"))
            return [said], scope.with_name(s.name, noun)
        case c.SetMark():
            return [Said(sentence(marked(w, s, scope)))], scope
        case c.Put():
            return [Said(sentence(f"put {w.noun(s.what, scope)} in {w.noun(s.place, scope)}"))], scope
        case c.Walk():
            return [Said(sentence(f"move {w.noun(s.unit, scope)} along {w.noun(s.path, scope)}"))], scope
        case c.Roll():
            noun = local(s.name, s.dice.type, w.place)
            return [Said(sentence(f"roll {w.noun(s.dice, scope)} for {noun}"))], scope.with_name(s.name, noun)
        case c.Draw():
            noun = local(s.name, s.source.type.plain.of or s.source.type, w.place)
            unseen = f", seen by {w.noun(s.secretly_for, scope)} alone" if s.secretly_for is not None else ""
            said = Said(sentence(f"draw {noun} at random from {w.noun(s.source, scope)}{unseen}"))
            return [said], scope.with_name(s.name, noun)
        case c.Spend():
            amount = w.noun(s.amount, scope)
            return [Said(sentence(f"spend {amount} of {allowance(w, s.quota, s.given, scope)}"))], scope
        case c.Reveal():
            return [Said(sentence(f"show {w.noun(s.what, scope)}"))], scope
        case c.Win():
            drawn = isinstance(s.side, c.Const) and s.side.value is None
            side = "nobody" if drawn else w.noun(s.side, scope)
            return [Said(sentence(f"{side} wins, and the game is over"))], scope
        case c.Halt():
            return [Said(sentence(f"{w.noun(s.unit, scope)} goes no farther"))], scope
        case c.Do():
            return [Said(sentence(done(w, s, scope)))], scope
        case c.DoUsual():
            return [Said("Do what would be done otherwise.")], scope
        case c.SkipPhase():
            when = f" if {w.clause(s.guard, scope)}" if s.guard is not None else ""
            return [Said(sentence(f"skip the next {w.phase(s.phase)}{when}"))], scope
        case c.RepeatPhase():
            when = f" if {w.clause(s.guard, scope)}" if s.guard is not None else ""
            return [Said(sentence(f"repeat {the_phase(w, s.phase)}{when}"))], scope
        case c.RunPhase():
            return [run_phase(w, s, scope)], scope
        case c.OfferWindow():
            return [offered(w, s, scope)], scope
        case c.AskSide():
            return asked(w, s, scope)
        case c.Block() if (pool := taken_from(s)) is not None:
            return made(w, s, pool, scope)
        case c.Block():
            return list(block(w, s.block, scope)), scope
        case c.Together():
            return listing("All at once:", block(w, s.block, scope)), scope
        case c.If():
            return choice(w, s, scope), scope
        case c.ForEach():
            source = w.noun(s.source, scope)
            var = local(s.var, s.source.type.plain.of or s.source.type, w.place)
            each = Noun(var.head, "that" if len(s.var) < 3 else "the")
            head = f"for each of {source}" + (f" ({each})" if len(s.var) >= 3 else "")
            return listing(f"{head[0].upper()}{head[1:]}:", block(w, s.block, scope.with_name(s.var, each))), scope
        case c.Repeat():
            most = times(w, s.most, scope)
            until = f"as long as {w.clause(s.condition, scope)}, at most {most}" if s.condition is not None else most
            return listing(f"{until[0].upper()}{until[1:]}:", block(w, s.block, scope)), scope
        case _:
            assert_never(s)


def taken_from(s: c.Block) -> c.Expr | None:
    """The pool of a block that brings its next counter into play: a name, a test and a `put` (elaborate `_make`)."""
    match s.block:
        case (c.Let(name=name, value=c.BuiltinCall("spare", (pool,))), c.If(test=c.Unequal(left=c.Local(name=tested)))):
            return pool if name == tested else None
        case _:
            return None


def made(w: Words, s: c.Block, pool: c.Expr, scope: Scope) -> tuple[list[Said], Scope]:
    """The next counter of a pool comes into play; its name lasts as long as that of a statement by itself."""
    let, test = s.block
    assert isinstance(let, c.Let) and isinstance(test, c.If)
    (together,) = test.block
    assert isinstance(together, c.Together)
    *marks, put = together.block
    assert isinstance(put, c.Put)
    inner = scope.with_name(let.name, Noun("counter", "the"))
    head = f"put the next counter of {w.noun(pool, scope)} in {w.noun(put.place, inner)}, if there is one"
    found = listing(f"{sentence(head)[:-1]}; at once:", block(w, tuple(marks), inner)) or [Said(sentence(head))]
    if test.otherwise:
        found += listing("If there is none:", block(w, test.otherwise, inner))
    return found, inner


def times(w: Words, most: c.Expr, scope: Scope) -> str:
    """How often: a number of times, or as often as a value says."""
    said = str(w.noun(most, scope))
    return f"{said} times" if isinstance(c.known(most), c.Const) else f"as many times as {said}"


def listing(head: str, below: tuple[Said, ...]) -> list[Said]:
    """A heading with its list; nothing where the list is empty, as it may be without lines of the log."""
    return [Said(head, below)] if below else []


def marked(w: Words, s: c.SetMark, scope: Scope) -> str:
    """An assignment to a mark; a flag is phrased as what holds from now on."""
    owner, name = s.key
    given = w.phrase(f"{owner}.{name}", name)
    flag = w.book.marks[s.key].type.plain == FLAG if s.key in w.book.marks else False
    if flag and isinstance(s.value, c.Const):
        if s.of is None:
            phrase = given or Phrase(f"“{words(name)}” is so", True)
            return turned(phrase, {}, bool(s.value.value))
        of = w.noun(s.of, scope)
        if given is None:
            return f"{'mark' if s.value.value else 'unmark'} {of} as “{words(name)}”"
        return turned(given, dict.fromkeys(given.slots, of), bool(s.value.value))
    if flag:
        owning = f" of {w.noun(s.of, scope)}" if s.of is not None else ""
        return f"“{words(name)}”{owning} becomes {w.noun(s.value, scope)}"
    if s.of is None:
        what = mark(w, c.MarkOf(s.of, name, type=s.value.type, span=s.span), scope)
    else:
        what = owned(w, s.of, given, name, s.value.type, scope)
    step = changed_by(s)
    if step is not None:
        more, by = step
        return f"{'raise' if more else 'lower'} {what} by {w.noun(by, scope)}"
    return f"{what} {'become' if what.plural else 'becomes'} {w.noun(s.value, scope)}"


def turned(phrase: Phrase, given: dict[str, Noun], on: bool) -> str:
    """A flag that holds from now on, or no longer: `the unit is no longer pinned`."""
    if on:
        return f"from now on {phrase.clause(given, True)}"
    subject = phrase.subject()
    noun = given[subject] if subject is not None else None
    said = phrase.clause(given, False) if noun is None else phrase.predicate(given, noun.plural, False)
    found = r"(is|are|has|have|can|may|will)(?: not|not)\b"
    changed = re.sub(rf"\A(.*?\b)?{found}" if noun is None else rf"\A(){found}", r"\1\2 no longer", said)
    if changed == said:
        for denied, kept in (("does not have ", "no longer has "), ("do not have ", "no longer have ")):
            changed = changed.replace(denied, kept, 1)
    if changed != said:
        return changed if noun is None else f"{noun} {changed}"
    return f"it no longer counts that {phrase.clause(given, True)}"


def changed_by(s: c.SetMark) -> tuple[bool, c.Expr] | None:
    """An increment or decrement: an assignment of the mark's own value plus or minus something."""
    v = s.value
    if isinstance(v, c.Plus | c.Minus) and isinstance(v.left, c.MarkOf) and v.left.name == s.key[1]:
        same = v.left.of is None and s.of is None
        same = same or (v.left.of is not None and s.of is not None and c.alike(v.left.of, s.of))
        if same:
            return isinstance(v, c.Plus), v.right
    return None


def done(w: Words, s: c.Do, scope: Scope) -> str:
    procedure = w.book.procedures.get(s.name)
    given = [w.noun(x, scope) for x in s.given]
    given = [replace(n, amount=True) if worked_out(x, n) else n for x, n in zip(s.given, given, strict=True)]
    own = w.phrase(s.name)
    if own is not None and procedure is not None:
        return own.act(dict(zip((p.name for p in procedure.params), given, strict=False)))
    told = listed([str(x) for x in given])
    where = f" ({procedure.case})" if procedure is not None else ""
    return f"carry out “{words(s.name)}”" + (f" for {told}" if told else "") + where


def the_phase(w: Words, name: str) -> str:
    return f"the {w.phase(name)}"


def run_phase(w: Words, s: c.RunPhase, scope: Scope) -> Said:
    head = the_phase(w, s.name)
    if s.source is not None and s.var is not None:
        head += f", for each of {w.noun(s.source, scope)} in turn"
    if s.guard is not None:
        head += f", if {w.clause(s.guard, scope)}"
    inner = (
        scope.with_name(s.var, local(s.var, s.source.type.plain.of or s.source.type, w.place))
        if (s.var is not None and s.source is not None)
        else scope
    )
    below = block(w, s.block, inner)
    return Said(f"{head[0].upper()}{head[1:]}{':' if below else '.'}", below)


def offered(w: Words, s: c.OfferWindow, scope: Scope) -> Said:
    actions = []
    for name, guard in s.offer.actions:
        when = f", if {w.clause(guard, scope)}" if guard is not None else ""
        action = w.book.actions.get(name)
        own = w.phrase(name)
        said = f"“{words(name)}”"
        if own is not None and action is not None:
            said = own.fill(w.nouns_of(name, action.params, False))
        actions.append(said + (f" ({action.case})" if action is not None else "") + when)
    side = w.noun(s.offer.side, scope)
    if len(actions) == 1:
        return Said(sentence(f"{side} may, as often as it likes: {actions[0]}"))
    head = sentence(f"{side} may, as often as it likes and in any order")[:-1]
    return Said(f"{head}:", tuple(Said(sentence(x)) for x in actions))


def asked(w: Words, s: c.AskSide, scope: Scope) -> tuple[list[Said], Scope]:
    """A question: what is chosen, from what, and the name of the answer."""
    ask = s.ask
    noun = local(ask.name, ask.type, w.place)
    inner = scope.with_name(ask.name, noun)
    so_that = f", so that {w.clause(ask.so_that, inner)}" if ask.so_that is not None else ""
    unseen = " in secret" if ask.secret else ""
    side = w.noun(ask.side, scope)
    if isinstance(ask.source, c.FirstOf) and ask.sort == "one":
        head = sentence(f"{side} chooses {a(noun.head)}{unseen}{so_that}, from the first of these that there are")
        found = [Said(f"{head[:-1]}:", tuple(Said(sentence(str(w.noun(x, scope)))) for x in ask.source.tiers))]
    else:
        found = [Said(sentence(f"{side} {chosen(w, ask, noun, scope)}{unseen}{so_that}"))]
    if s.failing is not None:
        found.append(Said("If that cannot be done:", block(w, s.failing, scope)))
    return found, inner


def chosen(w: Words, ask: c.Ask, noun: Noun, scope: Scope) -> str:
    source = w.noun(ask.source, scope) if ask.source is not None else Noun("nothing")
    number = str(w.noun(ask.number, scope)) if ask.number is not None else None
    if number is not None and " of " in number:  # what it is of must not seem to be what is chosen
        number = f"({number})"
    match ask.sort:
        case "one":
            return f"chooses {a(noun.head)} from {source}"
        case "some":
            many = f"{words(ask.limit)} {number}" if number is not None else "any number"
            return f"chooses {many} of {source} ({noun})"
        case "order":
            return f"puts {source} in order ({noun})"
        case "shares":
            return f"shares {number} out among {source} ({noun})"
        case _:
            return f"says whether {words(ask.name)}"


def told(w: Words, s: c.Note, scope: Scope) -> str:
    """The line of a log, each value in words."""
    line = ""
    for text, value in zip_longest(s.texts, s.values):
        said = str(w.noun(value, scope)) if value is not None else ""
        if ARTICLED.match(said):  # the line of a log has its own article: The {f}
            text = re.sub(r"\b[Tt]he \Z", "", text or "")
        line += (text or "") + said
    return f"the log says “{line}”"


def choice(w: Words, s: c.If, scope: Scope) -> list[Said]:
    """A branch; a chain of tests of one value becomes a list by value."""
    subject, arms, rest = arms_of(s)
    if subject is not None and len(arms) > 1:
        items = [arm(w, value, body, scope) for value, body in arms]
        if rest:
            items.append(Said("Otherwise:", block(w, rest, scope)))
        return [Said(f"By {w.noun(subject, scope)}:", tuple(items))]
    then, otherwise = block(w, s.block, scope), block(w, s.otherwise, scope)
    if not then and not otherwise:
        return []
    test = w.clause(s.test, scope, bool(then))
    chained = len(s.otherwise) == 1 and isinstance(s.otherwise[0], c.If)
    if chained and then and otherwise and otherwise[0].text.startswith("If "):
        second = Said(f"Otherwise, {lowered(otherwise[0].text)}", otherwise[0].items)
        return [Said(f"If {test}:", then), second, *otherwise[1:]]
    if not then or not otherwise:
        then = then or otherwise
        if len(then) == 1 and not then[0].items and not then[0].text.startswith("If "):
            return [Said(sentence(f"if {test}, {lowered(then[0].text)}"))]
        return [Said(f"If {test}:", then)]
    return [Said(f"If {test}:", then), Said("Otherwise:", otherwise)]


def arm(w: Words, value: c.Expr, body: tuple[c.Stmt, ...], scope: Scope) -> Said:
    said = block(w, body, scope)
    head = str(w.noun(value, scope))
    if not said:
        return Said(f"{head}: nothing happens.")
    if len(said) == 1 and not said[0].items:
        return Said(f"{head}: {lowered(said[0].text)}")
    return Said(f"{head}:", said)


def arms_of(s: c.If) -> tuple[c.Expr | None, list[tuple[c.Expr, tuple[c.Stmt, ...]]], tuple[c.Stmt, ...]]:
    """A chain of tests of one value: the value, each constant with its block, and the default."""
    subject: c.Expr | None = None
    arms: list[tuple[c.Expr, tuple[c.Stmt, ...]]] = []
    at: c.Stmt = s
    while isinstance(at, c.If) and isinstance(at.test, c.Equal | c.IsIn):
        left, right = at.test.args
        if subject is not None and not c.alike(subject, left):
            return subject, arms, (at,)
        subject = left
        arms.append((right, at.block))
        if len(at.otherwise) != 1:
            return subject, arms, at.otherwise
        at = at.otherwise[0]
    return subject, arms, (at,) if arms else ()


def lowered(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text


__all__ = ["block", "statement", "stripped"]
