"""The first screen: an answer, its evidence, its doubt and the next step. All that any renderer prints of it.

Every block carries strings that are ready to print, rounded so that no rounding contradicts a state, and the raw
numbers beside them for whoever draws. What was cut is told in `rest`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

MARKS = {
    "beyond": "✗",
    "looks": "▲",
    "undecided": "?",
    "few": "·",
    "undefined": "–",
    "within": "✓",
    "plain": "●",
}
"""How a state is drawn, always beside its word: the worst first."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence below the headline: its mark, the word of its state, and what was found."""

    mark: str
    word: str
    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """What to do next. `command` is the part of a command line that does it, where there is one."""

    text: str
    command: str | None = None

    def __str__(self) -> str:
        return f"{self.text} {self.command or ''}".rstrip()


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: what it says, its state, and where a strip is drawn its numbers (low, estimate, high)."""

    text: str
    mark: str = ""
    word: str = ""
    interval: str = ""  # beside or below the text, where there is one
    strip: tuple[float | None, float, float | None] | None = None
    value: float | None = None


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled place on an axis."""

    value: float
    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page shows, which has more room than a terminal: so many rows, and of the others this sentence."""

    rows: int = 0  # 0: as many as a terminal
    rest: str = ""


@dataclass(frozen=True, slots=True)
class ForestRow:
    """One estimate with its interval. `texts` are n, the estimate and the interval, then what `columns` adds."""

    name: str
    estimate: float | None
    low: float | None
    high: float | None
    texts: list[str]
    mark: str
    word: str
    whole: bool = False


@dataclass(frozen=True, slots=True)
class ForestBlock:
    """Estimates one below another, the whole first, then the worst."""

    title: str
    axis: str  # what is measured, in which unit
    columns: list[str]  # heads of the texts of a row
    rows: list[ForestRow]
    limits: list[float] = field(default_factory=list)
    against: float | None = None
    ticks: list[Tick] = field(default_factory=list)
    rest: str = ""
    more: list[ForestRow] = field(default_factory=list)  # the rows that were cut
    note: str = ""  # how to read it
    one: str = ""  # what a row is about
    on_page: Shown = Shown()
    kind: str = "forest"


@dataclass(frozen=True, slots=True)
class SideColumn:
    """A column beside a matrix, with a cell for each row."""

    name: str
    cells: list[Cell]


@dataclass(frozen=True, slots=True)
class MatrixBlock:
    """Counts in rows and columns; `marked` are the cells (row, column) that stand out."""

    title: str
    row_names: list[str]
    column_names: list[str]
    counts: list[list[float]]
    marked: list[tuple[int, int]] = field(default_factory=list)
    margins: list[SideColumn] = field(default_factory=list)
    ordinal: bool = False  # the categories have an order: far from the diagonal is worse
    corner: str = ""  # what the columns are
    stands_out: str = ""  # what the marked cells have in common
    note: str = ""
    rest: str = ""
    kind: str = "matrix"


@dataclass(frozen=True, slots=True)
class GridBlock:
    """A table of cells with strips and states."""

    title: str
    columns: list[str]
    rows: list[list[Cell]]
    numbers: list[int] = field(default_factory=list)  # columns that hold numbers
    ticks: list[Tick] = field(default_factory=list)  # of the strips
    limits: list[float] = field(default_factory=list)
    rest: str = ""
    more: list[list[Cell]] = field(default_factory=list)  # the rows that were cut
    spare: bool = False  # in a terminal it gives way to all others
    roomy: bool = False  # it is for a page alone: a terminal tells the same elsewhere
    shaded: bool = False  # rows and columns are the same names: a page shades its numbers
    note: str = ""  # how to read it
    on_page: Shown = Shown()
    kind: str = "grid"


@dataclass(frozen=True, slots=True)
class LimitsRow:
    """One system against every limit."""

    name: str
    cells: list[Cell]


@dataclass(frozen=True, slots=True)
class LimitsBlock:
    """Systems in rows, what is asked of them in columns; `limits` says what, in words."""

    title: str
    columns: list[str]
    limits: list[str]
    rows: list[LimitsRow]
    note: str = ""  # where the limits come from
    rest: str = ""
    kind: str = "limits"


@dataclass(frozen=True, slots=True)
class ListBlock:
    """A plain list to act on."""

    title: str
    columns: list[str]
    rows: list[list[str]]
    numbers: list[int] = field(default_factory=list)
    rest: str = ""
    kind: str = "list"


def roomy(block: object) -> bool:
    """Whether a block is for a page alone."""
    return isinstance(block, GridBlock) and block.roomy


Block = ForestBlock | MatrixBlock | GridBlock | LimitsBlock | ListBlock


@dataclass(frozen=True, slots=True)
class Answer:
    """One first screen.

    >>> Answer(["Spam"], [], "a is better than always answering ham (60 %).", [], [], [], "", "").blocks
    []
    """

    top: list[str]  # task, subject, rows, units, level: joined by " · "
    checks: list[str]  # serious checks of the data, above everything
    headline: str
    findings: list[Finding]
    blocks: list[Block]
    steps: list[Step]
    doubt: str
    more: str
    remarks: list[str] = field(default_factory=list)  # of the data check, beside the serious ones
