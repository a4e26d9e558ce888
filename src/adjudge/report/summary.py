"""All that a renderer sees: typed, plain, serialisable. No renderer computes anything."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from adjudge.diagnosis.checks.check import SERIOUS, Check
from adjudge.evaluation.gates.verdicts import Judgement
from adjudge.evaluation.panels import Panels
from adjudge.report.answers.answer import Answer


@dataclass(frozen=True, slots=True)
class Alternative:
    """The same estimate's interval by another method."""

    method: str
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class MetricLine:
    """One estimate ready to show. `estimate` is None when undefined; `note` then says why."""

    system: str
    slice: str
    category: str
    metric: str
    label: str
    estimate: float | None
    low: float | None
    high: float | None
    level: float
    method: str
    n: int
    note: str
    baseline: float | None
    direction: str  # in words: "higher is better"; empty when no way is
    limits: tuple[float, float]
    alternatives: list[Alternative]


@dataclass(frozen=True, slots=True)
class SliceGroup:
    """One metric over the levels of one slice column, the whole first: a forest plot."""

    column: str
    metric: str
    label: str
    lines: list[MetricLine]


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """What a metric means, from its declaration."""

    metric: str
    label: str
    sentence: str
    formula: str
    reading: str
    undefined: str
    references: list[str]


@dataclass(frozen=True, slots=True)
class Fact:
    """A name with its value, for the lists of what was left out and how it was computed."""

    name: str
    value: str
    typed: bool = False  # whether it is to be typed as it stands


@dataclass(frozen=True, slots=True)
class Summary:
    """One report."""

    title: str
    task: str
    question: str
    systems: list[str]
    headline: list[MetricLine]
    metrics: list[MetricLine]
    slices: list[SliceGroup]
    panels: Panels
    rows_read: int
    rows_used: int
    left_out: list[Fact]
    how: list[Fact]
    glossary: list[GlossaryEntry]
    checks: list[Check] = field(default_factory=list)  # what looks like a mistake in the table, the gravest first
    sections: dict[str, tuple[str, str]] = field(default_factory=dict)  # the task's own words for a section
    answer: Answer | None = None  # the first screen
    gate: Judgement | None = None  # what was required, and the verdicts

    @property
    def checks_first(self) -> tuple[Judgement | None, Answer | None]:
        """The verdicts and the first screen, what looks like a mistake in the table with whatever comes first."""
        if self.gate is None or self.answer is None:
            return self.gate, self.answer
        return replace(self.gate, checks=tuple(self.answer.checks)), replace(self.answer, checks=[])

    @property
    def serious(self) -> list[str]:
        """What must be looked at before any number, in sentences."""
        return [f"{check.sentence} ({check.key})" for check in self.checks if check.severity == SERIOUS]

    @property
    def remarks(self) -> list[Fact]:
        """What else the check of the data found."""
        return [Fact(check.key, check.sentence) for check in self.checks if check.severity != SERIOUS]
