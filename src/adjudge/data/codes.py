"""How often each code of a column stands, and what a short table has for each: codes of one byte two at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adjudge.data.source import Places

# Codes of one byte are counted two at a time where there are many, of few values; one value after another, of fewer.
FEWEST, MOST, FEW = 2**13, 2**5, 12


def times_of_codes(codes: Places, size: int) -> NDArray[np.int64]:
    """How often each of `size` codes stands, none missing.

    >>> times_of_codes(np.array([0, 2, 0]), 4).tolist()
    [2, 0, 1, 0]
    """
    if not _in_pairs(codes, size):
        return np.bincount(codes, minlength=size)
    if size <= FEW:
        return np.array([np.count_nonzero(codes == code) for code in range(size)], dtype=np.int64)
    even = len(codes) // 2 * 2
    both = np.bincount(codes[:even].view(np.uint16), minlength=size << 8).reshape(size, 1 << 8)[:, :size]
    times: NDArray[np.int64] = both.sum(0) + both.sum(1)
    return times if even == len(codes) else times + np.bincount(codes[even:], minlength=size)


def of_codes(table: Places, codes: Places) -> Places:
    """What a table of small numbers has for each code, none missing.

    >>> of_codes(np.array([5, 7], dtype=np.int8), np.array([1, 0, 1])).tolist()
    [7, 5, 7]
    """
    if table.dtype.itemsize > 1 or not _in_pairs(codes, len(table)):
        return table.take(codes)
    two = np.zeros((len(table), 1 << 8), dtype=np.uint16)
    byte = table.view(np.uint8).astype(np.uint16)
    two[:, : len(table)] = byte[:, None] << 8 | byte
    even = len(codes) // 2 * 2
    looked_up = two.reshape(-1).take(codes[:even].view(np.uint16)).view(table.dtype)
    return looked_up if even == len(codes) else np.append(looked_up, table[codes[even:]])


def _in_pairs(codes: Places, size: int) -> bool:
    return codes.dtype.itemsize == 1 and size <= MOST and len(codes) >= FEWEST and codes.flags.c_contiguous
