"""Agreement beyond chance, of two raters or many: formulas over the confusion table and over patterns of ratings.

Every coefficient is (observed − expected) / (1 − expected) agreement, or one minus the ratio of disagreements.
They differ in what they expect by chance.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adjudge.errors import SettingError
from adjudge.metrics.base import Direction, Share, metric
from adjudge.metrics.weightings import LEVELS, disagreement, known_level, known_weighting
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.patterns import Patterns

BEYOND = (-1.0, 1.0)
ONE_CATEGORY = "no variation: a single category is used"


def beyond_chance(observed: Array, expected: Array) -> Array:
    """(observed − expected) / (1 − expected), undefined when nothing but agreement could be expected."""
    room = 1 - expected
    return np.asarray(ratio(observed - expected, np.where(np.abs(room) < 1e-12, 0.0, room)))


def observed_agreement(patterns: Patterns, weighting: Any) -> Array:
    """Mean over items of the weighted share of agreeing pairs."""
    d = disagreement(patterns.categories, weighting)
    sums = patterns.sums
    return np.asarray(1 - ratio((d * sums.pairs).sum((-2, -1)), sums.paired))


def _shares(patterns: Patterns) -> Array:
    """Share of each category, every item counting the same."""
    sums = patterns.sums
    return np.asarray(ratio(sums.shares, sums.items[..., None]))


def _weighting(*, weighting: Any = "none") -> None:
    known_weighting(weighting)


@metric(
    over=Confusion,
    label="Cohen's kappa",
    direction=Direction.HIGHER,
    range=BEYOND,
    best=1.0,
    undefined="both use a single common category",
    intervals=("bayesian", "fleiss_cohen_everitt", "bootstrap"),
    symmetric=True,
    baseline=lambda table: np.zeros_like(table.total),
    check=_weighting,
    references=["Cohen 1960", "Cohen 1968", "Fleiss, Cohen & Everitt 1969 (interval)"],
)
def cohen_kappa(table: Confusion, *, weighting: Any = "none") -> Array:
    """Agreement beyond what the two sides' habits would give by chance.

    1 − Σ d·observed / Σ d·expected, where d is the disagreement of two categories: 0 or 1, or growing
    with their distance.

    Undefined when both sides use a single common category.

    >>> cohen_kappa(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    0.5
    """
    d = disagreement(table.categories, weighting)
    return np.asarray(1 - ratio((d * table.counts).sum((-2, -1)), (d * table.expected).sum((-2, -1))))


@metric(
    over=Confusion,
    label="Largest possible kappa",
    direction=Direction.HIGHER,
    range=(0.0, 1.0),
    best=1.0,
    undefined="both use a single common category",
    intervals=("bayesian", "bootstrap"),
    symmetric=True,
    references=["Cohen 1960"],
)
def kappa_max(table: Confusion) -> Array:
    """The kappa that the two sides could reach at best, given how often each uses each category.

    (Σ_k min(p_k+, p_+k) − p_e) / (1 − p_e). What is missing to 1 is a difference of habits, not of judgement.

    Undefined when both sides use a single common category.

    >>> round(kappa_max(["a", "a", "b", "b"], ["a", "b", "b", "b"]), 4)
    0.5
    """
    rows, columns = (
        ratio(table.reference_total, table.total[..., None]),
        ratio(table.prediction_total, table.total[..., None]),
    )
    return beyond_chance(np.minimum(rows, columns).sum(-1), (rows * columns).sum(-1))


@metric(
    over=Patterns,
    label="Percent agreement",
    direction=Direction.HIGHER,
    range=(0.0, 1.0),
    best=1.0,
    undefined="no item has two ratings",
    intervals=("bayesian", "wilson", "gwet", "bootstrap"),
    share=lambda patterns, *, tolerance=0.0: _agreeing_items(patterns, tolerance=tolerance),
    check=lambda *, tolerance=0.0: _not_negative(tolerance),
    references=["Wilson 1927 (interval, two raters)"],
)
def percent_agreement(patterns: Patterns, *, tolerance: float = 0.0) -> Array:
    """Share of an item's pairs of ratings that agree, averaged over items; not corrected for chance.

    Pairs agree when their values differ by at most the tolerance: 0 is exact, 1 is exact or adjacent.

    Undefined when no item has two ratings.

    >>> percent_agreement([1, 2, 3, 4], [1, 2, 4, 2])
    0.5
    """
    return observed_agreement(patterns, _beyond_tolerance(patterns, tolerance))


def _not_negative(tolerance: float) -> None:
    if not tolerance >= 0:
        raise SettingError(f"`tolerance` must be a number of at least 0, not {tolerance!r}.")


def _beyond_tolerance(patterns: Patterns, tolerance: float) -> Any:
    from adjudge.data.ratings import category_values

    if tolerance == 0:
        return "none"
    x = category_values(patterns.categories)
    return (np.abs(x[:, None] - x) > tolerance + 1e-9).astype(np.float64)


def _agreeing_items(patterns: Patterns, **settings: Any) -> Share | None:
    """With two ratings an item agrees or does not: a share of items."""
    if (patterns.patterns.sum(1) > 2).any():
        return None
    paired = patterns.sums.paired
    squares = patterns.squares[patterns.patterns.sum(1) == 2].sum()
    return Share(percent_agreement.formula(patterns, **settings) * paired, paired, squares)


@metric(
    over=Patterns,
    label="Fleiss' kappa",
    direction=Direction.HIGHER,
    range=BEYOND,
    best=1.0,
    undefined=ONE_CATEGORY,
    intervals=("bayesian", "gwet", "fisher", "bootstrap"),
    check=_weighting,
    references=["Fleiss 1971", "Gwet 2014 (missing ratings, interval)"],
)
def fleiss_kappa(patterns: Patterns, *, weighting: Any = "none") -> Array:
    """Agreement of many raters beyond what the common use of categories would give by chance.

    p_e = Σ_kl w_kl π_k π_l, where π_k is the share of category k, every item counting the same.

    Undefined when a single category is used, or no item has two ratings.

    >>> round(fleiss_kappa([["a", "a", "a"], ["b", "b", "a"], ["b", "b", "b"]]), 4)
    0.55
    """
    d, shares = disagreement(patterns.categories, weighting), _shares(patterns)
    expected = 1 - (d * shares[..., :, None] * shares[..., None, :]).sum((-2, -1))
    return beyond_chance(observed_agreement(patterns, weighting), expected)


@metric(
    over=Patterns,
    label="Scott's pi",
    direction=Direction.HIGHER,
    range=BEYOND,
    best=1.0,
    undefined=ONE_CATEGORY,
    intervals=("bayesian", "gwet", "fisher", "bootstrap"),
    check=_weighting,
    references=["Scott 1955"],
)
def scott_pi(patterns: Patterns, *, weighting: Any = "none") -> Array:
    """Agreement of two raters beyond what their common use of categories would give by chance.

    p_e = Σ_k ((p_k+ + p_+k) / 2)²; the case of two raters of Fleiss' kappa.

    Undefined when a single category is used.

    >>> round(scott_pi(["a", "a", "b", "b"], ["a", "b", "b", "b"]), 4)
    0.4667
    """
    return np.asarray(fleiss_kappa.formula(patterns, weighting=weighting))


@metric(
    over=Patterns,
    label="Brennan–Prediger (Randolph's kappa)",
    direction=Direction.HIGHER,
    range=BEYOND,
    best=1.0,
    undefined="the scale has a single category",
    intervals=("bayesian", "gwet", "fisher", "bootstrap"),
    check=_weighting,
    references=["Brennan & Prediger 1981", "Randolph 2005"],
)
def randolph_kappa(patterns: Patterns, *, weighting: Any = "none") -> Array:
    """Agreement beyond what raters who use all categories equally would give by chance.

    p_e = Σ_kl w_kl / q², q being the number of declared categories, used or not.

    Undefined when the scale has a single category.

    >>> randolph_kappa([["a", "a", "a"], ["b", "b", "a"], ["b", "b", "b"]]) > 0.5
    True
    """
    size = len(patterns.categories)
    d = disagreement(patterns.categories, weighting)
    expected = 1 - d.sum() / size**2 if size > 1 else 1.0
    return beyond_chance(observed_agreement(patterns, weighting), np.asarray(expected))


@metric(
    over=Patterns,
    label="Bennett's S",
    direction=Direction.HIGHER,
    range=BEYOND,
    best=1.0,
    undefined="the scale has a single category",
    intervals=("bayesian", "gwet", "fisher", "bootstrap"),
    check=_weighting,
    references=["Bennett, Alpert & Goldstein 1954"],
)
def bennett_s(patterns: Patterns, *, weighting: Any = "none") -> Array:
    """Agreement of two raters beyond an even use of all declared categories.

    (p_o − 1/q) / (1 − 1/q); the case of two raters of Brennan–Prediger.

    Undefined when the scale has a single category.

    >>> bennett_s(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    0.5
    """
    return np.asarray(randolph_kappa.formula(patterns, weighting=weighting))


@metric(
    over=Patterns,
    label="PABAK",
    direction=Direction.HIGHER,
    range=BEYOND,
    best=1.0,
    undefined="the scale has a single category",
    intervals=("bayesian", "gwet", "fisher", "bootstrap"),
    references=["Byrt, Bishop & Carlin 1993"],
)
def pabak(patterns: Patterns) -> Array:
    """Kappa adjusted for prevalence and bias: 2 p_o − 1 for two categories.

    (q p_o − 1) / (q − 1), which is Bennett's S.

    Undefined when the scale has a single category.

    >>> pabak(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    0.5
    """
    return np.asarray(randolph_kappa.formula(patterns))


@metric(
    over=Patterns,
    label="Gwet's AC1",
    direction=Direction.HIGHER,
    range=BEYOND,
    best=1.0,
    undefined="the scale has a single category",
    intervals=("bayesian", "gwet", "fisher", "bootstrap"),
    references=["Gwet 2008"],
)
def gwet_ac1(patterns: Patterns) -> Array:
    """Agreement beyond chance where chance is guessing on the items that are hard to rate.

    p_e = Σ_k π_k (1 − π_k) / (q − 1); it stays high when nearly all ratings are of one category.

    Undefined when the scale has a single category.

    >>> round(gwet_ac1(["a", "a", "b", "b"], ["a", "b", "b", "b"]), 4)
    0.5294
    """
    return np.asarray(gwet_ac2.formula(patterns, weighting="none"))


@metric(
    over=Patterns,
    label="Gwet's AC2",
    direction=Direction.HIGHER,
    range=BEYOND,
    best=1.0,
    undefined="the scale has a single category",
    intervals=("bayesian", "gwet", "fisher", "bootstrap"),
    check=lambda *, weighting="quadratic": known_weighting(weighting),
    references=["Gwet 2008", "Gwet 2014"],
)
def gwet_ac2(patterns: Patterns, *, weighting: Any = "quadratic") -> Array:
    """AC1 for ordered categories: near misses count as partial agreement.

    p_e = Σ_kl w_kl / (q (q − 1)) · Σ_k π_k (1 − π_k).

    Undefined when the scale has a single category.

    >>> round(gwet_ac2([1, 2, 3, 3], [1, 2, 3, 2]), 4)
    0.8182
    """
    size, shares = len(patterns.categories), _shares(patterns)
    total = size**2 - disagreement(patterns.categories, weighting).sum()
    spread = (shares * (1 - shares)).sum(-1)
    expected = total / (size * (size - 1)) * spread if size > 1 else np.ones_like(spread)
    return beyond_chance(observed_agreement(patterns, weighting), expected)


@metric(
    over=Patterns,
    label="Krippendorff's alpha",
    direction=Direction.HIGHER,
    range=BEYOND,
    best=1.0,
    undefined=ONE_CATEGORY,
    intervals=("bayesian", "gwet", "fisher", "bootstrap"),
    check=lambda *, level="nominal": known_level(level),
    references=["Krippendorff 1970", "Krippendorff 2011"],
)
def krippendorff_alpha(patterns: Patterns, *, level: Any = "nominal") -> Array:
    """Agreement of any number of raters beyond chance, at any level of measurement.

    1 − D_o / D_e over the coincidences of ratings; the disagreement of two values follows from the level:
    0 or 1, squared difference, of mid-ranks (ordinal), relative (ratio).

    Undefined when a single category is used, or no item has two ratings.

    >>> round(krippendorff_alpha([[1, 1, None], [2, 2, 3], [3, 3, 3], [1, None, None]]), 4)
    0.65
    """
    o = patterns.sums.coincidences
    used = o.sum(-1)
    total = used.sum(-1)
    d = _squared_steps(patterns.categories, level, used)
    observed = (d * o).sum((-2, -1))
    expected = (d * used[..., :, None] * used[..., None, :]).sum((-2, -1))
    return np.asarray(1 - ratio((total - 1) * observed, expected))


def _squared_steps(categories: tuple[str, ...], level: Any, used: Array) -> Array:
    """The disagreement of two values at a level of measurement, (q, q) or with the leading axes of `used`."""
    if isinstance(level, str) and level == "ordinal":
        middle = np.cumsum(used, axis=-1) - used / 2
        return (middle[..., :, None] - middle[..., None, :]) ** 2
    if callable(level):
        return np.array(
            [[float(level(a, b)) for b in _numbers_or_labels(categories)] for a in _numbers_or_labels(categories)]
        )
    if isinstance(level, str) and level == "ratio":
        return _relative_steps(categories)
    return disagreement(categories, LEVELS[level] if isinstance(level, str) else level)


def _relative_steps(categories: tuple[str, ...]) -> Array:
    from adjudge.data.ratings import category_values

    x = category_values(categories)
    return np.asarray(np.nan_to_num(ratio(x[:, None] - x, x[:, None] + x)) ** 2)


def _numbers_or_labels(categories: tuple[str, ...]) -> list[Any]:
    from adjudge.data.labels import number_in

    numbers = [number_in(category) for category in categories]
    return list(categories) if None in numbers else numbers


@metric(
    over=Patterns,
    per="category",
    label="Specific agreement",
    direction=Direction.HIGHER,
    range=(0.0, 1.0),
    best=1.0,
    undefined="the category is never used",
    intervals=("bayesian", "bootstrap"),
    references=["Cicchetti & Feinstein 1990"],
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
    return np.asarray(ratio(patterns.counts @ agreeing, patterns.counts @ possible))


@metric(
    over=Patterns,
    per="category",
    label="Kappa of a category",
    direction=Direction.HIGHER,
    range=BEYOND,
    best=1.0,
    undefined="the category is never or always used",
    intervals=("bayesian", "bootstrap"),
    references=["Fleiss 1971"],
)
def category_kappa(patterns: Patterns) -> Array:
    """Fleiss' kappa of one category against all others: do raters tell it apart.

    1 − (disagreeing pairs of "it" and "not it") / (those expected from its share).

    Undefined when the category is never or always used.

    >>> round(category_kappa([["a", "a"], ["a", "b"], ["b", "b"], ["c", "c"]], positive="c"), 4)
    1.0
    """
    sums = patterns.sums
    own = np.diagonal(sums.pairs, axis1=-2, axis2=-1)
    split = ratio(2 * (sums.pairs.sum(-1) - own), sums.paired[..., None])
    share = _shares(patterns)
    return np.asarray(1 - ratio(split, 2 * share * (1 - share)))
