"""Which of very many moments stay."""

import numpy as np
import pytest

from treecore.viewer.pages.thinning import evenly, every_second


@pytest.mark.parametrize("n", range(12))
def test_every_second_stays_and_so_do_both_ends(n):
    thinned = every_second(range(n))
    assert thinned[:1] == list(range(min(1, n)))
    assert thinned[-1:] == list(range(n))[-1:]
    assert set(thinned[:-1]) == set(range(0, n - 1, 2)), "the last may stand beside another one"
    assert thinned == sorted(set(thinned))


@pytest.mark.parametrize(("n", "most"), [(0, 5), (1, 5), (5, 5), (6, 5), (1000, 7)])
def test_places_are_spread_evenly_from_end_to_end(n, most):
    places = evenly(n, most)
    assert len(places) == min(n, most)
    if n:
        assert (places[0], places[-1]) == (0, n - 1)
        gaps = np.diff(places)
        assert np.ptp(gaps) <= 1 if len(gaps) else n == 1
