"""Turns the values of one column into labels or numbers: the only place that knows how a value is written.

Values come as a list, a NumPy array or a pyarrow array. The same value gives the same label whichever it came
in, and text is a number by one pattern, so a column reads the same from a file, a data frame or a list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from adjudge.data.foreign import is_arrow, refusing, unmasked
from adjudge.data.nested import nested
from adjudge.data.source import Batch, Lengths, Numbers, Places, Several, Text, by_appearance, code_type, join_columns
from adjudge.data.values import BOOLEANS, NUMBER, label_written, lengths_of, number_written
from adjudge.errors import InputError, quoted

if TYPE_CHECKING:
    import pyarrow as pa

    Values: TypeAlias = Sequence[object] | NDArray[np.generic] | pa.Array  # of a column


def text_of(values: Values, column: str) -> Text:
    """The labels of a column.

    >>> text_of([1, 2.0, 0.5, True, None, "01"], "rating")
    Text(codes=array([ 0,  1,  2,  3, -1,  4]), labels=('1', '2', '0.5', 'True', '01'))
    """
    if is_arrow(values):
        return _arrow_text(values, column)
    values = unmasked(values)
    if isinstance(values, list) and set(map(type, values)) <= {str, type(None)}:
        return _distinct(np.arange(len(values)), values)
    array = _typed(values)
    if array is None:
        return _distinct(np.arange(len(values)), [label_written(value, column) for value in values])
    distinct, codes = by_appearance(array)
    return _distinct(codes, [label_written(value, column) for value in _moments(distinct, column)])


def numbers_of(values: Values, column: str) -> Numbers:
    """The numbers of a column.

    >>> numbers_of(["1e-3", " 0.5 ", "", "1,5"], "score")  # doctest: +NORMALIZE_WHITESPACE
    Numbers(values=array([0.001, 0.5  ,   nan,   nan]),
            not_numbers=array([False, False, False,  True]), inside=None)
    """
    if isinstance(column, Lengths):
        return Numbers(lengths_of(values))
    if is_arrow(values):
        return _arrow_numbers(values, column)
    values = unmasked(values)
    array = _typed(values)
    if array is not None and array.dtype.kind in "biuf":
        return Numbers(array.astype(np.float64))
    read = [number_written(value, column) for value in values]
    floats = np.array([value for value, _ in read], dtype=np.float64)
    unreadable = np.array([bad for _, bad in read], dtype=np.bool_)
    return Numbers(floats, unreadable)


def arrow_pieces(
    batches: Iterable[pa.RecordBatch], texts: Sequence[str], numbers: Sequence[str], rows: int, skipped: int = 0
) -> Iterator[Batch]:
    """Arrow record batches without the first rows, decoded in pieces of at most `rows` rows."""
    for batch in batches:
        first = min(skipped, batch.num_rows)
        skipped -= first
        for start in range(first, batch.num_rows, rows):
            part = batch.slice(start, rows)
            yield decoded({name: part.column(name) for name in (*texts, *numbers)}, texts, part.num_rows)


def decoded(columns: Mapping[str, object], texts: Sequence[str], rows: int) -> Batch:
    """A batch of decoded columns: labels where asked, numbers otherwise."""
    return Batch(rows, {name: _read(values, name, name in texts) for name, values in columns.items()})


def _read(values: Values, column: str, as_text: bool) -> Text | Numbers:
    with refusing(column):
        return (text_of if as_text else numbers_of)(values, column)


def _is_text(kind: object) -> bool:
    from pyarrow import types

    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def is_numeric(kind: object) -> bool:
    """Whether an Arrow type is one of numbers."""
    from pyarrow import types

    return bool(
        types.is_integer(kind)
        or types.is_floating(kind)
        or types.is_boolean(kind)
        or types.is_decimal(kind)
        or types.is_null(kind)
    )


# Plain values


def _typed(values: Values) -> NDArray[np.generic] | None:
    """The values as an array of one simple type, or None if each must be looked at."""
    if isinstance(values, np.ndarray):
        return values if values.dtype.kind in "biufmM" else None
    kinds = set(map(type, values))
    if kinds not in ({bool}, {int}, {float}):
        return None
    array = np.asarray(values)
    # Integers beyond 64 bits become objects, or floats that lose their last digits.
    return array if array.dtype.kind in ("f" if kinds == {float} else "biu") else None


def _moments(distinct: NDArray[Any], column: str) -> list[object]:  # of whatever kind
    """Dates and durations as Python's own if nothing is lost, since NumPy writes others; the rest as is.

    Dates that Python does not know are refused: NumPy gives them as bare numbers, or as other dates.
    """
    if distinct.dtype.kind not in "mM":
        return list(distinct)
    unit, is_date = np.datetime_data(distinct.dtype)[0], distinct.dtype.kind == "M"
    coarse = distinct if unit in ("Y", "M", "W", "D") else distinct.astype(f"{distinct.dtype.kind}8[us]")
    known = ~np.isnat(distinct)
    longer = unit not in ("us", "ns", "ps", "fs", "as") and coarse is not distinct
    beyond = longer and bool((coarse.astype(distinct.dtype) != distinct)[known].any())
    if is_date and (beyond or any(isinstance(value, int) for value in coarse[known].tolist())):
        raise _far_dates(column)
    if coarse is distinct:
        return list(distinct.tolist())
    exact = coarse == distinct
    return [short if same else long for short, same, long in zip(coarse.tolist(), exact, distinct, strict=True)]


def _distinct(codes: Places, labels: Sequence[str | None]) -> Text:
    """Codes over labels that may repeat or be missing, as codes over distinct labels."""
    kept = dict.fromkeys(label for label in labels if label is not None)
    if len(kept) == len(labels):
        return Text(codes, tuple(kept))
    index: dict[str, int] = {}
    places = [-1 if label is None else index.setdefault(label, len(index)) for label in labels]
    return Text(np.array([*places, -1], dtype=np.int64).take(codes), tuple(index))


# Arrow values


def _arrow_text(array: pa.Array | pa.ChunkedArray, column: str) -> Text:
    import pyarrow as pa

    if isinstance(array, pa.ChunkedArray):
        parts = [_arrow_text(chunk, column) for chunk in array.chunks] or [_distinct(np.zeros(0, np.int64), [])]
        text = join_columns(parts)
        assert isinstance(text, Text)
        return text
    if isinstance(column, Several) and pa.types.is_nested(array.type):
        return text_of(array.to_pylist(), column)
    array = _unwrapped(array, column)
    if not pa.types.is_dictionary(array.type):
        try:
            array = array.dictionary_encode()
        except pa.ArrowNotImplementedError:  # of short decimals
            return text_of(array.to_pylist(), column)
    codes, dictionary = _used(_codes(array), array.dictionary)
    text = _distinct(codes, _arrow_labels(_unwrapped(dictionary, column), column))
    return Text(text.codes.astype(code_type(len(text.labels)), copy=False), text.labels)


def _used(codes: Places, dictionary: pa.Array) -> tuple[Places, pa.Array]:
    """Drops what no row uses from a long dictionary: a row group's comes whole with each of its slices."""
    if len(dictionary) <= len(codes):
        return codes, dictionary
    kept, places = np.unique(codes, return_inverse=True)
    first = int(np.searchsorted(kept, 0))  # 1 where a missing row's -1 leads
    import pyarrow as pa

    # Not from NumPy as it is: Arrow would import pandas to look at it.
    taken = pa.Array.from_buffers(pa.int64(), len(kept) - first, [None, pa.py_buffer(kept[first:].astype(np.int64))])
    return places.astype(np.int64) - first, dictionary.take(taken)


