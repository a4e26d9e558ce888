"""One metric over the levels of a slice column: a point and its interval for each."""

from __future__ import annotations

from adjudge.evaluation.panels import finite_of
from adjudge.report import words
from adjudge.report.charts.figure import (
    Chart,
    Figure,
    axis,
    chart,
    coloured,
    estimate_fields,
    estimate_layers,
    fact,
    rounded,
    text_fact,
)
from adjudge.report.summary import MetricLine, SliceGroup
from adjudge.report.tables import Level, cut_rows, level_count, levels, series_name

MOST_LEVELS = 60


def forest_figure(group: SliceGroup, most: int = MOST_LEVELS) -> Figure:
    """A forest plot of one slice group; the dashed line is the whole data.

    >>> whole = MetricLine("a", "", "", "accuracy", "Accuracy", 0.9, 0.85, 0.95, 0.95, "wilson", 1200, "",
    ...                    0.5, "higher", (0.0, 1.0), [])
    >>> forest_figure(SliceGroup("country", "accuracy", "Accuracy", [whole])).title
    'Accuracy by country'
    """
    every = levels(group)
    shown = cut_rows(every, most)
    lines = [line for level in shown for line in level.lines]
    names = list(dict.fromkeys(series_name(line, lines) for line in lines))
    column, label = words.visible(group.column), words.visible(group.label)
    spec = chart(
        f"Forest plot: {label} for each level of {column}, with intervals.",
        {
            "data": {"values": _values(shown, lines)},
            "params": [
                {"name": "names", "value": [level.name for level in shown]},
                {"name": "sizes", "value": [level_count(level) for level in shown]},
            ],
            "layer": _layers(label, _domain(lines), names, len(shown)),
            "resolve": {"axis": {"y": "independent"}},
        },
        height=len(shown) * (12 + 14 * len(names)),
    )
    return Figure(f"{label} by {column}", _note(every, shown, lines), spec)


def _note(every: list[Level], shown: list[Level], lines: list[MetricLine]) -> str:
    sentences = ["Point and interval for each level; the dashed line is the whole data; n on the right."]
    parts = sum(not level.whole for level in every)
    left = len(every) - len(shown)
    if left:
        sentences.append(f"The first {parts - left} of {parts:,} levels are shown, the worst first.")
    undefined = sum(rounded(line.estimate) is None for line in lines)
    if undefined:
        sentences.append(f"A row without a point is undefined there ({undefined}).")
    return " ".join(sentences)


def _values(shown: list[Level], lines: list[MetricLine]) -> list[Chart]:
    return [
        {
            "row": i,
            "level": level.name,
            "series": series_name(line, lines),
            "whole": level.whole,
            **estimate_fields(line),
            "n": line.n,
        }
        for i, level in enumerate(shown)
        for line in level.lines
    ]


def _domain(lines: list[MetricLine]) -> list[float]:
    """From the lowest end to the highest with a little air, but never beyond what the metric can be."""
    ends = finite_of(x for line in lines for x in (line.low, line.high, line.estimate))
    if not ends:
        return [0.0, 1.0]
    air = (max(ends) - min(ends)) * 0.04 or 0.05
    least, most = lines[0].limits
    return [max(min(ends) - air, min(least, *ends)), min(max(ends) + air, max(most, *ends))]


def _layers(label: str, domain: list[float], names: list[str], rows: int) -> list[Chart]:
    colour = coloured(names)
    several = len(names) > 1
    beside: Chart = {"yOffset": {"field": "series", "type": "nominal", "scale": {"domain": names}}} if several else {}
    whole = {
        "transform": [{"filter": "datum.whole"}],
        "mark": {"type": "rule", "strokeDash": [4, 4], "strokeWidth": 1.2, "opacity": 0.7},
        "encoding": {"x": axis("estimate", label, domain), "color": colour},
    }
    return [
        whole,
        *estimate_layers(rows, label, domain, colour=colour, tips=_tips(label, several), beside=beside, names=names),
    ]


def _tips(label: str, several: bool) -> list[Chart]:
    series = [text_fact("series", "series")] if several else []
    shown = [text_fact("text", label), text_fact("interval", "interval"), fact("n", "n", ",")]
    return [text_fact("level", "level"), *series, *shown]
