"""Statistics whose units are read from plain arrays by one function."""

from __future__ import annotations

from collections.abc import Callable, Sized
from typing import TYPE_CHECKING, ClassVar, Self, cast

from adjudge.statistics.base import Judgements_contra, Pilot_contra, Statistic

if TYPE_CHECKING:
    from adjudge.statistics.weights import Weights


class OfArrays(Statistic[Judgements_contra, Pilot_contra]):
    """A statistic with `read_arrays`, which makes its units of two arrays and of keywords of its own."""

    read_arrays: ClassVar[Callable[..., Sized]]
    reads_labels: ClassVar[bool] = False  # whether it takes `positive` and `categories`, too

    @classmethod
    def summing_arrays(
        cls,
        first: object,
        second: object = None,
        *,
        positive: object = None,
        categories: object = None,
        **reading: object,
    ) -> tuple[int, Callable[[Weights], Self]]:
        """Of the units that the arrays are read into."""
        labels = {"positive": positive, "categories": categories} if cls.reads_labels else {}
        units = cls.read_arrays(first, second, **labels, **reading)
        return len(units), cls.summing(cast("Judgements_contra", units))
