"""The sections of the HTML report that show panels: which panels stand together, and under which words."""

from __future__ import annotations

from itertools import chain

from adjudge.report import charts, grids, words
from adjudge.report.charts import Figure
from adjudge.report.page import Limits, Plate, Section
from adjudge.report.summary import Summary

MOST_LIST_ROWS = 60

_GALLERIES = {
    "comparisons": (
        "Comparisons",
        "Comparisons",
        "One measure for each group or pair. Where intervals overlap, a difference may be chance.",
    ),
    "curves": (
        "ROC and precision-recall",
        "Curves",
        "How well the score ranks, whatever the threshold. A band is the interval at each point.",
    ),
    "thresholds": ("Thresholds", "Thresholds", "What a decision at each threshold would give."),
    "calibration": (
        "Calibration and scores",
        "Calibration",
        "Whether a score can be read as a probability, and how scores are spread.",
    ),
    "relations": (
        "How one number goes with another",
        "Relations",
        "Each point is the mean of a bin, with its interval. The dashed line is what a perfect system gives.",
    ),
    "scores": ("Scores", "Scores", "How scores are spread."),
    "confusion": ("Confusion", "Confusion", "Which categories are taken for which."),
    "distributions": ("Distributions", "Distributions", "How often each answer is given, side by side."),
    "to-act-on": ("To act on", "To act on", "Where a closer look pays first."),
}


def pictures(summary: Summary, limits: Limits) -> list[Section | None]:
    """Curves, thresholds, calibration and confusion."""
    panels, most = summary.panels, limits.figures
    pairs = zip(charts.roc_figures(panels.curves), charts.precision_recall_figures(panels.curves), strict=True)
    calibrated = charts.calibration_figures(panels.calibrations) + charts.score_figures(panels.scores)
    confused = charts.confusion_figures(panels.confusions[:most], limits.categories)
    return [
        _gallery(summary, "curves", [figure for pair in pairs for figure in pair], most),
        _gallery(summary, "thresholds", charts.threshold_figures(panels.thresholds[:most]), most),
        _gallery(summary, "calibration" if panels.calibrations else "scores", calibrated, most),
        _gallery(summary, "confusion", confused, most),
        _gallery(summary, "relations", _relations(summary, most), most),
    ]


def _relations(summary: Summary, most: int) -> list[Figure]:
    """Lines of one number by another, and how numbers are spread."""
    lines = [panel for panel in summary.panels.lines if any(series.x for series in panel.series)]
    histograms = [panel for panel in summary.panels.histograms if any(map(sum, panel.counts))]
    lines_and_histograms: list[Figure] = [charts.lines_figure(panel) for panel in lines[:most]]
    return lines_and_histograms + [charts.histogram_figure(panel) for panel in histograms[:most]]


def comparisons(summary: Summary, limits: Limits) -> Section | None:
    """Matrices, then forests with the tables of their numbers."""
    matrices = [panel for panel in summary.panels.matrices if panel.rows and panel.columns]
    forests = [panel for panel in summary.panels.forests if panel.lines]
    room = max(limits.figures - len(forests), (limits.figures + 1) // 2)
    plates = [Plate(charts.matrix_figure(panel, limits.categories)) for panel in matrices[:room]]
    plates += [
        Plate(
            charts.estimates_figure(panel, limits.levels),
            grids.forest_rows(panel, limits.levels),
            head="Name",
            left_out=max(0, len(panel.lines) - limits.levels),
        )
        for panel in forests[: limits.figures - len(plates)]
    ]
    return _section(summary, "comparisons", plates, len(matrices) + len(forests) - len(plates))


def distributions(summary: Summary, limits: Limits) -> Section | None:
    """Bars, series beside each other."""
    panels = [panel for panel in summary.panels.bars if any(map(words.known, chain(*panel.values)))]
    figures = [charts.bar_figure(panel, limits.categories) for panel in panels[: limits.figures]]
    return _section(summary, "distributions", [Plate(figure) for figure in figures], len(panels) - len(figures))


def lists(summary: Summary, limits: Limits) -> Section | None:
    """Tables of what to look at."""
    panels = [panel for panel in summary.panels.tables if panel.rows and panel.columns]
    if not panels:
        return None
    most = min(MOST_LIST_ROWS, limits.rows)
    shown = [grids.table_grid(panel, most, text=limits.text) for panel in panels[: limits.figures]]
    heading = _words(summary, "to-act-on")
    return Section("lists", "to-act-on", *heading, grids=shown, left_out=len(panels) - len(shown))


def _gallery(summary: Summary, anchor: str, figures: list[Figure], most: int) -> Section | None:
    return _section(summary, anchor, [Plate(figure) for figure in figures[:most]], len(figures[most:]))


def _section(summary: Summary, anchor: str, plates: list[Plate], left_out: int) -> Section | None:
    if not plates:
        return None
    return Section("plates", anchor, *_words(summary, anchor), plates=plates, left_out=left_out)


def _words(summary: Summary, anchor: str) -> tuple[str, str, str]:
    return summary.sections.get(anchor, _GALLERIES[anchor])
