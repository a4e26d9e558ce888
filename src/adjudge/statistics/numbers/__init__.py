"""Predicted numbers beside those that were measured, as sums and distributions."""
