"""Estimators asked why, in the columns and labels of the tables that they were given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from treecore import data, estimators, inspection
from treecore.base.array_types import Rows
from treecore.estimators.shared import Estimator


class Change(NamedTuple):
    """What would have to change in a row.

    - values: what each column that changes has to be: a number (of dates, days since the beginning
      of 1970) or a category; the furthest moved first.
    - distance: see :class:`treecore.inspection.counterfactual.Counterfactual`, as is ``point``.
    """

    values: dict[str, float | str]
    distance: float
    point: inspection.counterfactual.Counterfactual


class Explaining(Estimator):
    """What trees and forests are asked alike; a subclass says which model is asked."""

    @property
    def _asked(self) -> Any:
        raise NotImplementedError

    def _as_read(self, X: Rows) -> np.ndarray:
        """Checked rows as the model reads them."""
        return self._apply_map(self._rows(X))  # the first says so where nothing is fitted

    def _apply_map(self, X: np.ndarray) -> np.ndarray:
        return X

    def _one_row(self, x: Any) -> Any:
        """A table of one row, from that or from the row alone."""
        if getattr(x, "ndim", 1) == 1 and hasattr(x, "to_frame"):
            return x.to_frame().T
        table = np.asarray(x)[None] if np.ndim(x) == 1 else x
        if len(table) != 1:
            raise ValueError(f"x must be one row, and is a table of {len(table)}")
        return table

    def _made_of(self) -> np.ndarray:
        """The column of the table that each feature of the model is made of."""
        return self._sources()

    def shapley_values(self, x: Any, background: Rows, **how: Any) -> inspection.ShapleyValues:
        """What each column of a row is worth to the answer, against background rows.

        Exact where splits ask one feature each, or few features are used.

        Parameters
        ----------
        x : array, shape (n_features,), a series, or a table of one row
        background : table, shape (n_rows, n_features)
            Rows to compare with, for instance fifty of those that were learnt from.
        **how
            ``exact``, ``n_permutations`` and ``seed`` of
            :func:`treecore.inspection.shapley.shapley_values`.

        Returns
        -------
        ShapleyValues
            Of the columns of the table, and of the classes in the order of ``classes_``.

        Raises
        ------
        ValueError
            For rows that are not of this model, and behind a kernel, whose features are mixtures.
        """
        task = "regression" if self._numeric or self._shares else "classification"
        row, rest = self._as_read(self._one_row(x)), self._as_read(background)
        return inspection.shapley_values(
            self._asked, row[0], rest, task=task, sources=self._made_of(), **how
        )

    def counterfactual(
        self,
        x: Any,
        wanted: Any,
        background: Rows,
        *,
        norm: str = "l1",
        fixed: Sequence[str | int] = (),
        integer: Sequence[str | int] = (),
    ) -> Change:
        """The least change of a row that gives another answer.

        A tree is searched whole. Of a forest the regions (one leaf of each tree) are searched that
        background rows and points on the way to them reach: no row there is nearer, but one
        elsewhere may be.

        Parameters
        ----------
        x : array, shape (n_features,), a series, or a table of one row
        wanted : label, or pair of numbers
            The class, or for numbers the range that the answer should lie in.
        background : table, shape (n_rows, n_features)
            Rows that say within which range values lie and how far they spread, by which changes
            are measured. A forest needs many that have the wanted answer.
        norm : str
            ``"l1"`` changes few columns, ``"l2"`` many a little.
        fixed, integer : sequence of names or places of columns
            Those that stay, and those that stay whole. A category stays one of its column,
            booleans of a frame stay 0 or 1, and a missing value stays missing.

        Returns
        -------
        Change

        Raises
        ------
        ValueError
            As :meth:`shapley_values`, for a class that there is not, and where no row within the
            range has that answer.

        References
        ----------
        Carreira-Perpiñán and Hada, Counterfactual explanations for oblique decision trees, AAAI
        2021; Very fast, approximate counterfactual explanations for decision forests, AAAI 2023.
        """
        row, rest = self._as_read(self._one_row(x))[0], self._as_read(background)
        if getattr(self, "feature_map_", None) is not None:
            raise ValueError("a tree behind splines has no nearest row: learn with leaf='constant'")
        scale, low, high = inspection.counterfactual.units_and_range(
            np.asarray(rest, dtype=np.float64)
        )
        found = inspection.counterfactual.counterfactual(
            self._asked,
            row,
            self._wanted(wanted),
            rest,
            norm=norm,
            scale=scale,
            bounds=(np.fmin(low, row), np.fmax(high, row)),
            fixed=self._features_of(fixed),
            integer=self._features_of([*integer, *estimators.tables.boolean_columns(background)]),
            groups=data.category_groups(self.columns_),
        )
        return Change(self._changes(found), found.distance, found)

    def _features_of(self, columns: Sequence[str | int]) -> list[int]:
        """The features of columns that are given by name or place."""
        names = self._column_names()
        for c in columns:
            if c not in names and (isinstance(c, bool | np.bool_) or c not in range(len(names))):
                raise ValueError(f"there is no column {c!r}; they are {', '.join(names)}")
        places = [names.index(one) if isinstance(one, str) else one for one in columns]
        return np.flatnonzero(np.isin(self._sources(), places)).tolist()

    def _wanted(self, wanted: Any) -> Any:
        """An answer as the model gives it."""
        if self._shares:
            raise ValueError("counterfactual is for one output of classes: fit a tree for each")
        if self._numeric:
            if np.ndim(wanted) == 0 or np.asarray(wanted).dtype.kind not in "iuf":
                raise ValueError("wanted must be a range of numbers, as (1, 2) or (1, np.inf)")
            return tuple(wanted)
        labels = self.classes_.tolist()
        if wanted not in labels:
            raise ValueError(
                f"wanted={wanted!r} is none of the classes {', '.join(map(str, labels))}"
            )
        return labels.index(wanted)

    def _changes(self, found: inspection.counterfactual.Counterfactual) -> dict[str, float | str]:
        """What the columns are to be that change, the furthest moved first."""
        sources, made_of = self._sources(), {one.name: one for one in self.columns_}
        columns = [
            (name, np.flatnonzero(sources == i), made_of.get(name))
            for i, name in enumerate(self._column_names())
        ]
        order = found.changed.tolist()
        moved = [one for one in columns if np.isin(one[1], order).any()]
        moved.sort(key=lambda one: min(order.index(j) for j in one[1].tolist() if j in order))
        values: dict[str, float | str] = {}
        for name, at, made in moved:
            x = found.x[at]
            if isinstance(made, data.CategoryColumn):
                values[name] = made.categories[int(x.argmax())]
            else:
                values[name] = float(x[0])
        return values
