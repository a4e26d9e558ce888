"""Every exception adjudge raises on purpose.

AdjudgeError (a ValueError)
├── InputError          the table cannot be read or does not hold what was asked of it
│   ├── ColumnNotFound  a role names a column that is not there
│   └── BadValue        a column holds values its role cannot take
├── SettingError        an option or argument is out of its range
└── UnknownMetric       a metric's name cannot be read back

Each message says what must hold, what was found and what to do, in that order.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import SequenceMatcher, get_close_matches

# What makes an evaluation smaller.
LESS = "Ask for fewer slices, replicates or metrics, or join rare labels."
MOST_HELD = 2**28  # numbers held at once, 2 GiB
MOST_DRAWN = 2 * 10**10  # numbers drawn one after another, about ten minutes
MOST_SAID = 2_000  # characters of one message
HARDLY_FURTHER, LIKE_BEGINNING = 0.1, 4  # of a name that may be meant beside the nearest; letters that two begin with


class AdjudgeError(ValueError):
    """The root of the family: catch this to catch them all. Its message is one line of text that is safe to print.

    Of a message that is longer than a screen, which only values from outside make so, the middle is left out.
    """

    def __init__(self, message: object) -> None:
        said = str(message)
        if len(said) > MOST_SAID:
            said = f"{said[: 3 * MOST_SAID // 4]} … {said[-MOST_SAID // 4 :]}"
        super().__init__(printable(said))


class InputError(AdjudgeError):
    """The table cannot be read, or does not hold what was asked of it."""


class BadValue(InputError):
    """A column holds values that its role cannot take."""


class SettingError(AdjudgeError):
    """An option or an argument is outside what it may be."""


class ColumnNotFound(InputError):
    """A role names a column that the table does not have; `name` is the column's."""

    def __init__(self, role: str, name: str, columns: Iterable[str]) -> None:
        self.name, columns = name, list(columns)
        super().__init__(
            f"`{role}` must name a column of the table, but there is no column {quoted(name)}. "
            f"{did_you_mean(name, columns)}"
        )


class UnknownMetric(AdjudgeError):
    """A metric's name cannot be read back."""

    def __init__(self, name: str, known: Iterable[str], advice: str = "") -> None:
        super().__init__(f"There is no metric {quoted(name)}. {advice or did_you_mean(name, known)}")


def check_size(numbers: float, what: str, most: int = MOST_HELD) -> None:
    """Refuse work that is too large before it is begun.

    >>> check_size(1_000, "a few")
    """
    if numbers > most:
        raise SettingError(
            f"An evaluation must stay below {most:,} numbers at a time, but {what} are {int(numbers):,}. {LESS}"
        )


LONGEST = 10_000


def check_length(text: str, what: str) -> None:
    """Refuse a line that nobody has written: what is looked for in it takes long.

    >>> check_length("accuracy >= 0.9", "A requirement")
    """
    if len(text) > LONGEST:
        raise SettingError(f"{what} must have at most {LONGEST:,} characters, but one has {len(text):,}. Shorten it.")


@contextmanager
def within_memory(what: str) -> Iterator[None]:
    """The last net: memory that is not there is refused in a sentence; serves as a decorator, too."""
    try:
        yield
    except MemoryError:
        raise InputError(f"There must be enough memory, but there is not for {what}. {LESS}") from None


def check_choice(
    name: str, value: object, known: Collection[object], show: Callable[[object], str] | None = None
) -> None:
    """Refuse a setting that is none of the values it may have; `show` writes it, in quotation marks if left out.

    >>> check_choice("match", "strict", ["strict", "overlap"])
    """
    if not is_among(value, known):
        raise SettingError(f"`{name}` must be one of {listed(known)}, not {(show or quoted)(value)}.")


def is_among(value: object, known: Collection[object]) -> bool:
    """Whether a value is one of those that are known; what cannot be compared is none of them.

    >>> is_among("a", ["a", "b"]), is_among(["a"], {"a": 1})
    (True, False)
    """
    try:
        return value in known
    except Exception:  # a list is in no dictionary, an array is equal to nothing, and some refuse to be compared
        return False


def path_text(path: object) -> str:
    """The name of a file as text; a number, which Python would take for a file that is open, is none.

    >>> path_text("table.csv")
    'table.csv'
    """
    if not isinstance(path, (str, os.PathLike)):
        raise InputError(f"A file must be named by its path, not by {literal(path)}. Give the path as text.")
    return os.fsdecode(path)


