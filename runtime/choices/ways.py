"""The legal ways to take an action, found parameter by parameter from its tables.

In:  an action of a program, the state, who acts, and the arguments that are already given.
Out: the arguments of every legal way to go on, lazily.

The reference interpreter takes its ways from here, and so does whoever asks what may follow some arguments. A
generated module has a function of its own for each action (see choice_spaces.py), which must give the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import ops
from ..problems import tried
from ..program import ActionInfo
from ..state import State
from .chance import Picks, takes_sets

Values = tuple[Any, ...]


def ways(S: State, info: ActionInfo, actor: str, args: Values, pick: Picks) -> Iterator[Values]:
    """The legal ways to go on from some arguments."""
    level = len(args)
    if any(rule.level == level and rule.refuses(S, actor, *args) for rule in info.rules):
        return
    for quota, key, amount, needs in info.spends:
        if needs == level and ops.short(S, quota, key(S, actor, *args), amount(S, actor, *args)):
            return
    if level == len(info.params):
        yield args
        return
    for value in tried(S, pick(members_after(S, info, actor, args), takes_sets(info.params[level].type))):
        yield from ways(S, info, actor, (*args, value), pick)


def members_after(S: State, info: ActionInfo, actor: str, args: Values) -> Values:
    """What the next parameter is taken from; of a set, the members that no rule about single members shuts out."""
    level = len(args)
    param = info.params[level]
    domain = param.domain(S, actor, *args) if param.domain is not None else everything(S, param.type)
    if not takes_sets(param.type):
        return tuple(domain)
    tests = [r for r in info.rules if r.member is not None and (r.member[1], r.level) == (level, level + 1)]
    return tuple(m for m in domain if not any(r.refuses(S, actor, *args, (m,)) for r in tests))


def everything(S: State, type: str) -> Values:
    """Every value of a type, for a parameter without a domain."""
    if type.startswith("kind:"):
        return S.program.kinds[type[5:]]
    if type == "unit":
        return tuple(range(len(S.program.units)))
    return {"place": S.hexes, "flag": (False, True)}.get(type, ())
