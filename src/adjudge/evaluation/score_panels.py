"""The pictures of automated scoring, as plain numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from adjudge.data.columns import Array
from adjudge.data.labels import Labels
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
from adjudge.evaluation.score_flags import BELOW, FlagRule, flags_panel
from adjudge.evaluation.score_measures import APART, PAIR, Measures, Responses
from adjudge.inference.closed_form import wilson
from adjudge.inference.score_fairness import ScoreFairness, score_fairness
from adjudge.metrics.base import Share
from adjudge.metrics.catalogue import parse
from adjudge.statistics.score_described import Descriptives

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
MOST_LEVELS = 20
MOST_SCORES = 20


def scoring_panels(measures: Measures, table: ResultTable, rules: tuple[FlagRule, ...], level: float) -> Panels:
    """Every picture of these responses."""
    responses = measures.responses
    fairness = list(_fairness(responses, level))
    trimmed = frozenset(main_forms(responses, rounded=False).values())
    shown = trimmed | frozenset(_rounded_systems(measures))
    return Panels(
        confusions=list(_confusions(measures)),
        matrices=list(_mean_scores(responses)),
        forests=[*_by_slice(responses, table, rules), *_by_point(measures, level), *_coefficients(fairness)],
        bars=list(_distributions(measures)),
        tables=[
            flags_panel(table, rules, shown, trimmed),
            _descriptives(responses),
            *_excluded(responses),
            *_explained(fairness),
        ],
    )


def main_forms(responses: Responses, *, rounded: bool) -> dict[str, str]:
    """Of each system the form that further analyses use: trimmed, or trimmed and rounded, scaled if it was."""
    wanted = ("scale_trim_round", "raw_trim_round") if rounded else ("scale_trim", "raw_trim", "scale", "raw")
    found: dict[str, str] = {}
    for system in responses.scored.systems:
        names = [f"{system}{APART}{form}" for form in wanted if f"{system}{APART}{form}" in responses.forms]
        if names:
            found[system] = names[0]
    return found


def _rounded_systems(measures: Measures) -> list[str]:
    responses = measures.responses
    raters = [PAIR.join((responses.raters[a], responses.raters[b])) for a, b in responses.pairs]
    return [*main_forms(responses, rounded=True).values(), *raters]


def _confusions(measures: Measures) -> Iterator[ConfusionPanel]:
    for system in _rounded_systems(measures):
        first, second = measures.two_scores(system)
        both = np.isfinite(first) & np.isfinite(second)
        points = measures.points(first[both], second[both])
        if points is not None:
            counts = _cross(measures, points, first[both], second[both])
            yield ConfusionPanel(system, [f"{point:g}" for point in points], counts.tolist())


def _cross(measures: Measures, points: Array, first: Array, second: Array) -> Array:
    x, y = (np.searchsorted(points, measures.responses.rounded(values) - 1e-9) for values in (first, second))
    size = len(points)
    return np.bincount(x * size + y, minlength=size**2).astype(np.float64).reshape(size, size)


def _distributions(measures: Measures) -> Iterator[BarPanel]:
    forms = list(main_forms(measures.responses, rounded=True).values())
    if not forms:
        return
    human = measures.responses.reference
    every = np.concatenate([human, *(measures.responses.forms[name] for name in forms)])
    points = measures.points(human, every)
    if points is None:
        return
    shares = []
    for values in (human, *(measures.responses.forms[name] for name in forms)):
        place = np.searchsorted(points, measures.responses.rounded(values) - 1e-9)
        shares.append((np.bincount(place, minlength=len(points)) / len(values)).tolist())
    yield BarPanel(
        "Distribution of scores",
        "Share of all responses with each score, human and system.",
        [f"{point:g}" for point in points],
        ["human", *forms],
        shares,
    )


def _by_point(measures: Measures, level: float) -> Iterator[ForestPanel]:
    """Exact agreement at each human score."""
    for system in main_forms(measures.responses, rounded=True).values():
        first, second = measures.two_scores(system)
        points = measures.points(first, second)
        if points is None:
            continue
        counts = _cross(measures, points, first, second)
        total = counts.sum(1)
        low, high = wilson(Share(np.diagonal(counts), total, total), level)
        lines = [
            ForestLine(f"{point:g}", _known(agreed / n), _known(float(a)), _known(float(b)), int(n))
            for point, agreed, n, a, b in zip(points, np.diagonal(counts), total, low, high, strict=True)
            if n > 0
        ]
        yield ForestPanel(
            f"Exact agreement at each human score, {system}",
            "Share of responses with a human score to which the system gives the same; Wilson intervals.",
            "exact agreement",
            lines,
            None,
        )


def _by_slice(responses: Responses, table: ResultTable, rules: tuple[FlagRule, ...]) -> Iterator[ForestPanel]:
    limits = {rule.name: rule for rule in rules}
    shown = set(main_forms(responses, rounded=False).values())
    rows = [row for row in table.first_methods() if row.system in shown]
    for column in responses.slice_names:
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


def _mean_scores(responses: Responses) -> Iterator[MatrixPanel]:
    """Mean system score of people with the same human score, slice by slice."""
    human = responses.rounded(responses.reference)
    points, found = np.unique(human, return_inverse=True)
    place = found.reshape(-1).astype(np.int64)
    if len(points) > MOST_SCORES:
        return
    for system in main_forms(responses, rounded=False).values():
        for column, labels in zip(responses.slice_names, responses.scored.slices, strict=True):
            if len(labels.categories) <= MOST_LEVELS:
                yield _mean_panel(responses.forms[system], labels, (points, place), f"{column}, {system}")


def _mean_panel(scores: Array, labels: Labels, human: tuple[Array, NDArray[np.int64]], told: str) -> MatrixPanel:
    points, place = human
    shape = (len(labels.categories), len(points))
    cell = labels.codes * shape[1] + place
    n, first, second = (
        np.bincount(cell, weights=amount, minlength=shape[0] * shape[1]).reshape(shape)
        for amount in (None, scores, scores**2)
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = first / n
        error = np.sqrt(np.maximum(second / n - mean**2, 0.0) / (n - 1))
    reach = 1.96 * error
    grids = [[[_known(float(v)) for v in row] for row in grid] for grid in (mean, mean - reach, mean + reach)]
    return MatrixPanel(
        title=f"Mean system score by human score and {told}",
        note="People with the same human score should get the same system score, whatever their slice.",
        rows=list(labels.categories),
        columns=[f"{point:g}" for point in points],
        values=grids[0],
        low=grids[1],
        high=grids[2],
        n=n.astype(int).tolist(),
        limits=(float(scores.min()), float(scores.max())),
    )


def _fairness(responses: Responses, level: float) -> Iterator[tuple[str, str, ScoreFairness]]:
    for system in main_forms(responses, rounded=False).values():
        for column, labels in zip(responses.slice_names, responses.scored.slices, strict=True):
            yield (
                system,
                column,
                score_fairness(responses.reference, responses.forms[system], labels, level=level),
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


def _descriptives(responses: Responses) -> TablePanel:
    columns = {f"human {name}": responses.scored.ratings[:, place] for place, name in enumerate(responses.raters)}
    rows: list[list[str | int | float | None]] = []
    for name, values in (columns | responses.forms).items():
        told = Descriptives.of(values)
        rows.append([name, told.n, *map(_known, (told.mean, told.sd, told.low, told.high))])
    return TablePanel("Scores", "SD with N − 1.", ["score", "n", "mean", "SD", "lowest", "highest"], rows)


def _excluded(responses: Responses) -> Iterator[TablePanel]:
    scored = responses.scored
    rows: list[list[str | int | float | None]] = [["read", scored.read, 1.0]]
    rows += [[reason, count, count / scored.read] for reason, count in scored.left_out.items()]
    rows.append(["evaluated", len(scored), len(scored) / scored.read])
    yield TablePanel("Responses", "Each is left out by the first reason that holds.", ["what", "n", "share"], rows)
    if scored.without_second:
        unused: list[list[str | int | float | None]] = [[what, n] for what, n in scored.without_second.items()]
        yield TablePanel("Ratings that were not used", "Their responses stay.", ["what", "n"], unused)


def _known(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
