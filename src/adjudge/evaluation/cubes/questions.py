"""What may be asked of cells that were counted before."""

# Besides slices: settings of every task that change nothing of how rows were counted.
OF_CELLS = (
    *("metrics", "level", "replicates", "seed", "bootstrap", "require", "ok", "missing"),
    *("baseline", "against", "margin", "tests", "adjust", "family"),
)
