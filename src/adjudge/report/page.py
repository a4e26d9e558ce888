"""The parts of the HTML page: what its templates are given."""

from __future__ import annotations

from dataclasses import dataclass, field

from adjudge.report.charts import Figure
from adjudge.report.grids import Grid
from adjudge.report.summary import Fact, GlossaryEntry
from adjudge.report.tables import TableRow


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a very large evaluation one page holds."""

    rows: int
    figures: int
    levels: int
    categories: int
    text: int


@dataclass(frozen=True, slots=True)
class Bar:
    """Where an interval, its estimate and its baseline lie on a track, in percent of its length."""

    start: float
    width: float
    point: float
    baseline: float | None


@dataclass(frozen=True, slots=True)
class Cell:
    """One estimate in a table or on a card."""

    row: TableRow
    bar: Bar | None
    level: str


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One metric with the estimates of the systems beside each other."""

    name: str
    direction: str
    cells: list[Cell | None]
    baseline: str
    n: str
    method: str
    notes: list[str]


@dataclass(frozen=True, slots=True)
class MetricTable:
    """Metrics as rows; the systems as columns, or one system named in the title."""

    title: str
    systems: list[str]
    interval: str
    rows: list[MetricRow]
    alternatives: list[TableRow]
    left_out: int


@dataclass(frozen=True, slots=True)
class Plate:
    """A figure with the table of its numbers, whose first column is headed `head`."""

    figure: Figure
    rows: list[TableRow] = field(default_factory=list)
    head: str = "Level"
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the page. `kind` is the name of its template."""

    kind: str
    anchor: str
    title: str
    short: str
    lead: str = ""
    cards: list[MetricRow] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    tables: list[MetricTable] = field(default_factory=list)
    plates: list[Plate] = field(default_factory=list)
    grids: list[Grid] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    glossary: list[GlossaryEntry] = field(default_factory=list)
    left_out: int = 0
