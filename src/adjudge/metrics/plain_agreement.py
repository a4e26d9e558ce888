"""Agreement as it is, not corrected for chance: formulas over patterns of ratings."""

from __future__ import annotations

import numpy as np

from adjudge.data.judgements.scales import category_values
from adjudge.errors import SettingError, literal
from adjudge.metrics.base import Direction, metric
from adjudge.metrics.disagreements import within_items
from adjudge.metrics.intervals import Mean, Quantity, Share
from adjudge.metrics.weightings import Weighting
from adjudge.statistics.base import Array, ratio, steady_product
from adjudge.statistics.ratings.patterns import Patterns


@metric(
    over=Patterns,
    label="Percent agreement",
    quantity=Quantity.PERCENT_AGREEMENT,
    direction=Direction.HIGHER,
    range=(0.0, 1.0),
    undefined="no item has two ratings",
    intervals=("bayesian", "wilson", "gwet", "bootstrap"),
    symmetric=True,
    share=lambda patterns, *, tolerance=0.0: _agreeing_items(patterns, tolerance),
    check=lambda *, tolerance=0.0: _not_negative(tolerance),
    parts=lambda patterns, *, tolerance=0.0: {"observed": _agreeing(patterns, tolerance)},
    references=["Wilson 1927 (interval, two raters)"],
    unit="share",
)
def percent_agreement(patterns: Patterns, *, tolerance: float = 0.0) -> Array:
    """Share of an item's pairs of ratings that agree, averaged over items; not corrected for chance.

    Pairs agree when their values differ by at most the tolerance: 0 is exact, 1 is exact or adjacent.

    Undefined when no item has two ratings.

    >>> percent_agreement([1, 2, 3, 4], [1, 2, 4, 2])
    0.5
    """
    return _agreeing(patterns, tolerance)


def _agreeing(patterns: Patterns, tolerance: float) -> Array:
    return 1 - within_items(patterns, beyond_tolerance(patterns, tolerance))


def _not_negative(tolerance: float) -> None:
    if not tolerance >= 0:
        raise SettingError(f"`tolerance` must be a number of at least 0, not {literal(tolerance)}.")


def beyond_tolerance(patterns: Patterns, tolerance: float) -> Weighting:
    """The weighting under which two values agree when they differ by at most the tolerance."""
    if tolerance == 0:
        return "none"
    x = category_values(patterns.categories)
    return (np.abs(x[:, None] - x) > tolerance + 1e-9).astype(np.float64)


def _agreeing_items(patterns: Patterns, tolerance: float) -> Share | None:
    """With two ratings an item agrees or does not: a share of items."""
    if (patterns.patterns.sum(1) > 2).any():
        return None
    paired = patterns.sums.paired
    squares = patterns.squares[patterns.patterns.sum(1) == 2].sum()
    return Share(_agreeing(patterns, tolerance) * paired, paired, squares)


def _largest_share(patterns: Patterns) -> tuple[Array, Array]:
    """Of each pattern the share of its commonest category, and whether it has two ratings."""
    rated = patterns.patterns.sum(1)
    return np.asarray(patterns.patterns.max(1, initial=0.0) / np.maximum(rated, 1)), rated >= 2


def _mean_of_items(patterns: Patterns) -> Mean:
    share, paired = _largest_share(patterns)
    counts, average = patterns.counts * paired, label_ceiling.values(patterns)
    variance = ratio((counts * (share - average) ** 2).sum(-1), counts.sum(-1))
    return Mean(average, variance, np.asarray(ratio(counts.sum(-1) ** 2, patterns.squares[paired].sum())))


@metric(
    over=Patterns,
    label="Ceiling of one rater's labels",
    direction=Direction.HIGHER,
    range=(0.0, 1.0),
    undefined="no item has two ratings",
    intervals=("worth", "bootstrap"),
    symmetric=True,
    mean=_mean_of_items,
    references=["Cover & Hart 1967 (Bayes accuracy)", "Pavlick & Kwiatkowski 2019 (raters who differ)"],
    unit="share",
)
def label_ceiling(patterns: Patterns) -> Array:
    """How often the best of all systems could be right, if the reference is what one rater said of each item.

    The share of the commonest label of an item, averaged over items with two ratings: whoever knows how raters differ
    can do no better than name it. Of two raters (1 + agreement) / 2; few raters make it too high, never too low.

    Undefined when no item has two ratings.

    >>> label_ceiling([["a", "a", "b"], ["b", "b", "b"]])
    0.8333333333333333
    """
    share, paired = _largest_share(patterns)
    counts = patterns.counts * paired
    return np.asarray(ratio(steady_product(counts, share), counts.sum(-1)))


def _paired_ratings(patterns: Patterns) -> Array:
    """How often each category is given to items with two ratings or more."""
    paired = patterns.patterns.sum(1, keepdims=True) > 1
    return np.asarray(steady_product(patterns.counts, patterns.patterns * paired))


@metric(
    over=Patterns,
    per="category",
    label="Specific agreement",
    direction=Direction.HIGHER,
    range=(0.0, 1.0),
    undefined="the category is never used",
    intervals=("wilson_of_items", "bayesian", "bootstrap"),
    quantity=Quantity.CATEGORY_AGREEMENT,
    symmetric=True,
    ratings=_paired_ratings,
    references=["Cicchetti & Feinstein 1990", "Korn & Graubard 1998 (interval)"],
    unit="share",
)
def specific_agreement(patterns: Patterns) -> Array:
    """If one rating is this category, the chance that another of the same item is too.

    Σ_i r_ik (r_ik − 1) / Σ_i r_ik (r_i − 1).

    Undefined when the category is never used on an item with two ratings.

    >>> round(specific_agreement(["a", "a", "b", "b"], ["a", "b", "b", "b"], positive="b"), 4)
    0.8
    """
    r = patterns.patterns.sum(1, keepdims=True)
    agreeing, possible = patterns.patterns * (patterns.patterns - 1), patterns.patterns * (r - 1)
    return np.asarray(ratio(*(steady_product(patterns.counts, pairs) for pairs in (agreeing, possible))))
