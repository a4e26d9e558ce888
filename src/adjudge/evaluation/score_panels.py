"""The pictures of automated scoring, as plain numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from adjudge.evaluation.panels import (
    BarPanel,
    ConfusionPanel,
    ForestLine,
    ForestPanel,
    MatrixPanel,
    Panels,
    TablePanel,
)
from adjudge.evaluation.results import WHOLE_NAME, ResultTable, Row
from adjudge.evaluation.score_collect import Asked, ScoreState
from adjudge.evaluation.score_flags import BELOW, FlagRule, flags_panel
from adjudge.evaluation.score_measures import Measures
from adjudge.inference.closed_form import wilson
from adjudge.inference.score_fairness import MOST_LEVELS, ScoreFairness, fairness_of
from adjudge.metrics.catalogue import parse
from adjudge.metrics.intervals import Share
from adjudge.statistics.base import ratio
from adjudge.statistics.error_cells import ErrorCells

# What is drawn slice by slice, with the flag whose limit is dashed.
BY_SLICE = {
    "difference_of_standardized_means": "dsm",
    "quadratic_weighted_kappa": "qwk",
    "correlation": "correlation",
    "prmse": None,
    "rmse": None,
    "r_squared": None,
}
# Mean system scores are shown up to this many levels of a slice and of the human score.
MOST_GROUPS = 20
MOST_SCORES = 20


def scoring_panels(measures: Measures, table: ResultTable, rules: tuple[FlagRule, ...], level: float) -> Panels:
    """Every picture of these responses."""
    asked, state = measures.asked, measures.state
    fairness = [(*of, fairness_of(c.of_levels(MOST_LEVELS), level=level)) for of, c in state.errors.items()]
    trimmed = frozenset(asked.main_forms(rounded=False).values())
    shown = trimmed | frozenset(_rounded_systems(measures))
    return Panels(
        confusions=list(_confusions(measures)),
        matrices=list(_mean_scores(measures)),
        forests=[*_by_slice(asked, table, rules), *_by_point(measures, level), *_coefficients(fairness)],
        bars=list(_distributions(measures)),
        tables=[
            flags_panel(table, rules, shown, trimmed),
            _descriptives(measures),
            *_excluded(state),
            *_explained(fairness),
        ],
    )


def _rounded_systems(measures: Measures) -> list[str]:
    return [*measures.asked.main_forms(rounded=True).values(), *measures.pairs]


def _confusions(measures: Measures) -> Iterator[ConfusionPanel]:
    for system in _rounded_systems(measures):
        table = measures.table(system)
        if table is not None:
            named = table.confusion(measures.asked.step)
            yield ConfusionPanel(system, list(named.categories), named.counts.tolist())


def _distributions(measures: Measures) -> Iterator[BarPanel]:
    tables = {name: measures.table(name) for name in measures.asked.main_forms(rounded=True).values()}
    known = [table for table in tables.values() if table is not None]
    if not known or len(known) < len(tables):
        return
    low = min(table.low for table in known)
    size = max(table.low + table.size for table in known) - low
    known = [table.spanning(low, size) for table in known]
    shares = [known[0].counts.sum(1), *(table.counts.sum(0) for table in known)]
    yield BarPanel(
        "Distribution of scores",
        "Share of all responses with each score, human and system.",
        list(known[0].confusion(measures.asked.step).categories),
        ["human", *tables],
        [(share / share.sum()).tolist() for share in shares],
    )


def _by_point(measures: Measures, level: float) -> Iterator[ForestPanel]:
    """Exact agreement at each human score."""
    for system in measures.asked.main_forms(rounded=True).values():
        table = measures.table(system)
        if table is None:
            continue
        total, squares, agreed = table.counts.sum(1), table.squares.sum(1), np.diagonal(table.counts)
        low, high = wilson(Share(agreed, total, squares), level)
        names = table.confusion(measures.asked.step).categories
        lines = [
            ForestLine(name, _known(share), _known(float(a)), _known(float(b)), int(n))
            for name, share, n, a, b in zip(names, ratio(agreed, total), table.times.sum(1), low, high, strict=True)
            if n > 0
        ]
        yield ForestPanel(
            f"Exact agreement at each human score, {system}",
            "Share of responses with a human score to which the system gives the same; Wilson intervals.",
            "exact agreement",
            lines,
            None,
        )


def _by_slice(asked: Asked, table: ResultTable, rules: tuple[FlagRule, ...]) -> Iterator[ForestPanel]:
    limits = {rule.name: rule for rule in rules}
    shown = set(asked.main_forms(rounded=False).values())
    rows = [row for row in table.first_methods() if row.system in shown]
    for column in asked.slice_names:
        for metric, rule in BY_SLICE.items():
            for system in dict.fromkeys(row.system for row in rows):
                lines = [_line(row, column) for row in rows if _belongs(row, column, metric, system)]
                if len(lines) > 1:
                    yield _forest(metric, (system, column), lines, limits.get(rule or ""))


def _belongs(row: Row, column: str, metric: str, system: str) -> bool:
    inside = row.slice == WHOLE_NAME or row.slice.startswith(f"{column} = ")
    return inside and row.system == system and row.metric.split("(")[0] == metric


def _line(row: Row, column: str) -> ForestLine:
    name = row.slice if row.slice == WHOLE_NAME else row.slice.removeprefix(f"{column} = ")
    return ForestLine(name, _known(row.estimate), _known(row.low), _known(row.high), row.n, row.note)


def _forest(metric: str, named: tuple[str, str], lines: list[ForestLine], rule: FlagRule | None) -> ForestPanel:
    system, column = named
    against = None if rule is None else rule.limit if rule.kind == BELOW else 0.0
    note = "" if rule is None else f"Flagged {rule.told()}."
    label = parse(metric).label
    beyond = [-rule.limit, rule.limit] if rule is not None and rule.kind != BELOW else []
    return ForestPanel(f"{label} by {column}, {system}", note, label, lines, against, beyond)


def _mean_scores(measures: Measures) -> Iterator[MatrixPanel]:
    """Mean system score of people with the same human score, slice by slice."""
    for (system, column), cells in measures.state.at_points.items():
        if not cells.binned and len(cells.groups) <= MOST_GROUPS and len(cells.values) <= MOST_SCORES:
            known = measures.state.described[system]
            yield _mean_panel(cells, f"{column}, {system}", (known.low, known.high))


def _mean_panel(cells: ErrorCells, told: str, limits: tuple[float, float]) -> MatrixPanel:
    """A system's score is the human one and its error, so its mean and spread follow from those of errors."""
    sums = cells.errors
    with np.errstate(invalid="ignore", divide="ignore"):
        shift = sums.first / sums.counts
        mean = cells.values + sums.centre + shift
        error = np.sqrt(np.maximum(sums.second / sums.counts - shift**2, 0.0) / (cells.rows - 1))
    reach = 1.96 * error
    grids = [[[_known(float(v)) for v in row] for row in grid] for grid in (mean, mean - reach, mean + reach)]
    return MatrixPanel(
        title=f"Mean system score by human score and {told}",
        note="People with the same human score should get the same system score, whatever their slice.",
        rows=list(cells.groups),
        columns=list(cells.levels),
        values=grids[0],
        low=grids[1],
        high=grids[2],
        n=cells.rows.astype(int).tolist(),
        limits=limits,
    )


