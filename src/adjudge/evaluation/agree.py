"""Agreement of raters: one table in, one outcome out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data.collect_ratings import Rated, RatingRoles, rated_blocks, read_rated
from adjudge.data.columns import Columns
from adjudge.data.prepare import check_clusters, ends
from adjudge.data.source import Source, open_source
from adjudge.engines.base import PILOT_ROWS, WHOLE, Collected, Engine, Plan, SliceKey, Wanted, collect_block
from adjudge.errors import InputError, SettingError, listed, quoted
from adjudge.evaluation.agree_checks import (
    check_case_weights,
    check_drawn_raters,
    check_measured,
    check_total_weight,
    checked_confidence,
    checked_metrics,
    checked_names,
)
from adjudge.evaluation.agree_facts import data_of
from adjudge.evaluation.agree_kind import Page, RatingKind, statistic_in
from adjudge.evaluation.agree_labels import LabelKind
from adjudge.evaluation.agree_sets import SetKind
from adjudge.evaluation.agree_spans import SpanKind
from adjudge.evaluation.agree_sums import in_items
from adjudge.evaluation.assemble import slice_name
from adjudge.evaluation.measure import Measured, rows_of
from adjudge.evaluation.outcome import Outcome, Settings
from adjudge.evaluation.panels import Panels
from adjudge.evaluation.results import ResultTable, Row
from adjudge.evaluation.settings import Progress, bootstrap_settings, chosen_engine, versions
from adjudge.inference.interval import Bounds
from adjudge.inference.resampling import (
    JACKKNIFE_GROUPS,
    Bootstrap,
    Replicates,
    Together,
    clusters_drawn,
    drawn_by_rows,
    drawn_on_cells,
    values_of,
)
from adjudge.inference.two_way import two_way
from adjudge.metrics.base import Metric
from adjudge.metrics.weightings import MEASUREMENTS
from adjudge.statistics.base import ratio
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.weights import Draws
from adjudge.tasks.agreement import AGREEMENT

EVERYBODY = "all raters"
RESAMPLED = ("items", "raters")
# Which kind of rating a level of measurement is about.
KINDS: dict[str, Any] = {**dict.fromkeys(MEASUREMENTS, LabelKind), "sets": SetKind, "spans": SpanKind}


@dataclass(frozen=True)
class AgreementRequest:
    """Everything that was asked, checked before a row is read."""

    source: Source
    roles: RatingRoles
    kind: RatingKind
    raters_too: bool
    metrics: tuple[Metric, ...] | None
    level: float
    bootstrap: Bootstrap
    engine: Engine

    @property
    def explicit(self) -> bool:
        """Whether items must be drawn one by one: they differ in weight or belong together."""
        return self.roles.weight is not None or self.roles.cluster is not None

    @property
    def streamed(self) -> bool:
        """Whether items come block by block."""
        return self.engine.name == "stream"

    @property
    def named(self) -> bool:
        """Whether raters are told apart: blocks of ratings in rows may each have others."""
        return self.roles.is_wide or not self.streamed


def request_agreement(
    table: Any,
    *,
    level: str = "nominal",
    scale: Sequence[Any] | None = None,
    model: str | None = None,
    resample: str = "items",
    metrics: str | Metric | Sequence[str | Metric] | None = None,
    confidence: float = 0.95,
    replicates: int = 2_000,
    seed: int = 7,
    bootstrap: str = "percentile",
    engine: str = "auto",
    **others: Any,
) -> AgreementRequest:
    """Check what was asked. `level` is the level of measurement; `confidence` that of the intervals."""
    if level not in KINDS:
        raise SettingError(f"`level` must be one of {listed(KINDS)}, not {quoted(level)}.")
    checked_names(others)
    if resample not in RESAMPLED:
        raise SettingError(f"`resample` must be one of {listed(RESAMPLED)}, not {quoted(resample)}.")
    roles = {role.name: others.pop(role.name) for role in AGREEMENT.roles if role.name in others}
    kind = KINDS[level].of(level, scale=scale, model=model, **others)
    source = open_source(table)
    return AgreementRequest(
        source=source,
        roles=kind.roles(source.column_names, roles),
        kind=kind,
        raters_too=resample == "raters",
        metrics=checked_metrics(metrics, kind.allows),
        level=checked_confidence(confidence),
        bootstrap=bootstrap_settings(replicates, seed, bootstrap),
        engine=chosen_engine("memory" if engine == "auto" else engine, table),
    )


def run_agreement(asked: AgreementRequest, progress: Progress = lambda what, more, of: None) -> Outcome:
    """Carry out a request."""
    kept: list[Rated] = []
    collected = _collect(asked, kept, progress)
    if collected.rows == 0:
        raise InputError(
            f"Some items must be rated, but all {collected.read:,} rows were left out "
            f"({'; '.join(f'{reason}: {count:,}' for reason, count in collected.left_out.items())}). "
            "Are these the right columns?"
        )
    raters = len(getattr(statistic_in(collected, asked.kind.by_rater), "raters", ()))
    if asked.raters_too:
        check_drawn_raters(raters)
    rows: list[Row] = []
    keys = collected.slices()
    for key in keys:
        measured = _measured(asked, collected, key)
        metrics = asked.metrics if asked.metrics is not None else asked.kind.metrics(measured.statistics)
        found = rows_of(measured, metrics, asked.level, asked.bootstrap)
        rows.extend(_over_raters(asked, measured, metrics, found) if asked.raters_too else found)
        progress("measuring", 1, len(keys))
    whole = kept[0] if len(kept) == 1 else None
    rows.extend(_pair_rows(asked, collected, whole))
    check_measured(asked.metrics, rows, lambda metric: asked.kind.unmeasured(metric, raters))
    table = ResultTable(tuple(rows))
    return Outcome(
        task=AGREEMENT.name,
        data=data_of(asked.source, asked.roles, collected, asked.kind.labels(collected)),
        settings=_settings(asked, collected, whole),
        systems=[EVERYBODY],
        slice_columns=[" × ".join(columns) for columns in asked.roles.slices],
        metrics=list(dict.fromkeys(row.metric for row in table if row.method != "baseline")),
        table=table,
        panels=_panels(asked, collected, whole),
    )


def _collect(asked: AgreementRequest, kept: list[Rated], progress: Progress) -> Collected:
    """All sums, in one pass; in memory the ratings themselves are kept for the pictures."""
    state, weight, raters, units = Collected(), 0.0, set[str](), list[NDArray[np.uint64]]()
    for block in _blocks(asked):
        check_case_weights(block, asked.roles.weight)
        raters.update(block.ratings.raters)
        units.append(ends(block.keys))
        rated = asked.kind.ready(block, asked.named)
        state = state + collect_block(_columns(rated), _plan(asked, rated), {})
        weight += float(len(rated.ratings) if rated.weight is None else rated.weight.sum())
        progress("reading", rated.read, 0)
        if not asked.streamed:
            kept.append(rated)
    check_total_weight(asked.roles.weight if state.rows and not weight else None)
    if asked.roles.cluster is not None:
        check_clusters("cluster", asked.roles.cluster, np.concatenate(units))
    asked.kind.check(state, raters)
    return state if asked.roles.weight is None else in_items(state, float(ratio(state.rows, weight)))


def _blocks(asked: AgreementRequest) -> Iterator[Rated]:
    scale = asked.kind.scale
    if asked.streamed:
        yield from rated_blocks(asked.source, asked.roles, scale, PILOT_ROWS)
    else:
        yield read_rated(asked.source, asked.roles, scale)


def _columns(rated: Rated) -> Columns:
    return Columns(
        rows=len(rated.ratings),
        systems=(rated.ratings,),
        weight=rated.weight,
        keys=rated.keys,
        slices=rated.slices,
        read=rated.read,
        left_out=rated.left_out,
    )


def _plan(asked: AgreementRequest, rated: Rated) -> Plan:
    wanted = tuple(Wanted(one, 0) for one in asked.kind.statistics(rated, asked.streamed, asked.named))
    names = tuple(" × ".join(columns) for columns in asked.roles.slices)
    if not asked.explicit:
        return Plan(wanted, slice_names=names)
    kinds = ("bayesian",) if asked.bootstrap.kind == "bayesian" else ("poisson", "bayesian")
    draws = [Draws(kind, asked.bootstrap.replicates, asked.bootstrap.seed) for kind in kinds]
    if asked.bootstrap.kind == "bca":
        draws.append(Draws("jackknife", JACKKNIFE_GROUPS, asked.bootstrap.seed))
    return Plan(wanted, tuple((draw, wanted) for draw in draws), names)


def _measured(asked: AgreementRequest, collected: Collected, key: SliceKey) -> Measured:
    sums = {wanted.statistic: value for (k, wanted), value in collected.statistics.items() if k == key}
    return _ready(asked, collected, key, sums)


def _ready(asked: AgreementRequest, collected: Collected, key: SliceKey, sums: Together) -> Measured:
    statistics: Together = {}
    for value in sums.values():
        statistics |= asked.kind.derived(value)
    cell_kind = asked.bootstrap.weights
    row_kind = "bayesian" if asked.bootstrap.kind == "bayesian" else "poisson"
    return Measured(
        system=EVERYBODY,
        slice=slice_name(key),
        rows=next(iter(sums.values())).rows,
        statistics=statistics,
        bootstrap=tuple(_replicates(asked, collected, key, (value, row_kind, cell_kind)) for value in sums.values()),
        bayesian=tuple(_replicates(asked, collected, key, (value, "bayesian", "bayesian")) for value in sums.values()),
        positive=None,
        notes={},
        refused={},
        clustered=asked.roles.cluster is not None,
    )


def _replicates(asked: AgreementRequest, collected: Collected, key: SliceKey, how: tuple[Any, str, str]) -> Replicates:
    value, row_kind, cell_kind = how
    drawn = collected.replicates.get((key, Wanted(type(value), 0), row_kind))
    if drawn is None:
        stream = f"{type(value).__name__}/{key[0]}/{key[1]}"
        return drawn_on_cells(value, asked.kind.derived, cell_kind, asked.bootstrap, stream)
    units = None if asked.roles.cluster is None else clusters_drawn(drawn)
    if row_kind == "bayesian":
        drawn = drawn.smoothed(value, asked.bootstrap.seed, f"{type(value).__name__}/{key[0]}/{key[1]}")
    jackknife = collected.replicates.get((key, Wanted(type(value), 0), "jackknife"))
    return drawn_by_rows(value, drawn, jackknife, asked.kind.derived, asked.bootstrap, units=units)


def _over_raters(asked: AgreementRequest, measured: Measured, metrics: Sequence[Metric], rows: list[Row]) -> list[Row]:
    """The same rows, and before each metric's own its interval over items and raters."""
    vectors = measured.statistics.get(asked.kind.by_rater)
    if vectors is None:
        return rows
    able = [m for m in metrics if "bayesian" in m.intervals and not m.by_category]
    bounds: dict[str, Bounds] = {}
    for replicates in measured.bayesian:
        chosen = [m for m in able if m.over is not Confusion and m.over in replicates.base]
        for metric, drawn in zip(chosen, values_of(replicates, chosen) if chosen else [], strict=True):
            units = replicates.units_of(metric.over)
            found = two_way(metric, vectors, drawn, level=asked.level, seed=asked.bootstrap.seed, units=units)
            if found is not None:
                bounds[repr(metric)] = found
    wider = []
    for row in rows:
        if row.metric in bounds and np.isfinite(row.estimate):
            made = bounds.pop(row.metric)
            ends = min(float(made.low), row.estimate), max(float(made.high), row.estimate)
            wider.append(replace(row, low=ends[0], high=ends[1], method=made.method))
        wider.append(row)
    return wider


