"""How systems are compared: with which baseline, by which margins, and what pays for several comparisons at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from adjudge.data.cleaning import check_columns
from adjudge.data.judgements.labels import number_in
from adjudge.data.systems import as_list
from adjudge.errors import SettingError, as_share, check_choice, did_you_mean, listed, literal, quoted
from adjudge.evaluation.declaration import Given, Study, Task
from adjudge.inference.many.multiplicity import benjamini_hochberg, benjamini_yekutieli, hochberg, holm
from adjudge.metrics.base import Direction, Metric
from adjudge.metrics.catalogue import parse
from adjudge.metrics.declaration import is_number
from adjudge.statistics.base import Array

MAX_T = "max_t"
# What makes p-values pay for their number: from p alone, or (max-T) from the paired draws.
BY_P: dict[str, Callable[[Sequence[float] | Array], Array]] = {
    "holm": holm,
    "hochberg": hochberg,
    "bh": benjamini_hochberg,
    "by": benjamini_yekutieli,
    "none": lambda p: np.asarray(p, dtype=np.float64),
}
ADJUSTMENTS = (MAX_T, *BY_P)
# Settings of a comparison, which a table that is evaluated by itself knows nothing of.
OF_COMPARISONS = ("baseline", "against", "margin", "tests", "adjust", "family", "repeats")
FAMILIES = ("metric", "all")
AGAINST = ("baseline", "all")
TESTS = ("mcnemar", "mcnemar_one_sided", "newcombe", "permutation", "wilcoxon", "sign", "student", "delong")


Value = TypeVar("Value", float, Array)


@dataclass(frozen=True)
class MarginClaim:
    """What a margin lets one say of a system, with the one-sided p-value against it."""

    text: str
    p: float


@dataclass(frozen=True, slots=True)
class Margin:
    """The largest difference that does not matter, in the metric's unit or as a share of the baseline's value.

    >>> margin_of("accuracy", "1%"), margin_of("accuracy", 0.01).text
    (Margin(size=0.01, relative=True), '0.01')
    """

    size: float
    relative: bool = False

    @property
    def text(self) -> str:
        """As people write it."""
        return f"{100 * self.size:g} %" if self.relative else f"{self.size:g}"

    def bounds(self, system: Value, baseline: Value, sign: float) -> tuple[Value, Value]:
        """How far the system is from being worse by the margin, and from being better by it: above 0 it is not.

        A relative margin is of the baseline's own value, draw by draw, so that the doubt of that counts.
        """
        reach = self.size * np.abs(baseline) if self.relative else self.size
        gain = sign * (system - baseline)
        return gain + reach, reach - gain


def margin_of(metric: str, value: object) -> Margin:
    """A margin that was given as a number or as a percentage of the baseline's value."""
    text = value.strip() if isinstance(value, str) else value
    relative = isinstance(text, str) and text.endswith("%")
    number = number_in(text.removesuffix("%").strip()) if isinstance(text, str) else text
    size = float(number) if is_number(number) else math.nan
    if not (math.isfinite(size) and size > 0):
        shown = quoted(value) if isinstance(value, str) else literal(value)
        raise SettingError(
            f"`margin` of {quoted(metric)} must be a number above 0 in the metric's unit, such as 0.01, or a share of "
            f"the baseline's value, such as 1%, not {shown}. To ask for any gain, leave it out."
        )
    return Margin(size / 100, relative=True) if relative else Margin(size)


@dataclass(frozen=True)
class Comparing:
    """What was asked of a comparison."""

    baseline: str | None = None  # the system that the others are compared with; None: the first
    against: str = "baseline"  # or all: every two systems
    adjust: str = MAX_T
    family: str = "metric"  # what p-values pay for: the systems of each metric and slice, or all there is
    margins: Mapping[Metric, Margin] = field(default_factory=dict)
    tests: tuple[str, ...] = ()  # besides the default
    repeats: tuple[str, ...] = ()  # columns of the baseline's answers, run again

    @property
    def adjust_by_p(self) -> str:
        """What pays for several p-values where draws of all together are not known: Holm's way instead of max-T."""
        return "holm" if self.adjust == MAX_T else self.adjust

    def adjusted(self, p: Sequence[float] | Array) -> Array:
        """P-values that pay for how many they are."""
        return BY_P[self.adjust_by_p](p)

    def margin(self, metric: Metric) -> Margin | None:
        """The margin of a metric, where it has one."""
        return self.margins.get(metric)


