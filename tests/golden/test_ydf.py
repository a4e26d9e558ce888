"""Side by side with Yggdrasil Decision Forests: equal where we agree, an identity where we differ on purpose."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from adjudge import metrics
from adjudge.inference.intervals import area
from adjudge.inference.intervals.closed_form import clopper_pearson, closed_form
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curve, Curves
from adjudge.statistics.losses import Losses

SETS = {s["name"]: s for s in json.loads(Path(__file__).with_name("models.json").read_text())["sets"]}
CASES = [(name, category) for name, found in SETS.items() for category in found["classes"]]
X_AT_Y = [
    metrics.precision_at_recall,
    metrics.recall_at_precision,
    metrics.precision_at_volume,
    metrics.recall_at_false_positive_rate,
    metrics.false_positive_rate_at_recall,
]
SIX_DIGITS = 5.1e-6  # YDF's report prints six significant digits
FLOAT32 = 1e-7  # YDF's own arithmetic on probabilities is in single precision


def scores_of(found: dict) -> np.ndarray:
    """One column of scores for each class, in single precision as YDF computes them."""
    given = np.array(found["predictions"], dtype=np.float32)
    if given.ndim == 1:
        return np.stack([np.float32(1) - given, given], axis=1).astype(np.float64)
    return (given / given.sum(1, keepdims=True, dtype=np.float32)).astype(np.float64)


def weights_of(found: dict) -> np.ndarray | None:
    return np.array(found["weights"], dtype=np.float32).astype(np.float64) if "weights" in found else None


def curves_of(found: dict, category: str) -> Curves:
    score = scores_of(found)[:, int(category)]
    return Curves.of_arrays(found["labels"], score, weights=weights_of(found), positive=category)


def table_of(found: dict) -> Confusion:
    scores = scores_of(found)
    decided = (scores[:, 1] >= 0.5).astype(int) if scores.shape[1] == 2 else scores.argmax(1)
    return Confusion.of_arrays(found["labels"], decided, weights=weights_of(found))


@pytest.fixture(params=SETS.values(), ids=SETS.keys())
def found(request):
    return request.param


@pytest.mark.parametrize(("name", "category"), CASES)
class TestEachClass:
    def test_roc_auc_is_the_same(self, name: str, category: str) -> None:
        value = metrics.roc_auc.values(curves_of(SETS[name], category))
        assert value == pytest.approx(SETS[name]["classes"][category]["auc"], rel=0, abs=1e-12)

    def test_pr_auc_differs_by_where_the_curve_starts(self, name: str, category: str) -> None:
        """YDF starts from precision 1 at recall 0, we start level from the first threshold's precision."""
        curves = curves_of(SETS[name], category)
        (curve,) = curves.curves
        start = curve.recall[0] * (1 - curve.precision[0]) / 2
        expected = SETS[name]["classes"][category]["pr_auc"]
        assert metrics.pr_auc.values(curves) + start == pytest.approx(expected, rel=0, abs=1e-12)

    def test_average_precision_is_theirs_unshifted(self, name: str, category: str) -> None:
        """YDF's AP takes each step's precision from the higher threshold, so that their PR-AUC is the mean
        of their AP and of everybody's."""
        expected = SETS[name]["classes"][category]
        value = metrics.average_precision.values(curves_of(SETS[name], category))
        assert value == pytest.approx(2 * expected["pr_auc"] - expected["ap"], rel=0, abs=1e-12)

    def test_operating_points_are_the_same(self, name: str, category: str) -> None:
        curves = curves_of(SETS[name], category)
        rows = [(metric, *row) for metric in X_AT_Y for row in SETS[name]["classes"][category][metric.name]]
        ours = [float(metric.using(at=at).values(curves)[0]) for metric, at, _, _ in rows]
        assert ours == pytest.approx([value for _, _, value, _ in rows], rel=0, abs=1e-12)
        assert len(rows) == 17

    def test_thresholds_select_the_same_rows(self, name: str, category: str) -> None:
        """Theirs says "above t", ours "at least t", and each names another end of the same gap."""
        found, (curve,) = SETS[name], curves_of(SETS[name], category).curves
        score = scores_of(found)[:, int(category)].astype(np.float32)
        for metric in X_AT_Y:
            for at, value, theirs in found["classes"][category][metric.name]:
                ours = float(metric.threshold(curve, at=at))
                if ours == np.inf:
                    # Nothing is taken; their label of that point may lie below the top score.
                    assert value == 0
                else:
                    assert np.array_equal(score >= ours, score > np.float32(theirs)), (metric, at)

    @pytest.mark.parametrize("method", ["hanley", "logit"])
    def test_closed_forms_are_the_same_without_weights(self, name: str, category: str, method: str) -> None:
        """With weights YDF takes their sum for a number of rows; we take the effective number."""
        found = SETS[name]
        curves = curves_of(found, category)
        (curve,) = curves.curves
        expected = found["classes"][category]
        if "weights" in found:
            # YDF: squares equal to the weights make the effective number of rows the sum of the weights,
            # for the logit interval rounded down.
            rows = float(curve.positive_total), float(curve.negative_total)
            rows = tuple(np.floor(rows)) if method == "logit" else rows
            totals = float(curve.positive_total), float(curve.negative_total)
            squares = np.array([[total**2 / n] for total, n in zip(totals, rows, strict=True)])
            curve = Curve.of_points(curve.thresholds, curve.counts, squares, curve.rows)
        value = expected["auc"] if method == "hanley" else expected["pr_auc"]
        printed = expected["text"]["auc_ci_hanley" if method == "hanley" else "pr_auc_ci_logit"]
        assert getattr(area, method)(curve, np.asarray(value), 0.95) == pytest.approx(printed, rel=0, abs=SIX_DIGITS)


