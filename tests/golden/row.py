"""What a golden row is, and the published tables that several rows share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

EXACT = 1e-9


@dataclass(frozen=True)
class Row:
    """One golden value. `metric` is written as it prints, with its parameters."""

    metric: str
    reference: Any
    other: Any  # the prediction or the score; None when the reference is a matrix of ratings
    value: float
    source: str
    tolerance: float = EXACT
    weights: Any = None
    positive: Any = None
    categories: Any = None
    options: dict[str, Any] = field(default_factory=dict)  # how arrays are read


def labels_of_table(table: list[list[int]]) -> tuple[list[str], list[str]]:
    """The two label columns whose cross table this is; rows are the reference, labels are 1, 2, …"""
    pairs = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    return [str(1 + i) for i, _ in pairs], [str(1 + j) for _, j in pairs]


def ratings_of_digits(text: str) -> list[list[int | None]]:
    """One item for each word, one rating for each of its characters; a dot is a missing one."""
    return [[None if rating == "." else int(rating) for rating in item] for item in text.split()]


FORTY_ITEMS = labels_of_table([[31, 2], [1, 6]])
# Cohen 1960 and Agresti 1992 (p. 202, after Landis & Koch 1977): cells as in the tests of DKPro Statistics.
COHEN_P37 = labels_of_table([[25, 12, 3], [13, 2, 15], [12, 16, 2]])
COHEN_P45 = labels_of_table([[88, 14, 18], [10, 40, 10], [2, 6, 12]])
PATHOLOGISTS = labels_of_table([[22, 2, 2, 0], [5, 7, 14, 0], [0, 2, 36, 0], [0, 1, 17, 10]])
# The first as irrCAC 0.4.4 and its R vignette have it, the second as statsmodels' tests do.
ABSTRACTORS = labels_of_table([[13, 0, 0], [0, 20, 7], [0, 4, 56]])
SAS = labels_of_table([[0, 4, 1], [0, 8, 0], [0, 1, 5]])
