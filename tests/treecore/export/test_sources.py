"""Generated programs answer as treecore does: they are run, on random models and hard rows."""

import json
import shutil
import sqlite3
import subprocess
from contextlib import closing

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.helpers.cases import case
from tests.helpers.documents import random_document, random_map
from tests.helpers.exports import (
    HOSTILE,
    LINEAR,
    any_model,
    hard_rows,
    labels_of,
    names,
    outputs_of,
    random_model,
)
from tests.helpers.strategies import random_tree
from treecore.core.linear_leaves import make_linear
from treecore.core.tree import single_leaf
from treecore.data.feature_maps import FourierMap, NystroemMap
from treecore.data.readers.cells import NumberForm
from treecore.data.readers.columns import CategoryColumn, DateColumn, NumberColumn
from treecore.export import FORMATS, close_rows
from treecore.persistence import Document, TreeFormatError
from treecore.persistence.evaluation import mapped_rows

SEEDS = range(20)
MANY = pytest.param(range(1000), marks=pytest.mark.slow)


def far_from_splits(document, X):
    """The rows that rounding cannot send to the other side of a split."""
    far = ~close_rows(document.model, mapped_rows(document, X))
    assert far.mean() > 0.9
    return far


def assert_answers(document, X, outputs, labels=None, rounded=True):
    """Equal to the bit far from splits, but for exponentials, whose last bits are the platform's.

    Where a program does not round to float32 what splines make, linear leaves differ by as much.
    """
    far = far_from_splits(document, X)
    X, outputs = X[far], np.asarray(outputs)[far]
    labels = None if labels is None else np.asarray(labels, dtype=object)[far]
    expected = outputs_of(document, X)
    linear = getattr(document.model, "linear", None) is not None
    if linear and document.feature_map is not None and not rounded:
        assert_allclose(outputs, expected, rtol=1e-5, atol=1e-5)
    elif document.class_names and linear:
        assert_allclose(outputs, expected, rtol=1e-13, atol=1e-200)
    else:
        assert_array_equal(outputs, expected)
    if document.class_names and labels is not None:
        assert list(labels) == labels_of(document, X)


def as_lists(X):
    return [[None if np.isnan(v) else v for v in row] for row in X.tolist()]


def run_python(document, X):
    space: dict = {}
    exec(compile(FORMATS["py"].write(document), "model.py", "exec"), space)
    rows = as_lists(X)
    return [space["outputs"](x) for x in rows], [space["predict"](x) for x in rows], space


@pytest.mark.parametrize("name", ["py", "sql"])
def test_shares_of_log_odds_that_lie_far_apart_are_numbers(name):
    X = np.array([[-1e30], [0.0], [1e30]], np.float32)
    wide = np.array([-1e30, 1e30], np.float32)
    models = np.array([[[1.0], [-1.0]]]), np.zeros((1, 2)), wide[[0, 0]][None], wide[[1, 1]][None]
    tree = single_leaf(np.zeros(2), 1)._replace(linear=make_linear(*models))
    document = Document(tree, ("x",), ("a", "b"))
    if name == "py":
        outputs, said, _ = run_python(document, X)
    else:
        found, _ = ask_sqlite(document, X)
        outputs, said = [row[-3:-1] for row in found], [row[-1] for row in found]
    assert_allclose(outputs, [[0, 1], [0.5, 0.5], [1, 0]], atol=1e-200)
    assert said == ["b", "a", "a"]


@pytest.mark.parametrize("seeds", [SEEDS, MANY])
def test_python_answers_alike(seeds):
    for seed in seeds:
        with case(seed=seed):
            document = any_model(seed)
            X = hard_rows(document, 40, seed)
            outputs, said, space = run_python(document, X)
            assert_answers(document, X, outputs, said)
            assert tuple(space["FEATURES"]) == document.feature_names


def test_a_row_of_another_length_is_refused():
    space: dict = {}
    exec(FORMATS["py"].write(random_model(0, n_features=3)), space)
    with pytest.raises(ValueError, match="a row has 3 numbers, not 2"):
        space["predict"]([1.0, 2.0])


