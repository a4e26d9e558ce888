"""Is agreement drifting? A coefficient and every rater's agreement with the others, batch by batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data.labels import ordered
from adjudge.data.ratings import Ratings
from adjudge.errors import SettingError
from adjudge.inference.distinct_ratings import DistinctRatings, distinct, valued
from adjudge.inference.homogeneity import holm
from adjudge.inference.interval import checked_level
from adjudge.inference.measured import Measured, from_draws, share_of
from adjudge.inference.rater_diagnostics import agreement_with_others, vectors_of
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics import krippendorff_alpha
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array
from adjudge.statistics.patterns import Patterns

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
    value: Measured
    p_value: float
    flagged: bool


@dataclass(frozen=True, slots=True)
class RaterBatches:
    """One rater's agreement with the others' majority, over all items and batch by batch."""

    rater: str
    whole: Measured
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
    >>> found = drift(ratings, ["may"] * 40 + ["june"] * 40)
    >>> [(one.batch, one.value.value > found.whole, one.flagged) for one in found.batches]
    [('june', False, True), ('may', True, True)]
    """
    from scipy.sparse import csr_array

    table, settings = distinct(ratings), settings or Bootstrap()
    if len(batches) != table.items:
        raise SettingError(
            f"`batches` must name a batch for each of {table.items} items, but there are {len(batches)}."
        )
    names = ordered({str(batch) for batch in batches})
    place = {name: number for number, name in enumerate(names)}
    of_item = np.array([place[str(batch)] for batch in batches], dtype=np.int64)
    by_batch = csr_array((np.ones(table.items), (of_item, table.place)), shape=(len(names), len(table.rows)))
    whole = float(_value(table, metric))
    values = _coefficients(table, by_batch, metric, (settings, checked_level(level)))
    p_values = holm([_tail(draws, whole) if one.known else float("nan") for one, draws in values])
    found = [
        BatchValue(name, one, float(p), bool(p < 1 - level))
        for name, (one, _), p in zip(names, values, p_values, strict=True)
    ]
    return Drift(whole, found, _raters(table, names, by_batch, level), 1 - level)


def _value(table: DistinctRatings, metric: Metric) -> Array:
    if metric.over is Patterns:
        return valued(metric, table.patterns)
    return metric.values(vectors_of(table, table.counts))


def _coefficients(
    table: DistinctRatings, by_batch: Any, metric: Metric, reading: tuple[Bootstrap, float]
) -> list[tuple[Measured, Array]]:
    """The coefficient in each batch, with its smoothed Bayesian draws."""
    settings, level = reading
    cells = by_batch.nnz + by_batch.shape[0] * min(len(table.categories) ** 2, MOST_CELLS)
    replicates = int(min(settings.replicates, max(FEWEST, MOST_DRAWN // max(cells, 1))))
    several = table.rated.sum(1) >= 2
    found = []
    for number in range(by_batch.shape[0]):
        own = slice(by_batch.indptr[number], by_batch.indptr[number + 1])
        rows, counts = by_batch.indices[own], by_batch.data[own]
        part = DistinctRatings(table.categories, table.raters, table.rows[rows], counts, np.zeros(0, np.int64))
        statistic = part.patterns if metric.over is Patterns else vectors_of(part, part.counts)
        # A stream for each batch's place, so that a batch's interval does not hang on the others' sizes.
        drawn = statistic.resampled("bayesian", replicates, settings.seed, f"drift/{number}")
        n = round(float(counts @ several[rows]))
        value, draws = float(_value(part, metric)), _drawn_values(metric, drawn)
        found.append((from_draws(value, draws, level, n, metric.undefined), draws))
    return found


def _drawn_values(metric: Metric, drawn: Any) -> Array:
    return valued(metric, drawn) if isinstance(drawn, Patterns) else metric.values(drawn)


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


def _raters(table: DistinctRatings, names: Sequence[str], by_batch: Any, level: float) -> list[RaterBatches]:
    """Each rater's agreement with the others by batch; flags are Holm's over all raters and batches."""
    if not 0 < len(table.categories) <= MOST_CATEGORIES:
        return []
    agrees, decided, _ = agreement_with_others(table)
    part, size = by_batch @ agrees, by_batch @ decided
    whole_part, whole_size = table.counts @ agrees, table.counts @ decided
    p_values = _binomial(part, size, whole_part / np.maximum(whole_size, 1))
    adjusted = holm(p_values.reshape(-1)).reshape(p_values.shape)
    none = "no item on which the others have a majority"
    found = []
    for rater, name in enumerate(table.raters):
        whole = share_of(whole_part[rater], whole_size[rater], level, none)
        rows = [
            BatchValue(
                batch,
                share_of(part[number, rater], size[number, rater], level, none),
                float(adjusted[number, rater]),
                bool(adjusted[number, rater] < 1 - level),
            )
            for number, batch in enumerate(names)
        ]
        found.append(RaterBatches(name, whole, rows))
    return found


def _binomial(part: Array, size: Array, expected: Array) -> NDArray[np.float64]:
    """Exact two-sided p-values of shares against what each rater does over all items."""
    from scipy.special import bdtr, bdtrc

    chance = np.broadcast_to(expected, part.shape)
    below = bdtr(np.round(part), np.round(size).astype(np.int64), chance)
    above = np.where(part > 0, bdtrc(np.round(part) - 1, np.round(size).astype(np.int64), chance), 1.0)
    return np.where(size > 0, np.minimum(2 * np.minimum(below, above), 1.0), np.nan)
