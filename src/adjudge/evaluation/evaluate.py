"""One table in, one outcome out: reads, sums, divides, doubts and names, in that order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from adjudge.data.labels import label_text
from adjudge.data.prepare import Preparation, checked_positive
from adjudge.data.roles import Roles, slice_columns, systems_of
from adjudge.data.source import Source, open_source
from adjudge.engines.base import Collected, Engine
from adjudge.errors import BadValue, SettingError, quoted
from adjudge.evaluation.assemble import Assembly
from adjudge.evaluation.measure import Measured, rows_of
from adjudge.evaluation.outcome import Data, Outcome, Settings
from adjudge.evaluation.panels import Panels
from adjudge.evaluation.pictures import panels_of
from adjudge.evaluation.results import ResultTable, Row
from adjudge.evaluation.settings import Progress, bootstrap_settings, chosen_engine, number_setting, versions
from adjudge.inference.interval import checked_level
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics.base import Metric
from adjudge.metrics.catalogue import parse
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curve import Curves
from adjudge.statistics.losses import Losses
from adjudge.tasks.base import Task
from adjudge.tasks.classification import CLASSIFICATION


@dataclass(frozen=True)
class Request:
    """Everything that was asked, checked before a row is read."""

    task: Task
    source: Source
    roles: Roles
    metrics: tuple[Metric, ...]
    level: float
    bootstrap: Bootstrap
    engine: Engine
    positive: str | None
    threshold: float | None


def request(
    table: Any,
    *,
    reference: str,
    prediction: Any = None,
    score: Any = None,
    systems: Any = None,
    positive: Any = None,
    weight: str | None = None,
    cluster: str | None = None,
    id: str | None = None,
    slices: str | Sequence[str] | None = (),
    metrics: str | Metric | Sequence[str | Metric] | None = None,
    threshold: float | None = None,
    level: float = 0.95,
    replicates: int = 2_000,
    seed: int = 7,
    bootstrap: str = "percentile",
    engine: str = "auto",
) -> Request:
    """Check what was asked. Unknown tasks, columns, metrics and settings are refused here."""
    source = open_source(table)
    names = [slices] if isinstance(slices, str) else list(slices or ())
    crossed = (slice_columns(str(name), source.column_names) for name in names)
    roles = Roles(
        reference=str(reference),
        systems=systems_of(prediction, score, systems),
        weight=_column(weight),
        cluster=_column(cluster),
        id=_column(id),
        slices=tuple(dict.fromkeys(crossed)),
    ).checked(source.column_names)
    declared = CLASSIFICATION
    chosen = declared.metrics + declared.averages if metrics is None else _chosen(metrics, roles)
    return Request(
        task=declared,
        source=source,
        roles=roles,
        metrics=chosen,
        level=checked_level(number_setting("level", level)),
        bootstrap=bootstrap_settings(replicates, seed, bootstrap),
        engine=chosen_engine(engine, table),
        positive=None if positive is None else label_text(positive),
        threshold=_finite(threshold),
    )


def _column(name: str | None) -> str | None:
    return None if name is None else str(name)


def _chosen(metrics: str | Metric | Sequence[str | Metric], roles: Roles) -> tuple[Metric, ...]:
    """The metrics that were asked for, each once, if the columns can answer."""
    several = [metrics] if isinstance(metrics, (str, Metric)) else list(metrics)
    if not several or not all(isinstance(metric, (str, Metric)) for metric in several):
        raise SettingError(f"`metrics` must name at least one metric, not {quoted(metrics)}. Leave it out for all.")
    chosen = tuple(dict.fromkeys(parse(metric) if isinstance(metric, str) else metric for metric in several))
    for metric in chosen:
        if metric.over not in (Confusion, Curves, Losses):
            raise SettingError(f"`metrics` must be ones that classification measures, but {metric!r} is not.")
        if metric.over is not Confusion and not any(system.scores for system in roles.systems):
            raise SettingError(f"`{metric!r}` must have a score to measure, but there is none. Give `score`.")
    return chosen


def _finite(threshold: float | None) -> float | None:
    if threshold is not None and not np.isfinite(number_setting("threshold", threshold)):
        raise SettingError(f"`threshold` must be a finite number, for example 0.5, not {threshold!r}.")
    return None if threshold is None else float(threshold)


def run(asked: Request, progress: Progress = lambda what, more, of: None) -> Outcome:
    """Carry out a request."""
    assembly = Assembly(asked.roles, asked.bootstrap, asked.threshold)
    preparation = Preparation(asked.roles, asked.positive)
    collected = asked.engine.collect(
        asked.source, preparation, assembly.plan(), lambda rows: progress("reading", rows, 0)
    )
    _refuse_nothing(collected, asked)
    checked_positive(preparation.positive, collected.labels)
    table, panels = _measure(asked, assembly, collected, preparation.positive, progress)
    return Outcome(
        task=asked.task.name,
        data=_data(asked, collected),
        settings=_settings(asked, assembly, preparation.positive),
        systems=[system.name for system in asked.roles.systems],
        slice_columns=[" × ".join(columns) for columns in asked.roles.slices],
        metrics=list(dict.fromkeys(row.metric for row in table if row.method != "baseline")),
        table=table,
        panels=panels,
    )


def _measure(
    asked: Request, assembly: Assembly, collected: Collected, positive: str | None, progress: Progress
) -> tuple[ResultTable, Panels]:
    rows: list[Row] = []
    whole: list[Measured] = []
    keys = collected.slices()
    pairs = [(key, place) for key in keys for place in range(len(asked.roles.systems))]
    for key, place in pairs:
        measured = assembly.measured(collected, key, place, positive)
        rows.extend(rows_of(measured, _applicable(asked, measured), asked.level, asked.bootstrap))
        if key == keys[0]:
            whole.append(measured)
        progress("measuring", 1, len(pairs))
    return ResultTable(tuple(rows)), panels_of(whole, asked.level)


def _applicable(asked: Request, measured: Measured) -> tuple[Metric, ...]:
    """Averages over categories serve only where no single category is the one that matters."""
    lone = measured.positive is not None
    return tuple(m for m in asked.metrics if not (lone and m in asked.task.averages))


def _refuse_nothing(collected: Collected, asked: Request) -> None:
    some = next(iter(collected.statistics.values()))
    counts = some.curves[0].counts if hasattr(some, "curves") else some.counts
    if asked.roles.weight is not None and not counts.any():
        raise BadValue(
            f"`weight` must not be zero everywhere, but {quoted(asked.roles.weight)} is: no row would count. "
            "Give another column, or leave `weight` out."
        )


def _data(asked: Request, collected: Collected) -> Data:
    roles = asked.roles
    named = {"reference": roles.reference, "weight": roles.weight, "cluster": roles.cluster, "id": roles.id}
    for system in roles.systems:
        named[f"prediction of {system.name}"] = system.prediction
        for category, column in system.scores:
            named[f"score of {system.name}" + (f" for {category}" if category else "")] = column
    return Data(
        source=asked.source.name,
        fingerprint=asked.source.fingerprint(),
        rows=collected.read,
        used=collected.rows,
        # In an order that does not depend on where the table was cut into blocks.
        left_out=dict(sorted(collected.left_out.items(), key=lambda item: (-item[1], item[0]))),
        categories=list(collected.labels),
        roles={role: name for role, name in named.items() if name is not None},
    )


def _settings(asked: Request, assembly: Assembly, positive: str | None) -> Settings:
    return Settings(
        level=asked.level,
        replicates=asked.bootstrap.replicates,
        seed=asked.bootstrap.seed,
        bootstrap=asked.bootstrap.kind,
        draws=f"{assembly.row_draws} weights by {'cluster' if asked.roles.cluster else 'row'}"
        if assembly.explicit
        else f"{asked.bootstrap.weights} counts",
        engine=asked.engine.name,
        positive=positive,
        threshold=assembly.cut,
        versions=versions(),
    )
