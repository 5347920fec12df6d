"""Where the nodes of a tree stand in a drawing."""

from __future__ import annotations

from treecore.core.tree import Tree


def tree_layout(tree: Tree) -> dict[int, tuple[float, float]]:
    """The x and y of splits, and of leaves by ``~leaf``; those above come before those below.

    Leaves stand in even steps of 1, splits amid the leaves below them; y falls by 1 a level.
    """
    places: dict[int, tuple[float, float]] = {}
    n_leaves = 0

    def stand(node: int, depth: int) -> tuple[float, float]:
        """Give the x of the first and of the last leaf below the node."""
        nonlocal n_leaves
        places[node] = 0.0, 0.0  # until the leaves below it stand
        if node >= 0:
            first, _ = stand(int(tree.left[node]), depth + 1)
            _, last = stand(int(tree.right[node]), depth + 1)
        else:
            first = last = float(n_leaves)
            n_leaves += 1
        places[node] = (first + last) / 2, -float(depth)
        return first, last

    stand(int(tree.root), 0)
    return places
