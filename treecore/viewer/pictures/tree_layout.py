"""Where the nodes of a tree stand in a drawing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from treecore.core.tree import Tree

Node = TypeVar("Node")


@dataclass(frozen=True)
class Place(Generic[Node]):
    """One node in a drawing: leaves in even steps of 1, others amid theirs; y falls by 1 a level.

    parent: place in the list of the node above; -1 for the root.
    """

    node: Node
    x: float
    y: float
    parent: int


def layout(root: Node, children: Callable[[Node], Sequence[Node]]) -> list[Place[Node]]:
    """Places of all nodes, those above before those below, from left to right."""
    places: list[Place[Node]] = []
    n_leaves = 0

    def stand(node: Node, depth: int, parent: int) -> tuple[float, float]:
        """Gives the x of the first and of the last leaf below the node."""
        nonlocal n_leaves
        at = len(places)
        places.append(Place(node, 0.0, 0.0, parent))  # until the leaves below it stand
        ends = [stand(child, depth + 1, at) for child in children(node)]
        if not ends:
            ends = [(float(n_leaves), float(n_leaves))]
            n_leaves += 1
        first, last = ends[0][0], ends[-1][1]
        places[at] = Place(node, (first + last) / 2, -float(depth), parent)
        return first, last

    stand(root, 0, -1)
    return places


def tree_layout(tree: Tree) -> dict[int, tuple[float, float]]:
    """Where the splits of a tree stand, and its leaves by ``~leaf``; see :class:`Place`."""

    def children(node: int) -> tuple[int, ...]:
        return (int(tree.left[node]), int(tree.right[node])) if node >= 0 else ()

    return {place.node: (place.x, place.y) for place in layout(int(tree.root), children)}
