"""What a threshold gives on other rows than it was chosen on: chosen on one half, measured on the other.

Rows with the same label and score are alike, so that a table is halved in its cells: each row of a cell goes to one
half or the other, whatever the order of rows and the engine that counted them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from adjudge.statistics.base import Array, ratio
from adjudge.statistics.cells import generator
from adjudge.statistics.curves.curve import Curve

# How often a table is halved; each half is chosen on once.
HALVINGS = 10
# Choosing on more rows hardly flatters, and would take time.
MOST_HALVED = 5_000
# What a threshold can be measured by, from what it takes of positives and negatives, and all of them.
RATES: dict[str, Callable[[Array, Array, Array, Array], Array]] = {
    "precision": lambda hits, alarms, positives, negatives: np.asarray(ratio(hits, hits + alarms)),
    "recall": lambda hits, alarms, positives, negatives: np.asarray(ratio(hits, positives)),
    "false positive rate": lambda hits, alarms, positives, negatives: np.asarray(ratio(alarms, negatives)),
    "share taken": lambda hits, alarms, positives, negatives: np.asarray(ratio(hits + alarms, positives + negatives)),
    "accuracy": lambda hits, alarms, positives, negatives: np.asarray(
        ratio(hits + negatives - alarms, positives + negatives)
    ),
}


@dataclass(frozen=True, slots=True)
class OnOtherHalf:
    """The mean of what thresholds give on the half they were not chosen on, and of what they were held at there."""

    value: float
    held: float


HALVING_SEED = 7


def on_other_half(curve: Curve, threshold: Callable[[Curve], Array], traded: tuple[str, str]) -> OnOtherHalf | None:
    """Of a curve of rows that weigh the same and stand alone; None of others, of many rows, or where nothing is told.

    `traded` names what a threshold is chosen for, and what it is held at; the second may be empty.

    >>> random = np.random.default_rng(1)
    >>> positive = np.arange(60) < 20
    >>> score = random.normal(size=60) + positive
    >>> counts = np.stack([positive, ~positive])[:, np.argsort(-score)].astype(float)
    >>> curve = Curve.of_points(-np.sort(-score), counts, counts, 60)
    >>> from adjudge.metrics import recall_at_precision
    >>> here = float(recall_at_precision.formula(curve, at=0.8))
    >>> made = on_other_half(curve, lambda half: recall_at_precision.threshold(half, at=0.8), ("recall", "precision"))
    >>> round(here, 2), round(made.value, 2), round(made.held, 2)
    (0.6, 0.35, 0.68)
    """
    counts = curve.counts
    whole = bool(np.array_equal(curve.squares, counts) and (counts == np.rint(counts)).all())
    if curve.inside is not None or not whole or not 4 <= curve.rows <= MOST_HALVED:
        return None
    half = generator(HALVING_SEED, "halves").binomial(counts.astype(np.int64), 0.5, (HALVINGS, *counts.shape))
    chosen_on = np.concatenate([half, counts - half]).astype(np.float64)
    cuts = np.asarray(threshold(curve.with_counts(chosen_on)))
    taken = np.concatenate([np.zeros((*chosen_on.shape[:-1], 1)), np.cumsum(counts - chosen_on, axis=-1)], axis=-1)
    places = np.searchsorted(-curve.thresholds, -np.nan_to_num(cuts, nan=np.inf), side="right")
    # A half knows its own scores alone: the threshold is the lowest of them that is taken, not one of the other half.
    own = np.where(chosen_on.sum(-2) > 0, np.arange(1, len(curve.thresholds) + 1), 0)
    lowest = np.concatenate([np.zeros((len(own), 1), dtype=own.dtype), np.maximum.accumulate(own, axis=-1)], axis=-1)
    places = np.take_along_axis(lowest, places[:, None], axis=-1)[:, 0]
    at = np.take_along_axis(taken, places[:, None, None], axis=-1)[..., 0]
    parts = (at[:, 0], at[:, 1], taken[:, 0, -1], taken[:, 1, -1])
    has_cut = ~np.isnan(cuts)  # a half without positives chooses none
    means = [_mean(RATES[name](*parts)[has_cut]) if name else np.nan for name in traded]
    return OnOtherHalf(*means) if np.isfinite(means[0]) else None


def _mean(values: Array) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")
