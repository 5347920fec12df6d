"""The Library: saved runs, sweeps, model files."""
