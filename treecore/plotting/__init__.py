"""Trees on matplotlib's axes; the extra `plot` brings matplotlib."""
