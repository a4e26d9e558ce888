"""Many tests at once: p-values adjusted so that one false alarm among them is as rare as in a single test."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from adjudge.statistics.base import Array


def holm(p_values: Sequence[float] | Array) -> Array:
    """Holm's adjusted p-values: reject those below α and the chance of any false alarm is at most α.

    Undefined ones stay undefined and are not counted.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=np.float64)
    known: NDArray[np.int64] = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    steps = np.arange(len(order), 0, -1)
    adjusted = np.full(len(p), np.nan)
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * steps), 1.0) if len(order) else p[order]
    return adjusted
