"""What treating does, by score: rows with the same score, arm and outcome counted together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.treated import Treated, treated_rows
from adjudge.statistics.base import Array, Codes, ratio
from adjudge.statistics.kinds import Kinds
from adjudge.statistics.of_arrays import OfArrays
from adjudge.statistics.weights import Weights, summed_by

# Beyond so many cells, replicates are drawn in as many as this many steps of the score make: two for each arm.
MOST_CELLS, STEPS = 16_384, 256
# Outcomes in which explicit draws are counted, at most.
OUTCOMES = 12


class UpliftGrid(NamedTuple):
    """The cells in which explicit draws are counted: steps of the score, and outcomes that stand for those near."""

    scores: Array  # rising
    outcomes: Array  # rising

    def onto(self, score: Array, outcome: Array) -> tuple[Array, Array]:
        """The step that each score is in, and the outcome that stands for each."""
        step = np.maximum(np.searchsorted(self.scores, score, side="right") - 1, 0)
        middles = (self.outcomes[1:] + self.outcomes[:-1]) / 2
        return self.scores[step], self.outcomes[np.searchsorted(middles, outcome)]


@dataclass(frozen=True)
class UpliftCells(OfArrays[Treated, UpliftGrid], Kinds[Treated, UpliftGrid]):
    """Distinct scores, falling, with arm and outcome, and the weight of the rows that have them.

    Laws: (a + b) + c == a + (b + c), a + b == b + a; collecting two parts and adding equals collecting the whole.

    >>> cells = UpliftCells.of_arrays([1, 0, 1, 0], [2, 2, 1, 1], treatment=[1, 0, 0, 1])
    >>> shares, lift = cells.curve
    >>> shares.tolist(), lift.tolist()
    ([0.0, 0.5, 1.0], [0.0, 0.5, 0.0])
    """

    score: Array  # (cells,)
    treated: NDArray[np.bool_]
    outcome: Array
    counts: Array  # (…, cells)
    squares: Array  # (cells,)
    rows: int
    arms: tuple[float, float] | None = None  # weights of treated rows and of the others, where draws keep them

    read_arrays = staticmethod(treated_rows)

    @classmethod
    def grid(cls, rows: Treated) -> UpliftGrid:
        """Cells for explicit draws, from the first rows."""
        outcomes = np.unique(rows.outcome)
        if len(outcomes) > OUTCOMES:
            parts = np.array_split(np.sort(rows.outcome), OUTCOMES)
            outcomes = np.unique([part.mean() for part in parts])
        levels = np.arange(STEPS) / STEPS
        return UpliftGrid(np.unique(np.quantile(rows.score, levels, method="lower")), outcomes)

    @classmethod
    def summing(cls, judgements: Treated, pilot: UpliftGrid | None = None) -> Callable[[Weights], UpliftCells]:
        """What turns weights into counts of these rows: as they are, or in the cells of a grid."""
        score, outcome = judgements.score, judgements.outcome
        if pilot is not None:
            score, outcome = pilot.onto(score, outcome)
        cells, place = _distinct(score, judgements.treated, outcome)

        def sums(weights: Weights) -> UpliftCells:
            counts, squares = weights.sums_by(place, len(cells[0]))
            return cls(*cells, counts, squares, weights.rows)

        return sums

    def __add__(self, other: Self) -> Self:
        (score, treated, outcome), place = _distinct(
            np.concatenate([self.score, other.score]),
            np.concatenate([self.treated, other.treated]),
            np.concatenate([self.outcome, other.outcome]),
        )
        return replace(
            self, score=score, treated=treated, outcome=outcome, **self.counted_with(other, place, len(score))
        )

    def in_cells_of(self, draws: Self) -> Self:
        """The same rows in the cells of draws, each at the mean outcome of its rows."""
        grid = UpliftGrid(np.unique(draws.score), np.unique(draws.outcome))
        score, outcome = grid.onto(self.score, self.outcome)
        cells, place = _distinct(score, self.treated, outcome)
        size = len(cells[0])
        counts, total = (summed_by(of, place, size) for of in (self.counts, self.counts * self.outcome))
        mean = np.where(counts > 0, ratio(total, counts), cells[2])
        squares = summed_by(self.squares, place, size)
        return replace(self, score=cells[0], treated=cells[1], outcome=mean, counts=counts, squares=squares)

    def with_draws(self, draws: Self) -> Self:
        """Replicates that were counted in these cells."""
        return self.with_counts(draws.counts)

    @cached_property
    def arm_weights(self) -> tuple[Array, Array]:
        """The weight of treated rows, and of the others, (…)."""
        return np.asarray(self.counts[..., self.treated].sum(-1)), np.asarray(self.counts[..., ~self.treated].sum(-1))

    @property
    def drawn_units(self) -> float:
        """Kish's effective number of rows of the smaller arm: what the doubt depends on."""
        of_arms = [
            float(ratio(self.counts[..., arm].sum(-1).mean() ** 2, self.squares[arm].sum()))
            for arm in (self.treated, ~self.treated)
        ]
        return float(np.nan_to_num(min(of_arms)))

    @cached_property
    def _ends(self) -> Codes:
        """The last cell of each score."""
        return np.flatnonzero(np.append(np.diff(self.score) != 0, True))[: len(self.score)]

    @cached_property
    def curve(self) -> tuple[Array, Array]:
        """Shares of all rows that have the highest scores, and the net lift of treating those, (…, scores + 1).

        The lift is the outcome of treated rows so far, over all treated rows, less the same of the others.
        """
        treated, others = (weight[..., None] for weight in self.arm_weights)
        each = self.counts * self.outcome
        gained = np.where(self.treated, ratio(each, treated), -ratio(each, others))
        share = ratio(self.counts, self.total[..., None])
        if self.arms is not None:
            of_arm = ratio(self.counts, np.where(self.treated, treated, others))
            share = of_arm * np.where(self.treated, *self.arms) / sum(self.arms)
        return _running(share)[..., np.append(0, self._ends + 1)], _running(gained)[..., np.append(0, self._ends + 1)]

    def with_fixed_arms(self) -> Self:
        """The same rows, of which draws have as many treated as there are: assignment was fixed in advance."""
        treated, others = self.arm_weights
        return replace(self, arms=(float(treated), float(others))) if self.counts.ndim == 1 else self

    @property
    def area(self) -> Array:
        """The area under the curve, tied scores as blocks, (…)."""
        shares, lift = self.curve
        area = (np.diff(shares) * (lift[..., 1:] + lift[..., :-1]) / 2).sum(-1)
        # Without a row in an arm there is nothing to compare with.
        return np.asarray(np.where(np.minimum(*self.arm_weights) > 0, area, np.nan))

    @property
    def net_lift(self) -> Array:
        """The mean outcome of treated rows less that of the others, (…)."""
        lift = self.curve[1][..., -1]
        return np.asarray(np.where(np.minimum(*self.arm_weights) > 0, lift, np.nan))

    def coarse(self) -> Self:
        """The same rows in few cells, for replicates: the two of an arm at a step have its mean and its variance."""
        if self.counts.shape[-1] <= MOST_CELLS:
            return self
        weight = np.cumsum(self.counts)
        step = np.minimum((weight - self.counts) / weight[-1] * STEPS, STEPS - 1).astype(np.int64)
        step = np.maximum.accumulate(step)
        first = np.flatnonzero(np.append(True, np.diff(self.score) != 0))
        of_score = np.repeat(np.arange(len(first)), np.diff(np.append(first, len(step))))
        step = step[first][of_score]  # equal scores are in one
        place = step * 2 + self.treated
        n, s, ss, q = (
            summed_by(amounts, place, 2 * STEPS)
            for amounts in (
                self.counts,
                self.counts * self.outcome,
                self.counts * self.outcome**2,
                self.squares,
            )
        )
        used = np.flatnonzero(n)
        mean = s[used] / n[used]
        deviation = np.sqrt(np.maximum(ss[used] / n[used] - mean**2, 0.0))
        twice = np.repeat(used, 2)
        return replace(
            self,
            score=-(twice // 2).astype(np.float64),
            treated=twice % 2 == 1,
            outcome=np.stack([mean - deviation, mean + deviation], axis=1).reshape(-1),
            counts=n[twice] / 2,
            squares=q[twice] / 2,
        )


def _distinct(
    score: Array, treated: NDArray[np.bool_], outcome: Array
) -> tuple[tuple[Array, NDArray[np.bool_], Array], Codes]:
    """The distinct rows, highest score first, and each row's place among them."""
    order = np.lexsort((outcome, treated, -score))
    score, treated, outcome = score[order], treated[order], outcome[order]
    begins = np.ones(len(order), dtype=np.bool_)
    begins[1:] = (score[1:] != score[:-1]) | (treated[1:] != treated[:-1]) | (outcome[1:] != outcome[:-1])
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.cumsum(begins) - 1
    return (score[begins], treated[begins], outcome[begins]), place


def _running(values: Array) -> Array:
    return np.concatenate([np.zeros((*values.shape[:-1], 1)), np.cumsum(values, axis=-1)], axis=-1)
