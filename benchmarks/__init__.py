"""Measured comparisons, each runnable alone: ``python -m benchmarks.inference``."""
