"""Values in rows and columns as a heat map: the value in its cell, interval and n when pointed at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from adjudge.evaluation.panels import MatrixPanel
from adjudge.report import words
from adjudge.report.charts.figure import (
    GROUND,
    HEAT,
    INK,
    MUTED,
    PALETTE,
    WRONG,
    Chart,
    Figure,
    chart,
    rounded,
    text_fact,
)
from adjudge.report.grids import matrix_cell, matrix_limits, matrix_places

MOST_LINES = 30
_MOST_LARGE = 12


def matrix_figure(panel: MatrixPanel, most: int = MOST_LINES) -> Figure:
    """A heat map of one matrix.

    >>> panel = MatrixPanel("Kappa", "", ["a", "b"], ["a", "b"], [[None, 0.5], [0.5, None]],
    ...                     [[None, 0.4], [0.4, None]], [[None, 0.6], [0.6, None]], [[0, 9], [9, 0]], (-1.0, 1.0))
    >>> [cell["text"] for cell in matrix_figure(panel).spec["data"]["values"]]
    ['–', '0.50', '0.50', '–']
    """
    places = matrix_places(panel)
    return heat_map(panel, lambda value: matrix_cell(value, places), most)


def heat_map(panel: MatrixPanel, text_of: Callable[[float | None], str], most: int = MOST_LINES) -> Figure:
    """A heat map whose cells say what `told` makes of their value."""
    kept, note = _largest(panel, min(most, MOST_LINES))
    large = len(kept.columns) <= _MOST_LARGE
    step = 96 if len(kept.columns) <= 3 else 68 if len(kept.columns) <= 6 else 58 if large else 29
    height = 26 if not large else 40 if len(kept.rows) <= 8 else 32
    ends = matrix_limits(panel)
    body = {
        "data": {"values": _cells(kept, text_of, large)},
        "params": [
            {"name": "rows", "value": [words.visible(name) for name in kept.rows]},
            {"name": "columns", "value": [words.visible(name) for name in kept.columns]},
        ],
        "transform": [
            {"calculate": "rows[datum.i]", "as": "row"},
            {"calculate": "columns[datum.j]", "as": "column"},
        ],
        "layer": [_blanks(kept), _tiles(kept, ends), _texts(large)],
    }
    title = words.visible(panel.title, 200)
    spec = chart(f"Heat map: {title}.", body)
    spec |= {
        "width": {"step": step},
        "height": {"step": height},
        "autosize": {"type": "pad"},
    }
    return Figure(title, note, spec, wide=True, broad=len(kept.columns) > 5)


def _largest(panel: MatrixPanel, most: int) -> tuple[MatrixPanel, str]:
    """The rows and columns with the largest n, in the order of the panel, and a sentence when some are left out."""
    note = words.visible(panel.note, 600)
    if len(panel.rows) <= most and len(panel.columns) <= most:
        return panel, note
    rows = _places([sum(row) for row in panel.n], most)
    columns = _places([sum(row[j] for row in panel.n) for j in range(len(panel.columns))], most)
    if panel.rows == panel.columns:
        columns = rows

    def cut(table: list[list[float | None]]) -> list[list[float | None]]:
        return [[table[i][j] for j in columns] for i in rows]

    kept = replace(
        panel,
        rows=[panel.rows[i] for i in rows],
        columns=[panel.columns[j] for j in columns],
        values=cut(panel.values),
        low=cut(panel.low),
        high=cut(panel.high),
        n=[[panel.n[i][j] for j in columns] for i in rows],
    )
    sizes = f"{len(rows)} × {len(columns)} of {len(panel.rows):,} × {len(panel.columns):,}"
    return kept, f"{note} The {sizes} cells with the largest n are shown.".strip()


def _places(sizes: list[int], most: int) -> list[int]:
    return sorted(sorted(range(len(sizes)), key=lambda i: -sizes[i])[:most])


def _cells(panel: MatrixPanel, text_of: Callable[[float | None], str], large: bool) -> list[Chart]:
    cells = []
    for i, values in enumerate(panel.values):
        for j, value in enumerate(values):
            low, high, text = panel.low[i][j], panel.high[i][j], text_of(value)
            cell: Chart = {"i": i, "j": j, "value": rounded(value), "text": text if large else _short(text)}
            if words.known(value):
                cell["said"] = words.number_text(value, low, high) if words.known(low) or words.known(high) else text
            if words.known(low) or words.known(high):
                cell["interval"] = words.interval_text(low, high, value)
            cells.append(cell | {"n": words.count(panel.n[i][j])})
    return cells


def _short(text: str) -> str:
    """A value where room is scarce: no zero before the point.

    >>> _short("0.52"), _short("-0.08"), _short("-1.00"), _short("12.6 %")
    ('.52', '-.08', '-1.0', '13')
    """
    if text.endswith(" %"):
        return f"{float(text[:-2]):.0f}"
    if text.startswith(("0.", "-0.")):
        return text.replace("0.", ".", 1)
    return text[:-1] if text[-3:-2] == "." else text


def _heat(ends: tuple[float, float]) -> Chart:
    """The stronger, the farther from the lower end, or from zero where a scale has both signs; below it red."""
    least, most = ends
    faint, strong = HEAT
    if least < 0 < most:
        domain, range_ = [least, 0, most], [strong, faint, strong]
    else:
        domain, range_ = [least, most], [faint, strong]
    scale = {"domain": domain, "range": range_, "clamp": True}
    return {
        "color": {
            "condition": {"test": f"datum.value < {0 if least < 0 < most else least!r}", "value": WRONG},
            "value": PALETTE[0],
        },
        "fillOpacity": {"field": "value", "type": "quantitative", "scale": scale, "legend": None},
    }


def _blanks(panel: MatrixPanel) -> Chart:
    """Cells without a value; this layer also carries the axes, so that an empty row keeps its place."""
    shared = {"labelLimit": 120, "title": None, "domain": False, "ticks": False, "labelColor": INK}
    rotate = len(panel.columns) > 12 or max(map(len, panel.columns)) > 7
    place: Chart = {"type": "ordinal", "title": None}
    return {
        "transform": [{"filter": "!isValid(datum.value)"}],
        "mark": {
            "type": "rect",
            "color": MUTED,
            "fillOpacity": HEAT[0],
            "stroke": GROUND,
            "strokeWidth": 2,
            "cornerRadius": 3,
        },
        "encoding": {
            "y": {
                **place,
                "field": "i",
                "scale": {"domain": list(range(len(panel.rows)))},
                "axis": {**shared, "labelExpr": "rows[datum.value]"},
            },
            "x": {
                **place,
                "field": "j",
                "scale": {"domain": list(range(len(panel.columns)))},
                "axis": {
                    **shared,
                    "labelExpr": "columns[datum.value]",
                    "orient": "top",
                    "labelAngle": -40 if rotate else 0,
                },
            },
            "tooltip": [text_fact("row", "row"), text_fact("column", "column"), *_sizes(panel)],
        },
    }


def _sizes(panel: MatrixPanel) -> list[Chart]:
    return [text_fact("n", "n")] if any(map(any, panel.n)) else []


def _tiles(panel: MatrixPanel, ends: tuple[float, float]) -> Chart:
    bounded = any(words.known(value) for row in [*panel.low, *panel.high] for value in row)
    return {
        "transform": [{"filter": "isValid(datum.value)"}],
        "mark": {"type": "rect", "stroke": GROUND, "strokeWidth": 2, "cornerRadius": 3},
        "encoding": {
            "y": {"field": "i", "type": "ordinal"},
            "x": {"field": "j", "type": "ordinal"},
            **_heat(ends),
            "tooltip": [
                text_fact("row", "row"),
                text_fact("column", "column"),
                text_fact("said", "value"),
                *([text_fact("interval", "interval")] if bounded else []),
                *_sizes(panel),
            ],
        },
    }


def _texts(large: bool) -> Chart:
    return {
        "mark": {"type": "text", "fontSize": 13 if large else 11, "fontWeight": 500 if large else 400, "tooltip": None},
        "encoding": {
            "y": {"field": "i", "type": "ordinal"},
            "x": {"field": "j", "type": "ordinal"},
            "text": {"field": "text", "type": "nominal"},
            "color": {"condition": {"test": "!isValid(datum.value)", "value": MUTED}, "value": INK},
        },
    }