def as_share(points: float) -> str:
    """How points are written where a share must be.

    >>> as_share(1), as_share(2.5)
    (' Write 0.01 for 1 point.', ' Write 0.025 for 2.5 points.')
    """
    return f" Write {points / 100:g} for {points:g} {'point' if points == 1 else 'points'}."


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """The advice at the end of a message about a name that is not known, or about what is no name at all.

    >>> did_you_mean("lable", ["label", "score"])
    'Did you mean "label"?'
    >>> did_you_mean("classify", ["classification", "cells"]), did_you_mean("refernce", ["reference", "confidence"])
    ('Did you mean "classification"?', 'Did you mean "reference"?')
    >>> did_you_mean("zzz", ["label", "score"])
    'There are: "label", "score".'
    >>> did_you_mean(0.5, ["label"])
    'There are: "label".'
    """
    known = list(known)
    folded = {candidate.casefold(): candidate for candidate in known}
    close = _close(name.casefold(), list(folded)) if isinstance(name, str) else []
    if close:
        return "Did you mean " + " or ".join(quoted(folded[c]) for c in close) + "?"
    if not known:
        return "There are none."
    return "There are: " + listed(known) + "."


def misspelled(name: str, known: Iterable[str]) -> bool:
    """Whether a name is hardly another than one that is known, and is none of these.

    >>> misspelled("langauge", ["language"]), misspelled("score", ["reference"])
    (True, False)
    """
    folded = [one.casefold() for one in known]
    return name not in known and bool(get_close_matches(name.casefold(), folded, n=1, cutoff=0.8))


def _close(name: str, known: Sequence[str]) -> list[str]:
    """The nearest names, and those that are hardly further; otherwise those that begin alike."""
    near = get_close_matches(name, known, n=3, cutoff=0.6)
    alike = [SequenceMatcher(None, one, name).ratio() for one in near]
    begin = [one for one in known if len(name) >= LIKE_BEGINNING and one.startswith(name[:LIKE_BEGINNING])]
    return [one for one, ratio in zip(near, alike, strict=True) if ratio >= alike[0] - HARDLY_FURTHER] or begin[:3]


def quoted(text: object) -> str:
    """A value as shown in a message: in double quotes, control characters visible, never longer than a line.

    >>> quoted("spam")
    '"spam"'
    """
    try:
        shown = str(text)
    except Exception:  # such as an integer of 5,000 digits, or lists in lists in lists
        return f"something of the type {type(text).__name__}"
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    return f'"{printable(shown)}"'


def literal(value: object) -> str:
    """A value in a message as Python writes it, never longer than a line.

    >>> literal("a"), literal(10**5000)
    ("'a'", 'something of the type int')
    """
    try:
        text = str(value) if type(value).__module__ == "datetime" else repr(value)
    except Exception:  # such as an integer of 5,000 digits, or lists in lists in lists
        text = ""
    return text if 0 < len(text) <= 60 and " at 0x" not in text else f"something of the type {type(value).__name__}"


def with_minus(value: float | None, form: str = "g") -> str:
    """A number as sentences and tables show it, with a true minus; a dash where there is none.

    >>> with_minus(-0.1), with_minus(0.25, "+.3f"), with_minus(-3e-9, ".3g")
    ('−0.1', '+0.250', '−3e−09')
    """
    return "–" if value is None else format(value, form).replace("-", "−")


def decimals_of(half: float) -> int:
    """How many decimals show two digits of half an interval, at most 6.

    >>> decimals_of(0.1), decimals_of(0.012), decimals_of(200)
    (2, 3, 0)
    """
    # The tiny factor keeps a half-width of 0.1 that arrives as 0.09999999999999998 at two decimals.
    return min(6, max(0, 1 - math.floor(math.log10(half * (1 + 1e-9)))))


def percent(share: float, places: int = 0) -> str:
    """A share as sentences say it.

    >>> percent(0.34), percent(0.9712, 1)
    ('34 %', '97.1 %')
    """
    return f"{100 * share:.{places}f} %"


def noted(*parts: str) -> str:
    """What is to be said beside a number, part by part; what is empty is left out.

    >>> noted("only 3 rows", "", "not paired")
    'only 3 rows; not paired'
    """
    return "; ".join(filter(None, parts))


def printable(text: str) -> str:
    r"""The same text in one line, with every character written out that would act on a terminal instead of being shown.

    >>> printable("a\x1b[31mb\u202e\n")
    'a\\x1b[31mb\\u202e\\n'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def listed(names: Iterable[object], most: int = 12) -> str:
    """Several values in a message, the first dozen.

    >>> listed(["a", "b"])
    '"a", "b"'
    """
    names = list(names)
    text = ", ".join(quoted(name) for name in names[:most]) or "none"
    return text if len(names) <= most else f"{text} and {len(names) - most} more"
