"""Laws of linear and score sums: parts equal the whole, order does not matter, draws are those of the bootstrap."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.data.judgements.responses import Responses
from adjudge.data.keys import keys_of_rows
from adjudge.errors import SettingError
from adjudge.metrics import regression, scoring
from adjudge.metrics.base import Metric
from adjudge.statistics import linear_sums
from adjudge.statistics.base import steady_product
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.scores.features import ScalePoints
from adjudge.statistics.scores.sums import ScoreSums
from adjudge.statistics.scores.totals import ScorePilot, ScoreTotals
from adjudge.statistics.weights import Weights

REPEATABLE = settings(max_examples=30, deadline=None, derandomize=True)
METRICS = [value for value in vars(scoring).values() if isinstance(value, Metric)]
METRICS += [scoring.degradation.using(of="kappa"), scoring.degradation.using(of="kappa", rows="double")]
CLOSE = {"rel": 1e-9, "abs": 1e-9, "nan_ok": True}
NAMES = ("one", "x", "y")


def values_of(seed: int, rows: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    return np.column_stack([np.ones(rows), random.normal(3, 1, rows), random.integers(1, 6, rows)])


def sums_of(values: np.ndarray, weights: np.ndarray | None = None, keys: np.ndarray | None = None) -> LinearSums:
    return LinearSums.collect(NAMES, values, Weights(len(values), weights), keys)


def scores_of(seed: int, rows: int, raters: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Ratings with gaps and a system's scores; the first rater scores everything."""
    random = np.random.default_rng(seed)
    truth = random.normal(3.5, 1, rows)
    ratings = np.rint(truth[:, None] + random.normal(0, 0.6, (rows, raters)))
    ratings[:, 1:][random.random((rows, raters - 1)) < 0.4] = np.nan
    return ratings, truth + random.normal(0, 0.4, rows)


@REPEATABLE
@given(st.integers(0, 999), st.integers(0, 40), st.integers(0, 40))
def test_two_parts_added_equal_the_whole(seed: int, first: int, second: int) -> None:
    values = values_of(seed, first + second)
    whole, both = sums_of(values), sums_of(values[:first]) + sums_of(values[first:])
    assert both.totals == pytest.approx(whole.totals)
    assert both.products == pytest.approx(whole.products)
    assert (both.rows, both.units) == (whole.rows, whole.units)
    assert both.kept == pytest.approx(whole.kept)


def test_units_are_kept_by_the_size_of_the_whole(monkeypatch) -> None:
    monkeypatch.setattr(linear_sums, "MOST_KEPT", 10)
    values = values_of(1, 12)
    assert sums_of(values[:6]).kept is not None
    assert (sums_of(values[:6]) + sums_of(values[6:])).kept is None
    assert sums_of(values).kept is None


@REPEATABLE
@given(st.integers(0, 999), st.integers(1, 30))
def test_integer_weights_are_repeated_rows(seed: int, rows: int) -> None:
    values = values_of(seed, rows)
    times = np.random.default_rng(seed).integers(0, 4, rows)
    repeated = sums_of(np.repeat(values, times, axis=0))
    assert sums_of(values, times.astype(float)).totals == pytest.approx(repeated.totals)


@REPEATABLE
@given(st.integers(0, 999), st.integers(1, 60))
def test_the_order_of_rows_changes_no_replicate(seed: int, rows: int) -> None:
    values = values_of(seed, rows)
    mixed = values[np.random.default_rng(seed).permutation(rows)]
    a, b = (sums_of(v).resampled("multinomial", 20, 7, "order").totals for v in (values, mixed))
    assert a == pytest.approx(b)


