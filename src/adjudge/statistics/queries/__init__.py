"""Ranked lists, query by query."""
