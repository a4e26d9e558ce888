"""What two columns that answer the same question have in common, row by row and one row off: facts that add."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from adjudge.data.degrees import NO_DEGREES, Parts, converted_rows
from adjudge.data.judgements.columns import Array
from adjudge.data.number_facts import CODES, MOST_VALUES
from adjudge.data.row_moves import (
    FEWEST,
    PARTS,
    Entry,
    RowMoves,
    correlation_of_rows,
    correlation_of_stretches,
    rows_apart,
)

LAGS = (0, 1, -1)  # an answer beside the reference of its own row, of the row before, and of the row after
FEW, MOST_ZEROS = 3, 6  # decimals that numbers may be rounded to, and zeros at their end
NO_PARTS = (math.inf, -math.inf)
STEPS = 20  # of a power of ten
MOSTLY, AS_LARGE, ALIKE = 0.95, 0.15, 3.0  # rows with a ratio, its mean in powers of ten, and how spreads may differ
FEWEST_ALIKE, OFTEN = 5, 0.02  # rows of one number that is common among many
NOTHING_HELD = ((0.0,) * 6,) * 4
ON_A_LINE = 1e-9  # of the largest number: so near is what is interpolated to the middle of its neighbours
TURNS = (360.0, 2 * math.pi, 24.0)  # degrees, radians, hours
ALL_ROUND, ASIDE = 0.8, 0.2  # of a turn: so far apart are two that are near to one another the other way round
Key = TypeVar("Key", int, tuple[int, float])
Ratios = Mapping[int, tuple[float, ...]]  # n, and sums of the logarithm of the first and of its square
FINE = 6  # decimals: numbers that have more are hardly equal by chance
DIGITS, NEAR = 5, 1e-4  # of numbers with more digits, at least twenty others lie nearer than this part of them


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
    near: int = 0  # rows in which both are nearly the same number, but for those of many decimals
    same: int = 0  # rows in which both are one and the same such number
    ratios: Ratios = field(default_factory=dict)  # by how many steps of a power of ten the second is larger
    sums: tuple[float, ...] = (0.0,) * 6  # n, x, y, xx, xy, yy
    coded: Mapping[tuple[int, float], tuple[float, ...]] = field(default_factory=dict)  # n, and sums of the other's
    mirrored: tuple[int, ...] = (0, 0, 0)  # of rows far from zero: about as large, nearer to zero, about minus that
    rounded: tuple[int, ...] = (0, 0)  # rows in which the second is the first, rounded, and the first the second
    parts: tuple[float, float] = (math.inf, -math.inf)  # the least and most correlation of a part, in standard errors
    moves: RowMoves = field(default_factory=RowMoves)
    # Of labels of each side: rows with another one than the row before; and the blocks in which these were counted.
    turns: tuple[float, ...] = (0.0, 0.0, 0.0)
    held: tuple[tuple[float, ...], ...] = (
        NOTHING_HELD  # the same sums, of rows in which a side is as in the row before, and amid those around it
    )
    # By turn: rows in which the two are nearly one apart, and rows in which they are neither that nor near.
    turned: tuple[tuple[int, int], ...] = ((0, 0),) * len(TURNS)
    degrees: Parts = NO_DEGREES  # by change of scale: errors of rows as they are, and of those that are converted

    @classmethod
    def of_labels(cls, x: NDArray[np.int64], y: NDArray[np.int64]) -> PairFacts:
        """Of labels by their codes, which are equal where the labels are; -1 where there is none."""
        met, rows = [], []
        for a, b in (rows_apart(x, y, lag) for lag in LAGS):
            known = (a >= 0) & (b >= 0)
            met.append(float(((a == b) & known).sum()))
            rows.append(float(known.sum()))
        moves = RowMoves.of(x.astype(np.float64), y.astype(np.float64), labels=True)
        turns = (float((x[1:] != x[:-1]).sum()), float((y[1:] != y[:-1]).sum()), 1.0)
        return cls(True, tuple(met), tuple(rows), parts=_parts(*_of_two(x, y)), moves=moves, turns=turns)

    @classmethod
    def of_numbers(cls, x: Array, y: Array, *, plain: bool = True) -> PairFacts:
        """Of numbers, NaN where there is none; not `plain` where the first stands for labels."""
        met, rows = [], []
        moves, has_x, has_y = RowMoves.of(x, y, labels=False), np.isfinite(x), np.isfinite(y)
        complete = bool(has_x.all() and has_y.all())
        for lag in LAGS:
            a, b = rows_apart(x, y, lag)
            if not complete:
                known = np.logical_and(*rows_apart(has_x, has_y, lag))
                a, b = a[known], b[known]
            met.append(float(len(a)) * correlation_of_rows(a, b))
            rows.append(float(len(a)))
        if not complete:
            x, y = x[has_x & has_y], y[has_x & has_y]
        parts = _parts(x, y)
        if not plain or not len(x):
            return cls(False, tuple(met), tuple(rows), parts=parts, moves=moves)
        return cls(
            False,
            tuple(met),
            tuple(rows),
            *_as_good_as_same(x, y),
            _ratios(x, y),
            _sums(x, y),
            {(side, code): sums for side, (one, two) in enumerate(((x, y), (y, x))) for code, sums in _coded(one, two)},
            _mirrored(x, y),
            (_rounded(x, y), _rounded(y, x)),
            parts,
            moves,
            held=(_held(x, y, x, y), _held(y, x, x, y), _amid(x, x, y), _amid(y, x, y)),
            turned=_turned(x, y),
            degrees=converted_rows(x, y),
        )

    def __add__(self, other: PairFacts) -> PairFacts:
        added = (
            tuple(a + b for a, b in zip(mine, its, strict=True))
            for mine, its in ((self.met, other.met), (self.rows, other.rows), (self.sums, other.sums))
        )
        met, rows, sums = added
        return PairFacts(
            self.labels or other.labels,
            met,
            rows,
            self.near + other.near,
            self.same + other.same,
            added_sums(self.ratios, other.ratios),
            sums,
            added_sums(self.coded, other.coded),
            tuple(a + b for a, b in zip(self.mirrored, other.mirrored, strict=True)),
            tuple(a + b for a, b in zip(self.rounded, other.rounded, strict=True)),
            (min(self.parts[0], other.parts[0]), max(self.parts[1], other.parts[1])),
            self.moves + other.moves,
            tuple(a + b for a, b in zip(self.turns, other.turns, strict=True)),
            _added(self.held, other.held),
            tuple((a + c, b + d) for (a, b), (c, d) in zip(self.turned, other.turned, strict=True)),
            _added(self.degrees, other.degrees),
        )

    @property
    def times(self) -> dict[int, int]:
        """How often the second is about 1, 10, 100 … times the first, by the power of ten."""
        powers: Counter[int] = Counter()
        for step, (rows, *_) in self.ratios.items():
            powers[(step + STEPS // 2) // STEPS] += int(rows)
        return dict(powers)

    @property
    def as_large(self) -> bool:
        """Whether the second is about as large as the first, and varies about alike, in powers of ten."""
        entries = [(step + 0.5, *sums) for step, sums in self.ratios.items()]
        n = math.fsum(rows for _, rows, *_ in entries)
        if n < MOSTLY * self.sums[0] or not n:
            return False
        ratio, size, squares, both, apart = (
            math.fsum(one) / n
            for one in zip(
                *((at * k / STEPS, x, xx, at * x / STEPS, at * at * k / STEPS**2) for at, k, x, xx in entries),
                strict=True,
            )
        )
        mine, change = squares - size**2, apart - ratio**2
        its = mine + 2 * (both - ratio * size) + change
        return abs(ratio) < AS_LARGE + 2 * math.sqrt(max(change, 0.0) / n) and max(mine, its) < ALIKE**2 * min(
            mine, its
        )

    def without(self, side: int, value: float) -> tuple[float, ...]:
        """The sums of both columns, the one that has the value first, without the rows of the value."""
        times, total, squares = self.coded[side, value]
        n, x, y, xx, xy, yy = self.sums if side == 0 else (self.sums[place] for place in (0, 2, 1, 5, 4, 3))
        return (n - times, x - times * value, y - total, xx - times * value**2, xy - value * total, yy - squares)

    def without_order(self) -> PairFacts:
        """The same where rows have no order: what only an order tells is left out."""
        rows = (self.rows[0], 0.0, 0.0)
        return replace(
            self, rows=rows, parts=NO_PARTS, moves=RowMoves(), turns=(math.inf, math.inf, 0.0), held=NOTHING_HELD
        )

    def at(self, lag: int) -> float:
        """The share of rows that agree, or the correlation, that many rows apart; 0 where nothing is known."""
        place = LAGS.index(lag)
        return self.met[place] / self.rows[place] if self.rows[place] else 0.0


def _sums(x: Array, y: Array) -> tuple[float, ...]:
    return tuple(map(float, (len(x), x.sum(), y.sum(), x @ x, x @ y, y @ y)))


def _added(mine: Parts, its: Parts) -> Parts:
    return tuple(tuple(a + b for a, b in zip(one, other, strict=True)) for one, other in zip(mine, its, strict=True))


def added_sums(
    mine: Mapping[Key, tuple[float, ...]], its: Mapping[Key, tuple[float, ...]]
) -> dict[Key, tuple[float, ...]]:
    """Sums by key, each with the other's of that key."""
    both = {**mine, **its}
    for key in mine.keys() & its.keys():
        both[key] = tuple(a + b for a, b in zip(mine[key], its[key], strict=True))
    return both


