"""An eleventh set of designs for bench/coverage_heldout.py (`--set rare`): what is in few units and makes much.

Positives of 8 % that are spread more widely, regions of a survey, shops of unequal size, levels of confidence, a slice
with few positives; readings that slip, patients mistaken for others, templates of which one in ten fails; and two
systems that are one but for rows where the second is turned, noisy or misread. Written down before any was run;
nothing was chosen on them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from bench.heldout.designs import (
    DECIDED,
    SCORED,
    Design,
    Random,
    Table,
    classification,
    diagnostic,
    expit,
    lists,
    rated,
    regression,
    scoring,
    suite,
    yes_no,
)
from bench.heldout.measured import BOTH, ERRORS, LABELS, MANY, NOMINAL, NUMBERS, RATED, SCORES, VOTES, WHOLE

RANKED = ("ndcg(at=10)", "mean_reciprocal_rank", "precision_at(at=5)", "mean_average_precision")


def wider_positives(random: Random, n: int) -> Table:
    """8 % positives with three times the spread of the negatives, whose noise is logistic."""
    yes = random.random(n) < 0.08
    logit = np.where(yes, 0.6 + 2.1 * random.standard_normal(n), -2.2 + 0.4 * random.logistic(size=n))
    return {"y": yes_no(yes), "p": np.clip(expit(logit), 1e-4, 1 - 1e-4)}


def three_regions(random: Random, n: int) -> Table:
    """Half of the people live in a region of which one in five is asked; answers there are harder to tell."""
    chance = np.array([0.2, 0.6, 1.0])
    living = np.array([0.5, 0.3, 0.2])
    asked = living * chance / (living * chance).sum()
    region = random.choice(3, n, p=living if n >= WHOLE else asked)
    yes = random.random(n) < np.array([0.35, 0.5, 0.6])[region]
    logit = np.where(yes, 1.0, -1.0) * np.array([0.7, 1.2, 1.6])[region] + 0.9 * random.standard_normal(n)
    table = {"y": yes_no(yes), "p": expit(logit)}
    return table if n >= WHOLE else table | {"w": 1 / chance[region]}


def shops(random: Random, n: int) -> Table:
    """n shops with one to some forty sales each; a shop is easy or hard, and one in ten is scored upside down."""
    sizes = np.ones(n, dtype=int) if n >= WHOLE else 1 + np.minimum(random.negative_binomial(1, 0.15, n), 40)
    of = np.repeat(np.arange(n), sizes)
    skill = np.where(random.random(n) < 0.1, -0.5, random.gamma(3.0, 0.5, n))[of]
    yes = random.random(len(of)) < 0.45
    logit = np.where(yes, 1.0, -1.0) * skill + random.standard_normal(len(of))
    return {"y": yes_no(yes), "p": expit(logit), "c": of}


def five_levels(random: Random, n: int) -> Table:
    """Five levels of confidence, of which the two highest are rare and not always right."""
    level = random.choice(5, n, p=(0.45, 0.25, 0.18, 0.08, 0.04))
    yes = random.random(n) < np.array([0.04, 0.15, 0.5, 0.8, 0.75])[level]
    return {"y": yes_no(yes), "p": np.array([0.05, 0.2, 0.5, 0.85, 0.95])[level]}


def slice_of_sixty(random: Random, n: int) -> Table:
    """A fifth of the rows, in which positives are one in nine and harder to tell."""
    few = random.random(n) < 0.2
    yes = random.random(n) < np.where(few, 1 / 9, 0.4)
    logit = np.where(yes, 1.0, -1.3) * np.where(few, 0.8, 1.5) + random.standard_normal(n)
    return {"y": yes_no(yes), "p": expit(logit), "g": np.where(few, "few", "many")}


def turned(random: Random, n: int) -> Table:
    """A second score that is the first but for one row in seventeen, where it says the opposite."""
    yes = random.random(n) < 0.3
    logit = np.where(yes, 1.3, -1.3) + 0.8 * random.logistic(size=n)
    second = np.where(random.random(n) < 1 / 17, -1.5 * logit, logit + 0.2 * random.standard_normal(n))
    return {"y": yes_no(yes), "p": expit(logit), "s": expit(second)}


def noisier(random: Random, n: int) -> Table:
    """15 % positives; the second score is the first with Student's noise of 2.5 degrees of freedom."""
    yes = random.random(n) < 0.15
    logit = np.where(yes, 0.8, -1.8) + random.standard_normal(n)
    second = np.clip(logit + 0.35 * random.standard_t(2.5, n), -8, 8)
    return {"y": yes_no(yes), "p": expit(logit), "s": expit(second)}


