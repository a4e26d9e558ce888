"""Laws of the agreement metrics: what must not matter does not, and identities between coefficients hold."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from tests.laws.drawn import Draw, drawn

from adjudge import metrics
from adjudge.data.judgements.ratings import Ratings, ratings_of
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.inference.resampling import RESAMPLED
from adjudge.metrics import catalogue
from adjudge.metrics.base import Metric
from adjudge.metrics.weightings import MEASUREMENTS, WEIGHTINGS
from adjudge.statistics.ratings.patterns import Patterns
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.weights import Weights

EXAMPLES = 8
CLOSE = {"rel": 1e-9, "abs": 1e-9, "nan_ok": True}
SCALE = ("1", "2", "3")
GAPS = (0.0, 0.25)
TWO_ONLY = {
    "pearson",
    "spearman",
    "kendall_tau",
    "concordance_correlation",
    "mean_difference",
    "lower_limit_of_agreement",
    "upper_limit_of_agreement",
    "cohen_kappa",
    "kappa_max",
}
ORDERED = {"mean_difference", "lower_limit_of_agreement", "upper_limit_of_agreement"}


def every() -> list[Metric]:
    """Every metric of raters, with other weightings, levels and forms."""
    found = []
    for metric in catalogue.every():
        if metric.over not in (Patterns, RatingVectors) and not metric.reading.get("drops_missing"):
            continue
        takes = metric.formula.__kwdefaults__ or {}
        found.append(metric if metric.per is None else metric.averaged("macro"))
        found += [metric.using(weighting=w) for w in WEIGHTINGS if "weighting" in takes]
        found += [metric.using(measurement=level) for level in MEASUREMENTS if metric.name == "krippendorff_alpha"]
        found += [metric.using(form=form) for form in ("1,1", "C,k") if "form" in takes]
    return found


EVERY = pytest.mark.parametrize("metric", every(), ids=repr)
NOMINAL = pytest.mark.parametrize(
    "metric",
    [
        m
        for m in every()
        if m.over in (Patterns, RatingVectors)
        and {**(m.formula.__kwdefaults__ or {}), **m.settings}.get("weighting", "none") == "none"
        and m.settings.get("measurement", "nominal") == "nominal"
        and m.name not in TWO_ONLY | {"icc", "kendall_w", "interval_alpha"}
    ],
    ids=repr,
)


@dataclass(frozen=True)
class Case:
    """A matrix of ratings with weights."""

    codes: np.ndarray
    weights: np.ndarray | None = None

    def value(self, metric: Metric, scale: tuple[str, ...] = SCALE) -> float:
        return float(metric.values(self.statistic(metric, scale)))

    def statistic(self, metric: Metric, scale: tuple[str, ...] = SCALE) -> Any:
        labels = np.array([*scale, None], dtype=object)[self.codes]
        return metric.statistic_of(labels, weights=self.weights, categories=scale)

    def of(self, rows: np.ndarray) -> Case:
        return Case(self.codes[rows], None if self.weights is None else self.weights[rows])


def cases(draw: Draw, metric: Metric, weighted: bool = False, fewest: int = 2, gaps: tuple[float, ...] = GAPS) -> Case:
    random = draw.random
    raters = 2 if metric.name in TWO_ONLY else draw.whole(2, 4)
    items = draw.whole(fewest, 25)
    truth = random.integers(0, 3, items)
    codes = np.where(random.random((items, raters)) < 0.6, truth[:, None], random.integers(0, 3, (items, raters)))
    codes[random.random((items, raters)) < draw.one(gaps)] = -1
    return Case(codes, random.choice([0.5, 1.0, 2.0], items) if weighted else None)


@pytest.mark.parametrize("metric", [m for m in every() if m.name not in ORDERED], ids=repr)
@drawn(EXAMPLES)
def test_rater_order_does_not_matter(metric: Metric, draw: Draw) -> None:
    case = cases(draw, metric, weighted=True)
    order = draw.random.permutation(case.codes.shape[1])
    assert replace(case, codes=case.codes[:, order]).value(metric) == pytest.approx(case.value(metric), **CLOSE)


@NOMINAL
@drawn(EXAMPLES)
def test_renaming_the_labels_changes_nothing(metric: Metric, draw: Draw) -> None:
    case = cases(draw, metric, fewest=6)
    place = np.append(draw.random.permutation(3), -1)
    renamed = replace(case, codes=place[case.codes])
    assert renamed.value(metric, ("x", "a", "10")) == pytest.approx(case.value(metric), **CLOSE)


@EVERY
@drawn(EXAMPLES)
def test_an_unrated_item_changes_nothing(metric: Metric, draw: Draw) -> None:
    """Neither the value nor an interval by formula."""
    case = cases(draw, metric)
    more = Case(np.concatenate([case.codes, np.full((3, case.codes.shape[1]), -1)]))
    assert more.value(metric) == pytest.approx(case.value(metric), **CLOSE)
    for method in set(metric.intervals) - RESAMPLED - {"fisher"}:
        a, b = (closed_form(method, metric, c.statistic(metric), 0.95) for c in (case, more))
        assert (a is None) == (b is None)
        if a is not None:
            assert (b.low, b.high) == (pytest.approx(a.low, **CLOSE), pytest.approx(a.high, **CLOSE))


@EVERY
@drawn(EXAMPLES)
def test_rescaling_the_weights_leaves_the_width_of_formulas(metric: Metric, draw: Draw) -> None:
    """Weights count through effective items, whatever their unit."""
    if metric.name in ("krippendorff_alpha", "interval_alpha", "icc"):
        return  # small-sample factors count items, so the unit of weights is the item
    case = cases(draw, metric, weighted=True, fewest=6)
    scaled = replace(case, weights=case.weights * draw.one((1 / 50, 100.0)))
    for method in set(metric.intervals) - RESAMPLED:
        if metric.name.endswith("of_agreement"):
            continue  # the same: divisor n − 1
        a, b = (closed_form(method, metric, c.statistic(metric), 0.95) for c in (case, scaled))
        assert (a is None) == (b is None)
        if a is not None:
            assert (b.low, b.high) == (
                pytest.approx(a.low, rel=1e-6, abs=1e-8, nan_ok=True),
                pytest.approx(a.high, rel=1e-6, abs=1e-8, nan_ok=True),
            )


@pytest.mark.parametrize("metric", [m for m in every() if m.over in (Patterns, RatingVectors)], ids=repr)
@pytest.mark.parametrize("declared", [True, False])
@drawn(EXAMPLES)
def test_two_parts_added_equal_the_whole(metric: Metric, declared: bool, draw: Draw) -> None:
    case = cases(draw, metric, weighted=draw.one((True, False)), fewest=3)
    cut = draw.whole(1, len(case.codes) - 1)
    labels = np.array([*SCALE, None], dtype=object)[case.codes]

    def collected(rows: slice) -> Any:
        weights = None if case.weights is None else case.weights[rows]
        ratings = ratings_of(labels[rows], None, SCALE if declared else None)
        return metric.over.collect(ratings, Weights(len(ratings), weights))

    def valued(statistic: Any) -> float:
        return float(metric.values(statistic))

    whole, parts = collected(slice(None)), collected(slice(0, cut)) + collected(slice(cut, None))
    assert parts.categories == whole.categories
    assert parts.rows == whole.rows
    assert valued(parts) == pytest.approx(valued(whole), **CLOSE)


@drawn(EXAMPLES)
def test_a_declared_scale_keeps_its_order_in_every_part(draw: Draw) -> None:
    """Labels that do not sort in the order of the scale."""
    scale = ("low", "mid", "high")
    case = cases(draw, metrics.fleiss_kappa, fewest=3)
    labels = np.array([*scale, None], dtype=object)[case.codes]
    metric = metrics.fleiss_kappa.using(weighting="quadratic")
    parts = [ratings_of(labels[rows], None, scale) for rows in (slice(0, 2), slice(2, None))]
    joined = Patterns.collect(parts[0], Weights(2)) + Patterns.collect(parts[1], Weights(len(labels) - 2))
    assert joined.categories == scale
    assert float(metric.values(joined)) == pytest.approx(metric(labels, categories=scale), **CLOSE)


@drawn(EXAMPLES)
def test_complete_nominal_alpha_follows_from_fleiss(draw: Draw) -> None:
    case = cases(draw, metrics.fleiss_kappa, gaps=(0.0,))
    n = case.codes.size
    fleiss, alpha = case.value(metrics.fleiss_kappa), case.value(metrics.krippendorff_alpha)
    assert alpha == pytest.approx(1 - (1 - fleiss) * (1 - 1 / n), **CLOSE)


@drawn(EXAMPLES)
def test_identities_of_two_raters(draw: Draw) -> None:
    case = cases(draw, metrics.cohen_kappa)
    quadratic = {"weighting": "quadratic"}
    both = Case(case.codes[(case.codes >= 0).all(1)])
    if len(both.codes) == 0:
        return
    ccc, kappa = both.value(metrics.concordance_correlation), both.value(metrics.cohen_kappa.using(**quadratic))
    assert ccc == pytest.approx(kappa, **CLOSE)
    assert case.value(metrics.scott_pi) == pytest.approx(case.value(metrics.fleiss_kappa), **CLOSE)
    assert both.value(metrics.cohen_kappa) == pytest.approx(both.value(metrics.conger_kappa), **CLOSE)
    assert both.value(metrics.cohen_kappa) == pytest.approx(both.value(metrics.light_kappa), **CLOSE)
    assert case.value(metrics.pabak) == pytest.approx(case.value(metrics.bennett_s), **CLOSE)
    interval = case.value(metrics.krippendorff_alpha.using(measurement="interval"))
    assert interval == pytest.approx(case.value(metrics.interval_alpha), **CLOSE)


@drawn(EXAMPLES)
def test_cohen_drops_pairs_with_a_missing_rating(draw: Draw) -> None:
    case = cases(draw, metrics.cohen_kappa)
    both = Case(case.codes[(case.codes >= 0).all(1)])
    for metric in (metrics.cohen_kappa, metrics.kappa_max):
        assert case.value(metric) == pytest.approx(both.value(metric), **CLOSE)


@EVERY
@drawn(EXAMPLES)
def test_the_parts_give_the_value(metric: Metric, draw: Draw) -> None:
    if metric.parts is None or metric.name == "percent_agreement":
        return
    case = cases(draw, metric)
    parts = metric.parts(case.statistic(metric), **metric.settings)
    observed, expected = float(parts["observed"]), float(parts["expected"])
    value = case.value(metric)
    if not np.isnan(value):
        assert value == pytest.approx((observed - expected) / (1 - expected), rel=1e-6, abs=1e-9)


@EVERY
@drawn(EXAMPLES)
def test_values_stay_in_the_declared_range_without_a_warning(metric: Metric, draw: Draw) -> None:
    case = cases(draw, metric, weighted=True, fewest=1)
    case = replace(case, weights=np.ceil(case.weights))  # a unit of less than an item is no item
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        value = case.value(metric)
        for method in set(metric.intervals) - RESAMPLED:
            closed_form(method, metric, case.statistic(metric), 0.95)
    low, high = metric.range
    assert np.isnan(value) or low - 1e-9 <= value <= high + 1e-9


def test_parts_seen_by_some_raters_lose_no_item_when_added() -> None:
    """Rows that differ in the rater left out become alike; adding must count every one of them."""
    codes = np.array([[0, 1, 0], [0, 1, 1], [0, 1, 2], [1, 1, 0]])
    part = RatingVectors.collect(Ratings(codes, SCALE, ("a", "b", "c")), Weights(4)).of_raters([0, 1])
    both = part + part
    assert both.counts.sum() == both.squares.sum() == both.rows == 8
    assert both.pair_counts[0].sum() == 8
