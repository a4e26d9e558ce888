"""Precision, recall and F of spans against seqeval and nervaluate, and what they promise."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

from adjudge import estimate
from adjudge.errors import AdjudgeError
from adjudge.evaluation.arrays.estimate import rows_of_statistic
from adjudge.metrics import catalogue, pairwise_span_f, span_f_score, span_precision, span_recall
from adjudge.statistics.ratings.spans import SpanCounts

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "spans.json").read_text(encoding="utf-8"))
A, B = ([sentence.split() for sentence in GOLDEN[side]] for side in "ab")
EXACT = {"rel": 0, "abs": 1e-12}
MATCHES = ("strict", "exact", "partial", "type")
METRICS = [
    metric.using(**settings)
    for metric in (span_precision, span_recall, span_f_score)
    for settings in (
        *({"match": match} for match in MATCHES),
        *({"average": a} for a in ("macro", "micro", "weighted")),
    )
] + [pairwise_span_f, pairwise_span_f.using(match="type")]


@pytest.mark.parametrize(("mode", "peer"), [("conll", "seqeval default"), ("strict", "seqeval strict IOB2")])
@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
def test_sixty_sentences_as_seqeval_counts_them(mode: str, peer: str, average: str) -> None:
    """seqeval 1.2.2."""
    found = GOLDEN[peer][average]
    for metric, name in ((span_precision, "precision"), (span_recall, "recall"), (span_f_score, "f1")):
        assert metric(A, B, mode=mode, average=average) == pytest.approx(found[name], **EXACT)


@pytest.mark.parametrize(("match", "peer"), [(m, "ent_type" if m == "type" else m) for m in MATCHES])
def test_sixty_sentences_as_nervaluate_counts_them(match: str, peer: str) -> None:
    """nervaluate 1.2.1, all labels together; it reads tags leniently."""
    found = GOLDEN["nervaluate"][peer]
    for metric, name in ((span_precision, "precision"), (span_recall, "recall"), (span_f_score, "f1")):
        assert metric(A, B, mode="conll", match=match) == pytest.approx(found[name], **EXACT)


def test_strict_is_never_kinder_when_malformed_spans_are_charged() -> None:
    lenient, dropped, charged = (span_f_score(A, B, mode=mode) for mode in ("conll", "strict", "strict-penalise"))
    assert dropped > lenient >= charged


@pytest.mark.parametrize("match", MATCHES)
def test_labels_add_up_to_all(match: str) -> None:
    """Unlike nervaluate's, where a wrong label is missed for one tag, spurious for the other and one error overall."""
    counts = SpanCounts.of_arrays(A, B)
    assert counts.sums.possible.sum() == 96
    found, right = counts.sums.correct(match)
    assert found.sum() == pytest.approx(right.sum())
    assert span_f_score(A, B, match=match) == pytest.approx(2 * found.sum() / (96 + counts.sums.actual.sum()))


@pytest.mark.parametrize("match", MATCHES)
def test_f_is_symmetric(match: str) -> None:
    assert span_f_score(A, B, match=match) == span_f_score(B, A, match=match)
    for label in ("PER", "LOC", "ORG"):
        assert span_f_score(A, B, match=match, positive=label) == span_f_score(B, A, match=match, positive=label)


def test_the_order_of_predictions_does_not_matter() -> None:
    """nervaluate gives strict 0 or 2/3 here, by the order."""
    one, parts = [[("PER", 0, 10)]], [("PER", 0, 2), ("PER", 0, 10)]
    assert span_f_score(one, [parts]) == span_f_score(one, [parts[::-1]]) == pytest.approx(2 / 3)


def test_a_wide_prediction_and_a_wide_reference_are_the_same() -> None:
    wide, narrow = [[("PER", 0, 99)]], [[("PER", 0, 2)]]
    assert span_f_score(wide, narrow, match="partial") == span_f_score(narrow, wide, match="partial") == 0.5


def test_a_split_span_is_half_right_and_one_too_many() -> None:
    whole, halves = [[("PER", 0, 10)]], [[("PER", 0, 4), ("PER", 4, 10)]]
    assert span_recall(whole, halves, match="partial") == 0.5
    assert span_precision(whole, halves, match="partial") == 0.25


def test_precision_weighs_more_with_a_small_beta() -> None:
    tags, more = [["B-A", "O", "O"]], [["B-A", "B-A", "O"]]
    assert span_precision(tags, more) == 0.5
    assert span_recall(tags, more) == 1.0
    assert span_f_score(tags, more, beta=2) == pytest.approx(5 / 6)
    assert span_f_score(tags, more, beta=0.5) == pytest.approx(1.25 * 0.5 / (0.25 * 0.5 + 1))


