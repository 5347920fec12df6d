"""The algorithms taken apart: what one step of each did, and why, as plain numbers.

Kernels write their decisions into a trace when they are given one. Here they are called for one
step, on copies, and their traces become plain objects; no decision is taken a second time.
"""

from typing import TYPE_CHECKING

from treecore.base.public import public_names

if TYPE_CHECKING:
    from treecore.inspection import contributions, counterfactual
    from treecore.inspection.hinge_margins import smallest_margins
    from treecore.inspection.importances import feature_importances, features_per_split
    from treecore.inspection.inference import (
        BranchOutcome,
        Candidate,
        Search,
        VisitedNode,
        candidates,
    )
    from treecore.inspection.oc1_move import (
        Hyperplane,
        Move,
        node_projection,
        plane_at,
        raw_split,
        split_coefficients,
        try_coefficient,
    )
    from treecore.inspection.sgd_debugger import REASSIGN, SGDDebugger
    from treecore.inspection.sgd_step import SGDStep, Turn
    from treecore.inspection.shapley import EXACT, ShapleyValues, shapley_values, used_features
    from treecore.inspection.tao_node import (
        NodeStep,
        improve_split,
        relabel,
        tao_order,
        tree_cost,
        with_split,
    )

__getattr__, __dir__ = public_names(__name__)
