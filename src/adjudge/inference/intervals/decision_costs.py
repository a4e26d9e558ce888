"""What deciding at a threshold costs, and what the best threshold costs on other rows than it was chosen on.

Everything is of the weight of positives and negatives in cells of falling scores, and of replicates of it: a threshold
takes the rows whose score is at least as high. Costs are of a false positive and of a false negative.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.inference.intervals.numbers import student_quantile
from adjudge.inference.intervals.small_samples import guarded_error
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.curves.curve import Curve

Limits = tuple[Array, Array]


@dataclass(frozen=True, slots=True)
class UnitCounts:
    """How many units there are and how many effective rows; `draws` tell the variance where units have several."""

    units: float
    rows: float
    draws: Curve | None = None


@dataclass(frozen=True, slots=True)
class Chosen:
    """The cheapest threshold on these rows, what it costs here, and what it costs on others."""

    threshold: float  # infinite: taking none is cheapest
    apparent: float
    corrected: float  # less what choosing on the same rows flatters
    low: float  # limits of the corrected cost
    high: float
    often: float  # the share of replicates that choose a threshold within a tenth of the scores from it
    replicated: Array  # its cost in each replicate

    @property
    def flattery(self) -> float:
        """What choosing on the same rows makes it look cheaper."""
        return self.corrected - self.apparent


def outcomes(thresholds: Array, counts: Array, cuts: Array) -> Array:
    """True positives, false positives, false negatives and true negatives at each cut, (4, …, cuts).

    >>> outcomes(np.array([0.9, 0.4]), np.array([[1.0, 1.0], [0.0, 2.0]]), np.array([0.5])).ravel().tolist()
    [1.0, 0.0, 1.0, 2.0]
    """
    taken = np.concatenate([np.zeros((*counts.shape[:-1], 1)), np.cumsum(counts, axis=-1)], axis=-1)
    up_to = np.searchsorted(-thresholds, -np.asarray(cuts), side="right")
    at, every = taken[..., up_to], taken[..., -1:]
    left = every - at
    return np.stack([at[..., 0, :], at[..., 1, :], left[..., 0, :], left[..., 1, :]])


def mean_worth(parts: Array, worth: Array) -> Array:
    """The mean over rows of what each outcome is worth, (…, cuts)."""
    shape = (4, *(1,) * (parts.ndim - 2), -1)
    return np.asarray(ratio((parts * worth.reshape(shape)).sum(0), parts.sum(0)))


def worth_of_errors(costs: tuple[float, float]) -> Array:
    """What each outcome costs, (4, 1)."""
    return np.array([[0.0], [costs[0]], [costs[1]], [0.0]])


def worth_of_benefit(cuts: Array) -> Array:
    """What each outcome adds to the net benefit TP/n − FP/n · t/(1 − t), (4, cuts)."""
    nothing = np.zeros(len(cuts))
    return np.stack([nothing + 1, -cuts / (1 - cuts), nothing, nothing])


def worth_with_limits(
    curve: Curve, cuts: Array, worth: Array, units: UnitCounts, *, level: float = 0.95, bound: float = 0.0
) -> tuple[Array, Limits]:
    """The mean worth at each cut, with Student's limits of a mean; guarded where rows differ by at most `bound`.

    >>> curve = Curve.of_points(np.array([0.9, 0.6, 0.4, 0.2]), np.eye(2)[[0, 1, 0, 1]].T, np.eye(2)[[0, 1, 0, 1]].T, 4)
    >>> cuts, worth = np.array([0.5]), worth_of_errors((1, 5))
    >>> mean, (low, high) = worth_with_limits(curve, cuts, worth, UnitCounts(4, 4), bound=5)
    >>> mean.tolist(), (low < 1.5).tolist()
    ([1.5], [True])
    """
    parts = outcomes(curve.thresholds, curve.counts, cuts)
    mean = mean_worth(parts, worth)
    if units.draws is not None:
        replicated = mean_worth(outcomes(units.draws.thresholds, units.draws.counts, cuts), worth)
        variance = np.asarray(np.nanvar(replicated, axis=0))
    else:
        squares = outcomes(curve.thresholds, curve.squares, cuts)
        variance = np.asarray((squares * (worth - mean) ** 2).sum(0) / parts.sum(0) ** 2)
    reach = np.array([_reach(float(one), units, level, bound) for one in variance])
    return mean, (mean - reach, mean + reach)


def _reach(variance: float, units: UnitCounts, level: float, bound: float) -> float:
    """How far limits reach; undefined of one unit, and where nothing varies and nothing guards."""
    if units.units <= 1 or (variance <= 0 and bound <= 0):
        return float("nan")
    return student_quantile(level, units.units - 1) * guarded_error(variance, units.units, units.rows, bound)


def chosen_threshold(
    curve: Curve, draws: Curve, costs: tuple[float, float], units: UnitCounts, level: float = 0.95
) -> Chosen:
    """The cheapest threshold; it is chosen anew in each replicate, and its cost there held against that on all rows.

    The mean excess is what choosing flatters (Efron 1983); the corrected cost adds it. Limits are of a mean at that
    threshold, with the square of what was added beside its variance. `draws` are in the same cells.

    >>> random = np.random.default_rng(2)
    >>> counts = np.stack([random.poisson(np.arange(20, 0, -1.0)), random.poisson(np.arange(20.0))]).astype(float)
    >>> curve = Curve.of_points(np.linspace(1, 0, 20), counts, counts, int(counts.sum()))
    >>> made = chosen_threshold(curve, curve.resampled("multinomial", 200, 7, "x"), (1.0, 1.0), UnitCounts(400, 400))
    >>> made.low < made.apparent < made.corrected < made.high
    True
    """
    cuts, worth = np.append(np.inf, curve.thresholds), worth_of_errors(costs)
    here = mean_worth(outcomes(curve.thresholds, curve.counts, cuts), worth)
    again = mean_worth(outcomes(draws.thresholds, draws.counts, cuts), worth)
    again = again[~np.isnan(again).any(axis=-1)]
    best, each = int(here.argmin()), again.argmin(axis=-1)
    flattery = float((here[each] - again[np.arange(len(again)), each]).mean())
    corrected = float(here[best]) + flattery
    reach = _reach(float(again[:, best].var()) + flattery**2, units, level, max(costs))
    width = 0.1 * float(curve.thresholds[0] - curve.thresholds[-1])
    near = np.abs(cuts[each] - cuts[best]) <= width if np.isfinite(cuts[best]) else each == best
    low, high = max(corrected - reach, 0.0), min(corrected + reach, max(costs))
    return Chosen(float(cuts[best]), float(here[best]), corrected, low, high, float(near.mean()), again[:, best])


def cost_difference(
    pair: Sequence[Chosen], costs: tuple[float, float], units: UnitCounts, level: float
) -> tuple[float, ...]:
    """The corrected cost of the first less that of the second, with limits from their replicates, drawn together."""
    first, second = pair
    difference = first.corrected - second.corrected
    variance = float((first.replicated - second.replicated).var()) + first.flattery**2 + second.flattery**2
    reach = _reach(variance, units, level, max(costs))
    return difference, difference - reach, difference + reach


def cost_curve(
    curve: Curve, draws: Curve, shares: Array, units: UnitCounts, level: float = 0.95
) -> tuple[Array, Limits]:
    """The lowest cost over all thresholds, FNR · P + FPR · (1 − P), at each share P (Drummond and Holte 2006).

    P is what positives weigh once costs are counted: π c_fn / (π c_fn + (1 − π) c_fp). The threshold is chosen anew at
    each P and in each replicate, so that what choosing on the same rows flatters is added, as in `chosen_threshold`.

    >>> counts = np.array([[40.0, 10.0], [10.0, 40.0]])
    >>> curve = Curve.of_points(np.array([0.9, 0.1]), counts, counts, 100)
    >>> draws = curve.resampled("multinomial", 200, 7, "x")
    >>> cost_curve(curve, draws, np.array([0.0, 0.5]), UnitCounts(100, 100))[0].round(2).tolist()
    [0.0, 0.2]
    """
    cuts = np.concatenate([[np.inf], curve.thresholds, [-np.inf]])
    missed, alarmed = _rates(outcomes(curve.thresholds, curve.counts, cuts))
    again = [_known_draws(one) for one in _rates(outcomes(draws.thresholds, draws.counts, cuts))]
    values, lows, highs = [], [], []
    for share in shares.tolist():
        # Of thresholds that cost the same the one nearest to taking all is chosen, or none: whichever errs in less.
        order = slice(None, None, -1) if share > 0.5 else slice(None)
        here = (share * missed + (1 - share) * alarmed)[order]
        each = (share * again[0] + (1 - share) * again[1])[:, order]
        best, chosen = int(here.argmin()), each.argmin(axis=-1)
        flattery = max(float((here[chosen] - each[np.arange(len(each)), chosen]).mean()), 0.0)
        corrected = float(here[best]) + flattery
        reach = _reach(float(each[:, best].var()) + flattery**2, units, level, 1.0)
        values.append(corrected)
        lows.append(max(corrected - reach, 0.0))
        highs.append(min(corrected + reach, 1.0))
    return np.array(values), (np.array(lows), np.array(highs))


def _rates(parts: Array) -> tuple[Array, Array]:
    """Which share of positives is missed, and of negatives taken, at each cut."""
    hits, alarms, misses, spared = parts
    return np.asarray(ratio(misses, hits + misses)), np.asarray(ratio(alarms, alarms + spared))


def _known_draws(rates: Array) -> Array:
    """Rates of replicates; one without any positive, or negative, row errs in none of them."""
    return np.asarray(np.nan_to_num(rates))