def _arrow_labels(distinct: pa.Array, column: str) -> list[str | None]:
    import pyarrow as pa

    kind = distinct.type
    if pa.types.is_floating(kind):
        return [label_written(value, column) for value in _floats(distinct, np.dtype(f"f{kind.bit_width // 8}"))]
    if pa.types.is_duration(kind) or (pa.types.is_timestamp(kind) and kind.tz is None):
        return [label_written(value, column) for value in _moments(distinct.to_numpy(zero_copy_only=False), column)]
    if pa.types.is_timestamp(kind):
        distinct = distinct.cast(pa.timestamp("us", kind.tz), safe=False)
    try:
        values = distinct.to_pylist()
        return values if _is_text(kind) else [label_written(value, column) for value in values]
    except UnicodeDecodeError:
        raise _not_utf8(column) from None
    except OverflowError:
        raise _far_dates(column) from None
    except pa.ArrowInvalid:
        if not pa.types.is_timestamp(kind):
            raise
        raise InputError(
            f"Times must be of a known zone, but those of column {quoted(column)} are of {quoted(kind.tz)}."
        ) from None


def _far_dates(column: str) -> InputError:
    return InputError(f"Dates must be of the years 1 to 9999, but column {quoted(column)} holds others.")


def _not_utf8(column: str) -> InputError:
    return InputError(f"Text must be UTF-8, but column {quoted(column)} holds other bytes.")


