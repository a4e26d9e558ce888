"""Variance of items and of raters by restricted maximum likelihood (REML), with any ratings missing.

Model: rating = mean + item + rater + rest, all three independent and normal. What is fitted are the variances of
items and raters relative to that of the rest. Items are integrated out one by one, which needs only sums by the
number of ratings of an item; what remains are matrices of raters. Patterson & Thompson 1971; Searle, Casella &
McCulloch 1992, chapter 6.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from adjudge.statistics.base import Array
from adjudge.statistics.ratings.sums import RatingSums

# Relative variances are sought between these; at the lower end a variance is nothing.
LEAST, MOST = np.log(1e-9), np.log(1e8)
# Beyond this there is no rest: items and raters explain the ratings up to rounding.
NO_REST = 1e7
STEPS, LONGEST, CLOSE = 80, 2.0, 1e-11
NUDGE = 1e-5


@dataclass(frozen=True, slots=True)
class Components:
    """Variance of items, raters and the rest, (…), in units of the rest; in another unit when there is none."""

    items: Array
    raters: Array
    rest: Array


def components(sums: RatingSums, *, raters: bool) -> Components:
    """The variances, (…); NaN where too few items have two ratings or ratings do not vary. Without `raters`, one way.

    >>> from adjudge.statistics.ratings.vectors import RatingVectors
    >>> rows = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> variances = components(RatingSums.of(RatingVectors.of_arrays(rows, None)), raters=True)
    >>> round(float(variances.items), 4), round(float(variances.raters), 4)
    (2.5068, 5.1444)
    """
    shape = sums.number.shape
    flat = _flat(sums)
    known = _enough(flat, raters) & (flat.deviations > 1e-12 * np.maximum(flat.squares, 1e-300))
    logs = np.full((len(known), 2), np.nan)
    logs[known] = _minimised(_some(flat, np.flatnonzero(known)), raters)
    sizes = _relative(logs)
    largest = sizes.max(1)
    rest = np.where(largest < NO_REST, 1.0, largest * 0.0)
    items, others = np.where((rest == 0)[:, None] & (sizes * NO_REST < largest[:, None]), 0.0, sizes).T
    return Components(items.reshape(shape), others.reshape(shape), rest.reshape(shape))


def _enough(sums: RatingSums, raters: bool) -> np.ndarray:
    """Where there are two items, and more ratings than effects of items and raters: else nothing tells them apart."""
    rated = sums.sizes > 0
    items = sums.items[:, rated].sum(1)
    effects = items
    if raters:
        own = np.einsum("brjj->bj", sums.together)
        within = np.einsum("r,brjk->bjk", 1 / np.maximum(sums.sizes, 1), sums.together)
        # Raters who share no items, even by way of others, are not compared: hence the rank, not their number.
        effects = items + np.linalg.matrix_rank(own[:, :, None] * np.eye(own.shape[1]) - within, hermitian=True)
    return np.asarray((items > 1 + 1e-9) & (sums.number > effects + 1e-9))


def _relative(logs: Array) -> Array:
    return np.where(logs <= LEAST, 0.0, np.exp(logs))


def _flat(sums: RatingSums) -> RatingSums:
    """The same sums with one leading axis."""
    lead = sums.number.shape

    def flat(values: Array) -> Array:
        return values.reshape(int(np.prod(lead)), *values.shape[len(lead) :])

    return RatingSums(sums.sizes, *(flat(part) for part in _parts(sums)))


def _parts(sums: RatingSums) -> tuple[Array, ...]:
    return sums.items, sums.together, sums.totals, sums.squared_totals, sums.ratings, sums.squares


def _some(sums: RatingSums, rows: np.ndarray) -> RatingSums:
    return RatingSums(sums.sizes, *(part[rows] for part in _parts(sums)))


def _minimised(sums: RatingSums, raters: bool) -> Array:
    """Logarithms of the relative variances of items and raters, (B, 2), by Newton's method from a middling start."""
    logs = np.tile([0.0, np.log(0.1)] if raters else [0.0, LEAST], (len(sums.squares), 1))
    moving = np.arange(len(logs))
    for _ in range(STEPS):
        if not len(moving):
            break
        part = _some(sums, moving)
        new = _stepped(part, logs[moving], raters)
        moved = np.abs(new - logs[moving]).max(1) > CLOSE
        logs[moving] = new
        moving = moving[moved]
    return logs


