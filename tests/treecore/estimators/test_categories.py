"""`categorical_features` of estimators, and what exports, files and text make of sets of levels."""

import itertools

import numpy as np
import pandas as pd
import pytest

from treecore import (
    AxisTreeClassifier,
    AxisTreeRegressor,
    ObliqueForestClassifier,
    RandomObliqueTreeClassifier,
    plot,
)
from treecore.export.check import ask_sqlite, run_program
from treecore.export.formats import FORMATS
from treecore.export.text import write_text
from treecore.viewer.messages.standing_tree import standing_message
from treecore.viewer.messages.wire import unpack
from ui.drawing.split_text import split_text

pytestmark = pytest.mark.filterwarnings("ignore:.*not in training:UserWarning")

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "colour": RNG.choice(list("abcdefgh"), 600),
        "size": RNG.normal(size=600),
        "code": RNG.integers(0, 12, 600),
    }
)
FRAME.loc[::17, "colour"] = None
Y = np.isin(FRAME.colour, list("acfh")) & np.isin(FRAME.code, range(0, 12, 2)) | (FRAME["size"] > 1)
Y = Y.to_numpy().astype(int)
BOTH = ["colour", "code"]
LATER = FRAME.head(80).assign(
    colour=["zebra", None, *FRAME.colour[2:80]], code=[99, 3, *FRAME.code[2:80]]
)


@pytest.fixture(scope="module")
def tree():
    return AxisTreeClassifier(4, categorical_features=BOTH, random_state=0).fit(FRAME, Y)


def test_sets_of_levels_are_found_by_name_place_and_mask(tree):
    assert tree.score(FRAME, Y) > 0.9
    for said in ([0, 2], [True, False, True], np.array(BOTH)):
        other = AxisTreeClassifier(4, categorical_features=said, random_state=0).fit(FRAME, Y)
        assert (other.tree_.weights == tree.tree_.weights).all()
    one_by_one = AxisTreeClassifier(4, categorical_features=None).fit(FRAME, Y)
    assert len(one_by_one.tree_.weights) == 0
    numbers = FRAME[["code", "size"]].to_numpy()
    coded = AxisTreeRegressor(4, categorical_features=[0]).fit(numbers, numbers[:, 0] % 2)
    assert coded.score(numbers, numbers[:, 0] % 2) > 0.999
    assert coded.tree_.n_splits == 1


def test_dtype_category_is_a_category_whatever_it_holds():
    frame = FRAME.assign(code=FRAME.code.astype("category"))
    tree = AxisTreeClassifier(4, categorical_features="from_dtype", random_state=0).fit(frame, Y)
    named = AxisTreeClassifier(4, categorical_features=BOTH, random_state=0).fit(FRAME, Y)
    assert (tree.predict(frame) == named.predict(FRAME)).all()


def test_files_text_and_forests_keep_sets_of_levels(tree):
    back = AxisTreeClassifier.from_json(tree.to_json())
    assert (back.predict_proba(LATER) == tree.predict_proba(LATER)).all()
    text = write_text(tree.to_document()).decode()
    assert "colour in {" in text or "colour not in {" in text
    assert "code in {" in text or "code not in {" in text
    single = AxisTreeClassifier(4, max_features="sqrt", categorical_features=BOTH)
    forest = ObliqueForestClassifier(single, n_estimators=5, random_state=0).fit(FRAME, Y)
    assert forest.score(FRAME, Y) > 0.8
    oblique = RandomObliqueTreeClassifier(4, categorical_features=["code"]).fit(FRAME, Y)
    assert "code=4" in oblique._feature_names()


@pytest.mark.parametrize("name", ["py", "js", "c", "onnx", "sklearn"])
def test_programs_answer_as_the_tree_for_unseen_and_missing_levels(tree, name):
    form = next(form for form in FORMATS.values() if form.name == name)
    document, rows = tree.to_document(), tree._rows(LATER)
    try:
        said = run_program(form, document, form.write(document), rows)
    except ValueError as error:
        pytest.skip(str(error))
    assert [str(one) for one in said] == [str(one) for one in tree.predict(LATER)]


