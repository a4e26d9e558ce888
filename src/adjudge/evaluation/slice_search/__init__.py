"""A search of slices that pays for having searched."""
