"""What a column of numbers, or of a few values, holds: facts that add, from which mistakes are told."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.columns import Array
from adjudge.data.judgements.labels import number_in
from adjudge.data.source import Text

# Numbers that stand for nothing where they stand apart from all others.
CODES = frozenset(
    [
        *(0.0, -1.0, -32768.0, 32767.0, 65535.0, -2147483648.0, 2147483647.0),  # the ends of what machines count to
        *(-(2.0**63), 2.0**63, -(2.0**128 - 2.0**104), 2.0**128 - 2.0**104),  # what becomes of a gap there, and of maps
        *(sign * float("9" * digits) for digits in range(1, 10) for sign in (-1, 1)),
        *(sign * (10.0**digits - less) for digits in (2, 3, 4) for less in (0.1, 0.01) for sign in (-1, 1)),  # 999.9
        *(float(end * digits) for digits in (2, 3, 4) for end in ("7", "8")),  # of questionnaires
        *(10.0**digits - less for digits in (2, 3, 4) for less in (2, 3, 4)),
    ]
)
MOST_VALUES, MOST_LABELS = 40, 1_000  # different ones that are counted
NEIGHBOURS, LARGE = 5, 70  # how near codes of one question are, where they are as large
TAIL = 8  # rows at the end that may be figures of all others
NO_EDGES = (math.nan, math.nan)
# Rows of the first block, and of later ones, of which values, pairs and neighbours are looked at: of each of the first
# blocks, then of one block in so many.
LOOKED_AT, LATER, SPARSE = 2**13, 2**10, 2**3


def rows_looked_at(block: int) -> int:
    """Of how many rows of the block with this number values, pairs and neighbours are looked at.

    >>> [rows_looked_at(block) for block in (0, 1, 7, 8, 9, 16)]
    [8192, 1024, 1024, 1024, 0, 1024]
    """
    return LOOKED_AT if block == 0 else LATER if block < SPARSE or block % SPARSE == 0 else 0


Value = TypeVar("Value", str, float)


@dataclass(frozen=True, slots=True)
class ValueCounts(Generic[Value]):
    """How often each value stands, where there are few; adds.

    >>> (ValueCounts({"a": 2}) + ValueCounts({"a": 1, "b": 1})).counts
    {'a': 3, 'b': 1}
    """

    counts: Mapping[Value, int] | None = field(default_factory=dict)  # None: there are more

    @staticmethod
    def of_numbers(values: Array) -> ValueCounts[float]:
        """Of numbers, none missing."""
        distinct, times = np.unique(values, return_counts=True)
        few = len(distinct) <= MOST_VALUES
        return ValueCounts(dict(zip(distinct.tolist(), times.tolist(), strict=True)) if few else None)

    @staticmethod
    def of_text(text: Text, times: NDArray[np.int64] | None = None) -> ValueCounts[str]:
        """Of labels, where each row may stand for several."""
        known = slice(None) if text.codes.min(initial=0) >= 0 else text.codes >= 0
        weights = None if times is None else times[known]
        uses = np.bincount(text.codes[known], weights, minlength=len(text.labels)).astype(np.int64)
        used = np.flatnonzero(uses).tolist()
        few = len(used) <= MOST_LABELS
        return ValueCounts(dict(sorted((text.labels[code], int(uses[code])) for code in used)) if few else None)

    def __add__(self, other: ValueCounts[Value]) -> ValueCounts[Value]:
        if self.counts is None or other.counts is None:
            return ValueCounts(None)
        both = dict(Counter(self.counts) + Counter(other.counts))
        most = MOST_LABELS if any(isinstance(value, str) for value in both) else MOST_VALUES
        return ValueCounts(both if len(both) <= most else None)

    @property
    def numbers(self) -> dict[float, int]:
        """How often each number stands; none where a value is no number, or there are too many."""
        values = {
            value if isinstance(value, float) else number_in(value): n for value, n in (self.counts or {}).items()
        }
        return {} if None in values else {float(value): n for value, n in values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class NumberColumn:
    """Where numbers lie, how they follow one another, and what stands apart; adds in the order of the table.

    >>> one, two = (NumberColumn.of(np.array(values)) for values in ([1.0, 2.0], [3.0, 99.0]))
    >>> (one + two).ends, (one + two).codes, (one + two).steps
    ((1.0, 3.0), Counter({99.0: 1}), False)
    """

    rows: int = 0  # finite numbers
    others: int = 0  # rows without one
    total: float = 0.0
    largest: float = 0.0  # how far from zero numbers lie, but for the last row
    edges: tuple[float, float] = NO_EDGES  # the first row and the last
    steps: bool = False  # whether every number is one more than the one before
    rises: bool = False  # whether none is below the one before
    ends: tuple[float, float] = (math.inf, -math.inf)  # the least and the most, without codes beyond them
    codes: Mapping[float, int] = field(default_factory=dict)  # how often codes stand there
    looked: int = 0  # of so many the following
    fractions: int = 0  # that are neither whole nor half
    values: ValueCounts[float] = field(default_factory=ValueCounts)
    tail: tuple[float, ...] = ()  # the last rows

    @classmethod
    def of(cls, values: Array, looked_at: int = LOOKED_AT, ends: tuple[float, float] | None = None) -> NumberColumn:
        """Of the rows of a block, NaN where there is no number; some of them are looked at more closely.

        `ends` are the least and the largest where somebody knows them, not finite where any number is not.
        """
        if not len(values):
            return cls()
        least, most = (float(values.min()), float(values.max())) if ends is None else ends
        known = values if math.isfinite(most - least) else values[np.isfinite(values)]
        edges = (float(values[0]), float(values[-1]))
        if not len(known):
            return cls(others=len(values), edges=edges, tail=tuple(values[-TAIL:].tolist()))
        complete = len(known) == len(values)
        inner, codes = _without_codes(known, (least, most) if complete else _ends(known))
        first = known[:looked_at]
        inner_last = complete and least < edges[1] < most
        return cls(
            rows=len(known),
            others=len(values) - len(known),
            total=float(known.sum()),
            largest=max(-least, most) if inner_last else _largest(known[:-1] if np.isfinite(values[-1]) else known),
            edges=edges,
            steps=complete and _always(known, lambda change: change == 1),
            rises=complete and _always(known, lambda change: change >= 0),
            ends=inner,
            codes=codes,
            looked=len(first),
            fractions=int((first * 2 % 1 != 0).sum()),
            values=ValueCounts.of_numbers(first),
            tail=tuple(values[-TAIL:].tolist()),
        )

    @classmethod
    def counted(cls, values: Mapping[float, int]) -> NumberColumn:
        """Of values that are counted, in no order."""
        every = np.array(sorted(values))
        ends, codes = _without_codes(every, _ends(every))
        counted = ValueCounts(values if len(values) <= MOST_VALUES else None)
        return cls(rows=sum(values.values()), ends=ends, codes={code: values[code] for code in codes}, values=counted)

    def __add__(self, other: NumberColumn) -> NumberColumn:
        if not (self.rows or self.others) or not (other.rows or other.others):
            return other if not (self.rows or self.others) else self
        change, last = other.edges[0] - self.edges[1], abs(self.edges[1])
        return NumberColumn(
            self.rows + other.rows,
            self.others + other.others,
            self.total + other.total,
            max(self.largest, last if math.isfinite(last) else 0.0, other.largest),
            (self.edges[0], other.edges[1]),
            self.steps and other.steps and change == 1,
            self.rises and other.rises and change >= 0,
            (min(self.ends[0], other.ends[0]), max(self.ends[1], other.ends[1])),
            Counter(self.codes) + Counter(other.codes),
            self.looked + other.looked,
            self.fractions + other.fractions,
            self.values + other.values,
            (*self.tail, *other.tail)[-TAIL:],
        )

    @property
    def outer_codes(self) -> dict[float, int]:
        """The codes that lie beyond all other numbers, with how often they stand."""
        return {code: n for code, n in self.codes.items() if not self.ends[0] <= code <= self.ends[1]}

    @property
    def far_codes(self) -> dict[float, float]:
        """Those further from all others than these are from one another, the outermost first: how many times as far."""
        inner, far = dict(self.outer_codes), {}
        while inner:
            apart = {code: self._apart(code, inner) for code in (min(inner), max(inner))}
            code = max(apart, key=apart.__getitem__)
            if not apart[code] > 1:
                break
            far[code] = apart[code]
            del inner[code]
        return far

    def _apart(self, code: float, codes: Mapping[float, int]) -> float:
        # 98 and 99 stand side by side, and both for nothing.
        apart = (one for one in codes if one != code and (abs(one - code) > NEIGHBOURS or abs(code) < LARGE))
        others = [end for end in (*self.ends, *apart) if math.isfinite(end)]
        if not others or min(others) < code < max(others):
            return 0.0
        width, gap = max(others) - min(others), min(abs(code - end) for end in others)
        width = width or max(map(abs, others))  # of one other value, how far it is from zero
        return gap / width if width else 0.0


def _largest(values: Array) -> float:
    return max(-float(values.min()), float(values.max())) if len(values) else 0.0


def _always(known: Array, holds: Callable[[Array], NDArray[np.bool_]]) -> bool:
    """Whether something holds of every change from one row to the next; the first rows tell as a rule."""
    return bool(holds(np.diff(known[:100])).all()) and bool(holds(np.diff(known)).all())


NO_ENDS = (math.inf, -math.inf)


def _ends(known: Array) -> tuple[float, float]:
    """The least and the largest, which there need not be."""
    return (float(known.min()), float(known.max())) if len(known) else NO_ENDS


def _without_codes(known: Array, ends: tuple[float, float]) -> tuple[tuple[float, float], dict[float, int]]:
    """The ends of the numbers without codes at either of them, and how many of each code there are."""
    codes: dict[float, int] = {}
    while outer := [end for end in set(ends) if end in CODES]:
        for code in outer:
            codes[code] = int((known == code).sum())
            known = known[known != code]
        ends = _ends(known)
    return ends, codes
