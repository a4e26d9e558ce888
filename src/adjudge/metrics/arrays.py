"""From plain arrays to a statistic: what makes a metric callable on two lists."""

from __future__ import annotations

from typing import Any

import numpy as np

from adjudge.data.columns import Judgements, Scores, checked_scores, checked_weights
from adjudge.data.labels import Labels, label_text, labels_of
from adjudge.data.ratings import Ratings, ratings_of
from adjudge.data.tags import annotations_of
from adjudge.errors import BadValue, SettingError, listed, quoted
from adjudge.statistics.base import Array
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curve import Curves
from adjudge.statistics.losses import Losses
from adjudge.statistics.number_pairs import NumberPairs
from adjudge.statistics.patterns import Patterns
from adjudge.statistics.rating_vectors import RatingVectors
from adjudge.statistics.residuals import Residuals
from adjudge.statistics.score_sums import ScoreSums
from adjudge.statistics.spans import SpanCounts
from adjudge.statistics.weights import Weights

RATINGS = (Patterns, RatingVectors)


def statistic_of_arrays(
    over: type[Any],
    reference: Any,
    other: Any,
    *,
    weights: Any = None,
    positive: Any = None,
    categories: Any = None,
    drops_missing: bool = False,
) -> Any:
    """The statistic of two arrays, or of a matrix of ratings, whichever kind is asked for.

    `drops_missing` says that both arrays are raters' and not a reference with predictions: a row without
    both is left out of a confusion table instead of being refused.
    """
    if drops_missing:
        return table_of_raters(ratings_of(reference, other, categories), weights)
    if over in (NumberPairs, Residuals):
        return over.of_arrays(reference, other, weights=weights)
    if over is SpanCounts:
        return spans_of_arrays(reference, other, weights)
    if over is ScoreSums:
        return scores_of_arrays(reference, other, weights)
    if over in RATINGS:
        ratings = ratings_of(reference, other, categories)
        return over.collect(ratings, Weights(len(ratings), checked_weights(weights, len(ratings))))
    if other is None:
        raise SettingError("This metric needs two arrays: the reference, and the prediction or score.")
    labels = labels_of(reference, "reference")
    case = checked_weights(weights, len(labels))
    if over is Confusion:
        predicted = labels_of(other, "prediction")
        if len(predicted) != len(labels):
            raise BadValue(
                f"`prediction` must be as long as `reference` ({len(labels)} rows), but it has {len(predicted)}."
            )
        checked_positive(positive, (*labels.categories, *predicted.categories))
        return Confusion.collect(Judgements(labels, prediction=predicted), Weights(len(labels), case))
    judgements = Judgements(labels, scores=scores_of(labels, other, positive, categories))
    if over is Losses and len(judgements.scores.categories) == 1:  # type: ignore[union-attr]
        return Losses.from_curve(Curves.collect(judgements, Weights(len(labels), case)).curves[0])
    return over.collect(judgements, Weights(len(labels), case))


def scores_of_arrays(ratings: Any, scores: Any, weights: Any) -> ScoreSums:
    """The sums of ratings (a list, or a column for each rater) and of a system's scores."""
    given = checked_ratings(ratings)
    if scores is None and given.shape[1] < 2:
        raise SettingError("This metric needs the ratings and the system's scores, or a matrix of ratings.")
    case = checked_weights(weights, len(given))
    system = None if scores is None else checked_scores(scores, len(given))[:, 0]
    return ScoreSums.of_arrays(given, system, Weights(len(given), case))