def _ratios(x: Array, y: Array) -> dict[int, tuple[float, ...]]:
    """By how many steps the second is larger: how often, and the sums of how large the first is, and of its squares."""
    both = x * y > 0
    size = np.log10(np.abs(x[both]))
    steps = np.floor(STEPS * (np.log10(np.abs(y[both])) - size)).clip(-9 * STEPS, 9 * STEPS)
    known = np.isfinite(steps) & np.isfinite(size)
    size, (different, places) = size[known], np.unique(steps[known].astype(np.int64), return_inverse=True)
    sums = [np.bincount(places.reshape(-1), weights, len(different)) for weights in (None, size, size * size)]
    return {int(step): tuple(float(part[at]) for part in sums) for at, step in enumerate(different)}


def _held(one: Array, other: Array, x: Array, y: Array) -> tuple[float, ...]:
    """The sums of rows in which the one, inside its range, is what it is in the row before, and the other is not."""
    inside = (one[1:] > one.min()) & (one[1:] < one.max())
    again = np.flatnonzero((one[1:] == one[:-1]) & (other[1:] != other[:-1]) & inside) + 1
    return _sums(x[again], y[again])


def _amid(one: Array, x: Array, y: Array) -> tuple[float, ...]:
    """The sums of rows in which the one is midway between the rows around it, and not the same as these."""
    bent = np.abs(one[:-2] - 2 * one[1:-1] + one[2:])
    between = np.flatnonzero((bent <= ON_A_LINE * np.abs(one).max()) & (one[1:-1] != one[:-2])) + 1
    return _sums(x[between], y[between])


