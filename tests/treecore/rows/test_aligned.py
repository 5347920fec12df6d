"""Aligned arrays are what they say, wherever NumPy puts them."""

import numpy as np

from treecore.rows.aligned import aligned, aligned_zeros


def test_an_array_begins_where_a_cache_line_does():
    numbers = np.arange(60, dtype=np.float32)
    for first in range(20):  # wherever NumPy has put it
        some = numbers[first : first + 40].reshape(8, 5)
        for array in (some, some.T, some.astype(np.float64)):
            found = aligned(array)
            np.testing.assert_array_equal(found, array)
            assert found.ctypes.data % 64 == 0
            assert found.flags.c_contiguous
            assert found.dtype == np.float32
            assert aligned(found) is found


def test_zeros_may_have_any_shape():
    for shape in (0, 7, (3, 5), (0, 5), (2, 3, 4)):
        zeros = aligned_zeros(shape)
        np.testing.assert_array_equal(zeros, np.zeros(shape, np.float32))
        assert zeros.size == 0 or zeros.ctypes.data % 64 == 0
