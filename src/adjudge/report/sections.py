"""The sections of the HTML report: which there are, in which order, and what stands in each."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from adjudge.report import charts, tables, words
from adjudge.report.galleries import comparisons, distributions, lists, pictures
from adjudge.report.gate_section import verdict_section
from adjudge.report.page import Bar, Cell, Limits, MetricRow, MetricTable, Plate, Section
from adjudge.report.summary import MetricLine, SliceGroup, Summary
from adjudge.report.tables import TableRow

MOST_SYSTEM_COLUMNS = 3


def sections(summary: Summary, limits: Limits) -> list[Section]:
    """Every section that has something to say, in the order of the page."""
    groups = [
        verdict_section(summary.gate),
        _headline(summary),
        _metrics(summary, limits),
        _slices(summary, limits),
        comparisons(summary, limits),
        *pictures(summary, limits),
        distributions(summary, limits),
        lists(summary, limits),
        _left_out(summary, limits),
        _remarks(summary, limits),
        _how(summary, limits),
        _glossary(summary, limits),
    ]
    return [section for section in groups if section is not None]


def _headline(summary: Summary) -> Section | None:
    if not summary.headline and not summary.sentences:
        return None
    cards = [_metric_row(lines, summary.systems) for lines in tables.by_metric(summary.headline[:24])]
    return Section("headline", "headline", "At a glance", "At a glance", cards=cards, sentences=summary.sentences[:20])


def _metrics(summary: Summary, limits: Limits) -> Section | None:
    if not summary.metrics:
        return None
    shared = 1 < len(summary.systems) <= MOST_SYSTEM_COLUMNS
    lists = [("", summary.metrics)] if shared else tables.by_system(summary.metrics, summary.systems)
    lead = "Every estimate with its interval. The baseline, an orange tick, is what a constant answer gets."
    share = max(10, limits.rows // max(1, len(lists)))
    named = len(lists) > 1
    shown = [
        _table(title if named else "", lines, summary.systems if shared else [title], share) for title, lines in lists
    ]
    return Section("metrics", "metrics", "Metrics", "Metrics", lead, tables=shown[:40], left_out=len(shown[40:]))


def _table(title: str, lines: list[MetricLine], systems: list[str], most: int) -> MetricTable:
    groups = tables.by_metric(lines)
    kept = [line for lines in groups[:most] for line in lines]
    return MetricTable(
        title=words.visible(title),
        systems=[words.visible(system) for system in systems] if len(systems) > 1 else [],
        interval=words.level_text(lines[0].level),
        rows=[_metric_row(lines, systems) for lines in groups[:most]],
        alternatives=tables.alternatives(kept)[: 2 * most],
        left_out=max(0, len(groups) - most),
    )


def _metric_row(lines: list[MetricLine], systems: list[str]) -> MetricRow:
    """One metric: a cell for each system, and what all of them share said once."""
    ends = _track(lines)
    own = {line.system: Cell(tables.row(line), _bar(line, ends), words.level_text(line.level)) for line in lines}
    rows = [cell.row for cell in own.values()]
    return MetricRow(
        name=rows[0].name,
        direction=lines[0].direction,
        cells=[own.get(system) for system in systems] if len(systems) > 1 else list(own.values()),
        baseline=_baselines(lines),
        n=_once(row.n for row in rows),
        method=_once(row.method for row in rows if row.method != words.MISSING) or words.MISSING,
        notes=_notes(rows),
    )


def _baselines(lines: list[MetricLine]) -> str:
    """A baseline that the systems share is said once, with the decimals of the first."""
    shown: dict[float | None, str] = {}
    for line in lines:
        shown.setdefault(line.baseline, tables.baseline_text(line))
    return _once(shown.values())


def _once(texts: Iterable[str]) -> str:
    return " / ".join(dict.fromkeys(texts))


def _notes(rows: list[TableRow]) -> list[str]:
    """A note all systems share is said once; otherwise each names its system."""
    if len({row.note for row in rows}) == 1:
        return [rows[0].note] if rows[0].note else []
    return [f"{row.system}: {row.note}" for row in rows if row.note]


def _track(lines: list[MetricLine]) -> tuple[float, float] | None:
    """The ends of the track: the metric's limits, or its lower one and the largest value."""
    least, most = lines[0].limits
    values = [x for line in lines for x in (line.high, line.estimate, line.baseline) if x is not None]
    values = [x for x in values if math.isfinite(x)]
    if not math.isfinite(least) or not values:
        return None
    most = most if math.isfinite(most) else least + 1.1 * (max(values) - least)
    return (least, most) if most > least else None


def _bar(line: MetricLine, ends: tuple[float, float] | None) -> Bar | None:
    if ends is None or line.estimate is None or not math.isfinite(line.estimate):
        return None

    def place(value: float | None, otherwise: float) -> float:
        value = otherwise if value is None or math.isnan(value) else value
        return round(min(100.0, max(0.0, (value - ends[0]) / (ends[1] - ends[0]) * 100)), 2)

    start, end = place(line.low, line.estimate), place(line.high, line.estimate)
    known = line.baseline is not None and math.isfinite(line.baseline)
    return Bar(start, round(end - start, 2), place(line.estimate, 0.0), place(line.baseline, 0.0) if known else None)


def _slices(summary: Summary, limits: Limits) -> Section | None:
    plates = [_slice_plate(group, limits) for group in summary.slices[: limits.figures] if group.lines]
    if not plates:
        return None
    lead = "The same metric on each part of the data. Parts whose intervals overlap may not differ."
    return Section(
        "plates",
        "slices",
        "Slices",
        "Slices",
        lead,
        plates=plates,
        left_out=len(summary.slices[limits.figures :]),
    )


def _slice_plate(group: SliceGroup, limits: Limits) -> Plate:
    rows = slice_rows(group, limits.levels)
    every = sum(len(level.lines) for level in tables.levels(group))
    return Plate(charts.forest_figure(group, limits.levels), rows, left_out=every - len(rows))


def slice_rows(group: SliceGroup, most: int) -> list[TableRow]:
    """The numbers of a slice group, level by level."""
    return [
        replace(tables.row(line), slice=level.name, name=tables.series_name(line, group.lines))
        for level in tables.cut(tables.levels(group), most)
        for line in level.lines
    ]


def _left_out(summary: Summary, limits: Limits) -> Section | None:
    if not summary.left_out:
        return None
    lead = f"{summary.rows_used:,} of {words.plural(summary.rows_read, 'row')} were used."
    facts, more = summary.left_out[: limits.rows], summary.left_out[limits.rows :]
    return Section("facts", "left-out", "What was left out", "Left out", lead, facts=facts, left_out=len(more))


def _remarks(summary: Summary, limits: Limits) -> Section | None:
    if not summary.remarks:
        return None
    lead = "What looks unusual in the table. A key silences a check: --ok KEY."
    return Section("facts", "data-check", "Data check", "Data check", lead, facts=summary.remarks[: limits.rows])


def _how(summary: Summary, limits: Limits) -> Section | None:
    if not summary.how:
        return None
    lead = "Enough to repeat it: the same input and settings give the same numbers."
    facts, more = summary.how[: limits.rows], summary.how[limits.rows :]
    return Section("facts", "how", "How it was computed", "How", lead, facts=facts, left_out=len(more))


def _glossary(summary: Summary, limits: Limits) -> Section | None:
    if not summary.glossary:
        return None
    entries, more = summary.glossary[: limits.rows], summary.glossary[limits.rows :]
    return Section("glossary", "glossary", "Glossary", "Glossary", glossary=entries, left_out=len(more))
