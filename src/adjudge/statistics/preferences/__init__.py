"""Votes for one of two answers."""
