"""Greedy induction: the tree grows from the root, and each node takes its best split at once."""
