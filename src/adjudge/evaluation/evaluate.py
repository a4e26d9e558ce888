"""One table in, one outcome out: reads, sums, divides, doubts and names, in that order."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from adjudge import __version__
from adjudge.data.prepare import Preparation, checked_positive
from adjudge.data.roles import Roles, slice_columns, systems_of
from adjudge.data.source import Source, open_source
from adjudge.engines.base import Collected, Engine
from adjudge.engines.memory import Memory
from adjudge.engines.stream import Stream
from adjudge.errors import BadValue, InputError, SettingError, listed
from adjudge.evaluation.assemble import Assembly
from adjudge.evaluation.measure import Measured, rows_of
from adjudge.evaluation.outcome import Data, Outcome, Settings
from adjudge.evaluation.panels import Panels
from adjudge.evaluation.pictures import panels_of
from adjudge.evaluation.results import ResultTable, Row
from adjudge.inference.interval import checked_level
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics.base import Metric
from adjudge.metrics.catalogue import parse
from adjudge.tasks.base import Task
from adjudge.tasks.classification import CLASSIFICATION

TASKS: dict[str, Task] = {"classification": CLASSIFICATION}
ENGINES: dict[str, type[Engine]] = {"memory": Memory, "stream": Stream}

Progress = Callable[[str, int, int], None]  # what, how much more, of how much (0: unknown)


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
    task: str = "classification",
    *,
    reference: str,
    prediction: Any = None,
    score: Any = None,
    systems: Any = None,
    positive: Any = None,
    weight: str | None = None,
    cluster: str | None = None,
    id: str | None = None,
    slices: Sequence[str] = (),
    metrics: Sequence[str | Metric] | None = None,
    threshold: float | None = None,
    level: float = 0.95,
    replicates: int = 2_000,
    seed: int = 7,
    bootstrap: str = "percentile",
    engine: str = "auto",
) -> Request:
    """Check what was asked. Unknown tasks, columns, metrics and settings are refused here."""
    if task not in TASKS:
        raise SettingError(f"`task` must be one of {listed(TASKS)}, not {task!r}.")
    source = open_source(table)
    names = [slices] if isinstance(slices, str) else list(slices)
    roles = Roles(
        reference=reference,
        systems=systems_of(prediction, score, systems),
        weight=weight,
        cluster=cluster,
        id=id,
        slices=tuple(slice_columns(name, source.column_names) for name in names),
    ).checked(source.column_names)
    declared = TASKS[task]
    chosen = declared.metrics + declared.averages
    if metrics is not None:
        chosen = tuple(parse(metric) if isinstance(metric, str) else metric for metric in metrics)
    return Request(
        task=declared,
        source=source,
        roles=roles,
        metrics=chosen,
        level=checked_level(level),
        bootstrap=Bootstrap(replicates, seed, bootstrap),
        engine=_engine(engine, table),
        positive=None if positive is None else str(positive),
        threshold=_finite(threshold),
    )


def _finite(threshold: float | None) -> float | None:
    if threshold is not None and not np.isfinite(threshold):
        raise SettingError(f"`threshold` must be a finite number, not {threshold!r}.")
    return threshold


def _engine(name: str, table: Any) -> Engine:
    if name == "auto":
        name = "stream" if isinstance(table, (str, bytes)) or hasattr(table, "__fspath__") else "memory"
    if name not in ENGINES:
        raise SettingError(f'`engine` must be "auto" or one of {listed(ENGINES)}, not {name!r}.')
    return ENGINES[name]()


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
    if collected.rows == 0:
        reasons = "; ".join(f"{reason}: {count:,}" for reason, count in collected.left_out.items())
        raise InputError(f"Some rows must be complete, but all {collected.read:,} were left out ({reasons}).")
    some = next(iter(collected.statistics.values()))
    counts = some.curves[0].counts if hasattr(some, "curves") else some.counts
    if asked.roles.weight is not None and not counts.any():
        raise BadValue(f'`weight` must not be zero everywhere, but "{asked.roles.weight}" is: no row would count.')


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
        left_out=dict(collected.left_out),
        categories=list(collected.labels),
        roles={role: name for role, name in named.items() if name is not None},
    )


def _settings(asked: Request, assembly: Assembly, positive: str | None) -> Settings:
    import scipy

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
        versions={
            "adjudge": __version__,
            "numpy": np.__version__,
            "scipy": scipy.__version__,
            "python": platform.python_version(),
        },
    )
