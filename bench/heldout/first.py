"""The designs of bench/coverage_heldout.py: a set that choices may look at, and a set that they may not.

Both have rows of unequal spread, heavy tails, ties, clusters of unequal size, informative weights, few positives and
small tables; no distribution and no parameter of one is in the other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bench.heldout.designs import (
    CURVES,
    DECIDED,
    DEGRADED,
    POINTS,
    SCORED,
    Design,
    Draw,
    Random,
    arms,
    candidates,
    choices,
    classification,
    contaminated,
    diagnostic,
    essays,
    judged,
    judges,
    labelled,
    labels_in_clusters,
    labels_missing,
    lists,
    mistyped,
    numbers,
    numbers_in_clusters,
    of_three,
    off_one_way,
    preference,
    ranking,
    rare,
    rated,
    regression,
    scoring,
    suite,
    three_labels,
    two_labels,
    uneven,
    uplift,
    weighted_labels,
    whole_numbers,
)


def _student(freedom: float) -> Draw:
    return lambda r, n: r.standard_t(freedom, n)


def _normal(r: Random, n: int) -> Any:
    return r.standard_normal(n)


def _lognormal(sigma: float) -> Draw:
    return lambda r, n: np.exp(sigma * r.standard_normal(n))


def _centred(of: Draw, mean: float, scale: float = 1.0) -> Draw:
    return lambda r, n: scale * (of(r, n) - mean)


def _laplace(r: Random, n: int) -> Any:
    return r.laplace(size=n)


def _gamma(shape: float) -> Draw:
    return lambda r, n: r.gamma(shape, size=n)


def _weibull(shape: float) -> Draw:
    return lambda r, n: r.weibull(shape, n)


def _bought(base: float, effect: float) -> Callable[[Random, Any, Any], Any]:
    return lambda r, s, t: (r.random(len(s)) < np.clip(base + 0.1 * s + t * effect * (s - 0.2), 0, 1)) * 1.0


def _spent(sigma: float) -> Callable[[Random, Any, Any], Any]:
    return lambda r, s, t: np.exp(sigma * r.standard_normal(len(s))) * (1 + t * np.clip(s, 0, 1))


def _scale(low: float, spread: float) -> Draw:
    return lambda r, n: low + spread * r.standard_normal(n)


_OF_SIX = {"min": 1, "max": 6}
_EXPONENTIAL: Draw = _centred(lambda r, n: r.exponential(size=n), 1.0)

DEVELOPMENT: tuple[Design, ...] = (
    *(regression("Laplace, one in ten fivefold", n, numbers(rare(0.1, 5, _laplace))) for n in (50, 200)),
    *(regression("one in twenty fourfold", n, numbers(rare(0.05, 4, _normal))) for n in (50, 200)),
    regression("normal", 50, numbers(_normal)),
    regression("t3", 60, numbers(_student(3))),
    regression("20 clusters, normal", 20, numbers_in_clusters(_normal, _normal, 8, 0)),
    regression("22 clusters, t3", 22, numbers_in_clusters(_student(3), _normal, 8, 0)),
    regression("60 clusters, t3", 60, numbers_in_clusters(_student(3), _normal, 8, 0)),
    regression("40 clusters, unequal, exponential", 40, numbers_in_clusters(_EXPONENTIAL, _normal, 8, 0.8)),
    regression("30 clusters, habits t4", 30, numbers_in_clusters(_laplace, _student(4), 10, 0.4, 0.8)),
    *(rated("5 % contaminated threefold", n, contaminated(0.05, 3.0, 0.4, _normal)) for n in (50, 100)),
    rated("10 % contaminated", 50, contaminated(0.1, 2.5, 0.4, _normal)),
    rated("normal", 50, contaminated(0.0, 1.0, 0.7, _normal)),
    labelled("three raters skip hard items", 60, labels_missing((0.6, 0.3, 0.1), 3, 0.9, 0.5, (0.05, 0.4)), 3),
    scoring("skewed, 50 double", 200, essays(_gamma(2), _EXPONENTIAL, 0.6, 0.5, 50), (*SCORED[4:], *DEGRADED), {}),
    scoring("skewed, 12 double", 200, essays(_gamma(2), _EXPONENTIAL, 0.6, 0.5, 12), (*SCORED[4:], *DEGRADED), {}),
    scoring(
        "six points, 50 double",
        200,
        essays(_scale(3.5, 1), _normal, 0.6, 0.5, 50, 6),
        (*SCORED[4:], *DEGRADED),
        _OF_SIX,
    ),
    scoring("20 candidates", 20, candidates(_scale(3.5, 0.8), _normal, 5, 0.5, 0.3, 1.0), SCORED, _OF_SIX),
    *(classification("20 clusters", n, labels_in_clusters(_normal, 12, 0.7, 0.8), (*CURVES, *DECIDED)) for n in (20,)),
    classification("24 clusters, habits t3", 24, labels_in_clusters(_student(3), 10, 0.0, 0.6), (*CURVES, *DECIDED)),
    classification("few positives", 120, two_labels(_scale(0.5, 1.2), _scale(-2.5, 1), 0.08), (*CURVES, *DECIDED)),
    classification(
        "weights by score",
        120,
        weighted_labels(two_labels(_scale(0.8, 1.5), _scale(-1, 1), 0.3), 0.2),
        (*CURVES, *DECIDED),
        whole=two_labels(_scale(0.8, 1.5), _scale(-1, 1), 0.3),
    ),
    *(of_three("three labels, t4", n, three_labels(_student(4), 1.0, 1.5, 0.4)) for n in (60, 80)),
    classification("operating points", 120, two_labels(_scale(1, 1.5), _scale(-1.5, 1), 0.25), POINTS),
    ranking("24 users", 24, lists(1.0, 0.2, (4, 0.6, 0.8))),
    ranking("60 queries", 60, lists(1.5, 0.1, (1, 0, 0))),
    *(preference("log-normal lengths 0.8", n, choices(_lognormal(0.8), (1, 0), 0.2, 0.0)) for n in (50, 100)),
    preference("log-normal lengths 1.2", 100, choices(_lognormal(1.2), (1, 0), 0.2, 0.0)),
    preference("30 prompts", 30, choices(_lognormal(0.7), (4, 0.5), 0.3, 1.0)),
    uplift("money, 20 of 200 treated", 200, arms(_spent(1.0), 0.1)),
    uplift("rare, 20 of 200 treated", 200, arms(_bought(0.05, 0.15), 0.1)),
    uplift("common, half treated", 100, arms(_bought(0.3, 0.4), 0.5)),
    uplift("30 clusters", 30, arms(_bought(0.3, 0.4), 0.5, (8, 0.5, 0.3))),
    judges("drift .95 to .8", 1_000, judged(0.8, (0.95, 0.8), 0.06)),
    judges("40 clusters", 40, judged(0.8, (0.9, 0.9), 0.3, (20, 0.5, 1.0))),
    diagnostic("20 templates, unequal", 20, suite(0.1, 0.2, 12, 0.8), 0.1),
)

HELD_OUT: tuple[Design, ...] = (
    *(
        regression("one in twelve fourfold, logistic", n, numbers(rare(0.08, 4, lambda r, k: r.logistic(size=k)), 3.0))
        for n in (60, 250)
    ),
    regression("Weibull 0.9 less its mean", 80, numbers(_centred(_weibull(0.9), 1.0522), 1.5)),
    regression("gamma 0.7 less its mean", 50, numbers(_centred(_gamma(0.7), 0.7), 2.0)),
    regression("t3.5", 70, numbers(_student(3.5), 2.5)),
    regression(
        "spread by the prediction",
        60,
        uneven,
    ),
    regression(
        "ties: whole numbers",
        80,
        whole_numbers,
    ),
    regression("uniform", 60, numbers(lambda r, n: r.uniform(-1, 1, n))),
    regression(
        "25 clusters, uniform habits",
        25,
        numbers_in_clusters(_normal, lambda r, n: 1.7 * r.uniform(-1, 1, n), 6, 0.3, 0.7),
    ),
    regression("50 clusters, unequal, t3.5", 50, numbers_in_clusters(_student(3.5), _normal, 10, 0.6)),
    regression(
        "30 clusters, Weibull errors", 30, numbers_in_clusters(_centred(_weibull(0.9), 1.0522), _laplace, 7, 0.0, 0.3)
    ),
    regression(
        "80 clusters, very unequal, logistic",
        80,
        numbers_in_clusters(lambda r, n: r.logistic(size=n), _normal, 12, 1.0),
    ),
    *(
        rated("7 % contaminated, logistic", n, contaminated(0.07, 2.0, 0.5, lambda r, k: r.logistic(size=k)))
        for n in (60, 150)
    ),
    rated("Laplace values", 60, contaminated(0.0, 1.0, 0.6, _laplace)),
    rated("gamma values, 3 % contaminated", 80, contaminated(0.03, 1.0, 0.3, _gamma(1.5))),
    rated("6 % contaminated, Laplace", 50, contaminated(0.06, 2.5, 0.45, _laplace)),
    rated("5 % contaminated, uniform", 50, contaminated(0.05, 2.2, 0.3, lambda r, n: r.uniform(-1.7, 1.7, n))),
    rated("6 % off one way", 55, off_one_way(0.06, 3.0, _normal)),
    rated("5 % mistyped, nine points", 50, mistyped(0.05, 9)),
    rated("beta values", 50, contaminated(0.0, 1.0, 0.15, lambda r, n: r.beta(2, 5, n))),
    labelled("four raters skip hard items", 80, labels_missing((0.75, 0.25), 4, 0.95, 0.6, (0.1, 0.5)), 4),
    labelled("three raters, rare labels", 60, labels_missing((0.85, 0.1, 0.05), 3, 0.92, 0.55, (0.0, 0.3)), 3),
    scoring(
        "Weibull errors, 20 double",
        250,
        essays(_scale(4, 1.2), _centred(_weibull(1.1), 0.965), 0.7, 0.6, 20),
        (*SCORED[4:], *DEGRADED),
        {},
    ),
    scoring(
        "Laplace errors, 60 double",
        300,
        essays(_centred(_gamma(3), -1.0, 0.6), _laplace, 0.4, 0.4, 60),
        (*SCORED[4:], *DEGRADED),
        {},
    ),
    scoring(
        "five points, 40 double",
        150,
        essays(_scale(3, 0.9), lambda r, n: r.uniform(-1.5, 1.5, n), 0.7, 0.4, 40, 5),
        (*SCORED[4:], *DEGRADED),
        {"min": 1, "max": 5},
    ),
    scoring("25 candidates", 25, candidates(_scale(3.2, 0.9), _laplace, 4, 0.7, 0.4, 1.0), SCORED, _OF_SIX),
    scoring("80 responses", 80, essays(_scale(3.4, 1.1), _normal, 0.5, 0.6, 80, 6), SCORED, _OF_SIX),
    classification(
        "25 clusters, Laplace habits", 25, labels_in_clusters(_laplace, 9, 0.4, 0.6, -0.8), (*CURVES, *DECIDED)
    ),
    classification(
        "40 clusters, very unequal", 40, labels_in_clusters(_normal, 10, 1.0, 0.9, 0.2), (*CURVES, *DECIDED)
    ),
    classification(
        "positives of two kinds, ties",
        90,
        two_labels(lambda r, n: np.where(r.random(n) < 0.3, -1, 2) + 0.7 * r.standard_normal(n), _laplace, 0.35, 8),
        (*CURVES, *DECIDED),
    ),
    classification(
        "few positives, uniform",
        150,
        two_labels(lambda r, n: r.uniform(-1, 3, n), lambda r, n: r.gumbel(-2, 0.8, n), 0.07),
        (*CURVES, *DECIDED),
    ),
    classification(
        "weights by score, gumbel",
        150,
        weighted_labels(
            two_labels(lambda r, n: r.gumbel(0.5, 1.2, n), lambda r, n: r.logistic(-1.2, 0.6, n), 0.25), 0.25
        ),
        (*CURVES, *DECIDED),
        whole=two_labels(lambda r, n: r.gumbel(0.5, 1.2, n), lambda r, n: r.logistic(-1.2, 0.6, n), 0.25),
    ),
    *(of_three("three labels, Laplace", n, three_labels(_laplace, 1.2, 0.7, 0.6)) for n in (70, 120)),
    ranking("30 users, very unequal", 30, lists(1.4, 0.15, (5, 0.9, 0.6))),
    ranking("50 queries, one relevant item", 50, lists(2.0, 0.0, (1, 0, 0))),
    preference("gamma lengths 0.6", 60, choices(_gamma(0.6), (1, 0), -0.3, 0.0)),
    preference("Weibull lengths 0.7", 120, choices(_weibull(0.7), (1, 0), 0.5, 0.0)),
    preference("40 prompts, gamma lengths", 40, choices(_gamma(1.2), (3, 0.8), -0.2, 0.8)),
    uplift("money 0.8, 30 of 250 treated", 250, arms(_spent(0.8), 0.12)),
    uplift("rare, 40 of 200 treated", 200, arms(_bought(0.08, 0.1), 0.2)),
    uplift("40 clusters, unequal", 40, arms(_bought(0.2, 0.5), 0.4, (6, 0.7, 0.4))),
    judges("drift .85 to .97", 800, judged(0.7, (0.85, 0.97), 0.08)),
    judges("50 clusters, unequal", 50, judged(0.7, (0.95, 0.85), 0.25, (12, 0.8, 0.8))),
    diagnostic("25 templates, very unequal", 25, suite(0.2, 0.35, 10, 1.0), 0.2),
    diagnostic("60 templates, rare", 60, suite(0.05, 0.1, 6, 0.5), 0.05),
)
