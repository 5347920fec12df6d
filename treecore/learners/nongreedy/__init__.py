"""Learners that change all splits of a tree together."""
