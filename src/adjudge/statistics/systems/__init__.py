"""Several systems on the same rows, summed together."""
