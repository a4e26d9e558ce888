"""Ranked lists and trials, right but for a given share."""

from __future__ import annotations

import numpy as np
from tests.laws.rows import Making, Rows

from adjudge.metrics.base import Metric

NONE = np.nan


def lists(metric: Metric, random: np.random.Generator, making: Making) -> Rows:
    """Queries with as many relevant items as are looked at. Scores are the relevance; in wrong queries, anything.

    Wide lists are of different lengths: what is not there is NaN.
    """
    items, relevant = (9 if making.wide else 6), metric.settings.get("at") or 3
    relevant = 1 if metric.name == "hit_rate_at" else relevant  # with more there would be hits in any order
    relevance = np.zeros((making.size, items))
    relevance[:, :relevant] = random.integers(1, 5, (making.size, relevant))
    relevance = random.permuted(relevance, axis=1)
    wrong = random.random(making.size) < making.amount
    scores = np.where(wrong[:, None], random.integers(0, 5, relevance.shape), relevance).astype(float)
    if making.wide:
        relevance[(relevance == 0) & (random.random(relevance.shape) < 0.3)] = NONE
    if not making.even:  # a query without a relevant item, and one in which all are alike
        relevance[random.random(making.size) < 0.1] = 0.0
        relevance[random.random(making.size) < 0.1] = 2.0
    return Rows(relevance, scores)


LISTS: dict[str, tuple[list[list[float]], list[list[float]]]] = {
    "nothing": ([], []),
    "one query": ([[1, 0, 2]], [[3, 2, 1]]),
    "one item": ([[1]], [[3]]),
    "no relevant item": ([[0, 0], [0, 0]], [[1, 2], [2, 1]]),
    "no item": ([[NONE, NONE], [1, 0]], [[0, 0], [2, 1]]),
    "all relevant": ([[1, 1], [1, 1]], [[1, 2], [1, 1]]),
    "constant score": ([[2, 0, 1], [0, 1, 0]], [[0, 0, 0], [0, 0, 0]]),
    "fractions": ([[0.5, 0.25], [0.5, 0.0]], [[2, 1], [1, 2]]),
}


def degenerate_lists(metric: Metric) -> dict[str, Rows]:
    return {
        name: Rows(*(np.array(side, dtype=float).reshape(len(side), -1 if side else 2) for side in both))
        for name, both in LISTS.items()
    }


def trials(metric: Metric, random: np.random.Generator, making: Making) -> Rows:
    """Half of the rows are helped by treating, and nothing else helps: the score says so, or anything of some."""
    arm = making.codes(random, 2)
    helped = random.random(making.size) < 0.5
    wrong = random.random(making.size) < making.amount
    score = np.where(wrong, random.choice([0.0, 0.5, 1.0], making.size), helped)
    return Rows(np.column_stack([(helped & (arm == 1)) * 1.0, arm]), score)


TRIALS: dict[str, tuple[list[float], list[float], list[float]]] = {
    "nothing": ([], [], []),
    "one row": ([1.0], [1], [0.5]),
    "one arm": ([1.0, 0.0], [1, 1], [0.5, 0.2]),
    "two rows": ([1.0, 0.0], [1, 0], [0.5, 0.2]),
    "constant score": ([1.0, 0.0, 2.0], [1, 0, 1], [0.5, 0.5, 0.5]),
    "constant outcome": ([1.0, 1.0, 1.0], [1, 0, 1], [0.5, 0.1, 0.2]),
}


def degenerate_trials(metric: Metric) -> dict[str, Rows]:
    return {
        name: Rows(np.column_stack([outcome, arm]).reshape(-1, 2).astype(float), np.array(score))
        for name, (outcome, arm, score) in TRIALS.items()
    }
