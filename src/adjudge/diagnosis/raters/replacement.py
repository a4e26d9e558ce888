"""May a model stand in for a rater? Model and humans are judged by the same other humans on the same items."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from adjudge.data.judgements.ratings import Ratings
from adjudge.diagnosis.limits import Size, ValueWithLimits, from_draws, unknown_limit
from adjudge.diagnosis.raters.distinct_ratings import DistinctRatings, distinct, patterns_of_pairs
from adjudge.diagnosis.raters.draws import NO_PRIOR, grouped_sums, groups_of, replicate_weights
from adjudge.errors import SettingError, listed, literal, quoted
from adjudge.inference.differences.paired_coefficients import FEWEST, FLAT
from adjudge.inference.intervals.interval import checked_level
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics import krippendorff_alpha
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.ratings.patterns import Patterns

if TYPE_CHECKING:
    from scipy.sparse import csr_array

NOT_WORSE, WORSE, UNDECIDED = "not worse than", "worse than", "undecided"


@dataclass(frozen=True, slots=True)
class AgainstHuman:
    """The model in the place of one human: both against the other humans."""

    human: str
    model: ValueWithLimits
    own: ValueWithLimits
    difference: ValueWithLimits


@dataclass(frozen=True, slots=True)
class Replacement:
    """The mean over humans of model less human agreement, and what follows for a stated margin.

    not worse than: the whole interval lies above −margin. worse than: it lies below 0, and not above −margin. Neither
    is said of fewer items than an interval takes.
    """

    model: str
    margin: float
    humans: list[AgainstHuman]
    difference: ValueWithLimits
    verdict: str


def can_replace(
    ratings: Ratings | DistinctRatings,
    model: str,
    metric: Metric = krippendorff_alpha,
    *,
    margin: float = 0.05,
    settings: Bootstrap | None = None,
    level: float = 0.95,
) -> Replacement:
    """Does a model agree with humans as humans agree with each other?

    For each human: the model's agreement with the other humans less the human's own, on items that the model, the
    human and at least one other rated. Each item counts once, however many others rated it.

    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> ratings = ratings_of([["a", "a", "a"], ["b", "b", "b"], ["a", "b", "a"], ["b", "b", "b"]] * 10)
    >>> can_replace(ratings, "3").verdict
    'not worse than'
    """
    table, settings = distinct(ratings), settings or Bootstrap()
    if model not in table.raters:
        raise SettingError(f"`model` must be one of the raters {listed(table.raters)}, not {quoted(model)}.")
    if not margin >= 0:
        raise SettingError(f"`margin` must be a number of at least 0, not {literal(margin)}.")
    if metric.over not in (Patterns, Confusion):
        raise SettingError(f"`{metric.name}` is not a metric of pairs of ratings.")
    place = table.raters.index(model)
    humans = [rater for rater in range(len(table.raters)) if rater != place]
    sums, sizes = _tables(table, place, humans)
    if not any(size.units for size in sizes):
        return Replacement(model, margin, [], _nothing(), UNDECIDED)
    point, draws = _values(table, metric, sums, settings)
    known = [number for number, size in enumerate(sizes) if size.units and not np.isnan(point[number]).any()]
    against = [
        _against(table.raters[humans[number]], (point[number], draws[:, number]), sizes[number], level)
        for number in known
    ]
    if not known:
        return Replacement(model, margin, [], _nothing(metric.undefined), UNDECIDED)
    steps = draws[:, known, 0] - draws[:, known, 1]
    mean = float((point[known, 0] - point[known, 1]).mean())
    items = _shared_items(table, place, humans)
    difference = _doubted(from_draws(mean, steps.mean(1), checked_level(level), items), items)
    return Replacement(model, margin, against, difference, _verdict(difference, margin))


def _doubted(difference: ValueWithLimits, items: Size) -> ValueWithLimits:
    """The difference with the limits that a verdict may rest on; without any of few items, or where none varies."""
    few = f"{items.units:,} {items.kind} with ratings of all, where {FEWEST} are needed" if items.units < FEWEST else ""
    why = few or (FLAT if difference.low == difference.high else "")
    if why:
        return replace(difference, low=math.nan, high=math.nan, note=why)
    low, high = min(difference.low, difference.value), max(difference.high, difference.value)
    return replace(difference, low=low, high=high)


def _nothing(why: str = "no item was rated by the model and two humans") -> ValueWithLimits:
    return unknown_limit(0, why)


def _verdict(difference: ValueWithLimits, margin: float) -> str:
    if difference.low >= -margin:
        return NOT_WORSE
    return WORSE if difference.high < 0 else UNDECIDED


def _against(human: str, values: tuple[Array, Array], size: Size, level: float) -> AgainstHuman:
    point, draws = values
    model, own = (from_draws(float(point[side]), draws[:, side], level, size) for side in (0, 1))
    difference = from_draws(float(point[0] - point[1]), draws[:, 0] - draws[:, 1], level, size)
    return AgainstHuman(human, model, own, difference)


def _shared_items(table: DistinctRatings, place: int, humans: list[int]) -> Size:
    """Items rated by the model and at least two humans."""
    return table.size(table.rated[:, place] & (table.rated[:, humans].sum(1) >= 2))


def _tables(table: DistinctRatings, place: int, humans: list[int]) -> tuple[csr_array | None, list[Size]]:
    """Tables of the model and of each human against the other humans, by group of rows, (humans × 2 × K², G)."""
    from scipy.sparse import vstack

    size, groups = len(table.categories), groups_of(table)
    sums, sizes = [], []
    for human in humans:
        rows = np.flatnonzero(table.rated[:, place] & table.rated[:, human])
        others, every = table.said[rows], np.arange(len(rows))
        for subject in (place, human):
            others[every, table.rows[rows, subject]] -= 1
        votes = others.sum(1)
        shared = np.zeros(len(table.rows), dtype=bool)
        shared[rows[votes > 0]] = True
        sizes.append(table.size(shared))
        row, label = np.nonzero(others)
        share = others[row, label] / votes[row]
        for subject in (place, human):
            cells = table.rows[rows[row], subject] * size + label
            sums.append(grouped_sums(groups, rows[row], cells, share, size**2))
    return (vstack(sums, format="csr") if sums else None), sizes


def _values(table: DistinctRatings, metric: Metric, sums: csr_array, settings: Bootstrap) -> tuple[Array, Array]:
    """The metric of every table: points (humans, 2) and draws (replicates, humans, 2)."""
    size = len(table.categories)

    def values(weights: Array, prior: Array) -> Array:
        cells = (sums @ weights).reshape(-1, 2, size, size, weights.shape[1])
        # That model and human say the same here is not that they always would: what is imagined is each one's own.
        imagined = np.stack([prior, np.roll(prior, 1, axis=0)], axis=1)
        tables = np.moveaxis(cells, -1, 0) + imagined[:, None]
        if metric.over is Confusion:
            return metric.values(Confusion(table.categories, tables, np.zeros((size, size)), 0))
        return metric.values(patterns_of_pairs(table.categories, tables))

    point = values(np.ones((sums.shape[1], 1)), NO_PRIOR)[0]
    work = int(sums.nnz + 4 * sums.shape[0])
    return point, np.concatenate([values(w, p) for w, p in replicate_weights(table, settings, "replacement", work)])
