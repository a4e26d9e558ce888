"""The same numbers as scikit-learn's, on random rows with and without weights, wherever both define them."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as theirs

from adjudge import metrics as ours

REPEATABLE = settings(max_examples=40, deadline=None, derandomize=True)
CLOSE = {"rel": 1e-9, "abs": 1e-9}


class Rows:
    """Labels 0 … K−1, decisions and probabilities."""

    def __init__(self, seed: int, size: int, categories: int, weighted: bool, digits: int) -> None:
        random = np.random.default_rng(seed)
        # Every category occurs, so that scikit-learn sees as many as there are score columns.
        self.reference = random.permutation(
            np.concatenate([np.arange(categories), random.integers(0, categories, size)])
        )
        n = len(self.reference)
        told = random.random(n) < 0.5
        self.prediction = np.where(told, self.reference, random.integers(0, categories, n))
        raw = np.round(
            random.dirichlet(np.ones(categories), n) + 0.3 * (self.reference[:, None] == np.arange(categories)), digits
        )
        raw = raw.clip(10.0**-digits)
        self.scores = raw / raw.sum(1, keepdims=True)
        self.weights = random.gamma(2.0, 1.0, n) if weighted else None
        self.categories = np.arange(categories)


def rows(categories: st.SearchStrategy[int]) -> st.SearchStrategy[Rows]:
    return st.builds(
        Rows, st.integers(0, 2**32 - 1), st.integers(2, 40), categories, st.booleans(), st.sampled_from([1, 2, 12])
    )


any_rows, two_rows = rows(st.integers(2, 4)), rows(st.just(2))
several_rows = rows(st.integers(3, 4))


def name_of(part) -> str:
    """How one parameter of a test is called, the same in every process."""
    return part.__name__ if callable(part) and hasattr(part, "__name__") else repr(part)


def quietly(function, *arrays, **settings_):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*arrays, **settings_)


DECISIONS = [
    (ours.accuracy, theirs.accuracy_score, {}),
    (ours.balanced_accuracy, theirs.balanced_accuracy_score, {}),
    (ours.matthews_correlation, theirs.matthews_corrcoef, {}),
    (ours.cohen_kappa, theirs.cohen_kappa_score, {}),
    (ours.cohen_kappa.using(weighting="linear"), theirs.cohen_kappa_score, {"weights": "linear"}),
    (ours.cohen_kappa.using(weighting="quadratic"), theirs.cohen_kappa_score, {"weights": "quadratic"}),
]


@pytest.mark.parametrize(("metric", "function", "options"), DECISIONS, ids=name_of)
@REPEATABLE
@given(rows=any_rows)
def test_decisions(metric, function, options, rows: Rows) -> None:
    expected = quietly(function, rows.reference, rows.prediction, sample_weight=rows.weights, **options)
    value = metric(rows.reference, rows.prediction, weights=rows.weights)
    if np.isnan(value):
        # Nothing varies: scikit-learn's correlation is then 0 by convention.
        assert metric.name == "matthews_correlation"
        assert expected == 0
    else:
        assert value == pytest.approx(expected, **CLOSE)


BY_CATEGORY = [
    (ours.precision, theirs.precision_score, {}),
    (ours.recall, theirs.recall_score, {}),
    (ours.f_score, theirs.f1_score, {}),
    (ours.f_score.using(beta=2), theirs.fbeta_score, {"beta": 2}),
    (ours.f_score.using(beta=0.5), theirs.fbeta_score, {"beta": 0.5}),
]


@pytest.mark.parametrize(("metric", "function", "options"), BY_CATEGORY, ids=name_of)
@pytest.mark.parametrize("average", [None, "macro", "micro", "weighted"])
@REPEATABLE
@given(rows=any_rows)
def test_categories_and_their_averages(metric, function, options, average, rows: Rows) -> None:
    """Undefined is NaN in both, and an average leaves undefined categories out."""
    expected = quietly(
        function,
        rows.reference,
        rows.prediction,
        sample_weight=rows.weights,
        average=average,
        zero_division=np.nan,
        labels=rows.categories,
        **options,
    )
    if average is None:
        value = [metric(rows.reference, rows.prediction, weights=rows.weights, positive=k) for k in rows.categories]
    else:
        value = metric.averaged(average)(rows.reference, rows.prediction, weights=rows.weights)
    assert value == pytest.approx(expected, nan_ok=True, **CLOSE)


@REPEATABLE
@given(rows=two_rows)
def test_specificity_is_the_recall_of_the_other(rows: Rows) -> None:
    expected = quietly(theirs.recall_score, rows.reference, rows.prediction, sample_weight=rows.weights, pos_label=0)
    value = ours.specificity(rows.reference, rows.prediction, weights=rows.weights, positive=1)
    assert value == pytest.approx(expected, **CLOSE)


LONE_SCORE = [
    (ours.roc_auc, theirs.roc_auc_score),
    (ours.average_precision, theirs.average_precision_score),
    (ours.log_loss, theirs.log_loss),
    (ours.brier_score, theirs.brier_score_loss),
]


@pytest.mark.parametrize(("metric", "function"), LONE_SCORE, ids=name_of)
@REPEATABLE
@given(rows=two_rows)
def test_one_score(metric, function, rows: Rows) -> None:
    score = rows.scores[:, 1]
    expected = quietly(function, rows.reference, score, sample_weight=rows.weights)
    assert metric(rows.reference, score, weights=rows.weights) == pytest.approx(expected, **CLOSE)


@REPEATABLE
@given(rows=two_rows)
def test_pr_auc_is_the_trapezoid_from_the_first_threshold_on(rows: Rows) -> None:
    """scikit-learn's curve adds a point of precision 1 at recall 0; ours starts level."""
    score = rows.scores[:, 1]
    precision, recall, _ = theirs.precision_recall_curve(rows.reference, score, sample_weight=rows.weights)
    precision[-1] = precision[-2]
    value = ours.pr_auc(rows.reference, score, weights=rows.weights)
    assert value == pytest.approx(theirs.auc(recall, precision), **CLOSE)


