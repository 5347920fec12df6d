"""Rows of a table, dense or sparse: how kernels read them, sum them and tell equal ones."""