def comparing(task: Task, given: Given) -> Comparing:
    """What was asked of a comparison, checked; what was left out is as usual."""
    return Comparing(
        baseline=given.get("baseline"),
        against=_one_of("against", given.get("against"), AGAINST),
        adjust=_one_of("adjust", given.get("adjust"), ADJUSTMENTS),
        family=_one_of("family", given.get("family"), FAMILIES),
        margins=_margins(given.get("margin"), task),
        tests=tuple(_one_of("tests", test, TESTS) for test in as_list(given.get("tests") or ())),
        repeats=tuple(as_list(given.get("repeats") or ())),
    )


def _one_of(setting: str, value: str | None, known: Sequence[str]) -> str:
    chosen = known[0] if value is None else value
    check_choice(setting, chosen, known)
    return chosen


def _margins(given: Mapping[str, object] | str | Iterable[str] | None, task: Task) -> dict[Metric, Margin]:
    """Margins by metric, from a dictionary or from texts of METRIC=NUMBER."""
    if given is None:
        return {}
    pairs = list(given.items()) if isinstance(given, Mapping) else [_pair(text) for text in as_list(given)]
    margins: dict[Metric, Margin] = {}
    for name, value in pairs:
        metric = parse(str(name), task.metrics)
        if metric.direction is Direction.NEAREST:
            raise SettingError(
                f"`margin` must be of a metric with a better side, but {quoted(repr(metric))} is best at "
                f"{metric.best:g}. Leave it out."
            )
        if metric in margins:
            raise SettingError(
                f"`margin` must be given once for each metric, but {quoted(repr(metric))} is there twice."
            )
        margins[metric] = margin_of(repr(metric), value)
        _check_reach(metric, margins[metric])
    return margins


def _check_reach(metric: Metric, margin: Margin) -> None:
    """Refuse a margin within which any two systems are the same."""
    low, high = metric.range
    if not margin.relative and margin.size >= high - low:
        points = as_share(margin.size) if (low, high) == (0, 1) else ""
        raise SettingError(
            f"`margin` of {quoted(repr(metric))} must be less than {high - low:g}, the most by which two systems can "
            f"differ, not {margin.size:g}.{points}"
        )


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.rpartition("=")
    if not equals or number_in(text) is not None:
        raise SettingError(
            f"`margin` must say of which metric it is, as in accuracy=0.01 or accuracy=1%, not {quoted(text)}."
        )
    return name, value


def study_again(task: Task, columns: Sequence[str], given: Given, comparing: Comparing) -> Study | None:
    """The study of the baseline and its repeats alone; None where it was not run again."""
    if not comparing.repeats:
        return None
    check_columns((("repeats", name) for name in comparing.repeats), columns)
    roles = [role.name for role in task.roles if role.of_system]
    if task.shapes and all(len({*shape} & {*roles}) > 1 for shape in task.shapes):
        raise SettingError(f"`repeats` must be left out of {task.name}, where a system has more than one column.")
    named = given.get("systems")
    if named is None:
        role = next((role for role in roles if given.get(role) is not None), None)
        own = given.get(role) if role is not None else None
        listing = [own] if isinstance(own, (str, Mapping)) else list(own or ())
        systems = {str(one): {role: one} for one in listing if not isinstance(one, Mapping)}
    else:
        systems = {name: {"prediction": one} if isinstance(one, str) else dict(one) for name, one in named.items()}
    first = comparing.baseline or next(iter(systems), None)
    if first is None or first not in systems or not any(role in systems[first] for role in roles):
        advice = did_you_mean(first, systems) if first is not None and systems else "Give its column."
        raise SettingError(f"`repeats` must be of a system that has one column of answers, the baseline. {advice}")
    role = next(role for role in roles if role in systems[first])
    every = {column for one in systems.values() for column in one.values() if isinstance(column, str)}
    if doubled := sorted(every & set(comparing.repeats)):
        raise SettingError(f"`repeats` must be other columns than the systems', not {listed(doubled)}.")
    if isinstance(systems[first][role], Mapping):
        raise SettingError(f"`repeats` must be of answers in one column, but {quoted(first)} has one for each label.")
    again = {first: {role: systems[first][role]}} | {name: {role: name} for name in comparing.repeats}
    kept = {name: value for name, value in given.items() if name not in (*roles, "slices", "systems", "threshold")}
    cut = given.get("threshold")
    if isinstance(cut, (list, tuple)) and len(cut) > 1:
        cut = cut[list(systems).index(first)]
    cuts = {} if cut is None else {"threshold": cut}
    return task.study(columns, {**kept, **cuts, "systems": again})
