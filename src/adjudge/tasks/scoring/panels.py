"""The pictures of automated scoring, as plain numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from adjudge.diagnosis.fairness import MOST_LEVELS, ScoreFairness, fairness_of
from adjudge.engines.base import Collected
from adjudge.evaluation.declaration import Page
from adjudge.evaluation.panels import (
    BarPanel,
    Cell,
    ConfusionPanel,
    ForestLine,
    ForestPanel,
    MatrixPanel,
    Panels,
    TablePanel,
    finite,
)
from adjudge.evaluation.results import WHOLE_NAME, ResultTable, Row
from adjudge.inference.intervals.closed_form import wilson
from adjudge.metrics.catalogue import parse
from adjudge.metrics.intervals import Share
from adjudge.statistics.base import ratio
from adjudge.statistics.scores.descriptives import Descriptives
from adjudge.statistics.scores.error_cells import ErrorCells
from adjudge.statistics.scores.person_errors import PersonErrors
from adjudge.statistics.scores.table import ScoreTable
from adjudge.tasks.scoring.flags import BELOW, FlagRule, flags_panel
from adjudge.tasks.scoring.forms import Forms
from adjudge.tasks.scoring.reading import AT_POINTS, HUMAN_SCORES

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
# How fairness tests take the responses of a person.
BY_PERSON = ", and for people with several responses"
BY_RESPONSE = ", but take the responses of a person as independent, since a stream does not keep people apart"

Fairness = Sequence[tuple[str, str, ScoreFairness]]


def scoring_panels(page: Page, forms: Forms, rules: tuple[FlagRule, ...]) -> Panels:
    """Every picture of these responses."""
    table, collected, level = page.table, page.collected, page.request.level
    continuous, columns = forms.main(rounded=False), page.slice_columns
    people = _errors_by_person(collected)
    fairness = [
        (form, column, fairness_of(cells.of_levels(MOST_LEVELS), people.get((form, column)), level=level))
        for form, column, cells in errors_by_slice(collected, continuous, columns)
    ]
    tables = dict(_tables(forms, collected))
    return Panels(
        confusions=[
            ConfusionPanel(name, list(points.confusion.categories), points.counts.tolist())
            for name, points in tables.items()
        ],
        matrices=list(_mean_scores(collected, continuous, columns)),
        forests=[
            *_by_slice(continuous, columns, table, rules),
            *_by_point(forms, tables, level),
            *_coefficients(fairness),
        ],
        bars=list(_distributions(forms, tables)),
        tables=[
            flags_panel(table, rules, {*continuous, *forms.main(rounded=True), *forms.pairs}, {*continuous}),
            _descriptives(forms, collected),
            *_responses(collected),
            *_explained(fairness, BY_PERSON if people else BY_RESPONSE if page.request.study.clustered else ""),
        ],
    )


def _tables(forms: Forms, collected: Collected) -> Iterator[tuple[str, ScoreTable]]:
    """How often each point met each other: rounded scores of each system with the reference, and every two raters."""
    for name in (*forms.main(rounded=True), *forms.pairs):
        points: ScoreTable | None = collected.find(name, ScoreTable)
        if points is not None and points.rows and not points.crowded:
            yield name, points


def errors_by_slice(
    collected: Collected, views: Sequence[str], columns: Sequence[str]
) -> Iterator[tuple[str, str, ErrorCells]]:
    """The errors of each view by the levels of each slice column."""
    parts: dict[tuple[str, str], dict[str, ErrorCells]] = {}
    for ((column, level), tally), value in collected.sums.items():
        if isinstance(value, ErrorCells):
            parts.setdefault((tally.view, column), {})[level] = value
    for view in views:
        for column in columns:
            yield view, column, ErrorCells.by_level(parts[view, column])


def _errors_by_person(collected: Collected) -> dict[tuple[str, str], PersonErrors]:
    """The errors of each view and slice column by person, where people are drawn and the table is at hand."""
    parts: dict[tuple[str, str], dict[str, PersonErrors]] = {}
    for ((column, level), tally), value in collected.sums.items():
        if isinstance(value, PersonErrors):
            parts.setdefault((tally.view, column), {})[level] = value
    return {key: PersonErrors.by_level(levels) for key, levels in parts.items()}


def _distributions(forms: Forms, tables: dict[str, ScoreTable]) -> Iterator[BarPanel]:
    names = forms.main(rounded=True)
    known = [tables[name] for name in names if name in tables]
    if not known or len(known) < len(names):
        return
    low = min(table.low for table in known)
    size = max(table.low + table.size for table in known) - low
    known = [table.spanning(low, size) for table in known]
    shares = [known[0].counts.sum(1), *(table.counts.sum(0) for table in known)]
    yield BarPanel(
        "Distribution of scores",
        "Share of all responses with each score, human and system.",
        list(known[0].confusion.categories),
        ["human", *names],
        [(share / share.sum()).tolist() for share in shares],
    )


def _by_point(forms: Forms, tables: dict[str, ScoreTable], level: float) -> Iterator[ForestPanel]:
    """Exact agreement at each human score."""
    for system in forms.main(rounded=True):
        if system not in tables:
            continue
        table = tables[system]
        total, squares, agreed = table.counts.sum(1), table.squares.sum(1), np.diagonal(table.counts)
        low, high = wilson(Share(agreed, total, squares), level)
        names = table.confusion.categories
        lines = [
            ForestLine(name, finite(share), finite(float(a)), finite(float(b)), int(n))
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


def _by_slice(
    systems: Sequence[str], columns: Sequence[str], table: ResultTable, rules: tuple[FlagRule, ...]
) -> Iterator[ForestPanel]:
    limits = {rule.name: rule for rule in rules}
    rows = [row for row in table.estimates.first_methods() if row.system in systems]
    for column in columns:
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
    return ForestLine(name, finite(row.estimate), finite(row.low), finite(row.high), row.n, row.note)


def _forest(metric: str, named: tuple[str, str], lines: list[ForestLine], rule: FlagRule | None) -> ForestPanel:
    system, column = named
    against = None if rule is None else rule.limit if rule.kind == BELOW else 0.0
    note = "" if rule is None else f"Flagged {rule.text}."
    label = parse(metric).label
    beyond = [-rule.limit, rule.limit] if rule is not None and rule.kind != BELOW else []
    return ForestPanel(f"{label} by {column}, {system}", note, label, lines, against, beyond)


def _mean_scores(collected: Collected, systems: Sequence[str], columns: Sequence[str]) -> Iterator[MatrixPanel]:
    """Mean system score of people with the same human score, slice by slice."""
    views = {AT_POINTS.format(system): system for system in systems}
    for view, column, cells in errors_by_slice(collected, list(views), columns):
        if not cells.binned and len(cells.groups) <= MOST_GROUPS and len(cells.values) <= MOST_SCORES:
            known = collected.sums_of(views[view], Descriptives)
            yield _mean_panel(cells, f"{column}, {views[view]}", (known.low, known.high))


def _mean_panel(cells: ErrorCells, of: str, limits: tuple[float, float]) -> MatrixPanel:
    """A system's score is the human one and its error, so its mean and spread follow from those of errors."""
    sums = cells.errors
    with np.errstate(invalid="ignore", divide="ignore"):
        shift = sums.first / sums.counts
        mean = cells.values + sums.centre + shift
        error = np.sqrt(np.maximum(sums.second / sums.counts - shift**2, 0.0) / (cells.times - 1))
    reach = 1.96 * error
    grids = [[[finite(float(v)) for v in row] for row in grid] for grid in (mean, mean - reach, mean + reach)]
    return MatrixPanel(
        title=f"Mean system score by human score and {of}",
        note="People with the same human score should get the same system score, whatever their slice.",
        rows=list(cells.groups),
        columns=list(cells.levels),
        values=grids[0],
        low=grids[1],
        high=grids[2],
        n=cells.times.astype(int).tolist(),
        limits=limits,
    )


