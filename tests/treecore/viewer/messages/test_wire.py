"""Messages come back as they were, and what cannot travel is refused."""

import numpy as np
import pytest

from tests.helpers.liveview import arrays_of_all_types
from treecore.viewer.messages.wire import pack, unpack


@pytest.fixture
def arrays():
    return arrays_of_all_types()


def test_a_message_comes_back_as_it_was(arrays):
    meta = {"run": "a", "classes": ["größer", "<b>"], "n": 3, "nothing": None}
    got_meta, got = unpack(pack(meta, arrays))
    assert got_meta == meta
    assert list(got) == list(arrays)
    for name, array in arrays.items():
        assert got[name].shape == array.shape
        np.testing.assert_array_equal(got[name], array)


def test_blobs_are_aligned_for_typed_arrays(arrays):
    for length in range(9):
        message = pack({"pad": "x" * length}, arrays)
        assert (4 + int.from_bytes(message[:4], "little")) % 8 == 0
        assert len(message) % 8 == 0


@pytest.mark.parametrize("dtype", ["i8", "u8", "f2", "c8", "U3"])
def test_types_that_javascript_cannot_read_are_refused(dtype):
    with pytest.raises(ValueError, match="array 'x' has type"):
        pack({}, {"x": np.zeros(2, dtype=dtype)})


def test_numbers_that_are_not_json_are_refused():
    with pytest.raises(ValueError, match="JSON"):
        pack({"loss": float("nan")}, {})
