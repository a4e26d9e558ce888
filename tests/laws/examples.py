"""Units for the laws of metrics: one entry for each statistic that metrics are over.

An entry makes answers that are right but for a given share, so one function serves what is perfect, what is ordinary
and what is worse. A statistic without an entry fails `test_every_statistic_has_examples`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from hypothesis import strategies as st

from adjudge.data.columns import checked_weights
from adjudge.metrics import catalogue
from adjudge.metrics.base import AVERAGES, Metric
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curve import Curves
from adjudge.statistics.losses import Losses
from adjudge.statistics.number_pairs import NumberPairs
from adjudge.statistics.patterns import Patterns
from adjudge.statistics.rating_vectors import RatingVectors
from adjudge.statistics.residuals import Residuals
from adjudge.statistics.score_sums import ScoreSums
from adjudge.statistics.set_ratings import SetRatings
from adjudge.statistics.spans import SpanCounts
from adjudge.statistics.weights import Weights

SCALE = ("1", "2", "3")
POPULATION = {"human_mean": 3.5, "human_sd": 1.25, "system_mean": 3.5, "system_sd": 1.25}
WEIGHTED = [{"weighting": "linear"}, {"weighting": "quadratic"}]
AT = [{"at": 0.5}]
PARAMETERS: dict[str, list[dict[str, Any]]] = {
    "f_score": [{"beta": 2}, {"beta": 0.5}],
    "cohen_kappa": [*WEIGHTED, {"weighting": "ordinal"}],
    "fleiss_kappa": WEIGHTED,
    "scott_pi": WEIGHTED,
    "randolph_kappa": WEIGHTED,
    "bennett_s": WEIGHTED,
    "gwet_ac2": [{"weighting": "linear"}],
    "conger_kappa": WEIGHTED,
    "light_kappa": WEIGHTED,
    "krippendorff_alpha": [{"measurement": one} for one in ("ordinal", "interval", "ratio")],
    "percent_agreement": [{"tolerance": 1.0}],
    "icc": [*({"form": form} for form in ("1,1", "C,1", "A,k", "C,k")), {"missing": "reml"}],
    "set_alpha": [{"distance": "jaccard"}, {"distance": "masi_dkpro"}],
    "set_similarity": [{"distance": "jaccard"}],
    "span_precision": [{"match": "partial"}],
    "span_recall": [{"match": "exact"}],
    "span_f_score": [{"match": "type"}, {"beta": 2}],
    "pairwise_span_f": [{"match": "partial"}],
    "precision_at_recall": [*AT, {"at": 1.0}],
    "precision_at_volume": AT,
    "false_positive_rate_at_recall": AT,
    "recall_at_precision": AT,
    "recall_at_false_positive_rate": AT,
    "calibration_error": [{"bins": 3}],
    "pinball_loss": [{"quantile": 0.9}, {"quantile": 0.1}],
    "true_score_variance": [{"error_variance": 0.2}],
    "true_score_mse": [{"error_variance": 0.0}],
    "prmse": [{"error_variance": 0.0}],
    "degradation": [*({"of": of} for of in ("qwk", "kappa", "exact", "adjacent", "smd")), {"rows": "double"}],
    "disattenuated_correlation": [{"rows": "double"}],
    "quadratic_weighted_kappa": [{"ddof": 1}],
    "standardized_mean_difference": [{"method": "pooled"}, {"method": "johnson", "human_sd": 1.25}],
    "adjacent_agreement": [{"tolerance": 0.0}],
    "difference_of_standardized_means": [POPULATION],
}


def family(metric: Metric) -> list[Metric]:
    """The metric, and the same with other parameters and with every average it has."""
    members = [metric, *(metric.using(**parameters) for parameters in PARAMETERS.get(metric.name, []))]
    if metric.per == "category":
        members += [metric.averaged(kind) for kind in AVERAGES if kind != "micro" or hasattr(metric.over, "pooled")]
    return members


def variants() -> list[Metric]:
    """The whole catalogue."""
    return [member for metric in catalogue.every() for member in family(metric)]


@dataclass(frozen=True)
class Rows:
    """Arrays for one metric, units along the first axis."""

    first: np.ndarray
    second: np.ndarray | None = None
    categories: tuple[str, ...] | None = None  # in the order of the scale, or of the columns of scores
    positive: str | None = None  # what a single score speaks of
    weights: np.ndarray | None = None
    rest: Rows | None = None  # everybody else, where a slice is judged against everybody

    def __len__(self) -> int:
        return len(self.first)

    def of(self, place: np.ndarray) -> Rows:
        """These units, repeated or left out as told."""
        weights = None if self.weights is None else self.weights[place]
        second = None if self.second is None else self.second[place]
        return replace(self, first=self.first[place], second=second, weights=weights)

    def weighing(self, weights: np.ndarray | None) -> Rows:
        return replace(self, weights=weights)

    def repeated(self, times: np.ndarray) -> Rows:
        return self.of(np.repeat(np.arange(len(self)), times.astype(np.int64)))

    def renamed(self, names: dict[str, str]) -> Rows:
        """The same rows with other labels."""
        return replace(
            self,
            first=_renamed(self.first, names),
            second=_renamed(self.second, names),
            categories=_renamed(self.categories, names),
            positive=_renamed(self.positive, names),
        )


def _renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, str):
        return names[value]
    if isinstance(value, np.ndarray):
        new = value.copy()
        for place in np.ndindex(value.shape if value.dtype == object else ()):
            if value.dtype == object:
                new[place] = _renamed(value[place], names)
        return new
    if isinstance(value, (list, set, tuple)):
        return type(value)(_renamed(one, names) for one in value)
    return value


def objects(values: list[Any]) -> np.ndarray:
    """An array of any objects, by unit."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


