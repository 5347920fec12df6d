"""A split turned by hand changes itself and nothing else."""

import numpy as np
import pytest

from tests.helpers.traces import bench_of
from treecore.inspection.manual_split import manual_split_cost, with_manual_split


@pytest.mark.parametrize("method", ["sgd", "stable-sgd"])
def test_asking_what_is_asked_changes_nothing_and_another_question_one_split_alone(method):
    trainer, bench = bench_of(method)
    rows, tree = trainer.rows, bench.tree()
    for split in range(tree.n_splits):
        w, b = tree.weights[tree.row[split]], float(tree.threshold[split])
        same = with_manual_split(bench, split, w, b)
        np.testing.assert_allclose(same.joint.W, bench.joint.W, rtol=1e-4, atol=1e-5)
        other = with_manual_split(bench, split, -w, -b)
        kept = np.arange(tree.n_splits) != split
        np.testing.assert_array_equal(other.joint.W[kept], bench.joint.W[kept])
        before, after = manual_split_cost(bench, rows, split), manual_split_cost(other, rows, split)
        np.testing.assert_array_equal(after.here, before.here)
        assert (before.right != after.right)[before.here].mean() > 0.99, "sides are swapped"
        assert (before.leaf == after.leaf)[~before.here].all()
        longer = with_manual_split(bench, split, w, b, 50.0)
        reported = manual_split_cost(longer, rows, split)
        assert reported.loss == pytest.approx(before.loss)
        assert reported.good == before.good
        assert reported.bound >= reported.loss - 1e-6
