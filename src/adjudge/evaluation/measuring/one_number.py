"""What a row of the table is about: a metric, and of a metric by category the category."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.metrics.base import Direction, Metric
from adjudge.statistics.base import Array


@dataclass(frozen=True, slots=True)
class OneNumber:
    """One number of a system: a metric, and the category it is about."""

    metric: Metric
    category: str = ""
    place: int | None = None  # of the category; None: the metric is one number for all

    def of(self, values: Array) -> Array:
        """This number, of the metric's values, whose last axis is categories where it has some."""
        return values if self.place is None else np.asarray(values[..., self.place])

    @property
    def sign(self) -> float:
        """1 where more is better, −1 where less is."""
        return -1.0 if self.metric.direction is Direction.LOWER else 1.0


def each_number(metric: Metric, categories: Sequence[str], positive: str | None) -> list[OneNumber]:
    """What is told of a metric: itself, or one number for each category, and of two categories the positive one alone.

    >>> from adjudge.metrics import accuracy, recall
    >>> told = [*each_number(recall, ("no", "yes"), "yes"), *each_number(accuracy, ("no", "yes"), None)]
    >>> [number.category for number in told]
    ['yes', '']
    """
    if not metric.by_category:
        return [OneNumber(metric)]
    only = positive if len(categories) == 2 and positive in categories else None
    return [OneNumber(metric, name, place) for place, name in enumerate(categories) if only in (None, name)]
