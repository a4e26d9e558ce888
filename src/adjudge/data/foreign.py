"""What other libraries hand over: told apart, checked, and their complaints turned into ours."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from adjudge.errors import AdjudgeError, InputError, quoted

if TYPE_CHECKING:
    import pyarrow as pa


def is_arrow(values: object) -> bool:
    """Whether it is a pyarrow array, told without importing pyarrow."""
    return type(values).__module__.partition(".")[0] == "pyarrow"


@contextmanager
def refusing(name: str) -> Iterator[None]:
    """Turns what a library raises on a damaged table into an `InputError`."""
    try:
        yield
    except AdjudgeError:
        raise
    except MemoryError:
        raise InputError(f"{quoted(name)} cannot be read: it asks for more memory than there is.") from None
    except (OSError, EOFError, KeyError, ValueError, NotImplementedError, RecursionError, zlib.error) as error:
        raise _unreadable(name, error) from error
    except Exception as error:
        if not is_arrow(error):
            raise
        raise _unreadable(name, error) from error


def _unreadable(name: str, error: Exception) -> InputError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return InputError(f"{quoted(name)} cannot be read: {reason.partition(chr(10))[0].rstrip('.')}.")


def validated(batch: pa.RecordBatch) -> pa.RecordBatch:
    """A batch of Arrow that someone else wrote: what its buffers say of one another is checked before it is used."""
    batch.validate(full=True)
    return batch
