"""What cells of scores leave open: in which order rows stand inside a cell, and which scores they have there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from adjudge.statistics.base import Array
from adjudge.statistics.curves.curve import Curve
from adjudge.statistics.curves.grouped import LAST_BITS
from adjudge.statistics.curves.grouping import Inside, leading_bits, scores_of_bits
from adjudge.statistics.curves.points import Points


@dataclass(frozen=True, eq=False)
class CellOrders:
    """A curve of cells, each of which holds several scores."""

    curve: Curve

    @property
    def matter(self) -> bool:
        """Whether a cell may hold several scores at all."""
        return self.curve.inside is not None or self.curve.level > 0

    @property
    def know_sums(self) -> bool:
        """Whether losses of the rows were summed beside their cells."""
        return self.curve.inside is not None or not self.curve.level

    @cached_property
    def tied(self) -> tuple[Curve, Curve]:
        """In every cell all positives first, or all negatives first; rows of a kind tie.

        >>> curve = Curve.of_points(np.array([0.5, 0.0]), np.array([[2.0, 1.0], [3.0, 0.0]]), np.ones((2, 2)), 6)
        >>> [one.counts.tolist() for one in CellOrders(curve).tied]
        [[[2.0, 0.0, 1.0], [0.0, 3.0, 0.0]], [[0.0, 2.0, 1.0], [3.0, 0.0, 0.0]]]
        """
        return self._first(0), self._first(1)

    @cached_property
    def evenly(self) -> tuple[Curve, ...]:
        """The same; rows of a kind are taken evenly."""
        # Points of their own: what formulas gave of tied rows is kept with those.
        return tuple(Curve(replace(one.points), _nothing_inside(one)) for one in self.tied)

    def _first(self, kind: int) -> Curve:
        """The curve in whose cells one kind of rows stands before the other."""
        counts, size = self.curve.counts, len(self.curve.thresholds)
        halves = np.zeros((2, size, 2))
        for place, rows in enumerate((kind, 1 - kind)):
            halves[rows, :, place] = counts[rows]
        split = halves.reshape(2, 2 * size)
        some = split.any(0)
        split = np.ascontiguousarray(split[:, some])
        return Curve(Points(np.repeat(self.curve.thresholds, 2)[some], split, split, self.curve.rows))

    @cached_property
    def highest(self) -> Array:
        """The largest score that each cell can hold where scores are probabilities, (T,); the least is its threshold.

        >>> curve = Curve.of_points(np.array([0.5, 0.0]), np.ones((2, 2)), np.ones((2, 2)), 4)
        >>> CellOrders(curve).highest.tolist()
        [1.0, 0.49999999999999994]
        """
        lows = self.curve.thresholds
        most = np.append(np.maximum(lows[:1], 1.0), np.nextafter(lows[:-1], -np.inf))
        if level := self.curve.level:
            most = np.minimum(most, np.nextafter(scores_of_bits((leading_bits(lows, level) + 1) << level), -np.inf))
        return np.asarray(most)

    @property
    def means(self) -> tuple[Array, Array]:
        """Between which scores the mean of each kind of rows lies in each cell, (2, T) each."""
        mean = self.curve.within.mean_score
        off = mean * self.mean_off
        return np.maximum(mean - off, self.curve.thresholds), np.minimum(mean + off, self.highest)

    @property
    def mean_off(self) -> float:
        """By which share of itself a mean may be off, because last bits were left out of it.

        A cell lies between two powers of two, because there may be more cells than powers: its bits are even steps.
        """
        return 0.0 if self.know_sums else 2.0 ** (LAST_BITS - 52)


def _nothing_inside(curve: Curve) -> Inside:
    """What is inside cells of one kind: nothing that orders it."""
    size = len(curve.thresholds)
    nothing = np.broadcast_to(0.0, (2, size))
    return Inside(nothing, nothing, nothing, np.broadcast_to(0.5, size))
