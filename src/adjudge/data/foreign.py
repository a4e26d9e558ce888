"""What other libraries hand over: told apart, checked, and their complaints turned into ours."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeGuard, TypeVar

import numpy as np

from adjudge.errors import AdjudgeError, InputError, quoted

if TYPE_CHECKING:
    import pyarrow as pa

# What libraries raise on values that they cannot hold, besides their own exceptions.
FOREIGN = (OSError, EOFError, KeyError, ValueError, OverflowError, NotImplementedError, RecursionError, zlib.error)

Given = TypeVar("Given")
MOST_REASON = 300  # letters of what a library says


def is_arrow(values: object) -> TypeGuard[pa.Array]:
    """Whether it is a pyarrow array, told without importing pyarrow."""
    return type(values).__module__.partition(".")[0] == "pyarrow"


def unmasked(values: Given) -> Given | list[object]:
    """Values as they are, or as lists where NumPy masks some of them, which are missing and no numbers.

    >>> unmasked(np.ma.MaskedArray([1, 2], mask=[False, True]))
    [1, None]
    """
    return values.tolist() if isinstance(values, np.ma.MaskedArray) else values


@contextmanager
def refusing(name: str) -> Iterator[None]:
    """Turns what a library raises on a damaged table into an `InputError`."""
    try:
        yield
    except AdjudgeError:
        raise
    except MemoryError:
        raise InputError(f"{quoted(name)} cannot be read: it asks for more memory than there is.") from None
    except FOREIGN as error:
        raise unreadable(name, error) from error
    except Exception as error:
        if not is_arrow(error):
            raise
        raise unreadable(name, error) from error


@contextmanager
def asking(name: str) -> Iterator[None]:
    """Turns whatever it raises into an `InputError`: around what other libraries' or a caller's code does, alone."""
    try:
        with refusing(name):
            yield
    except AdjudgeError:
        raise
    except Exception as error:
        raise unreadable(name, error) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # what Rust's panics are in Python is no Exception
            raise
        raise unreadable(name, error) from error


def unreadable(name: str, error: BaseException) -> InputError:
    """The refusal of what cannot be read, with the first line of what was raised."""
    try:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    except Exception:  # of a caller's own kind
        reason = ""
    first = reason.strip().partition("\n")[0].rstrip(".") or type(error).__name__
    reason = f"{first}." if len(first) <= MOST_REASON else f"{first[:MOST_REASON]}..."
    return InputError(f"{quoted(name)} cannot be read: {reason}")


def validated(batch: pa.RecordBatch) -> pa.RecordBatch:
    """A batch of Arrow that someone else wrote: what its buffers say of one another is checked before it is used."""
    batch.validate(full=True)
    return batch
