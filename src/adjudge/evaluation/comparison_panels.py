"""What a comparison shows: differences to the baseline as a forest, and as a list to take away."""

from __future__ import annotations

import math
from dataclasses import replace
from fnmatch import fnmatchcase

from adjudge.evaluation.declaration import Task
from adjudge.evaluation.panels import ForestLine, ForestPanel, Panels, TablePanel
from adjudge.evaluation.results import WHOLE_NAME, ResultTable, Row
from adjudge.metrics.base import Direction, Metric
from adjudge.metrics.catalogue import parse

MOST_SLICES = 12
COMPARISON = "Comparison with {}"
LIST = "Every difference to {}"


def with_comparison(panels: Panels, table: ResultTable, task: Task) -> Panels:
    """The panels of a task, with those of its systems' differences in front where there are any."""
    rows = list(table.differences.first_methods())
    if not rows:
        return panels
    metrics = {name: parse(name, task.metrics) for name in dict.fromkeys(row.metric for row in rows)}
    leading = _leading(list(metrics), task)
    forests = [_forest([row for row in rows if row.metric == leading], metrics[leading])]
    return replace(panels, forests=[*forests, *panels.forests], tables=[_list(rows, metrics), *panels.tables])


def _leading(names: list[str], task: Task) -> str:
    """The first metric of the headline that was compared."""
    return next((name for wanted in task.headline for name in names if fnmatchcase(name, wanted)), names[0])


def _forest(rows: list[Row], metric: Metric) -> ForestPanel:
    """The whole first, then the slices that are most certain to differ."""
    whole = [row for row in rows if row.slice == WHOLE_NAME]
    slices = sorted((row for row in rows if row.slice != WHOLE_NAME), key=_doubt)
    shown = slices[:MOST_SLICES]
    cut = (
        f" The {len(shown)} of {len(slices)} slices with the smallest p are shown." if len(slices) > len(shown) else ""
    )
    side = {Direction.HIGHER: "right", Direction.LOWER: "left"}.get(metric.direction)
    better = f" Better than {rows[0].baseline} is on the {side}." if side else ""
    note = f"Each system minus {rows[0].baseline}, on the same rows.{better}{cut}"
    lines = [_line(row, many=len({r.system for r in rows}) > 1) for row in (*whole, *shown)]
    return ForestPanel(COMPARISON.format(rows[0].baseline), note, f"difference in {metric.full_label}", lines, 0.0)


def _doubt(row: Row) -> tuple[float, str]:
    return (math.inf if row.p_adjusted is None or math.isnan(row.p_adjusted) else row.p_adjusted, row.slice)


def _line(row: Row, *, many: bool) -> ForestLine:
    parts = [row.system if many or row.slice == WHOLE_NAME else "", row.slice if row.slice != WHOLE_NAME else ""]
    name = ", ".join(part for part in (*parts, row.category) if part)
    p = "" if row.p_adjusted is None else f"p {_p_text(row.p_adjusted)}"
    return ForestLine(name, *_known(row), row.n, "; ".join(part for part in (p, row.note) if part))


def _list(rows: list[Row], metrics: dict[str, Metric]) -> TablePanel:
    columns = ["system", "slice", "metric", "difference", "low", "high", "p", "adjusted p", "differing", "test"]
    cells: list[list[str | int | float | None]] = [
        [
            row.system,
            row.slice,
            metrics[row.metric].full_label + (f" of {row.category}" if row.category else ""),
            *_known(row),
            row.p,
            row.p_adjusted,
            row.differing,
            row.test or row.note,
        ]
        for row in sorted(rows, key=lambda row: (row.slice != WHOLE_NAME, _doubt(row)[0]))
    ]
    family = max(row.family or 1 for row in rows)
    paid = f" p is adjusted for the {family} systems compared, for each metric by itself." if family > 1 else ""
    note = f"The system minus {rows[0].baseline}, in each metric's own sign, on the same rows.{paid}"
    return TablePanel(LIST.format(rows[0].baseline), note, columns, cells)


def _known(row: Row) -> tuple[float | None, float | None, float | None]:
    estimate, low, high = (value if math.isfinite(value) else None for value in (row.estimate, row.low, row.high))
    return estimate, low, high


def _p_text(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"
