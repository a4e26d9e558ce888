"""The interval of agreement on one category: of as many pairs of ratings as the items that have it are worth."""

from __future__ import annotations

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
    worth, value = _pairs_worth(patterns, level), metric.values(patterns)
    chance = shares_of_categories(patterns) if metric.quantity is Quantity.CATEGORY_KAPPA else np.zeros(value.shape)
    share, z = np.clip(chance + value * (1 - chance), 0.0, 1.0), normal_quantile(level)
    middle = ratio(share * worth + z**2 / 2, worth + z**2)
    reach = ratio(z * np.sqrt(share * (1 - share) * worth + z**2 / 4), worth + z**2)
    return ratio(middle - reach - chance, 1 - chance), ratio(middle + reach - chance, 1 - chance)


def _pairs_worth(patterns: Patterns, level: float) -> Array:
    """How many independent pairs each category's are worth; NaN where fewer than two items have it."""
    ratings = patterns.patterns.sum(1, keepdims=True)
    agreeing, possible = patterns.patterns * (patterns.patterns - 1), patterns.patterns * (ratings - 1)
    items, squares = (steady_product(weights, possible > 0) for weights in (patterns.counts, patterns.squares))
    effective, total = ratio(items**2, squares), steady_product(patterns.counts, possible)
    share, most = ratio(steady_product(patterns.counts, agreeing), total), ratio(total * items, squares)
    residuals = steady_product(patterns.squares, (agreeing - share * possible) ** 2)
    spread = steady_product(patterns.squares, possible**2)
    with np.errstate(invalid="ignore"):
        variance = ratio(effective, effective - 1) * ratio(residuals, total**2)
        varies = residuals > NO_SPREAD * spread
        pairs = np.where(varies, np.minimum(ratio(share * (1 - share), variance), most), np.minimum(effective, most))
        few = np.array([student_quantile(level, n - 1) if n >= 2 else np.nan for n in effective])
    return np.asarray(pairs * ratio(normal_quantile(level), few) ** 2)
