"""Block by block or all at once: the same numbers, and what is left out of a stream is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.tasks.regression.tables import evaluated, table_of

import adjudge
from adjudge.errors import AdjudgeError
from adjudge.evaluation.comparison.panels import LIST
from adjudge.evaluation.panels import Panels
from adjudge.metrics import concordance_correlation, parse
from adjudge.tasks.regression.reading import NumberReading

RANKS = {"spearman"}
CASES: dict[str, dict[str, Any]] = {
    "plain": {},
    "weights and slices": {"weight": "w", "slices": ["place"]},
    "clusters": {"cluster": "person", "slices": ["place"]},
    "two systems with intervals": {
        "systems": {"a": {"prediction": "m", "lower": "low", "upper": "high"}, "b": "other"},
        "prediction": None,
    },
    "bca": {"bootstrap": "bca", "weight": "w"},
}


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NumberReading, "block_rows", 64)


def without_ranks(panels: Panels) -> Panels:
    """The same panels, the list of differences without what a stream does not have."""
    labels = {parse(name).full_label for name in RANKS}
    lists = [
        replace(one, rows=[row for row in one.rows if row[2] not in labels])
        if one.title.startswith(LIST.format(""))
        else one
        for one in panels.tables
    ]
    return replace(panels, tables=lists)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("case", CASES)
def test_streaming_gives_the_same_bytes(case: str) -> None:
    table = table_of(500)
    table["m"][100], table["y"][450] = None, "?"
    memory, stream = (evaluated(table, engine=engine, **CASES[case]) for engine in ("memory", "stream"))
    assert {row.metric for row in memory.table} - {row.metric for row in stream.table} == RANKS
    kept = [row for row in memory.table if row.metric not in RANKS]
    assert repr(kept) == repr(list(stream.table))
    assert repr(without_ranks(memory.outcome.panels)) == repr(without_ranks(stream.outcome.panels))
    assert repr(memory.outcome.data) == repr(stream.outcome.data)


def test_what_a_stream_leaves_out_is_said(tmp_path: Path) -> None:
    path = tmp_path / "numbers.csv"
    path.write_text("y,m\n1,2\n2,2\n3,5\n4,3\n", encoding="utf-8")
    stream, memory = evaluated(path), evaluated(path, engine="memory")
    assert (stream.outcome.settings.engine, memory.outcome.settings.engine) == ("stream", "memory")
    told = stream.outcome.settings.choices["Not computed when streaming"]
    assert told == "rank correlations, which need all rows at once"
    assert memory.outcome.settings.choices == {}


def test_ranks_by_name_are_refused_of_a_stream() -> None:
    with pytest.raises(AdjudgeError, match=r"`spearman` must have all rows at once"):
        evaluated(table_of(50), metrics=["rmse", "spearman"], engine="stream")


@pytest.mark.usefixtures("small_blocks")
def test_concordance_is_told_by_sums() -> None:
    """By name, as a metric that other tasks measure of all rows, and where something is required of it."""
    given = {"metrics": [concordance_correlation, "rmse"], "require": ["concordance_correlation >= 0.1"]}
    memory, stream = (evaluated(table_of(500), engine=engine, **given) for engine in ("memory", "stream"))
    assert repr(list(memory.table)) == repr(list(stream.table))
    assert stream.outcome.gate is not None
    assert stream.outcome.gate.verdict == "passed"
    [row, *_] = [row for row in stream.table if row.metric == "concordance_correlation"]
    y, m = (np.array(table_of(500)[name]) for name in "ym")
    assert row.estimate == pytest.approx(concordance_correlation(y, m), rel=1e-12)


def test_concordance_of_many_rows_is_that_of_all_rows_at_once() -> None:
    """Beyond the rows whose own sums are kept there are draws and a formula instead of the jackknife."""
    random = np.random.default_rng(4)
    y = random.normal(50, 10, 6_000)
    table = {"y": y, "m": 0.8 * y + 8 + random.normal(0, 5, 6_000)}
    rows = adjudge.regression(table, reference="y", prediction="m", metrics="concordance_correlation", engine="stream")
    by_method = {row.method: (row.low, row.high) for row in rows.table}
    exact = adjudge.estimate(concordance_correlation, table["y"], table["m"], method="lin").interval
    assert by_method["lin"] == pytest.approx((exact.low, exact.high), rel=1e-9)
    assert by_method["bootstrap"] == pytest.approx((exact.low, exact.high), abs=0.002)


def test_clusters_may_stand_anywhere() -> None:
    """Draws are by the name of the cluster, so its rows need not stand together."""
    table = table_of(300)
    order = sorted(range(300), key=lambda row: (row * 7919) % 300)
    shuffled = {name: [values[row] for row in order] for name, values in table.items()}
    given = {"cluster": "person", "engine": "stream"}
    rows = zip(evaluated(table, **given).table, evaluated(shuffled, **given).table, strict=True)
    for mine, other in rows:
        ours, theirs = ((row.estimate, row.low, row.high) for row in (mine, other))
        assert ours == pytest.approx(theirs, rel=1e-9, nan_ok=True), mine
