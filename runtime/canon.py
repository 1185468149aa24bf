"""Canonical plain data: one value, one sequence of bytes.

In:  None, bool, int, str, Fraction, list, tuple, dict (keys: str, int or tuple), nested at will.
Out: UTF-8 JSON that is the same in every process; `loads` gives the value back.

Lists, scalars and dicts with text keys are plain JSON. A tuple is `{"$t": [...]}`, a fraction
`{"$q": [n, d]}`, a dict with other keys (or with a key that starts with `$`) `{"$m": [[key, value], ...]}`.
Keys are sorted, so the order in which a dict was filled is lost: nothing may depend on it.
Only these exact types pass; a subclass (an enum, a named tuple) would come back as something else.
"""

import hashlib
import json
import re
from fractions import Fraction
from typing import Any

MAX_BYTES = 64 * 1024 * 1024
MAX_DEPTH = 100

_SCALARS = frozenset({int, str, bool, type(None)})
_KEYS = frozenset({int, str, tuple})
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def dumps(value: Any) -> bytes:
    """The one spelling of a value; ValueError when it is not plain data."""
    try:
        data = _text(_lower(value, 0)).encode()
    except RecursionError:
        raise ValueError("the value is nested too deeply") from None
    if len(data) > MAX_BYTES:
        raise ValueError(f"the value takes {len(data)} bytes, more than {MAX_BYTES}")
    return data


def loads(data: bytes) -> Any:
    """The value that `dumps` spelled; ValueError for anything that it would not have meant."""
    if len(data) > MAX_BYTES:
        raise ValueError(f"the data holds {len(data)} bytes, more than {MAX_BYTES}")
    try:
        text = data.decode()
        raw = json.loads(text, object_pairs_hook=_object, parse_float=_no_float, parse_constant=_no_float)
        value = _raise(raw, 0)
    except RecursionError:
        raise ValueError("the data is nested too deeply") from None
    except UnicodeDecodeError:
        raise ValueError("the data is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"the data is not JSON: {error.msg} at character {error.pos}") from None
    if _SURROGATE.search(text):
        dumps(value)  # a lone surrogate cannot be spelled again
    return value


def digest(value: Any) -> str:
    """The SHA-256 of the value's one spelling, in hex."""
    return hashlib.sha256(dumps(value)).hexdigest()


def _text(raw: Any) -> str:
    return json.dumps(raw, ensure_ascii=False, check_circular=False, separators=(",", ":"))


def _lower(value: Any, depth: int) -> Any:
    """The value as JSON's own types, keys sorted."""
    kind = type(value)
    if kind in _SCALARS:
        return value
    if depth >= MAX_DEPTH:
        raise ValueError(f"the value is nested deeper than {MAX_DEPTH}")
    if kind is list or kind is tuple:
        inner = value if _SCALARS.issuperset(map(type, value)) else [_lower(v, depth + 1) for v in value]
        return inner if kind is list else {"$t": inner}
    if kind is dict:
        return _lower_dict(value, depth + 1)
    if kind is Fraction:
        return {"$q": [value.numerator, value.denominator]}
    raise ValueError(f"{kind.__name__} is not plain data")


def _lower_dict(value: dict[Any, Any], depth: int) -> Any:
    kinds = set(map(type, value))
    if not kinds <= _KEYS:
        raise ValueError(f"{min(k.__name__ for k in kinds - _KEYS)} is not a key of plain data")
    if kinds <= {str} and not any(key.startswith("$") for key in value):
        return {key: _lower(value[key], depth) for key in sorted(value)}
    pairs = [[_lower(key, depth), _lower(held, depth)] for key, held in value.items()]
    pairs.sort(key=(lambda p: p[0]) if kinds == {int} else (lambda p: _text(p[0])))
    return {"$m": pairs}


def _raise(raw: Any, depth: int) -> Any:
    """The value behind JSON's own types."""
    kind = type(raw)
    if kind in _SCALARS:
        return raw
    if depth >= MAX_DEPTH:
        raise ValueError(f"the data is nested deeper than {MAX_DEPTH}")
    if kind is list:
        return raw if _SCALARS.issuperset(map(type, raw)) else [_raise(v, depth + 1) for v in raw]
    tags = [key for key in raw if key.startswith("$")]
    if not tags:
        return {key: _raise(held, depth + 1) for key, held in raw.items()}
    inner = raw[tags[0]]
    if len(raw) == 1 and type(inner) is list:
        if tags == ["$t"]:
            return tuple(_raise(v, depth + 1) for v in inner)
        if tags == ["$m"] and all(type(pair) is list and len(pair) == 2 for pair in inner):
            return _raise_dict(inner, depth + 1)
        if tags == ["$q"] and [type(part) for part in inner] == [int, int] and inner[1] > 0:
            fraction = Fraction(*inner)
            if fraction.denominator == inner[1]:
                return fraction
    raise ValueError(f"the data holds a malformed {tags[0][:20]!r}")


def _raise_dict(pairs: list[list[Any]], depth: int) -> dict[Any, Any]:
    value: dict[Any, Any] = {}
    for raw_key, held in pairs:
        key = _raise(raw_key, depth)
        try:
            if type(key) not in _KEYS or key in value:
                raise ValueError("the data holds a dict with a key that is repeated or not a key")
            value[key] = _raise(held, depth)
        except TypeError:
            raise ValueError("the data holds a dict with a list inside a key") from None
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    held = dict(pairs)
    if len(held) != len(pairs):
        raise ValueError("the data holds a dict with a repeated key")
    return held


def _no_float(text: str) -> Any:
    raise ValueError(f"the data holds {text[:20]}, which is not a whole number")
