"""When text is a date, and which day it is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

DAY = 86_400

ISO = "%Y-%m-%d"
DATES = (ISO, "%Y/%m/%d", "%d.%m.%Y", "%m/%d/%Y", "%d/%m/%Y")
TIMES = ("", " %H:%M:%S", "T%H:%M:%S", " %H:%M")
DATE_FORMATS = tuple(f"{date}{time}" for date in DATES for time in TIMES)
"""How dates are written, in the words of ``strptime``."""


def as_days(text: pa.Array, form: str) -> np.ndarray:
    """Dates as days since the beginning of 1970, NaN for what is missing or none, float64 (n,).

    Parameters
    ----------
    text : pyarrow.Array
        Of strings.
    form : str
        In the words of ``strptime``.
    """
    seconds = pc.strptime(text, format=form, unit="s", error_is_null=True)
    # What strptime takes is not always what is there: 2024-02-31 becomes a day of March.
    back = pc.strftime(seconds, format=form)
    padded = pc.replace_substring_regex(text, r"\b(\d)\b", r"0\1")
    known = pc.equal(back, padded)
    days = pc.divide(seconds.cast(pa.int64()).cast(pa.float64()), float(DAY))
    return pc.if_else(known, days, None).to_numpy(zero_copy_only=False).astype(np.float64)


def date_forms(text: pa.Array, forms: Sequence[str] = DATE_FORMATS) -> tuple[str, ...]:
    """Those of some ways to write dates in which every text is one; no text may be missing.

    Parameters
    ----------
    text : pyarrow.Array
        Of strings.
    forms : sequence of str
        In the words of ``strptime``.
    """
    few = text.slice(0, 20)
    return tuple(
        form for form in forms if not any(np.isnan(as_days(t, form)).any() for t in (few, text))
    )
