"""The golden table: a metric, its input, the value another hand gave it, and whose hand that was.

A metric without a row here fails `test_every_metric_has_a_golden_row`. Tolerance 1e-9 unless the
source prints fewer digits.
"""

from __future__ import annotations

from tests.golden.agreement_rows import AGREEMENT_OF_RATERS
from tests.golden.judged_rows import JUDGED
from tests.golden.list_rows import LISTS, TRIALS
from tests.golden.preference_rows import PREFERENCE
from tests.golden.regression_rows import REGRESSION
from tests.golden.reliability_rows import RELIABILITY
from tests.golden.row import ABSTRACTORS, COHEN_P37, COHEN_P45, FORTY_ITEMS, PATHOLOGISTS, SAS, Row
from tests.golden.scoring_rows import SCORING
from tests.golden.span_rows import LABEL_SETS, SPANS
from tests.golden.suite_rows import SUITES
from tests.golden.use_rows import IN_USE

SIX_DIGITS = 5.1e-7
SKLEARN_DOCS = "scikit-learn documentation, example of {}; value by scikit-learn 1.9.1"
SKLEARN = "scikit-learn 1.9.1, {}"
VCD = "vcd 1.4-11 (R), Kappa: {}"
YDF_X_AT_Y = "Yggdrasil Decision Forests, metric_test.cc, ComputeXAtYMetrics"

# metric_test.cc, EvaluationOfClassification: the decided and the true class of four rows. The first row's
# probabilities are written (.2, .8, .2) there, with the sum taken as 1; only the .8 enters.
YDF_TRUTH, YDF_DECIDED, YDF_WEIGHTS = [1, 2, 2, 1], [1, 1, 2, 0], [2.5, 1, 2, 4]
YDF_PROBABILITIES = [[0.1, 0.8, 0.1], [0.2, 0.6, 0.2], [0, 0.1, 0.9], [0.5, 0.2, 0.3]]
YDF_CLASSES = "Yggdrasil Decision Forests, metric_test.cc, EvaluationOfClassification"
ALL_THREE = {"categories": [0, 1, 2]}

# The curve of two points (TP, TN, FP, FN) = (160, 40, 160, 40) and (100, 175, 25, 100), as weighted rows.
X_AT_Y = {
    "reference": [1, 0, 1, 0, 1, 0],
    "other": [0.9, 0.9, 0.5, 0.5, 0.1, 0.1],
    "weights": [100, 25, 60, 135, 40, 40],
    "source": YDF_X_AT_Y,
}

SIX_TRUE, SIX_DECIDED = [0, 1, 2, 0, 1, 2], [0, 2, 1, 0, 0, 1]
FOUR_TRUE, FOUR_SCORED = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
SEVEN_TRUE, SEVEN_SCORED = [0, 0, 1, 0, 1, 1, 1], [0.0, 0.1, 0.1, 0.3, 0.3, 0.6, 0.9]

# Eight weighted rows with ties, and eight rows of three categories; values by scikit-learn.
TIED = {
    "reference": [0, 1, 0, 1, 1, 0, 1, 0],
    "other": [0.1, 0.4, 0.4, 0.35, 0.8, 0.8, 0.9, 0.2],
    "weights": [1, 2, 0.5, 3, 1, 1.5, 2, 0.25],
}
DECIDED = {**TIED, "other": [0, 0, 0, 0, 1, 1, 1, 0]}
THREE_TRUE, THREE_DECIDED = [0, 1, 2, 2, 1, 0, 2, 1], [0, 1, 2, 0, 1, 2, 2, 0]
THREE_SCORED = [
    [0.7, 0.2, 0.1],
    [0.3, 0.4, 0.3],
    [0.1, 0.2, 0.7],
    [0.5, 0.25, 0.25],
    [0.2, 0.6, 0.2],
    [0.3, 0.3, 0.4],
    [0.05, 0.05, 0.9],
    [0.4, 0.35, 0.25],
]

