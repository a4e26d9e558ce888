"""The limit that a gate believes of a difference: of two systems that answered the same rows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from adjudge.evaluation.comparison.paired_answers import PairedAnswers
from adjudge.evaluation.gates.limits import (
    NO_INTERVAL,
    NOT_ANY,
    NoLimit,
    Number,
    drawn_units,
    effective_rows,
    limit_of,
)
from adjudge.evaluation.measuring.rows import FLAT, TOO_FEW
from adjudge.inference.differences.paired_shares import tango
from adjudge.inference.intervals.area import effective_sizes
from adjudge.inference.intervals.small_samples import guarded_error
from adjudge.inference.reach import (
    Reach,
    added_reach,
    drawn_reach,
    guarded_variance,
    mean_sequence_reach,
    student_reach,
    unbounded_error,
)
from adjudge.inference.replicate_values import correlation_of, variance_of
from adjudge.metrics.intervals import Quantity
from adjudge.statistics.base import Array, ratio


@dataclass(frozen=True)
class Contrast:
    """One number of a system less `share` times that of its baseline."""

    system: Number
    baseline: Number
    share: float = 1.0
    pairs: PairedAnswers = field(default_factory=PairedAnswers)
    smoothed: Callable[[], tuple[Array, Array] | None] = lambda: None  # draws of both with prior mass where they differ

    @property
    def value(self) -> float:
        """The difference."""
        return self.system.value - self.share * self.baseline.value


def limit_of_difference(contrast: Contrast, *, any_looks: bool = False) -> Reach:
    """The limits of a difference, by the method that gates use for its kind."""
    one, two, metric = contrast.system, contrast.baseline, contrast.system.metric
    if not math.isfinite(contrast.value):
        raise NoLimit(one.refused or two.refused or "undefined in one of the two")
    if metric.intervals == ("none",):
        raise NoLimit(NO_INTERVAL)
    pairs = contrast.pairs.shares
    if pairs is not None and contrast.share == 1 and pairs.rows > 0 and not any_looks:
        return Reach("tango", contrast.value, lambda level: tango(pairs, level), pairs.rows)
    if pairs is not None and contrast.share == 1 and pairs.rows > 0:
        spread = pairs.differing / pairs.rows - pairs.difference**2
        error = guarded_error(spread / pairs.rows, pairs.rows, pairs.rows, 1.0)
        return mean_sequence_reach(contrast.value, error, pairs.rows)
    if any_looks:
        raise NoLimit(NOT_ANY)
    if metric.quantity is Quantity.ROC_AREA and metric.average is None and not one.measured.clustered:
        return _of_areas(contrast)
    if (smoothed := contrast.smoothed()) is not None:
        values = smoothed[0] - contrast.share * smoothed[1]
        return drawn_reach("paired_bayesian", contrast.value, values, one.units, one.units)
    if contrast.pairs.few_differ:
        raise NoLimit(f"the two differ on only {contrast.pairs.differing}: too few for draws to tell")
    return _of_draws(contrast)


def _of_areas(contrast: Contrast) -> Reach:
    """Two areas: the limits of each, squared and added, their correlation shrunk where rows of a kind are few."""
    draws = _paired(contrast)
    curve = contrast.system.statistic.curves[contrast.system.place or 0]
    fewer = min(effective_sizes(curve))
    correlation = correlation_of(*draws) * fewer / (fewer + 2) if draws is not None else 0.0
    return added_reach(limit_of(contrast.system), limit_of(contrast.baseline), correlation, contrast.share)


def _of_draws(contrast: Contrast) -> Reach:
    """By the spread of paired draws, guarded where a unit can change the number by a known amount only."""
    paired, one = _paired(contrast), contrast.system
    if paired is None:
        reach = added_reach(limit_of(one), limit_of(contrast.baseline), 0.0, contrast.share)
        return replace(reach, note="not paired: the two are taken as independent")
    if not one.measured.has_units_for("bootstrap", one.metric):
        raise NoLimit(f"{TOO_FEW}: {one.measured.units_of(one.metric):.3g}")
    units, variance = drawn_units(one), variance_of(paired[0] - contrast.share * paired[1])
    if one.bounded is None:
        if not variance > 0:
            raise NoLimit(FLAT)
        return student_reach("paired_student", contrast.value, unbounded_error(variance, units), units)
    span = one.bounded[1] - one.bounded[0]
    rows = min(_worth_rows(number, draws) for number, draws in zip((one, contrast.baseline), paired, strict=True))
    error = math.sqrt(guarded_variance(variance, units, rows, span))
    return student_reach("paired_guarded", contrast.value, error, units)


def _worth_rows(number: Number, draws: Array) -> float:
    """As how many rows of a share the variance of a number by itself is worth, at most as many as there are.

    A row of a cluster is worth less than one: others go with it. So is one of a metric that is no mean.
    """
    rows = effective_rows(number)
    if number.bounded is None or (number.plain and (number.share is not None or number.metric.mean is not None)):
        return rows
    low, high = number.bounded
    share, variance = (number.value - low) / (high - low), variance_of(draws) / (high - low) ** 2
    worth = float(ratio(share * (1 - share), variance)) if variance > 0 else drawn_units(number)
    return max(min(worth, rows), 2.0)


def _paired(contrast: Contrast) -> tuple[Array, Array] | None:
    """The draws of both, where the same units were drawn for both."""
    one, two = contrast.system.draws(), contrast.baseline.draws()
    if one is None or two is None or one[1].source is None or one[1].source != two[1].source:
        return None
    return one[0], two[0]
