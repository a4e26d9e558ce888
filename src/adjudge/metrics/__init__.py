"""Functions on arrays: a reference and a prediction or score in, one number out.

>>> from adjudge import metrics
>>> metrics.accuracy(["a", "b"], ["a", "a"])
0.5
"""

from adjudge.metrics.calibration import brier_score, calibration_error, log_loss
from adjudge.metrics.catalogue import chapters, every, parse
from adjudge.metrics.chance_agreement import cohen_kappa
from adjudge.metrics.classification import (
    accuracy,
    balanced_accuracy,
    error_rate,
    f_score,
    matthews_correlation,
    precision,
    recall,
    specificity,
)
from adjudge.metrics.discrimination import average_precision, pr_auc, roc_auc
from adjudge.metrics.operating_points import (
    false_positive_rate_at_recall,
    max_accuracy,
    precision_at_recall,
    precision_at_volume,
    recall_at_false_positive_rate,
    recall_at_precision,
)

__all__ = [
    "accuracy",
    "average_precision",
    "balanced_accuracy",
    "brier_score",
    "calibration_error",
    "chapters",
    "cohen_kappa",
    "error_rate",
    "every",
    "f_score",
    "false_positive_rate_at_recall",
    "log_loss",
    "matthews_correlation",
    "max_accuracy",
    "parse",
    "pr_auc",
    "precision",
    "precision_at_recall",
    "precision_at_volume",
    "recall",
    "recall_at_false_positive_rate",
    "recall_at_precision",
    "roc_auc",
    "specificity",
]
