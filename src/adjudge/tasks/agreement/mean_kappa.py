"""Quadratic weighted kappa of several sets of items, and their mean through Fisher's z."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.data.cleaning import number_column, text_column
from adjudge.data.judgements.columns import Judgements, floats_of
from adjudge.data.judgements.labels import label_text, labels_of
from adjudge.data.judgements.ratings import ratings_of
from adjudge.data.source import open_source, whole_batch
from adjudge.errors import BadValue, ColumnNotFound, SettingError, is_among, listed, literal, quoted
from adjudge.evaluation.arrays.estimate import rows_of_statistic
from adjudge.evaluation.asking.border import bordered
from adjudge.evaluation.results import ResultTable, Row
from adjudge.inference.intervals.interval import Estimate, Interval, checked_level
from adjudge.inference.replicate_values import replicate_values
from adjudge.inference.resampling import Bootstrap, drawn_on_cells, percentile
from adjudge.metrics.base import Metric
from adjudge.metrics.chance_agreement import cohen_kappa
from adjudge.metrics.rater_reliability import concordance_correlation
from adjudge.statistics.base import Array
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.weights import Weights

CAP = 0.999
NAME = "mean_quadratic_weighted_kappa"
RULES = ("n-3", "inverse_variance")
QUADRATIC = cohen_kappa.using(weighting="quadratic")
# Beyond this many distinct scores a table of them is too large, and kappa is taken from their moments: the same number.
MOST_SCORES = 200


@dataclass(frozen=True, slots=True)
class MeanKappa:
    """The kappa of each set, and their mean. A set whose kappa is undefined is left out of the mean."""

    table: ResultTable
    mean: Estimate
    plain_mean: float
    weights: dict[str, float]
    left_out: int  # rows without a score, a prediction or a set

    def __str__(self) -> str:
        sets = "\n".join(f"{row.slice}: {row.as_estimate()}" for row in self.table.first_methods())
        return f"{sets}\n{self.mean}"


@dataclass(frozen=True, slots=True)
class ItemSet:
    """One set: what its kappa is a formula of."""

    name: str
    metric: Metric
    statistic: Confusion | RatingVectors


@bordered
def essay_sets(
    table: object,
    *,
    reference: str,
    prediction: str,
    by: str,
    weight: str | None = None,
    weights: Mapping[object, float] | str | None = None,
    cap: float | None = CAP,
    level: float = 0.95,
    replicates: int = 2_000,
    seed: int = 7,
) -> MeanKappa:
    """Quadratic weighted kappa set by set, and the mean of all sets with an interval.

    Kappas are cut to ±`cap` (None: not at all), turned into Fisher's z, averaged under weights and turned back.
    Weights of sets are a column (`weight`, the same in every row of a set), a mapping, or a rule: "n-3" or
    "inverse_variance". The interval is from items resampled within their sets.

    >>> table = {"set": [1] * 4 + [2] * 5, "gold": [1, 2, 3, 2, 1, 2, 3, 4, 4], "machine": [1, 2, 3, 3, 1, 2, 3, 4, 3]}
    >>> kappas = essay_sets(table, reference="gold", prediction="machine", by="set", weights={1: 1, 2: 0.5})
    >>> round(kappas.mean.value, 6), [round(row.estimate, 4) for row in kappas.table.first_methods()]
    (0.850474, [0.8, 0.918])
    """
    settings = Bootstrap(replicates, seed)
    checked_cap(cap)
    if weight is not None and weights is not None:
        raise SettingError("Weights of sets must be given once: by the column `weight`, or by `weights`.")
    names, columns, left_out = _columns(table, by, [reference, prediction, *([weight] if weight else [])])
    sets, labels = _sets(names, columns[reference], columns[prediction])
    rows = [row for one in sets for row in _rows(one, by, level, settings)]
    replicates_of_sets = np.stack([_replicates(one, "multinomial", settings) for one in sets], axis=-1)
    points = np.array([float(one.metric.values(one.statistic)) for one in sets])
    given = weights if weight is None else _constant(columns[weight], names, labels, weight)
    shares = _set_weights(given, sets, replicates_of_sets, cap)
    mean = _mean(sets, points, replicates_of_sets, (shares, cap, checked_level(level), settings))
    defined = ~np.isnan(points)
    plain = float(points[defined].mean()) if defined.any() else float("nan")
    named = dict(zip([one.name for one in sets], shares.tolist(), strict=True))
    return MeanKappa(ResultTable(tuple(rows)), mean, plain, named, left_out)


def fisher_mean(kappas: object, weights: object = None, cap: float | None = CAP) -> Array:
    """The mean of kappas through Fisher's z, (…); undefined ones are left out. kappas are (…, sets).

    Without a cap a kappa of 1 or −1 is taken as a limit: one perfect set makes the mean 1, unless others are −1
    with the same weight.

    >>> float(fisher_mean([1.0, 1.0])), float(fisher_mean([1.0, 1.0], cap=None)), float(fisher_mean([1.0, -1.0]))
    (0.999, 1.0, 0.0)
    """
    values = checked_numbers("kappas", kappas)
    if (np.abs(values) > 1).any():
        raise BadValue(f"A kappa must lie between -1 and 1, but {values[np.abs(values) > 1][0]:g} was found.")
    checked_cap(cap)
    shares = np.where(np.isnan(values), 0.0, checked_set_weights(weights, values.shape[-1]))
    values = np.where(shares > 0, np.nan_to_num(values), 0.0)
    values = values if cap is None else np.clip(values, -cap, cap)
    certain = np.abs(values) >= 1
    leaning = (shares * np.where(certain, np.sign(values), 0)).sum(-1)
    z = (shares * np.arctanh(np.where(certain, 0.0, values))).sum(-1)
    total = shares.sum(-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(total == 0, np.nan, np.where(leaning != 0, np.sign(leaning), np.tanh(z / total))))


def checked_cap(cap: float | None) -> None:
    """A cap lies between 0 and 1; None is no cap."""
    if cap is not None and not (isinstance(cap, (int, float, np.floating)) and 0 < cap < 1):
        raise SettingError(f"`cap` must lie between 0 and 1, or be None for no cap, not {literal(cap)}.")


def checked_numbers(name: str, given: object) -> Array:
    """Numbers that were given, as an array of any shape."""
    if (numbers := floats_of(given)) is None:
        raise BadValue(f"`{name}` must hold numbers, not {literal(given)}.")
    return numbers


def checked_set_weights(weights: object, sets: int) -> Array:
    """One weight for each set, none negative, not all zero; equal ones when there are none."""
    if weights is None:
        return np.ones(sets)
    values = checked_numbers("weights", weights)
    if values.shape != (sets,):
        raise BadValue(f"`weights` must hold one number for each of the {sets} sets, but its shape is {values.shape}.")
    if not np.isfinite(values).all() or (values < 0).any():
        wrong = values[~np.isfinite(values) | (values < 0)][0]
        raise BadValue(f"`weights` of sets must be finite and not negative, but {wrong:g} was found.")
    if sets and not values.any():
        raise BadValue("`weights` must not all be zero: no set would count.")
    return values


def item_set(name: str, reference: object, prediction: object) -> ItemSet:
    """What quadratic weighted kappa is taken from: a table of the scores, or their values when they are many."""
    a, b = np.asarray(reference, dtype=np.float64), np.asarray(prediction, dtype=np.float64)
    if len(np.unique(np.concatenate([a, b]))) <= MOST_SCORES:
        judgements = Judgements(labels_of(a, "reference"), labels_of(b, "prediction"))
        return ItemSet(name, QUADRATIC, Confusion.collect(judgements, Weights(len(a))))
    return ItemSet(name, concordance_correlation, RatingVectors.collect(ratings_of(a, b), Weights(len(a))))


def _sets(by: NDArray[np.object_], reference: Array, prediction: Array) -> tuple[list[ItemSet], tuple[str, ...]]:
    labels = labels_of(by, "set") if len(by) else None
    if labels is None:
        raise BadValue("Sets must hold some items, but no row has a score, a prediction and a set.")
    rows = [np.flatnonzero(labels.codes == code) for code in range(len(labels.categories))]
    named = zip(labels.categories, rows, strict=True)
    return [item_set(name, reference[some], prediction[some]) for name, some in named], labels.categories


def _rows(one: ItemSet, by: str, level: float, settings: Bootstrap) -> list[Row]:
    """The kappa of a set by every method, called by the same name whichever way it was computed."""
    rows = rows_of_statistic(one.metric, one.statistic, name=f"{by} = {one.name}", level=level, settings=settings)
    return [
        Row(r.system, r.slice, "", repr(QUADRATIC), r.estimate, r.low, r.high, r.level, r.method, r.n, r.note)
        for r in rows
        if not r.is_baseline
    ]


def _replicates(one: ItemSet, kind: str, settings: Bootstrap) -> Array:
    """Kappa in every replicate, items of this set resampled."""
    replicates = drawn_on_cells(
        one.statistic, lambda value: {one.metric.over: value}, kind, settings, f"set {one.name}"
    )
    return np.clip(replicate_values(replicates, [one.metric])[0], -1, 1)


def _mean(
    sets: Sequence[ItemSet], points: Array, replicates: Array, how: tuple[Array, float | None, float, Bootstrap]
) -> Estimate:
    shares, cap, level, settings = how
    items = sum(one.statistic.rows for one in sets)
    defined = ~np.isnan(points) & (shares > 0)
    nothing = Interval(np.nan, np.nan, level)
    if not defined.any():
        return Estimate(NAME, np.nan, nothing, "none", items, "undefined: no set has a defined kappa")
    value = float(fisher_mean(points, shares, cap))
    bounds = percentile("bootstrap", _means(replicates[:, defined], shares[defined], cap), level)
    if not bounds.low < bounds.high:
        chosen = [one for one, use in zip(sets, defined, strict=True) if use]
        smooth = np.stack([_replicates(one, "bayesian", settings) for one in chosen], axis=-1)
        bounds = percentile("bayesian", _means(smooth, shares[defined], cap), level)
    left = int((~defined).sum())
    notes = [f"{left} of {len(sets)} sets have no defined kappa or no weight and were left out"] if left else []
    notes += [bounds.note()] if bounds.note() else []
    interval = Interval(float(bounds.low), float(bounds.high), level)
    return Estimate(NAME, value, interval, bounds.method, items, "; ".join(notes))


def _means(kappas: Array, shares: Array, cap: float | None) -> Array:
    """The mean in every replicate; undefined when a set's kappa is."""
    return np.where(np.isnan(kappas).any(-1), np.nan, fisher_mean(kappas, shares, cap))


