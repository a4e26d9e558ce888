"""What every statistic shares: it is a frozen value that adds, and a formula may divide its sums safely."""

from __future__ import annotations

from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Statistic(Protocol):
    """A weighted sum over units.

    Laws, tested for every statistic: (a + b) + c == a + (b + c), a + b == b + a, and collecting two
    parts and adding equals collecting the whole. Leading axes (…) belong to the caller: one entry
    for each replicate. Trailing axes belong to the formula.
    """

    def __add__(self, other: Self) -> Self:
        """The statistic of both parts together."""


def ratio(above: Any, below: Any) -> Any:
    """above / below, NaN where below is zero, without a warning.

    >>> ratio(np.array([1.0, 1.0]), np.array([2.0, 0.0]))
    array([0.5, nan])
    """
    above, below = np.asarray(above, dtype=np.float64), np.asarray(below, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(below == 0, np.nan, above / below)


# Products of matrices beyond this many multiplications are spread over threads, which spin while they wait for one
# another: on a busy machine a sum that takes a tenth of a second then takes seconds. Blocks below it are steady.
STEADY = 2**18
FEWEST_ROWS = 4


def steady_product(left: Array, right: Array) -> Array:
    """left @ right, block by block where blocks are small work: of rows, or of what is summed over.

    >>> steady_product(np.ones((2, 3)), np.ones((3, 1))).tolist()
    [[3.0], [3.0]]
    """
    if left.ndim != 2:
        return np.asarray(left @ right)
    if (step := STEADY // max(right.size, 1)) >= FEWEST_ROWS:
        return np.concatenate([left[start : start + step] @ right for start in range(0, max(len(left), 1), step)])
    step = STEADY // max(len(left) * right.shape[1], 1)
    if step < FEWEST_ROWS:
        return np.asarray(left @ right)
    total = left[:, :step] @ right[:step]
    for start in range(step, len(right), step):
        total += left[:, start : start + step] @ right[start : start + step]
    return np.asarray(total)
