"""From plain arrays to a statistic: what makes a metric callable on two lists."""

from __future__ import annotations

from typing import Any

from adjudge.data.columns import Judgements, Scores, checked_scores, checked_weights
from adjudge.data.labels import Labels, label_text, labels_of
from adjudge.data.ratings import ratings_of
from adjudge.errors import BadValue, SettingError, listed, quoted
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curve import Curves
from adjudge.statistics.losses import Losses
from adjudge.statistics.patterns import Patterns
from adjudge.statistics.rating_vectors import RatingVectors
from adjudge.statistics.weights import Weights

RATINGS = (Patterns, RatingVectors)


def statistic_of_arrays(
    over: type[Any], reference: Any, other: Any, *, weights: Any = None, positive: Any = None, categories: Any = None
) -> Any:
    """The statistic of two arrays, or of a matrix of ratings, whichever kind is asked for."""
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
        return label_text(positive)
    if len(categories) > 2:
        raise SettingError(f"`positive` must say which category the score speaks of: there are {listed(categories)}.")
    return categories[-1] if categories else "1"


def checked_positive(positive: Any, known: tuple[str, ...]) -> None:
    """A positive category must be one of the labels."""
    if positive is not None and known and label_text(positive) not in known:
        raise SettingError(f"`positive` must be one of {listed(dict.fromkeys(known))}, not {quoted(positive)}.")
