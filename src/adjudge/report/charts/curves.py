"""ROC and precision-recall curves with their bands and baselines."""

from __future__ import annotations

from collections.abc import Iterable

from adjudge.evaluation.panels import CurvePanel, Line
from adjudge.report.charts.figure import (
    GUIDE,
    MUTED,
    Chart,
    Figure,
    axis,
    chart,
    coloured,
    dashed,
    fact,
    figure_about,
    first_series,
    panels_by_chart,
    points_for,
    rounded,
    text_fact,
    thinned,
)

_UNIT = (0.0, 1.0)
_DIAGONAL = [{"x": 0, "y": 0}, {"x": 1, "y": 1}]


def roc_figures(panels: Iterable[CurvePanel], most: int | None = None) -> list[Figure]:
    """Recall against the false positive rate; the dashed diagonal is a score that knows nothing. The first `most`."""
    return [_roc(category, series) for category, series in curve_charts(panels)[:most]]


def precision_recall_figures(panels: Iterable[CurvePanel], most: int | None = None) -> list[Figure]:
    """Precision against recall; the dashed line is the prevalence, the precision of taking every row."""
    return [_precision_recall(category, series) for category, series in curve_charts(panels)[:most]]


def curve_charts(panels: Iterable[CurvePanel]) -> list[tuple[str, dict[str, CurvePanel]]]:
    """Which curves share a chart, of either kind."""
    return panels_by_chart([panel for panel in panels if panel.roc.x and panel.precision_recall.x])


def _roc(category: str, series: dict[str, CurvePanel]) -> Figure:
    series, note = first_series(series)
    lines = {name: panel.roc for name, panel in series.items()}
    diagonal = {
        "data": {"values": _DIAGONAL},
        "mark": GUIDE,
        "encoding": {"x": axis("x", _FALSE_POSITIVES, _UNIT), "y": axis("y", _RECALL, _UNIT)},
    }
    layers = [diagonal, *_band_and_line(lines, _FALSE_POSITIVES, _RECALL)]
    spec = chart("ROC curve: recall against the false positive rate.", _with_values(lines, layers), height=320)
    sentence = "Up and to the left is better. The dashed diagonal is a score that knows nothing."
    return Figure("ROC curve" + figure_about(category), f"{sentence} {note}".strip(), spec)


def _precision_recall(category: str, series: dict[str, CurvePanel]) -> Figure:
    series, note = first_series(series)
    lines = {name: panel.precision_recall for name, panel in series.items()}
    shares = [{"series": name, "prevalence": rounded(panel.prevalence)} for name, panel in series.items()]
    alone = len({share["prevalence"] for share in shares}) == 1
    rule: Chart = {
        "data": {"values": shares[:1] if alone else shares},
        "mark": {"type": "rule", "strokeDash": [4, 4], "strokeWidth": 1.2, "opacity": 0.8, "color": MUTED},
        "encoding": {"y": axis("prevalence", _PRECISION, _UNIT)},
    }
    if not alone:
        rule["encoding"]["color"] = coloured(list(series))
    layers = [rule, *_band_and_line(lines, _RECALL, _PRECISION)]
    spec = chart("Precision-recall curve.", _with_values(lines, layers), height=320)
    sentence = "Up and to the right is better. The dashed line is the prevalence: the precision of taking every row."
    return Figure("Precision and recall" + figure_about(category), f"{sentence} {note}".strip(), spec)


_FALSE_POSITIVES = "False positive rate"
_RECALL = "Recall"
_PRECISION = "Precision"


def _with_values(lines: dict[str, Line], layers: list[Chart]) -> Chart:
    most, banded = points_for(len(lines)), any(line.low for line in lines.values())
    values = [point for name, line in lines.items() for point in _points(name, line, most, banded=banded)]
    return {"data": {"values": values}, "layer": layers}


def _points(name: str, line: Line, most: int, *, banded: bool) -> list[Chart]:
    whole = len(line.low) == len(line.x) == len(line.high)
    points = []
    for order, i in enumerate(thinned(line.x, line.y, most)):
        point: Chart = {"series": name, "order": order, "x": rounded(line.x[i]), "y": rounded(line.y[i])}
        if banded:
            ends = (line.low[i], line.high[i]) if whole else (None, None)
            point |= dict(zip(("low", "high"), map(rounded, ends), strict=True))
        if len(line.threshold) == len(line.x):
            point["threshold"] = rounded(line.threshold[i])
        points.append(point)
    return points


def _band_and_line(lines: dict[str, Line], x: str, y: str) -> list[Chart]:
    names = list(lines)
    colour = coloured(names)
    order = {"field": "order", "type": "quantitative"}
    horizontal = axis("x", x, _UNIT)
    banded = any(one.low for one in lines.values())
    ends = [fact("low", "from"), fact("high", "to")] if banded else []
    tips = [text_fact("series", "curve"), fact("x", x), fact("y", y), *ends, fact("threshold", "at threshold")]
    line = {
        "mark": {"type": "line", "strokeWidth": 2.2, "strokeJoin": "round"},
        "encoding": {
            "x": horizontal,
            "y": axis("y", y, _UNIT),
            "color": colour,
            "order": order,
            **dashed(names),
        },
    }
    near = {
        "mark": {"type": "point", "size": 60, "filled": True, "opacity": 0},
        "encoding": {"x": horizontal, "y": axis("y", y, _UNIT), "color": colour, "tooltip": tips},
    }
    if not banded:
        return [line, near]
    # No order here: an area would fall apart into one piece for each value of it.
    band = {
        "transform": [{"filter": "isValid(datum.low) && isValid(datum.high)"}],
        "mark": {"type": "area", "opacity": 0.13},
        "encoding": {
            "x": horizontal,
            "y": axis("low", y, _UNIT),
            "y2": {"field": "high"},
            "color": colour,
        },
    }
    return [band, line, near]