def checked_ratings(ratings: Any) -> Array:
    """Ratings as numbers, (responses, raters): finite, or NaN where a response was not rated.

    >>> checked_ratings([[1, 2], [3, None]])
    array([[ 1.,  2.],
           [ 3., nan]])
    """
    try:
        values = np.asarray(ratings, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadValue("Ratings must be numbers, in a list or in rows of equal length, but some are not.") from None
    matrix = values[:, None] if values.ndim == 1 else values
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        raise BadValue(f"Ratings must be a list or a matrix of responses × raters, but the shape is {values.shape}.")
    if np.isinf(matrix).any() or (matrix.shape[1] == 1 and np.isnan(matrix).any()):
        raise BadValue("Ratings must be finite numbers, but some are missing or infinite. Leave those rows out first.")
    return matrix


def table_of_raters(ratings: Ratings, weights: Any) -> Confusion:
    """The confusion table of two raters, from the items that both rated; its scale is that of the ratings."""
    if len(ratings.raters) != 2:
        raise SettingError(
            f"This metric compares two raters, but there are {len(ratings.raters)}. "
            "Choose two, or use a metric for many."
        )
    both = np.flatnonzero((ratings.codes >= 0).all(1))
    size = len(ratings.categories)
    cells = ratings.codes[both, 0] * size + ratings.codes[both, 1]
    paired = Weights(len(ratings), checked_weights(weights, len(ratings))).of_rows(both)
    counts, squares = (sums.reshape(size, size) for sums in paired.sums_by(cells, size**2))
    return Confusion(ratings.categories, counts, squares, len(both))


def counts_of_ratings(ratings: Ratings) -> dict[str, float]:
    """How much was rated, how often, and with how many categories.

    >>> found = counts_of_ratings(ratings_of([["a", "b"], ["a", None], [None, None]], scale=["a", "b", "c"]))
    >>> found["items"], found["paired_items"], found["ratings"], found["categories_used"], found["categories_declared"]
    (2.0, 1.0, 3.0, 2.0, 3.0)
    """
    rated = ratings.codes >= 0
    each = rated.sum(1)
    each = each[each > 0]
    spread = (each.min(), each.mean(), each.max()) if len(each) else (np.nan,) * 3
    return {
        "items": float(len(each)),
        "paired_items": float((each >= 2).sum()),
        "ratings": float(each.sum()),
        "fewest_ratings": float(spread[0]),
        "mean_ratings": float(spread[1]),
        "most_ratings": float(spread[2]),
        "categories_used": float(len(np.unique(ratings.values[rated]))),
        "categories_declared": float(len(ratings.categories)),
    }


def scores_of(reference: Labels, score: Any, positive: Any, categories: Any) -> Scores:
    """Scores with the categories their columns stand for."""
    values = checked_scores(score, len(reference))
    if values.shape[1] == 1:
        return Scores((positive_category(reference.categories, positive),), values)
    named = tuple(label_text(c) for c in categories) if categories is not None else reference.categories
    if len(named) != values.shape[1]:
        raise SettingError(
            f"`categories` must name each of the {values.shape[1]} score columns, "
            f"but there are {len(named)}: {listed(named)}."
        )
    return Scores(named, values)


def positive_category(categories: tuple[str, ...], positive: Any) -> str:
    """The category a single score speaks of: the given one, or the last of two (1, True, "yes")."""
    if positive is not None:
        if len(categories) > 1:
            checked_positive(positive, categories)
        return label_text(positive)
    if len(categories) > 2:
        raise SettingError(f"`positive` must say which category the score speaks of: there are {listed(categories)}.")
    return categories[-1] if categories else "1"


def checked_positive(positive: Any, known: tuple[str, ...]) -> None:
    """A positive category must be one of the labels."""
    if positive is not None and known and label_text(positive) not in known:
        raise SettingError(f"`positive` must be one of {listed(dict.fromkeys(known))}, not {quoted(positive)}.")


def spans_of_arrays(
    reference: Any, other: Any = None, weights: Any = None, *, scheme: str = "bio", mode: str = "strict-penalise"
) -> SpanCounts:
    """The counts of spans of two annotators' documents, or of a list of annotators."""
    annotators = list(reference) if other is None else [reference, other]
    annotations = annotations_of(annotators, scheme, mode)
    return SpanCounts.collect(annotations, Weights(len(annotations), checked_weights(weights, len(annotations))))
