"""The protocol of statistics, weighted sums over units; and division, subtraction and products that are safe for sums.

`Statistic` is what every statistic keeps, with its laws. Most inherit more: `Kinds` (`kinds.py`) where units that are
alike are counted together, `OfLinearSums` (`of_linear_sums.py`) where each unit adds a row of numbers, `Undrawn`
(`undrawn.py`) where nothing is drawn.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import Field, replace
from typing import TYPE_CHECKING, ClassVar, Generic, Never, Self, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from adjudge.errors import SettingError

if TYPE_CHECKING:
    from adjudge.data.reading import Units
    from adjudge.statistics.weights import Weights

Array = NDArray[np.float64]
Codes = NDArray[np.int64]
# What a statistic sums, and what it must know beforehand (None: nothing).
Judgements_contra = TypeVar("Judgements_contra", bound="Units", contravariant=True)
Pilot_contra = TypeVar("Pilot_contra", contravariant=True)


class Sums(ABC):
    """What adds, part by part, and can be rescaled as if all weights were multiplied."""

    @abstractmethod
    def __add__(self, other: Self) -> Self:
        """The sums of both parts together."""

    @abstractmethod
    def scaled(self, unit: float) -> Self:
        """The same sums with all weights multiplied."""


class Replicated:
    """A frozen dataclass some of whose fields have a leading axis where it holds replicates."""

    replicated: ClassVar[tuple[str, ...]] = ("counts",)  # those fields: arrays, or what is replicated itself

    if TYPE_CHECKING:  # what `replace` takes
        __dataclass_fields__: ClassVar[dict[str, Field[object]]]

    @classmethod
    def stacked(cls, parts: Sequence[Self]) -> Self:
        """Replicates of the same units, one after another."""
        fields = {name: _stacked([getattr(part, name) for part in parts]) for name in cls.replicated}
        return replace(parts[0], **fields)

    def tile(self, start: int, stop: int) -> Self:
        """Some of the replicates."""
        fields = {name: _tile(getattr(self, name), start, stop) for name in self.replicated}
        return replace(self, **fields)


ReplicatedField = Replicated | NDArray[np.generic] | None  # what a replicated field holds


def _stacked(parts: Sequence[ReplicatedField]) -> ReplicatedField:
    arrays = [part for part in parts if isinstance(part, np.ndarray)]
    if arrays:
        return np.concatenate(arrays)
    known = [part for part in parts if part is not None and not isinstance(part, np.ndarray)]
    return type(known[0]).stacked(known) if known else None


def _tile(part: ReplicatedField, start: int, stop: int) -> ReplicatedField:
    return part if part is None else part[start:stop] if isinstance(part, np.ndarray) else part.tile(start, stop)


class Statistic(Sums, Replicated, Generic[Judgements_contra, Pilot_contra]):
    """A weighted sum over units. Statistics are frozen dataclasses and inherit from this class.

    `Confusion(Statistic[Judgements, None])` sums judgements and need know nothing beforehand: its pilot is None.

    Leading axes (…) belong to the caller: one entry for each replicate. Trailing axes belong to the formula.

    Laws, tested for every statistic:

    - (a + b) + c == a + (b + c) and a + b == b + a, up to the order of rows of cells and the last bits of sums;
    - collecting two parts and adding equals collecting the whole; `collect_by` equals collecting each level;
    - whole weights equal repeated units, and `scaled(c)` equals collecting with all weights times c;
    - what was made from a pilot carries it: `+` of sums with different pilots moves one of them, or refuses;
    - a statistic pickles, and the copy adds and draws like the original;
    - `resampled` depends on the sums, the kind, the seed and the stream alone: not on the order of units or parts.
    """

    # Whether it can be summed from counted cells, as SQL or a cube has them: rows that stand for several each.
    is_of_cells: ClassVar[bool] = False
    # Whether parts of units without weights add up to the same bits in any order: the whole is then added up from the
    # levels of a slice, instead of being summed again.
    adds_exactly: ClassVar[bool] = False
    # Whether `summing_by` takes draws, too, and levels may be added up to any slice and to the whole.
    draws_by_level: ClassVar[bool] = False

    if TYPE_CHECKING:  # fields in most statistics; a property here would be taken for their default

        @property
        def rows(self) -> int:
            """How many units were summed, whatever they weigh."""

    @classmethod
    @abstractmethod
    def summing(cls, judgements: Judgements_contra, pilot: Pilot_contra | None = None) -> Callable[[Weights], Self]:
        """What turns weights into this statistic of these units; the cells are worked out once for all weights.

        Weights that hold draws add one leading axis. `pilot` is what must be known before the first unit is summed and
        be the same for all parts, such as the cells of a curve: see `Tally.pilot`.
        """

    @classmethod
    def collect(cls, judgements: Judgements_contra, weights: Weights, pilot: Pilot_contra | None = None) -> Self:
        """Sum these units."""
        return cls.summing(judgements, pilot)(weights)

    @classmethod
    def summing_arrays(
        cls,
        first: object,
        second: object = None,
        *,
        positive: object = None,
        categories: Sequence[object] | None = None,
    ) -> tuple[int, Callable[[Weights], Self]]:
        """How many units plain arrays hold, and what turns weights of the units into this statistic of them.

        Two lists (a reference with predictions or scores, two raters) or one matrix (items × raters), whichever the
        statistic is of. `positive` and `categories` name the labels that scores or a scale speak of. How else arrays
        may be read is said by further keywords, each with a default. What cannot be read is refused.
        """
        raise TypeError(f"{cls.__name__} is not made of arrays")

    @classmethod
    def of_arrays(
        cls,
        first: object,
        second: object = None,
        *,
        weights: Sequence[float] | Array | None = None,
        positive: object = None,
        categories: Sequence[object] | None = None,
        **reading: object,
    ) -> Self:
        """The statistic of plain arrays; `weights` holds one number for each unit."""
        from adjudge.data.arrays import checked_arrays
        from adjudge.data.judgements.columns import checked_weights
        from adjudge.statistics.weights import Weights

        first, second, _ = checked_arrays(first, second, weights, categories=categories)
        rows, sums = cls.summing_arrays(first, second, positive=positive, categories=categories, **reading)
        return sums(Weights(rows, checked_weights(weights, rows)))

    @classmethod
    def collect_by(
        cls,
        judgements: Judgements_contra,
        weights: Weights,
        levels: Codes,
        size: int,
        pilot: Pilot_contra | None = None,
    ) -> list[Self | None]:
        """Sum the units of each of `size` levels, None where a level has none. A statistic may know a faster way."""
        order = np.argsort(levels, kind="stable")
        ends = np.cumsum(np.bincount(levels, minlength=size))
        parts = [order[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=True)]
        return [
            cls.collect(judgements.of_rows(rows), weights.of_rows(rows), pilot) if len(rows) else None for rows in parts
        ]

    @classmethod
    def summing_by(
        cls, judgements: Judgements_contra, levels: Codes, size: int, pilot: Pilot_contra | None = None
    ) -> Callable[[Weights], list[Self | None]]:
        """What turns weights into this statistic of each level: `collect_by`, unless cells are worked out once."""
        return lambda weights: cls.collect_by(judgements, weights, levels, size, pilot)

    @classmethod
    def collect_slices(
        cls,
        judgements: Judgements_contra,
        weights: Weights,
        slices: Sequence[tuple[Codes, int]],
        pilot: Pilot_contra | None = None,
    ) -> list[list[Self | None]]:
        """Sum the units of each level of each slice, which is the level of each unit and how many levels there are."""
        return [cls.collect_by(judgements, weights, levels, size, pilot) for levels, size in slices]

    @property
    @abstractmethod
    def effective_rows(self) -> Array:
        """Kish's effective number of units, (Σ w)² / Σ w²."""

    @property
    def total(self) -> Array:
        """The weight of all units, (…); NaN of a statistic that does not know it."""
        return np.asarray(np.nan)

    @property
    def drawn_units(self) -> float | None:
        """How many units a replicate draws, where that is not `effective_rows`: people, not their responses."""
        return None

    @property
    def by_cluster(self) -> bool:
        """Whether each unit is a cluster, so that leaving out one unit and squared weights are of whole clusters."""
        return False

    @abstractmethod
    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Replicates drawn on the cells of independent units: multinomial, poisson or bayesian."""

    def without_one(self) -> tuple[Self, Array]:
        """The sums without one unit of each kind, one leading axis, and how many units are of that kind."""
        raise TypeError(f"{type(self).__name__} does not say what one unit adds")

    def with_draws(self, draws: Self) -> Self:
        """Replicates that were summed under explicit weights, brought to the categories and cells of this statistic."""
        return draws

    def smoothed(self, plain: Self, seed: int, stream: str) -> Self:
        """Replicates under Bayesian weights with prior mass added, in units of `plain`; most have no prior."""
        return self

    def in_whole(self, whole: Self, others: Callable[[], Sequence[Self]]) -> Self:
        """The statistic of a slice, completed by what it must know of all units; `others` gives the other levels."""
        return self

    def in_cells_of(self, draws: Self) -> Self:
        """The same sums in the cells in which replicates of them were counted."""
        return self

    def derived(self, place: int, *, whole: bool) -> AnyStatistic:
        """Of sums that others follow from, one of these: see `Tally.tells`."""
        raise TypeError(f"No other sums follow from {type(self).__name__}")


AnyStatistic = Statistic[Never, Never]  # of whatever units: those of a plan, side by side


def of_given_units(statistic: type[AnyStatistic]) -> type[Statistic[Units, object]]:
    """A statistic of a plan, to be handed the units and the pilot that the plan has for it: no other reach it."""
    return cast("type[Statistic[Units, object]]", statistic)


def check_same_pilot(what: str, first: object, second: object) -> None:
    """Refuse to add sums that were made knowing different things.

    >>> check_same_pilot("The step of the scale", 0.5, 0.5)
    """
    if first != second:
        raise SettingError(f"{what} must be the same in all parts that are added, but is not.")


def ratio(above: ArrayLike, below: ArrayLike) -> Array:
    """above / below, NaN where below is zero, without a warning.

    >>> ratio(np.array([1.0, 1.0]), np.array([2.0, 0.0]))
    array([0.5, nan])
    """
    above, below = np.asarray(above, dtype=np.float64), np.asarray(below, dtype=np.float64)
    if not above.shape and not below.shape:  # asked thousands of times, of one number: the same bits, sooner
        return np.asarray(float(above) / float(below) if below else np.nan)
    if np.count_nonzero(below) == below.size:
        return np.asarray(above / below)
    parts = np.full(np.broadcast_shapes(above.shape, below.shape), np.nan)
    return np.asarray(np.divide(above, below, out=parts, where=below != 0))


# What is left of two sums is nothing when it is this small beside them: rounding leaves that much of equal ones.
NO_SPREAD = 1e-12


def remainder(whole: ArrayLike, part: ArrayLike, scale: ArrayLike | None = None) -> Array:
    """whole − part, exactly 0 where that is what rounding leaves of equal sums: what may be divided by.

    `scale` is what was summed, where that is more than either of the two.

    >>> remainder(np.array([0.1 + 0.2, 1.0]), np.array([0.3, 0.5]))
    array([0. , 0.5])
    """
    whole, part = np.asarray(whole, dtype=np.float64), np.asarray(part, dtype=np.float64)
    if not whole.shape and not part.shape and np.ndim(0.0 if scale is None else scale) == 0:  # the same bits, sooner
        first, second = float(whole), float(part)
        most = max(abs(first), abs(second)) if scale is None else float(np.asarray(scale))
        return np.asarray(0.0 if abs(first - second) <= NO_SPREAD * most else first - second)
    beside = np.maximum(np.abs(whole), np.abs(part)) if scale is None else np.asarray(scale)
    left = np.asarray(whole - part)
    nothing = np.abs(left) <= NO_SPREAD * beside
    return np.where(nothing, 0.0, left) if np.count_nonzero(nothing) else left


# Products of matrices beyond this many multiplications are spread over threads by the linear algebra library: sums are
# then added in another order with another number of threads, and threads spin while they wait for one another. Blocks
# below it are summed by one. Products with a vector are spread much earlier, and never given to it.
STEADY = 2**18


def steady_product(left: ArrayLike, right: ArrayLike) -> Array:
    """left @ right, to the last bit the same however many threads there are.

    >>> steady_product(np.ones((2, 3)), np.ones((3, 1))).tolist()
    [[3.0], [3.0]]
    """
    left, right = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if right.ndim == 1:
        return np.asarray(np.einsum("...j,j->...", left, right))
    if left.ndim != 2 or 1 in (len(left), right.shape[1]):
        return np.asarray(np.einsum("...j,jk->...k", left, right))
    if (step := STEADY // max(right.size, 1)) >= 4:
        return np.concatenate([left[start : start + step] @ right for start in range(0, max(len(left), 1), step)])
    return _in_tiles(left, right)


def _in_tiles(left: Array, right: Array) -> Array:
    """The same for a right side that is large itself: tiles of what is summed over and of its columns."""
    wide, deep = min(right.shape[1], 64), min(len(right), 64)
    rows = max(STEADY // (deep * wide), 1)
    total = np.zeros((len(left), right.shape[1]))
    for column in range(0, right.shape[1], wide):
        for start in range(0, len(right), deep):
            part = np.ascontiguousarray(right[start : start + deep, column : column + wide])
            for row in range(0, len(left), rows):
                block = left[row : row + rows, start : start + deep]
                total[row : row + rows, column : column + wide] += block @ part
    return total
