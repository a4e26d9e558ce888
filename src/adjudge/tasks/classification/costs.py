"""What decisions cost: the setting, the curves by threshold, and the cheapest threshold with its doubt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from adjudge.errors import SettingError, did_you_mean, literal, quoted
from adjudge.evaluation.answers.screen import Remark, SpokenNumber
from adjudge.evaluation.asking.settings import named_numbers
from adjudge.evaluation.measuring.rows import Measured
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.panels import Cell, LinesPanel, Panels, Series, TablePanel, finite
from adjudge.inference.intervals.decision_costs import (
    Chosen,
    UnitCounts,
    chosen_threshold,
    cost_curve,
    cost_difference,
    worth_of_benefit,
    worth_of_errors,
    worth_with_limits,
)
from adjudge.inference.resampling import Replicates
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.curves.curve import Curve, Curves

COST, BENEFIT, CURVE = "Expected cost by threshold", "Decision curve", "Cost curve"
CHEAPEST, BETWEEN = "The cheapest threshold", "Differences in cost"
ERRORS = {"fp": "a false positive", "fn": "a false negative"}
EXAMPLE = "Give both, such as fp=1 fn=5."
POINTS = 150
MOST_DRAWN = 1_000
CUTS = np.arange(1, 100) / 100
SHARES = np.linspace(0, 1, 51)


@dataclass(frozen=True)
class Priced:
    """A system's scores: the curve, as it is and in the cells of its replicates, and how it decides now."""

    system: str
    curve: Curve
    cells: Curve
    draws: Curve
    units: UnitCounts
    cut: float
    source: tuple[object, ...] | None  # of what was drawn: equal ones are paired

    @property
    def flat(self) -> bool:
        """Whether nothing can be chosen."""
        return not self.curve.rows or not float(self.curve.total) > 0


def costs_of(given: Mapping[str, object] | Iterable[str] | None) -> tuple[float, float] | None:
    """What a false positive and a false negative cost: {"fp": 1, "fn": 5}, or ["fp=1", "fn=5"].

    >>> costs_of({"fp": 1, "fn": 5})
    (1.0, 5.0)
    """
    if given is None:
        return None
    numbers = named_numbers("costs", given)
    for name, value in numbers.items():
        if name not in ERRORS:
            near = did_you_mean(name, list(ERRORS))
            raise SettingError(f"`costs` must be for fp and fn, not for {quoted(name)}. {near}")
        if value <= 0:
            raise SettingError(f"`costs` must be above 0, but {name} is {literal(value)}.")
    for name, words in ERRORS.items():
        if name not in numbers:
            raise SettingError(f"`costs` must say what {words} costs, but there is no {name}. {EXAMPLE}")
    return numbers["fp"], numbers["fn"]


def with_costs(
    panels: Panels, whole: Sequence[Measured], costs: tuple[float, float], cuts: Mapping[str, float], level: float
) -> Panels:
    """The panels, and what decisions of each lone score cost."""
    priced = [one for m in whole if (one := _priced(m, cuts[m.system])) is not None and not one.flat]
    chosen = [chosen_threshold(one.cells, one.draws, costs, one.units, level) for one in priced]
    lines = [_cost_panel(priced, costs, level), *_benefit_panels(priced, level)]
    lines += [_curve_panel(priced, costs, level)] if priced else []
    tables = [_cheapest(priced, chosen, costs), *_differences(priced, chosen, costs, level)]
    return replace(panels, lines=[*panels.lines, *lines], tables=[*tables, *panels.tables]) if priced else panels


def _priced(measured: Measured, cut: float) -> Priced | None:
    """The lone score of a system with its replicates, where it has both."""
    if Curves not in measured.statistics or len(measured.statistics[Curves].curves) != 1:
        return None
    (curve,) = measured.statistics[Curves].curves
    for replicates in measured.bootstrap:
        if Curves in replicates.base:
            (cells,) = replicates.base[Curves].curves
            draws = _replicated_curve(replicates)
            rows, unit_draws = float(curve.effective_rows), replicates.units_of(Curves)
            together = measured.clustered and unit_draws is not None
            units = UnitCounts(float(unit_draws or rows) if together else rows, rows, draws if together else None)
            return Priced(measured.system, curve, cells, draws, units, cut, replicates.source)
    return None


def _replicated_curve(replicates: Replicates) -> Curve:
    """Some replicates of a lone curve."""
    tiles: list[Curve] = []
    for tile in replicates.tiles():
        tiles.append(tile[Curves].curves[0])
        if sum(len(one.counts) for one in tiles) >= MOST_DRAWN:
            break
    return tiles[0].with_counts(np.concatenate([one.counts for one in tiles])[:MOST_DRAWN])


def _cost_panel(priced: Sequence[Priced], costs: tuple[float, float], level: float) -> LinesPanel:
    series = []
    for one in priced:
        cuts = one.curve.thinned(POINTS).thresholds[::-1]
        worth = worth_of_errors(costs)
        mean, (low, high) = worth_with_limits(one.curve, cuts, worth, one.units, level=level, bound=max(costs))
        series.append(_series(one.system, cuts, mean, np.maximum(low, 0), np.minimum(high, max(costs))))
    prices = f"{costs[0]:g} for a false positive, {costs[1]:g} for a false negative"
    note = f"The mean over rows of {prices}. The band is the interval at each threshold."
    return LinesPanel(COST, note, "Threshold", "Cost per row", series, band=True)


