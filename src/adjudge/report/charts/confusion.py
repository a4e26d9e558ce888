"""The confusion matrix as a heat map: counts and their share of the reference's row; right blue, errors red."""

from __future__ import annotations

from collections.abc import Iterable

from adjudge.evaluation.panels import ConfusionPanel
from adjudge.report import words
from adjudge.report.charts.figure import GROUND, HEAT, INK, PALETTE, WRONG, Chart, Figure, chart, fact, text_fact

MOST_CATEGORIES = 40
_MOST_WITH_COUNTS = 12


def confusion_figures(panels: Iterable[ConfusionPanel], most: int = MOST_CATEGORIES) -> list[Figure]:
    """One heat map for each system: rows are the reference, columns the prediction.

    >>> figure, = confusion_figures([ConfusionPanel("a", ["no", "yes"], [[90.0, 10.0], [5.0, 45.0]])])
    >>> len(figure.spec["data"]["values"])
    4
    """
    panels = [panel for panel in panels if panel.categories]
    return [_figure(panel, most, named=len(panels) > 1) for panel in panels]


def _figure(panel: ConfusionPanel, most: int, *, named: bool) -> Figure:
    kept = _largest(panel, most)
    values = _cells(panel, kept)
    names = [words.visible(panel.categories[i]) for i in kept]
    detailed = len(kept) <= _MOST_WITH_COUNTS
    step = 120 if len(kept) <= 3 else 84 if len(kept) <= 6 else 66 if detailed else 28
    body = {
        "data": {"values": values},
        "params": [{"name": "names", "value": names}],
        "layer": [_tiles(rotate=len(kept) > 4), *_texts(detailed)],
    }
    spec = chart("Confusion matrix: rows are the reference, columns the prediction.", body)
    spec |= {"width": {"step": step}, "height": {"step": min(step, 60)}, "autosize": {"type": "pad"}}
    title = f"Confusion · {words.visible(panel.system)}" if named and panel.system else "Confusion matrix"
    return Figure(title, _note(len(panel.categories), len(kept), detailed), spec, wide=True)


def _note(categories: int, kept: int, detailed: bool) -> str:
    cells = "count and share of the row" if detailed else "percent of the row (point at a cell for its count)"
    sentence = f"Rows are the reference, columns the prediction. Each cell: {cells}."
    if kept < categories:
        sentence += f" The {kept} largest of {categories:,} categories are shown; shares are of the whole row."
    return sentence


def _largest(panel: ConfusionPanel, most: int) -> list[int]:
    """The categories with most rows, in the order of the panel."""
    sizes = panel.reference_totals
    for _, answer, rows in panel.pairs:
        sizes[answer] += rows
    return sorted(sorted(range(len(sizes)), key=lambda i: -sizes[i])[:most])


def _cells(panel: ConfusionPanel, kept: list[int]) -> list[Chart]:
    cells, totals = [], panel.reference_totals
    for i, (place, row) in enumerate(zip(kept, panel.among(kept), strict=True)):
        total = totals[place]
        for j, weight in enumerate(row):
            share = weight / total if total else None
            cells.append({"i": i, "j": j, "rows": weight, "share": round(share, 4) if share is not None else None})
    return cells


def _tiles(*, rotate: bool) -> Chart:
    shared = {"labelExpr": "names[datum.value]", "labelLimit": 120, "titlePadding": 12}
    return {
        "transform": _NAMED,
        "mark": {"type": "rect", "stroke": GROUND, "strokeWidth": 2, "cornerRadius": 3},
        "encoding": {
            "y": {"field": "i", "type": "ordinal", "title": "Reference", "axis": shared},
            "x": {
                "field": "j",
                "type": "ordinal",
                "title": "Prediction",
                "axis": {**shared, "orient": "top", "labelAngle": -40 if rotate else 0},
            },
            "color": {"condition": {"test": "datum.i === datum.j", "value": PALETTE[0]}, "value": WRONG},
            "fillOpacity": {
                "field": "share",
                "type": "quantitative",
                "scale": {"domain": [0, 1], "range": list(HEAT)},
                "legend": None,
            },
            "tooltip": [
                text_fact("reference", "reference"),
                text_fact("prediction", "prediction"),
                fact("rows", "rows", ",.1~f"),
                fact("share", "share of the row", ".1%"),
            ],
        },
    }


_NAMED = [
    {"calculate": "names[datum.i]", "as": "reference"},
    {"calculate": "names[datum.j]", "as": "prediction"},
]


def _texts(detailed: bool) -> list[Chart]:
    place = {"y": {"field": "i", "type": "ordinal"}, "x": {"field": "j", "type": "ordinal"}}
    if not detailed:
        percent = [{"calculate": "isValid(datum.share) ? format(datum.share * 100, '.0f') : ''", "as": "text"}]
        return [_text(percent, {"fontSize": 11}, place)]
    rows = [{"calculate": "format(datum.rows, ',.1~f')", "as": "text"}]
    share = [{"calculate": "isValid(datum.share) ? format(datum.share * 100, '.1f') + ' %' : ''", "as": "text"}]
    return [
        _text(rows, {"fontSize": 14, "fontWeight": 600, "dy": -8}, place),
        _text(share, {"fontSize": 11, "dy": 9}, place),
    ]


def _text(calculated: list[Chart], mark: Chart, place: Chart) -> Chart:
    return {
        "transform": calculated,
        "mark": {"type": "text", **mark},
        "encoding": {**place, "text": {"field": "text", "type": "nominal"}, "color": {"value": INK}},
    }
