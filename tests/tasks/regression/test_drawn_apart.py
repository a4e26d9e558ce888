"""Two systems on so many rows that medians and ranks are not drawn together."""

from __future__ import annotations

import math

import numpy as np
import pytest

import adjudge
from adjudge.data.reading import BLOCK_ROWS


@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_medians_of_many_rows_are_compared_without_pairing(engine: str) -> None:
    random = np.random.default_rng(3)
    truth = random.normal(size=BLOCK_ROWS).round(2)
    table = {"y": truth, **{name: truth + random.normal(size=BLOCK_ROWS).round(2) * far for name, far in
                            (("old", 1.0), ("new", 0.9), ("newer", 0.8))}}  # fmt: skip
    found = adjudge.regression(
        table, reference="y", prediction=["old", "new", "newer"], engine=engine, replicates=100,
        metrics=["median_absolute_error", "mean_absolute_error"],
    )  # fmt: skip
    own = {name: found.table.find("median_absolute_error", system=name) for name in ("old", "new")}
    row = found.table.find("median_absolute_error", system="new", baseline="old")
    assert row.estimate == pytest.approx(own["new"].estimate - own["old"].estimate)
    low = math.hypot(own["new"].estimate - own["new"].low, own["old"].high - own["old"].estimate)
    assert row.low == pytest.approx(row.estimate - low)
    assert (row.method, row.test, row.family) == ("square_and_add", "not paired", 2)
    assert row.note.startswith("not paired: with so many rows each system is drawn by itself")
    assert row.high < 0
    assert row.p_adjusted < 0.05
    # Means are drawn from their sums, all systems at once.
    assert found.table.find("mean_absolute_error", system="new", baseline="old").test != "not paired"
