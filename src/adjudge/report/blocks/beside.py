"""Evaluations side by side on the first screen: the figures that lead each, whatever the task."""

from __future__ import annotations

import math
from fnmatch import fnmatchcase

from adjudge.evaluation.comparison.side_by_side import BESIDE
from adjudge.evaluation.declaration import Task
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.results import WHOLE_NAME, Row
from adjudge.report import words
from adjudge.report.answers.answer import Cell, GridBlock
from adjudge.report.answers.grammars import label_of, unit_word
from adjudge.report.numbers import shared_places

MOST_FIGURES, MOST_SYSTEMS = 3, 12
Place = tuple[str, str]


def beside_block(outcome: Outcome, task: Task) -> GridBlock | None:
    """A line for each evaluation, with its figures in columns; None where none stand side by side."""
    if all(panel.title != BESIDE for panel in outcome.panels.tables):
        return None
    by_place: dict[Place, dict[str, Row]] = {}
    for row in outcome.table.estimates.first_methods():
        named = row.category in ("", outcome.settings.positive)
        if named and row.slice == WHOLE_NAME and row.method != "baseline" and row.system in outcome.systems:
            by_place.setdefault((row.metric, row.category), {})[row.system] = row
    led = [place for pattern in task.headline for place in by_place if fnmatchcase(place[0], pattern)]
    chosen = list(dict.fromkeys([*led, *(place for place in by_place if not place[1])]))[:MOST_FIGURES]
    if not chosen:
        return None
    heads = [f"{_head(place)} [{outcome.settings.level * 100:g} %]" for place in chosen]
    rows = [_row(system, [by_place[place] for place in chosen]) for system in outcome.systems]
    return GridBlock(
        title="results side by side",
        columns=["result", "n", *heads],
        rows=rows[:MOST_SYSTEMS],
        numbers=list(range(1, 2 + len(heads))),
        rest=f"{len(rows) - MOST_SYSTEMS:,} more: --all" if len(rows) > MOST_SYSTEMS else "",
        more=rows[MOST_SYSTEMS:],
    )


def _head(place: Place) -> str:
    return label_of(place[0]) + (f" of {words.visible(place[1], 20)}" if place[1] else "")


def _row(system: str, figures: list[dict[str, Row]]) -> list[Cell]:
    n = max((rows[system].n for rows in figures if system in rows), default=0)
    return [Cell(words.visible(system, 40)), Cell(f"{n:,}", value=n), *(_figure(rows, system) for rows in figures)]


def _figure(rows: dict[str, Row], system: str) -> Cell:
    """An estimate with its interval, with as many decimals as those of the others."""
    row = rows.get(system)
    if row is None or math.isnan(row.estimate):
        return Cell("–")
    unit = unit_word(row.metric)
    spans = [(one.low, one.high) for one in rows.values() if one.low < one.high]
    places = shared_places(spans, unit) if spans else 2
    span = f" {unit.span(row.low, row.high, places)}" if row.low < row.high else ""
    return Cell(f"{unit.text(row.estimate, places)}{span}", value=row.estimate)
