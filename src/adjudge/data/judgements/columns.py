"""Clean columns: what leaves the data room. No missing value, no stray text, every row complete."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from adjudge.data.codes import times_of_codes
from adjudge.data.foreign import unmasked
from adjudge.data.judgements.labels import Labels, ordered_labels
from adjudge.data.judgements.unit_losses import UnitLosses
from adjudge.data.order import Order
from adjudge.data.source import MOST_NUMBER, Places, code_type, in_bytes
from adjudge.data.worked_out import WorkedOut
from adjudge.errors import BadValue

Array = NDArray[np.float64]
Codes = NDArray[np.int64]
Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Scores:
    """A system's continuous output: one column for each of these categories, higher means more likely."""

    categories: tuple[str, ...]
    values: Array
    # (rows, categories, 3): where a row is a cell of several, the mean score, surprise and squared error of these
    inside: Array | None = None
    cut: float = math.inf  # from which on a lone score decides for its category
    order: Order | None = None  # which judgement each score is of, where those that are alike stand once

    def of_rows(self, rows: Rows) -> Scores:
        """Some of the rows."""
        inside = None if self.inside is None else self.inside[rows]
        return Scores(self.categories, self.values[rows], inside, self.cut)


@dataclass(frozen=True, slots=True)
class Judgements:
    """One system's answers against the reference, row by row."""

    reference: Labels
    prediction: Labels | None = None
    scores: Scores | None = None
    known: WorkedOut = field(default_factory=WorkedOut, repr=False, compare=False)  # what was worked out once

    @property
    def crossed(self) -> tuple[tuple[str, ...], Codes]:
        """All categories, and the cell of each row in a table of reference and prediction; worked out once."""
        return self.known.once("crossed", self._crossed)

    def _crossed(self) -> tuple[tuple[str, ...], Codes]:
        assert self.prediction is not None, "a confusion table needs predictions"
        categories = ordered_labels({*self.reference.categories, *self.prediction.categories})
        kind = code_type(len(categories) ** 2 + 1)
        cells = np.multiply(self.reference.recoded(categories).codes, len(categories), dtype=kind)
        cells += self.prediction.recoded(categories).codes.astype(kind, copy=False)
        return categories, cells

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the reference."""
        return self.reference.categories

    def __len__(self) -> int:
        return len(self.reference)

    def of_rows(self, rows: Rows) -> Judgements:
        """Some of the rows."""
        return Judgements(
            self.reference.of_rows(rows),
            None if self.prediction is None else self.prediction.of_rows(rows),
            None if self.scores is None else self.scores.of_rows(rows),
        )


@dataclass(frozen=True, slots=True)
class JointJudgements:
    """Several systems' answers to the same rows."""

    systems: tuple[Judgements, ...]
    names: Labels | None = None  # of rows

    def of_rows(self, rows: Rows) -> JointJudgements:
        """Some of the rows."""
        names = None if self.names is None else self.names.of_rows(rows)
        return JointJudgements(tuple(system.of_rows(rows) for system in self.systems), names)

    def unit_losses(self, cuts: Sequence[float]) -> UnitLosses:
        """1 where a system is wrong; a lone score without a prediction decides for its label from its cut on."""
        reference = self.systems[0].reference
        decided = [_decided(system, cut) for system, cut in zip(self.systems, cuts, strict=True)]
        every = {label: code for code, label in enumerate(dict.fromkeys(c for d in decided for c in d.categories))}
        answers = [np.array([every[label] for label in d.categories], dtype=np.int64)[d.codes] for d in decided]
        right = [
            np.array([every.get(label, -1) for label in reference.categories], dtype=np.int64)[reference.codes] == codes
            if system.prediction is not None or system.scores is None
            else (codes == every[system.scores.categories[0]]) == reference.are(system.scores.categories[0])
            for system, codes in zip(self.systems, answers, strict=True)
        ]
        labels = [reference, *decided]
        lone = [s.scores for s in self.systems if s.scores is not None and len(s.scores.categories) == 1]
        every_score = len(lone) == len(self.systems)
        return UnitLosses(
            1.0 - np.stack(right, axis=1),
            np.stack(answers, axis=1).astype(np.float64),
            reference,
            self.names,
            lambda unit, system: labels[system + 1].categories[labels[system + 1].codes[unit]],
            np.concatenate([one.values for one in lone], axis=1) if every_score else None,
            reference.are(lone[0].categories[0]) if every_score else None,
        )


def losses_at(cuts: Sequence[float], judgements: JointJudgements) -> UnitLosses:
    """What each system loses on each row, its score deciding from its cut on."""
    return judgements.unit_losses(cuts)


