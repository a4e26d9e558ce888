"""Whether answers go with the reference of another row, some rows before or after: facts that add."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from adjudge.data.adding import added_by_key
from adjudge.data.judgements.columns import Array

Entry = TypeVar("Entry", bound=np.generic)
FURTHEST = 20
LAGS = tuple(sign * rows for rows in range(1, FURTHEST + 1) for sign in (1, -1))  # of other rows than the own
FEWEST, PARTS, INSIDE = 20, 8, 1 - 1e-9
FEWEST_IN_PARTS = PARTS * max(FEWEST, FURTHEST)
# Of numbers, and of labels: how well own rows fit where nothing was moved, and how ill where something was.
FITS, MISSES = {False: 0.5, True: 0.7}, {False: 0.3, True: 0.6}
FAR, SURE = {False: 0.4, True: 0.3}, 5.5


def rows_apart(x: NDArray[Entry], y: NDArray[Entry], lag: int) -> tuple[NDArray[Entry], NDArray[Entry]]:
    """Each value of the first beside that of the second so many rows further on."""
    if lag == 0:
        return x, y
    return (x[:-lag], y[lag:]) if lag > 0 else (x[-lag:], y[:lag])


def correlation_of_rows(a: Array, b: Array) -> float:
    """Pearson's correlation; 0 of few rows, and where one does not vary."""
    if len(a) < FEWEST:
        return 0.0
    a, b = a - a.mean(), b - b.mean()
    spread = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / spread if np.isfinite(spread) and spread > 0 else 0.0


def correlation_of_stretches(a: Array, b: Array) -> Array:
    """The same of each row of two matrices, such as stretches of two columns; 0 where one does not vary.

    >>> correlation_of_stretches(np.array([[1.0, 2.0], [1.0, 1.0]]), np.array([[2.0, 1.0], [1.0, 2.0]])).tolist()
    [-1.0, 0.0]
    """
    a, b = (side - side.mean(1, keepdims=True) for side in (a, b))
    spread = np.sqrt(np.einsum("ij,ij->i", a, a) * np.einsum("ij,ij->i", b, b))
    varies = np.isfinite(spread) & (spread > 0)
    return np.where(varies, np.einsum("ij,ij->i", a, b) / np.where(varies, spread, 1.0), 0.0)


def error_of_change(own: float, other: float, rows: float, labels: bool) -> float:
    """Of the difference of two shares of rows, or two correlations by Fisher's z."""
    if labels:
        return math.sqrt((own * (1 - own) + other * (1 - other)) / rows)
    own, other = (max(-INSIDE, min(INSIDE, one)) for one in (own, other))
    apart = math.atanh(other) - math.atanh(own)
    return (other - own) / (apart / math.sqrt(2 / (rows - 3))) if apart else 0.0


@dataclass(frozen=True, slots=True)
class RowMoves:
    """How answers go with the rows around their own, where they do not go with this; adds. Of numbers the ranks count.

    >>> label = np.arange(200.0) ** 2 % 61 % 5
    >>> RowMoves.of(label, np.roll(label, 3), labels=True).best()
    (3, 1.0)
    """

    met: Mapping[int, float] = field(default_factory=dict)  # by lag: rows that agree, or rows times their correlation
    rows: Mapping[int, float] = field(default_factory=dict)
    itself: Mapping[int, float] = field(default_factory=dict)  # rows times how the first goes with its past
    parts: Mapping[int, int] = field(default_factory=dict)  # of rows that follow one another, by the lag that fits

    @classmethod
    def of(cls, x: Array, y: Array, *, labels: bool) -> RowMoves:
        """Of the rows of a block: labels by their codes, or numbers; -1 and NaN where there is none."""
        if len(x) < 2 * FURTHEST:
            return cls()
        whole, parts = (_Stretches.of(x, y, many, labels) for many in (1, PARTS))
        if whole.own[0] >= FITS[labels] and (parts.own >= FITS[labels]).all():
            return cls(parts={0: PARTS} if len(x) >= FEWEST_IN_PARTS else {})
        if not labels:  # one number far from all others says nothing
            ranks = _ranks(x), _ranks(y)
            whole, parts = (_Stretches.of(*ranks, many, labels) for many in (1, PARTS))
        moved = _moved_parts(parts, whole) if len(x) >= FEWEST_IN_PARTS else {}
        if whole.own[0] >= FITS[labels]:
            return cls(parts=moved)
        rows = {lag: float(whole.rows[0] * (len(x) - abs(lag)) / len(x)) for lag in LAGS}
        met = {lag: rows[lag] * float(like[0]) for lag, like in zip(LAGS, whole.likeness(LAGS), strict=True)}
        before = [lag for lag in LAGS if lag > 0]
        past = whole.with_itself(before)[:, 0].tolist()
        itself = {lag: rows[lag] * like for lag, like in zip(before, past, strict=True)}
        return cls(met, rows, itself, moved)

    def __add__(self, other: RowMoves) -> RowMoves:
        return RowMoves(
            added_by_key(self.met, other.met),
            added_by_key(self.rows, other.rows),
            added_by_key(self.itself, other.itself),
            dict(Counter(self.parts) + Counter(other.parts)),
        )

    def at(self, lag: int) -> float:
        """The share of rows that agree, or the correlation without its sign, that many rows apart."""
        return abs(self.met[lag]) / self.rows[lag] if self.rows.get(lag) else 0.0

    def persists(self, lag: int) -> float:
        """How the first goes with itself so many rows apart."""
        return abs(self.itself.get(lag, 0.0)) / self.rows[lag] if self.rows.get(lag) else 0.0

    def best(self) -> tuple[int, float]:
        """The lag that fits best, of two rows or more, and how well."""
        lag = max((lag for lag in self.rows if abs(lag) > 1), key=self.at, default=0)
        return lag, self.at(lag)


