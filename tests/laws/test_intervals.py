"""The law of intervals: low ≤ estimate ≤ high, and low < high, or no interval and the reason, whatever the table."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.laws.examples import EXAMPLES, statistic_of, variants
from tests.laws.metric_laws import BY_RESAMPLING, answers
from tests.laws.rows import Making, Rows

from adjudge.errors import AdjudgeError
from adjudge.evaluation.arrays.estimate import rows_of_statistic
from adjudge.inference.drawing import UnitsToDraw
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.inference.resampling import Bootstrap, bca
from adjudge.metrics.base import Metric
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curves
from adjudge.statistics.losses import Losses

LEVELS = (0.5, 0.95, 0.999)
# Of labels and scores every method is looked at by itself; of raters and numbers what an evaluation prints.
OF_LABELS = (Confusion, Curves, Losses)


def tables(metric: Metric) -> dict[str, Rows]:
    """Tiny tables from perfect to wrong in every row, ordinary ones, and the degenerate ones of the statistic."""
    found = {
        f"{size} rows, {amount:g} off": replace(
            answers(metric, size, Making(size, amount, wide=size % 2 == 1)), rest=None
        )
        for size in (1, 2, 5, 25)
        for amount in (0.0, 0.4, 1.0)
    }
    return found | EXAMPLES[metric.over].degenerate(metric)


def units_of(metric: Metric, rows: Rows) -> UnitsToDraw | None:
    if metric.over not in (Curves, Losses):
        return None
    first, second = EXAMPLES[metric.over].arguments(rows)
    options = {"positive": rows.positive, "categories": rows.categories, **metric.reading}

    def summing(cells: object) -> object:
        return metric.over.summing_arrays(first, second, **options, **({} if cells is None else {"pilot": cells}))

    return UnitsToDraw(summing, rows.weights)  # type: ignore[arg-type]


@pytest.mark.parametrize("metric", variants(), ids=repr)
def test_an_interval_holds_its_estimate_or_there_is_none_and_a_reason(metric: Metric) -> None:
    for place, (name, rows) in enumerate(tables(metric).items()):
        level = LEVELS[place % len(LEVELS)]
        try:
            statistic = statistic_of(metric, rows)
        except AdjudgeError:
            continue  # refused before there is anything to measure
        settings = Bootstrap(100, kind=("percentile", "bca")[place % 2 if metric.over in OF_LABELS else 0])
        try:
            found = rows_of_statistic(metric, statistic, level=level, settings=settings, units=units_of(metric, rows))
        except AdjudgeError:
            assert metric.over not in OF_LABELS, (metric, name)
            continue
        for row in found:
            if row.method == "baseline":
                continue
            told = (metric, name, level, row)
            assert math.isnan(row.low) == math.isnan(row.high), told
            if math.isnan(row.low):
                declared_without = row.method == "none" and metric.intervals == ("none",)
                assert row.note or declared_without, told
            else:
                assert row.low <= row.estimate <= row.high, told
                assert row.low < row.high, told


@pytest.mark.parametrize("metric", [m for m in variants() if m.over in OF_LABELS], ids=repr)
def test_no_formula_crosses_or_leaves_its_estimate(metric: Metric) -> None:
    """Before an evaluation looks at them: what a formula gives is in order, and around the value."""
    for name, rows in tables(metric).items():
        statistic = statistic_of(metric, rows)
        value = metric.values(statistic)
        for method in set(metric.intervals) - set(BY_RESAMPLING):
            for level in LEVELS:
                with np.errstate(all="ignore"):
                    bounds = closed_form(method, metric, statistic, level)
                if bounds is None:
                    continue
                known = np.isfinite(value) & ~np.isnan(bounds.low)
                low, high, middle = (np.asarray(v)[known] for v in (bounds.low, bounds.high, value))
                assert (low <= middle + 1e-9).all(), (metric, name, method, level)
                assert (middle <= high + 1e-9).all(), (metric, name, method, level)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999, 0.99999])
@pytest.mark.parametrize("seed", range(20))
def test_bca_does_not_cross(seed: int, level: float) -> None:
    """Before, a large acceleration turned the formula round at extreme levels: low above high."""
    random = np.random.default_rng(seed)
    values = random.lognormal(sigma=2.0, size=400)
    left_out = np.concatenate([np.ones(5), [-40.0 * random.random() - 1]])
    bounds = bca(values, np.asarray(np.quantile(values, random.random())), left_out, np.ones(6), level)
    assert bounds.low <= bounds.high
