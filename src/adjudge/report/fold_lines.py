"""What stands in the line of a closed fold: one clause about what is inside, from numbers that are there."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from itertools import takewhile

from adjudge.errors import percent
from adjudge.evaluation.answers.answering import plural
from adjudge.evaluation.panels import (
    BarPanel,
    CalibrationPanel,
    ConfusionPanel,
    CurvePanel,
    ForestLine,
    ForestPanel,
    HistogramPanel,
    LinesPanel,
    MatrixPanel,
    ScorePanel,
    TablePanel,
    ThresholdPanel,
    finite_of,
)
from adjudge.report import grids, tables, words
from adjudge.report.summary import MetricLine, SliceGroup, Summary

MOST = 160
_MOST_COUNTS = 3
_MOST_NAME = 40  # characters of what names a row; more is what it holds
_COUNTED = re.compile(r"\d[\d,]* ")
AnyPanel = (
    BarPanel
    | CalibrationPanel
    | ConfusionPanel
    | CurvePanel
    | ForestPanel
    | HistogramPanel
    | LinesPanel
    | MatrixPanel
    | ScorePanel
    | TablePanel
    | ThresholdPanel
)


def finding_of(panel: AnyPanel) -> str:
    """One clause about a panel; empty where there is nothing to say.

    >>> finding_of(ConfusionPanel("new", ["a", "b"], [[8, 2], [1, 9]]))
    'most often a is taken for b by new: 2 of 10'
    >>> finding_of(TablePanel("Flags", "2 flagged, 1 fine. Limits are customs.", ["verdict"], [["flagged"]]))
    '2 flagged, 1 fine'
    """
    said = {
        ForestPanel: _forest,
        MatrixPanel: _matrix,
        TablePanel: _table,
        ConfusionPanel: _confusion,
        ThresholdPanel: _threshold,
        CalibrationPanel: _calibration,
        BarPanel: _bars,
        HistogramPanel: _histogram,
        LinesPanel: _lines,
        CurvePanel: _about,
        ScorePanel: _about,
    }[type(panel)](panel)  # type: ignore[operator]
    return re.sub(r"(?<![\w.])-(?=[\d.])", "−", said)


def joined_findings(titles: Sequence[str], findings: Sequence[str]) -> str:
    """The first findings with what they are about, as many as a line holds; titles alone where nothing is said.

    >>> joined_findings(["Flags", "Scores"], ["2 flagged", ""])
    'Flags: 2 flagged; Scores'
    """
    text = ""
    for title, finding in zip(titles, findings, strict=True):
        part = f"{words.visible(title, 60)}: {finding}" if finding and title else finding or words.visible(title, 60)
        if not part or part in text:
            continue
        if text and len(text) + len(part) + 2 > MOST:
            return f"{text}; …"
        text = f"{text}; {part}" if text else words.visible(part, MOST)
    return text


def _line(line: ForestLine) -> str:
    return f"{words.visible(line.name, 30)} {_figure(line.estimate, line.low, line.high)}"


def _figure(value: float | None, low: float | None, high: float | None) -> str:
    text = words.number_text(value, low, high)
    if low is None or high is None or not (math.isfinite(low) and math.isfinite(high)):
        return text
    return f"{text} [{words.number_text(low, low, high)}, {words.number_text(high, low, high)}]"


def _forest(panel: ForestPanel) -> str:
    """How many lie wholly beyond a limit, and the furthest; without limits the two ends."""
    lines = [line for line in panel.lines if words.known(line.estimate)]
    if not lines:
        return ""
    if len(lines) == 1:
        return _line(lines[0])
    least, most = min(panel.limits, default=-math.inf), max(panel.limits, default=math.inf)
    if panel.limits:
        beyond = [
            line
            for line in lines
            if (line.high is not None and line.high < least) or (line.low is not None and line.low > most)
        ]
        furthest = max(lines, key=lambda line: max(least - (line.estimate or 0.0), (line.estimate or 0.0) - most))
        return f"{len(beyond)} of {len(lines)} beyond the limits; furthest: {_line(furthest)}"
    low, high = (choose(lines, key=lambda line: line.estimate or 0.0) for choose in (min, max))
    return f"from {_line(low)} to {_line(high)}" if low.estimate != high.estimate else f"{_line(low)}, the same for all"


def _matrix(panel: MatrixPanel) -> str:
    return grids.matrix_ends(panel) if panel.rows and panel.columns else ""


def _table(panel: TablePanel) -> str:
    """What its note counts; otherwise its first row: its counts, or the first number with its interval.

    >>> _table(TablePanel("", "", ["system", "better", "worse", "odds"], [["new", 66, 18, 3.7]]))
    'new: better 66, worse 18'
    >>> _table(TablePanel("", "", ["rater", "kappa", "low", "high"], [["ann", 0.52, 0.41, 0.63]]))
    'ann, kappa 0.52 [0.41, 0.63]'
    """
    first = panel.note.partition(". ")[0].removesuffix(".")
    if _COUNTED.match(first):
        return words.visible(first, MOST)
    row = panel.rows[0] if panel.rows else []
    numbers = [isinstance(cell, int | float) and not isinstance(cell, bool) for cell in row]
    at = numbers.index(True) if True in numbers else len(row)
    if at == len(row):  # items to read, not figures
        return plural(len(panel.rows), "row") if row else ""
    names = [str(cell) for cell in row[:at] if isinstance(cell, str) and cell]
    name = ", ".join(
        words.visible(one, 60) for one in [*names[:1], *(one for one in names[1:] if len(one) <= _MOST_NAME)]
    )
    counts = list(takewhile(lambda place: isinstance(row[place], int), range(at, min(at + _MOST_COUNTS, len(row)))))
    heads = [words.visible(head, 30) for head in panel.columns]
    if len(counts) > 1:
        shown = ", ".join(f"{heads[place]} {row[place]:,}" for place in counts)
        return f"{name}: {shown}" if name else shown
    value, ends = row[at], [cell if isinstance(cell, float) else None for cell in row[at + 1 : at + 3]]
    bounded = panel.columns[at + 1 : at + 3] == ["low", "high"]
    figure = (
        f"{value:,}" if isinstance(value, int) else _figure(float(value or 0.0), *(ends if bounded else (None, None)))
    )
    if heads[at] == "value":
        return f"{name} {figure}"
    return f"{name}, {heads[at]} {figure}" if name else f"{heads[at]} {figure}"


def _confusion(panel: ConfusionPanel) -> str:
    pairs = [(count, i, j) for i, j, count in panel.pairs if i != j and count > 0]
    if not pairs:
        return "nothing is confused" if panel.categories else ""
    count, i, j = max(pairs, key=lambda pair: (pair[0], -pair[1], -pair[2]))
    names = [words.visible(panel.categories[place], 40) for place in (i, j)]
    who = f" by {words.visible(panel.system, 40)}" if panel.system else ""
    share = f"{words.count(count)} of {words.count(panel.reference_totals[i])}"
    return f"most often {names[0]} is taken for {names[1]}{who}: {share}"


def _threshold(panel: ThresholdPanel) -> str:
    """Where the F score is highest."""
    known = [(value, at) for value, at in zip(panel.f_score, panel.threshold, strict=True) if words.known(value)]
    if not known:
        return ""
    value, at = max(known, key=lambda one: one[0] or 0.0)
    about = _about(panel)
    return f"F score highest at {words.short(at)}: {words.short(value)}" + (f" ({about})" if about else "")


def _calibration(panel: CalibrationPanel) -> str:
    """The bin whose mean score is furthest from its share of positives."""
    known = [
        one
        for one in panel.bins
        if all(map(math.isfinite, (one.mean_score, one.positive_share, one.low, one.high, one.weight)))
    ]
    if not known:
        return ""
    worst = max(known, key=lambda one: abs(one.mean_score - one.positive_share) * math.sqrt(max(one.weight, 0.0)))
    share, low, high = (round(100 * x) for x in (worst.positive_share, worst.low, worst.high))
    about = _about(panel)
    reading = f"of scores near {worst.mean_score:.2f}, {share} % [{low}, {high}] are positive"
    return f"{about}: {reading}" if about else reading


def _bars(panel: BarPanel) -> str:
    """The two series that differ most, and in what."""
    gaps = [
        (high - low, category, panel.series[values.index(high)], panel.series[values.index(low)])
        for place, category in enumerate(panel.categories)
        for values in [[series[place] for series in panel.values]]
        for known in [finite_of(values)]
        if len(known) > 1
        for low, high in [(min(known), max(known))]
    ]
    if not gaps:
        return ""
    gap, category, high, low = max(gaps, key=lambda one: one[0])
    names = [words.visible(name, 30) for name in (category, high, low)]
    return f"widest apart on {names[0]}: {names[1]} {100 * gap:.0f} points above {names[2]}"


def _histogram(panel: HistogramPanel) -> str:
    """Where most of the first series lie."""
    counts = panel.counts[0] if panel.counts else []
    if not sum(counts) > 0 or not all(map(math.isfinite, counts)):
        return ""
    at = max(range(len(counts)), key=counts.__getitem__)
    ends = " to ".join(words.short(edge) for edge in panel.edges[at : at + 2])
    return f"most {panel.of} from {ends}: {percent(counts[at] / sum(counts))}"


def _lines(panel: LinesPanel) -> str:
    """The point furthest from the guide."""
    far = [
        (abs(y - (x if panel.guide == "diagonal" else 0.0)), at, series)
        for series in panel.series
        for at, (x, y) in enumerate(zip(series.x, series.y, strict=False))
        if math.isfinite(x) and math.isfinite(y)
    ]
    if not far or panel.guide not in ("diagonal", "zero"):
        return ""
    _, at, series = max(far, key=lambda one: one[0])
    ends = (series.low[at], series.high[at]) if series.low and series.high else (None, None)
    who = f"{words.visible(series.name, 30)} is " if len(panel.series) > 1 else ""
    guide = "the diagonal" if panel.guide == "diagonal" else "0"
    return f"{who}furthest from {guide} near {words.short(series.x[at])}: {_figure(series.y[at], *ends)}"


def _about(panel: CurvePanel | ScorePanel | ThresholdPanel | CalibrationPanel) -> str:
    """Of whom, and of which label."""
    parts = (panel.system, panel.category and f"label {panel.category}")
    return ", ".join(words.visible(part, 40) for part in parts if part)


def metrics(summary: Summary) -> str:
    """The leading estimates."""
    lines = (summary.headline or summary.metrics)[:2]
    many = len(summary.systems) > 1
    return _cut("; ".join(_estimate(line, f"{words.visible(line.system, 40)}: " if many else "") for line in lines))


def _estimate(line: MetricLine, who: str) -> str:
    row = tables.row(line)
    interval = f" {row.interval}" if row.interval != words.MISSING else ""
    return f"{who}{row.name} {row.estimate}{interval}"


def slices(groups: list[SliceGroup]) -> str:
    """The worst level of the first metric, over all columns."""
    first = [group for group in groups if group.metric == groups[0].metric]
    worst = [(group, level) for group in first for level in tables.levels(group) if not level.whole]
    known = [(group, level.name, line) for group, level in worst for line in level.lines if words.known(line.estimate)]
    way = known[0][2].direction if known else ""
    if way not in _WORSE:
        return _cut(", ".join(dict.fromkeys(words.visible(group.column, 40) for group in groups)))
    choose = min if way == "higher is better" else max
    group, name, line = choose(known, key=lambda one: one[2].estimate or 0.0)
    who = f"{words.visible(line.system, 40)}, " if len({one[2].system for one in known}) > 1 else ""
    row = tables.row(line)
    return _cut(f"{_WORSE[way]}: {who}{name} ({words.visible(group.column, 40)}), {row.estimate} {row.interval}")


_WORSE = {"higher is better": "lowest", "lower is better": "highest"}


def _of(kind: str, *more: str) -> Callable[[Summary], str]:
    """What the panels of some kinds say, each with its title; of those that have none, one for a system, the last."""

    def line(summary: Summary) -> str:
        panels = [panel for name in (kind, *more) for panel in getattr(summary.panels, name)]
        panels = panels if hasattr(panels[0] if panels else None, "title") else panels[-1:]
        findings = [(str(getattr(panel, "title", "")), finding_of(panel)) for panel in panels]
        said = [one for one in findings if one[1]] or findings
        return joined_findings([title for title, _ in said], [finding for _, finding in said])

    return line


def _cut(text: str) -> str:
    return words.visible(text, MOST)


to_act_on = _of("tables")
"""What the lists say."""

GALLERIES: dict[str, Callable[[Summary], str]] = {
    "comparisons": _of("forests", "matrices"),
    "curves": _of("curves"),
    "thresholds": _of("thresholds"),
    "calibration": _of("calibrations"),
    "scores": _of("scores"),
    "confusion": _of("confusions"),
    "relations": _of("lines", "histograms"),
    "distributions": _of("bars"),
}
"""By the anchor of a section: what its line says."""
