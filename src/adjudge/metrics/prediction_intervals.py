"""Predictions that are intervals: how often they hold the reference, and how wide they are."""

from __future__ import annotations

import numpy as np

from adjudge.metrics.base import Direction, metric
from adjudge.metrics.error_values import mean_over_rows
from adjudge.metrics.intervals import Share
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.numbers.pairs import NumberPairs

NO_BOUNDS = "no row has a lower and an upper bound"


def _covered(pairs: NumberPairs) -> Share | None:
    if "bounded" not in pairs.sums.places:
        return None
    return Share(pairs.of("covered"), pairs.of("bounded"), pairs.sums.squares_of("bounded"))


@metric(
    over=NumberPairs,
    label="Coverage of prediction intervals",
    direction=Direction.HIGHER,
    range=(0.0, 1.0),
    undefined=NO_BOUNDS,
    intervals=("guarded_wilson", "wilson", "clopper_pearson", "bootstrap"),
    share=_covered,
    references=["Gneiting & Raftery 2007", "Wilson 1927 (interval)"],
    unit="share",
)
def interval_coverage(pairs: NumberPairs) -> Array:
    """Share of rows whose reference lies in the predicted interval, its ends included; compare it with what it claims.

    From arrays, the prediction has two columns (lower, upper) or three (prediction, lower, upper).

    Undefined when no row has both bounds, the lower one not above the upper.

    >>> interval_coverage([1, 2, 3, 4], [[0, 2], [2, 3], [0, 1], [3, 5]])
    0.75
    """
    return np.asarray(ratio(pairs.of("covered"), pairs.of("bounded")))


@metric(
    over=NumberPairs,
    label="Width of prediction intervals",
    mean=mean_over_rows(lambda pairs: {"width": 1.0}, "bounded"),
    direction=Direction.LOWER,
    range=(0.0, np.inf),
    undefined=NO_BOUNDS,
    intervals=("johnson", "student", "bootstrap"),
    references=["Gneiting & Raftery 2007", "Johnson 1978 (interval)"],
)
def interval_width(pairs: NumberPairs) -> Array:
    """Mean width of the predicted intervals; of two systems with the same coverage, the narrower one knows more.

    From arrays, the prediction has two columns (lower, upper) or three (prediction, lower, upper).

    Undefined when no row has both bounds, the lower one not above the upper.

    >>> interval_width([1, 2, 3, 4], [[0, 2], [2, 3], [0, 1], [3, 5]])
    1.5
    """
    return np.asarray(ratio(pairs.of("width"), pairs.of("bounded")))