@dataclass(frozen=True)
class Making:
    """How many units, how many of their answers are off (0: none, 1: all), and of what shape they are."""

    size: int
    amount: float
    wide: bool = True  # three categories or raters, with gaps where there can be; else two
    even: bool = False  # all categories occur

    def codes(self, random: np.random.Generator, count: int) -> np.ndarray:
        even = random.permutation(np.arange(self.size) % count)
        return even if self.even else random.integers(0, count, self.size)

    def gaps(self, random: np.random.Generator, raters: int) -> np.ndarray:
        """Where a rating is missing: of the first rater never, where all that can occur does."""
        missing = random.random((self.size, raters)) < (0.2 if self.wide else 0.0)
        missing[:, :1] &= not self.even
        return missing


Answers = Callable[[Metric, np.random.Generator, Making], Rows]


@dataclass(frozen=True)
class Examples:
    """What the laws need to know of a statistic."""

    answers: Answers
    degenerate: Callable[[Metric], dict[str, Rows]]  # the first of them has no units
    swapped: Callable[[Rows], Rows | None]  # None where the two sides are of different kinds
    summed: Callable[[Metric, Rows, Weights], Any] | None = None  # where draws take more than arrays
    arguments: Callable[[Rows], tuple[Any, Any]] = lambda rows: (rows.first, rows.second)


def statistic_of(metric: Metric, rows: Rows) -> Any:
    """What the metric is a formula of."""
    first, second = EXAMPLES[metric.over].arguments(rows)
    found = metric.statistic_of(first, second, weights=rows.weights, positive=rows.positive, categories=rows.categories)
    if rows.rest is not None:
        rest, whole = (statistic_of(metric, one) for one in (rows.rest, _together(rows, rows.rest)))
        return replace(found, totals=found.totals.in_whole(whole.totals, lambda: [rest.totals]))
    return _aligned(found, rows)


def _aligned(statistic: Any, rows: Rows) -> Any:
    return statistic.aligned(rows.categories) if rows.categories and isinstance(statistic, Confusion) else statistic


def _together(rows: Rows, others: Rows) -> Rows:
    assert rows.second is not None
    assert others.second is not None
    return Rows(np.concatenate([rows.first, others.first]), np.concatenate([rows.second, others.second]))


