"""The pictures behind an evaluation, as plain numbers: what a chart needs and nothing a chart computes.

A panel holds aggregates only, never rows, so a report stays small whatever the table's length.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


def finite(value: float | None) -> float | None:
    """A plain number for a picture or a file; None where there is none.

    >>> finite(0.5), finite(float("nan")), finite(None)
    (0.5, None, None)
    """
    return None if value is None or not math.isfinite(value) else float(value)


def finite_of(values: Iterable[float | None]) -> list[float]:
    """Those of some values that are there, and finite.

    >>> finite_of([0.5, None, float("nan"), 2])
    [0.5, 2]
    """
    return [value for value in values if value is not None and math.isfinite(value)]


Cell = str | int | float | None  # what a table to read has in a place


@dataclass(frozen=True, slots=True)
class Line:
    """A curve with its band. `low` and `high` are empty when no band was computed."""

    x: list[float]
    y: list[float]
    low: list[float]
    high: list[float]
    threshold: list[float]


@dataclass(frozen=True, slots=True)
class ConfusionPanel:
    """How often each prediction met each reference: rows are the reference, columns the prediction.

    Of very many labels `counts` are left out, and `occurring` lists the pairs that occur: two places and how often.
    """

    system: str
    categories: list[str]
    counts: list[list[float]]
    occurring: list[tuple[int, int, float]] = field(default_factory=list)

    @property
    def pairs(self) -> list[tuple[int, int, float]]:
        """The places of each reference and prediction that met, and how often."""
        if self.occurring:
            return self.occurring
        return [(i, j, n) for i, row in enumerate(self.counts) for j, n in enumerate(row) if n]

    @property
    def reference_totals(self) -> list[float]:
        """How often each category is the reference."""
        totals = [0.0] * len(self.categories)
        for i, _, n in self.pairs:
            totals[i] += n
        return totals

    def among(self, places: Sequence[int]) -> list[list[float]]:
        """The table of some of the categories."""
        if not self.occurring:
            return [[self.counts[i][j] for j in places] for i in places]
        at = {place: new for new, place in enumerate(places)}
        table = [[0.0] * len(places) for _ in places]
        for i, j, n in self.occurring:
            if i in at and j in at:
                table[at[i]][at[j]] = n
        return table


@dataclass(frozen=True, slots=True)
class CurvePanel:
    """ROC (x false positive rate, y recall) and precision-recall (x recall, y precision) of one category."""

    system: str
    category: str
    prevalence: float
    roc: Line
    precision_recall: Line


@dataclass(frozen=True, slots=True)
class ThresholdPanel:
    """What each decision threshold would give. All lists run along `threshold`, which rises.

    A threshold takes rows whose score is at least as high. Undefined values are None.
    """

    system: str
    category: str
    threshold: list[float]
    precision: list[float | None]
    recall: list[float | None]
    specificity: list[float | None]
    accuracy: list[float | None]
    f_score: list[float | None]
    volume: list[float | None]


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Rows whose score lies in [start, end): their mean score against the share that was positive."""

    start: float
    end: float
    mean_score: float
    positive_share: float
    low: float
    high: float
    weight: float


@dataclass(frozen=True, slots=True)
class CalibrationPanel:
    """Are the scores probabilities? One entry for each bin that has rows."""

    system: str
    category: str
    bins: list[CalibrationBin]


@dataclass(frozen=True, slots=True)
class ScorePanel:
    """How the scores are spread among rows of the category and the others. `edges` has one more entry."""

    system: str
    category: str
    edges: list[float]
    positives: list[float]
    negatives: list[float]


@dataclass(frozen=True, slots=True)
class MatrixPanel:
    """Values in rows and columns, such as the agreement of every two raters. None where there is none."""

    title: str
    note: str
    rows: list[str]
    columns: list[str]
    values: list[list[float | None]]
    low: list[list[float | None]]
    high: list[list[float | None]]
    n: list[list[int]]
    limits: tuple[float, float]


@dataclass(frozen=True, slots=True)
class ForestLine:
    """One estimate of a forest."""

    name: str
    estimate: float | None
    low: float | None
    high: float | None
    n: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class ForestPanel:
    """Several estimates one below another, with a value to compare them with."""

    title: str
    note: str
    axis: str
    lines: list[ForestLine]
    against: float | None
    limits: list[float] = field(default_factory=list)  # beyond which something is flagged


