"""Ties, empty parts and single rows: what is counted, left out or said where a case has nothing to show."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.data.pair_facts import STEPS
from adjudge.diagnosis.checks.units import _one_ratio
from adjudge.diagnosis.slices.slice_search import Search
from adjudge.errors import BadValue
from adjudge.evaluation.gates import difference_limits
from adjudge.evaluation.gates.column_limits import paired_with_originals
from adjudge.evaluation.panels import Series
from adjudge.evaluation.take_away.row_items import RowAnswers, _Mean
from adjudge.metrics import accuracy
from adjudge.metrics.catalogue import every, in_sentence
from adjudge.tasks.regression import screen
from adjudge.tasks.regression.screen import _regions


@pytest.mark.parametrize("best", [-0.3, 0.0, 2.0, 1e9])
def test_what_chance_finds_as_bad_is_as_bad_up_to_rounding(best: float) -> None:
    """p = (1 + as bad) / (1 + tables); a tie counts, also at 0, and one in a million less does not."""
    less = best - 1e-6 * max(abs(best), 1.0)
    search = Search("all", 3, 100, 100, (), best, (best, best * (1 - 1e-12), less, best + 1))
    assert search.by_chance == (1 + 3) / (1 + 4)
    assert np.isnan(Search("all", 3, 100, 100, (), best, ()).by_chance)


def test_ratios_that_lie_together_are_one_ratio() -> None:
    """Steps 3 and 4 with 10 and 30 rows; sizes of mean 2 and mean square 5: a deviation of 1."""
    one = _one_ratio({3: (10.0, 20.0, 50.0), 4: (30.0, 60.0, 150.0), 9: (5.0, 0.0, 0.0)}, [3, 4])
    told = (one.rows, one.mean, one.width, one.sizes)
    assert told == pytest.approx((40.0, (10 * 3.5 + 30 * 4.5) / 40 / STEPS, 2 / STEPS, 1.0))


def test_items_without_an_original_or_a_perturbed_row_are_left_out() -> None:
    values = np.array([1.0, 0.0, 1.0, 0.5, 0.25, np.nan])
    items, original = np.array([0, 0, 0, 1, 2, -1]), np.array([True, False, False, False, True, True])
    both, rows = paired_with_originals(values, items, original, np.ones(6, dtype=bool))
    assert (both.tolist(), rows.tolist()) == ([[1.0, 0.5]], [0])
    with pytest.raises(BadValue, match="none has"):
        paired_with_originals(values[3:], items[3:], original[3:], np.ones(3, dtype=bool))


@pytest.mark.parametrize(
    ("draws", "rows"),
    [
        ([0.6, 0.6, 0.6], 20.0),  # nothing varies: as many as there are units
        ([0.5, 0.7], 0.24 / 0.01),  # 24 rows with a share of 0.6 vary as much
        ([0.0, 1.0], 2.0),  # never less than 2
        ([0.59999, 0.60001], 50.0),  # never more than there are
    ],
)
def test_a_number_is_worth_as_many_rows_as_a_share_that_varies_as_much(
    draws: list[float], rows: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(difference_limits, "effective_rows", lambda number: 50.0)
    monkeypatch.setattr(difference_limits, "drawn_units", lambda number: 20.0)
    number: Any = SimpleNamespace(bounded=(0.0, 1.0), plain=False, share=None, metric=accuracy, value=0.6)
    assert difference_limits._worth_rows(number, np.array(draws)) == pytest.approx(rows)


def regions(n: list[float]) -> list[tuple[str, int]]:
    many = len(n)
    series = Series("s", [*map(float, range(many))], [0.0] * many, [-1.0] * many, [1.0] * many, n)
    outcome: Any = SimpleNamespace(
        panels=SimpleNamespace(lines=[SimpleNamespace(title="Residual by prediction", series=[series])], standings=()),
        systems=("s",),
        table=(),
        settings=SimpleNamespace(level=0.95),
    )
    return [(one.subject, one.n) for one in _regions(outcome)]


def test_a_quarter_ends_with_the_row_that_completes_it() -> None:
    """Of 40 rows a quarter are 10, and not 9; of rows that stand together, as many as make it full."""
    assert [n for _, n in regions([5, 4, 1, 9, 1, 10, 10])] == [10, 10, 10, 10]
    assert [n for _, n in regions([9, 2, 9, 9, 11])] == [11, 9, 20]
    assert [name for name, _ in regions([10, 10, 10, 10])] == [
        "below 0.5", "from 0.5 to 1.5", "from 1.5 to 2.5", "above 2.5"
    ]  # fmt: skip
    assert regions([10, 10, 10]) == []


def test_the_mean_loss_of_blocks_is_that_of_all_rows() -> None:
    loss, weight = np.array([1.0, np.nan, 0.0, 4.0, 2.0]), np.array([1.0, 9.0, 2.0, 1.0, 4.0])
    for weights in (None, weight):
        mean = _Mean()
        for rows in (slice(0, 2), slice(2, 5)):
            mean = mean.and_of(RowAnswers({}, loss[rows]), None if weights is None else weights[rows])
        each = np.ones(5) if weights is None else weights
        known = np.isfinite(loss)
        whole = np.average(loss[known], weights=each[known])
        assert mean.total / mean.weight == pytest.approx(whole)
        without = [np.average(np.delete(loss[known], k), weights=np.delete(each[known], k)) for k in range(4)]
        assert mean.influence(loss, weights)[known] == pytest.approx([whole - one for one in without])


def test_a_metric_is_called_in_a_sentence_as_it_is_labelled_but_for_its_first_letter() -> None:
    for metric in every():
        label, said = metric.full_label, in_sentence(metric)
        if not metric.short:
            assert said[1:] == label[1:], metric.name
            assert said[0] in (label[0], label[0].lower())
            one_letter = not label[1:2].islower()  # F score, R², ROC AUC
            assert said[0] == label[0] or not one_letter, metric.name


def test_a_score_that_no_human_gave_has_no_line() -> None:
    """The system gives a 5 to some, which nobody else gives."""
    human = [1, 2, 3, 4] * 10
    system = [1, 2, 3, 5] * 10
    e = adjudge.scoring({"h": human, "s": system}, raters=["h"], prediction="s", min=1, max=6, replicates=100)
    [panel] = [one for one in e.outcome.panels.forests if one.title.startswith("Exact agreement at each")]
    assert [line.name for line in panel.lines] == ["1", "2", "3", "4"]
    assert [line.n for line in panel.lines] == [10] * 4


@pytest.mark.parametrize(
    ("known", "text", "figures"),
    [
        (["mean_absolute_error"], "MAE {mean}", {"mean"}),
        (
            ["mean_absolute_error", "median_absolute_error"],
            "MAE {mean}; half of the errors are below {median}",
            {"mean", "median"},
        ),
        (["median_absolute_error"], None, set()),
    ],
)
def test_a_remark_has_a_figure_for_each_of_its_places(
    known: list[str], text: str | None, figures: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screen, "figures", lambda outcome, *names: [(name, name, 1.0) for name in known])
    one: Any = SimpleNamespace(systems=("s",))
    said = [(remark.text, set(remark.figures)) for remark in screen._remarks(one)]
    assert said == ([] if text is None else [(text, figures)])
    two: Any = SimpleNamespace(systems=("s", "t"))
    assert not [*screen._remarks(two)]
