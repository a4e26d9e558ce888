"""The rows of a report as text: what the HTML, Markdown and terminal tables have in common."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from adjudge.report import words
from adjudge.report.summary import MetricLine, SliceGroup


@dataclass(frozen=True, slots=True)
class TableRow:
    """One metric line as it is shown."""

    system: str
    name: str
    slice: str
    estimate: str
    interval: str
    baseline: str
    n: str
    method: str
    note: str
    defined: bool


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a slice column: the lines of all systems, and whether it is the whole data."""

    name: str
    whole: bool
    lines: list[MetricLine]


def row(line: MetricLine) -> TableRow:
    """The text of one metric line.

    >>> line = MetricLine("a", "", "", "accuracy", "Accuracy", 0.9, 0.85, 0.95, 0.95, "wilson", 1200, "",
    ...                   0.5, "higher", (0.0, 1.0), [])
    >>> shown = row(line)
    >>> shown.estimate, shown.interval, shown.baseline, shown.n, shown.method
    ('0.900', '[0.850, 0.950]', '0.500', '1,200', 'Wilson score')
    """
    defined = words.known(line.estimate)
    bounded = words.known(line.low) or words.known(line.high)
    return TableRow(
        system=words.visible(line.system),
        name=metric_name(line),
        slice=words.visible(line.slice),
        estimate=words.number_text(line.estimate, line.low, line.high),
        interval=words.interval_text(line.low, line.high, line.estimate) if bounded else words.MISSING,
        baseline=baseline_text(line),
        n=words.count(line.n),
        method=words.visible(words.method_name(line.method)) if bounded else words.MISSING,
        note=words.visible(line.note, most=300),
        defined=defined,
    )


def metric_name(line: MetricLine) -> str:
    """The metric's label, with the category it is about."""
    label = words.visible(line.label)
    return f"{label} · {words.visible(line.category)}" if line.category else label


def baseline_text(line: MetricLine) -> str:
    """The baseline with the decimals of the estimate beside it."""
    if not words.known(line.baseline):
        return words.MISSING
    return words.fixed(line.baseline, words.decimals(line.estimate, line.low, line.high))


def by_system(lines: Iterable[MetricLine], systems: list[str]) -> list[tuple[str, list[MetricLine]]]:
    """The lines of each system, in the order of the summary; systems it does not name come last."""
    groups: dict[str, list[MetricLine]] = {system: [] for system in systems}
    for line in lines:
        groups.setdefault(line.system, []).append(line)
    return [(system, own) for system, own in groups.items() if own]


def by_metric(lines: Iterable[MetricLine]) -> list[list[MetricLine]]:
    """The lines of each metric and category together, in the order of their first appearance."""
    groups: dict[tuple[str, str, str], list[MetricLine]] = {}
    for line in lines:
        groups.setdefault((line.metric, line.category, line.slice), []).append(line)
    return list(groups.values())


def levels(group: SliceGroup) -> list[Level]:
    """The levels of a slice group: the whole, then from the worst to the best as far as one way is better.

    The whole is the first line of each system and category.
    """
    wholes: dict[str, list[MetricLine]] = {}
    parts: dict[str, list[MetricLine]] = {}
    seen: set[tuple[str, str]] = set()
    for line in group.lines:
        series = (line.system, line.category)
        (parts if series in seen else wholes).setdefault(line.slice, []).append(line)
        seen.add(series)
    prefix = f"{group.column} = "
    shared = prefix if all(name.startswith(prefix) for name in parts) else ""
    whole = [Level(words.visible(name) or "All rows", True, lines) for name, lines in wholes.items()]
    others = [Level(words.visible(name.removeprefix(shared)) or '""', False, lines) for name, lines in parts.items()]
    return whole + sorted(others, key=_badness)


def _badness(level: Level) -> tuple[bool, float, int]:
    """The estimate of the last system, turned so that less is worse; undefined ones stand last, equal ones by size."""
    line = level.lines[-1]
    sign = {"higher is better": 1.0, "lower is better": -1.0}.get(line.direction, 0.0)
    estimate = line.estimate if line.estimate is not None else math.nan
    undefined = math.isnan(estimate)
    return (undefined, 0.0 if undefined else sign * estimate, -level_size(level))


def cut_rows(groups: list[Level], most: int) -> list[Level]:
    """The whole and the first `most` levels."""
    wholes = sum(level.whole for level in groups)
    return groups[: wholes + most]


def worst_first(groups: list[Level]) -> list[Level]:
    """The whole, then the levels with the worst figure of the first system; what has none goes last."""

    def place(level: Level) -> tuple[int, float]:
        line = level.lines[0]
        if level.whole or line.estimate is None:
            return (0 if level.whole else 2), 0.0
        return 1, line.estimate if line.direction.startswith("higher") else -abs(line.estimate)

    return sorted(groups, key=place)


def level_size(level: Level) -> int:
    """How many rows a level has, for the system that has most."""
    return max((line.n for line in level.lines), default=0)


def level_count(level: Level) -> str:
    """How many rows a level has, as text: one figure when all systems saw the same rows."""
    return " / ".join(dict.fromkeys(words.count(line.n) for line in level.lines))


def series_name(line: MetricLine, lines: list[MetricLine]) -> str:
    """What tells a line from its neighbours: its system, its category, or both; empty for a single series."""
    parts = []
    if len({other.system for other in lines}) > 1:
        parts.append(words.visible(line.system))
    if len({other.category for other in lines}) > 1:
        parts.append(words.visible(line.category))
    return " · ".join(parts)


def alternatives(lines: Iterable[MetricLine]) -> list[TableRow]:
    """One row for each interval by another method."""
    return [
        TableRow(
            system=words.visible(line.system),
            name=metric_name(line),
            slice=words.visible(line.slice),
            estimate=words.number_text(line.estimate, other.low, other.high),
            interval=words.interval_text(other.low, other.high, line.estimate),
            baseline=words.MISSING,
            n=words.count(line.n),
            method=words.visible(words.method_name(other.method)),
            note="",
            defined=line.estimate is not None,
        )
        for line in lines
        for other in line.alternatives
    ]
