"""The page One step."""
