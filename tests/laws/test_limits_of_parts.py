"""Laws of limits by formula: they depend on the rows, not on how these are told, and a part of none adds nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.laws.examples import EXAMPLES, statistic_of, values_of, variants
from tests.laws.metric_laws import BY_RESAMPLING, answers, same
from tests.laws.rows import Making, Rows, objects

from adjudge.inference.intervals.closed_form import closed_form
from adjudge.metrics import catalogue
from adjudge.metrics.base import Metric
from adjudge.statistics.confusion import Confusion

LEVEL = 0.9
CLOSE = 1e-7
"""Limits go through inverse incomplete beta functions and searches, which give so many digits."""


def limits(metric: Metric, statistic: Any) -> dict[str, np.ndarray]:
    """The ends of every method by formula; NaN where it gives none."""
    found = {}
    for method in sorted(set(metric.intervals) - set(BY_RESAMPLING)):
        with np.errstate(all="ignore"):
            bounds = closed_form(method, metric, statistic, LEVEL)
        for name in ("low", "high"):
            found[f"{method} {name}"] = np.asarray(np.nan if bounds is None else getattr(bounds, name))
    return found


def told(metric: Metric, rows: Rows) -> dict[str, np.ndarray]:
    statistic = statistic_of(metric, rows)
    return values_of(metric, statistic) | limits(metric, statistic)


def ordinary(metric: Metric, size: int = 24) -> Rows:
    """Rows with gaps and ties, some right and some wrong."""
    return replace(answers(metric, 5, Making(size, 0.4, wide=size % 2 == 0, even=True)), rest=None)


@pytest.mark.parametrize("metric", variants(), ids=repr)
def test_rows_that_weigh_one_have_the_limits_of_rows_without_weights(metric: Metric) -> None:
    for size in (9, 24):
        rows = ordinary(metric, size)
        if rows.weights is None:
            assert same(told(metric, rows), told(metric, rows.weighing(np.ones(len(rows)))), CLOSE)


@pytest.mark.parametrize("metric", variants(), ids=repr)
def test_the_order_of_rows_changes_no_limit(metric: Metric) -> None:
    rows = ordinary(metric)
    rows = rows.weighing(np.resize([0.5, 2.0, 1.0], len(rows))) if rows.weights is None else rows
    assert same(told(metric, rows), told(metric, rows.of(np.arange(len(rows))[::-1])), CLOSE)


@pytest.mark.parametrize("metric", catalogue.every(), ids=repr)
def test_a_part_without_units_adds_nothing(metric: Metric) -> None:
    """Batches may hold no row of a slice: their sums are added like those of any other."""
    rows = ordinary(metric)
    whole, nothing = (statistic_of(metric, rows.of(np.arange(many))) for many in (len(rows), 0))
    expected = values_of(metric, whole) | limits(metric, whole)
    for added in (whole + nothing, nothing + whole):
        assert same(values_of(metric, added) | limits(metric, added), expected, CLOSE)
        assert added.rows == whole.rows
    assert (nothing + nothing).rows == 0


OF_CATEGORIES = [one for one in variants() if one.over is Confusion and one.by_category]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("metric", OF_CATEGORIES, ids=repr)
def test_limits_of_a_category_are_those_of_it_against_the_rest(metric: Metric, weighted: bool) -> None:
    """Which of the other labels an answer is says nothing of this one."""
    rows = answers(metric, 6, Making(30, 0.4, wide=True, even=True))
    assert rows.second is not None
    if weighted:
        rows = rows.weighing(np.resize([3.0, 0.5, 1.0, 1.0, 0.25], len(rows)))
    statistic = statistic_of(metric, rows)
    every = limits(metric, statistic) | {"value": metric.values(statistic)}
    for place, label in enumerate(statistic.categories):
        of_two = [objects([one if one == label else "rest" for one in side]) for side in (rows.first, rows.second)]
        single = Rows(of_two[0], of_two[1], (label, "rest"), rows.positive, rows.weights)
        alone = statistic_of(metric, single)
        at = list(alone.categories).index(label)
        found = limits(metric, alone) | {"value": metric.values(alone)}
        assert same({name: ends[at] for name, ends in found.items() if ends.ndim},
                    {name: ends[place] for name, ends in every.items() if ends.ndim}, CLOSE)  # fmt: skip


def test_every_statistic_is_held_to_them() -> None:
    assert {metric.over for metric in catalogue.every()} == {*EXAMPLES}
    assert len(OF_CATEGORIES) > 5
