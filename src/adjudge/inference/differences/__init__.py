"""Is the difference real? Tests and limits of two systems on the same units."""
