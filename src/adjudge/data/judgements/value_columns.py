"""Two columns of values, unit by unit: numbers, or labels as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.columns import Judgements
from adjudge.data.judgements.labels import Labels, labels_of
from adjudge.data.label_values import meet
from adjudge.errors import BadValue, SettingError

Column = NDArray[Any]  # float64, or objects that are text


@dataclass(frozen=True, slots=True)
class ValueColumns:
    """A reference and what stands beside it."""

    first: Column
    second: Column

    def __len__(self) -> int:
        return len(self.first)

    def of_rows(self, rows: NDArray[np.int64]) -> ValueColumns:
        """Some of the units."""
        return ValueColumns(self.first[rows], self.second[rows])

    @classmethod
    def of(cls, judgements: Judgements, column: str) -> ValueColumns:
        """The reference with a system's predictions, or with its lone score."""
        reference = _text(judgements.reference)
        if column == "prediction" and judgements.prediction is not None:
            return cls(reference, _text(judgements.prediction))
        if column == "score" and judgements.scores is not None and len(judgements.scores.categories) == 1:
            return cls(reference, judgements.scores.values[:, 0])
        raise SettingError(f"A metric of your own needs one {column} a row, but there is none. Give `{column}`.")

    @classmethod
    def of_arrays(cls, first: object, second: object) -> ValueColumns:
        """Two arrays of the same length, without missing values.

        >>> ValueColumns.of_arrays([1, 2], ["a", "b"]).second.tolist()
        ['a', 'b']
        """
        if second is None:
            raise SettingError("A metric of your own needs two arrays: the reference, and the prediction or score.")
        given = [_column(values, role) for values, role in ((first, "reference"), (second, "prediction"))]
        labels = [column for column in given if isinstance(column, Labels)]
        met = iter(meet(labels, *([0] if len(labels) < len(given) else []))[0])  # numbers are labels that are numbers
        columns = [_text(next(met)) if isinstance(column, Labels) else column for column in given]
        if len(columns[0]) != len(columns[1]):
            raise BadValue(
                f"`prediction` must be as long as `reference` ({len(columns[0])} rows), but it has {len(columns[1])}."
            )
        return cls(*columns)


def _text(labels: Labels) -> Column:
    return np.array(labels.categories, dtype=object)[labels.codes]


def _column(values: object, role: str) -> Column | Labels:
    array = np.asarray(values)
    if array.ndim != 1:
        raise BadValue(f"`{role}` must be a list of values, one for each row, but its shape is {array.shape}.")
    if array.dtype.kind not in "iuf":
        return labels_of(values, role)
    if not np.isfinite(array).all():
        raise BadValue(f"`{role}` must be finite numbers, but some are missing or infinite. Leave those rows out.")
    return array.astype(np.float64)
