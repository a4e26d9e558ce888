"""Tables in which there is nothing to find, so that every alarm is false: how often one is raised all the same.

`alarms.py` has what designs are made of, `usual.py` the first of them; the others belong to a set of bench.heldout of
the same name, or stand alone. To add some, write a module like `unequal.py` and name it in `__main__.py`.
"""
