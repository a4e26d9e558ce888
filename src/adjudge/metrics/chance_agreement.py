"""Agreement beyond chance, of two raters or many: formulas over the confusion table and over patterns of ratings.

Every coefficient is (observed − expected) / (1 − expected) agreement, or one minus the ratio of disagreements.
They differ in what they expect by chance.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from adjudge.metrics import plain_agreement
from adjudge.metrics.base import Direction, metric
from adjudge.metrics.disagreements import (
    by_common_habits,
    by_even_use,
    by_hard_items,
    of_coincidences,
    of_table,
    shares_of_categories,
)
from adjudge.metrics.intervals import Quantity
from adjudge.metrics.weightings import Measurement, Weighting, known_measurement, known_weighting
from adjudge.statistics.base import Array, ratio, remainder
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.ratings.patterns import Patterns

BEYOND = (-1.0, 1.0)
# Near misses, or items rated once, can leave less expected than observed disagreement by any factor.
ANY_BELOW = (-np.inf, 1.0)
ONE_CATEGORY = "no variation: a single category is used; or no item has two ratings"
ONE_DECLARED = "the scale has a single category, or no item has two ratings"

# Of any number of raters, whoever they are.
coefficient = partial(
    metric,
    over=Patterns,
    direction=Direction.HIGHER,
    range=ANY_BELOW,
    intervals=("bayesian", "gwet", "fisher", "bootstrap"),
    symmetric=True,
)

# Not corrected for chance, in the same chapter.
percent_agreement, specific_agreement = plain_agreement.percent_agreement, plain_agreement.specific_agreement
label_ceiling = plain_agreement.label_ceiling


def beyond_chance(observed: Array, expected: Array) -> Array:
    """(observed − expected) / (1 − expected), undefined when nothing but agreement could be expected."""
    return np.asarray(ratio(observed - expected, remainder(1.0, expected)))


@metric(
    over=Confusion,
    label="Cohen's kappa",
    direction=Direction.HIGHER,
    range=BEYOND,
    undefined="both use a single common category, or no item was rated by both",
    intervals=("bayesian", "fleiss_cohen_everitt", "gof", "bootstrap"),
    quantity=Quantity.COHEN_KAPPA,
    symmetric=True,
    baseline=lambda table: np.zeros_like(table.total),
    check=known_weighting,
    reading={"drops_missing": True},
    rounded_only=True,
    parts=lambda table, *, weighting="none": of_table(table, weighting).parts,
    references=[
        "Cohen 1960",
        "Cohen 1968",
        "Fleiss, Cohen & Everitt 1969 (interval)",
        "Donner & Eliasziw 1992 (interval, two categories)",
    ],
)
def cohen_kappa(table: Confusion, *, weighting: Weighting = "none") -> Array:
    """Agreement beyond what the two sides' habits would give by chance.

    1 − Σ d·observed / Σ d·expected, where d is the disagreement of two categories: 0 or 1, or growing
    with their distance.

    Undefined when both sides use a single common category.

    >>> cohen_kappa(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    0.5
    """
    return of_table(table, weighting).coefficient


def _largest(table: Confusion) -> dict[str, Array]:
    """The largest agreement that the margins allow, and the expected one."""
    rows, columns = (ratio(total, table.total[..., None]) for total in (table.reference_total, table.prediction_total))
    return {"observed": np.minimum(rows, columns).sum(-1), "expected": (rows * columns).sum(-1)}


@metric(
    over=Confusion,
    label="Largest possible kappa",
    direction=Direction.HIGHER,
    range=(0.0, 1.0),
    undefined="both use a single common category, or no item was rated by both",
    intervals=("scheffe", "scheffe_drawn", "bayesian", "bootstrap"),
    quantity=Quantity.LARGEST_KAPPA,
    symmetric=True,
    reading={"drops_missing": True},
    rounded_only=True,
    parts=_largest,
    references=["Cohen 1960", "Scheffé 1953, Stuart 1955 (interval)"],
)
def kappa_max(table: Confusion) -> Array:
    """The kappa that the two sides could reach at best, given how often each uses each category.

    (Σ_k min(p_k+, p_+k) − p_e) / (1 − p_e). What is missing to 1 is a difference of habits, not of judgement.

    Undefined when both sides use a single common category.

    >>> round(kappa_max(["a", "a", "b", "b"], ["a", "b", "b", "b"]), 4)
    0.5
    """
    return beyond_chance(**_largest(table))


@coefficient(
    label="Fleiss' kappa",
    quantity=Quantity.COMMON_HABITS,
    undefined=ONE_CATEGORY,
    check=known_weighting,
    parts=lambda patterns, *, weighting="none": by_common_habits(patterns, weighting).parts,
    references=["Fleiss 1971", "Gwet 2014 (missing ratings, interval)"],
)
def fleiss_kappa(patterns: Patterns, *, weighting: Weighting = "none") -> Array:
    """Agreement of many raters beyond what the common use of categories would give by chance.

    p_e = Σ_kl w_kl π_k π_l, where π_k is the share of category k, every item counting the same.

    Undefined when a single category is used, or no item has two ratings.

    >>> round(fleiss_kappa([["a", "a", "a"], ["b", "b", "a"], ["b", "b", "b"]]), 4)
    0.55
    """
    return by_common_habits(patterns, weighting).coefficient


@coefficient(
    label="Scott's pi",
    quantity=Quantity.COMMON_HABITS,
    undefined=ONE_CATEGORY,
    intervals=("bayesian", "gwet", "fisher", "gof", "bootstrap"),
    check=known_weighting,
    parts=lambda patterns, *, weighting="none": by_common_habits(patterns, weighting).parts,
    references=["Scott 1955", "Donner & Eliasziw 1992 (interval, two categories)"],
)
def scott_pi(patterns: Patterns, *, weighting: Weighting = "none") -> Array:
    """Agreement of two raters beyond what their common use of categories would give by chance.

    p_e = Σ_k ((p_k+ + p_+k) / 2)²; the case of two raters of Fleiss' kappa.

    Undefined when a single category is used.

    >>> round(scott_pi(["a", "a", "b", "b"], ["a", "b", "b", "b"]), 4)
    0.4667
    """
    return by_common_habits(patterns, weighting).coefficient


@coefficient(
    label="Brennan–Prediger (Randolph's kappa)",
    quantity=Quantity.EVEN_USE,
    undefined=ONE_DECLARED,
    check=known_weighting,
    parts=lambda patterns, *, weighting="none": by_even_use(patterns, weighting).parts,
    references=["Brennan & Prediger 1981", "Randolph 2005"],
)
def randolph_kappa(patterns: Patterns, *, weighting: Weighting = "none") -> Array:
    """Agreement beyond what raters who use all categories equally would give by chance.

    p_e = Σ_kl w_kl / q², q being the number of declared categories, used or not.

    Undefined when the scale has a single category.

    >>> randolph_kappa([["a", "a", "a"], ["b", "b", "a"], ["b", "b", "b"]]) > 0.5
    True
    """
    return by_even_use(patterns, weighting).coefficient


@coefficient(
    label="Bennett's S",
    quantity=Quantity.EVEN_USE,
    undefined=ONE_DECLARED,
    check=known_weighting,
    parts=lambda patterns, *, weighting="none": by_even_use(patterns, weighting).parts,
    references=["Bennett, Alpert & Goldstein 1954"],
)
def bennett_s(patterns: Patterns, *, weighting: Weighting = "none") -> Array:
    """Agreement of two raters beyond an even use of all declared categories.

    (p_o − 1/q) / (1 − 1/q); the case of two raters of Brennan–Prediger.

    Undefined when the scale has a single category.

    >>> bennett_s(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    0.5
    """
    return by_even_use(patterns, weighting).coefficient


@coefficient(
    label="PABAK",
    quantity=Quantity.EVEN_USE,
    range=BEYOND,
    undefined=ONE_DECLARED,
    parts=lambda patterns: by_even_use(patterns, "none").parts,
    references=["Byrt, Bishop & Carlin 1993"],
)
def pabak(patterns: Patterns) -> Array:
    """Kappa adjusted for prevalence and bias: 2 p_o − 1 for two categories.

    (q p_o − 1) / (q − 1), which is Bennett's S.

    Undefined when the scale has a single category.

    >>> pabak(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    0.5
    """
    return by_even_use(patterns, "none").coefficient


@coefficient(
    label="Gwet's AC1",
    quantity=Quantity.HARD_ITEMS,
    range=BEYOND,
    undefined=ONE_DECLARED,
    parts=lambda patterns: by_hard_items(patterns, "none").parts,
    references=["Gwet 2008"],
)
def gwet_ac1(patterns: Patterns) -> Array:
    """Agreement beyond chance where chance is guessing on the items that are hard to rate.

    p_e = Σ_k π_k (1 − π_k) / (q − 1); it stays high when nearly all ratings are of one category.

    Undefined when the scale has a single category.

    >>> round(gwet_ac1(["a", "a", "b", "b"], ["a", "b", "b", "b"]), 4)
    0.5294
    """
    return by_hard_items(patterns, "none").coefficient


@coefficient(
    label="Gwet's AC2",
    quantity=Quantity.HARD_ITEMS,
    undefined=ONE_DECLARED,
    check=known_weighting,
    parts=lambda patterns, *, weighting="quadratic": by_hard_items(patterns, weighting).parts,
    references=["Gwet 2008", "Gwet 2014"],
)
def gwet_ac2(patterns: Patterns, *, weighting: Weighting = "quadratic") -> Array:
    """AC1 for ordered categories: near misses count as partial agreement.

    p_e = Σ_kl w_kl / (q (q − 1)) · Σ_k π_k (1 − π_k).

    Undefined when the scale has a single category.

    >>> round(gwet_ac2([1, 2, 3, 3], [1, 2, 3, 2]), 4)
    0.8182
    """
    return by_hard_items(patterns, weighting).coefficient


@coefficient(
    label="Krippendorff's alpha",
    short="α",
    quantity=Quantity.COINCIDENCES,
    range=BEYOND,
    undefined=ONE_CATEGORY,
    check=known_measurement,
    parts=lambda patterns, *, measurement="nominal": of_coincidences(patterns, measurement).parts,
    references=["Krippendorff 1970", "Krippendorff 2011"],
)
def krippendorff_alpha(patterns: Patterns, *, measurement: Measurement = "nominal") -> Array:
    """Agreement of any number of raters beyond chance, at any level of measurement.

    1 − D_o / D_e over the coincidences of ratings; the disagreement of two values follows from `measurement`:
    0 or 1, squared difference, of mid-ranks (ordinal), relative (ratio).

    Undefined when a single category is used, or no item has two ratings.

    >>> round(krippendorff_alpha([[1, 1, None], [2, 2, 3], [3, 3, 3], [1, None, None]]), 4)
    0.65
    """
    return of_coincidences(patterns, measurement).coefficient


@coefficient(
    per="category",
    label="Kappa of a category",
    undefined="the category is never or always used",
    intervals=("wilson_of_items", "bayesian", "bootstrap"),
    quantity=Quantity.CATEGORY_KAPPA,
    references=["Fleiss 1971", "Korn & Graubard 1998 (interval)"],
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
    share = shares_of_categories(patterns)
    return np.asarray(1 - ratio(split, 2 * share * remainder(1.0, share)))
