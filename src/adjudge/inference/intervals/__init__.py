"""Intervals by formula, and what they need to hold."""
