"""The grammar of answers: clauses as data. Each has a condition that is a pure function of its case, and a template;
of a table of clauses the first whose condition holds is said, and none other. Here are those of one figure: beside the
best constant answer, and on a published scale.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from adjudge.evaluation.answers.claims import LEAST_UNITS, NORMAL, Evidence, probability_below, too_little_known
from adjudge.report.numbers import UNITS, Unit, estimate_text, number, percent_of

LIKELY = 0.95


@dataclass(frozen=True, slots=True)
class Case:
    """Everything a clause may ask, and say: who, beside what, and the evidence, which is turned so that more is better
    where two systems are compared.
    """

    a: str
    evidence: Evidence
    b: str = ""
    unit: Unit = UNITS["coefficient"]
    units: str = "rows"
    one_unit: str = "row"
    label: str = ""
    reads: str = ""  # behind the figure: "right"
    sign: int = 1  # -1 where lower is better
    family: int = 1
    p_adjusted: float = 0.0
    margin: float | None = None  # what matters, on both sides
    baseline: float = math.nan
    constant: str = ""
    edges: Sequence[tuple[float, str]] = ()  # of a scale, the lowest last: from where on, and its word
    scale: str = ""
    source: str = ""

    @property
    def inner(self) -> tuple[float, float]:
        """The interval at the level 1 - 2α, whose ends are one-sided limits at the level 1 - α."""
        level = self.evidence.level
        ratio = NORMAL.inv_cdf(level) / NORMAL.inv_cdf((1 + level) / 2)
        value = self.evidence.estimate
        return value - (value - self.evidence.low) * ratio, value + (self.evidence.high - value) * ratio

    @property
    def known(self) -> bool:
        """Whether there is an interval around a value."""
        return not (math.isnan(self.evidence.estimate) or math.isnan(self.evidence.low))

    @property
    def survives(self) -> bool:
        """Whether what the interval shows holds after paying for the other looks."""
        return self.family == 1 or self.p_adjusted < 1 - self.evidence.level

    def reached(self, edge: float) -> float:
        """The probability that the truth is an edge or more."""
        return 1 - probability_below(self.evidence, edge)


Condition = Callable[[Case], bool]


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence with the condition under which it may be said."""

    id: str
    holds: Condition
    says: Callable[[Case], str]


def chosen(clauses: Sequence[Clause], case: Case) -> Clause:
    """The first clause whose condition holds; the last of a table always does."""
    return next(clause for clause in clauses if clause.holds(case))


def undefined(case: Case) -> bool:
    """There is no value."""
    return math.isnan(case.evidence.estimate)


def same(case: Case) -> bool:
    """The two differ nowhere."""
    return case.evidence.differing == 0


def too_few(case: Case) -> bool:
    """Too little is known, unless a margin holds all of it."""
    good = (-math.inf, math.inf) if case.margin is None else (-case.margin, case.margin)
    return not undefined(case) and not same(case) and too_little_known(case.evidence, good)


def always(case: Case) -> bool:
    """What is said when nothing else may be."""
    return True


def undefined_text(case: Case) -> str:
    """That there is no value, and why."""
    reason = case.evidence.note.removeprefix("undefined: ") or "it cannot be worked out"
    return f"Undefined: {case.label} {'of ' + case.a + ' ' if case.a else ''}has no value: {reason}."


def limits_of(case: Case) -> list[float]:
    """What no rounding of a difference may cross: 0, and the margin."""
    return [0.0, *([] if case.margin is None else [-case.margin, case.margin])]


def change_text(case: Case) -> str:
    """A difference with its signs."""
    one, unit = case.evidence, case.unit
    places = unit.places(one.low, one.high)
    span = unit.span(one.low, one.high, places, signed=True, limits=limits_of(case))
    return f"{unit.change(one.estimate, places)} {span}"


def above_baseline(case: Case) -> bool:
    """The whole interval is on the good side of the constant answer."""
    return (
        case.known
        and not math.isnan(case.baseline)
        and (case.evidence.low > case.baseline if case.sign > 0 else case.evidence.high < case.baseline)
    )


def below_baseline(case: Case) -> bool:
    """The whole interval is on the bad side of the constant answer."""
    return (
        case.known
        and not math.isnan(case.baseline)
        and (case.evidence.high < case.baseline if case.sign > 0 else case.evidence.low > case.baseline)
    )


def without_baseline(case: Case) -> bool:
    """There is nothing to compare with."""
    return case.known and math.isnan(case.baseline)


