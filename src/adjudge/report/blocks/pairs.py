"""A figure of every two on the first screen, such as the kappa of two raters: a square table, the lowest first."""

from __future__ import annotations

import math

from adjudge.evaluation.answers.screen import PairsOf
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.panels import MatrixPanel
from adjudge.report import words
from adjudge.report.answers.answer import Cell, GridBlock
from adjudge.report.numbers import number


def pairs_block(outcome: Outcome, block: PairsOf) -> GridBlock | None:
    """The table of every two; None where there are too many, or two, or where no two met."""
    panel = next((one for one in outcome.panels.matrices if one.title == block.panel), None)
    if panel is None or not 3 <= len(panel.rows) <= block.most or panel.rows != panel.columns:
        return None
    places = range(len(panel.rows))
    met = [panel.n[i][j] for i in places for j in places if i < j and panel.values[i][j] is not None]
    if not met:
        return None
    order = sorted(places, key=lambda place: _mean(panel, place))
    measure = panel.note.partition(".")[0]
    names = [words.visible(panel.rows[place], 24) for place in order]
    span = f"{min(met):,}" if min(met) == max(met) else f"{min(met):,} to {max(met):,}"
    return GridBlock(
        title=f"{block.title}: {measure}" if measure else block.title,
        columns=[block.one, *names],
        rows=[[Cell(names[at]), *(_cell(panel, i, j) for j in order)] for at, i in enumerate(order)],
        numbers=list(range(1, len(order) + 1)),
        rest=f"{span} items of both; the interval of every pair: --all",
        spare=True,
        shaded=True,
    )


def _mean(panel: MatrixPanel, place: int) -> float:
    known = [x for other, x in enumerate(panel.values[place]) if other != place and x is not None]
    return sum(known) / len(known) if known else math.inf


def _cell(panel: MatrixPanel, i: int, j: int) -> Cell:
    value = None if i == j else panel.values[i][j]
    return Cell("·" if i == j else "–" if value is None else number(value, 2), value=value)
