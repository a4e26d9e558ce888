"""What the columns of a table hold, from its first rows: enough to guess what each is for, and to show it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

from adjudge.data.judgements.labels import MISSING_WORDS, number_in
from adjudge.data.judgements.votes import WORDS, A, B
from adjudge.data.source import Source, Text
from adjudge.errors import printable

LOOKED_AT = 20_000  # rows
FEW = 20  # distinct values of what is surely a label
MOST_LABELS = 100
LONGEST = 64  # characters of what still names something
# Numbers with a comma before decimals; before three digits it may part thousands, so some must have fewer or more.
COMMA, DECIMALS = re.compile(r"\s*[+-]?\d+(,\d+)?\s*"), re.compile(r",(\d{1,2}|\d{4,})\s*$")


@dataclass(frozen=True, slots=True)
class Profile:
    """One column: its distinct values, the most frequent first, and how many rows have one."""

    name: str
    rows: int
    values: tuple[str, ...]
    present: int
    numbers: tuple[float, ...] | None  # the distinct values as numbers, where all spell one
    commas: bool = False  # whether they are written with decimal commas
    codes: np.ndarray | None = field(default=None, repr=False, compare=False)  # which value each row has, -1 for none

    @property
    def distinct(self) -> int:
        """How many values there are."""
        return len(self.values)

    @property
    def whole(self) -> bool:
        """Whether all are whole numbers."""
        return self.numbers is not None and all(number == int(number) for number in self.numbers)

    @property
    def holds(self) -> frozenset[str]:
        """What the values could be, in the words of `Likeness`."""
        kinds = {
            "labels": self._labels,
            "keys": 1 < self.distinct < self.present and self.distinct > self.present / 50,
            "numbers": self.numbers is not None and self.distinct > 2 and not self._row_numbers,
            "amounts": self.numbers is not None and min(self.numbers, default=-1.0) >= 0,
            "continuous": self.numbers is not None and self.distinct > FEW and not self._row_numbers,
            "scores": self.numbers is not None and self.distinct > 2 and not self._consecutive,
            "grades": self.whole and 3 <= self.distinct <= FEW,
            "relevance": self.whole and 2 <= self.distinct <= FEW and min(self.numbers or (0.0,)) >= 0,
            "two": self.distinct == 2,
            "votes": self._votes,
            "ids": self._ids,
            "few labels": 1 <= self.distinct <= FEW and (self.numbers is None or self.whole),
            "repeated": 2 <= self.distinct < self.present,
            "levels": 2 <= self.distinct <= FEW and self.distinct * 5 <= self.present,
            "anything": self.present > 0,
        }
        return frozenset(kind for kind, true in kinds.items() if true)

    def differs_within(self, other: Profile) -> bool:
        """Whether rows of one value of another column have different values here, as ratings of one item do."""
        if self.codes is None or other.codes is None:
            return False
        pairs = np.unique(np.stack([other.codes, self.codes])[:, (other.codes >= 0) & (self.codes >= 0)], axis=1)
        return bool(pairs.shape[1] > np.unique(pairs[0]).size)

    @property
    def _labels(self) -> bool:
        few = 2 <= self.distinct <= MOST_LABELS and self.distinct * 2 <= self.present
        return few and (self.numbers is None or self.whole)

    @property
    def _votes(self) -> bool:
        """Choices between two answers; "a" and "b" alone may be labels of anything."""
        words = {value.strip().casefold() for value in self.values}
        return words <= set(WORDS) and {A, B} <= {WORDS[word] for word in words} and not words <= {"a", "b"}

    @property
    def _consecutive(self) -> bool:
        """Row numbers, in short."""
        return self.whole and self.distinct == self.present > FEW

    @property
    def _row_numbers(self) -> bool:
        """Each whole number between two ends once: nothing that was measured."""
        numbers = self.numbers or (0.0,)
        return self._consecutive and max(numbers) - min(numbers) == self.distinct - 1

    @property
    def _ids(self) -> bool:
        short = max(map(len, self.values), default=0) <= LONGEST
        return self.distinct == self.present == self.rows and short and (self.numbers is None or self.whole)

    @property
    def described(self) -> str:
        """What there is, in a few words: numbers with their ends, or labels with the first of them.

        >>> Profile("y", 4, ("ham", "spam"), 4, None).described
        '2 values: ham, spam'
        """
        if not self.present:
            return "empty"
        if self.numbers is not None and self.distinct > FEW:
            low, high = min(self.numbers), max(self.numbers)
            text = f"{self.distinct:,} numbers, {low:g} to {high:g}"
        else:
            shown = ", ".join(printable(value if len(value) <= 24 else f"{value[:21]}...") for value in self.values[:3])
            all_different = self.distinct == self.present > FEW
            count = "all different" if all_different else f"{self.distinct:,} value{'s' * (self.distinct != 1)}"
            text = f"{count}: {shown}{' …' if self.distinct > 3 else ''}"
        return f"{text}; {self.rows - self.present:,} missing" if self.present < self.rows else text


def profiles_of(source: Source) -> tuple[Profile, ...]:
    """Every column, from the first rows.

    >>> from adjudge.data.source import open_source
    >>> [profile.described for profile in profiles_of(open_source({"y": ["a", "b", "a"], "n": [1, 2, None]}))]
    ['2 values: a, b', '2 values: 1, 2; 1 missing']
    """
    names = source.column_names
    batch = next(iter(source.batches(names, (), LOOKED_AT)), None)
    if batch is None:
        return tuple(Profile(name, 0, (), 0, ()) for name in names)
    return tuple(_profile(name, batch.columns[name]) for name in names)


def _profile(name: str, column: object) -> Profile:
    assert isinstance(column, Text)
    counts = np.bincount(column.codes[column.codes >= 0], minlength=len(column.labels))
    order = [place for place in np.argsort(-counts, kind="stable").tolist() if counts[place]]
    values = tuple(column.labels[place] for place in order if column.labels[place].strip())
    present = int(sum(int(counts[place]) for place in order if column.labels[place].strip()))
    given = [value for value in values if value.strip().casefold() not in MISSING_WORDS]
    commas = bool(given) and all(map(COMMA.fullmatch, given)) and any(map(DECIMALS.search, given))
    spelled = {value: value.replace(",", ".") if commas else value for value in values}
    numbers = {value: number for value in values if (number := number_in(spelled[value])) is not None}
    if not numbers or any(value not in numbers for value in given):
        return Profile(name, len(column.codes), values, present, None, codes=column.codes)
    present = sum(int(counts[place]) for place in order if column.labels[place] in numbers)
    return Profile(name, len(column.codes), tuple(numbers), present, tuple(numbers.values()), commas, column.codes)
