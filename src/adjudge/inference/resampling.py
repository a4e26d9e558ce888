"""Intervals by resampling: values of many replicates of a statistic, and the quantiles they give."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import SettingError, check_choice, literal
from adjudge.inference.intervals.interval import Bounds
from adjudge.inference.weighted_cells import Drawable
from adjudge.statistics.base import AnyStatistic, Array, ratio

HowMany = float | Array | None  # units there are, or units behind each value; None: not known
KINDS = ("percentile", "bca", "poisson", "bayesian")
# The methods that read replicates: those of the bootstrap as it was asked for, and all.
FROM_BOOTSTRAP = {"bootstrap", "folded_bootstrap", "mover_bootstrap", "scheffe_drawn", "bags"}
# Of Bayesian replicates: their percentiles, how far they spread, or those of the parts of a mean.
SMOOTH = {"bayesian", "bayesian_student", "mover_bayesian"}
RESAMPLED = {*FROM_BOOTSTRAP, *SMOOTH}
MOST_REPLICATES = 1_000_000
# Replicates are evaluated a tile at a time, about this many cells in each, to stay in fast memory.
TILE_CELLS = 2**18


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """How replicates are drawn and read: what the word "bootstrap" stands for in one evaluation.

    kind: percentile (rows drawn with replacement), bca (the same, corrected), poisson or bayesian (other weights).
    """

    replicates: int = 2_000
    seed: int = 7
    kind: str = "percentile"

    def __post_init__(self) -> None:
        if not (isinstance(self.replicates, int) and 100 <= self.replicates <= MOST_REPLICATES):
            raise SettingError(
                f"`replicates` must be a whole number from 100 to {MOST_REPLICATES:,}, not {literal(self.replicates)}."
            )
        if not (isinstance(self.seed, int) and self.seed >= 0):
            raise SettingError(f"`seed` must be a whole number of at least 0, not {literal(self.seed)}.")
        check_choice("bootstrap", self.kind, KINDS, literal)

    @property
    def method(self) -> str:
        """The word in the method column."""
        return "bootstrap" if self.kind == "percentile" else self.kind

    @property
    def weights(self) -> str:
        """The kind of weights drawn on cells."""
        return self.kind if self.kind in ("poisson", "bayesian") else "multinomial"


# Any: each statistic stands under its own type, and is derived from one that the same `Basis` names.
Together = dict[type[object], Any]
Derive = Callable[[Any], Together]  # of a statistic, or a replicate of it, all that follows from it


@dataclass(frozen=True, slots=True)
class Replicates:
    """Replicates of statistics drawn together, by type: tiles of them, and the statistics in the same cells.

    `left_out` gives the statistics without one unit of each kind, and how many units that kind has. `units` is how many
    were drawn, where rows that belong together are one. `source` is what was drawn: equal ones are paired. `values` are
    those of metrics that were asked for before: see `replicate_values`.
    """

    tiles: Callable[[], Iterator[Together]]
    base: Together
    left_out: Callable[[], tuple[Together, Array]]
    units: float | None = None
    source: tuple[object, ...] | None = None
    bags: tuple[Together, NDArray[np.bool_]] | None = None  # without each, and which have units
    values: dict[object, Array] = field(default_factory=dict, compare=False, repr=False)

    def units_of(self, statistic: type[object]) -> float | None:
        """How many units the replicates of a statistic stand for, where that is known."""
        rows = getattr(self.base[statistic], "effective_rows", None)
        return self.units if self.units is not None or rows is None else float(rows)


def drawn_on_cells(
    statistic: Drawable,
    derive: Derive,
    weights: str,
    settings: Bootstrap,
    stream: str,
    *,
    whole: Together | None = None,
    units: float | None = None,
) -> Replicates:
    """Replicates drawn on the statistic's own cells; `derive` tells all that follows, `whole` that of all units."""

    def tiles() -> Iterator[Together]:
        return map(derive, drawn_tiles(statistic, weights, settings, stream))

    def left_out() -> tuple[Together, Array]:
        left, rows = statistic.without_one()
        return derive(left), rows

    return Replicates(tiles, derive(statistic) if whole is None else whole, left_out, units)