@pytest.mark.parametrize("several", [False, True])
def test_sql_asks_for_levels_by_in_and_answers_as_the_model_for_unseen_and_missing(tree, several):
    from treecore.data.readers.parquet import read_frame

    frame, later = FRAME.assign(odd=FRAME.code % 2 == 1), LATER.assign(odd=LATER.code % 2 == 1)
    model = tree
    if several:
        frame["colour"] = frame.colour.replace({"a": "a's", "b": "b, or c"})
        later["colour"] = later.colour.replace({"a": "a's", "b": "b, or c"})
        single = AxisTreeClassifier(4, categorical_features=[*BOTH, "odd"], max_features="sqrt")
        model = ObliqueForestClassifier(single, n_estimators=5, random_state=0).fit(frame, Y)
    else:
        frame, later = FRAME, LATER
    document = model.to_document()
    query = next(form for form in FORMATS.values() if form.name == "sql").write(document)
    assert b" IN ('" in query
    assert b'"treecore score ' not in query
    said = ask_sqlite(document, query, read_frame(later, "X", to_learn=False), None)
    assert said == [str(one) for one in model.predict(later)]


def test_the_picture_names_levels_in_place_of_a_threshold(tree):
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    axes = FigureCanvasAgg(Figure()).figure.add_subplot()
    notes = [note.get_text() for note in plot(tree, axes).texts]
    questions = [note.replace("\n", " ").split(" samples")[0] for note in notes]
    sets = tree.to_document().level_sets().values()
    asked = [one._replace(is_in=not one.is_in).text() for one in sets]  # yes goes to the left
    assert asked
    assert set(asked) <= set(questions)
    assert not any("}" in one and "<=" in one for one in questions)


def test_more_than_255_levels_keep_the_most_frequent_and_say_so():
    rare = np.concatenate([np.repeat(np.arange(255), 2), np.arange(255, 300)])
    X = pd.DataFrame({"shop": rare.astype(float)})
    with pytest.warns(UserWarning, match="300 levels: the 255 most frequent are kept"):
        tree = AxisTreeRegressor(2, categorical_features=["shop"]).fit(X, rare % 2)
    assert tree.tree_.n_features == 255
    assert "shop=254" in tree._feature_names()


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (["colour", "sise"], "names 'sise', which is none of the 3 columns"),
        ([7], "names 7, which is none of the 3 columns"),
        ([-1], "names -1, which is none of the 3 columns"),
        ("colour", 'must be "from_dtype", None, or names'),
        ([True, False], 'must be "from_dtype", None, or names'),
        (["size"], "column 'size' of X holds .*whole numbers from 0"),
    ],
)
def test_what_names_no_categories_is_refused(said, sentence):
    with pytest.raises(ValueError, match=sentence):
        AxisTreeClassifier(categorical_features=said).fit(FRAME, Y)


def test_a_category_has_no_order_to_keep():
    tree = AxisTreeClassifier(categorical_features=BOTH, monotonic_cst={"code": 1})
    with pytest.raises(ValueError, match="holds categories and so has no order"):
        tree.fit(FRAME, Y)
    tree = AxisTreeClassifier(4, categorical_features=BOTH, monotonic_cst={"size": 1})
    tree.fit(FRAME, Y)
    for rise in (0.1, 1.0):
        higher = FRAME.assign(size=FRAME["size"] + rise)
        assert (tree.predict_proba(higher)[:, 1] >= tree.predict_proba(FRAME)[:, 1]).all()


def test_what_columns_are_worth_is_exact_by_leaves(tree):
    rest = FRAME.iloc[20:40]
    found = tree.shapley_values(FRAME.iloc[:1], rest, exact=-1)
    assert found.exact
    expected = np.zeros((3, 2))
    for order in itertools.permutations(FRAME.columns):
        rows = rest.copy()
        for name in order:
            before = tree.predict_proba(rows).mean(axis=0)
            rows[name] = FRAME[name].iloc[0]
            place = list(FRAME.columns).index(name)
            expected[place] += tree.predict_proba(rows).mean(axis=0) - before
    np.testing.assert_allclose(found.values, expected / 6, atol=1e-6)


@pytest.mark.parametrize("several", [True, False])
def test_the_drawing_and_the_pages_name_levels(tree, several):
    alone = AxisTreeClassifier(4, categorical_features=None, random_state=0)
    document = (tree if several else alone.fit(FRAME, Y)).to_document()
    sets = document.level_sets()
    assert sets
    assert {one.column for one in sets.values()} <= set(BOTH)
    text = write_text(document).decode()
    for split, (column, levels, is_in) in sets.items():
        asks = split_text(document.tree, split, document.feature_names, document.units, sets=sets)
        known = f"{column} {'in' if is_in else 'not in'} {{{', '.join(levels[:3])}"
        assert asks.startswith(known)
        assert f"{column} {'in' if is_in else 'not in'} {{" in text
    message = standing_message(
        document.tree, "one", document.feature_names, document.class_names, columns=document.columns
    )
    meta, _ = unpack(message)
    assert meta["sets"] == {str(i): [one[0], list(one[1]), one[2]] for i, one in sets.items()}