def stack_of(metric: Metric, rows: Rows, multiplicities: np.ndarray) -> Any:
    """The statistic under explicit multiplicities, (units, replicates): one leading axis."""
    weights = Weights(len(rows), checked_weights(rows.weights, len(rows)), multiplicities)
    examples = EXAMPLES[metric.over]
    if examples.summed is not None:
        return examples.summed(metric, rows, weights)
    first, second = examples.arguments(rows)
    _, sums = metric.over.summing_arrays(
        first, second, positive=rows.positive, categories=rows.categories, **metric.reading
    )
    return _aligned(sums(weights), rows)


Values = dict[str, np.ndarray]


def values_of(metric: Metric, statistic: Any) -> Values:
    """The values by category: a category that no unit has is one without a value."""
    values = metric.values(statistic)
    if not metric.by_category:
        return {"": values}
    return dict(zip(statistic.categories, np.moveaxis(values, -1, 0), strict=True))


def value(metric: Metric, rows: Rows) -> Values:
    return values_of(metric, statistic_of(metric, rows))


@st.composite
def rows_for(draw: st.DrawFn, metric: Metric, fewest: int = 1, most: int = 16, weighted: bool | None = None) -> Rows:
    """Units for this metric, from nearly right to nearly random, with ties and gaps."""
    size, random = draw(st.integers(fewest, most)), np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    making = Making(size, random.choice([0.2, 0.5, 0.9]), *(random.random(2) < 0.5))
    rows = replace(EXAMPLES[metric.over].answers(metric, random, making), rest=None)
    weighted = random.random() < 0.5 if weighted is None else weighted
    return rows.weighing(random.choice([0.25, 0.5, 1.0, 1.5, 3.0], len(rows))) if weighted else rows


# Labels beside labels. Wrong answers have a habit of their own, so that margins differ too.
HABIT = np.array([0.6, 0.3, 0.1])


def _off(random: np.random.Generator, codes: np.ndarray, amount: float, count: int, habit: np.ndarray) -> np.ndarray:
    """Codes, of which a share is replaced by what a rater of that habit says without looking."""
    share = habit[:count] / habit[:count].sum()
    return np.where(random.random(codes.shape) < amount, random.choice(count, codes.shape, p=share), codes)


def _labels(metric: Metric, random: np.random.Generator, making: Making) -> Rows:
    categories = SCALE[: 3 if making.wide else 2]
    codes = making.codes(random, len(categories))
    names = np.array(categories, dtype=object)
    said = _off(random, codes, making.amount, len(categories), HABIT)
    return Rows(names[codes], names[said], categories)


def _pairs(cases: dict[str, tuple[str, str]], categories: tuple[str, ...] = ("1", "2")) -> dict[str, Rows]:
    return {k: Rows(*(np.array(list(one), dtype=object) for one in both), categories) for k, both in cases.items()}


LABELS = {
    "nothing": ("", ""),
    "one row": ("2", "2"),
    "one row, wrong": ("1", "2"),
    "one category": ("22", "22"),
    "constant prediction": ("121", "222"),
    "constant reference": ("222", "121"),
    "always wrong": ("12", "21"),
}


# Labels beside scores: one for each category, or of two categories the second's alone.
def _scores(metric: Metric, random: np.random.Generator, making: Making) -> Rows:
    categories = SCALE[: 3 if making.wide else 2]
    codes = making.codes(random, len(categories))
    digits = random.choice([1, 2, 12])
    least = 10.0**-digits
    scores = np.round(random.dirichlet(np.ones(len(categories)), making.size), digits).clip(least, 1 - least)
    scores /= scores.sum(1, keepdims=True)
    certain = np.eye(len(categories))[codes]
    scores = np.where(random.random((making.size, 1)) < making.amount, scores, certain)
    return _scored(np.array(categories, dtype=object)[codes], scores, categories)


def _scored(reference: np.ndarray, scores: np.ndarray, categories: tuple[str, ...]) -> Rows:
    alone = len(categories) == 2
    return Rows(reference, scores[:, -1] if alone else scores, categories, categories[-1] if alone else None)


SCORES: dict[str, tuple[str, list[float]]] = {
    "nothing": ("", []),
    "one row": ("2", [0.7]),
    "one row of the other category": ("1", [0.7]),
    "one category": ("222", [0.2, 0.7, 0.9]),
    "only the other category": ("111", [0.2, 0.7, 0.9]),
    "all tied": ("1212", [0.5] * 4),
    "certain and wrong": ("12", [1.0, 0.0]),
    "tiny probabilities": ("122", [1e-300, 1e-300, 5e-324]),
}