def _decided(system: Judgements, cut: float) -> Labels:
    """What a system says of each row."""
    if system.prediction is not None:
        return system.prediction
    assert system.scores is not None, "a system has a prediction or a score"
    (positive,) = system.scores.categories
    others = [label for label in system.reference.categories if label != positive]
    rest = others[0] if len(others) == 1 else f"not {positive}"
    return Labels((system.scores.values[:, 0] < cut).astype(np.int64), (positive, rest))


def plain_numbers(values: object, role: str) -> Array:
    """An array of numbers, as what a role holds; refused where some are none."""
    if (numbers := floats_of(values)) is None:
        raise BadValue(f"`{role}` must be numbers, but some of its values are not.")
    return numbers


def floats_of(values: object) -> Array | None:
    """Whatever holds numbers, in rows of equal length, as an array; None where some are none.

    >>> floats_of([1, None]), floats_of(["a"])
    (array([ 1., nan]), None)
    """
    try:
        given = np.asarray(unmasked(values))
        return None if given.dtype.kind in "cmM" else np.asarray(given, dtype=np.float64)
    except Exception:  # texts, rows of different lengths, numbers beyond any float, and what a frame's library raises
        return None


def checked_weights(weights: Sequence[float] | Array | None, rows: int) -> Array | None:
    """Case weights as floats: one for each row, none negative, not all zero.

    >>> checked_weights([1, 2], 2)
    array([1., 2.])
    """
    if weights is None:
        return None
    values = plain_numbers(weights, "weights")
    if values.shape != (rows,):
        raise BadValue(f"`weights` must hold one number for each of the {rows} rows, but its shape is {values.shape}.")
    if not np.isfinite(values).all():
        raise BadValue("`weights` must be finite numbers, but some are missing or infinite. Leave those rows out.")
    if (values < 0).any():
        raise BadValue(f"`weights` must not be negative, but the smallest is {values.min():g}.")
    if rows and not values.any():
        raise BadValue("`weights` must not all be zero: no row would count.")
    return values


def refuse_beyond(values: Array, what: str) -> None:
    """Refuse numbers that are too large to calculate with.

    >>> refuse_beyond(np.array([1e60]), "Ratings")
    Traceback (most recent call last):
    adjudge.errors.BadValue: Ratings must lie within ±1e+50, but there is 1e+60. Divide all by one number.
    """
    beyond = np.abs(values) > MOST_NUMBER
    if beyond.any():
        raise BadValue(
            f"{what} must lie within ±{MOST_NUMBER:g}, but there is {values[beyond][0]:g}. Divide all by one number."
        )


def checked_scores(score: object, rows: int) -> Array:
    """Scores as a (rows, columns) array of finite floats."""
    numbers = plain_numbers(score, "score")
    values = numbers[:, None] if numbers.ndim == 1 else numbers
    if values.ndim != 2 or len(values) != rows:
        raise BadValue(f"`score` must hold one value for each of the {rows} rows, but its shape is {numbers.shape}.")
    if not np.isfinite(values).all():
        raise BadValue("`score` must be finite numbers, but some are missing or infinite. Leave those rows out first.")
    return values


# Whole numbers that lie so close are counted in a table; sorting all would cost more.
MOST_WHOLE = 2**12


def distinct_numbers(values: Array, whole: NDArray[np.int8] | None = None) -> tuple[Array, NDArray[np.int64]]:
    """The distinct numbers, rising, and how often each stands; `whole` are these in a byte each, where that is known.

    >>> [of.tolist() for of in distinct_numbers(np.array([3.0, 1.0, 3.0]))]
    [[1.0, 3.0], [1, 2]]
    """
    every = values if whole is None else whole
    low, high = (float(every.min()), float(every.max())) if len(every) else (np.inf, -np.inf)
    if 0 <= high - low <= MOST_WHOLE and low == np.rint(low):
        if whole is None and low >= -128 and high <= 127:
            whole = in_bytes(values)
        if whole is not None and high - low <= 127:  # so far lies each from the lowest
            return _counted(whole - np.int8(low), low, high)
        steps = (values - low).astype(code_type(int(high - low) + 1))
        if (np.add(steps, low, dtype=np.float64) == values).all():
            return _counted(steps, low, high)
    distinct, counts = np.unique(values, return_counts=True)
    return distinct, np.asarray(counts, dtype=np.int64)


def _counted(steps: Places, low: float, high: float) -> tuple[Array, NDArray[np.int64]]:
    """The same of whole numbers, by how far each lies from the lowest."""
    times = times_of_codes(steps, int(high - low) + 1)
    used = np.flatnonzero(times)
    return np.asarray(used + low, dtype=np.float64), np.asarray(times[used], dtype=np.int64)