def drawn_tiles(
    statistic: Drawable, weights: str, settings: Bootstrap, stream: str, size: int | None = None
) -> Iterator[object]:
    """Replicates of the statistic's cells, so many in a tile, each tile with random numbers of its own."""
    size = tile_size(statistic) if size is None else size
    for start in range(0, settings.replicates, size):
        count = min(size, settings.replicates - start)
        yield statistic.resampled(weights, count, settings.seed, f"{stream}/{weights}/{start}")


def drawn_by_rows(
    base: AnyStatistic,
    draws: AnyStatistic,
    jackknife: AnyStatistic | None,
    derive: Derive,
    settings: Bootstrap,
    *,
    units: float | None = None,
    source: tuple[object, ...] | None = None,
    bags: AnyStatistic | None = None,
    smooth: Callable[[AnyStatistic, int], AnyStatistic] | None = None,
) -> Replicates:
    """Replicates that an engine has summed under explicit weights; `smooth` adds prior mass, tile by tile."""

    def tiles() -> Iterator[Together]:
        size = tile_size(base, is_drawn=smooth is None)
        for start in range(0, settings.replicates, size):
            tile = draws.tile(start, start + size)
            yield derive(tile if smooth is None else smooth(tile, start))

    # A bag without units leaves all of the weight.
    filled = None if bags is None else (derive(bags), np.asarray(bags.total < base.total * (1 - 1e-12)))
    left_out = partial(_without_groups, jackknife, derive)
    return Replicates(tiles, derive(base), left_out, units, source, filled)


def _without_groups(jackknife: AnyStatistic | None, derive: Derive) -> tuple[Together, Array]:
    return derive(jackknife), np.ones(JACKKNIFE_GROUPS)


def clusters_drawn(draws: AnyStatistic) -> float:
    """Kish's effective number of clusters, (Σ m)² / Σ m² for clusters of m, from what explicit replicates weigh.

    A cluster's multiplicity has mean and variance 1, so a replicate's total has mean Σ m and variance Σ m².
    """
    totals = draws.total
    return float(ratio(totals.mean() ** 2, totals.var()))


# Units are left out in groups when they cannot be left out one by one.
JACKKNIFE_GROUPS = 200


