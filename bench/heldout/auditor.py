"""An eighth set of designs for bench/coverage_heldout.py (`--set auditor`), in the spirit of one who looks for faults.

Two systems that are one but for a threshold or a patch; eight to fifteen clusters, of unequal size, a few of them bad;
Cauchy scores of few positives, strata of which one row counts for twenty, four raters of a label of 3 %, spreads that
grow with the level, errors without a fourth moment, half points with a ceiling, lists of one relevant item.
Written down before any was run; nothing was chosen on them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.heldout.designs import (
    SCORED,
    Design,
    Random,
    Table,
    classification,
    expit,
    ranking,
    regression,
    scoring,
    yes_no,
)
from bench.heldout.measured import LABELS, MANY, NOMINAL, SCORES, WHOLE

DIFFER = ("f_score", "cohen_kappa", "matthews_correlation")
SHARES = ("accuracy", "recall", "precision", "f_score")
NUMBERS = ("rmse", "mean_absolute_error", "mean_bias_error", "r_squared", "correlation", "concordance_correlation")
RATED = ("pearson", "concordance_correlation", "icc(form=A,1)", "upper_limit_of_agreement", "mean_difference")
RANKS = ("ndcg(at=10)", "mean_reciprocal_rank", "mean_average_precision", "hit_rate_at(at=1)")


def one_threshold_apart(random: Random, n: int) -> Table:
    """One logistic score, cut at two places; 22 % positives."""
    yes = random.random(n) < 0.22
    score = np.where(yes, 1.1, -1.4) + random.logistic(0, 0.8, n)
    return {"y": yes_no(yes), "m": yes_no(score > 0), "s": yes_no(score > 0.12)}


def patched(random: Random, n: int) -> Table:
    """Three labels; a second version is the first but for half of its errors on the rarest (5 %) and a few new ones."""
    letters, truth = np.array(list("abc")), random.choice(3, n, p=(0.6, 0.35, 0.05))
    first = np.where(
        random.random(n) < np.array([0.9, 0.85, 0.5])[truth], truth, (truth + random.integers(1, 3, n)) % 3
    )
    mended = np.where((truth == 2) & (random.random(n) < 0.5), truth, first)
    second = np.where(random.random(n) < 0.01, (truth + 1) % 3, mended)
    return {"y": letters[truth], "m": letters[first], "s": letters[second]}


def wards(center: float, apart: float, mean: float, bad: float = 0.0) -> Any:
    """n wards of geometric sizes, whose rates of right answers are probit normal; some wards guess."""

    def draw(random: Random, n: int) -> Table:
        sizes = np.ones(n, dtype=int) if n >= WHOLE else 3 + random.geometric(1 / mean, n)
        of = np.repeat(np.arange(n), sizes)
        skill = (center + apart * random.standard_normal(n))[of]
        skill = np.where((random.random(n) < bad)[of], 0.0, skill)
        yes = random.random(len(of)) < 0.4
        right = random.standard_normal(len(of)) < skill
        return {"y": yes_no(yes), "m": yes_no(np.where(right, yes, ~yes)), "c": of}

    return draw


def cauchy_scores(random: Random, n: int) -> Table:
    """Positives of 8 %, Cauchy logits."""
    yes = random.random(n) < 0.08
    logit = np.clip(np.where(yes, 0.5, -3.0) + 0.7 * random.standard_cauchy(n), -9, 9)
    return {"y": yes_no(yes), "p": expit(logit)}


def one_for_twenty(random: Random, n: int) -> Table:
    """One row in eight stands for twenty, and is harder."""
    heavy = random.random(n) < (20 * 0.125 / (20 * 0.125 + 0.875) if n >= WHOLE else 0.125)
    yes = random.random(n) < 0.35
    logit = np.where(yes, 1.0, -1.0) * np.where(heavy, 0.8, 1.6) + random.standard_normal(n)
    table = {"y": yes_no(yes), "p": expit(logit)}
    return table if n >= WHOLE else table | {"w": np.where(heavy, 20.0, 1.0)}


def four_of_a_rare(random: Random, n: int) -> Table:
    """Four raters of three labels, the rarest 3 %, which one in three takes for another."""
    truth = random.choice(3, n, p=(0.62, 0.35, 0.03))
    letters = np.array(list("abc"))
    keeps = np.array([0.92, 0.88, 0.67])[truth]
    wrong = [(truth + random.integers(1, 3, n)) % 3 for _ in range(4)]
    return {f"r{k}": letters[np.where(random.random(n) < keeps, truth, wrong[k])] for k in range(4)}


def rare_in_sets(random: Random, n: int) -> Table:
    """Four raters who choose any of three labels, one of 6 %."""
    true = random.random((n, 3)) < np.array([0.5, 0.25, 0.06])
    table: Table = {}
    for k in range(4):
        says = np.where(true, random.random((n, 3)) < 0.8, random.random((n, 3)) < 0.02)
        table[f"r{k}"] = ["|".join(c for c, s in zip("uvz", row, strict=True) if s) or "none" for row in says]
    return table


def spreads_with_level(random: Random, n: int) -> Table:
    """Two raters of gamma values; both are off by more where there is more."""
    level = random.gamma(1.5, 2.0, n)
    first, second = (level * (1 + 0.25 * random.standard_normal(n)) for _ in range(2))
    return {"r0": first, "r1": second + 0.2}


def without_fourth_moment(random: Random, n: int) -> Table:
    """Gamma references, Student's errors with 2.8 degrees of freedom."""
    prediction = random.gamma(2.0, 1.5, n)
    return {"y": prediction + 0.9 * random.standard_t(2.8, n), "m": prediction}


