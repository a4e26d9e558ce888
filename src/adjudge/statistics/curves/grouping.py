"""Scores in groups: by leading bits when there are too many, by rank when replicates need few cells."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from adjudge.statistics.base import Array, ratio

Cells = NDArray[np.int64]
ScoreValues = NDArray[np.floating]  # float32 where that loses nothing


def leading_bits(scores: ScoreValues, level: int) -> Cells:
    """A whole number for each score, in the scores' order, without its `level` last bits."""
    numbers = scores.astype(np.float64)
    numbers += 0.0  # makes one zero of two
    bits = numbers.view(np.int64)
    if bits.min(initial=0) < 0:
        bits = np.where(bits >= 0, bits, bits ^ np.int64(0x7FFF_FFFF_FFFF_FFFF))
    return np.asarray(bits >> level) if level else bits


def scores_of_bits(bits: Cells) -> Array:
    """The scores that these whole numbers stand for.

    >>> scores_of_bits(leading_bits(np.array([-0.25, 3.0]), 0)).tolist()
    [-0.25, 3.0]
    """
    return np.where(bits >= 0, bits, bits ^ np.int64(0x7FFF_FFFF_FFFF_FFFF)).view(np.float64)


# Scores are grouped so many at a time: what is worked out for them then stays in fast memory.
BLOCK = 2**16
# So are formulas of a million points.
POINTS = 2**14


def in_parts(size: int) -> list[slice]:
    """Places up to a number, so many at a time that what is worked out for them stays in fast memory.

    >>> in_parts(40_000)
    [slice(0, 16384, None), slice(16384, 32768, None), slice(32768, 40000, None)]
    """
    return [slice(start, min(start + POINTS, size)) for start in range(0, size, POINTS)]


def group_starts(ordered: NDArray[np.number]) -> Cells:
    """Where groups begin among ordered scores: equal ones are together.

    >>> group_starts(np.array([0.1, 0.1, 0.2]))
    array([0, 2])
    """
    new = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    return np.flatnonzero(new)


def levels_needed(ordered: ScoreValues, level: int, most: int) -> int:
    """How many bits must go so that at most `most` groups are left of these scores, all different.

    Two neighbours part at the highest bit in which they differ, so one pass tells the groups of every level.
    """
    parting = np.zeros(65, dtype=np.int64)  # neighbours by the bits they differ in
    for start in range(0, len(ordered) - 1, BLOCK):
        bits = leading_bits(ordered[start : start + BLOCK + 1], 0).view(np.uint64)
        differing = bits[1:] ^ bits[:-1]
        differing &= ~(differing >> np.uint64(1))  # so that no number is rounded up to one more bit
        highest = (differing.astype(np.float64).view(np.int64) >> 52) - 1022  # the exponent of a float
        parting += np.bincount(highest, minlength=65)
    apart = parting[::-1].cumsum()[::-1]
    few = np.flatnonzero(1 + apart[1:] <= most)
    return max(level, int(few[0]) if len(few) else 63)


def cells_in(grid: Array, scores: Array) -> Cells:
    """The cell of each score in a grid of falling thresholds; below the last one counts as the last."""
    rising = grid[::-1]
    place = np.searchsorted(rising, scores, side="right") - 1
    return len(grid) - 1 - np.maximum(place, 0)


