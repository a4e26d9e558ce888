"""How many characters texts have, without turning each into a Python string."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray


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
