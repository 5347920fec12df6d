"""When pictures are due: as many as are aimed at, however late the portions come."""

import pytest

from tests.helpers.pacing import ManualClock
from ui.jobs.pacing import PlaybackPace, pictures_per_second


@pytest.mark.parametrize(
    ("before", "moments", "least", "most"),
    [
        (
            [],
            [n + (0.45 if n % 2 else 0.0) for n in range(20)],
            20,
            20,
        ),  # late, and none is lost
        ([], [n / 10 for n in range(200)], 1, 20 + 1),  # never more than are aimed at
        ([0, 1, 2], [50 + n / 10 for n in range(20)], 1, 2 + 1),  # a long wait is not made up for
    ],
)
def test_as_many_pictures_are_due_as_are_aimed_at(before, moments, least, most):
    wall = ManualClock()
    pace, gap = PlaybackPace(wall, n_others=lambda: 29), 1 / pictures_per_second(29)

    def is_due(moment):
        wall.forward(moment * gap - wall.now())
        return pace.picture_due()

    list(map(is_due, before))
    assert least <= sum(map(is_due, moments)) <= most
