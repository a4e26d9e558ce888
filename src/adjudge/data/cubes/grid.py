"""Cells of scores: which one a score is in, the same from every engine.

A dyadic cell has the number floor(score · 2ᵏ), a product with a power of two, which is exact in binary arithmetic.
Where a threshold lies inside such a cell another one begins at it, and all numbers from there on are one higher.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256

import msgspec
import numpy as np
from numpy.typing import NDArray

Cells = NDArray[np.int64]
Scores = NDArray[np.float64]

BITS, MOST_BITS = 12, 24  # a score in [0, 1] falls into one of 4,096 cells, and 1 into one of its own
MISSING, INFINITE, UNREADABLE, BEYOND = range(-(2**31), -(2**31) + 4)  # in place of a score's cell
DYADIC, EDGES = "dyadic", "edges"


class CubeGrid(msgspec.Struct, frozen=True, kw_only=True):
    """Where cells of scores begin: at multiples of 1/2ᵏ and at some edges, or at the edges alone.

    >>> grid = grid_of(2, [0.3])
    >>> grid.cells_of(np.array([0.25, 0.3, 0.5])).tolist(), grid.lows(np.array([1, 2, 3])).tolist()
    ([1, 2, 3], [0.25, 0.3, 0.5])
    """

    kind: str = DYADIC
    k: int = BITS
    edges: tuple[float, ...] = ()  # rising
    thresholds: tuple[float, ...] = (0.5,)  # at which scores decide: cells must begin there however coarse they become
    digest: str = ""

    @property
    def own_digest(self) -> str:
        """What tells this grid from others."""
        return f"sha256:{sha256(repr((self.kind, self.k, self.edges, self.thresholds)).encode()).hexdigest()[:16]}"

    @property
    def wrong(self) -> str:
        """Why there is no such grid; empty where there is."""
        if self.kind not in (DYADIC, EDGES) or (self.kind == EDGES and not self.edges):
            return f"scores cannot be in cells of the kind {self.kind!r}"
        if not 0 <= self.k <= MOST_BITS:
            return f"scores cannot be in cells of 1/2^{self.k}"
        if list(self.edges) != sorted({*self.edges}) or not np.isfinite((*self.edges, *self.thresholds)).all():
            return "edges of cells of scores must be numbers that rise"
        if self.digest != self.own_digest:
            return "the digest of the cells of scores is not theirs"
        return ""

    def cells_of(self, scores: Scores) -> Cells:
        """The cell of each score, which must be finite."""
        above = np.searchsorted(np.array(self.edges), scores, side="right")
        if self.kind == EDGES:
            return np.asarray(above - 1, dtype=np.int64)
        return np.asarray(np.floor(scores * 2.0**self.k).astype(np.int64) + above, dtype=np.int64)

    def lows(self, cells: Cells) -> Scores:
        """Where each cell begins."""
        edges = np.array(self.edges, dtype=np.float64)
        if self.kind == EDGES:
            return np.asarray(edges[np.clip(cells, 0, len(edges) - 1)])
        if not len(edges):
            return np.asarray(cells / 2.0**self.k)
        first = self.cells_of(edges)  # the cells that begin at an edge
        before = np.searchsorted(first, cells, side="right")
        begins = (before > 0) & (first[before - 1] == cells)
        return np.asarray(np.where(begins, edges[before - 1], (cells - before) / 2.0**self.k))

    def within(self, scores: Scores) -> NDArray[np.bool_]:
        """Which scores have a cell whose number the file can hold."""
        return np.asarray(np.abs(scores) < 2 ** (31 - self.k) - 1)

    def moved(self, cells: Cells, other: CubeGrid) -> Cells:
        """The cells of a coarser grid; what is in place of a cell stays."""
        return np.where(cells <= BEYOND, cells, other.cells_of(self.lows(cells)))


def grid_of(k: int, thresholds: Sequence[float] = (0.5,)) -> CubeGrid:
    """A dyadic grid, with edges at thresholds inside its cells.

    >>> grid_of(12, [0.5]).edges, grid_of(12, [0.3]).edges
    ((), (0.3,))
    """
    inside = tuple(sorted({edge for edge in thresholds if (edge * 2**k) % 1}))
    return _sealed(CubeGrid(k=k, edges=inside, thresholds=tuple(thresholds)))


def grid_between(edges: Iterable[float], thresholds: Sequence[float]) -> CubeGrid:
    """Cells between edges, of scores that are not below the first."""
    return _sealed(CubeGrid(kind=EDGES, k=0, edges=tuple(sorted({*edges})), thresholds=tuple(thresholds)))


def _sealed(grid: CubeGrid) -> CubeGrid:
    return msgspec.structs.replace(grid, digest=grid.own_digest)
