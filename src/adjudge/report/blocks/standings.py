"""Several systems on the first screen: the best first, what each is behind the first, its ranks and its letters."""

from __future__ import annotations

from adjudge.evaluation.answers.evidence import standings_of
from adjudge.evaluation.answers.screen import StandingsOf
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.panels import Standing
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
