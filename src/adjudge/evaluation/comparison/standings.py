"""Several systems by one metric: who may be the best, which ranks are possible, and who is not told apart."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

import numpy as np

from adjudge.engines.base import Collected
from adjudge.evaluation.comparison.contender import Contender
from adjudge.evaluation.comparison.difference import Difference, How
from adjudge.evaluation.comparison.margin_claims import margin_masses
from adjudge.evaluation.comparison.paired_answers import UnitSource
from adjudge.evaluation.comparison.panels import Mass
from adjudge.evaluation.comparison.systems import (
    adjusted,
    compared_numbers,
    every_two,
    families,
    is_paired,
    rivalries,
    simultaneous,
)
from adjudge.evaluation.declaration import Task
from adjudge.evaluation.measuring.one_number import OneNumber
from adjudge.evaluation.panels import Flip, PairLine, Standing, StandingsPanel, UnitsPanel, finite
from adjudge.inference.many.multiplicity import letters, probability_of_best, rank_intervals
from adjudge.metrics.base import Direction
from adjudge.statistics.base import Array
from adjudge.statistics.systems.paired_units import PairedUnits

MOST_STANDINGS = 5


def standings(contenders: Sequence[Contender], task: Task, how: How) -> Iterator[StandingsPanel]:
    """Of three systems or more, one panel for each of the first metrics of the headline, of all units."""
    for rivals in rivalries(contenders, how.comparing.baseline):
        for number in _leading(compared_numbers(rivals[0]), task):
            paired = [rivals[0], *(one for one in rivals[1:] if is_paired(number.metric, one, rivals[0]))]
            if len(paired) > 2:
                with np.errstate(all="ignore"):
                    yield _panel(number, paired, how)


def units(contenders: Sequence[Contender], collected: Collected, how: How) -> Iterator[UnitsPanel]:
    """Each system beside its baseline, unit by unit, where the two decide."""
    for first, *others in rivalries(contenders, how.comparing.baseline):
        source = first.view.unit_source
        sums = None if source is None else collected.find(source.view, PairedUnits)
        if source is None or sums is None or first.measured.refused:
            continue
        decided = [one for one in others if not one.measured.refused]
        baseline = first.view.system_name
        yield from (_units_panel(sums, source, one.view.system_name, baseline) for one in decided)


def _units_panel(units: PairedUnits, source: UnitSource, system: str, baseline: str) -> UnitsPanel:
    """One system beside the baseline, whose flips were kept."""
    place, first = source.systems.index(system), source.systems.index(baseline)
    better, equal, worse = units.outcome(place, first)
    flips = [
        Flip(one.name, one.reference, one.before, one.after, better=side)
        for side, changed in ((True, units.fixed[place]), (False, units.broken[place]))
        for one in changed
    ]
    return UnitsPanel(system, baseline, source.unit, source.of, better, equal, worse, flips)


def masses(contenders: Sequence[Contender], how: How) -> Iterator[Mass]:
    """How likely each difference lies beyond its margin on either side, or within it."""
    for rivals in rivalries(contenders, how.comparing.baseline) if how.comparing.margins else ():
        for number in compared_numbers(rivals[0]):
            margin = how.comparing.margin(number.metric)
            for family in families(number, rivals, how) if margin is not None else ():
                for one in family:
                    assert margin is not None
                    about = number.metric.full_label + (f" of {number.category}" if number.category else "")
                    system = (
                        one.other.view.name
                        if one.first is rivals[0]
                        else f"{one.other.view.name} − {one.first.view.name}"
                    )
                    yield Mass(system, about, margin.text, *margin_masses(one, margin))


def _leading(numbers: Sequence[OneNumber], task: Task) -> list[OneNumber]:
    """Those of the headline, in its order, that have a better side."""
    named = [n for pattern in task.headline for n in numbers if fnmatchcase(repr(n.metric), pattern)]
    sided = [n for n in dict.fromkeys(named) if n.metric.direction is not Direction.NEAREST]
    return sided[:MOST_STANDINGS]


def _panel(number: OneNumber, rivals: Sequence[Contender], how: How) -> StandingsPanel:
    """Best first; what is undefined comes last."""
    values = [number.sign * float(number.of(one.points[number.metric])) for one in rivals]
    order = sorted(range(len(rivals)), key=lambda place: (math.isnan(values[place]), -values[place]))
    ranked = [rivals[place] for place in order]
    family = every_two(number, ranked, how)
    p, paid, together = adjusted(family)
    limits = simultaneous(family, together)
    pairs = [_pair(*told_of) for told_of in zip(family, limits, p.tolist(), paid.tolist(), strict=True)]
    draws = np.stack([number.sign * number.of(one.values[number.metric]) for one in ranked], axis=1)
    own = [(one.view.system_name, *one.limits(number)) for one in ranked]
    lines = standing_lines(own, pairs, draws, number.sign, how.level)
    metric = number.metric
    side = "higher" if number.sign > 0 else "lower"
    return StandingsPanel(
        repr(metric), metric.full_label, number.category, side, how.comparing.adjust, len(draws), lines, pairs
    )


def standing_lines(
    ranked: Sequence[tuple[str, float, float, float]],
    pairs: Sequence[PairLine],
    draws: Array,
    sign: float,
    level: float,
) -> list[Standing]:
    """Systems, each with its estimate and limits, the best first; every two of them in that order; draws of each.

    A pair is the later minus the earlier, and shown where its p, paid for all pairs, is small enough.
    """
    places = [(i, j) for i in range(len(ranked)) for j in range(i + 1, len(ranked))]
    better = np.zeros((len(ranked), len(ranked)), dtype=bool)
    for (i, j), pair in zip(places, pairs, strict=True):
        if pair.difference and pair.p_adjusted is not None and pair.p_adjusted < 1 - level:
            better[(j, i) if sign * pair.difference > 0 else (i, j)] = True
    groups, ranks, best = letters(better | better.T), rank_intervals(better), probability_of_best(draws)
    to_first = {j: pair for (i, j), pair in zip(places, pairs, strict=True) if i == 0}
    lines = []
    for place, (system, estimate, low, high) in enumerate(ranked):
        first = to_first.get(place)
        lines.append(
            Standing(
                system=system,
                estimate=finite(estimate),
                low=finite(low),
                high=finite(high),
                difference=None if first is None else first.difference,
                difference_low=None if first is None else first.low,
                difference_high=None if first is None else first.high,
                rank_low=ranks[place][0],
                rank_high=ranks[place][1],
                letters=groups[place],
                probability_best=float(best[place]),
                may_be_best=not better[:, place].any(),
            )
        )
    return lines


def _pair(one: Difference, limits: tuple[float, float] | None, p: float, paid: float) -> PairLine:
    names = [side.view.system_name for side in (one.other, one.first)]
    return PairLine(names[0], names[1], finite(one.value), *_ends(limits), finite(p), finite(paid))


def _ends(limits: tuple[float, float] | None) -> tuple[float | None, float | None]:
    return (None, None) if limits is None else (finite(limits[0]), finite(limits[1]))
