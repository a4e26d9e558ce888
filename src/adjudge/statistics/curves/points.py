"""The points of a curve as formulas read them: what lies at each threshold, and running sums of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from adjudge.data.worked_out import WorkedOut
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.curves.grouping import OneScore

Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class Points:
    """Weight of positives and negatives in cells of falling scores.

    >>> points = Points(np.array([0.9, 0.1]), np.array([[2.0, 1.0], [0.0, 3.0]]), np.ones((2, 2)), 6)
    >>> points.true_positives.tolist(), points.recall.round(2).tolist()
    ([2.0, 3.0], [0.67, 1.0])
    """

    thresholds: Array  # (T,), falling: the lowest score of each cell
    counts: Array  # (…, 2, T): positives, negatives
    squares: Array  # (2, T), squared case weights; the counts themselves when every row counts one
    rows: int
    level: int = 0  # last bits dropped from each score
    scores: Array | None = None  # (2, T), mean scores where a cell has several; None: each is its threshold
    binned: bool = False  # whether thresholds are those of a grid, in whose cells lies more than one score
    known: WorkedOut = field(default_factory=WorkedOut, init=False, repr=False)  # what formulas gave: see `Read.once`

    @property
    def points(self) -> Points:
        """These: what growing cells must work out first."""
        return self

    def __add__(self, other: Points) -> Points:
        """The points of both parts, at the same thresholds."""
        counts = self.counts + other.counts
        plain = self.squares is self.counts and other.squares is other.counts
        squares = counts if plain else self.squares + other.squares
        rows, level = self.rows + other.rows, max(self.level, other.level)
        return Points(self.thresholds, counts, squares, rows, level, binned=self.binned or other.binned)

    @property
    def middles(self) -> Array:
        """The mean score of each cell, (T,)."""
        if self.scores is None:
            return self.thresholds
        return np.asarray(ratio((self.scores * self.counts).sum(-2), self.counts.sum(-2)))

    @cached_property
    def true_positives(self) -> Array:
        """Positives selected by each threshold, (…, T)."""
        return np.cumsum(self.counts[..., 0, :], axis=-1)

    @cached_property
    def false_positives(self) -> Array:
        """Negatives selected by each threshold, (…, T)."""
        return np.cumsum(self.counts[..., 1, :], axis=-1)

    @cached_property
    def one_score(self) -> OneScore:
        """What lies inside each cell."""
        return OneScore(self.thresholds if self.scores is None else self.scores)

    @cached_property
    def positive_total(self) -> Array:
        """Weight of all positives, (…)."""
        return np.asarray(self.counts[..., 0, :].sum(-1))

    @cached_property
    def negative_total(self) -> Array:
        """Weight of all negatives, (…)."""
        return np.asarray(self.counts[..., 1, :].sum(-1))

    @cached_property
    def squared_weight(self) -> Array:
        """Squared case weights of all rows."""
        return np.asarray(self.squares.sum())

    @cached_property
    def squared_weights(self) -> Array:
        """Squared case weights of the positives, and of the negatives, (2,)."""
        return np.asarray(self.squares.sum(-1))

    @cached_property
    def recall(self) -> Array:
        """Share of the positives that each threshold selects, (…, T)."""
        return np.asarray(ratio(self.true_positives, self.positive_total[..., None]))

    @cached_property
    def false_positive_rate(self) -> Array:
        """Share of the negatives that each threshold selects, (…, T)."""
        return np.asarray(ratio(self.false_positives, self.negative_total[..., None]))

    @cached_property
    def precision(self) -> Array:
        """Share of positives among what each threshold selects, (…, T)."""
        return np.asarray(ratio(self.true_positives, self.true_positives + self.false_positives))


class Read:
    """What is read off a curve: its points, by the names that formulas use."""

    if TYPE_CHECKING:  # of the curve itself

        @property
        def points(self) -> Points:
            """What lies at each threshold."""

    def once(self, formula: Callable[..., Value], **settings: Hashable) -> Value:
        """What a formula of this curve gives: several intervals ask for the same, and there are a million points.

        >>> from adjudge.statistics.curves.curve import Curve
        >>> curve = Curve.of_points(np.array([0.9, 0.1]), np.ones((2, 2)), np.ones((2, 2)), 4)
        >>> curve.once(lambda curve, part: curve.total / part, part=2)
        np.float64(2.0)
        """
        return self.points.known.once((formula, *sorted(settings.items())), lambda: formula(self, **settings))

    @property
    def thresholds(self) -> Array:
        """The lowest score of each cell, falling, (T,)."""
        return self.points.thresholds

    @property
    def counts(self) -> Array:
        """Weight of positives and of negatives in each cell, (…, 2, T)."""
        return self.points.counts

    @property
    def squares(self) -> Array:
        """Squared case weights in each cell, (2, T)."""
        return self.points.squares

    @property
    def squared_weight(self) -> Array:
        """Squared case weights of all rows."""
        return self.points.squared_weight

    @property
    def squared_weights(self) -> Array:
        """Squared case weights of the positives, and of the negatives, (2,)."""
        return self.points.squared_weights

    @property
    def level(self) -> int:
        """How many of its last bits were dropped from each score."""
        return self.points.level

    @property
    def true_positives(self) -> Array:
        """Positives selected by each threshold, (…, T)."""
        return self.points.true_positives

    @property
    def false_positives(self) -> Array:
        """Negatives selected by each threshold, (…, T)."""
        return self.points.false_positives

    @property
    def positive_total(self) -> Array:
        """Weight of all positives, (…)."""
        return self.points.positive_total

    @property
    def negative_total(self) -> Array:
        """Weight of all negatives, (…)."""
        return self.points.negative_total

    @property
    def total(self) -> Array:
        """Weight of all rows, (…)."""
        return self.positive_total + self.negative_total

    @property
    def recall(self) -> Array:
        """Share of the positives that each threshold selects, (…, T)."""
        return self.points.recall

    @property
    def false_positive_rate(self) -> Array:
        """Share of the negatives that each threshold selects, (…, T)."""
        return self.points.false_positive_rate

    @property
    def precision(self) -> Array:
        """Share of positives among what each threshold selects, (…, T)."""
        return self.points.precision
