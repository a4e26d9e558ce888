"""Is agreement drifting? A coefficient and every rater's agreement with the others, batch by batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.labels import ordered_labels
from adjudge.data.judgements.ratings import Ratings
from adjudge.diagnosis.limits import ValueWithLimits, from_draws, share_of
from adjudge.diagnosis.raters.against_others import agreement_with_others, effective_items
from adjudge.diagnosis.raters.distinct_ratings import TILE, DistinctRatings, distinct
from adjudge.diagnosis.raters.draws import MOST_GROUPS
from adjudge.diagnosis.raters.without_raters import value_of, values_under, values_without
from adjudge.errors import SettingError, percent
from adjudge.inference.intervals.interval import checked_level
from adjudge.inference.many.multiplicity import holm
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics import krippendorff_alpha
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array, ratio, steady_product
from adjudge.statistics.cells import generator

# Replicates × cells over all batches at most; beyond it there are fewer replicates.
MOST_DRAWN = 2**24
FEWEST = 400
MOST_CELLS = 2_500
# Units are dealt to the batches this many times.
FEWEST_DEALS, MOST_DEALS = 199, 999
# Numbers with more values than this have no majority to agree with.
MOST_CATEGORIES = 1_000


@dataclass(frozen=True, slots=True)
class BatchValue:
    """A batch's value. It is flagged when it differs from the others' after correction for many batches."""

    batch: str
    value: ValueWithLimits
    p_value: float
    flagged: bool


@dataclass(frozen=True, slots=True)
class RaterBatches:
    """One rater's agreement with the others' majority, over all items and batch by batch."""

    rater: str
    batches: list[BatchValue]


@dataclass(frozen=True, slots=True)
class Drift:
    """The coefficient by batch, and the raters'. Batches are in natural order."""

    whole: float
    batches: list[BatchValue]
    raters: list[RaterBatches]
    false_alarms: float

    @property
    def note(self) -> str:
        """How often a flag is a false alarm."""
        return (
            f"If nothing changes, the chance that any batch is flagged is at most {percent(self.false_alarms)} for the "
            f"coefficient (items dealt to batches by chance), and at most {percent(self.false_alarms)} for all raters "
            "together (Fisher's exact test, Holm)."
        )


def drift(
    ratings: Ratings | DistinctRatings,
    batches: Sequence[str],
    metric: Metric = krippendorff_alpha,
    *,
    settings: Bootstrap | None = None,
    level: float = 0.95,
) -> Drift:
    """A coefficient in each batch against what it is when items, or clusters, are dealt to the batches by chance.

    The largest deviation of any batch is what counts (Westfall and Young 1993), so that many batches raise no alarm.

    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> ratings = ratings_of([["a", "a"], ["b", "b"]] * 20 + [["a", "b"], ["b", "a"]] * 20)
    >>> result = drift(ratings, ["may"] * 40 + ["june"] * 40)
    >>> [(one.batch, one.value.value > result.whole, one.flagged) for one in result.batches]
    [('june', False, True), ('may', True, True)]
    """
    table, settings = distinct(ratings), settings or Bootstrap()
    if len(batches) != table.items:
        raise SettingError(
            f"`batches` must name a batch for each of {table.items} items, but there are {len(batches)}."
        )
    names = ordered_labels({str(batch) for batch in batches})
    place = {name: number for number, name in enumerate(names)}
    of_item = np.array([place[str(batch)] for batch in batches], dtype=np.int64)
    order = np.argsort(of_item, kind="stable")
    parts = [table.of_items(items) for items in np.split(order, np.searchsorted(of_item[order], range(1, len(names))))]
    whole = value_of(table, metric)
    values = _coefficients(parts, metric, settings, checked_level(level))
    p_values = _dealt_by_chance(table, of_item, len(names), metric, settings)
    by_batch = [
        BatchValue(name, one, float(p), bool(p < 1 - level))
        for name, one, p in zip(names, values, p_values, strict=True)
    ]
    return Drift(whole, by_batch, _raters(table, names, parts, level), 1 - level)


