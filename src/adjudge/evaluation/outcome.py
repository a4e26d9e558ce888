"""What an evaluation found: the table, the pictures' numbers, and how it was done. Plain and serialisable."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from adjudge.diagnosis.checks.check import Check
from adjudge.evaluation.gates.verdicts import Judgement
from adjudge.evaluation.panels import Panels
from adjudge.evaluation.results import ResultTable

SCHEMA_VERSION = 2


@dataclass(frozen=True, slots=True)
class Data:
    """The table that was read."""

    source: str
    fingerprint: str
    rows: int  # read
    used: int
    left_out: dict[str, int]
    categories: list[str]
    roles: dict[str, str]
    counted: bool = False  # whether cells were read, and not rows


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that was chosen: the same data and settings give the same numbers."""

    level: float
    replicates: int
    seed: int
    bootstrap: str
    draws: str
    engine: str
    versions: dict[str, str]
    positive: str | None = None
    threshold: float | None = None
    choices: dict[str, str] = field(default_factory=dict)  # what else the task was told or found, in words
    command: str = ""  # what makes it again, in the table's folder; empty where it cannot be typed


@dataclass(frozen=True, slots=True)
class Outcome:
    """One evaluation."""

    task: str
    data: Data
    settings: Settings
    systems: list[str]
    slice_columns: list[str]
    metrics: list[str]
    table: ResultTable
    panels: Panels
    checks: list[Check] = field(default_factory=list)  # what looks like a mistake in the table, the gravest first
    gate: Judgement | None = None  # what was required, and the verdicts

    def made_by(self, command: str) -> Outcome:
        """The same outcome, with the command that makes it again."""
        return replace(self, settings=replace(self.settings, command=command))
