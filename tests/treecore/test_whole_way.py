"""The whole way of a table: learnt, written to a file, read back, answered for; nothing changes.

Tables are drawn with what users hand over: types of columns and labels, names, indices, orders of
memory, pandas, Polars, Arrow and lists. One column decides the target, so a tree that has kept
every value answers with the very labels of the table. To look at 690 other tables::

    HYPOTHESIS_PROFILE=random python -m pytest tests/treecore/test_whole_way.py
"""

import json
import warnings
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.helpers.cases import examples
from treecore import (
    AxisTreeClassifier,
    AxisTreeRegressor,
    BoostedTreeClassifier,
    HingeForestRegressor,
    ObliqueForestClassifier,
    ObliqueForestRegressor,
    SGDTreeRegressor,
)

try:
    import polars
except ImportError:
    polars = None

NAMES = (
    *("a", "A", "b", "B ", " lead", "two words", "ünï", "日本", "a,b", "a;b", 'quo"te', "it's"),
    *("[x]", "<x>", "x=1", "x=2", "x", "line\nbreak", "tab\t", "%s", "{x}", "0", "1.5", "-", "a/b"),
    *("index", "None", "nan", "x0", "x1", "back\\slash", "é", "e\u0301", "🌳", "a.b", "#", "True"),
)
WORDS = (
    "red", "Red", "ünï", "a,b", 'quo"te', "x=y", "[1]", "two words", "new\nline", "日本", "007a",
)  # fmt: skip
LABELS = {
    "words": ["yes", "No", "nein, danke", 'quo"te', " lead", "ünï", "no", "line\nbreak", "[x]"],
    "large": [2**53, 2**53 + 1, -(2**53) - 1, 2**62 + 1, 12, -3],
    "whole": [0, 1, 2, 3, -1, -20, 7],
    "unsigned": [2**63, 2**63 + 1, 2**64 - 1, 5],
    "fractions": [0.0, 1.0, -3.0, 2.0**60],
    "truth": [False, True],
    "dates": list(np.array(["1969-12-31", "2024-02-29", "2262-01-01"], "M8[ns]")),
}
TYPES = (
    *(np.float64, np.float32, np.float16, np.int8, np.int16, np.int32, np.int64, np.uint8),
    *(np.uint16, np.uint32, np.uint64, np.bool_),
)


class Drawn(NamedTuple):
    """A table as pandas has it, and the classes of its rows from 0."""

    frame: pd.DataFrame
    code: np.ndarray


def draw_table(rng: np.random.Generator, words: bool) -> Drawn:
    """Columns of many kinds under odd names; the code is what one of them says."""
    n, k = int(rng.integers(12, 40)), int(rng.integers(2, 5))
    code = rng.permutation(np.arange(n) % k)
    kinds = ["number", "number", "number", "whole", "truth"]
    if words:
        kinds += ["words", "category", "date", "nullable", "decimal"]
    others = rng.choice(kinds, size=int(rng.integers(0, 4))).tolist()
    tellers = [kind for kind in ("number", "whole", "words", "category", "date") if kind in kinds]
    columns = [make_column(rng, str(rng.choice(tellers)), code, entire=True)]
    columns += [make_column(rng, kind, rng.integers(0, 4, n), entire=False) for kind in others]
    names = rng.choice(NAMES, size=len(columns), replace=False).tolist()
    order = rng.permutation(len(columns))
    frame = pd.DataFrame({names[j]: columns[j] for j in order})
    if words and all(map(pd.api.types.is_numeric_dtype, frame.dtypes)):
        name = next(name for name in NAMES if name not in names)
        frame[name] = make_column(rng, "words", code, entire=True)
    return Drawn(frame, code)


def make_column(rng, kind: str, code: np.ndarray, entire: bool) -> pd.Series:
    """A column of a kind that takes one value for each code; with holes where it need not tell."""
    hole = np.zeros(len(code), bool) if entire else rng.random(len(code)) < 0.2
    if kind == "number":
        centre, step = rng.choice([0.0, 1e6, -1e-3]), 10.0 ** rng.integers(-3, 3)
        values = pd.Series(centre * step + step * code)
        return values.mask(hole)
    if kind == "whole":
        dtype = TYPES[int(rng.integers(3, 11))]
        return pd.Series((code * int(rng.integers(1, 20))).astype(dtype))
    if kind == "truth":
        return pd.Series(code % 2 == 0)
    if kind == "date":
        day = np.datetime64("1960-01-01") + code * int(rng.integers(1, 10_000))
        return pd.Series(day.astype("M8[ns]")).mask(hole)
    if kind == "nullable":
        return pd.Series(code, dtype=rng.choice(["Int64", "Float64", "UInt8"])).mask(hole)
    if kind == "decimal":
        from decimal import Decimal

        return pd.Series([Decimal(int(c)) / 8 for c in code], dtype=object).mask(hole)
    words = pd.Series(rng.choice(WORDS, size=5, replace=False)[code]).mask(hole)
    if kind == "category":
        return words.astype("category")
    return words.astype(rng.choice(["object", "str"]))


