"""A system that is compared: what was said of it alone, every metric in every replicate; and the numbers compared."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.evaluation.declaration import View
from adjudge.evaluation.measure import Measured
from adjudge.evaluation.results import Row
from adjudge.inference.replicate_values import replicate_values
from adjudge.inference.resampling import centred
from adjudge.metrics.base import Direction, Metric
from adjudge.statistics.base import Array


@dataclass(frozen=True)
class Contender:
    """A system in one slice, with the value of every metric in all units and in every replicate."""

    view: View
    measured: Measured
    rows: Sequence[Row]  # what was said of it alone
    points: dict[Metric, Array]
    values: dict[Metric, Array]
    sources: dict[Metric, tuple[object, ...] | None]  # what was drawn: equal ones are paired

    @classmethod
    def of(cls, view: View, measured: Measured, rows: Sequence[Row], metrics: Iterable[Metric]) -> Contender:
        """Every metric that is drawn, evaluated on all replicates."""
        points: dict[Metric, Array] = {}
        values, sources = dict[Metric, Array](), dict[Metric, tuple[object, ...] | None]()
        with np.errstate(all="ignore"):
            for replicates in measured.bootstrap:
                chosen = [
                    m for m in metrics if m.over in replicates.base and m not in points and m.intervals != ("none",)
                ]
                for metric, draws in zip(chosen, replicate_values(replicates, chosen) if chosen else [], strict=True):
                    point = metric.values(measured.statistics[metric.over])
                    base = replicates.base[metric.over]
                    exact = base is measured.statistics[metric.over]
                    points[metric], sources[metric] = point, replicates.source
                    values[metric] = draws if exact else centred(draws, point, metric.values(base))
        return cls(view, measured, rows, points, values, sources)

    def limits(self, metric: Metric, category: str) -> tuple[float, float, float]:
        """A metric with its limits by its default method."""
        name = repr(metric)
        row = next((r for r in self.rows if r.metric == name and r.category == category), None)
        return (math.nan, math.nan, math.nan) if row is None else (row.estimate, row.low, row.high)


@dataclass(frozen=True)
class ComparedNumber:
    """One number of every system: a metric, and the category it is about."""

    metric: Metric
    category: str = ""
    place: int | None = None

    def of(self, values: Array) -> Array:
        """This number, of the metric's values."""
        return values if self.place is None else np.asarray(values[..., self.place])

    @property
    def sign(self) -> float:
        """1 where more is better, −1 where less is."""
        return -1.0 if self.metric.direction is Direction.LOWER else 1.0
