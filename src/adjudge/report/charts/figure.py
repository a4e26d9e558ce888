"""What all charts share: the figure, the colours, the axes, and how a long line is thinned."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from adjudge.evaluation.panels import ForestLine, Standing
from adjudge.report import tokens, words
from adjudge.report.summary import MetricLine

Chart = dict[str, Any]  # a specification of Vega-Lite: objects in objects, of any depth

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"

# Colours are roles of `tokens.toml`, written as the page's variables: a chart follows the scheme without being redrawn.
PALETTE = tokens.systems()
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross")
DASHES = [[1, 0], [6, 3], [2, 2]]
GROUND = tokens.colour("ground")
INK = tokens.colour("ink")
TEXT = tokens.colour("text")
MUTED = tokens.colour("muted")
BASELINE = tokens.colour("baseline")
WRONG = tokens.colour("beyond")
GUIDE = {"type": "line", "strokeDash": [4, 4], "color": MUTED, "strokeWidth": 1.2}  # what a line is compared with
HEAT = (0.04, 0.55)  # how opaque the tiles of a heat map are; ink reads well on the darkest

MOST_SERIES = 12
MOST_POINTS = 200
_POINTS_OF_ALL_LINES = 2400

_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
_CONFIG: Chart = {
    "font": _FONT,
    "background": "transparent",
    "view": {"stroke": None},
    "axis": {
        "domain": False,
        "ticks": False,
        "gridColor": tokens.colour("hairline"),
        "labelColor": MUTED,
        "labelFontSize": 12,
        "labelPadding": 6,
        "titleColor": TEXT,
        "titleFontSize": 12,
        "titleFontWeight": 500,
        "titlePadding": 10,
        "tickCount": 6,
        "labelSeparation": 8,
    },
    "axisY": {"labelLimit": 190},
    "legend": {
        "orient": "top",
        "direction": "horizontal",
        "title": None,
        "labelFontSize": 12,
        "labelColor": INK,
        "labelLimit": 200,
        "symbolType": "stroke",
        "symbolStrokeWidth": 3,
        "symbolOpacity": 1,
        "columns": 3,
        "offset": 8,
    },
}


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart with the words around it.

    `wide` figures keep their own width and scroll on a narrow screen; `broad` ones have a row of the page
    to themselves.
    """

    title: str
    note: str
    spec: Chart
    wide: bool = False
    broad: bool = False


class Pictured(Protocol):
    """Any panel: it belongs to a system and to a category."""

    @property
    def system(self) -> str: ...

    @property
    def category(self) -> str: ...


Panel = TypeVar("Panel", bound=Pictured)


def chart(description: str, body: Chart, *, height: int = 300) -> Chart:
    """A complete specification around layers or a mark; the description is what a screen reader says."""
    return {
        "$schema": SCHEMA,
        "description": description,
        "width": "container",
        "height": height,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "config": _CONFIG,
        **body,
    }


def axis(field: str, title: str, domain: Sequence[float] | None = None, **more: object) -> Chart:
    """A quantitative position."""
    scale: Chart = {"domain": list(domain), "nice": False} if domain else {"zero": False}
    return {"field": field, "type": "quantitative", "title": title, "scale": scale, **more}


def coloured(names: Sequence[str], field: str = "series") -> Chart:
    """The encoding of several series by colour, and by dash too once the colours repeat."""
    colours = [PALETTE[i % len(PALETTE)] for i in range(len(names))]
    scale = {"domain": list(names), "range": colours}
    legend = _legend(names) if len(names) > 1 else None
    return {"field": field, "type": "nominal", "scale": scale, "legend": legend}


def _legend(names: Sequence[str]) -> Chart:
    """A legend does not wrap by itself: long names get fewer columns."""
    longest = max(map(len, names), default=0)
    return {} if longest <= 20 else {"columns": 2 if longest <= 26 else 1}


def dashed(names: Sequence[str], field: str = "series") -> Chart:
    """The dashes of lines that go with `coloured`."""
    return _where_colours_repeat("strokeDash", DASHES, names, field)


def shaped(names: Sequence[str]) -> Chart:
    """The shapes of points that go with `coloured`."""
    return _where_colours_repeat("shape", SHAPES, names, "series")


