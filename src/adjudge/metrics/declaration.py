"""What may be declared of a metric beside its formula: the fields of `Metric`, as keywords."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, TypedDict, TypeGuard

if TYPE_CHECKING:
    from adjudge.metrics.base import Direction, Metric, OfEachUnit
    from adjudge.metrics.intervals import Mean, Quantity, Share, Tail, Unseen
    from adjudge.metrics.score_cells import Extremes
    from adjudge.statistics.base import AnyStatistic, Array
    from adjudge.statistics.judges.tables import Assisted
    from adjudge.statistics.moments import Moments


class ArrayKeywords(TypedDict, total=False):
    """What may be said of arrays: see `Statistic.of_arrays`."""

    weights: Sequence[float] | Array | None
    positive: object
    categories: Sequence[object] | None


class Declaration(TypedDict, total=False):
    """Keywords of `@metric`; what each is, and which have a default, is said in `Metric`."""

    label: str
    over: type[AnyStatistic]
    direction: Direction
    range: tuple[float, float]
    best: float
    undefined: str
    references: Sequence[str]
    intervals: tuple[str, ...]
    per: str | None
    symmetric: bool
    probabilities: bool
    share: Callable[..., Share | None]
    mean: Callable[..., Mean | Moments]
    tail: Callable[..., Tail | Unseen]
    slopes: Callable[..., Array]
    assisted: Callable[..., list[Assisted]]
    ratings: Callable[..., Array]
    pairs: Callable[..., Array]
    rests_on: Callable[..., Array]
    flat: Callable[..., str]
    quantity: Quantity
    baseline: Callable[..., Array]
    threshold: Callable[..., Array]
    traded: tuple[str, str]
    check: Callable[..., None]
    parts: Callable[..., dict[str, Array]]
    mean_over: Metric
    alone: str
    reading: Mapping[str, object]
    rounded_only: bool | Callable[..., bool]
    unit: str
    short: str
    each: Callable[..., OfEachUnit]
    in_cells: Callable[..., Extremes]


def parameter_in_words(key: str, value: object) -> str:
    """A bound parameter in words: its value alone where that says enough.

    >>> parameter_in_words("beta", 2.0), parameter_in_words("weighting", "quadratic"), parameter_in_words("at", 0.5)
    ('beta 2', 'quadratic', '0.5')
    """
    if isinstance(value, str) or key == "at":
        return f"{value:g}" if isinstance(value, float) else str(value)
    return f"{key} {value:g}" if isinstance(value, (int, float)) else key


def is_number(value: object) -> TypeGuard[float]:
    """Whether a parameter is a number that a float can be near; True and False are not."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True
