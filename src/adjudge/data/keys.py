"""A 64-bit key for each unit, the same wherever and whenever the unit is met."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import overload
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.uint64]
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def mixed(bits: Keys) -> Keys:
    """Scramble 64-bit words so that neighbours have nothing in common (the finaliser of SplitMix64)."""
    bits = bits + GOLDEN
    bits ^= bits >> np.uint64(30)
    bits *= np.uint64(0xBF58476D1CE4E5B9)
    bits ^= bits >> np.uint64(27)
    bits *= np.uint64(0x94D049BB133111EB)
    bits ^= bits >> np.uint64(31)
    return bits


def keys_of_rows(start: int, stop: int) -> Keys:
    """Unit keys when a unit is a row: its position in the table."""
    return mixed(np.arange(start, stop, dtype=np.uint64))


@dataclass(frozen=True, slots=True)
class RowKeys:
    """Keys of rows by their positions, worked out when they are asked for: few statistics draw row by row.

    >>> np.array_equal(np.asarray(RowKeys(5, np.array([0, 2]))), keys_of_rows(5, 8)[[0, 2]])
    True
    """

    first_row: int
    rows: NDArray[np.int64]  # from there on

    def __len__(self) -> int:
        return len(self.rows)

    def __array__(self, dtype: object = None, copy: bool | None = None) -> Keys:
        return mixed(self.rows.astype(np.uint64) + np.uint64(self.first_row))

    @property
    def two(self) -> Keys:
        """The first and the last; one of one."""
        return np.asarray(RowKeys(self.first_row, self.rows[[0, -1]] if len(self.rows) > 1 else self.rows))


def keys_of_labels(labels: tuple[str, ...]) -> Keys:
    """Unit keys when a unit is named: an id or a cluster.

    >>> keys_of_labels(("a", "b")).dtype
    dtype('uint64')
    """
    digests = b"".join([blake2b(label.encode("utf-8", "surrogatepass"), digest_size=8).digest() for label in labels])
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64)


def quick_keys(labels: Iterable[str]) -> Keys:
    """Keys that are made in a tenth of the time, of which two in four thousand million meet: to count, not to draw.

    >>> len(set(quick_keys(["a", "b", "a"]).tolist()))
    2
    """
    sums = [crc32(label.encode("utf-8", "surrogatepass")) for label in labels]
    return mixed(np.array(sums, dtype=np.uint64))


@dataclass(frozen=True, slots=True)
class RowNames(Sequence[str]):
    """What rows are called that have no name: by their numbers, made when they are asked for.

    >>> list(RowNames(5, np.array([0, 2])))
    ['row 6', 'row 8']
    """

    first_row: int
    rows: NDArray[np.int64]  # from there on

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> RowNames: ...

    def __getitem__(self, place: int | slice) -> str | RowNames:
        if isinstance(place, slice):
            return RowNames(self.first_row, self.rows[place])
        return f"row {self.first_row + int(self.rows[place]) + 1}"


@dataclass(frozen=True, slots=True)
class NameKeys:
    """Keys of named units, worked out when they are asked for: few statistics draw unit by unit.

    >>> np.array_equal(np.asarray(NameKeys(("a", "b"))), keys_of_labels(("a", "b")))
    True
    """

    names: Sequence[str]

    def __len__(self) -> int:
        return len(self.names)

    def __array__(self, dtype: object = None, copy: bool | None = None) -> Keys:
        return keys_of_labels(tuple(self.names))

    @property
    def two(self) -> Keys:
        """Those of the first and the last; one of one."""
        places = sorted({0, len(self.names) - 1}) if len(self.names) else []
        return keys_of_labels(tuple(self.names[place] for place in places))


# Of many keys, so many of the least tell how many there are, within a few percent.
KEPT = 1_024


def keys_of_numbers(values: NDArray[np.float64]) -> Keys:
    """A key for each number, equal for equal numbers."""
    return mixed((np.ascontiguousarray(values) + 0.0).view(np.uint64))


def digest_of(units: Keys, *answers: Keys) -> int:
    """A number that tells the answers to these units from others, and adds over rows."""
    keys = units
    for answer in answers:
        keys = mixed(keys ^ answer)
    return int(keys.sum(dtype=np.uint64))


def fewest_keys(keys: Keys) -> Keys:
    """The least distinct keys, which add: those of two parts together are the least of both.

    >>> len(fewest_keys(keys_of_rows(0, 5_000)))
    1024
    """
    return np.unique(_least(keys))[:KEPT]


def _least(keys: Keys) -> Keys:
    """The least keys with all their copies, as many as hold those that are kept: sorting all would cost more."""
    if len(keys) <= 8 * KEPT:
        return keys
    least = keys[keys <= np.partition(keys, 4 * KEPT)[4 * KEPT]]
    return least if len(np.unique(least)) >= KEPT else keys


@dataclass(frozen=True, slots=True)
class Twins:
    """How often rows stand more than once, from the rows with the least keys; adds.

    >>> rows = Twins.of(np.array([3, 5, 3], dtype=np.uint64))
    >>> rows.again, (rows + rows).again
    (1, 4)
    """

    keys: Keys
    times: NDArray[np.int64]

    @classmethod
    def of(cls, keys: Keys) -> Twins:
        """Of the rows that have these keys."""
        if not len(keys):
            return cls(np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int64))
        distinct, times = np.unique(_least(keys), return_counts=True)
        return cls(distinct[:KEPT], times[:KEPT])

    def __add__(self, other: Twins) -> Twins:
        if not (len(self.keys) and len(other.keys)):
            return self if len(self.keys) else other
        both = np.concatenate([self.keys, other.keys])
        order = np.argsort(both, kind="stable")  # each is in order already, so this only merges
        both, times = both[order], np.concatenate([self.times, other.times])[order]
        first = np.flatnonzero(np.append(True, both[1:] != both[:-1]))
        return Twins(both[first][:KEPT], np.add.reduceat(times, first)[:KEPT])

    def up_to(self, times: int) -> Twins:
        """Those that stand at most so often."""
        return Twins(self.keys[self.times <= times], self.times[self.times <= times])

    @property
    def rows(self) -> int:
        """How many rows were looked at."""
        return int(self.times.sum())

    @property
    def again(self) -> int:
        """How many of them repeat another."""
        return self.rows - len(self.keys)


def keys_of_fine_rows(
    numbers: Sequence[NDArray[np.float64]], answers: Iterable[Callable[[NDArray[np.int64]], Keys]] = ()
) -> Keys | None:
    """A key for each row with a number of so many decimals that none is met twice by chance; None if these are few.

    Rows whose numbers, and other answers (each gives the keys of some rows), are all equal have the same key. Its upper
    half is a plain product of the numbers, so that of many rows only those are looked at whose keys are the least: a
    few more than are kept, and four times as many where some of these are alike or not fine.
    """
    answers = tuple(answers)
    half = np.uint64(32)
    for most in (KEPT + KEPT // 4, 4 * KEPT):
        some, leading = _least_leading(numbers, most)
        fine = np.zeros(len(some), dtype=np.bool_)
        for column in numbers:
            fine |= np.round(column[some], 9) != column[some]
        few, count = most < 4 * KEPT and len(some) < len(numbers[0]), int(fine.sum())
        if few and (count < KEPT or 2 * count <= len(fine)):
            continue
        if 2 * count <= len(fine):
            return None
        keys = np.zeros(count, dtype=np.uint64)
        for key in (*(keys_of_numbers(number[some[fine]]) for number in numbers), *(of(some[fine]) for of in answers)):
            keys = mixed(keys ^ key)
        keys = (leading[fine] >> half << half) | (keys >> half)
        # Below the largest product that was looked at, no row is left out.
        below = np.sort(keys[keys >> half < leading.max() >> half])
        if not few or np.count_nonzero(below[1:] != below[:-1]) >= KEPT:
            return keys
    raise AssertionError("the last time all that are looked at are taken")


# Rows are looked at so many at a time: what is worked out for them then stays in fast memory.
PART = 2**15


def _least_leading(numbers: Sequence[NDArray[np.float64]], most: int) -> tuple[NDArray[np.int64], Keys]:
    """The rows whose products of numbers are the least, as many as are asked for, and these products."""
    rows = len(numbers[0])
    # Products are spread evenly as a rule: few rows are below this, and enough to hold the least.
    below = np.uint64(2**64 - 1) if rows <= 2 * most else np.uint64(2**64 // rows * most // 4 * 5)
    while True:
        parts = [_leading_below(numbers, start, below) for start in range(0, rows, PART)]
        some = np.concatenate([place for place, _ in parts]) if parts else np.zeros(0, dtype=np.int64)
        leading = np.concatenate([product for _, product in parts]) if parts else np.zeros(0, dtype=np.uint64)
        if rows <= 2 * most or len(some) > most:
            break
        below = np.uint64(2**64 - 1)
    if rows <= 2 * most:
        return some, leading
    least = leading <= np.partition(leading, most)[most]
    return some[least], leading[least]


def _leading_below(numbers: Sequence[NDArray[np.float64]], start: int, below: np.uint64) -> tuple[object, Keys]:
    leading: Keys = (numbers[0][start : start + PART] + 0.0).view(np.uint64)
    leading *= GOLDEN
    for column in numbers[1:]:
        leading ^= (column[start : start + PART] + 0.0).view(np.uint64)
        leading *= GOLDEN
    few = np.flatnonzero(leading <= below)
    return few + start, leading[few]


def distinct_of(keys: Keys) -> float:
    """How many distinct keys there were, from the least of them (Bar-Yossef et al. 2002).

    >>> distinct_of(fewest_keys(keys_of_rows(0, 10))), round(distinct_of(fewest_keys(keys_of_rows(0, 9_000))), -3)
    (10.0, 9000.0)
    """
    return float(len(keys)) if len(keys) < KEPT else (KEPT - 1) / ((float(keys[-1]) + 1) / 2.0**64)
