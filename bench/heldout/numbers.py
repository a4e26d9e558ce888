"""A seventh set of designs for bench/coverage_heldout.py (`--set numbers`): numbers, written down before any was run.

Amounts with tails of another kind than in the other sets, rows that are far out on one side, weights of five strata and
with Pareto's tail, clusters of unequal size whose rows are off together, ratings that belong to another item, two
systems that miss alike, of which one misses rarely and far, or which were weighted; weighted categories. Nothing was
chosen on them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.heldout.designs import SCORED, Design, Random, Table, rated, scoring
from bench.heldout.measured import MANY, NUMBERS, WHOLE

RATED = ("pearson", "concordance_correlation", "icc(form=A,1)", "upper_limit_of_agreement", "mean_difference")
COMPARED = NUMBERS[:5]
OF_CATEGORY = ("recall", "precision", "f_score")


def wald_amounts(random: Random, n: int) -> Table:
    """Inverse Gaussian amounts that predictions miss by a Weibull factor."""
    y = random.wald(10.0, 9.0, n)
    return {"y": y, "m": y * random.weibull(3.0, n) / 0.893}


def out_on_one_side(random: Random, n: int) -> Table:
    """One row in thirty lies eight further up, where predictions are twice as far off."""
    far = random.random(n) < 1 / 30
    x = random.uniform(-2, 2, n) + 8.0 * far
    return {"y": x + np.where(far, 1.6, 0.8) * random.standard_normal(n), "m": x}


def laplace_both(random: Random, n: int) -> Table:
    """Laplace references, and errors that are skewed the other way."""
    y = random.laplace(0.0, 2.0, n)
    return {"y": y, "m": y + 0.7 * (2.0 - random.gamma(2.0, 1.0, n))}


def rounded_gamma(random: Random, n: int) -> Table:
    """Hours, rounded; a quarter is predicted to the hour."""
    y = np.ceil(random.gamma(0.8, 6.0, n))
    return {"y": y, "m": np.where(random.random(n) < 0.25, y, np.ceil(y * np.exp(0.4 * random.standard_normal(n))))}


_OF_STRATA, _HEAVY = np.array([0.40, 0.30, 0.17, 0.09, 0.04]), np.array([1.0, 2.0, 4.0, 8.0, 16.0])
_IN_ALL = _OF_STRATA * _HEAVY / (_OF_STRATA * _HEAVY).sum()


def _stratum(random: Random, n: int) -> tuple[Any, Table]:
    """Which of five strata rows are of, and their weights; of a population, as often as strata are there."""
    if n >= WHOLE:
        return random.choice(5, n, p=_IN_ALL), {}
    stratum = random.choice(5, n, p=_OF_STRATA)
    return stratum, {"w": _HEAVY[stratum]}


def five_strata(random: Random, n: int) -> Table:
    """Five strata, of which the rarer weigh more and are predicted worse."""
    stratum, weights = _stratum(random, n)
    y = stratum + random.gamma(3.0, 0.7, n)
    return {"y": y, "m": y + (0.4 + 0.3 * stratum) * random.logistic(0.0, 0.55, n)} | weights


def pareto_weights(random: Random, n: int) -> Table:
    """Rows that weigh as much as a Pareto variable with index 3 says, which are off by as much more."""
    size = 1 + random.pareto(2.0 if n >= WHOLE else 3.0, n)
    y = 4 + random.standard_normal(n)
    return {"y": y, "m": y + 0.5 * np.sqrt(size) * random.standard_normal(n)} | ({} if n >= WHOLE else {"w": size})


def _in_pages(random: Random, n: int) -> Any:
    """Which of n clusters each row is of: mostly one to three rows, one cluster in fifteen has 25."""
    if n >= WHOLE:
        return np.arange(n)
    return np.repeat(np.arange(n), np.where(np.arange(n) % 15 == 7, 25, random.integers(1, 4, n)))


def pages(random: Random, n: int) -> Table:
    """Numbers of pages, off together by what is skewed."""
    of = _in_pages(random, n)
    y = random.weibull(1.5, len(of)) * 3
    return {
        "y": y,
        "m": y + 0.6 * (random.exponential(1.0, n)[of] - 1) + 0.5 * random.standard_normal(len(of)),
        "c": of,
    }


def two_gamma(random: Random, n: int) -> Table:
    """Two systems that miss gamma amounts by factors, of which they have much in common."""
    y, common = random.gamma(0.9, 20.0, n), random.uniform(-0.5, 0.5, n)
    return {"y": y} | {k: y * (1 + common + random.triangular(-s, 0.0, s, n)) for k, s in (("m", 0.5), ("s", 0.3))}


def two_rarely_far(random: Random, n: int) -> Table:
    """Two systems alike but for three rows in a hundred, which the second misses by far, low."""
    y = 10 + 3 * random.standard_normal(n)
    m = y + random.standard_normal(n)
    slips = random.random(n) < 0.03
    return {"y": y, "m": m, "s": np.where(slips, m - random.gamma(4.0, 2.0, n), m + 0.3 * random.standard_normal(n))}


def two_of_strata(random: Random, n: int) -> Table:
    """Two systems on rows of five strata."""
    table = five_strata(random, n)
    off = table["m"] - table["y"]
    return table | {"s": table["y"] + 0.7 * off + 0.4 * random.standard_normal(n)}


def two_pages(random: Random, n: int) -> Table:
    """Two systems on pages."""
    table = pages(random, n)
    off = table["m"] - table["y"]
    return table | {"s": table["y"] + 0.6 * off + 0.5 * random.laplace(0.0, 0.7, len(off))}


def by_a_share(random: Random, n: int) -> Table:
    """Two instruments on lognormal amounts, each off by a share of what it measures."""
    amount = np.exp(2 + 0.5 * random.standard_normal(n))
    return {k: amount * (1 + 0.12 * random.standard_normal(n)) for k in ("a", "b")}


def of_another_item(random: Random, n: int) -> Table:
    """Two raters; four in a hundred of the second's ratings belong to another item."""
    level = random.gamma(6.0, 1.0, n)
    a, b = (level + 0.8 * random.standard_normal(n) for _ in range(2))
    return {"a": a, "b": np.where(random.random(n) < 0.04, random.gamma(6.0, 1.0, n), b)}


