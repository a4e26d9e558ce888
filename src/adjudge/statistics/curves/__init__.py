"""Rows ordered by score, as cells that add."""
