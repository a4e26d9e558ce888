"""How many more items to have rated, by the ratings that are there."""

from __future__ import annotations

import numpy as np

from adjudge.data.judgements.ratings import Ratings
from adjudge.diagnosis.raters.distinct_ratings import DistinctRatings
from adjudge.diagnosis.raters.draws import groups_of, replicate_weights
from adjudge.diagnosis.raters.without_raters import values_without
from adjudge.errors import SettingError
from adjudge.inference.planning.rated_items import Projection, checked_half_width, projected
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics.base import Metric
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.ratings.patterns import Patterns
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.weights import Weights


def items_needed(
    ratings: Ratings | DistinctRatings,
    metric: Metric,
    half_width: float,
    level: float = 0.95,
    settings: Bootstrap | None = None,
) -> Projection:
    """How many items in all would bring the interval of this metric down to a half-width.

    The present half-width is read from the smoothed Bayesian draws and scaled with 1 / √n. Where items have weights
    or clusters, they are items of mean weight, in clusters like these.

    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> from adjudge.metrics import krippendorff_alpha
    >>> ratings = ratings_of([["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"]] * 10)
    >>> items_needed(ratings, krippendorff_alpha, 0.1).needed > 40
    True
    """
    checked_half_width(half_width)
    if isinstance(ratings, DistinctRatings):
        items = ratings.size(np.asarray(ratings.rated.any(1))).n
        draws = drawn_values(ratings, metric, settings or Bootstrap())
    else:
        items = int((ratings.codes >= 0).any(1).sum()) if ratings.codes.shape[1] else 0
        draws = metric_draws(ratings, metric, settings or Bootstrap())
    draws = draws[~np.isnan(draws)]
    return projected(draws, items, half_width, level)


def metric_draws(ratings: Ratings, metric: Metric, settings: Bootstrap) -> np.ndarray:
    """Smoothed Bayesian draws of one metric: of all raters, or of the first two for a metric of a table."""
    weights = Weights(len(ratings))
    statistic: Patterns | RatingVectors | Confusion
    _check_single(metric)
    if len(ratings) == 0 or ratings.codes.shape[1] < 2:
        return np.zeros(0)
    if metric.over is Patterns:
        statistic = Patterns.collect(ratings, weights)
    elif metric.over is RatingVectors:
        statistic = RatingVectors.collect(ratings, weights)
    else:
        statistic = RatingVectors.collect(ratings, weights).table_of(0, 1)
    return metric.values(statistic.resampled("bayesian", settings.replicates, settings.seed, "planning"))


def drawn_values(table: DistinctRatings, metric: Metric, settings: Bootstrap) -> np.ndarray:
    """The same of items that have weights or clusters."""
    _check_single(metric)
    if table.items == 0 or len(table.raters) < 2:
        return np.zeros(0)
    if metric.over is not Confusion:
        return values_without(table, metric, [], settings, "planning")[1][:, 0]
    two = table.of_raters([0, 1])
    vectors, members = two.vectors, groups_of(two).members
    nothing = np.zeros((len(table.categories),) * 2)
    values = []
    for weights, prior in replicate_weights(two, settings, "planning", cells=len(two.rows)):
        tables = vectors.with_counts((members @ weights).T).pair_counts[:, 0] + prior
        values.append(metric.values(Confusion(table.categories, tables, nothing, 0)))
    return np.concatenate(values)


def _check_single(metric: Metric) -> None:
    if metric.by_category:
        raise SettingError(f'`{metric.name}` is one number for each category; use {metric.name}.averaged("macro").')
    if metric.over not in (Patterns, RatingVectors, Confusion):
        raise SettingError(f"`{metric.name}` is not a metric of ratings.")
