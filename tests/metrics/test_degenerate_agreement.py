"""Agreement where there is little to measure: NaN with a reason, or a value with an honest interval."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from tests.laws.test_agreement import TWO_ONLY, every

from adjudge import metrics
from adjudge.errors import BadValue, SettingError
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.inference.replicate_values import replicate_values
from adjudge.inference.resampling import RESAMPLED, Bootstrap, drawn_on_cells, percentile
from adjudge.metrics.base import Metric
from adjudge.metrics.rater_numbers import mean_squares
from adjudge.statistics.base import Array
from adjudge.statistics.ratings.patterns import Patterns
from adjudge.statistics.ratings.vectors import RatingVectors

EVERY = pytest.mark.parametrize("metric", every(), ids=repr)
CHANCE = (
    metrics.cohen_kappa,
    metrics.scott_pi,
    metrics.fleiss_kappa,
    metrics.conger_kappa,
    metrics.light_kappa,
    metrics.krippendorff_alpha,
    metrics.krippendorff_alpha.using(measurement="interval"),
    metrics.krippendorff_alpha.using(measurement="ordinal"),
    metrics.randolph_kappa,
    metrics.bennett_s,
    metrics.pabak,
    metrics.gwet_ac1,
    metrics.gwet_ac2,
)
CORRECTED = pytest.mark.parametrize("metric", CHANCE, ids=repr)
ALL_SAME = [["1", "1"]] * 5
PERFECT = [["1", "1"]] * 10 + [["2", "2"]] * 8 + [["3", "3"]] * 7


def statistic(metric: Metric, rows: list, scale=None):
    return metric.statistic_of(rows, None, categories=scale)


def replicates(metric: Metric, rows: list) -> Array:
    """Smoothed Bayesian replicates of the metric, the default way to an interval."""
    base = statistic(metric, rows)
    drawn = drawn_on_cells(base, lambda s: {metric.over: s}, "bayesian", Bootstrap(replicates=1_000), "test")
    return replicate_values(drawn, [metric])[0]


@CORRECTED
def test_one_category_used_is_undefined_and_says_why(metric: Metric) -> None:
    assert np.isnan(metric(ALL_SAME))
    assert "single" in metric.undefined or "no two raters" in metric.undefined
    if metric.parts is not None:
        made = metric.made_of(ALL_SAME)
        assert (made["observed"], made["expected"]) == (1.0, 1.0)
    assert all(
        closed_form(method, metric, statistic(metric, ALL_SAME), 0.95) is None
        for method in set(metric.intervals) - RESAMPLED - {"fleiss_cohen_everitt"}
    )


def test_percent_agreement_of_one_category_is_one() -> None:
    assert metrics.percent_agreement(ALL_SAME) == 1.0


@pytest.mark.parametrize(
    "metric", [metrics.randolph_kappa, metrics.bennett_s, metrics.pabak, metrics.gwet_ac1], ids=repr
)
def test_a_declared_second_category_defines_those_that_count_it(metric: Metric) -> None:
    assert metric(ALL_SAME, categories=["1", "2"]) == 1.0


@pytest.mark.parametrize("metric", CHANCE[:6], ids=repr)
def test_a_declared_second_category_changes_nothing_else(metric: Metric) -> None:
    assert np.isnan(metric(ALL_SAME, categories=["1", "2"]))
    rows = [["1", "1"], ["1", "2"], ["2", "2"], ["2", "2"]]
    assert metric(rows, categories=["1", "2", "3", "4"]) == pytest.approx(metric(rows), rel=1e-12)


@CORRECTED
def test_perfect_agreement_is_one_and_in_doubt(metric: Metric) -> None:
    assert metric(PERFECT) == 1.0
    bounds = percentile("bayesian", replicates(metric, PERFECT), 0.95)
    assert bounds.low < 0.99
    assert bounds.note() == ""
    assert closed_form("gwet", metric, statistic(metric, PERFECT), 0.95) is None if metric.over is Patterns else True


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        (metrics.cohen_kappa, -1.0),
        (metrics.scott_pi, -1.0),
        (metrics.pabak, -1.0),
        (metrics.gwet_ac1, -1.0),
        (metrics.krippendorff_alpha, -0.75),
        (metrics.percent_agreement, 0.0),
        (metrics.light_kappa, -1.0),
        (metrics.icc.using(form="C,1"), -1.0),
    ],
    ids=repr,
)
def test_total_disagreement(metric: Metric, value: float) -> None:
    assert metric([[1, 2], [2, 1], [1, 2], [2, 1]]) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("form", ["1,k", "A,k", "C,k"])
def test_intraclass_correlation_without_spread_between_items_is_undefined(form: str) -> None:
    """pingouin answers 4, −inf and the like."""
    assert np.isnan(metrics.icc([[1, 2], [2, 1], [1, 2], [2, 1]], form=form))


@EVERY
@pytest.mark.parametrize(
    "rows",
    [
        [["1", "2"]],
        [["1", "1"]],
        [["1", None]],
        [["1", None], [None, "2"]],
        [[None, None]],
        [["1", None], ["2", None]],
    ],
    ids=str,
)
def test_one_item_or_no_pair_gives_nan_or_a_value_and_no_error(metric: Metric, rows: list) -> None:
    counted = statistic(metric, rows, ["1", "2"])
    value = float(metric.values(counted))
    if not any(None not in row for row in rows):
        assert np.isnan(value)
    for method in set(metric.intervals) - RESAMPLED:
        bounds = closed_form(method, metric, counted, 0.95)
        assert bounds is None or not bounds.low > bounds.high


def test_one_item_has_no_interval_by_formula() -> None:
    for metric in (metrics.fleiss_kappa, metrics.gwet_ac1, metrics.percent_agreement):
        assert closed_form("gwet", metric, statistic(metric, [["1", "2"]], ["1", "2"]), 0.95) is None


def test_raters_without_a_common_item() -> None:
    made = metrics.cohen_kappa.made_of(["a", None], [None, "b"])
    assert np.isnan(made["observed"])
    assert (made["items"], made["paired_items"], made["ratings"]) == (2, 0, 2)


def test_light_counts_only_pairs_that_have_a_kappa() -> None:
    rows = [["a", "a", None], ["b", "b", None], ["a", "b", None], [None, None, "a"]]
    assert metrics.light_kappa(rows) == pytest.approx(metrics.cohen_kappa([r[:2] for r in rows]), rel=1e-12)


def test_cohen_leaves_out_pairs_with_a_missing_rating() -> None:
    first, second = ["a", "b", None, "a", "b", "a"], ["a", "b", "a", None, "a", "a"]
    assert metrics.cohen_kappa(first, second) == metrics.cohen_kappa(["a", "b", "b", "a"], ["a", "b", "a", "a"])
    made = metrics.cohen_kappa.made_of(first, second)
    assert (made["items"], made["paired_items"], made["ratings"]) == (6, 4, 10)
    assert (made["fewest_ratings"], made["most_ratings"]) == (1, 2)


def test_numbers_with_gaps_work_as_well() -> None:
    assert metrics.cohen_kappa(np.array([1, 2, np.nan, 1]), np.array([1, 2, 1, 2.0])) == pytest.approx(0.4)


def test_classification_still_refuses_missing_labels() -> None:
    for metric in (metrics.accuracy, metrics.matthews_correlation):
        with pytest.raises(BadValue, match="missing"):
            metric(["a", None, "b"], ["a", "b", "b"])


def test_a_declared_order_of_names_counts_in_weighted_kappa() -> None:
    first, second = ["low", "mid", "high", "low"], ["low", "high", "high", "mid"]
    scale = ["low", "mid", "high"]
    places = {name: place for place, name in enumerate(scale)}
    numbers = [[places[x] for x in column] for column in (first, second)]
    by_name = metrics.cohen_kappa(first, second, weighting="quadratic", categories=scale)
    assert by_name == metrics.cohen_kappa(*numbers, weighting="quadratic")


def test_an_unused_middle_category_does_not_shrink_the_scale() -> None:
    """Scores 1, 2, 4 are not evenly spaced: scikit-learn takes their places among those seen."""
    first, second = [1, 2, 4, 4, 2, 1], [1, 4, 4, 2, 2, 1]
    assert metrics.cohen_kappa(first, second, weighting="quadratic") == metrics.cohen_kappa(
        first, second, weighting="quadratic", categories=[1, 2, 3, 4]
    )


def test_two_raters_are_two() -> None:
    with pytest.raises(SettingError, match="compares two raters, but there are 3"):
        metrics.cohen_kappa([["a", "b", "a"], ["a", "a", "a"]])


def test_what_is_not_made_of_ratings_says_so() -> None:
    with pytest.raises(SettingError, match="not made of ratings"):
        metrics.accuracy.made_of(["a"], ["a"])


@pytest.mark.parametrize("distance", [lambda a, b: a - b, lambda a, b: 1.0, lambda a, b: -abs(a - b)])
def test_an_improper_distance_is_refused(distance) -> None:
    with pytest.raises(SettingError, match="symmetric, finite and not negative, with 0 on the diagonal"):
        metrics.krippendorff_alpha([[1, 2], [2, 2]], measurement=distance)


@pytest.mark.parametrize(
    "matrix", [[["a"]], [[0, "b"], ["b", 0]], [[0, 10**400], [10**400, 0]], [[0], [1, 2]], object()]
)
def test_a_matrix_that_holds_no_numbers(matrix: object) -> None:
    with pytest.raises(SettingError, match="A matrix of disagreements must hold numbers, not "):
        metrics.krippendorff_alpha([["x", "x"], ["y", "y"], ["x", "y"]], measurement=matrix)
    with pytest.raises(SettingError, match="A matrix of disagreements must hold numbers, not "):
        metrics.cohen_kappa(["x", "y", "x"], ["x", "y", "y"], weighting=matrix)


def test_a_matrix_without_an_end() -> None:
    with pytest.raises(SettingError, match="finite and not negative"):
        metrics.krippendorff_alpha(
            [["x", "x"], ["y", "y"], ["x", "y"]], measurement=[[0, float("inf")], [float("inf"), 0]]
        )


def test_a_distance_of_any_size_gives_the_same_alpha() -> None:
    rows = [[1, 2], [2, 2], [3, 5], [5, 5], [1, 1]]
    squared = metrics.krippendorff_alpha(rows, measurement=lambda a, b: 100 * (a - b) ** 2)
    assert squared == pytest.approx(metrics.krippendorff_alpha(rows, measurement="interval"), rel=1e-12)


def test_ratio_level_needs_values_on_one_side_of_zero() -> None:
    with pytest.raises(SettingError, match="ratio level"):
        metrics.krippendorff_alpha([[-1, 2], [2, 2]], measurement="ratio")


def test_every_metric_of_raters_was_tried() -> None:
    names = {metric.name for metric in every()}
    assert names >= TWO_ONLY
    assert {m.over for m in every()} >= {Patterns, RatingVectors}


def test_mean_squares_of_no_raters_are_undefined_without_a_warning() -> None:
    nobody = RatingVectors.of_arrays([[1, 2], [2, 2]]).of_raters([])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _, items, _, within, residual = mean_squares(nobody)
    assert np.isnan([items, within, residual]).all()
