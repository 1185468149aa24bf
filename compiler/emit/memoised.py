"""Emit definitions whose answers are kept.

In:  a definition of the core, and what everything rests on.
Out: whether its answers are dear enough to be kept, by what they are kept, and the lines that keep them.
"""

from __future__ import annotations

import re
from functools import partial

from ..analyse.column_reads import own_columns
from ..analyse.inline import TABLE, is_heavy, is_plain, plain_value
from ..core import nodes as c
from ..core.walk import definition_exprs
from .expressions import mangle
from .memo_dependencies import Rests
from .module import Module
from .traced import told_lines

RETURN = re.compile(r"( *)return (.*)")


class Keeping(Module):
    """Kept answers."""

    def worth_keeping(self, d: c.Definition) -> bool:
        """Whether an answer is dear enough to be kept until something it rests on changes."""
        if d.sort == "facet" or any(p.type.sort == "record" for p in d.params):
            return False
        if self.constants.how(d.name) == TABLE:
            return False
        if self.worth.work((d,), partial(goes_far, d)):
            return True
        if not d.type.many or d.sort != "define":
            return False
        exprs = (e for top in definition_exprs(d) for e in top.walk())
        if (self.folded or self.traced) and all(self._at_hand(e) for e in exprs):
            return False
        return own_columns(self.depends, d.name) is not None

    def _at_hand(self, e: c.Expr) -> bool:
        """Whether a part of a definition is found as fast as a kept answer."""
        if e.op == "call":
            return self.constants.how(str(e.info)) is not None
        return is_plain(e) or (e.op == "setlit" and len(e.args) <= 1)

    def kept_by(self, d: c.Definition) -> tuple[str, str, Rests]:
        """By what answers are kept; by which owner apart, where there is more besides; and what they rest on."""
        own = own_columns(self.depends, d.name)
        at = own[0] if own is not None else -1
        rest = ", ".join(mangle(p.name) for i, p in enumerate(d.params) if i != at)
        owner = mangle(d.params[at].name) if own is not None else ""
        rests = Rests(("define", d.name), owned=own is not None)
        return (rest, owner, rests) if rest else (owner, "", rests)

    def owner(self, d: c.Definition) -> str:
        """The place of the parameter by which answers are kept apart; it hangs on what else the definition asks."""
        own = own_columns(self.depends, d.name) if not self.traced and self.worth_keeping(d) else None
        return "" if own is None else str(own[0])

    def members(self, names: list[str]) -> None:
        """For every kept set that something is looked for in: the same set, ready for look-ups."""
        for name in names:
            d = self.book.definitions[name]
            params = ", ".join(["S", *(mangle(p.name) for p in d.params)])
            base = mangle(name, "d")
            f = self.function(f"{base}__members", params, f"{self.title(d.case)}: {name}, for look-ups.")
            value, made = plain_value(d), f"frozenset({base}({params}))"
            if self.traced:
                f.lines.append(f"value = {base}({params})")
                made = "frozenset(value)"
            elif value is not None and value.op == "each_of":
                made = self.printer()._fold(value, "frozenset().union(*[{}])")
            keys, owner, rests = self.kept_by(d)
            self.memoised(f, f.name, keys, made, rests, owner)


def keeping(line: str, key: str) -> list[str]:
    """A line that gives a value, so that the value is kept as well."""
    match = RETURN.fullmatch(line)
    if match is not None and match[2].startswith("⟪"):
        return told_lines(line, key)
    return [line] if match is None else [f"{match[1]}value = memo[{key}] = {match[2]}", f"{match[1]}return value"]


def goes_far(d: c.Definition) -> bool:
    """Whether a definition goes through sets, or searches."""
    return any(is_heavy(e) for top in definition_exprs(d) for e in top.walk())
