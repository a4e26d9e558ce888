"""What RSMTool 12.0.0 gives for the same scores, and the worked examples of the true-score derivation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.golden.row import Row

GOLDEN = json.loads((Path(__file__).parent / "scoring.json").read_text())
RSMTOOL = "RSMTool 12.0.0: {}, {}"
POPULATION = "human_mean=3.0, human_sd=1.1, system_mean=3.2, system_sd=0.9"

# Our metric, RSMTool's answer and what it is to be divided by.
OBSERVED = (
    ("exact_agreement", "agreement_tol0", 100),
    ("adjacent_agreement(tolerance=0.5)", "agreement_tol0.5", 100),
    ("adjacent_agreement", "agreement_tol1", 100),
    ("quadratic_weighted_kappa", "qwk_ddof0", 1),
    ("quadratic_weighted_kappa(ddof=1)", "qwk_ddof1", 1),
    ("correlation", "pearson_scipy", 1),
    ("mean_squared_error", "mse", 1),
    ("r_squared", "r2", 1),
    ("standardized_mean_difference", "smd_unpooled", 1),
    ("standardized_mean_difference(ddof=0)", "smd_unpooled_ddof0", 1),
    ("standardized_mean_difference(method=pooled)", "smd_pooled", 1),
    ("standardized_mean_difference(method=johnson, human_sd=1.1)", "smd_johnson_sd1.1", 1),
    (
        "standardized_mean_difference(method=williamson, human_sd=1.1, system_sd=0.9)",
        "smd_williamson_sd1.1_sd0.9",
        1,
    ),
    (f"difference_of_standardized_means({POPULATION})", "dsm_population_3.0_3.2_1.1_0.9", 1),
)
# Where RSMTool gives a number for something that is not defined, ours is told by test_scoring.py.
SOUND = ("integers_vs_integers", "continuous_vs_continuous", "labels_with_gaps", "perfect", "shifted_by_one")
TRUE_SCORES = (
    ("rater_error_variance", "variance_of_errors"),
    ("true_score_variance", "true_score_variance"),
    ("true_score_mse", "mse_true"),
    ("prmse", "prmse_true"),
)
SOUND_RATINGS = ("two_raters_full", "two_raters_subset_given_ve_0.3", "four_raters_ragged", "one_rater_given_ve_0")


def ratings_of(case: dict[str, Any]) -> list[list[float | None]]:
    """The ratings matrix of a case."""
    return [[None if value == "NaN" else value for value in row] for row in case["ratings"]]


def _observed() -> list[Row]:
    rows = []
    for name in SOUND:
        case = GOLDEN["functions"][name]
        for metric, answer, scale in OBSERVED:
            value = case["answers"][answer] / scale
            rows.append(Row(metric, case["h"], case["m"], value, RSMTOOL.format(name, answer)))
        rows.append(Row("rmse", case["h"], case["m"], case["answers"]["mse"] ** 0.5, RSMTOOL.format(name, "mse")))
    return rows


def _true_scores() -> list[Row]:
    rows = []
    for name in SOUND_RATINGS:
        case = GOLDEN["prmse"][name]
        given = "" if case["given_ve"] is None else f"(error_variance={case['given_ve']})"
        for metric, answer in TRUE_SCORES:
            value = case["answers"][answer]
            if metric == "rater_error_variance" and case["given_ve"] is not None:
                continue
            rows.append(Row(metric + given, ratings_of(case), case["system"], value, RSMTOOL.format(name, answer)))
    return rows


def _published() -> list[Row]:
    """Ten thousand responses by four raters, all ratings and those kept: RSMTool's test data (prmse_data.csv and
    prmse_data_sparse_matrix.csv), and the figures of the derivation's author in R."""
    lines = (Path(__file__).parent / "prmse_ratings.csv").read_text(encoding="utf-8").splitlines()[1:]
    cells = [line.split(",") for line in lines]
    system = [float(row[0]) for row in cells]
    full = [[float(said) for said in row[1:5]] for row in cells]
    kept = [
        [float(said) if seen == "1" else None for said, seen in zip(row[1:5], row[5], strict=True)] for row in cells
    ]
    return [
        Row(
            metric, ratings, system, value, "RSMTool's test_utils_prmse.py, computed in R by the formulas' author", 5e-8
        )
        for ratings, figures in (
            (full, (0.509375, 0.7765515, 0.3564625, 0.5409673)),
            (kept, (0.5150882, 0.769816, 0.3550792, 0.538748)),
        )
        for (metric, _), value in zip(TRUE_SCORES, figures, strict=True)
    ]


# Two raters in full: RSMTool's corr_HM − corr_HH and so on, from its own functions on the same columns.
_FULL, _RAGGED = GOLDEN["prmse"]["two_raters_full"], GOLDEN["prmse"]["four_raters_ragged"]
BESIDE_RATERS = {
    "degradation(of=correlation)": 0.047105303062778825,
    "degradation(of=qwk)": 0.028091159823827927,
    "degradation(of=adjacent)": -0.16,
    "degradation(of=smd)": -0.018224751491413966,
    "degradation(of=correlation, rows=double)": 0.047105303062778825,
    "disattenuated_correlation": 0.8716389617113431,
}
SCORING = [
    *(
        Row(metric, _FULL["ratings"], _FULL["system"], value, RSMTOOL.format("two_raters_full", metric))
        for metric, value in BESIDE_RATERS.items()
    ),
    Row(
        "degradation(of=kappa)",
        _FULL["ratings"],
        [round(score) for score in _FULL["system"]],
        -0.04796846448953429,
        "scikit-learn 1.4.2, cohen_kappa_score of system and first rater less that of the two raters",
    ),
    *_observed(),
    *_true_scores(),
    *_published(),
    *(
        Row(metric, ratings_of(_RAGGED), _RAGGED["system"], value, "R 4.2.2, aov by response: " + what)
        for metric, value, what in (
            ("rater_error_variance", 0.445833333333334, "the residual mean square"),
            ("true_score_variance", 0.888581687068234, "the component between, with n0 ratings to a response"),
        )
    ),
    Row(
        "prmse(error_variance=0.5)",
        [[2], [3], [5]],
        [1, 2, 5],
        0.9090909090909091,
        "RSMTool's test_utils_prmse.py, one rater with a given variance of errors",
    ),
]
