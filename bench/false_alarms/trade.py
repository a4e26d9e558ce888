"""False alarms of the twelfth set: systems that are as good, requirements at the truth, slices of 3 to 40, fairness.

Designs of bench.false_alarms, whose command runs them (`--only trade`). Written before any was run.
"""

from __future__ import annotations

import numpy as np

from bench.false_alarms.alarms import (
    ESSAY,
    LABEL,
    SCORE,
    Alarms,
    Draw,
    Random,
    alike,
    drifted,
    required,
    slices,
    unfair,
)
from bench.heldout import trade as one
from bench.heldout.measured import LABELS


def many_small_batches(random: Random) -> Alarms:
    """Ten batches of 8 to 40 items of four labels, three raters, one of whom errs in a quarter."""
    sizes = random.integers(8, 41, 10)
    n = int(sizes.sum())
    truth = random.choice(4, n, p=(0.5, 0.25, 0.15, 0.1))[:, None]
    said = np.where(random.random((n, 3)) < (0.1, 0.1, 0.25), random.integers(0, 4, (n, 3)), truth)
    return drifted(np.array(list("abcd"))[said], sizes.tolist())


def three_groups(sizes: tuple[int, int, int], wide: tuple[float, float, float]) -> Draw:
    """Scores of three groups at unlike levels, off by the same on average, with skewed errors of unlike spread."""

    def alarms(random: Random) -> Alarms:
        group = np.repeat([0, 1, 2], sizes)
        human = np.array([3.5, 3.0, 2.6])[group] + 0.8 * random.standard_normal(len(group))
        error = (random.gamma(2.0, 1.0, len(group)) - 2) / np.sqrt(2)
        return unfair(human, human + 0.4 * np.array(wide)[group] * error, group, "abc")

    return alarms


_ERRORS = ["rmse", "mean_absolute_error", "r_squared"]
TRADE: dict[str, dict[str, Draw]] = {
    "trade: comparison": {
        "apart in a part, 80 rows": alike(
            "regression", one.apart_in_a_part, 80, ("m", "s"), _ERRORS, reference="y", prediction=["m", "s"]
        ),
        "long documents, 50": alike(
            "classification", one.two_on_documents, 50, ("m", "s"), list(LABELS), reference="y", cluster="c",
            prediction=["m", "s"],
        ),
        "one without ends, 80 essays": alike(
            "scoring", one.two_engines, 80, ("e", "s"), ["quadratic_weighted_kappa", "correlation"],
            prediction=["e", "s"], min=1, max=6, **ESSAY,
        ),
    },
    "trade: gates": {
        "a part off by two, 80 rows: RMSE": required("regression", one.off_in_a_part, 80, "rmse", "<=", **LABEL),
        "two kinds of tails, 100 rows: kappa": required(
            "classification", one.two_kinds_of_tails, 100, "cohen_kappa", ">=", **SCORE
        ),
        "one says the same, 80 items: alpha": required(
            "agreement", one.one_of_few_words, 80, "krippendorff_alpha", ">=", many=40_000,
            raters=[f"r{k}" for k in range(5)], ok="C1",
        ),
        "points at both ends, 100 essays: QWK": required(
            "scoring", one.both_ends, 100, "quadratic_weighted_kappa", ">=", prediction="e", min=0, max=3, **ESSAY
        ),
    },
    "trade: ten slices": {
        "scores, 3 to 12 rows": slices(
            "classification", one.two_kinds_of_tails, (3, 12), ["accuracy", "f_score", "roc_auc"], **SCORE
        ),
        "fraud, 15 to 40 rows": slices(
            "classification", one.fraud, (15, 40), ["accuracy", "recall", "log_loss"], **SCORE
        ),
        "a part off by two, 5 to 40 rows": slices(
            "regression", one.off_in_a_part, (5, 40), [*_ERRORS, "mean_bias_error"], **LABEL
        ),
        "grades at the floor, 5 to 40 items": slices(
            "agreement", one.at_the_floor, (5, 40), ["krippendorff_alpha(measurement=ordinal)", "percent_agreement"],
            raters=["r0", "r1", "r2"], measurement="ordinal", ok="C1",
        ),
        "points at both ends, 5 to 40 essays": slices(
            "scoring", one.both_ends, (5, 40), ["quadratic_weighted_kappa", "standardized_mean_difference"],
            prediction="e", min=0, max=3, **ESSAY,
        ),
    },
    "trade: drift": {"ten batches of 8 to 40": many_small_batches},
    "trade: fairness": {
        "150, 30 and 10": three_groups((150, 30, 10), (1.0, 1.0, 1.0)),
        "150, 30 and 10, unlike spreads": three_groups((150, 30, 10), (1.0, 0.5, 2.5)),
        "60, 60 and 60, unlike spreads": three_groups((60, 60, 60), (1.0, 0.4, 2.0)),
    },
}  # fmt: skip