def _coefficients(fairness: list[tuple[str, str, ScoreFairness]]) -> Iterator[ForestPanel]:
    for system, column, found in fairness:
        for model in found.models:
            others = model.coefficients[1:]
            if others:
                lines = [
                    ForestLine(c.group, _known(c.estimate), _known(c.low), _known(c.high), c.n, _p(c.p)) for c in others
                ]
                yield ForestPanel(
                    f"{model.name.capitalize()} by {column}, {system}",
                    model.note or f"Compared with {found.reference}, the reference.",
                    f"difference from {found.reference}",
                    lines,
                    0.0,
                )


def _p(p: float) -> str:
    return "" if math.isnan(p) else f"p = {p:.3g}"


def _explained(fairness: list[tuple[str, str, ScoreFairness]]) -> Iterator[TablePanel]:
    rows: list[list[str | int | float | None]] = [
        [
            system,
            column,
            model.name,
            *map(_known, (model.adjusted, model.r_squared, model.p)),
            found.reference,
            model.note,
        ]
        for system, column, found in fairness
        for model in found.models
    ]
    if rows:
        yield TablePanel(
            "Fairness: what slices explain of the errors",
            "Least squares. Accuracy explains squared errors, difference the errors, conditional difference the errors "
            "of people with the same human score.",
            ["system", "slices", "model", "adjusted R²", "R²", "p", "reference", "note"],
            rows,
        )


def _descriptives(measures: Measures) -> TablePanel:
    rows: list[list[str | int | float | None]] = [
        [name, told.n, *map(_known, (told.mean, told.sd, told.low, told.high))]
        for name, told in measures.state.described.items()
    ]
    return TablePanel("Scores", "SD with N − 1.", ["score", "n", "mean", "SD", "lowest", "highest"], rows)


def _excluded(state: ScoreState) -> Iterator[TablePanel]:
    used = state.whole.rows
    rows: list[list[str | int | float | None]] = [["read", state.read, 1.0]]
    rows += [[reason, count, count / state.read] for reason, count in state.left_out.items()]
    rows.append(["evaluated", used, used / state.read])
    yield TablePanel("Responses", "Each is left out by the first reason that holds.", ["what", "n", "share"], rows)
    if state.unused:
        unused: list[list[str | int | float | None]] = [[what, n] for what, n in state.unused.items()]
        yield TablePanel("Ratings that were not used", "Their responses stay.", ["what", "n"], unused)


def _known(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
