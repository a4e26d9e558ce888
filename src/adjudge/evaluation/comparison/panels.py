"""What a comparison shows: differences to the baseline as a forest, and as a list to take away."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from statistics import NormalDist

from adjudge.diagnosis.limits import undefined_last
from adjudge.errors import noted
from adjudge.evaluation.comparison.settings import Comparing
from adjudge.evaluation.comparison.side_effects import Change, side_effect_tables
from adjudge.evaluation.declaration import Task
from adjudge.evaluation.panels import (
    Cell,
    ForestLine,
    ForestPanel,
    Panels,
    StandingsPanel,
    TablePanel,
    UnitsPanel,
    finite,
)
from adjudge.evaluation.results import WHOLE_NAME, ResultTable, Row, plural_of
from adjudge.inference.differences.paired_shares import cohen_g, flip_odds
from adjudge.inference.intervals.interval import normal_quantile
from adjudge.inference.many.multiplicity import holm
from adjudge.metrics.base import Direction, Metric
from adjudge.metrics.catalogue import parse

MOST_SLICES = 12
COMPARISON = "Comparison with {}"
LIST = "Every difference to {}"
STANDINGS = "Who may be the best, by {}"
UNITS = "Better, the same and worse than {}"
FLIPS = "What flipped"
SLICES = "Slices that gain and lose"
MASSES = "How likely a difference matters"
MOST_FLIPS = 20


def with_comparison(panels: Panels, table: ResultTable, task: Task, compared: Compared) -> Panels:
    """The panels of a task, with those of its systems' differences in front where there are any."""
    rows = list(table.differences.first_methods())
    if not rows:
        return replace(panels, tables=[*compared.floor, *panels.tables])
    metrics = {name: parse(name, task.metrics) for name in dict.fromkeys(row.metric for row in rows)}
    baseline = rows[0].baseline
    of_baseline = [row for row in rows if row.baseline == baseline]
    leading = _leading(list(dict.fromkeys(row.metric for row in of_baseline)), task)
    shown = [row for row in of_baseline if row.metric == leading]
    forest = replace(
        _forest(shown, metrics[leading], compared), limits=_limits(table, baseline, metrics[leading], compared)
    )
    tables = [
        *map(_standings_list, compared.standings[:1]),
        *_units_lists(compared.units),
        *side_effect_tables(compared.changes),
        *compared.floor,
        *_slices(shown, metrics[leading]),
        *([_masses_list(compared.masses)] if compared.masses else []),
        _list(rows, metrics, compared),
    ]
    return replace(
        panels,
        forests=[forest, *panels.forests],
        tables=[*tables, *panels.tables],
        standings=compared.standings,
        units=compared.units,
    )


@dataclass
class Compared:
    """What comparing systems showed besides rows: collected on the walk."""

    comparing: Comparing = field(default_factory=Comparing)
    standings: list[StandingsPanel] = field(default_factory=list)
    units: list[UnitsPanel] = field(default_factory=list)
    masses: list[Mass] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    floor: list[TablePanel] = field(default_factory=list)  # what the baseline changes beside itself, run again
    paired: bool = True

    @property
    def rows(self) -> str:
        """Of which rows systems are compared."""
        return "on the same rows" if self.paired else "each on its own rows, not paired"


@dataclass(frozen=True, slots=True)
class Mass:
    """In which share of draws a system is worse by the margin, the same within it, and better by it."""

    system: str
    metric: str
    margin: str
    worse: float
    same: float
    better: float