def batches(random: Random, n: int) -> Table:
    """Two versions on batches of unequal size; one batch in eight goes wrong with the second."""
    sizes = np.ones(n, dtype=int) if n >= WHOLE else 1 + random.poisson(np.exp(0.8 * random.standard_normal(n)) * 3)
    of = np.repeat(np.arange(n), sizes)
    letters, truth = np.array(list("abc")), random.choice(3, len(of), p=(0.5, 0.3, 0.2))
    wrong = (truth + random.integers(1, 3, len(of))) % 3
    first = np.where(random.random(len(of)) < 0.85, truth, wrong)
    spoilt = (random.random(n) < 0.125)[of] & (random.random(len(of)) < 0.5)
    return {"y": letters[truth], "m": letters[first], "s": letters[np.where(spoilt, wrong, first)], "c": of}


def slips(random: Random, n: int) -> Table:
    """Normal errors, of which one in thirty is five times as large."""
    prediction = 2.5 * random.standard_normal(n)
    error = random.standard_normal(n) * np.where(random.random(n) < 1 / 30, 5.0, 1.0)
    return {"y": prediction + error, "m": prediction}


def days(random: Random, n: int) -> Table:
    """Whole days, most of them zero to three, predicted as whole days."""
    level = random.gamma(1.1, 1.8, n)
    return {"y": random.poisson(level), "m": np.rint(level + 0.6 * random.standard_normal(n))}


def weighed_by_spread(random: Random, n: int) -> Table:
    """A third of the units is seen half as often, weighs twice as much, and is off by twice as much, high."""
    wide = random.random(n) < (1 / 3 if n >= WHOLE else 0.2)
    prediction = random.logistic(0, 1.5, n)
    error = np.where(wide, 0.4 + 1.6 * random.standard_normal(n), 0.8 * random.standard_normal(n))
    table = {"y": prediction - error, "m": prediction}
    return table if n >= WHOLE else table | {"w": np.where(wide, 2.0, 1.0)}


def misread(random: Random, n: int) -> Table:
    """A second system that misreads one row in twenty, by an exponential amount either way."""
    y = random.gamma(4.0, 1.5, n)
    first = y + 0.9 * random.standard_normal(n)
    off = random.exponential(4.0, n) * random.choice([-1.0, 1.0], n)
    return {"y": y, "m": first, "s": first + np.where(random.random(n) < 0.05, off, 0.4 * random.standard_normal(n))}


def misread_rating(random: Random, n: int) -> Table:
    """Two devices with logistic noise; one reading in twenty-five of the second is of another scale."""
    common = random.gamma(3.0, 1.0, n)
    first, second = (common + 0.2 * random.logistic(size=n) for _ in range(2))
    return {"a": first, "b": np.where(random.random(n) < 0.04, 1.8 * second + 1, second)}


def another_patient(random: Random, n: int) -> Table:
    """Two readings of lognormal values; one second reading in forty is of another patient."""
    common = np.exp(0.5 * random.standard_normal(n))
    first, second = (common + 0.15 * random.standard_normal(n) for _ in range(2))
    return {"a": first, "b": np.where(random.random(n) < 0.025, np.roll(second, 1), second)}


def three_of_a_rare(random: Random, n: int) -> Table:
    """Three raters of four labels, the last 5 %, which each rater keeps in two of three."""
    letters, truth = np.array(list("abcd")), random.choice(4, n, p=(0.5, 0.3, 0.15, 0.05))
    keeps = np.array([0.9, 0.85, 0.8, 0.67])[truth]
    said = [np.where(random.random(n) < keeps, truth, random.integers(0, 3, n)) for _ in range(3)]
    return {f"r{k}": letters[one] for k, one in enumerate(said)}


def rarely_the_top(random: Random, n: int) -> Table:
    """Five points of which the highest is rare; a third has a second rating, and one score in forty is garbled."""
    level = 2.2 + 0.9 * random.standard_normal(n)
    first, second = (np.clip(np.rint(level + 0.5 * random.standard_normal(n)), 1, 5) for _ in range(2))
    machine = level + 0.4 * random.standard_normal(n)
    machine = np.where(random.random(n) < 0.025, random.uniform(1, 5, n), machine)
    return {"h1": first, "h2": np.where((random.random(n) < 1 / 3) | (n >= MANY), second, np.nan), "e": machine}


