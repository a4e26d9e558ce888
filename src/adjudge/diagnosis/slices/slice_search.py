"""Where does a system fail more than elsewhere? A search of slices that pays for having searched.

All levels of some columns, and all pairs of levels of two, are summed in one walk over rows: counts and losses by cell.
What is found in one half of the units is tested in the other, or everything is tested in all and pays for its number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from adjudge.data.facts import CROSS
from adjudge.data.keys import mixed
from adjudge.diagnosis.limits import undefined_last
from adjudge.diagnosis.slices.search_units import SearchedColumn, SearchUnits, Slice
from adjudge.diagnosis.slices.slice_tests import PartLoss, beside_rest, chances_of_shares
from adjudge.inference.many.multiplicity import benjamini_hochberg, benjamini_yekutieli, holm
from adjudge.statistics.base import Array, steady_product
from adjudge.statistics.cells import generator

SPLIT, ALL, BH = "split", "all", "bh"
WAYS = (SPLIT, ALL, BH)
SPLIT_FROM = 2_000  # rows from which on half of them are kept for confirmation
LEAST_ROWS, LEAST_SHARE = 30, 0.01
MOST_TAKEN = 10
LOOKED_AT = 1_000  # of the best, how many are looked at for copies of one another
ONE_SIDED = 1.6448536269514722  # z of the limit that slices are ranked by
TOO_ALIKE, ADDS_LITTLE = 0.8, 1.1
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class FoundSlice:
    """A slice with what was found of it: beside the rest, the p of no more than there, and that after correction."""

    name: str
    part: PartLoss
    p_adjusted: float
    shrunken: float | None = None  # where it was chosen by the rows that it is estimated from


@dataclass(frozen=True)
class Search:
    """What a search found, and what chance alone finds in the same table."""

    way: str
    searched: int  # slices
    rows: int  # in which slices were looked for
    confirmed_in: int  # in which they were tested
    finds: tuple[FoundSlice, ...]
    best: float  # the limit that the first slice was ranked by: the lower one of its excess
    null: tuple[float, ...]  # the same, of tables in which losses were dealt anew

    @property
    def by_chance(self) -> float:
        """In which share of tables chance alone finds a slice as bad as the first."""
        as_bad = sum(value >= self.best - 1e-9 * abs(self.best) for value in self.null)
        return (1 + as_bad) / (1 + len(self.null)) if self.null else math.nan


def search(units: SearchUnits, *, way: str | None, level: float, seed: int, tables: int, progress: Progress) -> Search:
    """The slices that cost more than the rest; `tables` is how often losses are dealt anew."""
    chosen = way or (SPLIT if units.rows >= SPLIT_FROM else ALL)
    least = max(LEAST_ROWS, math.ceil(LEAST_SHARE * units.rows))
    first, second = units, units
    if chosen == SPLIT:
        here = (mixed(units.keys ^ mixed(np.array([seed], dtype=np.uint64))) & np.uint64(1)) == 0
        first, second = (units.of_rows(np.flatnonzero(half)) for half in (here, ~here))
        least = math.ceil(least / 2)
    cells = Cells.of(first, least)
    ranked = cells.ranked(first.losses)
    finds: tuple[FoundSlice, ...] = ()
    if chosen == SPLIT:
        finds = _confirmed(second, _taken(first, cells, ranked), level)
    elif len(ranked.order):
        finds = _all(units, cells, ranked, level, benjamini_hochberg if chosen == BH else benjamini_yekutieli)
    null = tuple(_null(first, cells, seed, tables, progress)) if len(ranked.order) else ()
    return Search(chosen, len(cells.chosen), first.rows, second.rows, finds, ranked.best, null)


@dataclass(frozen=True)
class RankedSlices:
    """The slices that are large enough, the worst first: by the lower limit of their excess."""

    order: NDArray[np.int64]  # places among the cells
    best: float  # the limit of the first


@dataclass(frozen=True)
class Cells:
    """Every level and every pair of levels of some rows, one after another, with how many rows each has."""

    columns: tuple[SearchedColumn, ...]
    weights: Array | None
    counts: Array
    chosen: NDArray[np.int64]  # cells that are large enough, and of levels that can be told

    @classmethod
    def of(cls, units: SearchUnits, least: int) -> Cells:
        """Count the rows of every cell; slices that are nearly everything are not told apart from the rest."""
        counts = _sums(units.columns, None)
        is_informative = np.concatenate([_known_levels(sizes) for _, sizes in _shapes(units.columns)])
        chosen = np.flatnonzero(is_informative & (counts >= least) & (counts <= units.rows - least))
        weighed = counts if units.weights is None else _sums(units.columns, units.weights)
        return cls(units.columns, units.weights, weighed, chosen)

    def ranked(self, losses: Array) -> RankedSlices:
        """The chosen cells by the lower limit of their excess, n (mean − mean of the rest), under one variance."""
        limit = self._limits(losses)
        order = np.argsort(-limit, kind="stable")
        return RankedSlices(self.chosen[order], float(limit[order[0]]) if len(order) else math.nan)

    def best(self, losses: Array) -> float:
        """The limit of the excess of the worst slice."""
        return float(self._limits(losses).max())

    def _limits(self, losses: Array) -> Array:
        rows = len(losses)
        weights = np.ones(rows) if self.weights is None else self.weights
        all_weight, total = float(weights.sum()), float(steady_product(weights, losses))
        variance = max(float(steady_product(weights, losses**2)) / all_weight - (total / all_weight) ** 2, 0.0)
        counts, sums = self.counts[self.chosen], self.sums(losses)[self.chosen]
        rest = all_weight - counts
        gap = sums / counts - (total - sums) / rest
        reach = ONE_SIDED * np.sqrt(variance * (1 / counts + 1 / rest))
        return np.asarray(counts * (gap - reach))

    def sums(self, losses: Array) -> Array:
        """What the rows of every cell cost; rows that cost nothing are not looked at."""
        costly = np.flatnonzero(losses)
        few = len(costly) < 0.7 * len(losses)
        amounts = losses if self.weights is None else losses * self.weights
        columns = self.columns
        if few:
            columns = tuple(replace(column, codes=column.codes[costly]) for column in columns)
            amounts = amounts[costly]
        alike = self.weights is None and len(amounts) > 0 and bool((amounts == amounts[0]).all())
        return _sums(columns, None) * amounts[0] if alike else _sums(columns, amounts)

    def slice(self, cell: int) -> Slice:
        """Which slice a cell is."""
        for places, sizes in _shapes(self.columns):
            size = math.prod(sizes)
            if cell < size:
                codes = np.unravel_index(cell, sizes)
                held = tuple((place, int(code)) for place, code in zip(places, codes, strict=True))
                names, levels = zip(*((self.columns[p].name, self.columns[p].levels[c]) for p, c in held), strict=True)
                return Slice(held, f"{CROSS.join(names)} = {CROSS.join(levels)}")
            cell -= size
        raise IndexError(cell)


def _shapes(columns: Sequence[SearchedColumn]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The columns of each block of cells, and its sizes: every one, then every two."""
    for count in (1, 2):
        for places in combinations(range(len(columns)), count):
            yield places, tuple(columns[place].size for place in places)