def _standings_list(panel: StandingsPanel) -> TablePanel:
    columns = [
        "system",
        panel.label,
        "low",
        "high",
        "to the best",
        "from",
        "to",
        "ranks",
        "letters",
        "probability best",
    ]
    cells: list[list[Cell]] = [
        [
            line.system,
            line.estimate,
            line.low,
            line.high,
            line.difference,
            line.difference_low,
            line.difference_high,
            f"{line.rank_low}" if line.rank_low == line.rank_high else f"{line.rank_low} to {line.rank_high}",
            line.letters,
            line.probability_best or f"< {1 / panel.replicates:.1g}",
        ]
        for line in panel.lines
    ]
    may = [line.system for line in panel.lines if line.may_be_best]
    note = (
        f"{len(may)} of {len(panel.lines)} systems may be the best: {', '.join(may)}. Systems that share a letter are "
        f"not shown to differ; differences, ranks and letters hold together for all {len(panel.pairs)} pairs. The "
        "probability of being best is the share of draws in which a system is, which is not 1 − p."
    )
    about = panel.label + (f" for {panel.category}" if panel.category else "")
    return TablePanel(STANDINGS.format(about), note, columns, cells)


def _units_lists(units: list[UnitsPanel]) -> Iterator[TablePanel]:
    if not units:
        return
    first = units[0]
    cells: list[list[Cell]] = [
        [one.system, one.better, one.equal, one.worse, finite(flip_odds(one.better, one.worse)[0]),
         finite(cohen_g(one.better, one.worse))]
        for one in units
    ]  # fmt: skip
    note = (
        f"How many {plural_of(first.unit)} each system answers better than {first.baseline}, by {first.of}; how many "
        "it wins for each it loses, and Cohen's g, by how much it wins more than half of those that differ."
    )
    columns = ["system", "better", "the same", "worse", "odds", "Cohen's g"]
    yield TablePanel(UNITS.format(first.baseline), note, columns, cells)
    flips: list[list[Cell]] = [
        [one.system, "fixed" if flip.better else "broken", flip.id, flip.reference, flip.before, flip.after]
        for one in units
        for flip in one.flips
    ]
    if flips:
        columns = ["system", "flip", "id", "reference", str(first.baseline), "now"]
        yield TablePanel(FLIPS, f"The first by their id, at most {MOST_FLIPS} each way.", columns, flips)


def _slices(rows: list[Row], metric: Metric) -> Iterator[TablePanel]:
    """Which slices gain and which lose, p adjusted for their number (Holm), for each system by itself."""
    cells: list[list[Cell]] = []
    for system in dict.fromkeys(row.system for row in rows):
        slices = [row for row in rows if row.system == system and row.slice != WHOLE_NAME]
        paid = holm([math.nan if row.p is None else row.p for row in slices])
        for row, p in sorted(zip(slices, paid.tolist(), strict=True), key=lambda pair: undefined_last(pair[1])):
            shown = math.isfinite(p) and p < 1 - row.level
            gains = (row.estimate > 0) == (metric.direction is Direction.HIGHER)
            sided = metric.direction is not Direction.NEAREST
            verdict = "undecided" if not shown else "differs" if not sided else "gains" if gains else "loses"
            cells.append([row.system, row.slice, row.n, *_known(row), row.p, finite(p), verdict])
    if cells:
        columns = ["system", "slice", "n", "difference", "low", "high", "p", "adjusted p", "verdict"]
        note = (
            f"Differences in {metric.full_label} to {rows[0].baseline}; p is adjusted for the number of slices (Holm)."
        )
        yield TablePanel(SLICES, note, columns, cells)


def _masses_list(masses: list[Mass]) -> TablePanel:
    columns = ["system", "metric", "margin", "worse", "the same", "better"]
    cells: list[list[Cell]] = [[m.system, m.metric, m.margin, m.worse, m.same, m.better] for m in masses]
    note = "The share of paired draws in which the difference lies beyond the margin on either side, or within it."
    return TablePanel(MASSES, note, columns, cells)


def _leading(names: list[str], task: Task) -> str:
    """The first metric of the headline that was compared."""
    return next((name for pattern in task.headline for name in names if fnmatchcase(name, pattern)), names[0])


