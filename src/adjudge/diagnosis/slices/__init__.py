"""Where a system fails more than elsewhere."""
