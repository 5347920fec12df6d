"""Everything that grows or turns one tree, or all trees of a hinge forest."""
