"""Several systems on the first screen: by rank, with letters; every two of them; or evaluations side by side."""

from __future__ import annotations

import math
from fnmatch import fnmatchcase

from adjudge.evaluation.answers.evidence import standings_of
from adjudge.evaluation.answers.screen import PairsOf, StandingsOf
from adjudge.evaluation.comparison.side_by_side import BESIDE
from adjudge.evaluation.declaration import Task
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.panels import MatrixPanel, Standing
from adjudge.evaluation.results import WHOLE_NAME, Row
from adjudge.report import words
from adjudge.report.answers.answer import Cell, GridBlock
from adjudge.report.answers.grammars import label_of, unit_word
from adjudge.report.numbers import Unit, number, shared_places

MOST_SYSTEMS = 12
SHARED_LETTER = "systems that share a letter are not shown to differ"


def standings_block(outcome: Outcome, block: StandingsOf) -> GridBlock | None:
    """The table of three or more systems; the first that was given is always shown, for it is the one in use."""
    metric = block.metric(outcome)
    panel = None if metric is None else standings_of(outcome, metric)
    if panel is None:
        return None
    unit, used = unit_word(metric), outcome.systems[0]
    shown = [line for place, line in enumerate(panel.lines) if place < MOST_SYSTEMS or line.system == used]
    rest = [line for line in panel.lines if line not in shown]
    own = shared_places(
        [(one.low, one.high) for one in panel.lines if one.low is not None and one.high is not None], unit
    )
    gaps = [(one.difference_low, one.difference_high) for one in panel.lines]
    apart = shared_places([(low, high) for low, high in gaps if low is not None and high is not None], unit)
    level = f"{outcome.settings.level * 100:g} %"
    more = f"{len(rest):,} more: --all; " if rest else ""
    return GridBlock(
        title=block.title,
        columns=[
            "system",
            label_of(metric),
            level,
            f"to {words.visible(panel.lines[0].system, 20)}",
            "all pairs",
            "rank",
            "letters",
        ],
        rows=[_row(line, unit, (own, apart)) for line in shown],
        numbers=[1, 3],
        rest=f"{more}{SHARED_LETTER}",
        more=[_row(line, unit, (own, apart)) for line in rest],
    )


def _row(line: Standing, unit: Unit, places: tuple[int, int]) -> list[Cell]:
    own, apart = places
    ranks = f"{line.rank_low}" if line.rank_low == line.rank_high else f"{line.rank_low} to {line.rank_high}"
    strip = None if line.estimate is None else (line.low, line.estimate, line.high)
    change = "–" if not line.difference else number(unit.scaled(line.difference), apart, signed=True)
    return [
        Cell(words.visible(line.system, 40)),
        Cell(unit.text(line.estimate, own), strip=strip, value=line.estimate),
        Cell(_span(line.low, line.high, unit, own)),
        Cell(change, value=line.difference),
        Cell(_span(line.difference_low, line.difference_high, unit, apart, signed=True)),
        Cell(ranks),
        Cell(line.letters),
    ]


def _span(low: float | None, high: float | None, unit: Unit, places: int, *, signed: bool = False) -> str:
    if low is None or high is None or low == high:
        return "–"
    return unit.span(low, high, places, signed=signed, limits=[0.0] if signed else ())


def pairs_block(outcome: Outcome, block: PairsOf) -> GridBlock | None:
    """The table of every two; None where there are too many, or two, or where no two met."""
    panel = next((one for one in outcome.panels.matrices if one.title == block.panel), None)
    if panel is None or not 3 <= len(panel.rows) <= block.most or panel.rows != panel.columns:
        return None
    places = range(len(panel.rows))
    met = [panel.n[i][j] for i in places for j in places if i < j and panel.values[i][j] is not None]
    if not met:
        return None
    order = sorted(places, key=lambda place: _mean_of_pairs(panel, place))
    measure = panel.note.partition(".")[0]
    names = [words.visible(panel.rows[place], 24) for place in order]
    span = f"{min(met):,}" if min(met) == max(met) else f"{min(met):,} to {max(met):,}"
    return GridBlock(
        title=f"{block.title}: {measure}" if measure else block.title,
        columns=[block.one, *names],
        rows=[[Cell(names[at]), *(_pair_cell(panel, i, j) for j in order)] for at, i in enumerate(order)],
        numbers=list(range(1, len(order) + 1)),
        rest=f"each pair shares {span} items; intervals: --all",
        spare=True,
        shaded=True,
    )


def _mean_of_pairs(panel: MatrixPanel, place: int) -> float:
    known = [x for other, x in enumerate(panel.values[place]) if other != place and x is not None]
    return sum(known) / len(known) if known else math.inf


def _pair_cell(panel: MatrixPanel, i: int, j: int) -> Cell:
    value = None if i == j else panel.values[i][j]
    return Cell("·" if i == j else "–" if value is None else number(value, 2), value=value)


MOST_FIGURES = 3
Place = tuple[str, str]


def beside_block(outcome: Outcome, task: Task) -> GridBlock | None:
    """A line for each evaluation, with its figures in columns; None where none stand side by side."""
    if all(panel.title != BESIDE for panel in outcome.panels.tables):
        return None
    by_place: dict[Place, dict[str, Row]] = {}
    for row in outcome.table.estimates.first_methods():
        named = row.category in ("", outcome.settings.positive)
        if named and row.slice == WHOLE_NAME and not row.is_baseline and row.system in outcome.systems:
            by_place.setdefault((row.metric, row.category), {})[row.system] = row
    led = [place for pattern in task.headline for place in by_place if fnmatchcase(place[0], pattern)]
    chosen = list(dict.fromkeys([*led, *(place for place in by_place if not place[1])]))[:MOST_FIGURES]
    if not chosen:
        return None
    heads = [f"{_figure_head(place)} [{outcome.settings.level * 100:g} %]" for place in chosen]
    rows = [_figures_row(system, [by_place[place] for place in chosen]) for system in outcome.systems]
    return GridBlock(
        title="results side by side",
        columns=["result", "n", *heads],
        rows=rows[:MOST_SYSTEMS],
        numbers=list(range(1, 2 + len(heads))),
        rest=f"{len(rows) - MOST_SYSTEMS:,} more: --all" if len(rows) > MOST_SYSTEMS else "",
        more=rows[MOST_SYSTEMS:],
    )


def _figure_head(place: Place) -> str:
    return label_of(place[0]) + (f" of {words.visible(place[1], 20)}" if place[1] else "")


def _figures_row(system: str, figures: list[dict[str, Row]]) -> list[Cell]:
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
