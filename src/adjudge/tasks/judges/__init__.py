"""Few human labels, many of a judge."""
