"""The link of the page *Learn*: the lesson that is open, and the seed of its points."""

from ui.learn.lessons import LESSONS
from ui.links.fields import Params, Reading, State, number_field, read_parts, write_parts

_NUMBERS = tuple(lesson.number for lesson in LESSONS)
FIELDS = (
    number_field("lesson", "lesson", 1, _NUMBERS[0], _NUMBERS[-1], steps=_NUMBERS, always=True),
    number_field("seed", "lesson_seed", 0, 0, 2**32 - 1),
)


def read_lesson(params: Params) -> Reading:
    """What a link says, as entries of the session's state."""
    reading = Reading()
    read_parts(FIELDS, params, reading)
    reading.strangers(params, [field.name for field in FIELDS])
    return reading


def lesson_params(state: State) -> dict[str, str]:
    """The inverse of :func:`read_lesson`."""
    return write_parts(FIELDS, state)