def one_list_in_ten(random: Random, n: int) -> Table:
    """Twelve documents; a second system shuffles one list in ten and is as good elsewhere."""
    grade = (random.random((n, 12)) < 0.18) * random.integers(1, 3, (n, 12))
    one = random.gamma(2.0, 0.6, n)[:, None] * grade + random.gumbel(size=grade.shape)
    shuffled = random.permuted(one, axis=1)
    two = np.where((random.random(n) < 0.1)[:, None], shuffled, one + 0.2 * random.standard_normal(one.shape))
    return {"q": np.repeat(np.arange(n), 12), "rel": grade.reshape(-1), "m": one.reshape(-1), "s": two.reshape(-1)}


def seldom_ties(random: Random, n: int) -> Table:
    """A trait that goes with the choice in three of four pairs; pairs of a tie are one in fifteen."""
    first = random.random(n) < 0.55
    vote = np.where(first == (random.random(n) < 0.75), "a", "b").astype(object)
    vote[random.random(n) < 1 / 15] = "tie"
    return {"preferred_text": np.where(first, "a", "b"), "kind": vote}


def one_in_ten_bad(random: Random, n: int) -> Table:
    """Templates with lognormal numbers of cases; one in ten fails in six of ten of them, the others in one of fifty."""
    of = np.repeat(np.arange(n), np.maximum(1, np.rint(6 * np.exp(0.7 * random.standard_normal(n))).astype(int)))
    rate = np.where(random.random(n) < 0.1, 0.6, 0.02)[of]
    fails = random.random(len(of)) < rate
    names = {"what": ["all"] * len(of), "want": ["a"] * len(of), "tpl": [f"t{one}" for one in of]}
    return names | {"v1": np.where(fails, "b", "a")}


def _two(task: str, name: str, n: int, draw: Any, metrics: tuple[str, ...], **roles: Any) -> Design:
    return Design(task, name, n, draw, metrics, {"cluster": "c"} | roles, system="s", difference=True, many=MANY)


_SCORES = {"reference": "y", "score": ["p", "s"], "positive": "yes"}
_ANSWERS = {"reference": "y", "prediction": ["m", "s"]}
_LISTS = {"query": "q", "relevance": "rel", "score": "m", "cluster": "c"}
RARE: tuple[Design, ...] = (
    classification("8 % positives, spread widely", 150, wider_positives, SCORES),
    classification("three regions of a survey", 150, three_regions, (*SCORES, *DECIDED[1:3])),
    classification("shops of unequal size", 50, shops, SCORES),
    classification("five levels, rare ones at the top", 80, five_levels, SCORES),
    Design(
        "classification", "a slice of sixty", 300, slice_of_sixty, SCORES,
        {"reference": "y", "score": "p", "positive": "yes", "slices": ["g"]}, many=MANY, level="g = few",
    ),
    _two("classification", "two, one row in seventeen turned", 120, turned, (*BOTH, "average_precision"), **_SCORES),
    _two("classification", "two, one with Student's noise", 200, noisier, (*BOTH, "average_precision"), **_SCORES),
    _two("classification", "two, one batch in eight spoilt", 60, batches, LABELS, **_ANSWERS),
    regression("one error in thirty fivefold", 100, slips, NUMBERS),
    regression("whole days", 70, days, NUMBERS),
    Design(
        "regression", "wide ones weigh twice", 100, weighed_by_spread, NUMBERS,
        {"reference": "y", "prediction": "m", "weight": "w"}, many=MANY,
    ),
    _two("regression", "two, one in twenty misread", 150, misread, ERRORS, **_ANSWERS),
    *(rated("one reading in 25 of another scale", n, misread_rating, RATED) for n in (60, 200)),
    *(rated("one in forty of another patient", n, another_patient, RATED) for n in (80, 250)),
    Design(
        "agreement", "three raters, a label of 5 %", 80, three_of_a_rare, NOMINAL, {"raters": ["r0", "r1", "r2"]},
        many=MANY // 2,
    ),
    scoring("five points, one in forty garbled", 90, rarely_the_top, SCORED, {"min": 1, "max": 5}),
    Design("ranking", "lists of readers", 50, lists(1.1, 0.15, (3, 0.7, 0.8)), RANKED, _LISTS, many=20_000),
    replace(
        _two("ranking", "two, one list in ten shuffled", 60, one_list_in_ten, RANKED[:2], query="q"),
        roles={"query": "q", "relevance": "rel", "score": ["m", "s"]}, many=20_000,
    ),
    Design(
        "preference", "ties of one in fifteen", 90, seldom_ties, VOTES,
        {"reference": "preferred_text", "annotators": ["kind"]}, many=MANY,
    ),
    diagnostic("60 templates, one in ten bad", 60, one_in_ten_bad, 0.078),
    diagnostic("50 templates, unlike", 50, suite(0.08, 0.6, 9, 0.8), 0.08),
)  # fmt: skip
