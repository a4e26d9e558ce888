"""adjudge: every number with its doubt."""

__version__ = "0.1.0"
