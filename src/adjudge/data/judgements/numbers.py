"""Two columns of numbers, row by row: what was measured and what a system said it would be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from adjudge.data.judgements.columns import Array, Rows, plain_numbers, refuse_beyond
from adjudge.data.keys import Keys
from adjudge.errors import BadValue, SettingError


@dataclass(frozen=True, slots=True)
class PredictedNumbers:
    """The reference and one system's prediction; lower and upper are the ends of its prediction intervals, if any.

    `clusters` says which rows belong together, where they do.

    >>> numbers = PredictedNumbers(np.array([1.0, 2.0]), np.array([1.5, 2.0]))
    >>> len(numbers), numbers.errors.tolist()
    (2, [0.5, 0.0])
    """

    reference: Array
    prediction: Array
    lower: Array | None = None
    upper: Array | None = None
    clusters: Keys | None = None

    def __len__(self) -> int:
        return len(self.reference)

    @property
    def errors(self) -> Array:
        """Prediction less reference: above 0 where too much was predicted."""
        return self.prediction - self.reference

    @property
    def residuals(self) -> Array:
        """Reference less prediction: what the prediction leaves over."""
        return self.reference - self.prediction

    def of_rows(self, rows: Rows) -> PredictedNumbers:
        """Some of the rows."""
        lower, upper = (None if bound is None else bound[rows] for bound in (self.lower, self.upper))
        clusters = None if self.clusters is None else self.clusters[rows]
        return PredictedNumbers(self.reference[rows], self.prediction[rows], lower, upper, clusters)


@dataclass(frozen=True, slots=True)
class NumbersTogether:
    """The reference and what several systems predicted, without prediction intervals."""

    reference: Array
    predictions: tuple[Array, ...]

    def __len__(self) -> int:
        return len(self.reference)

    @property
    def each(self) -> tuple[PredictedNumbers, ...]:
        """Each system beside the reference."""
        return tuple(PredictedNumbers(self.reference, prediction) for prediction in self.predictions)

    def of_rows(self, rows: Rows) -> NumbersTogether:
        """Some of the rows."""
        return NumbersTogether(self.reference[rows], tuple(one[rows] for one in self.predictions))


def predicted_numbers(reference: object, prediction: object) -> PredictedNumbers:
    """Numbers from arrays. Two columns of predictions are the ends of intervals, three a prediction and the ends.

    The prediction of a row that has the ends alone is their middle.

    >>> predicted_numbers([1, 2], [[0, 4], [2, 3]]).prediction.tolist()
    [2.0, 2.5]
    """
    if prediction is None:
        raise SettingError("This metric needs two arrays of numbers: the reference and the prediction.")
    truth, answer = (_finite(values, role) for values, role in ((reference, "reference"), (prediction, "prediction")))
    if truth.ndim != 1:
        raise BadValue(f"`reference` must be one number for each row, but its shape is {truth.shape}.")
    if len(answer) != len(truth):
        raise BadValue(f"`prediction` must be as long as `reference` ({len(truth)} rows), but it has {len(answer)}.")
    if answer.ndim == 1:
        return PredictedNumbers(truth, answer)
    if answer.ndim != 2 or answer.shape[1] not in (2, 3):
        raise BadValue(
            "`prediction` must be one number for each row, or two columns (lower, upper) or three (prediction, lower, "
            f"upper), but its shape is {answer.shape}."
        )
    *given, lower, upper = answer.T
    return PredictedNumbers(truth, given[0] if given else lower + (upper - lower) / 2, lower, upper)


def _finite(values: object, role: str) -> Array:
    numbers = plain_numbers(values, role)
    if numbers.ndim == 0:
        raise BadValue(f"`{role}` must be one number for each row, but it is a single value.")
    if not np.isfinite(numbers).all():
        raise BadValue(
            f"`{role}` must be finite numbers, but some are missing or infinite. Leave those rows out first."
        )
    refuse_beyond(numbers, f"`{role}`")
    return numbers