def mostly_floor(random: Random, n: int) -> Table:
    """Scores of 0 to 5, mostly 0 or 1, two raters and two systems of which the second compresses."""
    level = random.gamma(0.8, 1.4, n)
    h1, h2 = (np.clip(np.rint(level + 0.4 * random.standard_normal(n)), 0, 5) for _ in range(2))
    e = np.clip(level + 0.5 * random.standard_normal(n), 0, 5)
    return {"h1": h1, "h2": h2, "e": e, "s": np.clip(0.6 + 0.6 * e + 0.2 * random.standard_normal(n), 0, 5)}


def nearly_copies(random: Random, n: int) -> Table:
    """Scores of 1 to 6; the second system is the first but for one essay in eight."""
    level = np.clip(3.5 + 1.1 * random.standard_normal(n), 0.6, 6.4)
    h1, h2 = (np.clip(np.rint(level + 0.5 * random.standard_normal(n)), 1, 6) for _ in range(2))
    e = level + 0.5 * random.standard_normal(n)
    return {"h1": h1, "h2": h2, "e": e, "s": np.where(random.random(n) < 1 / 8, level + random.logistic(0, 0.6, n), e)}


def two_of_categories(random: Random, n: int) -> Table:
    """Three labels in five strata, of which the rarer weigh more and are taken for others more often."""
    stratum, weights = _stratum(random, n)
    truth = (random.random(n)[:, None] > np.array([[0.5], [0.75]]).T + 0.03 * stratum[:, None]).sum(1)
    one, two = (np.where(random.random(n) < 0.9 - by * stratum, truth, random.integers(0, 3, n)) for by in (0.10, 0.06))
    names = np.array(["a", "b", "c"])
    return {"y": names[truth], "m": names[one], "s": names[np.where(random.random(n) < 0.6, two, one)]} | weights


def _rows(name: str, n: int, draw: Any) -> Design:
    roles = {"reference": "y", "prediction": "m", "weight": "w", "cluster": "c"}
    return Design("regression", name, n, draw, NUMBERS, roles, many=MANY)


def _two(name: str, n: int, draw: Any) -> Design:
    roles = {"reference": "y", "prediction": ["m", "s"], "weight": "w", "cluster": "c"}
    return Design("regression", name, n, draw, COMPARED, roles, system="s", difference=True, many=MANY)


def _two_of_essays(name: str, n: int, draw: Any, points: dict[str, int]) -> Design:
    roles = {"raters": ["h1", "h2"], "prediction": ["e", "s"], "zeros": "keep"} | points
    return Design("scoring", name, n, draw, SCORED[:3], roles, system="s · raw_trim", difference=True, many=MANY)


def _category(name: str, n: int, draw: Any, category: str) -> Design:
    roles = {"reference": "y", "prediction": ["m", "s"], "weight": "w"}
    metrics = tuple(f"{metric} [{category}]" for metric in OF_CATEGORY)
    return Design("classification", name, n, draw, metrics, roles, system="s", difference=True, many=MANY)


_TO_FIVE, _TO_SIX = {"min": 0, "max": 5}, {"min": 1, "max": 6}
NUMBER_SETS: tuple[Design, ...] = (
    *(_rows("Wald amounts, Weibull factors", n, wald_amounts) for n in (60, 300)),
    *(_rows("one in thirty, eight up", n, out_on_one_side) for n in (100, 400)),
    *(_rows("Laplace, skewed errors", n, laplace_both) for n in (50, 200)),
    *(_rows("rounded hours", n, rounded_gamma) for n in (70, 300)),
    *(_rows("five strata", n, five_strata) for n in (100, 400)),
    *(_rows("Pareto weights", n, pareto_weights) for n in (80, 300)),
    *(_rows("pages, one in fifteen long", n, pages) for n in (60, 150)),
    *(_two("two, gamma amounts", n, two_gamma) for n in (100, 400)),
    *(_two("two, one rarely far off", n, two_rarely_far) for n in (100, 300)),
    *(_two("two, five strata", n, two_of_strata) for n in (100, 400)),
    *(_two("two, pages", n, two_pages) for n in (60, 150)),
    *(rated("off by a share", n, by_a_share, RATED) for n in (60, 200)),
    *(rated("4 % of another item", n, of_another_item, RATED) for n in (60, 200)),
    *(scoring("mostly 0 or 1", n, mostly_floor, SCORED, _TO_FIVE) for n in (100, 300)),
    *(_two_of_essays("two, mostly 0 or 1", n, mostly_floor, _TO_FIVE) for n in (100, 300)),
    *(_two_of_essays("two, nearly copies", n, nearly_copies, _TO_SIX) for n in (100, 300)),
    *(_category("two, weighted, most frequent label", n, two_of_categories, "a") for n in (120, 400)),
    *(_category("two, weighted, rarest label", n, two_of_categories, "c") for n in (120, 400)),
)
