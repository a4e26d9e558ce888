"""Two arrays instead of a table, as other tools take them: what is true, and what was answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from adjudge.data.arrays import check_same_order
from adjudge.data.judgements.labels import number_in
from adjudge.errors import SettingError, listed

REFERENCE, ANSWER = "reference", "answer"


def table_of(
    reference: object, answers: object, labels: Sequence[object] | None = None
) -> tuple[dict[str, object], dict[str, object]]:
    """The columns and the roles of two arrays; answers in several columns are a score for each of the labels.

    >>> table_of([1, 0], [1, 1])[1]
    {'reference': 'reference', 'prediction': 'answer'}
    >>> table_of(["a", "b"], [[0.9, 0.1], [0.2, 0.8]], ["a", "b"])[1]["score"]
    {'a': 'score of a', 'b': 'score of b'}
    """
    check_same_order(reference, answers)
    true, given = array_of(reference), array_of(answers)
    if true.ndim != 1 or given.ndim not in (1, 2) or len(true) != len(given):
        sizes = " and ".join(" × ".join(map(str, one.shape)) or "one value" for one in (true, given))
        raise SettingError(f"Two arrays must have as many rows as each other, but they have {sizes}.")
    if given.ndim == 1:
        return {REFERENCE: reference, ANSWER: answers}, {"reference": REFERENCE, "prediction": ANSWER}
    names = [str(label) for label in (_in_order(true) if labels is None else labels)]
    if len(names) != given.shape[1] or len(set(names)) < len(names):
        raise SettingError(
            f"`labels` must name each of the {given.shape[1]} columns of scores, in their order, but they are "
            f"{listed(names)}."
        )
    columns = {f"score of {name}": given[:, place] for place, name in enumerate(names)}
    return {REFERENCE: reference} | columns, {"reference": REFERENCE, "score": dict(zip(names, columns, strict=True))}


def is_column(value: object) -> bool:
    """Whether something is a lone column of values, not a table or the name of one."""
    if isinstance(value, (str, bytes, Mapping)) or hasattr(value, "__fspath__") or hasattr(type(value), "columns"):
        return False
    return isinstance(value, (list, tuple, np.ndarray)) or hasattr(value, "to_numpy")


def array_of(values: object) -> NDArray[np.generic]:
    """A list, an array or a column of a frame as an array.

    >>> array_of([1, 2]).shape
    (2,)
    """
    try:
        return np.asarray(values.to_numpy() if hasattr(values, "to_numpy") else values)
    except Exception:  # rows of different lengths, and what a frame's library raises
        raise SettingError("The rows of an array must be of equal length, but some are not.") from None


def _in_order(true: NDArray[np.generic]) -> list[str]:
    """The labels as scikit-learn orders the columns of scores: numbers by their size, other labels as text."""
    labels = sorted({str(label) for label in true.tolist()})
    numbers = [number_in(label) for label in labels]
    return labels if None in numbers else sorted(labels, key=lambda label: number_in(label) or 0.0)
