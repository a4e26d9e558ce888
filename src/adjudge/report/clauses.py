"""The grammar of answers: clauses as data. Each has a condition that is a pure function of its case, and a template;
of a table of clauses the first whose condition holds is said, and none other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from adjudge.evaluation.claims import LEANS, NORMAL, Evidence, few, lean_of, probability_below
from adjudge.report.numbers import UNITS, Unit


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
    allowed: float | None = None  # how much worse is still not worse: one side
    baseline: float = math.nan
    constant: str = ""
    edges: Sequence[tuple[float, str]] = ()  # of a scale, the lowest last: from where on, and its word
    scale: str = ""
    source: str = ""
    limit: str = ""
    width: float = math.inf
    words: dict[str, str] = field(default_factory=dict)

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
    return not undefined(case) and not same(case) and few(case.evidence, good, case.width)


def _said(case: Case) -> bool:
    """Enough is known to say something of a comparison."""
    return case.known and not same(case) and not too_few(case)


def better(case: Case) -> bool:
    """The whole interval is above 0, after adjustment."""
    return _said(case) and case.evidence.low > 0 and case.survives


def worse(case: Case) -> bool:
    """The whole interval is below 0, after adjustment."""
    return _said(case) and case.evidence.high < 0 and case.survives


def inside(case: Case) -> bool:
    """The interval at 1 - 2α lies within the margin on both sides."""
    return _said(case) and case.margin is not None and -case.margin <= case.inner[0] and case.inner[1] <= case.margin


def not_worse(case: Case) -> bool:
    """The one-sided limit is no further below 0 than is allowed."""
    allowed = case.margin if case.allowed is None else case.allowed
    return _said(case) and allowed is not None and case.inner[0] >= -allowed


def leans(case: Case) -> bool:
    """It leans to one side, after paying for the number of looks."""
    if not _said(case) or case.evidence.estimate == 0:
        return False
    side = (0.0, math.inf) if case.evidence.estimate < 0 else (-math.inf, 0.0)
    return case.family * (1 - lean_of(case.evidence, side)) <= LEANS


def always(case: Case) -> bool:
    """What is said when nothing else may be."""
    return True


def _limits(case: Case) -> list[float]:
    return [0.0, *([] if case.margin is None else [-case.margin, case.margin])]


def _change(case: Case) -> str:
    """A difference with its signs."""
    one, unit = case.evidence, case.unit
    places = unit.places(one.low, one.high, _limits(case))
    return f"{unit.change(one.estimate, places)} {unit.span(one.low, one.high, places, signed=True)}"


def _amount(case: Case) -> str:
    """A difference whose direction a word tells: without signs."""
    one, unit = case.evidence, case.unit
    places = unit.places(one.low, one.high, _limits(case))
    low, high = sorted((abs(one.low), abs(one.high)))
    return f"{unit.change(abs(one.estimate), places, signed=False)} {unit.span(low, high, places)}"


def _size(case: Case, value: float) -> str:
    return f"{case.unit.factor * value:g}"


def _points(case: Case, value: float) -> str:
    suffix = case.unit.difference
    return _size(case, value) + (suffix[:-1] if suffix.endswith("s") and case.unit.factor * value == 1 else suffix)


def _possible(case: Case) -> str:
    """How large a difference may be where none was seen."""
    one, unit = case.evidence, case.unit
    start = f"{case.a} and {case.b} give the same answers on all {one.n:,} {case.units}"
    if math.isnan(one.high):
        return f"{start}."
    largest = max(abs(one.low), abs(one.high))
    if case.margin is not None and largest <= case.margin:
        return f"{start}, the same within {_points(case, case.margin)}."
    shown = unit.change(largest, max(1, unit.places(one.low, one.high)), signed=False)
    return f"{start}; a true difference of up to {shown} is possible."


def _few_differ(case: Case) -> str:
    one = case.evidence
    if one.differing is not None and one.n >= 10:
        return f"Too few to say: {case.a} and {case.b} differ on {one.differing} of {one.n:,} {case.units}."
    return f"Too few to say: {case.a} and {case.b} share {one.n:,} {case.one_unit if one.n == 1 else case.units}."


def _small(word: str) -> Callable[[Case], str]:
    """Shown, yet within what matters."""

    def says(case: Case) -> str:
        less = f"less than the {_size(case, case.margin or 0)} that matters"
        return f"{case.a} is {word} than {case.b} by {_amount(case)}, {less}."

    return says


def _not_worse(case: Case) -> str:
    allowed = case.margin if case.allowed is None else case.allowed
    return f"{case.a} is not worse than {case.b}: {_change(case)}, margin {_size(case, allowed or 0)}."


def _looks(case: Case) -> str:
    side = "better" if case.evidence.estimate > 0 else "worse"
    return f"{case.a} looks {side} than {case.b}: {_change(case)}, undecided."


def _undecided(case: Case) -> str:
    if not case.known:
        return f"Undecided whether {case.a} or {case.b} is better: {case.evidence.note or 'no interval'}."
    end = "" if case.margin is not None else "; no margin was set"
    return f"Undecided whether {case.a} or {case.b} is better: {_change(case)}{end}."


def undefined_text(case: Case) -> str:
    """That there is no value, and why."""
    reason = case.evidence.note.removeprefix("undefined: ") or "it cannot be worked out"
    return f"Undefined: {case.label} {'of ' + case.a + ' ' if case.a else ''}has no value: {reason}."


COMPARISON = (
    Clause("undefined", undefined, undefined_text),
    Clause("same", same, _possible),
    Clause("too few", too_few, _few_differ),
    Clause("better, small", lambda c: better(c) and inside(c), _small("better")),
    Clause("worse, small", lambda c: worse(c) and inside(c), _small("worse")),
    Clause("better", better, lambda c: f"{c.a} is better than {c.b} by {_amount(c)}."),
    Clause("worse", worse, lambda c: f"{c.a} is worse than {c.b} by {_amount(c)}."),
    Clause(
        "equivalent",
        inside,
        lambda c: f"{c.a} and {c.b} are the same within {_points(c, c.margin or 0)}: {_change(c)}.",
    ),
    Clause("not worse", not_worse, _not_worse),
    Clause("looks", leans, _looks),
    Clause("undecided", always, _undecided),
)
"""Two systems, in the order of priority."""
