"""What the message of a tree without a run tells of the rows at its splits."""

import numpy as np
import pytest

from tests.helpers.paths import SAMPLES
from treecore import RunConfig, apply
from treecore.data import read_csv
from treecore.pruning.subtrees import leaves_below
from treecore.runs import make_trainer
from treecore.viewer.messages.tree_arrays import N_BINS, histogram_arrays


@pytest.mark.parametrize("method", ["axis", "oc1"])
def test_histograms_count_the_rows_at_splits_of_one_feature_on_their_side_of_the_threshold(method):
    rows = read_csv(SAMPLES / "iris.csv")
    tree = make_trainer(RunConfig(method, depth=4), rows).run()
    found = histogram_arrays(tree, rows.X, rows.y, rows.n_classes)
    assert found["hist_of"].tolist() == np.flatnonzero(tree.feature >= 0).tolist()
    leaf = apply(tree, rows.X)
    for split, counts, at in zip(*found.values(), strict=True):
        here = np.isin(leaf, leaves_below(tree, split))
        assert counts.sum(axis=0).tolist() == np.bincount(rows.y[here], minlength=3).tolist()
        left = int((rows.X[here, tree.feature[split]] <= tree.threshold[split]).sum())
        whole = int(at * N_BINS)
        assert counts[:whole].sum() <= left <= counts[: whole + 1].sum()
