"""Searches for the best split of one node, each for a family of splits."""
