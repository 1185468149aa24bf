"""Check what falls with a declaration that is struck or replaced.

In:  what an overlay struck and replaced, and the entries that are left.
Out: the entries without the rules that the overlay drops by name.
Reports: RW401 a case that does not fall, RW407 rules of other cases that would fall unsaid.
"""

from __future__ import annotations

from dataclasses import replace

from rulewright.dsl import nodes as n

from ..core.entries import Entry, declared_name
from .falls import about, is_map, signature, told
from .stacked import Gone, Stacked


def check_falls(on: Stacked) -> None:
    """Rules of other cases about what was struck or replaced: each is dropped or kept by name, or reported."""
    for gone in on.gone:
        named = (*gone.by.dropping, *gone.by.keeping)
        fallen: list[Entry] = []
        went = [gone]
        # What is dropped may itself have rules about it: those fall as well, and want to be named too.
        while went:
            now = falls_with(on, went.pop())
            fallen += now
            dropped = [e for e in now if e.case in gone.by.dropping]
            on.entries = [e for e in on.entries if not any(e is x for x in dropped)]
            went += [replace(gone, entry=e, new=None) for e in dropped]
        for case in named:
            if not any(e.case == case for e in fallen):
                falls_not(on, gone, case, {e.case for e in fallen})
        left = [e for e in fallen if e.case not in named]
        if left:
            report_fall(on, gone, left)
    on.gone = []


def without_lost_maps(on: Stacked) -> None:
    """Worked examples of an overlay go where another overlay struck the map that they are played on.

    Neither can name the other, whichever comes first; a map that comes under the same name again keeps them.
    """
    here = {declared_name(e.node) for e in on.entries if is_map(e.node)}
    lost = {declared_name(e.node): touch.overlay for e, touch in on.struck if is_map(e.node)}
    lost = {name: by for name, by in lost.items() if name not in here}

    def falls(e: Entry) -> bool:
        lines = e.node.lines if isinstance(e.node, n.Example) and e.overlay else ()
        maps = {word for x in lines if x.sort == "given_map" for word in x.words}
        return any(lost[name] != e.overlay for name in maps & lost.keys())

    on.entries = [e for e in on.entries if not falls(e)]


def falls_with(on: Stacked, gone: Gone) -> list[Entry]:
    """The rules about what went that have nothing to hold of; those of the overlay itself are its own matter."""
    assert on.head is not None
    mine = on.head.name
    about_it = [e for e in on.entries if about(e, gone.entry.case, gone.entry.node, on.asked)]
    if is_map(gone.entry.node):  # see without_lost_maps
        about_it = [e for e in about_it if not e.overlay or not isinstance(e.node, n.Example)]
    return [e for e in about_it if (e.overlay != mine or not mine) and not holds(on, e, gone)]


def holds(on: Stacked, rule: Entry, gone: Gone) -> bool:
    """Whether a rule about what went has something to hold of, which is asked in the same way."""
    if gone.new is not None:
        return signature(gone.new) == signature(gone.entry.node) and about(rule, gone.entry.case, gone.new, on.asked)
    others = (e for e in on.entries if e is not rule and is_map(e.node) == is_map(gone.entry.node))
    return any(about(rule, e.case, e.node, on.asked) for e in others)


def report_fall(on: Stacked, gone: Gone, left: list[Entry]) -> None:
    cases = ", ".join(dict.fromkeys(e.case for e in left))
    what = " ".join(filter(None, (gone.entry.case, declared_name(gone.entry.node))))
    if gone.new is None:
        said, help = "struck", f"strike them as well, all at once with: strike {what} dropping {cases}"
    else:
        same = signature(gone.new) == signature(gone.entry.node)
        said = f"replaced by something {'without what they wait for' if same else 'that is asked otherwise'}"
        help = f"where they fit the new one: replace {what} keeping {cases}: …; "
        help += f"else: replace {what} dropping {cases}: …"
    on.report.error(
        "RW407",
        gone.by.span,
        f"{what} is {said}, and other rules are about it",
        notes=tuple(told(e) for e in left[:12]) + ((f"and {len(left) - 12} more",) if len(left) > 12 else ()),
        help=help,
        case=gone.case,
    )


def falls_not(on: Stacked, gone: Gone, case: str, cases: set[str]) -> None:
    what = " ".join(filter(None, (gone.entry.case, declared_name(gone.entry.node))))
    on.report.error(
        "RW401",
        gone.by.span.find(case),
        f"no rule of case {case} falls with {what}",
        help=f"rules about it: {', '.join(sorted(cases))}" if cases else "strike that word and its cases",
        case=gone.case,
    )
