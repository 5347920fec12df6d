"""Tree alternating optimization: one node at a time, from the leaves to the root."""
