"""RSMTool's tables of figures: each is a metric of adjudge under the name RSMTool gives it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from adjudge.data.cleaning import level_name
from adjudge.data.judgements.columns import Array, Rows
from adjudge.data.judgements.labels import Labels
from adjudge.engines.base import WHOLE, Collected, SliceKey, Summed
from adjudge.interop.rsmtool_data import Prepared
from adjudge.interop.rsmtool_frames import Cell, Frame
from adjudge.metrics import (
    adjacent_agreement,
    cohen_kappa,
    correlation,
    difference_of_standardized_means,
    exact_agreement,
    prmse,
    quadratic_weighted_kappa,
    r_squared,
    rmse,
    standardized_mean_difference,
    true_score_mse,
    true_score_variance,
)
from adjudge.metrics.base import Metric
from adjudge.statistics.base import AnyStatistic
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.numbers.pairs import NumberPairs
from adjudge.statistics.numbers.two_numbers import Centred
from adjudge.statistics.scores.clustered_table import ClusteredTable
from adjudge.statistics.scores.descriptives import Descriptives
from adjudge.statistics.scores.sums import ScoreSums
from adjudge.statistics.scores.table import ScoreTable
from adjudge.statistics.scores.totals import ScoreTotals
from adjudge.tasks.scoring.forms import PAIR, RESPONSES
from adjudge.tasks.scoring.reading import HUMAN_SCORES

ALL_DATA = "All data"
DEGRADED = ("corr", "kappa", "wtkappa", "exact_agr", "adj_agr", "SMD")
DISATTENUATED = ("corr_HM", "corr_HH", "sqrt_HH", "corr_disattenuated")
TRUE_SCORES = ("N", "N raters", "N single", "N multiple", "Variance of errors", "True score var", "MSE true")
NAMED = {
    "corr": correlation,
    "wtkappa": quadratic_weighted_kappa,
    "R2": r_squared,
    "exact_agr": exact_agreement,
    "adj_agr": adjacent_agreement,
    "RMSE": rmse,
}
PERCENT = ("exact_agr", "adj_agr")
BETWEEN_RATERS = ("corr", "wtkappa", "kappa", "exact_agr", "adj_agr")
SHORT_TRIM = ("sys_mean", "sys_sd", "wtkappa", "corr", "SMD", "RMSE", "R2")
SHORT_ROUND = ("sys_mean", "sys_sd", "kappa", "exact_agr", "adj_agr", "SMD")
Figures = dict[str, float]


def value(metric: Metric, sums: ScoreSums | Confusion) -> float:
    """A metric of sums as one number."""
    if metric.over is NumberPairs and isinstance(sums, ScoreSums):
        return float(metric.one_value(sums.numbers))
    return float(metric.one_value(sums))


@dataclass(frozen=True)
class ResponsePart:
    """Some of the responses, and what the evaluation calls them."""

    rows: Rows
    key: SliceKey


@dataclass(frozen=True)
class Figuring:
    """Every figure of the responses that stayed, of all of them or of some, from the sums of the evaluation."""

    data: Prepared
    collected: Collected

    @property
    def human(self) -> Array:
        """The human score of each response."""
        return self.data.human

    @cached_property
    def second(self) -> Array | None:
        """The second human score of each response."""
        ratings = self.data.scored.ratings
        return ratings[:, 1] if ratings.shape[1] > 1 else None

    @property
    def forms(self) -> Mapping[str, Array]:
        """The scores of each type."""
        return self.data.forms

    @cached_property
    def everybody(self) -> ResponsePart:
        """All responses."""
        return ResponsePart(np.arange(len(self.human)), WHOLE)

    def _find(self, view: str, statistic: type[Summed], part: ResponsePart) -> Summed | None:
        value = self._sums.get((part.key, view, statistic))
        return value if isinstance(value, statistic) else None

    def _scores(self, view: str | None, part: ResponsePart) -> ScoreSums:
        totals = self._find(RESPONSES, ScoreTotals, part)
        assert totals is not None
        return ScoreSums(totals, view)

    @cached_property
    def _sums(self) -> dict[tuple[SliceKey, str, type[AnyStatistic]], AnyStatistic]:
        return {(key, tally.view, tally.statistic): value for (key, tally), value in self.collected.sums.items()}

    def sums(self, form: str, part: ResponsePart) -> ScoreSums:
        """Human and system's scores."""
        return self._scores(self.data.view(form), part)

    def raters(self, part: ResponsePart) -> ScoreSums:
        """The two human scores beside one another."""
        return self._scores(None, part)

    def table(self, view: str, scores: tuple[Array, Array], part: ResponsePart) -> Confusion:
        """How often each rounded score met each other: as the evaluation counted them, if it did."""
        for counted in (self._find(view, ScoreTable, part), self._find(view, ClusteredTable, part)):
            if counted is not None and not counted.crowded and counted.rows:
                return _occupied(counted.confusion)
        return cross_table(*scores)

    def table_of_system(self, form: str, part: ResponsePart) -> Confusion:
        """Human scores beside those of one score type."""
        return self.table(self.data.view(form), (self.human[part.rows], self.forms[form][part.rows]), part)

    def table_of_raters(self, part: ResponsePart) -> Confusion:
        """The two human scores, of the responses that both scored."""
        pair = PAIR.join(map(str, (self.data.config.human_score_column, self.data.config.second_human_score_column)))
        return self.table(pair, self.of_both(part), part)

    def of_both(self, part: ResponsePart) -> tuple[Array, Array]:
        """The two human scores of the responses that both scored."""
        assert self.second is not None
        both = part.rows[np.isfinite(self.second[part.rows])]
        return self.human[both], self.second[both]

    @cached_property
    def described(self) -> Descriptives:
        """All first human scores."""
        return self.collected.sums_of(HUMAN_SCORES.format(self.data.config.human_score_column), Descriptives)

    def of_system(self, form: str, part: ResponsePart) -> Figures:
        """The row of one score type."""
        sums, system = self.sums(form, part), self.forms[form][part.rows]
        figures = {"N": sums.rows} | _described("h", sums.machine.x, self.human[part.rows])
        figures |= _described("sys", sums.machine.y, system)
        figures |= {name: _named(name, sums) for name in ("corr", "wtkappa", "R2")}
        figures["kappa"] = kappa_cell(self.table_of_system(form, part))
        figures |= {name: _named(name, sums) for name in PERCENT}
        figures["SMD"] = value(standardized_mean_difference, sums)
        return figures | {"RMSE": _named("RMSE", sums)}

    def of_raters(self, part: ResponsePart) -> Figures:
        """The row of the two raters, on the responses that both scored."""
        sums, (first, second) = self.raters(part), self.of_both(part)
        figures = {"N": sums.rows} | _described("h1", sums.machine.x, first) | _described("h2", sums.machine.y, second)
        kappa = {"kappa": kappa_cell(self.table_of_raters(part))}
        figures |= {name: kappa[name] if name in kappa else _named(name, sums) for name in BETWEEN_RATERS}
        return figures | {"SMD": value(standardized_mean_difference.using(method="pooled"), sums)}


