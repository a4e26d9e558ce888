"""Several estimates one below another, each with its interval, and a dashed rule to compare them with."""

from __future__ import annotations

from adjudge.evaluation.panels import ForestLine, ForestPanel, finite_of
from adjudge.report import words
from adjudge.report.charts.figure import (
    INK,
    PALETTE,
    Chart,
    Figure,
    axis,
    chart,
    estimate_fields,
    estimate_layers,
    rounded,
    text_fact,
)

MOST_LINES = 60


def estimates_figure(panel: ForestPanel, most: int = MOST_LINES) -> Figure:
    """A forest plot of one panel.

    >>> lines = [ForestLine("ann", 0.7, 0.6, 0.8, 120), ForestLine("ben", None, None, None, 0, "rated nothing")]
    >>> figure = estimates_figure(ForestPanel("Each rater", "", "kappa", lines, against=0.75))
    >>> figure.title, [value["n"] for value in figure.spec["data"]["values"]]
    ('Each rater', ['120', '0'])
    """
    shown = panel.lines[:most]
    title = words.visible(panel.title, 200)
    spec = chart(
        f"Forest plot: {title}.",
        {
            "data": {
                "values": [
                    {"row": i, **estimate_fields(line), "n": words.count(line.n), "note": words.visible(line.note, 300)}
                    for i, line in enumerate(shown)
                ]
            },
            "params": [
                {"name": "names", "value": [words.visible(line.name) or '""' for line in shown]},
                {"name": "sizes", "value": [words.count(line.n) for line in shown]},
            ],
            "transform": [{"calculate": "names[datum.row]", "as": "name"}],
            "layer": _layers(panel, shown),
            "resolve": {"axis": {"y": "independent"}},
        },
        height=max(2, len(shown)) * 26,
    )
    return Figure(title, _note(panel, shown), spec)


def _note(panel: ForestPanel, shown: list[ForestLine]) -> str:
    sentences = [words.visible(panel.note, 600)] if panel.note else []
    marks = [words.short(mark) for mark in _marks(panel)]
    if marks:
        lines = f"The dashed line is at {marks[0]}" if len(marks) == 1 else f"Dashed lines are at {', '.join(marks)}"
        sentences.append(f"{lines}; n on the right.")
    else:
        sentences.append("n on the right.")
    if len(shown) < len(panel.lines):
        sentences.append(f"The first {len(shown)} of {len(panel.lines):,} are shown.")
    undefined = sum(rounded(line.estimate) is None for line in shown)
    if undefined:
        sentences.append(f"A row without a point is undefined there ({undefined}).")
    return " ".join(sentences)


def _marks(panel: ForestPanel) -> list[float]:
    """Where dashed rules stand: the value to compare with, and the limits."""
    marks = [panel.against, *panel.limits] if panel.against is not None else panel.limits
    return sorted(set(finite_of(marks)))


def _domain(panel: ForestPanel, shown: list[ForestLine]) -> list[float]:
    """From the lowest end to the highest, the dashed rule among them, with a little air."""
    values = [x for line in shown for x in (line.low, line.high, line.estimate)]
    ends = finite_of([*values, *_marks(panel)])
    if not ends:
        return [0.0, 1.0]
    air = (max(ends) - min(ends)) * 0.05 or 0.05
    return [min(ends) - air, max(ends) + air]


def _layers(panel: ForestPanel, shown: list[ForestLine]) -> list[Chart]:
    title, domain = words.visible(panel.axis), _domain(panel, shown)
    layers = estimate_layers(
        len(shown), title, domain, colour={"value": PALETTE[0]}, tips=_tips(title, shown), beside={}
    )
    marks = _marks(panel)
    if not marks:
        return layers
    rule = {
        "data": {"values": [{"against": mark} for mark in marks]},
        "mark": {"type": "rule", "strokeDash": [4, 4], "strokeWidth": 1.2, "color": INK, "opacity": 0.6},
        "encoding": {"x": axis("against", title, domain)},
    }
    return [rule, *layers]


def _tips(title: str, shown: list[ForestLine]) -> list[Chart]:
    noted = [text_fact("note", "note")] if any(line.note for line in shown) else []
    said = [text_fact("text", title or "estimate"), text_fact("interval", "interval"), text_fact("n", "n")]
    return [text_fact("name", "name"), *said, *noted]
