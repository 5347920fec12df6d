"""Readers of table files, whole or in pieces."""
