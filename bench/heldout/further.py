"""A third set of designs for bench/coverage_heldout.py (`--set further`): shapes that the other two do not have.

Two heaps of scores, scores of few levels, near-duplicate rows, one cluster with two fifths of all rows, weights that
depend on the error, numbers that are mostly zero, ratings at both ends, four points with a rare end, lengths without a
variance, queries that mostly fail. Nothing was chosen on them before the run that docs/validation/heldout.md reports.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from bench.heldout.designs import (
    MANY,
    SCORED,
    Design,
    Random,
    Table,
    choices,
    classification,
    preference,
    ranking,
    rated,
    regression,
    scoring,
)

Drawn = Callable[[Random, int], Table]
SIZES = (50, 100, 300)
LABELS = (
    "accuracy", "f_score", "cohen_kappa", "roc_auc", "average_precision", "log_loss", "brier_score",
    "calibration_error",
)  # fmt: skip
NUMBERS = ("rmse", "mean_absolute_error", "mean_bias_error", "r_squared", "correlation", "spearman")
CONCORDANCE = (*NUMBERS, "concordance_correlation")
RATINGS = ("pearson", "spearman", "concordance_correlation", "icc(form=A,1)", "upper_limit_of_agreement")
ORDINAL = ("krippendorff_alpha", "krippendorff_alpha(measurement=ordinal)", "fleiss_kappa", "icc(form=A,1)")


def _labels(random: Random, likely: Any, said: Any) -> Table:
    """Labels with one chance each, and what a system says of that chance."""
    return {
        "y": np.where(random.random(len(likely)) < likely, "yes", "no"),
        "p": np.clip(said, 0.001, 0.999),
    }


def two_heaps(random: Random, n: int) -> Table:
    """Scores near 0 and near 1, and seldom between; too sure of themselves."""
    likely = random.beta(0.35, 0.45, n)
    return _labels(random, 0.1 + 0.8 * likely, likely)


def few_levels(random: Random, n: int) -> Table:
    """Scores of five levels, of which the lowest has half of the rows."""
    level = random.choice(5, n, p=(0.5, 0.2, 0.15, 0.1, 0.05))
    return _labels(random, np.array([0.06, 0.25, 0.4, 0.7, 0.9])[level], np.array([0.05, 0.2, 0.45, 0.6, 0.8])[level])


def rare_and_late(random: Random, n: int) -> Table:
    """One row in ten is yes; a third of those look like any other row."""
    yes = random.random(n) < 0.1
    seen = yes & (random.random(n) < 0.67)
    return {
        "y": np.where(yes, "yes", "no"),
        "p": np.where(seen, random.beta(6, 3, n), random.beta(1.2, 8, n)),
    }


def near_duplicates(random: Random, n: int) -> Table:
    """n rows that come one to six times each with hardly another score, and say which belong together."""
    of = np.repeat(np.arange(n), random.integers(1, 7, n))
    chance = random.beta(1.5, 2.0, n)
    yes, jitter = random.random(n) < chance, 0.004 * random.standard_normal(len(of))
    said = np.clip(chance + 0.1 * random.standard_normal(n), 0.02, 0.98)[of] + jitter
    return {"y": np.where(yes[of], "yes", "no"), "p": np.clip(said, 0.01, 0.99), "c": of}


def _one_large(random: Random, n: int) -> Any:
    """Clusters of three rows, and one with two fifths of all."""
    return np.concatenate([np.zeros(max(2 * (n - 1), 1), dtype=int), np.repeat(np.arange(1, n), 3)])


def labels_one_large(random: Random, n: int) -> Table:
    """Labels of clusters with their own level, one cluster with two fifths of the rows."""
    many = n >= MANY // 2
    of = np.arange(n) if many else _one_large(random, n)
    logit = 1.5 * random.standard_normal(len(of)) + 0.6 * random.standard_normal(n)[of]
    table = _labels(random, 1 / (1 + np.exp(-logit)), 1 / (1 + np.exp(-0.8 * logit + 0.3)))
    return table | {"c": of}


def numbers_one_large(random: Random, n: int) -> Table:
    """Numbers of clusters that are off together, one cluster with two fifths of the rows."""
    of = np.arange(n) if n >= 10_000 else _one_large(random, n)
    off, prediction = 0.4 * random.standard_normal(n)[of], 2 * random.standard_normal(len(of))
    return {"y": prediction + off + random.logistic(size=len(of)), "m": prediction, "c": of}


def mostly_zero(random: Random, n: int) -> Table:
    """Amounts of which two thirds are nothing, and a system that tells some of that."""
    buys = random.random(n) < 0.35
    amount = np.where(buys, random.gamma(1.6, 4.0, n), 0.0)
    said = np.where(random.random(n) < np.where(buys, 0.85, 0.15), random.gamma(2.0, 2.5, n), 0.0)
    return {"y": amount, "m": 0.5 * said + 0.5 * amount * (said > 0)}


def numbers_two_heaps(random: Random, n: int) -> Table:
    """Numbers in two heaps; errors of which one in twenty takes one heap for the other."""
    heap = np.where(random.random(n) < 0.4, -3.0, 3.0)
    taken = np.where(random.random(n) < 0.05, -heap, heap)
    return {"y": heap + random.standard_normal(n), "m": taken + 0.8 * random.standard_normal(n)}


def weighted_numbers(random: Random, n: int) -> Table:
    """Rows with large references are drawn seldom and weigh as much more: errors are larger there."""
    count = n if n >= 10_000 else 8 * n
    prediction = random.gamma(2.0, 1.0, count)
    y = prediction + (0.3 + 0.3 * prediction) * random.standard_normal(count)
    if n >= 10_000:
        return {"y": y, "m": prediction}
    chance = np.clip(1.2 / (1 + prediction), 0.15, 1.0)
    rows = np.flatnonzero(random.random(count) < chance)[:n]
    return {"y": y[rows], "m": prediction[rows], "w": 1 / chance[rows]}


def clusters_with_outliers(random: Random, n: int) -> Table:
    """Five rows of each cluster; one cluster in fifteen has errors three times as wide."""
    count = n if n < 5_000 else n // 5
    of = np.repeat(np.arange(count), 5)
    wide = np.where(random.random(count) < 1 / 15, 3.0, 1.0)[of]
    prediction = 1.5 * random.standard_normal(len(of)) + random.standard_normal(count)[of]
    return {"y": prediction + wide * random.laplace(0, 0.7, len(of)), "m": prediction, "c": of}


def both_ends(random: Random, n: int) -> Table:
    """Ratings of 0 to 10 that lie mostly near both ends."""
    common = random.beta(0.4, 0.5, n)
    first, second = (np.clip(10 * common + 1.2 * random.standard_normal(n), 0, 10) for _ in range(2))
    return {"a": np.round(first, 1), "b": np.round(second, 1)}


def fourfold(random: Random, n: int) -> Table:
    """Three in a hundred of the second ratings are noise of four times the spread."""
    common = 0.9 * random.standard_normal(n)
    first, second = (common + 0.45 * random.standard_normal(n) for _ in range(2))
    return {"a": first, "b": np.where(random.random(n) < 0.03, 3.6 * random.standard_normal(n), second)}


def rare_end(random: Random, n: int) -> Table:
    """Three raters on four points of which the last is rare."""
    common = random.standard_normal(n)
    cuts = np.array([-0.3, 0.6, 1.9])
    return {f"r{k}": 1 + np.searchsorted(cuts, common + 0.5 * random.standard_normal(n)) for k in range(3)}


def essays_rare_end(random: Random, n: int) -> Table:
    """Two ratings on four points of which the last is rare, and a system's score between them."""
    common, cuts = random.standard_normal(n), np.array([-0.3, 0.6, 1.9])
    first, second = (1.0 + np.searchsorted(cuts, common + 0.5 * random.standard_normal(n)) for _ in range(2))
    machine = np.clip(2.0 + 0.8 * common + 0.4 * random.standard_normal(n), 0.6, 4.4)
    return {"h1": first, "h2": second, "e": machine}


