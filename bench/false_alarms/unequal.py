"""False alarms of the fourteenth set: as good on agents, sessions and clinics, batches and slices of unlike size.

Designs of bench.false_alarms, whose command runs them (`--only unequal`). Written before any was run.
"""

from __future__ import annotations

import numpy as np

from bench.false_alarms.alarms import (
    ANSWERS,
    ESSAY,
    LABEL,
    LIST,
    SCORE,
    SCORES,
    Alarms,
    Draw,
    Random,
    alike,
    drifted,
    required,
    slices,
    teams_apart,
    unfair,
)
from bench.heldout import unequal as one
from bench.heldout.measured import LABELS


def _said(random: Random, n: int) -> np.ndarray:
    """Four raters of three labels of .8 to .05, all of whom find some items hard."""
    truth = random.choice(3, n, p=(0.8, 0.15, 0.05))[:, None]
    sees = random.random((n, 4)) < np.array([0.95, 0.95, 0.85, 0.85]) * random.beta(5, 0.7, n)[:, None]
    return np.array(list("abc"), dtype=object)[np.where(sees, truth, random.integers(0, 3, (n, 4)))]


def months(random: Random) -> Alarms:
    """Seven batches whose sizes are geometric, 5 to 150."""
    sizes = np.clip(5 + random.geometric(0.03, 7), 5, 150)
    return drifted(_said(random, int(sizes.sum())), sizes.tolist())


def teams(random: Random) -> Alarms:
    """Two teams of a good and a poor rater each, 90 items."""
    said = _said(random, 90)
    return teams_apart(said[:, [0, 2]], said[:, [1, 3]])


def schools(random: Random) -> Alarms:
    """Thirty people and ten, with geometric counts of responses; the ten have skewed errors, 1.5 times as wide."""
    who = np.repeat(np.arange(40), np.minimum(random.geometric(0.3, 40), 12))
    small = who >= 30
    human = np.where(small, 2.9, 3.5) + random.standard_normal(len(who))
    error = 0.3 * (random.gamma(2.0, 1.0, 40) - 2)[who] + 0.4 * random.standard_normal(len(who))
    return unfair(human, human + np.where(small, 1.5, 1.0) * error, small * 1, ("most", "few"), who.astype(np.uint64))


UNEQUAL: dict[str, dict[str, Draw]] = {
    "unequal: comparison": {
        "calls of 60 agents": alike(
            "classification", one.two_for_agents, 60, ("p", "s"), ["accuracy", "f_score", "roc_auc", "brier_score"],
            cluster="c", **SCORES,
        ),
        "twenty intents, 200 rows": alike(
            "classification", one.twenty_intents, 200, ("m", "s"), list(LABELS), **ANSWERS
        ),
        "one shrinks, 70 rows": alike(
            "regression", one.one_shrinks, 70, ("m", "s"), ["rmse", "mean_absolute_error", "r_squared"], **ANSWERS
        ),
        "the first put up, 120 queries": alike(
            "ranking", one.two_at_the_top, 120, ("m", "s"), ["ndcg(at=5)", "mean_reciprocal_rank"], score=["m", "s"],
            **LIST,
        ),
    },
    "unequal: gates": {
        "90 agents: F": required(
            "classification", one.agents, 90, "f_score", ">=", many=50_000, cluster="c", **SCORE
        ),
        "90 agents: kappa": required(
            "classification", one.agents, 90, "cohen_kappa", ">=", many=50_000, cluster="c", **SCORE
        ),
        "raked weights, 250 rows: kappa": required(
            "classification", one.raked, 250, "cohen_kappa", ">=", weight="w", **SCORE
        ),
        "raked weights, 250 rows: Brier": required(
            "classification", one.raked, 250, "brier_score", "<=", weight="w", **SCORE
        ),
        "24 clinics: ROC AUC": required(
            "classification", one.two_dozen, 24, "roc_auc", ">=", many=50_000, cluster="c", **SCORE
        ),
        "45 branches: RMSE": required("regression", one.branches, 45, "rmse", "<=", many=50_000, cluster="c", **LABEL),
        "batches of one to twenty: alpha": required(
            "agreement", one.in_batches, 60, "krippendorff_alpha", ">=", many=50_000, cluster="c",
            raters=[f"r{k}" for k in range(4)], ok="C1",
        ),
        "out of twelve, 150 essays: QWK": required(
            "scoring", one.out_of_twelve, 150, "quadratic_weighted_kappa", ">=", prediction="e", min=0, max=12, **ESSAY
        ),
    },
    "unequal: ten slices": {
        "raked weights, 8 to 90 rows": slices(
            "classification", one.raked, (8, 90), ["accuracy", "brier_score"], weight="w", **SCORE
        ),
        "claims, 8 to 90 rows": slices(
            "regression", one.claims, (8, 90), ["mean_absolute_error", "mean_absolute_percentage_error"], **LABEL
        ),
    },
    "unequal: drift": {"seven batches of 5 to 150": months},
    "unequal: two teams": {"90 items": teams},
    "unequal: fairness": {"30 and 10 people, geometric counts": schools},
}  # fmt: skip