def draw_labels(rng, code: np.ndarray):
    """Labels of a kind, one for each code, in an array or series of some type."""
    kind = str(rng.choice([kind for kind in LABELS if len(LABELS[kind]) > code.max()]))
    chosen = rng.permutation(len(LABELS[kind]))[: code.max() + 1]
    labels = [LABELS[kind][i] for i in chosen]
    dtype = {"unsigned": np.uint64, "dates": "M8[ns]", "words": None}.get(kind)
    y = np.array(labels, dtype=dtype)[code]
    ways = ["array", "series", "list", "arrow"]
    if kind in ("words", "whole"):
        ways += ["object", "category"]
    ways += ["nullable"] * (kind in ("large", "whole", "truth"))
    way = rng.choice(ways)
    if way == "series":
        return y, pd.Series(y, index=rng.permutation(len(y)) * 3)
    if way == "list" and kind != "dates":
        return y, y.tolist()
    if way == "object":
        return y, y.astype(object)
    if way == "category":
        return y, pd.Categorical(y)
    if way == "nullable":
        return y, pd.Series(y, dtype="boolean" if kind == "truth" else "Int64")
    return y, (pa.array(y) if way == "arrow" and kind != "dates" else y)


def handed_over(rng, frame: pd.DataFrame, words: bool):
    """The same table as another library, type, order of memory or index has it."""
    ways = ["frame", "frame", "arrow", "array", "list"] + ["polars"] * (polars is not None)
    way = rng.choice(ways)
    if way == "frame":
        n = len(frame)
        index = [
            pd.RangeIndex(n),
            pd.RangeIndex(5, 5 + n),
            pd.Index([f"r{i}" for i in rng.permutation(n)]),
            pd.date_range("2020-01-01", periods=n),
            pd.MultiIndex.from_arrays([np.arange(n) % 2, np.arange(n)]),
            pd.Index(np.zeros(n, dtype=int), name=frame.columns[0]),
        ]
        return frame.set_axis(index[int(rng.integers(len(index)))], axis=0)
    if way == "arrow":
        return pa.Table.from_pandas(frame, preserve_index=False)
    if way == "polars":
        return polars.from_arrow(pa.Table.from_pandas(frame, preserve_index=False))
    if words:
        array = frame.astype(object).where(frame.notna(), None).to_numpy()
        return array.tolist() if way == "list" else array
    array = frame.to_numpy(np.float64)
    if way == "list":
        return array.tolist()
    fitting = [t for t in TYPES if np.array_equal(array, array.astype("f8"), equal_nan=True)]
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitting = [t for t in fitting if np.array_equal(array.astype(t), array, equal_nan=True)]
    array = array.astype(fitting[int(rng.integers(len(fitting)))])
    layout = rng.choice(["C", "F", "read-only", "strided", "masked"])
    if layout == "F":
        return np.asfortranarray(array)
    if layout == "strided":
        return np.repeat(np.repeat(array, 2, axis=0), 3, axis=1)[::2, ::3]
    if layout == "masked" and array.dtype.kind == "f":
        return np.ma.masked_invalid(array)
    if layout == "read-only":
        array.setflags(write=False)
    return array


def names_of(X) -> list[str] | None:
    """What the columns are called, if they have names."""
    found = getattr(X, "column_names", None) or getattr(X, "columns", None)
    return None if found is None else [str(name) for name in found]


def reported(labels: np.ndarray) -> list:
    """Labels as Python compares them."""
    return labels.tolist() if labels.dtype.kind != "M" else labels.astype("M8[ns]").tolist()


