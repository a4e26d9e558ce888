"""What each row's probabilities cost. Receives probabilities; gives mean losses that add."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.arrays import scored_of
from adjudge.data.judgements.columns import Judgements
from adjudge.data.judgements.labels import positions
from adjudge.errors import SettingError
from adjudge.statistics.base import Array, Codes, ratio
from adjudge.statistics.curves.curve import Curve
from adjudge.statistics.curves.grouping import in_parts, products
from adjudge.statistics.moments import NO_CELLS, Moments
from adjudge.statistics.of_arrays import OfArrays
from adjudge.statistics.weights import Weights

# Probabilities of a row may miss one by this much: scores are often written with few digits.
SUM_TOLERANCE = 1e-3
# The surprise at what has the smallest probability that a number next to 1 leaves.
LARGEST_SURPRISE = 53 * np.log(2)


@dataclass(frozen=True)
class Losses(OfArrays[Judgements, None]):
    """Surprise (−log of the probability given to what happened) and squared error of the rows.

    `shares` counts the reference categories, whose entropy is the baseline; `improper` counts rows
    whose scores are not probabilities. `tails` and `weighed` are of the point alone: replicates do not need them.

    Laws: (a + b) + c == a + (b + c), a + b == b + a; two parts added equal the whole.
    """

    surprise: Moments
    squared_error: Moments
    shares: Array  # (K,)
    rows: int
    improper: int
    tails: Array  # (4,): sums of both losses cubed, and of what both were if another category had happened
    weighed: Array  # (4,): squared weights times both losses, and times their squares

    replicated: ClassVar[tuple[str, ...]] = ("surprise", "squared_error", "shares")
    read_arrays = staticmethod(scored_of)
    reads_labels = True
    is_of_cells = True

    @classmethod
    def summing(cls, judgements: Judgements, pilot: None = None) -> Callable[[Weights], Losses]:
        """What turns weights into losses of these rows; one score column for each category, or a lone one of two."""
        rows = _RowLosses.of(judgements)
        of_surprise, of_error = Moments.summing(rows.surprise), Moments.summing(rows.error)
        beyond = rows.tails

        def sums(weights: Weights) -> Losses:
            return cls(
                of_surprise(weights),
                of_error(weights),
                weights.sum_by(rows.place, rows.places),
                weights.rows,
                weights.rows_by(rows.improper.astype(np.int64), 2)[1],
                np.array([weights.total(column) for column in beyond]) if weights.draws is None else np.zeros(4),
                _weighed(rows.both, weights.squared) if weights.draws is None else np.zeros(4),
            )

        return sums

    @classmethod
    def collect_by(
        cls, judgements: Judgements, weights: Weights, levels: Codes, size: int, pilot: None = None
    ) -> list[Self | None]:
        """The losses of each level: what a row costs is worked out once."""
        rows = _RowLosses.of(judgements)
        surprise, error = (Moments.collect_by(each, weights, levels, size) for each in (rows.surprise, rows.error))
        cells = np.multiply(levels, rows.places, dtype=np.int64) + rows.place
        shares = weights.sum_by(cells, size * rows.places)
        shares = shares.reshape(*shares.shape[:-1], size, rows.places)
        improper = weights.rows_by(np.where(rows.improper, levels, size), size + 1)
        beyond, weighed = np.zeros((size, 4)), np.zeros((size, 4))
        if weights.draws is None:
            columns = [np.bincount(levels, weights=column * weights.amounts, minlength=size) for column in rows.tails]
            beyond = np.stack(columns, -1)
            weighed = np.stack([np.bincount(levels, each, size) for each in _squares(rows.both, weights.squared)], -1)
        return [
            None
            if a is None or b is None
            else cls(a, b, shares[..., level, :].copy(), a.rows, improper[level], beyond[level], weighed[level])
            for level, (a, b) in enumerate(zip(surprise, error, strict=True))
        ]

    def scaled(self, unit: float) -> Self:
        """The same rows with all weights multiplied."""
        return replace(
            self,
            surprise=self.surprise.scaled(unit),
            squared_error=self.squared_error.scaled(unit),
            shares=self.shares * unit,
            tails=self.tails * unit,
            weighed=self.weighed * unit**2,
        )

    @property
    def effective_rows(self) -> Array:
        """Kish's effective number of rows."""
        return self.surprise.effective_rows

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Refused: a mean does not know its rows. Losses of a lone score are drawn on its curve: see `from_curve`."""
        raise SettingError(NO_CELLS)

    def without_one(self) -> tuple[Self, Array]:
        """Refused, as `resampled` is."""
        raise SettingError(NO_CELLS)

    @classmethod
    def from_curve(cls, curve: Curve) -> Self:
        """Losses of the rows of a curve of probabilities; binned cells count with their mean loss."""
        inside, counts = curve.within, curve.counts
        improper = 0 if curve.are_probabilities else curve.rows
        both = -inside.log_likelihood, inside.squared_error
        surprise, error = (_moments(losses, counts, curve) for losses in both)
        even = curve.points.squares is curve.points.counts
        return cls(
            surprise,
            error,
            np.stack([curve.positive_total, curve.negative_total], -1),
            curve.rows,
            improper,
            _tails(both if curve.inside is None else _of_one_score(curve), counts) if counts.ndim == 2 else np.zeros(4),
            np.zeros(4)
            if counts.ndim > 2
            else _weighed_one(surprise, error)
            if even
            else _weighed(both, curve.squares),
        )

    @property
    def total(self) -> Array:
        """All weight, (…)."""
        return self.surprise.weight

    def __add__(self, other: Self) -> Self:
        return replace(
            self,
            surprise=self.surprise + other.surprise,
            squared_error=self.squared_error + other.squared_error,
            shares=self.shares + other.shares,
            rows=self.rows + other.rows,
            improper=self.improper + other.improper,
            tails=self.tails + other.tails,
            weighed=self.weighed + other.weighed,
        )


def _of_one_score(curve: Curve) -> tuple[Array, Array]:
    """Both losses as if each cell were its threshold."""
    scores = curve.points.one_score
    return -scores.log_likelihood, scores.squared_error


def _tails(both: tuple[Array, Array], counts: Array) -> Array:
    """What `tails` of the losses of a curve are: each cell's losses, and those of the other kind at the same score."""
    sums = np.zeros((2, 2))
    for some in in_parts(counts.shape[-1]):
        here = counts[:, some]
        for place, losses in enumerate(both):
            loss = _finite(losses[:, some])
            times = here * loss[::-1]
            sums[1, place] += times.sum()
            np.multiply(here, loss, out=times)
            times *= loss
            times *= loss
            sums[0, place] += times.sum()
    return sums.reshape(-1)


