"""The parts of the HTML page: what its templates are given. A part is rendered by the template of its `kind`."""

from __future__ import annotations

from dataclasses import dataclass, field

from adjudge.evaluation.answers.answering import plural
from adjudge.report.answers.answer import Block
from adjudge.report.charts import Figure
from adjudge.report.summary import Fact, GlossaryEntry


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


@dataclass(frozen=True, slots=True)
class Blocks:
    """Blocks as on the first screen: pictures that need no script."""

    blocks: list[Block]
    kind: str = "blocks"


Part = PageTable | Gallery | FactList | Glossary | Blocks


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
