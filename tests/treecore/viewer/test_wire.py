"""Messages come back as they were, and what cannot travel is refused."""

import base64

import numpy as np
import pytest

from tests.helpers.liveview import arrays_of_all_types
from treecore.viewer.wire import pack, thumbnail, unpack


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


def test_an_empty_message_is_a_message():
    assert unpack(pack({}, {})) == ({}, {})


@pytest.mark.parametrize("dtype", ["i8", "u8", "f2", "c8", "U3"])
def test_types_that_javascript_cannot_read_are_refused(dtype):
    with pytest.raises(ValueError, match="array 'x' has type"):
        pack({}, {"x": np.zeros(2, dtype=dtype)})


def test_numbers_that_are_not_json_are_refused():
    with pytest.raises(ValueError, match="JSON"):
        pack({"loss": float("nan")}, {})


def test_thumbnails_are_small_and_scaled_to_their_box():
    rng = np.random.default_rng(1)
    points = rng.normal(size=(1000, 2)) * [1, 1000]
    picture = np.frombuffer(base64.b64decode(thumbnail(points, np.arange(1000) % 7)), "u1")
    triples = picture.reshape(-1, 3)
    assert len(triples) == 140
    assert triples[:, :2].min() < 30
    assert triples[:, :2].max() > 225
    assert set(triples[:, 2]) == set(range(7))
    same = thumbnail(np.ones((3, 2)), [0, 1, 2])  # no extent: no division by zero
    assert len(base64.b64decode(same)) == 9