def _coefficients(
    parts: Sequence[DistinctRatings], metric: Metric, settings: Bootstrap, level: float
) -> list[ValueWithLimits]:
    """The coefficient in each batch, with limits from its smoothed Bayesian draws."""
    cells = sum(len(part.rows) + min(len(part.categories) ** 2, MOST_CELLS) for part in parts)
    replicates = int(min(settings.replicates, max(FEWEST, MOST_DRAWN // max(cells, 1))))
    fewer = replace(settings, replicates=replicates)
    coefficients = []
    for number, part in enumerate(parts):
        # A stream for each batch's place, so that a batch's interval does not hang on the others' sizes.
        point, draws = values_without(part, metric, [], fewer, f"drift/{number}")
        size = part.size(part.rated.sum(1) >= 2)
        coefficients.append(from_draws(float(point[0]), draws[:, 0], level, size, metric.undefined))
    return coefficients


def _dealt_by_chance(
    table: DistinctRatings, of_item: NDArray[np.int64], batches: int, metric: Metric, settings: Bootstrap
) -> Array:
    """Two-sided p-values of the batches, adjusted: how often dealing units by chance makes any batch as far off.

    NaN where a batch has no value, and for more distinct rows than can be told apart.
    """
    if not table.categories or (table.cluster is None and len(table.rows) > MOST_GROUPS):
        return np.full(batches, np.nan)
    unit = table.place if table.cluster is None else table.cluster
    units = int(unit.max(initial=-1)) + 1
    deals = int(np.clip(MOST_DRAWN // max(len(unit) + batches * units, 1), FEWEST_DEALS, MOST_DEALS))
    random, evaluate = generator(settings.seed, "drift/dealt"), values_under(table, metric)
    parts, step = [evaluate(_shares(unit, of_item, units, batches))], max(1, TILE // (batches * units))
    for start in range(0, deals, step):
        tile = [
            _shares(*_dealt(unit, of_item, random, whole=table.cluster is not None), units, batches)
            for _ in range(min(step, deals - start))
        ]
        parts.append(evaluate(np.concatenate(tile, axis=1)))
    values = np.concatenate(parts).reshape(1 + deals, batches)
    with np.errstate(invalid="ignore"):
        known = ~np.isnan(values)
        centre = ratio(np.where(known, values, 0.0).sum(0), known.sum(0))
        spread = np.sqrt(ratio((np.where(known, values - centre, 0.0) ** 2).sum(0), known.sum(0)))
        far = np.nan_to_num(np.abs(ratio(values - centre, spread)), nan=0.0)
    beyond = (far[1:].max(1)[:, None] >= far[0] * (1 - 1e-9)).sum(0)
    return np.where(known[0], (1 + beyond) / (1 + deals), np.nan)


def _dealt(
    unit: NDArray[np.int64], of_item: NDArray[np.int64], random: np.random.Generator, *, whole: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Items in batches of the same sizes, by chance; clusters as they are, each with the batches of another."""
    if not whole:
        return unit, random.permutation(of_item)
    return random.permutation(int(unit.max(initial=-1)) + 1)[unit], of_item


def _shares(unit: NDArray[np.int64], of_item: NDArray[np.int64], units: int, batches: int) -> Array:
    """The share of each unit that is in each batch, (units, batches)."""
    counts = np.bincount(unit * batches + of_item, minlength=units * batches).reshape(units, batches)
    return np.asarray(counts / np.maximum(counts.sum(1, keepdims=True), 1))


def _raters(
    table: DistinctRatings, names: Sequence[str], parts: Sequence[DistinctRatings], level: float
) -> list[RaterBatches]:
    """Each rater's agreement with the others by batch; flags are Holm's over all raters and batches."""
    if not 0 < len(table.categories) <= MOST_CATEGORIES:
        return []
    sums = [_with_others(part, level) for part in (table, *parts)]
    part, size, worth = (np.array([one[kind] for one in sums]) for kind in range(3))
    p_values = _fisher_exact(part, size, worth)
    adjusted = holm(p_values.reshape(-1)).reshape(p_values.shape)
    none = "no item on which the others have a majority"
    by_rater = []
    for rater, name in enumerate(table.raters):
        values = [
            share_of(part[row, rater], size[row, rater], level, none, effective=worth[row, rater])
            for row in range(len(sums))
        ]
        rows = [
            BatchValue(batch, one, float(p), bool(p < 1 - level))
            for batch, one, p in zip(names, values[1:], adjusted[:, rater], strict=True)
        ]
        by_rater.append(RaterBatches(name, rows))
    return by_rater


def _with_others(table: DistinctRatings, level: float) -> tuple[Array, Array, Array]:
    """Each rater's items that agree with the others, those that could, and what these are worth."""
    agrees, decided, _ = agreement_with_others(table)
    right, all_decided = (steady_product(table.counts, of) for of in (agrees, decided))
    return right, all_decided, effective_items(table, agrees, decided, level)


def _fisher_exact(part: Array, size: Array, worth: Array) -> NDArray[np.float64]:
    """Exact two-sided p-values of each rater's shares in the batches, which follow the whole, given the whole.

    Items that weigh differently or belong together count as many as they are worth.
    """
    from scipy.stats import hypergeom

    of = np.round(worth)
    yes = np.round(np.nan_to_num(ratio(part, size)) * of)
    every, draws = np.maximum(of[0], of[1:].max(0)), of[1:]
    chance = hypergeom(every, yes[0], draws)
    below, above = chance.cdf(yes[1:]), chance.sf(yes[1:] - 1)
    return np.where(size[1:] > 0, np.minimum(2 * np.minimum(below, above), 1.0), np.nan)