def value_text(case: Case, limits: Sequence[float] = (), *, signed: bool = False) -> str:
    """The figure with its interval: "92.8 % right [90.4, 94.6]", "RMSE 4.21 [3.95, 4.50]"; signed, without a name."""
    one, unit = case.evidence, case.unit
    if not case.known:
        return f"{case.label} {unit.text(one.estimate, 2)}".strip()
    places = unit.places(one.low, one.high)
    scaled = [unit.scaled(limit) for limit in limits]
    value = estimate_text(unit.scaled(one.estimate), places, scaled, signed=signed) + unit.suffix
    span = unit.span(one.low, one.high, places, signed=signed, limits=limits)
    if signed:
        return f"{value} {span}"
    return f"{value} {case.reads} {span}" if case.reads else f"{case.label} {value} {span}"


def _figure(case: Case) -> str:
    """The figure beside that of the constant answer."""
    one, unit = case.evidence, case.unit
    if case.reads and one.estimate == 1 and case.known:
        return (
            f"all {one.n:,} {case.reads}; up to {unit.text(1 - one.low, unit.places(one.low, 1.0))} errors are possible"
        )
    text = value_text(case, [case.baseline])
    if case.reads:
        return text
    against = "0" if case.baseline == 0 else unit.text(case.baseline, unit.places(one.low, one.high))
    return f"{text} against {against}"


def _constant(case: Case) -> str:
    if not case.reads:
        return case.constant
    one = case.evidence
    return f"{case.constant} ({case.unit.text(case.baseline, case.unit.places(one.low, one.high))})"


def _few(case: Case) -> str:
    """How many there are, and the figure: with the interval that says nothing, where there are not few."""
    one, units = case.evidence, case.one_unit if case.evidence.n == 1 else case.units
    wide = case.known and one.n >= LEAST_UNITS
    figure = value_text(case) if wide else f"{case.label} {case.unit.text(one.estimate, 2)}"
    return f"Too few to say: {one.n:,} {units}, {figure}."


def _few_rows(case: Case) -> str:
    one, units = case.evidence, case.one_unit if case.evidence.n == 1 else case.units
    if one.n >= LEAST_UNITS and math.isnan(one.low):
        reason = one.note.removeprefix("no interval: ") or "there is none"
        return f"Too few to say: {case.label} {case.unit.text(one.estimate, 2)} without an interval: {reason}."
    if not case.reads or one.n >= LEAST_UNITS:
        return _few(case)
    right = round(one.estimate * one.n)
    outcome_text = (
        {0: "answered wrong", 1: f"answered {case.reads}"}[right] if one.n == 1 else f"{right:,} {case.reads}"
    )
    return f"Too few to say: {one.n:,} {units}, {outcome_text}."


BASELINE = (
    Clause("undefined", undefined, undefined_text),
    Clause("too few", too_few, _few_rows),
    Clause("value", without_baseline, lambda c: f"{c.a}: {value_text(c)}."),
    Clause("baseline", above_baseline, lambda c: f"{c.a} is better than {_constant(c)}: {_figure(c)}."),
    Clause("below", below_baseline, lambda c: f"{c.a} is worse than {_constant(c)}: {_figure(c)}."),
    Clause("no skill", always, lambda c: f"{c.a} is not shown to be better than {_constant(c)}: {_figure(c)}."),
)
"""One system beside the best constant answer."""


def reaches(place: int) -> Condition:
    """An edge is reached with 95 % probability; edges are listed highest first."""
    return lambda c: c.known and len(c.edges) > place and c.reached(c.edges[place][0]) >= LIKELY


def below_band(case: Case) -> bool:
    """Even the lowest edge is out of reach."""
    return case.known and bool(case.edges) and case.reached(case.edges[-1][0]) <= 1 - LIKELY


def _band_value(case: Case) -> str:
    return value_text(case, [edge for edge, _ in case.edges])


def _edge(value: float) -> str:
    return number(value, 2)


def _reaches(place: int) -> Callable[[Case], str]:
    """That an edge is reached; how probably, where the interval, which has two sides, begins below it."""

    def says(case: Case) -> str:
        edge, band = case.edges[place]
        sure = f" with {percent_of(case.reached(edge))} probability" if case.evidence.low < edge else ""
        return f"{_band_value(case)} reaches {_edge(edge)}{sure}, {band} ({case.source})."

    return says


def _asks(case: Case) -> str:
    return f"{_edge(case.edges[-1][0])}, the least {case.scale} asks for"


BAND = (
    Clause("undefined", undefined, lambda c: f"Undefined: {c.evidence.note.removeprefix('undefined: ')}."),
    Clause("too few", too_few, _few),
    Clause("band", reaches(0), _reaches(0)),
    Clause("lower band", reaches(1), _reaches(1)),
    Clause("below band", below_band, lambda c: f"{_band_value(c)} is below {_asks(c)}."),
    Clause("no band", always, lambda c: f"{_band_value(c)} is not shown to reach {_asks(c)}."),
)
"""A coefficient on a published scale of two edges."""
