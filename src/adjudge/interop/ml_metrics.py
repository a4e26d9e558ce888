"""The functions of benhamner/Metrics' `quadratic_weighted_kappa.py`, by their own names, for scripts that call them.

Same arguments and same figures where the original is right. Where it is not, these differ on purpose: any
sequence is taken for ratings; a single rating throughout gives NaN; a score off the scale is named in an error; scores
that are not whole keep their value; essays are aligned by their id, never by position. `essay_sets` is the mean over
sets as an evaluation, with its interval.
"""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray

from adjudge.data.arrays import is_listed
from adjudge.data.decode import numbers_of
from adjudge.data.judgements.columns import Array, Judgements
from adjudge.data.judgements.labels import Labels, label_text
from adjudge.data.values import label_written
from adjudge.errors import BadValue, check_choice, listed, literal, quoted
from adjudge.evaluation.asking.border import bordered
from adjudge.evaluation.asking.settings import finite_setting
from adjudge.evaluation.take_away.exports import DataFrame
from adjudge.metrics.chance_agreement import cohen_kappa
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.weights import Weights
from adjudge.tasks.agreement.mean_kappa import CAP, checked_numbers, essay_sets, fisher_mean, item_set

__all__ = [
    "confusion_matrix",
    "essay_sets",
    "histogram",
    "kappa",
    "linear_weighted_kappa",
    "mean_quadratic_weighted_kappa",
    "quadratic_weighted_kappa",
    "weighted_mean_quadratic_weighted_kappa",
]

# A table of more distinct scores than this would fill the memory.
MOST_SCORES = 2_000
ESSAY_COLUMNS = ("essay_set", "essay_weight", "essay_score")


@bordered
def confusion_matrix(
    rater_a: object, rater_b: object, min_rating: float | None = None, max_rating: float | None = None
) -> list[list[int]]:
    """How often each rating of one rater met each of the other, on the whole scale from lowest to highest.

    >>> confusion_matrix([1, 2], [1, 2], 0, 2)
    [[0, 0, 0], [0, 1, 0], [0, 0, 1]]
    """
    a, b = _two(rater_a, rater_b, min_rating, max_rating)
    scale = _scale(np.concatenate([a, b]), min_rating, max_rating)
    counts = _table(a, b, scale).dense
    return [[round(count) for count in row] for row in counts.tolist()]


@bordered
def histogram(ratings: object, min_rating: float | None = None, max_rating: float | None = None) -> list[int]:
    """How often each rating was given, on the whole scale from lowest to highest.

    >>> histogram([1, 2, 4, 1])
    [2, 1, 0, 1]
    """
    values = _ratings(ratings, "ratings")
    values = values[~np.isnan(values)]
    _on_scale(values, min_rating, max_rating)
    scale = _scale(values, min_rating, max_rating)
    return [int((values == rating).sum()) for rating in scale]


@bordered
def quadratic_weighted_kappa(
    rater_a: object, rater_b: object, min_rating: float | None = None, max_rating: float | None = None
) -> float:
    """Cohen's kappa with squared distances between ratings; NaN when a single rating is used throughout.

    >>> round(quadratic_weighted_kappa([1, 2, 3, 1, 2, 2, 3], [1, 2, 3, 1, 2, 3, 2]), 12)
    0.75
    """
    a, b = _two(rater_a, rater_b, min_rating, max_rating)
    if not len(a):
        return float("nan")
    submitted = item_set("", a, b)
    return float(submitted.metric.values(submitted.statistic))


@bordered
def linear_weighted_kappa(
    rater_a: object, rater_b: object, min_rating: float | None = None, max_rating: float | None = None
) -> float:
    """Cohen's kappa with distances between ratings; NaN when a single rating is used throughout.

    >>> round(linear_weighted_kappa([1, 2, 3, 1, 2, 2, 3], [1, 2, 3, 1, 2, 3, 2]), 12)
    0.65
    """
    return _kappa("linear", *_two(rater_a, rater_b, min_rating, max_rating))


@bordered
def kappa(rater_a: object, rater_b: object, min_rating: float | None = None, max_rating: float | None = None) -> float:
    """Cohen's kappa, every disagreement alike; NaN when a single rating is used throughout.

    >>> round(kappa([1, 2, 3, 1, 2, 2, 3], [1, 2, 3, 1, 2, 3, 2]), 12)
    0.5625
    """
    return _kappa("none", *_two(rater_a, rater_b, min_rating, max_rating))


