"""What each decision threshold would give."""

from __future__ import annotations

from collections.abc import Iterable

from adjudge.evaluation.panels import ThresholdPanel
from adjudge.report import words
from adjudge.report.charts.figure import (
    MOST_POINTS,
    MUTED,
    Chart,
    Figure,
    axis,
    chart,
    coloured,
    dashed,
    fact,
    rounded,
    thinned,
)

_SERIES = {
    "precision": "Precision",
    "recall": "Recall",
    "specificity": "Specificity",
    "accuracy": "Accuracy",
    "f_score": "F score",
    "volume": "Volume",
}


def threshold_figures(panels: Iterable[ThresholdPanel]) -> list[Figure]:
    """One chart for each system and category: six measures along the threshold."""
    panels = [panel for panel in panels if _measures(panel)]
    systems = {panel.system for panel in panels}
    return [_figure(panel, named=len(systems) > 1) for panel in panels]


def _figure(panel: ThresholdPanel, *, named: bool) -> Figure:
    about = [words.visible(part) for part in (panel.system if named else "", panel.category) if part]
    measures = _measures(panel)
    body = {"data": {"values": _values(panel, measures)}, "layer": _layers(measures)}
    spec = chart("Precision, recall and other measures for each decision threshold.", body, height=300)
    note = "Rows whose score reaches the threshold are taken; volume is their share of all rows."
    return Figure(" · ".join(["By threshold", *about]), note, spec)


def _measures(panel: ThresholdPanel) -> list[str]:
    """The measures that are defined at some threshold."""
    return [name for name in _SERIES if any(rounded(value) is not None for value in getattr(panel, name))]


def _values(panel: ThresholdPanel, measures: list[str]) -> list[Chart]:
    places = list(panel.threshold)
    kept = thinned(places, [0.0] * len(places), MOST_POINTS)
    columns = {_SERIES[name]: getattr(panel, name) for name in measures}
    return [
        {"threshold": rounded(places[i]), **{name: rounded(column[i]) for name, column in columns.items()}}
        for i in kept
        if rounded(places[i]) is not None
    ]


def _layers(measures: list[str]) -> list[Chart]:
    names = [_SERIES[name] for name in measures]
    across = axis("threshold", "Threshold")
    lines = {
        "transform": [{"fold": names, "as": ["measure", "value"]}],
        "mark": {"type": "line", "strokeWidth": 2, "strokeJoin": "round"},
        "encoding": {
            "x": across,
            "y": axis("value", "Value", (0.0, 1.0)),
            "color": coloured(names, "measure"),
            **dashed(names, "measure"),
        },
    }
    # An invisible rule at every threshold: the nearest one lights up and tells all its values at once.
    pointer = {
        "params": [
            {
                "name": "near",
                "select": {
                    "type": "point",
                    "fields": ["threshold"],
                    "nearest": True,
                    "on": "pointermove",
                    "clear": "pointerout",
                },
            }
        ],
        "mark": {"type": "rule", "color": MUTED},
        "encoding": {
            "x": across,
            "opacity": {"condition": {"param": "near", "value": 0.6, "empty": False}, "value": 0},
            "tooltip": [fact("threshold", "Threshold"), *(fact(name, name) for name in names)],
        },
    }
    return [lines, pointer]
