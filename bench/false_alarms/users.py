"""False alarms on what people bring: two systems that are as good, requirements at the truth, slices of a dozen rows.

Designs of bench.false_alarms, whose command runs them: `--only comparison`, `--only gates`, `--only "small slices"`.
Written before any was run, and nothing was chosen on them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import adjudge
from bench.false_alarms.alarms import (
    LABEL,
    REPLICATES,
    Alarms,
    Draw,
    Random,
    Table,
    any_beyond,
    first_tests,
    verdict_of,
)


def _labels(random: Random, n: int, alike: float) -> Table:
    """Two systems for three labels, as often right, that give the same answer in most rows."""
    truth = random.choice(3, n, p=(0.5, 0.3, 0.2))
    one, two = (np.where(random.random(n) < 0.8, truth, random.integers(0, 3, n)) for _ in range(2))
    names = np.array(["a", "b", "c"])
    return {"y": names[truth], "m": names[one], "s": names[np.where(random.random(n) < alike, one, two)]}


def _scores(random: Random, yes: Any, hard: Any) -> Table:
    """Two systems whose scores say as much of the label."""
    common = random.standard_normal(len(yes))
    each = {k: hard * np.where(yes, 1.0, -1.0) + common + 0.7 * random.standard_normal(len(yes)) for k in ("p", "s")}
    return {"y": np.where(yes, "yes", "no")} | {k: 1 / (1 + np.exp(-logit)) for k, logit in each.items()}


def alike(n: int, share: float) -> Draw:
    """Labels of two systems that differ on few rows."""
    metrics = ["accuracy", "f_score(average=macro)", "cohen_kappa"]
    return lambda random: _differ(_labels(random, n, share), metrics, prediction=["m", "s"])


def weighed(n: int) -> Draw:
    """Scores of two systems, of which one row in fifteen weighs ten times as much and is harder."""

    def draw(random: Random) -> Alarms:
        heavy = random.random(n) < 1 / 15
        table = _scores(random, random.random(n) < 0.4, np.where(heavy, 0.6, 1.4))
        return _scored(table | {"w": np.where(heavy, 10.0, 1.0)}, weight="w")

    return draw


def conversations(count: int) -> Draw:
    """Scores of two systems on conversations of one to twenty turns."""

    def draw(random: Random) -> Alarms:
        of = np.repeat(np.arange(count), np.minimum(random.geometric(0.25, count), 20))
        table = _scores(random, random.random(len(of)) < 0.4, random.gamma(3.0, 0.4, count)[of])
        return _scored(table | {"c": of}, cluster="c")

    return draw


def factors(n: int) -> Draw:
    """Lognormal amounts that two systems miss by factors."""

    def draw(random: Random) -> Alarms:
        y, common = np.exp(3 + 0.8 * random.standard_normal(n)), 0.25 * random.standard_normal(n)
        table = {"y": y} | {k: y * np.exp(common + 0.2 * random.standard_normal(n)) for k in ("m", "s")}
        return _differ(table, ["rmse", "mean_absolute_error"], task="regression", prediction=["m", "s"])

    return draw


def _scored(table: Table, **roles: str) -> Alarms:
    metrics = ["accuracy", "f_score", "cohen_kappa", "roc_auc", "log_loss"]
    return _differ(table, metrics, score=["p", "s"], positive="yes", **roles)


def _differ(table: Table, metrics: list[str], task: str = "classification", **roles: Any) -> Alarms:
    """Whether the first test of each difference is below .05."""
    found = adjudge.evaluate(table, task, reference="y", metrics=metrics, replicates=REPLICATES, **roles)
    return first_tests(found)


def required(draw: Callable[[Random], Table], metric: str, truth: float, **roles: Any) -> Draw:
    """A requirement whose bound is the truth: whether it passes, and whether it fails."""

    def judged(random: Random) -> Alarms:
        found = adjudge.classification(
            draw(random), metrics=[metric], require=[f"{metric} >= {truth}"], replicates=REPLICATES, **roles
        )
        return verdict_of(found, f"{metric} ")

    return judged


def _near_perfect(random: Random, n: int = 400) -> Table:
    yes = random.random(n) < 0.4
    return {"y": np.where(yes, "a", "b"), "m": np.where(yes == (random.random(n) < 0.985), "a", "b")}


def _strata(random: Random, n: int = 200) -> Table:
    """One row in ten weighs six times as much: 70 of 100 of these are right, and 90 of the others."""
    heavy, yes = random.random(n) < 0.1, random.random(n) < 0.5
    right = random.random(n) < np.where(heavy, 0.7, 0.9)
    return {"y": np.where(yes, "a", "b"), "m": np.where(yes == right, "a", "b"), "w": np.where(heavy, 6.0, 1.0)}


def _in_clusters(random: Random, count: int = 60) -> Table:
    """Clusters of one to twenty rows with their own share of right answers, 85 of 100 on average."""
    of = np.repeat(np.arange(count), np.minimum(random.geometric(0.2, count), 20))
    yes, right = random.random(len(of)) < 0.5, random.random(len(of)) < random.beta(8.5, 1.5, count)[of]
    return {"y": np.where(yes, "a", "b"), "m": np.where(yes == right, "a", "b"), "c": of}


def small_slices(task: str) -> Draw:
    """Twelve slices of 8 to 30 rows which are alike: whether any is said to be beyond."""

    def draw(random: Random) -> Alarms:
        sizes = random.integers(8, 31, 12)
        n, of = int(sizes.sum()), np.repeat([f"s{k}" for k in range(12)], sizes)
        y = random.gamma(2.0, 1.0, n) if task == "regression" else np.where(random.random(n) < 0.4, "a", "b")
        m = y + random.laplace(0, 0.5, n) if task == "regression" else np.where(random.random(n) < 0.9, y, "a")
        metrics = ["mean_absolute_error", "rmse"] if task == "regression" else ["accuracy", "cohen_kappa"]
        found = adjudge.evaluate(
            {"y": y, "m": m, "s": of}, task, reference="y", prediction="m", slices=["s"], metrics=metrics,
            replicates=REPLICATES,
        )  # fmt: skip
        return any_beyond(found)

    return draw


USERS: dict[str, dict[str, Draw]] = {
    "comparison": {
        "alike in 95 of 100, 200 rows": alike(200, 0.95),
        "alike in 80 of 100, 80 rows": alike(80, 0.8),
        "few rows weigh much, 150": weighed(150),
        "60 conversations": conversations(60),
        "missed by a factor, 100 rows": factors(100),
    },
    "gates": {
        "right in 985 of 1,000, 400 rows": required(_near_perfect, "accuracy", 0.985, **LABEL),
        "few rows weigh much, 200": required(_strata, "accuracy", 0.82, weight="w", **LABEL),
        "60 clusters of unequal size": required(_in_clusters, "accuracy", 0.85, cluster="c", **LABEL),
    },
    "small slices": {
        "twelve of 8 to 30 rows, labels": small_slices("classification"),
        "twelve of 8 to 30 rows, numbers": small_slices("regression"),
    },
}