@given(seed=st.integers(0, 2**32 - 1), words=st.booleans())
@examples(120)
def test_labels_come_back_as_they_were(seed, words):
    rng = np.random.default_rng(seed)
    table = draw_table(rng, words)
    y, target = draw_labels(rng, table.code)
    X, again = (handed_over(rng, table.frame, words) for _ in range(2))
    model = rng.choice(
        [
            AxisTreeClassifier(max_depth=8, random_state=0),
            ObliqueForestClassifier(
                AxisTreeClassifier(max_depth=8), n_estimators=2, bootstrap=False, random_state=0
            ),
            BoostedTreeClassifier(AxisTreeClassifier(max_depth=8), n_estimators=2, random_state=0),
        ]
    )
    model.fit(X, target)
    assert sorted(reported(model.classes_)) == sorted(set(reported(y)))
    assert model.n_features_in_ == table.frame.shape[1]
    assert (names_of(X) is None) == (not hasattr(model, "feature_names_in_"))
    if names_of(X) is not None:
        assert model.feature_names_in_.tolist() == list(table.frame.columns)
    read = type(model).from_json(model.to_json())
    assert reported(read.classes_) == reported(model.classes_)
    assert read.n_features_in_ == model.n_features_in_
    rows = X if names_of(again) != names_of(X) else again
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for one in (model, read):
            assert reported(one.predict(X)) == reported(y)
            assert reported(one.predict(rows)) == reported(y)


@given(seed=st.integers(0, 2**32 - 1), words=st.booleans())
@examples(60)
def test_numbers_come_back_as_they_were(seed, words):
    rng = np.random.default_rng(seed)
    table = draw_table(rng, words)
    spread = 10.0 ** rng.integers(-25, 17)
    y = spread * (table.code + float(rng.choice([0.0, 1e3, 1e9, -1e12])))
    X = handed_over(rng, table.frame, words)
    several = rng.random() < 0.3
    target = np.stack([y, -y], axis=1) if several else y
    exact = rng.random() < 0.6
    axis = AxisTreeRegressor(max_depth=8, smoothing=1e-3, random_state=0)
    sgd = SGDTreeRegressor(depth=3, epochs=1, random_state=0)
    hinge = HingeForestRegressor(n_estimators=2, depth=1, batches=2, random_state=0)
    forest = ObliqueForestRegressor(axis, n_estimators=2, bootstrap=False, random_state=0)
    model = rng.choice([axis, forest] if exact else [sgd, hinge])
    found = model.fit(X, target).predict(X)
    assert found.dtype == np.float64
    assert found.shape == target.shape
    assert np.abs(found - target).max() < 20 * np.ptp(y) + 1e-12 * np.abs(y).max()
    if exact:
        np.testing.assert_allclose(found, target, rtol=4e-15, atol=0.01 * spread)
    read = type(model).from_json(model.to_json())
    np.testing.assert_array_equal(read.predict(X), found)


FILES = {
    "csv": lambda frame, path: frame.to_csv(path, index=False),
    "jsonl": lambda frame, path: frame.to_json(
        path, orient="records", lines=True, force_ascii=False, date_format="iso"
    ),
    "parquet": lambda frame, path: pq.write_table(
        pa.Table.from_pandas(frame, preserve_index=False), path
    ),
}


@given(seed=st.integers(0, 2**32 - 1))
@settings(parent=examples(50), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_file_is_learnt_and_answered_with_its_own_labels(shell, tmp_path, seed):
    rng = np.random.default_rng(seed)
    table = draw_table(rng, words=True)
    kinds = [k for k in ("words", "large", "whole", "truth") if len(LABELS[k]) > table.code.max()]
    kind = str(rng.choice(kinds))
    chosen = rng.permutation(len(LABELS[kind]))[: table.code.max() + 1]
    y = np.array([LABELS[kind][i] for i in chosen])[table.code]
    target = next(name for name in ("the answer", *NAMES) if name not in table.frame)
    frame = table.frame.assign(**{target: y})
    for name, column in frame.items():  # JSON writes other decimals than there are
        if column.dtype == object and not isinstance(column.dropna().iloc[0], str):
            frame[name] = column.astype(float)
    ending = str(rng.choice(list(FILES)))
    file = tmp_path / f"table.{ending}"
    FILES[ending](frame, file)
    words = ("train", file, "--target", target, "--method", "axis", "--depth", 8, "--quiet")
    shell(*words, "--validation", 0, "--task", "classification", "--out", tmp_path / "tree.json")
    shell("predict", tmp_path / "tree.json", file, "--out", tmp_path / "answers.csv")
    document = json.loads((tmp_path / "tree.json").read_text())
    labels = [str(label).strip() for label in y.tolist()]  # as cells are read
    assert sorted(document["classes"]) == sorted(set(labels))
    answers = pd.read_csv(tmp_path / "answers.csv", dtype=str, keep_default_na=False)
    assert answers.iloc[:, 0].tolist() == labels
