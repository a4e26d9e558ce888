"""What requirements ask of the walk: rows of the long table, each a limit at the gate's own level with its p-value."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from adjudge.engines.base import SliceKey
from adjudge.errors import SettingError, did_you_mean, listed, noted, quoted
from adjudge.evaluation.comparison.paired_answers import PairedAnswers
from adjudge.evaluation.comparison.side_effects import flips_of
from adjudge.evaluation.comparison.smoothed_pairs import differing_answers, smoothed_pair
from adjudge.evaluation.declaration import View
from adjudge.evaluation.gates.difference_limits import Contrast, limit_of_difference
from adjudge.evaluation.gates.limits import NOT_ANY, NoLimit, Number, limit_of
from adjudge.evaluation.gates.requirement_scope import BY_ANSWERS, FEW_UNITS, GAP, absent, levels_of, system_of, wants
from adjudge.evaluation.gates.requirements import FLIPS, Bound, Requirement
from adjudge.evaluation.measuring.rows import Measured
from adjudge.evaluation.measuring.statistics import ViewStatistics
from adjudge.evaluation.results import Row, slice_name
from adjudge.inference.differences.flips import SHARES
from adjudge.inference.reach import Reach, added_reach, guarded_variance, share_reach, share_sequence_reach, worth_reach
from adjudge.metrics.base import Metric
from adjudge.statistics.confusion import Confusion

Reached = Reach | str  # a number with its limits, or why it has none


@dataclass
class RequirementRows:
    """The requirements of a request, answered slice by slice; gaps when all slices are there."""

    requirements: tuple[Requirement, ...]
    view_statistics: ViewStatistics
    views: Sequence[View]
    gaps: dict[tuple[int, str, str], list[tuple[str, Reached]]] = field(default_factory=dict)

    def of_slice(self, key: SliceKey, measured: Mapping[str, Measured]) -> Iterator[Row]:
        """The rows that requirements ask of one slice, from what was measured of each view in it."""
        for place, requirement in enumerate(self.requirements):
            metric = self.view_statistics.request.metric_of(requirement)
            if metric is None or requirement.judge is not None or not wants(requirement, key):
                continue
            if getattr(metric.over, "fitted", False):  # its rows are those of the study
                continue
            system = self._view(requirement.system, requirement.versus)
            if system.name not in measured:
                continue
            versus = None if requirement.versus is None else self._view(requirement.versus, None, "versus")
            apart = None if versus is None else self._difference(system, versus)
            one = _OneRequirement(requirement, self.view_statistics, key, (system, versus), measured, apart)
            if requirement.versus_slice is None and requirement.gap is None:
                yield from one.rows()
            else:
                gap = self.gaps.setdefault((place, system.name, one.category), [])
                gap.append((slice_name(key), one.alone()))

    def of_all(self) -> Iterator[Row]:
        """The rows of what compares slices with each other."""
        for (place, system, category), levels in self.gaps.items():
            rows = _gap_rows if self.requirements[place].gap is not None else _rows_beside
            yield from rows(self.requirements[place], (system, category), levels)

    def _difference(self, system: View, versus: View) -> View | None:
        """The view that is the difference of two itself, where there is one."""
        names = (system.name, versus.name)
        return next((view for view in self.views if (view.system, view.versus) == names), None)

    def _view(self, system: str | None, other: str | None, role: str = "system") -> View:
        leading = [view.name for view in self.views if view.leads]
        every = [view.name for view in self.views]
        name = system_of(system, leading if system in (None, "candidate", *leading) else every, other, role)
        return next(view for view in self.views if view.name == name)


@dataclass(frozen=True)
class _OneRequirement:
    """One requirement in one slice."""

    requirement: Requirement
    view_statistics: ViewStatistics
    key: SliceKey
    views: tuple[View, View | None]
    measured: Mapping[str, Measured]
    apart: View | None = None  # the difference of the two, where that is a view itself

    def rows(self) -> Iterator[Row]:
        """A row for every level of what must hold, and one for the contrary."""
        view, versus = self.views
        name, rows = view.name, self.measured[view.name].rows
        row = required_row(self.requirement, name, slice_name(self.key), self.category, rows=rows)
        shown = row if versus is None else replace(row, baseline=versus.name)
        return rows_of_bounds(self.requirement, shown, self._reach)

    def alone(self) -> Reached:
        """The number of this slice, or why there is none."""
        try:
            return limit_of(self._number(self.views[0]))
        except NoLimit as why:
            return str(why)

    def _reach(self, bound: Bound) -> Reach:
        any_looks = self.requirement.looks == "any"
        number, versus = self._number(self.views[0]), self.views[1]
        if versus is None:
            if math.isnan(number.value) and _defined_when_right(number):
                raise NoLimit(f"{BY_ANSWERS}: {number.metric.undefined}")
            if math.isnan(number.value):
                raise NoLimit(number.refused or f"undefined: {number.metric.undefined}")
            return limit_of(number, any_looks=any_looks)
        if self.apart is not None and bound.share == 1 and number.metric in self.apart.metrics:
            return limit_of(self._number(self.apart), any_looks=any_looks)
        contrast = self._contrast(number, versus, bound.share)
        if self.requirement.metric not in FLIPS:
            return limit_of_difference(contrast, any_looks=any_looks)
        if (pairs := contrast.pairs.shares) is None:
            return self._flipped(versus, any_looks=any_looks)
        only = "only_second" if self.requirement.metric == FLIPS[0] else "only_first"
        share = share_sequence_reach if any_looks else share_reach
        return share(getattr(pairs, only), pairs.rows)

    def _flipped(self, versus: View, *, any_looks: bool) -> Reach:
        """The share of rows that flip, of rows that weigh differently or belong together."""
        flips = flips_of(self.views[0], versus, self.view_statistics.collected, self.key)
        if flips is None or flips.graded or flips.units is None or flips.units.units < 2:
            raise NoLimit("rows must be answered by both systems with a label for flips to count")
        if any_looks:
            raise NoLimit(NOT_ANY)
        share, variance = flips.spread(SHARES[FLIPS.index(self.requirement.metric)])
        units, rows = float(flips.units.units), flips.total / flips.row
        spread = guarded_variance(variance, units, rows, 1.0)
        return worth_reach(share, spread, (0.0, 1.0), units=units, rows=rows)

    def _number(self, view: View) -> Number:
        metric, measured = self._metric, self.measured.get(view.name)
        assert metric is not None
        if measured is None or metric.over not in measured.statistics:
            where = "in slices " if self.key[0] else ""
            raise SettingError(
                f"What is required must be measured here, but {metric!r} is not {where}of {quoted(view.name)}. "
                "Name another metric or system."
            )
        return Number(measured, metric, self._category(metric, measured))

    @property
    def _metric(self) -> Metric | None:
        return self.view_statistics.request.metric_of(self.requirement)

    @property
    def category(self) -> str:
        """The category that the number is about; empty where it is of all, or cannot be measured."""
        metric, measured = self._metric, self.measured[self.views[0].name]
        if metric is None or metric.over not in measured.statistics or self.requirement.metric in FLIPS:
            return ""
        return self._category(metric, measured)

    def _category(self, metric: Metric, measured: Measured) -> str:
        """The category that is meant: the one named, the positive one, or the only one."""
        if not metric.by_category:
            if self.requirement.category is not None:
                raise SettingError(f"`category` must be left out: {metric!r} is one number for all.")
            return ""
        known, category = measured.statistics[metric.over].categories, self.requirement.category
        if category is not None:
            if category not in known:
                raise SettingError(
                    f"`category` must be one of the labels, not {quoted(category)}. {did_you_mean(category, known)}"
                )
            return category
        if measured.positive in known and measured.positive is not None:
            return measured.positive
        if len(known) != 1:
            raise SettingError(
                f"{metric!r} must be of one label, such as {metric!r}[{known[0] if known else 'a'}], or averaged, such "
                f"as {metric.name}(average=macro). There are: {listed(known)}."
            )
        return str(known[0])

    def _contrast(self, number: Number, versus: View, share: float) -> Contrast:
        baseline, view = self._number(versus), self.views[0]
        pairs = None if view.pairs is None else view.pairs(versus, self.key, number.metric, number.category)
        return Contrast(
            number,
            baseline,
            share,
            pairs=PairedAnswers(self._differing(number, versus)) if pairs is None else pairs,
            smoothed=lambda: smoothed_pair(self.view_statistics, self.key, (view, versus), number),
        )

    def _differing(self, number: Number, versus: View) -> int | None:
        """On how many units the two answer differently, where the number is about answers."""
        about_answers = number.metric.over is Confusion
        return differing_answers(self.view_statistics, self.key, (self.views[0], versus)) if about_answers else None


def _defined_when_right(number: Number) -> bool:
    """Whether the metric would be defined had every row been answered right: then the answers are what it lacks."""
    if not isinstance(number.statistic, Confusion):
        return False
    return math.isfinite(float(number.at(number.metric.values(number.statistic.put_right))))


def required_row(
    requirement: Requirement, system: str, part: str, category: str = "", *, rows: int = 0, note: str = ""
) -> Row:
    """A row without limits: what a requirement asks, of whom and where."""
    nothing = (math.nan, math.nan, math.nan, 0.0, "none", rows, note)
    return Row(system, part, category, requirement.measure_name, *nothing)


def rows_of_bounds(requirement: Requirement, shown: Row, reach: Reached | Callable[[Bound], Reached]) -> Iterator[Row]:
    """The rows of everything that must hold of a number, or of one for each bound: at its share of the baseline's."""
    for bound in requirement.holds:
        try:
            reached = reach(bound) if callable(reach) else reach
        except NoLimit as why:
            reached = str(why)
        yield from _rows_of_bound(requirement, bound, shown, reached)


