"""Concordance and rank correlations of rows in clusters, which are left out one by one: docs/validation/clusters.md."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from bench.coverage_heldout import simulated
from bench.heldout.first import DEVELOPMENT

import adjudge
from adjudge.data.judgements.numbers import PredictedNumbers
from adjudge.data.judgements.ratings import Ratings
from adjudge.inference.intervals import jackknife
from adjudge.inference.intervals.jackknife import jackknife_hill
from adjudge.metrics import concordance_correlation, correlation, pearson, spearman
from adjudge.statistics.numbers.pairs import NumberPairs
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.weights import Weights


def _numbers(rows: int = 90, clusters: int = 15) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(4)
    of = np.sort(random.integers(0, clusters, rows)).astype(np.uint64)
    x = random.standard_normal(rows) + 0.5 * of
    return x, x + random.standard_t(3, rows), of


def _vectors(x: np.ndarray, y: np.ndarray, of: np.ndarray | None, case: np.ndarray | None = None) -> RatingVectors:
    values, codes = np.unique(np.concatenate([x, y]), return_inverse=True)
    ratings = Ratings(codes.reshape(2, -1).T, (), ("x", "y"), values, clusters=of)
    return RatingVectors.collect(ratings, Weights(len(x), case))


@pytest.mark.parametrize("weighted", [False, True])
def test_limits_are_those_of_the_same_correlation_from_sums(weighted: bool) -> None:
    x, y, of = _numbers()
    case = np.random.default_rng(1).uniform(0.5, 3, len(x)) if weighted else None
    sums = NumberPairs.collect(PredictedNumbers(x, y, clusters=of), Weights(len(x), case))
    wanted = jackknife_hill(correlation, sums, 0.95)
    found = jackknife_hill(pearson, _vectors(x, y, of, case), 0.95)
    assert wanted is not None
    assert found is not None
    assert np.allclose(found, wanted, rtol=1e-9)


def test_clusters_of_one_row_are_rows() -> None:
    x, y, _ = _numbers()
    alone = jackknife_hill(concordance_correlation, _vectors(x, y, None), 0.95)
    apart = jackknife_hill(concordance_correlation, _vectors(x, y, np.arange(len(x), dtype=np.uint64)), 0.95)
    assert alone is not None
    assert apart is not None
    assert np.allclose(alone, apart)


@pytest.mark.parametrize("metric", [concordance_correlation, pearson, spearman], ids=str)
def test_slopes_tell_of_many_rows_what_leaving_out_does(metric: object, monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = _vectors(*_numbers(4_000, 200))
    exact = jackknife_hill(metric, vectors, 0.95)  # type: ignore[arg-type]
    monkeypatch.setattr(jackknife, "MOST_WEIGHED", 0)
    told = jackknife_hill(metric, vectors, 0.95)  # type: ignore[arg-type]
    assert exact is not None
    assert told is not None
    assert np.allclose(exact, told, atol=0.01 * float(exact[1] - exact[0]))


def test_parts_added_are_the_whole() -> None:
    x, y, of = _numbers()
    first, second = (_vectors(x[part], y[part], of[part]) for part in (slice(0, 40), slice(40, None)))
    whole = _vectors(x, y, of)
    added = first + second
    assert added.rows == whole.rows
    assert float(added.effective_rows) == pytest.approx(float(whole.effective_rows))
    for one in (spearman, concordance_correlation):
        ends = [jackknife_hill(one, vectors, 0.95) for vectors in (added, whole)]
        assert np.allclose(np.array(ends[0]), np.array(ends[1]))


def test_it_stands_first_where_rows_belong_together() -> None:
    x, y, of = _numbers(300, 40)
    found = adjudge.regression(
        {"y": x, "m": y, "c": of},
        reference="y",
        prediction="m",
        cluster="c",
        metrics=["concordance_correlation", "spearman"],
        replicates=100,
    )
    assert [found[name].method for name in ("concordance_correlation", "spearman")] == ["jackknife_hill"] * 2


def test_concordance_of_clusters_with_heavy_tails_holds() -> None:
    """Of 60 samples at least 54, which 1 run in 100 misses where .95 is true; by draws .88 held."""
    design = next(d for d in DEVELOPMENT if d.name == "60 clusters, t3")
    (record,) = simulated(replace(design, metrics=("concordance_correlation",)), 60, 100)
    assert record["coverage"] >= 54 / 60, record
    assert record["intervals"] == 60
