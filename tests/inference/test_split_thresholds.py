"""Thresholds chosen on one half and measured on the other: row by row, and beside rows that nobody chose on."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import adjudge
from adjudge.inference.intervals.split_thresholds import HALVINGS, MOST_HALVED, on_other_half
from adjudge.metrics import max_accuracy, precision_at_recall, recall_at_precision
from adjudge.statistics.cells import generator
from adjudge.statistics.curves.curve import Curve


def curve_of(positive: np.ndarray, score: np.ndarray) -> Curve:
    return precision_at_recall.statistic_of(positive.astype(int), score, positive=1).curves[0]


def drawn(random: np.random.Generator, rows: int, share: float = 0.2) -> tuple[np.ndarray, np.ndarray]:
    positive = random.random(rows) < share
    return positive, np.round(random.normal(size=rows) + 1.2 * positive, 2)


def test_row_by_row() -> None:
    """The same halves, with the rows of each looked at one by one."""
    positive, score = drawn(np.random.default_rng(4), 90)
    curve = curve_of(positive, score)
    halves = generator(7, "halves").binomial(curve.counts.astype(int), 0.5, (HALVINGS, *curve.counts.shape))
    recalls, precisions = [], []
    for half in (*halves, *(curve.counts - halves)):
        labels, scores = _rows(curve, {True: half, False: curve.counts - half})
        cut = recall_at_precision.threshold_of(labels[True], scores[True], positive=1, at=0.7)
        taken, truly = scores[False] >= cut, labels[False] == 1
        recalls.append((taken & truly).sum() / truly.sum())
        precisions.append((taken & truly).sum() / taken.sum() if taken.any() else np.nan)
    made = on_other_half(curve, partial(recall_at_precision.threshold, at=0.7), recall_at_precision.traded)
    assert made is not None
    assert made.value == pytest.approx(np.mean(recalls))
    assert made.held == pytest.approx(np.nanmean(precisions))


def _rows(curve: Curve, halves: dict[bool, np.ndarray]) -> tuple[dict[bool, np.ndarray], dict[bool, np.ndarray]]:
    """Labels and scores of the rows of each half."""
    labels, scores = {}, {}
    for chosen, table in halves.items():
        times = table.astype(int)
        labels[chosen] = np.repeat([1, 0], times.sum(1))
        scores[chosen] = np.concatenate([np.repeat(curve.thresholds, one) for one in times])
    return labels, scores


def test_it_tells_what_other_rows_get() -> None:
    """Recall at a precision of .8 of 100 rows: what it is held at elsewhere is less, as the figure says."""
    random = np.random.default_rng(5)
    many, high = drawn(random, 200_000)
    here, told, elsewhere = [], [], []
    for _ in range(150):
        positive, score = drawn(random, 100)
        curve = curve_of(positive, score)
        cut = recall_at_precision.threshold_of(positive.astype(int), score, positive=1, at=0.8)
        made = on_other_half(curve, partial(recall_at_precision.threshold, at=0.8), recall_at_precision.traded)
        if made is None or not np.isfinite([cut, made.held]).all():
            continue
        here.append(0.8)
        told.append(made.held)
        elsewhere.append(many[high >= cut].mean())
    assert np.mean(elsewhere) < 0.78
    # Halves have fewer rows to choose on, and so err on the side of too little.
    assert np.mean(elsewhere) - 0.12 < np.mean(told) < np.mean(elsewhere) + 0.03


@pytest.mark.parametrize("why", ["weights", "many", "clusters", "slices"])
def test_where_halves_tell_nothing_there_is_only_the_word(why: str) -> None:
    rows = MOST_HALVED + 1 if why == "many" else 80
    positive, score = drawn(np.random.default_rng(6), rows)
    table: dict[str, object] = {"y": positive.astype(int), "s": score}
    more: dict[str, str] = {}
    if why == "weights":
        table, more = table | {"w": np.where(positive, 2.0, 1.0)}, {"weight": "w"}
    if why == "clusters":
        table, more = table | {"c": np.arange(rows) % 30}, {"cluster": "c"}
    if why == "slices":
        table, more = table | {"g": np.arange(rows) % 2}, {"slices": "g"}
    made = adjudge.classification(
        table, reference="y", score="s", positive=1, metrics=["max_accuracy"], replicates=100, **more
    )
    notes = {row.slice: row.note for row in made.table if row.metric == "max_accuracy"}
    assert all("which flatters" in note for note in notes.values())
    assert {part for part, note in notes.items() if "chosen on one half" in note} == (
        {"all"} if why == "slices" else set()
    )


def test_the_same_figure_from_a_stream_of_blocks() -> None:
    positive, score = drawn(np.random.default_rng(7), 300)
    whole = curve_of(positive, score)
    parts = curve_of(positive[:100], score[:100]) + curve_of(positive[100:], score[100:])
    made = [on_other_half(one, max_accuracy.threshold, max_accuracy.traded) for one in (whole, parts)]
    assert made[0] == made[1] or (made[0].value == made[1].value and np.isnan(made[0].held))  # type: ignore[union-attr]