def tile_size(statistic: object, most: int = TILE_CELLS, *, is_drawn: bool = False) -> int:
    """How many replicates fit one tile of so many cells.

    Draws have a stream for each tile: its size must not depend on which cells are listed, unless all `is_drawn`.
    """
    parts = [part for part in getattr(statistic, "curves", (statistic,)) if hasattr(part, "counts")]
    cells = sum(part.counts.size if is_drawn else getattr(part, "possible_cells", part.counts.size) for part in parts)
    return int(min(max(most // max(cells, 1), 16), 2_000))


def expanded(level: float, units: HowMany) -> Array:
    """The level to read of replicates: Student's instead of the normal reach, for few units (Hesterberg 2015).

    Replicates of n units vary as if their mean were known: in variance too little by (n − 1) / n when rows are drawn,
    by (n − 1) / (n + 1) when weights are. Prior mass makes up for the difference, so n is used for both.

    >>> expanded(0.95, np.array([20, 1_000])).round(4)
    array([0.9682, 0.9504])
    """
    from scipy.special import ndtr

    return np.asarray(1 - 2 * ndtr(-reach_of(level, units)))


def reach_of(level: float, units: HowMany, freedom: float = 1.0) -> Array:
    """How many standard deviations of replicates of so many units an interval reaches; of no known number, 1.96 …

    `freedom` is what part of n − 1 the degrees of freedom are: all, where what units add is normal; half, where its
    kurtosis is 5 (Satterthwaite's 2n / (kurtosis − 1)), as that of clusters of unequal size and habit.
    """
    from scipy.special import ndtri, stdtrit

    if units is None:
        return np.asarray(ndtri(0.5 + level / 2))
    n = np.fmax(units, 2.0)  # no units are NaN of them
    return np.asarray(stdtrit(freedom * (n - 1), 0.5 + level / 2) * np.sqrt(n / (n - 1)))


def percentile(method: str, values: Array, level: float, units: HowMany = None) -> Bounds:
    """The middle part of the replicates, undefined ones left out and counted; more of it where units are few.

    `units` is how many there are, or how many for each value; without it the part is the level itself.
    """
    middle = level if units is None else expanded(level, units)
    low, high, defined = _quantiles(values, 0.5 - middle / 2, 0.5 + middle / 2)
    return Bounds(method, low, high, defined, len(values))


def student_p(draws: Array, units: float, *, one_sided: bool = False) -> float:
    """The p-value of no difference, or of none above 0: the share of draws beyond 0, read as Student's of the units.

    2 (1 + min(#≤0, #≥0)) / (1 + draws), never 0. Draws of few units vary too little: the quantile that the share is
    of the normal distribution is looked up in Student's, as `expanded` does for intervals.

    >>> round(student_p(np.linspace(-0.1, 1.9, 2001), 1_000), 3)
    0.102
    """
    from scipy.special import ndtri, stdtr

    if not len(draws) or not units > 1:
        return float("nan")
    below, above = int((draws <= 0).sum()), int((draws >= 0).sum())
    share = min((1 + (below if one_sided else min(below, above))) / (1 + len(draws)), 1.0)
    p = stdtr(units - 1, ndtri(share) * np.sqrt((units - 1) / units)) if share < 1 else 1.0
    return float(p if one_sided else min(1.0, 2 * p))


def mean_and_spread(values: Array) -> tuple[Array, Array, Array]:
    """Mean and standard deviation of the replicates that are defined, NaN where none is, and how many are."""
    defined = np.count_nonzero(~np.isnan(values), axis=0)
    mean = np.asarray(ratio(np.nansum(values, 0), defined))
    return mean, np.sqrt(ratio(np.nansum((values - mean) ** 2, 0), defined)), np.asarray(defined)


def either_side(bounds: Bounds, values: Array, point: Array) -> Bounds:
    """The same bounds, reaching also as far as they would were replicates not off the estimate on average.

    Means over many pairs of raters vary little between replicates, each of which is off the same way; percentiles
    would then lie on one side of the estimate.
    """
    with np.errstate(invalid="ignore"):
        mean, _, _ = mean_and_spread(values)
        off = np.nan_to_num(mean - point) if np.isfinite(values).any() else np.zeros(point.shape)
    low, high = np.fmin(bounds.low, bounds.low - off), np.fmax(bounds.high, bounds.high - off)
    return replace(bounds, low=low, high=high)


def spread_as_well(
    bounds: Bounds, values: Array, point: Array, level: float, *, units: HowMany, within: tuple[float, float], rows: int
) -> Bounds:
    """The same bounds, reaching also as far as Student's quantile of few units asks for, on a scale without ends.

    Percentiles of few units lean to the wrong side where what is drawn is skewed, and limits that are as far on both
    sides do not fit a metric near an end of its range: on the logit of the range, or the logarithm of what has one end,
    they do. The wider of both ends holds: docs/validation/unseen.md. An end itself counts as half a row from it.
    """
    low, high = within
    width = high - low if np.isfinite(high) else np.where(np.isfinite(point), np.abs(point - low), 1.0)
    least = width / (2 * max(rows, 1))

    def freed(amounts: Array) -> Array:
        if not np.isfinite(low):
            return amounts
        above = np.log(np.maximum(amounts - low, np.maximum(least, 1e-300)))
        return above - np.log(np.maximum(high - amounts, least)) if np.isfinite(high) else above

    def back(amounts: Array) -> Array:
        if not np.isfinite(low):
            return amounts
        return low + (np.exp(amounts) if not np.isfinite(high) else (high - low) / (1 + np.exp(-amounts)))

    with np.errstate(all="ignore"):
        _, spread, _ = mean_and_spread(freed(values))
        reach, middle = reach_of(level, units, freedom=0.5) * spread, freed(point)
        # What varies by rounding alone does not vary.
        ends = [np.where(spread > 1e-9, back(middle + side * reach), np.nan) for side in (-1, 1)]
    return replace(bounds, low=np.fmin(bounds.low, ends[0]), high=np.fmax(bounds.high, ends[1]))


def student_of_draws(values: Array, point: Array, level: float, units: float) -> Bounds:
    """As far on both sides of the point as Student's quantile of few units asks for, from the spread of replicates.

    For what replicates of few units are skewed about, so that their percentiles lean to the wrong side.
    """
    from scipy.special import stdtrit

    n, (_, spread, defined) = max(units, 1.0 + 1e-9), mean_and_spread(values)
    reach = stdtrit(n - 1, 0.5 + level / 2) * spread * np.sqrt(1 + 1 / (n - 1))
    return Bounds("bayesian_student", point - reach, point + reach, defined, len(values))


def bca(values: Array, point: Array, left_out: Array, rows: Array, level: float, *, units: HowMany = None) -> Bounds:
    """Efron's bias-corrected and accelerated percentiles (1987).

    `left_out` holds the value without one row of each cell, `rows` how many rows that cell has; `units` as above.
    """
    from scipy.special import ndtr, ndtri

    below = ((values < point) + 0.5 * (values == point)).sum(0)
    share = np.nan_to_num(ratio(below, (~np.isnan(values)).sum(0)), nan=0.5)
    bias = ndtri(np.clip(share, 1 / len(values), 1 - 1 / len(values)))
    weight = rows.reshape(-1, *(1,) * (left_out.ndim - 1)) * ~np.isnan(left_out)
    mean = np.nansum(weight * np.nan_to_num(left_out), 0) / np.maximum(weight.sum(0), 1)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        step = np.where(weight > 0, mean - left_out, 0.0)
        second = (weight * step**2).sum(0)
        acceleration = np.nan_to_num((weight * step**3).sum(0) / (6 * second**1.5))
    ends = []
    for side in (-1, 1):
        reach = bias + side * reach_of(level, units)
        # Beyond 1 / acceleration the formula turns round; what it approaches there is the end itself.
        slack = 1 - acceleration * reach
        moved = np.where(slack > 0, bias + reach / np.where(slack > 0, slack, 1.0), np.sign(reach) * np.inf)
        ends.append(ndtr(moved))
    low, high, defined = _quantiles(values, *ends)
    return Bounds("bca", low, high, defined, len(values))


def _quantiles(values: Array, *levels: Array | float) -> tuple[Array, Array, Array]:
    """Two quantiles of each column, undefined replicates left out; a level is one number, or one for each column."""
    if values.ndim == 1:
        return _two_quantiles(values, *map(float, levels))
    flat = np.sort(values.reshape(len(values), -1), axis=0)  # NaN sorts last
    defined = np.count_nonzero(~np.isnan(flat), axis=0)
    ends = []
    for level in levels:
        place = np.reshape(level, -1) * np.maximum(defined - 1, 0)
        lower, upper = np.floor(place).astype(np.int64), np.ceil(place).astype(np.int64)
        columns = np.arange(flat.shape[1])
        a, b = flat[lower, columns], flat[upper, columns]
        with np.errstate(invalid="ignore"):
            ends.append(np.where(a == b, a, a + (b - a) * (place - lower)).reshape(values.shape[1:]))
    return ends[0], ends[1], defined.reshape(values.shape[1:])


def _two_quantiles(values: Array, *levels: float) -> tuple[Array, Array, Array]:
    """The same of one column, as most are: the same bits, sooner."""
    ordered, ends = values.copy(), []
    ordered.sort()
    defined = int(np.count_nonzero(~np.isnan(values))) if len(values) and np.isnan(ordered[-1]) else len(values)
    for place in [level * max(defined - 1, 0) for level in levels]:
        a, b = float(ordered[math.floor(place)]), float(ordered[math.ceil(place)])
        ends.append(np.asarray(a if a == b else a + (b - a) * (place - math.floor(place))))
    return ends[0], ends[1], np.asarray(defined)
