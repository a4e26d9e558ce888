"""The walk of every task: read, collect, judge, measure, panels, outcome."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adjudge.data.facts import CROSS
from adjudge.data.reading import Block
from adjudge.engines.base import WHOLE, Collected, Plan
from adjudge.evaluation.declaration import Page, View
from adjudge.evaluation.measure import BASELINE, Measured, rows_of
from adjudge.evaluation.measured import Measures, draws_of, row_draws
from adjudge.evaluation.outcome import Data, Outcome, Settings
from adjudge.evaluation.request import Request
from adjudge.evaluation.results import ResultTable, Row
from adjudge.evaluation.settings import Progress, versions


def no_progress(what: str, more: int, of: int) -> None:
    """Nobody is told."""


def walk(request: Request, progress: Progress = no_progress) -> Outcome:
    """Carry a request from its table to its outcome."""
    return measure(request, collect(request, progress), progress)


def collect(request: Request, progress: Progress = no_progress) -> Collected:
    """All sums and facts of the table, judged, and in units of a row."""
    study = request.study

    def planner(first: Block) -> Plan:
        tallies = study.tallies(request, first)
        return Plan(tallies, _slice_names(request), draws_of(tallies, request.bootstrap))

    collected = request.engine.collect(
        request.source, study.reading, planner, lambda rows: progress("reading", rows, 0)
    )
    study.judge(request, collected)
    unit = study.unit_weight(collected.facts)
    return collected if unit == 1.0 else collected.scaled(unit)


def measure(request: Request, collected: Collected, progress: Progress = no_progress) -> Outcome:
    """Every estimate and every picture that the sums give."""
    study = request.study
    views = study.views(request, collected)
    measures = Measures(request, collected, views)
    whole: dict[str, Measured] = {}
    table = ResultTable(tuple(_rows(request, measures, views, whole, progress)))
    page = Page(request, collected, table, whole, measures.of, _slice_names(request))
    return Outcome(
        task=request.task.name,
        data=_data(request, collected),
        settings=_settings(request, collected, views),
        systems=[view.name for view in views if view.leads],
        slice_columns=list(_slice_names(request)),
        metrics=list(dict.fromkeys(row.metric for row in table if row.method != BASELINE)),
        table=table,
        panels=study.panels(page),
    )


def _slice_names(request: Request) -> tuple[str, ...]:
    return tuple(CROSS.join(columns) for columns in request.study.slices)


def _rows(
    request: Request, measures: Measures, views: Sequence[View], whole: dict[str, Measured], progress: Progress
) -> Iterator[Row]:
    """Every estimate: slice by slice, and view by view in each."""
    keys = measures.collected.slices()
    for key in keys:
        for view in views:
            metrics = view.metrics_of(whole=key == WHOLE)
            if not metrics:
                continue
            measured = measures.of(view, key)
            if key == WHOLE:
                whole[view.name] = measured
            rows = rows_of(measured, metrics, request.level, request.bootstrap)
            yield from rows if view.amend is None else view.amend(measured, rows)
        measures.forget()
        progress("measuring", 1, len(keys))


def _data(request: Request, collected: Collected) -> Data:
    study, facts = request.study, collected.facts
    return Data(
        source=request.source.name,
        fingerprint=request.source.fingerprint(),
        rows=facts.read,
        used=study.used_rows(facts),
        # In an order that does not depend on where the table was cut into blocks.
        left_out=dict(sorted(facts.left_out.items(), key=lambda item: (-item[1], item[0]))),
        categories=list(study.categories(collected)),
        roles={role: name for role, name in study.columns().items() if name is not None},
    )


def _settings(request: Request, collected: Collected, views: Sequence[View]) -> Settings:
    bootstrap, unit = request.bootstrap, request.study.unit
    explicit = f"{row_draws(bootstrap)} weights by {unit}"
    units = f"{unit[:-1]}ies" if unit.endswith("y") else f"{unit}s"
    decided = next((view for view in views if view.positive is not None), None)
    return Settings(
        level=request.level,
        replicates=bootstrap.replicates,
        seed=bootstrap.seed,
        bootstrap=bootstrap.kind,
        draws=explicit if collected.replicates else f"{bootstrap.weights} counts of {units}",
        engine=request.engine.name,
        versions=versions(),
        positive=None if decided is None else decided.positive,
        threshold=None if decided is None else decided.threshold,
        choices=request.study.choices(request, collected),
    )
