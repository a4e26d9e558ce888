"""How many items to have rated: before a study from assumed values, during one from the draws of a coefficient."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from adjudge.errors import SettingError, literal
from adjudge.inference.intervals.interval import checked_level, normal_quantile

ROOT_LAW = (
    "Half-widths shrink with the square root of the number of items, if new items are like these and are rated "
    "by the same raters."
)


@dataclass(frozen=True, slots=True)
class Projection:
    """What more items would give. `needed` is None when the present interval is undefined."""

    items: int
    half_width: float
    target: float
    needed: int | None
    at_twice: float
    at_four_times: float
    level: float
    note: str = ROOT_LAW


def _checked(kappa: float, prevalence: float) -> None:
    if not -1 < kappa < 1:
        raise SettingError(f"`kappa` must lie between -1 and 1, not {literal(kappa)}.")
    if not 0 < prevalence < 1:
        raise SettingError(f"`prevalence` must lie between 0 and 1, not {literal(prevalence)}.")


def kappa_variance(kappa: float, prevalence: float) -> float:
    """The large-sample variance of kappa times the number of items: two raters, two categories, equal habits.

    (1 − κ) [(1 − κ)(1 − 2κ) + κ(2 − κ) / (2π(1 − π))].

    >>> round(kappa_variance(0.4, 0.5), 4)
    0.84
    """
    _checked(kappa, prevalence)
    rare = 2 * prevalence * (1 - prevalence)
    return (1 - kappa) * ((1 - kappa) * (1 - 2 * kappa) + kappa * (2 - kappa) / rare)


def items_for_width(kappa: float, prevalence: float, half_width: float, level: float = 0.95) -> int:
    """Items that two raters must rate for an interval of kappa no wider than this on each side.

    >>> items_for_width(0.8, 0.1, 0.10), items_for_width(0.8, 0.1, 0.05)
    (401, 1603)
    """
    checked_half_width(half_width)
    reach = normal_quantile(checked_level(level))
    return max(2, math.ceil(kappa_variance(kappa, prevalence) * (reach / half_width) ** 2 - 1e-9))


def checked_half_width(half_width: float) -> None:
    """Refuses a half-width that no interval can have."""
    if not (half_width > 0 and math.isfinite(half_width)):
        raise SettingError(f"`half_width` must be a number above 0, not {literal(half_width)}.")


def kappa_distance(null: float, true: float, prevalence: float) -> float:
    """What each item adds to the goodness-of-fit statistic of a null kappa, should another be true.

    >>> round(kappa_distance(0.4, 0.6, 0.5), 4)
    0.0476
    """
    _checked(null, prevalence)
    _checked(true, prevalence)
    both = prevalence * (1 - prevalence)
    shares = (prevalence**2 + both * null, both * (1 - null) / 2, (1 - prevalence) ** 2 + both * null)
    if min(shares) <= 0:
        raise SettingError(f"`null` kappa {literal(null)} cannot occur at prevalence {literal(prevalence)}.")
    return (both * (true - null)) ** 2 * (1 / shares[0] + 1 / shares[1] + 1 / shares[2])


def projected(draws: np.ndarray, items: int, half_width: float, level: float) -> Projection:
    """The projection from draws of a metric on this many items.

    >>> projected(np.linspace(0, 1, 101), 100, 0.1, 0.9).needed
    2025
    """
    checked_half_width(half_width)
    tail = (1 - checked_level(level)) / 2
    if len(draws) == 0:
        nothing = float("nan")
        return Projection(items, nothing, half_width, None, nothing, nothing, level)
    low, high = np.quantile(draws, [tail, 1 - tail])
    now = float(high - low) / 2
    needed = math.ceil(items * (now / half_width) ** 2 - 1e-9)
    return Projection(items, now, half_width, needed, now / math.sqrt(2), now / 2, level)
