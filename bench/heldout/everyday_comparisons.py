"""Two systems of the ninth set of designs for bench/coverage_heldout.py (`--set everyday`).

A prompt changed, a version that forgets the rarest label, scores that differ in the tails, chats of users, a survey's
weights, rounded numbers, numbers shrunk to the mean, sensors, a sharper engine, the top three in another order,
machines with long tails. Written down before any was run; nothing was chosen on them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.heldout.designs import SCORED, Design, Random, Table, expit, yes_no
from bench.heldout.everyday import EVERYDAY_ONE, answers_of_candidates, at_the_floor, prices, sensors, surveyed
from bench.heldout.measured import BOTH, LABELS, MANY, WHOLE

ERRORS = ("rmse", "mean_absolute_error", "mean_bias_error", "r_squared", "correlation")


def prompt_changed(random: Random, n: int) -> Table:
    """Four labels; 6 % of the answers change with the prompt, for the better as often as for the worse."""
    letters, truth = np.array(list("abcd")), random.choice(4, n, p=(0.4, 0.3, 0.2, 0.1))
    first = np.where(random.random(n) < 0.8, truth, (truth + random.integers(1, 4, n)) % 4)
    changed = random.random(n) < 0.06
    second = np.where(changed, np.where(random.random(n) < 0.75, truth, random.integers(0, 4, n)), first)
    return {"y": letters[truth], "m": letters[first], "s": letters[second]}


def forgets_the_rarest(random: Random, n: int) -> Table:
    """Three labels, 8 % the rarest; a version that says it a third less often, and is better elsewhere."""
    letters, truth = np.array(list("abc")), random.choice(3, n, p=(0.57, 0.35, 0.08))
    first = np.where(random.random(n) < 0.82, truth, (truth + random.integers(1, 3, n)) % 3)
    second = np.where((first != truth) & (random.random(n) < 0.2), truth, first)
    second = np.where((first == 2) & (random.random(n) < 1 / 3), 1, second)
    return {"y": letters[truth], "m": letters[first], "s": letters[second]}


def tails_differ(random: Random, n: int) -> Table:
    """Two scores that are one but for a row in ten, where the second is far off either way."""
    yes = random.random(n) < 0.35
    logit = np.where(yes, 1.1, -1.2) + random.standard_normal(n)
    far = np.where(random.random(n) < 0.1, 2.5 * random.standard_normal(n), 0.1 * random.standard_normal(n))
    return {"y": yes_no(yes), "p": expit(logit), "s": expit(logit + far)}


def chats(random: Random, n: int) -> Table:
    """Chats with one to some dozen turns; each chat suits one system or the other."""
    sizes = np.ones(n, dtype=int) if n >= WHOLE // 2 else 1 + random.negative_binomial(1, 0.25, n)
    of = np.repeat(np.arange(n), sizes)
    yes = random.random(len(of)) < 0.45
    sign, common = np.where(yes, 1.0, -1.0), random.standard_normal(len(of))
    suits = {name: random.normal(up, 0.5, n)[of] for name, up in (("p", 0.9), ("s", 1.05))}
    scores = {
        name: expit(sign * skill + 0.6 * common + 0.6 * random.standard_normal(len(of)))
        for name, skill in suits.items()
    }
    return {"y": yes_no(yes)} | scores | {"c": of}


def surveyed_twice(random: Random, n: int) -> Table:
    """Two systems on rows with weights of a survey."""
    table = surveyed(random, n)
    logit = np.log(table["p"] / (1 - table["p"]))
    return table | {"s": expit(0.85 * logit + 0.5 * random.standard_normal(n))}


def rounded(random: Random, n: int) -> Table:
    """Lognormal amounts; the second system is the first, rounded to tens."""
    table = prices(random, n)
    return table | {"s": 10 * np.rint(table["m"] / 10)}


def shrunk(random: Random, n: int) -> Table:
    """Gamma amounts with t₅ errors; the second system keeps closer to the mean."""
    y = random.gamma(2.0, 3.0, n)
    first = y + 1.2 * random.standard_t(5, n)
    return {"y": y, "m": first, "s": 6 + 0.8 * (first - 6) + 0.4 * random.standard_normal(n)}


def sensors_twice(random: Random, n: int) -> Table:
    """Two calibrations of the same sensors."""
    table = sensors(random, n)
    off = 0.4 * random.standard_normal(n)
    return table | {"s": table["y"] + 0.6 * (table["m"] - table["y"]) + off[table["c"]]}


def sharper_engine(random: Random, n: int) -> Table:
    """A second engine that has two thirds of the first one's errors, and some of its own."""
    table = at_the_floor(random, n)
    return table | {"s": 0.7 * table["e"] + 0.3 * table["h1"] + 0.2 * random.standard_normal(n)}


