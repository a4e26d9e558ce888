"""A false declaration breaks a law: without this, a law that looks at nothing would pass for a law that holds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.laws import metric_laws as laws
from tests.laws.examples import EXAMPLES, variants
from tests.laws.metric_laws import Law

from adjudge.errors import AdjudgeError
from adjudge.metrics import catalogue
from adjudge.metrics.base import Direction, Metric

TURNED = {Direction.HIGHER: Direction.LOWER, Direction.LOWER: Direction.HIGHER}


def breaks(law: Law, metric: Metric, **false: Any) -> None:
    """The law fails for the metric with a false field; that the metric as it is keeps it, test_metrics.py says."""
    with pytest.raises((AssertionError, AdjudgeError)):
        law(replace(metric, **false))


def sample() -> list[Metric]:
    """At least two metrics of each statistic, and all that have a direction or a best value of their own."""
    chosen: dict[str, Metric] = {}
    for over in EXAMPLES:
        of_it = [metric for metric in catalogue.every() if metric.over is over]
        of_it.sort(key=lambda metric: metric.name)
        for metric in (*of_it[:1], *of_it[-1:], *{(m.direction, m.best, m.symmetric): m for m in of_it}.values()):
            chosen[metric.name] = metric
    return list(chosen.values())


EVERY = pytest.mark.parametrize("metric", catalogue.every(), ids=repr)
SAMPLE = pytest.mark.parametrize("metric", sample(), ids=repr)


def test_what_is_falsified_here_is_held_to_every_law_there() -> None:
    assert {*catalogue.every()} <= {*variants()}


def test_the_sample_is_of_every_statistic_and_direction() -> None:
    assert {metric.over for metric in sample()} == {metric.over for metric in catalogue.every()}
    assert {metric.direction for metric in sample()} == set(Direction)
    assert {metric.symmetric for metric in sample()} == {True, False}


@EVERY
def test_another_best_value_is_noticed(metric: Metric) -> None:
    low, high = metric.range
    other = 0.5 if metric.best in (low, high) else metric.best + 1.0
    breaks(laws.best, metric, best=other)


@EVERY
def test_a_range_that_is_too_small_is_noticed(metric: Metric) -> None:
    rows = [laws.answers(metric, 1, laws.Making(36, amount, even=True)) for amount in (0.0, 1.0)]
    found = [one for some in rows for value in laws.value(metric, some).values() for one in np.ravel(value)]
    low, high = min(found), max(found)
    middle = (low + high) / 2
    for false in ((metric.range[0], middle), (middle, metric.range[1])):
        breaks(laws.ranges, metric, range=false)


@EVERY
def test_another_symmetry_is_noticed(metric: Metric) -> None:
    breaks(laws.symmetry, metric, symmetric=not metric.symmetric)


@EVERY
def test_another_direction_is_noticed(metric: Metric) -> None:
    if metric.direction is not Direction.NEAREST:
        breaks(laws.direction, metric, direction=TURNED[metric.direction])
        if metric.best in metric.range:
            breaks(laws.best, metric, direction=Direction.NEAREST)
        return
    for false in TURNED:
        breaks(laws.direction, metric, direction=false)


@SAMPLE
def test_intervals_that_are_not_its_own_are_noticed(metric: Metric) -> None:
    others = ((), ("bootstrap", "bootstrap"), ("none", "bootstrap"), ("newcombe", "lin", "bootstrap"), ("by guess",))
    for false in (*others, ("wilson", "bootstrap") if metric.share is None else ("bayesian",)):
        with pytest.raises((AssertionError, AdjudgeError)):
            laws.intervals(replace(metric, intervals=false))


@SAMPLE
def test_what_people_are_told_is_noticed_when_it_is_missing_or_anothers(metric: Metric) -> None:
    other = next(one for one in catalogue.every() if one.name != metric.name)
    for false in ({"references": ()}, {"references": ("",)}, {"label": ""}, {"label": other.label}, {"undefined": ""}):
        breaks(laws.declaration, metric, **false)


@SAMPLE
def test_a_name_that_does_not_read_back_is_noticed(metric: Metric) -> None:
    other = next(one for one in catalogue.every() if one.name != metric.name)
    for false in ("no_such_metric", other.name):
        breaks(laws.names, metric, name=false)


@SAMPLE
def test_a_formula_of_the_first_axis_is_noticed(metric: Metric) -> None:
    """Whoever sums over replicates, or looks at the first row alone, breaks the law of stacks."""

    def wrong(statistic: Any, **parameters: Any) -> Any:
        values = np.asarray(metric.formula(statistic, **parameters))
        return np.full_like(values, np.nanmax(values, initial=0.0)) if values.ndim else values

    if metric.per is None:
        breaks(laws.repetition, metric, formula=wrong)
