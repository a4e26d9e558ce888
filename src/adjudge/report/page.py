"""The parts of the HTML page: what its templates are given, and about how many bytes they take.

A part is rendered by the template of its `kind`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from adjudge.evaluation.answers.answering import plural
from adjudge.report.charts import Figure
from adjudge.report.summary import Fact, GlossaryEntry, Summary


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
class TableCell:
    """One cell of a table: text, and where there are any the interval beside it, a picture and notes below it."""

    text: str
    interval: str = ""
    bar: Bar | None = None
    notes: list[str] = field(default_factory=list)
    defined: bool = True
    mark: str = ""  # the state that the text names


@dataclass(frozen=True, slots=True)
class ColumnHead:
    """The head of a column; one of pictures has no text to sort or copy."""

    name: str
    number: bool = False
    picture: bool = False


NUMBER_COLUMNS = [
    ColumnHead("Estimate", number=True),
    ColumnHead("Interval", number=True),
    ColumnHead("n", number=True),
]


@dataclass(frozen=True, slots=True)
class PageTable:
    """Any table of the page: it sorts, filters when it is long, and copies. `folded` is the line it is folded under."""

    title: str
    columns: list[ColumnHead]
    rows: list[list[TableCell]]
    note: str = ""
    more: str = ""
    folded: str = ""
    kind: str = "table"

    @property
    def broad(self) -> bool:
        """Whether it is too wide for a phone, where its rows become lines of label and value."""
        return len(self.columns) > 4


@dataclass(frozen=True, slots=True)
class Plate:
    """A figure with the table of its numbers."""

    figure: Figure
    table: PageTable | None = None


@dataclass(frozen=True, slots=True)
class Gallery:
    """Figures beside each other; `layout` says how wide they may be."""

    plates: list[Plate]
    layout: str = ""
    kind: str = "gallery"


@dataclass(frozen=True, slots=True)
class FactList:
    """Names with their values."""

    facts: list[Fact]
    kind: str = "facts"


@dataclass(frozen=True, slots=True)
class Glossary:
    """What the metrics mean."""

    entries: list[GlossaryEntry]
    kind: str = "glossary"


Part = PageTable | Gallery | FactList | Glossary


@dataclass(frozen=True, slots=True)
class Section:
    """One fold of the page: in its line stand the title, what was found and how much is inside.

    `anchor` is what a link names to open it. `left_out` says what did not fit, and where it is.
    """

    anchor: str
    title: str
    parts: list[Part]
    finding: str = ""
    size: str = ""
    lead: str = ""
    left_out: str = ""


def left_out(more: int, one: str) -> str:
    """A sentence about what did not fit, and where it is; empty where everything did.

    >>> left_out(1, "row"), left_out(0, "row")
    ('1 more row is left out to keep this page small: --json FILE has everything.', '')
    """
    if more <= 0:
        return ""
    are = "is" if more == 1 else "are"
    return f"{plural(more, f'more {one}')} {are} left out to keep this page small: --json FILE has everything."


_FRAME = 960_000  # the drawing library, the style and the scripts
_ROW = 420  # of a table of estimates, apart from its names
_ALTERNATIVE = 260
_POINT = 260  # of a forest: the mark in the picture and the row of numbers
_TILE = 90
_CURVE_POINT = 110
_POINTS = 2400  # of all lines of a chart
_MOST_NAME = 120  # what is shown of a name
_SAMPLE = 50


def expected(summary: Summary, limits: Limits) -> int:
    """The bytes of a page within these limits, by counting what it would hold.

    >>> from adjudge.evaluation.panels import Panels
    >>> nothing = Summary("", "", "", [], [], [], [], Panels(), 0, 0, [], [], [])
    >>> expected(nothing, Limits(rows=10, figures=1, levels=10, categories=8, text=40))
    960000
    """
    return _FRAME + _tables(summary, limits) + _pictures(summary, limits) + _texts(summary, limits)


def _tables(summary: Summary, limits: Limits) -> int:
    lines = summary.metrics[: limits.rows]
    named = _length([line.label + line.category + line.note + line.system for line in lines[:_SAMPLE]], 400)
    others = min(limits.rows, sum(len(line.alternatives) for line in summary.metrics))
    total = len(lines) * (_ROW + named) + others * (_ALTERNATIVE + named)
    for panel in summary.panels.tables[: limits.figures]:
        rows = panel.rows[: limits.rows]
        cells = [str(value) for row in rows[:_SAMPLE] for value in row[:12]]
        total += len(rows) * min(12, len(panel.columns)) * (60 + _length(cells[:_SAMPLE], limits.text))
    return total


def _pictures(summary: Summary, limits: Limits) -> int:
    panels, most = summary.panels, limits.figures
    total = 0
    for group in summary.slices[:most]:
        systems = max(1, len({line.system for line in group.lines}))
        names = _length([line.slice for line in group.lines[:_SAMPLE]], _MOST_NAME)
        total += min(len(group.lines), limits.levels * systems) * (_POINT + 3 * names)
    for forest in panels.forests[:most]:
        names = _length([line.name + line.note for line in forest.lines[:_SAMPLE]], 300)
        total += min(len(forest.lines), limits.levels) * (_POINT + 2 * names)
    for standing in panels.standings[:1]:
        names = _length([line.system for line in standing.lines], 300)
        total += min(len(standing.lines), limits.levels) * 3 * (_POINT + names)
    matrices = [min(len(panel.rows), 30) * min(len(panel.columns), 30) for panel in panels.matrices[:most]]
    bars = [min(len(panel.series), 30) * min(len(panel.categories), limits.categories) for panel in panels.bars[:most]]
    confusions = [min(len(panel.categories), limits.categories) ** 2 for panel in panels.confusions[:most]]
    charts = len({panel.category for panel in panels.curves})
    curves = min(most, 2 * charts, 2 * len(panels.curves)) * min(_POINTS, 200 * len(panels.curves))
    thresholds = min(most, len(panels.thresholds)) * 200
    scores = min(most, len(panels.scores) + len(panels.calibrations)) * 60
    tiles = sum(matrices) + sum(bars) + sum(confusions)
    return total + tiles * _TILE + (curves + 2 * thresholds + scores) * _CURVE_POINT


def _texts(summary: Summary, limits: Limits) -> int:
    facts, glossary = [*summary.left_out, *summary.how], summary.glossary
    samples = [fact.name + fact.value for fact in facts[:_SAMPLE]]
    words = [one.sentence + one.formula + one.reading + " ".join(one.references) for one in glossary[:_SAMPLE]]
    return sum(
        min(many, limits.rows) * (160 + _length(texts, 1800))
        for many, texts in ((len(facts), samples), (len(glossary), words))
        if many
    )


def _length(texts: Sequence[str], most: int) -> int:
    """The mean length of a sample of texts in bytes, a long one cut."""
    return sum(min(len(text), most) for text in texts) // max(1, len(texts))
