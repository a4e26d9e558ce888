"""The interval of a calibration error: sizes of differences that chance alone makes larger than nothing."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from adjudge.inference.intervals.interval import Bounds, normal_quantile
from adjudge.inference.resampling import mean_and_spread
from adjudge.metrics.base import Metric
from adjudge.metrics.calibration import CalibrationSums, bin_gaps, bin_sums
from adjudge.statistics.base import Array, ratio, remainder
from adjudge.statistics.curves.curve import Curve, Curves

Limits = tuple[Array, Array]

# A bin is taken for off by as much as it is beyond so many of its standard errors.
CLEARLY = 1.96
# So many rows of a bin are taken to vary as scores say that they do, beside those that were seen.
PRIOR_ROWS = 20
STEPS = 50
# Of so many draws it is asked to which side each bin is off: more are hardly ever others.
SIDES = 300


def folded_normal(metric: Metric, curves: Curves, level: float) -> Limits:
    """Limits of a calibration error, for each category's curve.

    In a bin the mean of score minus outcome is normal, and its size a folded normal number: above the true size by up
    to √(2/π) standard errors where that is 0, by nothing where it is large (Leone, Nelson and Nottingham 1961). The
    lower limit takes that excess off, of each bin as far as it is not clearly off, and then the usual reach. The upper
    limit is the largest value of which so small a one is not too rare, where bins are as far off as each other: there,
    chance adds least. One more row that is wholly off is in its reach, for few errors may be seen in few rows.
    """
    bins = int(metric.settings["bins"])
    ends = [_of_curve(curve, bins, normal_quantile(level)) for curve in curves.curves]
    return np.array([low for low, _ in ends]), np.array([high for _, high in ends])


def _of_curve(curve: Curve, bins: int, z: float) -> tuple[float, float]:
    if not (curve.are_probabilities and curve.total > 0):
        return np.nan, np.nan
    total, sums = float(curve.total), curve.once(bin_sums, bins=bins)
    errors = np.sqrt(_variances(sums)) / total
    value = float(np.abs(sums.gaps).sum()) / total
    towards = np.sign(sums.gaps) * sums.square_gaps
    seen = float((sums.square_squares - value * (2 * towards - value * sums.squares)).sum())
    low = value - float(_below(np.abs(sums.gaps) / total, errors, z))
    one_more = (float(sums.squares.sum()) / total) ** 2
    scale = np.sqrt(max(float((errors**2).sum()) * total**2, seen) + one_more) / total
    return max(low, 0.0), float(_above(np.asarray(value), errors, np.asarray(z * scale)))


def _variances(sums: CalibrationSums) -> Array:
    """What sums over bins vary by: as they are seen to, or with some more rows that vary as scores say, if more."""
    mean = np.nan_to_num(ratio(sums.gaps, sums.weight))
    around = np.maximum(remainder(sums.square_squares, mean * (2 * sums.square_gaps - mean * sums.squares)), 0.0)
    rows = ratio(sums.weight**2, sums.squares)
    with_more = (around + PRIOR_ROWS * ratio(sums.expected, rows)) * rows / (rows - 1 + PRIOR_ROWS)
    return np.asarray(np.nan_to_num(np.maximum(around, with_more)))


def folded_bootstrap(
    metric: Metric, curves: Curves, clusters: Iterable[Curves], values: Array, point: Array, *, reach: Array
) -> Bounds:
    """The same from the values of replicates, (replicates, K), as far as `reach` says; `clusters` are theirs, if any.

    How far a bin may be off by chance is what its sum of score minus outcome varies by when clusters are drawn: that of
    a single one varies by all of itself, where its mean does not vary. It is at least what rows by themselves vary by,
    and what scores say: rows of a cluster may all be alike.

    Sizes of draws vary less than what they are sizes of. So the upper end of clusters is that of the sum of signed
    differences, of whichever signs it reaches furthest with: no sum of sizes is below it, of the true signs it is
    equal. The signs are those of the value and of draws; bins that are off together may all change theirs.
    """
    bins = int(metric.settings["bins"])
    total = np.array([float(curve.total) for curve in curves.curves])[:, None]
    each = [curve.once(bin_sums, bins=bins) for curve in curves.curves]
    variances = np.stack([np.maximum(_variances(sums), sums.expected) for sums in each])
    gaps = np.stack([sums.gaps for sums in each])
    by_draw, totals = _of_draws(clusters, bins)
    if len(by_draw):
        variances = np.maximum(variances, by_draw.var(0))
    _, spread, defined = mean_and_spread(values)
    errors = ratio(np.sqrt(variances), total)
    together = spread if len(by_draw) and metric.by_category else 0.0  # bins of a cluster are off together
    below, above = _below(ratio(np.abs(gaps), total), errors, reach, together), reach * spread
    if not metric.by_category:  # a mean over categories, whose errors may all go together
        weight = np.where(total[:, 0] > 0, curves.category_weight if metric.average == "weighted" else 1.0, 0.0)
        below = (np.nan_to_num(below) * ratio(weight, weight.sum())).sum()
    elif len(by_draw):
        above = np.fmax(above, _with_any_signs(ratio(gaps, total), ratio(by_draw, totals[..., None]), reach))
        above = np.where(np.isfinite(spread), _above(point, errors, above) - point, np.nan)
    return Bounds("folded_bootstrap", np.maximum(point - below, 0.0), point + above, defined, len(values))


def _of_draws(clusters: Iterable[Curves], bins: int) -> tuple[Array, Array]:
    """Of draws of clusters the sums in bins, (draws, K, bins), and how many rows each has, (draws, K)."""
    sums, totals = [np.zeros(0)], [np.zeros(0)]
    for one in clusters:
        sums.append(np.stack([bin_gaps(curve, bins) for curve in one.curves], axis=-2))
        totals.append(np.stack([curve.total for curve in one.curves], axis=-1))
    return (np.concatenate(sums[1:]), np.concatenate(totals[1:])) if sums[1:] else (sums[0], totals[0])


def _with_any_signs(gaps: Array, draws: Array, reach: Array) -> Array:
    """How far above the sum of sizes of `gaps`, (K, bins), sums of signed ones may be, with signs of these or of draws.

    `draws`, (draws, K, bins), are the same differences.
    """
    furthest = np.full(len(gaps), np.nan)
    for k, (own, reaches) in enumerate(zip(gaps, np.broadcast_to(reach, len(gaps)), strict=True)):
        each = draws[np.isfinite(draws[:, k]).all(-1), k]
        signs = np.unique(np.sign(np.vstack([own[None], each[:SIDES]])), axis=0)
        spreads = (each @ signs.T).std(0) if len(each) else np.full(len(signs), np.nan)
        furthest[k] = np.max(signs @ own - np.abs(own).sum() + reaches * spreads)
    return furthest


def _below(sizes: Array, errors: Array, reach: float | Array, together: float | Array = 0.0) -> Array:
    """How far below a sum of sizes, (…, bins), its lower limit is: what chance adds to them, and the usual reach.

    That is of bins which vary by themselves, or of what the sum varies by `together`, if that is more.
    """
    off = np.nan_to_num(ratio(sizes, errors), posinf=0.0)
    excess, spread = _folded(np.maximum(off - CLEARLY, 0.0))
    usual = np.sqrt((errors**2 * spread).sum(-1))
    return np.asarray((errors * excess).sum(-1) + reach * np.maximum(usual, together))


def _above(value: Array, errors: Array, reach: Array) -> Array:
    """The largest sum of sizes of which `value`, or less, is within reach: bins of (…, bins) as far off as each other.

    That sum is value − what chance adds to it + reach times what it varies by there, all of which grow with it, so that
    steps down from the largest it could be end at the largest.
    """
    total = errors.sum(-1)
    high = value + reach
    for _ in range(STEPS):
        excess, spread = _folded(ratio(high, total))
        high = np.where(total > 0, value - total * excess + reach * np.sqrt(spread), high)
    return np.maximum(high, value)


def _folded(size: Array) -> tuple[Array, Array]:
    """By how much the mean of |N(size, 1)| exceeds the size, and its variance."""
    from scipy.special import ndtr

    mean = np.sqrt(2 / np.pi) * np.exp(-(size**2) / 2) + size * (1 - 2 * ndtr(-size))
    return mean - size, np.maximum(1 + size**2 - mean**2, 0.0)