def _degenerate_scores(metric: Metric) -> dict[str, Rows]:
    found = {
        name: Rows(np.array(list(labels), dtype=object), np.array(scores), ("1", "2"), "2")
        for name, (labels, scores) in SCORES.items()
    }
    some = np.array([[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]])
    for name, labels in {"a category without rows": "12", "three and one category": "33"}.items():
        found[name] = Rows(np.array(list(labels), dtype=object), some, SCALE)
    return found


def _curves(metric: Metric, rows: Rows, weights: Weights) -> Any:
    """Draws of curves are counted in the cells of the curves themselves."""
    plain = Curves.of_arrays(rows.first, rows.second, positive=rows.positive, categories=rows.categories)
    cells = tuple(curve.thresholds for curve in plain.curves)
    _, sums = Curves.summing_arrays(
        rows.first, rows.second, positive=rows.positive, categories=rows.categories, pilot=cells
    )
    return sums(weights)


def _losses(metric: Metric, rows: Rows, weights: Weights) -> Any:
    """The losses of a lone score follow from its curve."""
    if rows.positive is not None:
        return Losses.from_curve(_curves(metric, rows, weights).curves[0])
    _, sums = Losses.summing_arrays(rows.first, rows.second, categories=rows.categories)
    return sums(weights)


# Raters beside raters.
TWO_ONLY = {
    "pearson",
    "spearman",
    "kendall_tau",
    "concordance_correlation",
    "mean_difference",
    "lower_limit_of_agreement",
    "upper_limit_of_agreement",
}


def _ratings(metric: Metric, random: np.random.Generator, making: Making) -> Rows:
    """Raters who see the same, but for a share: the first then uses the scale evenly, the others its upper end."""
    raters = 3 if making.wide and metric.name not in TWO_ONLY else 2
    scale = SCALE[: 3 if making.wide else 2]
    codes = np.repeat(making.codes(random, len(scale))[:, None], raters, axis=1)
    codes[:, :1] = _off(random, codes[:, :1], making.amount / 2, len(scale), np.ones(3))
    codes[:, 1:] = _off(random, codes[:, 1:], making.amount, len(scale), HABIT[::-1] if making.wide else 1 - HABIT)
    said = np.array(scale, dtype=object)[codes]
    said[making.gaps(random, raters)] = None
    return Rows(said, categories=scale)


def _matrix(rows: list[list[Any]], raters: int = 2) -> np.ndarray:
    array = np.empty((len(rows), raters), dtype=object)
    for place in np.ndindex(array.shape):
        array[place] = rows[place[0]][place[1]]
    return array


RATINGS: dict[str, list[list[Any]]] = {
    "nothing": [],
    "one item": [["1", "1"]],
    "one item, apart": [["1", "2"]],
    "one category": [["2", "2"], ["2", "2"], ["2", "2"]],
    "one rater does not vary": [["1", "2"], ["2", "2"], ["1", "2"]],
    "no item rated twice": [["1", None], [None, "2"], ["1", None]],
    "not rated at all": [[None, None], [None, None]],
    "always apart": [["1", "2"], ["2", "1"]],
}


def _swapped_raters(rows: Rows) -> Rows:
    return replace(rows, first=rows.first[:, ::-1])


# Sets of labels.
def _sets(metric: Metric, random: np.random.Generator, making: Making) -> Rows:
    names, raters = np.array(["a", "b", "c"]), 3 if making.wide else 2
    held = np.repeat(random.random((making.size, 1, 3)) < 0.4, raters, axis=1)
    if making.even and making.size > 2:
        held[:2] = [[[True] * 3] * raters, [[False] * 3] * raters]
    held = np.where(random.random(held.shape) < making.amount, random.random(held.shape) < 0.5, held)
    said = _matrix([[set(names[one].tolist()) for one in row] for row in held], raters)
    said[making.gaps(random, raters)] = None
    return Rows(said)