def engines_of_candidates(random: Random, n: int) -> Table:
    """Two engines on one to six answers of each candidate."""
    table = answers_of_candidates(random, n)
    return table | {"s": table["e"] + 0.3 * random.standard_t(6, len(table["c"]))}


def top_three(random: Random, n: int) -> Table:
    """Fifteen documents; the second system puts the first three in another order."""
    grade = random.choice(3, (n, 15), p=(0.8, 0.14, 0.06))
    one = random.gamma(2.0, 0.5, n)[:, None] * grade + random.standard_normal(grade.shape)
    order = np.argsort(-one, axis=1)[:, :3]
    two, rows = one.copy(), np.arange(n)[:, None]
    two[rows, order] = np.sort(one[rows, order], axis=1)[rows, random.permuted(np.tile(np.arange(3), (n, 1)), axis=1)]
    return {"q": np.repeat(np.arange(n), 15), "rel": grade.reshape(-1), "m": one.reshape(-1), "s": two.reshape(-1)}


def long_tailed_twice(random: Random, n: int) -> Table:
    """Two versions on machines with lognormal rates, and a part of their own."""
    rate, hours = np.exp(0.8 * random.standard_normal(n) - 0.32), random.gamma(3.0, 50.0, n)
    own = [random.gamma(2.0, 0.5, n) for _ in range(2)]
    return {
        "hours": hours,
        "f": random.poisson(rate * own[0] * hours / 60),
        "s": random.poisson(rate * own[1] * hours / 75),
    }


def _two(
    task: str, name: str, n: int, draw: Any, metrics: tuple[str, ...], roles: dict[str, Any], **more: Any
) -> Design:
    system = "s · raw_trim" if task == "scoring" else "s"
    return Design(task, name, n, draw, metrics, roles, system=system, difference=True, **({"many": MANY} | more))


_LABELS = {"reference": "y", "prediction": ["m", "s"]}
_SCORES = {"reference": "y", "score": ["p", "s"], "positive": "yes", "weight": "w", "cluster": "c"}
_NUMBERS = {"reference": "y", "prediction": ["m", "s"], "cluster": "c"}
_ESSAYS = {"raters": ["h1", "h2"], "prediction": ["e", "s"], "candidate": "c", "zeros": "keep"}
EVERYDAY: tuple[Design, ...] = (
    *EVERYDAY_ONE,
    *(_two("classification", "two, a prompt changed", n, prompt_changed, LABELS, _LABELS) for n in (100, 300)),
    _two("classification", "two, one forgets the rarest", 150, forgets_the_rarest, (*LABELS, "recall [c]"), _LABELS),
    _two("classification", "two, apart in the tails", 150, tails_differ, (*BOTH, "average_precision"), _SCORES),
    _two("classification", "two, chats that suit one", 80, chats, BOTH, _SCORES),
    _two("classification", "two, survey weights", 150, surveyed_twice, BOTH, _SCORES),
    _two("regression", "two, one rounded", 100, rounded, ERRORS, _NUMBERS),
    _two("regression", "two, one shrunk", 120, shrunk, ERRORS, _NUMBERS),
    _two("regression", "two calibrations of sensors", 40, sensors_twice, ERRORS, _NUMBERS),
    _two("scoring", "two, one sharper", 120, sharper_engine, SCORED[:4], _ESSAYS | {"min": 1, "max": 4}),
    _two("scoring", "two, one to six answers", 60, engines_of_candidates, SCORED[:4], _ESSAYS | {"min": 0, "max": 5}),
    _two(
        "ranking",
        "two, the top three turned",
        80,
        top_three,
        ("ndcg(at=5)", "mean_reciprocal_rank"),
        {"query": "q", "relevance": "rel", "score": ["m", "s"]},
        many=20_000,
    ),
    _two(
        "failures",
        "two, lognormal rates",
        100,
        long_tailed_twice,
        ("mean_time_between_failures",),
        {"exposure": "hours", "failures": ["f", "s"]},
        truths={"mean_time_between_failures": 15.0},
    ),
)
