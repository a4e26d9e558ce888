"""How far two sets of labels are apart."""

from __future__ import annotations

import numpy as np

from adjudge.data.judgements.label_sets import members
from adjudge.errors import check_choice
from adjudge.statistics.base import Array

DISTANCES = ("masi", "masi_dkpro", "jaccard")


def known_distance(*, distance: str = "masi") -> None:
    """Refuse a distance that has no definition."""
    check_choice("distance", distance, DISTANCES)


def set_distance(sets: tuple[str, ...], distance: str = "masi") -> Array:
    """The distance of every two sets, 0 when they are equal: two empty sets are equal.

    J is the share of labels in common; M is 1 for equal sets, 2/3 when one holds the other, 1/3 when they
    only overlap, 0 when nothing is common. masi is 1 − J·M, masi_dkpro (1 − J)(1 − M), jaccard 1 − J.

    >>> set_distance(("{a}", "{a, b}"), "masi")[0, 1].round(4), set_distance(("{a}", "{a, b}"), "masi_dkpro")[0, 1]
    (np.float64(0.6667), np.float64(0.16666666666666669))
    """
    known_distance(distance=distance)
    _, held = members(sets)
    common, size = held @ held.T, held.sum(1)
    union = size[:, None] + size - common
    share = np.where(union == 0, 1.0, common / np.maximum(union, 1))
    if distance == "jaccard":
        return np.asarray(1 - share)
    contained = common == np.minimum(size[:, None], size)
    alike = np.select([common == union, contained, common > 0], [1.0, 2 / 3, 1 / 3], 0.0)
    return np.asarray(1 - share * alike if distance == "masi" else (1 - share) * (1 - alike))
