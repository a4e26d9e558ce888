"""False alarms of the thirteenth set: as good in clusters and lists, slices of 1 to 20 rows, people of unequal spread.

Designs of bench.false_alarms, whose command runs them (`--only crossed`). Written before any was run.
"""

from __future__ import annotations

import numpy as np

from bench.false_alarms.alarms import (
    ANSWERS,
    ESSAY,
    LABEL,
    LIST,
    SCORE,
    Alarms,
    Draw,
    Random,
    Table,
    alike,
    drifted,
    required,
    slices,
    teams_apart,
    unfair,
)
from bench.heldout import crossed as one
from bench.heldout.designs import expit, yes_no
from bench.heldout.measured import LABELS

FEW_ROWS = (1, 2, 5, 10, 20)


def people(counts: tuple[int, int], wide: float, most: int) -> Draw:
    """Persons with one to so many responses, and gamma errors in common, so many times as wide in the second group."""

    def alarms(random: Random) -> Alarms:
        who = np.repeat(np.arange(sum(counts)), random.integers(1, most + 1, sum(counts)))
        small = who >= counts[0]
        human = np.where(small, 3.0, 3.8) + random.standard_normal(len(who))
        common = random.gamma(3.0, 1.0, sum(counts))[who] - 3
        error = 0.2 * common + 0.3 * random.standard_t(6, len(who))
        system = human + np.where(small, wide, 1.0) * error
        return unfair(human, system, small * 1, ("most", "few"), who.astype(np.uint64) if most > 1 else None)

    return alarms


def _said(random: Random, n: int, raters: int, right: tuple[float, ...]) -> np.ndarray:
    """Five labels of .5 to .05; an item is plain or not, for all raters alike."""
    truth = random.choice(5, n, p=(0.5, 0.2, 0.15, 0.1, 0.05))[:, None]
    sees = random.random((n, raters)) < np.array(right) * random.beta(8, 1, n)[:, None]
    return np.array(list("abcde"), dtype=object)[np.where(sees, truth, random.integers(0, 5, (n, raters)))]


def twice_as_sure(random: Random, n: int) -> Table:
    """Scores whose logits are twice what they should be."""
    logit = random.logistic(size=n) - 0.5
    return {"y": yes_no(random.random(n) < expit(logit)), "p": expit(2 * logit)}


def weeks(random: Random) -> Alarms:
    """Five batches of 6 to 60 items, four raters of unequal skill."""
    sizes = random.integers(6, 61, 5)
    return drifted(_said(random, int(sizes.sum()), 4, (0.98, 0.9, 0.9, 0.75)), sizes.tolist())


def teams(n: int) -> Draw:
    """Two teams of a good and a poor rater each."""

    def alarms(random: Random) -> Alarms:
        said = _said(random, n, 4, (0.97, 0.8, 0.97, 0.8))
        return teams_apart(said[:, :2], said[:, 2:])

    return alarms


def _slices_of(rows: int) -> dict[str, Draw]:
    return {
        f"heaps of hundredths, {rows} rows": slices(
            "classification", one.heaped_hundredths, (rows, rows), ["accuracy", "f_score", "brier_score"], **SCORE
        ),
        f"mostly nothing, {rows} rows": slices(
            "regression", one.mostly_nothing, (rows, rows), ["mean_absolute_error", "mean_bias_error"], **LABEL
        ),
    }


_SEVEN = {"raters": [f"r{k}" for k in range(7)], "measurement": "ordinal", "scale": [1, 2, 3, 4, 5], "ok": "C1"}
CROSSED: dict[str, dict[str, Draw]] = {
    "crossed: comparison": {
        "first and third of three, 30 clusters": alike(
            "classification", one.three_that_err_together, 30, ("m", "t"), list(LABELS), reference="y", cluster="c",
            prediction=["m", "t"],
        ),
        "forecasts of amounts, 60 rows": alike(
            "regression", one.three_forecasts, 60, ("m", "s"), ["rmse", "mean_absolute_error", "r_squared"], **ANSWERS
        ),
        "lists that end alike, 50 queries": alike(
            "ranking", one.two_that_end_alike, 50, ("m", "s"), ["ndcg(at=10)", "mean_average_precision"],
            score=["m", "s"], **LIST,
        ),
    },
    "crossed: gates": {
        "one giant of 40 clusters: accuracy": required(
            "classification", one.one_giant, 40, "accuracy", ">=", many=50_000, cluster="c", **SCORE
        ),
        "schools in strata: kappa": required(
            "classification", one.schools, 40, "cohen_kappa", ">=", many=50_000, cluster="c", weight="w", **SCORE
        ),
        "twice as sure, 120 rows: calibration error": required(
            "classification", twice_as_sure, 120, "calibration_error", "<=", **SCORE
        ),
        "counts that spread, 80 rows: MAPE": required(
            "regression", one.counts_that_spread, 80, "mean_absolute_percentage_error", "<=", **LABEL
        ),
        "two to seven raters, 50 items: alpha": required(
            "agreement", one.two_to_seven, 50, "krippendorff_alpha(measurement=ordinal)", ">=", many=50_000, **_SEVEN
        ),
        "one in eight again, 240 essays: QWK": required(
            "scoring", one.one_in_eight_again, 240, "quadratic_weighted_kappa", ">=", prediction="e", min=1, max=6,
            **ESSAY,
        ),
    },
    "crossed: ten slices": {name: draw for rows in FEW_ROWS for name, draw in _slices_of(rows).items()},
    "crossed: drift": {"five batches of 6 to 60": weeks},
    "crossed: two teams": {"40 items": teams(40), "150 items": teams(150)},
    "crossed: fairness": {
        "40 and 12 people, one to six responses": people((40, 12), 1.0, 6),
        "40 and 12 people, twice as wide": people((40, 12), 2.0, 6),
        "25 and 25 people, two fifths as wide": people((25, 25), 0.4, 6),
        "90 and 20 responses, three times as wide": people((90, 20), 3.0, 1),
    },
}  # fmt: skip
