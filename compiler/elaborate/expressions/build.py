"""Elaborate expressions: names bound, types checked, sugar gone.

In:  a syntax expression and the scope it stands in.
Out: a core expression.
Reports: what the modules of its forms find: literals, names, calls, members, operators, collections, supposing.
"""

from __future__ import annotations

from typing import assert_never

from rulewright.dsl import nodes as n

from ...core import nodes as c
from ...core.nodes import Expr
from ...core.types import Type
from ...read.symbols import Scope
from .calls import call
from .collections import collected
from .context import Context
from .literals import literal
from .members import dot, trait
from .names import bound_name
from .operators import binary, fold, quantified, unary, within
from .supposing import supposing


class Expressions(Context):
    """Every form of the syntax, each handed to the module that knows it."""

    def hinted(self, node: n.Expr, scope: Scope, hint: Type | None) -> Expr:
        match node:
            case n.Literal():
                return literal(self, node, hint)
            case n.Name():
                return bound_name(self, node, scope, hint)
            case n.Call():
                return call(self, node, scope, hint)
            case n.Dot():
                return dot(self, node, scope)
            case n.Binary():
                return binary(self, node, scope, hint)
            case n.Unary():
                return unary(self, node, scope)
            case n.IsTrait():
                return trait(self, node, scope)
            case n.Within():
                return within(self, node, scope)
            case n.Filter():
                base = self.collection(node.base, scope, hint)
                test = self.flag(node.test, scope.plus(**{node.var: self.member_type(base)}))
                return c.Filter(base, test, node.var, type=self.as_set(base.type), span=node.span)
            case n.Quantified():
                return quantified(self, node, scope)
            case n.Fold():
                return fold(self, node, scope, hint)
            case n.Collection():
                return collected(self, node, scope, hint)
            case n.Preference():
                tiers = [self.collection(x, scope, hint) for x in node.tiers]
                known = (x.type for x in tiers if self.member_type(x).sort != "any")  # `{}` has no type of its own
                return c.FirstOf(tuple(tiers), type=next(known, tiers[0].type), span=node.span)
            case n.Supposing():
                return supposing(self, node, scope, hint)
            case _:
                assert_never(node)
