"""Rows to try a metric on, made from what the metric is a formula of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from adjudge.metrics import catalogue
from adjudge.metrics.base import Metric
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curve import Curves
from adjudge.statistics.losses import Losses
from adjudge.statistics.weights import Weights

PARAMETERS: dict[str, list[dict[str, Any]]] = {
    "f_score": [{"beta": 2}, {"beta": 0.5}],
    "cohen_kappa": [{"weighting": "linear"}, {"weighting": "quadratic"}],
    "precision_at_recall": [{"at": 0.5}, {"at": 1.0}],
    "precision_at_volume": [{"at": 0.5}],
    "false_positive_rate_at_recall": [{"at": 0.5}],
    "recall_at_precision": [{"at": 0.5}],
    "recall_at_false_positive_rate": [{"at": 0.5}],
    "calibration_error": [{"bins": 3}],
}


# Statistics that rows can be made for here; metrics of others keep the same laws in a file of their own.
STATISTICS = (Confusion, Curves, Losses)


def variants() -> list[Metric]:
    """The whole catalogue over these statistics, with other parameters and with every average it has."""
    found = []
    for metric in (metric for metric in catalogue.every() if metric.over in STATISTICS):
        found += [metric, *(metric.using(**parameters) for parameters in PARAMETERS.get(metric.name, []))]
        if metric.per == "category":
            kinds = ("macro", "micro", "weighted") if metric.over is Confusion else ("macro", "weighted")
            found += [metric.averaged(kind) for kind in kinds]
    return found


@dataclass(frozen=True)
class Rows:
    """Columns for one metric: labels against labels, or against one score for each category."""

    over: type[Any]
    categories: tuple[str, ...]
    reference: np.ndarray  # text
    other: np.ndarray  # text, or (rows, K) scores; one column when there are two categories
    weights: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.reference)

    @property
    def positive(self) -> str | None:
        """What a single score speaks of."""
        return self.categories[-1] if self.other.ndim == 2 and self.other.shape[1] == 1 else None

    def of(self, place: np.ndarray) -> Rows:
        """These rows, repeated or left out as told."""
        weights = None if self.weights is None else self.weights[place]
        return Rows(self.over, self.categories, self.reference[place], self.other[place], weights)

    def weighing(self, weights: np.ndarray | None) -> Rows:
        return Rows(self.over, self.categories, self.reference, self.other, weights)

    @property
    def statistic(self) -> Any:
        """What the metric is a formula of."""
        found = self.over.of_arrays(
            self.reference.tolist(),
            self.other,
            weights=self.weights,
            positive=self.positive,
            categories=self.categories,
        )
        return found.aligned(self.categories) if self.over is Confusion else found


def value(metric: Metric, rows: Rows) -> np.ndarray:
    return metric.values(rows.statistic)


@st.composite
def rows_for(draw: st.DrawFn, metric: Metric, fewest: int = 1, most: int = 30, weighted: bool = False) -> Rows:
    """Rows for this metric; scores are ties-prone probabilities that sum to one over the categories."""
    categories = ("1", "2", "3")[: draw(st.integers(2, 3))]
    size = draw(st.integers(fewest, most))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    reference = random.choice(categories, size)
    weights = random.choice([0.25, 0.5, 1.0, 1.5, 3.0], size) if weighted else None
    if metric.over is Confusion:
        kept = random.random(size) < draw(st.sampled_from([0.0, 0.5, 0.9]))
        prediction = np.where(kept, reference, random.choice(categories, size))
        return Rows(Confusion, categories, reference, prediction, weights)
    digits = draw(st.sampled_from([1, 2, 12]))
    scores = np.round(random.dirichlet(np.ones(len(categories)), size), digits).clip(10.0**-digits, 1 - 10.0**-digits)
    scores = scores[:, -1:] if len(categories) == 2 else scores / scores.sum(1, keepdims=True)
    return Rows(metric.over, categories, reference, scores, weights)


def draws_of(rows: Rows, multiplicities: np.ndarray) -> Any:
    """The statistic under explicit multiplicities, (rows, replicates): one leading axis."""
    plain = rows.statistic
    judgements = judgements_of(rows)
    weights = Weights(len(rows), rows.weights, multiplicities)
    if rows.over is Curves:
        return Curves.summing(judgements, tuple(curve.thresholds for curve in plain.curves))(weights)
    if rows.over is Losses and rows.positive:  # the losses of a lone score follow from its curve
        (curve,) = Curves.collect(judgements, Weights(len(rows), rows.weights)).curves
        return Losses.from_curve(Curves.summing(judgements, (curve.thresholds,))(weights).curves[0])
    return rows.over.summing(judgements)(weights)


def judgements_of(rows: Rows) -> Any:
    """The clean columns behind the statistic."""
    from adjudge.data.columns import Judgements, Scores
    from adjudge.data.labels import Labels

    def labels(values: np.ndarray) -> Labels:
        return Labels(np.searchsorted(rows.categories, values).astype(np.int64), rows.categories)

    if rows.over is Confusion:
        return Judgements(labels(rows.reference), labels(rows.other))
    named = (rows.positive,) if rows.positive else rows.categories
    return Judgements(labels(rows.reference), scores=Scores(named, rows.other))
