"""Which rater is off, and who is severe: every rater against the others.

All functions work on distinct rows of ratings; intervals are read from one set of draws, so that differences
between raters are paired.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.data.judgements.ratings import Ratings
from adjudge.diagnosis.limits import Size, ValueWithLimits, from_draws, share_of, unknown_limit
from adjudge.diagnosis.raters.distinct_ratings import DistinctRatings, distinct
from adjudge.diagnosis.raters.without_raters import values_without
from adjudge.inference.intervals.interval import checked_level, normal_below, normal_quantile
from adjudge.inference.many.multiplicity import holm
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics import krippendorff_alpha
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array, ratio, steady_product


@dataclass(frozen=True, slots=True)
class WithoutRater:
    """A coefficient without one rater. Vitality is all less without: below 0 the rater pulls agreement down."""

    rater: str
    without: ValueWithLimits
    vitality: ValueWithLimits


@dataclass(frozen=True, slots=True)
class Vitality:
    """A coefficient of all raters, its draws, and what each rater does to it."""

    all: ValueWithLimits
    draws: Array
    raters: list[WithoutRater]
    together: WithoutRater | None = None  # without all who pull it down, by name; None where fewer than two do


@dataclass(frozen=True, slots=True)
class WithOthers:
    """How often a rater gives the label that most of the others give, who are counted without him.

    `tied` items, on which the others are undecided, are left out.
    """

    rater: str
    agreement: ValueWithLimits
    tied: int


def vitality(
    ratings: Ratings | DistinctRatings,
    metric: Metric = krippendorff_alpha,
    *,
    settings: Bootstrap | None = None,
    level: float = 0.95,
    places: Sequence[int] | None = None,
) -> Vitality:
    """A coefficient with and without each rater, under the same draws of items.

    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> alpha = vitality(ratings_of([["a", "a", "b"], ["b", "b", "a"], ["a", "a", "a"], ["b", "b", "b"]] * 5))
    >>> alpha.raters[2].vitality.value < 0 < alpha.raters[0].vitality.value
    True
    """
    table, settings = distinct(ratings), settings or Bootstrap()
    chosen = list(range(len(table.raters))) if places is None else list(places)
    point, draws = values_without(table, metric, [(rater,) for rater in chosen], settings)
    paired = _paired(table)
    whole = from_draws(float(point[0]), draws[:, 0], checked_level(level), paired[0], metric.undefined)
    left_out = []
    for column, rater in enumerate(chosen, start=1):
        left = paired[rater + 1]
        without = from_draws(float(point[column]), draws[:, column], level, left, metric.undefined)
        difference, moved = float(point[0] - point[column]), draws[:, 0] - draws[:, column]
        lost = from_draws(difference, moved, level, left, metric.undefined)
        left_out.append(WithoutRater(table.raters[rater], without, lost))
    apart = [rater for rater, pulls in zip(chosen, _pulling(left_out, level), strict=True) if pulls]
    return Vitality(whole, draws[:, 0], left_out, _together(table, metric, apart, settings, level))


def _pulling(raters: Sequence[WithoutRater], level: float) -> list[bool]:
    """Whether agreement is shown to rise without each, after paying for their number (Holm)."""
    reach, p_values = normal_quantile((1 + level) / 2), []
    for one in raters:
        value, error = one.vitality.value, (one.vitality.high - one.vitality.value) / reach
        p_values.append(2 * normal_below(value / error) if value < 0 and error > 0 else 1.0)
    return [p < 1 - level for p in holm(p_values).tolist()]


def _together(
    table: DistinctRatings, metric: Metric, apart: Sequence[int], settings: Bootstrap, level: float
) -> WithoutRater | None:
    """Agreement without all of some raters; None of fewer than two, or where fewer than two would be left."""
    if not 1 < len(apart) < len(table.raters) - 1:
        return None
    point, draws = values_without(table, metric, [tuple(apart)], settings)
    left = table.size(table.rated.sum(1) - table.rated[:, list(apart)].sum(1) >= 2)
    without = from_draws(float(point[1]), draws[:, 1], level, left, metric.undefined)
    lost = from_draws(float(point[0] - point[1]), draws[:, 0] - draws[:, 1], level, left, metric.undefined)
    *names, last = (table.raters[rater] for rater in apart)
    return WithoutRater(f"{', '.join(names)} and {last}", without, lost)


def _paired(table: DistinctRatings) -> list[Size]:
    """Items with two ratings: of all raters, and without each."""
    r = table.rated.sum(1)
    return [table.size(r - own >= 2) for own in (np.zeros_like(r), *table.rated.T)]


def with_others(ratings: Ratings | DistinctRatings, level: float = 0.95) -> list[WithOthers]:
    """Each rater's agreement with the majority of the others, with Wilson's interval.

    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> shares = with_others(ratings_of([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "b", "a"]]))
    >>> [one.agreement.value for one in shares], [one.tied for one in shares]
    ([1.0, 1.0, 0.5], [2, 2, 0])
    """
    table = distinct(ratings)
    agrees, decided, tied = agreement_with_others(table)
    worth = effective_items(table, agrees, decided, checked_level(level))
    sums = (steady_product(table.counts, what).tolist() for what in (agrees, decided, tied))
    none = "no item on which the others have a majority"
    return [
        WithOthers(name, share_of(a, n, level, none, effective=size), round(t))
        for name, a, n, t, size in zip(table.raters, *sums, worth.tolist(), strict=True)
    ]


def agreement_with_others(table: DistinctRatings) -> tuple[Array, Array, Array]:
    """For each row and rater: agrees with the others' majority, there is one, the others are tied; (V, raters)."""
    flags = np.zeros((3, *table.rows.shape))
    for rater in range(len(table.raters)):
        rows = np.flatnonzero(table.rated[:, rater])
        own = table.rows[rows, rater]
        others = table.said[rows]
        others[np.arange(len(rows)), own] -= 1
        most = others.max(1, initial=0.0)
        leaders = (others == most[:, None]).sum(1)
        decided = (most > 0) & (leaders == 1)
        flags[0, rows, rater] = decided & (others[np.arange(len(rows)), own] == most)
        flags[1, rows, rater] = decided
        flags[2, rows, rater] = (most > 0) & (leaders > 1)
    return flags[0], flags[1], flags[2]


