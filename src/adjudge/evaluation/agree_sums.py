"""The sums of an agreement evaluation, in units of an item and for two raters."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from adjudge.engines.base import WHOLE, Collected, Wanted
from adjudge.statistics.rating_vectors import RatingVectors


def in_items(state: Collected, unit: float) -> Collected:
    """Sums in units of an item: coefficients that correct for few items must not see the unit of the weights."""

    def scaled(value: Any) -> Any:
        return replace(value, counts=value.counts * unit, squares=value.squares * unit**2)

    return replace(
        state,
        statistics={key: scaled(value) for key, value in state.statistics.items()},
        replicates={key: scaled(value) for key, value in state.replicates.items()},
    )


def vectors_in(collected: Collected) -> RatingVectors | None:
    """Who said what, over all items; None when raters were not told apart."""
    return collected.statistics.get((WHOLE, Wanted(RatingVectors, 0)))


def of_pair(collected: Collected, pair: tuple[int, int]) -> Collected:
    """The items that both of two raters rated, with the draws there are of them."""
    who = (WHOLE, Wanted(RatingVectors, 0))
    return Collected(
        statistics={who: _both(collected.statistics[who], pair)},
        replicates={key: _both(value, pair) for key, value in collected.replicates.items() if key[:2] == who},
    )


def _both(vectors: RatingVectors, pair: tuple[int, int]) -> RatingVectors:
    two = vectors.of_raters(pair).joined
    counts, squares = (np.where(two.complete, amounts, 0.0) for amounts in (two.counts, two.squares))
    return replace(two, counts=counts, squares=squares)
