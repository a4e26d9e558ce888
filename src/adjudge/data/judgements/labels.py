"""Labels as codes with their categories, kept as text exactly as written."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from adjudge.data.decode import text_of
from adjudge.data.source import code_type
from adjudge.errors import BadValue, quoted

Codes = NDArray[np.int64]
_DASHES = re.compile(r"\s*[-‐‑‒–—−]\s*")
# What programs and people write where nothing is known.
MISSING_WORDS = frozenset(
    [
        *("na", "n/a", "n.a.", "nan", "null", "none", "nil", "missing", "undefined", "?", ".", "", "<na>", "(blank)"),
        *("-", "--", "---", "todo", "tbd", "[object object]", "unlabeled", "unlabelled", "not labeled", "not labelled"),
        *("unannotated", "not annotated", "unrated", "not rated"),
        *("k.a.", "k. a.", "keine angabe", "keine angaben", "fehlt", "fehlend", "manquant", "non renseigné"),
        *("sin datos", "mancante", "não informado", "brak danych"),
        *("#n/a", "#value!", "#ref!", "#div/0!", "#num!", "#name?", "#null!"),  # of a spreadsheet
        *("#nv", "#wert!", "#bezug!", "#zahl!", "#valeur!", "#nombre!", "#nom?", "#n/d", "#¡valor!", "#¡ref!"),
    ]
)


@dataclass(frozen=True, slots=True)
class Labels:
    """One column of labels: a code for each row and the categories the codes stand for."""

    codes: Codes
    categories: tuple[str, ...]
    times: NDArray[np.int64] | None = field(default=None, repr=False, compare=False)  # of each category, where counted

    def __len__(self) -> int:
        return len(self.codes)

    def of_rows(self, rows: NDArray[np.int64]) -> Labels:
        """Some of the rows, with the same categories."""
        return Labels(self.codes[rows], self.categories)

    def recoded(self, categories: tuple[str, ...]) -> Labels:
        """The same labels with codes into other categories, which must contain the used ones."""
        if categories == self.categories:
            return self
        kind = np.promote_types(self.codes.dtype, code_type(len(categories)))
        return Labels(positions(self.categories, categories).astype(kind)[self.codes], categories)

    def are(self, category: str) -> NDArray[np.bool_]:
        """Which rows have this label."""
        if category not in self.categories:
            return np.zeros(len(self.codes), dtype=np.bool_)
        return np.asarray(self.codes == self.categories.index(category))


def labels_of(values: object, role: str) -> Labels:
    """Labels from any sequence of values, categories in their natural order; none may be missing.

    >>> labels_of(["b", "a", "b"], "reference")
    Labels(codes=array([1, 0, 1]), categories=('a', 'b'))
    """
    if (shape := getattr(values, "shape", ())) and len(shape) != 1:
        raise BadValue(f"`{role}` must be one label for each row, but its shape is {shape}.")
    text = text_of(values, role)
    if (text.codes < 0).any():
        raise BadValue(
            f"`{role}` must not have missing values here, but {int((text.codes < 0).sum())} are missing. "
            "Leave those rows out, or use adjudge.evaluate, which counts them."
        )
    used = tuple(text.labels[code] for code in np.flatnonzero(np.bincount(text.codes, minlength=1)))
    return Labels(text.codes.astype(np.int64, copy=False), text.labels).recoded(ordered_labels(used))


def label_text(value: object) -> str:
    """A typed value as a label, by the rule that columns follow.

    >>> label_text(1.0), label_text("01"), label_text(True)
    ('1', '01', 'True')
    """
    labels = text_of([value], "label").labels
    if not labels:
        raise BadValue(f"A label must be a value, but {quoted(value)} is none. Leave it out, or name it.")
    return labels[0]


def ordered_labels(categories: Iterable[str]) -> tuple[str, ...]:
    """Distinct categories in their natural order: by value when all are numbers, by text otherwise.

    >>> ordered_labels(["10", "9", "9"]), ordered_labels(["b", "a", "10"])
    (('9', '10'), ('10', 'a', 'b'))
    """
    distinct = set(categories)
    values = {category: number_in(category) for category in distinct}
    if all(value is not None for value in values.values()):
        return tuple(sorted(distinct, key=lambda category: (values[category], category)))
    return tuple(sorted(distinct))


def number_in(category: str) -> float | None:
    """The finite number a label spells, if it spells one. Python reads more: 1_2 as 12, and digits of other scripts.

    >>> number_in("1.50"), number_in("1_2"), number_in("nan")
    (1.5, None, None)
    """
    if "_" in category or not category.isascii():
        return None
    try:
        value = float(category)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def positions(categories: tuple[str, ...], among: tuple[str, ...]) -> Codes:
    """Where each of the categories stands among others; -1 where it does not."""
    place = {category: position for position, category in enumerate(among)}
    return np.array([place.get(category, -1) for category in categories], dtype=np.int64)


def folded_case(label: str) -> str:
    """What is left of a label without case, blanks around it and its dashes, and the form of a number.

    >>> folded_case(" Spam") == folded_case("spam"), folded_case("01") == folded_case("1.0")
    (True, True)
    >>> folded_case("18 – 25")
    '18-25'
    """
    text = _DASHES.sub("-", unicodedata.normalize("NFKC", label).casefold().strip())
    number = number_in(text)
    # Beyond 2^53 whole numbers that differ are one float: ids of 64 bits and more are told apart as they are written.
    return text if number is None or abs(number) > 2**53 else repr(number + 0.0)
