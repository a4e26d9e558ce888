"""Ratings that are sets of labels: each distinct set becomes a category, written as text and read back.

>>> set_text({"b", "a"}), sorted(labels_in("{a, b}")), set_text([])
('{a, b}', ['a', 'b'], '{}')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.data.arrays import rows_in
from adjudge.data.judgements.labels import label_text, ordered_labels
from adjudge.data.judgements.ratings import Ratings
from adjudge.data.label_values import called, kinds_of, meeting_of
from adjudge.data.nested import NESTED, is_missing, nested_in
from adjudge.data.source import Text
from adjudge.errors import BadValue, listed, quoted

Array = NDArray[np.float64]
_GROUPS = (Set, list, tuple, np.ndarray)
SEPARATOR = "|"
# Labels are parted by a comma and a blank; a backslash keeps a comma, a brace or a backslash of a label.
_ESCAPED = re.compile(r"([\\,{}])")
_LABEL = re.compile(r"(?:\\.|[^\\,])+", re.DOTALL)


def set_text(labels: Iterable[object]) -> str:
    """A set of labels as one category."""
    texts = ordered_labels(map(_label, labels))
    if "" in texts:
        raise BadValue("A label in a set must not be empty text. Leave it out of the set.")
    return "{" + ", ".join(_ESCAPED.sub(r"\\\1", text) for text in texts) + "}"


def _label(value: object) -> str:
    return value if type(value) is str else label_text(value)


def labels_in(category: str) -> frozenset[str]:
    """The labels of a category; one that is not written as a set is a set of itself."""
    if not (category.startswith("{") and category.endswith("}")):
        return frozenset([category])
    labels = _LABEL.findall(category[1:-1])
    parts = [part if place == 0 else part.removeprefix(" ") for place, part in enumerate(labels)]
    return frozenset(re.sub(r"\\(.)", r"\1", part, flags=re.DOTALL) for part in parts)


def labels_of_cell(text: str, separator: str = SEPARATOR) -> list[object]:
    """The labels that one cell of a table holds: a list in JSON or in Python's writing, or text cut at a separator.

    Blanks around a label do not count, and nothing between two separators is no label: "", "|" and "[]" are the
    empty set.

    >>> labels_of_cell("joy | fear"), labels_of_cell('["joy", "fear"]'), labels_of_cell("|")
    (['joy', 'fear'], ['joy', 'fear'], [])
    """
    members = nested_in(text)
    if members is None:
        return [label for part in text.split(separator) if (label := part.strip())]
    if members and (isinstance(members, dict) or any(isinstance(one, NESTED) or is_missing(one) for one in members)):
        raise BadValue(
            f"A set must be a list of labels, but {quoted(text)} was found. Give a column that holds labels alone."
        )
    return list(members)


@dataclass(frozen=True, slots=True)
class SetCells:
    """How cells of a table are read as sets of labels."""

    separator: str = SEPARATOR

    def sets_of(self, text: Text, meeting: str) -> tuple[Text, frozenset[str]]:
        """A column of cells as a column of sets, and which kinds of labels are in them.

        Cells that hold the same labels become one.
        """
        place: dict[str, int] = {}
        cells = [[_label(one) for one in labels_of_cell(cell, self.separator)] for cell in text.labels]
        sets = (set_text(called(label, meeting) for label in labels) for labels in cells)
        codes = [place.setdefault(one, len(place)) for one in sets]
        kinds = kinds_of({label for labels in cells for label in labels})
        return Text(np.array([*codes, -1], dtype=np.int64)[text.codes], tuple(place)), kinds


def set_ratings_of(first: object, second: object = None) -> Ratings:
    """Ratings from a matrix of items × raters that holds sets of labels, or from two raters' lists of sets.

    None and NaN are not rated; the empty set is a rating. A lone label is a set of one.

    >>> ratings = set_ratings_of([[{"a"}, {"a", "b"}], [set(), None]])
    >>> ratings.categories, ratings.codes.tolist()
    (('{a, b}', '{a}', '{}'), [[1, 0], [2, -1]])
    """
    rows = rows_in(first if second is None else _both(first, second), "Sets of labels")
    if len(sizes := {len(row) for row in rows}) > 1:
        raise BadValue(f"Every item must have a place for every rater, but rows have {listed(sorted(sizes))} of them.")
    sets = [[_labels(cell, item) for cell in row] for item, row in enumerate(rows)]
    meeting = meeting_of(kinds_of({label for row in sets for one in row for label in one or ()}))
    texts = [
        [None if one is None else set_text(called(label, meeting) for label in one) for one in row] for row in sets
    ]
    categories = ordered_labels(text for row in texts for text in row if text is not None)
    place: dict[str | None, int] = {category: code for code, category in enumerate(categories)}
    raters = len(rows[0]) if rows else 0
    codes = np.array([[place.get(text, -1) for text in row] for row in texts], dtype=np.int64)
    return Ratings(codes.reshape(len(rows), raters), categories, tuple(str(r + 1) for r in range(raters)))


def members(categories: tuple[str, ...]) -> tuple[tuple[str, ...], Array]:
    """The labels that occur in any of the sets, and which set holds which, (sets, labels)."""
    sets = [labels_in(category) for category in categories]
    labels = ordered_labels({label for one in sets for label in one})
    place = {label: code for code, label in enumerate(labels)}
    held = np.zeros((len(sets), len(labels)))
    for row, one in enumerate(sets):
        held[row, [place[label] for label in one]] = 1.0
    return labels, held


def _both(*raters: object) -> Iterable[tuple[object, object]]:
    first, second = rows_in(raters, "Sets of labels")
    if len(first) != len(second):
        raise BadValue(
            f"Raters must have rated the same list of items, but the lists have "
            f"{listed([len(first), len(second)])} entries."
        )
    return zip(first, second, strict=True)


def _labels(cell: object, item: int) -> list[str] | None:
    if cell is None or (isinstance(cell, float) and np.isnan(cell)):
        return None
    if isinstance(cell, _GROUPS):
        return [_label(one) for one in cell]
    if hasattr(cell, "__iter__") and not isinstance(cell, str):
        raise BadValue(f"A rating must be a set of labels, but item {item + 1} has {quoted(cell)}.")
    return [_label(cell)]
