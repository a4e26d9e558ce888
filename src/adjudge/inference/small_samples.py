"""What intervals need to hold on small and skewed data; docs/validation/coverage.md measures how well they do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from adjudge.inference.area import effective_sizes
from adjudge.metrics.base import Metric
from adjudge.metrics.intervals import Share
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.curve import Curve

# With this many rows of the rarer kind, the variance seen in the data counts as much as the binomial one.
TRUSTED_AT = 10.0
# With this many units, the variance of a mean seen in the data counts as much as the binomial one.
MEAN_TRUSTED_AT = 4.0


def positives_worth(curve: Curve, area: Array) -> Share:
    """An area under a precision-recall curve as a share of as many independent positives as it is worth.

    Korn and Graubard (1998) size a share by its variance: a(1 − a) / variance rows. With few rows of
    the rarer kind that variance says little, so it is mixed with the binomial one of the positives.
    """
    a, (positives, negatives) = min(float(area), 1.0), effective_sizes(curve)
    rarer, binomial = min(positives, negatives), a * (1 - a)
    effect = positives * curve.once(_variance) / binomial if binomial > 0 else 1.0
    worth = np.asarray(positives * (rarer + TRUSTED_AT) / (rarer * effect + TRUSTED_AT))
    return Share(a * worth, worth, worth)


def _variance(curve: Curve) -> float:
    """The large-sample variance of average precision: the sum of the squared influence of each row."""
    positives, selected = curve.counts[0], curve.true_positives + curve.false_positives
    precision, step = np.nan_to_num(curve.precision), np.nan_to_num(ratio(positives, selected))
    gained = np.cumsum(step[::-1])[::-1]
    lost = np.cumsum((step * precision)[::-1])[::-1]
    average = float(ratio((positives * precision).sum(), curve.positive_total))
    influence = np.stack([precision + gained - average - lost, lost])
    np.square(influence, out=influence)
    influence *= curve.squares
    return float(ratio(influence.sum(), curve.positive_total**2))


def worth(metric: Metric, statistic: Any, level: float) -> tuple[Array, Array] | None:
    """Wilson's interval of a mean of values in a known range, as a share of as many units as its variance is worth.

    Values that are mostly alike show less variance than they have; so with few units the binomial one counts as well,
    as in `positives_worth`, and values that are all alike still have an interval. Student's quantile stands for the
    normal one. docs/validation/ranking.md has the coverage.

    >>> from adjudge.metrics import hit_rate_at
    >>> low, high = worth(hit_rate_at, hit_rate_at.statistic_of([[1, 0]] * 12, [[2, 1]] * 12), 0.95)
    >>> round(float(low), 4), round(float(high), 4)
    (0.7124, 1.0)
    """
    from scipy.special import stdtrit

    assert metric.mean is not None
    (lowest, highest), moments = metric.range, metric.mean(statistic, **metric.settings)
    n, width = float(moments.effective_rows), highest - lowest
    mean, variance = (float(moments.average) - lowest) / width, float(moments.variance) / width**2
    if not n > 1 + 1e-9:
        return None
    binomial = mean * (1 - mean)
    effect = min(1.0, variance * n / (n - 1) / binomial) if binomial > 0 else 1.0
    units = n * (n + MEAN_TRUSTED_AT) / (n * effect + MEAN_TRUSTED_AT)
    t = float(stdtrit(n - 1, 0.5 + level / 2))
    middle = (mean + t**2 / (2 * units)) / (1 + t**2 / units)
    reach = t / (1 + t**2 / units) * np.sqrt(max(binomial, 0.0) / units + t**2 / (4 * units**2))
    return np.asarray(lowest + width * (middle - reach)), np.asarray(lowest + width * (middle + reach))


def mean_of_shares(
    shares: Share, level: float, interval: Callable[[Share, float], tuple[Array, Array]], correlation: Array
) -> tuple[Array, Array]:
    """Limits of a mean from the limits of its parts, squared and added: Zou and Donner (2008), MOVER.

    Parts that are undefined are left out, as the mean leaves them out.
    """
    through = shares.through or np.asarray
    value = through(np.asarray(ratio(shares.part, shares.whole)))
    low, high = (through(end) for end in interval(shares, level))
    known = ~np.isnan(value)
    below, above = (np.where(known, distance, 0.0) for distance in (value - low, high - value))
    mean, count = ratio(value[known].sum(), known.sum()), known.sum()
    reaches = [ratio(np.sqrt(distance @ correlation @ distance), count) for distance in (below, above)]
    return mean - reaches[0], mean + reaches[1]
