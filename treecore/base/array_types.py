"""What callers may give as rows and as labels: names for type checkers and readers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    Rows: TypeAlias = ArrayLike
    Labels: TypeAlias = ArrayLike
    Weights: TypeAlias = ArrayLike | None
else:  # nobody asks for these while a program runs
    Rows = Labels = Weights = Any
    """Rows: shape (n_samples, n_features), an array, a data frame of pandas or Polars, or a table
    of Arrow. Labels: shape (n_samples,), classes of any kind or numbers. Weights:
    shape (n_samples,), or None, which is 1 for every row."""
