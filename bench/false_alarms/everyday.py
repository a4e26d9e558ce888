"""False alarms of the ninth set: systems that are as good, requirements at the truth, slices that are alike.

Designs of bench.false_alarms, whose command runs them (`--only everyday`). Written before any was run.
"""

from __future__ import annotations

import numpy as np

from bench.false_alarms.alarms import (
    ANSWERS,
    ESSAY,
    LIST,
    POINTS,
    SCORE,
    SCORES,
    Alarms,
    Draw,
    Random,
    alike,
    drifted,
    required,
    slices,
    unfair,
)
from bench.heldout import everyday as one
from bench.heldout import everyday_comparisons as two
from bench.heldout.measured import BOTH, LABELS


def unequal_batches(random: Random) -> Alarms:
    """Batches of 25, 60 and 140 items that three raters of two labels, 15 % the rarer, rate alike."""
    sizes = (25, 60, 140)
    truth = random.random(sum(sizes)) < 0.15
    words = np.where(truth[:, None] ^ (random.random((sum(sizes), 3)) < (0.05, 0.1, 0.15)), "yes", "no")
    return drifted(words, sizes)


def wider_group(few: int, wide: float) -> Draw:
    """Scores of 200 and of a few whose errors are so much wider, at the floor, and off by the same on average."""

    def alarms(random: Random) -> Alarms:
        n = 200 + few
        level = 1 + random.gamma(1.5, 1.0, n)
        spread = np.where(np.arange(n) < 200, 0.4, 0.4 * wide)
        system = level + spread * random.standard_normal(n)
        return unfair(level, system, (np.arange(n) >= 200) * 1, ("most", "few"))

    return alarms


EVERYDAY: dict[str, dict[str, Draw]] = {
    "everyday: comparison": {
        "a prompt changed, 150 rows": alike(
            "classification", two.prompt_changed, 150, ("m", "s"), list(LABELS), **ANSWERS
        ),
        "one forgets the rarest, 120 rows": alike(
            "classification", two.forgets_the_rarest, 120, ("m", "s"), list(LABELS), **ANSWERS
        ),
        "apart in the tails, 100 rows": alike(
            "classification", two.tails_differ, 100, ("p", "s"), list(BOTH), **SCORES
        ),
        "60 chats": alike("classification", two.chats, 60, ("p", "s"), list(BOTH), cluster="c", **SCORES),
        "survey weights, 120 rows": alike(
            "classification", two.surveyed_twice, 120, ("p", "s"), list(BOTH), weight="w", **SCORES
        ),
        "one shrunk, 80 rows": alike("regression", two.shrunk, 80, ("m", "s"), list(two.ERRORS), **ANSWERS),
        "30 sensors": alike("regression", two.sensors_twice, 30, ("m", "s"), list(two.ERRORS), cluster="c", **ANSWERS),
        "one sharper, 100 essays": alike(
            "scoring", two.sharper_engine, 100, ("e", "s"), POINTS, prediction=["e", "s"], min=1, max=4, **ESSAY
        ),
        "50 candidates, one to six answers": alike(
            "scoring",
            two.engines_of_candidates,
            50,
            ("e", "s"),
            POINTS,
            prediction=["e", "s"],
            candidate="c",
            min=0,
            max=5,
            **ESSAY,
        ),
        "the top three turned, 60 queries": alike(
            "ranking", two.top_three, 60, ("m", "s"), ["ndcg(at=5)", "mean_reciprocal_rank"], score=["m", "s"], **LIST
        ),
        "lognormal rates, 60 machines": alike(
            "failures",
            two.long_tailed_twice,
            60,
            ("f", "s"),
            ["mean_time_between_failures"],
            exposure="hours",
            failures=["f", "s"],
        ),
    },
    "everyday: gates": {
        "spam, 300 rows: recall": required("classification", one.spam, 300, "recall", ">=", **SCORE),
        "positives spread widely, 100 rows: AUC": required(
            "classification", one.wide_positives, 100, "roc_auc", ">=", **SCORE
        ),
        "in words, 150 rows: Brier": required("classification", one.in_words, 150, "brier_score", "<=", **SCORE),
        "six labels, 120 rows: kappa": required(
            "classification", one.neighbours, 120, "cohen_kappa", ">=", reference="y", prediction="m"
        ),
        "prices, 100 rows: RMSE": required("regression", one.prices, 100, "rmse", "<=", reference="y", prediction="m"),
        "the rarest left out, 80 items: alpha": required(
            "agreement", one.skip_the_rare, 80, "krippendorff_alpha", ">=", raters=["r0", "r1", "r2"], ok="C1"
        ),
        "half at the floor, 100 essays: QWK": required(
            "scoring", one.at_the_floor, 100, "quadratic_weighted_kappa", ">=", prediction="e", min=1, max=4, **ESSAY
        ),
        "two to five documents, 60 queries: NDCG": required(
            "ranking", one.short_lists, 60, "ndcg(at=10)", ">=", many=20_000, score="m", **LIST
        ),
    },
    "everyday: ten slices": {
        "scores, 15 to 40 rows": slices(
            "classification", one.wide_positives, (15, 40), ["accuracy", "roc_auc"], **SCORE
        ),
        "prices, 12 to 30 rows": slices("regression", one.prices, (12, 30), ["rmse"], reference="y", prediction="m"),
        "essays at the floor, 15 to 40": slices(
            "scoring", one.at_the_floor, (15, 40), POINTS[:2], prediction="e", min=1, max=4, **ESSAY
        ),
    },
    "everyday: drift": {"batches of 25, 60 and 140, 15 % yes": unequal_batches},
    "everyday: fairness": {
        "200 and 15, thrice the spread": wider_group(15, 3.0),
        "200 and 40, half the spread": wider_group(40, 0.5),
    },
}
