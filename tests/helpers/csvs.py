"""Small CSV files for tests, read or refused."""

from __future__ import annotations

import pytest

from treecore.data.readers.csv import read_csv
from treecore.data.readers.table import TableError

PLAIN = "a,b,class\n1,2.5,no\n-3,4e2,yes\n5,.5,no\n"


def read(text: str, **options):
    return read_csv(text.encode(), **options)


def column(values) -> str:
    """A file with the given cells in column ``a``, beside a second feature and two classes."""
    rows = [f"{value},{i},{'uv'[i % 2]}" for i, value in enumerate(values)]
    return "\n".join(["a,b,class", *rows])


def refusal(data: bytes | str, **options) -> str:
    """The sentence a file is refused with."""
    with pytest.raises(TableError) as caught:
        read_csv(data.encode() if isinstance(data, str) else data, **options)
    return str(caught.value)


def assert_is_one_sentence(sentence: str):
    assert sentence
    assert "\n" not in sentence
    assert not sentence.endswith(".")
    assert len(sentence) < 700
