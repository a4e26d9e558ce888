"""Clauses about one figure: beside the best constant answer, and on a published scale."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from adjudge.evaluation.claims import LEAST_UNITS
from adjudge.report.clauses import Case, Clause, Condition, always, too_few, undefined, undefined_text
from adjudge.report.numbers import number

LIKELY = 0.95


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


def value_text(case: Case, limits: Sequence[float] = ()) -> str:
    """The figure with its interval, as it reads: "92.8 % right [90.4, 94.6]", "RMSE 4.21 [3.95, 4.50]"."""
    one, unit = case.evidence, case.unit
    if not case.known:
        return f"{case.label} {unit.text(one.estimate, 2)}".strip()
    places = unit.places(one.low, one.high, limits)
    value, span = unit.text(one.estimate, places), unit.span(one.low, one.high, places)
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
    places = unit.places(one.low, one.high, [case.baseline])
    return f"{text} against {unit.text(case.baseline, places)}"


def _constant(case: Case) -> str:
    if not case.reads:
        return case.constant
    one = case.evidence
    return f"{case.constant} ({case.unit.text(case.baseline, case.unit.places(one.low, one.high, [case.baseline]))})"


def _few_rows(case: Case) -> str:
    one, units = case.evidence, case.one_unit if case.evidence.n == 1 else case.units
    if one.n >= LEAST_UNITS and math.isnan(one.low):
        reason = one.note.removeprefix("no interval: ") or "there is none"
        return f"Too few to say: {case.label} {case.unit.text(one.estimate, 2)} without an interval: {reason}."
    if not case.reads:
        return f"Too few to say: {one.n:,} {units}, {case.label} {case.unit.text(one.estimate, 2)}."
    right = round(one.estimate * one.n)
    told = {0: "answered wrong", 1: f"answered {case.reads}"}[right] if one.n == 1 else f"{right:,} {case.reads}"
    return f"Too few to say: {one.n:,} {units}, {told}."


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
    return lambda c: f"{_band_value(c)} reaches {_edge(c.edges[place][0])}, {c.edges[place][1]} ({c.source})."


def _asks(case: Case) -> str:
    return f"{_edge(case.edges[-1][0])}, the least that {case.scale} asks"


def _few_items(case: Case) -> str:
    one, units = case.evidence, case.one_unit if case.evidence.n == 1 else case.units
    return f"Too few to say: {one.n:,} {units}, {case.label} {case.unit.text(one.estimate, 2)}."


BAND = (
    Clause("undefined", undefined, lambda c: f"Undefined: {c.evidence.note.removeprefix('undefined: ')}."),
    Clause("too few", too_few, _few_items),
    Clause("band", reaches(0), _reaches(0)),
    Clause("lower band", reaches(1), _reaches(1)),
    Clause("below band", below_band, lambda c: f"{_band_value(c)} is below {_asks(c)}."),
    Clause("no band", always, lambda c: f"{_band_value(c)} is not shown to reach {_asks(c)}."),
)
"""A coefficient on a published scale of two edges."""
