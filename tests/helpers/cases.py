"""Cases of one test that are a loop: how many there are, and which of them failed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from hypothesis import settings


@contextlib.contextmanager
def case(**what) -> Iterator[None]:
    """Name a case of a loop in the message of whatever fails inside: ``with case(seed=seed):``."""
    try:
        yield
    except Exception as error:
        error.add_note("in the case " + ", ".join(f"{name}={what[name]!r}" for name in what))
        raise


def examples(count: int) -> settings:
    """Try a property on so many examples, and on as many more as the profile looks further.

    For those that are too dear, or too cheap, for as many as a property is tried on by itself;
    ``count`` is said of a hundred of these.
    """
    return settings(max_examples=max(1, round(count * settings.default.max_examples / 100)))
