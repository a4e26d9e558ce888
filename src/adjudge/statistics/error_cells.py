"""Errors of a system summed by slice level and human score: what the fairness regressions are worked out from."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from adjudge.statistics.base import Array


@dataclass(frozen=True, slots=True)
class CellSums:
    """One value by cell: how many responses, the sum, and the sum of squares about a constant."""

    counts: Array  # (groups, levels)
    first: Array
    second: Array
    centre: float


@dataclass(frozen=True, slots=True)
class ErrorCells:
    """Errors and squared errors of a system (system less human) in cells of group × human score.

    >>> cells = ErrorCells.collect(np.array([1.0, 2, 2]), np.array([1.0, 2, 3]), np.array([0, 0, 1]), ("a", "b"))
    >>> cells.levels, cells.errors.counts.tolist()
    (('1', '2'), [[1.0, 1.0], [0.0, 1.0]])
    """

    groups: tuple[str, ...]
    levels: tuple[str, ...]  # of the human score: its values, or spans of them
    errors: CellSums
    squared: CellSums

    @classmethod
    def collect(
        cls,
        human: Array,
        system: Array,
        groups: NDArray[np.int64],
        names: tuple[str, ...],
        most_levels: int | None = None,
    ) -> ErrorCells:
        """Sum the responses, without those of no group (-1); human scores of more levels than told are binned."""
        known = groups >= 0
        human, system, groups = human[known], system[known], groups[known]
        place, levels = _levels(human, most_levels)
        size = (len(names), len(levels))
        cell = groups * len(levels) + place
        errors = system - human
        return cls(names, levels, _sums(errors, cell, size), _sums(errors**2, cell, size))


# Of a human score that is as good as continuous.
BINS = 10


def _levels(human: Array, most: int | None) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    values, place = np.unique(human, return_inverse=True)
    if most is None or len(values) <= most:
        return place.reshape(-1), tuple(f"{value:g}" for value in values)
    edges = np.unique(np.quantile(human, np.arange(1, BINS) / BINS))
    ends = ["", *(f"{edge:.4g}" for edge in edges), ""]
    named = tuple(f"{low} to {high}".strip() for low, high in pairwise(ends))
    place = np.searchsorted(edges, human, side="right")
    used, place = np.unique(place, return_inverse=True)
    return place.reshape(-1), tuple(named[bin_] for bin_ in used)


def _sums(values: Array, cell: NDArray[np.int64], size: tuple[int, int]) -> CellSums:
    centre = float(values.mean()) if len(values) else 0.0
    cells = size[0] * size[1]
    counts, first, second = (
        np.bincount(cell, weights=amount, minlength=cells).astype(np.float64).reshape(size)
        for amount in (None, values - centre, (values - centre) ** 2)
    )
    return CellSums(counts, first, second, centre)
