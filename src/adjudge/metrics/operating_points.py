"""What a threshold can be made to give: formulas over the score curve, conservative, no interpolation.

A threshold takes every row that scores at least as high. Where a curve is binned (replicates of many
distinct scores), the threshold may fall inside a cell, whose rows are then taken evenly.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import SettingError, literal
from adjudge.metrics.base import Direction, is_number, metric
from adjudge.metrics.intervals import Share
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.curve import Curve, Curves

Places = NDArray[np.int64]
UNIT = (0.0, 1.0)
# When every replicate gives the same value the bootstrap is blind; the share at the threshold found then speaks.
INTERVALS = ("bootstrap", "wilson")
# A share that misses its limit by less than rounding does has reached it.
TOLERANCE = 1e-12

# What most thresholds are chosen for.
point = partial(
    metric,
    over=Curves,
    per="category",
    direction=Direction.HIGHER,
    range=UNIT,
    best=1.0,
    intervals=INTERVALS,
    references=["Yggdrasil Decision Forests, evaluation metrics: X@Y"],
)


def _share_above_zero(*, at: float = 0.9) -> None:
    if not (is_number(at) and 0 < at <= 1):
        raise SettingError(f"`at` must be a share above 0 and at most 1, not {literal(at)}.")


def _share(*, at: float = 0.1) -> None:
    if not (is_number(at) and 0 <= at <= 1):
        raise SettingError(f"`at` must be a share between 0 and 1, not {literal(at)}.")


class Taken:
    """What is taken when going down the scores until a share of something is reached."""

    def __init__(self, curve: Curve, share: Array, at: float) -> None:
        reached = share >= at - TOLERANCE
        self.possible = reached.any(-1)
        self.last = reached.argmax(-1) if reached.shape[-1] else np.zeros(reached.shape[:-1], dtype=np.int64)
        upper = _at(share, self.last)
        lower = np.where(self.last > 0, _at(share, np.maximum(self.last - 1, 0)), 0.0)
        whole = np.ones_like(upper) if curve.inside is None else np.clip(ratio(at - lower, upper - lower), 0, 1)
        self.part = np.nan_to_num(whole, nan=1.0)
        self.curve = curve

    def of(self, kind: int) -> Array:
        """Weight of positives (0) or negatives (1) taken."""
        running = self.curve.true_positives if kind == 0 else self.curve.false_positives
        cell = _at(self.curve.counts[..., kind, :], self.last)
        taken = _at(running, self.last) - (1 - self.part) * cell
        return np.where(self.possible, taken, np.nan)

    def threshold(self) -> Array:
        """The lowest score that is taken."""
        return np.where(self.possible, np.append(self.curve.thresholds, np.nan)[self.last], np.nan)

    def precision(self) -> Share:
        """Positives among what is taken."""
        whole = self.of(0) + self.of(1)
        return Share(self.of(0), whole, whole * _weight_of_a_row(self.curve))


def _weight_of_a_row(curve: Curve) -> Array:
    """Squared weights over weights: what one effective row weighs."""
    return np.asarray(ratio(curve.squares.sum(), curve.total))


def _of_positives(curve: Curve, recall: Array) -> Share:
    return Share(recall * curve.positive_total, curve.positive_total, curve.squares[0].sum())


def _at(values: Array, place: Any) -> Array:
    """The value at each place; a curve of no rows has none."""
    if values.shape[-1] == 0:
        return np.full(place.shape, np.nan)
    return np.asarray(np.take_along_axis(values, np.asarray(place)[..., None], axis=-1)[..., 0])


def _down_to_recall(curve: Curve, *, at: float = 0.9) -> Taken:
    return Taken(curve, curve.recall, at)


def _down_to_volume(curve: Curve, *, at: float = 0.1) -> Taken:
    volume = ratio(curve.true_positives + curve.false_positives, curve.total[..., None])
    return Taken(curve, np.asarray(volume), at)


@point(
    label="Precision at recall",
    undefined="no row belongs to it",
    share=lambda curve, **at: _down_to_recall(curve, **at).precision(),
    check=_share_above_zero,
    threshold=lambda curve, **at: _down_to_recall(curve, **at).threshold(),
    unit="share",
)
def precision_at_recall(curve: Curve, *, at: float = 0.9) -> Array:
    """Precision at the highest threshold whose recall is at least the limit.

    Undefined when no row belongs to the category.

    >>> precision_at_recall([0, 1, 0, 1], [0.1, 0.6, 0.7, 0.9], at=0.5)
    1.0
    """
    taken = _down_to_recall(curve, at=at)
    return np.asarray(ratio(taken.of(0), taken.of(0) + taken.of(1)))


@point(
    label="Precision at volume",
    undefined="there are no rows",
    share=lambda curve, **at: _down_to_volume(curve, **at).precision(),
    check=_share_above_zero,
    threshold=lambda curve, **at: _down_to_volume(curve, **at).threshold(),
    unit="share",
)
def precision_at_volume(curve: Curve, *, at: float = 0.1) -> Array:
    """Precision at the highest threshold that takes at least this share of all rows.

    Undefined when there are no rows. The best value is 1 only while the volume is below the prevalence.

    >>> precision_at_volume([0, 1, 0, 1], [0.1, 0.6, 0.7, 0.9], at=0.5)
    0.5
    """
    taken = _down_to_volume(curve, at=at)
    return np.asarray(ratio(taken.of(0), taken.of(0) + taken.of(1)))


@metric(
    over=Curves,
    per="category",
    label="False positive rate at recall",
    direction=Direction.LOWER,
    range=UNIT,
    best=0.0,
    undefined="it needs rows of the category and rows of another",
    intervals=INTERVALS,
    share=lambda curve, **at: Share(_down_to_recall(curve, **at).of(1), curve.negative_total, curve.squares[1].sum()),
    check=_share_above_zero,
    threshold=lambda curve, **at: _down_to_recall(curve, **at).threshold(),
    references=["Yggdrasil Decision Forests, evaluation metrics: X@Y"],
    unit="share",
)
def false_positive_rate_at_recall(curve: Curve, *, at: float = 0.9) -> Array:
    """Smallest false positive rate whose recall is at least the limit.

    Undefined unless there are rows of the category and rows of another.

    >>> false_positive_rate_at_recall([0, 1, 0, 1], [0.1, 0.6, 0.7, 0.9], at=0.9)
    0.5
    """
    return np.asarray(ratio(_down_to_recall(curve, at=at).of(1), curve.negative_total))


def _last_that_holds(holds: NDArray[np.bool_]) -> Places:
    """One more than the place of the last threshold that holds; 0 when none does: then nothing is taken."""
    places = np.arange(1, holds.shape[-1] + 1)
    return np.asarray((holds * places).max(-1, initial=0))


def _recall_after(curve: Curve, taken: Places) -> Array:
    recall = np.concatenate([np.zeros((*curve.recall.shape[:-1], 1)), curve.recall], axis=-1)
    return np.where(curve.positive_total == 0, np.nan, _at(recall, taken))


def _threshold_after(curve: Curve, taken: Places) -> Array:
    return np.asarray(np.concatenate([[np.inf], curve.thresholds])[taken])


def _precise_enough(curve: Curve, *, at: float = 0.9) -> Places:
    return _last_that_holds(np.nan_to_num(curve.precision) >= at - TOLERANCE)


def _few_false_alarms(curve: Curve, *, at: float = 0.1) -> Places:
    return _last_that_holds(np.nan_to_num(curve.false_positive_rate, nan=np.inf) <= at + TOLERANCE)


@point(
    label="Recall at precision",
    undefined="no row belongs to it",
    share=lambda curve, **at: _of_positives(curve, _recall_after(curve, _precise_enough(curve, **at))),
    check=_share,
    threshold=lambda curve, **at: _threshold_after(curve, _precise_enough(curve, **at)),
    unit="share",
)
def recall_at_precision(curve: Curve, *, at: float = 0.9) -> Array:
    """Highest recall whose precision is at least the limit; 0, taking nothing, when no threshold has it.

    Undefined when no row belongs to the category.

    >>> recall_at_precision([0, 1, 0, 1], [0.1, 0.6, 0.7, 0.9], at=0.9)
    0.5
    """
    return _recall_after(curve, _precise_enough(curve, at=at))


@point(
    label="Recall at false positive rate",
    undefined="it needs rows of the category and rows of another",
    share=lambda curve, **at: _of_positives(curve, _recall_after(curve, _few_false_alarms(curve, **at))),
    check=_share,
    threshold=lambda curve, **at: _threshold_after(curve, _few_false_alarms(curve, **at)),
    unit="share",
)
def recall_at_false_positive_rate(curve: Curve, *, at: float = 0.1) -> Array:
    """Highest recall whose false positive rate is at most the limit.

    Undefined unless there are rows of the category and rows of another.

    >>> recall_at_false_positive_rate([0, 1, 0, 1], [0.1, 0.6, 0.7, 0.9], at=0.1)
    0.5
    """
    value = _recall_after(curve, _few_false_alarms(curve, at=at))
    if curve.inside is not None:
        # Binned: go on evenly into the next cell until the limit is reached.
        return _recall_inside(curve, at)
    return np.where(curve.negative_total == 0, np.nan, value)


def _recall_inside(curve: Curve, at: float) -> Array:
    taken = Taken(curve, curve.false_positive_rate, at)
    recall = ratio(taken.of(0), curve.positive_total)
    return np.where(taken.possible, recall, np.where(curve.negative_total == 0, np.nan, 1.0))


def _correct(curve: Curve) -> Array:
    """Rows decided rightly by each threshold, the first taking nothing, (…, T + 1)."""
    gained = curve.true_positives - curve.false_positives
    nothing = np.zeros((*gained.shape[:-1], 1))
    return np.concatenate([nothing, gained], axis=-1) + curve.negative_total[..., None]


@metric(
    over=Curves,
    per="category",
    label="Accuracy at its best threshold",
    direction=Direction.HIGHER,
    range=UNIT,
    best=1.0,
    undefined="there are no rows",
    intervals=("wilson", "bootstrap"),
    share=lambda curve: Share(_correct(curve).max(-1), curve.total, curve.squares.sum()),
    baseline=lambda curve: np.asarray(ratio(np.maximum(curve.positive_total, curve.negative_total), curve.total)),
    threshold=lambda curve: np.concatenate([[np.inf], curve.thresholds])[_correct(curve).argmax(-1)],
    references=["Yggdrasil Decision Forests, evaluation metrics: accuracy"],
    unit="share",
)
def max_accuracy(curve: Curve) -> Array:
    """Accuracy of "score at least t" for the threshold t that makes it largest on these very rows.

    Choosing the threshold on the rows it is judged by flatters: compare accuracy at a fixed threshold.

    Undefined when there are no rows.

    >>> max_accuracy([0, 1, 0, 1], [0.1, 0.6, 0.7, 0.9])
    0.75
    """
    return np.asarray(ratio(_correct(curve).max(-1), curve.total))
