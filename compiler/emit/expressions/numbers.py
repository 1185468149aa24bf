"""Build products, quotients, rounding and steps of scales, in whole numbers where that is evident.

In:  an arithmetic operator of the core.
Out: Python that gives the exact value; what could grow without end is kept within bounds.
"""

from __future__ import annotations

from rulewright.runtime.values import LARGEST

from ...core import nodes as c
from ..fixed import every_hex
from ..model.expressions import Call, Expr, Neg, Op
from ..naming import HELPERS
from .arithmetic import FIXED_BUILTINS, fraction, plainly_small, rounded_part, small_factor
from .builtins import BUILTINS
from .protocol import Build


class Numbers:
    """Numbers by what is known of them beforehand."""

    def __init__(self, build: Build) -> None:
        self.build = build
        self.ctx = build.ctx

    def builtin(self, e: c.BuiltinCall) -> Expr:
        if e.name in ("up", "down") and self.ctx.foresees:
            rounded = self.rounded(e.asked[0], e.name)
            if rounded is not None:
                return rounded
        if e.name in FIXED_BUILTINS:
            return every_hex(self.ctx.book)
        return BUILTINS[e.name](*[self.build(a) for a in e.asked])

    def rounded(self, e: c.Expr, how: str) -> Expr | None:
        """A number rounded up or down, in integer arithmetic where that is evidently possible."""
        foreseen = self.ctx.foreseen
        if foreseen.is_whole(e):
            return self.build(e)
        if not isinstance(e, c.Times | c.Over):
            return None
        times = fraction(e.right)
        if isinstance(e, c.Over):
            times = 1 / times if times else None
        if times is not None and times > 0 and foreseen.is_whole(e.left):
            return rounded_part(self.build(e.left), times, how)
        inside = foreseen.bounds(e) if isinstance(e, c.Times) else None
        if inside is None or max(abs(inside.high), abs(inside.low)) >= LARGEST:
            return None
        first, second = self.build(e.left), self.build(e.right)
        if how == "up":
            return Call(HELPERS["up_product"], (first, second))
        return Neg(Call(HELPERS["up_product"], (Neg(first), second)))

    def product(self, e: c.Times) -> Expr:
        """Only what multiplies can grow without end; small factors are known not to."""
        made = Op("*", self.build(e.left), self.build(e.right))
        if small_factor(e):
            return made
        inside = self.ctx.foreseen.bounds(e) if self.ctx.foresees else None
        return Call(HELPERS["bounded"], (made,)) if inside is None or inside.high >= LARGEST else made

    def quotient(self, e: c.Over) -> Expr:
        value = fraction(e)
        return (
            Call(HELPERS["ratio"], (self.build(e.left), self.build(e.right)))
            if value is None
            else self.build.fixed(value)
        )

    def on_scale(self, e: c.OnScale) -> Expr:
        steps, value = e.steps, e.value
        if isinstance(value, c.Over) and [*steps] == sorted(set(steps)) and all(plainly_small(x) for x in steps):
            scale = self.ctx.fixed.scale(e.type.name, steps)
            return Call(HELPERS["on_scale_of"], (self.build(value.left), self.build(value.right), scale))
        return Call(HELPERS["on_scale"], (self.build(value), self.build.fixed(steps)))