def _named(name: str, sums: ScoreSums) -> float:
    return value(NAMED[name], sums) * (100 if name in PERCENT else 1)


def _described(who: str, scores: Centred, values: Array) -> Figures:
    """Mean and spread as they were summed; the lowest and the highest of some responses nobody else needs."""
    ends = (float(values.min()), float(values.max())) if len(values) else (math.nan, math.nan)
    named = {"mean": float(scores.mean), "sd": float(scores.sd()), "min": ends[0], "max": ends[1]}
    return {f"{who}_{name}": figure for name, figure in named.items()}


def kappa_cell(table: Confusion) -> float:
    """Unweighted kappa of rounded scores; 1 where all are one and the same, as RSMTool has it.

    >>> kappa_cell(cross_table(np.array([1.2, 2, 3, 3]), np.array([1.0, 2, 3, 2])))
    0.6363636363636364
    >>> kappa_cell(cross_table(np.array([2.0]), np.array([2.0])))
    1.0
    """
    return 1.0 if len(table.categories) == 1 else value(cohen_kappa, table)


def cross_table(first: Array, second: Array) -> Confusion:
    """How often each rounded score met each other: of what is not rounded, or has too many points to be counted."""
    points, codes = np.unique(np.rint(np.concatenate([first, second])), return_inverse=True)
    x, y = codes.reshape(2, -1)
    counts = (
        np.bincount(x * len(points) + y, minlength=len(points) ** 2)
        .reshape(len(points), len(points))
        .astype(np.float64)
    )
    return Confusion(tuple(str(int(point)) for point in points), counts, counts, len(first))


