"""What stands in the line of a closed fold: one clause about what is inside, from numbers that are there."""

from __future__ import annotations

from collections.abc import Callable

from adjudge.report import tables, words
from adjudge.report.panel_findings import MOST, finding_of, joined_findings
from adjudge.report.summary import MetricLine, SliceGroup, Summary


def metrics(summary: Summary) -> str:
    """The leading estimates."""
    lines = (summary.headline or summary.metrics)[:2]
    many = len(summary.systems) > 1
    return _cut("; ".join(_estimate(line, f"{words.visible(line.system, 40)}: " if many else "") for line in lines))


def _estimate(line: MetricLine, who: str) -> str:
    row = tables.row(line)
    interval = f" {row.interval}" if row.interval != words.MISSING else ""
    return f"{who}{row.name} {row.estimate}{interval}"


def slices(groups: list[SliceGroup]) -> str:
    """The worst level of the first metric, over all columns."""
    first = [group for group in groups if group.metric == groups[0].metric]
    worst = [(group, level) for group in first for level in tables.levels(group) if not level.whole]
    known = [(group, level.name, line) for group, level in worst for line in level.lines if words.known(line.estimate)]
    way = known[0][2].direction if known else ""
    if way not in _WORSE:
        return _cut(", ".join(dict.fromkeys(words.visible(group.column, 40) for group in groups)))
    choose = min if way == "higher is better" else max
    group, name, line = choose(known, key=lambda one: one[2].estimate or 0.0)
    who = f"{words.visible(line.system, 40)}, " if len({one[2].system for one in known}) > 1 else ""
    row = tables.row(line)
    return _cut(f"{_WORSE[way]}: {who}{name} ({words.visible(group.column, 40)}), {row.estimate} {row.interval}")


_WORSE = {"higher is better": "lowest", "lower is better": "highest"}


def _of(kind: str, *more: str) -> Callable[[Summary], str]:
    """What the panels of some kinds say, each with its title; of those that have none, one for a system, the last."""

    def line(summary: Summary) -> str:
        panels = [panel for name in (kind, *more) for panel in getattr(summary.panels, name)]
        panels = panels if hasattr(panels[0] if panels else None, "title") else panels[-1:]
        findings = [(str(getattr(panel, "title", "")), finding_of(panel)) for panel in panels]
        said = [one for one in findings if one[1]] or findings
        return joined_findings([title for title, _ in said], [finding for _, finding in said])

    return line


def _cut(text: str) -> str:
    return words.visible(text, MOST)


to_act_on = _of("tables")
"""What the lists say."""

GALLERIES: dict[str, Callable[[Summary], str]] = {
    "comparisons": _of("forests", "matrices"),
    "curves": _of("curves"),
    "thresholds": _of("thresholds"),
    "calibration": _of("calibrations"),
    "scores": _of("scores"),
    "confusion": _of("confusions"),
    "relations": _of("lines", "histograms"),
    "distributions": _of("bars"),
}
"""By the anchor of a section: what its line says."""
