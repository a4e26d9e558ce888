"""What was measured of units in use: nothing is lost of a perfect system, and more the further it is off."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from tests.laws.rows import Making, Rows

from adjudge.metrics.base import Metric


def _taken(random: np.random.Generator, making: Making) -> Rows:
    return Rows(making.amount * random.exponential(10.0, making.size).round(int(random.choice([1, 12]))))


def _time(random: np.random.Generator, making: Making) -> Rows:
    return Rows(np.exp(making.amount * random.gamma(2.0, 1.0, making.size)))


def _failed(random: np.random.Generator, making: Making) -> Rows:
    return Rows((random.random(making.size) < making.amount).astype(float))


def _went_well(random: np.random.Generator, making: Making) -> Rows:
    return Rows(1 - _failed(random, making).first)


def _watched(random: np.random.Generator, making: Making) -> Rows:
    hours = random.integers(1, 20, making.size).astype(float)
    return Rows(hours, 1.0 + random.poisson(4 * making.amount, making.size))


def _watched_beside(random: np.random.Generator, making: Making) -> Rows:
    hours = random.integers(1, 20, (2, making.size)).astype(float)
    failures = random.poisson(4 * making.amount, making.size), 1 + random.poisson(2, making.size)
    return Rows(np.column_stack([hours[0], failures[0], hours[1], failures[1]]))


def _paid(random: np.random.Generator, making: Making) -> Rows:
    right = random.random(making.size) >= 0.7 * making.amount
    right[:1] = True
    return Rows(_taken(random, making).first, right.astype(float))


def _answered(random: np.random.Generator, making: Making) -> Rows:
    best = np.where(np.arange(10) % 2 == 0, 5.0, 1.0)
    off = random.random((making.size, 10)) < making.amount
    return Rows(np.where(off, random.integers(1, 6, (making.size, 10)), best))


def _tried(random: np.random.Generator, making: Making) -> Rows:
    right = (random.random((making.size, 6)) >= 0.6 * making.amount).astype(float)
    right[:, 3:][making.gaps(random, 3)] = np.nan
    return Rows(right)


def _disturbed(random: np.random.Generator, making: Making) -> Rows:
    original = (random.random(making.size) < 0.8).astype(float)
    original[:1] = 1.0
    return Rows(original, np.where(random.random(making.size) < making.amount, 0.0, original))


MAKING: dict[str, Callable[[np.random.Generator, Making], Rows]] = {
    "quantile": _taken,
    "mean": _taken,
    "geometric_mean": _time,
    "failed_share": _failed,
    "success_rate": _went_well,
    "mean_time_between_failures": _watched,
    "failure_ratio": _watched_beside,
    "cost_per_right": _paid,
    "system_usability": _answered,
    "pass_hat_k": _tried,
    "robustness_drop": _disturbed,
    "share_kept": _disturbed,
}


def measured(metric: Metric, random: np.random.Generator, making: Making) -> Rows:
    return MAKING[metric.name](random, making)


def degenerate_units(metric: Metric) -> dict[str, Rows]:
    """None, one, all alike, and those in which what is divided by is nothing."""
    ordinary = measured(metric, np.random.default_rng(1), Making(8, 0.5, wide=False))
    nothing, one = np.arange(0), np.zeros(1, dtype=int)
    found = {"nothing": ordinary.of(nothing), "one unit": ordinary.of(one), "alike": ordinary.of(np.zeros(5, int))}
    if ordinary.second is not None:
        zero = np.zeros(4)
        found["nothing below"] = Rows(np.ones(4), zero)
        found["nothing above"] = Rows(zero, np.ones(4))
    return found
