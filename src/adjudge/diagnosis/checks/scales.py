"""Checks of scales: the order of labels that was given, and raters whose points lie elsewhere."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.labels import number_in
from adjudge.data.table_facts import TableFacts
from adjudge.diagnosis.checks.check import REMARK, SERIOUS, Check
from adjudge.errors import listed, quoted, with_minus
from adjudge.statistics.base import Array
from adjudge.statistics.ratings.vectors import RatingVectors

FEWEST_CODES, FEWEST_ITEMS, MOST_RATERS, MOST_LABELS = 5, 50, 12, 15
# How much higher kappa is in another order, and in standard errors. Raters who choose one of the two ends when they are
# unsure gain up to 0.28 of an order that has the ends together, but in none of 400 simulated tables 0.25 for sure.
BETTER, FAR, SURE = 0.05, 0.25, 5.0


def scale_checks(table: TableFacts, raters: Sequence[str]) -> Iterator[Check]:
    """C12: a rater whose scale lies elsewhere: as many points, each one off, or all at other distances."""
    points = {name: dict(values) for name in raters if len(values := _points(table, name)) >= 3}
    if len(points) < 2:
        return
    first, *others = points
    for name in others:
        one, two = points[first], points[name]
        times, low = _line(sorted(one), sorted(two))
        often = min(one[min(one)], one[max(one)], two[min(two)], two[max(two)]) >= FEWEST_CODES
        means = [sum(value * n for value, n in each.items()) / sum(each.values()) for each in (one, two)]
        off = abs(means[1] - (times * means[0] + low))  # of the points themselves, were they meant alike
        moved = (times, low) != (1, 0) and off < max(abs(min(two) - min(one)), abs(max(two) - max(one))) / 2
        if math.isfinite(times) and often and moved:
            begins = 0 in (min(one), min(two)) or times != 1
            yield Check(
                "C12",
                SERIOUS if begins else REMARK,
                f"{quoted(first)} goes from {min(one):g} to {max(one):g} and {quoted(name)} from {min(two):g} to "
                f"{max(two):g}: are these two scales? Convert both to one.",
            )


def _line(one: Sequence[float], two: Sequence[float]) -> tuple[float, float]:
    """How the second points follow from the first, were each a multiple and so much more; NaN where they do not."""
    if len(one) != len(two):
        return math.nan, math.nan
    times = (two[-1] - two[0]) / (one[-1] - one[0])
    low = two[0] - times * one[0]
    same = all(math.isclose(times * a + low, b, abs_tol=1e-9) for a, b in zip(one, two, strict=True))
    return (times, low) if same else (math.nan, math.nan)


def _points(table: TableFacts, name: str) -> dict[float, int]:
    """How often a rater gives each of its points."""
    numbers, labels = table.numbers.get(name), table.labels.get(name)
    return numbers.values.numbers if numbers is not None else {} if labels is None else labels.numbers


def order_of_scale(vectors: RatingVectors) -> Iterator[Check]:
    """C3: an order of labels, given as `scale`, in which raters are further apart than in another.

    Raters who differ give neighbours. Kappa with linear weights, of all pairs of raters, tells how near they are in an
    order for how often each label is given; of an order that was given wrongly it is far below that of the right one.
    """
    labels, raters = vectors.categories, len(vectors.raters)
    numbers = [number_in(label) for label in labels]
    known = [number for number in numbers if number is not None]
    if len(known) == len(labels) > 2 and known not in (sorted(known), sorted(known, reverse=True)):
        order = listed([*labels], 6)
        yield Check("C3", SERIOUS, f"`scale` gives numbers in an order of their own: {order}. Give them by size.")
        return
    if vectors.numbers is not None or not 2 < len(labels) <= MOST_LABELS or not 2 <= raters <= MOST_RATERS:
        return
    table = vectors.tables_of([*combinations(range(raters), 2)]).sum(-3)
    used = np.flatnonzero(table.sum(0) + table.sum(1))
    both = (table + table.T)[np.ix_(used, used)]
    if vectors.rows < FEWEST_ITEMS or len(used) < 3:
        return
    shares = both / both.sum()
    given = np.arange(len(used))
    best = _best_order(shares)
    gain = _kappa(shares, best) - _kappa(shares, given)
    error = _gain_error(shares, given, best) / math.sqrt(vectors.rows)
    if gain > BETTER and gain > SURE * error:
        sorted_by_letters = [*labels] == sorted(labels, key=str.casefold)
        better = [labels[int(used[place])] for place in np.argsort(best)]
        yield Check(
            "C3",
            SERIOUS if gain > FAR or sorted_by_letters else REMARK,
            f"`scale` seems to be in the wrong order: raters who differ are neighbours in {listed(better, 6)} (linear "
            f"kappa {with_minus(_kappa(shares, best), '.2f')}), not in the order given "
            f"({with_minus(_kappa(shares, given), '.2f')}). Give the labels from the lowest to the highest.",
        )


def _distances(places: NDArray[np.int64]) -> Array:
    return np.asarray(np.abs(places[:, None] - places), dtype=np.float64)


def _kappa(shares: Array, places: NDArray[np.int64]) -> float:
    """Kappa of pairs of ratings with linear weights, the labels at these places."""
    apart, marginal = _distances(places), shares.sum(0)
    return 1 - float((shares * apart).sum()) / max(float(marginal @ apart @ marginal), 1e-12)


def _best_order(shares: Array) -> NDArray[np.int64]:
    """Where labels stand in the best order that exchanging two, again and again, leads to."""
    places = np.arange(len(shares))
    best = _kappa(shares, places)
    while True:
        tried = []
        for one, two in combinations(range(len(places)), 2):
            changed = places.copy()
            changed[[one, two]] = changed[[two, one]]
            tried.append((_kappa(shares, changed), changed))
        highest, changed = max(tried, key=lambda each: each[0])
        if highest <= best + 1e-9:
            return places
        best, places = highest, changed


def _gain_error(shares: Array, given: NDArray[np.int64], best: NDArray[np.int64]) -> float:
    """The standard deviation, over pairs of ratings, of what each adds to the gain."""
    marginal = shares.sum(0)
    of_pair = np.zeros_like(shares)
    for places, sign in ((given, 1), (best, -1)):
        apart = _distances(places)
        of_pair += sign * apart / max(float(marginal @ apart @ marginal), 1e-12)
    mean = float((shares * of_pair).sum())
    return math.sqrt(max(float((shares * (of_pair - mean) ** 2).sum()), 0.0))
