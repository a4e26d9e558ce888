"""Which metrics are asked of a form of a score and of two raters, over all responses and in a slice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
from adjudge.metrics.base import Metric

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
    spearman,
    *(metric for metric in BESIDE_RATERS if metric.name == "degradation"),
)
EVERY = (*OBSERVED, *KAPPAS, spearman, *TRUE_SCORE, *BESIDE_RATERS, *SLICE_ONLY)


@dataclass(frozen=True)
class Choice:
    """What is measured: everything there is, or what was named of it."""

    named: tuple[Metric, ...] | None
    several_raters: bool
    error_variance: float | None = None  # of raters, when it is known

    def of_form(self, *, rounded: bool, whole: bool) -> tuple[Metric, ...]:
        """What is asked of a form of a score."""
        beside = BESIDE_RATERS if self.several_raters else ()
        return self._chosen((*OBSERVED, *KAPPAS, spearman, *self._true_scores, *beside), rounded=rounded, whole=whole)

    def of_raters(self, *, whole: bool) -> tuple[Metric, ...]:
        """What is asked of two raters, whose scores are points of the scale."""
        return self._chosen((*AMONG_RATERS, *KAPPAS), rounded=True, whole=whole)

    @property
    def _true_scores(self) -> tuple[Metric, ...]:
        """What is known of true scores: from second ratings, or from the variance of errors where it was given."""
        given = self.error_variance
        if given is None:
            return TRUE_SCORE if self.several_raters else ()
        known = (m.using(error_variance=given) for m in TRUE_SCORE if m is not rater_error_variance)
        return (*known, *([rater_error_variance] if self.several_raters else []))

    def _chosen(self, offered: Sequence[Metric], *, rounded: bool, whole: bool) -> tuple[Metric, ...]:
        here = [
            m for m in (*offered, *SLICE_ONLY) if (m not in SLICE_ONLY if whole else m.name not in _names(WHOLE_ONLY))
        ]
        chosen = here if self.named is None else [m for m in self.named if m.name in _names(here)]
        # Double-scored responses alone are looked at over all responses.
        return tuple(m for m in chosen if m.serves(rounded) and (whole or m.settings.get("rows") != "double"))


def _names(metrics: Sequence[Metric]) -> set[str]:
    return {metric.name for metric in metrics}
