"""What a gate makes of every metric of the small tables: limits, method, p-values and verdict, kept as text."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, isnan
from typing import Any

import pytest
from tests.kept import cases
from tests.kept.keeping import evaluated, hold, told

from adjudge.metrics.base import Direction
from adjudge.metrics.catalogue import parse

pytestmark = pytest.mark.xdist_group("kept")  # each table is evaluated once for all files here
AWAY = 0.15
"""How far from the value a bound is that it must reach, of the value's size."""
LOST = 0.3
"""How much more than it does lose it may lose, of the width of its interval."""
OTHER = {
    "labels, two systems": [
        "accuracy of new >= old - 20%",
        "accuracy of new within 0.2 of old",
        "accuracy of new between 0.6 and 0.95",
        "every part: accuracy of new >= 0.5",
        "gap(accuracy, part) of new <= 0.5",
        "negative_flip_rate of new against old <= 0.4",
        "p90(weight) <= 4",
        "mean(weight) <= 2",
    ],
    "numbers, two systems in clusters": [
        "rmse of far <= near + 90%",
        "mean_bias_error of far between -5 and 5",
        "mean_bias_error of far within 4 of near",
        "p50(weight) <= 2",
    ],
}
"""Requirements of other kinds."""
JUDGED = {
    name: {"slices": ["part"]} if name == "labels, two systems" else {}
    for name in cases.CASES
    if not name.endswith(("fail", "required", "replace one", "ratio", "scale", "elsewhere", "three systems", "wide"))
}


def asked(evaluation: Any) -> Iterator[str]:
    """Of every metric that a system can be held to: a bound that it just reaches, and what it may lose to another."""
    for row in (*evaluation.table.estimates.first_methods(), *evaluation.table.differences.first_methods()):
        metric = None if row.slice != "all" or row.metric.startswith("baseline_") else parse(row.metric)
        if metric is None or metric.direction not in (Direction.HIGHER, Direction.LOWER) or not abs(row.estimate) > 0:
            continue
        sign, turn = (">=", -1) if metric.direction is Direction.HIGHER else ("<=", 1)
        of = f'{row.metric}{f"""["{row.category}"]""" if row.category else ""} of "{row.system}" {sign}'
        if row.baseline is None:
            yield f"{of} {row.estimate + turn * AWAY * abs(row.estimate):.3g}"
        else:
            width = 1.0 if isnan(row.low) else min(row.high - row.low, 1.0)
            widest = 0.9 * (metric.range[1] - metric.range[0])
            less = min(max(turn * row.estimate, 0.0) + LOST * width, widest)
            yield f'{of} "{row.baseline}" {"-" if turn < 0 else "+"} {less:.3g}'


def check(verdict: Any) -> None:
    """Limits lie around the number and, of a value, in the metric's range; what has no interval is never decided.

    The upper limit of a concordance was that of its mean squared error; a maximal error passed by draws, none of which
    is above the largest that was seen.
    """
    if verdict.low is None or verdict.estimate is None or verdict.metric.endswith("flip_rate"):
        return
    metric = parse(verdict.metric)
    low, high = metric.range if verdict.baseline is None and not verdict.text.startswith("gap") else (-inf, inf)
    assert low - 1e-9 <= verdict.low <= verdict.estimate + 1e-9, verdict
    assert verdict.estimate - 1e-9 <= verdict.high <= high + 1e-9, verdict
    assert metric.intervals != ("none",) or verdict.verdict == "inconclusive", verdict


def lines(verdicts: Any) -> Iterator[str]:
    """A line for each requirement, and for each level of one."""
    for one in verdicts:
        check(one)
        numbers = (one.estimate, one.low, one.high, one.p_passed, one.p_failed, one.p_failed_adjusted)
        shown = " ".join("-" if number is None else told(number) for number in numbers)
        more = "" if one.units_needed is None else f" {one.units_needed} more rows, {told(one.would_pass_at)}"
        yield f"{one.text} ({one.slice}): {one.verdict} {one.method} {shown} of {one.n}{more}: {one.why}"
        yield from lines(one.levels)


@pytest.mark.parametrize("name", JUDGED)
def test_verdicts_are_as_they_were(name: str) -> None:
    required = [*asked(evaluated(name)), *OTHER.get(name, [])]
    made = "\n".join(lines(cases.evaluated(name, require=required, **JUDGED[name]).outcome.gate.verdicts))
    hold(f"gate_{name}", made)