@bordered
def mean_quadratic_weighted_kappa(kappas: object, weights: object = None, cap: float | None = CAP) -> float:
    """The mean of kappas through Fisher's z, cut to ±cap; undefined kappas are left out with a warning.

    >>> round(mean_quadratic_weighted_kappa([0.5, 0.8], weights=[1, 0.5]), 12)
    0.624536446426
    """
    values = checked_numbers("kappas", kappas)
    if values.ndim != 1:
        raise BadValue(f"`kappas` must be a list of numbers, but its shape is {values.shape}.")
    if missing := int(np.isnan(values).sum()):
        warnings.warn(f"{missing} of {len(values)} kappas are undefined and were left out of the mean.", stacklevel=3)
    return float(fisher_mean(values, weights, cap))


@bordered
def weighted_mean_quadratic_weighted_kappa(
    solution: DataFrame, submission: DataFrame, cap: float | None = CAP, *, missing: str = "error"
) -> float:
    """The mean over essay sets of quadratic weighted kappa, each set weighted by its `essay_weight`.

    `solution` is a data frame indexed by essay id with `essay_set`, `essay_weight` and `essay_score`; the
    predictions are the last column of `submission`, indexed by the same ids. With missing="leave_out", essays
    without a prediction do not count.

    >>> import pandas as pd
    >>> columns = {"essay_set": [1, 1, 1], "essay_weight": [1, 1, 1], "essay_score": [1, 2, 3]}
    >>> solution = pd.DataFrame(columns, index=[11, 12, 13])
    >>> submission = pd.DataFrame({"predicted": [3, 1, 2]}, index=[13, 11, 12])
    >>> weighted_mean_quadratic_weighted_kappa(solution, submission, cap=None)
    1.0
    """
    check_choice("missing", missing, ("error", "leave_out"))
    for name, frame in (("solution", solution), ("submission", submission)):
        if getattr(frame, "index", None) is None or getattr(frame, "ndim", 0) != 2 or not len(frame.columns):
            raise BadValue(f"`{name}` must be a data frame of pandas, indexed by essay id, not {literal(frame)}.")
    if absent := [name for name in ESSAY_COLUMNS if name not in list(solution.columns)]:
        raise BadValue(f"`solution` must have the columns {listed(ESSAY_COLUMNS)}, but {listed(absent)} is missing.")
    ids, predicted = _aligned(solution, submission, missing)
    score = _ratings(solution["essay_score"].to_numpy()[ids], "essay_score")
    weight = _ratings(solution["essay_weight"].to_numpy()[ids], "essay_weight")
    names = np.array([label_text(name) for name in solution["essay_set"].tolist()], dtype=object)[ids]
    kappas, weights = [], []
    for name in dict.fromkeys(names.tolist()):
        rows = names == name
        if len(distinct := np.unique(weight[rows])) > 1:
            raise BadValue(f"`essay_weight` must be constant in a set, but set {quoted(name)} has {listed(distinct)}.")
        kappas.append(quadratic_weighted_kappa(score[rows], predicted[rows]))
        weights.append(float(distinct[0]))
    return mean_quadratic_weighted_kappa(kappas, weights, cap) if kappas else float("nan")


def _aligned(solution: DataFrame, submission: DataFrame, missing: str) -> tuple[NDArray[np.int64], Array]:
    """The places in the solution of essays with a prediction, and those predictions, by essay id."""
    place = {}
    for frame, what in ((solution, "solution"), (submission, "submission")):
        keys = frame.index.tolist()
        if len(set(keys)) < len(keys):
            raise BadValue(f"`{what}` must name every essay once, but its index repeats some ids.")
        place[what] = {key: row for row, key in enumerate(keys)}
    values = _ratings(submission[submission.columns[-1]].to_numpy(), "prediction")
    strange = [key for key in place["submission"] if key not in place["solution"]]
    if strange:
        raise BadValue(
            f"`submission` must be indexed by the essay ids of `solution`, but {listed(strange, 5)} is not among them. "
            "Set its index to the column of ids."
        )
    for name in (name for name in submission.columns[:-1] if name in list(solution.columns)):
        said, known = (
            [label_written(one, str(name)) for one in frame[name].tolist()] for frame in (submission, solution)
        )
        other = [key for key, row in place["submission"].items() if said[row] != known[place["solution"][key]]]
        if other:
            raise BadValue(
                f"`submission` must say the same of an essay as `solution`, but {quoted(name)} differs where the index "
                f"is {quoted(other[0])}. If it holds the ids, set the index of both to it."
            )
    submitted = {key: values[row] for key, row in place["submission"].items() if not np.isnan(values[row])}
    absent = [key for key in place["solution"] if key not in submitted]
    if absent and missing == "error":
        raise BadValue(
            f"Every essay must have a prediction, but {len(absent)} have none: {listed(absent, 5)}. "
            'Give them one, or use missing="leave_out".'
        )
    rows = [row for key, row in place["solution"].items() if key in submitted]
    return np.array(rows, dtype=np.int64), np.array([submitted[key] for key in place["solution"] if key in submitted])


