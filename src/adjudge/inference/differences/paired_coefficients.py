"""Two coefficients of the same items, and the doubt about their difference."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from adjudge.data.judgements.ratings import Ratings
from adjudge.data.keys import Keys, keys_of_rows
from adjudge.errors import BadValue, SettingError, noted
from adjudge.inference.differences.same_verdict import same_verdict
from adjudge.inference.intervals.interval import Estimate, Interval, checked_level
from adjudge.inference.resampling import Bootstrap, expanded, percentile, student_p, tile_size
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.cells import draw_cells, generator
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.ratings.patterns import Patterns
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.weights import Draws, Weights

# With fewer units than this the interval does not hold: docs/validation/numbers.md.
FEWEST = 10
FLAT = "no interval: every draw gives the same difference, which is not certainty"


def comparable(metric: Metric) -> bool:
    """Whether the difference of two teams in a metric has an interval: it is one number about raters."""
    return not metric.by_category and metric.over in (Confusion, Patterns, RatingVectors)


def paired_difference(
    metric: Metric,
    first: Ratings,
    second: Ratings,
    level: float,
    settings: Bootstrap,
    *,
    weights: Array | None = None,
    keys: Keys | None = None,
) -> tuple[Estimate, float]:
    """How much larger the second coefficient is than the first, both of the same items, row by row.

    Beside it the two-sided p-value of no difference, which the note has, too; NaN where there is none. Items are drawn
    once for both, and read with Student's reach for as many as there are. `weights` says how often each item counts;
    items with the same key are drawn together.

    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> from adjudge.metrics import fleiss_kappa
    >>> before = ratings_of([["a", "b"], ["a", "a"], ["b", "a"], ["b", "b"]] * 10)
    >>> after = ratings_of([["a", "a"], ["a", "a"], ["b", "a"], ["b", "b"]] * 10)
    >>> difference, p = paired_difference(fleiss_kappa, before, after, 0.95, Bootstrap(replicates=500))
    >>> round(difference.value, 3), difference.interval.low > 0, p < 0.05
    (0.467, True, True)
    """
    checked_level(level)
    if not comparable(metric):
        raise SettingError(f"`{metric!r}` is not one number about raters: its difference has no interval here.")
    if len(first) != len(second):
        raise BadValue(
            f"Both teams must have rated the same list of items, but the lists have {len(first)} and {len(second)}."
        )
    first, second = first.named, second.named
    summing = RatingVectors.summing(_both(first, second))
    together = summing(Weights(len(first), weights))
    teams = (_team(together, first, 0), _team(together, second, len(first.raters)))
    value = float(_value(metric, teams[1]) - _value(metric, teams[0]))
    name = f"difference of {metric!r}"
    if np.isnan(value):
        nothing = Interval(np.nan, np.nan, level)
        why = f"undefined in one of the two: {metric.undefined}"
        return Estimate(name, value, nothing, "none", len(first), why), math.nan
    if weights is None and keys is None:
        counts = _on_cells(together, settings)
    else:
        kind = "bayesian" if settings.weights == "bayesian" else "poisson"
        units = keys_of_rows(0, len(first)) if keys is None else keys
        counts = (
            summing(part).counts for part in Draws(kind, settings.replicates, settings.seed).tiles(units, weights)
        )
    replicate_values = np.concatenate(list(_differences(metric, counts, teams, settings)))
    draws = _units(len(first), weights, keys)
    bounds = percentile("bootstrap", replicate_values, float(expanded(level, draws)))
    low, high, method = float(bounds.low), float(bounds.high), settings.method
    p = student_p(replicate_values[~np.isnan(replicate_values)], draws)
    p, (low, high) = same_verdict(value, p, (low, high), level)
    note = noted(f"p = {p:.3g}", bounds.note())
    if draws < FEWEST or not low < high:
        few = f"no interval: {draws:.3g} units, where {FEWEST} are needed"
        low, high, method, note = np.nan, np.nan, "none", few if draws < FEWEST else f"{note}; {FLAT}"
    return Estimate(name, value, Interval(low, high, level), method, len(first), note), p


def _units(items: int, weights: Array | None, keys: Keys | None) -> float:
    """How many units are drawn, in effective ones: items, or those with the same key."""
    mass = np.ones(items) if weights is None else weights
    if keys is not None:
        mass = np.asarray(np.bincount(np.unique(keys, return_inverse=True)[1], weights=mass), dtype=float)
    return float(ratio(mass.sum() ** 2, (mass**2).sum()))


def _both(first: Ratings, second: Ratings) -> Ratings:
    """Both teams' rows side by side. Codes are each team's own: the longer scale only says how many there are."""
    longer = max(first.categories, second.categories, key=len)
    raters = (*(f"first {name}" for name in first.raters), *(f"second {name}" for name in second.raters))
    return Ratings(np.concatenate([first.codes, second.codes], axis=1), longer, raters)


def _team(together: RatingVectors, ratings: Ratings, start: int) -> RatingVectors:
    """One team's ratings of the items, on its own scale."""
    columns = together.vectors[:, start : start + len(ratings.raters)]
    return replace(together, categories=ratings.categories, raters=ratings.raters, vectors=columns)


def _value(metric: Metric, team: RatingVectors) -> Array:
    """The coefficient of one team, for each replicate if there are any."""
    if metric.over is RatingVectors:
        return metric.values(team)
    if metric.over is Patterns:
        return metric.values(team.patterns)
    if len(team.raters) != 2:
        raise SettingError(f"`{metric!r}` compares two raters, but a team has {len(team.raters)}.")
    counts = team.pair_counts[..., 0, :, :]
    return metric.values(Confusion(team.categories, counts, np.zeros(counts.shape[-2:]), team.rows))


def _on_cells(together: RatingVectors, settings: Bootstrap) -> Iterator[Array]:
    """Replicates of plain items, a tile at a time."""
    size = tile_size(together)
    for start in range(0, settings.replicates, size):
        count = min(size, settings.replicates - start)
        random = generator(settings.seed, f"difference/{settings.weights}/{start}")
        yield draw_cells(together.counts, settings.weights, count, random)


def _differences(
    metric: Metric, tiles: Iterable[Array], teams: tuple[RatingVectors, RatingVectors], settings: Bootstrap
) -> Iterator[Array]:
    """Second minus first in every replicate, a tile at a time; prior mass is each team's own."""
    start = 0
    for counts in tiles:
        values = []
        for place, team in enumerate(teams):
            replicate_values = replace(team, counts=counts)
            if settings.weights == "bayesian":
                replicate_values = replicate_values.smoothed(team, settings.seed, f"difference/prior {place}/{start}")
            values.append(_value(metric, replicate_values))
        start += len(counts)
        yield values[1] - values[0]
