"""Tables of many labels list the pairs that occur: the same sums, figures and draws as with all their zeros."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import adjudge
from adjudge import metrics
from adjudge.inference.intervals.closed_form import fleiss_cohen_everitt
from adjudge.inference.weighted_cells import weighed
from adjudge.metrics.base import Metric
from adjudge.statistics.cells import ATOMS, PRIOR_MASS, draw_rows, draw_smoothed, generator
from adjudge.statistics.confusion import Confusion

LABELS = 150  # more than 128: pairs are listed
METRICS: list[Metric] = [
    metrics.accuracy,
    metrics.balanced_accuracy,
    metrics.matthews_correlation,
    metrics.cohen_kappa,
    metrics.precision,
    metrics.recall,
    metrics.f_score,
    metrics.f_score.using(average="weighted"),
]


def answers(rows: int = 500, labels: int = LABELS, seed: int = 3) -> tuple[list[str], list[str]]:
    random = np.random.default_rng(seed)
    reference = random.integers(0, labels, rows)
    said = np.where(random.random(rows) < 0.6, reference, random.integers(0, labels, rows))
    return [f"{code:03d}" for code in reference], [f"{code:03d}" for code in said]


def listed_and_dense(weights: list[float] | None = None) -> tuple[Confusion, Confusion]:
    listed = Confusion.of_arrays(*answers(), weights=weights)
    assert listed.cells is not None
    return listed, replace(listed, counts=listed.dense, squares=listed.squared.dense, cells=None)


@pytest.mark.parametrize("metric", METRICS, ids=repr)
def test_figures_are_those_of_the_whole_table(metric: Metric) -> None:
    listed, dense = listed_and_dense(np.random.default_rng(1).gamma(2, 1, 500).tolist())
    assert metric.values(listed) == pytest.approx(metric.values(dense), rel=1e-12, nan_ok=True)
    if metric.share is not None:
        shares = [metric.share(table, **metric.settings) for table in (listed, dense)]
        for name in ("part", "whole", "squares"):
            assert getattr(shares[0], name) == pytest.approx(getattr(shares[1], name), rel=1e-12, nan_ok=True)


def test_the_interval_of_kappa_is_that_of_the_whole_table() -> None:
    """Fleiss, Cohen and Everitt (1969), with the sums over all pairs written out."""
    listed, dense = listed_and_dense()
    p, w = dense.counts / 500, np.eye(len(dense.categories))
    rows, columns = p.sum(1), p.sum(0)
    expected = rows @ columns
    kappa = (np.trace(p) - expected) / (1 - expected)
    inner = (p * (w - (columns[:, None] + rows) * (1 - kappa)) ** 2).sum() - (kappa - expected * (1 - kappa)) ** 2
    reach = 1.959963984540054 * np.sqrt(inner / 500) / (1 - expected)
    for table in (listed, dense):
        assert fleiss_cohen_everitt(table, 0.95) == pytest.approx((kappa - reach, kappa + reach), rel=1e-12)


def test_draws_are_those_of_the_whole_table() -> None:
    listed, dense = listed_and_dense()
    cells = dense.counts.reshape(-1)
    rows = draw_rows(cells, 16, generator(7, "x"))
    assert np.array_equal(listed.resampled("multinomial", 16, 7, "x").dense.reshape(16, -1), rows)
    smooth = draw_smoothed(cells, PRIOR_MASS, 16, generator(7, "x"))
    drawn = listed.resampled("bayesian", 16, 7, "x")
    assert np.array_equal(drawn.dense.reshape(16, -1), smooth)
    assert drawn.counts.shape[1] <= len(listed.cells if listed.cells is not None else ()) + 16 * ATOMS


@pytest.mark.parametrize("kind", ["multinomial", "bayesian"])
def test_weighted_pairs_keep_their_weight_and_variance(kind: str) -> None:
    listed = Confusion.of_arrays(*answers(), weights=np.random.default_rng(1).choice([0.5, 3.0], 500).tolist())
    draws = weighed(listed).resampled(kind, 800, 7, "weights")
    assert isinstance(draws, Confusion)
    assert draws.total == pytest.approx(np.full(800, float(listed.total)))
    largest = int(listed.reference_total.argmax())
    drawn, squares = draws.reference_total[:, largest], float(listed.squared.reference_total[largest])
    assert drawn.mean() == pytest.approx(listed.reference_total[largest], rel=0.05)
    assert drawn.var() == pytest.approx(squares, rel=0.2)


def test_parts_of_few_and_of_many_labels_add_up() -> None:
    reference, said = answers()
    whole = Confusion.of_arrays(reference, said)
    few = Confusion.of_arrays(reference[:20], said[:20])
    rest = Confusion.of_arrays(reference[20:], said[20:])
    assert few.cells is None
    assert rest.cells is not None
    for added in (few + rest, rest + few):
        assert added.categories == whole.categories
        assert added.rows == whole.rows
        assert np.array_equal(added.dense, whole.dense)
        assert np.array_equal(added.squared.dense, whole.squared.dense)
    assert np.array_equal(whole.put_right.dense, np.diag(whole.reference_total))
    assert np.array_equal(whole.answered(5), whole.dense[:, 5])


@pytest.mark.parametrize("roles", [{}, {"weight": "w"}, {"cluster": "who"}], ids=str)
def test_a_stream_draws_the_same_of_many_labels(roles: dict[str, str], tmp_path: Path) -> None:
    reference, said = answers(900)
    table = {"label": reference, "guess": said, "w": [1.0 + row % 3 for row in range(900)]}
    table |= {"who": [f"p{row % 60}" for row in range(900)], "where": ["here", "there", "there"] * 300}
    pq.write_table(pa.table(table), tmp_path / "t.parquet", row_group_size=200)
    given = {"reference": "label", "prediction": "guess", "slices": ["where"], "replicates": 100, **roles}
    given["metrics"] = ["accuracy", "cohen_kappa", "f_score(average=macro)"]
    engines = [adjudge.evaluate(tmp_path / "t.parquet", engine=engine, **given) for engine in ("memory", "stream")]
    one, other = ([(row.estimate, row.low, row.high) for row in found.table] for found in engines)
    np.testing.assert_array_equal(one, other)


def test_thousands_of_labels_are_answered_and_stay_readable(tmp_path: Path) -> None:
    """20,000 million numbers were refused; pictures and JSON had a number for every pair of labels."""
    reference, said = answers(9_000, 3_000)
    found = adjudge.evaluate({"label": reference, "guess": said}, reference="label", prediction="guess", replicates=100)
    assert found["accuracy"].value == pytest.approx(np.mean(np.array(reference) == np.array(said)))
    assert {row.category for row in found.table} == {""}
    assert "left out: there are" in found.outcome.settings.choices["Figures of each label"]
    (panel,) = found.outcome.panels.confusions
    assert panel.counts == []
    assert sum(count for _, _, count in panel.pairs) == 9_000
    assert len(found.content("json")) < 1_000_000
    found.save(tmp_path / "saved.json")
    assert adjudge.load(tmp_path / "saved.json").outcome.panels == found.outcome.panels
    named = adjudge.evaluate(
        {"label": reference, "guess": said}, reference="label", prediction="guess", metrics=["recall"], replicates=100
    )
    assert len({row.category for row in named.table}) > 2_000


def test_clusters_of_many_labels_stay_small() -> None:
    """Prior mass falls into other cells in every replicate: in all replicates at once it took 2 GB."""
    random = np.random.default_rng(1)
    truth = random.integers(0, 500, 5_000)
    given = np.where(random.random(5_000) < 0.7, truth, random.integers(0, 500, 5_000))
    table = {"y": [f"l{one}" for one in truth], "p": [f"l{one}" for one in given], "c": random.integers(0, 500, 5_000)}
    adjudge.evaluate(
        table, reference="y", prediction="p", cluster="c", replicates=100
    )  # what it imports is not counted
    tracemalloc.start()
    try:
        evaluated = adjudge.evaluate(table, reference="y", prediction="p", cluster="c")
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 400 * 2**20
    assert evaluated["f_score(average=macro)"].interval.low > 0.5