def test_confusion_and_accuracy_are_the_same(found) -> None:
    table = table_of(found)
    assert table.counts == pytest.approx(np.array(found["confusion"]), rel=0, abs=1e-9)
    assert metrics.accuracy.values(table) == pytest.approx(found["text"]["accuracy"], rel=0, abs=SIX_DIGITS)
    assert metrics.accuracy.baseline(table) == pytest.approx(found["text"]["default_accuracy"], abs=SIX_DIGITS)


def test_their_accuracy_interval_is_our_clopper_pearson_at_90_percent(found) -> None:
    """Printed there as 95 % Wilson; weighted sets with the plain number of rows."""
    table = table_of(found)
    share = metrics.accuracy.share(table)
    share = replace(share, squares=np.asarray(float(table.total) ** 2 / found["rows"]))
    assert clopper_pearson(share, 0.90) == pytest.approx(tuple(found["text"]["accuracy_ci"]), rel=0, abs=SIX_DIGITS)
    if "weights" not in found:
        bounds = closed_form("clopper_pearson", metrics.accuracy, table, 0.90)
        assert (bounds.low, bounds.high) == pytest.approx(tuple(found["text"]["accuracy_ci"]), rel=0, abs=SIX_DIGITS)


def test_log_loss_and_its_baseline_are_the_same(found) -> None:
    scores = scores_of(found)
    lone = scores.shape[1] == 2
    named = {"positive": 1} if lone else {"categories": range(scores.shape[1])}
    losses = Losses.of_arrays(found["labels"], scores[:, 1] if lone else scores, weights=weights_of(found), **named)
    assert metrics.log_loss.values(losses) == pytest.approx(found["log_loss"], rel=0, abs=FLOAT32)
    assert metrics.log_loss.baseline(losses) == pytest.approx(found["text"]["default_logloss"], rel=0, abs=SIX_DIGITS)


def test_a_precision_that_no_threshold_reaches_is_reached_by_taking_nothing() -> None:
    found = SETS["bin_constant"]
    assert [row[:2] for row in found["classes"]["1"]["recall_at_precision"] if row[0] >= 0.8] == [
        [0.8, 0.0],
        [0.95, 0.0],
    ]
    (curve,) = curves_of(found, "1").curves
    assert metrics.recall_at_precision.formula(curve, at=0.8) == 0
    assert metrics.recall_at_precision.threshold(curve, at=0.8) == np.inf


def test_an_impossible_thing_that_happened_costs_infinitely_much() -> None:
    """YDF replaces an exact 0 by 2.2e-16 and counts 36.04; 1e-300 is an ordinary probability in both."""
    assert metrics.log_loss([1, 0], [0.0, 0.5]) == np.inf
    assert metrics.log_loss([1], [1e-300], positive=1) == pytest.approx(300 * np.log(10))


def test_the_curve_has_the_same_points() -> None:
    """Their points, by rising threshold, are our running sums, by falling threshold, and the empty point."""
    found = SETS["bin_tiny"]
    for category, expected in found["classes"].items():
        (curve,) = curves_of(found, category).curves
        ours = {(0.0, 0.0), *zip(curve.true_positives.tolist(), curve.false_positives.tolist(), strict=True)}
        assert ours == {(tp, fp) for _, tp, fp, _, _ in expected["curve"]}
