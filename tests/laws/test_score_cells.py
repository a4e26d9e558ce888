"""Scores in cells: the value of all scores lies within what is printed, for every metric that prints a bound."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge import metrics
from adjudge.evaluation.measuring.cell_notes import cell_notes
from adjudge.metrics.base import Direction, metric
from adjudge.report.cubes import cube_of, evaluate_cube
from adjudge.statistics.curves.curve import Curve, Curves
from adjudge.statistics.curves.orders import CellOrders
from adjudge.statistics.curves.scored import Scored
from adjudge.statistics.losses import Losses
from adjudge.statistics.weights import Weights

AT = (0.02, 0.1, 0.5, 0.9, 1.0)
READ = (
    metrics.precision_at_recall,
    metrics.precision_at_volume,
    metrics.recall_at_precision,
    metrics.recall_at_false_positive_rate,
    metrics.false_positive_rate_at_recall,
)
OF_CURVES = (
    metrics.roc_auc,
    metrics.pr_auc,
    metrics.average_precision,
    metrics.max_accuracy,
    *(metrics.calibration_error.using(bins=bins) for bins in (3, 10, 37)),
    *(one.using(at=at) for one in READ for at in AT),
)
OF_LOSSES = (metrics.log_loss, metrics.brier_score)
TABLES = 40


def table(seed: int) -> tuple[Scored, Weights]:
    """Few or many rows, rare or common positives, scores spread out, crowded at an end, or tied; weights or none."""
    random = np.random.default_rng(seed)
    rows = int(random.choice([12, 60, 400, 3_000]))
    positive = random.random(rows) < random.choice([0.03, 0.2, 0.5, 0.9])
    positive[:2] = True, False
    logit = random.normal(size=rows) * random.choice([0.3, 1, 3]) + random.choice([0, 1, 3]) * positive
    score = 1 / (1 + np.exp(-(logit + random.choice([-6, -2, 0, 4]))))
    if seed % 3 == 1:
        score = score.round(int(random.integers(1, 5)))
    if seed % 3 == 2:
        score[random.random(rows) < 0.3] = random.choice([0.1, 0.25, 1 / 3, 0.5])
    case = random.gamma(0.5, 1.0, rows) + 1e-3 if seed % 2 else None
    return Scored(positive, score), Weights(rows, case)


def exact(scored: Scored, weights: Weights) -> dict[type[Any], Any]:
    curve = Curve.collect(scored, weights)
    return {Curves: Curves(("yes",), (curve,)), Losses: Losses.from_curve(curve)}


def in_cells(scored: Scored, weights: Weights, bits: int) -> dict[type[Any], Any]:
    """As a cube keeps them: the cell, and means of score and losses."""
    score, positive = scored.score, scored.positive
    with np.errstate(divide="ignore"):
        surprise = -np.where(positive, np.log(score), np.log1p(-score))
    inside = np.stack([score, surprise, (score - positive) ** 2], axis=1)
    cell = np.floor(score * 2**bits) / 2**bits
    times = Weights.standing_for(np.ones(len(score)))
    curve = Curve.collect(Scored(positive, cell, inside), replace(times, case=weights.case))
    return {Curves: Curves(("yes",), (curve,)), Losses: Losses.from_curve(curve)}


def assert_within(kept: dict[type[Any], Any], whole: dict[type[Any], Any], about: object) -> dict[str, float]:
    """Every value within its printed bound; those that print none are the same."""
    with np.errstate(all="ignore"):
        points = {one: one.values(kept[one.over]) for one in (*OF_CURVES, *OF_LOSSES)}
        notes, bounds = cell_notes(points, kept), {}
        for one, point in points.items():
            said = "".join(notes.get(one, []))
            off = abs(float(np.ravel(point)[0]) - float(np.ravel(one.values(whole[one.over]))[0]))
            if not np.isfinite(off) or "no bound" in said:
                continue
            bound = float(re.findall(r"within ([0-9.e-]+) of", said)[0]) if said else 0.0
            assert off <= bound + 1e-11, (about, one, off, said)
            bounds[repr(one)] = bound
    return bounds


@pytest.mark.parametrize("bits", [4, 8, 12])
def test_cells_of_a_cube(bits: int) -> None:
    """Losses are exact; everything else lies within its bound, which more cells make smaller."""
    for seed in range(TABLES):
        scored, weights = table(seed)
        bounds = assert_within(in_cells(scored, weights, bits), exact(scored, weights), (seed, bits))
        assert bounds.get("brier_score", 0.0) == 0
        assert bounds["roc_auc"] <= 0.5


@pytest.mark.parametrize("most", [40, 200, 1_000])
def test_cells_of_too_many_scores(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond so many distinct scores they are in cells of leading bits: losses have bounds of their own, too."""
    grouped = 0
    for seed in range(TABLES):
        scored, weights = table(seed)
        whole = exact(scored, weights)
        with monkeypatch.context() as few:
            few.setattr("adjudge.statistics.curves.growing.MOST_SCORES", most)
            few.setattr("adjudge.statistics.curves.growing.MOST_CELLS", most)
            kept = exact(scored, weights)
            grouped += kept[Curves].curves[0].level > 0
        assert_within(kept, whole, (seed, most))
    assert grouped >= TABLES // 4


