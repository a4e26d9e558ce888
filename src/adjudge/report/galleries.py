"""The folds of the HTML report that show panels: which panels stand together, and under which words."""

from __future__ import annotations

from itertools import chain

from adjudge.evaluation.answers.answering import plural
from adjudge.evaluation.panels import ForestPanel
from adjudge.report import charts, fold_lines, grids, words
from adjudge.report.charts import Figure
from adjudge.report.page import (
    NUMBER_COLUMNS,
    ColumnHead,
    Gallery,
    Limits,
    PageTable,
    Part,
    Plate,
    Section,
    TableCell,
    left_out,
)
from adjudge.report.summary import Summary

_GALLERIES = {
    "comparisons": (
        "Comparisons",
        "One measure for each group or pair. Where intervals overlap, a difference may be chance.",
    ),
    "curves": (
        "ROC and precision-recall",
        "How well the score ranks, whatever the threshold. A band is the interval at each point.",
    ),
    "thresholds": ("Thresholds", "What a decision at each threshold would give."),
    "calibration": (
        "Calibration and scores",
        "Whether a score can be read as a probability, and how scores are spread.",
    ),
    "relations": (
        "How one number goes with another",
        "Each point is the mean of a bin, with its interval. The dashed line is what a perfect system gives.",
    ),
    "scores": ("Scores", "How scores are spread."),
    "confusion": ("Confusion", "Which categories are taken for which."),
    "distributions": ("Distributions", "How often each answer is given, side by side."),
    "to-act-on": ("To act on", "Where a closer look pays first."),
}


def pictures(summary: Summary, limits: Limits) -> list[Section | None]:
    """Curves, thresholds, calibration and confusion."""
    panels, most = summary.panels, limits.figures
    each = (most + 1) // 2  # of both kinds; no more are drawn than are shown
    roc, precise = charts.roc_figures(panels.curves, each), charts.precision_recall_figures(panels.curves, each)
    curves = [figure for pair in zip(roc, precise, strict=True) for figure in pair]
    calibrated = charts.calibration_figures(panels.calibrations) + charts.score_figures(panels.scores)
    confused = charts.confusion_figures(panels.confusions[:most], limits.categories)
    thresholds = charts.threshold_figures(panels.thresholds[:most])
    return [
        _gallery(summary, "curves", curves, most, 2 * len(charts.curve_charts(panels.curves))),
        _gallery(summary, "thresholds", thresholds, most, len(panels.thresholds)),
        _gallery(summary, "calibration" if panels.calibrations else "scores", calibrated, most),
        _gallery(summary, "confusion", confused, most, len(panels.confusions)),
        _gallery(summary, "relations", _relations(summary, most), most),
    ]


def _relations(summary: Summary, most: int) -> list[Figure]:
    """Lines of one number by another, and how numbers are spread."""
    lines = [panel for panel in summary.panels.lines if any(series.x for series in panel.series)]
    histograms = [panel for panel in summary.panels.histograms if any(map(sum, panel.counts))]
    lines_and_histograms: list[Figure] = [charts.lines_figure(panel) for panel in lines[:most]]
    return lines_and_histograms + [charts.histogram_figure(panel) for panel in histograms[:most]]


def comparisons(summary: Summary, limits: Limits) -> Section | None:
    """Forests with the tables of their numbers, then matrices."""
    matrices = [panel for panel in summary.panels.matrices if panel.rows and panel.columns]
    forests = [panel for panel in summary.panels.forests if panel.lines]
    room = max(limits.figures - len(matrices), (limits.figures + 1) // 2)
    ranked = [panel for panel in summary.panels.standings if panel.lines][:1]
    plates = [_forest(panel, limits) for panel in forests[:room]]
    plates[1:1] = [Plate(charts.standings_figure(panel, limits.levels)) for panel in ranked]
    plates += [
        Plate(charts.matrix_figure(panel, limits.categories)) for panel in matrices[: limits.figures - len(plates)]
    ]
    return _section(summary, "comparisons", plates, len(matrices) + len(forests) + len(ranked))


def _forest(panel: ForestPanel, limits: Limits) -> Plate:
    rows = grids.forest_rows(panel, limits.levels)
    cells = [
        [
            TableCell(row.slice, notes=[row.note] if row.note else []),
            TableCell(row.estimate, defined=row.defined),
            TableCell(row.interval),
            TableCell(row.n),
        ]
        for row in rows
    ]
    more = left_out(len(panel.lines) - limits.levels, "row")
    folded = f"The numbers ({plural(len(cells), 'row')})"
    table = PageTable("", [ColumnHead("Name"), *NUMBER_COLUMNS], cells, more=more, folded=folded)
    return Plate(charts.estimates_figure(panel, limits.levels), table)


def distributions(summary: Summary, limits: Limits) -> Section | None:
    """Bars, series beside each other."""
    panels = [panel for panel in summary.panels.bars if any(map(words.known, chain(*panel.values)))]
    figures = [charts.bar_figure(panel, limits.categories) for panel in panels[: limits.figures]]
    return _section(summary, "distributions", [Plate(figure) for figure in figures], len(panels))


def lists(summary: Summary, limits: Limits) -> Section | None:
    """Tables of what to look at."""
    panels = [panel for panel in summary.panels.tables if panel.rows and panel.columns]
    if not panels:
        return None
    title, lead = _words(summary, "to-act-on")
    shown = [_table(grids.table_grid(panel, limits.rows, text=limits.text)) for panel in panels[: limits.figures]]
    size = plural(sum(len(panel.rows) for panel in panels), "row")
    more = left_out(len(panels) - len(shown), "table")
    return Section("to-act-on", title, [*shown], fold_lines.to_act_on(summary), size, lead, more)


def _table(grid: grids.Grid) -> PageTable:
    columns = [ColumnHead(name, number=j in grid.numbers) for j, name in enumerate(grid.head)]
    rows = [[TableCell(text) for text in row] for row in grid.rows]
    return PageTable(grid.title, columns, rows, grid.note, grid.more)


def _gallery(summary: Summary, anchor: str, figures: list[Figure], most: int, of: int = 0) -> Section | None:
    """At most so many figures, of those given or of more that were not drawn."""
    return _section(summary, anchor, [Plate(figure) for figure in figures[:most]], max(of, len(figures)))


def _section(summary: Summary, anchor: str, plates: list[Plate], of: int) -> Section | None:
    if not plates:
        return None
    title, lead = _words(summary, anchor)
    says = fold_lines.GALLERIES[anchor](summary)
    parts: list[Part] = [Gallery(plates, anchor)]
    more = left_out(of - len(plates), "picture")
    return Section(anchor, title, parts, says, plural(of, "picture"), lead, more)


def _words(summary: Summary, anchor: str) -> tuple[str, str]:
    return summary.sections.get(anchor, _GALLERIES[anchor])