def _set_weights(given: object, sets: Sequence[ItemSet], replicates: Array, cap: float | None) -> Array:
    """The weight of each set, by what was given."""
    if given is None or isinstance(given, Mapping):
        return checked_set_weights(None if given is None else _by_name(given, sets), len(sets))
    if not is_among(given, RULES):
        raise SettingError(
            f"`weights` must map each set to a number, or be one of {listed(RULES)}, not {literal(given)}."
        )
    if given == "n-3":
        return checked_set_weights([max(one.statistic.rows - 3, 0) for one in sets], len(sets))
    limit = CAP if cap is None else cap
    variance = np.nanvar(np.arctanh(np.clip(replicates, -limit, limit)), axis=0)
    if not (variance > 0).all():
        place = int(np.flatnonzero(~(variance > 0))[0])
        raise SettingError(
            "Inverse variances need a kappa that varies in every set, "
            f'but that of {quoted(sets[place].name)} does not. Use weights="n-3".'
        )
    return checked_set_weights(1 / variance, len(sets))


def _by_name(given: Mapping[object, float], sets: Sequence[ItemSet]) -> list[float]:
    texts = {label_text(name): value for name, value in given.items()}
    if missing := [one.name for one in sets if one.name not in texts]:
        raise SettingError(f"`weights` must name every set, but {listed(missing)} is missing.")
    return [texts[one.name] for one in sets]


