"""Tables in files and in memory, and what they are joined to."""
