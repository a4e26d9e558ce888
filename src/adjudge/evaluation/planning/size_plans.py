"""How many rows to collect: numbers of units with what each would show, under an assumption and its neighbours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from adjudge.errors import SettingError, as_share, listed, literal
from adjudge.evaluation.panels import finite
from adjudge.evaluation.planning.outlooks import outlook_of
from adjudge.evaluation.planning.pilots import Pilot, Simulated, outlook_of_row, simulated_units
from adjudge.evaluation.planning.size_questions import DIFFERING, Assumptions, Question, is_share, neighbours
from adjudge.evaluation.results import Row
from adjudge.inference.intervals.interval import normal_quantile
from adjudge.inference.planning.power import Outlook, ShareOutlook, Supposing, least, units_for, units_for_width
from adjudge.inference.planning.sample_size import MOST_ROWS as SEARCHED
from adjudge.inference.planning.sample_size import design_effect, power_of_pairs

ASSUMED, PILOTED = "as assumed", "as in the pilot"
TIMES = (0.25, 0.5, 2, 4)
FEWEST_CLUSTERS = 10
MOST_ROWS = 1_000_000_000_000  # that may be planned
NEVER = "no number of units would do"
EXACT_UP_TO = 3_000  # rows for which the power of a test of pairs is summed over all that can be seen


@dataclass(frozen=True, slots=True)
class PlanRow:
    """So many units, and what they would show. None is what was not asked, or cannot be said."""

    assumption: str
    units: int | None  # that the metric counts, of one slice
    rows: int | None  # of the whole table
    clusters: int | None
    passed: float | None
    failed: float | None
    half_width: float | None
    method: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Making:
    """How the table is made: which part of its rows counts, in how many slices, in clusters of what size.

    `least` is how many units, or clusters, must be there for anything to be decided.
    """

    part: float = 1.0
    smallest: float = 1.0
    effect: float = 1.0
    cluster_size: float | None = None
    least: int = 1

    @classmethod
    def of(cls, question: Question, given: Assumptions) -> Making:
        """What was said of it; a part only where the metric counts a part."""
        counts_part = is_share(question.metric) and question.metric.by_category
        slices = given.slices or 1
        effect = 1.0 if given.cluster_size is None else design_effect(given.cluster_size, given.correlation or 0.0)
        part = given.part if counts_part and given.part is not None else 1.0
        return cls(part, given.smallest or 1 / slices, effect, given.cluster_size, question.least)

    def rows(self, units: int) -> int:
        """Rows in which there are so many units, worth as much as if they were independent."""
        return math.ceil(units / self.part / self.smallest * self.effect - 1e-9)

    @property
    def fewest(self) -> int:
        """Rows with fewer than which no plan is made."""
        size = max(FEWEST_CLUSTERS, self.least) * self.cluster_size if self.cluster_size else self.least / self.part
        return math.ceil(size / self.smallest - 1e-9)

    def decides(self, rows: int) -> bool:
        """Whether there are enough units, or clusters, in so many rows."""
        within = rows * self.smallest / self.cluster_size if self.cluster_size else rows * self.smallest * self.part
        return within + 1e-9 >= self.least

    def units(self, rows: int) -> int:
        """Units in so many rows."""
        return math.floor(rows * self.part * self.smallest / self.effect + 1e-9)

    @property
    def counted(self) -> str:
        """What must be there."""
        return "clusters" if self.cluster_size else "units"

    def clusters(self, rows: int) -> int | None:
        """Clusters in so many rows."""
        return None if self.cluster_size is None else math.ceil(rows / self.cluster_size - 1e-9)


@dataclass(frozen=True, slots=True)
class Goal:
    """What a plan is to reach, or the rows there are."""

    power: float = 0.8
    level: float = 0.95
    half_width: float | None = None
    rows: int | None = None

    def __post_init__(self) -> None:
        for name in ("power", "level"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < 1:
                raise SettingError(f"`{name}` must lie between 0 and 1, not {literal(value)}.")
        if self.level < 0.5:
            raise SettingError(f"`level` must be 0.5 or more, not {literal(self.level)}: 0.95 errs in 5 of 100 cases.")
        width, rows = self.half_width, self.rows
        if width is not None and not (isinstance(width, (int, float)) and 0 < width < math.inf):
            raise SettingError(f"`half_width` must be a number above 0, not {literal(width)}.")
        if rows is not None and not (isinstance(rows, int) and not isinstance(rows, bool) and 1 <= rows <= MOST_ROWS):
            raise SettingError(f"`rows` must be a whole number from 1 to {MOST_ROWS:,}, not {literal(rows)}.")


def power_each(goal: Goal, given: Assumptions) -> float:
    """The power that one slice needs for all of them to pass together with the power that is wanted.

    >>> round(power_each(Goal(0.8), Assumptions(slices=20)), 4)
    0.9889
    """
    return float(goal.power ** (1 / (given.slices or 1)))


def units_wanted(question: Question, outlook: Outlook, goal: Goal, given: Assumptions) -> int | None:
    """The units that reach all that is wanted; None if no number would."""
    needs: list[int | None] = []
    low, high = question.metric.range
    if goal.half_width is not None and goal.half_width >= (high - low) / 2 * (1 + question.compares):
        points = as_share(goal.half_width) if (low, high) == (0, 1) and goal.half_width <= 100 else ""
        raise SettingError(
            f"`half_width` must be narrower than all that {question.metric!r} can be, from {low:g} to {high:g}, not "
            f"{literal(goal.half_width)}.{points}"
        )
    if question.aims:
        needs.append(_units_to_pass(question, outlook, power_each(goal, given)))
    if goal.half_width is not None:
        needs.append(units_for_width(outlook, goal.half_width, goal.level))
    known = [need for need in needs if need is not None]
    return max(known) if len(known) == len(needs) else None


def _check_deviation(question: Question, deviation: float | None) -> None:
    """Refuse what values between two ends, or their differences, cannot vary by."""
    low, high = question.metric.range
    most = (high - low) * (1 if question.compares else 0.5)
    if deviation is not None and deviation > most:
        what = f"differences of {question.metric!r}" if question.compares else f"{question.metric!r}"
        raise SettingError(
            f"`deviation` must be at most {most:g}, for {what} cannot vary more, not {literal(deviation)}."
        )


def why_none(question: Question, outlook: Outlook) -> str:
    """Why no number of units is named: none would do, or it is more than is searched for."""
    never = any(aim.distance(outlook.truth) <= 0 for aim in question.aims)
    return NEVER if never else f"more than {SEARCHED // 2:,} units"


def _units_to_pass(question: Question, outlook: Outlook, power: float) -> int | None:
    if len(question.aims) == 1:
        return units_for(outlook, question.aims[0], power)
    if any(aim.distance(outlook.truth) <= 0 for aim in question.aims):
        return None
    return least(lambda units: question.passes(outlook, units) >= power)


def planned_rows(question: Question, given: Assumptions, goal: Goal) -> list[PlanRow]:
    """The plan by formula: the assumption itself, other numbers of units, and neighbouring assumptions."""
    _check_deviation(question, given.deviation)
    making = Making.of(question, given)
    unknown = question.compares and is_share(question.metric) and given.differing is None and given.against is None
    if unknown:  # of pairs nobody knows how often they differ: the plan for each usual share
        least_share = abs(given.difference or 0.0)
        cases = [replace(given, differing=share) for share in DIFFERING if share > least_share]
        if not cases:
            outlook_of(question, given)
        named = [(f"differing {case.differing:g}", case) for case in cases]
        return [_row(words, question, outlook_of(question, case), goal, case, making=making) for words, case in named]
    outlook = outlook_of(question, given)
    shown = ASSUMED
    first = _row(shown, question, outlook, goal, given, making=making)
    if first.units is None:
        return [first]
    numbers = sorted({max(1, math.ceil(first.units * times)) for times in TIMES} - {first.units})
    others = [_at(shown, question, outlook, making.rows(units), goal, making=making) for units in numbers]
    beside = [
        _row(words, question, outlook_of(question, case), goal, case, making=making)
        for words, case in neighbours(question, given)
    ]
    return [first, *others, *([] if goal.rows is not None else beside)]


def _row(
    shown: str, question: Question, outlook: Outlook, goal: Goal, given: Assumptions, *, making: Making
) -> PlanRow:
    """The plan under one assumption: the units it takes, or those there are."""
    if goal.rows is not None:
        return _at(shown, question, outlook, goal.rows, goal, making=making)
    units = units_wanted(question, outlook, goal, given)
    if units is None:
        return PlanRow(shown, None, None, None, None, None, None, outlook.method, why_none(question, outlook))
    return _at(shown, question, outlook, max(making.rows(units), making.fewest), goal, making=making)


def _at(shown: str, question: Question, outlook: Outlook, rows: int, goal: Goal, *, making: Making) -> PlanRow:
    """What so many rows would show; too few of them prove nothing."""
    units, decides = making.units(rows), making.decides(rows)
    passed = question.passes(outlook, units) * decides if question.aims and units else None
    failed = question.fails(outlook, units) * decides if question.aims and units else None
    half = outlook.half_width(units, goal.level) if units else math.inf
    width = finite(half)
    method = "wilson" if not question.aims and isinstance(outlook, ShareOutlook) else outlook.method
    supposed = outlook.supposed if isinstance(outlook, Supposing) else ""
    note = supposed if decides else f"nothing is decided of fewer than {making.least:,} {making.counted}"
    return PlanRow(shown, units, rows, making.clusters(rows), passed, failed, width, method, note)


def exact_power(question: Question, given: Assumptions, units: int | None) -> float | None:
    """The power of McNemar's mid-p test with so many pairs, where that is the test: two systems, neither asked for."""
    pairs = question.compares and question.requirement is None and is_share(question.metric)
    if not pairs or units is None or units > EXACT_UP_TO or given.differing is None or given.difference is None:
        return None
    first = (given.differing + given.difference) / 2
    second = given.differing - first
    if min(first, second) <= 0:
        return None
    return power_of_pairs(units, first, second, round(2 * question.aims[0].alpha, 12))


