"""Every interval of every metric, of few rows, of weighted rows and of ordinary ones, kept as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from tests.kept.keeping import hold, told
from tests.laws.examples import statistic_of, variants
from tests.laws.metric_laws import BY_RESAMPLING, answers
from tests.laws.rows import Making, Rows
from tests.laws.test_intervals import units_of

from adjudge.errors import AdjudgeError
from adjudge.evaluation.arrays.estimate import rows_of_statistic
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics.base import Metric
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curves
from adjudge.statistics.losses import Losses

DRAWN = (Confusion, Curves, Losses)


def tables(metric: Metric) -> dict[str, Rows]:
    """Two rows to twenty, from right to wrong, also with weights that make them fewer in effect: three are 1.3."""
    made = {}
    for size, amount in ((2, 0.4), (3, 0.4), (7, 1.0), (20, 0.0), (20, 0.4)):
        rows = replace(answers(metric, size, Making(size, amount, wide=size == 7)), rest=None)
        name = f"{size} right" if amount == 0 else str(size)
        made[name] = rows
        if size > 2 and rows.weights is None:
            weights = np.resize([8.0, 0.5, 1.0, 2.0], size)
            made[f"{name}, weighted"] = rows.weighing(weights)
    return made


def limits(metric: Metric) -> Iterator[str]:
    """Of each table the limits of each method, where it gives any."""
    for name, rows in tables(metric).items():
        try:
            statistic = statistic_of(metric, rows)
        except (AdjudgeError, ValueError):
            continue
        for method in sorted(set(metric.intervals) - set(BY_RESAMPLING)):
            with np.errstate(all="ignore"):
                bounds = closed_form(method, metric, statistic, 0.9)
            if bounds is not None:
                ends = [told([float(one) for one in np.ravel(end)]) for end in (bounds.low, bounds.high)]
                yield f"{name}: {method} [{', '.join(ends)}]"
    if metric.over in DRAWN:
        rows = tables(metric)["20"]
        made = rows_of_statistic(
            metric,
            statistic_of(metric, rows),
            level=0.9,
            settings=Bootstrap(100, kind="bca"),
            units=units_of(metric, rows),
        )
        yield from (f"bca: {row.method} {told(row.low)} {told(row.high)}" for row in made if row.method == "bootstrap")


def test_limits_are_as_they_were() -> None:
    hold("limits", "\n".join(f"{metric!r} {'; '.join(limits(metric))}" for metric in variants()))