def _where_colours_repeat(channel: str, marks: Sequence[object], names: Sequence[str], field: str) -> Chart:
    """Another mark for each round of the colours, only when these alone cannot tell the series apart."""
    if len(names) <= len(PALETTE):
        return {}
    scale = {"domain": list(names), "range": [marks[(i // len(PALETTE)) % len(marks)] for i in range(len(names))]}
    return {channel: {"field": field, "type": "nominal", "scale": scale, "legend": _legend(names)}}


def row_axes(rows: int) -> tuple[Chart, Chart]:
    """The rows of a forest with their names on the left, and again with their sizes on the right.

    Rows are placed by number and named by the parameters `names` and `sizes`: two rows may read alike, and
    must not merge. The domain names every row, so that one without a defined value keeps its place.
    """
    place: Chart = {"field": "row", "type": "ordinal", "title": None, "scale": {"domain": list(range(rows))}}
    names = {"labelExpr": "names[datum.value]", "grid": False, "labelColor": INK}
    sizes = {"labelExpr": "sizes[datum.value]", "orient": "right", "grid": False, "labelColor": MUTED}
    return {**place, "axis": names}, {**place, "axis": sizes}


def estimate_fields(line: ForestLine | MetricLine | Standing) -> Chart:
    """An estimate and its interval, as numbers to draw and as texts to point at."""
    return {
        "estimate": rounded(line.estimate),
        "low": rounded(line.low),
        "high": rounded(line.high),
        "text": words.number_text(line.estimate, line.low, line.high),
        "interval": words.interval_text(line.low, line.high, line.estimate),
    }


def estimate_layers(
    rows: int,
    title: str,
    domain: list[float],
    *,
    colour: Chart,
    tips: list[Chart],
    beside: Chart,
    names: Sequence[str] = (),
) -> list[Chart]:
    """The rows of a forest: their intervals, and a point where the estimate is defined; `beside` parts its series,
    which have these names."""
    points = {"color": colour, **shaped(names), "tooltip": tips, **beside}
    left, right = row_axes(rows)
    ends = {"x": axis("low", title, domain), "x2": {"field": "high"}}
    return [
        {
            "mark": {"type": "rule", "strokeWidth": 2.5, "strokeCap": "round", "opacity": 0.55},
            "encoding": {"y": left, **ends, "color": colour, **beside},
        },
        {
            "transform": [{"filter": "isValid(datum.estimate)"}],
            "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1},
            "encoding": {"y": right, "x": axis("estimate", title, domain), **points},
        },
    ]


def fact(field: str, title: str, form: str = ".4~f") -> Chart:
    """One quantitative line of a tooltip."""
    return {"field": field, "type": "quantitative", "title": title, "format": form}


def text_fact(field: str, title: str) -> Chart:
    """One line of a tooltip in words."""
    return {"field": field, "type": "nominal", "title": title}


def rounded(value: float | None) -> float | None:
    """A number as a chart needs it: short, and null when it is not finite.

    >>> rounded(0.123456789), rounded(float("inf")), rounded(None)
    (0.123457, None, None)
    """
    if value is None or not math.isfinite(value):
        return None
    return float(f"{value:.6g}") + 0.0


def bars_between(edges: Sequence[float], name: str, rows: Sequence[float]) -> list[Chart]:
    """The bars of a histogram that have rows.

    >>> bars_between([0.0, 1.0, 2.0], "a", [3.0, 0.0])
    [{'series': 'a', 'start': 0.0, 'end': 1.0, 'rows': 3.0, 'share': 1.0}]
    """
    total = sum(rows)
    return [
        {
            "series": name,
            "start": rounded(start),
            "end": rounded(end),
            "rows": rounded(weight),
            "share": rounded(weight / total),
        }
        for start, end, weight in zip(edges, edges[1:], rows, strict=False)
        if weight > 0
    ]


def bar_tips(rows: str = "rows") -> list[Chart]:
    """The tooltip of a bar between two edges."""
    ends = [fact("start", "from"), fact("end", "to")]
    return [text_fact("series", "series"), *ends, fact("rows", rows, ",.1~f"), fact("share", "share", ".1%")]


def histogram_encoding(across: Chart, of: str, colour: Chart, tips: list[Chart]) -> Chart:
    """Bars of `bars_between`, each series adding up to 100 %."""
    return {
        "x": across,
        "x2": {"field": "end"},
        "y": {**axis("share", f"Share of {of}"), "scale": {"zero": True}, "axis": {"format": "~%"}},
        "y2": {"datum": 0},
        "color": colour,
        "tooltip": tips,
    }


def thinned(xs: Sequence[float], ys: Sequence[float], most: int) -> list[int]:
    """Which points of a line to keep: at most `most`, the ends among them, evenly along the way it travels.

    >>> thinned([0, 1, 2, 3, 4], [0, 0, 0, 0, 0], 3)
    [0, 2, 4]
    """
    size = len(xs)
    if size <= most:
        return list(range(size))
    way = [0.0]
    for i in range(1, size):
        step = abs(xs[i] - xs[i - 1]) + abs(ys[i] - ys[i - 1])
        way.append(way[-1] + (step if math.isfinite(step) else 0.0))
    total = way[-1] or 1.0
    kept, reached = [0], 0
    for i in range(1, size - 1):
        mark = math.floor(way[i] / total * (most - 1))
        if mark > reached and len(kept) < most - 1:
            kept.append(i)
            reached = mark
    return [*kept, size - 1]


def points_for(lines: int) -> int:
    """How many points a line may have when a chart holds this many."""
    return max(30, min(MOST_POINTS, _POINTS_OF_ALL_LINES // max(1, lines)))


def panels_by_chart(panels: Iterable[Panel]) -> list[tuple[str, dict[str, Panel]]]:
    """Panels shared out over charts: a title for each chart and its panels by series name.

    One system: its categories share a chart. Several systems: each category has a chart, where they meet.
    """
    panels = list(panels)
    systems = list(dict.fromkeys(panel.system for panel in panels))
    if len(systems) <= 1:
        shared = {words.visible(panel.category) or "all rows": panel for panel in panels}
        only = next(iter(shared)) if len(shared) == 1 and panels[0].category else ""
        return [(only, shared)] if panels else []
    charts: dict[str, dict[str, Panel]] = {}
    for panel in panels:
        charts.setdefault(words.visible(panel.category), {})[words.visible(panel.system)] = panel
    return list(charts.items())


def first_series(series: dict[str, Panel]) -> tuple[dict[str, Panel], str]:
    """As many series as colours can tell apart, and a sentence when that leaves some out."""
    if len(series) <= MOST_SERIES:
        return series, ""
    kept = dict(list(series.items())[:MOST_SERIES])
    return kept, f"The first {MOST_SERIES} of {len(series)} are shown."


def figure_about(category: str) -> str:
    """What a figure is about, after its title.

    >>> figure_about("spam"), figure_about("")
    (' · spam', '')
    """
    return f" · {category}" if category else ""
