"""What a declaration says beside the formula: which way is better, which scores it serves, and its words."""

from __future__ import annotations

from dataclasses import fields
from types import SimpleNamespace

import pytest

from adjudge import metrics
from adjudge.errors import SettingError
from adjudge.metrics.base import Direction, Metric
from adjudge.metrics.declaration import Declaration
from adjudge.report.summarize import reading

NEAREST = {
    "degradation",
    "difference_of_standardized_means",
    "lower_limit_of_agreement",
    "mean_bias_error",
    "mean_difference",
    "standardized_mean_difference",
    "upper_limit_of_agreement",
}


def test_everything_but_the_formula_can_be_declared() -> None:
    by_itself = {"formula", "name", "parameters"}
    assert {field.name for field in fields(Metric)} - by_itself == set(Declaration.__annotations__)


def test_a_difference_is_best_in_the_middle() -> None:
    assert {metric.name for metric in metrics.every() if metric.direction is Direction.NEAREST} >= NEAREST


def test_a_share_lies_between_nothing_and_all() -> None:
    assert {metric.range for metric in metrics.every() if metric.unit == "share"} == {(0.0, 1.0)}


@pytest.mark.parametrize("metric", metrics.every(), ids=repr)
def test_the_best_value_is_where_the_direction_points(metric: Metric) -> None:
    low, high = metric.range
    if metric.direction is Direction.NEAREST:
        assert low < metric.best < high
        assert reading(metric).endswith(f"; closest to {metric.best:g} is best.")
    else:
        # Estimates corrected for errors of raters may by chance lie beyond the best, and so may bounds in wrong order.
        beyond = {"prmse", "true_score_mse", "disattenuated_correlation", "interval_width"}
        # Of times and costs 0 is best, though a column may hold less; perturbed items may by chance do better.
        beyond |= {"mean", "quantile", "cost_per_right", "robustness_drop", "share_kept"}
        end = high if metric.direction is Direction.HIGHER else low
        assert metric.best == end or metric.name in beyond


def test_what_is_said_of_rounded_scores_only() -> None:
    served = SimpleNamespace(
        no=[
            metrics.exact_agreement,
            metrics.cohen_kappa,
            metrics.cohen_kappa.using(weighting="linear"),
            metrics.adjacent_agreement.using(tolerance=0),
            metrics.degradation.using(of="kappa"),
            metrics.degradation.using(of="exact", rows="double"),
        ],
        yes=[
            metrics.quadratic_weighted_kappa,
            metrics.adjacent_agreement,
            metrics.correlation,
            metrics.degradation,
            metrics.degradation.using(of="adjacent"),
        ],
    )
    assert not any(metric.serves(rounded=False) for metric in served.no)
    assert all(metric.serves(rounded=False) for metric in served.yes)
    assert all(metric.serves(rounded=True) for metric in (*served.no, *served.yes))


def test_labels_do_not_name_the_input() -> None:
    assert not [metric.label for metric in metrics.every() if metric.label.endswith("of scores")]
    labels = [metric.label for metric in metrics.every()]
    assert len(labels) == len(set(labels))


@pytest.mark.parametrize(
    "refused",
    [
        lambda: metrics.krippendorff_alpha.using(level="ordinal"),
        lambda: metrics.krippendorff_alpha([1, 2], [1, 3], level="ordinal"),
        lambda: metrics.parse("krippendorff_alpha(level=ordinal)"),
    ],
)
def test_the_level_of_measurement_is_called_measurement(refused: object) -> None:
    with pytest.raises(
        SettingError, match="`level` is the confidence level; the level of measurement is `measurement`"
    ):
        refused()  # type: ignore[operator]
    assert repr(metrics.krippendorff_alpha.using(measurement="ordinal")) == "krippendorff_alpha(measurement=ordinal)"
