"""The lessons, in order. A link names one by its number, so new ones come last."""

from ui.learn.lessons.bounds import BOUND, LEAVES, NU
from ui.learn.lessons.cuts import ANGLES, CORNERS, STRIPES
from ui.learn.lessons.forests import BOOSTING, FEATURES
from ui.learn.lessons.repairs import REPAIR, START
from ui.learn.lessons.sizes import DEPTH, THIRTY

LESSONS = (
    ANGLES,
    CORNERS,
    BOUND,
    NU,
    LEAVES,
    REPAIR,
    START,
    STRIPES,
    DEPTH,
    THIRTY,
    BOOSTING,
    FEATURES,
)
