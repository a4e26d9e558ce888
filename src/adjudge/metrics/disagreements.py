"""Observed and expected disagreement: what every coefficient of agreement beyond chance divides.

Coefficients differ in what they expect by chance. Here is one function for each expectation; values, intervals
and what is shown beside a value all start from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.data.judgements.labels import number_in
from adjudge.data.judgements.scales import category_values
from adjudge.errors import SettingError
from adjudge.metrics.weightings import (
    MEASUREMENTS,
    CategoryDistances,
    Measurement,
    Weighting,
    disagreement,
    given_matrix,
)
from adjudge.statistics.base import Array, ratio, steady_product
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.ratings.patterns import Patterns


@dataclass(frozen=True, slots=True)
class Disagreements:
    """Mean disagreement of two ratings of the same item, and of two ratings by chance, (…)."""

    observed: Array
    expected: Array

    @property
    def coefficient(self) -> Array:
        """One minus their ratio; NaN when nothing but agreement could be expected."""
        return np.asarray(1 - ratio(self.observed, np.where(self.expected <= 0, 0.0, self.expected)))

    @property
    def parts(self) -> dict[str, Array]:
        """The same as agreement: observed and expected."""
        return {"observed": np.asarray(1 - self.observed), "expected": np.asarray(1 - self.expected)}


def of_table(table: Confusion, weighting: Weighting) -> Disagreements:
    """Of two raters; by chance, each follows its own habits."""
    total = table.total
    if table.cells is None:
        d = disagreement(table.categories, weighting)
        observed, by_chance = within(d, table.counts), between(d, table.reference_total, table.prediction_total)
    else:
        apart = CategoryDistances.of(table.categories, weighting)
        observed = steady_product(table.counts, apart.of_pairs(*table.pairs))
        by_chance = (apart.to_all(table.reference_total) * table.prediction_total).sum(-1)
    return Disagreements(ratio(observed, total), ratio(ratio(by_chance, total), total))


def within(d: Array, table: Array) -> Array:
    """Σ_kl d_kl n_kl of tables of pairs, (…)."""
    if d.ndim > 2:  # a disagreement for each replicate
        return np.asarray((d * table).sum((-2, -1)))
    return np.asarray(steady_product(table.reshape(*table.shape[:-2], d.size), d.reshape(-1)))


def between(d: Array, first: Array, second: Array) -> Array:
    """Σ_kl d_kl a_k b_l of amounts by category, (…)."""
    if d.ndim > 2:
        return np.asarray((d * first[..., :, None] * second[..., None, :]).sum((-2, -1)))
    return np.asarray(((first @ d) * second).sum(-1))


def within_items(patterns: Patterns, weighting: Weighting) -> Array:
    """Mean over items of the disagreement of an item's pairs of ratings, (…)."""
    d, sums = disagreement(patterns.categories, weighting), patterns.sums
    return np.asarray(ratio(within(d, sums.pairs), sums.paired))


def shares_of_categories(patterns: Patterns) -> Array:
    """Share of each category, every item counting the same, (…, K)."""
    sums = patterns.sums
    return np.asarray(ratio(sums.shares, sums.items[..., None]))


def by_common_habits(patterns: Patterns, weighting: Weighting) -> Disagreements:
    """By chance, all raters use the categories as the ratings together do (Scott, Fleiss)."""
    d, shares = disagreement(patterns.categories, weighting), shares_of_categories(patterns)
    return Disagreements(within_items(patterns, weighting), between(d, shares, shares))


def by_even_use(patterns: Patterns, weighting: Weighting) -> Disagreements:
    """By chance, raters use all declared categories equally (Bennett, Brennan and Prediger)."""
    size = len(patterns.categories)
    expected = disagreement(patterns.categories, weighting).sum() / max(size, 1) ** 2
    return Disagreements(within_items(patterns, weighting), np.full(patterns.sums.items.shape, expected))


def by_hard_items(patterns: Patterns, weighting: Weighting) -> Disagreements:
    """By chance, raters guess on the items that are hard to rate (Gwet)."""
    size, shares = len(patterns.categories), shares_of_categories(patterns)
    spread = (shares * (1 - shares)).sum(-1)
    expected = 1 - guessing(patterns.categories, weighting) * spread if size > 1 else np.zeros_like(spread)
    return Disagreements(within_items(patterns, weighting), np.asarray(expected))


def guessing(categories: tuple[str, ...], weighting: Weighting) -> float:
    """Gwet's factor of the spread of shares: Σ w / (q (q − 1))."""
    size = len(categories)
    return float((size**2 - disagreement(categories, weighting).sum()) / (size * (size - 1)))


def of_coincidences(patterns: Patterns, measurement: Measurement) -> Disagreements:
    """Over all ratings that can be paired; by chance, two are drawn without replacement (Krippendorff)."""
    o = patterns.sums.coincidences
    used = o.sum(-1)
    total = used.sum(-1)
    d = steps(patterns.categories, measurement, ratio(used, total[..., None]))
    return Disagreements(ratio(within(d, o), total), ratio(between(d, used, used), total * (total - 1)))


def steps(categories: tuple[str, ...], measurement: Measurement, shares: Array) -> Array:
    """The disagreement of two values at a level of measurement, (q, q) or with the leading axes of the shares."""
    if isinstance(measurement, str) and measurement == "ordinal":
        category_values(categories)  # words whose order nobody gave are refused
        middle = np.cumsum(shares, axis=-1) - shares / 2
        return np.asarray((middle[..., :, None] - middle[..., None, :]) ** 2)
    if callable(measurement):
        values = numbers_or_labels(categories)
        return given_matrix(categories, [[float(measurement(a, b)) for b in values] for a in values])
    if isinstance(measurement, str) and measurement == "ratio":
        return _relative_steps(categories)
    return disagreement(categories, MEASUREMENTS[measurement] if isinstance(measurement, str) else measurement)


def _relative_steps(categories: tuple[str, ...]) -> Array:
    x = category_values(categories)
    if (x < 0).any():
        raise SettingError("The ratio level needs values of at least 0: there is no ratio across zero.")
    return np.asarray(np.nan_to_num(ratio(x[:, None] - x, x[:, None] + x)) ** 2)


def numbers_or_labels(categories: tuple[str, ...]) -> Sequence[str | float]:
    """What a caller's own distance is asked about: numbers when all labels spell one."""
    numbers = [number for category in categories if (number := number_in(category)) is not None]
    return numbers if len(numbers) == len(categories) else categories
