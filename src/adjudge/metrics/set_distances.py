"""Agreement on sets of labels: Krippendorff's alpha with distances between sets, and label by label."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np

from adjudge.data.columns import checked_weights
from adjudge.data.label_sets import members, set_ratings_of
from adjudge.errors import SettingError, listed, quoted
from adjudge.metrics import chance_agreement  # the metric itself would be listed in this chapter too
from adjudge.metrics.base import Direction, Metric, metric
from adjudge.metrics.chance_agreement import BEYOND
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.patterns import Patterns
from adjudge.statistics.weights import Weights

DISTANCES = ("masi", "masi_dkpro", "jaccard")


class SetMetric(Metric):
    """A metric of sets of labels: called on a matrix of items × raters that holds sets, or on two lists of sets."""

    def __call__(
        self,
        reference: Any,
        prediction: Any = None,
        *,
        weights: Any = None,
        positive: Any = None,
        categories: Any = None,
        **parameters: Any,
    ) -> float:
        """The metric as a float; `weights` holds one number for each item."""
        chosen = self.using(**parameters) if parameters else self
        return float(chosen.values(patterns_of_sets(reference, prediction, weights)))


def patterns_of_sets(first: Any, second: Any = None, weights: Any = None) -> Patterns:
    """Which sets each item was given, and how many items are alike."""
    ratings = set_ratings_of(first, second)
    return Patterns.collect(ratings, Weights(len(ratings), checked_weights(weights, len(ratings))))


def set_distance(categories: tuple[str, ...], distance: str = "masi") -> Array:
    """The distance of every two sets, 0 when they are equal: two empty sets are equal.

    J is the share of labels in common; M is 1 for equal sets, 2/3 when one holds the other, 1/3 when they
    only overlap, 0 when nothing is common. masi is 1 − J·M, masi_dkpro (1 − J)(1 − M), jaccard 1 − J.

    >>> set_distance(("{a}", "{a, b}"), "masi")[0, 1].round(4), set_distance(("{a}", "{a, b}"), "masi_dkpro")[0, 1]
    (np.float64(0.6667), np.float64(0.16666666666666669))
    """
    _known_distance(distance=distance)
    _, held = members(categories)
    common, size = held @ held.T, held.sum(1)
    union = size[:, None] + size - common
    share = np.where(union == 0, 1.0, common / np.maximum(union, 1))
    contained = common == np.minimum(size[:, None], size)
    alike = np.select([common == union, contained, common > 0], [1.0, 2 / 3, 1 / 3], 0.0)
    if distance == "jaccard":
        return np.asarray(1 - share)
    return np.asarray(1 - share * alike if distance == "masi" else (1 - share) * (1 - alike))


def _known_distance(*, distance: str = "masi") -> None:
    if distance not in DISTANCES:
        raise SettingError(f"`distance` must be one of {listed(DISTANCES)}, not {quoted(distance)}.")


def set_metric(**declaration: Any) -> Callable[[Callable[..., Array]], SetMetric]:
    """Declare a formula as a metric of sets of labels."""

    def declare(formula: Callable[..., Array]) -> SetMetric:
        settled = {"direction": Direction.HIGHER, "range": BEYOND, "best": 1.0, "intervals": ("bayesian", "bootstrap")}
        plain = metric(over=Patterns, **settled, **declaration)(formula)
        made = SetMetric(**{field.name: getattr(plain, field.name) for field in fields(plain)})
        object.__setattr__(made, "__doc__", formula.__doc__)
        return made

    return declare


@set_metric(
    label="Alpha of label sets",
    undefined="all ratings are one set",
    check=_known_distance,
    references=["Krippendorff 1970", "Passonneau 2006 (MASI)", "Meyer et al. 2014 (DKPro)", "Jaccard 1901"],
)
def set_alpha(patterns: Patterns, *, distance: str = "masi") -> Array:
    """Agreement of raters who give sets of labels, beyond chance: sets that share labels disagree less.

    Krippendorff's alpha over the distinct sets, with the distance masi (1 − J·M), masi_dkpro
    ((1 − J)(1 − M), the other measure of that name) or jaccard (1 − J).

    Undefined when all ratings are one set, or no item has two ratings.

    >>> rows = [[{"a"}, {"a"}], [{"a", "b"}, {"b"}], [{"b"}, {"b"}], [set(), {"a"}]]
    >>> round(set_alpha(rows), 4), round(set_alpha(rows, distance="jaccard"), 4)
    (0.4167, 0.4474)
    """
    if not patterns.categories:
        return np.full(patterns.counts.shape[:-1], np.nan)
    return np.asarray(
        chance_agreement.krippendorff_alpha.formula(patterns, level=set_distance(patterns.categories, distance))
    )


@set_metric(
    label="Mean alpha of the labels",
    undefined="no label is given to some items and withheld from others",
    references=["Krippendorff 1970"],
)
def macro_label_alpha(patterns: Patterns) -> Array:
    """Mean over labels of alpha for "has the label or has not": every label has an equal say.

    (1/L) Σ_l α_l over the labels whose alpha is defined.

    Undefined when no label has a defined alpha.

    >>> macro_label_alpha([[{"a"}, {"a"}], [{"a", "b"}, {"b"}], [{"b"}, {"b"}], [set(), {"a"}]])
    0.5625
    """
    each = one_vs_rest_alpha(patterns)
    defined = ~np.isnan(each)
    return np.asarray(ratio(np.where(defined, each, 0).sum(-1), defined.sum(-1)))


def one_vs_rest_alpha(patterns: Patterns) -> Array:
    """Alpha of each label on its own, (…, labels)."""
    labels, held = members(patterns.categories)
    alphas = []
    for place in range(len(labels)):
        two = np.stack([1 - held[:, place], held[:, place]], axis=1)
        part = replace(patterns, categories=("without", "with"), patterns=patterns.patterns @ two)
        alphas.append(chance_agreement.krippendorff_alpha.formula(part, level="nominal"))
    return np.stack(alphas, axis=-1) if alphas else np.zeros((*patterns.counts.shape[:-1], 0))


def label_alphas(matrix_of_sets: Any, second: Any = None, *, weights: Any = None) -> dict[str, float]:
    """Krippendorff's alpha of each label, taken alone: which labels raters agree on.

    >>> label_alphas([[{"a"}, {"a"}], [{"a", "b"}, {"b"}], [{"b"}, {"b"}], [set(), {"a"}]])
    {'a': 0.125, 'b': 1.0}
    """
    patterns = patterns_of_sets(matrix_of_sets, second, weights)
    labels, _ = members(patterns.categories)
    return dict(zip(labels, one_vs_rest_alpha(patterns).tolist(), strict=True))
