"""Crossed cells of a table, with their meaning: saved, added, sliced again, counted by SQL."""