@pytest.mark.parametrize("kind", ["multinomial", "poisson", "bayesian"])
@pytest.mark.parametrize("clustered", [False, True])
def test_normal_draws_have_the_mean_and_covariance_of_the_bootstrap(kind: str, clustered: bool) -> None:
    values = values_of(3, 400)
    keys = keys_of_rows(0, 400)[np.arange(400) // 3] if clustered else None
    kept = sums_of(values, keys=keys)
    exact = kept.resampled(kind, 20_000, 7, "exact").totals
    normal = replace(kept, kept=None).resampled(kind, 20_000, 7, "normal").totals
    scale = np.sqrt(np.diag(kept.products))
    assert exact.mean(0) / scale == pytest.approx(normal.mean(0) / scale, abs=0.03)
    assert np.cov(exact.T) / np.outer(scale, scale) == pytest.approx(
        np.cov(normal.T) / np.outer(scale, scale), abs=0.03
    )


def test_clusters_are_drawn_whole() -> None:
    values = values_of(4, 6)
    drawn = sums_of(values, keys=keys_of_rows(0, 2)[np.array([0, 0, 0, 1, 1, 1])])
    ones = drawn.resampled("multinomial", 200, 7, "clusters").totals[:, 0]
    assert drawn.units == 2
    assert set(ones) == {6.0}


def test_leaving_out_one_unit_at_a_time() -> None:
    values = values_of(5, 8)
    left, times = sums_of(values).without_one()
    assert left.totals[3] == pytest.approx(np.delete(values, 3, axis=0).sum(0))
    assert times.tolist() == [1.0] * 8
    still, times = replace(sums_of(values), kept=None).without_one()
    assert still.totals == pytest.approx(values.sum(0)[None])


def test_the_other_units_are_what_is_left() -> None:
    values = values_of(6, 30)
    rest = sums_of(values).only(("one", "y")).without(sums_of(values[:10]).only(("one", "y")))
    assert rest.totals == pytest.approx(values[10:, [0, 2]].sum(0))
    assert (rest.rows, rest.kept) == (20, None)


def test_sums_of_different_values_do_not_add() -> None:
    with pytest.raises(SettingError, match="same values"):
        sums_of(values_of(1, 3)) + LinearSums.collect(("a",), np.ones((2, 1)), Weights(2))


@pytest.mark.parametrize("metric", METRICS, ids=repr)
@settings(max_examples=8, deadline=None, derandomize=True)
@given(data=st.data())
def test_metrics_of_parts_added_and_of_weights_and_of_stacks(metric: Metric, data) -> None:
    rows, seed = data.draw(st.integers(4, 40)), data.draw(st.integers(0, 999))
    ratings, system = scores_of(seed, rows)
    system = np.rint(system) if metric.settings.get("of") == "kappa" else system
    cut = data.draw(st.integers(1, rows - 1))
    whole = ScoreSums.of_arrays(ratings, system)
    parts = ScoreSums.of_arrays(ratings[:cut], system[:cut]) + ScoreSums.of_arrays(ratings[cut:], system[cut:])
    assert metric.values(parts) == pytest.approx(metric.values(whole), **CLOSE)
    times = np.random.default_rng(seed).integers(0, 3, (rows, 4)).astype(float)
    times[0] += 1
    stack = metric.values(ScoreSums.of_scores(ratings, system, Weights(rows, draws=times)))
    for place, drawn in enumerate(times.T):
        again = np.repeat(np.arange(rows), drawn.astype(int))
        alone = metric.values(ScoreSums.of_arrays(ratings[again], system[again]))
        assert stack[place] == pytest.approx(alone, **CLOSE)
        weighted = metric.values(ScoreSums.of_scores(ratings, system, Weights(rows, drawn)))
        assert weighted == pytest.approx(alone, **CLOSE)


def test_systems_summed_together_are_the_systems_alone() -> None:
    ratings, system = scores_of(8, 50)
    points = ScalePoints(frozenset("ab"))
    responses = Responses(ratings, {"a": system, "b": system * 2 + 1})
    totals = ScoreTotals.collect(responses, Weights(50), ScorePilot.of(responses, points))
    for name, scores in (("a", system), ("b", system * 2 + 1)):
        together, alone = ScoreSums(totals, name), ScoreSums.of_arrays(ratings, scores)
        for metric in METRICS:
            assert metric.values(together) == pytest.approx(metric.values(alone), **CLOSE)


def test_scores_of_too_many_values_are_not_compared_as_categories() -> None:
    ratings = np.repeat(np.arange(40.0), 2).reshape(40, 2)
    system = np.arange(40.0) + 0.5  # 80 values on both sides
    kappa = scoring.degradation.using(of="kappa")
    assert np.isnan(kappa.values(ScoreSums.of_arrays(ratings, system)))
    parts = [ScoreSums.of_arrays(ratings[rows], system[rows]) for rows in (slice(20), slice(20, 40))]
    assert np.isfinite(kappa.values(parts[0]))
    assert np.isnan(kappa.values(parts[0] + parts[1]))


def test_numbers_far_from_zero_lose_no_digits() -> None:
    ratings, system = scores_of(9, 60)
    near, far = ScoreSums.of_arrays(ratings, system), ScoreSums.of_arrays(ratings + 1e7, system + 1e7)
    for metric in (scoring.quadratic_weighted_kappa, scoring.prmse, scoring.standardized_mean_difference):
        assert metric.values(far) == pytest.approx(metric.values(near), rel=1e-6)
    for metric in (regression.correlation, regression.rmse):
        assert metric.values(far.numbers) == pytest.approx(metric.values(near.numbers), rel=1e-6)


@pytest.mark.parametrize("shape", [(0, 3, 2), (5, 0, 2), (7, 3, 2), (40, 9_000, 30), (300, 400, 900)])
def test_products_in_blocks_are_products(shape: tuple[int, int, int]) -> None:
    rows, inner, columns = shape
    random = np.random.default_rng(6)
    left, right = random.random((rows, inner)), random.random((inner, columns))
    assert steady_product(left, right) == pytest.approx(left @ right, rel=1e-12)
