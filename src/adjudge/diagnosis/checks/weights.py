"""Checks of weights that were made from the answers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from adjudge.diagnosis.checks.check import SERIOUS, Check
from adjudge.errors import quoted
from adjudge.statistics.confusion import Confusion

FEWEST_WRONG, FEWEST_RIGHT = 10, 40
ONE_WEIGHT = 1e-9  # a spread, as a share of the mean square, that no two weights have


def weights_by_errors(weight: str, table: Confusion, wrong: int) -> Iterator[Check]:
    """C25: one weight in all rows that are right, and another in all that are wrong.

    Labels have weights of their own where classes are balanced: of an answer that is the same everywhere, right and
    wrong rows are those of labels.
    """
    right = table.rows - wrong
    answers = np.count_nonzero(table.prediction_total)
    if wrong < FEWEST_WRONG or right < FEWEST_RIGHT or answers < 2:
        return
    weights = [float(table.agreed), float(table.total - table.agreed)]
    squares = [float(table.squared.agreed), float(table.squared.total - table.squared.agreed)]
    means = [sums / rows for sums, rows in zip(weights, (right, wrong), strict=True)]
    spreads = [of / rows - mean**2 for of, rows, mean in zip(squares, (right, wrong), means, strict=True)]
    one_each = all(abs(spread) <= ONE_WEIGHT * mean**2 for spread, mean in zip(spreads, means, strict=True))
    if one_each and abs(means[0] - means[1]) > 1e-6 * max(means):
        yield Check(
            "C25",
            SERIOUS,
            f"The weights in {quoted(weight)} are {means[0]:.6g} in all rows that are right and {means[1]:.6g} in all "
            "that are wrong: were they made from the answers? Leave `weight` out, or give another column.",
        )
