"""How good a gold standard is: the agreement of those who made it, and the ceiling it sets on any system's score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypedDict

import numpy as np

from adjudge.data.cleaning import text_column
from adjudge.data.source import Batch, Numbers, Source, joined_batches
from adjudge.errors import BadValue
from adjudge.evaluation.arrays.estimate import plain_estimate
from adjudge.evaluation.panels import Cell, TablePanel
from adjudge.inference.intervals.interval import Estimate
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics import icc, krippendorff_alpha, label_ceiling, percent_agreement
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array

TITLE = "Annotation quality"
COLUMNS = ["figure", "estimate", "low", "high", "items", "what it says"]
# From so many distinct numbers on, or with decimals, ratings are measurements and not labels.
MEASURED_FROM = 13


class Drawing(TypedDict):
    """How intervals are drawn: settings of `estimate`."""

    level: float
    replicates: int
    seed: int


def annotation_table(source: Source, raters: Sequence[str], level: float, settings: Bootstrap) -> TablePanel:
    """Agreement of the raters in these columns, and what no system can pass."""
    batches = list(source.batches(list(raters), []))
    if not batches:
        raise BadValue("The gold standard must have rows, but it has none.")
    how: Drawing = {"level": level, "replicates": settings.replicates, "seed": settings.seed}
    numbers = _numbers(joined_batches(list(source.batches([], list(raters)))), raters)
    if numbers is not None:
        return TablePanel(TITLE, _NOTE_OF_NUMBERS, COLUMNS, _of_numbers(numbers, how))
    labels = _labels(joined_batches(batches), raters)
    return TablePanel(TITLE, _NOTE_OF_LABELS, COLUMNS, _of_labels(labels, how))


_NOTE_OF_LABELS = (
    "The ceiling is the share of right answers that the best of all systems could have if the reference is what one of "
    "these raters said: an item on which they differ cannot be answered right for all of them."
)
_NOTE_OF_NUMBERS = (
    "The ceiling is the highest correlation that any system can have with what these raters said: the root of the "
    "reliability of what is taken as the reference."
)


def _of_labels(ratings: list[list[str | None]], how: Drawing) -> list[list[Cell]]:
    rows = [
        (label_ceiling, "no system is right more often, against one rater's labels"),
        (percent_agreement, "two raters say the same of an item"),
        (krippendorff_alpha, "agreement beyond chance"),
    ]
    return [_row(metric, plain_estimate(metric, ratings, **how), says) for metric, says in rows]


def _of_numbers(ratings: Array, how: Drawing) -> list[list[Cell]]:
    complete = ratings[~np.isnan(ratings).any(axis=1)]
    estimates = []
    for form, whose in (("A,1", "one rater"), ("A,k", f"the mean of {ratings.shape[1]} raters")):
        reliability = plain_estimate(icc.using(form=form), complete, **how)
        ends = (reliability.value, reliability.interval.low, reliability.interval.high)
        roots = [math.sqrt(end) if end >= 0 else None for end in ends]
        name = f"Highest correlation with {whose}"
        estimates.append([name, *roots, reliability.n, "the root of the reliability below"])
        estimates.append(_row(icc.using(form=form), reliability, f"reliability of {whose}"))
    return estimates


def _row(metric: Metric, estimate: Estimate, says: str) -> list[Cell]:
    ends = [None if math.isnan(end) else end for end in (estimate.value, estimate.interval.low, estimate.interval.high)]
    return [metric.full_label, *ends, estimate.n, says]


def _numbers(batch: Batch, raters: Sequence[str]) -> Array | None:
    """The ratings as numbers, where they are measurements."""
    columns = [one for name in raters if isinstance(one := batch.columns[name], Numbers) and not one.unreadable.any()]
    if len(columns) < len(raters):
        return None
    values = np.column_stack([one.values for one in columns])
    known = np.unique(values[~np.isnan(values)])
    return values if len(known) >= MEASURED_FROM or (known != np.round(known)).any() else None


def _labels(batch: Batch, raters: Sequence[str]) -> list[list[str | None]]:
    columns = [text_column(batch, name) for name in raters]
    said = [[None if code < 0 else one.labels[code] for code in one.codes] for one in columns]
    return [list(row) for row in zip(*said, strict=True)]
