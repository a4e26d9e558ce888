"""What the coverage simulation draws: tables and scores whose true metric values are known exactly."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from adjudge.metrics import parse
from adjudge.statistics.base import Array
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curve import Curve, Curves
from adjudge.statistics.weights import Weights

SIZES = (20, 50, 200, 1_000)
PREVALENCES = (0.5, 0.9, 0.98)
CATEGORIES = ("common", "rare")
# How often the common and the rare category are recognised.
RECALLS = {"good": (0.95, 0.90), "medium": (0.80, 0.70)}
AREAS = {"good": 0.95, "medium": 0.80}
DECISION_METRICS = (
    "accuracy",
    "recall",
    "recall(average=macro)",
    "f_score",
    "f_score(average=macro)",
    "cohen_kappa",
    "balanced_accuracy",
    "matthews_correlation",
)
SCORE_METRICS = ("roc_auc", "pr_auc", "average_precision")


@dataclass(frozen=True, slots=True)
class Design:
    """One population and one sample size. `prevalence` is the share of the common category."""

    kind: str  # decisions or scores
    quality: str
    n: int
    prevalence: float

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics judged on this design."""
        return DECISION_METRICS if self.kind == "decisions" else SCORE_METRICS

    @property
    def seed(self) -> list[int]:
        """The same samples on every run, whatever else is run."""
        place = sorted(RECALLS).index(self.quality)
        return [2024, self.n, round(self.prevalence * 100), place, int(self.kind == "scores")]

    def truths(self) -> dict[tuple[str, str], float]:
        """The true value of each metric, by metric and category ("" for metrics that are one number)."""
        return _true_decisions(self) if self.kind == "decisions" else _true_areas(self)


def all_designs(sizes: tuple[int, ...] = SIZES) -> list[Design]:
    """The whole grid, the slowest first."""
    return [
        Design(kind, quality, n, prevalence)
        for n in sorted(sizes, reverse=True)
        for kind in ("scores", "decisions")
        for quality in RECALLS
        for prevalence in PREVALENCES
    ]


def _cells(design: Design) -> Array:
    """Shares of the four cells; rows are the reference."""
    (common, rare), p = RECALLS[design.quality], design.prevalence
    return np.array([[p * common, p * (1 - common)], [(1 - p) * (1 - rare), (1 - p) * rare]])


def tables(design: Design, samples: int) -> tuple[list[Confusion], list[int]]:
    """The distinct tables among the samples, and how many samples have each."""
    random = np.random.default_rng(design.seed)
    drawn = random.multinomial(design.n, _cells(design).ravel(), size=samples)
    distinct, times = np.unique(drawn, axis=0, return_counts=True)
    return [_table(cells.reshape(2, 2).astype(np.float64)) for cells in distinct], times.tolist()


def _table(counts: Array) -> Confusion:
    """The table of the categories that occur: a sample of one category only does not know the other."""
    seen = (counts.sum(0) + counts.sum(1)) > 0
    counts = counts[np.ix_(seen, seen)]
    names = tuple(name for name, used in zip(CATEGORIES, seen, strict=True) if used)
    return Confusion(names, counts, counts, int(counts.sum()))


def curves(design: Design, samples: int) -> list[Curves]:
    """Samples of scores of the common category: normal in both categories, mapped to [0, 1]."""
    from scipy.special import expit

    random = np.random.default_rng(design.seed)
    distance = _distance(design.quality)
    drawn = []
    for _ in range(samples):
        common = random.random(design.n) < design.prevalence
        score = expit(random.standard_normal(design.n) + distance * (common - 0.5))
        curve = Curve.collect(common, score, Weights(design.n))
        drawn.append(Curves(CATEGORIES[:1], (curve,)))
    return drawn


def both_sides(curves: Curves) -> Curves:
    """The curve of each category: the rare one is ranked by the reversed score."""
    (curve,) = curves.curves
    reversed_counts, reversed_squares = curve.counts[..., ::-1, ::-1], curve.squares[::-1, ::-1]
    rare = replace(curve, thresholds=1 - curve.thresholds[::-1], counts=reversed_counts, squares=reversed_squares)
    return Curves(CATEGORIES, (curve, rare))


def _distance(quality: str) -> float:
    """How far apart the two normal distributions lie to give the area under the ROC curve."""
    return float(np.sqrt(2) * NormalDist().inv_cdf(AREAS[quality]))


def _true_decisions(design: Design) -> dict[tuple[str, str], float]:
    """In closed form: the metric of the table of probabilities."""
    cells = _cells(design)
    table, found = Confusion(CATEGORIES, cells, cells, 1), {}
    for name in DECISION_METRICS:
        metric = parse(name)
        values = np.atleast_1d(metric.values(table))
        found |= {(name, c): float(v) for c, v in zip(_categories(metric.by_category), values, strict=True)}
    return found


def _categories(by_category: bool) -> tuple[str, ...]:
    return CATEGORIES if by_category else ("",)


def _true_areas(design: Design) -> dict[tuple[str, str], float]:
    """ROC: in closed form. PR: the area under the population's curve, integrated on 400,001 points."""
    found = {}
    for category, share in zip(CATEGORIES, (design.prevalence, 1 - design.prevalence), strict=True):
        found["roc_auc", category] = AREAS[design.quality]
        area = _precision_recall_area(share, _distance(design.quality))
        found["pr_auc", category] = found["average_precision", category] = area
    return found


def _precision_recall_area(share: float, distance: float) -> float:
    from scipy.special import ndtr

    cuts = np.linspace(12 + distance, -12, 400_001)
    recall, fallout = ndtr(distance - cuts), ndtr(-cuts)
    precision = share * recall / (share * recall + (1 - share) * fallout)
    return float(((precision[1:] + precision[:-1]) / 2 * np.diff(recall)).sum())