@dataclass(frozen=True, slots=True)
class BarPanel:
    """Shares of a few categories for a few series, side by side."""

    title: str
    note: str
    categories: list[str]
    series: list[str]
    values: list[list[float | None]]  # one list for each series


@dataclass(frozen=True, slots=True)
class Series:
    """One line of points, with the interval and the weight of each; lists are empty where there is none."""

    name: str
    x: list[float]
    y: list[float]
    low: list[float | None] = field(default_factory=list)
    high: list[float | None] = field(default_factory=list)
    n: list[float] = field(default_factory=list)
    edges: list[float] = field(default_factory=list)  # of bins of x in which all rows are counted; one more entry
    counts: list[float] = field(default_factory=list)  # the weight in each


@dataclass(frozen=True, slots=True)
class LinesPanel:
    """How one number goes with another, for a few series; `guide` is the line to compare with: diagonal or zero.

    Where `band` is set, intervals are those of a line and not of each point.
    """

    title: str
    note: str
    x: str
    y: str
    series: list[Series]
    guide: str = ""
    band: bool = False


@dataclass(frozen=True, slots=True)
class HistogramPanel:
    """How a number is spread, for a few series: the weight in each bin. `edges` has one more entry."""

    title: str
    note: str
    axis: str
    edges: list[float]
    series: list[str]
    counts: list[list[float]]  # one list for each series
    of: str = "rows"  # what is counted


@dataclass(frozen=True, slots=True)
class TablePanel:
    """A list to act on: the hardest items, the most confused labels, tests and their outcomes."""

    title: str
    note: str
    columns: list[str]
    rows: list[list[Cell]]

    @property
    def records(self) -> list[dict[str, Cell]]:
        """The cells of each row by their columns."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


@dataclass(frozen=True, slots=True)
class Standing:
    """One of several systems by one metric: its difference to the best, its possible ranks, how sure it is best."""

    system: str
    estimate: float | None
    low: float | None
    high: float | None
    difference: float | None  # to the first of the list
    difference_low: float | None  # limits that hold for all pairs at once
    difference_high: float | None
    rank_low: int
    rank_high: int
    letters: str  # systems that share one are not told apart
    probability_best: float
    may_be_best: bool  # no other is shown to be better


@dataclass(frozen=True, slots=True)
class PairLine:
    """Two systems by one metric: the first minus the second."""

    system: str
    baseline: str
    difference: float | None
    low: float | None  # limits that hold for all pairs at once
    high: float | None
    p: float | None
    p_adjusted: float | None


@dataclass(frozen=True, slots=True)
class StandingsPanel:
    """Three or more systems by one metric, best first, and every two of them."""

    metric: str
    label: str
    category: str
    better: str  # higher or lower
    adjust: str
    replicates: int
    lines: list[Standing]
    pairs: list[PairLine]


@dataclass(frozen=True, slots=True)
class Flip:
    """A unit on which a system and its baseline fare differently: what each said, as text."""

    id: str
    reference: str
    before: str
    after: str
    better: bool  # fixed, or broken


@dataclass(frozen=True, slots=True)
class UnitsPanel:
    """On how many units a system fares better than its baseline, the same, and worse, and the first of them."""

    system: str
    baseline: str
    unit: str
    of: str  # what is compared in each unit: right or wrong, the size of the error …
    better: int
    equal: int
    worse: int
    flips: list[Flip] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Panels:
    """Every picture of one evaluation."""

    confusions: list[ConfusionPanel] = field(default_factory=list)
    curves: list[CurvePanel] = field(default_factory=list)
    thresholds: list[ThresholdPanel] = field(default_factory=list)
    calibrations: list[CalibrationPanel] = field(default_factory=list)
    scores: list[ScorePanel] = field(default_factory=list)
    matrices: list[MatrixPanel] = field(default_factory=list)
    forests: list[ForestPanel] = field(default_factory=list)
    bars: list[BarPanel] = field(default_factory=list)
    tables: list[TablePanel] = field(default_factory=list)
    lines: list[LinesPanel] = field(default_factory=list)
    histograms: list[HistogramPanel] = field(default_factory=list)
    standings: list[StandingsPanel] = field(default_factory=list)
    units: list[UnitsPanel] = field(default_factory=list)

    def table(self, *titles: str) -> TablePanel | None:
        """The first table with one of these titles."""
        return next((table for table in self.tables if table.title in titles), None)

    def records(self, *titles: str) -> list[dict[str, Cell]]:
        """The rows of that table by their columns; none where there is none."""
        table = self.table(*titles)
        return [] if table is None else table.records
