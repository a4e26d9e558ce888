"""May a system score what people score? Read this file to know everything the scoring task promises."""

from __future__ import annotations

from adjudge.metrics import (
    adjacent_agreement,
    cohen_kappa,
    correlation,
    degradation,
    difference_of_standardized_means,
    disattenuated_correlation,
    exact_agreement,
    mean_absolute_error,
    mean_squared_error,
    prmse,
    quadratic_weighted_kappa,
    r_squared,
    rater_error_variance,
    rmse,
    spearman,
    standardized_mean_difference,
    true_score_mse,
    true_score_variance,
)
from adjudge.tasks.base import Role, Setting, Task

OBSERVED = (
    quadratic_weighted_kappa,
    correlation,
    standardized_mean_difference,
    rmse,
    mean_squared_error,
    r_squared,
    mean_absolute_error,
    exact_agreement,
    adjacent_agreement,
)
TRUE_SCORE = (prmse, true_score_mse, rater_error_variance, true_score_variance)
BESIDE_RATERS = (
    degradation.using(of="correlation"),
    degradation.using(of="qwk"),
    degradation.using(of="kappa"),
    degradation.using(of="exact"),
    degradation.using(of="adjacent"),
    degradation.using(of="smd"),
    degradation.using(of="correlation", rows="double"),
    degradation.using(of="qwk", rows="double"),
    disattenuated_correlation,
    disattenuated_correlation.using(rows="double"),
)
KAPPAS = (cohen_kappa, cohen_kappa.using(weighting="linear"))
# Of two raters, whose mean difference is scaled by both.
AMONG_RATERS = (
    quadratic_weighted_kappa,
    correlation,
    standardized_mean_difference.using(method="pooled"),
    exact_agreement,
    adjacent_agreement,
    mean_absolute_error,
)
# In a slice the standardized mean difference gives way to one that everybody's spread is the measure of.
SLICE_ONLY = (difference_of_standardized_means,)
WHOLE_ONLY = (
    standardized_mean_difference,
    standardized_mean_difference.using(method="pooled"),
    *(metric for metric in BESIDE_RATERS if metric.name == "degradation"),
)

SCORING = Task(
    name="scoring",
    question="Does the system score as people do, for everybody, and nearly as well as a second rater?",
    roles=(
        Role("raters", "columns of human scores; the first is the reference", required=True, many=True),
        Role("prediction", "columns of system scores, one for each system", many=True),
        Role("candidate", "column that says whose response it is: their responses are resampled together"),
        Role("id", "column that names each response once"),
        Role("weight", "column of case weights; whole numbers are as good as repeated responses"),
        Role("slices", "columns to evaluate level by level; 'a × b' crosses two", many=True),
    ),
    metrics=(*OBSERVED, *KAPPAS, spearman, *TRUE_SCORE, *BESIDE_RATERS, *SLICE_ONLY),
    averages=(),
    headline=("quadratic_weighted_kappa", "prmse", "standardized_mean_difference", "correlation"),
    settings=(
        Setting("min", "lowest score of the scale: scores are trimmed and rounded to it", float),
        Setting("max", "highest score of the scale", float),
        Setting("step", "step of the scale (default 1; 0.5 for half points)", float, 1.0),
        Setting("tolerance", "how far beyond the scale a trimmed score may lie (default 0.4998 steps)", float),
        Setting(
            "flag", "COLUMN=VALUE: only responses with this value stay; repeat values with ','", many=True, form="named"
        ),
        Setting("zeros", "keep: human scores of zero stay (default exclude)", default="exclude"),
        Setting("min_items", "leave out candidates with fewer responses", int),
        Setting("reference", "first: a response needs the first rater's score; any: any rater's", default="first"),
        Setting("error_variance", "variance of rater errors, when it is known", float),
        Setting("training", "table with the same columns whose means and SDs scale the scores", form="table"),
        Setting("scaling", "NAME=NUMBER of system_mean, system_sd, human_mean, human_sd", many=True, form="scaling"),
        Setting(
            "limits", "NAME=NUMBER: limits of the flags, such as smd=0.15 dsm=0.1 qwk=0.7", many=True, form="named"
        ),
        Setting("level", "confidence level (default 0.95)", float, 0.95),
    ),
)