def _weighed(losses: tuple[Array, Array], squares: Array | float) -> Array:
    """What `weighed` is of losses whose squared weights are these."""
    return np.array([each.sum() for each in _squares(losses, squares)])


def _weighed_one(*losses: Moments) -> Array:
    """The same where each row weighs one, from what is summed of the losses anyway."""
    first = [float(moments.weight * moments.average) for moments in losses]
    second = [float(moments.deviations + moments.weight * moments.average**2) for moments in losses]
    return np.nan_to_num([*first, *second], posinf=np.inf)


def _squares(losses: tuple[Array, Array], squares: Array | float) -> list[Array]:
    """Squared weights times both losses, and times their squares."""
    return [squares * _finite(loss) ** power for power in (1, 2) for loss in losses]


def _finite(surprise: Array) -> Array:
    """A surprise, that of a probability of 0 taken for that of the smallest step below one."""
    return np.asarray(np.fmin(surprise, LARGEST_SURPRISE))  # of a number and none, the number


def _moments(values: Array, counts: Array, curve: Curve) -> Moments:
    """Moments of a value that each cell has, under any leading axes of counts."""
    weight = counts.sum((-2, -1))
    flat = counts.reshape(*counts.shape[:-2], -1)
    value = values.reshape(-1)
    # Not `flat @ value`: threads of the linear algebra library would cost more than they save.
    if flat.ndim > 1:  # replicates never need the spread, which serves the closed form of the point alone
        mean = np.asarray(ratio(products(value, flat).sum(-1), weight))
        spread = np.zeros_like(mean)
    else:
        parts = [(value[some], flat[some]) for some in in_parts(len(value))]
        mean = np.asarray(ratio(sum(products(*part).sum() for part in parts), weight))
        with np.errstate(invalid="ignore"):
            spread = np.asarray(float(sum(products((here - mean) ** 2, times).sum() for here, times in parts)))
    return Moments(weight, np.nan_to_num(mean, posinf=np.inf), spread, float(curve.squared_weight), curve.rows)


