"""Canonical data: one value, one spelling, and nothing else is read."""

import subprocess
import sys
from enum import IntEnum
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.runtime import canon

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
scalars = st.none() | st.booleans() | st.integers() | text | st.fractions()
names = text | st.integers() | st.just("$t")
keys = st.recursive(names, lambda k: st.lists(k, max_size=3).map(tuple), max_leaves=4)
values = st.recursive(
    scalars,
    lambda v: st.lists(v, max_size=4) | st.lists(v, max_size=4).map(tuple) | st.dictionaries(keys, v, max_size=4),
    max_leaves=20,
)
cut_short = values.map(canon.dumps).flatmap(lambda data: st.integers(0, len(data)).map(lambda n: data[:n]))


def shape(value):
    """The value with every type spelled out, since True == 1 and Fraction(2) == 2."""
    if isinstance(value, (list, tuple)):
        return type(value), [shape(v) for v in value]
    if isinstance(value, dict):
        return {(repr(k), type(k)): shape(v) for k, v in value.items()}
    return type(value), value


@given(values)
def test_what_is_spelled_reads_back_the_same(value):
    data = canon.dumps(value)
    back = canon.loads(data)
    assert shape(back) == shape(value)
    assert canon.dumps(back) == data


@given(st.dictionaries(keys, st.integers()), st.randoms(use_true_random=False))
def test_the_order_of_filling_a_dict_does_not_matter(value, rnd):
    pairs = list(value.items())
    rnd.shuffle(pairs)
    assert canon.dumps(dict(pairs)) == canon.dumps(value)


@settings(max_examples=120)
@given(st.binary(max_size=40) | cut_short)
def test_any_bytes_read_as_a_value_or_a_clear_error(data):
    try:
        value = canon.loads(data)
    except ValueError as error:
        assert str(error)
    else:
        assert shape(canon.loads(canon.dumps(value))) == shape(value)


def test_the_digest_is_the_same_under_every_hash_seed():
    program = (
        "from fractions import Fraction\n"
        "from rulewright.runtime import canon\n"
        "names = list({'rome', 'oslo', 'bonn', 'kiev'})\n"
        "value = {n: {(n, 1): Fraction(1, 3), 'x': [1, 2], 7: (None, True)} for n in names}\n"
        "print(canon.digest(value))\n"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": s}, capture_output=True, check=True
        ).stdout
        for s in ("0", "1", "2", "99")
    }
    assert len(printed) == 1


def test_one_spelling_stands_for_ever():
    value = {"b": [1, 2], "a": (Fraction(-1, 2), None), "m": {2: "x", 10: "é"}, "$t": True}
    assert canon.dumps({"b": 1, "a": [True, "é"]}) == '{"a":[true,"é"],"b":1}'.encode()
    assert canon.dumps(value["m"]) == '{"$m":[[2,"x"],[10,"é"]]}'.encode()
    assert canon.digest(value) == "3d2eccdba2c9dae6128511baa3128cff5d985e166b0458832e86a9df52e3bab5"


class Level(IntEnum):
    LOW = 1


@pytest.mark.parametrize(
    "value",
    [1.5, {1, 2}, b"x", object(), Level.LOW, {None: 1}, {True: 1}, {Fraction(1): 1}, [{"a": 2.0}], "\ud800"],
)
def test_what_is_not_plain_data_is_refused(value):
    with pytest.raises(ValueError):
        canon.dumps(value)


def test_a_value_within_itself_is_refused():
    loop = []
    loop.append(loop)
    with pytest.raises(ValueError, match="nested"):
        canon.dumps(loop)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"1.0", "whole number"),
        (b"NaN", "whole number"),
        (b"1e9", "whole number"),
        (b"", "not JSON"),
        (b"\xff", "UTF-8"),
        (b'{"a":1,"a":2}', "repeated"),
        (b'{"$q":[1,0]}', "malformed"),
        (b'{"$q":[2,4]}', "malformed"),
        (b'{"$q":[true,1]}', "malformed"),
        (b'{"$t":1}', "malformed"),
        (b'{"$t":[],"a":1}', "malformed"),
        (b'{"$m":[[1]]}', "malformed"),
        (b'{"$m":[[1,2],[1,3]]}', "repeated"),
        (b'{"$m":[[null,2]]}', "not a key"),
        (b'{"$m":[[{"$t":[[1]]},2]]}', "list inside a key"),
        (b'{"$x":1}', "malformed"),
        (b'"\\ud800"', "surrogates"),
        (b"[" * 100_000, "nested"),
        (b"[" * 101 + b"1" + b"]" * 101, "nested deeper"),
        (b'{"a":' * 200 + b"1" + b"}" * 200, "nested deeper"),
        (b"9" * 5000, "limit"),
    ],
)
def test_hostile_data_is_a_clear_error(data, said):
    with pytest.raises(ValueError, match=said):
        canon.loads(data)


def test_too_much_data_is_refused_unread(monkeypatch):
    monkeypatch.setattr(canon, "MAX_BYTES", 10)
    with pytest.raises(ValueError, match="more than 10"):
        canon.loads(b"[" * 11)
    with pytest.raises(ValueError, match="more than 10"):
        canon.dumps("twelve chars")


def test_a_text_that_looks_like_an_escape_survives():
    assert canon.loads(canon.dumps("\\ud800 $t")) == "\\ud800 $t"