DECISIONS = [
    Row("accuracy", YDF_TRUTH, YDF_DECIDED, 0.5, YDF_CLASSES),
    Row(
        "accuracy",
        YDF_TRUTH,
        YDF_DECIDED,
        0.473684,
        f"{YDF_CLASSES}WithNumericalWeights",
        SIX_DIGITS,
        YDF_WEIGHTS,
    ),
    Row("accuracy", *FORTY_ITEMS, 0.925, "seed document on annotation, 40 items, 31 2 / 1 6: P(a) .925"),
    Row("accuracy", **DECIDED, value=0.4222222222222222, source=SKLEARN.format("accuracy_score")),
    Row("error_rate", *FORTY_ITEMS, 0.075, "the same 40 items: 1 − .925"),
    Row("error_rate", *COHEN_P37, 0.71, "Cohen 1960, p. 37 (DKPro): p_o .29"),
    Row(
        "balanced_accuracy",
        [0, 1, 0, 0, 1, 0],
        [0, 1, 0, 0, 0, 1],
        0.625,
        SKLEARN_DOCS.format("balanced_accuracy_score"),
    ),
    Row(
        "balanced_accuracy",
        **DECIDED,
        value=0.4567307692307692,
        source=SKLEARN.format("balanced_accuracy_score"),
    ),
    Row("precision", SIX_TRUE, SIX_DECIDED, 2 / 3, SKLEARN_DOCS.format("precision_score"), positive=0),
    Row("precision(average=macro)", SIX_TRUE, SIX_DECIDED, 2 / 9, SKLEARN_DOCS.format("precision_score")),
    Row("precision(average=micro)", SIX_TRUE, SIX_DECIDED, 1 / 3, SKLEARN_DOCS.format("precision_score")),
    Row("precision(average=weighted)", SIX_TRUE, SIX_DECIDED, 2 / 9, SKLEARN_DOCS.format("precision_score")),
    Row("precision", **DECIDED, positive=1, value=2 / 3, source=SKLEARN.format("precision_score")),
    Row("recall", SIX_TRUE, SIX_DECIDED, 1.0, SKLEARN_DOCS.format("recall_score"), positive=0),
    Row("recall(average=macro)", SIX_TRUE, SIX_DECIDED, 1 / 3, SKLEARN_DOCS.format("recall_score")),
    Row("recall(average=weighted)", SIX_TRUE, SIX_DECIDED, 1 / 3, SKLEARN_DOCS.format("recall_score")),
    Row("recall", **DECIDED, positive=1, value=0.375, source=SKLEARN.format("recall_score")),
    Row(
        "specificity",
        SIX_TRUE,
        SIX_DECIDED,
        0.75,
        "imbalanced-learn 0.14.2, specificity_score",
        positive=0,
    ),
    Row(
        "specificity",
        SIX_TRUE,
        SIX_DECIDED,
        0.5,
        "imbalanced-learn 0.14.2, specificity_score",
        positive=1,
    ),
    Row("specificity(average=macro)", SIX_TRUE, SIX_DECIDED, 2 / 3, "imbalanced-learn 0.14.2"),
    Row(
        "specificity",
        **DECIDED,
        positive=1,
        value=0.5384615384615384,
        source=SKLEARN.format("recall_score(pos_label=0)"),
    ),
    Row("f_score", SIX_TRUE, SIX_DECIDED, 0.8, SKLEARN_DOCS.format("f1_score"), positive=0),
    Row("f_score(average=macro)", SIX_TRUE, SIX_DECIDED, 4 / 15, SKLEARN_DOCS.format("f1_score")),
    Row("f_score(average=macro, beta=0.5)", SIX_TRUE, SIX_DECIDED, 5 / 21, SKLEARN_DOCS.format("fbeta_score")),
    Row(
        "f_score(average=weighted, beta=0.5)",
        SIX_TRUE,
        SIX_DECIDED,
        5 / 21,
        SKLEARN_DOCS.format("fbeta_score"),
    ),
    Row("f_score", **DECIDED, positive=1, value=0.48, source=SKLEARN.format("f1_score")),
    Row("matthews_correlation", [1, 1, 1, -1], [1, -1, 1, 1], -1 / 3, SKLEARN_DOCS.format("matthews_corrcoef")),
    Row(
        "matthews_correlation",
        **DECIDED,
        value=-0.08006407690254357,
        source=SKLEARN.format("matthews_corrcoef"),
    ),
    Row(
        "matthews_correlation",
        THREE_TRUE,
        THREE_DECIDED,
        0.4523809523809524,
        SKLEARN.format("matthews_corrcoef"),
    ),
]

