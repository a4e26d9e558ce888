"""Every golden row holds, and every metric has one."""

from __future__ import annotations

import pytest
from tests.golden.row import Row
from tests.golden.rows import ROWS

from adjudge.metrics import catalogue


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.metric} | {row.source}")
def test_the_value_is_the_published_one(row: Row) -> None:
    metric = catalogue.parse(row.metric)
    arrays = {"weights": row.weights, "positive": row.positive, "categories": row.categories}
    found = metric(row.reference, row.other, **arrays, **row.options)
    assert found == pytest.approx(row.value, rel=0, abs=row.tolerance, nan_ok=True)


NAMES = {catalogue.parse(row.metric).name for row in ROWS}


@pytest.mark.parametrize("metric", catalogue.every(), ids=repr)
def test_every_metric_has_a_golden_row(metric) -> None:
    assert metric.name in NAMES


def test_every_row_names_its_source() -> None:
    assert [row for row in ROWS if not row.source.strip()] == []
