"""Letters in the table of results, p-values that pay for all there is, and the picture of who may be the best."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import adjudge
from adjudge.errors import AdjudgeError
from adjudge.evaluation.comparison.panels import Compared, with_comparison
from adjudge.evaluation.comparison.settings import Comparing
from adjudge.evaluation.panels import Panels
from adjudge.evaluation.results import ResultTable, Row
from adjudge.inference.many.multiplicity import holm, letters
from adjudge.report.charts import standings_figure
from adjudge.report.charts.standings import letters_in
from adjudge.tasks import task_named


def table(systems: dict[str, float], rows: int = 300) -> dict[str, object]:
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, rows)
    answers = {name: np.where(rng.random(rows) < right, y, 1 - y) for name, right in systems.items()}
    return {"y": y, "part": rng.integers(0, 2, rows), **answers}


def test_letters_stand_beside_the_estimates_of_all_rows() -> None:
    data = table({"a": 0.7, "b": 0.95, "c": 0.72})
    found = adjudge.compare(
        data, reference="y", prediction=["a", "b", "c"], metrics="accuracy", slices=["part"], replicates=300
    )
    shown = {row.system: row.letters for row in found.table if row.letters is not None}
    assert shown == {"b": "a", "c": "b", "a": "b"}
    assert all(row.slice == "all" and row.baseline is None for row in found.table if row.letters is not None)
    two = adjudge.compare(data, reference="y", prediction=["a", "b"], metrics="accuracy", replicates=200)
    assert not [row for row in two.table if row.letters is not None], "two systems have no letters"


def test_family_all_pays_for_every_metric_and_slice_at_once() -> None:
    asked = {"reference": "y", "prediction": ["a", "b"], "slices": ["part"], "replicates": 300}
    data = table({"a": 0.8, "b": 0.88})
    alone, together = (adjudge.compare(data, **asked, family=how) for how in ("metric", "all"))
    rows = list(together.table.differences.first_methods())
    known = [row for row in rows if row.p is not None]
    assert {row.family for row in known} == {len(known)}
    assert len(known) > 20
    expected = holm([row.p or 0.0 for row in known])
    assert [row.p_adjusted for row in known] == pytest.approx(list(expected))
    for before, after in zip(alone.table.differences, together.table.differences, strict=True):
        assert (before.p, before.low, before.high) == (after.p, after.low, after.high)
        assert after.p_adjusted is None or after.p_adjusted >= (before.p_adjusted or 0)
    with pytest.raises(AdjudgeError, match="`family` must be one of"):
        adjudge.compare(data, **{**asked, "family": "some"})


def test_bars_of_the_picture_join_exactly_those_that_share_a_letter() -> None:
    data = table({"a": 0.7, "b": 0.9, "c": 0.86, "d": 0.73})
    found = adjudge.compare(data, reference="y", prediction=["a", "b", "c", "d"], metrics="accuracy", replicates=300)
    [panel] = found.outcome.panels.standings
    values = standings_figure(panel).spec["data"]["values"]
    members = {line.system: letters_in(line.letters) for line in panel.lines}
    groups = {one["letters"]: (one["from"], one["to"]) for one in values if one["kind"] == "group"}
    for letter, (low, high) in groups.items():
        own = [line.estimate for line in panel.lines if letter in members[line.system]]
        assert (min(own), max(own)) == pytest.approx((low, high), abs=1e-5)  # type: ignore[type-var]
        assert len(own) > 1
    assert "Who may be the best" in found.content("html")


def test_letters_beyond_z_do_not_run_together() -> None:
    """A chain of systems of which only neighbours are alike: one letter for every two."""
    count = 30
    apart = np.abs(np.subtract.outer(np.arange(count), np.arange(count))) > 1
    told = letters(apart)
    for one in range(count):
        for two in range(one + 1, count):
            shared = set(letters_in(told[one], spaced=True)) & set(letters_in(told[two], spaced=True))
            assert bool(shared) == (not apart[one, two])


def test_the_headline_is_one_that_the_first_baseline_was_compared_by() -> None:
    """Two systems are compared with different baselines, the second alone by the metric of the headline."""
    rows = [
        replace(Row(system, "all", "", metric, 0.1, 0.0, 0.2, 0.95, "paired_bootstrap", 9, ""), baseline=baseline)
        for system, metric, baseline in (("a", "correlation", "one"), ("b", "rmse", "two"))
    ]
    panels = with_comparison(Panels(), ResultTable(tuple(rows)), task_named("regression"), Compared(Comparing()))
    assert [forest.title for forest in panels.forests] == ["Comparison with one"]
