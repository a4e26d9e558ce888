"""How often a gate passes a mean of squared errors that are normal, by the very limit it judges by; what is shown.

Tables are drawn in parts: the largest errors one by one, from which a limit tells what was not seen, and of all others
the two sums that it needs besides.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from adjudge.inference.intervals.tailed_means import FEWEST, rubin_hill_limits
from adjudge.inference.reach import unseen_loss, unseen_share
from adjudge.statistics.base import Array
from adjudge.statistics.numbers.pairs import MOST_LARGEST

TABLES = 256  # each step from one error to the next has one in each of as many equal parts of its distribution
APART = 0.5  # standard deviations of the sum of the others, up and down, between which a limit is taken for straight


def passes_unseen(units: int, bound: float, alpha: float) -> float:
    """The chance that a gate's limit of the mean of squared normal errors, 1 on average, is at most a bound.

    >>> round(passes_unseen(100, 1.96, 0.05), 2)
    0.55
    """
    from scipy.special import ndtr

    if units < 2 * FEWEST:
        return 0.0
    middle, slope = _limits(units, alpha)
    return float(ndtr((bound - middle) / slope).mean())


@lru_cache(maxsize=256)
def shown_half_width(units: int, level: float, *, rooted: bool) -> float:
    """Half of what the interval that is shown spans, on average, of errors whose mean square is 1; or of its root.

    >>> round(shown_half_width(100, 0.95, rooted=True), 3)
    0.259
    """
    if units < 2 * FEWEST:
        return math.inf
    squares = _largest(units)
    mean, _, fourths, _ = _others(units - squares.shape[1], squares[:, -1])
    halves = []
    for one, rest, fourth in zip(squares, mean, fourths, strict=True):
        value, square = (float(one.sum()) + rest) / units, (float((one**2).sum()) + fourth) / units
        ends = rubin_hill_limits(value, _error(value, square, units), float(units), one, level, of_squares=True)
        assert ends is not None
        low, high = (math.sqrt(end) if rooted else float(end) for end in ends)
        halves.append((high - low) / 2)
    return float(np.mean(halves))


def _error(mean: float, square: float, units: int) -> float:
    """The standard error of a mean of squares, from their mean and that of their squares."""
    return math.sqrt(max(square - mean**2, 0.0) / (units - 1))


@lru_cache(maxsize=256)
def _limits(units: int, alpha: float) -> tuple[Array, Array]:
    """Of each table the limit in the middle of the sum of all but the largest, and per standard deviation of it."""
    squares = _largest(units)
    mean, spread, fourths, slope = _others(units - squares.shape[1], squares[:, -1])
    ends = []
    for step in (-APART, APART):
        first = squares.sum(1) + mean + step * spread
        second = (squares**2).sum(1) + fourths + step * slope
        rows = zip(squares, first / units, second / units, strict=True)
        ends.append(np.array([_limit(one, value, square, units, alpha) for one, value, square in rows]))
    return (ends[0] + ends[1]) / 2, np.maximum((ends[1] - ends[0]) / (2 * APART), 1e-12)


def _limit(largest: Array, mean: float, square: float, units: int, alpha: float) -> float:
    """The gate's limit of one table, from its largest squares, its mean square, and its mean fourth power."""
    ends = rubin_hill_limits(mean, _error(mean, square, units), float(units), largest, 1 - 2 * alpha, of_squares=True)
    unseen = mean + unseen_share(alpha, units) * unseen_loss(mean, largest, float(units), 2.0)
    return unseen if ends is None else max(unseen, float(ends[1]))


def _largest(units: int) -> Array:
    """The largest squares of each table, falling: as many as tell of a tail."""
    from scipy.special import ndtri

    count = min(max(FEWEST, round(units**0.5)) + 1, MOST_LARGEST)
    parts = np.tile((np.arange(TABLES) + 0.5) / TABLES, (count, 1))
    chances = np.random.default_rng(2).permuted(parts, axis=1).T
    below = np.exp(np.cumsum(np.log(chances) / (units - np.arange(count)), axis=1))
    return np.asarray(ndtri((1 + below) / 2) ** 2)


def _others(count: int, largest: Array) -> tuple[Array, Array, Array, Array]:
    """Of the squares below each of these: mean and deviation of their sum, mean of that of their squares, its slope."""
    from scipy.special import ndtr

    edge = np.sqrt(largest)
    chance, density = 2 * ndtr(edge) - 1, 2 * np.exp(-largest / 2) / math.sqrt(2 * math.pi)
    moments = [np.ones_like(edge)]
    for power in (1, 3, 5):  # of a normal distribution that is cut there
        moments.append(power * moments[-1] - edge**power * density / chance)
    _, second, fourth, sixth = moments
    spread = np.sqrt(count * (fourth - second**2))
    slope = count * (sixth - second * fourth) / spread
    return count * second, spread, count * fourth, slope
