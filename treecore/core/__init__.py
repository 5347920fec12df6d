"""The flat tree and what is told of rows by it: routing, scaling, impurity."""

from treecore.core.impurity import Criterion
from treecore.core.routing import leaf_labels, leaf_probabilities, predict_values
from treecore.core.scaling import Scaling
from treecore.core.tree import (
    OBLIQUE,
    complete_tree,
    make_tree,
    parents,
    split_depths,
    split_weights,
    tree_depth,
)
