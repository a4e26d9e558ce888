"""Agreement beyond chance: formulas over the confusion table."""

from __future__ import annotations

import numpy as np

from adjudge.data.labels import number_in
from adjudge.errors import SettingError, listed
from adjudge.metrics.base import Direction, metric
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.confusion import Confusion

WEIGHTINGS = ("none", "linear", "quadratic")


def distances(categories: tuple[str, ...], weighting: str) -> Array:
    """How far categories are apart: by value when all are numbers, by position otherwise.

    Using values keeps an unused middle score from shrinking the scale.

    >>> distances(("1", "2", "4"), "linear")[0]
    array([0., 1., 3.])
    """
    numbers = [number_in(category) for category in categories]
    by_value = all(number is not None for number in numbers)
    place = np.array(numbers if by_value else range(len(categories)), dtype=np.float64)
    steps = np.abs(place[:, None] - place)
    return {"none": 1 - np.eye(len(categories)), "linear": steps, "quadratic": steps**2}[weighting]


def _known_weighting(*, weighting: str = "none") -> None:
    if weighting not in WEIGHTINGS:
        raise SettingError(f"`weighting` must be one of {listed(WEIGHTINGS)}, not {weighting!r}.")


@metric(
    over=Confusion,
    label="Cohen's kappa",
    direction=Direction.HIGHER,
    range=(-1.0, 1.0),
    best=1.0,
    undefined="both use a single common category",
    intervals=("bayesian", "fleiss_cohen_everitt", "bootstrap"),
    symmetric=True,
    baseline=lambda table: np.zeros_like(table.total),
    check=_known_weighting,
    references=["Cohen 1960", "Cohen 1968", "Fleiss, Cohen & Everitt 1969 (interval)"],
)
def cohen_kappa(table: Confusion, *, weighting: str = "none") -> Array:
    """Agreement beyond what the two sides' habits would give by chance.

    1 − Σ d·observed / Σ d·expected, where d is the distance between categories: 0 or 1, the
    absolute or the squared difference.

    Undefined when both sides use a single common category.

    >>> cohen_kappa(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    0.5
    """
    d = distances(table.categories, weighting)
    return np.asarray(1 - ratio((d * table.counts).sum((-2, -1)), (d * table.expected).sum((-2, -1))))
