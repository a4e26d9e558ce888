"""What a threshold can be made to give: formulas over the score curve, conservative, no interpolation.

A threshold takes every row that scores at least as high. Where a curve is binned (replicates of many
distinct scores), the threshold may fall inside a cell, whose rows are then taken evenly.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import SettingError, literal
from adjudge.metrics.base import Direction, metric
from adjudge.metrics.declaration import is_number
from adjudge.metrics.intervals import Share
from adjudge.metrics.score_cells import any_order, any_place
from adjudge.statistics.base import Array, Codes, ratio
from adjudge.statistics.curves.curve import Curve, Curves

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
    intervals=INTERVALS,
    in_cells=any_place,
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
        last = reached.argmax(-1) if reached.shape[-1] else np.zeros(reached.shape[:-1], dtype=np.int64)
        upper = _at(share, last)
        lower = np.where(last > 0, _at(share, np.maximum(last - 1, 0)), 0.0)
        whole = np.ones_like(upper) if curve.inside is None else np.clip(ratio(at - lower, upper - lower), 0, 1)
        part = np.nan_to_num(whole, nan=1.0)
        running = (curve.true_positives, curve.false_positives)
        cells = (curve.counts[..., kind, :] for kind in (0, 1))
        taken = (_at(sums, last) - (1 - part) * _at(cell, last) for sums, cell in zip(running, cells, strict=True))
        self.weights = [np.where(self.possible, one, np.nan) for one in taken]
        self.threshold = np.where(self.possible, _score_at(curve, last), np.nan)
        # Squared weights over weights: what one effective row weighs.
        self.row_weight = ratio(curve.squared_weight, curve.total)

    def of(self, kind: int) -> Array:
        """Weight of positives (0) or negatives (1) taken."""
        return self.weights[kind]

    def precision(self) -> Share:
        """Positives among what is taken."""
        whole = self.of(0) + self.of(1)
        return Share(self.of(0), whole, whole * self.row_weight)


def _of_positives(curve: Curve, recall: Array) -> Share:
    return Share(recall * curve.positive_total, curve.positive_total, curve.squared_weights[0])


def _at(values: Array, place: Codes) -> Array:
    """The value at each place; a curve of no rows has none."""
    if values.shape[-1] == 0:
        return np.full(place.shape, np.nan)
    return np.asarray(np.take_along_axis(values, np.asarray(place)[..., None], axis=-1)[..., 0])


def _score_at(curve: Curve, place: Codes) -> Array:
    """The threshold at each place; a curve of no rows has none."""
    return np.asarray(curve.thresholds[place] if len(curve.thresholds) else np.full(place.shape, np.nan))


def _down_to_recall(curve: Curve, *, at: float = 0.9) -> Taken:
    return Taken(curve, curve.recall, at)


def _down_to_volume(curve: Curve, *, at: float = 0.1) -> Taken:
    volume = ratio(curve.true_positives + curve.false_positives, curve.total[..., None])
    return Taken(curve, np.asarray(volume), at)


@point(
    label="Precision at recall",
    traded=("precision", "recall"),
    undefined="no row belongs to it",
    share=lambda curve, **at: curve.once(_down_to_recall, **at).precision(),
    check=_share_above_zero,
    threshold=lambda curve, **at: curve.once(_down_to_recall, **at).threshold,
    unit="share",
)
def precision_at_recall(curve: Curve, *, at: float = 0.9) -> Array:
    """Precision at the highest threshold whose recall is at least the limit.

    Undefined when no row belongs to the category.

    >>> precision_at_recall([0, 1, 0, 1], [0.1, 0.6, 0.7, 0.9], at=0.5)
    1.0
    """
    taken = curve.once(_down_to_recall, at=at)
    return np.asarray(ratio(taken.of(0), taken.of(0) + taken.of(1)))


@point(
    label="Precision at volume",
    traded=("precision", "share taken"),
    undefined="there are no rows",
    share=lambda curve, **at: curve.once(_down_to_volume, **at).precision(),
    check=_share_above_zero,
    threshold=lambda curve, **at: curve.once(_down_to_volume, **at).threshold,
    unit="share",
)
def precision_at_volume(curve: Curve, *, at: float = 0.1) -> Array:
    """Precision at the highest threshold that takes at least this share of all rows.

    Undefined when there are no rows. The best value is 1 only while the volume is below the prevalence.

    >>> precision_at_volume([0, 1, 0, 1], [0.1, 0.6, 0.7, 0.9], at=0.5)
    0.5
    """
    taken = curve.once(_down_to_volume, at=at)
    return np.asarray(ratio(taken.of(0), taken.of(0) + taken.of(1)))


@metric(
    over=Curves,
    per="category",
    label="False positive rate at recall",
    traded=("false positive rate", "recall"),
    direction=Direction.LOWER,
    range=UNIT,
    undefined="it needs rows of the category and rows of another",
    intervals=INTERVALS,
    in_cells=any_place,
    share=lambda curve, **at: Share(
        curve.once(_down_to_recall, **at).of(1), curve.negative_total, curve.squared_weights[1]
    ),
    check=_share_above_zero,
    threshold=lambda curve, **at: curve.once(_down_to_recall, **at).threshold,
    references=["Yggdrasil Decision Forests, evaluation metrics: X@Y"],
    unit="share",
)
def false_positive_rate_at_recall(curve: Curve, *, at: float = 0.9) -> Array:
    """Smallest false positive rate whose recall is at least the limit.

    Undefined unless there are rows of the category and rows of another.

    >>> false_positive_rate_at_recall([0, 1, 0, 1], [0.1, 0.6, 0.7, 0.9], at=0.9)
    0.5
    """
    return np.asarray(ratio(curve.once(_down_to_recall, at=at).of(1), curve.negative_total))


def _last_that_holds(holds: NDArray[np.bool_]) -> Places:
    """One more than the place of the last threshold that holds; 0 when none does: then nothing is taken."""
    if not holds.shape[-1]:
        return np.zeros(holds.shape[:-1], dtype=np.int64)
    return np.where(holds.any(-1), holds.shape[-1] - holds[..., ::-1].argmax(-1), 0)


def _recall_after(curve: Curve, taken: Places) -> Array:
    recall = np.where(taken > 0, _at(curve.recall, np.maximum(taken - 1, 0)), 0.0)
    return np.where(curve.positive_total == 0, np.nan, recall)


def _threshold_after(curve: Curve, taken: Places) -> Array:
    return np.where(taken > 0, _score_at(curve, np.maximum(taken - 1, 0)), np.inf)


def _precise_enough(curve: Curve, *, at: float = 0.9) -> Places:
    enough = curve.precision >= at - TOLERANCE
    return _last_that_holds(enough if at > TOLERANCE else enough | np.isnan(curve.precision))


def _few_false_alarms(curve: Curve, *, at: float = 0.1) -> Places:
    return _last_that_holds(curve.false_positive_rate <= at + TOLERANCE)


@point(
    label="Recall at precision",
    traded=("recall", "precision"),
    undefined="no row belongs to it",
    share=lambda curve, **at: _of_positives(curve, _recall_after(curve, curve.once(_precise_enough, **at))),
    check=_share,
    threshold=lambda curve, **at: _threshold_after(curve, curve.once(_precise_enough, **at)),
    unit="share",
)
def recall_at_precision(curve: Curve, *, at: float = 0.9) -> Array:
    """Highest recall whose precision is at least the limit; 0, taking nothing, when no threshold has it.

    Undefined when no row belongs to the category.

    >>> recall_at_precision([0, 1, 0, 1], [0.1, 0.6, 0.7, 0.9], at=0.9)
    0.5
    """
    return _recall_after(curve, curve.once(_precise_enough, at=at))


@point(
    label="Recall at false positive rate",
    traded=("recall", "false positive rate"),
    undefined="it needs rows of the category and rows of another",
    share=lambda curve, **at: _of_positives(curve, _recall_after(curve, curve.once(_few_false_alarms, **at))),
    check=_share,
    threshold=lambda curve, **at: _threshold_after(curve, curve.once(_few_false_alarms, **at)),
    unit="share",
)
def recall_at_false_positive_rate(curve: Curve, *, at: float = 0.1) -> Array:
    """Highest recall whose false positive rate is at most the limit.

    Undefined unless there are rows of the category and rows of another.

    >>> recall_at_false_positive_rate([0, 1, 0, 1], [0.1, 0.6, 0.7, 0.9], at=0.1)
    0.5
    """
    value = _recall_after(curve, curve.once(_few_false_alarms, at=at))
    if curve.inside is not None:
        # Binned: go on evenly into the next cell until the limit is reached.
        return _recall_inside(curve, at)
    return np.where(curve.negative_total == 0, np.nan, value)


def _recall_inside(curve: Curve, at: float) -> Array:
    taken = Taken(curve, curve.false_positive_rate, at)
    recall = ratio(taken.of(0), curve.positive_total)
    return np.where(taken.possible, recall, np.where(curve.negative_total == 0, np.nan, 1.0))


def _most_correct(curve: Curve) -> tuple[Array, Places]:
    """Rows decided rightly by the best threshold, and how many thresholds it takes; 0: nothing is taken."""
    gained = curve.true_positives - curve.false_positives
    gained += curve.negative_total[..., None]
    most, nothing = gained.max(-1, initial=-np.inf), np.asarray(curve.negative_total)
    taken = 1 + gained.argmax(-1) if gained.shape[-1] else np.zeros(gained.shape[:-1], dtype=np.int64)
    return np.maximum(most, nothing), np.where(most > nothing, taken, 0)


@metric(
    over=Curves,
    per="category",
    label="Accuracy at its best threshold",
    traded=("accuracy", ""),
    direction=Direction.HIGHER,
    range=UNIT,
    undefined="there are no rows",
    intervals=("wilson", "bootstrap"),
    in_cells=any_order,
    share=lambda curve: Share(curve.once(_most_correct)[0], curve.total, curve.squared_weight),
    baseline=lambda curve: np.asarray(ratio(np.maximum(curve.positive_total, curve.negative_total), curve.total)),
    threshold=lambda curve: _threshold_after(curve, curve.once(_most_correct)[1]),
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
    return np.asarray(ratio(curve.once(_most_correct)[0], curve.total))
