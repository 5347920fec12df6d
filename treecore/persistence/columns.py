"""How the columns of a table become features, as a model's file keeps it.

A list of objects: ``{"name": "age"}`` is one number; ``{"name": "weight", "unit": "kg"}`` one that
counts kilograms; ``{"name": "price", "comma": true}`` one that is written 3,5, and with
``"thousands": true`` 1.234,5; ``{"name": "born", "date": "%Y-%m-%d"}`` the
days since the beginning of 1970, or of a time of day, ``"%H:%M"``, the hours since midnight;
``{"name": "colour", "categories": ["blue", "red"]}`` a zero or one for each category,
``colour=blue`` and ``colour=red``. A file has the list only where a column is no number.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from treecore.base.units import CALENDAR
from treecore.data.readers.cells import NumberForm
from treecore.data.readers.columns import CategoryColumn, Column, DateColumn, NumberColumn
from treecore.data.readers.dates import DATE_FORMATS
from treecore.persistence.values import Values, shown

_NUMBERS = [
    {"name", *some} for n in range(4) for some in combinations(("unit", "comma", "thousands"), n)
]
"""The keys of a column of numbers."""

MAX_UNIT = 40
"""Characters of a unit."""


def read_columns(content: Values) -> tuple[Column, ...]:
    """The columns in a file that says of them.

    Raises
    ------
    TreeFormatError
        For what are none, with their place.
    """
    listed = content.at("columns").lists().entries()
    records = listed.records(*_NUMBERS, {"name", "date"}, {"name", "categories"})
    names = records.at("name")
    columns: list[Column] = []
    for i, record in enumerate(records.items):
        name = record["name"]
        if type(name) is not str:
            names.refuse(i, "must be a string")
        if "date" in record:
            if record["date"] not in DATE_FORMATS:
                known = ", ".join(DATE_FORMATS)
                records.refuse(i, f'has the "date" {shown(record["date"])}, not one of {known}')
            columns.append(DateColumn(name, record["date"]))
        elif "categories" in record:
            categories = record["categories"]
            if type(categories) is not list or {*map(type, categories)} != {str}:
                records.refuse(i, 'must have "categories" that are a list of strings')
            columns.append(CategoryColumn(name, tuple(categories)))
        else:
            unit = record.get("unit", "")
            if type(unit) is not str or unit in CALENDAR or len(unit) > MAX_UNIT:
                records.refuse(
                    i, f'must have a "unit" that is a text of {MAX_UNIT} characters at most'
                )
            comma, thousands = record.get("comma", False), record.get("thousands", False)
            if type(comma) is not bool or type(thousands) is not bool:
                records.refuse(i, 'must have "comma" and "thousands" that are true or false')
            form = NumberForm(comma, thousands, unit)
            columns.append(NumberColumn(name, form))
    return tuple(columns)


def write_columns(columns: tuple[Column, ...]) -> list[dict[str, Any]]:
    """Columns as plain values."""
    return [
        {"name": column.name}
        | (_written(column.form) if isinstance(column, NumberColumn) else {})
        | ({"date": column.form} if isinstance(column, DateColumn) else {})
        | ({"categories": list(column.categories)} if isinstance(column, CategoryColumn) else {})
        for column in columns
    ]


def _written(form: NumberForm) -> dict[str, Any]:
    """How numbers are written, where a float is written otherwise."""
    return (
        ({"unit": form.unit} if form.unit else {})
        | ({"comma": True} if form.comma else {})
        | ({"thousands": True} if form.marks else {})
    )
