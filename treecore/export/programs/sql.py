"""A tree or a forest as one query in what SQLite, DuckDB and PostgreSQL have in common.

A leaf is the first WHEN that holds. Leaves stand from left to right, and a condition names the
splits that its path passes to the left: an earlier leaf has taken rows that went left before. A
split on a set of levels asks whether the column is IN them.
Conditions stand side by side, because parsers have small stacks. A missing value is NULL where some
split sends it elsewhere than the mean goes; a split that sends it left asks for IS NULL besides.

Databases compute in float64. A threshold on one column (splines are monotone, so one on a spline
too) is moved to where float32 rounding turns; a weighted sum has no such place, and may differ for
rows that :func:`treecore.export.scores.close_rows` finds. Shares of logistic leaves need EXP.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from treecore._version import __version__
from treecore.base.units import one_line
from treecore.core.tree import OBLIQUE, Tree, means_go_left
from treecore.data.feature_maps import SplineMap
from treecore.data.readers.columns import CategoryColumn
from treecore.export.programs.literals import sql_name, sql_text
from treecore.export.programs.sql_columns import category_text, sql_columns
from treecore.export.tables import ExportTables, export_tables
from treecore.persistence import Document, TreeFormatError
from treecore.persistence.level_sets import NamedSet, named_sets

MAX_TERMS = 900
"""SQLite takes expressions that are 1,000 levels deep, and a sum is as deep as it is long."""

MAX_COLUMNS = 1500
"""SQLite takes 2,000 columns; a query has one for each oblique split and each tree."""

FARTHEST = 600.0
"""Differences of log-odds that EXP is asked for end here: databases refuse what overflows."""

Cut = Callable[[np.float32, bool], str]

_QUERY = """\
-- A decision model, written by treecore {version} for SQLite, DuckDB and PostgreSQL: put the name
-- of your table in the place of "data". It has the columns of the table that the model was learnt
-- from, as numbers and dates or as the text of the file. NULL, and a text that is no number or
-- date where one is wanted, is read as a missing value.
{notes}WITH {stages}"treecore inputs" AS (
  SELECT original.*,
    COUNT(*) OVER () AS "treecore input rows"{inputs}
  FROM "{table}" AS original
),
{made}"treecore scores" AS (
  SELECT *{scores}
  FROM "{data}"
),
"treecore leaves" AS (
  SELECT *,
{leaves}
  FROM "treecore scores"
),
"treecore outputs" AS (
  SELECT *,
{outputs}
  FROM "treecore leaves"
){shares}
SELECT *{prediction}
FROM "{last}";
"""

# A window keeps databases from writing out what is counted in front of it wherever it is named.
# Without one SQLite took 20 seconds over the shares of 25 leaves, 10 GB over those of 200 classes,
# which the prediction compares in pairs, and works out splines anew, too.
_MADE = """\
"treecore features" AS (
  SELECT *,
    COUNT(*) OVER () AS "treecore table rows"{columns}
  FROM "treecore inputs"
),
"""

_COUNTED = '    COUNT(*) OVER () AS "treecore rows"'

_SHARES = """,
"treecore shares" AS (
  SELECT *,
{columns}
  FROM "treecore outputs"
)"""


def write_sql(document: Document) -> bytes:
    """The query of a document: all columns of the table, then those of the model."""
    tables = export_tables(document, "SQL", linear=True)
    sets = _level_sets(document, tables)
    summed = [] if tables.spline is None else _summed(tables, sets).tolist()
    read = _read(tables, sets)
    columns = sql_columns(document, read)
    _check_size(tables, len(summed) + len(read) + sum(map(len, columns.stages)))
    stages, table = columns.tables("data")
    _check_names(document)
    names = _distinct([f"treecore {name}" for name in tables.feature_names], set())
    words = _word_columns(document, sets, names)
    fills = [repr(float(fill)) for fill in tables.missing]
    with_sides = _features_with_sides(tables)
    inputs = []
    for j in read:
        column = columns.features[j]
        if j not in with_sides:
            column = f"COALESCE({column}, {fills[j]})"
        inputs.append(f"\n    , {column} AS {names[j]}")
    for made_of in document.columns:
        if isinstance(made_of, CategoryColumn) and made_of.name in words:
            inputs.append(f"\n    , {category_text(made_of)} AS {words[made_of.name]}")
    in_sets = {number: _in_set(one, words[one.column]) for number, one in sets.items()}
    cuts, made = [_column_cut(name, j in with_sides) for j, name in enumerate(names)], []
    names = [f"COALESCE({n}, {fills[j]})" if j in with_sides else n for j, n in enumerate(names)]
    if tables.spline is not None:
        cuts = [_spline_cut(tables.spline, k, names) for k in range(tables.n_read)]
        made = [f"\n    , {_made(tables.spline, k, names)} AS {_feature(k)}" for k in summed]
        names = [_feature(k) for k in range(tables.n_read)]
    leaves, first = [], 0
    for number, tree in enumerate(tables.trees):
        leaves.append(_leaf_column(tree, cuts, in_sets, first, f'"treecore leaf {number + 1}"'))
        first += len(tree.weights)
    titles = _titles(tables, [column.name for column in document.columns])
    answers = titles
    if tables.logistic:
        answers = [f'"treecore log-odds {k + 1}"' for k in range(len(titles))]
    outputs = [_output_column(tables, names, k, title) for k, title in enumerate(answers)]
    if tables.logistic or (len(titles) > 2 and not tables.numeric):
        outputs.insert(0, _COUNTED)
    shares = ",\n".join(_share_column(answers, k, title) for k, title in enumerate(titles))
    query = _QUERY.format(
        version=__version__,
        notes="".join(f"-- {one_line(note)}\n" for note in columns.notes),
        stages=stages,
        table=table,
        inputs="".join(inputs),
        made=_MADE.format(columns="".join(made)) if made else "",
        data="treecore features" if made else "treecore inputs",
        scores=_scores(tables, names, sets),
        leaves=",\n".join(leaves),
        outputs=",\n".join(outputs),
        shares=_SHARES.format(columns=shares) if tables.logistic else "",
        last="treecore shares" if tables.logistic else "treecore outputs",
        prediction="" if tables.numeric else _prediction(tables.names, answers),
    )
    return query.encode()


def _check_size(tables: ExportTables, n_summed: int) -> None:
    """Refuse what is larger than databases take."""
    start, _, _ = tables.sparse_weights()
    if np.diff(start).max(initial=0) > MAX_TERMS:
        raise TreeFormatError(
            f"a split has {np.diff(start).max()} weights, and a sum in SQL at most {MAX_TERMS}: "
            "export it as C or ONNX, or learn sparse splits"
        )
    if tables.linear is not None and tables.linear.weights.shape[-1] > MAX_TERMS:
        raise TreeFormatError(
            f"linear leaves have {tables.n_read} weights, and a sum in SQL at most "
            f"{MAX_TERMS}: export them as C, or choose features first"
        )
    n_columns = n_summed + tables.n_oblique + 2 * len(tables.trees)
    if n_columns > MAX_COLUMNS:
        what, way = f"{len(tables.trees)} trees of {tables.n_oblique} oblique splits", "prune them"
        if n_summed > MAX_COLUMNS // 2:
            what, way = f"{n_summed} features of splines", "learn from fewer"
        raise TreeFormatError(
            f"{what} are more than a query in SQL takes: export them as C or ONNX, or {way}"
        )


def _level_sets(document: Document, tables: ExportTables) -> dict[int, NamedSet]:
    """Oblique splits on a set of levels, by the number of their score."""
    sets: dict[int, NamedSet] = {}
    first = 0
    for tree in tables.trees if tables.spline is None else ():
        found = named_sets(tree, document.columns, document.feature_names)
        sums = {i: one for i, one in found.items() if tree.feature[i] == OBLIQUE}
        sets |= {first + int(tree.row[split]): one for split, one in sums.items()}
        first += len(tree.weights)
    return sets


def _word_columns(
    document: Document, sets: dict[int, NamedSet], names: Sequence[str]
) -> dict[str, str]:
    """What the query calls the text of each column that splits ask for a set of its levels."""
    of_sets = {one.column for one in sets.values()}
    columns = [column.name for column in document.columns if column.name in of_sets]
    taken = {name[1:-1].casefold() for name in names}
    titles = _distinct([f"treecore {name}" for name in columns], taken)
    return dict(zip(columns, titles, strict=True))


def _in_set(asked: NamedSet, name: str) -> str:
    """How a split on a set of levels asks whether a row goes left; NULL is in no set."""
    levels = ", ".join(map(sql_text, asked.levels))
    return (
        f"({name} NOT IN ({levels}) OR {name} IS NULL)" if asked.is_in else f"{name} IN ({levels})"
    )


def _scores(tables: ExportTables, names: list[str], sets: dict[int, NamedSet]) -> str:
    """A column for the weighted sum of each oblique split but those on sets of levels."""
    start, column, weight = tables.sparse_weights()
    columns = []
    for i in [i for i in range(tables.n_oblique) if i not in sets]:
        part = slice(start[i], start[i + 1])
        terms = [
            f"{names[j]} * {float(w)!r}" for j, w in zip(column[part], weight[part], strict=True)
        ]
        columns.append(f'\n    , {" + ".join(terms) or "0.0"} AS "treecore score {i + 1}"')
    return "".join(columns)


def _read(tables: ExportTables, sets: dict[int, NamedSet]) -> list[int]:
    """The features of a row that the model reads."""
    alone = tables.packed.feature[tables.packed.feature != OBLIQUE]
    found = np.union1d(alone, _summed(tables, sets)).astype(int)
    return np.unique(found if tables.spline is None else tables.spline.sources[found]).tolist()


def _summed(tables: ExportTables, sets: dict[int, NamedSet]) -> np.ndarray:
    """Those of the features that trees read which stand in weighted sums."""
    sums = [i for i in range(tables.n_oblique) if i not in sets]
    read = tables.packed.weights[sums].any(axis=0)
    if tables.linear is not None:
        read = read | tables.linear.weights.any(axis=(0, 1))
    return np.flatnonzero(read)


def _check_names(document: Document) -> None:
    """Refuse a column that is called as the query calls its own."""
    target = document.training.get("data", {}).get("target", "")
    for name in (*(column.name for column in document.columns), *document.feature_names, target):
        if str(name).casefold().startswith("treecore "):
            raise TreeFormatError(
                f"the query calls its own columns treecore ..., and the table has {name!r}: "
                "rename that one"
            )


def _distinct(titles: list[str], taken: set[str]) -> list[str]:
    """Titles as names of columns, none of them twice: case tells no columns apart in SQL."""
    names = []
    for number, title in enumerate(titles, 1):
        while title.casefold() in taken:
            title = f"{title} #{number}"
        taken.add(title.casefold())
        names.append(sql_name(title))
    return names


def _feature(component: int) -> str:
    return f'"treecore feature {component + 1}"'


def _made(spline: SplineMap, component: int, names: list[str]) -> str:
    """A feature that splines make."""
    hinge = component - spline.n_features
    j = spline.sources[component]
    z = f"({names[j]} - {float(spline.centre[j])!r}) / {float(spline.deviation[j])!r}"
    if hinge < 0:
        return z
    t = float(spline.knots[hinge])
    return f"CASE WHEN {z} > {t!r} THEN {z} - {t!r} ELSE 0.0 END"


def _column_cut(name: str, has_null: bool = False) -> Cut:
    """How a split at a threshold of one column asks whether a row goes left."""

    def goes_left(threshold: np.float32, missing_left: bool) -> str:
        edge, included = rounding_edge(threshold)
        below = f"{name} {'<=' if included else '<'} {edge!r}"
        return f"({below} OR {name} IS NULL)" if has_null and missing_left else below

    return goes_left


def _spline_cut(spline: SplineMap, component: int, names: list[str]) -> Cut:
    """The same of a feature that splines make, asked of the column that it is made of."""
    name = names[spline.sources[component]]

    def goes_left(threshold: np.float32, missing_left: bool) -> str:
        last = spline.last_below(component, threshold)
        if last is None:
            return f"{name} < {-float(np.finfo(np.float32).max)!r}"  # no row
        return _column_cut(name)(last, missing_left)

    return goes_left


def _features_with_sides(tables: ExportTables) -> set[int]:
    """The features of which a split sends missing values elsewhere than their mean goes."""
    with_sides: set[int] = set()
    for tree in tables.trees if tables.spline is None else ():
        with_sides |= {*tree.feature[tree.missing_left != means_go_left(tree)].tolist()}
    return with_sides


def _leaf_column(
    tree: Tree, cuts: list[Cut], in_sets: dict[int, str], first_score: int, title: str
) -> str:
    """The number of the leaf of one tree; a score's number follows the order of its rows."""
    lines: list[str] = []
    pending: list[tuple[int, tuple[str, ...]]] = [(tree.root, ())]
    while pending:
        node, left_of = pending.pop()
        if node < 0:
            if not pending:
                lines.append(f"      ELSE {~node}")
            else:
                lines.append(f"      WHEN {' AND '.join(left_of)} THEN {~node}")
            continue
        pending.append((int(tree.right[node]), left_of))
        goes_left = _goes_left(tree, node, cuts, in_sets, first_score)
        pending.append((int(tree.left[node]), (*left_of, goes_left)))
    if len(lines) == 1:
        return f"    0 AS {title}"
    return "\n".join(["    CASE", *lines, f"    END AS {title}"])


