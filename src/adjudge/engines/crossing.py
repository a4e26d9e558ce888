"""Combinations of slice levels: what is summed in each of them once tells every slice."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from adjudge.data.reading import Block

# More combinations than this, or of fewer rows each, are not worth it.
MOST_CROSSED = 2**12
LEAST_ROWS = 16


class Crossed(NamedTuple):
    """The combinations of levels that have rows: which each row is in, how many there are, and those of each slice."""

    codes: NDArray[np.int64]
    size: int
    members: dict[tuple[str, str], list[int]]

    @classmethod
    def of(cls, block: Block, names: tuple[str, ...]) -> Crossed | None:
        """Of the slices of a block; None where combinations are too many, or there are no slices."""
        shape = [len(levels.categories) for levels in block.slices]
        if not names or (size := math.prod(shape)) > min(MOST_CROSSED, block.rows // LEAST_ROWS):
            return None
        codes = np.zeros(block.rows, dtype=np.int64)
        for levels, many in zip(block.slices, shape, strict=True):
            codes = codes * many + levels.codes
        used = np.flatnonzero(np.bincount(codes, minlength=size))
        place = np.zeros(size, dtype=np.int64)
        place[used] = np.arange(len(used))
        members = {}
        for name, levels, of in zip(names, block.slices, np.unravel_index(used, shape), strict=True):
            for number, level in enumerate(levels.categories):
                if len(few := np.flatnonzero(of == number)):
                    members[name, level] = few.tolist()
        return cls(place.take(codes), len(used), members)
