"""What stands in the line of a closed fold: one clause about what is inside, from numbers that are there."""

from __future__ import annotations

from collections.abc import Callable

from adjudge.evaluation.panels import ConfusionPanel, ForestPanel, ThresholdPanel
from adjudge.report import grids, tables, words
from adjudge.report.summary import MetricLine, SliceGroup, Summary

_MOST = 160


def metrics(summary: Summary) -> str:
    """The leading estimates."""
    lines = (summary.headline or summary.metrics)[:2]
    many = len(summary.systems) > 1
    return _cut("; ".join(_estimate(line, f"{line.system}: " if many else "") for line in lines))


def _estimate(line: MetricLine, who: str) -> str:
    row = tables.row(line)
    interval = f" {row.interval}" if row.interval != words.MISSING else ""
    return f"{words.visible(who, 40)}{row.name} {row.estimate}{interval}"


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
    return _cut(f"{_WORSE[way]}: {who}{words.visible(group.column, 40)} {name}, {row.estimate} {row.interval}")


_WORSE = {"higher is better": "lowest", "lower is better": "highest"}


def _comparisons(summary: Summary) -> str:
    """The ends of the first forest, or of the first matrix."""
    for forest in summary.panels.forests:
        if said := _ends(forest):
            return _cut(f"{words.visible(forest.title, 60)}: {said}")
    for matrix in summary.panels.matrices:
        if matrix.rows and matrix.columns:
            said = grids.matrix_words(matrix).split("; ")[0].split(" values, ")[-1]
            return _cut(f"{words.visible(matrix.title, 60)}: {said}")
    return ""


def _ends(forest: ForestPanel) -> str:
    lines = [line for line in forest.lines if words.known(line.estimate)]
    if not lines:
        return ""
    low, high = (choose(lines, key=lambda line: line.estimate or 0.0) for choose in (min, max))
    texts = [
        f"{words.number_text(line.estimate, line.low, line.high)} ({words.visible(line.name, 30)})"
        for line in (low, high)
    ]
    return f"from {texts[0]} to {texts[1]}" if len(lines) > 1 else texts[0]


def _thresholds(summary: Summary) -> str:
    """Where the F score of the last system is highest."""
    panels = [panel for panel in summary.panels.thresholds if any(map(words.known, panel.f_score))]
    return _best_threshold(panels[-1]) if panels else ""


def _best_threshold(panel: ThresholdPanel) -> str:
    known = [(value, at) for value, at in zip(panel.f_score, panel.threshold, strict=True) if words.known(value)]
    value, at = max(known, key=lambda one: one[0] or 0.0)
    about = ", ".join(words.visible(part, 40) for part in (panel.system, panel.category) if part)
    return _cut(f"F score highest at {words.short(at)}: {words.short(value)}" + (f" ({about})" if about else ""))


def _confusion(summary: Summary) -> str:
    """The largest confusion of the last system."""
    panels = [panel for panel in summary.panels.confusions if panel.categories]
    return _most_confused(panels[-1]) if panels else ""


def _most_confused(panel: ConfusionPanel) -> str:
    pairs = [(count, i, j) for i, row in enumerate(panel.counts) for j, count in enumerate(row) if i != j and count > 0]
    if not pairs:
        return "nothing is confused"
    count, i, j = max(pairs, key=lambda pair: (pair[0], -pair[1], -pair[2]))
    names = [words.visible(panel.categories[place], 40) for place in (i, j)]
    who = f" by {words.visible(panel.system, 40)}" if panel.system else ""
    share = f"{words.count(count)} of {words.count(sum(panel.counts[i]))}"
    return _cut(f"most often {names[0]} is taken for {names[1]}{who}: {share}")


def to_act_on(summary: Summary) -> str:
    """What lists there are."""
    panels = [panel for panel in summary.panels.tables if panel.rows and panel.columns]
    return _titles([panel.title for panel in panels])


def _curves(summary: Summary) -> str:
    return _titles([panel.category or panel.system for panel in summary.panels.curves])


def _calibration(summary: Summary) -> str:
    panels = summary.panels
    names = [panel.category or panel.system for panel in panels.calibrations]
    return _titles(names + [panel.category or panel.system for panel in panels.scores])


def _distributions(summary: Summary) -> str:
    return _titles([panel.title for panel in summary.panels.bars if panel.series])


def _relations(summary: Summary) -> str:
    panels = summary.panels
    return _titles([panel.title for panel in panels.lines] + [panel.title for panel in panels.histograms])


def _titles(titles: list[str]) -> str:
    return _cut(", ".join(words.visible(title, 60) for title in dict.fromkeys(titles) if title))


def _cut(text: str) -> str:
    return words.visible(text, _MOST)


GALLERIES: dict[str, Callable[[Summary], str]] = {
    "comparisons": _comparisons,
    "curves": _curves,
    "thresholds": _thresholds,
    "calibration": _calibration,
    "scores": _calibration,
    "confusion": _confusion,
    "relations": _relations,
    "distributions": _distributions,
}
"""By the anchor of a section: what its line says."""
