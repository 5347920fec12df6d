"""The columns of a table, as it is in the database, as the numbers that a tree reads, in SQL.

A column may hold numbers and dates, or their text as :mod:`treecore.data.readers` reads it; what is
neither is NULL. A text is told by its shape: every run of digits becomes a 9. Steps that are used
several times are columns of their own, one behind another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from treecore.data.readers.cells import CURRENCIES, PLAIN, NumberForm
from treecore.data.readers.columns import CategoryColumn, Column, DateColumn, NumberColumn
from treecore.data.readers.dates import kind_of
from treecore.export.programs.literals import sql_name, sql_text
from treecore.persistence import Document, TreeFormatError

ORIGINAL = "original"
"""What the table is called in every step, so that a column that it lacks is refused: SQLite takes
a quoted name that stands alone for a text."""

Step = Callable[[str], str]
"""An expression of what stands in a column of text."""

BLANKS = " \t\u00a0\u202f\u3000"
_MARKS = ("'", "\u2019", " ", "\u00a0", "\u202f")
"""Between thousands, besides a comma or point."""

_RUNS = (20, 8, 4, 2, 2, 2)
"""Lengths of runs of digits that become one, in turn: these do for 400 digits."""

_NUMBERS = [
    f"{sign}{mantissa}{exponent}"
    for sign in ("", "-", "+")
    for mantissa in ("9", "9.", "9.9", ".9")
    for exponent in ("", "e9")
]
"""Shapes of numbers."""

_TRUTH = dict.fromkeys(("true", "t", "yes", "y", "on"), "true")
_TRUTH |= dict.fromkeys(("false", "f", "no", "n", "off"), "false")
"""What databases read as truth values, and write as these."""

_DAYS_BEFORE = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)
_FIRST_DAY = 719_163
"""Days from the beginning of the year 1 to that of 1970, and one."""


class SqlColumns(NamedTuple):
    """How a query makes the features.

    - stages: what each table in turn selects, beside all of the one before; notes: what columns
      hold.
    - features: the expression of each feature by number, in the last table: NULL where missing.
    """

    stages: list[list[str]]
    features: dict[int, str]
    notes: list[str]

    def tables(self, table: str) -> tuple[str, str]:
        """The tables as parts of a query, and the name of the last one; the first is ``table``.

        The window keeps SQLite from writing out each step wherever the next one names it.
        """
        made = ""
        for number, stage in enumerate(self.stages, 1):
            selected = ",\n    ".join([f'COUNT(*) OVER () AS "treecore rows {number}"', *stage])
            made += (
                f'"treecore columns {number}" AS (\n  SELECT {ORIGINAL}.*,\n    {selected}\n'
                f'  FROM "{table}" AS {ORIGINAL}\n),\n'
            )
            table = f"treecore columns {number}"
        return made, table


def sql_columns(document: Document, read: Sequence[int]) -> SqlColumns:
    """The features ``read`` by a model; TreeFormatError for names that databases confuse."""
    columns: Sequence[Column] = document.columns or tuple(map(NumberColumn, document.feature_names))
    _check_names([column.name for column in columns])
    made = SqlColumns([], {}, [])
    first = 0
    for number, column in enumerate(columns):
        n_features = len(column.feature_names)
        mine = [j for j in read if first <= j < first + n_features]
        if mine:
            _add_column(made, column, number, {j: j - first for j in mine})
        first += n_features
    return made


def _check_names(names: Sequence[str]) -> None:
    """Refuse names that cannot stand in one table of a database."""
    seen: dict[str, str] = {}
    for name in names:
        if name.lower() in ("", "true", "false"):  # SQLite forgets such a name in inner tables
            raise TreeFormatError(f"SQL has no column called {name!r}: rename it")
        if (other := seen.setdefault(name.casefold(), name)) != name:
            raise TreeFormatError(
                f"databases do not tell the columns {other!r} and {name!r} apart, whose names "
                "differ in case only: rename one of them"
            )


def _add_column(made: SqlColumns, column: Column, number: int, places: dict[int, int]) -> None:
    """Add what makes some features of a column; ``places`` are those among its own."""
    quoted = sql_name(column.name)
    original = f"{ORIGINAL}.{quoted}"
    text = _trimmed(original, getattr(column, "missing", None))
    if isinstance(column, CategoryColumn):
        for j, place in places.items():
            found = _has_category(text, column.categories, place)
            made.features[j] = f"CASE WHEN {found} THEN 1.0 ELSE 0.0 END"
        made.notes.append(f"{quoted}: words, as they are in the file.")
        return
    (j,) = places
    if isinstance(column, NumberColumn):
        made.features[j] = _number(text, original, column)
        if column.form != PLAIN:  # or a column of numbers, as no text is there of that form
            steps: list[Step] = [
                str,
                *_number_steps(column.form),
                lambda text: _number(text, original, column),
            ]
            own = _staged(made, number, text, steps)
            plain = made.features[j]
            more = f"COUNT({plain}) OVER () >= COUNT({own}) OVER ()"
            made.features[j] = f"CASE WHEN {more} THEN {plain} ELSE {own} END"
            made.notes.append(f"{quoted}: numbers, or text as {_said(column.form)}.")
        return
    first = _staged(made, number, text, [str])
    text = _staged(made, number, text, [str, *_date_steps(column, first)])
    is_date = kind_of(column.form) == "dates"
    made.features[j] = _days(text) if is_date else _hours(text)
    what = "dates" if is_date else "times of day"
    made.notes.append(f"{quoted}: {what}, or text as {_shown(column.form)}.")


def _staged(made: SqlColumns, number: int, text: str, steps: Sequence[Step]) -> str:
    """Add each step as a column of one table after another; the name of the last one's."""
    for level, step in enumerate(steps):
        if level == len(made.stages):
            made.stages.append([])
        name = sql_name(f"treecore column {number + 1}.{level + 1}")
        if (line := f"{step(text)} AS {name}") not in made.stages[level]:
            made.stages[level].append(line)
        text = name
    return text


