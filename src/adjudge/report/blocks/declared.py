"""From a task's declared blocks to blocks with ready strings: forests, matrices, grids, limits and lists."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from adjudge.errors import percent
from adjudge.evaluation.answers.answering import p_text
from adjudge.evaluation.answers.claims import Judged, judged_alone, said_of
from adjudge.evaluation.answers.screen import (
    BlockOf,
    ForestOf,
    GridOf,
    LimitOf,
    LimitsOf,
    ListOf,
    MatrixOf,
    PairsOf,
    StandingsOf,
)
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.panels import finite, finite_of
from adjudge.report import grids, words
from adjudge.report.answers.answer import (
    Block,
    Cell,
    ForestBlock,
    ForestRow,
    GridBlock,
    LimitsBlock,
    LimitsRow,
    ListBlock,
    MatrixBlock,
    Shown,
    SideColumn,
)
from adjudge.report.answers.order import MARK, cut, ordered, rest_sentence, word_of
from adjudge.report.answers.verdict import AnsweredClaim
from adjudge.report.blocks.standings import pairs_block, standings_block
from adjudge.report.blocks.ticks import drawn_ends, ticks_of
from adjudge.report.numbers import UNITS, number

FOREST_ROWS = 3
GRID_ROWS = 4
PAGE_ROWS = 12
MANY_LABELS = 12
LONGEST_NAME = 80  # letters of the name of a row; where there is less room it is cut there
MARKED_SHARE, MARKED_COUNT = 0.05, 5


def block_of(outcome: Outcome, block: BlockOf, answers: Mapping[str, AnsweredClaim]) -> Block | None:
    """One block, or none where there is nothing to show."""
    if isinstance(block, ForestOf):
        return _forest(block, answers)
    if isinstance(block, GridOf):
        return _grid(outcome, block, answers, GRID_ROWS)
    if isinstance(block, MatrixOf):
        return _matrix(outcome, block, answers)
    if isinstance(block, LimitsOf):
        return _limits(outcome, block)
    if isinstance(block, StandingsOf):
        return standings_block(outcome, block)
    if isinstance(block, PairsOf):
        return pairs_block(outcome, block)
    return _list(outcome, block)


def _forest(block: ForestOf, answers: Mapping[str, AnsweredClaim]) -> ForestBlock | None:
    own = answers.get(block.claim)
    if own is None or not own.parts or not any(words.known(one.evidence.estimate) for one in own.judged):
        return None
    evidence = ordered(own.judged)
    shown, rest = cut(evidence, FOREST_ROWS)
    limits = finite_of(evidence[0].good)
    places = own.places
    axis = block.axis + {" points": ", points", " SD": ", SD"}.get(own.unit.difference if own.difference else "", "")

    def text(value: float) -> str:
        return own.unit.change(value, places).split(" ")[0] if own.difference else own.unit.text(value, places)

    page, later = cut(evidence, PAGE_ROWS)
    return ForestBlock(
        title=block.title,
        axis=axis,
        columns=["n", axis.rpartition(", ")[2], f"{evidence[0].evidence.level * 100:g} %"],
        rows=[_forest_row(one, own) for one in shown],
        limits=[end for end in limits if end != 0] if own.difference else limits,
        against=0.0 if own.difference else None,
        ticks=ticks_of([drawn_ends(one) for one in page], own, limits),
        rest=rest_sentence(rest, text),
        more=[_forest_row(one, own) for one in rest],
        note=" ".join(filter(None, (block.note, _reading_note(own, limits)))),
        one=evidence[0].claim.words.one,
        on_page=Shown(len(page), rest_sentence(later, text)),
    )


def _reading_note(answer: AnsweredClaim, limits: Sequence[float]) -> str:
    """What the lines of a forest are, and what its readings are corrected for."""
    facts, parts = answer.judged[0].evidence.facts, []
    if "system" in facts and "baseline" in facts:
        names = {key: words.visible(str(facts[key]), 40) for key in ("system", "baseline")}
        parts.append(f"How much better {names['system']} is; left of 0 {names['baseline']} is better.")
    if any(limits):
        parts.append("Dashed: the limits; tinted: beyond them." if len(limits) > 1 else "Dashed: the limit.")
    family = max(one.family for one in answer.judged)
    if family > 1:
        parts.append(f"Readings after correction for {family} {answer.judged[0].claim.words.many}.")
    return " ".join(parts)


def _forest_row(one: Judged, answer: AnsweredClaim) -> ForestRow:
    evidence = one.evidence
    value = answer.estimate(one) if words.known(evidence.estimate) else "–"
    return ForestRow(
        name="all" if evidence.whole else words.visible_slice(one.subject, 24),
        estimate=finite(evidence.estimate),
        low=finite(evidence.low),
        high=finite(evidence.high),
        texts=[f"{evidence.n:,}", value, answer.span(one)],
        mark=MARK[one.state],
        word=word_of(one),
        whole=evidence.whole,
    )


def _matrix(outcome: Outcome, block: MatrixOf, answers: Mapping[str, AnsweredClaim]) -> Block | None:
    matrix = block.counts(outcome)
    if matrix is None:
        return None
    who, names, counts = matrix
    if len(names) > block.most or len(names) < 2:
        instead = None if block.else_grid is None else replace(block.else_grid, roomy=False)
        return None if instead is None or len(names) < 2 else _grid(outcome, instead, answers, MANY_LABELS)
    marked = [
        (i, j)
        for i, row in enumerate(counts)
        for j, count in enumerate(row)
        if _stands_out((i, j), count, sum(row), block.ordinal, len(names))
    ]
    return MatrixBlock(
        title=block.title,
        row_names=[words.visible(name, 24) for name in names],
        column_names=[words.visible(name, 24) for name in names],
        counts=counts,
        marked=marked,
        margins=[SideColumn("n", [Cell(words.count(sum(row)), value=sum(row)) for row in counts])]
        + [margin for head, key in block.margins if (margin := _margin(head, answers.get(key), names))],
        ordinal=block.ordinal,
        corner=f"{words.visible(who, 40)} says →" if who else "",
        note=_matrix_note(block, marked, words.visible(block.rows(outcome), 40)),
        stands_out=_what_stands_out(block),
    )


def _what_stands_out(block: MatrixOf) -> str:
    return (
        "two points apart or more"
        if block.ordinal
        else f"at least {MARKED_COUNT} rows and {percent(MARKED_SHARE)} of the row"
    )


def _matrix_note(block: MatrixOf, marked: Sequence[tuple[int, int]], rows: str) -> str:
    who = f"Rows: {rows}. " if rows else ""
    if block.ordinal:
        return f"{who}Outlined: {_what_stands_out(block)}." if marked else who.strip()
    return f"{who}Shade: share of the row.{f' Outlined: {_what_stands_out(block)}.' if marked else ''}"


def _stands_out(place: tuple[int, int], count: float, total: float, ordinal: bool, labels: int) -> bool:
    """Whether a confusion is marked: a large share of its row, or on a scale two points apart."""
    apart = abs(place[0] - place[1])
    if ordinal:
        return apart > 1 and count > 0
    return labels > 2 and apart > 0 and count >= MARKED_COUNT and count >= MARKED_SHARE * total


def _margin(head: str, answer: AnsweredClaim | None, names: Sequence[str]) -> SideColumn | None:
    if answer is None:
        return None
    by_name = {one.subject: one for one in answer.judged}
    places = answer.places
    cells = []
    for name in names:
        one = by_name.get(name)
        if one is None or not words.known(one.evidence.estimate):
            cells.append(Cell("–"))
            continue
        evidence = one.evidence
        text = (
            answer.unit.change(evidence.estimate, places).split(" ")[0]
            if answer.difference
            else (answer.unit.text(evidence.estimate, places))
        )
        mark = MARK[one.state] if answer.difference else ""
        strip = (finite(evidence.low), evidence.estimate, finite(evidence.high))
        cells.append(Cell(text, mark, word_of(one) if mark else "", "", strip, evidence.estimate))
    return SideColumn(head, cells) if any(cell.text != "–" for cell in cells) else None


def _grid(outcome: Outcome, block: GridOf, answers: Mapping[str, AnsweredClaim], most: int) -> GridBlock | None:
    own = answers.get(block.claim)
    if own is None or not own.parts:
        return None
    evidence = [one for one in ordered(own.judged) if not one.evidence.whole]
    if len(evidence) < block.least:
        return None
    shown, rest = cut(evidence, most)
    page, later = cut(evidence, max(most, PAGE_ROWS))
    figure = block.figure or own.label
    places = own.places
    heads = [
        block.head,
        "n",
        figure,
        f"{evidence[0].evidence.level * 100:g} %",
        *(said_of(outcome, head) for head, _, _ in block.columns),
    ]
    heads += ["adjusted p"] if block.p else []
    rows = [_grid_row(one, own, block, places) for one in shown]

    def text(value: float) -> str:
        signed = own.difference and "value" not in evidence[0].evidence.facts
        return own.unit.change(value, places).split(" ")[0] if signed else own.unit.text(value, places)

    return GridBlock(
        title=block.title,
        columns=heads,
        rows=rows,
        numbers=[place for place in range(1, len(heads)) if place != 3 and not _is_text(block, place - 4)],
        ticks=ticks_of([drawn_ends(one) for one in page], own, (), signed=False) if block.strip else [],
        rest=rest_sentence(rest, text, "value"),
        more=[_grid_row(one, own, block, places) for one in rest],
        note=block.note,
        roomy=block.roomy,
        on_page=Shown(len(page), rest_sentence(later, text, "value")),
    )


def _is_text(block: GridOf, place: int) -> bool:
    """Whether one of a grid's own columns is text: it has no unit."""
    return 0 <= place < len(block.columns) and not block.columns[place][2]


