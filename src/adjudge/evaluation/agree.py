"""Agreement of raters: one table in, one outcome out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from adjudge.data.collect_ratings import Rated, RatingRoles, rated_blocks, rating_roles, read_rated
from adjudge.data.columns import Columns
from adjudge.data.source import Source, open_source
from adjudge.engines.base import PILOT_ROWS, WHOLE, Collected, Engine, Plan, SliceKey, Wanted, collect_block
from adjudge.errors import InputError, SettingError, listed, quoted
from adjudge.evaluation.agree_checks import (
    MOST_CATEGORIES,
    NUMBERS,
    check_collected,
    check_measured,
    check_ratings,
    check_size,
    checked_confidence,
    checked_metrics,
    checked_names,
    checked_scale,
)
from adjudge.evaluation.agree_facts import data_of, found_in
from adjudge.evaluation.agree_sums import in_items, of_pair, vectors_in
from adjudge.evaluation.agreement_panels import agreement_panels
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
    drawn_by_rows,
    drawn_on_cells,
    values_of,
)
from adjudge.inference.two_way import two_way
from adjudge.metrics.base import Metric
from adjudge.metrics.weightings import LEVELS
from adjudge.statistics.base import ratio
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.patterns import Patterns
from adjudge.statistics.rating_vectors import RatingVectors
from adjudge.statistics.weights import Draws
from adjudge.tasks.agreement import AGREEMENT, BY_LEVEL, CONTINUOUS, CONTINUOUS_OF_TWO, OF_TWO

# Every two raters are compared in the table up to this many raters.
MOST_PAIRED_RATERS = 12
EVERYBODY = "all raters"
RESAMPLED = ("items", "raters")


@dataclass(frozen=True)
class AgreementRequest:
    """Everything that was asked, checked before a row is read."""

    source: Source
    roles: RatingRoles
    measured_as: str
    scale: tuple[Any, ...] | None
    model: str | None
    raters_too: bool
    metrics: tuple[Metric, ...] | None
    level: float
    bootstrap: Bootstrap
    engine: Engine

    @property
    def explicit(self) -> bool:
        """Whether items must be drawn one by one: they differ in weight or belong together."""
        return self.roles.weight is not None or self.roles.cluster is not None


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
    **roles: Any,
) -> AgreementRequest:
    """Check what was asked. `level` is the level of measurement; `confidence` that of the intervals."""
    if level not in LEVELS:
        raise SettingError(f"`level` must be one of {listed(LEVELS)}, not {quoted(level)}.")
    checked_names(roles)
    if resample not in RESAMPLED:
        raise SettingError(f"`resample` must be one of {listed(RESAMPLED)}, not {quoted(resample)}.")
    source = open_source(table)
    named = rating_roles(source.column_names, **{name: column for name, column in roles.items() if column})
    return AgreementRequest(
        source=source,
        roles=named,
        measured_as=level,
        scale=checked_scale(scale),
        model=model,
        raters_too=resample == "raters",
        metrics=checked_metrics(metrics),
        level=checked_confidence(confidence),
        bootstrap=bootstrap_settings(replicates, seed, bootstrap),
        engine=chosen_engine("memory" if engine == "auto" else engine, table),
    )


def run_agreement(asked: AgreementRequest, progress: Progress = lambda what, more, of: None) -> Outcome:
    """Carry out a request."""
    kept: list[Rated] = []
    collected = _collect(asked, kept, progress)
    if collected.rows == 0:
        raise InputError(f"Some items must be rated, but none of {collected.read:,} rows has a rating.")
    rows: list[Row] = []
    keys = collected.slices()
    for key in keys:
        for measured in _measured(asked, collected, key):
            metrics = _metrics(asked, measured)
            found = rows_of(measured, metrics, asked.level, asked.bootstrap)
            rows.extend(_over_raters(asked, measured, metrics, found) if asked.raters_too else found)
        progress("measuring", 1, len(keys))
    rows.extend(_pair_rows(asked, collected))
    check_measured(asked.metrics, rows, len(getattr(vectors_in(collected), "raters", ())))
    table = ResultTable(tuple(rows))
    return Outcome(
        task=AGREEMENT.name,
        data=data_of(asked.source, asked.roles, collected),
        settings=_settings(asked, collected),
        systems=[EVERYBODY],
        slice_columns=[" × ".join(columns) for columns in asked.roles.slices],
        metrics=list(dict.fromkeys(row.metric for row in table if row.method != "baseline")),
        table=table,
        panels=_panels(asked, kept),
    )


def _collect(asked: AgreementRequest, kept: list[Rated], progress: Progress) -> Collected:
    """All sums, in one pass; in memory the ratings themselves are kept for the pictures."""
    state, weight, raters = Collected(), 0.0, set[str]()
    for rated in _blocks(asked):
        check_ratings(asked.measured_as, asked.scale, rated, asked.roles.weight)
        state = state + collect_block(_columns(rated), _plan(asked, rated), {})
        weight += float(len(rated.ratings) if rated.weight is None else rated.weight.sum())
        raters.update(rated.ratings.raters)
        progress("reading", rated.read, 0)
        if asked.engine.name == "memory":
            kept.append(rated)
    check_collected(asked.model, raters, asked.roles.weight if state.rows and not weight else None)
    check_size(asked.measured_as, len(state.labels))
    return state if asked.roles.weight is None else in_items(state, float(ratio(state.rows, weight)))


def _blocks(asked: AgreementRequest) -> Iterator[Rated]:
    if asked.engine.name == "memory":
        yield read_rated(asked.source, asked.roles, asked.scale)
    else:
        yield from rated_blocks(asked.source, asked.roles, asked.scale, PILOT_ROWS)


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


def _continuous(asked: AgreementRequest, categories: tuple[str, ...]) -> bool:
    return asked.measured_as in NUMBERS and len(categories) > MOST_CATEGORIES


def _plan(asked: AgreementRequest, rated: Rated) -> Plan:
    """Patterns serve labels; vectors need the same raters in every block."""
    continuous = _continuous(asked, rated.ratings.categories)
    by_rater = asked.engine.name == "memory" or asked.roles.is_wide
    if continuous and asked.engine.name == "stream":
        raise SettingError(
            f"Streamed numbers must have at most {MOST_CATEGORIES} different values, but there are more. "
            'Use engine="memory".'
        )
    wanted = tuple(
        Wanted(statistic, 0) for statistic, serves in ((Patterns, not continuous), (RatingVectors, by_rater)) if serves
    )
    names = tuple(" × ".join(columns) for columns in asked.roles.slices)
    if not asked.explicit:
        return Plan(wanted, slice_names=names)
    kinds = ("bayesian",) if asked.bootstrap.kind == "bayesian" else ("poisson", "bayesian")
    draws = [Draws(kind, asked.bootstrap.replicates, asked.bootstrap.seed) for kind in kinds]
    if asked.bootstrap.kind == "bca":
        draws.append(Draws("jackknife", JACKKNIFE_GROUPS, asked.bootstrap.seed))
    return Plan(wanted, tuple((draw, wanted) for draw in draws), names)


def _measured(asked: AgreementRequest, collected: Collected, key: SliceKey) -> Iterator[Measured]:
    sums = {wanted.statistic: value for (k, wanted), value in collected.statistics.items() if k == key}
    yield _ready(asked, collected, key, sums)


def _ready(asked: AgreementRequest, collected: Collected, key: SliceKey, sums: Together) -> Measured:
    statistics: Together = {}
    for value in sums.values():
        statistics |= _derived(value)
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


def _derived(value: Any) -> Together:
    """The statistic and, for two raters, the table that follows from it."""
    found: Together = {type(value): value}
    if isinstance(value, RatingVectors) and len(value.raters) == 2 and len(value.categories) <= MOST_CATEGORIES:
        squares = replace(value, counts=value.squares).pair_counts[0]
        found[Confusion] = Confusion(value.categories, value.pair_counts[..., 0, :, :], squares, value.rows)
    return found


def _replicates(asked: AgreementRequest, collected: Collected, key: SliceKey, how: tuple[Any, str, str]) -> Replicates:
    value, row_kind, cell_kind = how
    drawn = collected.replicates.get((key, Wanted(type(value), 0), row_kind))
    if drawn is None:
        stream = f"{type(value).__name__}/{key[0]}/{key[1]}"
        return drawn_on_cells(value, _derived, cell_kind, asked.bootstrap, stream)
    if row_kind == "bayesian":
        drawn = drawn.smoothed(value, asked.bootstrap.seed, f"{type(value).__name__}/{key[0]}/{key[1]}")
    jackknife = collected.replicates.get((key, Wanted(type(value), 0), "jackknife"))
    return drawn_by_rows(value, drawn, jackknife, _derived, asked.bootstrap)


def _metrics(asked: AgreementRequest, measured: Measured) -> tuple[Metric, ...]:
    if asked.metrics is not None:
        return asked.metrics
    vectors = measured.statistics.get(RatingVectors)
    two = vectors is not None and len(vectors.raters) == 2
    if vectors is not None and _continuous(asked, vectors.categories):
        return CONTINUOUS + (CONTINUOUS_OF_TWO if two else ())
    return tuple(dict.fromkeys(BY_LEVEL[asked.measured_as] + (OF_TWO[asked.measured_as] if two else ())))


def _over_raters(asked: AgreementRequest, measured: Measured, metrics: Sequence[Metric], rows: list[Row]) -> list[Row]:
    """The same rows, and before each metric's own its interval over items and raters."""
    vectors = measured.statistics.get(RatingVectors)
    if vectors is None:
        return rows
    able = [m for m in metrics if "bayesian" in m.intervals and not m.by_category]
    bounds: dict[str, Bounds] = {}
    for replicates in measured.bayesian:
        chosen = [m for m in able if m.over in (Patterns, RatingVectors) and m.over in replicates.base]
        for metric, drawn in zip(chosen, values_of(replicates, chosen) if chosen else [], strict=True):
            found = two_way(metric, vectors, drawn, level=asked.level, seed=asked.bootstrap.seed)
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