def _said(form: NumberForm) -> str:
    """How numbers are written, for people."""
    mark, point = (".", ",") if form.comma else (",", ".")
    digits = f"1{mark}234{point}5" if form.marks else f"1234{point}5"
    return f"{digits} {form.unit}".rstrip()


def _shown(form: str) -> str:
    """A form of dates as people write it."""
    words = {"%Y": "YYYY", "%y": "YY", "%m": "MM", "%d": "DD", "%H": "hh", "%M": "mm"}
    words |= {"%S": "ss", "%f": "f"}
    return re.sub("%.", lambda found: words[found[0]], form)


def _trimmed(column: str, missing: Sequence[str] | None) -> str:
    """The text of a column without blanks around it, NULL for words that mean missing."""
    text, blanks = f"CAST({column} AS VARCHAR)", sql_text(BLANKS)
    text = f"LTRIM(RTRIM({text}, {blanks}), {blanks})"
    if not missing:
        return text
    words = ", ".join(sql_text(word.lower()) for word in missing)
    return f"CASE WHEN LOWER({text}) IN ({words}) THEN NULL ELSE {text} END"


def category_text(column: CategoryColumn) -> str:
    """A column's text with each category as the model writes it; NULL where it is missing."""
    text = _trimmed(f"{ORIGINAL}.{sql_name(column.name)}", column.missing)
    whens = "".join(
        f" WHEN {found} THEN {sql_text(word)}"
        for place, word in enumerate(column.categories)
        if (found := _has_category(text, column.categories, place)) != f"{text} = {sql_text(word)}"
    )
    return f"CASE{whens} ELSE {text} END" if whens else text


