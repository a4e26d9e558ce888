"""Functions on arrays: a reference and a prediction or score in, one number out.

>>> from adjudge import metrics
>>> metrics.accuracy(["a", "b"], ["a", "a"])
0.5
"""

from adjudge.metrics.calibration import brier_score, calibration_error, log_loss
from adjudge.metrics.catalogue import chapters, every, parse
from adjudge.metrics.chance_agreement import (
    bennett_s,
    category_kappa,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    gwet_ac2,
    kappa_max,
    krippendorff_alpha,
    pabak,
    percent_agreement,
    randolph_kappa,
    scott_pi,
    specific_agreement,
)
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
from adjudge.metrics.interval_alpha import interval_alpha
from adjudge.metrics.operating_points import (
    false_positive_rate_at_recall,
    max_accuracy,
    precision_at_recall,
    precision_at_volume,
    recall_at_false_positive_rate,
    recall_at_precision,
)
from adjudge.metrics.rater_reliability import (
    concordance_correlation,
    conger_kappa,
    icc,
    kendall_tau,
    kendall_w,
    light_kappa,
    lower_limit_of_agreement,
    mean_difference,
    pearson,
    spearman,
    upper_limit_of_agreement,
)
from adjudge.metrics.set_distances import label_alphas, macro_label_alpha, set_alpha
from adjudge.metrics.spans import pairwise_span_f, span_f_score, span_precision, span_recall

__all__ = [
    "accuracy",
    "average_precision",
    "balanced_accuracy",
    "bennett_s",
    "brier_score",
    "calibration_error",
    "category_kappa",
    "chapters",
    "cohen_kappa",
    "concordance_correlation",
    "conger_kappa",
    "error_rate",
    "every",
    "f_score",
    "false_positive_rate_at_recall",
    "fleiss_kappa",
    "gwet_ac1",
    "gwet_ac2",
    "icc",
    "interval_alpha",
    "kappa_max",
    "kendall_tau",
    "kendall_w",
    "krippendorff_alpha",
    "label_alphas",
    "light_kappa",
    "log_loss",
    "lower_limit_of_agreement",
    "macro_label_alpha",
    "matthews_correlation",
    "max_accuracy",
    "mean_difference",
    "pabak",
    "pairwise_span_f",
    "parse",
    "pearson",
    "percent_agreement",
    "pr_auc",
    "precision",
    "precision_at_recall",
    "precision_at_volume",
    "randolph_kappa",
    "recall",
    "recall_at_false_positive_rate",
    "recall_at_precision",
    "roc_auc",
    "scott_pi",
    "set_alpha",
    "span_f_score",
    "span_precision",
    "span_recall",
    "spearman",
    "specific_agreement",
    "specificity",
    "upper_limit_of_agreement",
]
