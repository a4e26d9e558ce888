"""What of a row is a key of a cell, as tasks declare it."""
