"""Means over rows of what was summed of pairs of numbers, with their spread: what Student's interval starts from."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from adjudge.metrics.intervals import Mean
from adjudge.statistics.base import ratio
from adjudge.statistics.numbers.pairs import Combination, NumberPairs

# What rounding leaves of no spread, relative to what was summed.
NO_SPREAD = 1e-13


def mean_over_rows(values: Callable[..., Combination], over: str = "n") -> Callable[..., Mean]:
    """What makes the mean of a combination of sums, over all rows or over those that `over` counts.

    >>> mean = mean_over_rows(lambda pairs: {"absolute": 1.0})(NumberPairs.of_arrays([1, 2, 6], [1, 3, 4]))
    >>> float(mean.average), round(float(mean.variance), 4), float(mean.effective_rows)
    (1.0, 0.6667, 3.0)
    """

    def mean(pairs: NumberPairs, **parameters: object) -> Mean:
        if over not in pairs.sums.places:
            return Mean(*(np.full((), np.nan) for _ in range(3)))
        combination, total = values(pairs, **parameters), pairs.of(over)
        average = ratio(sum(pairs.of(name) * factor for name, factor in combination.items()), total)
        rows = ratio(total**2, pairs.sums.squares_of(over))
        squares = pairs.squares_of({**combination, over: combination.get(over, 0.0) - float(average)})
        squares = np.where(squares <= NO_SPREAD * pairs.squares_of(combination), 0.0, squares)
        return Mean(np.asarray(average), np.asarray(ratio(squares * rows, total**2)), np.asarray(rows))

    return mean