SCORE_FOR_EACH = [
    (ours.roc_auc.averaged("macro"), theirs.roc_auc_score, {"multi_class": "ovr", "average": "macro"}),
    (ours.roc_auc.averaged("weighted"), theirs.roc_auc_score, {"multi_class": "ovr", "average": "weighted"}),
    (ours.average_precision.averaged("macro"), theirs.average_precision_score, {"average": "macro"}),
    (ours.average_precision.averaged("weighted"), theirs.average_precision_score, {"average": "weighted"}),
    (ours.log_loss, theirs.log_loss, {}),
    (ours.brier_score, theirs.brier_score_loss, {}),
]


@pytest.mark.parametrize(("metric", "function", "options"), SCORE_FOR_EACH, ids=name_of)
@REPEATABLE
@given(rows=several_rows)
def test_a_score_for_each_category(metric, function, options, rows: Rows) -> None:
    expected = quietly(function, rows.reference, rows.scores, sample_weight=rows.weights, **options)
    value = metric(rows.reference, rows.scores, weights=rows.weights, categories=rows.categories)
    assert value == pytest.approx(expected, **CLOSE)


@REPEATABLE
@given(rows=two_rows, bins=st.integers(1, 12))
def test_calibration_error_of_bins_drawn_by_hand(rows: Rows, bins: int) -> None:
    """Equal widths, a score on an edge belongs to the upper bin, 1 to the last."""
    score, positive = rows.scores[:, 1], rows.reference == 1
    weights = np.ones(len(score)) if rows.weights is None else rows.weights
    place = np.minimum(np.floor(score * bins), bins - 1)
    gaps = [abs((weights * (score - positive))[place == b].sum()) for b in range(bins)]
    value = ours.calibration_error(rows.reference, score, weights=rows.weights, bins=bins)
    assert value == pytest.approx(sum(gaps) / weights.sum(), **CLOSE)
