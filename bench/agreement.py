"""Agreement of raters beside krippendorff, irrCAC and pingouin.

Ours goes from the matrix of ratings to every count-based coefficient with its intervals. A peer that is not installed
is told and left out. irrCAC pins an old SciPy: give the Python it is installed in as ADJUDGE_IRRCAC_PYTHON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import version
from typing import Any

import numpy as np

from bench.speed import REPLICATES, Case, cpu_seconds, in_child, turn_by_turn

ITEMS, RATERS, CATEGORIES, MISSING = 1_000_000, 5, 5, 0.2
TARGETS, FEW_TARGETS = 100_000, 1_000
# Below this many seconds in prospect, pingouin is run in full.
SCALED_FROM = 30.0
IRRCAC = """
import json, sys, time
import pandas as pd
from irrCAC.raw import CAC
from bench.agreement import rated
table = pd.DataFrame(rated(int(sys.argv[1])))
start = time.process_time()
found = CAC(table).krippendorff()
print(json.dumps({"cost": time.process_time() - start, "value": float(found["est"]["coefficient_value"])}))
"""


def rated(items: int = ITEMS) -> np.ndarray:
    """Ratings 1 to 5 that agree with a truth seven times in ten, NaN where missing."""
    random = np.random.default_rng(5)
    truth = random.integers(1, CATEGORIES + 1, items)[:, None]
    said = np.where(
        random.random((items, RATERS)) < 0.7, truth, random.integers(1, CATEGORIES + 1, (items, RATERS))
    ).astype(np.float64)
    said[random.random((items, RATERS)) < MISSING] = np.nan
    return said


def measured(targets: int) -> np.ndarray:
    """Five judges' measurements of targets that differ as much as the judges err."""
    random = np.random.default_rng(6)
    return random.normal(0, 1, (targets, 1)) + random.normal(0, 0.7, (targets, RATERS))


def with_adjudge(matrix: np.ndarray) -> dict[str, float]:
    """Every count-based coefficient of the nominal level with all its intervals."""
    from adjudge.data.judgements.ratings import ratings_of
    from adjudge.evaluation.measuring.rows import Measured, rows_of
    from adjudge.inference.resampling import Bootstrap, drawn_on_cells
    from adjudge.statistics.ratings.patterns import Patterns
    from adjudge.statistics.weights import Weights
    from adjudge.tasks.agreement.by_measurement import NOMINAL

    patterns = Patterns.collect(ratings_of(matrix), Weights(len(matrix)))
    settings = Bootstrap(REPLICATES)
    drawn, smooth = (
        drawn_on_cells(patterns, lambda value: {Patterns: value}, kind, settings, "bench")
        for kind in (settings.weights, "bayesian")
    )
    ready = Measured("", "", patterns.rows, {Patterns: patterns}, (drawn,), (smooth,), None, {}, {})
    rows = rows_of(ready, [metric for metric in NOMINAL if metric.over is Patterns], 0.95, settings)
    return {row.metric: row.estimate for row in rows if not row.category}


def extra_memory(items: int = ITEMS) -> dict[str, float]:
    """The most memory held while measuring, less what was held before, in MB."""
    from bench.speed import most_memory_held

    with_adjudge(rated(1_000))
    matrix = rated(items)
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # forget the peak so far
    before = most_memory_held()
    with_adjudge(matrix)
    return {"extra": most_memory_held() - before}


def intraclass(matrix: np.ndarray) -> float:
    """All six intraclass correlations with their exact F intervals; gives ICC(A,1)."""
    from adjudge.inference.intervals.closed_form import closed_form
    from adjudge.statistics.ratings.vectors import RatingVectors
    from adjudge.tasks.agreement.by_measurement import ALL_ICC

    vectors = RatingVectors.of_arrays(matrix, None)
    found = {metric.parameters["form"]: float(metric.values(vectors)) for metric in ALL_ICC}
    limits = [closed_form("f_exact", metric, vectors, 0.95) for metric in ALL_ICC]
    assert all(limits)
    return found["A,1"]


