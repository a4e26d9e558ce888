"""The items themselves, for what cannot be read from sums: which are hardest, what most raters said, what drifts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from adjudge.data.judgements.annotations import Annotations
from adjudge.data.judgements.rated import Rated
from adjudge.data.judgements.ratings import Ratings
from adjudge.data.keys import Keys
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.undrawn import Undrawn
from adjudge.statistics.weights import Weights


@dataclass(frozen=True)
class RatedItems(Undrawn[Rated, None]):
    """Every item with its weight, in the order of the table: as large as the table, and put together when asked."""

    parts: tuple[Rated, ...]
    weights: tuple[Array | None, ...]  # of the items of each part
    rows: int
    unit: float = 1.0  # what weights are multiplied with

    @classmethod
    def summing(cls, rated: Rated, pilot: None = None) -> Callable[[Weights], Self]:
        """What turns weights into these items with them."""
        return lambda weights: cls((rated,), (weights.case,), weights.rows)

    def __add__(self, other: Self) -> Self:
        return replace(
            self,
            parts=self.parts + other.parts,
            weights=self.weights + other.weights,
            rows=self.rows + other.rows,
        )

    def scaled(self, unit: float) -> Self:
        """The same items with all weights multiplied."""
        return replace(self, unit=self.unit * unit)

    @cached_property
    def ratings(self) -> Ratings:
        """What raters said of all items: raters and labels of all parts, -1 where an item was not rated."""
        return Ratings.joined([part.ratings for part in self.parts if isinstance(part.ratings, Ratings)])

    @cached_property
    def annotations(self) -> Annotations:
        """What annotators marked in all items."""
        return Annotations.joined([part.ratings for part in self.parts if isinstance(part.ratings, Annotations)])

    @cached_property
    def names(self) -> list[str]:
        """What the items are called."""
        return [name for part in self.parts for name in part.names]

    @cached_property
    def keys(self) -> Keys:
        """Equal keys are drawn together."""
        return np.concatenate([part.keys for part in self.parts])

    @cached_property
    def batches(self) -> list[str] | None:
        """The batch of each item; None when there are none."""
        known = [part.batches for part in self.parts if part.batches is not None]
        return [labels.categories[code] for labels in known for code in labels.codes] if known else None

    @cached_property
    def weight(self) -> Array | None:
        """The weight of each item; None when each counts one."""
        known = [weight for weight in self.weights if weight is not None]
        return np.concatenate(known) * self.unit if known else None

    @property
    def total(self) -> Array:
        """The weight of all items."""
        return np.asarray(self.rows * self.unit if self.weight is None else self.weight.sum())

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of items."""
        if self.weight is None:
            return np.asarray(float(self.rows))
        return np.asarray(ratio(self.weight.sum() ** 2, (self.weight**2).sum()))
