"""Frozen dataclasses by the hundred, made at small cost.

`dataclass` here is the one of the standard library to a type checker and in what it makes: frozen, with slots,
fields, equality, a hash and a printed form. The standard one writes and compiles six methods for each class when a
module is imported; here the classes share them, and `__init__` is written when the first one is made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    import dataclasses

    def dataclass(*, frozen: bool, slots: bool, kw_only: bool = False) -> Callable[[type], type]:
        """A frozen dataclass with slots."""
        assert frozen and slots, "records are frozen and have slots"

        def make(kind: type) -> type:
            made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)(kind)
            _NAMES[made] = tuple(f.name for f in fields(made))
            _PUTS[made] = tuple(getattr(made, name).__set__ for name in _NAMES[made])
            made.__init__ = _first
            made.__repr__ = _printed
            made.__eq__ = _equal
            made.__hash__ = _hashed
            made.__setattr__ = _refuse
            made.__delattr__ = _refuse
            made.__getstate__ = _state
            made.__setstate__ = _set_state
            return made

        return make


# The fields of each class, and what fills their slots.
_NAMES: dict[type, tuple[str, ...]] = {}
_PUTS: dict[type, tuple[Callable[[Any, Any], None], ...]] = {}


def _first(self: Any, *given: Any, **named: Any) -> None:
    """Write `__init__` for a class, and do its work this once."""
    kind: Any = type(self)
    known: dict[str, Any] = {}
    plain: list[str] = []
    keyed: list[str] = []
    body: list[str] = []
    for i, f in enumerate(fields(kind)):
        known[f"put_{i}"] = _PUTS[kind][i]
        body.append(f"    put_{i}(self, {f.name})")
        text = f.name
        if f.default is not MISSING:
            known[f"default_{i}"] = f.default
            text += f"=default_{i}"
        (keyed if f.kw_only else plain).append(text)
    params = ["self", *plain, *(["*", *keyed] if keyed else [])]
    exec("\n".join([f"def __init__({', '.join(params)}):", *body, " pass" * (not body)]), known)
    kind.__init__ = known["__init__"]
    kind.__init__(self, *given, **named)


def _state(self: Any) -> tuple[Any, ...]:
    return tuple([getattr(self, name) for name in _NAMES[type(self)]])


def _set_state(self: Any, state: tuple[Any, ...]) -> None:
    """Write `__setstate__` for a class, and do its work this once."""
    kind: Any = type(self)
    names = _NAMES[kind]
    known: dict[str, Any] = {f"put_{i}": put for i, put in enumerate(_PUTS[kind])}
    body = [f"    put_{i}(self, {name})" for i, name in enumerate(names)]
    exec("\n".join(["def __setstate__(self, state):", f"    {', '.join(names)}, = state", *body]), known)
    kind.__setstate__ = known["__setstate__"]
    kind.__setstate__(self, state)


def _equal(self: Any, other: Any) -> Any:
    return _state(self) == _state(other) if other.__class__ is self.__class__ else NotImplemented


def _hashed(self: Any) -> int:
    return hash(_state(self))


def _printed(self: Any) -> str:
    inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in _NAMES[type(self)])
    return f"{type(self).__qualname__}({inner})"


def _refuse(self: Any, name: str, *_: Any) -> None:
    raise FrozenInstanceError(f"the field {name} cannot be changed")
