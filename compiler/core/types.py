"""Types of the language, small and structural."""

from __future__ import annotations

from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Type:
    """A type: `sort` is prim, kind, scale, record, set, list or any; `of` is what a collection holds.

    `via` is the matching that a plan belongs to, where that is known.
    """

    sort: str
    name: str = ""
    of: Type | None = None
    absent: bool = False
    via: str = field(default="", compare=False)

    def __str__(self) -> str:
        base = f"{self.sort} of {self.of}" if self.of is not None else self.name or self.sort
        return f"{base} or nothing" if self.absent else base

    @property
    def plain(self) -> Type:
        """The type without its `or nothing`."""
        return replace(self, absent=False) if self.absent else self

    @property
    def many(self) -> bool:
        return self.of is not None


NUMBER = Type("prim", "number")
RATIO = Type("prim", "ratio")
FLAG = Type("prim", "flag")
UNIT = Type("prim", "unit")
PLACE = Type("prim", "place")
HEXSIDE = Type("prim", "hexside")
TURN = Type("prim", "turn")
MONTH = Type("prim", "month")
TEXT = Type("prim", "text")
DICE = Type("prim", "dice")
PATH = Type("prim", "path")
PLAN = Type("prim", "plan")
SHARES = Type("prim", "shares")
PHASE = Type("prim", "phase")
LAYER = Type("prim", "layer")
GAME = Type("prim", "game")
NOTHING = Type("any", "nothing", absent=True)
ANY = Type("any", "anything")
SIDE = Type("kind", "side")

PRIMITIVES = {
    "number": NUMBER,
    "ratio": RATIO,
    "flag": FLAG,
    "unit": UNIT,
    "place": PLACE,
    "hex": PLACE,
    "point": PLACE,
    "box": PLACE,
    "hexside": HEXSIDE,
    "link": HEXSIDE,
    "turn": TURN,
    "month": MONTH,
    "text": TEXT,
    "path": PATH,
    "plan": PLAN,
    "shares": SHARES,
}

ABSENT = ("nobody", "nowhere", "never", "nothing", "none")


def set_of(t: Type) -> Type:
    return Type("set", of=t.plain)


def plan_of(matching: str) -> Type:
    """The type of the plans of a matching."""
    return replace(PLAN, via=matching)


def list_of(t: Type) -> Type:
    return Type("list", of=t.plain)


def fits(value: Type, expected: Type) -> bool:
    """Whether a value of one type may stand where the other is expected."""
    if value.sort == "any" or expected.sort == "any":
        return True
    if value.absent and not expected.absent and value.sort == "any":
        return False
    if value.of is not None and expected.of is not None:
        return fits(value.of, expected.of)
    if value.sort == "list" and expected.plain == PATH:
        return value.of is not None and fits(value.of, PLACE)
    if value.of is not None or expected.of is not None:
        return False
    if {value.name, expected.name} == {"number", "ratio"}:
        return True
    return value.sort == expected.sort and value.name == expected.name


def common(a: Type, b: Type) -> Type | None:
    """The type that holds values of both, or None."""
    if a.sort == "any" and b.sort == "any":
        return a if b.absent else b
    if a.sort == "any":
        return replace(b, absent=True) if a.absent else b
    if b.sort == "any":
        return replace(a, absent=True) if b.absent else a
    if fits(a, b):
        return replace(a, absent=a.absent or b.absent)
    return None


def empty_of(t: Type) -> int | tuple[()] | None:
    """The value of a type where no case speaks."""
    if t.many:
        return ()
    if t.name in ("number", "ratio"):
        return 0
    return False if t.name == "flag" else None