def test_nothing_to_find_is_undefined_not_zero() -> None:
    for nothing in ([], [[]], [["O", "O"]]):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert all(np.isnan(metric(nothing, nothing)) for metric in METRICS)
    assert np.isnan(span_precision([["B-A"]], [["O"]]))
    assert span_recall([["B-A"]], [["O"]]) == 0
    assert span_f_score([["B-A"]], [["O"]]) == 0


def test_several_annotators() -> None:
    c = [["O"] * len(tags) for tags in A]
    assert pairwise_span_f([A, A, c]) == pytest.approx(1 / 3)
    assert pairwise_span_f([A, B]) == pairwise_span_f(A, B) == span_f_score(A, B)
    missing = [None, *A[1:]]
    assert pairwise_span_f([A, missing]) == 1.0


@pytest.mark.parametrize("metric", METRICS, ids=repr)
def test_the_laws_of_metrics(metric) -> None:
    """Parts add up, a stack gives a stack, weights are repeated documents, order is nothing, best is reached."""
    whole = SpanCounts.of_arrays(A, B)
    value = metric.values(whole)
    parts = SpanCounts.of_arrays(A[:17], B[:17]) + SpanCounts.of_arrays(A[17:], B[17:])
    assert metric.values(parts) == pytest.approx(value, **EXACT)
    assert metric.values(SpanCounts.of_arrays(A[::-1], B[::-1])) == pytest.approx(value, **EXACT)
    times = np.arange(len(A)) % 3
    repeated = np.repeat(np.arange(len(A)), times)
    weighted = SpanCounts.of_arrays(A, B, weights=times)
    again = SpanCounts.of_arrays([A[i] for i in repeated], [B[i] for i in repeated])
    assert metric.values(weighted) == pytest.approx(metric.values(again), **EXACT)
    drawn = whole.resampled("multinomial", 8, 7, "laws")
    assert metric.values(drawn).shape == (8, *value.shape)
    assert metric.values(drawn.tile(3, 4))[0] == pytest.approx(metric.values(drawn)[3], **EXACT)
    assert (metric.values(drawn) >= 0).all()
    assert (metric.values(drawn) <= 1).all()
    assert metric.values(SpanCounts.of_arrays(A, A)) == pytest.approx(1.0)
    assert catalogue.parse(repr(metric)) == metric
    assert type(catalogue.parse(repr(metric))) is type(metric)
    assert metric.full_label.startswith(metric.label)


def test_the_door_of_all_metrics_is_the_same() -> None:
    same = SpanCounts.of_arrays(A, B)
    assert span_f_score.averaged("micro").values(same) == span_f_score(A, B)


def test_an_interval_from_resampled_documents() -> None:
    found = estimate(span_f_score.averaged("micro"), A, B)
    assert found.value == span_f_score(A, B)
    assert 0.7 < found.interval.low < found.value < found.interval.high < 0.9
    assert (found.method, found.n) == ("bootstrap", 60)
    rows = rows_of_statistic(span_f_score, SpanCounts.of_arrays(A, B))
    assert {row.category for row in rows} == {"LOC", "ORG", "PER"}


def test_documents_that_weigh_differently_are_drawn_with_their_weights() -> None:
    metric, weights = span_f_score.averaged("micro"), np.where(np.arange(60) % 3, 0.2, 5.0)
    plain, weighted = (estimate(metric, A, B, weights=case) for case in (None, weights))
    assert weighted.value == metric.values(SpanCounts.of_arrays(A, B, weights=weights))
    widths = [one.interval.high - one.interval.low for one in (plain, weighted)]
    assert widths[1] == pytest.approx(widths[0] * np.sqrt(60 * (weights**2).sum()) / weights.sum(), rel=0.35)
    again = estimate(metric, A, B, weights=weights * 1000).interval
    assert (again.low, again.high) == pytest.approx((weighted.interval.low, weighted.interval.high))


def test_perfect_documents_still_have_a_width() -> None:
    found = estimate(span_f_score.averaged("micro"), A[:20], A[:20])
    assert found.value == 1
    assert (found.method, found.interval.low < 1) == ("bayesian", True)


def test_settings_are_checked() -> None:
    with pytest.raises(AdjudgeError, match="`match` must be one of"):
        span_f_score(A, B, match="loose")
    with pytest.raises(AdjudgeError, match="`beta` must be a number above 0"):
        span_f_score(A, B, beta=0)
    with pytest.raises(AdjudgeError, match="`positive` must be one of"):
        span_f_score(A, B, positive="DATE")