SETS: dict[str, list[list[Any]]] = {
    "nothing": [],
    "one item": [[{"a"}, {"a"}]],
    "one item, apart": [[{"a"}, {"b"}]],
    "one set": [[{"a"}, {"a"}], [{"a"}, {"a"}]],
    "empty sets": [[set(), set()], [set(), set()]],
    "no item rated twice": [[{"a"}, None], [None, {"b"}]],
    "not rated at all": [[None, None]],
}


# Spans in documents, (label, start, end).
Span = tuple[str, int, int]


def _spans(metric: Metric, random: np.random.Generator, making: Making) -> Rows:
    annotators = 3 if making.wide and metric.name == "pairwise_span_f" else 2
    documents = []
    for place in range(making.size):
        count = 2 if making.even else random.integers(0, 4)
        true = [("AB"[(place + slot) % 2], 10 * slot, 10 * slot + int(random.integers(2, 5))) for slot in range(count)]
        seen = [[one for span in true for one in _seen(span, random, making.amount)] for _ in range(annotators - 1)]
        documents.append([true, *seen])
    return Rows(_matrix(documents, annotators))


def _seen(span: Span, random: np.random.Generator, amount: float) -> list[Span]:
    """The span, or with some chance nothing, another label, other ends, or one span too many."""
    label, start, end = span
    if random.random() >= amount:
        return [span]
    turned = "B" if label == "A" else "A"
    wrong = [[], [(turned, start, end)], [(label, start + 1, end + 2)], [(turned, start + 1, end + 2)]]
    also = [(label, start + 7, start + 9)] if random.random() < 0.3 else []
    return [*wrong[random.integers(0, 4)], *also]


SPANS: dict[str, list[list[Any]]] = {
    "nothing": [],
    "a document without spans": [[[], []]],
    "nothing predicted": [[[("A", 0, 2)], []]],
    "nothing to find": [[[], [("A", 0, 2)]]],
    "one document, apart": [[[("A", 0, 2)], [("B", 4, 6)]]],
    "documents without spans": [[[], []], [[], []]],
}


# Numbers beside numbers. Those of prediction intervals have a lower and an upper end.
BOUNDED = {"interval_coverage", "interval_width"}


def _numbers(metric: Metric, random: np.random.Generator, making: Making) -> Rows:
    """Predictions that are too high on average; their intervals grow, but not as fast as the errors."""
    digits = int(random.choice([0, 12]))
    reference = random.normal(20, 4, making.size).clip(8).round(digits)
    off = making.amount * random.normal(1.0, 3.0, making.size)
    prediction = (reference + off).clip(0.5).round(digits)
    if metric.name not in BOUNDED:
        return Rows(reference, prediction)
    reach = 2 * np.sqrt(making.amount) * random.uniform(0.5, 1.5, (2, making.size))
    return Rows(reference, np.stack([prediction, prediction - reach[0], prediction + reach[1]], axis=1))


NUMBERS: dict[str, tuple[list[float], list[float]]] = {
    "nothing": ([], []),
    "one row": ([1.0], [1.5]),
    "one row of zeros": ([0.0], [0.0]),
    "one number": ([0.1, 0.1, 0.1], [0.1, 0.1, 0.1]),
    "constant prediction": ([1.0, 2.0, 3.0], [2.0, 2.0, 2.0]),
    "constant reference": ([2.0, 2.0, 2.0], [1.0, 2.0, 3.0]),
    "below -1": ([-5.0, 1.0], [1.0, -5.0]),
    "huge": ([1e200, -1e200], [-1e200, 1e200]),
}


def _degenerate_numbers(metric: Metric) -> dict[str, Rows]:
    found = {}
    for name, (reference, prediction) in NUMBERS.items():
        answer = np.array(prediction)
        bounds = np.stack([answer, answer - 1, answer + 1], axis=1) if metric.name in BOUNDED else answer
        found[name] = Rows(np.array(reference), bounds)
    return found


def _swapped(rows: Rows) -> Rows | None:
    """Nothing where the second side is more than one number."""
    if rows.second is None or rows.second.ndim > 1:
        return None
    return replace(rows, first=rows.second, second=rows.first)


