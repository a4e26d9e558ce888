"""Two areas under ROC curves of the same rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.inference.differences.paired_shares import square_and_add
from adjudge.inference.intervals.interval import normal_below, normal_quantile
from adjudge.statistics.base import Array


@dataclass(frozen=True, slots=True)
class PairedAreas:
    """Two areas with DeLong's variances and covariance, and the limits of each alone."""

    first: float
    second: float
    variances: tuple[float, float]
    covariance: float
    sizes: tuple[float, float]  # effective positives and negatives

    @property
    def difference(self) -> float:
        """The first area minus the second."""
        return self.first - self.second

    @property
    def error(self) -> float:
        """DeLong's standard error of the difference."""
        return math.sqrt(max(sum(self.variances) - 2 * self.covariance, 0.0))

    @property
    def p(self) -> float:
        """DeLong's two-sided p-value of equal areas."""
        if math.isnan(self.error):
            return math.nan
        if self.error <= 1e-12:
            return 1.0 if abs(self.difference) <= 1e-12 else 0.0
        return 2 * normal_below(-abs(self.difference) / self.error)

    def delong(self, level: float) -> tuple[float, float]:
        """DeLong's interval of the difference: too short where areas are near 1 and positives few."""
        reach = normal_quantile(level) * self.error
        return self.difference - reach, self.difference + reach

    @property
    def correlation(self) -> float:
        """That of the two areas, shrunk where positives or negatives are few."""
        product = self.variances[0] * self.variances[1]
        fewer = min(self.sizes)
        return self.covariance / math.sqrt(product) * fewer / (fewer + 2) if product > 0 else 0.0

    def square_and_add(self, first: tuple[float, float], second: tuple[float, float]) -> tuple[float, float]:
        """Limits of the difference from the limits of each area and their correlation."""
        return square_and_add((self.first, *first), (self.second, *second), self.correlation)


def paired_areas(
    positive: Sequence[object] | Array,
    first: Sequence[float] | Array,
    second: Sequence[float] | Array,
    weights: Sequence[float] | Array | None = None,
) -> PairedAreas:
    """The areas of two scores of the same rows: DeLong, DeLong and Clarke-Pearson (1988), by ranks (Sun and Xu 2014).

    >>> areas = paired_areas([1, 1, 0, 0], [0.9, 0.4, 0.5, 0.1], [0.8, 0.7, 0.3, 0.2])
    >>> areas.first, areas.second
    (0.75, 1.0)
    """
    is_positive = np.asarray(positive, dtype=bool)
    w = np.ones(len(is_positive)) if weights is None else np.asarray(weights, dtype=np.float64)
    sides = (w[is_positive], w[~is_positive])
    if any(side.sum() <= 0 for side in sides):
        return PairedAreas(math.nan, math.nan, (math.nan, math.nan), math.nan, (0.0, 0.0))
    sizes = tuple(float(side.sum() ** 2 / (side**2).sum()) for side in sides)
    placed = [_placements(np.asarray(score, dtype=np.float64), is_positive, w) for score in (first, second)]
    areas = [float((sides[0] * beaten).sum() / sides[0].sum()) for beaten, _ in placed]
    spread = np.zeros((2, 2))
    for side, size, values in zip(sides, sizes, zip(*placed, strict=True), strict=True):
        centred = np.stack([value - (side * value).sum() / side.sum() for value in values])
        spread += (
            np.array([[float((side * a * b).sum()) for b in centred] for a in centred]) / side.sum() / (size - 1)
            if size > 1
            else math.nan
        )
    return PairedAreas(areas[0], areas[1], (spread[0, 0], spread[1, 1]), spread[0, 1], (sizes[0], sizes[1]))


def _placements(score: Array, positive: np.ndarray, weights: Array) -> tuple[Array, Array]:
    """For each positive the share of negatives it beats, for each negative the share of positives that beat it."""
    _, place = np.unique(score, return_inverse=True)
    size = int(place.max()) + 1
    negatives = np.bincount(place[~positive], weights=weights[~positive], minlength=size)
    positives = np.bincount(place[positive], weights=weights[positive], minlength=size)
    beaten = (np.cumsum(negatives) - negatives / 2) / negatives.sum()
    beating = 1 - (np.cumsum(positives) - positives / 2) / positives.sum()
    return beaten[place[positive]], beating[place[~positive]]
