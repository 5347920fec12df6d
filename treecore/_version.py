"""The version, where everything can read it without the rest of the package."""

__version__ = "1.0.0"