# Raters' scores beside a system's.
def _responses(metric: Metric, random: np.random.Generator, making: Making) -> Rows:
    """A system that is too generous and less exact than raters. The worse a test is, the less its responses differ.

    A metric of a slice has everybody else, of whom all is right, beside it.
    """
    spread = 1 - 0.8 * making.amount if metric.name == "true_score_variance" else 1.0
    truth = np.rint(3.5 + spread * random.normal(0, 1.5, making.size))
    if making.even and making.size > 3:
        truth[:4] = [2, 3, 4, 5]
    apart = min(making.amount, 0.3) if metric.name == "degradation" else making.amount  # beside raters as they are
    off = apart * random.normal(0, 0.8, (making.size, 3 if making.wide else 2))
    ratings = np.rint(truth[:, None] + off)
    ratings[:, 1:][making.gaps(random, ratings.shape[1] - 1)] = np.nan
    scores = np.rint(truth + making.amount * random.normal(1.0, 1.2, making.size))
    alone = metric.name != "difference_of_standardized_means" or metric.settings
    others = None if alone else _responses(metric.using(**POPULATION), random, Making(30, 0.0, even=True, wide=False))
    if others is not None and others.first.shape[1] != ratings.shape[1]:
        others = replace(others, first=np.pad(others.first, ((0, 0), (0, 1)), constant_values=np.nan))
    return Rows(ratings, scores, rest=others)


def _response_sums(metric: Metric, rows: Rows, weights: Weights) -> Any:
    return ScoreSums.of_scores(rows.first, rows.second, weights)


def _degenerate_responses(metric: Metric) -> dict[str, Rows]:
    cases: dict[str, tuple[list[list[float]], list[float]]] = {
        "nothing": ([], []),
        "one response": ([[1.0, 2.0]], [1.0]),
        "one number": ([[2.0, 2.0], [2.0, 2.0]], [2.0, 2.0]),
        "rated once": ([[1.0, np.nan], [2.0, np.nan]], [1.0, 3.0]),
        "raters do not vary": ([[2.0, 2.0], [2.0, 2.0], [2.0, 2.0]], [1.0, 2.0, 3.0]),
        "the system does not vary": ([[1.0, 2.0], [2.0, 3.0]], [2.0, 2.0]),
        "raters far apart": ([[1.0, 4.0], [4.0, 1.0], [2.0, 3.0]], [2.0, 3.0, 2.0]),
    }
    return {k: Rows(np.array(ratings).reshape(-1, 2), np.array(scores)) for k, (ratings, scores) in cases.items()}


def _swapped_with_first_rater(rows: Rows) -> Rows:
    assert rows.second is not None
    ratings = np.column_stack([rows.second, rows.first[:, 1:]])
    return replace(rows, first=ratings, second=rows.first[:, 0])


def _matrices(cases: dict[str, list[list[Any]]], scale: tuple[str, ...] | None) -> Callable[[Metric], dict[str, Rows]]:
    return lambda metric: {name: Rows(_matrix(rows), categories=scale) for name, rows in cases.items()}


OF_RATERS = Examples(_ratings, _matrices(RATINGS, ("1", "2")), _swapped_raters)
OF_NUMBERS = Examples(_numbers, _degenerate_numbers, _swapped)
EXAMPLES: dict[type[Any], Examples] = {
    Confusion: Examples(_labels, lambda metric: _pairs(LABELS), _swapped),
    Curves: Examples(_scores, _degenerate_scores, lambda rows: None, _curves),
    Losses: Examples(_scores, _degenerate_scores, lambda rows: None, _losses),
    Patterns: OF_RATERS,
    RatingVectors: OF_RATERS,
    SetRatings: Examples(_sets, _matrices(SETS, None), _swapped_raters),
    SpanCounts: Examples(
        _spans, _matrices(SPANS, None), _swapped_raters, arguments=lambda rows: (list(rows.first.T), None)
    ),
    NumberPairs: OF_NUMBERS,
    Residuals: OF_NUMBERS,
    ScoreSums: Examples(_responses, _degenerate_responses, _swapped_with_first_rater, _response_sums),
}
