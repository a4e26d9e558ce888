"""A number with its limits, the plain result of a diagnosis."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from adjudge.inference.intervals.closed_form import wilson
from adjudge.inference.resampling import percentile
from adjudge.metrics.intervals import Share
from adjudge.statistics.base import Array


@dataclass(frozen=True, slots=True)
class Size:
    """What a number rests on: items by weight, and the units that are drawn, which are items or clusters."""

    n: int
    units: int
    kind: str = "items"

    @classmethod
    def of_items(cls, n: int) -> Size:
        """Items that are drawn one by one."""
        return cls(n, n)

    @property
    def too_few(self) -> str:
        """Why there are no limits; empty when there are two units."""
        return "" if self.units >= 2 else f"fewer than two {self.kind} have two ratings"


@dataclass(frozen=True, slots=True)
class ValueWithLimits:
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


def unknown_limit(n: int, note: str) -> ValueWithLimits:
    """No value.

    >>> unknown_limit(0, "no item was rated by both").known
    False
    """
    return ValueWithLimits(float("nan"), float("nan"), float("nan"), n, note)


def from_draws(value: float, draws: Array, level: float, size: Size, undefined: str = "") -> ValueWithLimits:
    """A value with the middle part of its draws; without limits when fewer than two units are behind it.

    >>> middle = from_draws(0.5, np.array([0.25, 0.5, 0.75]), 0.5, Size(10_000, 10_000))
    >>> round(middle.low, 3), round(middle.high, 3), middle.n
    (0.375, 0.625, 10000)
    """
    if math.isnan(value):
        return unknown_limit(size.n, undefined or "undefined")
    if size.too_few:
        return ValueWithLimits(value, float("nan"), float("nan"), size.n, size.too_few)
    bounds = percentile("bayesian", draws, level, size.units)
    return ValueWithLimits(value, float(bounds.low), float(bounds.high), size.n, bounds.note())


def share_of(
    part: float, whole: float, level: float, undefined: str = "no items", effective: float | None = None
) -> ValueWithLimits:
    """A share of items with Wilson's interval; `effective` is what the items are worth, if not one each.

    >>> share_of(0, 0, 0.95).note
    'no items'
    """
    if whole <= 0:
        return unknown_limit(0, undefined)
    size = np.asarray(float(whole))
    worth = size if effective is None else np.asarray(float(whole) ** 2 / effective)
    low, high = wilson(Share(np.asarray(float(part)), size, worth), level)
    return ValueWithLimits(part / whole, float(low), float(high), round(whole))


def undefined_last(value: float) -> float:
    """What to sort by so that numbers that are none come last."""
    return math.inf if math.isnan(value) else value