def row_losses(judgements: Judgements) -> tuple[Array, NDArray[np.bool_]]:
    """The surprise at each row, and whether its scores are no probabilities."""
    rows = _RowLosses.of(judgements)
    return rows.surprise, rows.improper


class _RowLosses(NamedTuple):
    """What each row's probabilities cost, and the place of what happened among the score columns."""

    surprise: Array
    error: Array
    place: Codes  # labels without a score column share the last place
    places: int
    improper: NDArray[np.bool_]
    otherwise: tuple[Array, Array]  # surprise and squared error if another category had happened

    @property
    def both(self) -> tuple[Array, Array]:
        """Both losses."""
        return self.surprise, self.error

    @property
    def tails(self) -> list[Array]:
        """The columns of `tails`."""
        return [_finite(self.surprise) ** 3, _finite(self.error) ** 3, *map(_finite, self.otherwise)]

    @classmethod
    def of(cls, judgements: Judgements) -> _RowLosses:
        scores, reference = judgements.scores, judgements.reference
        assert scores is not None, "losses need scores"
        values, known = scores.values if scores.inside is None else scores.inside[..., 0], len(scores.categories)
        place = positions(reference.categories, scores.categories)[reference.codes]
        happened = (place[:, None] == np.arange(known)).astype(np.float64)
        if known == 1:  # what it leaves is the probability of the rest; the squared error of the two is counted once
            values, happened = np.hstack([values, 1 - values]), np.hstack([happened, 1 - happened])
        proper = (np.abs(values.sum(1) - 1) <= SUM_TOLERANCE) & ((values >= 0) & (values <= 1)).all(1)
        with np.errstate(divide="ignore", invalid="ignore"):
            surprise = -np.log((values * happened).sum(1))
            # Another category: each as likely as the scores say, once what happened is out of the question.
            others = values * (1 - happened)
            each = np.nan_to_num(-np.log(values), posinf=LARGEST_SURPRISE)
            likely = np.nan_to_num(ratio(others, others.sum(1, keepdims=True)))
        error = ((values - happened) ** 2)[:, :known].sum(1) + ((place < 0) & (known > 1))
        wrong = ((values**2).sum(1, keepdims=True) - 2 * values + 1) / (2 if known == 1 else 1)
        nothing = others.sum(1) <= 0
        otherwise = (
            np.where(nothing, LARGEST_SURPRISE, (likely * each).sum(1)),
            np.where(nothing, 1.0 if known == 1 else 2.0, (likely * wrong).sum(1)),
        )
        if scores.inside is not None:  # of the rows of a cell, the mean of each
            surprises = np.hstack([scores.inside[..., 1], np.full((len(place), 1), np.inf)])
            surprise = surprises[np.arange(len(place)), 0 if known == 1 else place]
            error = scores.inside[..., 2].sum(1) + ((place < 0) & (known > 1))
            proper &= ~np.isnan(error)
        return cls(surprise, error, np.where(place < 0, known, place), known + 1, ~proper, otherwise)
