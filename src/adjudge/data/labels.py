"""Labels as codes with their categories, kept as text exactly as written."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Labels:
    """One column of labels: a code for each row and the categories the codes stand for."""

    codes: Codes
    categories: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.codes)

    def of_rows(self, rows: NDArray[np.int64]) -> Labels:
        """Some of the rows, with the same categories."""
        return Labels(self.codes[rows], self.categories)

    def recoded(self, categories: tuple[str, ...]) -> Labels:
        """The same labels with codes into other categories, which must contain the used ones."""
        return self if categories == self.categories else Labels(positions(self.categories, categories)[self.codes], categories)

    def are(self, category: str) -> NDArray[np.bool_]:
        """Which rows have this label."""
        if category not in self.categories:
            return np.zeros(len(self.codes), dtype=np.bool_)
        return np.asarray(self.codes == self.categories.index(category))


def labels_of(values: Sequence[object] | NDArray[Any]) -> Labels:
    """Labels from any sequence of values, categories in their natural order.

    >>> labels_of(["b", "a", "b"])
    Labels(codes=array([1, 0, 1]), categories=('a', 'b'))
    """
    plain = values.tolist() if isinstance(values, np.ndarray) else list(values)
    distinct = dict.fromkeys(plain)
    text = {value: label_text(value) for value in distinct}
    categories = ordered(text.values())
    code = {category: position for position, category in enumerate(categories)}
    code_of_value = {value: code[text[value]] for value in distinct}
    return Labels(np.array([code_of_value[value] for value in plain], dtype=np.int64), categories)


def label_text(value: object) -> str:
    """A typed value as a label: whole numbers without a decimal point, everything else as Python prints it.

    >>> label_text(1.0), label_text("01"), label_text(True)
    ('1', '01', 'True')
    """
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def ordered(categories: Iterable[str]) -> tuple[str, ...]:
    """Distinct categories in their natural order: by value when all are numbers, by text otherwise.

    >>> ordered(["10", "9", "9"]), ordered(["b", "a", "10"])
    (('9', '10'), ('10', 'a', 'b'))
    """
    distinct = set(categories)
    values = {category: number_in(category) for category in distinct}
    if all(value is not None for value in values.values()):
        return tuple(sorted(distinct, key=lambda category: (values[category], category)))
    return tuple(sorted(distinct))


def number_in(category: str) -> float | None:
    """The finite number a label spells, if it spells one."""
    try:
        value = float(category)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def positions(categories: tuple[str, ...], among: tuple[str, ...]) -> Codes:
    """Where each of the categories stands among others; -1 where it does not."""
    place = {category: position for position, category in enumerate(among)}
    return np.array([place.get(category, -1) for category in categories], dtype=np.int64)
