"""Limits of JSON are checked before it is read, and are right whatever the text."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treecore.base import bounded_json
from treecore.base.bounded_json import JsonError, check_json, parse_json
from treecore.base.limits import Limits

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.sampled_from(
    ['"', "\\", '\\"', "[[", "]", "{,}", "\\\\", '"]"']
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)


def depth_of(value) -> int:
    inner = value.values() if isinstance(value, dict) else value
    return 1 + max(map(depth_of, inner), default=0) if isinstance(value, list | dict) else 0


def count_of(value) -> int:
    inner = value.values() if isinstance(value, dict) else value
    return 1 + sum(map(count_of, inner)) if isinstance(value, list | dict) else 1


@given(values, st.integers(1, 7))
def test_depth_is_exact_and_values_are_never_fewer(value, window):
    text = json.dumps(value)
    before, bounded_json.WINDOW_BYTES = bounded_json.WINDOW_BYTES, window
    try:
        depth, count = depth_of(value), count_of(value)
        generous = {"json_values": 2 * count + 1, "json_depth": depth}
        assert parse_json(text, Limits(**generous)) == value
        for change in (
            {"json_depth": depth - 1} if depth else {},
            {"json_values": 0} if count else {},
            {"json_bytes": len(text.encode()) - 1},
        ):
            if change:
                with pytest.raises(JsonError):
                    check_json(text.encode(), Limits(**generous | change))
    finally:
        bounded_json.WINDOW_BYTES = before


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (b"", "the file is empty"),
        (b"[" * 1_000_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b"[" + b"1" * 11_000_000 + b"]", "thousands of digits"),
        (b'"' + b"\\" * 3_000_001, "is not JSON"),
        (b"1" * 5000, "thousands of digits"),
        (b'{"a":1,"a":2}', "the key 'a' twice"),
        (b"\xff\xfe[\0]\0", "not UTF-8"),
        ("\ud800", "half a character"),
        ("[1,\n2", "the file seems to be cut off"),
    ],
    ids=lambda value: repr(value)[:30],  # some have millions of characters
)
def test_what_is_no_bounded_json_gets_one_sentence(text, part):
    with pytest.raises(JsonError) as caught:
        parse_json(text)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)
