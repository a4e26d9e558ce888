"""Doors to other tools: their names, their formats, our numbers."""
