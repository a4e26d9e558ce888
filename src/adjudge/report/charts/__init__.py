"""Charts as Vega-Lite specifications, written as plain dictionaries.

Altair could write them, but importing it costs more time than a whole report, and it adds nothing to a
specification that a test cannot check: `tests/report/test_charts.py` validates every one against its schema.
A figure holds aggregates only, and a line at most 200 points.
"""

from adjudge.report.charts.bars import bar_figure
from adjudge.report.charts.calibration import calibration_figures, score_figures
from adjudge.report.charts.confusion import confusion_figures
from adjudge.report.charts.curves import curve_charts, precision_recall_figures, roc_figures
from adjudge.report.charts.estimates import estimates_figure
from adjudge.report.charts.figure import Chart, Figure
from adjudge.report.charts.forest import forest_figure
from adjudge.report.charts.lines import histogram_figure, lines_figure
from adjudge.report.charts.matrix import matrix_figure
from adjudge.report.charts.standings import standings_figure
from adjudge.report.charts.thresholds import threshold_figures

__all__ = [
    "Chart",
    "Figure",
    "bar_figure",
    "calibration_figures",
    "confusion_figures",
    "curve_charts",
    "estimates_figure",
    "forest_figure",
    "histogram_figure",
    "lines_figure",
    "matrix_figure",
    "precision_recall_figures",
    "roc_figures",
    "score_figures",
    "standings_figure",
    "threshold_figures",
]
