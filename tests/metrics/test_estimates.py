"""One door: a metric of arrays, the same metric with its interval, and what it is made of, read arrays alike."""

from __future__ import annotations

import numpy as np
import pytest

import adjudge
from adjudge import metrics
from adjudge.errors import SettingError
from adjudge.metrics.base import Metric

QUICK = {"replicates": 200}
RANDOM = np.random.default_rng(3)
LABELS = RANDOM.choice(list("ab"), 80)
GUESSES = np.where(RANDOM.random(80) < 0.8, LABELS, RANDOM.choice(list("ab"), 80))
SCORES = np.clip((LABELS == "b") * 0.3 + RANDOM.random(80) * 0.7, 0.01, 0.99)
RATINGS = RANDOM.integers(1, 4, (40, 2))
SETS = [[{"a"}, {"a"}], [{"a", "b"}, {"b"}], [{"b"}, {"b"}], [set(), {"a"}]] * 6
TAGS = [["B-PER", "O", "B-LOC"]] * 20, [["B-PER", "O", "B-LOC"]] * 15 + [["B-PER", "O", "O"]] * 5
GIVEN = {
    "Confusion": (LABELS, GUESSES),
    "Curves": (LABELS, SCORES),
    "Losses": (LABELS, SCORES),
    "Patterns": (RATINGS[:, 0], RATINGS[:, 1]),
    "RatingVectors": (RATINGS[:, 0], RATINGS[:, 1]),
    "ScoreSums": (RATINGS, RATINGS[:, 0] * 0.8),
    "SetRatings": (SETS, None),
    "SpanCounts": TAGS,
}


def positive_of(metric: Metric) -> object:
    """The label to ask about, where the metric needs one."""
    of = {"Confusion": "b", "Curves": "b", "Patterns": 2, "SetRatings": "a"}
    return of.get(metric.over.__name__) if metric.per == "category" else None


@pytest.mark.parametrize("metric", [m for m in metrics.every() if m.over.__name__ in GIVEN], ids=repr)
def test_the_estimate_is_the_metric(metric: Metric) -> None:
    arrays, positive = GIVEN[metric.over.__name__], positive_of(metric)
    found = adjudge.estimate(metric, *arrays, positive=positive, **QUICK)
    value = metric(*arrays, positive=positive)
    assert found.value == pytest.approx(value, rel=1e-12, nan_ok=True)
    assert found.interval.low <= found.value <= found.interval.high or np.isnan(found.interval.low)
    assert adjudge.estimate(metric.name, *arrays, positive=positive, **QUICK) == found


def test_an_estimate_of_sets_of_labels() -> None:
    found = adjudge.estimate(metrics.set_alpha, SETS, **QUICK)
    assert (found.value, found.method, found.n) == (metrics.set_alpha(SETS), "bayesian", 24)
    assert adjudge.estimate(metrics.label_alpha, SETS, positive="a", **QUICK).value == metrics.label_alpha(
        SETS, positive="a"
    )


def test_an_estimate_leaves_missing_ratings_out_as_the_metric_does() -> None:
    first, second = ["a", "a", "b", "b", None] * 6, ["a", "b", "b", None, "a"] * 6
    found = adjudge.estimate(metrics.cohen_kappa, first, second, **QUICK)
    assert found.value == metrics.cohen_kappa(first, second)
    assert found.n == 18
    assert metrics.cohen_kappa.made_of(first, second)["paired_items"] == 18


def test_an_estimate_of_spans_is_over_all_labels_and_reads_tags_as_told() -> None:
    found = adjudge.estimate(metrics.span_f_score, *TAGS, **QUICK)
    assert (found.metric, found.value) == ("span_f_score(average=micro)", metrics.span_f_score(*TAGS))
    assert adjudge.estimate(metrics.span_f_score, *TAGS, positive="LOC", **QUICK).value == metrics.span_f_score(
        *TAGS, positive="LOC"
    )
    assert adjudge.estimate(metrics.span_f_score, *TAGS, method="bayesian", **QUICK).method == "bayesian"
    singles = [["S-PER", "O"]] * 5
    assert adjudge.estimate(metrics.span_f_score, singles, singles, scheme="bioes", **QUICK).value == 1.0
    with pytest.raises(SettingError, match="scheme"):
        adjudge.estimate(metrics.accuracy, ["a"], ["a"], scheme="bioes")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: adjudge.estimate(metrics.recall, LABELS, GUESSES), "Give `positive=` one of"),
        (lambda: adjudge.estimate(metrics.roc_auc, LABELS, SCORES, method="wislon"), "`method` must be one of"),
        (
            lambda: adjudge.estimate(metrics.recall, LABELS, GUESSES, positive="b", method="mover"),
            'no interval by "mov',
        ),
        (lambda: adjudge.estimate(metrics.accuracy, LABELS, GUESSES, engine="memory"), "must be a role or a setting"),
    ],
)
def test_what_there_is_no_estimate_of(call: object, said: str) -> None:
    with pytest.raises(SettingError, match=said):
        call()  # type: ignore[operator]


def test_only_the_method_that_is_named_is_carried_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("replicates were drawn")

    monkeypatch.setattr("adjudge.evaluation.measuring.drawn_limits.replicate_values", refuse)
    assert adjudge.estimate(metrics.accuracy, LABELS, GUESSES).method == "wilson"
    assert adjudge.estimate(metrics.roc_auc, LABELS, SCORES, method="delong").method == "delong"
    with pytest.raises(AssertionError):
        adjudge.estimate(metrics.accuracy, LABELS, GUESSES, method="bootstrap")


@pytest.mark.parametrize("metric", [metrics.log_loss, metrics.brier_score, metrics.calibration_error], ids=repr)
def test_scores_that_are_no_probabilities_are_told(metric: Metric) -> None:
    found = adjudge.estimate(metric, LABELS, SCORES * 3, **QUICK)
    assert np.isnan(found.value)
    assert "not probabilities" in found.note


@pytest.mark.parametrize("bootstrap", ["percentile", "bca", "poisson", "bayesian"])
@pytest.mark.parametrize("weights", [None, RANDOM.integers(1, 4, 80)], ids=["plain", "weighted"])
def test_scores_of_several_categories_are_drawn_row_by_row(bootstrap: str, weights: np.ndarray | None) -> None:
    both = np.column_stack([1 - SCORES, SCORES])
    named = {"bootstrap": bootstrap, "method": "bootstrap" if bootstrap == "percentile" else bootstrap}
    for metric in (metrics.roc_auc.averaged("macro"), metrics.log_loss):
        found = adjudge.estimate(metric, LABELS, both, weights=weights, **QUICK, **named)
        assert found.interval.low < found.value < found.interval.high


def test_a_parameter_belongs_into_the_name_of_the_metric() -> None:
    with pytest.raises(SettingError, match=r'give "cohen_kappa\(weighting=linear\)" in place of "cohen_kappa"'):
        adjudge.estimate("cohen_kappa", ["a", "b"] * 9, ["a", "b"] * 9, weighting="linear")


def test_a_seed_of_too_many_digits_is_told_so() -> None:
    with pytest.raises(SettingError, match=r"a whole number below 2\^63, not 10000000000000000000\."):
        adjudge.estimate("accuracy", ["a", "b"] * 9, ["a", "b"] * 9, seed=10**19)
