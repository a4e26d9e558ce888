"""Answers that are labels, scores of labels, sets or spans, right but for a given share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from tests.laws.rows import Making, Rows

from adjudge.metrics.base import Metric
from adjudge.statistics.curves.curve import Curves
from adjudge.statistics.losses import Losses
from adjudge.statistics.weights import Weights

SCALE = ("1", "2", "3")

# Labels beside labels. Wrong answers have a habit of their own, so that margins differ too.
HABIT = np.array([0.6, 0.3, 0.1])


def _off(random: np.random.Generator, codes: np.ndarray, amount: float, count: int, habit: np.ndarray) -> np.ndarray:
    """Codes, of which a share is replaced by what a rater of that habit says without looking."""
    share = habit[:count] / habit[:count].sum()
    return np.where(random.random(codes.shape) < amount, random.choice(count, codes.shape, p=share), codes)


def labels(metric: Metric, random: np.random.Generator, making: Making) -> Rows:
    categories = SCALE[: 3 if making.wide else 2]
    codes = making.codes(random, len(categories))
    names = np.array(categories, dtype=object)
    said = _off(random, codes, making.amount, len(categories), HABIT)
    return Rows(names[codes], names[said], categories)


def pairs(cases: dict[str, tuple[str, str]], categories: tuple[str, ...] = ("1", "2")) -> dict[str, Rows]:
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
def scores(metric: Metric, random: np.random.Generator, making: Making) -> Rows:
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


def degenerate_scores(metric: Metric) -> dict[str, Rows]:
    found = {
        name: Rows(np.array(list(labels), dtype=object), np.array(scores), ("1", "2"), "2")
        for name, (labels, scores) in SCORES.items()
    }
    some = np.array([[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]])
    for name, labels in {"a category without rows": "12", "three and one category": "33"}.items():
        found[name] = Rows(np.array(list(labels), dtype=object), some, SCALE)
    return found


def curves(metric: Metric, rows: Rows, weights: Weights) -> Any:
    """Draws of curves are counted in the cells of the curves themselves."""
    plain = Curves.of_arrays(rows.first, rows.second, positive=rows.positive, categories=rows.categories)
    cells = tuple(curve.thresholds for curve in plain.curves)
    _, sums = Curves.summing_arrays(
        rows.first, rows.second, positive=rows.positive, categories=rows.categories, pilot=cells
    )
    return sums(weights)


def losses(metric: Metric, rows: Rows, weights: Weights) -> Any:
    """The losses of a lone score follow from its curve."""
    if rows.positive is not None:
        return Losses.from_curve(curves(metric, rows, weights).curves[0])
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


def ratings(metric: Metric, random: np.random.Generator, making: Making) -> Rows:
    """Raters who see the same, but for a share: the first then uses the scale evenly, the others its upper end."""
    raters = 3 if making.wide and metric.name not in TWO_ONLY else 2
    scale = SCALE[: 3 if making.wide else 2]
    codes = np.repeat(making.codes(random, len(scale))[:, None], raters, axis=1)
    codes[:, :1] = _off(random, codes[:, :1], making.amount / 2, len(scale), np.ones(3))
    codes[:, 1:] = _off(random, codes[:, 1:], making.amount, len(scale), HABIT[::-1] if making.wide else 1 - HABIT)
    if making.mirrored:
        codes = _far_apart(random, making, upwards=metric.name == "lower_limit_of_agreement", last=len(scale) - 1)
    said = np.array(scale, dtype=object)[codes]
    said[making.gaps(random, raters)] = None
    return Rows(said, categories=scale)


def _far_apart(random: np.random.Generator, making: Making, *, upwards: bool, last: int) -> np.ndarray:
    """Two raters, most of whose items lie at one end of the scale; where they differ, the second is at the other."""
    here, there = (0, last) if upwards else (last, 0)
    first = np.where(random.random(making.size) < 0.9, here, there)
    return np.stack([first, np.where(random.random(making.size) < making.amount, there, first)], axis=1)


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


def swapped_raters(rows: Rows) -> Rows:
    return replace(rows, first=rows.first[:, ::-1])


# Sets of labels.
def sets(metric: Metric, random: np.random.Generator, making: Making) -> Rows:
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


def spans(metric: Metric, random: np.random.Generator, making: Making) -> Rows:
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


def matrices(cases: dict[str, list[list[Any]]], scale: tuple[str, ...] | None) -> Callable[[Metric], dict[str, Rows]]:
    return lambda metric: {name: Rows(_matrix(rows), categories=scale) for name, rows in cases.items()}
