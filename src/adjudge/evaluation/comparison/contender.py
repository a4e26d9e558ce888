"""A system that is compared: what was said of it alone, every metric in every replicate; and the numbers compared."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.evaluation.declaration import View
from adjudge.evaluation.measuring.one_number import OneNumber
from adjudge.evaluation.measuring.rows import Measured
from adjudge.evaluation.results import Row
from adjudge.inference.replicate_values import centred, replicate_values
from adjudge.metrics.base import Metric
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
                    statistic = measured.statistics[metric.over]
                    points[metric], sources[metric] = metric.values(statistic), replicates.source
                    values[metric] = centred(metric, draws, points[metric], replicates, statistic)
        return cls(view, measured, rows, points, values, sources)

    def row(self, number: OneNumber) -> Row | None:
        """What was said first of a number: by its default method."""
        name = repr(number.metric)
        return next((row for row in self.rows if row.metric == name and row.category == number.category), None)

    def limits(self, number: OneNumber) -> tuple[float, float, float]:
        """A number with its limits by its default method."""
        row = self.row(number)
        return (math.nan, math.nan, math.nan) if row is None else (row.estimate, row.low, row.high)
