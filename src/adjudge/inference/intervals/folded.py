"""The interval of a calibration error: sizes of differences that chance alone makes larger than nothing."""

from __future__ import annotations

import numpy as np

from adjudge.inference.intervals.interval import normal_quantile
from adjudge.metrics.base import Metric
from adjudge.metrics.calibration import bin_sums
from adjudge.statistics.base import Array, ratio, remainder
from adjudge.statistics.curves.curve import Curve, Curves

Limits = tuple[Array, Array]

# A bin is taken for off by as much as it is beyond so many of its standard errors.
CLEARLY = 1.96


def folded_normal(metric: Metric, curves: Curves, level: float) -> Limits:
    """Limits of a calibration error, for each category's curve.

    In a bin the mean of score minus outcome is normal, and its size a folded normal number: above the true size by up
    to √(2/π) standard errors where that is 0, by nothing where it is large (Leone, Nelson and Nottingham 1961). The
    lower limit takes that excess off, of each bin as far as it is not clearly off, and then the usual reach; the excess
    never makes the value too small, so that the upper limit is the value and the usual reach.
    """
    bins = int(metric.settings.get("bins", 10))
    ends = [_of_curve(curve, bins, normal_quantile(level)) for curve in curves.curves]
    return np.array([low for low, _ in ends]), np.array([high for _, high in ends])


def _of_curve(curve: Curve, bins: int, z: float) -> tuple[float, float]:
    if not (curve.are_probabilities and curve.total > 0):
        return np.nan, np.nan
    total, sums = float(curve.total), curve.once(bin_sums, bins=bins)
    mean = np.nan_to_num(ratio(sums.gaps, sums.weight))
    # What outcomes vary by if the scores are their probabilities, or what they are seen to vary by where that is more.
    around = remainder(sums.square_squares, mean * (2 * sums.square_gaps - mean * sums.squares))
    errors = np.sqrt(np.maximum(np.maximum(sums.expected, around), 0.0)) / total
    value = float(np.abs(sums.gaps).sum()) / total
    towards = np.sign(sums.gaps) * sums.square_gaps
    seen = float((sums.square_squares - value * (2 * towards - value * sums.squares)).sum())
    off = np.nan_to_num(ratio(np.abs(sums.gaps) / total, errors), posinf=0.0)
    excess, spread = _folded(np.maximum(off - CLEARLY, 0.0))
    low = value - (errors * excess).sum() - z * np.sqrt((errors**2 * spread).sum())
    return max(float(low), 0.0), value + z * np.sqrt(max(float(sums.expected.sum()), seen, 0.0)) / total


def _folded(size: Array) -> tuple[Array, Array]:
    """By how much the mean of |N(size, 1)| exceeds the size, and its variance."""
    from scipy.special import ndtr

    mean = np.sqrt(2 / np.pi) * np.exp(-(size**2) / 2) + size * (1 - 2 * ndtr(-size))
    return mean - size, np.maximum(1 + size**2 - mean**2, 0.0)
