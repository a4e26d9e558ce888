"""Regression: what scikit-learn, Yggdrasil Decision Forests, MAPIE, torchmetrics and NIST give for the same numbers."""

from __future__ import annotations

import json
from pathlib import Path

from tests.golden.row import Row

SETS = json.loads((Path(__file__).parent / "regression.json").read_text())["sets"]
YDF = "ydf 0.16.1, evaluate_predictions, {}"
SINGLE_PRECISION = 1e-7  # YDF's own arithmetic
SKLEARN_DOCS = "scikit-learn documentation, example of {}; value by scikit-learn 1.9.1"
SKLEARN = "scikit-learn 1.9.1, {}, sample_weight"

FOUR = ([3, -0.5, 2, 7], [2.5, 0.0, 2, 8])
WEIGHTED = {
    "reference": [2.5, 0.7, 4.1, 3.3, 8.2, 1.9],
    "other": [2.1, 1.2, 4.4, 2.0, 9.9, 1.9],
    "weights": [1, 2, 0.5, 3, 1.5, 0.25],
}

# NIST StRD, linear regression, Norris (y, x), with the certified coefficients, residual standard deviation and R².
NORRIS = """0.1 0.2; 338.8 337.4; 118.1 118.2; 888.0 884.6; 9.2 10.1; 228.1 226.5; 668.5 666.3; 998.5 996.3; 449.1 448.6
; 778.9 777.0; 559.2 558.2; 0.3 0.4; 0.1 0.6; 778.1 775.5; 668.8 666.9; 339.3 338.0; 448.9 447.5; 10.8 11.6; 557.7 556.0
; 228.3 228.1; 998.0 995.8; 888.8 887.6; 119.6 120.2; 0.3 0.3; 0.6 0.3; 557.6 556.8; 339.3 339.1; 888.0 887.2
; 998.5 999.0; 778.9 779.0; 10.2 11.1; 117.6 118.3; 228.9 229.2; 668.4 669.1; 449.2 448.9; 0.2 0.5"""
MEASURED, AT = ([float(pair.split()[side]) for pair in NORRIS.split(";")] for side in (0, 1))
FITTED = [-0.262323073774029 + 1.00211681802045 * x for x in AT]
RESIDUAL_SD, NORRIS_R_SQUARED = 0.884796396144373, 0.999993745883712
NIST = "NIST StRD Norris, certified {}"

# MAPIE's documentation: references, and the lower and upper bounds of intervals.
MAPIE = ([5, 7.5, 9.5, 10.5, 12.5], [[4, 6], [6, 9], [9, 10], [8.5, 12.5], [10.5, 12]])
TORCH = ([1, 10, 1e6], [0.9, 15, 1.2e6])

_WEIGHTED = {
    "rmse": (1.1070025047191834, "root_mean_squared_error"),
    "mean_squared_error": (1.2254545454545458, "mean_squared_error"),
    "mean_absolute_error": (0.9696969696969697, "mean_absolute_error"),
    "r_squared": (0.8007780660609733, "r2_score"),
    "explained_variance": (0.8016379395282041, "explained_variance_score"),
    "mean_absolute_percentage_error": (0.37793340436355954, "mean_absolute_percentage_error"),
    "mean_squared_log_error": (0.07045395653893227, "mean_squared_log_error"),
    "median_absolute_error": (1.2999999999999998, "median_absolute_error"),
    "pinball_loss(quantile=0.8)": (0.5066666666666666, "mean_pinball_loss(alpha=0.8)"),
}

REGRESSION = [
    *(
        Row(metric, case["labels"], case["predictions"], case[name], YDF.format(case["name"]), SINGLE_PRECISION, w)
        for case in SETS
        for metric, name in (("rmse", "rmse"), ("mean_absolute_error", "mae"))
        for w in [case.get("weights")]
    ),
    Row("mean_squared_error", *FOUR, 0.375, SKLEARN_DOCS.format("mean_squared_error")),
    Row("rmse", *FOUR, 0.6123724356957945, SKLEARN_DOCS.format("root_mean_squared_error")),
    Row("mean_absolute_error", *FOUR, 0.5, SKLEARN_DOCS.format("mean_absolute_error")),
    Row("median_absolute_error", *FOUR, 0.5, SKLEARN_DOCS.format("median_absolute_error")),
    Row("r_squared", *FOUR, 0.9486081370449679, SKLEARN_DOCS.format("r2_score")),
    Row("explained_variance", *FOUR, 0.9571734475374732, SKLEARN_DOCS.format("explained_variance_score")),
    Row(
        "mean_absolute_percentage_error",
        *FOUR,
        0.3273809523809524,
        SKLEARN_DOCS.format("mean_absolute_percentage_error"),
    ),
    Row("max_error", [3, 2, 7, 1], [4, 2, 7, 1], 1.0, SKLEARN_DOCS.format("max_error")),
    Row(
        "mean_squared_log_error",
        [3, 5, 2.5, 7],
        [2.5, 5, 4, 8],
        0.03973012298459379,
        SKLEARN_DOCS.format("mean_squared_log_error"),
    ),
    Row("pinball_loss(quantile=0.1)", [1, 2, 3], [0, 2, 3], 1 / 30, SKLEARN_DOCS.format("mean_pinball_loss")),
    Row("pinball_loss(quantile=0.9)", [1, 2, 3], [0, 2, 3], 0.3, SKLEARN_DOCS.format("mean_pinball_loss")),
    Row("pinball_loss(quantile=0.1)", [1, 2, 3], [1, 2, 4], 0.3, SKLEARN_DOCS.format("mean_pinball_loss")),
    *(Row(metric, **WEIGHTED, value=value, source=SKLEARN.format(name)) for metric, (value, name) in _WEIGHTED.items()),
    Row("mean_bias_error", *FOUR, 0.25, "by hand: (−.5 + .5 + 0 + 1) / 4"),
    Row("mean_bias_error", MEASURED, FITTED, 0.0, NIST.format("least squares: residuals sum to 0"), 1e-11),
    Row("rmse", MEASURED, FITTED, RESIDUAL_SD * (34 / 36) ** 0.5, NIST.format("residual SD on 34 of 36"), 1e-12),
    Row("r_squared", MEASURED, FITTED, NORRIS_R_SQUARED, NIST.format("R²"), 1e-14),
    Row("explained_variance", MEASURED, FITTED, NORRIS_R_SQUARED, NIST.format("R², which it is without bias"), 1e-14),
    Row("correlation", MEASURED, FITTED, NORRIS_R_SQUARED**0.5, NIST.format("R², the square of it"), 1e-14),
    Row("mean_absolute_percentage_error", *TORCH, 0.8 / 3, "torchmetrics documentation, 0.2667: (.1 + .5 + .2) / 3"),
    Row("symmetric_mean_absolute_percentage_error", *TORCH, 0.2290, "torchmetrics documentation, four digits", 5e-5),
    Row("interval_coverage", *MAPIE, 0.8, "MAPIE documentation, regression_coverage_score"),
    Row("interval_width", *MAPIE, 2.3, "MAPIE documentation, regression_mean_width_score"),
]
