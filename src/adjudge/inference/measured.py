"""A number with its limits, the plain result of a diagnosis."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from adjudge.inference.closed_form import wilson
from adjudge.inference.resampling import percentile
from adjudge.metrics.base import Share
from adjudge.statistics.base import Array

TOO_FEW = "fewer than two items have two ratings"


@dataclass(frozen=True, slots=True)
class Measured:
    """A value, its limits and the items behind it. What is undefined is NaN, and `note` says why."""

    value: float
    low: float
    high: float
    n: int
    note: str = ""

    @property
    def known(self) -> bool:
        """Whether there is a value."""
        return not math.isnan(self.value)


def unknown(n: int, note: str) -> Measured:
    """No value.

    >>> unknown(0, "no item was rated by both").known
    False
    """
    return Measured(float("nan"), float("nan"), float("nan"), n, note)


def from_draws(value: float, draws: Array, level: float, n: int, undefined: str = "") -> Measured:
    """A value with the middle part of its draws; without limits when fewer than two items are behind it.

    >>> from_draws(0.5, np.array([0.25, 0.5, 0.75]), 0.5, 10)
    Measured(value=0.5, low=0.375, high=0.625, n=10, note='')
    """
    if math.isnan(value):
        return unknown(n, undefined or "undefined")
    if n < 2:
        return Measured(value, float("nan"), float("nan"), n, TOO_FEW)
    bounds = percentile("bayesian", draws, level)
    return Measured(value, float(bounds.low), float(bounds.high), n, bounds.note())


def share_of(part: float, whole: float, level: float, undefined: str = "no items") -> Measured:
    """A share of items with Wilson's interval.

    >>> share_of(0, 0, 0.95).note
    'no items'
    """
    if whole <= 0:
        return unknown(0, undefined)
    size = np.asarray(float(whole))
    low, high = wilson(Share(np.asarray(float(part)), size, size), level)
    return Measured(part / whole, float(low), float(high), round(whole))