def _turned(x: Array, y: Array) -> tuple[tuple[int, int], ...]:
    """Of every turn, how many rows are nearly one apart, and how many are aside of that and of one another."""
    apart = np.abs(x - y)
    far = [(int((apart > ALL_ROUND * turn).sum()), int((apart > ASIDE * turn).sum())) for turn in TURNS]
    return tuple((round_, all_ - round_) for round_, all_ in far)


def _as_good_as_same(x: Array, y: Array) -> tuple[int, int]:
    """In how many rows both are nearly, and in how many they are exactly, one number that hardly recurs by chance.

    That is one of many decimals, or of more than five digits that stands once in each column: prices and counts that
    many rows share, and what is carried over from the row before, are often the same without having been copied.
    """
    same, near = x == y, np.abs(x - y) <= NEAR * np.abs(x)
    numbers = x[same]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        step = 10.0 ** (np.floor(np.log10(np.abs(numbers))) - (DIGITS - 1))
        digits = np.abs(np.round(numbers / step) * step - numbers) > 1e-9 * np.abs(numbers)
    if digits.any():
        digits &= _stands_once(x)[same] & _stands_once(y)[same]
    hardly_by_chance = (np.round(numbers, FINE) != numbers) | digits
    few_decimals = np.round(x, FINE) == x
    return int((near & ~same & few_decimals).sum()), int(hardly_by_chance.sum())


