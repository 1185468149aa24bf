"""Which declaration overrides which: exceptions, waivers, contributions, bans, replacements, amendments.

In:  the declarations of a model, and the names they use.
Out: for each declaration the others that it acts on, and those that act on it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulewright.dsl import nodes as n

from .model import Declaration, Model
from .names import Names, aims

WORDS = {
    "except": ("makes an exception to", "exception in"),
    "waive": ("waives", "waived by"),
    "add": ("adds to", "added to by"),
    "forbid": ("forbids", "forbidden by"),
    "require": ("puts a need on", "needs what is said in"),
    "stop": ("stops", "stopped by"),
    "instead": ("stands in place of", "replaced by"),
    "amend": ("amends", "amended by"),
    "strike": ("strikes", "struck by"),
    "replace": ("replaces", "replaced by"),
    "rename": ("renames", "renamed by"),
    "move": ("moves", "moved by"),
    "insert": ("inserts into", "inserted into by"),
}
"""How a relation reads from the one side and from the other."""


@dataclass(frozen=True, slots=True)
class Relation:
    word: str
    label: str
    href: str
    overlay: str


@dataclass(slots=True)
class Overrides:
    does: dict[Declaration, list[Relation]] = field(default_factory=dict)
    suffers: dict[Declaration, list[Relation]] = field(default_factory=dict)
    actors: dict[Declaration, set[Declaration]] = field(default_factory=dict)

    def add(self, sort: str, by: Declaration, target: Declaration) -> None:
        does, suffers = WORDS[sort]
        self.actors.setdefault(target, set()).add(by)
        add_new(self.does.setdefault(by, []), Relation(does, target.label, target.href, target.entry.overlay))
        add_new(self.suffers.setdefault(target, []), Relation(suffers, by.label, by.href, by.entry.overlay))


def overrides(model: Model, names: Names) -> Overrides:
    """All relations between the declarations of a rule set."""
    found = Overrides()
    for d in model.declarations():
        if d.state in ("stands", "amends"):
            sort = relation_of(d.entry.node)
            if sort:
                for target in targets(d, model, names):
                    if target is not d:
                        found.add(sort, d, target)
    return found


def add_new(into: list[Relation], relation: Relation) -> None:
    if relation not in into:
        into.append(relation)


def relation_of(node: n.Decl) -> str:
    """The key of WORDS for a declaration; empty where it acts on no other."""
    match node:
        case n.Except():
            return "except"
        case n.Waive():
            return "waive"
        case n.Add():
            return "add"
        case n.Rule() if node.target is not None:
            return node.sort
        case n.Instead():
            return "instead"
        case n.Amend() | n.AmendPrinted():
            return "amend"
        case n.Strike():
            return "strike"
        case n.Rows():
            return "amend"
        case n.Replace():
            return "replace"
        case n.Rename():
            return "rename"
        case n.MoveCase():
            return "move"
        case n.Insert():
            return "insert"
        case _:
            return ""


def targets(d: Declaration, model: Model, names: Names) -> list[Declaration]:
    """The declarations that one acts on."""
    node = d.entry.node
    match node:
        case n.Add():
            return [x for x in names.realm(node.name, "name") if isinstance(x.entry.node, RULED)]
        case n.Rule():
            return [x for x in names.realm(node.target or "", "name") if isinstance(x.entry.node, RULED)]
        case n.Insert():
            return names.realm(node.phase, "phase")
        case n.AmendPrinted():
            sort = "roster" if node.unit else "map"
            return [x for x in model.declarations() if x.sort == sort and node.thing in x.text][:1]
        case n.MoveCase():
            case = model.cases.get(node.new)
            return list(case.declarations()) if case is not None else []
        case n.Strike() if node.example is not None:
            return [x for x in here(node.target, model) if x.sort == "example" and x.name == node.example]
        case n.Except() | n.Waive() | n.Instead() | n.Amend() | n.Strike() | n.Rows() | n.Replace() | n.Rename():
            wanted = [x for x in here(node.target, model) if x.sort != "example" and x.state != "amends"]
            name = node.new if isinstance(node, n.Rename) else node.target.name
            if name is None:
                ruled = [x for x in wanted if x is not d and isinstance(x.entry.node, RULED)]
                return [x for x in ruled if not isinstance(x.entry.node, n.Waive)] or ruled
            if isinstance(node, n.Instead):
                wanted = [x for x in wanted if isinstance(x.entry.node, n.Action | n.Procedure | n.Instead)]
            labelled = [x for x in wanted if name in labels(x)] if isinstance(node, n.Waive) else []
            return labelled or [x for x in wanted if name in aims(x) or name in labels(x)]
        case _:
            return []


RULED = (
    n.Define,
    n.Except,
    n.Add,
    n.Rule,
    n.Waive,
    n.Duty,
    n.Trigger,
    n.Procedure,
    n.Action,
    n.Route,
    n.Matching,
    n.Instead,
    n.Table,
    n.Remember,
    n.Quota,
    n.Grow,
)


def here(target: n.Target, model: Model) -> list[Declaration]:
    return [x for case in target.cases if case in model.cases for x in model.cases[case].declarations()]


def labels(d: Declaration) -> tuple[str, ...]:
    """The labels of the rules inside a route or matching: a waiver may aim at one of them."""
    return tuple(m.text for m in d.mentions if m.declares == "label")