def essays_two_heaps(random: Random, n: int) -> Table:
    """Essays that are good or bad on six points, and a system that shrinks to the middle."""
    level = np.where(random.random(n) < 0.45, 1.8, 4.8) + 0.5 * random.standard_normal(n)
    first, second = (np.clip(np.rint(level + random.laplace(0, 0.4, n)), 1, 6) for _ in range(2))
    return {"h1": first, "h2": second, "e": 3.4 + 0.75 * (level - 3.4) + 0.5 * random.standard_normal(n)}


def mostly_missed(random: Random, n: int) -> Table:
    """Queries of twenty items with one relevant, which two thirds of the queries put among the last."""
    grade = np.zeros((n, 20), dtype=int)
    grade[np.arange(n), random.integers(0, 20, n)] = 1
    found = random.random(n) < 0.33
    score = random.standard_normal((n, 20)) + grade * np.where(found, 2.5, -2.0)[:, None]
    return {"q": np.repeat(np.arange(n), 20), "rel": grade.reshape(-1), "m": score.reshape(-1)}


def _pareto(random: Random, n: int) -> Any:
    """Lengths with a mean and hardly a variance."""
    return 0.3 * (1 + random.pareto(2.1, n))


def _ordinal(name: str, n: int, draw: Drawn) -> Design:
    roles = {"raters": ["r0", "r1", "r2"], "measurement": "ordinal"}
    return Design("agreement", name, n, draw, ORDINAL, roles, many=200_000)


def _weighted(name: str, n: int, draw: Drawn) -> Design:
    roles = {"reference": "y", "prediction": "m", "weight": "w"}
    return Design("regression", name, n, draw, NUMBERS, roles, many=400_000)


def _numbers(name: str, n: int, draw: Drawn, metrics: tuple[str, ...]) -> Design:
    return replace(regression(name, n, draw, metrics), many=400_000)


_OF_FOUR, _OF_SIX = {"min": 1, "max": 4}, {"min": 1, "max": 6}
FURTHER: tuple[Design, ...] = tuple(
    design
    for n in SIZES
    for design in (
        classification("two heaps of scores", n, two_heaps, LABELS),
        classification("five levels, half at the lowest", n, few_levels, LABELS),
        classification("one in ten, a third of them missed", n, rare_and_late, LABELS),
        classification("near-duplicate rows", n, near_duplicates, LABELS),
        classification("one cluster holds two fifths", n, labels_one_large, LABELS),
        _numbers("mostly zero", n, mostly_zero, NUMBERS),
        _numbers("two heaps, one in twenty mistaken", n, numbers_two_heaps, NUMBERS),
        _numbers("one cluster holds two fifths", n, numbers_one_large, CONCORDANCE),
        _numbers("one cluster in fifteen threefold", n, clusters_with_outliers, CONCORDANCE),
        _weighted("weights by the size", n, weighted_numbers),
        rated("ratings at both ends", n, both_ends, RATINGS),
        rated("3 % fourfold", n, fourfold, RATINGS),
        _ordinal("four points, a rare end", n, rare_end),
        scoring("four points, a rare end", n, essays_rare_end, SCORED, _OF_FOUR),
        scoring("two heaps of essays", n, essays_two_heaps, SCORED, _OF_SIX),
        ranking("mostly missed", n, mostly_missed),
        preference("Pareto 2.1 lengths", n, choices(_pareto, (1, 0), 0.3, 0.0)),
    )
)
