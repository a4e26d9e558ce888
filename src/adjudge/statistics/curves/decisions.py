"""The confusion table that a threshold makes of a curve."""

from __future__ import annotations

import numpy as np

from adjudge.data.judgements.labels import ordered_labels
from adjudge.statistics.base import Array
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curve


def decided(curve: Curve, threshold: float, positive: str, other: str) -> Confusion:
    """Reference against "score at least the threshold", over two categories.

    On a binned curve the threshold must be one of its cuts.
    """
    categories = ordered_labels({positive, other})
    first = categories.index(positive)
    order = [first, 1 - first]
    chosen = int(np.count_nonzero(curve.thresholds >= threshold))

    def table(amounts: Array) -> Array:
        taken, left = amounts[..., :chosen].sum(-1), amounts[..., chosen:].sum(-1)
        by_reference = np.stack([taken, left], axis=-1)  # (…, 2 kinds, 2 decisions)
        return by_reference[..., order, :][..., order] if first else by_reference

    return Confusion(categories, table(curve.counts), table(curve.squares), curve.rows)
