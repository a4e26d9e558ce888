"""The folds of the HTML report: which there are, in which order, and what stands in each."""

from __future__ import annotations

import math
from collections.abc import Iterable

from adjudge.evaluation.answers.answering import plural
from adjudge.evaluation.panels import finite_of
from adjudge.report import charts, fold_lines, tables, words
from adjudge.report.galleries import comparisons, distributions, lists, pictures
from adjudge.report.gates.section import verdict_section
from adjudge.report.page import (
    NUMBER_COLUMNS,
    Bar,
    ColumnHead,
    FactList,
    Gallery,
    Glossary,
    Limits,
    PageTable,
    Part,
    Plate,
    Section,
    TableCell,
    left_out,
)
from adjudge.report.summary import Fact, MetricLine, SliceGroup, Summary
from adjudge.report.tables import TableRow

MOST_SYSTEM_COLUMNS = 3


def sections(summary: Summary, limits: Limits) -> list[Section]:
    """Every section that has something to say, in the order of the page."""
    groups = [
        verdict_section(summary.gate, limits),
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


def _metrics(summary: Summary, limits: Limits) -> Section | None:
    if not summary.metrics:
        return None
    beside = 1 < len(summary.systems) <= MOST_SYSTEM_COLUMNS
    shown = _side_by_side(summary, limits) if beside else _one_below_another(summary, limits)
    other = tables.alternatives(summary.metrics)
    parts: list[Part] = [shown, *([_alternatives(other, limits, named=len(summary.systems) > 1)] if other else [])]
    lead = "Every estimate with its interval. The baseline, a hollow tick, is what a constant answer gets."
    size = plural(len(summary.metrics), "row")
    return Section("metrics", "All metrics", parts, fold_lines.metrics(summary), size, lead)


def _side_by_side(summary: Summary, limits: Limits) -> PageTable:
    """A few systems as columns, one row for each metric."""
    groups = tables.by_metric(summary.metrics)
    names = [words.visible(system) for system in summary.systems]
    return PageTable(
        "",
        [ColumnHead("Metric"), *(ColumnHead(name, number=True) for name in names), *_LAST_COLUMNS],
        [_metric_row(lines, summary.systems) for lines in groups[: limits.rows]],
        more=left_out(len(groups) - limits.rows, "metric"),
    )


def _one_below_another(summary: Summary, limits: Limits) -> PageTable:
    """One row for each metric and system."""
    named = len(summary.systems) > 1
    groups = tables.by_metric(summary.metrics)
    every = [(line, track) for lines in groups for track in [_track(lines)] for line in lines]
    columns = [ColumnHead("Metric"), *([ColumnHead("System")] if named else []), ColumnHead("Estimate", number=True)]
    interval = words.level_text(summary.metrics[0].level)
    columns += [ColumnHead(interval, number=True), ColumnHead("Picture of the interval", picture=True), *_LAST_COLUMNS]
    rows = [_estimate_row(line, track, named=named) for line, track in every[: limits.rows]]
    return PageTable("", columns, rows, more=left_out(len(every) - limits.rows, "row"))


_LAST_COLUMNS = [ColumnHead("Baseline", number=True), ColumnHead("n", number=True), ColumnHead("Interval by")]


def _estimate_row(line: MetricLine, track: tuple[float, float] | None, *, named: bool) -> list[TableCell]:
    row = tables.row(line)
    return [
        TableCell(row.name, notes=[row.note] if row.note else []),
        *([TableCell(row.system)] if named else []),
        TableCell(row.estimate, defined=row.defined),
        TableCell(row.interval),
        TableCell("", bar=_bar(line, track)),
        TableCell(row.baseline),
        TableCell(row.n),
        TableCell(row.method),
    ]


def _metric_row(lines: list[MetricLine], systems: list[str]) -> list[TableCell]:
    """One metric: a cell for each system, and what all of them share said once."""
    track = _track(lines)
    rows = {line.system: tables.row(line) for line in lines}
    bars = {line.system: _bar(line, track) for line in lines}
    methods = (row.method for row in rows.values() if row.method != words.MISSING)
    first = next(iter(rows.values()))
    return [
        TableCell(first.name, notes=_notes(list(rows.values()))),
        *(_system_cell(rows[system], bars[system]) if system in rows else _NOTHING for system in systems),
        TableCell(_baselines(lines)),
        TableCell(_once(row.n for row in rows.values())),
        TableCell(_once(methods) or words.MISSING),
    ]


_NOTHING = TableCell(words.MISSING)


def _system_cell(row: TableRow, bar: Bar | None) -> TableCell:
    interval = row.interval if row.defined and row.interval != words.MISSING else ""
    return TableCell(row.estimate, interval, bar, defined=row.defined)


def _alternatives(rows: list[TableRow], limits: Limits, *, named: bool) -> PageTable:
    """The same intervals by other methods."""
    columns = [ColumnHead("Metric"), *([ColumnHead("System")] if named else []), ColumnHead("Method")]
    columns += [ColumnHead("Estimate", number=True), ColumnHead("Interval", number=True)]
    cells = [
        [row.name, *([row.system] if named else []), row.method, row.estimate, row.interval]
        for row in rows[: limits.rows]
    ]
    return PageTable(
        "",
        columns,
        [[TableCell(text) for text in texts] for texts in cells],
        more=left_out(len(rows) - limits.rows, "row"),
        folded=f"The same intervals by other methods ({plural(len(rows), 'row')})",
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
    values = finite_of(x for line in lines for x in (line.high, line.estimate, line.baseline))
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
    groups = [group for group in summary.slices if group.lines]
    plates = [_slice_plate(group, limits) for group in groups[: limits.figures]]
    if not plates:
        return None
    lead = "The same metric on each part of the data, the worst first. Parts whose intervals overlap may not differ."
    rows = sum(len(group.lines) for group in groups)
    return Section(
        "slices",
        "Slices",
        [Gallery(plates, "slices")],
        fold_lines.slices(groups[: limits.figures]),
        plural(rows, "row"),
        lead,
        left_out(len(groups) - limits.figures, "picture"),
    )


def _slice_plate(group: SliceGroup, limits: Limits) -> Plate:
    levels = tables.levels(group)
    shown = tables.cut_rows(levels, limits.levels)
    rows = [
        (level.name, tables.row(line), tables.series_name(line, group.lines)) for level in shown for line in level.lines
    ]
    named = any(series for _, _, series in rows)
    columns = [ColumnHead(words.visible(group.column)), *([ColumnHead("Series")] if named else []), *NUMBER_COLUMNS]
    cells = [
        [
            TableCell(name, notes=[row.note] if row.note else []),
            *([TableCell(series)] if named else []),
            TableCell(row.estimate, defined=row.defined),
            TableCell(row.interval),
            TableCell(row.n),
        ]
        for name, row, series in rows
    ]
    more = left_out(len(levels) - len(shown), "level")
    table = PageTable("", columns, cells, more=more, folded=f"The numbers ({plural(len(cells), 'row')})")
    return Plate(charts.forest_figure(group, limits.levels), table)


def _left_out(summary: Summary, limits: Limits) -> Section | None:
    if not summary.left_out:
        return None
    lead = f"{summary.rows_used:,} of {plural(summary.rows_read, 'row')} were used."
    return _facts(("left-out", "What was left out"), summary.left_out, limits, "reason", lead)


def _remarks(summary: Summary, limits: Limits) -> Section | None:
    if not summary.remarks:
        return None
    lead = "What looks unusual in the table. A key silences a check: --ok KEY."
    finding = summary.remarks[0].value
    return _facts(("data-check", "Data check"), summary.remarks, limits, "line", lead, finding=finding)


def _how(summary: Summary, limits: Limits) -> Section | None:
    if not summary.how:
        return None
    lead = "Enough to repeat it: the same input and settings give the same numbers."
    question = [Fact("Question", summary.question)] if summary.question else []
    finding = f"{summary.rows_used:,} of {plural(summary.rows_read, 'row')} used"
    return _facts(("how", "How it was computed"), [*question, *summary.how], limits, "line", lead, finding=finding)


def _facts(
    heading: tuple[str, str], facts: list[Fact], limits: Limits, one: str, lead: str, *, finding: str = ""
) -> Section:
    finding = finding or f"{facts[0].name}: {facts[0].value}"
    size = plural(len(facts), one)
    more = left_out(len(facts) - limits.rows, one)
    return Section(*heading, [FactList(facts[: limits.rows])], words.visible(finding, 160), size, lead, more)


def _glossary(summary: Summary, limits: Limits) -> Section | None:
    entries = summary.glossary
    if not entries:
        return None
    finding = words.visible(", ".join(words.visible(entry.label, 40) for entry in entries[:8]), 160)
    size = plural(len(entries), "metric")
    more = left_out(len(entries) - limits.rows, "metric")
    return Section("glossary", "Words", [Glossary(entries[: limits.rows])], finding, size, left_out=more)
