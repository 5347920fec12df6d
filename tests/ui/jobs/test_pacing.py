"""When pictures are due: as many as are aimed at, however late the portions come."""

import pytest

from tests.helpers.pacing import ManualClock
from ui.jobs.pacing import PlaybackPace, pictures_per_second


@pytest.fixture
def paced():
    wall = ManualClock()
    return wall, PlaybackPace(wall, n_others=lambda: 29), 1 / pictures_per_second(29)


def recorded(paced, moments):
    wall, pace, gap = paced
    due = []
    for moment in moments:
        wall.forward(moment * gap - wall.now())
        due.append(pace.picture_due())
    return due


def test_a_portion_that_comes_late_takes_no_picture_from_the_next(paced):
    late = [n + (0.45 if n % 2 else 0.0) for n in range(20)]
    assert all(recorded(paced, late))


def test_never_more_pictures_than_are_aimed_at(paced):
    assert sum(recorded(paced, [n / 10 for n in range(200)])) <= 20 + 1


def test_a_long_wait_is_not_made_up_for(paced):
    recorded(paced, [0, 1, 2])
    assert sum(recorded(paced, [50 + n / 10 for n in range(20)])) <= 2 + 1
