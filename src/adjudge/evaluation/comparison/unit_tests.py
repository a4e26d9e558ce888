"""Tests that need the units themselves: the table is read again for them, by whoever asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.data.keys import Keys
from adjudge.engines.local import blocks_of
from adjudge.errors import with_minus
from adjudge.evaluation.comparison.contender import Contender
from adjudge.evaluation.comparison.paired_answers import UnitSource
from adjudge.evaluation.request import Request
from adjudge.inference.differences.paired_areas import PairedAreas, paired_areas
from adjudge.inference.differences.paired_units import (
    PERMUTATIONS,
    clustered_difference,
    sign_flip_p,
    sign_p,
    signed_ranks,
)
from adjudge.metrics.base import Direction, Metric
from adjudge.metrics.intervals import Quantity
from adjudge.statistics.base import Array

OF_UNITS = {"permutation", "wilcoxon", "sign", "student", "delong"}
"""The tests that are made of units."""
MOST_SWAPS = 2**28
FEWEST_SWAPS = 999


@dataclass(frozen=True, slots=True)
class UnitTest:
    """A test of what units lose, and the limits that go with it, where it has some of its own."""

    test: str
    p: float
    note: str = ""
    limits: tuple[str, float, float] | None = None  # by which method; None: those of the difference


@dataclass(frozen=True)
class UnitTable:
    """What each system lost on each unit, in the order of their keys."""

    source: UnitSource
    losses: Array  # (units, systems)
    keys: Keys  # equal ones belong together
    weights: Array | None
    scores: Array | None
    positive: np.ndarray | None
    clustered: bool
    seed: int

    @classmethod
    def read(cls, request: Request, source: UnitSource) -> UnitTable:
        """The units of a request, read again."""
        parts, keys, weights = [], [], []
        for _, block in blocks_of(request.source, request.study.reading, gather=request.engine.holds_table):
            if block.rows:
                parts.append(source.losses(block.views[source.view]))
                keys.append(np.asarray(block.keys))
                weights.append(np.ones(block.rows) if block.weight is None else block.weight)
        key, weight = np.concatenate(keys), np.concatenate(weights)
        order = np.argsort(key, kind="stable")
        scored = [(part.scores, part.positive) for part in parts if part.scores is not None]
        every = len(scored) == len(parts)
        return cls(
            source,
            np.concatenate([part.losses for part in parts])[order],
            key[order],
            None if (weight == 1).all() else weight[order],
            np.concatenate([scores for scores, _ in scored])[order] if every else None,
            np.concatenate([positive for _, positive in scored if positive is not None])[order] if every else None,
            request.study.clustered,
            request.bootstrap.seed,
        )

    def tests(self, metric: Metric, names: tuple[str, str], tests: set[str], level: float) -> Iterator[UnitTest]:
        """Each test of a metric of two systems."""
        if not set(names) <= set(self.source.systems):
            return
        one, two = (self.source.systems.index(name) for name in names)
        areas = self._areas(one, two) if metric.quantity is Quantity.ROC_AREA and "delong" in tests else None
        if areas is not None and not self.clustered:
            yield UnitTest("DeLong's test", areas.p, limits=("delong", *areas.delong(level)))
        if metric not in self.source.powers:
            return
        sign = -1.0 if metric.direction is Direction.HIGHER else 1.0
        power = self.source.powers[metric]
        each = sign * (self.losses[:, one] ** power - self.losses[:, two] ** power)
        known = ~np.isnan(each)
        yield from self._of_differences(metric, each[known], known, tests, level)

    def _of_differences(
        self, metric: Metric, each: Array, known: np.ndarray, names: set[str], level: float
    ) -> Iterator[UnitTest]:
        weights = None if self.weights is None else self.weights[known]
        keys, place = np.unique(self.keys[known], return_inverse=True)
        if not self.clustered:
            keys, place = self.keys[known], np.arange(len(each))
        amounts = each if weights is None else weights * each
        sums: Array = np.bincount(place, weights=amounts, minlength=len(keys)).astype(np.float64)
        whose = "clusters" if self.clustered else f"{self.source.unit}s"
        if "student" in names:
            mean = clustered_difference(each, place.tolist(), weights)
            is_mean = self.source.powers[metric] == 1
            yield UnitTest("Student's t", mean.p(), limits=("student", *mean.interval(level)) if is_mean else None)
        if "permutation" in names:
            swaps = int(np.clip(MOST_SWAPS // max(len(sums), 1), FEWEST_SWAPS, PERMUTATIONS))
            p = sign_flip_p(sums, keys=keys, seed=self.seed, permutations=swaps)
            yield UnitTest("permutation", p, f"answers of {whose} swapped")
        if "wilcoxon" in names:
            ranks = signed_ranks(sums, level)
            value, low, high = (with_minus(one, ".4g") for one in (ranks.shift, ranks.low, ranks.high))
            shift = f"typical difference {value} [{low}, {high}]"
            yield UnitTest("Wilcoxon's test", ranks.p, "" if self.clustered else shift)
        if "sign" in names:
            better, worse = int((sums > 0).sum()), int((sums < 0).sum())
            words = f"larger in {better:,}, smaller in {worse:,} {whose}"
            yield UnitTest("sign test", sign_p(sums), words)

    def _areas(self, one: int, two: int) -> PairedAreas | None:
        if self.scores is None or self.positive is None:
            return None
        return paired_areas(self.positive, self.scores[:, one], self.scores[:, two], self.weights)


def unit_tables(request: Request, contenders: Sequence[Contender]) -> dict[UnitSource, UnitTable]:
    """The units that tests were asked of, each table read once."""
    if not OF_UNITS & set(request.comparing.tests):
        return {}
    sources = dict.fromkeys(one.view.unit_source for one in contenders if one.view.unit_source is not None)
    return {source: UnitTable.read(request, source) for source in sources}
