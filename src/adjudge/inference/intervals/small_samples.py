"""What intervals need to hold on small and skewed data; docs/validation/coverage.md measures how well they do."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from adjudge.inference.intervals.area import effective_sizes
from adjudge.metrics.base import Metric
from adjudge.metrics.intervals import Share
from adjudge.statistics.base import NO_SPREAD, AnyStatistic, Array, ratio
from adjudge.statistics.curves.curve import Curve
from adjudge.statistics.curves.grouping import in_parts

# With this many rows of the rarer kind, the variance seen in the data counts as much as the binomial one.
TRUSTED_AT = 10.0
# With this many units, the variance of a mean seen in the data counts as much as the binomial one.
MEAN_TRUSTED_AT = 4.0
# Rows not seen that outrank all, where they are heavier than the positives: one, by as much as it is heavier.
UNSEEN = 1.0


def positives_worth(curve: Curve, area: Array, unseen: float = 0.0) -> Share:
    """An area under a precision-recall curve as a share of as many independent positives as it is worth.

    Korn and Graubard (1998) size a share by its variance: a(1 − a) / variance rows. With few rows of
    the rarer kind that variance says little, so it is mixed with the binomial one of the positives. `unseen` is a
    weight of other rows that outrank all: the area and its variance are those with it.
    """
    (positives, negatives), area_of = effective_sizes(curve), curve.once(_average_precision, unseen=unseen)
    average, variance, _ = area_of
    a = min(float(area) * (average / curve.once(_average_precision, unseen=0.0)[0] if unseen else 1.0), 1.0)
    rarer, binomial = min(positives, negatives), a * (1 - a)
    effect = positives * variance / binomial if binomial > 0 else 1.0
    worth = np.asarray(positives * (rarer + TRUSTED_AT) / (rarer * effect + TRUSTED_AT))
    return Share(a * worth, worth, worth)


def as_few(share: Share, curve: Curve, level: float) -> Share:
    """The share as one of fewer rows, as its variance is itself uncertain: Korn and Graubard's (t(n − 1) / t(d))².

    d is Satterthwaite's number of degrees of freedom, from the fourth moment of what rows add. A system that is nearly
    always right shows few rows of another category among its highest, and these make most of the variance.
    """
    from scipy.special import stdtrit

    _, _, freedom = curve.once(_average_precision, unseen=0.0)
    rows = float(ratio(curve.total**2, curve.squares.sum()))
    if not (np.isfinite(freedom) and rows > 2 and level > 0):
        return share
    usual, fewer = stdtrit([rows - 1, min(max(freedom, 1.0), rows - 1)], 0.5 + level / 2)
    part = float((usual / fewer) ** 2)
    return Share(share.part * part, share.whole * part, share.squares * part)


def heavy_unseen(curve: Curve) -> float:
    """By how much a row of another category weighs more than a positive: what the top of the curve may have missed.

    Where each of the others stands for many, one that outranks the positives is seldom seen, which flatters precision.
    """
    weights = [ratio(squares.sum(), counts.sum()) for squares, counts in zip(curve.squares, curve.counts, strict=True)]
    return UNSEEN * max(float(np.nan_to_num(weights[1] - weights[0])), 0.0)


def _average_precision(curve: Curve, unseen: float) -> tuple[float, float, float]:
    """Average precision with so much weight above all; its large-sample variance, each row's squared influence; and
    the degrees of freedom of that."""
    parts = [(some, *_shares(curve, some, unseen)) for some in in_parts(len(curve.thresholds))]
    summed = sum(float((curve.counts[0, some] * precision).sum()) for some, precision, _ in parts)
    average = float(ratio(summed, curve.positive_total))
    gained = lost = second = fourth = 0.0  # at all lower thresholds
    for some, precision, step in reversed(parts):
        more, less = np.cumsum(step[::-1])[::-1], np.cumsum((step * precision)[::-1])[::-1]
        more += gained
        less += lost
        gained, lost = float(more[0]), float(less[0])
        more += precision
        more -= average
        more -= less
        for influence, squares, counts in zip((more, less), curve.squares[:, some], curve.counts[:, some], strict=True):
            np.square(influence, out=influence)
            squared = influence * squares
            second += float(squared.sum())
            squared *= influence
            if curve.squares is not curve.counts:  # otherwise each row counts one
                squared *= np.nan_to_num(ratio(squares, counts)) ** 2
            fourth += float(squared.sum())
    # 2n / (kurtosis − 1), the kurtosis of n rows being n times the fourth powers over the square of the squares.
    rows = float(ratio(curve.total**2, curve.squared_weight))
    # Where all positives come first nothing varies but by rounding, and nothing tells of freedom.
    flat = second <= (NO_SPREAD * average) ** 2 * float(curve.squared_weight)
    peaked = max(float(rows * ratio(fourth, second**2)) - 1, NO_SPREAD)
    freedom = math.nan if flat else 2 * rows / peaked
    return average, float(ratio(second, curve.positive_total**2)), freedom


def _shares(curve: Curve, some: slice, unseen: float) -> tuple[Array, Array]:
    """Of what thresholds select, with so much weight above all: the share of positives, and of those at each."""
    above = curve.true_positives[some]
    selected = above + curve.false_positives[some]
    selected += unseen
    if not np.all(selected):
        return np.nan_to_num(ratio(above, selected)), np.nan_to_num(ratio(curve.counts[0, some], selected))
    return above / selected, curve.counts[0, some] / selected


def worth(metric: Metric, statistic: AnyStatistic, level: float) -> tuple[Array, Array] | None:
    """Wilson's interval of a mean of values in a known range, as a share of as many units as its variance is worth.

    Values that are mostly alike show less variance than they have; so with few units the binomial one counts as well,
    as in `positives_worth`, and values that are all alike still have an interval. Student's quantile stands for the
    normal one. docs/validation/ranking.md has the coverage.

    >>> from adjudge.metrics import hit_rate_at
    >>> low, high = worth(hit_rate_at, hit_rate_at.statistic_of([[1, 0]] * 12, [[2, 1]] * 12), 0.95)
    >>> round(float(low), 4), round(float(high), 4)
    (0.7124, 1.0)
    """
    assert metric.mean is not None
    (lowest, highest), moments = metric.range, metric.mean(statistic, **metric.settings)
    n, width = float(moments.effective_rows), highest - lowest
    if not n > 1 + 1e-9:
        return None
    mean, variance = (moments.average - lowest) / width, moments.variance / width**2
    low, high = worth_limits(mean, variance * n / (n - 1), n, level)
    return np.asarray(lowest + width * low), np.asarray(lowest + width * high)


def worth_limits(mean: Array, variance: Array, units: Array | float, level: float) -> tuple[Array, Array]:
    """The same of a mean of values from 0 to 1, their variance, and how many units there are: more than one.

    >>> low, high = worth_limits(np.asarray(0.8), np.asarray(0.02), 12.0, 0.95)
    >>> round(float(low), 4), round(float(high), 4)
    (0.6191, 0.9078)
    """
    from scipy.special import stdtrit

    binomial = np.maximum(mean * (1 - mean), 0.0)
    effect = np.where(binomial > 0, np.minimum(1.0, ratio(variance, binomial)), 1.0)
    many = units * (units + MEAN_TRUSTED_AT) / (units * effect + MEAN_TRUSTED_AT)
    t = stdtrit(np.asarray(units) - 1, 0.5 + level / 2)
    middle = (mean + t**2 / (2 * many)) / (1 + t**2 / many)
    reach = t / (1 + t**2 / many) * np.sqrt(binomial / many + t**2 / (4 * many**2))
    return np.asarray(middle - reach), np.asarray(middle + reach)


def guarded_error(variance: float, units: float, rows: float, bound: float) -> float:
    """The standard error of a mean whose units differ by at most `bound`, guarded by one unit more on either side.

    G² / ((G + 1)(G + 2)) (V + 2 r² / (G n)) for the variance V of a mean over G units of n effective rows; with G = n
    it is (SS + 2 r²) / ((n + 1)(n + 2)).

    >>> round(guarded_error(2 / 50**2, 50, 50, 1.0), 12)
    0.038836781869
    """
    imagined = 2 * bound**2 / (units * rows)
    return math.sqrt(units**2 / ((units + 1) * (units + 2)) * (variance + imagined))


def mean_of_shares(
    shares: Share, level: float, interval: Callable[[Share, float], tuple[Array, Array]]
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
    added = (lambda distance: (distance**2).sum()) if shares.together is None else shares.together()
    reaches = [ratio(np.sqrt(np.maximum(added(distance), 0.0)), count) for distance in (below, above)]
    return mean - reaches[0], mean + reaches[1]
