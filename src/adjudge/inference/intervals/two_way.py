"""When raters are a sample too: intervals that hold for other raters of the same kind, not for these alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from adjudge.inference.intervals.interval import Bounds
from adjudge.inference.resampling import percentile
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array
from adjudge.statistics.cells import generator
from adjudge.statistics.kinds import RaterView
from adjudge.statistics.ratings.patterns import Patterns
from adjudge.statistics.ratings.set_ratings import SetRatings
from adjudge.statistics.ratings.spans import SpanCounts
from adjudge.statistics.ratings.vectors import RatingVectors

# Leaving one of two raters out leaves nothing to agree.
FEWEST_RATERS = 3


def rater_error(metric: Metric, vectors: RatingVectors | SetRatings | SpanCounts) -> float:
    """Standard error that comes from which raters there are: the jackknife over raters.

    Raters are not drawn with replacement: a rater drawn twice would agree with itself.

    >>> from adjudge.metrics import fleiss_kappa
    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> from adjudge.statistics.ratings.vectors import RatingVectors
    >>> from adjudge.statistics.weights import Weights
    >>> same = RatingVectors.collect(ratings_of([["a", "a", "a"], ["b", "b", "b"]]), Weights(2))
    >>> rater_error(fleiss_kappa, same)
    0.0
    """
    raters = len(vectors.raters)
    if raters < FEWEST_RATERS:
        return float("nan")
    left = []
    for out in range(raters):
        view = vectors.of_raters([rater for rater in range(raters) if rater != out])
        others = view.statistic if isinstance(view, RaterView) else view
        if metric.over is Patterns and isinstance(others, RatingVectors):
            left.append(float(metric.values(others.patterns)))
        else:
            left.append(float(metric.values(others)))
    values = np.array([value for value in left if np.isfinite(value)])
    if len(values) < FEWEST_RATERS:
        return float("nan")
    return float(np.sqrt((len(values) - 1) / len(values) * ((values - values.mean()) ** 2).sum()))


def two_way(
    metric: Metric,
    vectors: RatingVectors | SetRatings | SpanCounts,
    replicate_values: Array,
    *,
    level: float,
    seed: int,
    units: float | None = None,
) -> Bounds | None:
    """Limits over items and raters: item draws, spread by what raters add. None with fewer than three raters.

    Draws are Bayesian, and read as such when it is known how many `units` they are of: raters never take doubt away.
    """
    error = rater_error(metric, vectors)
    if not np.isfinite(error):
        return None
    noise = generator(seed, f"two way/{metric!r}").standard_normal(len(replicate_values)) * error
    bounds = percentile("bayesian", replicate_values + noise, level, units)
    return replace(bounds, method="two_way").within(metric.range)