def _known_levels(sizes: tuple[int, ...]) -> NDArray[np.bool_]:
    """Which cells of a block are of levels that can be told: the last code is of those that are too rare."""
    kept = np.ones(sizes, dtype=np.bool_)
    for axis, size in enumerate(sizes):
        kept &= np.expand_dims(np.arange(size) < size - 1, tuple(a for a in range(len(sizes)) if a != axis))
    return kept.ravel()


def _sums(columns: Sequence[SearchedColumn], amounts: Array | None) -> Array:
    """The rows of every cell, or what they amount to."""
    parts = []
    for places, sizes in _shapes(columns):
        code = columns[places[0]].codes
        if len(places) == 2:
            code = code * np.int32(sizes[1]) + columns[places[1]].codes
        parts.append(np.bincount(code, weights=amounts, minlength=math.prod(sizes)))
    return np.concatenate(parts).astype(np.float64)


def _taken(units: SearchUnits, cells: Cells, ranked: RankedSlices) -> list[Slice]:
    """The worst slices, without near copies of a worse one and children that add little to their parent."""
    taken: list[tuple[Slice, NDArray[np.bool_], float]] = []
    for cell in ranked.order[:LOOKED_AT].tolist():
        one = cells.slice(cell)
        inside = units.inside(one)
        lift = _lift(units, inside)
        if not lift > 1:
            continue
        if any(_alike(inside, other) or _child(one, lift, held, of) for held, other, of in taken):
            continue
        taken.append((one, inside, lift))
        if len(taken) == MOST_TAKEN:
            break
    return [one for one, _, _ in taken]


def _lift(units: SearchUnits, inside: NDArray[np.bool_]) -> float:
    weights = np.ones(units.rows) if units.weights is None else units.weights
    whole = float(steady_product(weights, units.losses)) / float(weights.sum())
    own = weights[inside]
    return (
        float(steady_product(own, units.losses[inside])) / float(own.sum()) / whole
        if whole > 0 and own.sum() > 0
        else math.nan
    )


