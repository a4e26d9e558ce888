"""Fitness for a purpose, as a first screen and a page."""