def two_off_by_tails(random: Random, n: int) -> Table:
    """Two systems with errors in common; the second has wider tails."""
    y = random.logistic(0, 1.5, n)
    common = random.standard_normal(n)
    return {"y": y, "m": y + common + 0.5 * random.standard_normal(n), "s": y + common + 0.5 * random.standard_t(4, n)}


def at_the_ceiling(random: Random, n: int) -> Table:
    """Half points from 0 to 4 with two fifths at the top; two of five have a second rating."""
    level = 4.2 - random.gamma(1.2, 0.9, n)
    first, second = (np.clip(np.rint(2 * (level + 0.4 * random.standard_normal(n))) / 2, 0, 4) for _ in range(2))
    second = np.where((random.random(n) < 0.4) | (n >= MANY), second, np.nan)
    return {"h1": first, "h2": second, "e": np.clip(level + 0.35 * random.laplace(size=n), 0, 4)}


def one_relevant(random: Random, n: int) -> Table:
    """Lists of three to forty items with one that is relevant; one query in five is hopeless."""
    count = 3 + np.minimum(random.geometric(0.1, n), 37)
    query = np.repeat(np.arange(n), count)
    first = np.concatenate([[0], np.cumsum(count)[:-1]])
    relevant = np.zeros(len(query), dtype=int)
    relevant[first + (random.random(n) * count).astype(int)] = 1
    lift = np.where(random.random(n) < 0.2, 0.0, 2.2)[query]
    return {"q": query, "rel": relevant, "m": relevant * lift + random.gumbel(size=len(query))}


def _two(name: str, n: int, draw: Any, metrics: tuple[str, ...], task: str = "classification", **more: Any) -> Design:
    roles = {"reference": "y", "prediction": ["m", "s"]} | more
    return Design(task, name, n, draw, metrics, roles, system="s", difference=True, many=MANY)


def _raters(name: str, n: int, draw: Any, raters: int, metrics: tuple[str, ...], **more: Any) -> Design:
    return Design("agreement", name, n, draw, metrics, {"raters": [f"r{k}" for k in range(raters)]} | more, many=40_000)


def _clustered(name: str, n: int, draw: Any) -> Design:
    roles = {"reference": "y", "prediction": "m", "positive": "yes", "cluster": "c"}
    return Design("classification", name, n, draw, SHARES, roles, many=200_000)


AUDITOR: tuple[Design, ...] = (
    *(_two("two, one threshold apart", n, one_threshold_apart, DIFFER, positive="yes") for n in (60, 150, 400)),
    *(_two("two, one is the other patched", n, patched, LABELS[1:]) for n in (120, 400)),
    _clustered("eight wards", 8, wards(1.1, 0.3, 12)),
    _clustered("twelve wards, two in fifteen guess", 12, wards(1.4, 0.2, 20, 2 / 15)),
    _clustered("fifteen wards, nearly always right", 15, wards(2.0, 0.4, 25)),
    _clustered("fifteen wards, very unequal", 15, wards(0.8, 0.9, 10)),
    _clustered("thirty wards, one in fifteen guesses", 30, wards(1.4, 0.2, 20, 1 / 15)),
    *(classification("8 % positives, Cauchy scores", n, cauchy_scores, SCORES) for n in (120, 400)),
    *(classification("one row in eight for twenty", n, one_for_twenty, SCORES) for n in (150, 500)),
    *(_raters("four raters, a label of 3 %", n, four_of_a_rare, 4, NOMINAL) for n in (60, 150, 300)),
    *(
        _raters("four raters, sets with a label of 6 %", n, rare_in_sets, 4, ("label_alpha [z]",), measurement="sets")
        for n in (60, 200)
    ),
    *(_raters("spreads that grow", n, spreads_with_level, 2, RATED, measurement="interval") for n in (50, 150)),
    *(regression("without a fourth moment", n, without_fourth_moment, NUMBERS) for n in (60, 200)),
    *(_two("two, one with wider tails", n, two_off_by_tails, NUMBERS[:5], "regression") for n in (80, 300)),
    *(
        scoring("half points, two fifths at the top", n, at_the_ceiling, SCORED, {"min": 0, "max": 4})
        for n in (80, 200)
    ),
    *(
        Design("ranking", "one relevant item", n, one_relevant, RANKS, ranking("", n, None).roles, many=20_000)
        for n in (50, 200)
    ),
)
