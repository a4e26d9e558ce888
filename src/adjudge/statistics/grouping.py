"""Scores in groups: by leading bits when there are too many, by rank when replicates need few cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from adjudge.statistics.base import Array, ratio

Cells = NDArray[np.int64]


def leading_bits(scores: Array, level: int) -> Cells:
    """A whole number for each score, in the scores' order, without its `level` last bits."""
    bits = (scores + 0.0).view(np.int64)  # + 0.0 makes one zero of two
    ordered = np.where(bits >= 0, bits, bits ^ np.int64(0x7FFF_FFFF_FFFF_FFFF))
    return np.asarray(ordered >> level)


def levels_needed(falling: Array, level: int, most: int) -> int:
    """How many bits must go so that at most `most` groups are left. Groups are nested, so this is monotone."""
    low, high = level, 63
    while low < high:
        middle = (low + high) // 2
        groups = 1 + int(np.count_nonzero(np.diff(leading_bits(falling, middle))))
        low, high = (low, middle) if groups <= most else (middle + 1, high)
    return low


def cells_in(grid: Array, scores: Array) -> Cells:
    """The cell of each score in a grid of falling thresholds; below the last one counts as the last."""
    rising = grid[::-1]
    place = np.searchsorted(rising, scores, side="right") - 1
    return len(grid) - 1 - np.maximum(place, 0)


def coarse_starts(falling: Array, counts: Array, cells: int, cuts: tuple[float, ...]) -> Cells:
    """Where cells begin so that no cell spans much recall, much false positive rate or much of either end.

    The four parts of the ruler: both rates, and the logarithm of the rank from the top and from the
    bottom. Precision near the top moves with the logarithm of the rank; so do losses at both ends.
    """
    above = counts.cumsum(-1)
    rates = np.nan_to_num(ratio(above, above[:, -1:]))
    rank = above.sum(0)
    total = rank[-1]
    top = np.log1p(rank) / np.log1p(total)
    bottom = 1 - np.log1p(total - rank) / np.log1p(total)
    step = np.floor((rates.sum(0) + top + bottom) / 4 * cells)
    new = np.diff(step, prepend=-1.0) != 0
    for cut in cuts:
        new |= np.diff(falling >= cut, prepend=falling[0] >= cut)
    return np.flatnonzero(new)


@dataclass(frozen=True, slots=True)
class Inside:
    """What the rows of each cell have in common; first axis: positives, negatives."""

    log_likelihood: Array  # (2, T): mean logarithm of the probability given to what happened
    squared_error: Array  # (2, T): mean squared distance of the score from what happened
    mean_score: Array  # (2, T)
    concordance: Array  # (T,): share of (positive, negative) pairs in order, ties one half

    @classmethod
    def of_scores(cls, scores: Array) -> Self:
        """Cells of one score each."""
        with np.errstate(divide="ignore", invalid="ignore"):
            log_likelihood = np.stack([np.log(scores), np.log1p(-scores)])
        squared_error = np.stack([(1 - scores) ** 2, scores**2])
        return cls(log_likelihood, squared_error, np.stack([scores, scores]), np.full(len(scores), 0.5))

    @classmethod
    def of_cells(cls, scores: Array, counts: Array, cell: Cells, size: int) -> Self:
        """Cells of neighbouring scores: means over the rows in them."""
        fine = cls.of_scores(scores)

        def mean(values: Array) -> Array:
            return np.stack([_mean_in_cells(values[k], counts[k], cell, size) for k in range(2)])

        positives, negatives = counts
        passed = negatives.cumsum()
        last = np.bincount(cell, weights=negatives, minlength=size).cumsum()
        in_order = positives * (last[cell] - passed + negatives / 2)
        pairs = np.bincount(cell, weights=positives, minlength=size) * np.bincount(
            cell, weights=negatives, minlength=size
        )
        concordance = ratio(np.bincount(cell, weights=in_order, minlength=size), pairs)
        return cls(
            mean(fine.log_likelihood),
            mean(fine.squared_error),
            mean(fine.mean_score),
            np.where(np.isnan(concordance), 0.5, concordance),
        )


def _mean_in_cells(values: Array, amounts: Array, cell: Cells, size: int) -> Array:
    with np.errstate(invalid="ignore"):
        weighted = np.where(amounts > 0, values * amounts, 0.0)
    sums = np.bincount(cell, weights=weighted, minlength=size)
    means = ratio(sums, np.bincount(cell, weights=amounts, minlength=size))
    return np.asarray(np.nan_to_num(means, posinf=np.inf, neginf=-np.inf))
