"""Everything that a picture shows, as a table: one for each panel, by its title."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any, Protocol

from adjudge.errors import with_minus
from adjudge.evaluation.gates.verdicts import Verdict
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.panels import (
    BarPanel,
    CalibrationPanel,
    ConfusionPanel,
    CurvePanel,
    ForestLine,
    ForestPanel,
    HistogramPanel,
    Line,
    LinesPanel,
    MatrixPanel,
    Panels,
    ScorePanel,
    TablePanel,
    ThresholdPanel,
)
from adjudge.evaluation.take_away.tables import Part, TakenTable, plain_column

Rows = tuple[Sequence[str], Iterable[Sequence[object]]]  # names of columns, and rows


def panel_tables(panels: Panels) -> dict[str, TakenTable]:
    """Every panel as a table; of panels that are called alike, later ones have a number.

    >>> tables = panel_tables(Panels(tables=[TablePanel("Flags", "", ["verdict", "n"], [["fine", 3]])]))
    >>> tables["Flags"].records()
    [{'verdict': 'fine', 'n': 3}]
    """
    tables: dict[str, TakenTable] = {}
    for kind, (title, rows) in KINDS.items():
        for panel in getattr(panels, kind):
            name = title(panel)
            while name in tables:
                first, _, number = name.rpartition(" #")
                name = f"{first} #{int(number) + 1}" if first and number.isdecimal() else f"{name} #2"
            tables[name] = TakenTable(name, getattr(panel, "note", ""), partial(_parts, rows, panel))
    return tables


def flags_of(outcome: Outcome, titles: Sequence[str]) -> TakenTable:
    """What was required, what lies beyond a limit, by panels that say so, and what the checks of the data found."""

    def parts() -> list[Part]:
        flags = [_required(one) for one in outcome.gate or ()]
        for panel in outcome.panels.tables:
            if panel.title in titles:
                flags += map(_flag, panel.records)
        flags += [_beyond(panel, one) for panel in outcome.panels.forests if panel.limits for one in panel.lines]
        nothing = [None] * 4
        flags += [["data", one.severity, one.key, "", "", one.sentence, *nothing] for one in outcome.checks]
        return [_columns(FLAG_COLUMNS, flags)]

    return TakenTable("flags", "what lies beyond a limit, and what looks like a mistake in the table", parts)


FLAG_COLUMNS = ("kind", "verdict", "key", "system", "slice", "flag", "estimate", "low", "high", "n")


def _required(one: Verdict) -> list[object]:
    numbers = [one.estimate, one.low, one.high, one.n]
    return ["requirement", one.verdict, one.requirement, one.system, one.slice, one.text, *numbers]


def _flag(row: Mapping[str, object]) -> list[object]:
    said = " ".join(str(row[name]) for name in ("metric", "flagged when") if row.get(name))
    numbers = [row.get(name) for name in ("estimate", "low", "high", "n")]
    return ["limit", row.get("verdict"), row.get("metric"), row.get("system"), row.get("slice"), said, *numbers]


def _beyond(panel: ForestPanel, one: ForestLine) -> list[object]:
    """A line of a forest with limits: flagged or fine where its whole interval is on one side of them."""
    least, most = min(panel.limits), max(panel.limits)
    if one.estimate is None or one.low is None or one.high is None:
        verdict = "undefined" if one.estimate is None else "too few to say"
    elif one.low > most or one.high < least:
        verdict = "flagged"
    else:
        verdict = "fine" if least <= one.low and one.high <= most else "undecided"
    said = f"{panel.axis} beyond {with_minus(least)} to {with_minus(most)}"
    return ["limit", verdict, panel.title, one.name, "", said, one.estimate, one.low, one.high, one.n]


# `Any`: the panels of each field are of a kind of their own.
def _parts(rows: Callable[[Any], Rows], panel: object) -> list[Part]:
    return [_columns(*rows(panel))]


def _columns(names: Sequence[str], rows: Iterable[Sequence[object]]) -> Part:
    listed = list(rows)
    columns = list(zip(*listed, strict=True)) if listed else [()] * len(names)
    distinct = [name if name not in names[:place] else f"{name} {place + 1}" for place, name in enumerate(names)]
    return {name: plain_column(values) for name, values in zip(distinct, columns, strict=True)}


def _confusion(panel: ConfusionPanel) -> Rows:
    names = panel.categories
    if panel.occurring:
        return ("reference", "prediction", "weight"), ((names[i], names[j], n) for i, j, n in panel.occurring)
    cells = ((a, b, n) for a, row in zip(names, panel.counts, strict=True) for b, n in zip(names, row, strict=True))
    return ("reference", "prediction", "weight"), cells


def _curve(panel: CurvePanel) -> Rows:
    names = ("curve", "threshold", "x", "y", "low", "high")
    each: dict[str, Line] = {"roc": panel.roc, "precision_recall": panel.precision_recall}
    lists = ((name, (one.threshold, one.x, one.y, one.low, one.high)) for name, one in each.items())
    return names, ((name, *point) for name, parts in lists for point in zip_longest(*parts))


def _threshold(panel: ThresholdPanel) -> Rows:
    names = ("threshold", "precision", "recall", "specificity", "accuracy", "f_score", "volume")
    return names, zip(*(getattr(panel, name) for name in names), strict=True)


def _calibration(panel: CalibrationPanel) -> Rows:
    names = ("start", "end", "mean_score", "positive_share", "low", "high", "weight")
    return names, ([getattr(one, name) for name in names] for one in panel.bins)


def _scores(panel: ScorePanel) -> Rows:
    rows = zip(panel.edges[:-1], panel.edges[1:], panel.positives, panel.negatives, strict=True)
    return ("start", "end", "positives", "negatives"), rows


def _matrix(panel: MatrixPanel) -> Rows:
    def cell(table: Sequence[Sequence[object]], row: int, column: int) -> object:
        return table[row][column] if row < len(table) and column < len(table[row]) else None

    tables = (panel.values, panel.low, panel.high, panel.n)
    return ("row", "column", "value", "low", "high", "n"), (
        (name, other, *(cell(table, row, column) for table in tables))
        for row, name in enumerate(panel.rows)
        for column, other in enumerate(panel.columns)
    )


def _forest(panel: ForestPanel) -> Rows:
    names = ("name", "estimate", "low", "high", "n", "note")
    return names, ([getattr(one, name) for name in names] for one in panel.lines)


def _bars(panel: BarPanel) -> Rows:
    series = zip(panel.series, panel.values, strict=True)
    return ("series", "category", "value"), (
        (name, category, value)
        for name, values in series
        for category, value in zip(panel.categories, values, strict=True)
    )


def _lines(panel: LinesPanel) -> Rows:
    points = ((one.name, zip_longest(one.x, one.y, one.low, one.high, one.n)) for one in panel.series)
    return ("series", "x", "y", "low", "high", "n"), ((name, *point) for name, each in points for point in each)


def _histogram(panel: HistogramPanel) -> Rows:
    series = zip(panel.series, panel.counts, strict=True)
    return ("series", "start", "end", "count"), (
        (name, start, end, count)
        for name, counts in series
        for start, end, count in zip(panel.edges[:-1], panel.edges[1:], counts, strict=True)
    )


def _table(panel: TablePanel) -> Rows:
    return panel.columns, panel.rows


class _OfSystem(Protocol):
    @property
    def system(self) -> str: ...


class _Titled(Protocol):
    @property
    def title(self) -> str: ...


def _of(what: str) -> Callable[[_OfSystem], str]:
    def title(panel: _OfSystem) -> str:
        category = getattr(panel, "category", "")
        return f"{what} of {panel.system}" + (f": {category}" if category else "")

    return title


def _titled(panel: _Titled) -> str:
    return panel.title


# By the field of `Panels`, whose panels are of a kind of their own (`Any`): what a panel is called, and its rows.
KINDS: dict[str, tuple[Callable[[Any], str], Callable[[Any], Rows]]] = {
    "confusions": (_of("Confusion matrix"), _confusion),
    "curves": (_of("Curves"), _curve),
    "thresholds": (_of("Thresholds"), _threshold),
    "calibrations": (_of("Calibration"), _calibration),
    "scores": (_of("Scores"), _scores),
    "matrices": (_titled, _matrix),
    "forests": (_titled, _forest),
    "bars": (_titled, _bars),
    "tables": (_titled, _table),
    "lines": (_titled, _lines),
    "histograms": (_titled, _histogram),
}