def _has_category(text: str, categories: Sequence[str], place: int) -> str:
    """Whether a text is a category; yes is true too, where a database holds truth values."""
    word = categories[place]
    found = f"{text} = {sql_text(word)}"
    truth = _TRUTH.get(word.lower())
    if truth and [_TRUTH.get(c.lower()) for c in categories].count(truth) == 1:
        found = f"{text} = {sql_text(word)} OR LOWER({text}) = '{truth}'"
    if re.fullmatch(r"-?(0|[1-9]\d{0,14})(\.0)?", word):  # 1.0 and 1.00 are 1, if no other is
        plain = word.removesuffix(".0")
        if sum(c == plain or c.rstrip("0") == f"{plain}." for c in categories) == 1:
            found = f"{text} = {sql_text(plain)} OR RTRIM({text}, '0') = {sql_text(plain + '.')}"
    return found


def _replaced(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        text = f"REPLACE({text}, {sql_text(old)}, {sql_text(new)})"
    return text


def _shape(text: str) -> str:
    """A text with 9 for each digit."""
    return _replaced(text, *((digit, "9") for digit in "012345678"))


def _number_steps(form: NumberForm) -> list[Step]:
    """What leaves of a text the number alone, with a point."""
    steps: list[Step] = []
    unit = form.unit
    if unit in CURRENCIES:  # which need not stand in every cell
        steps += [lambda text: _without_end(text, [unit], text)]
        steps += [lambda text: _without_start(text, unit)]
    elif unit:
        units = [unit, unit[:-1]] if len(unit) > 2 and unit[-1] in "se" else [unit]
        steps += [lambda text: _without_end(text, units, "NULL")]
    if form.marks:
        steps += [lambda text: _without_marks(text, "." if form.comma else ",")]
    if form.comma:
        steps += [
            lambda text: (
                f"CASE WHEN {_replaced(text, ('.', ''))} = {text} "
                f"THEN {_replaced(text, (',', '.'))} END"
            )
        ]
    return steps


def _ends(text: str, n: int) -> str:
    return f"SUBSTR({text}, LENGTH({text}) - {n - 1})"


def _without_end(text: str, endings: Sequence[str], otherwise: str) -> str:
    """A text without one of some endings and the blanks before it."""
    whens = "".join(
        f" WHEN {_ends(text, len(ending))} = {sql_text(ending)} THEN "
        f"RTRIM(SUBSTR({text}, 1, LENGTH({text}) - {len(ending)}), {sql_text(BLANKS)})"
        for ending in endings
    )
    return f"CASE{whens} ELSE {otherwise} END"


def _without_start(text: str, sign: str) -> str:
    """A text without the sign of a currency in front of it, or behind plus or minus."""
    n, blanks = len(sign), sql_text(BLANKS)
    signed = ", ".join(sql_text(mark + sign) for mark in "-+")
    return (
        f"CASE WHEN SUBSTR({text}, 1, {n}) = {sql_text(sign)} THEN "
        f"LTRIM(SUBSTR({text}, {n + 1}), {blanks}) WHEN SUBSTR({text}, 1, {n + 1}) IN ({signed}) "
        f"THEN SUBSTR({text}, 1, 1) || LTRIM(SUBSTR({text}, {n + 2}), {blanks}) ELSE {text} END"
    )


def _without_marks(text: str, mark: str) -> str:
    """A text without the marks between its thousands, if they part its digits by threes."""
    marks = (mark, *_MARKS)
    shape = f"LTRIM({_replaced(_shape(text), *((each, 'k') for each in marks))}, '+-')"
    integer = f"SUBSTR({shape}, 1, LENGTH({shape}) - LENGTH(LTRIM({shape}, '9k')))"
    # 1,234,567 is 9k999k999 there: without the groups at its end a first one is left.
    groups = f"RTRIM({_replaced(integer, ('k999', 'g'))}, 'g')"
    bare = _replaced(text, *((each, "") for each in marks))
    parted = f"{groups} IN ('9', '99', '999') AND {groups} <> {integer}"
    return f"CASE WHEN {parted} THEN {bare} ELSE {text} END"


def _number(text: str, original: str, column: NumberColumn) -> str:
    """A text as a number; a column of numbers is read itself, as its text may be rounded."""
    text = _replaced(text, ("\u2212", "-"))  # the minus sign of typesetters
    runs = [("9" * n, "9") for n in _RUNS]
    shape = _replaced(_shape(f"LOWER({text})"), *runs, ("e+9", "e9"), ("e-9", "e9"))
    shapes = ", ".join(map(sql_text, _NUMBERS))
    number = (
        f"CASE WHEN {text} = CAST({original} AS VARCHAR) THEN CAST({original} AS DOUBLE PRECISION) "
        f"ELSE CAST({text} AS DOUBLE PRECISION) END"
    )
    truth = ""
    if column.form == PLAIN:  # a column of truth values, where databases have them
        truth = f" WHEN LOWER({text}) = 'true' THEN 1.0 WHEN LOWER({text}) = 'false' THEN 0.0"
    found = f"CASE WHEN {shape} IN ({shapes}) THEN {number}{truth} END"
    for word in getattr(column, "missing", None) or ():
        if re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", word.lower()):
            found = f"NULLIF({found}, {float(word)!r})"
    return found


def _date_steps(column: DateColumn, first: str) -> list[Step]:
    """What makes of a text ``YYYY-MM-DD hh:mm:ss.f``, or a part of it; it is ``first`` trimmed."""
    form = column.form
    pieces = re.findall(r"\.%f|%.|[^%]", form)
    if unknown := {p for p in pieces if p[-2:-1] == "%"} - {*_WIDTHS, ".%f"}:
        raise TreeFormatError(
            f"column {column.name!r} holds dates or times with {', '.join(sorted(unknown))} "
            f"({form}), which the query cannot read: have them as YYYY-MM-DD hh:mm:ss, or leave "
            "the column out"
        )
    steps: list[Step] = []
    place, places = 1, {}
    for piece, after in zip(pieces, [*pieces[1:], ""], strict=True):
        places[piece] = place
        if piece in ("%m", "%d", "%H"):
            steps.append(_padded(place, after))
        place += _WIDTHS.get(piece, 0 if piece == ".%f" else len(piece))
    return [*steps, _iso(pieces, places, first, column.since)]


_WIDTHS = {"%Y": 4, "%y": 2, "%m": 2, "%d": 2, "%H": 2, "%M": 2, "%S": 2}


def _padded(place: int, after: str) -> Step:
    """Write the one digit that stands at a place as two; ``after`` it there is this."""

    def padded(text: str) -> str:
        alone = f"LENGTH({text}) = {place}"
        if after:
            alone = f"SUBSTR({text}, {place + 1}, 1) = {sql_text(after[0])}"
        start = f"SUBSTR({text}, 1, {place - 1}) || " if place > 1 else ""
        return f"CASE WHEN {alone} THEN {start}'0' || SUBSTR({text}, {place}) ELSE {text} END"

    return padded


def _iso(pieces: Sequence[str], places: dict[str, int], first: str, since: int) -> Step:
    """A text of fixed places in the order of ISO; what databases write of dates stays as it is."""

    def part(text: str, piece: str, otherwise: str) -> str:
        if piece not in places:
            return f"'{otherwise}'"
        return f"SUBSTR({text}, {places[piece]}, {_WIDTHS[piece]})"

    is_date = "%Y" in places or "%y" in places
    century, year = divmod(since, 100)
    own = "".join("9" * _WIDTHS[p] if p in _WIDTHS else "" if p == ".%f" else p for p in pieces)
    fraction = ".%f" in pieces

    def iso(text: str) -> str:
        parts = []
        if is_date:
            written = part(text, "%Y", "")
            if "%y" in places:
                two = part(text, "%y", "")
                early = f"CASE WHEN {two} >= '{year:02}' THEN '{century}' ELSE '{century + 1}' END"
                written = f"{early} || {two}"
            parts += [f"{written} || '-' || {part(text, '%m', '01')} || '-' || "
                      f"{part(text, '%d', '01')}"]  # fmt: skip
        if "%H" in places:
            parts += [f"{part(text, '%H', '00')} || ':' || {part(text, '%M', '00')} || ':' || "
                      f"{part(text, '%S', '00')}"]  # fmt: skip
        ordered = " || ' ' || ".join(parts)
        if fraction:
            ordered += f" || SUBSTR({text}, {len(own) + 1})"
        whens = f"WHEN {_is_shape(text, own, fraction)} THEN {ordered}"
        for other in ("9999-99-99", "9999-99-99 99:99:99") if is_date else ("99:99:99",):
            whens += f" WHEN {_shape(first)} = {sql_text(other)} THEN {first}"
        whens += f" WHEN {_is_shape(first, other, True)} THEN {first}"
        zoned = ", ".join(sql_text(f"{other}{sign}99") for sign in "+-")  # of the session
        whens += f" WHEN {_shape(first)} IN ({zoned}) THEN SUBSTR({first}, 1, {len(other)})"
        return f"CASE {whens} END"

    return iso


def _is_shape(text: str, shape: str, fraction: bool) -> str:
    """Whether a text has a shape, and behind it up to nine digits of a second if there are any."""
    if not fraction:
        return f"{_shape(text)} = {sql_text(shape)}"
    start, n = sql_text(f"{shape}."), len(shape)
    return f"RTRIM({_shape(text)}, '9') = {start} AND LENGTH({text}) BETWEEN {n + 2} AND {n + 10}"


def _integer(text: str, place: int, n: int) -> str:
    return f"CAST(SUBSTR({text}, {place}, {n}) AS INTEGER)"


def _days(text: str) -> str:
    """Days since 1970 began of a text ``YYYY-MM-DD hh:mm:ss.f``, or its first ten characters."""
    year, month, day = (_integer(text, *at) for at in ((1, 4), (6, 2), (9, 2)))
    before = f"({year} - 1)"
    leap = f"({year} % 4 = 0 AND {year} % 100 <> 0 OR {year} % 400 = 0)"
    last = (
        f"CASE WHEN {month} IN (4, 6, 9, 11) THEN 30 WHEN {month} <> 2 THEN 31 "
        f"WHEN {leap} THEN 29 ELSE 28 END"
    )
    months = " ".join(f"WHEN {m} THEN {n}" for m, n in enumerate(_DAYS_BEFORE, 1))
    # A whole number divided without a rest is the same in all databases.
    centuries = " + ".join(
        f"{sign} * ({before} - {before} % {n}) / {n}" for sign, n in ((1, 4), (-1, 100), (1, 400))
    )
    days = (
        f"365 * {before} + {centuries} + CASE {month} {months} END "
        f"+ CASE WHEN {month} > 2 AND {leap} THEN 1 ELSE 0 END + {day} - {_FIRST_DAY}"
    )
    clock = _seconds(text, 12)
    right = f"{month} BETWEEN 1 AND 12 AND {day} BETWEEN 1 AND {last}"
    return (
        f"CASE WHEN {right} AND LENGTH({text}) = 10 THEN 1.0 * ({days}) "
        f"WHEN {right} AND LENGTH({text}) > 10 THEN CASE WHEN {_is_clock(text, 12)} "
        f"THEN (86400.0 * ({days}) + {clock}) / 86400.0 END END"
    )


def _hours(text: str) -> str:
    """Hours since midnight of a text ``hh:mm:ss.f``."""
    return f"CASE WHEN {_is_clock(text, 1)} THEN ({_seconds(text, 1)}) / 3600.0 END"


def _is_clock(text: str, place: int) -> str:
    hour, minute, second = (_integer(text, place + at, 2) for at in (0, 3, 6))
    return f"{hour} < 24 AND {minute} < 60 AND {second} < 60"


def _seconds(text: str, place: int) -> str:
    hour, minute = _integer(text, place, 2), _integer(text, place + 3, 2)
    second = f"CAST(SUBSTR({text}, {place + 6}) AS DOUBLE PRECISION)"
    return f"3600.0 * {hour} + 60.0 * {minute} + {second}"