def _stands_once(values: Array) -> NDArray[np.bool_]:
    _, places, times = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray(times[places.reshape(-1)] == 1)


def _mirrored(x: Array, y: Array) -> tuple[int, int, int]:
    """Of rows in which the first is far from zero, how many have about as much, less, and about minus as much."""
    far = np.abs(x) > x.std()
    times = y[far] / x[far]
    alike, less, minus = np.abs(times - 1) < 0.5, np.abs(times) <= 0.5, np.abs(times + 1) < 0.5
    return int(alike.sum()), int(less.sum()), int(minus.sum())


def _rounded(x: Array, y: Array) -> int:
    """How often the second is the first with fewer digits, or the first itself; 0 where it has as many.

    Halves may be rounded up, down or to even, and all numbers up or down; of few points, that may be as others rate.
    """
    for places in range(-MOST_ZEROS, FEW):
        if (np.round(y, places) == y).all():
            if (np.round(x, places) == x).all():
                return 0
            steps = (x - y) * 10.0**places
            ways = [np.rint(x * 10.0**places) * 10.0**-places == y, (steps >= -0.5) & (steps < 0.5)]
            ways += [(steps > -0.5) & (steps <= 0.5)]
            if len(np.unique(y)) > MOST_VALUES:
                ways += [(steps >= 0) & (steps < 1), (steps <= 0) & (steps > -1)]
            return max(int(way.sum()) for way in ways)
    return 0


def _of_two(x: NDArray[np.int64], y: NDArray[np.int64]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Rows in which both give one of the two commonest labels: where each gives the second."""
    times = np.bincount(np.r_[x, y][np.r_[x, y] >= 0], minlength=2)
    one, other = np.argsort(-times, kind="stable")[:2].tolist()
    known = ((x == one) | (x == other)) & ((y == one) | (y == other))
    return x[known] == other, y[known] == other


def _parts(x: NDArray[Entry], y: NDArray[Entry]) -> tuple[float, float]:
    """The least and the most correlation of a part of the rows, in standard errors of Fisher's z.

    The rows are cut into two, four and eight parts. What follows its own past counts as fewer rows (Bartlett 1935): two
    series that drift may rise together in one year, and apart in the next.
    """
    inside, signs = 1 - 1e-9, [np.zeros(0)]
    for parts in (PARTS // 4, PARTS // 2, PARTS):
        if (size := len(x) // parts) >= FEWEST:
            one, other = (side[: size * parts].reshape(parts, size).astype(np.float64) for side in (x, y))
            past = [correlation_of_stretches(side[:, :-1], side[:, 1:]) for side in (one, other)]
            drift = np.maximum(past[0] * past[1], 0.0)
            like = correlation_of_stretches(one, other).clip(-inside, inside)
            signs.append(np.arctanh(like) * np.sqrt(np.maximum(size * (1 - drift) / (1 + drift) - 3, 0.0)))
    every = np.concatenate(signs)
    return float(every.min(initial=math.inf)), float(every.max(initial=-math.inf))


def _coded(x: Array, y: Array) -> list[tuple[float, tuple[float, ...]]]:
    """Where the first is a code at its end, or the one value of many that is common: what the second is there."""
    ends = {float(x.min()), float(x.max())} & CODES
    values, times = np.unique(x, return_counts=True)
    if len(values) > MOST_VALUES and times.max() >= max(FEWEST_ALIKE, OFTEN * len(x)):
        ends.add(float(values[times.argmax()]))
    parts = [(code, y[x == code]) for code in sorted(ends)]
    return [(code, (float(len(part)), float(part.sum()), float(part @ part))) for code, part in parts]