def _pair_rows(asked: AgreementRequest, collected: Collected) -> Iterator[Row]:
    """The kappa of every two raters, when there are a few more than two."""
    vectors = vectors_in(collected)
    if vectors is None or not 2 < len(vectors.raters) <= MOST_PAIRED_RATERS or _continuous(asked, vectors.categories):
        return
    kappa = OF_TWO[asked.measured_as][1 if asked.measured_as in ("ordinal", *NUMBERS) else 0]
    if asked.metrics is not None and kappa not in asked.metrics:
        return
    for pair in vectors.pairs:
        drawn = of_pair(collected, pair)
        two = vectors_in(drawn)
        assert two is not None
        rows = round(float(two.counts.sum()))
        measured = _ready(asked, drawn, WHOLE, {RatingVectors: replace(two, rows=rows)})
        named = replace(measured, system=" × ".join(two.raters))
        yield from rows_of(named, (kappa,), asked.level, asked.bootstrap)


def _panels(asked: AgreementRequest, kept: list[Rated]) -> Panels:
    if len(kept) != 1:
        return Panels()
    (rated,) = kept
    return agreement_panels(
        rated.ratings,
        list(rated.items),
        level_of_measurement=asked.measured_as,
        settings=asked.bootstrap,
        level=asked.level,
        batches=None if rated.batches is None else [rated.batches.categories[code] for code in rated.batches.codes],
        model=asked.model,
        weights=None if rated.weight is None else rated.weight / rated.weight.mean(),
        clusters=None if asked.roles.cluster is None else rated.keys,
    )


def _settings(asked: AgreementRequest, collected: Collected) -> Settings:
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
            "Level of measurement": asked.measured_as,
            "Resampled": "items and raters" if asked.raters_too else "items",
            **found_in(collected),
        },
    )
