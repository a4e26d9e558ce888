"""Two systems that hardly differ: what one more row, on which one of them errs, would move."""

from __future__ import annotations

import numpy as np
import pytest

import adjudge
from adjudge.inference.differences.one_more_row import moved_by_a_row
from adjudge.metrics import average_precision, log_loss, mean_reciprocal_rank, roc_auc
from adjudge.metrics.ranking import query_values
from adjudge.statistics.curves.curve import Curves
from adjudge.statistics.losses import Losses
from adjudge.statistics.queries.means import QueryMeans

YES = np.arange(60) % 3 == 0
SCORE = np.where(YES, 0.65, 0.3) + 0.25 * np.sin(np.arange(60) * 1.7)


def _rows(second: np.ndarray) -> dict[str, adjudge.Row]:
    found = adjudge.classification(
        {"y": np.where(YES, "yes", "no"), "p": SCORE, "s": second},
        reference="y",
        score=["p", "s"],
        positive="yes",
        metrics=["log_loss", "average_precision"],
        replicates=300,
    )
    rows: dict[str, adjudge.Row] = {}
    for row in found.table:
        if row.baseline is not None:
            rows.setdefault(row.metric, row)
    return rows


def test_a_loss_moves_by_what_rows_cost_were_they_of_the_other_label() -> None:
    chance = [0.9, 0.8, 0.3]
    losses = Losses.of_arrays([1, 1, 0], chance, positive=1)
    other = -np.log([0.1, 0.2, 0.3]).mean() / 3
    assert float(moved_by_a_row(log_loss, losses)) == pytest.approx(other, rel=1e-12)


def test_an_area_moves_by_rows_that_rank_as_the_other_label_does() -> None:
    """Two positives above two negatives: one more negative at each positive moves more than the other way round.

    A negative tied with the first positive makes ½ and ⅔ of the precisions (1, 1), one tied with the second 1 and ⅔.
    """
    curves = Curves.of_arrays([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1], positive=1)
    negatives = [1 - (1 / 2 + 2 / 3) / 2, 1 - (1 + 2 / 3) / 2]
    positives = [1 - (2 + 3 / 4) / 3, 1 - (2 + 3 / 5) / 3]
    expected, less = (np.sqrt(np.square(moved).mean()) for moved in (negatives, positives))
    assert less < expected
    assert moved_by_a_row(average_precision, curves) == pytest.approx([expected], rel=1e-12)
    assert float(moved_by_a_row(roc_auc.averaged("macro"), curves)) == 0.0


@pytest.mark.parametrize("metric", [log_loss, average_precision])
def test_scores_that_hardly_differ_are_not_said_to_be_as_good_for_certain(metric: adjudge.Metric) -> None:
    second = SCORE + 1e-3 * np.cos(np.arange(60) * 2.3)
    row = _rows(second)[repr(metric)]
    moved = float(np.max(moved_by_a_row(metric, metric.statistic_of(YES * 1, SCORE, positive=1))))
    assert row.high - row.estimate > 2 * moved
    assert row.estimate - row.low > 2 * moved
    assert row.p > 0.05


@pytest.mark.parametrize("metric", [roc_auc, average_precision])
def test_curves_of_many_scores_move_in_cells_as_by_every_score(
    metric: adjudge.Metric, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(4)
    yes = random.random(6_000) < 0.3
    score = random.standard_normal(6_000) + 1.5 * yes

    def moved() -> np.ndarray:
        return moved_by_a_row(metric, Curves.of_arrays(yes * 1, score, positive=1))

    in_cells = moved()
    monkeypatch.setattr("adjudge.inference.differences.one_more_row.CELLS", len(score))
    by_score = moved()
    assert in_cells != pytest.approx(by_score, rel=1e-9)
    assert in_cells == pytest.approx(by_score, rel=0.01)


def test_one_more_list_is_as_far_off_as_two_that_have_nothing_to_do_with_each_other() -> None:
    """Four lists whose first hit stands at 1, 1, 2 and 4, and one at either end: √(2 s² / 6) of four queries."""
    relevant = np.array([[1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]).ravel()
    score, each = np.tile([4.0, 3.0, 2.0, 1.0], 4), query_values(mean_reciprocal_rank)
    lists = QueryMeans.of_arrays(relevant, score, query=np.arange(16) // 4, each=each)
    squares = 4 * np.var([1, 1, 1 / 2, 1 / 4]) + 1 / 2
    assert float(moved_by_a_row(mean_reciprocal_rank, lists)) == pytest.approx(np.sqrt(2 * squares / 6) / 4, rel=1e-12)


def _lists(noise: float) -> adjudge.Row:
    """NDCG of two systems that rank 60 lists nearly alike."""
    random = np.random.default_rng(3)
    relevant = (random.random((60, 12)) < 0.2).ravel() * 1
    first = relevant + random.standard_normal(720)
    table = {"q": np.arange(720) // 12, "rel": relevant, "m": first, "s": first + noise * random.standard_normal(720)}
    found = adjudge.ranking(table, query="q", relevance="rel", score=["m", "s"], metrics=["ndcg(at=10)"])
    return next(iter(found.table.differences))


def test_lists_that_are_likely_to_be_alike_are_not_taken_to_differ_as_far_as_any_can() -> None:
    """Two queries that differ by all of it would add 1.96 √(2) / 60 = .046 to the reach by themselves."""
    near, alike = _lists(0.3), _lists(0.0)
    assert near.method == "johnson"
    assert 0.01 < (near.high - near.low) / 2 < 0.04
    assert alike.estimate == 0
    assert alike.low < 0 < alike.high