def _curve_panel(priced: Sequence[Priced], costs: tuple[float, float], level: float) -> LinesPanel:
    """The lowest cost whatever the share of positives and the costs, beside taking all and taking none."""
    series = []
    for one in priced:
        mean, (low, high) = cost_curve(one.cells, one.draws, SHARES, one.units, level)
        series.append(_series(one.system, SHARES, mean, low, high))
    series += [_series("taking all", SHARES, 1 - SHARES), _series("taking none", SHARES, SHARES)]
    share = float(ratio(priced[0].curve.positive_total, priced[0].curve.total))
    here = share * costs[1] / (share * costs[1] + (1 - share) * costs[0])
    note = (
        "FNR · P + FPR · (1 − P) at the cheapest threshold for each P, on other rows: P is what positives weigh once "
        f"costs are counted, π c_fn / (π c_fn + (1 − π) c_fp). These rows and costs are at {here:.2f}."
    )
    return LinesPanel(CURVE, note, "Share of positives, by cost", "Cost, of the largest", series, band=True)


def _benefit_panels(priced: Sequence[Priced], level: float) -> Iterator[LinesPanel]:
    """Net benefit of scores that are probabilities, beside taking all and taking none."""
    proper = [one for one in priced if one.curve.are_probabilities]
    if not proper:
        return
    series = []
    for one in proper:
        mean, (low, high) = worth_with_limits(one.curve, CUTS, worth_of_benefit(CUTS), one.units, level=level)
        series.append(_series(one.system, CUTS, mean, low, high))
    share = float(ratio(proper[0].curve.positive_total, proper[0].curve.total))
    every = share - (1 - share) * CUTS / (1 - CUTS)
    shown = every >= -share  # further down nobody looks
    series += [_series("taking all", CUTS[shown], every[shown]), _series("taking none", CUTS, 0 * CUTS)]
    note = "TP/n − FP/n · t/(1 − t) at the threshold t: worth having where it is above taking all and taking none."
    yield LinesPanel(BENEFIT, note, "Threshold", "Net benefit", series, band=True)


def _series(name: str, x: Array, y: Array, low: Array | None = None, high: Array | None = None) -> Series:
    below, above = ([] if end is None else [finite(one) for one in end] for end in (low, high))
    return Series(name, x.tolist(), y.tolist(), below, above)


def _cheapest(priced: Sequence[Priced], chosen: Sequence[Chosen], costs: tuple[float, float]) -> TablePanel:
    rows: list[list[Cell]] = []
    for one, best in zip(priced, chosen, strict=True):
        now = worth_with_limits(one.curve, np.array([one.cut]), worth_of_errors(costs), one.units)[0]
        numbers = (best.threshold, best.apparent, best.corrected, best.low, best.high, best.often, one.cut, now[0])
        rows.append([one.system, *map(finite, numbers)])
    note = (
        "Chosen on these rows, which flatters (here); elsewhere is what it costs on other rows, with its interval: "
        "the threshold is chosen anew in each replicate. Chosen again is the share of replicates that choose one "
        "within a tenth of the scores' range. No threshold: taking none is cheapest."
    )
    names = ["threshold", "here", "elsewhere", "low", "high", "chosen again", "present threshold", "cost there"]
    return TablePanel(CHEAPEST, note, ["system", *names], rows)


def _differences(
    priced: Sequence[Priced], chosen: Sequence[Chosen], costs: tuple[float, float], level: float
) -> Iterator[TablePanel]:
    """Each system beside the first, each at its own cheapest threshold."""
    rows: list[list[Cell]] = []
    for one, best in list(zip(priced, chosen, strict=True))[1:]:
        if one.source == priced[0].source and len(best.replicated) == len(chosen[0].replicated):
            numbers = cost_difference((best, chosen[0]), costs, one.units, level)
            rows.append([one.system, priced[0].system, *map(finite, numbers)])
    if rows:
        note = "Of the cost per row on other rows, each at its own cheapest threshold; below 0 the system is cheaper."
        yield TablePanel(BETWEEN, note, ["system", "baseline", "difference", "low", "high"], rows)


def cost_remark(outcome: Outcome, system: str) -> Iterator[Remark]:
    """The cheapest threshold of a system and its cost on other rows, beside the present one."""
    for record in outcome.panels.records(CHEAPEST):
        cells: Mapping[str, Any] = record  # numbers and texts, by the column that says which
        if cells["system"] != system or cells["low"] is None:
            continue
        none = cells["threshold"] is None
        figures = {
            "cost": SpokenNumber(cells["elsewhere"], cells["low"], cells["high"]),
            "now": SpokenNumber(cells["cost there"]),
        }
        figures |= {"cut": SpokenNumber(cells["present threshold"])} | (
            {} if none else {"at": SpokenNumber(cells["threshold"])}
        )
        what = "taking none" if none else "from {at_value} on"
        text = f"cheapest {what}: {{cost}} per row on other rows; from {{cut_value}} on {{now_value}}"
        yield Remark("costs", text, figures, rank=3)
