"""Columns that hold what was measured of each unit: times, costs, failures, answers to a questionnaire."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from adjudge.data.judgements.columns import Array, Rows, floats_of, refuse_beyond
from adjudge.errors import BadValue

Each = Callable[[Array], Array]


@dataclass(frozen=True, slots=True)
class MeasuredColumns:
    """One row of numbers for each unit; a unit with a number missing has no row that counts.

    >>> len(measured_columns([1.0, 2.0], [0, 1])), measured_columns([1.0, 2.0], [0, 1]).values.tolist()
    (2, [[1.0, 0.0], [2.0, 1.0]])
    """

    values: Array  # (units, columns)

    def __len__(self) -> int:
        return len(self.values)

    def of_rows(self, rows: Rows) -> MeasuredColumns:
        """Some of the units."""
        return MeasuredColumns(self.values[rows])


def measured_columns(first: object, second: object = None, each: Each | None = None) -> MeasuredColumns:
    """Numbers from arrays: a column or a matrix, and a column beside it. `each` makes of a unit's row what is counted.

    Without `each` every unit must have all its numbers; what works each unit out knows what gaps mean.
    """
    values = _matrix(first) if second is None else np.column_stack([_matrix(first), _same(second, len(_matrix(first)))])
    refuse_beyond(values, "Numbers")
    if np.isinf(values).any() or (each is None and np.isnan(values).any()):
        raise BadValue("Numbers must be finite, but some are missing or infinite. Leave those rows out first.")
    return MeasuredColumns(values if each is None else each(values))


def _same(second: object, rows: int) -> Array:
    values = _matrix(second)
    if len(values) != rows:
        raise BadValue(f"Columns must be as long as each other, but they have {rows} and {len(values)} rows.")
    return values


def _matrix(given: object) -> Array:
    if (values := floats_of(given)) is None:
        raise BadValue("Numbers must be in a list, or in rows of equal length, but some are not.")
    matrix = values[:, None] if values.ndim == 1 else values
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        raise BadValue(f"Numbers must be a list or a matrix of units × columns, but the shape is {values.shape}.")
    return matrix