def _constant(values: Array, by: NDArray[np.object_], names: Sequence[str], column: str) -> dict[str, float]:
    """The weight of each set, which must be the same in all its rows."""
    codes = labels_of(by, "set").codes
    weights = {}
    for code, name in enumerate(names):
        distinct = np.unique(values[codes == code])
        if len(distinct) > 1:
            raise BadValue(
                f"`weight` must be the same in every row of a set, but {quoted(column)} has {listed(distinct)} "
                f"in set {quoted(name)}."
            )
        weights[name] = float(distinct[0])
    return weights


def _columns(table: object, by: str, numbers: list[str]) -> tuple[NDArray[np.object_], dict[str, Array], int]:
    """The set of each row and whole columns of numbers; rows that miss something are left out and counted."""
    source = open_source(table)
    for role, name in zip(("by", "reference", "prediction", "weight"), [by, *numbers], strict=False):
        if name not in source.column_names:
            raise ColumnNotFound(role, name, source.column_names)
    read = whole_batch(source, [by], numbers)
    labels = text_column(read, by)
    names = np.array([*labels.labels, ""], dtype=object)[labels.codes]
    complete = labels.codes >= 0
    for name in numbers:
        column = number_column(read, name)
        if column.unreadable.any():
            raise BadValue(f"Scores must be numbers, but column {quoted(name)} holds something else.")
        complete &= np.isfinite(column.values)
    values = {name: number_column(read, name).values[complete] for name in numbers}
    return names[complete], values, int((~complete).sum())
