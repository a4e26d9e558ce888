"""Drift, two teams of raters, fairness, slices: the first designs.

Designs of bench.false_alarms, whose command runs them (`--only drift`, `--only "two teams"`, `--only fairness` …).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import adjudge
from bench.false_alarms.alarms import Alarms, Draw, Random, any_beyond, drifted, teams_apart, unfair


def _ratings(random: Random, n: int, raters: int, shares: tuple[float, ...], right: float) -> np.ndarray:
    """Raters who see the truth with one chance, and guess otherwise; every third item is hard."""
    truth = random.choice(len(shares), n, p=shares)
    chance = np.where(random.random(n) < 1 / 3, right - 0.3, right)[:, None]
    said = np.where(random.random((n, raters)) < chance, truth[:, None], random.choice(len(shares), (n, raters)))
    return np.array(["a", "b", "c"], dtype=object)[said]


def batches(shares: tuple[float, ...], sizes: tuple[int, ...]) -> Draw:
    """Items of batches that differ in nothing but size."""

    return lambda random: drifted(_ratings(random, sum(sizes), 3, shares, 0.9), sizes)


def teams(shares: tuple[float, ...], n: int, right: float) -> Draw:
    """Two teams of two raters who are as good."""

    def draw(random: Random) -> Alarms:
        said = _ratings(random, n, 4, shares, right)
        return teams_apart(said[:, :2], said[:, 2:])

    return draw


def groups(people: tuple[int, int], responses: int, errors: Callable[[Random, int], np.ndarray], wide: float) -> Draw:
    """Responses of people of two groups whose errors have the same mean; those of the second are so much wider."""

    def draw(random: Random) -> Alarms:
        count = sum(people)
        each = random.integers(1, 2 * responses, count) if responses > 1 else np.ones(count, dtype=int)
        who = np.repeat(np.arange(count), each)
        small = who >= people[0]
        human = np.clip(np.rint(3.5 + 1.2 * random.standard_normal(len(who))), 1, 6)
        error = errors(random, count)[who] * 0.4 + errors(random, len(who)) * 0.6
        system = human + 0.5 * np.where(small, wide, 1.0) * error
        return unfair(human, system, small * 1, ("most", "few"), who.astype(np.uint64) if responses > 1 else None)

    return draw


def slices(levels: int, n: int, cluster: int = 1) -> Draw:
    """Rows of slices which are as often right."""

    def draw(random: Random) -> Alarms:
        of = np.repeat(np.arange(n // cluster), cluster)
        right = random.random(n) < np.clip(0.85 + 0.1 * random.standard_normal(n // cluster), 0, 1)[of]
        yes = random.random(n) < 0.4
        share = np.sort(random.dirichlet(np.full(levels, 2.0)))
        part = random.choice(levels, n // cluster, p=share)[of]
        table = {
            "y": np.where(yes, "yes", "no"),
            "m": np.where(yes == right, "yes", "no"),
            "s": [f"s{k}" for k in part],
        }
        role = {} if cluster == 1 else {"cluster": "c"}
        found = adjudge.classification(
            table | ({} if cluster == 1 else {"c": of}),
            reference="y",
            prediction="m",
            slices=["s"],
            metrics=["accuracy"],
            replicates=300,
            **role,
        )
        return any_beyond(found)

    return draw


def _exponential(random: Random, n: int) -> np.ndarray:
    return random.exponential(size=n) - 1


def _normal(random: Random, n: int) -> np.ndarray:
    return random.standard_normal(n)


def _lognormal(random: Random, n: int) -> np.ndarray:
    return np.exp(0.8 * random.standard_normal(n)) - np.exp(0.32)


EVEN, RARE = (0.4, 0.35, 0.25), (0.9, 0.07, 0.03)
USUAL: dict[str, dict[str, Draw]] = {
    "drift": {
        "six batches of 30": batches(EVEN, (30,) * 6),
        "six batches of 30, a rare label": batches(RARE, (30,) * 6),
        "batches of 10 to 80, a rare label": batches(RARE, (10, 20, 40, 80)),
    },
    "two teams": {
        "50 items": teams(EVEN, 50, 0.9),
        "50 items, a rare label": teams(RARE, 50, 0.9),
        "150 items, nearly always alike": teams(RARE, 150, 0.98),
    },
    "fairness": {
        "12 + 6 people, normal errors": groups((12, 6), 5, _normal, 1.0),
        "12 + 6 people, exponential, twice as wide": groups((12, 6), 5, _exponential, 2.0),
        "20 + 8 people, lognormal": groups((20, 8), 5, _lognormal, 1.0),
        "120 + 15 responses, lognormal": groups((120, 15), 1, _lognormal, 1.0),
        "120 + 15 responses, lognormal, twice as wide": groups((120, 15), 1, _lognormal, 2.0),
        "60 + 40 responses, exponential, half as wide": groups((60, 40), 1, _exponential, 0.5),
    },
    "slices": {
        "eight slices of 240 rows": slices(8, 240),
        "four slices of 120 rows in clusters of 4": slices(4, 120, 4),
        "twenty slices of 1,000 rows": slices(20, 1_000),
    },
}