def projected_rows(question: Question, row: Row, given: Assumptions, goal: Goal) -> list[PlanRow]:
    """The plan from what a saved evaluation found: spreads shrink with the root of the number of its rows."""
    return _by(question, outlook_of_row(question, row, given.expect), given, goal)


def _by(question: Question, outlook: Outlook, given: Assumptions, goal: Goal) -> list[PlanRow]:
    making = Making.of(question, replace(given, part=None))
    shown = PILOTED if given.expect is None else ASSUMED
    first = _row(shown, question, outlook, goal, given, making=making)
    if first.units is None:
        return [first]
    numbers = sorted({max(1, math.ceil(first.units * times)) for times in TIMES} - {first.units})
    return [first, *(_at(shown, question, outlook, making.rows(units), goal, making=making) for units in numbers)]


def simulated_rows(pilot: Pilot, given: Assumptions, goal: Goal, samples: int) -> tuple[float, list[PlanRow]]:
    """What the pilot shows, and the plan from a table: others of any size are drawn from it, and evaluated."""
    if not (isinstance(samples, int) and 20 <= samples <= 10_000):
        raise SettingError(f"`samples` must be a whole number from 20 to 10,000, not {literal(samples)}.")
    if given.given.keys() - {"slices", "smallest"}:
        unused = listed(given.given.keys() - {"slices", "smallest"})
        raise SettingError(f"{unused} must be left out where a table is the pilot: what it shows is what is expected.")
    question, row = pilot.question, pilot.measured()
    per_unit = row.n / len(pilot.members)
    outlook = outlook_of_row(question, row)

    def shown(simulated: Sequence[Simulated]) -> list[PlanRow]:
        return [_of_samples(one, pilot, per_unit, goal) for one in simulated]

    if goal.rows is not None:
        return row.estimate, shown([pilot.outcomes(max(1, round(goal.rows / per_unit)), samples)])
    guess = units_wanted(question, outlook, goal, given)
    if guess is None:
        why = why_none(question, outlook)
        return row.estimate, [PlanRow(PILOTED, None, None, None, None, None, None, "simulated", why)]
    units = max(2, round(guess / per_unit))
    tried: list[Simulated] = []
    if question.aims:
        units, tried = simulated_units(pilot, units, power_each(goal, given), samples)
    outcomes = pilot.outcomes(units, samples)
    others = [pilot.outcomes(max(2, round(units * times)), samples) for times in (0.5, 2)]
    by_units = {one.units: one for one in (*tried, *others) if one.units != units}
    return row.estimate, shown([outcomes, *(by_units[key] for key in sorted(by_units))])


def _of_samples(one: Simulated, pilot: Pilot, per_unit: float, goal: Goal) -> PlanRow:
    rows = math.ceil(one.units * per_unit - 1e-9)
    error = math.sqrt(max(one.passed * (1 - one.passed), 1 / one.samples) / one.samples)
    note = f"{one.samples} tables drawn from the pilot; standard error of a chance {error:.2g}"
    passed, failed = (one.passed, one.failed) if pilot.question.aims else (None, None)
    # Intervals are judged at one level and shown at another.
    half = one.half_width * normal_quantile(goal.level) / normal_quantile(pilot.level)
    clusters = one.units if per_unit > 1 else None
    return PlanRow(PILOTED, one.units, rows, clusters, passed, failed, half, one.method, note)