def _alike(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> bool:
    """Whether two slices have most rows in common (Jaccard)."""
    return int((one & other).sum()) > TOO_ALIKE * int((one | other).sum())


def _child(one: Slice, lift: float, other: Slice, of: float) -> bool:
    """Whether a slice is a part of another, or holds it, and tells little more than it."""
    small, large = set(one.cells), set(other.cells)
    if small > large:
        return lift < ADDS_LITTLE * of
    return small < large and of < ADDS_LITTLE * lift


def _confirmed(units: SearchUnits, taken: Sequence[Slice], level: float) -> tuple[FoundSlice, ...]:
    """The slices that were taken, estimated and tested in rows that did not choose them."""
    parts = [beside_rest(units.losses, units.inside(one), _groups(units), units.weights, level) for one in taken]
    paid = holm([part.p for part in parts]).tolist() if parts else []
    finds = [FoundSlice(one.name, part, p) for one, part, p in zip(taken, parts, paid, strict=True)]
    return tuple(sorted(finds, key=lambda one: (undefined_last(one.p_adjusted), -one.part.excess)))


def _all(
    units: SearchUnits, cells: Cells, ranked: RankedSlices, level: float, pay: Callable[[Sequence[float]], Array]
) -> tuple[FoundSlice, ...]:
    """Every slice, tested in the rows that chose it: p pays for all of them, estimates are shrunken."""
    groups = _groups(units)
    if units.counted:
        ps = chances_of_shares(
            cells.sums(units.losses)[ranked.order], cells.counts[ranked.order], units.losses.sum(), units.rows
        )
    else:
        each = (units.inside(cells.slice(cell)) for cell in ranked.order.tolist())
        ps = np.array([beside_rest(units.losses, inside, groups, units.weights, level).p for inside in each])
    paid = dict(zip(ranked.order.tolist(), pay(ps.tolist()).tolist(), strict=True))
    names = {cells.slice(cell).name: paid[cell] for cell in ranked.order.tolist()}
    parts = [
        (one, beside_rest(units.losses, units.inside(one), groups, units.weights, level))
        for one in _taken(units, cells, ranked)
    ]
    prior = _prior(cells, units)
    finds = [
        FoundSlice(
            one.name, part, names[one.name], (part.rows * part.mean + prior[0] * prior[1]) / (part.rows + prior[0])
        )
        for one, part in parts
    ]
    return tuple(sorted(finds, key=lambda one: (undefined_last(one.p_adjusted), -one.part.excess)))


def _prior(cells: Cells, units: SearchUnits) -> tuple[float, float]:
    """How many rows at the mean of all a slice is shrunken by (by moments), and that mean."""
    counts, sums = cells.counts[cells.chosen], cells.sums(units.losses)[cells.chosen]
    weights = np.ones(units.rows) if units.weights is None else units.weights
    mean = float(steady_product(weights, units.losses)) / float(weights.sum())
    spread = float(steady_product(weights, (units.losses - mean) ** 2)) / float(weights.sum())
    between = float((counts * (sums / counts - mean) ** 2).sum() / counts.sum()) - spread * len(counts) / counts.sum()
    return (
        (spread / between if between > 0 else math.inf if spread > 0 else 0.0, mean)
        if len(counts) >= 5
        else (0.0, mean)
    )


def _groups(units: SearchUnits) -> NDArray[np.int64] | None:
    """Which rows belong together, in codes."""
    return np.unique(units.keys, return_inverse=True)[1].reshape(-1) if units.clustered else None


def _null(units: SearchUnits, cells: Cells, seed: int, tables: int, progress: Progress) -> Iterator[float]:
    """The limit of the worst slice where losses are dealt anew: to rows, or those of a cluster together."""
    random = generator(seed, "search")
    groups = _groups(units)
    order = np.argsort(units.keys, kind="stable")  # whatever the order of the table
    sorted_losses = units.losses[order]
    for _ in range(tables):
        dealt = np.empty(units.rows)
        if groups is None:
            dealt[order] = random.permutation(sorted_losses)
        else:
            dealt[order] = _clusters_dealt(sorted_losses, groups[order], random)
        yield cells.best(dealt)
        progress("searching", 1, tables)


def _clusters_dealt(losses: Array, groups: NDArray[np.int64], random: np.random.Generator) -> Array:
    """The losses of clusters, each whole, laid one after another in another order."""
    sizes = np.bincount(groups)
    places = random.permutation(len(sizes))
    starts = np.cumsum(sizes) - sizes
    taken = [np.arange(starts[place], starts[place] + sizes[place]) for place in places.tolist()]
    return np.asarray(losses[np.concatenate(taken)])
