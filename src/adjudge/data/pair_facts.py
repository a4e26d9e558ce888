"""What two columns that answer the same question have in common, row by row and one row off: facts that add."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.columns import Array
from adjudge.data.number_facts import CODES

LAGS = (0, 1, -1)  # an answer beside the reference of its own row, of the row before, and of the row after
FEWEST = 20
FEW = 3  # decimals that numbers may be rounded to
PARTS, NO_PARTS = 8, (math.inf, -math.inf)
FINE = 6  # decimals: numbers that have more are hardly equal by chance


@dataclass(frozen=True, slots=True)
class PairFacts:
    """How two columns go together; adds.

    >>> pair = PairFacts.of_labels(np.array([1, 2, 3, 1]), np.array([3, 1, 2, 3]))
    >>> pair.at(0), pair.at(1)
    (0.0, 1.0)
    """

    labels: bool = False
    met: tuple[float, ...] = (0.0, 0.0, 0.0)  # by lag: rows that agree, or rows times their correlation
    rows: tuple[float, ...] = (0.0, 0.0, 0.0)
    fine: int = 0  # rows in which both have many decimals
    same: int = 0  # of those, with the same number
    times: Mapping[int, int] = field(default_factory=dict)  # by how many powers of ten the second is larger
    sums: tuple[float, ...] = (0.0,) * 6  # n, x, y, xx, xy, yy
    coded: Mapping[tuple[int, float], tuple[float, ...]] = field(default_factory=dict)  # n, and sums of the other's
    mirrored: tuple[int, ...] = (0, 0, 0)  # of rows far from zero: about as large, nearer to zero, about minus that
    rounded: tuple[int, ...] = (0, 0)  # rows in which the second is the first, rounded, and the first the second
    parts: tuple[float, float] = (math.inf, -math.inf)  # the least and most correlation of a part, in standard errors

    @classmethod
    def of_labels(cls, x: NDArray[np.int64], y: NDArray[np.int64]) -> PairFacts:
        """Of labels by their codes, which are equal where the labels are; -1 where there is none."""
        met, rows = [], []
        for a, b in (_beside(x, y, lag) for lag in LAGS):
            known = (a >= 0) & (b >= 0)
            met.append(float(((a == b) & known).sum()))
            rows.append(float(known.sum()))
        two = np.unique(np.r_[x, y])
        halves = _parts(x == two.max(initial=0), y == two.max(initial=0)) if len(two) == 2 and two[0] >= 0 else NO_PARTS
        return cls(True, tuple(met), tuple(rows), parts=halves)

    @classmethod
    def of_numbers(cls, x: Array, y: Array, *, plain: bool = True) -> PairFacts:
        """Of numbers, NaN where there is none; not `plain` where the first stands for labels."""
        met, rows = [], []
        has_x, has_y = np.isfinite(x), np.isfinite(y)
        complete = bool(has_x.all() and has_y.all())
        for lag in LAGS:
            a, b = _beside(x, y, lag)
            if not complete:
                known = np.logical_and(*_beside(has_x, has_y, lag))
                a, b = a[known], b[known]
            met.append(float(len(a)) * _correlation(a, b))
            rows.append(float(len(a)))
        if not complete:
            x, y = x[has_x & has_y], y[has_x & has_y]
        parts = _parts(x, y)
        if not plain or not len(x):
            return cls(False, tuple(met), tuple(rows), parts=parts)
        fine = (np.round(x, FINE) != x) & (np.round(y, FINE) != y)
        sums = (len(x), x.sum(), y.sum(), x @ x, x @ y, y @ y)
        return cls(
            False,
            tuple(met),
            tuple(rows),
            int(fine.sum()),
            int((x == y)[fine].sum()),
            _powers(x, y),
            tuple(map(float, sums)),
            {(side, code): sums for side, (one, two) in enumerate(((x, y), (y, x))) for code, sums in _coded(one, two)},
            _mirrored(x, y),
            (_rounded(x, y), _rounded(y, x)),
            parts,
        )

    def __add__(self, other: PairFacts) -> PairFacts:
        added = (
            tuple(a + b for a, b in zip(mine, its, strict=True))
            for mine, its in ((self.met, other.met), (self.rows, other.rows), (self.sums, other.sums))
        )
        met, rows, sums = added
        coded = {
            key: tuple(
                a + b for a, b in zip(self.coded.get(key, (0.0,) * 3), other.coded.get(key, (0.0,) * 3), strict=True)
            )
            for key in {**self.coded, **other.coded}
        }
        return PairFacts(
            self.labels or other.labels,
            met,
            rows,
            self.fine + other.fine,
            self.same + other.same,
            Counter(self.times) + Counter(other.times),
            sums,
            coded,
            tuple(a + b for a, b in zip(self.mirrored, other.mirrored, strict=True)),
            tuple(a + b for a, b in zip(self.rounded, other.rounded, strict=True)),
            (min(self.parts[0], other.parts[0]), max(self.parts[1], other.parts[1])),
        )

    def at(self, lag: int) -> float:
        """The share of rows that agree, or the correlation, that many rows apart; 0 where nothing is known."""
        place = LAGS.index(lag)
        return self.met[place] / self.rows[place] if self.rows[place] else 0.0


Entry = TypeVar("Entry", bound=np.generic)


def _beside(x: NDArray[Entry], y: NDArray[Entry], lag: int) -> tuple[NDArray[Entry], NDArray[Entry]]:
    """Each value of the first beside that of the second so many rows further on."""
    if lag == 0:
        return x, y
    return (x[:-lag], y[lag:]) if lag > 0 else (x[-lag:], y[:lag])


def _correlation(a: Array, b: Array) -> float:
    if len(a) < FEWEST:
        return 0.0
    a, b = a - a.mean(), b - b.mean()
    spread = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / spread if np.isfinite(spread) and spread > 0 else 0.0


def _powers(x: Array, y: Array) -> dict[int, int]:
    """How often the second is about 1, 10, 100 … times the first."""
    both = x * y > 0
    powers = np.rint(np.log10(np.abs(y[both]) / np.abs(x[both])))
    powers = powers[np.isfinite(powers)].clip(-9, 9).astype(np.int64)
    return {int(power): int(n) for power, n in zip(*np.unique(powers, return_counts=True), strict=True)}


def _mirrored(x: Array, y: Array) -> tuple[int, int, int]:
    """Of rows in which the first is far from zero, how many have about as much, less, and about minus as much."""
    far = np.abs(x) > x.std()
    times = y[far] / x[far]
    alike, less, minus = np.abs(times - 1) < 0.5, np.abs(times) <= 0.5, np.abs(times + 1) < 0.5
    return int(alike.sum()), int(less.sum()), int(minus.sum())


def _rounded(x: Array, y: Array) -> int:
    """How often the second is the first with fewer decimals, or the first itself; 0 where it has as many."""
    for places in range(FEW):
        if (np.round(y, places) == y).all():
            return int((np.round(x, places) == y).sum()) if (np.round(x, places) != x).any() else 0
    return 0


def _parts(x: NDArray[Entry], y: NDArray[Entry]) -> tuple[float, float]:
    """The least and the most correlation of a part of the rows, in standard errors of Fisher's z."""
    size = len(x) // PARTS
    if size < FEWEST:
        return NO_PARTS
    inside = 1 - 1e-9
    correlations = [
        _correlation(x[at : at + size].astype(np.float64), y[at : at + size].astype(np.float64))
        for at in range(0, size * PARTS, size)
    ]
    signs = [math.atanh(max(-inside, min(inside, one))) * math.sqrt(size - 3) for one in correlations]
    return min(signs), max(signs)


def _coded(x: Array, y: Array) -> list[tuple[float, tuple[float, ...]]]:
    """Where the first is a code at its end: how often, and what the second is there."""
    ends = {float(x.min()), float(x.max())} & CODES
    parts = [(code, y[x == code]) for code in sorted(ends)]
    return [(code, (float(len(part)), float(part.sum()), float(part @ part))) for code, part in parts]
