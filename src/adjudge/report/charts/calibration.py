"""Are the scores probabilities, and how are they spread?"""

from __future__ import annotations

import math
from collections.abc import Iterable

from adjudge.evaluation.panels import CalibrationBin, CalibrationPanel, ScorePanel
from adjudge.report import words
from adjudge.report.charts.figure import (
    BASELINE,
    GUIDE,
    PALETTE,
    Chart,
    Figure,
    axis,
    bar_tips,
    bars_between,
    chart,
    coloured,
    fact,
    figure_about,
    first_series,
    histogram_encoding,
    panels_by_chart,
    rounded,
    text_fact,
)

_SHARE = "Share that was positive"
_OTHERS = "other rows"
_TWO_COLOURS = [PALETTE[0], BASELINE]


def calibration_figures(panels: Iterable[CalibrationPanel]) -> list[Figure]:
    """The share that was positive against the mean score, bin by bin, with each bin's interval."""
    filled = [panel for panel in panels if panel.bins]
    return [_calibration(category, series) for category, series in panels_by_chart(filled)]


def score_figures(panels: Iterable[ScorePanel]) -> list[Figure]:
    """A histogram of the scores for each system and category: rows of the category against the others."""
    panels = [panel for panel in panels if len(panel.edges) > 1 and sum(panel.positives + panel.negatives) > 0]
    systems = {panel.system for panel in panels}
    return [_scores(panel, named=len(systems) > 1) for panel in panels]


def _calibration(category: str, series: dict[str, CalibrationPanel]) -> Figure:
    series, note = first_series(series)
    bins = [(name, part) for name, panel in series.items() for part in panel.bins]
    values = [_bin(name, part) for name, part in bins]
    means = [part.mean_score for _, part in bins if math.isfinite(part.mean_score)]
    start, end = min([0.0, *means]), max([1.0, *means])
    spec = chart(
        "Calibration: the share that was positive against the mean score of each bin.",
        {"data": {"values": values}, "layer": _calibration_layers(list(series), (start, end))},
        height=320,
    )
    sentence = "On the dashed diagonal a score of 0.7 is right seven times in ten; below it the scores are too high."
    return Figure("Calibration" + figure_about(category), f"{sentence} {note}".strip(), spec)


def _bin(name: str, part: CalibrationBin) -> Chart:
    return {
        "series": name,
        "x": rounded(part.mean_score),
        "y": rounded(part.positive_share),
        "low": rounded(part.low),
        "high": rounded(part.high),
        "rows": rounded(part.weight),
        "bin": f"[{words.fixed(part.start, 3)}, {words.fixed(part.end, 3)})",
    }


def _calibration_layers(names: list[str], domain: tuple[float, float]) -> list[Chart]:
    colour = coloured(names)
    across = axis("x", "Mean score", domain)
    tips = [
        text_fact("series", "series"),
        text_fact("bin", "scores in"),
        fact("x", "mean score"),
        fact("y", "positive"),
    ]
    tips += [fact("low", "from"), fact("high", "to"), fact("rows", "rows", ",.1~f")]
    unit = (0.0, 1.0)
    diagonal = {
        "data": {"values": [{"x": 0, "y": 0}, {"x": 1, "y": 1}]},
        "mark": GUIDE,
        "encoding": {"x": across, "y": axis("y", _SHARE, unit)},
    }
    whiskers = {
        "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.5, "strokeCap": "round"},
        "encoding": {"x": across, "y": axis("low", _SHARE, unit), "y2": {"field": "high"}, "color": colour},
    }
    line = {
        "mark": {"type": "line", "strokeWidth": 1.5, "opacity": 0.6},
        "encoding": {"x": across, "y": axis("y", _SHARE, unit), "color": colour},
    }
    points = {
        "mark": {"type": "point", "filled": True, "size": 55, "opacity": 1},
        "encoding": {"x": across, "y": axis("y", _SHARE, unit), "color": colour, "tooltip": tips},
    }
    return [diagonal, whiskers, line, points]


def _scores(panel: ScorePanel, *, named: bool) -> Figure:
    category = words.visible(panel.category) or "positive rows"
    names = [category, _OTHERS if category != _OTHERS else "all other rows"]
    values = bars_between(panel.edges, names[0], panel.positives) + bars_between(panel.edges, names[1], panel.negatives)
    across = axis("start", "Score", (panel.edges[0], panel.edges[-1]))
    colour = {
        **coloured(names),
        "scale": {"domain": names, "range": _TWO_COLOURS},
        "legend": {**(coloured(names)["legend"] or {}), "symbolType": "square"},
    }
    spec = chart(
        "Histogram of the scores, for rows of the category and for the others.",
        {
            "data": {"values": values},
            "mark": {"type": "rect", "opacity": 0.55},
            "encoding": histogram_encoding(across, "its rows", colour, bar_tips()),
        },
        height=320,
    )
    parts = [words.visible(part) for part in (panel.system if named else "", panel.category) if part]
    note = "Each colour adds up to 100 %: the further apart the two, the better the score separates them."
    return Figure(" · ".join(["Scores", *parts]), note, spec)