def _stepped(sums: RatingSums, logs: Array, raters: bool) -> Array:
    """One step, never upwards: shorter until the criterion does not rise."""
    value, slope = _criterion(sums, logs)
    curves = [(_criterion(sums, logs + nudge)[1] - slope) / NUDGE for nudge in NUDGE * np.eye(2)]
    curve = np.stack(curves, axis=1)
    curve = (curve + np.swapaxes(curve, 1, 2)) / 2
    stuck = ((logs <= LEAST) & (slope >= 0)) | ((logs >= MOST) & (slope <= 0))
    stuck[:, 1] |= not raters
    slope = np.where(stuck, 0.0, slope)
    curve = np.where(stuck[:, :, None] | stuck[:, None, :], np.eye(2), curve)
    bends, ways = np.linalg.eigh(curve)
    along = np.einsum("bij,bi->bj", ways, slope) / np.maximum(np.abs(bends), 1e-300)
    step = -np.clip(np.einsum("bij,bj->bi", ways, along), -LONGEST, LONGEST)
    new = np.clip(logs + step, LEAST, MOST)
    for _ in range(12):
        rising = _criterion(sums, new)[0] > value + 1e-11 * np.abs(value)
        if not rising.any():
            break
        new = np.where(rising[:, None], (logs + new) / 2, new)
    return np.asarray(new)


def _criterion(sums: RatingSums, logs: Array) -> tuple[Array, Array]:
    """Minus twice the restricted log-likelihood, the rest's variance profiled out, and its slope in the logarithms."""
    a, g = _relative(logs).T
    grown = 1 + sums.sizes * a[:, None]
    shrink, change = a[:, None] / grown, 1 / grown**2
    own = np.einsum("brjj->bj", sums.together)
    eye = np.eye(own.shape[1])
    weight = own[:, :, None] * eye - np.einsum("br,brjk->bjk", shrink, sums.together)
    weight_a = -np.einsum("br,brjk->bjk", change, sums.together)
    load = sums.ratings - np.einsum("br,brj->bj", shrink, sums.totals)
    load_a = -np.einsum("br,brj->bj", change, sums.totals)
    inner = eye + g[:, None, None] * weight
    solved = np.linalg.inv(inner)
    one, given = solved.sum(2), np.einsum("bjk,bk->bj", solved, load)
    # Of ratings, of their mean, and of both together, all through the inverse covariance.
    ratings = sums.squares - (shrink * sums.squared_totals).sum(1) - g * (load * given).sum(1)
    ratings_a = (
        -(change * sums.squared_totals).sum(1)
        - 2 * g * (load_a * given).sum(1)
        + g**2 * np.einsum("bj,bjk,bk->b", given, weight_a, given)
    )
    ratings_g = -(given**2).sum(1)
    spread_one = np.einsum("bjk,bk->bj", weight, one)
    mean, mean_a, mean_g = spread_one.sum(1), np.einsum("bj,bjk,bk->b", one, weight_a, one), -(spread_one**2).sum(1)
    both = given.sum(1)
    both_a = (one * load_a).sum(1) - g * np.einsum("bj,bjk,bk->b", one, weight_a, given)
    both_g = -(spread_one * given).sum(1)
    left = np.maximum(ratings - both**2 / mean, 1e-14 * sums.squares)
    left_a = ratings_a - 2 * both * both_a / mean + both**2 * mean_a / mean**2
    left_g = ratings_g - 2 * both * both_g / mean + both**2 * mean_g / mean**2
    free = sums.number - 1
    value = free * np.log(left) + (sums.items * np.log(grown)).sum(1) + np.linalg.slogdet(inner)[1] + np.log(mean)
    slope_a = free * left_a / left + (sums.items * sums.sizes / grown).sum(1)
    slope_a = slope_a + g * np.einsum("bjk,bkj->b", solved, weight_a) + mean_a / mean
    slope_g = free * left_g / left + np.einsum("bjk,bkj->b", solved, weight) + mean_g / mean
    return value, np.stack([a * slope_a, g * slope_g], axis=1)
