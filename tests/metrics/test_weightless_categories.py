"""A category that only items of no weight have is none, unless the scale was declared."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge import metrics

FIRST = ["1", "2", "1", "2", "1", "2", "1", "9"]
SECOND = ["1", "2", "2", "2", "1", "1", "1", "9"]
WEIGHTS = [1, 2, 1, 1, 3, 1, 1, 0]
COUNTING = [
    metrics.gwet_ac1,
    metrics.gwet_ac2,
    metrics.randolph_kappa,
    metrics.bennett_s,
    metrics.cohen_kappa.using(weighting="ordinal"),
    metrics.krippendorff_alpha.using(measurement="ordinal"),
    metrics.conger_kappa.using(weighting="ordinal"),
]


@pytest.mark.parametrize("metric", COUNTING)
def test_it_does_not_count(metric: Any) -> None:
    without = metric(FIRST[:-1], SECOND[:-1], weights=WEIGHTS[:-1])
    assert metric(FIRST, SECOND, weights=WEIGHTS) == pytest.approx(without)
    assert adjudge.estimate(metric, FIRST, SECOND, weights=WEIGHTS).value == pytest.approx(without)
    numbers = [[int(a), int(b)] for a, b in zip(FIRST, SECOND, strict=True)]
    assert metric(np.array(numbers), weights=WEIGHTS) == pytest.approx(without)


@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_it_does_not_count_in_a_table(engine: str) -> None:
    table = {"a": FIRST * 5, "b": SECOND * 5, "w": WEIGHTS * 5}
    names = ["gwet_ac1", "gwet_ac2", "bennett_s"]
    e = adjudge.agreement(table, raters=["a", "b"], weight="w", metrics=names, engine=engine, replicates=100)
    kept = {name: [v for v, w in zip(values, table["w"], strict=True) if w] for name, values in table.items()}
    without = adjudge.agreement(kept, raters=["a", "b"], weight="w", metrics=names, engine=engine, replicates=100)
    for name in names:
        assert e[name].value == pytest.approx(without[name].value)
    assert e.outcome.data.categories == ["1", "2"]


def test_a_declared_scale_counts_whatever_was_used() -> None:
    wide = metrics.gwet_ac1(FIRST[:-1], SECOND[:-1], categories=["1", "2", "9"])
    assert metrics.gwet_ac1(FIRST, SECOND, weights=[*[1] * 7, 0], categories=["1", "2", "9"]) == pytest.approx(wide)