def _pair_rows(asked: AgreementRequest, collected: Collected, rated: Rated | None) -> Iterator[Row]:
    """Every two raters, when there are a few more than two."""
    for pair in asked.kind.pairs(collected, rated):
        metrics = [metric for metric in pair.metrics if asked.metrics is None or metric in asked.metrics]
        if not metrics:
            return
        sums = {type(value): replace(value, rows=pair.rows) for value in pair.collected.statistics.values()}
        measured = _ready(asked, pair.collected, WHOLE, sums)
        yield from rows_of(replace(measured, system=" × ".join(pair.raters)), metrics, asked.level, asked.bootstrap)


def _panels(asked: AgreementRequest, collected: Collected, rated: Rated | None) -> Panels:
    if rated is None:
        return Panels()
    return asked.kind.panels(Page(rated, _measured(asked, collected, WHOLE), asked.bootstrap, asked.level))


def _settings(asked: AgreementRequest, collected: Collected, rated: Rated | None) -> Settings:
    unit = "cluster" if asked.roles.cluster else "item"
    return Settings(
        level=asked.level,
        replicates=asked.bootstrap.replicates,
        seed=asked.bootstrap.seed,
        bootstrap=asked.bootstrap.kind,
        draws=f"weights by {unit}" if asked.explicit else f"{asked.bootstrap.weights} counts of items",
        engine=asked.engine.name,
        versions=versions(),
        choices={
            **asked.kind.choices,
            "Resampled": "items and raters" if asked.raters_too else "items",
            **asked.kind.facts(collected, rated),
        },
    )