def _forest(rows: list[Row], metric: Metric, compared: Compared) -> ForestPanel:
    """The whole first, then the slices that are most certain to differ."""
    whole = [row for row in rows if row.slice == WHOLE_NAME]
    slices = sorted((row for row in rows if row.slice != WHOLE_NAME), key=_doubt)
    shown = slices[:MOST_SLICES]
    cut = (
        f" The {len(shown)} of {len(slices)} slices with the smallest p are shown." if len(slices) > len(shown) else ""
    )
    side = {Direction.HIGHER: "right", Direction.LOWER: "left"}.get(metric.direction)
    better = f" Better than {rows[0].baseline} is on the {side}." if side else ""
    note = f"Each system minus {rows[0].baseline}, {compared.rows}.{better}{cut}"
    lines = [_line(row, many=len({r.system for r in rows}) > 1) for row in (*whole, *shown)]
    axis = f"difference in {metric.full_label}"
    return ForestPanel(COMPARISON.format(rows[0].baseline), note, axis, lines, 0.0)


def _limits(table: ResultTable, baseline: str | None, metric: Metric, compared: Compared) -> list[float]:
    """The margin on both sides. A share of the baseline's value is one of the least value that its interval allows, so
    that nothing counts as within the margin by the luck of the baseline.
    """
    margin = compared.comparing.margin(metric)
    if margin is None:
        return []
    if not margin.relative:
        return [-margin.size, margin.size]
    own = (row for row in table.estimates.first_methods() if row.metric == repr(metric) and row.slice == WHOLE_NAME)
    row = next((row for row in own if row.system == baseline and not row.category), None)
    if row is None or math.isnan(row.low) or row.low * row.high <= 0:
        return []
    size = float(f"{margin.size * min(abs(row.low), abs(row.high)):.3g}")
    return [-size, size]


def _doubt(row: Row) -> tuple[float, str]:
    return (math.inf if row.p_adjusted is None or math.isnan(row.p_adjusted) else row.p_adjusted, row.slice)


def _line(row: Row, *, many: bool) -> ForestLine:
    parts = [row.system if many or row.slice == WHOLE_NAME else "", row.slice if row.slice != WHOLE_NAME else ""]
    name = ", ".join(part for part in (*parts, row.category) if part)
    p = "" if row.p_adjusted is None else f"p {_p_text(row.p_adjusted)}"
    return ForestLine(name, *_known(row), row.n, noted(p, row.note))


def _list(rows: list[Row], metrics: dict[str, Metric], compared: Compared) -> TablePanel:
    columns = [
        "system",
        "slice",
        "metric",
        "difference",
        "low",
        "high",
        "p",
        "adjusted p",
        "detectable",
        "differing",
        "test",
    ]
    cells: list[list[Cell]] = [
        [
            row.system if row.baseline == rows[0].baseline else f"{row.system} − {row.baseline}",
            row.slice,
            metrics[row.metric].full_label + (f" of {row.category}" if row.category else ""),
            *_known(row),
            row.p,
            row.p_adjusted,
            _detectable(row),
            row.differing,
            row.test or row.note,
        ]
        for row in sorted(rows, key=lambda row: (row.slice != WHOLE_NAME, _doubt(row)[0]))
    ]
    family = max(row.family or 1 for row in rows)
    paid = f" p is adjusted for the {family} systems compared, for each metric by itself." if family > 1 else ""
    unseen = " Where nothing is shown, detectable is the difference that would be seen with a chance of 80 %."
    note = f"The system minus {rows[0].baseline}, in each metric's own sign, {compared.rows}.{paid}{unseen}"
    return TablePanel(LIST.format(rows[0].baseline), note, columns, cells)


def _detectable(row: Row) -> float | None:
    """Of a difference that is not shown: how large one would be seen with a chance of 80 %, were it there."""
    if row.p_adjusted is None or row.p_adjusted < 1 - row.level or not math.isfinite(row.high - row.low):
        return None
    usual = normal_quantile(row.level)
    return (usual + NormalDist().inv_cdf(0.8)) * (row.high - row.low) / 2 / usual


def _known(row: Row) -> tuple[float | None, float | None, float | None]:
    estimate, low, high = (finite(value) for value in (row.estimate, row.low, row.high))
    return estimate, low, high


def _p_text(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"
