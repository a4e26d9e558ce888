"""Answers that are numbers, right but for a given share."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from tests.laws.rows import Making, Rows

from adjudge.metrics.base import Metric
from adjudge.statistics.scores.sums import ScoreSums
from adjudge.statistics.weights import Weights

POPULATION = {"human_mean": 3.5, "human_sd": 1.25, "system_mean": 3.5, "system_sd": 1.25}
# Numbers beside numbers. Those of prediction intervals have a lower and an upper end.
BOUNDED = {"interval_coverage", "interval_width"}


def numbers(metric: Metric, random: np.random.Generator, making: Making) -> Rows:
    """Predictions that are too high on average; their intervals grow, but not as fast as the errors."""
    digits = int(random.choice([0, 12]))
    reference = random.normal(20, 4, making.size).clip(8).round(digits)
    off = making.amount * random.normal(-1.0 if making.mirrored else 1.0, 3.0, making.size)
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
    "huge": ([1e49, -1e49], [-1e49, 1e49]),
}


def degenerate_numbers(metric: Metric) -> dict[str, Rows]:
    found = {}
    for name, (reference, prediction) in NUMBERS.items():
        answer = np.array(prediction)
        bounds = np.stack([answer, answer - 1, answer + 1], axis=1) if metric.name in BOUNDED else answer
        found[name] = Rows(np.array(reference), bounds)
    return found


def swapped(rows: Rows) -> Rows | None:
    """Nothing where the second side is more than one number."""
    if rows.second is None or rows.second.ndim > 1:
        return None
    return replace(rows, first=rows.second, second=rows.first)


# Raters' scores beside a system's.
def responses(metric: Metric, random: np.random.Generator, making: Making) -> Rows:
    """A system that is too generous and less exact than raters. The worse a test is, the less its responses differ.

    Mirrored, it is too strict; beside raters as they are it is exact, and they are not.
    A metric of a slice has everybody else, of whom all is right, beside it.
    """
    spread = 1 - 0.8 * making.amount if metric.name == "true_score_variance" else 1.0
    truth = np.rint(3.5 + spread * random.normal(0, 1.5, making.size))
    if making.even and making.size > 3:
        truth[:4] = [2, 3, 4, 5]
    beside = metric.name == "degradation" and metric.settings.get("of") != "smd"
    exact = beside and making.mirrored
    apart = min(making.amount, 0.3) if beside and not exact else making.amount
    off = apart * random.normal(0, 0.8, (making.size, 3 if making.wide else 2))
    ratings = np.rint(truth[:, None] + off)
    ratings[:, 1:][making.gaps(random, ratings.shape[1] - 1)] = np.nan
    wrong = 0.0 if exact else making.amount
    scores = np.rint(truth + wrong * random.normal(-1.0 if making.mirrored else 1.0, 1.2, making.size))
    alone = metric.name != "difference_of_standardized_means" or metric.parameters
    others = None if alone else responses(metric.using(**POPULATION), random, Making(30, 0.0, even=True, wide=False))
    if others is not None and others.first.shape[1] != ratings.shape[1]:
        others = replace(others, first=np.pad(others.first, ((0, 0), (0, 1)), constant_values=np.nan))
    return Rows(ratings, scores, rest=others)


def response_sums(metric: Metric, rows: Rows, weights: Weights) -> Any:
    return ScoreSums.of_scores(rows.first, rows.second, weights)


def degenerate_responses(metric: Metric) -> dict[str, Rows]:
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


def swapped_with_first_rater(rows: Rows) -> Rows:
    assert rows.second is not None
    ratings = np.column_stack([rows.second, rows.first[:, 1:]])
    return replace(rows, first=ratings, second=rows.first[:, 0])
