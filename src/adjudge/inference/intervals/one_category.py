"""The interval of agreement on one category: of as many pairs of ratings as the items that have it are worth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from adjudge.inference.intervals.interval import normal_quantile
from adjudge.inference.intervals.numbers import student_quantile
from adjudge.metrics.base import Metric
from adjudge.metrics.disagreements import shares_of_categories
from adjudge.metrics.intervals import Quantity
from adjudge.statistics.base import NO_SPREAD, Array, ratio, steady_product
from adjudge.statistics.ratings.patterns import Patterns

Limits = tuple[Array, Array]


def wilson_of_items(metric: Metric, patterns: Patterns, level: float) -> Limits:
    """Wilson's interval of the share of pairs that agree on each category, beyond its own share where that counts.

    A category that is rare is in few items, and its pairs go together: they are worth as many as the variance between
    these items says, with Student's quantile of so few (Korn and Graubard 1998); no more than there are, and as many as
    items where all of them say the same.

    >>> from adjudge.metrics import specific_agreement
    >>> both = specific_agreement.statistic_of(["a"] * 40 + ["b"] * 10, ["a"] * 38 + ["b"] * 12)
    >>> low, high = wilson_of_items(specific_agreement, both, 0.95)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.906, 0.668], [0.993, 0.98])
    """
    pairs = _Pairs.of(patterns)
    agreeing, apart = pairs.with_one_unseen(patterns)
    (low, high), (lower, _), (_, upper) = (_wilson(one, level) for one in (pairs, apart, agreeing))
    low, high = np.fmin(low, lower), np.fmax(high, upper)
    if metric.quantity is not Quantity.CATEGORY_KAPPA:
        return low, high
    chance, most = _use(patterns, level)
    value, least = (ratio(part - chance, 1 - chance) for part in (pairs.share, low))
    below = np.hypot(value - least, value - ratio(pairs.share - most, 1 - most))
    return value - below, ratio(high - chance, 1 - chance)


def _use(patterns: Patterns, level: float) -> Limits:
    """How often each category is used, and Wilson's upper limit of it, of as many items as there are in effect."""
    z, share, items = normal_quantile(level), shares_of_categories(patterns), float(patterns.effective_rows)
    reach = z * np.sqrt(share * (1 - share) / items + (z / (2 * items)) ** 2)
    return share, (share + z**2 / (2 * items) + reach) / (1 + z**2 / items)


def _wilson(pairs: _Pairs, level: float) -> Limits:
    """Wilson's limits of the share of pairs that agree, of as many as they are worth."""
    worth, share, z = pairs.worth(level), pairs.share, normal_quantile(level)
    middle = ratio(share * worth + z**2 / 2, worth + z**2)
    reach = ratio(z * np.sqrt(share * (1 - share) * worth + z**2 / 4), worth + z**2)
    return middle - reach, middle + reach


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Of each category: weights of items that have it, ordered pairs of it and of these agreeing, and squares."""

    items: Array
    squares: Array
    agreeing: Array
    possible: Array
    agreeing_squares: Array
    both: Array
    possible_squares: Array

    @classmethod
    def of(cls, patterns: Patterns) -> _Pairs:
        """Of what raters said."""
        ratings, weights, squares = patterns.patterns.sum(1, keepdims=True), patterns.counts, patterns.squares
        agreeing, possible = patterns.patterns * (patterns.patterns - 1), patterns.patterns * (ratings - 1)
        linear = (possible > 0, agreeing, possible)
        squared = (possible > 0, agreeing**2, agreeing * possible, possible**2)
        (items, *totals), (square, *products) = (
            [steady_product(amounts, each) for each in some]
            for amounts, some in ((weights, linear), (squares, squared))
        )
        return cls(items, square, *totals, *products)

    @property
    def share(self) -> Array:
        """What part of the pairs agrees."""
        return np.asarray(ratio(self.agreeing, self.possible))

    def worth(self, level: float) -> Array:
        """How many independent pairs each category's are worth; NaN where fewer than two items have it."""
        share, effective = self.share, ratio(self.items**2, self.squares)
        residuals = self.agreeing_squares - share * (2 * self.both - share * self.possible_squares)
        most = ratio(self.possible * self.items, self.squares)
        with np.errstate(invalid="ignore"):
            variance = ratio(effective, effective - 1) * ratio(residuals, self.possible**2)
            varies = residuals > NO_SPREAD * self.possible_squares
            pairs = np.where(
                varies, np.minimum(ratio(share * (1 - share), variance), most), np.minimum(effective, most)
            )
            few = np.array([student_quantile(level, n - 1) if n >= 2 else np.nan for n in effective])
        return np.asarray(pairs * ratio(normal_quantile(level), few) ** 2)

    def with_one_unseen(self, patterns: Patterns) -> tuple[_Pairs, _Pairs]:
        """The same with an item in which all raters say the category, and with one in which one of them does.

        By as much as it counts more than the items that are seen: of slips alone, of which each is of few pairs, or of
        light items, of which there may be many, the next may count for more.
        """
        paired = patterns.patterns.sum(1) >= 2
        raters = float(
            ratio(steady_product(patterns.counts, patterns.patterns.sum(1) * paired), (patterns.counts * paired).sum())
        )
        weight, typical = patterns.one_item, ratio(self.possible_squares, self.possible)

        def more(agreeing: float, possible: float) -> _Pairs:
            by = np.maximum(weight * possible - typical, 0.0) / max(possible, 1.0)
            square = by * weight
            return _Pairs(
                self.items + by,
                self.squares + square,
                self.agreeing + by * agreeing,
                self.possible + by * possible,
                self.agreeing_squares + square * agreeing**2,
                self.both + square * agreeing * possible,
                self.possible_squares + square * possible**2,
            )

        return more(raters * (raters - 1), raters * (raters - 1)), more(0.0, raters - 1)