AGREEMENT = [
    Row(
        "cohen_kappa",
        *FORTY_ITEMS,
        0.7540984,
        "seed document on annotation, 40 items: (.925 − .695) / (1 − .695)",
        5e-8,
    ),
    Row("cohen_kappa", *COHEN_P37, -0.0923076923076924, VCD.format("Cohen 1960, p. 37")),
    Row("cohen_kappa", *COHEN_P45, 0.492, "Cohen 1960, p. 45 (DKPro)", 5e-4),
    Row("cohen_kappa(weighting=linear)", *COHEN_P45, 0.473684210526316, VCD.format("Cohen 1960, p. 45")),
    Row("cohen_kappa(weighting=quadratic)", *COHEN_P45, 0.454545454545455, VCD.format("Cohen 1960, p. 45")),
    Row("cohen_kappa", *PATHOLOGISTS, 0.493, "Agresti 1992, after Landis & Koch 1977 (DKPro)", 5e-4),
    Row("cohen_kappa(weighting=linear)", *PATHOLOGISTS, 0.648809523809524, VCD.format("pathologists")),
    Row("cohen_kappa(weighting=quadratic)", *PATHOLOGISTS, 0.783821871476888, VCD.format("pathologists")),
    Row("cohen_kappa", *ABSTRACTORS, 0.7964094, "irrCAC 1.0 (R), vignette: abstractors", 5e-8),
    Row("cohen_kappa(weighting=linear)", *ABSTRACTORS, 0.842902027992002, VCD.format("abstractors")),
    Row("cohen_kappa(weighting=quadratic)", *ABSTRACTORS, 0.892156862745098, VCD.format("abstractors")),
    Row("cohen_kappa", *SAS, 0.4842, "SAS PROC FREQ, AGREE, as statsmodels' tests quote it", 5e-5),
    Row("cohen_kappa(weighting=linear)", *SAS, 0.4701, "SAS PROC FREQ, AGREE, as statsmodels' tests quote it", 5e-5),
    Row(
        "cohen_kappa",
        ["negative", "positive", "negative", "neutral", "positive"],
        ["negative", "positive", "negative", "neutral", "negative"],
        0.6875,
        SKLEARN_DOCS.format("cohen_kappa_score"),
    ),
    Row("cohen_kappa", **DECIDED, value=-0.06557377049180335, source=SKLEARN.format("cohen_kappa_score")),
]

# Hanley & McNeil 1982, table I: 58 normal and 51 abnormal images rated 1 to 5; counts as in two other test suites.
IMAGES_TRUE = [0] * 58 + [1] * 51
IMAGES_RATED = [
    rating + 1
    for counts in ((33, 6, 6, 11, 2), (3, 2, 2, 11, 33))
    for rating, count in enumerate(counts)
    for _ in range(count)
]

RANKING = [
    Row("roc_auc", IMAGES_TRUE, IMAGES_RATED, 0.893, "Hanley & McNeil 1982", 5e-4),
    Row("roc_auc", IMAGES_TRUE, IMAGES_RATED, 0.893171061528059, "pROC 1.18.0 (R): Hanley & McNeil's ratings"),
    Row("roc_auc", FOUR_TRUE, FOUR_SCORED, 0.75, SKLEARN_DOCS.format("roc_auc_score")),
    Row("roc_auc", SEVEN_TRUE, SEVEN_SCORED, 5 / 6, "ydf 0.16.1, seven rows"),
    Row("roc_auc", **TIED, value=0.6057692307692307, source=SKLEARN.format("roc_auc_score")),
    Row("roc_auc(average=macro)", THREE_TRUE, THREE_SCORED, 0.875, SKLEARN.format("roc_auc_score, ovr")),
    Row(
        "roc_auc(average=weighted)",
        THREE_TRUE,
        THREE_SCORED,
        0.8854166666666666,
        SKLEARN.format("roc_auc_score"),
    ),
    Row("pr_auc", FOUR_TRUE, FOUR_SCORED, 0.7916666666666666, SKLEARN.format("auc of precision_recall_curve")),
    Row("pr_auc", SEVEN_TRUE, SEVEN_SCORED, 0.8958333333333333, "ydf 0.16.1, seven rows"),
    Row("pr_auc", **TIED, value=0.8107142857142857, source=SKLEARN.format("auc of precision_recall_curve")),
    Row("average_precision", FOUR_TRUE, FOUR_SCORED, 5 / 6, SKLEARN_DOCS.format("average_precision_score")),
    Row(
        "average_precision",
        SEVEN_TRUE,
        SEVEN_SCORED,
        0.8541666666666666,
        SKLEARN.format("seven rows with ties"),
    ),
    Row("average_precision", **TIED, value=0.811904761904762, source=SKLEARN.format("average_precision_score")),
    Row(
        "average_precision(average=macro)",
        THREE_TRUE,
        THREE_SCORED,
        0.8444444444444444,
        SKLEARN.format("average_precision_score"),
    ),
    Row(
        "average_precision(average=weighted)",
        THREE_TRUE,
        THREE_SCORED,
        0.8625,
        SKLEARN.format("average_precision_score"),
    ),
]

