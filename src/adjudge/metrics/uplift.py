"""Does a score find those whom treating helps? Areas under what treating the highest scores first gains."""

from __future__ import annotations

from functools import partial

import numpy as np

from adjudge.metrics.base import Direction, metric
from adjudge.metrics.intervals import HINKLEY
from adjudge.statistics.base import Array
from adjudge.statistics.uplift_cells import UpliftCells

of_uplift = partial(
    metric,
    over=UpliftCells,
    direction=Direction.HIGHER,
    range=(-np.inf, np.inf),
    undefined="an arm has no row",
    intervals=("jackknife_hill", "bayesian_student", "bootstrap"),
    reading={"treatment": None, "control": None},
)


@of_uplift(
    label="Area under the uplift curve",
    baseline=lambda cells: cells.net_lift / 2,
    references=["Gutierrez & Gérardy 2016", HINKLEY, "Rubin 1981 (Bayesian bootstrap)"],
)
def uplift_auc(cells: UpliftCells) -> Array:
    """What treating by score gains, averaged over how many are treated, in the unit of the outcome.

    The curve is the outcome of treated rows of the highest scores over all treated rows, less the same of the others,
    by the share of all rows; tied scores are one straight step. The baseline, of a constant score, is half the mean
    effect.

    Undefined when an arm has no row.

    >>> uplift_auc([1, 0, 1, 0], [2, 2, 1, 1], treatment=[1, 0, 0, 1])
    0.25
    """
    return cells.area


@of_uplift(
    label="Qini coefficient",
    baseline=lambda cells: 0.0 * cells.area,
    references=["Radcliffe 2007", HINKLEY, "Rubin 1981 (Bayesian bootstrap)"],
)
def qini(cells: UpliftCells) -> Array:
    """What the score adds: the area under the uplift curve less that of treating at random.

    Area − mean effect / 2, which is 0 for a constant score; not divided by the area of a perfect score.

    Undefined when an arm has no row.

    >>> qini([1, 0, 1, 0], [2, 2, 1, 1], treatment=[1, 0, 0, 1])
    0.25
    """
    return np.asarray(cells.area - cells.net_lift / 2)
