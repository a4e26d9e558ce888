"""Labels that are compared meet by value: where all of them are numbers, 1, "1" and "1.0" are one label.

What a label is called depends on the labels of the whole table, and reading has no memory. So a reading supposes that
all labels are numbers, or all booleans (`BY_VALUE`), and gathers which kinds of labels there are as facts, which add.
Where these say otherwise in the end (`meeting_of`), the table is read again, as they say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import Field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeVar

import numpy as np

from adjudge.data.judgements.labels import Labels, folded_case, label_text, ordered_labels
from adjudge.data.source import Text
from adjudge.data.values import BOOLEANS
from adjudge.errors import BadValue, listed

if TYPE_CHECKING:
    from adjudge.data.facts import Facts

# How labels meet: by the value of numbers, and of booleans; by value where there are both; or only if written alike.
BY_VALUE, AS_NUMBERS, AS_WRITTEN = "by value", "as numbers", "as written"
# Kinds of labels; and that some label is called otherwise than it is written, if it meets by value.
NUMBER, BOOLEAN, WORD, RENAMED = "number", "boolean", "word", "renamed"
KINDS = "kinds"  # the fact

# A number as programs write it: "01" and "1,5" are words, and so is what no computer number is as long as.
_NUMBER = re.compile(r"[+-]?(?:0|[1-9][0-9]{0,39})(?:\.[0-9]{1,40})?(?:[eE][+-]?[0-9]{1,3})?")
_PLAIN = re.compile(r"0|-?[1-9][0-9]{0,15}")
_BOOLEANS = {word: str(value) for word, value in BOOLEANS.items()}
# What a lone score speaks of when nobody says: the second of one of these pairs.
USUAL_POSITIVES = (("0", "1"), ("False", "True"), ("false", "true"), ("no", "yes"), ("No", "Yes"))
_MOST_DIGITS = 24  # whole numbers up to so many are written out


class ReadsLabels(Protocol):
    """A reading of labels: a frozen dataclass that says how they meet."""

    __dataclass_fields__: ClassVar[dict[str, Field[object]]]  # what `replace` takes

    @property
    def meeting(self) -> str:
        """How labels are held against one another."""
        ...


Reads = TypeVar("Reads", bound=ReadsLabels)


def kind_of(label: str) -> str:
    """What a label spells.

    >>> [kind_of(label) for label in ("1", "-0.50", "1e-05", "true", "01", "1,5", "nan")]
    ['number', 'number', 'number', 'boolean', 'word', 'word', 'word']
    """
    if label in _BOOLEANS:
        return BOOLEAN
    return NUMBER if _NUMBER.fullmatch(label.strip(" \t")) else WORD


def called(label: str, meeting: str = BY_VALUE) -> str:
    """What a label is called where labels meet so: equal values are called alike.

    >>> [called(label) for label in ("1.0", "-0.50", "true", "01", "1e3")]
    ['1', '-0.5', 'True', '01', '1000']
    >>> called("true", AS_NUMBERS), called("1.0", AS_WRITTEN)
    ('1', '1.0')
    """
    if meeting == AS_WRITTEN or _PLAIN.fullmatch(label):
        return label
    if label in _BOOLEANS:
        truth = _BOOLEANS[label]
        return truth if meeting == BY_VALUE else str(int(truth == "True"))
    number = label.strip(" \t")
    return _number_text(number) if _NUMBER.fullmatch(number) else label


def _number_text(text: str) -> str:
    """A number as Python writes it, without a fraction of zeros; exact, however many digits it has."""
    exact = Decimal(text)
    if not exact:
        return "0"
    if exact.adjusted() < _MOST_DIGITS and exact == exact.to_integral_value():
        return str(int(exact))
    short = repr(float(text))
    if Decimal(short) == exact:
        return short.removesuffix(".0")
    sign, digits, exponent = exact.as_tuple()
    written = "".join(map(str, digits))
    kept = written.rstrip("0")
    return f"{'-' * sign}{kept}e{int(exponent) + len(written) - len(kept)}"


def kinds_of(labels: Iterable[str]) -> frozenset[str]:
    """Which kinds of labels there are, and whether some are renamed by value.

    >>> sorted(kinds_of(["1", "2.0"])), sorted(kinds_of(["1", "a"]))
    (['number', 'renamed'], ['number', 'word'])
    """
    by_label = {label: kind_of(label) for label in labels}
    is_renamed = any(kind != WORD and called(label) != label for label, kind in by_label.items())
    return frozenset([*by_label.values(), *([RENAMED] if is_renamed else [])])


def meeting_of(kinds: Iterable[str]) -> str:
    """How labels of these kinds meet.

    >>> meeting_of(["number"]), meeting_of(["number", "boolean"]), meeting_of(["number", "renamed", "word"])
    ('by value', 'as numbers', 'as written')
    """
    kinds = set(kinds)
    if WORD in kinds:
        # Nothing is lost by value where nothing is renamed.
        return AS_WRITTEN if RENAMED in kinds else BY_VALUE
    return AS_NUMBERS if {NUMBER, BOOLEAN} <= kinds else BY_VALUE


def settled_values(reading: Reads, facts: Facts) -> Reads:
    """The same reading of labels, as the kinds of all labels ask for."""
    meeting = meeting_of(facts.seen.get(KINDS, ()))
    return reading if meeting == reading.meeting else replace(reading, meeting=meeting)


def renamed(text: Text, meeting: str) -> Text:
    """A column of labels as they are called.

    >>> renamed(Text(np.array([0, 1, -1]), ("1", "1.0")), BY_VALUE)
    Text(codes=array([ 0,  0, -1]), labels=('1',))
    """
    names = tuple(called(label, meeting) for label in text.labels)
    if names == text.labels:
        return text
    place: dict[str, int] = {}
    codes = [place.setdefault(name, len(place)) for name in names]
    return Text(np.array([*codes, -1], dtype=np.int64)[text.codes], tuple(place))


def texts_called(*texts: Text) -> tuple[Text, ...]:
    """Columns of labels that are held against one another, as they are called together.

    >>> one, other = texts_called(Text(np.array([0, 1]), ("1", "0")), Text(np.array([0, 1]), ("True", "False")))
    >>> one.labels, other.labels
    (('1', '0'), ('1', '0'))
    """
    meeting = meeting_of(kinds_of(label for text in texts for label in text.labels))
    return tuple(renamed(text, meeting) for text in texts)


def meet(columns: Sequence[Labels], *names: object) -> tuple[list[Labels], str]:
    """Columns of labels that are compared, as they are called together, and how they met.

    `names` are labels that were given beside them, such as those of a scale.
    """
    meeting = meeting_of(kinds_of([*(c for labels in columns for c in labels.categories), *map(label_text, names)]))
    together = [labels_called(labels, meeting) for labels in columns]
    return [labels.recoded(ordered_labels(labels.categories)) for labels in together], meeting


def labels_called(labels: Labels, meeting: str) -> Labels:
    """Labels as they are called."""
    text = renamed(Text(labels.codes, labels.categories), meeting)
    return Labels(text.codes, text.labels)


def among(value: object, categories: Sequence[str]) -> str:
    """The label a value names among others: written as it is, or of the same value; its own text if there is none.

    >>> among(1.0, ("0", "1")), among("true", ("False", "True")), among(True, ("0", "1")), among("01", ("0", "1"))
    ('1', 'True', '1', '01')
    """
    text = label_text(value)
    names = (text, *(called(text, meeting) for meeting in (BY_VALUE, AS_NUMBERS)))
    return next((name for name in names if name in categories), text)


def cannot_meet(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether no label is common though they should be: they differ in writing, or numbers stand against words.

    >>> cannot_meet(["Spam"], ["spam"]), cannot_meet(["0", "1"], ["no", "yes"]), cannot_meet(["a"], ["b"])
    (True, True, False)
    """
    if set(ours) & set(theirs) or not ours or not theirs:
        return False
    if {folded_case(label) for label in ours} & {folded_case(label) for label in theirs}:
        return True
    first, second = ({kind_of(label) == NUMBER for label in labels} for labels in (ours, theirs))
    return len(first) == len(second) == 1 and first != second


def refuse_strangers(ours: Sequence[str], theirs: Sequence[str]) -> None:
    """Refuse labels that cannot meet, though they should: accuracy could only be 0."""
    if cannot_meet(ours, theirs):
        raise BadValue(
            f"Labels that are compared must be written alike, but none of {listed(ours, 3)} is among "
            f"{listed(theirs, 3)}. Spell them the same way."
        )


def usual_positive(labels: Iterable[str]) -> str | None:
    """What a score most likely speaks of, among these labels; None where that is anybody's guess.

    >>> usual_positive(["no"]), usual_positive(["cat", "dog"])
    ('yes', None)
    """
    return next((pair[1] for pair in USUAL_POSITIVES if set(labels) <= set(pair)), None)
