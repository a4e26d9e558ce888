"""What single units add to a metric, from its values without each of them, and limits that rest on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from adjudge.inference.intervals.numbers import student_quantile
from adjudge.inference.intervals.tailed_means import beyond_largest
from adjudge.statistics.base import AnyStatistic, Array, ratio, steady_product
from adjudge.statistics.kinds import Kinds
from adjudge.statistics.numbers.pairs import NumberPairs
from adjudge.statistics.scores.sums import ScoreSums

Limits = tuple[Array, Array]
Scale = tuple[Callable[[Array], Array], Callable[[Array], Array]]
Gross = tuple[float, float]  # what gross errors not seen may do, below and above

# A standard error below this is what rounding leaves of none.
NO_SPREAD = 1e-12
# With fewer degrees of freedom one unit or two make nearly all of a spread, which then tells nothing.
FEW_TELL = 3.0
# … and a value this near to an end of its range is there.
AT_END = 1e-10
# How much of an unseen unit counts, by the logarithm of how many were seen: chosen on tuning designs, docs/validation.
UNSEEN = 0.25
# What gross errors that no unit shows add to a coefficient, in sizes of what a unit adds; from so many units on, below
# which they count for less; and at most in terms of the largest: docs/validation/heldout.md.
GROSS, GROSS_FROM, GROSS_MOST = 45.0, 50.0, 9.0
# A figure is carried by few units where at most so many, and one in so many, have this part of its variance: of normal
# values that is seldom so. Of more rows it is not told.
CARRIED, MOST_CARRYING, MANY_ENOUGH, MOST_TOLD = 0.75, 5, 25, 2_000


@dataclass(frozen=True, slots=True)
class About:
    """On which scale limits are, what gross errors not seen may do, and the most degrees of freedom that there are.

    `furthest` is how far an end may be from the value on that scale.
    """

    scale: Scale
    gross: Gross = (0.0, 0.0)
    freedom: float = np.inf
    furthest: float = np.inf


def limits_without_one(point: Array, left: Array, units: Array, level: float, about: About) -> Limits | None:
    """Limits of a value, from the values without one unit of each kind and how many units are of it."""
    there, back = about.scale
    with np.errstate(all="ignore"):
        value, values = float(there(point)), np.asarray(there(left))
    n = float(units.sum())
    if not (n > 2 and np.isfinite(value) and np.isfinite(values).all()):
        return None
    adds = added_by_units(values, units)
    squares = float(steady_product(units, adds**2))
    error = np.sqrt((n - 1) / n * squares)
    if not error > NO_SPREAD * max(1.0, abs(value)) or not np.isfinite(squares * squares):
        return None
    reach = student_quantile(level, min(satterthwaite(adds, units), about.freedom)) * error
    further, usual = johnson_term(adds, units, error, level), typical(adds, units)
    # Each end reaches towards what an unseen unit would do to the value there.
    below, above = (
        np.hypot(
            reach,
            max(
                unseen_unit(side * adds, units),
                min(many * usual, GROSS_MOST * max(float((side * adds).max()), 0.0)),
            ),
        )
        + max(side * further, 0.0)
        for side, many in zip((-1.0, 1.0), about.gross, strict=True)
    )
    below, above = min(below, about.furthest), min(above, about.furthest)
    return np.asarray(back(value - below)), np.asarray(back(value + above))


def furthest_of(low: float, high: float, level: float, power: float = 1.0) -> float:
    """How far an end may be from a value on the scale of its range: where that has one end, a logarithm's.

    A mean that one unit tells alone, were units exponential, is held below 1 / −ln(1 − tail) times what was seen: 39
    times at .95. Of a root of a mean that is its root; a logarithm would reach a thousand times as far. Elsewhere there
    is no such bound.

    >>> round(float(np.exp(furthest_of(0.0, np.inf, 0.95))), 1), furthest_of(-1.0, 1.0, 0.95)
    (39.5, inf)
    """
    if np.isfinite(low) == np.isfinite(high):
        return np.inf
    return float(-np.log(-np.log1p(-(0.5 - level / 2))) / power) if 0 < level < 1 else np.inf


def added_by_units(values: Array, units: Array) -> Array:
    """What each unit adds to a value, from the values without it."""
    return np.asarray(float(steady_product(units, values)) / float(units.sum()) - values)


def few_that_carry(values: Array, units: Array) -> tuple[int, int] | None:
    """How many units, of how many, make most of the jackknife's variance; None where it is not in a few of them.

    From the values without one unit of each kind, and how many units are of it: the fewest whose squares are `CARRIED`
    of all, where they are one in twenty-five at most.

    >>> few_that_carry(np.array([9.0, *[0.0, 0.1] * 15]), np.ones(31))
    (1, 31)
    """
    n = float(units.sum())
    if n < MANY_ENOUGH or not np.isfinite(values).all():
        return None
    adds = added_by_units(values, units)
    falling = np.argsort(-np.abs(adds), kind="stable")
    squares = np.cumsum((units * adds**2)[falling])
    few = int(np.searchsorted(squares, CARRIED * squares[-1]))
    count = round(float(np.cumsum(units[falling])[few]))
    return (count, round(n)) if squares[-1] > NO_SPREAD and 0 < count <= min(n / MANY_ENOUGH, MOST_CARRYING) else None


def satterthwaite(adds: Array, units: Array) -> float:
    """Satterthwaite's degrees of freedom of the jackknife's variance: as many as its own variance leaves."""
    n, sizes = float(units.sum()), adds / np.abs(adds).max()
    peaked = n * float(steady_product(units, sizes**4)) / float(steady_product(units, sizes**2)) ** 2
    return float(np.clip(2 * n / max(peaked - 1, 2.0), 1.0, n - 1))  # of less than 2 there are all n − 1


def weights_of(judged: AnyStatistic, units: Array) -> Array | None:
    """What each of the units that are left out weighs; None where that is not known."""
    weights: Array | None = None
    if isinstance(judged, NumberPairs) and judged.sums.kept is not None:
        weights = judged.sums.kept[:, judged.sums.places["n"]]
    elif isinstance(judged, ScoreSums) and judged.sums.kept is not None:
        weights = judged.weights
    elif isinstance(judged, Kinds) and judged.by_cluster:
        weights = judged.by_clusters(judged.counts)
    elif isinstance(judged, Kinds):
        weights = ratio(judged.squares, judged.counts)[judged.counts > 0]
    return weights if weights is not None and weights.shape == units.shape else None


def freedom_of_weights(weights: Array | None, units: Array) -> float:
    """The most degrees of freedom of a variance to which units of these weights add, were they alike otherwise.

    (Σ w²)² / Σ w⁴: those of Satterthwaite (1946) where weights are known, as Bell and McCaffrey (2002) have them.
    """
    if weights is None or not weights.max(initial=0.0) > 0:
        return np.inf
    squares = (weights / weights.max()) ** 2
    return float((steady_product(units, squares)) ** 2 / (steady_product(units, squares**2)))


def heavy_unit_unseen(adds: Array, weights: Array | None, units: Array) -> float:
    """What a unit adds that was not seen, as heavy as the heaviest beyond what a unit in effect weighs.

    It is as far off as any unit is for its weight. Where all weigh the same that is nothing.
    """
    if weights is None:
        return 0.0
    beyond = float(weights.max() - ratio(steady_product(units, weights**2), steady_product(units, weights)))
    heavy = weights > 0
    furthest = float((adds[heavy] / weights[heavy]).max())
    return float(max(beyond, 0.0) * max(furthest, 0.0))


def skewness(adds: Array, units: Array) -> float:
    """How skewed the sum of what units add is."""
    return float(float(steady_product(units, adds**3)) / float(steady_product(units, adds**2)) ** 1.5)


def johnson_term(adds: Array, units: Array, error: float, level: float) -> float:
    """How much further the end reaches on the side to which what units add is skewed; below 0 on the lower side."""
    return float(skewness(adds, units) * (1 + 2 * student_quantile(level, float(units.sum()) - 1) ** 2) / 6 * error)


def hall_reach(quantile: float, skewness: float) -> float:
    """How many standard errors the end to which a mean is skewed lies from it, by Hall's cubic (1992).

    Where T + γ T² / 3 + γ² T³ / 27 + γ / 6, which is not skewed, is at this quantile. Of little skewness it is what
    Johnson's term adds; where a few units make a mean it reaches much further. Other ends stay where they are.

    >>> [round(hall_reach(1.96, skewness), 2) for skewness in (-0.5, 0.0, 0.1, 0.3, 0.6)]
    [1.96, 1.96, 2.12, 2.65, 8.09]
    """
    if not skewness > NO_SPREAD:
        return quantile
    return float(3 / skewness * (1 - np.cbrt(1 - skewness * (quantile + skewness / 6))))


def typical(adds: Array, units: Array) -> float:
    """The mean size of what a unit adds, without the largest, as many as the root of their number; less of few units.

    Gross errors are told from other errors by this, and so do not widen an interval further once they were seen.
    """
    order, n = np.argsort(np.abs(adds), kind="stable"), float(units.sum())
    sizes, times = np.abs(adds)[order], units[order]
    kept = np.clip(n - round(n**0.5) - (np.cumsum(times) - times), 0.0, times)
    return float(steady_product(kept, sizes) / kept.sum()) * min(n / GROSS_FROM, 1.0)


def endless_scale(low: float, high: float) -> Scale:
    """A scale on which a range has no ends, and the way back: Fisher's z between two ends, a logarithm from one."""
    if np.isfinite(low) and np.isfinite(high):
        middle, half = (low + high) / 2, (high - low) / 2
        return (lambda value: _fisher((value - middle) / half)), (lambda end: middle + half * np.tanh(end))
    if np.isfinite(high):
        return (lambda value: -np.log(high - value)), (lambda end: high - np.exp(-end))
    if np.isfinite(low):
        return (lambda value: np.log(value - low)), (lambda end: low + np.exp(end))
    return np.asarray, np.asarray


def _fisher(value: Array) -> Array:
    """Fisher's z; what rounding leaves between a value and ±1 is nothing."""
    return np.where(1 - np.abs(value) < AT_END, np.inf, np.arctanh(value))


def unseen_unit(adds: Array, units: Array) -> float:
    """How much of a unit that was not seen counts, which lies beyond the largest that a unit adds."""
    n = float(units.sum())
    return float(UNSEEN * np.log(n) * beyond_seen(adds, units, n))


def beyond_seen(adds: Array, units: Array, n: float) -> float:
    """The mean of what lies beyond the largest that a unit adds."""
    falling = np.argsort(-adds, kind="stable")
    most = round(n**0.5) + 6
    times = np.maximum(np.rint(units[falling][:most]), 1).astype(np.int64)
    return beyond_largest(np.repeat(adds[falling][:most], np.minimum(times, most))[:most], n)
