"""One value as a label or as a number: how each is written, which stand for nothing, and how long texts are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from numbers import Number

import numpy as np
from numpy.typing import NDArray

from adjudge.data.foreign import unreadable
from adjudge.data.nested import NESTED, nested, nested_text
from adjudge.errors import InputError, quoted

# Spelled out so that Python's `re` and Arrow's RE2 agree: no \d (Unicode digits), no (?i) (dotless i).
NUMBER = (
    r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
    r"|[iI][nN][fF](?:[iI][nN][iI][tT][yY])?|[nN][aA][nN])"
)
_NUMBER = re.compile(NUMBER)
# Truth values as programs write them: a file must say what a frame does.
BOOLEANS = {word: word in ("True", "true", "TRUE") for word in ("True", "true", "TRUE", "False", "false", "FALSE")}
# Python writes and reads integers of at most 4,300 digits; here they stop a little earlier.
MOST_DIGITS = 4_000
_TOO_LONG = 10**MOST_DIGITS
_CAN_BE_NAN = (float, np.floating, Decimal, datetime, timedelta, np.datetime64, np.timedelta64)


def label_written(value: object, column: str) -> str | None:
    """How one value is written as a label; None where it is missing."""
    if isinstance(value, str):
        return str.__str__(value)
    if _is_missing(value):
        return None
    if isinstance(value, float | np.floating):
        # `str` rather than `float`, which shows a 32-bit 0.1 as 0.10000000149011612; + 0 because -0.0 is 0.
        return str(value + 0).removesuffix(".0")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, bytes):
        return _decoded(value, column)
    if isinstance(value, NESTED):
        return nested_text(value, column)
    if isinstance(value, int) and abs(value) >= _TOO_LONG:
        return str(Decimal(value))
    try:
        return str(value)
    except Exception as error:  # it may be of a caller's own kind
        raise unreadable(column, error) from error


def encodable(value: object) -> object:
    r"""The same, with half characters (which no file can hold) written out as escapes; so in lists and dictionaries.

    >>> encodable({"\ud800": ["a", 1]})
    {'\\ud800': ['a', 1]}
    """
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {encodable(key): encodable(part) for key, part in value.items()}
    return [encodable(part) for part in value] if isinstance(value, (list, tuple)) else value


def whole_in(digits: str) -> int | str:
    """The whole number that digits write; more of them than Python converts stay as they are.

    >>> whole_in("12"), len(whole_in("9" * 5000))
    (12, 5000)
    """
    return int(digits) if len(digits) <= MOST_DIGITS else digits


def number_written(value: object, column: str) -> tuple[float, bool]:
    """The number one value holds, and whether it holds something that is not a number; what is true is 1.

    >>> number_written("1e3", "ms"), number_written("TRUE", "done"), number_written("yes", "done")
    ((1000.0, False), (1.0, False), (nan, True))
    """
    if isinstance(value, bytes):
        value = _decoded(value, column)
    if isinstance(value, str):
        shown = value.strip()
        if shown in BOOLEANS:
            return float(BOOLEANS[shown]), False
        return (float(shown), False) if _NUMBER.fullmatch(shown) else (np.nan, bool(shown))
    if _is_missing(value):
        return np.nan, False
    if isinstance(value, NESTED):
        raise nested(column, type(value).__name__)
    if not isinstance(value, Number | np.bool_) or isinstance(value, complex | np.timedelta64):
        return np.nan, True
    try:
        return float(value), False  # type: ignore[arg-type]
    except OverflowError:
        return (np.inf if value > 0 else -np.inf), False  # type: ignore[operator]


def _is_missing(value: object) -> bool:
    # pandas.NA is told by name: it cannot be compared, and pandas may not be installed.
    return (
        value is None
        or (isinstance(value, _CAN_BE_NAN) and (value.is_nan() if isinstance(value, Decimal) else bool(value != value)))
        or type(value).__name__ in ("NAType", "NaTType")
    )


def _decoded(value: bytes, column: str) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        beginning = quoted(value[:20])
        raise InputError(f"Labels must be text, but column {quoted(column)} holds bytes such as {beginning}.") from None


def lengths_of(values: Iterable[object]) -> NDArray[np.float64]:
    """The number of characters of each text; NaN of what is no text.

    >>> lengths_of(["ab", "", None, 5]).tolist()
    [2.0, 0.0, nan, nan]
    """
    if type(values).__module__.partition(".")[0] != "pyarrow":
        return np.array([len(one) if isinstance(one, str) else np.nan for one in values], dtype=np.float64)
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(values, pa.ChunkedArray):
        return np.concatenate([lengths_of(chunk) for chunk in values.chunks] or [np.zeros(0)])
    assert isinstance(values, pa.Array)
    kind = values.type.value_type if pa.types.is_dictionary(values.type) else values.type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)):
        return np.full(len(values), np.nan)
    counted = pc.utf8_length(values.cast(pa.large_string()))
    # From its buffers: Arrow's own way imports pandas, which takes longer than the counting.
    known, data = counted.buffers()
    rows = slice(counted.offset, counted.offset + len(counted))
    lengths = np.frombuffer(data, np.int64)[rows].astype(np.float64) if data is not None else np.zeros(0)
    if known is not None and counted.null_count:
        lengths[np.unpackbits(np.frombuffer(known, np.uint8), bitorder="little")[rows] == 0] = np.nan
    return lengths
