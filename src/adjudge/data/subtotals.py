"""Rows that hold the sum of the rows above them, since the last such row."""

from __future__ import annotations

import numpy as np

from adjudge.data.judgements.columns import Array

FEWEST_ROWS, FEWEST_PARTS, MOST_TOTALS = 20, 3, 64
LARGER, CLOSE, MOSTLY = 2.0, 1e-6, 0.6  # than all that is summed; in relation to the sum; of the largest numbers


def subtotal_rows(values: Array) -> int:
    """How many of the largest numbers are the sums of what stands above each, back to the one before.

    >>> subtotal_rows(np.array([3.0, 4, 5, 4, 16] * 5))
    5
    """
    numbers = np.where(np.isfinite(values), values, 0.0)
    sizes = np.abs(numbers)
    if len(numbers) < FEWEST_ROWS or not sizes.max() > LARGER * np.median(sizes):
        return 0
    largest = np.argsort(-sizes, kind="stable")[: min(MOST_TOTALS, len(numbers) // FEWEST_PARTS) + 1]
    best = 0
    for many in range(2, len(largest)):
        if sizes[largest[many - 1]] > LARGER * sizes[largest[many]]:
            summed = _sums_above(numbers, np.sort(largest[:many]))
            best = max(best, summed if summed >= MOSTLY * many else 0)
    return best


def _sums_above(numbers: Array, totals: np.ndarray) -> int:
    """How many of these rows are the sum of all rows since the one before."""
    others = numbers.copy()
    others[totals] = 0.0
    sums = np.cumsum(others)[totals]
    parts = np.diff(sums, prepend=0.0)
    rows = np.diff(totals, prepend=-1) - 1
    close = np.abs(parts - numbers[totals]) <= CLOSE * np.abs(numbers[totals])
    return int((close & (rows >= FEWEST_PARTS)).sum())
