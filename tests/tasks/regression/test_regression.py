"""Regression by hand: figures, weights, clusters, slices, several systems, intervals, and what is left out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.tasks.regression.tables import SMALL, estimates, evaluated, part, table_of

import adjudge
from adjudge.errors import AdjudgeError
from adjudge.inference.intervals.closed_form import METHODS
from adjudge.inference.resampling import RESAMPLED

# Errors are 1, 0, 2, −1, −2; the references, 1, 2, 3, 4, 10, have mean 4, median 3 and squared deviations of 50.
BY_HAND = {
    "rmse": math.sqrt(2),
    "baseline_rmse": math.sqrt(10),
    "mean_squared_error": 2.0,
    "baseline_mean_squared_error": 10.0,
    "mean_absolute_error": 1.2,
    "baseline_mean_absolute_error": 2.2,
    "median_absolute_error": 1.0,
    "baseline_median_absolute_error": 1.0,
    "mean_bias_error": 0.0,
    "r_squared": 0.8,
    "explained_variance": 0.8,
    "correlation": 33 / math.sqrt(50 * 26),
    "spearman": 8.5 / math.sqrt(95),
    "concordance_correlation": 66 / 76,
    "mean_absolute_percentage_error": (1 + 2 / 3 + 1 / 4 + 1 / 5) / 5,
    "symmetric_mean_absolute_percentage_error": (2 / 3 + 4 / 8 + 2 / 7 + 4 / 18) / 5,
    "mean_squared_log_error": np.mean((np.log([3, 3, 6, 4, 9]) - np.log([2, 3, 4, 5, 11])) ** 2),
    "max_error": 2.0,
}


def test_figures_by_hand() -> None:
    table = evaluated(SMALL).table
    assert {row.metric for row in table} == set(BY_HAND)
    for row in table:
        assert row.estimate == pytest.approx(BY_HAND[row.metric], abs=1e-12), row
        assert (row.system, row.slice, row.n, row.level) == ("m", "all", 5, 0.95)


def test_the_chi_square_interval_is_that_of_the_handbook() -> None:
    """An RMSE of 4 with ten rows: [2.79487, 7.01973]."""
    table = {"y": [0] * 10, "m": [4, -4] * 5}
    row = evaluated(table, metrics=["rmse"]).get("rmse", method="chi2")
    assert (row.value, row.interval.low, row.interval.high) == pytest.approx((4, 2.79487, 7.01973), rel=1e-5)


def test_the_default_interval_of_every_metric() -> None:
    e = evaluated(table_of(60), lower="low", upper="high")
    methods = {name: e[name].method for name in e.outcome.metrics if name != "max_error"}
    tailed = {name for name, method in methods.items() if method == "rubin_hill"}
    assert {"rmse", "mean_absolute_error", "r_squared"} <= tailed
    others = {name: method for name, method in methods.items() if name not in tailed}
    assert others == {
        "median_absolute_error": "order_statistics",
        "mean_bias_error": "johnson",
        "correlation": "jackknife_hill",
        "spearman": "jackknife_hill",
        "concordance_correlation": "jackknife_hill",
        "interval_coverage": "wilson",
        "interval_width": "none",  # all of the same width
    }
    assert e["max_error"].method == "none"


def test_whole_weights_are_repeated_rows() -> None:
    table = table_of(240)
    times = np.random.default_rng(2).integers(0, 4, 240)
    repeated = {
        name: [v for v, n in zip(values, times, strict=True) for _ in range(n)] for name, values in table.items()
    }
    given = {"prediction": ["m", "other"], "slices": ["place"], "lower": ["low"] * 2, "upper": ["high"] * 2}
    weighted = estimates(evaluated(table | {"w": times.tolist()}, weight="w", **given))
    plain = estimates(evaluated(repeated, **given))
    assert len(plain) > 200
    for key, value in plain.items():
        assert weighted[key] == pytest.approx(value, rel=1e-9, abs=1e-9), key


@pytest.mark.parametrize("unit", [1e-3, 3, 1e6])
def test_only_ratios_of_weights_matter(unit: float) -> None:
    table = table_of(80)
    scaled = table | {"w": [weight * unit for weight in table["w"]]}
    rows = zip(evaluated(table, weight="w").table, evaluated(scaled, weight="w").table, strict=True)
    for mine, other in rows:
        ours, theirs = ((row.estimate, row.low, row.high) for row in (mine, other))
        assert ours == pytest.approx(theirs, rel=1e-9, nan_ok=True), mine


def test_a_slice_is_an_evaluation_of_its_rows() -> None:
    table = table_of(240)
    in_slices = estimates(evaluated(table, prediction=["m", "other"], slices=["place"]))
    for place in ("here", "there", "elsewhere"):
        rows = part(table, [where == place for where in table["place"]])
        for (system, _, metric, method), value in estimates(evaluated(rows, prediction=["m", "other"])).items():
            found = in_slices[system, f"place = {place}", metric, method]
            assert found == pytest.approx(value, rel=1e-9, abs=1e-12), (metric, place)


def test_several_systems_are_each_measured_on_the_same_rows() -> None:
    table = table_of(100)
    table["other"][7] = None
    both = evaluated(table, prediction=["m", "other"])
    complete = part(table, [value is not None for value in table["other"]])
    for name in ("m", "other"):
        alone = evaluated(complete, prediction=name)
        ours, theirs = (
            [row for row in table if row.system == name and row.method != "bootstrap"]  # drawn by rows, to be paired
            for table in (both.table.estimates, alone.table)
        )
        assert repr(ours) == repr(theirs)
    assert both.left_out == {'prediction "other" is missing': 1}


def test_systems_by_name() -> None:
    table = table_of(60)
    systems = {"new": {"prediction": "m", "lower": "low", "upper": "high"}, "old": "other"}
    e = evaluated(table, prediction=None, systems=systems)
    assert e.outcome.systems == ["new", "old"]
    assert e.get("rmse", system="old").value == evaluated(table, prediction="other")["rmse"].value
    assert e.get("interval_width", system="new").value == pytest.approx(3)
    row = e.table.find("interval_width", system="old")
    assert math.isnan(row.estimate)
    assert row.note == "undefined: no row has a lower and an upper bound"
    assert e.outcome.data.roles == {"reference": "y", "prediction": "m, other", "lower": "low", "upper": "high"}


def test_rows_of_a_cluster_are_drawn_together() -> None:
    """Every row three times, as a cluster of three, is no more evidence than every row once."""
    table = part(table_of(400), [True] * 400)
    once = {name: table[name] for name in ("y", "m")}
    thrice = {name: [v for v in values for _ in range(3)] for name, values in once.items()}
    thrice["unit"] = [str(row // 3) for row in range(1_200)]

    def width(rows: dict[str, list[Any]], metric: str, **more: Any) -> float:
        row = evaluated(rows, replicates=2_000, metrics=[metric], **more).table.find(metric, method="bootstrap")
        return row.high - row.low

    for metric in ("rmse", "mean_bias_error", "median_absolute_error", "spearman"):
        assert width(thrice, metric, cluster="unit") / width(once, metric) == pytest.approx(1, abs=0.15), metric
        assert width(thrice, metric) / width(once, metric) == pytest.approx(1 / math.sqrt(3), abs=0.1), metric


def test_clusters_leave_out_what_takes_rows_as_independent() -> None:
    e = evaluated(table_of(90), cluster="person", lower="low", upper="high")
    taken = {row.method for row in e.table} - {"baseline"}
    assert taken == {"bootstrap", "none", "johnson", "student", "jackknife_hill"}
    assert all(name in RESAMPLED or name == "none" or METHODS[name].by_units for name in taken)
    assert e.outcome.settings.draws == "poisson weights by cluster"
    for panel in e.outcome.panels.lines:
        assert all(not series.low and not series.high for series in panel.series), panel.title
        assert "Student" not in panel.note
        assert "band" not in panel.note


def test_what_is_left_out_is_counted_with_its_reason() -> None:
    table = {
        "y": [1, None, "n/a", float("inf"), 5, 6, 7, 8, 9, 10, 1e60],
        "m": [1, 2, 3, 4, None, "x", "-inf", 8, 9, 11, 3],
        "w": [1, 1, 1, 1, 1, 1, 1, None, 1, 1, 1],
        "who": [*"abcdefgh", None, "i", "j"],
    }
    e = evaluated(table, weight="w", cluster="who")
    assert e.left_out == {
        'cluster "who" is missing': 1,
        'prediction "m" is infinite': 1,
        'prediction "m" is missing': 1,
        'prediction "m" is not a number': 1,
        'reference "y" is beyond 1e+50': 1,
        'reference "y" is infinite': 1,
        'reference "y" is missing': 1,
        'reference "y" is not a number': 1,
        'weight "w" is missing': 1,
    }
    assert (e.outcome.data.rows, e.outcome.data.used) == (11, 2)


BOUNDS = {"low": [0, 3, None, "x", 12, 1], "high": [2, 3, 9, 4, 8, float("inf")]}


def test_prediction_intervals_that_are_missing_or_the_wrong_way_round() -> None:
    """Two rows of six have one; the first holds its reference, the second, of no width, does not."""
    table = {"y": [1, 2, 3, 4, 10, 3], "m": [2, 2, 5, 3, 8, 3], **BOUNDS}
    e = evaluated(table, lower="low", upper="high")
    for name, value in (("interval_coverage", 0.5), ("interval_width", 1.0)):
        row = e.table.find(name)
        assert (row.estimate, row.n) == (value, 2)
        assert row.note.endswith("2 of 6 rows have a prediction interval")
    assert e["rmse"].n == 6, "their rows stay"
    assert e.left_out == {}
    (unused,) = e.outcome.panels.tables
    assert unused.title == "Prediction intervals that were not used"
    assert dict(unused.rows) == {
        'lower "low" is missing': 1,
        'lower "low" is not a number': 1,
        'lower "low" lies above upper "high"': 1,
        'upper "high" is infinite': 1,
    }


def test_prediction_intervals_under_weights() -> None:
    table = {"y": [1, 2, 3, 4, 10, 3], "m": [2, 2, 5, 3, 8, 3], **BOUNDS, "w": [3, 1, 4, 4, 4, 0]}
    row = evaluated(table, lower="low", upper="high", weight="w").table.find("interval_coverage")
    assert row.estimate == 0.75
    assert row.note.endswith("rows with a prediction interval have 25.0 % of the weight")


def test_quantile_adds_its_pinball_loss() -> None:
    """Too low by 1 and 2 costs .9 each, too high by 1 and 2 costs .1."""
    e = evaluated(SMALL, quantile=0.9)
    assert e["pinball_loss(quantile=0.9)"].value == pytest.approx((0.9 * 3 + 0.1 * 3) / 5)
    loss = e.table.find("baseline_pinball_loss(quantile=0.9)").estimate
    best = min(
        np.mean(np.maximum(0.9 * (y - c), 0.1 * (c - y))) for c in (1, 2, 3, 4, 10) for y in [np.array(SMALL["y"])]
    )
    assert loss == pytest.approx(best)
    assert "pinball_loss(quantile=0.9)" not in {row.metric for row in evaluated(SMALL).table}


def test_named_metrics_only_also_of_ones_own() -> None:
    def within(reference: Any, prediction: Any, *, most: float = 1.0) -> float:
        return float(np.mean(np.abs(np.asarray(prediction) - reference) <= most))

    own = adjudge.metric(within, direction="higher", range=(0, 1), best=1)
    e = evaluated(SMALL, metrics=["rmse", own, own.using(most=2)])
    assert {row.metric for row in e.table} == {"rmse", "baseline_rmse", "within", "within(most=2)"}
    assert (e["within"].value, e["within(most=2)"].value) == (0.6, 1.0)


def test_the_function_and_evaluate_are_one() -> None:
    given = {"reference": "y", "prediction": "m", "replicates": 100}
    assert repr(adjudge.regression(SMALL, **given).table) == repr(adjudge.evaluate(SMALL, "regression", **given).table)


DEGENERATE: dict[str, tuple[dict[str, list[Any]], set[str]]] = {
    "a constant reference": (
        {"y": [2] * 6, "m": [1, 2, 3, 4, 5, 2.5]},
        {"r_squared", "explained_variance", "correlation", "spearman"},
    ),
    "a constant prediction": ({"y": [1, 2, 3, 4, 5, 2.5], "m": [2] * 6}, {"correlation", "spearman"}),
    "two constants": (
        {"y": [2] * 6, "m": [2] * 6},
        {"r_squared", "explained_variance", "correlation", "spearman", "concordance_correlation"},
    ),
    "perfect": ({"y": [1, 2, 3, 4], "m": [1, 2, 3, 4]}, set()),
    "one row": ({"y": [1], "m": [2]}, {"r_squared", "explained_variance", "correlation", "spearman"}),
    "one row of a slice": ({"y": [1, 2, 3], "m": [1, 2, 4], "part": ["a", "a", "b"]}, set()),
    "a slice without weight": ({"y": [1, 2, 3], "m": [1, 2, 4], "part": ["a", "a", "b"], "w": [1, 1, 0]}, set()),
    "one row with a weight": (
        {"y": [1, 2, 3], "m": [1, 3, 4], "w": [0, 1, 0]},
        {"r_squared", "explained_variance", "correlation", "spearman"},
    ),
    "zeros and negatives": (
        {"y": [0, -2, 3, 4], "m": [1, -3, 3, 5]},
        {"mean_absolute_percentage_error", "mean_squared_log_error"},
    ),
    "large": ({"y": [9e49, -9e49, 1, 2], "m": [-9e49, 9e49, 1, 3]}, {"mean_squared_log_error"}),
    "small": (
        {"y": [1e-320, 2e-320, 0, 4e-310], "m": [0, 0, 0, 1e-300]},
        {"r_squared", "explained_variance", "correlation", "mean_absolute_percentage_error", "concordance_correlation"},
    ),
    "far from zero": (
        {"y": [1e15 + k for k in range(6)], "m": [1e15 + k + 0.5 for k in range(6)]},
        {"r_squared", "explained_variance", "correlation"},
    ),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kind", ["percentile", "bca", "bayesian"])
@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_tables_say_what_is_undefined(name: str, kind: str, tmp_path: Any) -> None:
    table, undefined = DEGENERATE[name]
    more = {"slices": ["part"]} if "part" in table else {}
    more |= {"weight": "w"} if "w" in table else {}
    e = evaluated(table, bootstrap=kind, **more)
    found = {row.metric for row in e.table if row.slice == "all" and math.isnan(row.estimate)}
    assert found == undefined
    for row in e.table:
        if math.isnan(row.estimate) and row.method != "baseline":
            assert row.note.startswith("undefined: "), row
            assert (row.method, math.isnan(row.low), math.isnan(row.high)) == ("none", True, True)
        assert row.low != row.high, row
        if math.isnan(row.low) and row.method not in ("none", "baseline"):
            assert "no interval" in row.note, row
    assert e.report(tmp_path / "report.html").stat().st_size > 10_000
    again = adjudge.load(e.save(tmp_path / "saved.json"))
    assert repr(again.outcome.panels) == repr(e.outcome.panels)


@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_an_empty_table_is_refused(engine: str) -> None:
    with pytest.raises(AdjudgeError, match="must have rows"):
        evaluated({"y": [], "m": []}, engine=engine)


def test_regions_meet_and_are_held_against_a_limit() -> None:
    """Counted over by hand: the rows above an edge, and their mean error."""
    reference = np.arange(1.0, 401.0)
    table = {"y": reference, "m": reference + np.where(reference > 300, -6.0, 0.5) + np.tile([-1.0, 1.0], 200)}
    answer = adjudge.regression(table, reference="y", prediction="m", limits={"bias": 2}, replicates=100).summary.answer
    assert answer is not None
    regions = next(block for block in answer.blocks if block.kind == "forest")
    rows = {row.name: row for row in [*regions.rows, *regions.more]}
    edges = [name.split() for name in rows]
    starts = {float(words[1]) for words in edges if words[0] in ("above", "from")}
    ends = {float(words[-1]) for words in edges if words[0] in ("below", "from")}
    assert starts == ends, "no gap between regions"
    top = max(rows, key=lambda name: (name.startswith("above"), name))
    above = table["m"] > float(top.split()[1])
    assert int(rows[top].texts[0].replace(",", "")) == pytest.approx(above.sum(), abs=1), (
        "the edge is shown with three digits"
    )
    assert rows[top].estimate == pytest.approx(float((table["m"] - reference)[above].mean()), abs=0.2)
    assert rows[top].mark == "beyond"
    assert regions.limits == [-2.0, 2.0]
    assert all(row.mark == "within" for name, row in rows.items() if name != top)
    with pytest.raises(adjudge.errors.AdjudgeError, match="`limits` must be for bias"):
        adjudge.regression(table, reference="y", prediction="m", limits=["smd=1"], replicates=100)
