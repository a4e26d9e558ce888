"""Uplift by hand: the curve, arms, weights, clusters, slices, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.golden.list_rows import CASES

import adjudge
from adjudge.errors import AdjudgeError
from adjudge.metrics import qini, uplift_auc
from adjudge.statistics import uplift_cells
from adjudge.statistics.uplift_cells import UpliftCells

GIVEN, EXPECTED = CASES["uplift_ties"]["input"], CASES["uplift_ties"]["expect"]
SMALL = {"y": GIVEN["outcome"], "m": GIVEN["score"], "t": GIVEN["treatment"]}


def evaluated(table: Any, **given: Any) -> adjudge.Evaluation:
    settings = {"outcome": "y", "treatment": "t", "score": "m", "replicates": 100} | given
    return adjudge.evaluate(table, "uplift", **{k: v for k, v in settings.items() if v is not None})


def table_of(rows: int = 300, seed: int = 1) -> dict[str, list[Any]]:
    """A trial in which a high score is helped, outcomes that are numbers, and scores that tie."""
    random = np.random.default_rng(seed)
    score, arm = random.normal(size=rows).round(1), random.integers(0, 2, rows)
    return {
        "y": (score * arm + random.normal(size=rows)).tolist(),
        "m": score.tolist(),
        "other": random.normal(size=rows).tolist(),
        "t": [("control", "pill")[k] for k in arm],
        "w": random.integers(0, 4, rows).tolist(),
        "place": random.choice(["here", "there"], rows).tolist(),
    }


def test_figures_by_hand() -> None:
    table = evaluated(SMALL).table
    expected = {
        "qini": EXPECTED["qini"],
        "baseline_qini": 0.0,
        "uplift_auc": EXPECTED["auuc"],
        "baseline_uplift_auc": EXPECTED["net_lift"] / 2,
    }
    assert {row.metric: row.estimate for row in table} == pytest.approx(expected)
    cells = UpliftCells.of_arrays(GIVEN["outcome"], GIVEN["score"], treatment=GIVEN["treatment"])
    assert cells.curve[0].tolist() == pytest.approx(EXPECTED["curve_share"])
    assert cells.curve[1].tolist() == pytest.approx(EXPECTED["curve_lift"])


def test_tied_scores_are_worth_their_mean_over_orders() -> None:
    random = np.random.default_rng(1)
    score = np.array(GIVEN["score"])
    found = [
        uplift_auc(GIVEN["outcome"], score + random.uniform(0, 0.01, len(score)), treatment=GIVEN["treatment"])
        for _ in range(2_000)
    ]
    assert np.mean(found) == pytest.approx(EXPECTED["auuc"], abs=4 * np.std(found) / math.sqrt(len(found)))


def test_the_control_arm_is_named_never_guessed_by_frequency() -> None:
    for arms in (("control", "pill"), ("Control", "a"), ("0", "1"), ("False", "True"), (False, True)):
        table = SMALL | {"t": [arms[k] for k in GIVEN["treatment"]]}
        assert evaluated(table)["qini"].value == pytest.approx(EXPECTED["qini"])
    table = SMALL | {"t": [("a", "b")[k] for k in GIVEN["treatment"]]}
    assert evaluated(table, control="a")["qini"].value == pytest.approx(EXPECTED["qini"])
    turned = evaluated(table, control="b")["uplift_auc"].value
    assert turned == pytest.approx(-EXPECTED["auuc"])
    with pytest.raises(AdjudgeError, match="`control` must say which arm is not treated"):
        evaluated(table)
    with pytest.raises(AdjudgeError, match="must have two values, one of them the control arm"):
        evaluated(SMALL | {"t": ["control", "a", "b"] * 4})
    with pytest.raises(AdjudgeError, match="must have two values, treated and not"):
        evaluated(SMALL | {"t": [1] * 12})
    with pytest.raises(AdjudgeError, match='`control` must be one of "0", "1", not "2"'):
        evaluated(SMALL, control=2)


def test_whole_weights_are_repeated_rows() -> None:
    table = table_of()
    repeated = {name: np.repeat(np.array(values, dtype=object), table["w"]).tolist() for name, values in table.items()}
    weighted, plain = evaluated(table, weight="w"), evaluated(repeated)
    for metric in ("qini", "uplift_auc"):
        assert weighted[metric].value == pytest.approx(plain[metric].value)


def test_a_slice_is_an_evaluation_of_its_rows() -> None:
    table = table_of()
    sliced = evaluated(table, slices=["place"], score=["m", "other"])
    here = [k for k, place in enumerate(table["place"]) if place == "here"]
    alone = evaluated({name: [values[k] for k in here] for name, values in table.items()}, score=["m", "other"])
    for row in alone.table:
        found = sliced.table.find(row.metric, system=row.system, slice="place = here", method=row.method)
        assert found.estimate == pytest.approx(row.estimate)


def test_few_rows_in_an_arm_have_no_interval() -> None:
    row = evaluated(SMALL)["qini"]
    assert math.isnan(row.interval.low)
    assert row.note == "an arm has fewer than 10 rows: no interval would hold"
    assert [row.method for row in evaluated(SMALL).table if row.metric == "qini"] == ["none"]
    assert not evaluated(SMALL).outcome.panels.lines[0].series[0].low


def test_intervals_are_about_as_wide_as_the_estimate_varies() -> None:
    found = [evaluated(table_of(200, seed), replicates=200)["qini"] for seed in range(40)]
    widths = np.mean([e.interval.high - e.interval.low for e in found])
    assert widths / (2 * 1.98 * np.std([e.value for e in found], ddof=1)) == pytest.approx(1, abs=0.3)
    assert {e.method for e in found} == {"jackknife_hill"}


def test_arms_may_be_fixed_in_advance() -> None:
    """Draws then keep the sizes of the arms; the value is the same, and a wide difference of arms tells."""
    table = table_of(200)
    drawn, fixed = evaluated(table, replicates=500), evaluated(table, replicates=500, strata="arm")
    for metric in ("qini", "uplift_auc"):
        assert fixed[metric].value == drawn[metric].value
        assert fixed[metric].interval != drawn[metric].interval
    cells = UpliftCells.of_arrays(table["y"], table["m"], treatment=table["t"], control="control")
    draws = cells.with_fixed_arms().resampled("bayesian", 50, 1, "arms")
    assert draws.curve[0][:, -1] == pytest.approx(1)
    at_treated = np.cumsum(draws.counts * draws.treated, axis=-1)[:, -1]
    assert np.ptp(at_treated) > 0  # counts vary, the share of the arm in the curve does not
    share = (draws.counts[:, draws.treated].sum(1), draws.arms)
    assert share[1] == (float(cells.arm_weights[0]), float(cells.arm_weights[1]))
    with pytest.raises(AdjudgeError, match='`strata` must be "arm"'):
        evaluated(table, strata="region")


def test_rows_of_a_cluster_are_drawn_together() -> None:
    once = {name: values for name, values in table_of(400).items() if name in "ymt"}
    thrice = {name: values * 3 for name, values in once.items()} | {"unit": [str(k % 400) for k in range(1_200)]}

    def width(table: dict[str, list[Any]], **more: Any) -> float:
        interval = evaluated(table, replicates=1_000, **more)["qini"].interval
        return interval.high - interval.low

    assert width(thrice, cluster="unit") / width(once) == pytest.approx(1, abs=0.15)
    assert width(thrice) / width(once) == pytest.approx(1 / math.sqrt(3), abs=0.1)


def test_draws_in_few_cells_are_like_those_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(4_000)
    table["m"] = (np.array(table["m"]) + np.random.default_rng(3).normal(size=4_000) / 20).tolist()
    fine = evaluated(table, replicates=1_000)["qini"].interval
    monkeypatch.setattr(uplift_cells, "MOST_CELLS", 1_000)
    coarse = evaluated(table, replicates=1_000)["qini"].interval
    width = fine.high - fine.low
    assert (coarse.low, coarse.high) == pytest.approx((fine.low, fine.high), abs=0.1 * width)


def test_the_band_holds_the_line_and_ends_at_the_mean_effect() -> None:
    e = evaluated(table_of(), score=["m", "other"])
    [panel] = e.outcome.panels.lines
    assert [series.name for series in panel.series] == ["m", "other", "at random"]
    for series in panel.series[:2]:
        assert all(low <= y <= high for low, y, high in zip(series.low, series.y, series.high, strict=True))
        assert series.y[-1] == pytest.approx(panel.series[2].y[-1])
    assert e.outcome.settings.choices == {"Control arm": "control", "Treated arm": "pill"}


def test_arrays_are_checked() -> None:
    with pytest.raises(AdjudgeError, match="which says who was treated"):
        qini([1, 0], [1, 2])
    with pytest.raises(AdjudgeError, match="`treatment` must be as long"):
        qini([1, 0], [1, 2], treatment=[1])


def test_an_area_is_held_against_its_own_baseline_not_against_0() -> None:
    """A score that knows nothing has half the mean effect as its area, far above 0 where treating helps all."""
    table = table_of(600)
    table["y"] = [float(row % 3) + 2.0 * (arm == "pill") for row, arm in enumerate(table["t"])]
    found = evaluated(table, score="other", metrics=["uplift_auc"])
    assert found["uplift_auc"].interval.low > 0
    said = found.summary.answer
    assert said.headline.startswith("other is not shown to be better than treating at random: area under the uplift")
    assert not said.headline.endswith("against 0.")
    assert not said.findings


def test_every_score_stands_on_the_first_screen() -> None:
    said = evaluated(table_of(), score=["m", "other"], slices=["place"]).summary.answer
    assert [(one.word, one.text.partition(":")[0]) for one in said.findings] == [("other", "other")]
    whose, slices = (block.title for block in said.blocks)
    assert (whose, slices) == ("what treating the highest scores of m first gains", "slices, lowest first")
    with pytest.raises(AdjudgeError, match="holds systems against each other, but uplift does not"):
        adjudge.compare(table_of(), task="uplift", outcome="y", treatment="t", score=["m", "other"], replicates=100)