def _rows_of_bound(requirement: Requirement, bound: Bound, shown: Row, reach: Reached) -> Iterator[Row]:
    """The rows of one bound: its limits at each level with the p-value of holding, and those of the contrary."""
    if isinstance(reach, str):
        yield replace(shown, level=levels_of(requirement)[-1], test=bound.text, note=reach)
        return
    n, beyond = max(round(reach.units), 0), "" if bound.share == 1 else f"less {bound.share:g} times the baseline's"
    note = noted(shown.note, beyond, reach.note)
    bound_row = replace(shown, estimate=reach.value, method=reach.method, n=n, note=note)
    p = reach.p(bound.value, lower=bound.lower)
    for level in levels_of(requirement):
        yield _with_limits(replace(bound_row, level=level, test=bound.text, p=p), reach)
    contrary = reach.p(bound.value, lower=not bound.lower)
    level = 1 - 2 * requirement.false_alarm
    yield _with_limits(replace(bound_row, level=level, test=bound.contrary, p=contrary), reach)


def _with_limits(row: Row, reach: Reach) -> Row:
    low, high = reach.at(row.level)
    return replace(row, low=low, high=high)


def _gap_rows(requirement: Requirement, of: tuple[str, str], levels: Sequence[tuple[str, Reached]]) -> Iterator[Row]:
    """The largest less the smallest level: of all pairs at once, so that the largest is not taken by chance."""
    assert requirement.gap is not None
    known = [(name, reach) for name, reach in levels if isinstance(reach, Reach)]
    unknown = [f"{name}: {reach}" for name, reach in levels if isinstance(reach, str)]
    few = [name for name, reach in known if reach.units < requirement.minimum_n]
    reach: Reached = "fewer than two levels can be measured"
    if len(known) > 1:
        note = f"not all levels can be measured: {'; '.join(unknown)}" if unknown else ""
        short = f"{FEW_UNITS} {requirement.minimum_n} units: {listed(few)}" if few else ""
        note = noted(note, short)
        reach = replace(simultaneous_bounds([one for _, one in known]), note=note)
    shown = required_row(requirement, of[0], GAP.format(requirement.gap), of[1])
    return rows_of_bounds(requirement, shown, reach)