OPERATING_POINTS = [
    Row("precision_at_recall(at=0.7)", **X_AT_Y, value=0.5),
    Row("precision_at_recall(at=0.5)", **X_AT_Y, value=0.8),
    Row("precision_at_recall(at=0.3)", **X_AT_Y, value=0.8),
    Row("recall_at_precision(at=0.6)", **X_AT_Y, value=0.5),
    Row("precision_at_volume(at=0.5)", **X_AT_Y, value=0.5),
    Row("recall_at_false_positive_rate(at=0.5)", **X_AT_Y, value=0.5),
    Row("recall_at_false_positive_rate(at=0.9)", **X_AT_Y, value=0.8),
    Row("false_positive_rate_at_recall(at=0.5)", **X_AT_Y, value=0.125),
    Row("false_positive_rate_at_recall(at=0.2)", **X_AT_Y, value=0.125),
    Row(
        "max_accuracy",
        SEVEN_TRUE,
        SEVEN_SCORED,
        5 / 7,
        "ydf 0.16.1, seven rows: largest (TP + TN) / n of its curve",
    ),
]

PROBABILITIES = [
    Row("log_loss", YDF_TRUTH, YDF_PROBABILITIES, 0.886845, YDF_CLASSES, SIX_DIGITS, **ALL_THREE),
    Row(
        "log_loss",
        YDF_TRUTH,
        YDF_PROBABILITIES,
        0.927976,
        f"{YDF_CLASSES}WithNumericalWeights",
        SIX_DIGITS,
        YDF_WEIGHTS,
        **ALL_THREE,
    ),
    Row(
        "log_loss",
        ["spam", "ham", "ham", "spam"],
        [[0.1, 0.9], [0.9, 0.1], [0.8, 0.2], [0.35, 0.65]],
        0.21616187468057912,
        SKLEARN_DOCS.format("log_loss"),
    ),
    Row("log_loss", **TIED, value=0.7330336447906427, source=SKLEARN.format("log_loss")),
    Row("log_loss", THREE_TRUE, THREE_SCORED, 0.7357395061399927, SKLEARN.format("log_loss")),
    Row("brier_score", [0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3], 0.0375, SKLEARN_DOCS.format("brier_score_loss")),
    Row(
        "brier_score",
        [0, 1, 2],
        [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6]],
        0.12,
        SKLEARN.format("brier_score_loss"),
    ),
    Row("brier_score", **TIED, value=0.27622222222222226, source=SKLEARN.format("brier_score_loss")),
    Row("brier_score", THREE_TRUE, THREE_SCORED, 0.416875, SKLEARN.format("brier_score_loss")),
    Row(
        "calibration_error(bins=2)",
        [0, 0, 1, 1, 1],
        [0.25, 0.25, 0.55, 0.75, 0.75],
        0.29,
        "torchmetrics documentation, binary_calibration_error, n_bins=2, norm l1: 0.2900",
        5e-5,
    ),
]

ROWS = [
    *RELIABILITY,
    *DECISIONS,
    *AGREEMENT,
    *AGREEMENT_OF_RATERS,
    *RANKING,
    *OPERATING_POINTS,
    *PROBABILITIES,
    *SPANS,
    *LABEL_SETS,
    *PREFERENCE,
    *REGRESSION,
    *IN_USE,
    *SCORING,
    *LISTS,
    *TRIALS,
    *SUITES,
    *JUDGED,
]