def _grid_row(one: Judged, answer: AnsweredClaim, block: GridOf, places: int) -> list[Cell]:
    """The subject with its state, n, figure, interval, and what else is answer of it."""
    evidence, facts = one.evidence, one.evidence.facts
    value, low, high = evidence.estimate, evidence.low, evidence.high
    signed = answer.difference
    if "value" in facts:
        value, low, high, signed = float(facts["value"]), float(facts["low"]), float(facts["high"]), False
        places = answer.unit.places(low, high) if words.known(low) else places
    mark = MARK[one.state] if one.good != (-math.inf, math.inf) else ""
    strip = (finite(low), value, finite(high)) if block.strip and words.known(value) else None
    shown = answer.unit.text(value, places, signed=signed) if words.known(value) else "–"
    cells = [
        Cell(words.visible_slice(one.subject, LONGEST_NAME), mark, word_of(one) if mark else ""),
        Cell(f"{evidence.n:,}", value=evidence.n),
        Cell(shown, strip=strip, value=finite(value)),
        Cell(answer.unit.span(low, high, places, signed=signed)),
    ]
    for _, name, unit in block.columns:  # what is compared with the figure has its decimals
        same = answer.unit.text(float(facts["rest"]), places) if name == "rest" in facts else ""
        cells.append(Cell(same, value=finite(float(facts["rest"]))) if same else _fact(facts.get(name), unit))
    if block.p:
        cells.append(Cell(p_text(one.p_adjusted), value=finite(one.p_adjusted)))
    return cells