def _kappa(weighting: str, a: Array, b: Array) -> float:
    """Cohen's kappa of two raters' numbers, distances between their values."""
    if not len(a):
        return float("nan")
    values = np.unique(np.concatenate([a, b]))
    if len(values) > MOST_SCORES:
        raise BadValue(
            f"There must be at most {MOST_SCORES} different scores, but there are {len(values)}. Round them."
        )
    return float(cohen_kappa.using(weighting=weighting).values(_table(a, b, values)))


def _table(a: Array, b: Array, scale: Array) -> Confusion:
    categories = tuple(label_text(rating) for rating in scale.tolist())
    first, second = (Labels(np.searchsorted(scale, rater), categories) for rater in (a, b))
    return Confusion.collect(Judgements(first, second), Weights(len(a)))


def _two(rater_a: object, rater_b: object, low: float | None, high: float | None) -> tuple[Array, Array]:
    """Both raters' numbers, pairs with a missing one left out."""
    a, b = _ratings(rater_a, "rater_a"), _ratings(rater_b, "rater_b")
    if len(a) != len(b):
        raise BadValue(f"Raters must have rated the same items, but they gave {len(a)} and {len(b)} ratings.")
    both = ~(np.isnan(a) | np.isnan(b))
    a, b = a[both], b[both]
    _on_scale(np.concatenate([a, b]), low, high)
    return a, b


def _ratings(values: object, name: str) -> Array:
    """Any sequence as numbers, NaN where missing."""
    if not is_listed(values):
        raise BadValue(f"`{name}` must be a sequence of ratings, not {literal(values)}.")
    rows = list(values.to_pylist() if hasattr(values, "to_pylist") else values)  # type: ignore[arg-type]
    read = numbers_of(rows, name)
    if read.unreadable.any() or np.isinf(read.values).any():
        place = int(np.flatnonzero(read.unreadable | np.isinf(read.values))[0])
        raise BadValue(
            f"`{name}` must hold finite numbers, but {quoted(rows[place])} was found. "
            "Grades that are words need an order: number them."
        )
    return read.values


def _on_scale(values: Array, low: float | None, high: float | None) -> None:
    """Refuse a score off the scale, by its value."""
    bottom = -np.inf if low is None else finite_setting("min_rating", low)
    top = np.inf if high is None else finite_setting("max_rating", high)
    if (wrong := values[(values < bottom) | (values > top)]).size:
        ends = " and ".join(f"at {side} {end:g}" for side, end in (("least", low), ("most", high)) if end is not None)
        raise BadValue(f"Ratings must be {ends}, but {wrong[0]:g} was found.")


def _scale(values: Array, low: float | None, high: float | None) -> Array:
    """Every whole rating from the lowest to the highest."""
    if (values != np.floor(values)).any():
        wrong = values[values != np.floor(values)][0]
        raise BadValue(f"Ratings that are counted must be whole numbers, but {wrong:g} was found. Round them first.")
    if not values.size and (low is None or high is None):
        return np.zeros(0)
    first, last = (
        values.min(initial=np.inf if low is None else low),
        values.max(initial=-np.inf if high is None else high),
    )
    if abs(last - first) >= MOST_SCORES:
        raise BadValue(f"The scale must have at most {MOST_SCORES} ratings, but it runs from {first:g} to {last:g}.")
    return np.arange(first, last + 1)
