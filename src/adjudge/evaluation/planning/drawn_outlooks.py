"""Outlooks of metrics whose limits no formula tells: tables are drawn as assumed, and judged by the limits of a gate.

What is known exactly, how far the value itself varies, is taken from the assumption; what is drawn is how far limits
lie from it, and how that goes with the value.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from adjudge.evaluation.gates.limits import NoLimit, Number, limit_of
from adjudge.evaluation.measuring.rows import Measured, rows_of
from adjudge.evaluation.results import WHOLE_NAME
from adjudge.inference.planning.power import NORMAL, Aim
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics.base import Metric
from adjudge.metrics.catalogue import parse
from adjudge.metrics.intervals import Quantity
from adjudge.statistics.base import AnyStatistic, Array
from adjudge.statistics.losses import Losses
from adjudge.statistics.numbers.rows import NumberRows

TABLES = 64
SIZES = (20, 80, 320, 1_280, 5_120)  # units of tables that are drawn; of others, what these tell is interpolated
FEWEST = 5
Drawn = Callable[[np.random.Generator, int], AnyStatistic]


@dataclass(frozen=True, slots=True)
class DrawnOutlook:
    """A number whose limits are those of tables that are drawn as assumed; `spread` is that of one unit.

    >>> from adjudge.metrics import mean_absolute_error
    >>> outlook = losses_outlook(mean_absolute_error, 0.4, 0.3)
    >>> [round(outlook.passes(rows, Aim(0.5, at_least=False)), 1) for rows in (60, 150)]
    [0.3, 0.8]
    """

    truth: float
    spread: float
    metric: Metric
    table_of: Drawn
    method: str
    supposed: str

    def passes(self, units: int, aim: Aim) -> float:
        """By how far the limit of a gate lies from the value, on average, and how that goes with the value."""
        if units < FEWEST:
            return 0.0
        at = _between(units, lambda size: _reach(self, size, aim))
        if at is None:
            return 0.0
        reach, moves, left = at * np.array([1 / math.sqrt(units), 1.0, 1 / math.sqrt(units)])
        error = math.hypot(moves * self.spread / math.sqrt(units), left)
        return NORMAL.cdf(float(aim.distance(self.truth) - reach) / error)

    def half_width(self, units: int, level: float) -> float:
        """The mean of the intervals that are shown."""
        half = None if units < FEWEST else _between(units, lambda size: _half(self, size, level))
        return math.inf if half is None else float(half[0]) / math.sqrt(units)


def _between(units: int, figures_of: Callable[[int], tuple[float, ...] | None]) -> Array | None:
    """What tables of so many units tell, from those of the sizes next to it; None where these tell nothing."""
    place = int(np.clip(np.searchsorted(SIZES, units), 1, len(SIZES) - 1))
    sizes = SIZES[place - 1 : place + 1] if units < SIZES[-1] else SIZES[-1:]
    known = [(size, one) for size in sizes if (one := figures_of(size)) is not None]
    if not known:
        return None
    across = [math.log(size) for size, _ in known]
    return np.array(
        [np.interp(math.log(units), across, values) for values in zip(*(one for _, one in known), strict=True)]
    )


def _measured(outlook: DrawnOutlook, units: int, number: int) -> Measured:
    """One table, the same whatever is asked of it."""
    statistic = outlook.table_of(np.random.default_rng([11, number]), units)
    method = outlook.metric.intervals[0]
    return Measured("", WHOLE_NAME, statistic.rows, {outlook.metric.over: statistic}, (), (), methods=(method,))


def _reach(outlook: DrawnOutlook, units: int, aim: Aim) -> tuple[float, float, float] | None:
    """How far a gate's limit lies from the value, by how much it moves with it, and what is left (the ends times √n).

    None where most tables have no limit.
    """
    values, *ends = _limits(outlook, units, aim.alpha)
    limits = ends[0] if aim.at_least else ends[1]
    if len(values) < TABLES / 2 or not np.isfinite(limits).all():
        return None
    off = values - outlook.truth
    slope = float(np.cov(off, limits)[0, 1] / max(float(off.var(ddof=1)), 1e-300))
    rest = limits - outlook.truth - slope * off
    middle = float(rest.mean()) * (-1 if aim.at_least else 1)
    return middle * math.sqrt(units), slope, float(rest.std(ddof=1)) * math.sqrt(units)


@lru_cache(maxsize=256)
def _limits(outlook: DrawnOutlook, units: int, alpha: float) -> tuple[Array, Array, Array]:
    """The values of tables of so many units with both limits, as gates have them; without tables that have none."""
    limits = []
    with np.errstate(all="ignore"):
        for place in range(TABLES):
            number = Number(_measured(outlook, units, place), outlook.metric)
            try:
                limits.append((number.value, *limit_of(number).at(1 - 2 * alpha)))
            except NoLimit:
                continue
    values, lows, highs = np.array(limits).reshape(-1, 3).T
    return values, lows, highs


@lru_cache(maxsize=256)
def _half(outlook: DrawnOutlook, units: int, level: float) -> tuple[float] | None:
    """Half the width of the intervals that are shown, times √n; None where most tables have none."""
    rows = [
        rows_of(_measured(outlook, units, place), [outlook.metric], level, Bootstrap())[0] for place in range(TABLES)
    ]
    halves = np.array([(row.high - row.low) / 2 for row in rows])
    known = halves[np.isfinite(halves)]
    return (float(known.mean()) * math.sqrt(units),) if len(known) > TABLES / 2 else None


GAMMA = "values are taken for gamma distributed, and longer tails take more"


def _values_drawn(
    metric: Metric, values: Callable[[np.random.Generator, int], Array], random: np.random.Generator, n: int
) -> AnyStatistic:
    """A column of values that are drawn."""
    return metric.statistic_of(values(random, n))


def losses_outlook(metric: Metric, truth: float, deviation: float) -> DrawnOutlook:
    """A mean of losses with this deviation, or of costs in a column: gamma distributed, which none below 0 are.

    Probabilities are drawn whose losses are so; of what is bounded, beta distributed.
    """
    shape = (truth / deviation) ** 2

    def losses(random: np.random.Generator, n: int) -> Array:
        return random.gamma(shape, truth / shape, n)

    def shares(random: np.random.Generator, n: int) -> Array:
        many = truth * (1 - truth) / deviation**2 - 1
        return random.beta(truth * many, (1 - truth) * many, n)

    if metric.over is Losses:
        endless = math.isinf(metric.range[1])

        def scored(random: np.random.Generator, n: int) -> AnyStatistic:
            chance = np.exp(-losses(random, n)) if endless else 1 - np.sqrt(shares(random, n))
            yes = random.integers(0, 2, n)
            return metric.statistic_of(yes, np.where(yes == 1, chance, 1 - chance), positive=1)

        shaped = GAMMA if endless else "squared errors are taken for beta distributed"
        return DrawnOutlook(truth, deviation, metric, scored, metric.intervals[0], shaped)
    if metric.over is NumberRows:
        column = partial(_values_drawn, metric, losses)
        return DrawnOutlook(truth, deviation, metric, column, metric.intervals[0], GAMMA)
    # Limits of a mean of losses go by the losses alone, whatever they are of.
    power = 2 if metric.quantity in (Quantity.MEAN_SQUARE, Quantity.ROOT_MEAN_SQUARE) else 1
    plain = parse("mean_squared_error" if power == 2 else "mean_absolute_error")

    def off(random: np.random.Generator, n: int) -> AnyStatistic:
        return plain.statistic_of(np.zeros(n), losses(random, n) ** (1 / power))

    return DrawnOutlook(truth, deviation, plain, off, metric.intervals[0], GAMMA)


def correlation_outlook(truth: float) -> DrawnOutlook:
    """A correlation of normal numbers, of raters or of a system; one varies by (1 − ρ²) / √n in large samples."""
    plain = parse("correlation")

    def normal(random: np.random.Generator, n: int) -> AnyStatistic:
        first, second = random.standard_normal((n, 2)).T
        return plain.statistic_of(first, truth * first + math.sqrt(1 - truth**2) * second)

    supposed = "both numbers are taken for normal, and longer tails take more"
    return DrawnOutlook(truth, 1 - truth**2, plain, normal, plain.intervals[0], supposed)