def _fact(value: str | float | None, unit: str) -> Cell:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return Cell("–")
    if isinstance(value, str):
        return Cell(words.visible(value, 40))
    if unit == "excess":
        return Cell(number(value, 0, signed=True), value=value)
    if unit == "count":
        return Cell(f"{value:,.0f}", value=value)
    return Cell(UNITS[unit].text(value, 0 if unit == "share" else 2), value=value)


def _limits(outcome: Outcome, block: LimitsOf) -> LimitsBlock | None:
    columns, systems = list(block.columns(outcome)), list(block.systems(outcome))
    if not columns or not systems:
        return None
    return LimitsBlock(
        title=block.title,
        columns=[column.name for column in columns],
        limits=[column.words for column in columns],
        rows=[
            LimitsRow(words.visible(name, 40), [_limit_cell(column, name) for column in columns]) for name in systems
        ],
        note=block.note,
    )


def _limit_cell(column: LimitOf, system: str) -> Cell:
    evidence = column.by_system.get(system)
    if evidence is None or not words.known(evidence.estimate):
        return Cell("–")
    unit, limits = UNITS[column.unit], finite_of(column.good)
    one = judged_alone(evidence, column.good)
    places = unit.places(evidence.low, evidence.high) if words.known(evidence.low) else 2
    return Cell(
        unit.text(evidence.estimate, places, signed=column.signed).removesuffix(" SD"),
        MARK[one.state] if limits else "",
        word_of(one) if limits else "",
        unit.span(evidence.low, evidence.high, places, limits=limits),
        (finite(evidence.low), evidence.estimate, finite(evidence.high)),
        evidence.estimate,
    )


def _list(outcome: Outcome, block: ListOf) -> ListBlock | None:
    panel = block.table(outcome)
    if panel is None or not panel.rows:
        return None
    shown = block.most
    grid = grids.table_grid(panel, shown, columns=6, text=40)
    every = max(len(panel.rows), block.count(outcome))
    left = every - shown
    places = {"shown": min(shown, len(panel.rows)), "count": f"{every:,}"}
    return ListBlock(
        # Only what is declared has places: what an outcome makes of a title may hold names, with braces of their own.
        title=block.title(outcome) if callable(block.title) else block.title.format(**places),
        columns=grid.head,
        rows=grid.rows,
        numbers=grid.numbers,
        rest=f"{left:,} more: {block.option}" if left > 0 else "",
    )