def _coefficients(fairness: Fairness) -> Iterator[ForestPanel]:
    for system, column, regressions in fairness:
        for model in regressions.models:
            others = model.coefficients[1:]
            if others:
                lines = [
                    ForestLine(c.group, finite(c.estimate), finite(c.low), finite(c.high), c.n, _p(c.p)) for c in others
                ]
                yield ForestPanel(
                    f"{model.name.capitalize()} by {column}, {system}",
                    model.note or f"Compared with {regressions.reference}, the reference.",
                    f"difference from {regressions.reference}",
                    lines,
                    0.0,
                )


def _p(p: float) -> str:
    return "" if math.isnan(p) else f"p = {p:.3g}"


def _explained(fairness: Fairness, people: str) -> Iterator[TablePanel]:
    rows: list[list[Cell]] = [
        [
            system,
            column,
            model.name,
            *map(finite, (model.adjusted, model.r_squared, model.p)),
            regressions.reference,
            model.note,
        ]
        for system, column, regressions in fairness
        for model in regressions.models
    ]
    if rows:
        yield TablePanel(
            "Fairness: what slices explain of the errors",
            f"Least squares; tests allow for groups whose errors vary more{people}. "
            "Accuracy explains squared errors, difference the errors, conditional difference the errors of people "
            "with the same human score.",
            ["system", "slices", "model", "adjusted R²", "R²", "p", "reference", "note"],
            rows,
        )


def _descriptives(forms: Forms, collected: Collected) -> TablePanel:
    names = (*map(HUMAN_SCORES.format, forms.raters), *forms.names)
    described = {name: collected.sums_of(name, Descriptives) for name in names}
    rows: list[list[Cell]] = [
        [name, scores.n, *map(finite, (scores.mean, scores.sd, scores.low, scores.high))]
        for name, scores in described.items()
    ]
    return TablePanel("Scores", "SD with N − 1.", ["score", "n", "mean", "SD", "lowest", "highest"], rows)


def _responses(collected: Collected) -> Iterator[TablePanel]:
    """How many were read, left out and evaluated; and ratings that say nothing though their responses stay."""
    facts = collected.facts
    rows: list[list[Cell]] = [["read", facts.read, 1.0]]
    rows += [[reason, count, count / facts.read] for reason, count in facts.left_out.items()]
    rows.append(["evaluated", facts.used, facts.used / facts.read])
    yield TablePanel("Responses", "Each is left out by the first reason that holds.", ["what", "n", "share"], rows)
    if facts.unused:
        unused: list[list[Cell]] = [[what, count] for what, count in facts.unused.items()]
        yield TablePanel("Ratings that were not used", "Their responses stay.", ["what", "n"], unused)