def _occupied(table: Confusion) -> Confusion:
    """The same counts, for the scores that occur."""
    occurs = np.flatnonzero(table.counts.sum(0) + table.counts.sum(1))
    names = tuple(str(int(float(table.categories[place]))) for place in occurs)
    cells = np.ix_(occurs, occurs)
    return Confusion(names, table.counts[cells], table.squares[cells], table.rows)


def cell(number: float | None) -> Cell:
    """A figure as it is written: undefined ones are blank."""
    return None if number is None or math.isnan(number) else number


def _row(name: Cell, figures: Mapping[str, float]) -> tuple[Cell, ...]:
    return name, *(cell(figure) for figure in figures.values())


def figure_frames(data: Prepared, collected: Collected) -> Iterator[Frame]:
    """Everything that is figured out of all responses together."""
    figuring = Figuring(data, collected)
    systems = {form: figuring.of_system(form, figuring.everybody) for form in figuring.forms}
    yield _table("eval", systems)
    yield _table("eval_short", {0: _short(systems, data.chosen, "SMD")})
    if figuring.second is not None:
        raters = figuring.of_raters(figuring.everybody)
        yield _table("consistency", {"": raters})
        lost = {form: {name: row[name] - raters[name] for name in DEGRADED} for form, row in systems.items()}
        yield _table("degradation", lost)
        freed = {form: _disattenuated(row["corr"], raters["corr"]) for form, row in systems.items()}
        yield _table("disattenuated_correlations", freed)
    rounded = figuring.table_of_system(f"{data.chosen}_trim_round", figuring.everybody)
    yield _crossed("confMatrix", rounded)
    yield _distribution(rounded, f"sys_{data.chosen}")
    if figuring.second is not None or data.config.rater_error_variance is not None:
        yield _true_scores(figuring, data.config.rater_error_variance)
    if figuring.second is not None and figuring.raters(figuring.everybody).rows:
        yield _crossed("confMatrix_h1h2", figuring.table_of_raters(figuring.everybody))
    for name in data.config.subgroups:
        yield from _by_group(figuring, name)


def _table(name: str, figures: Mapping[int, Figures] | Mapping[str, Figures]) -> Frame:
    columns = next(iter(figures.values()))
    return Frame(name, ("", *columns), [_row(row, of_row) for row, of_row in figures.items()])


def _short(systems: Mapping[str, Figures], chosen: str, difference: str) -> Figures:
    """The figures that matter of the trimmed and of the rounded score."""
    trim, rounded = systems[f"{chosen}_trim"], systems[f"{chosen}_trim_round"]
    short = {name: trim[name] for name in ("N", "h_mean", "h_sd")}
    for form, row, names in (("trim", trim, SHORT_TRIM), ("trim_round", rounded, SHORT_ROUND)):
        columns = (difference if name == "SMD" else name for name in names)
        short |= {f"{name}.{chosen}_{form}": row[name] for name in columns}
    return short


def _disattenuated(system: float, raters: float) -> Figures:
    root = math.sqrt(raters) if raters >= 0 else math.nan
    freed = system / root if root > 0 else math.nan
    return dict(zip(DISATTENUATED, (system, raters, root, freed), strict=True))


def _crossed(name: str, table: Confusion) -> Frame:
    labels = [int(label) for label in table.categories]
    rows = [(label, *map(int, row)) for label, row in zip(labels, table.counts.tolist(), strict=True)]
    return Frame(name, ("", *labels), rows)


