"""The page Forests."""