def _arrow_numbers(array: pa.Array | pa.ChunkedArray, column: str) -> Numbers:
    import pyarrow as pa

    if isinstance(array, pa.ChunkedArray):
        parts = [_arrow_numbers(chunk, column) for chunk in array.chunks] or [Numbers(np.zeros(0))]
        numbers = join_columns(parts)
        assert isinstance(numbers, Numbers)
        return numbers
    array = _unwrapped(array, column)
    if pa.types.is_dictionary(array.type):
        return _taken(_arrow_numbers(array.dictionary, column), _codes(array))
    if _is_text(array.type):
        return _parsed(array.cast(pa.large_string()), column)
    if pa.types.is_floating(array.type) or pa.types.is_integer(array.type):
        values, missing = in_numpy(array, array.type.to_pandas_dtype())
        floats = values.astype(np.float64, copy=False)
        return Numbers(floats if missing is None else np.where(missing, np.nan, floats))
    if is_numeric(array.type):
        return Numbers(_floats(array.cast(pa.float64(), safe=False)))
    text = _arrow_text(array, column)
    return _taken(numbers_of(list(text.labels), column), text.codes)


def _codes(array: pa.DictionaryArray) -> Places:
    """The places of rows in a dictionary, -1 where missing, in as few bytes as hold them."""
    indices, missing = in_numpy(array.indices, str(array.indices.type))
    codes = indices.astype(code_type(len(array.dictionary)))
    return codes if missing is None else np.where(missing, codes.dtype.type(-1), codes)


def _floats(array: pa.Array, kind: DTypeLike = np.float64) -> NDArray[Any]:  # of that kind
    values, missing = in_numpy(array, kind)
    return values if missing is None else np.where(missing, np.array(np.nan, kind), values)


# Any: of that kind.
def in_numpy(array: pa.Array, kind: DTypeLike) -> tuple[NDArray[Any], NDArray[np.bool_] | None]:
    """An Arrow array of this kind, and where it has no value; from its buffers: Arrow's own way imports pandas."""
    known, data = array.buffers()
    rows = slice(array.offset, array.offset + len(array))
    values = np.zeros(0, kind) if data is None else np.frombuffer(data, kind)[rows]
    if known is None or array.null_count == 0:
        return values, None
    return values, np.unpackbits(np.frombuffer(known, np.uint8), bitorder="little")[rows] == 0


def _taken(distinct: Numbers, codes: NDArray[np.int64]) -> Numbers:
    end = join_columns([distinct, Numbers(np.array([np.nan]))])
    assert isinstance(end, Numbers)
    return end[codes]


def _parsed(array: pa.Array, column: str) -> Numbers:
    """Text as numbers: one cast if all is clean, else the pattern decides value by value.

    A NaN also goes to the pattern, because Arrow reads "nan(abc)" as one.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        floats = _floats(array.cast(pa.float64()))
        if np.isnan(floats).sum() == array.null_count:
            return Numbers(floats)
    except pa.ArrowInvalid:
        pass
    # Values to compare with and to put in are made of buffers: Arrow would import pandas to look at Python's own.
    nothing = pa.Array.from_buffers(array.type, 1, [None, pa.py_buffer(bytes(16)), pa.py_buffer(b"")])[0]
    try:
        trimmed = pc.utf8_trim_whitespace(array).fill_null(nothing)
    except pa.ArrowInvalid:
        raise _not_utf8(column) from None
    for written in (True, False):
        words = "|".join(word for word, value in BOOLEANS.items() if value is written)
        trimmed = pc.replace_substring_regex(trimmed, f"^(?:{words})$", str(int(written)))
    readable = pc.match_substring_regex(trimmed, f"^(?:{NUMBER})$")
    floats = _floats(pc.if_else(readable, trimmed, pa.nulls(1, array.type)[0]).cast(pa.float64()))
    unreadable = pc.and_not(pc.not_equal(trimmed, nothing), readable).cast(pa.uint8())
    return Numbers(floats, in_numpy(unreadable, np.uint8)[0] > 0)


def _unwrapped(array: pa.Array, column: str) -> pa.Array:
    """The array without extension types and run lengths, refused if its cells are lists or records."""
    import pyarrow as pa

    if isinstance(array, pa.ExtensionArray):
        array = array.storage
    if pa.types.is_run_end_encoded(array.type):
        from pyarrow.compute import run_end_decode

        array = run_end_decode(array)
    if pa.types.is_nested(array.type):
        raise nested(column, str(array.type))
    return array