def _ranks(values: Array) -> Array:
    """Which place each number has among all, the middle one of those that are alike; NaN where there is none."""
    _, codes, times = np.unique(values, return_inverse=True, return_counts=True)
    ranks = np.cumsum(times) - times / 2
    return np.where(np.isfinite(values), ranks[codes.reshape(-1)], np.nan)


@dataclass(frozen=True, slots=True)
class _Stretches:
    """Two columns, cut into as many stretches of rows, (stretches, rows): codes, or numbers around their mean."""

    x: Array
    y: Array
    rows: Array  # in which both are known
    labels: bool

    @classmethod
    def of(cls, x: Array, y: Array, parts: int, labels: bool) -> _Stretches:
        size = len(x) // parts
        one, two = (side[: size * parts].reshape(parts, size) for side in (x, y))
        known = (one >= 0) & (two >= 0) if labels else np.isfinite(one + two)
        if labels:
            return cls(np.where(one >= 0, one, -2), two, known.sum(1).astype(np.float64), labels)
        return cls(_around_mean(one), _around_mean(two), known.sum(1).astype(np.float64), labels)

    @property
    def own(self) -> Array:
        """How well rows go with themselves."""
        own: Array = self.likeness((0,))[0]
        return own

    def likeness(self, lags: Sequence[int]) -> Array:
        """How well rows go with rows so far apart, (lags, stretches): the share that agree, or a correlation."""
        return _fits(self.x, self.y, self.rows, lags, self.labels)

    def with_itself(self, lags: Sequence[int]) -> Array:
        """How well the first column goes with itself so far apart, (lags, stretches)."""
        return _fits(self.x, self.x, self.rows, lags, self.labels)


def _fits(x: Array, y: Array, rows: Array, lags: Sequence[int], labels: bool) -> Array:
    size = x.shape[1]
    beside = [(x[:, : size - lag], y[:, lag:]) if lag >= 0 else (x[:, -lag:], y[:, : size + lag]) for lag in lags]
    share = np.maximum(1 - np.abs(np.array(lags))[:, None] / size, 1 / size)
    if labels:
        agree = np.stack([(a == b).sum(1) for a, b in beside])
        return np.asarray(np.minimum(agree / np.maximum(rows * share, 1.0), 1.0))
    spread = np.sqrt(np.einsum("ij,ij->i", x, x) * np.einsum("ij,ij->i", y, y))
    usable = np.isfinite(spread) & (spread > 0) & (rows >= FEWEST)
    met = np.stack([np.einsum("ij,ij->i", a, b) for a, b in beside])
    scaled = np.where(usable, met, 0.0) / np.where(usable, spread * share, 1.0)
    return scaled.clip(-1.0, 1.0)


def _around_mean(values: Array) -> Array:
    """Numbers without the mean of their row; 0 where there is none."""
    known = np.isfinite(values)
    mean = np.where(known, values, 0.0).sum(1, keepdims=True) / np.maximum(known.sum(1, keepdims=True), 1)
    return np.where(known, values - mean, 0.0)


def _moved_parts(parts: _Stretches, whole: _Stretches) -> dict[int, int]:
    """How many of some parts fit best in their own row, and in another.

    What follows its own past, as many series do, tells nothing: there a forecast fits the row before.
    """
    own, others, labels = parts.own, parts.likeness(LAGS), parts.labels
    lags: Counter[int] = Counter()
    for part, fit in enumerate(own.tolist()):
        best = int(others[:, part].argmax())
        like, rows = float(others[best, part]), float(parts.rows[part]) * (1 - abs(LAGS[best]) / parts.x.shape[1])
        moved = abs(fit) < MISSES[labels] and rows >= FEWEST and like > fit + FAR[labels]
        if fit >= FITS[labels]:
            lags[0] += 1
        elif moved and like - fit > SURE * error_of_change(fit, like, rows, labels):
            lags[LAGS[best]] += 1
    follows = {lag: float(whole.with_itself((1, lag))[:, 0].max()) for lag in lags}
    return {lag: n for lag, n in lags.items() if not lag or follows[lag] < MISSES[labels]}
