"""The data check: what looks like a mistake in the table."""
