"""Agreement on sets of labels: Krippendorff's alpha with distances between sets, and label by label."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from adjudge.metrics.base import Direction, metric
from adjudge.metrics.chance_agreement import BEYOND
from adjudge.metrics.disagreements import Disagreements
from adjudge.statistics.base import Array, ratio, remainder
from adjudge.statistics.ratings.set_distance import known_distance
from adjudge.statistics.ratings.set_ratings import SetRatings

UNIT = (0.0, 1.0)
# The first is of their means alone: what draws of every label are off by is the same way in all, and adds up.
OF_LABELS = ("mover_bayesian", "bayesian", "bootstrap")


# Called on a matrix of items × raters that holds sets, or on two lists of sets.
of_sets = partial(
    metric,
    over=SetRatings,
    direction=Direction.HIGHER,
    intervals=("bayesian", "bootstrap"),
    symmetric=True,
)


def disagreements(sets: SetRatings, distance: str) -> Disagreements:
    """Observed and expected distance of two ratings; by chance, two are drawn without replacement (Krippendorff)."""
    total = sets.uses.sum(-1)
    return Disagreements(ratio(sets.coincident(distance), total), ratio(sets.expected(distance), total * (total - 1)))


@of_sets(
    label="Alpha of label sets",
    short="α",
    range=BEYOND,
    undefined="all ratings are one set, or no item has two",
    check=known_distance,
    parts=lambda sets, *, distance="masi": disagreements(sets, distance).parts,
    references=["Krippendorff 1970", "Passonneau 2006 (MASI)", "Meyer et al. 2014 (DKPro)", "Jaccard 1901"],
)
def set_alpha(sets: SetRatings, *, distance: str = "masi") -> Array:
    """Agreement of raters who give sets of labels, beyond chance: sets that share labels disagree less.

    Krippendorff's alpha over the distinct sets, with the distance masi (1 − J·M), masi_dkpro
    ((1 − J)(1 − M), the other measure of that name) or jaccard (1 − J).

    Undefined when all ratings are one set, or no item has two ratings.

    >>> rows = [[{"a"}, {"a"}], [{"a", "b"}, {"b"}], [{"b"}, {"b"}], [set(), {"a"}]]
    >>> round(set_alpha(rows), 4), round(set_alpha(rows, distance="jaccard"), 4)
    (0.4167, 0.4474)
    """
    return disagreements(sets, distance).coefficient


@of_sets(
    label="Similarity of label sets",
    range=UNIT,
    undefined="no item has two ratings",
    check=known_distance,
    references=["Passonneau 2006 (MASI)", "Meyer et al. 2014 (DKPro)", "Jaccard 1901"],
)
def set_similarity(sets: SetRatings, *, distance: str = "masi") -> Array:
    """How alike two ratings of an item are, averaged over items; not corrected for chance.

    Mean over items of the mean of 1 − distance over the item's pairs of ratings.

    Undefined when no item has two ratings.

    >>> rows = [[{"a"}, {"a"}], [{"a", "b"}, {"b"}], [{"b"}, {"b"}], [set(), {"a"}]]
    >>> set_similarity(rows, distance="jaccard")
    0.625
    """
    return np.asarray(1 - ratio(sets.apart(distance), sets.paired))


@of_sets(
    label="Same set of labels",
    range=UNIT,
    undefined="no item has two ratings",
    references=["Passonneau 2006 (all or nothing)"],
    unit="share",
)
def same_set_agreement(sets: SetRatings) -> Array:
    """Share of an item's pairs of ratings that are the very same set, averaged over items.

    Percent agreement of whole sets; one label more or less is a disagreement.

    Undefined when no item has two ratings.

    >>> same_set_agreement([[{"a"}, {"a"}], [{"a", "b"}, {"b"}], [{"b"}, {"b"}], [set(), {"a"}]])
    0.5
    """
    return np.asarray(1 - ratio(sets.apart(None), sets.paired))


@of_sets(
    per="category",
    label="Alpha of a label",
    range=BEYOND,
    intervals=OF_LABELS,
    undefined="the label is given by nobody, or by everybody to every item",
    references=["Krippendorff 1970"],
)
def label_alpha(sets: SetRatings) -> Array:
    """Agreement on one label beyond chance: alpha for "has the label or has not".

    1 − D_o / D_e of the two values, over items with two ratings or more.

    Undefined when the label is given by nobody, or by everybody to every item.

    >>> label_alpha([[{"a"}, {"a"}], [{"a", "b"}, {"b"}], [{"b"}, {"b"}], [set(), {"a"}]], positive="a")
    0.125
    """
    return one_vs_rest_alpha(sets)


@of_sets(
    label="Mean alpha of the labels",
    range=BEYOND,
    intervals=OF_LABELS,
    undefined="no label is given to some items and withheld from others",
    mean_over=label_alpha,
    references=["Krippendorff 1970", "Zou & Donner 2008 (interval)"],
)
def macro_label_alpha(sets: SetRatings) -> Array:
    """Mean over labels of alpha for "has the label or has not": every label has an equal say.

    (1/L) Σ_l α_l over the labels whose alpha is defined.

    Undefined when no label has a defined alpha.

    >>> macro_label_alpha([[{"a"}, {"a"}], [{"a", "b"}, {"b"}], [{"b"}, {"b"}], [set(), {"a"}]])
    0.5625
    """
    each = one_vs_rest_alpha(sets)
    defined = ~np.isnan(each)
    return np.asarray(ratio(np.where(defined, each, 0).sum(-1), defined.sum(-1)))


@of_sets(
    per="category",
    label="Agreement on a label",
    range=UNIT,
    intervals=OF_LABELS,
    undefined="the label is given by nobody",
    ratings=lambda sets: sets.label_sums.uses,
    references=["Cicchetti & Feinstein 1990"],
)
def label_agreement(sets: SetRatings) -> Array:
    """If one rater gives this label, the chance that another gives it to the same item; not corrected for chance.

    Σ_i g_i (g_i − 1) / Σ_i g_i (r_i − 1), where g of an item's r ratings have the label: specific agreement.

    Undefined when the label is given by nobody.

    >>> rows = [[{"a"}, {"a"}], [{"a", "b"}, {"b"}], [{"b"}, {"b"}], [set(), {"a"}]]
    >>> label_agreement(rows, positive="a"), label_agreement(rows, positive="b")
    (0.5, 1.0)
    """
    return np.asarray(ratio(sets.label_sums.both, sets.label_sums.possible))


def one_vs_rest_alpha(sets: SetRatings) -> Array:
    """Alpha of each label on its own, (…, labels)."""
    sums = sets.label_sums
    # What rounding leaves of a label that every rating has would pass for a second value.
    others = remainder(sums.ratings, sums.uses)
    chance = ratio(2 * sums.uses * others, sums.ratings * (sums.ratings - 1))
    return Disagreements(ratio(sums.differing, sums.ratings), chance).coefficient


def label_alphas(
    matrix_of_sets: object, second: object = None, *, weights: Sequence[float] | Array | None = None
) -> dict[str, float]:
    """Krippendorff's alpha of each label, taken alone: which labels raters agree on.

    >>> label_alphas([[{"a"}, {"a"}], [{"a", "b"}, {"b"}], [{"b"}, {"b"}], [set(), {"a"}]])
    {'a': 0.125, 'b': 1.0}
    """
    sets = SetRatings.of_arrays(matrix_of_sets, second, weights=weights)
    return dict(zip(sets.categories, one_vs_rest_alpha(sets).tolist(), strict=True))