def _rows_beside(requirement: Requirement, of: tuple[str, str], levels: Sequence[tuple[str, Reached]]) -> Iterator[Row]:
    """One slice less another, which have different rows: their limits squared and added."""
    by_level = dict(levels)
    names = (str(requirement.slice), str(requirement.versus_slice))
    one, other = (by_level.get(name, absent(name, ())) for name in names)  # no other slice is known here

    def apart(bound: Bound) -> Reached:
        if isinstance(one, str) or isinstance(other, str):
            return one if isinstance(one, str) else other
        return replace(added_reach(one, other, 0.0, bound.share), note=f"less that of {requirement.versus_slice}")

    return rows_of_bounds(requirement, required_row(requirement, of[0], str(requirement.slice), of[1]), apart)


def simultaneous_bounds(levels: Iterable[Reach]) -> Reach:
    """Largest less smallest, with limits that hold for every two levels at once (Šidák over their number).

    The upper limit is the largest over pairs, and so is the lower one: the largest gap is at least that large.
    """
    ranked = sorted(levels, key=lambda one: one.value)
    pairs = [(high, low) for place, low in enumerate(ranked) for high in ranked[place + 1 :]]
    differences = [added_reach(high, low, 0.0) for high, low in pairs]

    def limits(level: float) -> tuple[float, float]:
        error = 1 - (1 - (1 - level) / 2) ** (1 / len(pairs))
        ends = [one.limits(1 - 2 * error) for one in differences]
        # Either of two levels may be the larger one.
        return max(0.0, *(low for low, _ in ends)), max(max(high, -low) for low, high in ends)

    smallest = 1 - (1 - max(one.smallest for one in ranked)) ** len(pairs)
    biggest = ranked[-1].value - ranked[0].value
    return Reach("simultaneous", biggest, limits, min(one.units for one in ranked), smallest=max(smallest, 1e-12))
