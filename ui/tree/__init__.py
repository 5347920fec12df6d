"""The page The tree."""
