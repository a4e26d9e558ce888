"""How many rows to collect, before anything is measured."""