def test_javascript_answers_alike(tmp_path):
    if not shutil.which("node"):
        pytest.skip("there is no Node.js")
    documents = [any_model(seed) for seed in SEEDS]
    rows = [hard_rows(document, 40, seed) for seed, document in enumerate(documents)]
    for seed, document in enumerate(documents):
        (tmp_path / f"m{seed}.js").write_bytes(FORMATS["js"].write(document))
    (tmp_path / "rows.json").write_text(json.dumps([as_lists(X) for X in rows]))
    (tmp_path / "main.js").write_text(
        """
        const rows = JSON.parse(require("fs").readFileSync("rows.json"));
        const said = rows.map((X, i) => {
          const model = require(`./m${i}.js`);
          return [X.map(model.outputs), X.map(model.predict), model.features];
        });
        console.log(JSON.stringify(said));
        """
    )
    ran = subprocess.run(
        ["node", "main.js"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    for seed, (outputs, said, features) in enumerate(json.loads(ran.stdout)):
        with case(seed=seed):
            assert_answers(documents[seed], rows[seed], outputs, said)
            assert tuple(features) == documents[seed].feature_names


MAIN = """
#include <stdio.h>
#include "model{i}.c"
int main(void)
{{
    static float x[{n}][MODEL_FEATURES];
    FILE *file = fopen("rows{i}.bin", "rb");
    if (fread(x, sizeof x, 1, file) != 1) return 1;
    for (int i = 0; i < {n}; i++) {{
        double out[MODEL_OUTPUTS];
        model_outputs(x[i], out);
        printf("%.17g", (double)model_predict(x[i]));
        for (int k = 0; k < MODEL_OUTPUTS; k++) printf(" %.17g", out[k]);
        puts("");
    }}
    putchar(1);
    for (int j = 0; j < MODEL_FEATURES; j++) printf("%s%c", model_features[j], 0);
    return 0;
}}
"""


def compiled(folder, i, source, rows, main=MAIN, more=()):
    """The standard output of a C program around a model."""
    (folder / f"model{i}.c").write_bytes(source)
    rows.tofile(folder / f"rows{i}.bin")
    (folder / f"main{i}.c").write_text(main.format(i=i, n=len(rows)))
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2"]
    made = ["-o", f"main{i}", "-lm", *more]
    subprocess.run(["cc", *flags, f"main{i}.c", *made], cwd=folder, check=True)
    return subprocess.run([f"./main{i}"], cwd=folder, capture_output=True, check=True).stdout


@pytest.mark.parametrize("seeds", [range(10), pytest.param(range(300), marks=pytest.mark.slow)])
def test_c_answers_alike_and_compiles_without_a_warning(seeds, tmp_path):
    if not shutil.which("cc"):
        pytest.skip("there is no C compiler")
    for seed in seeds:
        with case(seed=seed):
            document = any_model(seed)
            X = hard_rows(document, 40, seed)
            said = compiled(tmp_path, seed, FORMATS["c"].write(document), X)
            lines, _, ending = said.partition(b"\1")
            found = np.array([line.split() for line in lines.decode().splitlines()], dtype=float)
            assert_answers(document, X, found[:, 1:])
            assert tuple(ending.decode().split("\0")[:-1]) == document.feature_names
            if document.class_names:
                far = far_from_splits(document, X)
                numbers = found[far, 0].astype(int)
                assert [document.class_names[k] for k in numbers] == labels_of(document, X[far])
            else:
                assert_array_equal(found[:, 0], found[:, 1])


def ask_sqlite(document, X):
    """The rows of the query, and the names of its columns."""
    columns = ", ".join('"' + name.replace('"', '""') + '" REAL' for name in document.feature_names)
    places = ", ".join("?" * X.shape[1])
    with closing(sqlite3.connect(":memory:")) as base:
        base.execute(f'CREATE TABLE "data" ({columns})')
        base.executemany(f'INSERT INTO "data" VALUES ({places})', as_lists(X))
        found = base.execute(FORMATS["sql"].write(document).decode())
        titles = [column[0] for column in found.description]
        return found.fetchall(), titles


@pytest.mark.parametrize("seeds", [SEEDS, MANY])
def test_sql_answers_alike_but_for_rows_on_a_split(seeds):
    for seed in seeds:
        with case(seed=seed):
            document = any_model(seed)
            X = hard_rows(document, 40, seed)
            found, titles = ask_sqlite(document, X)
            k = len(document.class_names or document.output_names)
            end = len(titles) - bool(document.class_names)
            outputs = np.array([row[end - k : end] for row in found])
            labels = [row[-1] for row in found]
            assert_answers(document, X, outputs, labels, rounded=False)
            assert not document.class_names or titles[-1] == "prediction"


def test_sql_decides_cuts_on_float64_columns_as_float32_rounding_does():
    """Numbers half way between two float32 numbers, and one float64 step to either side."""
    tree = random_tree(np.random.default_rng(0), 12, n_features=1, n_classes=13, share_axis=1.0)
    document = Document(tree, ("x",), tuple(f"c{i}" for i in range(13)))
    b = tree.threshold
    middle = (b.astype(float) + np.nextafter(b, np.float32(np.inf))) / 2
    X = np.concatenate([middle, np.nextafter(middle, -9), np.nextafter(middle, 9), b])[:, None]
    found, _ = ask_sqlite(document, X)
    assert [row[-1] for row in found] == labels_of(document, X)


def test_sql_decides_cuts_on_splines_as_treecore_does_to_the_last_bit_of_a_column(rng):
    """Float64 numbers on both sides of where a component, rounded twice, passes each threshold."""
    spline = random_map(rng, 2, 6, "spline")
    tree = random_tree(rng, 12, n_features=6, n_classes=13, share_axis=1.0)
    tree = tree._replace(threshold=np.abs(tree.threshold), missing=np.zeros_like(tree.missing))
    tree = tree._replace(missing_left=tree.feature >= 0)
    classes = tuple(f"c{i}" for i in range(13))
    document = Document(tree, ("x", "y"), classes, feature_map=spline)
    last = np.array([spline.last_below(*cut) for cut in zip(tree.feature, tree.threshold)])
    middle = (last.astype(float) + np.nextafter(last, np.float32(np.inf))) / 2
    X = rng.standard_normal((36, 2))
    X[np.arange(36), np.tile(spline.sources[tree.feature], 3)] = np.concatenate(
        [middle, np.nextafter(middle, -9), np.nextafter(middle, 9)]
    )
    found, _ = ask_sqlite(document, X)
    assert [row[-1] for row in found] == labels_of(document, X)


def test_sql_takes_deep_trees(rng):
    """A chain of 200 splits: nested conditions would overflow the parsers of databases."""
    n = 200
    tree = random_tree(rng, n, n_features=2, n_classes=2, share_axis=1.0)
    chain = np.append(np.arange(1, n), ~n).astype(np.int32)
    leaves = ~np.arange(n, dtype=np.int32)
    flip = rng.random(n) < 0.5
    tree = tree._replace(
        left=np.where(flip, chain, leaves).astype(np.int32),
        right=np.where(flip, leaves, chain).astype(np.int32),
    )
    document = Document(tree, ("a", "b"), ("no", "yes"))
    X = rng.standard_normal((200, 2)).astype(np.float32)
    found, _ = ask_sqlite(document, X)
    assert [row[-1] for row in found] == labels_of(document, X)


def test_sql_of_many_classes_works_out_the_leaves_once():
    """The prediction compares all shares, and the leaves stand in each of them."""
    tree = random_tree(np.random.default_rng(0), 20, n_features=2, n_classes=20, share_axis=1.0)
    query = FORMATS["sql"].write(Document(tree, ("a", "b"), names("class", 20))).decode()
    with closing(sqlite3.connect(":memory:")) as base:
        base.execute('CREATE TABLE "data" ("a" REAL, "b" REAL)')
        instructions = base.execute(f"EXPLAIN {query}").fetchall()
    assert len(instructions) < len(query)


def test_sql_tells_classes_apart_that_differ_in_case():
    tree = random_tree(np.random.default_rng(0), 3, n_features=1, n_classes=3)
    document = Document(tree, ("share of a",), ("a", "A", "b"))
    _, titles = ask_sqlite(document, np.zeros((1, 1)))
    assert len({title.casefold() for title in titles}) == len(titles)


def test_sql_refuses_what_no_query_takes():
    wide = random_tree(np.random.default_rng(0), 2, n_features=1000, share_axis=0.0)
    with pytest.raises(TreeFormatError, match=r"1000 weights, and a sum in SQL at most 900"):
        FORMATS["sql"].write(Document(wide, names("f", 1000), ("a", "b", "c")))
    nul = random_tree(np.random.default_rng(0), 2, n_features=1)
    with pytest.raises(TreeFormatError, match="character NUL"):
        FORMATS["sql"].write(Document(nul, ("x\0",), ("a", "b", "c")))


def test_a_drawing_has_every_split_and_leaf_and_names_end_no_string():
    document = random_model(7, "classes")
    text = FORMATS["dot"].write(document).decode()
    tree = document.model
    assert text.count(" -> ") == 2 * tree.n_splits
    assert text.count("_l") == 2 * tree.n_leaves
    for line in text.splitlines():
        quotes = line.replace("\\\\", "").replace('\\"', "").count('"')
        assert quotes % 2 == 0


@pytest.mark.parametrize(("name", "ending"), [("py", "\n#"), ("js", "</script>"), ("c", "*/ c")])
def test_names_end_no_line_script_or_comment(name, ending):
    text = FORMATS[name].write(random_model(1, "votes", n_features=len(HOSTILE))).decode("ascii")
    assert "class" in text
    assert ending not in text.replace("\n# Split", "").replace("\n# A", "").replace("\n# W", "")


@pytest.mark.parametrize("name", ["py", "js", "c", "sql", "dot"])
def test_what_a_format_has_no_place_for_is_refused_in_a_sentence(name):
    from tests.helpers.hinges import IRIS, trained

    mapped = {type(d.feature_map): d for d in map(random_document, range(40))}
    for kind in (FourierMap, NystroemMap):
        with pytest.raises(TreeFormatError, match=r"of a kernel, which .* has no place for"):
            FORMATS[name].write(mapped[kind])
    for answer in LINEAR if name == "dot" else ():
        with pytest.raises(TreeFormatError, match=r"linear leaves, which a drawing"):
            FORMATS[name].write(random_model(0, answer))
    trainer = trained(*IRIS)
    hinge = Document(trainer.model, names("x", 4), ("a", "b", "c"))
    with pytest.raises(TreeFormatError, match="hinge forest are multiplied by margins"):
        FORMATS[name].write(hinge)


def test_shares_keep_the_label_where_a_softmax_loses_it():
    tree = random_tree(np.random.default_rng(0), 1, n_features=1, n_classes=2)
    tree = tree._replace(values=np.array([[0, 1e-30], [1e-30, 0]], np.float32))
    document = Document(tree, ("x",), ("a", "b"))
    X = np.array([[-9.0], [9.0]], np.float32)
    outputs, said, _ = run_python(document, X)
    assert said == labels_of(document, X)
    assert_allclose(outputs, 0.5)


def test_c_of_few_features_compiles_without_a_warning_and_takes_huge_and_infinite_rows(tmp_path):
    if not shutil.which("cc"):
        pytest.skip("there is no C compiler")
    sanitized = ["-fsanitize=undefined,address", "-fno-sanitize-recover=all"]
    for n_features in (1, 2, 15, 16, 17, 33):
        with case(n_features=n_features):
            document = random_model(n_features, "votes", n_features)
            X = hard_rows(document, 30)
            X[:9] = [[3e38], [-3e38], [-0.0], [np.inf], [-np.inf], [np.nan], [1e-40], [1], [0]]
            said = compiled(tmp_path, n_features, FORMATS["c"].write(document), X, more=sanitized)
            weights = np.vstack([tree.weights for tree in document.model.trees]).astype(float)
            most = (np.abs(np.nan_to_num(X)) @ np.abs(weights.T)).max(axis=1, initial=0)
            # Where a sum may overflow, it depends on the order of its terms.
            finite = np.isfinite(X).all(axis=1) & (most < 3.4e38) | np.isnan(X).any(axis=1)
            lines = said.partition(b"\1")[0].decode().splitlines()
            found = np.array([line.split() for line in lines], dtype=float)[finite]
            assert_array_equal(found[:, 1:], outputs_of(document, X[finite]))


def test_javascript_takes_what_is_undefined_for_missing_and_refuses_text(tmp_path):
    if not shutil.which("node"):
        pytest.skip("there is no Node.js")
    document = random_model(4, "votes", n_features=3)
    (tmp_path / "m.js").write_bytes(FORMATS["js"].write(document))
    script = """
        const model = require("./m.js");
        const said = [null, undefined, NaN].map((v) => model.predict([v, 1, -0.0]));
        for (const wrong of [["a", 1, 2], [1, 2], undefined]) {
          try { model.predict(wrong); said.push("answered"); } catch { said.push("refused"); }
        }
        console.log(JSON.stringify(said));
    """
    ran = subprocess.run(["node", "-e", script], cwd=tmp_path, capture_output=True, text=True)
    label = labels_of(document, np.array([[np.nan, 1, 0]], np.float32))
    assert json.loads(ran.stdout) == [*3 * label, *3 * ["refused"]]


def test_programs_say_what_stands_for_words_dates_and_units():
    columns = (CategoryColumn("colour", ("</script>", "*/")), DateColumn("when", "%Y-%m-%d"))
    columns += (NumberColumn("weight", NumberForm(unit="kg")), NumberColumn("size"))
    names = tuple(name for column in columns for name in column.feature_names)
    tree = random_tree(np.random.default_rng(0), 3, n_features=5, n_classes=2)
    document = Document(tree, names, ("a", "b"), columns=columns)
    for name in ("py", "c", "js"):
        said = [line.lstrip("#/ ") for line in FORMATS[name].write(document).decode().split("\n")]
        assert said[:4] == [
            'Feature 0, from 0, is 1 where "colour" is "\\u003c/script>", else 0.',
            'Feature 1, from 0, is 1 where "colour" is "*/", else 0.',
            "Feature 2, from 0, counts days since the beginning of 1970.",
            'Feature 3, from 0, counts "kg".',
        ]