def coarse_starts(falling: Array, taken: tuple[Array, Array], cells: int, cuts: tuple[float, ...]) -> Cells:
    """Where cells begin so that no cell spans much recall, much false positive rate or much of either end.

    `taken` is what each threshold selects of the positives and of the negatives. The four parts of the ruler: both
    rates, and the logarithm of the rank from the top and from the bottom. Precision near the top moves with the
    logarithm of the rank; so do losses at both ends. The ruler never falls: each of its steps is looked for by halves.
    """
    ends = [float(side[-1]) for side in taken]
    total = ends[0] + ends[1]
    if not total:
        return np.zeros(1, dtype=np.int64)
    steps = np.arange(cells + 1)
    first, last = np.zeros(cells + 1, dtype=np.int64), np.full(cells + 1, len(falling))
    while (first < last).any():
        middle = np.minimum((first + last) // 2, len(falling) - 1)
        above = [side[middle] for side in taken]
        rates = sum(np.nan_to_num(ratio(side, end)) for side, end in zip(above, ends, strict=True))
        rank = above[0] + above[1]
        top = np.log1p(rank) / np.log1p(total)
        bottom = 1 - np.log1p(total - rank) / np.log1p(total)
        reached = np.floor((rates + top + bottom) / 4 * cells) >= steps
        first, last = np.where(reached | (first == last), first, middle + 1), np.where(reached, middle, last)
    below = np.array([np.count_nonzero(falling >= cut) for cut in cuts], dtype=np.int64)
    places = np.unique(np.concatenate([first, below]))
    return places[places < len(falling)]


@dataclass(frozen=True, slots=True)
class Bins:
    """Neighbouring places in a row of cells: bin k holds those from starts[k] up to ends[k]."""

    starts: Cells
    ends: Cells

    @classmethod
    def on_grid(cls, grid: Array, falling: Array) -> Self:
        """Falling scores in the cells of a grid of falling thresholds: see `cells_in`."""
        above = len(falling) - np.searchsorted(falling[::-1], grid, side="left")
        ends = np.append(above[:-1], len(falling))
        return cls(np.append(0, ends[:-1]), ends)

    def sums(self, amounts: Array) -> Array:
        """Amounts along the last axis, summed in each bin.

        >>> Bins(np.array([0, 2, 2]), np.array([2, 2, 3])).sums(np.array([1.0, 2.0, 4.0]))
        array([3., 0., 4.])
        """
        sums, some = np.zeros((*amounts.shape[:-1], len(self.starts))), self.ends > self.starts
        if some.any():
            sums[..., some] = np.add.reduceat(amounts, self.starts[some], axis=-1)
        return sums


@dataclass(frozen=True, eq=False)
class OneScore:
    """What is inside a cell of one score, or of scores very near to each other: see `Inside`."""

    scores: Array  # (T,), or (2, T): the mean of the positives, and of the negatives, in each cell

    @cached_property
    def log_likelihood(self) -> Array:
        """Logarithm of the probability given to what happened, (2, T)."""
        positive, negative = self.mean_score
        values = np.empty((2, len(positive)))
        with np.errstate(divide="ignore", invalid="ignore"):
            np.log(positive, out=values[0])
            np.log1p(np.negative(negative, out=values[1]), out=values[1])
        return values

    @property
    def squared_error(self) -> Array:
        """Squared distance of the score from what happened, (2, T)."""
        positive, negative = self.mean_score
        values = np.empty((2, len(positive)))
        np.subtract(1, positive, out=values[0])
        values[1] = negative
        return np.square(values, out=values)

    def forget(self) -> None:
        """Drop what was worked out: it is as large as the counts, and few formulas ask for it."""
        self.__dict__.pop("log_likelihood", None)

    @property
    def mean_score(self) -> Array:
        """The score, (2, T)."""
        return np.broadcast_to(self.scores, (2, self.scores.shape[-1]))

    @property
    def concordance(self) -> Array:
        """Equal scores are ties, (T,)."""
        return np.broadcast_to(0.5, self.scores.shape[-1])


@dataclass(frozen=True, slots=True)
class Inside:
    """What the rows of each cell have in common; first axis: positives, negatives."""

    log_likelihood: Array  # (2, T): mean logarithm of the probability given to what happened
    squared_error: Array  # (2, T): mean squared distance of the score from what happened
    mean_score: Array  # (2, T)
    concordance: Array  # (T,): share of (positive, negative) pairs in order, ties one half

    @classmethod
    def of_means(cls, means: Array, amounts: Array, cells: Cells, counts: Array) -> Self:
        """Cells of rows whose mean score, surprise and squared error is known; cells: positives first, then negatives.

        Scores within a cell tie.
        """
        sums = [np.bincount(cells, products(column, amounts), counts.size) for column in means.T]
        score, surprise, error = (
            np.nan_to_num(ratio(each.reshape(counts.shape), counts), posinf=np.inf) for each in sums
        )
        return cls(-surprise, error, score, np.full(counts.shape[-1], 0.5))

    @classmethod
    def of_bins(cls, fine: OneScore | Inside, counts: Array, bins: Bins) -> Self:
        """Cells of neighbouring scores: means over the rows in them."""
        amounts = bins.sums(counts)

        def mean(values: Array) -> Array:
            weighted = products(values, counts)
            return np.asarray(np.nan_to_num(ratio(bins.sums(weighted), amounts), posinf=np.inf, neginf=-np.inf))

        positives, negatives = counts
        below = np.repeat(amounts[1].cumsum(), bins.ends - bins.starts)
        below -= negatives.cumsum()
        below += negatives / 2
        below *= positives
        concordance = ratio(bins.sums(below), amounts[0] * amounts[1])
        return cls(
            mean(fine.log_likelihood),
            mean(fine.squared_error),
            mean(fine.mean_score),
            np.where(np.isnan(concordance), 0.5, concordance),
        )


def products(values: Array, counts: Array, out: Array | None = None) -> Array:
    """Values times how often they occur; what does not occur adds nothing, however infinite.

    >>> products(np.array([2.0, np.inf]), np.array([3.0, 0.0])).tolist()
    [6.0, 0.0]
    """
    with np.errstate(invalid="ignore"):
        times = np.asarray(np.multiply(values, counts, out=out))
    # One pass tells whether any is not a number: a sum that overflows is looked at as well.
    return times if np.isfinite(times.sum()) else np.where(counts > 0, times, 0.0)