def _goes_left(
    tree: Tree, split: int, cuts: list[Cut], in_sets: dict[int, str], first_score: int
) -> str:
    threshold = tree.threshold[split]
    if tree.feature[split] == OBLIQUE:
        number = first_score + int(tree.row[split])
        return in_sets.get(number, f'"treecore score {number + 1}" <= {float(threshold)!r}')
    return cuts[tree.feature[split]](threshold, bool(tree.missing_left[split]))


def rounding_edge(threshold: np.float32) -> tuple[float, bool]:
    """The edge above which float64 numbers round beyond a threshold, and whether it is below."""
    largest = np.finfo(np.float32).max
    if threshold >= largest:
        return float(largest), True  # nothing greater is a number here
    following = np.nextafter(threshold, np.float32(np.inf))
    edge = (float(threshold) + float(following)) / 2
    return edge, bool(np.float32(edge) <= threshold)


def _titles(tables: ExportTables, columns: Sequence[str]) -> list[str]:
    """Names of the columns of outputs, which the table does not have."""
    what = "predicted" if tables.numeric else "share of"
    taken = {name.casefold() for name in (*tables.feature_names, *columns)}
    return _distinct([f"{what} {name}" for name in tables.names], taken)


def _model_column(tables: ExportTables, names: list[str], k: int) -> str:
    """What the linear leaves predict, within their ranges."""
    whens = []
    for leaf, (low, high, intercept, *weights) in enumerate(tables.model_rows()[:, k].tolist()):
        terms = (f"{name} * {w!r}" for name, w in zip(names, weights, strict=True) if w)
        total = " + ".join((repr(intercept), *terms))
        within = f"WHEN {total} < {low!r} THEN {low!r} WHEN {total} > {high!r} THEN {high!r}"
        whens.append(f" WHEN {leaf} THEN CASE {within} ELSE {total} END")
    return f'CASE "treecore leaf 1"{"".join(whens)} END'


