"""What the coverage simulation draws: tables and scores whose true metric values are known exactly."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np

from adjudge.metrics import parse
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curve, Curves
from adjudge.statistics.curves.scored import Scored
from adjudge.statistics.weights import Weights

SIZES = (20, 50, 200, 1_000)
PREVALENCES = (0.5, 0.9, 0.98)
QUALITIES = ("good", "medium")
CATEGORIES = ("common", "rare")
# How often the common and the rare category are recognised, and the area under the ROC curve of scores.
RECALLS = {"good": (0.95, 0.90), "medium": (0.80, 0.70)}
AREAS = {"good": 0.95, "medium": 0.80}
# Five categories: how the rows that are not of the commonest are shared out, and how often all are recognised.
OTHERS = (0.4, 0.3, 0.2, 0.1)
RECALL_OF_FIVE = {"good": 0.90, "medium": 0.65}

TWO, FIVE, SCORES = "two categories", "five categories", "scores"
METRICS = {
    TWO: (
        "accuracy",
        "recall",
        "f_score",
        "cohen_kappa",
        "matthews_correlation",
        "balanced_accuracy",
        "f_score(average=macro)",
    ),
    FIVE: (
        "cohen_kappa",
        "cohen_kappa(weighting=quadratic)",
        "matthews_correlation",
        "balanced_accuracy",
        "f_score(average=macro)",
    ),
    SCORES: ("roc_auc", "pr_auc", "average_precision"),
}
# Means over the categories that a sample has, and the metric they are a mean of.
MEANS = {"balanced_accuracy": "recall", "f_score(average=macro)": "f_score"}


@dataclass(frozen=True)
class Design:
    """One population and one sample size. `prevalence` is the share of the commonest category."""

    kind: str
    quality: str
    n: int
    prevalence: float

    @property
    def seed(self) -> list[int]:
        """The same samples on every run, whatever else is run."""
        places = list(METRICS).index(self.kind), QUALITIES.index(self.quality)
        return [2024, self.n, round(self.prevalence * 100), *places]

    @property
    def categories(self) -> tuple[str, ...]:
        """Their names, the commonest first."""
        return tuple("12345") if self.kind == FIVE else CATEGORIES

    @cached_property
    def cells(self) -> Array:
        """The shares of the cells; rows are the reference."""
        p = self.prevalence
        if self.kind == FIVE:
            steps = np.abs(np.subtract.outer(np.arange(5), np.arange(5)))
            wrong = np.where(steps > 0, 0.5**steps, 0)
            right = RECALL_OF_FIVE[self.quality]
            given = right * np.eye(5) + (1 - right) * wrong / wrong.sum(1, keepdims=True)
            return np.asarray(np.array([p, *((1 - p) * np.array(OTHERS))])[:, None] * given)
        common, rare = RECALLS[self.quality]
        return np.array([[p * common, p * (1 - common)], [(1 - p) * (1 - rare), (1 - p) * rare]])

    @cached_property
    def population(self) -> Confusion:
        """The table of probabilities: its metrics are the true ones, in closed form."""
        return Confusion(self.categories, self.cells, self.cells, 1)

    def truths(self, metric: Metric, sample: Any) -> list[float]:
        """The true values of what this sample estimates, one for each of its categories or just one.

        A mean over categories is held against the true mean over the categories that the sample has.
        """
        if self.kind == SCORES:
            return [self._true_area(metric, category) for category in sample.categories]
        if (part := MEANS.get(repr(metric))) is not None:
            each, found = parse(part).values(self.population), parse(part).values(sample)
            places = [self.categories.index(category) for category in sample.categories]
            return [float(each[places][~np.isnan(found)].mean())]
        values = metric.values(self.population)
        if not metric.by_category:
            return [float(values)]
        return [float(values[self.categories.index(category)]) for category in sample.categories]

    def _true_area(self, metric: Metric, category: str) -> float:
        """ROC: in closed form. PR: the area under the population's curve, by numeric integration."""
        if metric.name == "roc_auc":
            return AREAS[self.quality]
        return self._precision_recall[category]

    @cached_property
    def _precision_recall(self) -> dict[str, float]:
        shares, distance = (self.prevalence, 1 - self.prevalence), self.distance
        return {name: _area(share, distance) for name, share in zip(CATEGORIES, shares, strict=True)}

    @property
    def distance(self) -> float:
        """How far apart the two normal distributions of scores lie."""
        return float(np.sqrt(2) * NormalDist().inv_cdf(AREAS[self.quality]))


def all_designs(sizes: tuple[int, ...] = SIZES) -> list[Design]:
    """The whole grid, the slowest first."""
    return [
        Design(kind, quality, n, prevalence)
        for n in sorted(sizes, reverse=True)
        for kind in (SCORES, FIVE, TWO)
        for quality in QUALITIES
        for prevalence in PREVALENCES
    ]


def tables(design: Design, samples: int) -> tuple[list[Confusion], list[int]]:
    """The distinct tables among the samples, and how many samples have each."""
    random = np.random.default_rng(design.seed)
    drawn = random.multinomial(design.n, design.cells.ravel(), size=samples)
    distinct, times = np.unique(drawn, axis=0, return_counts=True)
    size = len(design.categories)
    return [_table(c.reshape(size, size).astype(np.float64), design) for c in distinct], times.tolist()


def _table(counts: Array, design: Design) -> Confusion:
    """The table of the categories that occur: a sample does not know of others."""
    seen = (counts.sum(0) + counts.sum(1)) > 0
    counts = counts[np.ix_(seen, seen)]
    names = tuple(name for name, used in zip(design.categories, seen, strict=True) if used)
    return Confusion(names, counts, counts, design.n)


def curves(design: Design, samples: int) -> list[Curves]:
    """Samples of scores of the common category: normal in both categories, mapped to [0, 1]."""
    from scipy.special import expit

    random = np.random.default_rng(design.seed)
    drawn = []
    for _ in range(samples):
        common = random.random(design.n) < design.prevalence
        score = expit(random.standard_normal(design.n) + design.distance * (common - 0.5))
        drawn.append(Curves(CATEGORIES[:1], (Curve.collect(Scored(common, score), Weights(design.n)),)))
    return drawn


def both_sides(curves: Curves) -> Curves:
    """The curve of each category: the rare one is ranked by the reversed score."""
    (curve,) = curves.curves
    counts, squares = curve.counts[..., ::-1, ::-1], curve.squares[::-1, ::-1]
    rare = Curve.of_points(1 - curve.thresholds[::-1], counts, squares, curve.rows, level=curve.level)
    return Curves(CATEGORIES, (curve, rare))


def _area(share: float, distance: float) -> float:
    """The area under the precision-recall curve of a population, by the trapezoid on 400,001 points."""
    from scipy.special import ndtr

    cuts = np.linspace(12 + distance, -12, 400_001)
    recall, fallout = ndtr(distance - cuts), ndtr(-cuts)
    precision = share * recall / (share * recall + (1 - share) * fallout)
    return float(((precision[1:] + precision[:-1]) / 2 * np.diff(recall)).sum())
