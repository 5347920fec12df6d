"""How the columns of a table become features, as a model's file keeps it: a list of objects.

``{"name": "age"}`` is one number, with ``"unit": "kg"``, ``"comma": true`` (3,5) or ``"thousands":
true`` (1.234,5); ``"date": "%Y-%m-%d"`` the days since 1970, ``"%H:%M"`` the hours since midnight,
``"since": 1949`` the first year of two digits; ``"categories": ["blue", "red"]`` a zero or one for
each, ``colour=blue``; ``"missing": ["-999"]`` unusual words for a missing value. A file has the
list only where a column is more than a plain number.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from treecore.base.units import CALENDAR
from treecore.data.readers.cells import NumberForm
from treecore.data.readers.columns import CategoryColumn, Column, DateColumn, NumberColumn
from treecore.data.readers.dates import DATE_FORMATS, YEAR
from treecore.persistence.values import Values, shown

_NUMBERS = [
    {"name", *some} for n in range(4) for some in combinations(("unit", "comma", "thousands"), n)
]
"""The keys of a column of numbers."""

YEARS = range(1, 9900)
"""In which the hundred years of years of two digits may begin."""


def read_columns(content: Values) -> tuple[Column, ...]:
    """The columns in a file that says of them; TreeFormatError, with the place, for others."""
    listed = content.at("columns").lists().entries()
    kinds = [*_NUMBERS, {"name", "date"}, {"name", "date", "since"}, {"name", "categories"}]
    records = listed.records(*(kind | more for kind in kinds for more in (set(), {"missing"})))
    names = records.at("name")
    columns: list[Column] = []
    for i, record in enumerate(records.items):
        name, missing = record["name"], record.get("missing")
        if type(name) is not str:
            names.refuse(i, "must be a string")
        if missing is not None:
            if type(missing) is not list or not {*map(type, missing)} <= {str}:
                records.refuse(i, 'must have "missing" that is a list of strings')
            missing = tuple(missing)
        if "date" in record:
            form, since = record["date"], record.get("since", 0)
            if form not in (*DATE_FORMATS, YEAR):
                known = ", ".join(DATE_FORMATS[:3])
                records.refuse(
                    i, f'has the "date" {shown(form)}, not one of the known ones, such as {known}'
                )
            if type(since) is not int or ("%y" in form) != (since in YEARS):
                records.refuse(
                    i, 'must have "since", a year, where the "date" has %y, and only there'
                )
            columns.append(DateColumn(name, form, since, missing))
        elif "categories" in record:
            categories = record["categories"]
            if type(categories) is not list or {*map(type, categories)} != {str}:
                records.refuse(i, 'must have "categories" that are a list of strings')
            columns.append(CategoryColumn(name, tuple(categories), missing))
        else:
            unit = record.get("unit", "")
            if type(unit) is not str or unit in CALENDAR or len(unit) > 40:
                records.refuse(i, 'must have a "unit" that is a text of 40 characters at most')
            comma, thousands = record.get("comma", False), record.get("thousands", False)
            if type(comma) is not bool or type(thousands) is not bool:
                records.refuse(i, 'must have "comma" and "thousands" that are true or false')
            form = NumberForm(comma, thousands, unit)
            columns.append(NumberColumn(name, form, missing))
    return tuple(columns)


def write_columns(columns: tuple[Column, ...]) -> list[dict[str, Any]]:
    """Columns as plain values."""
    return [_written(column) for column in columns]


def _written(column: Column) -> dict[str, Any]:
    words: dict[str, Any] = {"name": column.name}
    if isinstance(column, NumberColumn):
        words |= {"unit": column.form.unit} if column.form.unit else {}
        words |= {"comma": True} if column.form.comma else {}
        words |= {"thousands": True} if column.form.marks else {}
    elif isinstance(column, DateColumn):
        words["date"] = column.form
        words |= {"since": column.since} if column.since else {}
    else:
        words["categories"] = list(column.categories)
    return words if column.missing is None else words | {"missing": list(column.missing)}