def test_bounds_tell_something() -> None:
    """A bound that is always 1 would hold as well: of common positives in fine cells they are small."""
    random = np.random.default_rng(4)
    positive = random.random(20_000) < 0.4
    score = 1 / (1 + np.exp(-(random.normal(size=20_000) + 2 * positive - 1)))
    kept = in_cells(Scored(positive, score), Weights(20_000), 12)
    bounds = assert_within(kept, exact(Scored(positive, score), Weights(20_000)), "fine")
    assert bounds["roc_auc"] < 2e-4
    assert bounds["pr_auc"] < 5e-4
    assert bounds["average_precision"] < 5e-4
    assert bounds["max_accuracy"] < 1e-3
    assert bounds["calibration_error(bins=10)"] < 3e-3
    assert bounds["recall_at_precision(at=0.9)"] < 5e-3


def test_extremes_by_hand() -> None:
    """One cell of two positives and three negatives after one positive and one negative."""
    curve = Curve.of_points(np.array([0.5, 0.0]), np.array([[1.0, 2.0], [1.0, 3.0]]), np.ones((2, 2)), 7)
    cells = CellOrders(curve)

    def ends(one: Any) -> tuple[float, float]:
        low, high = one.in_cells(cells, one.formula, **one.settings)
        return float(low), float(high)

    assert ends(metrics.roc_auc) == pytest.approx((3 / 12, 10 / 12))
    # Tied before the negatives: 1/1, then 3/4 twice. One by one after them: ∫ x/(x + 1), then ∫ (1 + x)/(1 + x + 4).
    integrals = (1 - np.log(2), 2 - 4 * np.log(7 / 5))
    assert ends(metrics.average_precision) == pytest.approx((sum(integrals) / 3, (1 + 3 / 4 + 3 / 4) / 3))
    # Tied after the negatives: (0 + 1/2) / 2, then (1/5 + 3/7) / 2 twice; one by one before them: 1, ∫ (1 + x)/(2 + x).
    one_by_one = (1 + 2 - np.log(4 / 2)) / 3
    assert ends(metrics.pr_auc) == pytest.approx((((1 / 2) / 2 + (1 / 5 + 3 / 7)) / 3, one_by_one))
    assert ends(metrics.max_accuracy) == pytest.approx((4 / 7, 6 / 7))
    # The second positive is the first with a recall of 0.5: 1.5 of them are enough where rows weigh less than one.
    assert ends(metrics.precision_at_recall.using(at=0.5)) == pytest.approx((1.5 / 5.5, 3 / 4))


def test_several_curves_and_metrics_without_a_bound() -> None:
    """Averages have the average of the bounds; what declares none says that there is none."""
    scored, weights = table(3)
    kept, whole = in_cells(scored, weights, 4), exact(scored, weights)
    curves = Curves(("a", "b"), (kept[Curves].curves[0], whole[Curves].curves[0]))

    @metric(
        over=Curves,
        per="category",
        label="Rows",
        direction=Direction.HIGHER,
        range=(0, np.inf),
        undefined="",
        references=[],
    )
    def rows(curve: Curve) -> Any:
        """How many."""
        return curve.total

    macro = metrics.roc_auc.averaged("macro")
    notes = cell_notes({one: one.values(curves) for one in (metrics.roc_auc, macro, rows)}, {Curves: curves})
    assert notes[metrics.roc_auc][1] == ""
    of_one, of_both = (float(notes[one][0].split("within ")[1].split()[0]) for one in (metrics.roc_auc, macro))
    assert of_one / 2.5 <= of_both <= of_one
    assert notes[rows][0].endswith("cells, no bound on what that changes")
    assert cell_notes({metrics.roc_auc: metrics.roc_auc.values(whole[Curves])}, whole) == {}


def test_notes_of_a_cube() -> None:
    """What is printed beside every row of a cube holds of the rows; what is decided by labels has no such note."""
    scored, _ = table(6)
    rows = {"y": scored.positive.astype(int), "p": scored.score}
    roles: dict[str, Any] = {"reference": "y", "score": "p", "positive": "1", "replicates": 100}
    all_checks = [f"C{number}" for number in range(1, 43)]
    whole = adjudge.evaluate(rows, ok=all_checks, **roles)
    of_cells = evaluate_cube(cube_of(whole, 4), [], replicates=100, ok=all_checks).table
    printed = set()
    for row in of_cells:
        if said := re.findall(r"scores in \d+ cells: within ([0-9.e-]+) of the value of all scores", row.note):
            (value,) = {r.estimate for r in whole.table if r.metric == row.metric and r.category == row.category}
            assert abs(row.estimate - value) <= float(said[0])
            printed.add(row.metric.split("(")[0])
    assert printed == {one.name for one in OF_CURVES}
