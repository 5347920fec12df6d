"""Rows of a table: how kernels read and sum them."""
