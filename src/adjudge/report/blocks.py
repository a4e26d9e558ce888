"""From a task's declared blocks to blocks with ready strings: forests, matrices, grids, limits and lists."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from adjudge.evaluation.claims import Claim, Judged, judged
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.screen import (
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
from adjudge.report import grids, words
from adjudge.report.answer import (
    Block,
    Cell,
    ForestBlock,
    ForestRow,
    GridBlock,
    LimitsBlock,
    LimitsRow,
    ListBlock,
    Margin,
    MatrixBlock,
    Tick,
)
from adjudge.report.numbers import UNITS, number, p_text
from adjudge.report.order import MARK, cut, ordered, rest_sentence, word_of
from adjudge.report.pairs_block import pairs_block
from adjudge.report.standings_block import standings_block
from adjudge.report.verdict import Told

FOREST_ROWS = 3
GRID_ROWS = 4
MANY_LABELS = 12
MARKED_SHARE, MARKED_COUNT = 0.05, 5


def block_of(outcome: Outcome, block: BlockOf, told: Mapping[str, Told], most: int = 0) -> Block | None:
    """One block, or none where there is nothing to show; `most` rows, 0 being the usual number."""
    if isinstance(block, ForestOf):
        return _forest(block, told, most or FOREST_ROWS)
    if isinstance(block, GridOf):
        return _grid(block, told, most or GRID_ROWS)
    if isinstance(block, MatrixOf):
        return _matrix(outcome, block, told)
    if isinstance(block, LimitsOf):
        return _limits(outcome, block)
    if isinstance(block, StandingsOf):
        return standings_block(outcome, block)
    if isinstance(block, PairsOf):
        return pairs_block(outcome, block)
    return _list(outcome, block, most)


def _forest(block: ForestOf, told: Mapping[str, Told], most: int) -> ForestBlock | None:
    own = told.get(block.claim)
    if own is None or not own.parts:
        return None
    found = ordered(own.found)
    shown, rest = cut(found, most)
    limits = _finite(found[0].good)
    places = own.places
    axis = block.axis + {" points": ", points", " SD": ", SD"}.get(own.unit.difference if own.difference else "", "")

    def text(value: float) -> str:
        return own.unit.change(value, places).split(" ")[0] if own.difference else own.unit.text(value, places)

    rows = [_forest_row(one, own) for one in shown]
    return ForestBlock(
        title=block.title,
        axis=axis,
        columns=["n", axis, f"{found[0].evidence.level * 100:g} %"],
        rows=rows,
        limits=[end for end in limits if end != 0] if own.difference else limits,
        against=0.0 if own.difference else None,
        ticks=_ticks(shown, own, limits),
        rest=rest_sentence(rest, text),
        more=[_forest_row(one, own) for one in rest],
    )


def _forest_row(one: Judged, told: Told) -> ForestRow:
    evidence, signed, places = one.evidence, told.difference, told.places_of(one)
    value = number(evidence.estimate * told.unit.factor, places, signed=signed) if _known(evidence.estimate) else "–"
    span = told.unit.span(evidence.low, evidence.high, places, signed=signed)
    return ForestRow(
        name="all" if evidence.whole else words.visible(one.subject, 40),
        n=evidence.n,
        estimate=_number(evidence.estimate),
        low=_number(evidence.low),
        high=_number(evidence.high),
        texts=[f"{evidence.n:,}", value, span],
        mark=MARK[one.state],
        word=word_of(one),
        whole=evidence.whole,
    )


def _ticks(shown: Sequence[Judged], told: Told, limits: Sequence[float]) -> list[Tick]:
    """The two ends of a common scale, and its middle."""
    values = [x for one in shown for x in (one.evidence.low, one.evidence.high, one.evidence.estimate) if _known(x)]
    if not values:
        return []
    if told.difference:
        far = _round_up(max(abs(x) for x in [*values, *limits]))
        ends = [-far, 0.0, far]
    else:
        low, high = min([*values, *limits]), max([*values, *limits])
        step = _round_up((high - low) / 2 or 0.05)
        start = math.floor(low / step) * step
        ends = [start, start + step, start + 2 * step]
        if ends[-1] < high:
            ends = [start, start + 1.5 * step, start + 3 * step]
    factor = told.unit.factor
    return [
        Tick(
            value,
            number(value * factor, _decimals(value * factor), signed=True)
            if told.difference
            else number(value * factor, _decimals(value * factor)),
        )
        for value in ends
    ]


def _decimals(value: float) -> int:
    """As many decimals as a tick has."""
    return len(f"{abs(value):.6g}".partition(".")[2])


def _round_up(value: float) -> float:
    """The next of 1, 1.5, 2, 3, 4, 5, 8 and 10 times a power of ten.

    >>> _round_up(0.121), _round_up(0.44), _round_up(7.2)
    (0.15, 0.5, 8.0)
    """
    if not value > 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    step = next(step for step in (1, 1.5, 2, 3, 4, 5, 8, 10) if step * power >= value * (1 - 1e-9))
    return float(f"{step * power:.6g}")


def _matrix(outcome: Outcome, block: MatrixOf, told: Mapping[str, Told]) -> Block | None:
    found = block.counts(outcome)
    if found is None:
        return None
    who, names, counts = found
    if len(names) > block.most or len(names) < 2:
        grid = None if not block.else_grid or len(names) < 2 else _labels(block.else_grid, told)
        return grid
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
        margins=[Margin("n", [Cell(words.count(sum(row)), value=sum(row)) for row in counts])]
        + [margin for head, key in block.margins if (margin := _margin(head, told.get(key), names))],
        ordinal=block.ordinal,
        corner=f"{words.visible(who, 40)} says →" if who else "",
    )


def _stands_out(place: tuple[int, int], count: float, total: float, ordinal: bool, labels: int) -> bool:
    """Whether a confusion is marked: a large share of its row, or on a scale two points apart."""
    apart = abs(place[0] - place[1])
    if ordinal:
        return apart > 1 and count > 0
    return labels > 2 and apart > 0 and count >= MARKED_COUNT and count >= MARKED_SHARE * total


def _margin(head: str, told: Told | None, names: Sequence[str]) -> Margin | None:
    if told is None:
        return None
    by_name = {one.subject: one for one in told.found}
    places = told.places
    cells = []
    for name in names:
        one = by_name.get(name)
        if one is None or not _known(one.evidence.estimate):
            cells.append(Cell("–"))
            continue
        evidence = one.evidence
        text = (
            told.unit.change(evidence.estimate, places).split(" ")[0]
            if told.difference
            else (told.unit.text(evidence.estimate, places))
        )
        mark = MARK[one.state] if told.difference else ""
        strip = (_number(evidence.low), evidence.estimate, _number(evidence.high))
        cells.append(Cell(text, mark, word_of(one) if mark else "", "", strip, evidence.estimate))
    return Margin(head, cells) if any(cell.text != "–" for cell in cells) else None


def _labels(claim: str, told: Mapping[str, Told]) -> Block | None:
    """More labels than a matrix holds: those with the lowest figure."""
    block = GridOf(claim, "labels, lowest first", "label", figure="", strip=True)
    return _grid(block, told, MANY_LABELS)


def _grid(block: GridOf, told: Mapping[str, Told], most: int) -> GridBlock | None:
    own = told.get(block.claim)
    if own is None or not own.parts:
        return None
    found = [one for one in ordered(own.found) if not one.evidence.whole]
    shown, rest = cut(found, most)
    figure = block.figure or own.label
    places = own.places
    heads = [block.head, "n", figure, f"{found[0].evidence.level * 100:g} %", *(head for head, _, _ in block.columns)]
    heads += ["adjusted p"] if block.p else []
    rows = [_grid_row(one, own, block, places) for one in shown]

    def text(value: float) -> str:
        signed = own.difference and "value" not in found[0].evidence.told
        return own.unit.change(value, places).split(" ")[0] if signed else own.unit.text(value, places)

    return GridBlock(
        title=block.title,
        columns=heads,
        rows=rows,
        numbers=[place for place in range(1, len(heads)) if place != 3],
        ticks=_ticks(shown, own, ()) if block.strip and not own.difference else [],
        rest=rest_sentence(rest, text, "value"),
        more=[_grid_row(one, own, block, places) for one in rest],
    )


def _grid_row(one: Judged, told: Told, block: GridOf, places: int) -> list[Cell]:
    """The subject with its state, n, figure, interval, and what else is told of it."""
    evidence, facts = one.evidence, one.evidence.told
    value, low, high = evidence.estimate, evidence.low, evidence.high
    signed = told.difference
    if "value" in facts:
        value, low, high, signed = float(facts["value"]), float(facts["low"]), float(facts["high"]), False
        places = told.unit.places(low, high) if _known(low) else places
    mark = MARK[one.state] if one.good != (-math.inf, math.inf) else ""
    strip = (_number(low), value, _number(high)) if block.strip and _known(value) else None
    shown = told.unit.text(value, places, signed=signed) if _known(value) else "–"
    cells = [
        Cell(words.visible(one.subject, 40), mark, word_of(one) if mark else ""),
        Cell(f"{evidence.n:,}", value=evidence.n),
        Cell(shown, strip=strip, value=_number(value)),
        Cell(told.unit.span(low, high, places, signed=signed)),
    ]
    cells += [_fact(facts.get(name), unit) for _, name, unit in block.columns]
    if block.p:
        cells.append(Cell(p_text(one.p_adjusted), value=_number(one.p_adjusted)))
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
    )


def _limit_cell(column: LimitOf, system: str) -> Cell:
    evidence = column.by_system.get(system)
    if evidence is None or not _known(evidence.estimate):
        return Cell("–")
    unit, limits = UNITS[column.unit], _finite(column.good)
    one = judged(Claim("limit", lambda outcome: ()), [evidence], column.good)[0]
    places = unit.places(evidence.low, evidence.high, limits) if _known(evidence.low) else 2
    return Cell(
        unit.text(evidence.estimate, places, signed=column.signed).removesuffix(" SD"),
        MARK[one.state] if limits else "",
        word_of(one) if limits else "",
        unit.span(evidence.low, evidence.high, places),
        (_number(evidence.low), evidence.estimate, _number(evidence.high)),
        evidence.estimate,
    )


def _list(outcome: Outcome, block: ListOf, most: int) -> ListBlock | None:
    panel = block.table(outcome)
    if panel is None or not panel.rows:
        return None
    shown = most or block.most
    grid = grids.table_grid(panel, shown, columns=6, text=40)
    left = len(panel.rows) - shown
    return ListBlock(
        title=(block.title(outcome) if callable(block.title) else block.title).format(
            shown=min(shown, len(panel.rows)), count=len(panel.rows)
        ),
        columns=grid.head,
        rows=grid.rows,
        numbers=grid.numbers,
        rest=f"{left:,} more: --all" if left > 0 else "",
    )


def _finite(good: tuple[float, float]) -> list[float]:
    return [end for end in good if math.isfinite(end)]


def _known(value: float) -> bool:
    return not math.isnan(value)


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
