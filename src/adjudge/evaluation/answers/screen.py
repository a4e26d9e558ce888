"""What a task puts on its first screen: its claims, which of them is the answer, and the blocks below.

Declared as data; the words and the drawing are the report's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adjudge.evaluation.answers.claims import Claim, Evidence
from adjudge.evaluation.panels import TablePanel

if TYPE_CHECKING:
    from adjudge.evaluation.outcome import Outcome


@dataclass(frozen=True, slots=True)
class SpokenNumber:
    """A number of a sentence, with its interval where it has one, and how it is read: share, coefficient, SD, count."""

    estimate: float
    low: float = math.nan
    high: float = math.nan
    unit: str = "coefficient"
    signed: bool = False
    limits: tuple[float, ...] = ()  # which no rounding may cross


@dataclass(frozen=True, slots=True)
class Remark:
    """A finding in the task's own words: `text` names its figures in braces, {alpha}, or {alpha_value} alone."""

    word: str
    text: str
    figures: Mapping[str, SpokenNumber] = field(default_factory=dict)
    mark: str = "plain"
    rank: int = 5  # its place among the findings: 0 is the main figure's, 1 what is beyond, 2 what looks so
    but: str = ""  # what the headline says of it, unless something else is beyond its limit


@dataclass(frozen=True, slots=True)
class Advice:
    """A next step. `command` is printed where the parser takes it; `needs`: without it there is no step."""

    text: str
    command: str | None = None
    needs: bool = False


@dataclass(frozen=True, slots=True)
class Answering:
    """Which evidence answers, and by which grammar: baseline, difference, best, band, limit, strongest or value.

    `constant` is what the baseline does ("always answering ham"); `edges`, `scale` and `source` are of a band, the
    highest edge first; `reads` stands behind the figure ("right"); `says` has a template for each state.
    """

    grammar: str
    evidence: Callable[[Outcome], Sequence[Evidence]]
    metric: Callable[[Outcome], str | None]
    constant: Callable[[Outcome], str] | str = ""
    reads: str = ""
    good: tuple[float, float] | Callable[[Outcome], tuple[float, float]] = (-math.inf, math.inf)
    edges: tuple[tuple[float, str], ...] = ()
    scale: str = ""
    source: str = ""
    says: Mapping[str, str] = field(default_factory=dict)
    signed: bool = False
    unit: str = "row"
    margin: Callable[[Outcome], float | None] = lambda outcome: None


@dataclass(frozen=True, slots=True)
class ForestOf:
    """A forest of the subjects of a claim."""

    claim: str
    title: str
    axis: str = ""
    note: str = ""  # how to read it


@dataclass(frozen=True, slots=True)
class MatrixOf:
    """A table of counts: `counts` gives names and counts, or nothing where there is none to show.

    `margins` are claims about the row's category whose figures stand beside it.
    """

    title: str
    counts: Callable[[Outcome], tuple[str, list[str], list[list[float]]] | None]  # who says it, names, counts
    margins: tuple[tuple[str, str], ...] = ()  # head, key of the claim
    ordinal: bool = False
    most: int = 12
    else_grid: GridOf | None = None  # what stands there where there are more categories
    rows: Callable[[Outcome], str] = lambda outcome: ""  # who says what the rows are


@dataclass(frozen=True, slots=True)
class GridOf:
    """A table of the subjects of a claim. `columns` are heads with what is told under that name, and its unit."""

    claim: str
    title: str
    head: str
    columns: tuple[tuple[str | Callable[[Outcome], str], str, str], ...] = ()  # head, name in `facts`, unit
    figure: str = ""  # the head of the estimate; empty: left out
    strip: bool = True
    p: bool = False
    note: str = ""  # how to read it
    least: int = 1  # subjects that make it worth a table
    roomy: bool = False  # for a page alone


@dataclass(frozen=True, slots=True)
class LimitOf:
    """One column of a table of limits: what is asked, in words, and each system's evidence."""

    name: str
    words: str
    unit: str
    good: tuple[float, float]
    by_system: Mapping[str, Evidence]
    signed: bool = False


@dataclass(frozen=True, slots=True)
class LimitsOf:
    """Systems against limits."""

    title: str
    columns: Callable[[Outcome], Sequence[LimitOf]]
    systems: Callable[[Outcome], Sequence[str]]
    note: str = ""  # where the limits come from


@dataclass(frozen=True, slots=True)
class ListOf:
    """The first rows of a list to act on."""

    title: str | Callable[[Outcome], str]
    table: Callable[[Outcome], TablePanel | None]
    most: int = 3
    count: Callable[[Outcome], int] = lambda outcome: 0  # how many there are, where the table holds only the first
    option: str = "--all"  # what gives all of them


@dataclass(frozen=True, slots=True)
class StandingsOf:
    """Three or more systems, the best first, by some metric."""

    title: str
    metric: Callable[[Outcome], str | None]


@dataclass(frozen=True, slots=True)
class PairsOf:
    """A figure of every two of a few, such as raters; of more than `most` there is no room."""

    title: str
    one: str
    panel: str  # the title of the matrix
    most: int = 12


BlockOf = ForestOf | MatrixOf | GridOf | LimitsOf | ListOf | StandingsOf | PairsOf


@dataclass(frozen=True, slots=True)
class Screen:
    """The first screen of a task. Of `answers` the first that has evidence is the answer."""

    answers: tuple[Answering, ...]
    top: Callable[[Outcome], Sequence[str]]  # who, and what there is of it: after the task's name
    claims: tuple[Claim, ...] = ()
    remarks: Callable[[Outcome], Iterable[Remark]] = lambda outcome: ()
    blocks: tuple[BlockOf, ...] = ()
    steps: Callable[[Outcome], Iterable[Advice]] = lambda outcome: ()
    doubt: Callable[[Outcome], str] = lambda outcome: ""

    def answer(self, outcome: Outcome) -> Answering | None:
        """The first of the answers that has evidence."""
        return next((one for one in self.answers if one.evidence(outcome)), None)
