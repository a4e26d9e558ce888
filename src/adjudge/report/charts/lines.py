"""One number by another: a line for each series with its intervals, and how a number is spread."""

from __future__ import annotations

from adjudge.evaluation.panels import HistogramPanel, LinesPanel, Series
from adjudge.report import words
from adjudge.report.charts.figure import (
    GUIDE,
    MOST_SERIES,
    MUTED,
    Chart,
    Figure,
    axis,
    bar_tips,
    bars_between,
    chart,
    coloured,
    dashed,
    fact,
    histogram_encoding,
    rounded,
    text_fact,
)

# The bars under lines reach up to one part in so many of the chart.
PART = 5


def lines_figure(panel: LinesPanel) -> Figure:
    """The lines of one panel, above how many rows lie where.

    >>> series = Series("m1", [1.0, 2.0], [1.1, 2.2], [1.0, 2.0], [1.2, 2.4], [10.0, 12.0], [0.0, 2.0], [22.0])
    >>> figure = lines_figure(LinesPanel("Prediction by reference", "", "x", "y", [series], "diagonal"))
    >>> bars, lines = figure.spec["layer"]
    >>> bars["mark"]["type"], [layer["mark"]["type"] for layer in lines["layer"]]
    ('rect', ['line', 'rule', 'line', 'point'])
    """
    shown = panel.series[:MOST_SERIES]
    names = [words.visible(series.name) for series in shown]
    values = [value for series, name in zip(shown, names, strict=True) for value in _points(series, name)]
    title = words.visible(panel.title, 200)
    lines = {"data": {"values": values}, "layer": [*_guide(panel, values), *_layers(panel, names)]}
    alike = all((series.edges, series.counts) == (shown[0].edges, shown[0].counts) for series in shown)
    places = zip(shown, names, strict=True) if not alike else [(series, "all") for series in shown[:1]]
    bars = [bar for series, name in places for bar in _under(series, name)]
    body: Chart = lines
    if bars:
        colour = {"value": MUTED} if alike else coloured(names)
        body = {"layer": [_where(panel, colour, bars), lines], "resolve": {"scale": {"y": "independent"}}}
    spec = chart(f"Lines: {title}.", body, height=320)
    return Figure(title, _note(panel.note, len(panel.series)), spec)


def _note(note: str, series: int) -> str:
    left = f"The first {MOST_SERIES} of {series} are shown." if series > MOST_SERIES else ""
    return f"{words.visible(note, 600)} {left}".strip()


def _points(series: Series, name: str) -> list[Chart]:
    size = len(series.x)
    low, high, n = (values or [None] * size for values in (series.low, series.high, series.n))
    return [
        {
            "series": name,
            "x": rounded(x),
            "y": rounded(y),
            "low": rounded(below),
            "high": rounded(above),
            "rows": rounded(rows),
        }
        for x, y, below, above, rows in zip(series.x, series.y, low, high, n, strict=True)
    ]


def _under(series: Series, name: str) -> list[Chart]:
    """The bars of one series; bins may be wider than another's, so that a bar is as high as its rows are dense."""
    widths = [end - start for start, end in zip(series.edges, series.edges[1:], strict=False)]
    total = sum(series.counts) or 1.0
    return [
        {
            "series": name,
            "start": rounded(start),
            "end": rounded(start + width),
            "rows": rounded(count),
            "share": rounded(count / total),
            "density": rounded(count / total / width),
        }
        for start, width, count in zip(series.edges, widths, series.counts, strict=False)
        if count > 0 and width > 0
    ]


def _where(panel: LinesPanel, colour: Chart, bars: list[Chart]) -> Chart:
    """How many rows lie where, in the lowest part of the chart."""
    highest = max(bar["density"] or 0.0 for bar in bars)
    height = {"field": "density", "type": "quantitative", "axis": None}
    return {
        "data": {"values": bars},
        "mark": {"type": "rect", "opacity": 0.22},
        "encoding": {
            "x": axis("start", words.visible(panel.x)),
            "x2": {"field": "end"},
            "y": {**height, "scale": {"domain": [0, PART * highest], "nice": False}},
            "y2": {"datum": 0},
            "color": colour,
            "tooltip": bar_tips(),
        },
    }


def _guide(panel: LinesPanel, values: list[Chart]) -> list[Chart]:
    """The dashed line to compare with, as far as the points reach."""
    across = [value["x"] for value in values if value["x"] is not None]
    if not panel.guide or not across:
        return []
    ends = (min(across), max(across))
    points = [{"x": x, "y": x if panel.guide == "diagonal" else 0.0} for x in ends]
    return [{"data": {"values": points}, "mark": GUIDE, "encoding": _place(panel)}]


def _place(panel: LinesPanel) -> Chart:
    return {"x": axis("x", words.visible(panel.x)), "y": axis("y", words.visible(panel.y), axis={"grid": True})}


def _layers(panel: LinesPanel, names: list[str]) -> list[Chart]:
    colour, place = coloured(names), _place(panel)
    tips = [text_fact("series", "series"), fact("x", words.visible(panel.x)), fact("y", words.visible(panel.y))]
    layers: list[Chart] = []
    if any(words.known(low) for series in panel.series for low in series.low):
        tips += [fact("low", "from"), fact("high", "to")]
        layers.append(_intervals(panel, colour))
    if any(series.n for series in panel.series):
        tips += [fact("rows", "rows", ",.1~f")]
    points = {"type": "point", "filled": True, "size": 14 if panel.band else 36, "opacity": 1}
    return [
        *layers,
        {
            "mark": {"type": "line", "strokeWidth": 1.5, "opacity": 0.7},
            "encoding": {**place, "color": colour, **dashed(names)},
        },
        {"mark": points, "encoding": {**place, "color": colour, "tooltip": tips}},
    ]


def _intervals(panel: LinesPanel, colour: Chart) -> Chart:
    """A band along the line, or a rule through each point."""
    place = _place(panel)
    area = {"type": "area", "opacity": 0.16}
    rules = {"type": "rule", "strokeWidth": 2, "opacity": 0.45, "strokeCap": "round"}
    ends = {"y": {**place["y"], "field": "low"}, "y2": {"field": "high"}}
    return {"mark": area if panel.band else rules, "encoding": {"x": place["x"], **ends, "color": colour}}


def histogram_figure(panel: HistogramPanel) -> Figure:
    """The histogram of one panel, each series adding up to 100 %.

    >>> panel = HistogramPanel("Residuals", "", "Residual", [0.0, 1.0, 2.0], ["m1"], [[3.0, 1.0]])
    >>> [value["share"] for value in histogram_figure(panel).spec["data"]["values"]]
    [0.75, 0.25]
    """
    names = [words.visible(name) for name in panel.series[:MOST_SERIES]]
    colour = coloured(names)
    title = words.visible(panel.title, 200)
    if len(names) > 1:
        colour |= {"legend": {**colour["legend"], "symbolType": "square"}}
    across = axis("start", words.visible(panel.axis), (panel.edges[0], panel.edges[-1]))
    bars = [bars_between(panel.edges, name, counts) for name, counts in zip(names, panel.counts, strict=False)]
    body = {
        "data": {"values": [bar for of_series in bars for bar in of_series]},
        "mark": {"type": "rect", "opacity": 0.5},
        "encoding": histogram_encoding(across, panel.of, colour, bar_tips(panel.of)),
    }
    return Figure(title, _note(panel.note, len(panel.series)), chart(f"Histogram: {title}.", body, height=320))
