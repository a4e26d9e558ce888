"""About how many bytes a page takes: cheap enough to be asked before anything is drawn."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.report.page import Limits
from adjudge.report.summary import Summary

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
