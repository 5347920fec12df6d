"""Annealed learning: turns that are soft at first and hard in the end."""