def _output_column(tables: ExportTables, names: list[str], k: int, title: str) -> str:
    """One output: the trees' votes for it, added in their order."""
    if tables.linear is not None:
        return f"    {_model_column(tables, names, k)} AS {title}"
    terms = []
    for number in range(len(tables.trees)):
        votes = tables.votes_of(number)[:, k].tolist()
        whens = "".join(f" WHEN {leaf} THEN {vote!r}" for leaf, vote in enumerate(votes))
        terms.append(f'CASE "treecore leaf {number + 1}"{whens} END')
    return f"    ({' + '.join(terms)}) / {tables.total!r} AS {title}"


def _share_column(log_odds: list[str], k: int, title: str) -> str:
    """The softmax of log-odds at one class."""
    terms = ["1.0"]
    for other in log_odds[:k] + log_odds[k + 1 :]:
        gap = f"{other} - {log_odds[k]}"
        end = f"WHEN {gap} > {FARTHEST} THEN {FARTHEST} WHEN {gap} < -{FARTHEST} THEN -{FARTHEST}"
        terms.append(f"EXP(CASE {end} ELSE {gap} END)")
    return f"    1.0 / ({' + '.join(terms)}) AS {title}"


def _prediction(names: tuple[str, ...], shares: list[str]) -> str:
    """The first class of greatest share, or of greatest log-odds."""
    lines = []
    for k, name in enumerate(names[:-1]):
        others = [f"{shares[k]} >= {other}" for other in shares if other != shares[k]]
        lines.append(f"    WHEN {' AND '.join(others)} THEN {sql_text(name)}")
    if not lines:
        return f',\n  {sql_text(names[0])} AS "prediction"'
    last = f"    ELSE {sql_text(names[-1])}"
    return "\n".join([",\n  CASE", *lines, last, '  END AS "prediction"'])
