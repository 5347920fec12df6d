"""The nearest point where it is wanted, against general solvers and against all points."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import linprog, minimize

from tests.helpers.cases import case
from tests.helpers.strategies import random_tree
from treecore.core.routing import apply, predict
from treecore.core.tree import OBLIQUE, make_tree, single_leaf
from treecore.ensembles.forest import Forest, leaf_votes
from treecore.inspection.counterfactual import counterfactual


def half_spaces(tree, leaf):
    """``A x <= b`` of a leaf, plainly."""
    A, b, at = [], [], ~leaf
    while True:
        above = np.flatnonzero((tree.left == at) | (tree.right == at))
        if not above.size or (at == 0):
            return np.array(A).reshape(-1, tree.n_features), np.array(b)
        (split,) = above
        w = np.eye(tree.n_features)[tree.feature[split]]
        if tree.feature[split] == OBLIQUE:
            w = tree.weights[tree.row[split]].astype(float)
        sign = 1.0 if tree.left[split] == at else -1.0
        A.append(sign * w)
        b.append(sign * float(tree.threshold[split]))
        at = split


def nearest_by_scipy(tree, x, wanted, norm, scale, low, high):
    """Distance of the nearest point of a class: every leaf by a general solver."""
    best, p = np.inf, tree.n_features
    bounds = list(zip(low, high))
    for leaf in np.flatnonzero(tree.values.argmax(axis=1) == wanted):
        A, b = half_spaces(tree, leaf)
        feasible = linprog(np.zeros(p), A, b, bounds=bounds)
        if not feasible.success:
            continue
        if norm == "l1":
            # Variables x, t with |x - x0| / scale <= t.
            eye, zero = np.eye(p), np.zeros((len(A), p))
            G = np.block([[A, zero], [eye, -np.diag(scale)], [-eye, -np.diag(scale)]])
            found = linprog(
                np.append(np.zeros(p), np.ones(p)),
                G,
                np.concatenate([b, x, -x]),
                bounds=bounds + [(0, None)] * p,
            )
            best = min(best, found.fun)
            continue
        found = minimize(
            lambda z: (((z - x) / scale) ** 2).sum(),
            feasible.x,
            jac=lambda z: 2 * (z - x) / scale**2,
            bounds=bounds,
            constraints={"type": "ineq", "fun": lambda z, A=A, b=b: b - A @ z,
                         "jac": lambda z, A=A: -A},
            options={"maxiter": 500, "ftol": 1e-14},
        )  # fmt: skip
        if (A @ found.x <= b + 1e-7).all():
            best = min(best, np.sqrt(found.fun))
    return best


def trial(seed):
    rng = np.random.default_rng(seed)
    p = int(rng.integers(1, 6))
    tree = random_tree(rng, int(rng.integers(1, 14)), p, 3, share_axis=rng.choice([0, 0.5, 1]))
    x = rng.standard_normal(p)
    wanted = int(rng.choice(np.unique(tree.values.argmax(axis=1))))
    return rng, tree, x, wanted


@pytest.mark.parametrize("norm", ["l2", "l1"])
@pytest.mark.parametrize("seeds", [range(40), pytest.param(range(400), marks=pytest.mark.slow)])
def test_no_point_is_nearer_by_a_general_solver(norm, seeds):
    nowhere = 0
    for seed in seeds:
        with case(seed=seed):
            rng, tree, x, wanted = trial(seed)
            scale = np.exp(rng.standard_normal(len(x)))
            low, high = (-np.inf, np.inf) if seed % 2 else (-2.0, 2.0)
            low, high = np.full(len(x), low), np.full(len(x), high)
            if seed % 3 == 0:
                low[0] = high[0] = x[0]
            best = nearest_by_scipy(tree, x, wanted, norm, scale, low, high)
            fixed = [0] if seed % 3 == 0 else []
            given = {"norm": norm, "scale": scale, "bounds": (low, high), "fixed": fixed}
            if np.isinf(best):
                nowhere += 1
                with pytest.raises(ValueError, match="no point within the bounds"):
                    counterfactual(tree, x, wanted, **given)
                continue
            found = counterfactual(tree, x, wanted, **given)
            assert_allclose(found.distance, best, rtol=2e-5, atol=2e-5)
            assert predict(tree, found.x[None])[0] == wanted
            assert apply(tree, found.x[None])[0] == found.leaves[0]
            assert (found.x >= low - 1e-9).all()
            assert (found.x <= high + 1e-9).all()
            assert_array_equal(found.x[fixed], x[fixed])
            moved = np.abs(found.x - x) / scale
            length = np.linalg.norm(moved) if norm == "l2" else moved.sum()
            assert_allclose(found.distance, length, rtol=1e-9, atol=1e-12)
            assert set(found.changed) == set(np.flatnonzero(moved))
            assert (np.diff(moved[found.changed]) <= 0).all()
    assert nowhere < len(seeds) / 4


@pytest.mark.parametrize("norm", ["l2", "l1"])
def test_whole_numbers_are_the_nearest_of_all_whole_numbers(norm):
    """Against all points of a grid: features of whole numbers only, within bounds."""
    for seed in range(30):
        with case(seed=seed):
            rng, tree, _, wanted = trial(seed)
            p = min(tree.n_features, 3)
            tree = random_tree(rng, 6, p, 3, share_axis=0.3)
            tree = tree._replace(threshold=3 * tree.threshold)
            x = 2 * rng.standard_normal(p)
            grid = np.array(list(itertools.product(range(-5, 6), repeat=p)), dtype=float)
            there = grid[predict(tree, grid) == wanted]
            given = {"norm": norm, "bounds": (-5, 5), "integer": range(p)}
            if not len(there):
                with pytest.raises(ValueError, match=r"no (point|leaf)"):
                    counterfactual(tree, x, wanted, **given)
                continue
            lengths = np.linalg.norm(there - x, ord=2 if norm == "l2" else 1, axis=1)
            found = counterfactual(tree, x, wanted, **given)
            assert_array_equal(found.x, np.round(found.x))
            assert_allclose(found.distance, lengths.min(), rtol=1e-6)


def test_bounds_that_leave_one_value_move_a_feature_to_it():
    tree = make_tree([[1.0]], [4.0], [OBLIQUE], [0], [~0], [~1], [[1.0, 0.0], [0.0, 1.0]])
    assert counterfactual(tree, [3.0], 1, bounds=(5, 5)).distance == 2.0


def test_a_row_that_is_there_stays_where_it_is():
    _, tree, x, _ = trial(5)
    found = counterfactual(tree, x, int(predict(tree, x[None])[0]))
    assert_array_equal(found.x, x)
    assert (found.distance, len(found.changed)) == (0.0, 0)


def test_numbers_and_leaves_can_be_wanted_too():
    rng = np.random.default_rng(1)
    tree = random_tree(rng, 12, 3, 1)
    x = rng.standard_normal(3)
    middle = np.sort(tree.values[:, 0])[6]
    found = counterfactual(tree, x, (float(middle), np.inf))
    assert tree.values[found.leaves[0], 0] >= middle
    leaves = np.zeros(tree.n_leaves, dtype=bool)
    leaves[found.leaves[0]] = True
    assert counterfactual(tree, x, leaves).distance == found.distance


def test_what_stays_missing_is_neither_within_bounds_nor_whole():
    cut = np.empty((0, 2)), [0.0], [1], [-1], [~0], [~1], [[1.0, 0.0], [0.0, 1.0]]
    tree = make_tree(*cut, missing=[0.3, 0.3], missing_left=[True])
    limits = {"integer": [0], "bounds": ([5, -9], [9, 9])}
    stays = counterfactual(tree, [np.nan, -1.0], 0, **limits)
    assert stays.distance == 0
    moves = counterfactual(tree, [np.nan, -1.0], 1, **limits)
    assert moves.changed.tolist() == [1]
    assert np.isnan(moves.x[0])


def test_what_is_missing_stays_missing():
    found_some = 0
    for seed in range(60):
        with case(seed=seed):
            rng, tree, x, wanted = trial(seed)
            tree = tree._replace(missing=np.full(len(x), 0.25, dtype=np.float32))
            x[0] = np.nan
            try:
                found = counterfactual(tree, x, wanted)
            except ValueError:
                distance = 1e3
            else:
                found_some, distance = found_some + 1, found.distance
                assert np.isnan(found.x[0])
                assert 0 not in found.changed
                assert apply(tree, found.x[None])[0] == found.leaves[0]
                assert tree.values[found.leaves[0]].argmax() == wanted
            # No point nearer by is wanted.
            steps = rng.standard_normal((500, len(x)))
            steps[:, 0] = 0
            steps[:, 1:] /= np.linalg.norm(steps, axis=1)[:, None] if len(x) > 1 else 1
            near = x + 0.999 * distance * rng.random((500, 1)) * steps
            said = tree.values[apply(tree, near)].argmax(axis=1)
            assert distance == 0 or not (said == wanted).any()
    assert found_some > 5


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"wanted": 7}, "wanted=7 is not a class: they are 0 to 2"),
        ({"wanted": (0.0, 1.0)}, "two numbers, for a model that predicts one"),
        ({"wanted": np.array([True])}, "one truth value for each of"),
        ({"norm": "l0"}, "norm='l0' must be one of l2, l1"),
        ({"scale": [0.0, 1.0]}, "a positive number for each"),
        ({"bounds": (1.0, 0.0)}, "a lower bound above its upper one"),
        ({"fixed": [9]}, "fixed must hold numbers of features"),
        ({"integer": [-1]}, "integer must hold numbers of features"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(given, sentence):
    tree = random_tree(np.random.default_rng(0), 3, 2, 3)
    with pytest.raises(ValueError, match=sentence):
        counterfactual(tree, [0.0, 0.0], **({"wanted": 0} | given))


def test_a_leaf_alone_has_nothing_else():
    tree = single_leaf([1.0, 0.0], 2)
    assert counterfactual(tree, [1.0, 2.0], 0).distance == 0.0
    with pytest.raises(ValueError, match="no leaf of the tree has the wanted"):
        counterfactual(tree, [1.0, 2.0], 1)
    with pytest.raises(ValueError, match="has the wanted prediction"):
        counterfactual(single_leaf([1.0], 2), [1.0, 2.0], (2.0, 2.5))


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_a_category_stays_one_of_its_column(norm, rng):
    """Against all of them, each tried with the group fixed."""
    for _ in range(15):
        tree = random_tree(rng, n_splits=6, n_features=5, n_classes=2)
        x = np.append(np.eye(3)[rng.integers(3)], rng.normal(size=2)).astype(np.float32)
        wanted = 1 - int(predict(tree, x[None])[0])
        distances = []
        for way in np.eye(3):
            at = np.append(way, x[3:])
            bounds = (np.append(way, [-9, -9]), np.append(way, [9, 9]))
            try:
                found = counterfactual(tree, at, wanted, norm=norm, bounds=bounds)
            except ValueError:
                continue
            move = np.append(way, found.x[3:]) - x
            distances.append(np.linalg.norm(move) if norm == "l2" else np.abs(move).sum())
        try:
            found = counterfactual(
                tree, x, wanted, norm=norm, bounds=([0] * 3 + [-9] * 2, [1] * 3 + [9] * 2),
                groups=[[0, 1, 2]],
            )  # fmt: skip
        except ValueError:
            assert not distances
            continue
        assert sorted(found.x[:3].tolist()) == [0, 0, 1]
        assert found.distance == pytest.approx(min(distances), abs=1e-4)


def as_one_tree(forest):
    """The tree of all regions of a forest: at the leaves of each tree stands the next one."""
    splits, values = [], []

    def grow(number, said):
        if number == forest.n_trees:
            values.append(said / forest.weights.sum())
            return -len(values)
        tree, votes = forest.trees[number], leaf_votes(forest.trees[number], forest.answer)

        def below(node):
            if node < 0:
                return grow(number + 1, said + forest.weights[number] * votes[~node])
            place = len(splits)
            splits.append([tree, node, 0, 0])
            splits[place][2:] = below(tree.left[node]), below(tree.right[node])
            return place

        return below(tree.root)

    grow(0, 0.0)
    feature = np.array([tree.feature[node] for tree, node, *_ in splits], dtype=int)
    weights = [tree.weights[tree.row[node]] for tree, node, *_ in splits if tree.row[node] >= 0]
    row = np.where(feature == OBLIQUE, np.cumsum(feature == OBLIQUE) - 1, -1)
    return make_tree(
        np.reshape(weights, (-1, forest.n_features)),
        [tree.threshold[node] for tree, node, *_ in splits],
        feature,
        row,
        [left for *_, left, _ in splits],
        [right for *_, right in splits],
        values,
        missing_left=[tree.missing_left[node] for tree, node, *_ in splits],
    )


def some_forest(seed, answer, n_trees=3):
    rng = np.random.default_rng(seed)
    p, n_outputs = int(rng.integers(1, 4)), 1 if answer == "mean" else 3
    share = rng.choice([0, 0.5, 1])
    trees = [random_tree(rng, 4, p, n_outputs, share_axis=share) for _ in range(n_trees)]
    forest = Forest(trees, rng.random(n_trees) + 0.1, answer)
    return rng, forest, rng.standard_normal(p), rng.standard_normal((60, p))


@pytest.mark.parametrize("norm", ["l2", "l1"])
@pytest.mark.parametrize("answer", ["shares", "votes", "mean"])
def test_a_forest_finds_the_nearest_of_all_regions_once_a_row_is_there(answer, norm):
    """Against the exact search of one tree whose leaves are all regions of the forest."""
    further = 0
    for seed in range(30):
        with case(seed=seed):
            rng, forest, x, rows = some_forest(seed, answer)
            said = forest.predict(rows)
            wanted = (float(np.median(said)), np.inf) if answer == "mean" else int(said[0])
            scale = np.exp(rng.standard_normal(len(x)))
            x[0] = np.nan if seed % 5 == 4 else x[0]
            rules = {
                "norm": norm,
                "scale": scale,
                "fixed": [0] if seed % 4 == 3 else [],
                "integer": [len(x) - 1] if seed % 6 == 5 else [],
            }
            try:
                best = counterfactual(as_one_tree(forest), x, wanted, **rules)
            except ValueError:
                with pytest.raises(ValueError, match="in the regions searched"):
                    counterfactual(forest, x, wanted, rows, **rules)
                continue
            there = np.concatenate([rows, [best.x]])
            found = counterfactual(forest, x, wanted, there, **rules)
            assert_allclose(found.distance, best.distance, rtol=1e-5, atol=1e-7)
            assert_array_equal(forest.apply(found.x[None])[0], found.leaves)
            predicted = forest.predict(found.x[None])[0]
            assert predicted >= wanted[0] if answer == "mean" else predicted == wanted
            assert_array_equal(found.x[rules["fixed"]], x[rules["fixed"]])
            try:
                by_fewer = counterfactual(forest, x, wanted, rows[:4], **rules)
            except ValueError:
                continue
            assert by_fewer.distance >= best.distance * (1 - 1e-5)
            further += by_fewer.distance > best.distance * (1 + 1e-3)
    assert further


def test_a_point_between_two_float32_numbers_is_found():
    """A region of a forest may be narrower than what rounding asks for elsewhere."""
    low = np.float32(1.0)
    high = np.nextafter(low, np.float32(2.0))
    cut = np.empty((0, 1)), [0], [0], [-1], [~0], [~1]
    above, below = (
        make_tree(cut[0], [end], *cut[2:], values)
        for end, values in ((low, [[1.0, 0.0], [0.0, 1.0]]), (high, [[0.0, 1.0], [1.0, 0.0]]))
    )
    forest = Forest([above, below], [1, 1], "votes")
    for x in (-3.0, 5.0):
        found = counterfactual(forest, [x], 1, [[high]])
        assert np.float32(found.x[0]) == high
        assert forest.scores(found.x[None]).tolist() == [[0.0, 1.0]]


def test_whole_numbers_may_lie_on_a_cut():
    cut = np.empty((0, 1)), [13.0], [0], [-1], [~0], [~1], [[1.0, 0.0], [0.0, 1.0]]
    for x, wanted, nearest in ((15.0, 0, 13.0), (11.0, 1, 14.0)):
        assert counterfactual(make_tree(*cut), [x], wanted, integer=[0]).x.tolist() == [nearest]


def test_what_a_forest_is_asked_needs_rows_and_an_answer_that_they_get():
    forest = Forest([single_leaf([1.0, 0.0], 2)], [1], "shares")
    with pytest.raises(ValueError, match="a forest needs background rows"):
        counterfactual(forest, [1.0, 2.0], 0)
    with pytest.raises(ValueError, match="no background row has the wanted"):
        counterfactual(forest, [1.0, 2.0], 1, [[0.0, 0.0]])
    with pytest.raises(ValueError, match="no background row has the wanted"):
        counterfactual(Forest([single_leaf([1.0], 1)], [1], "mean"), [1.0], (2.0, 2.5), [[0.0]])
    with pytest.raises(TypeError, match="a Tree or a Forest, not a str"):
        counterfactual("hinge", [1.0], 0)
