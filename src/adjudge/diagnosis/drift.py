"""Is agreement drifting? A coefficient and every rater's agreement with the others, batch by batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.labels import ordered
from adjudge.data.ratings import Ratings
from adjudge.diagnosis.distinct_ratings import DistinctRatings, distinct
from adjudge.diagnosis.limits import ValueWithLimits, from_draws, share_of
from adjudge.diagnosis.raters import agreement_with_others, effective_items
from adjudge.diagnosis.without_raters import value_of, values_without
from adjudge.errors import SettingError
from adjudge.inference.interval import checked_level
from adjudge.inference.multiplicity import holm
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics import krippendorff_alpha
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array, ratio

# Replicates × cells over all batches at most; beyond it there are fewer replicates.
MOST_DRAWN = 2**24
FEWEST = 400
MOST_CELLS = 2_500
# Numbers with more values than this have no majority to agree with.
MOST_CATEGORIES = 1_000


@dataclass(frozen=True, slots=True)
class BatchValue:
    """A batch's value. It is flagged when it differs from the whole's after Holm's correction."""

    batch: str
    value: ValueWithLimits
    p_value: float
    flagged: bool


@dataclass(frozen=True, slots=True)
class RaterBatches:
    """One rater's agreement with the others' majority, over all items and batch by batch."""

    rater: str
    whole: ValueWithLimits
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
            f"If nothing changes, the chance that any batch is flagged is at most {self.false_alarms:.0%} for the "
            f"coefficient, and at most {self.false_alarms:.0%} for all raters together (Holm)."
        )


def drift(
    ratings: Ratings | DistinctRatings,
    batches: Sequence[str],
    metric: Metric = krippendorff_alpha,
    *,
    settings: Bootstrap | None = None,
    level: float = 0.95,
) -> Drift:
    """A coefficient in each batch against its value over all items.

    A batch is part of the whole it is compared with, which makes the comparison cautious.

    >>> from adjudge.data.ratings import ratings_of
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
    names = ordered({str(batch) for batch in batches})
    place = {name: number for number, name in enumerate(names)}
    of_item = np.array([place[str(batch)] for batch in batches], dtype=np.int64)
    order = np.argsort(of_item, kind="stable")
    parts = [table.of_items(items) for items in np.split(order, np.searchsorted(of_item[order], range(1, len(names))))]
    whole = value_of(table, metric)
    values = _coefficients(parts, metric, settings, checked_level(level))
    p_values = holm([_tail(draws, whole) if one.known else float("nan") for one, draws in values])
    by_batch = [
        BatchValue(name, one, float(p), bool(p < 1 - level))
        for name, (one, _), p in zip(names, values, p_values, strict=True)
    ]
    return Drift(whole, by_batch, _raters(table, names, parts, level), 1 - level)


def _coefficients(
    parts: Sequence[DistinctRatings], metric: Metric, settings: Bootstrap, level: float
) -> list[tuple[ValueWithLimits, Array]]:
    """The coefficient in each batch, with its smoothed Bayesian draws."""
    cells = sum(len(part.rows) + min(len(part.categories) ** 2, MOST_CELLS) for part in parts)
    replicates = int(min(settings.replicates, max(FEWEST, MOST_DRAWN // max(cells, 1))))
    fewer = replace(settings, replicates=replicates)
    coefficients = []
    for number, part in enumerate(parts):
        # A stream for each batch's place, so that a batch's interval does not hang on the others' sizes.
        point, draws = values_without(part, metric, [], fewer, f"drift/{number}")
        size = part.size(part.rated.sum(1) >= 2)
        coefficients.append((from_draws(float(point[0]), draws[:, 0], level, size, metric.undefined), draws[:, 0]))
    return coefficients


def _tail(draws: Array, value: float) -> float:
    """Two-sided probability of a value under draws; beyond the last few draws, by the normal curve."""
    from scipy.special import ndtr

    draws = draws[~np.isnan(draws)]
    if len(draws) < 2 or np.isnan(value):
        return float("nan")
    beyond = min(int((draws <= value).sum()), int((draws >= value).sum()))
    counted = min(1.0, 2 * (beyond + 1) / (len(draws) + 1))
    spread = float(draws.std())
    if beyond >= 10 or spread == 0:
        return counted
    return min(counted, float(2 * ndtr(-abs(value - float(draws.mean())) / spread)))


def _raters(
    table: DistinctRatings, names: Sequence[str], parts: Sequence[DistinctRatings], level: float
) -> list[RaterBatches]:
    """Each rater's agreement with the others by batch; flags are Holm's over all raters and batches."""
    if not 0 < len(table.categories) <= MOST_CATEGORIES:
        return []
    sums = [_with_others(part, level) for part in (table, *parts)]
    part, size, worth = (np.array([one[kind] for one in sums]) for kind in range(3))
    p_values = _binomial(part[1:], size[1:], worth[1:], part[0] / np.maximum(size[0], 1e-300))
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
        by_rater.append(RaterBatches(name, values[0], rows))
    return by_rater


def _with_others(table: DistinctRatings, level: float) -> tuple[Array, Array, Array]:
    """Each rater's items that agree with the others, those that could, and what these are worth."""
    agrees, decided, _ = agreement_with_others(table)
    return table.counts @ agrees, table.counts @ decided, effective_items(table, agrees, decided, level)


def _binomial(part: Array, size: Array, worth: Array, expected: Array) -> NDArray[np.float64]:
    """Exact two-sided p-values of shares against what each rater does over all items.

    Items that weigh differently or belong together count as many as they are worth.
    """
    from scipy.special import bdtr, bdtrc

    chance = np.broadcast_to(expected, part.shape)
    of = np.round(worth)
    yes = np.round(np.nan_to_num(ratio(part, size)) * of)
    below = bdtr(yes, of.astype(np.int64), chance)
    above = np.where(yes > 0, bdtrc(yes - 1, of.astype(np.int64), chance), 1.0)
    return np.where(size > 0, np.minimum(2 * np.minimum(below, above), 1.0), np.nan)
