"""The interval of the largest possible kappa: how far apart two sides' habits are, which never looks like nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from adjudge.inference.intervals.interval import Bounds
from adjudge.inference.intervals.numbers import student_quantile
from adjudge.inference.intervals.small_samples import guarded_error
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array, Codes, ratio, steady_product
from adjudge.statistics.confusion import Confusion

Limits = tuple[Array, Array]


@dataclass(frozen=True, slots=True)
class _Habits:
    """What differences of habits leave of kappa, and what each pair of labels adds to it."""

    value: float
    items: float  # in effect
    furthest: float  # how much one item may add at most
    used: int  # categories
    adds: Callable[[tuple[Codes, Codes]], Array]

    @classmethod
    def of(cls, metric: Metric, table: Confusion) -> _Habits | None:
        """Of a table; None where nothing tells."""
        one, other = (ratio(margin, table.total) for margin in (table.reference_total, table.prediction_total))
        n, rest = float(ratio(table.total**2, table.squares.sum())), 1 - float((one * other).sum())
        if not (n > 1 and rest > 0):
            return None
        value, more = float(metric.values(table)), np.where(one >= other, 0.5, -0.5)

        def adds(pairs: tuple[Codes, Codes]) -> Array:
            """What an item adds to the difference of habits, and by how much it changes what kappa is divided by."""
            first, second = pairs
            return np.asarray((more[first] - more[second] - (1 - value) * (other[first] + one[second])) / rest)

        return cls(value, n, 1 / rest, int(np.count_nonzero((one > 0) | (other > 0))), adds)

    def limits(self, variance: float, units: float, level: float, freedom: float) -> Limits:
        """From the variance of what a sample adds, over so many units: with one more of them on either side."""
        from scipy.special import fdtri

        error = guarded_error(variance, units, self.items, self.furthest)
        signs = max(self.used - 1, 1)
        above = float(np.sqrt(signs * fdtri(signs, freedom, level)))
        return np.asarray(self.value - student_quantile(level, freedom) * error), np.asarray(self.value + above * error)


def scheffe(metric: Metric, table: Confusion, level: float) -> Limits | None:
    """Limits of what the differences of two sides' shares of categories leave of kappa.

    These are added whatever their sign, so that chance alone keeps the value below 1, and below the truth. The upper
    end allows for any signs (Scheffé 1953), as tests of equal margins do (Stuart 1955); the lower one, to which chance
    leads by itself, is Student's. Both have the error of a mean of differences, with one item more on either side.

    >>> from adjudge.metrics import kappa_max
    >>> alike = kappa_max.statistic_of(["a"] * 30 + ["b"] * 30, ["a"] * 20 + ["b"] * 12 + ["a"] * 8 + ["b"] * 20)
    >>> low, high = scheffe(kappa_max, alike, 0.95)
    >>> round(float(low), 3), round(min(float(high), 1.0), 3)
    (0.642, 1.0)
    """
    if (habits := _Habits.of(metric, table)) is None:
        return None
    pairs, share = table.listed, ratio(table.listed.counts, table.total)
    adds = habits.adds(pairs.pairs)
    adds = adds - float(steady_product(share, adds))
    variance = float(steady_product(share, adds**2)) / habits.items
    return habits.limits(variance, habits.items, level, habits.items - 1)


def scheffe_drawn(
    metric: Metric, table: Confusion, draws: Iterable[Confusion], level: float, units: float
) -> Bounds | None:
    """The same of items that belong together: what a sample adds varies as it does in draws of so many clusters.

    Degrees of freedom are half of those of clusters that are alike, as of other figures of them.
    """
    if (habits := _Habits.of(metric, table)) is None or not units > 1:
        return None
    listed = (one.listed for one in draws)
    added = [ratio(steady_product(one.counts, habits.adds(one.pairs)), one.total) for one in listed]
    values = np.concatenate(added)
    known = values[~np.isnan(values)]
    if not len(known):
        return None
    variance = float(known.var()) * units / (units - 1)
    low, high = habits.limits(variance, units, level, max(units - 1, 1.0))
    return Bounds("scheffe_drawn", low, high, np.asarray(len(known)), len(values))