def _distribution(table: Confusion, name: str) -> Frame:
    """Percent of the responses at each rounded score."""
    percent = table.counts * 100 / table.rows
    by_human, by_system = percent.sum(1).tolist(), percent.sum(0).tolist()
    rows = [
        (float(score), float(score), first, second, second - first)
        for score, first, second in zip(table.categories, by_human, by_system, strict=True)
    ]
    return Frame("score_dist", ("", "score", "human", name, "difference"), rows)


def _true_scores(figuring: Figuring, given: float | None) -> Frame:
    """How well each score type predicts the true score."""
    rows = []
    for form in figuring.forms:
        sums = figuring.sums(form, figuring.everybody)
        multiple = round(float(sums.truth.multiple))
        counts = (len(figuring.human), 2 if multiple else 1, len(figuring.human) - multiple, multiple)
        metrics = [metric.using(error_variance=given) for metric in (true_score_variance, true_score_mse, prmse)]
        errors = float(sums.truth.error_variance(given))
        rows.append((form, *counts, cell(errors), *(cell(value(metric, sums)) for metric in metrics)))
    return Frame("true_score_eval", ("", *TRUE_SCORES, "PRMSE true"), rows)


def _by_group(figuring: Figuring, name: str) -> Iterator[Frame]:
    """The same figures for each level of a subgroup, with the difference of standardized means."""
    chosen = figuring.data.chosen
    forms = (f"{chosen}_trim", f"{chosen}_trim_round")
    parts = _levels(name, figuring.data.group(name))
    systems = {level: {form: figuring.of_system(form, part) for form in forms} for level, part in parts.items()}
    for level, figures in systems.items():
        for form in forms:
            sums = figuring.sums(form, parts[level])
            figures[form]["DSM"] = _standardized(sums, figuring.sums(form, figuring.everybody), None)
    short = {level: _short(figures, chosen, "DSM") for level, figures in systems.items()}
    yield _table(f"eval_by_{name}", {level: row | {"N": float(row["N"])} for level, row in short.items()})
    if figuring.second is None:
        return
    raters = {level: _raters_by_group(figuring, part) for level, part in parts.items()}
    yield _table(f"consistency_by_{name}", raters)
    freed = {level: _disattenuated(systems[level][forms[0]]["corr"], raters[level]["corr"]) for level in parts}
    yield _table(f"disattenuated_correlations_by_{name}", freed)


def _levels(column: str, group: Labels) -> dict[str, ResponsePart]:
    """The responses of each level and of all; a level that is called as all are is marked as RSMTool marks names."""
    levels = [(ALL_DATA, ResponsePart(np.arange(len(group.codes)), WHOLE))]
    for code, level in enumerate(group.categories):
        levels.append((level, ResponsePart(np.flatnonzero(group.codes == code), (column, level_name(level)))))
    parts: dict[str, ResponsePart] = {}
    for level, part in sorted(levels, key=lambda named: named[0]):
        name = level
        while name in parts:
            name = f"##{name}##"
        parts[name] = part
    return parts


def _standardized(part: ScoreSums, everybody: ScoreSums, human: Descriptives | None) -> float:
    """A group's difference of standardized means; the human score's mean and SD may be those of more responses."""
    whole = everybody.machine
    x = (float(whole.x.mean), float(whole.x.sd())) if human is None else (human.mean, human.sd)
    y = (float(whole.y.mean), float(whole.y.sd()))
    if not (x[1] > 0 and y[1] > 0):
        return math.nan
    given = {"human_mean": x[0], "human_sd": x[1], "system_mean": y[0], "system_sd": y[1]}
    return value(difference_of_standardized_means.using(**given), part)


def _raters_by_group(figuring: Figuring, part: ResponsePart) -> Figures:
    figures = figuring.of_raters(part)
    del figures["SMD"]
    some, whole = figuring.raters(part), figuring.raters(figuring.everybody)
    return figures | {"DSM": _standardized(some, whole, figuring.described)}