def with_pingouin(matrix: np.ndarray) -> float:
    """pingouin's table of intraclass correlations; gives ICC(A,1)."""
    import pandas as pd
    import pingouin

    items, judges = matrix.shape
    long = pd.DataFrame(
        {
            "item": np.repeat(np.arange(items), judges),
            "judge": np.tile(np.arange(judges), items),
            "score": matrix.reshape(-1),
        }
    )
    found = pingouin.intraclass_corr(long, targets="item", raters="judge", ratings="score")
    return float(found["ICC"].iloc[1])


def run(repeats: int = 3) -> list[Case]:
    """All cases of agreement."""
    return [*nominal(repeats), *memory(), *icc_cases(repeats)]


def nominal(repeats: int) -> list[Case]:
    """A million items: everything with intervals against one coefficient without."""
    matrix = rated()
    name = f"agreement, {ITEMS:,} items × {RATERS} raters, {REPLICATES:,} replicates"
    with_adjudge(matrix[:1_000])
    try:
        import krippendorff
    except ImportError:
        ((ours, _),) = turn_by_turn(repeats, lambda: with_adjudge(matrix))
        cases = [Case(name, ours, "CPU s", note="krippendorff is not installed: not compared")]
    else:
        (ours, results), (peer, value) = turn_by_turn(
            repeats,
            lambda: with_adjudge(matrix),
            lambda: krippendorff.alpha(reliability_data=matrix.T, level_of_measurement="nominal"),
        )
        same = f"nominal alpha: adjudge {results['krippendorff_alpha']:.12f}, krippendorff {value:.12f}"
        target = (peer, "≥ 10×", peer / ours >= 10)
        cases = [Case(name, ours, "CPU s", "krippendorff, alpha alone", *target, same)]
    theirs = with_irrcac()
    if theirs is None:
        return [*cases, Case(name, ours, "CPU s", note="irrCAC cannot be imported here: not compared")]
    peer, same = theirs["cost"], f"nominal alpha: irrCAC {theirs['value']:.5f} (run once)"
    return [*cases, Case(name, ours, "CPU s", "irrCAC, alpha alone", peer, "≥ 30×", peer / ours >= 30, same)]


def with_irrcac(items: int = ITEMS) -> dict[str, Any] | None:
    """irrCAC's alpha in a Python that has it; None when there is none."""
    python = os.environ.get("ADJUDGE_IRRCAC_PYTHON", sys.executable)
    done = subprocess.run([python, "-c", IRRCAC, str(items)], capture_output=True, text=True, check=False)
    if done.returncode:
        print("irrCAC:", done.stderr.strip().splitlines()[-1] if done.stderr else "failed", file=sys.stderr)
        return None
    return dict(json.loads(done.stdout.splitlines()[-1]))


def memory() -> list[Case]:
    """What the million items take besides the matrix itself."""
    extra = in_child("__import__('bench.agreement').agreement.extra_memory()")["extra"]
    name = f"agreement, {ITEMS:,} items × {RATERS} raters: memory besides the ratings"
    return [Case(name, extra, "MB", target="< 150 MB", met=extra < 150)]


def icc_cases(repeats: int) -> list[Case]:
    """Intraclass correlations of 100,000 targets; a pingouin that is slow is timed on 1,000 and scaled."""
    matrix, few = measured(TARGETS), measured(FEW_TARGETS)
    name = f"six ICC with exact intervals, {TARGETS:,} × {RATERS}"
    intraclass(few)
    ((ours, found),) = turn_by_turn(repeats, lambda: intraclass(matrix))
    try:
        with_pingouin(few)
    except ImportError:
        return [Case(name, ours, "CPU s", note="pingouin is not installed: not compared")]
    peer, value = cpu_seconds(lambda: with_pingouin(few))
    how = f"scaled from {FEW_TARGETS:,} targets"
    peer *= TARGETS / FEW_TARGETS
    if peer < SCALED_FROM:
        (peer, value), how = cpu_seconds(lambda: with_pingouin(matrix)), "run in full"
    else:
        found = intraclass(few)
    same = f"ICC(A,1): adjudge {found:.9f}, pingouin {version('pingouin')} {value:.9f}, {how}"
    # The target is of pingouin before 0.7.0, which made it fast enough to be run in full.
    target, met = ("≥ 500×", peer / ours >= 500) if how.startswith("scaled") else ("", None)
    return [Case(name, ours, "CPU s", f"pingouin {version('pingouin')}", peer, target, met, same)]
