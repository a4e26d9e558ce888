"""A few categories for a few series: bars side by side, or a heat map when there are too many series for colours."""

from __future__ import annotations

from adjudge.evaluation.panels import BarPanel, MatrixPanel
from adjudge.report import words
from adjudge.report.charts.figure import INK, PALETTE, Chart, Figure, chart, coloured, rounded, text_fact
from adjudge.report.charts.matrix import heat_map
from adjudge.report.grids import are_shares, bar_text

MOST_CATEGORIES = 40
_MOST_UPRIGHT = 60


def bar_figure(panel: BarPanel, most: int = MOST_CATEGORIES) -> Figure:
    """The bars of one panel.

    >>> figure = bar_figure(BarPanel("Use", "", ["no", "yes"], ["ann", "ben"], [[0.3, 0.7], [0.4, None]]))
    >>> [value["text"] for value in figure.spec["data"]["values"]]
    ['30.0 %', '70.0 %', '40.0 %']
    """
    if len(panel.series) > len(PALETTE):
        return _as_heat_map(panel, most)
    title, names = words.visible(panel.title, 200), _apart(panel.series)
    categories = [words.visible(name) for name in panel.categories[:most]]
    shares = are_shares(panel)
    upright = len(categories) * len(names) <= _MOST_UPRIGHT and sum(map(len, categories)) <= 48
    body = {
        "data": {"values": _values(panel, names, len(categories), shares=shares)},
        "params": [{"name": "names", "value": categories}],
        "transform": [{"calculate": "names[datum.category]", "as": "name"}],
        "mark": {"type": "bar", "cornerRadiusEnd": 2},
        "encoding": _encoding(names, len(categories), upright=upright, shares=shares),
    }
    height = 260 if upright else len(categories) * (14 + 11 * len(names))
    spec = chart(f"Bars: {title}.", body, height=height)
    spec["config"] = {**spec["config"], "legend": {**spec["config"]["legend"], "symbolType": "square"}}
    return Figure(title, _note(panel, len(categories)), spec, broad=len(categories) * len(names) > 40)


def _note(panel: BarPanel, shown: int) -> str:
    note = words.visible(panel.note, 600)
    left = f"The first {shown} of {len(panel.categories):,} are shown." if shown < len(panel.categories) else ""
    return f"{note} {left}".strip()


def _apart(series: list[str]) -> list[str]:
    """Names of series as they are shown, with a number where two would read alike."""
    names: list[str] = []
    for name in map(words.visible, series):
        names.append(name if name not in names else f"{name} ({len(names) + 1})")
    return names


def _values(panel: BarPanel, names: list[str], categories: int, *, shares: bool) -> list[Chart]:
    return [
        {"category": i, "series": name, "value": rounded(value), "text": bar_text(value, shares=shares)}
        for name, values in zip(names, panel.values, strict=True)
        for i, value in enumerate(values[:categories])
        if rounded(value) is not None
    ]


def _encoding(names: list[str], categories: int, *, upright: bool, shares: bool) -> Chart:
    """Upright bars for short names, lying ones for long names or many bars."""
    along = {
        "field": "category",
        "type": "ordinal",
        "title": None,
        "scale": {"domain": list(range(categories)), "paddingInner": 0.25, "paddingOuter": 0.15},
        "axis": {"labelExpr": "names[datum.value]", "labelAngle": 0, "grid": False, "labelColor": INK},
    }
    size = {
        "field": "value",
        "type": "quantitative",
        "title": None,
        "axis": {"format": "%" if shares else "~s", "tickCount": 5},
    }
    beside = {"field": "series", "type": "nominal", "scale": {"domain": names}}
    place = {"x": along, "y": size, "xOffset": beside} if upright else {"y": along, "x": size, "yOffset": beside}
    series = [text_fact("series", "series")] if len(names) > 1 else []
    tips = [text_fact("name", "category"), *series, text_fact("text", "share" if shares else "value")]
    return {**place, "color": coloured(names), "tooltip": tips}


def _as_heat_map(panel: BarPanel, most: int) -> Figure:
    """One row for each series."""
    known = [value for values in panel.values for value in values if rounded(value) is not None and value]
    shares = are_shares(panel)
    matrix = MatrixPanel(
        title=panel.title,
        note=panel.note,
        rows=panel.series,
        columns=panel.categories,
        values=panel.values,
        low=[[None] * len(panel.categories)] * len(panel.series),
        high=[[None] * len(panel.categories)] * len(panel.series),
        n=[[0] * len(panel.categories)] * len(panel.series),
        limits=(min([0.0, *known]), max([0.0, *known]) or 1.0),
    )
    return heat_map(matrix, lambda value: bar_text(value, shares=shares), most)