def effective_items(table: DistinctRatings, part: Array, whole: Array, level: float) -> Array:
    """What Wilson and the binomial may count as items, for shares with `part` and `whole` of a row, (V, shares).

    p (1 - p) over the variance of the share between units, as Korn and Graubard (1998), at most what the items weigh;
    with few units less, by the square of z over Student's t. A share of 0 or 1 shows no variance: then all
    items of a unit are taken to say the same. Plain items are worth one each.

    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> from adjudge.diagnosis.raters.distinct_ratings import distinct
    >>> table = distinct(ratings_of([["a"], ["a"], ["b"], ["b"]]), clusters=[1, 1, 2, 3])
    >>> said_a = (table.rows == 0).astype(float)
    >>> bool(effective_items(table, said_a, np.ones_like(said_a), 0.95)[0] < 3)
    True
    """
    n = steady_product(table.counts, whole)
    if not table.explicit:
        return np.asarray(n)
    from scipy.special import stdtrit

    p = np.nan_to_num(ratio(steady_product(table.counts, part), n))
    units = _units(table, whole)
    apart = (table.unit_totals(part - p * whole) ** 2).sum(0) * np.nan_to_num(ratio(units, units - 1))
    alike = np.nan_to_num(ratio(n**2, (table.unit_totals(whole) ** 2).sum(0)))
    # What rounding leaves of no variance would be worth a million items.
    seen = np.where(apart > 1e-12 * n**2, np.nan_to_num(ratio(p * (1 - p) * n**2, apart)), alike)
    few = normal_quantile(level) / stdtrit(np.maximum(units - 1, 1), 0.5 + level / 2)
    return np.asarray(np.minimum(seen, n) * few**2)


def _units(table: DistinctRatings, whole: Array) -> Array:
    """Units with anything in each share."""
    if table.cluster is None:
        return np.asarray(table.members @ (whole > 0))
    return np.asarray(((table.by_cluster.T @ whole) > 0).sum(0), dtype=np.float64)


def severity(ratings: Ratings | DistinctRatings, level: float = 0.95) -> list[ValueWithLimits]:
    """How much higher each rater rates than the mean of the others on the same items, with Student's interval.

    Offsets vary between units: items, or clusters where items belong together.

    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> [one.value for one in severity(ratings_of([[1, 2], [2, 3], [3, 4], [2, 2]]))]
    [-0.75, 0.75]
    """
    from scipy.special import stdtrit

    table, offsets = distinct(ratings), []
    x = np.where(table.rated, table.values, 0.0)
    total, r = x.sum(1), table.rated.sum(1)
    for rater in range(len(table.raters)):
        shared = table.rated[:, rater] & (r >= 2)
        size, n = table.size(shared), float(steady_product(table.counts, shared))
        if not n > 0:
            offsets.append(unknown_limit(0, "no item was rated by another, too"))
            continue
        offset = np.where(shared, x[:, rater] - (total - x[:, rater]) / np.maximum(r - 1, 1), 0.0)
        mean = float(steady_product(table.counts, offset) / n)
        apart = table.unit_totals(np.where(shared, offset - mean, 0.0)[:, None])
        units = size.units
        spread = float(np.sqrt((apart**2).sum() * units / max(units - 1, 1))) / n
        reach = float(stdtrit(units - 1, 0.5 + checked_level(level) / 2) * spread) if units > 1 else float("nan")
        one = f"one {size.kind.removesuffix('s')} only"
        note = "" if units > 1 and spread > 0 else "the offset does not vary" if units > 1 else one
        offsets.append(ValueWithLimits(mean, mean - reach, mean + reach, size.n, note))
    return offsets


def category_use(ratings: Ratings | DistinctRatings) -> Array:
    """Share of each category among each rater's ratings, (raters, K); NaN for a rater without any.

    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> category_use(ratings_of([["a", "a"], ["a", "b"]])).tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """
    table = distinct(ratings)
    size, raters = len(table.categories) + 1, len(table.raters)
    cells = (table.rows + 1 + np.arange(raters) * size).reshape(-1)
    weights = np.repeat(table.counts, raters)
    used = np.bincount(cells, weights=weights, minlength=raters * size).reshape(raters, size)[:, 1:]
    return np.asarray(ratio(used, used.sum(1, keepdims=True)))
