"""What several sets measure of a table, and how many units their populations have."""

from __future__ import annotations

MANY = 200_000
WHOLE = 50_000  # so many rows are the population: no weights, no clusters
SCORES = (
    "accuracy",
    "f_score",
    "cohen_kappa",
    "matthews_correlation",
    "roc_auc",
    "pr_auc",
    "average_precision",
    "log_loss",
    "brier_score",
    "calibration_error",
)
LABELS = ("accuracy", "balanced_accuracy", "f_score(average=macro)", "cohen_kappa", "matthews_correlation")
NUMBERS = (
    "rmse",
    "mean_absolute_error",
    "mean_bias_error",
    "r_squared",
    "correlation",
    "spearman",
    "concordance_correlation",
)
NOMINAL = ("krippendorff_alpha", "percent_agreement", "gwet_ac1", "fleiss_kappa")
GROUPS = ("difference_of_standardized_means", "quadratic_weighted_kappa", "correlation")
VOTES = ("preference_strength", "preference_kappa", "preference_accuracy", "preference_relevance")
BOTH = ("accuracy", "f_score", "cohen_kappa", "roc_auc", "brier_score", "log_loss")
RATINGS = ("icc(form=A,1)", "icc(form=C,k)", "krippendorff_alpha(measurement=interval)", "kendall_w")
ORDERED = (
    "krippendorff_alpha(measurement=ordinal)",
    "gwet_ac2(weighting=quadratic)",
    "fleiss_kappa(weighting=quadratic)",
    "conger_kappa(weighting=quadratic)",
    "percent_agreement",
)
SETS = ("set_alpha", "set_similarity", "same_set_agreement", "macro_label_alpha", "label_alpha [u]", "label_alpha [w]")
SPANS = ("pairwise_span_f(match=strict)", "pairwise_span_f(match=type)", "pairwise_span_f(match=partial)")
CUT_OFF = ("ndcg(at=5)", "mean_reciprocal_rank", "mean_average_precision", "recall_at(at=10)", "hit_rate_at(at=1)")
ERRORS = ("rmse", "mean_absolute_error", "mean_bias_error", "r_squared", "correlation")
RATED = (
    "pearson",
    "concordance_correlation",
    "icc(form=A,1)",
    "lower_limit_of_agreement",
    "upper_limit_of_agreement",
    "mean_difference",
)
