"""Answers that are numbers, written as text."""

from __future__ import annotations

from adjudge.data.formats.base import NOTHING, RaterAnswers
from adjudge.data.judgements.labels import number_in


def as_number(text: object) -> object:
    """The number that a text spells, whole where it is; other text as it is.

    >>> as_number("5"), as_number("2.5"), as_number("Warm")
    (5, 2.5, 'Warm')
    """
    value = number_in(text) if isinstance(text, str) else None
    if value is None:
        return text
    return int(value) if float(value).is_integer() else float(value)


def numbers_where_all(judgements: RaterAnswers) -> tuple[RaterAnswers, str | None]:
    """The answers as numbers, where all of them are, and the level of measurement that follows."""
    known = [answer for _, answer in judgements.answers.values() if answer is not NOTHING]
    if not known or not all(isinstance(as_number(answer), (int, float)) for answer in known):
        return judgements, None
    judgements.answers = {
        key: (time, answer if answer is NOTHING else as_number(answer))
        for key, (time, answer) in judgements.answers.items()
    }
    return judgements, "ordinal"
