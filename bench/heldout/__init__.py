"""Designs that nothing was chosen on: whether intervals hold the true value where nobody tuned them.

A design is a kind of table, how many units it has and what is measured of it (`designs.py`; `measured.py` has what
several sets measure). A set is a module: a list of designs that was committed before anything of it was run. To add a
set, write a module like `unequal.py` and name it in `sets.py`, with the file its figures go to. The designs of two
systems stand apart where a module grew too long (`…_comparisons.py`). Run by bench.coverage_heldout.
"""
