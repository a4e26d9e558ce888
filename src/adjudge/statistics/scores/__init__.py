"""Scores of automated scoring beside those of raters, as sums."""
