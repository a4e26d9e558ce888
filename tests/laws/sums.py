"""Units for every statistic, how each sums some of them, and its numbers in an order of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, is_dataclass
from typing import Any

import numpy as np

from adjudge.data.judgements.cases import Cases, CaseText
from adjudge.data.judgements.columns import JointJudgements, Judgements, Scores
from adjudge.data.judgements.judged import JudgedLabels, JudgedValues
from adjudge.data.judgements.label_sets import set_ratings_of
from adjudge.data.judgements.labels import Labels, ordered_labels
from adjudge.data.judgements.measured_columns import MeasuredColumns
from adjudge.data.judgements.numbers import NumbersTogether, PredictedNumbers
from adjudge.data.judgements.pair_votes import ChosenPairs
from adjudge.data.judgements.queries import QueryLists
from adjudge.data.judgements.ratings import Ratings
from adjudge.data.judgements.responses import Responses
from adjudge.data.judgements.tags import annotations_of
from adjudge.data.judgements.treated import Treated
from adjudge.data.judgements.unit_losses import UnitLosses, as_losses
from adjudge.data.judgements.value_columns import ValueColumns
from adjudge.data.judgements.votes import VotePairs
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curve, Curves, Scored
from adjudge.statistics.judges.sums import JudgedSums
from adjudge.statistics.judges.tables import JudgedTables
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.losses import Losses
from adjudge.statistics.moments import Moments
from adjudge.statistics.numbers.conditional_cells import ConditionalCells
from adjudge.statistics.numbers.joint import JointNumbers
from adjudge.statistics.numbers.pairs import NumberPairs
from adjudge.statistics.numbers.residuals import Residuals
from adjudge.statistics.numbers.rows import NumberRows
from adjudge.statistics.numbers.value_pairs import ValuePairs
from adjudge.statistics.preferences.choice_sums import ChoiceSums
from adjudge.statistics.preferences.votes import VoteTable
from adjudge.statistics.queries.hardest import HardestPilot, HardestQueries
from adjudge.statistics.queries.means import QueryMeans
from adjudge.statistics.queries.values import QueryValue
from adjudge.statistics.ratings.patterns import Patterns
from adjudge.statistics.ratings.set_ratings import SetRatings
from adjudge.statistics.ratings.spans import SpanCounts
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.scores.descriptives import Descriptives
from adjudge.statistics.scores.error_cells import ErrorCells, cuts_of
from adjudge.statistics.scores.joint_points import JointPoints
from adjudge.statistics.scores.person_errors import PersonErrors
from adjudge.statistics.scores.sums import ScoreSums
from adjudge.statistics.scores.table import ScoreTable
from adjudge.statistics.scores.totals import ScorePilot, ScoreTotals
from adjudge.statistics.suites.case_outcomes import CaseOutcomes
from adjudge.statistics.systems.counted_flips import FlipSums
from adjudge.statistics.systems.joint_rows import JointRows
from adjudge.statistics.uplift_cells import UpliftCells
from adjudge.statistics.weights import Weights

CATEGORIES = ("a", "b", "c")
ROWS = 24
Numbers = dict[str, Any]


@dataclass(frozen=True)
class Units:
    """What a statistic is summed of: `judgements`, where it keeps the whole protocol, or a way of its own."""

    over: type[Any]
    judgements: Any = None
    own: Callable[[np.ndarray, np.ndarray | None], Any] | None = None  # rows and their weights
    pilot: Any = None
    always: bool = False  # whether sums need the pilot, too, and not draws alone
    others: tuple[Any, ...] = ()  # pilots that are not the same

    def sums(self, rows: np.ndarray, case: np.ndarray | None = None, draws: np.ndarray | None = None) -> Any:
        """The statistic of some of the units; weights and draws are those of all units."""
        if self.own is not None:
            return self.own(rows, None if case is None else case[rows])
        weights = Weights(ROWS, case, draws).of_rows(rows)
        return self.over.collect(
            of_rows(self.judgements, rows), weights, self.pilot if draws is not None or self.always else None
        )


def of_rows(judgements: Any, rows: np.ndarray) -> Any:
    return judgements[rows] if isinstance(judgements, np.ndarray) else judgements.of_rows(rows)


def units_of(name: str, seed: int) -> Units:
    """Random units for a statistic."""
    random = np.random.default_rng(seed)
    return {**PROTOCOL, **OTHERS}[name](random)


def _judgements(random: np.random.Generator) -> Judgements:
    reference, prediction = (Labels(codes, CATEGORIES) for codes in random.integers(0, 3, (2, ROWS)))
    digits = random.choice([1, 15])
    return Judgements(reference, prediction, Scores(CATEGORIES, random.dirichlet(np.ones(3), ROWS).round(digits)))


def _scored(random: np.random.Generator) -> Scored:
    return Scored(random.random(ROWS) < 0.4, random.normal(size=ROWS).round(random.choice([1, 15])))


def _ratings(random: np.random.Generator) -> Ratings:
    codes = random.integers(-1, 3, (ROWS, 3))
    codes[:, 0] = np.maximum(codes[:, 0], 0)
    return Ratings(codes, CATEGORIES, ("x", "y", "z"))


def _measurements(random: np.random.Generator) -> Ratings:
    """Numbers of their own, but for two items that were measured alike."""
    values = random.normal(size=(ROWS, 3))
    values[1] = values[0]
    return Ratings(np.arange(values.size).reshape(values.shape), (), ("x", "y", "z"), values.reshape(-1))


def _sets(random: np.random.Generator) -> Ratings:
    def cell() -> Any:
        return None if random.random() < 0.2 else set(np.array(CATEGORIES)[random.random(3) < 0.4].tolist())

    return set_ratings_of([[cell() for _ in range(3)] for _ in range(ROWS)])


def _annotations(random: np.random.Generator) -> Any:
    def document() -> list[tuple[str, int, int]]:
        starts = random.integers(0, 6, random.integers(0, 4))
        return [(str(random.choice(["A", "B"])), int(s), int(s + random.integers(1, 5))) for s in starts]

    return annotations_of([[document() for _ in range(ROWS)] for _ in range(2)])


def _linear(random: np.random.Generator) -> Units:
    values = np.column_stack([np.ones(ROWS), random.normal(3, 1, ROWS)])
    return Units(
        LinearSums, own=lambda rows, case: LinearSums.collect(("one", "x"), values[rows], Weights(len(rows), case))
    )


def _score_sums(random: np.random.Generator) -> Units:
    truth = random.normal(3.5, 1, ROWS)
    ratings = np.rint(truth[:, None] + random.normal(0, 0.6, (ROWS, 3)))
    ratings[:, 1:][random.random((ROWS, 2)) < 0.4] = np.nan
    scores = truth + random.normal(0, 0.4, ROWS)

    def own(rows: np.ndarray, case: np.ndarray | None) -> ScoreSums:
        responses = Responses(ratings[rows], {"s": scores[rows]})
        pilot = ScorePilot({"human": 3.0, "s": 3.0})
        return ScoreSums(ScoreTotals.collect(responses, Weights(len(rows), case), pilot), "s")

    return Units(ScoreSums, own=own)


def _of_scores(over: type[Any]) -> Callable[[np.random.Generator], Units]:
    def units(random: np.random.Generator) -> Units:
        human, system = random.integers(-3, 9, (2, ROWS)).astype(float)
        groups, cuts = random.integers(0, 3, ROWS), cuts_of(human)
        people = random.integers(0, 9, ROWS).astype(np.uint64)

        def own(rows: np.ndarray, case: np.ndarray | None) -> Any:
            if over is ScoreTable:
                responses = Responses(human[rows, None], {"s": system[rows]})
                return ScoreTable.collect(responses, Weights(len(rows), case))
            if over is Descriptives:
                return Descriptives.of(system[rows], case)
            if over is PersonErrors:
                responses = Responses(human[rows, None], {"s": system[rows]}, people[rows])
                return PersonErrors.collect(responses, Weights(len(rows), case))
            return ErrorCells.of_groups(human[rows], system[rows], groups[rows], CATEGORIES, cuts=cuts, weights=case)

        return Units(over, own=own)

    return units


def _numbers(random: np.random.Generator) -> PredictedNumbers:
    reference, off = random.normal(20, 4, ROWS), random.normal(0.5, 2, ROWS)
    digits = random.choice([0, 15])
    prediction = (reference + off).round(digits)
    return PredictedNumbers(reference.round(digits), prediction, prediction - 2, prediction + 3)


def _joint(random: np.random.Generator) -> JointJudgements:
    """Two systems that answered the same rows, the second with a lone score."""
    reference, *said = (Labels(codes, CATEGORIES) for codes in random.integers(0, 3, (3, ROWS)))
    scores = Scores(("a",), random.random((ROWS, 1)))
    return JointJudgements((Judgements(reference, said[0], None), Judgements(reference, said[1], scores)))


def _together(random: np.random.Generator) -> NumbersTogether:
    first, second = (_numbers(random) for _ in range(2))
    return NumbersTogether(first.reference, (first.prediction, second.prediction))


def _conditional(random: np.random.Generator) -> Units:
    judged = _numbers(random)
    bins = ConditionalCells.pilot(judged)
    return Units(
        ConditionalCells,
        own=lambda rows, case: ConditionalCells.collect(judged.of_rows(rows), Weights(len(rows), case), bins),
    )


def _lists(random: np.random.Generator) -> QueryLists:
    """Queries of one to six items, two systems, of which one did not retrieve everything."""
    sizes = random.integers(1, 7, ROWS)
    items = int(sizes.sum())
    missed = np.where(random.random(items) < 0.3, np.nan, random.normal(size=items).round(1))
    return QueryLists(
        np.append(0, np.cumsum(sizes)),
        random.choice([0.0, 0.0, 1.0, 3.0], items),
        {"x": random.integers(0, 4, items).astype(float), "y": missed},
        names=np.array([f"q{row}" for row in range(ROWS)], dtype=object),
    )


def _judged(random: np.random.Generator) -> JudgedValues:
    human = np.where(random.random(ROWS) < 0.4, random.integers(0, 4, ROWS), np.nan)
    return JudgedValues.of(human, random.integers(0, 4, ROWS).astype(float))


def _judged_labels(random: np.random.Generator) -> JudgedLabels:
    codes = random.integers(0, 3, (ROWS, 4))
    codes[random.random(ROWS) < 0.6, 0] = -1
    return JudgedLabels(("b", "a", "c"), codes)


def _trial(random: np.random.Generator) -> Treated:
    outcome = random.normal(size=ROWS) if random.random() < 0.5 else random.integers(0, 2, ROWS).astype(float)
    return Treated(outcome, random.random(ROWS) < 0.5, random.integers(0, 9, ROWS).astype(float))


def _cases(random: np.random.Generator) -> Cases:
    told = [CaseText(f"c{row}", "dates", "mft", "a", ("a", "b")) for row in range(ROWS)]
    return Cases(random.random((ROWS, 2)) < 0.4, random.integers(0, 3, (ROWS, 2)), None, np.array(told, dtype=object))


def _losses(random: np.random.Generator) -> UnitLosses:
    answers = random.integers(0, 3, (ROWS, 3)).astype(float)
    return UnitLosses((answers > 1).astype(float), answers)


def _points(random: np.random.Generator) -> Responses:
    scores = random.integers(1, 4, (3, ROWS)).astype(float)
    return Responses(scores[:1].T, {"a": scores[1], "b": scores[2]})


def _choices(random: np.random.Generator) -> ChosenPairs:
    lengths = random.integers(5, 9, (ROWS, 2)).astype(float)
    lengths[random.random(ROWS) < 0.2, 1] = np.nan
    return ChosenPairs(random.integers(0, 4, ROWS).astype(np.int8), lengths)


VALUES = (QueryValue("ndcg", 3, "exponential"), QueryValue("precision", 2), QueryValue("kendall", None, "b"))
HARDEST = HardestPilot(VALUES[0], (0.0, 1.0), 5)
GRID = np.linspace(3, -3, 13)
CENTRES = ((20.0, 19.0), (0.0, 1.0))
PROTOCOL: dict[str, Callable[[np.random.Generator], Units]] = {
    "confusion": lambda random: Units(Confusion, _judgements(random)),
    "curve": lambda random: Units(Curve, _scored(random), pilot=GRID, others=(GRID[::2],)),
    "curves": lambda random: Units(Curves, _judgements(random), pilot=(GRID / 6 + 0.5,) * 3),
    "losses": lambda random: Units(Losses, _judgements(random)),
    "moments": lambda random: Units(Moments, random.normal(1e3, 1.0, ROWS)),
    "patterns": lambda random: Units(Patterns, _ratings(random)),
    "rating vectors": lambda random: Units(RatingVectors, _ratings(random)),
    "measurements": lambda random: Units(RatingVectors, _measurements(random)),
    "set ratings": lambda random: Units(SetRatings, _sets(random)),
    "spans": lambda random: Units(SpanCounts, _annotations(random)),
    "number pairs": lambda random: Units(
        NumberPairs, _numbers(random), pilot=(20.0, 19.0), always=True, others=((0.0, 1.0),)
    ),
    "votes": lambda random: Units(VoteTable, VotePairs(*random.integers(0, 8, (2, ROWS)), np.arange(ROWS))),
    "choices": lambda random: Units(ChoiceSums, _choices(random)),
    "residuals": lambda random: Units(
        Residuals, _numbers(random), pilot=np.linspace(6, 0, 13), others=(np.linspace(7, 0, 13),)
    ),
    "query means": lambda random: Units(
        QueryMeans, _lists(random), pilot=VALUES, always=True, others=(VALUES[:2], VALUES[::-1])
    ),
    "case outcomes": lambda random: Units(CaseOutcomes, _cases(random), pilot=1, always=True, others=(0,)),
    "flips": lambda random: Units(
        FlipSums, _losses(random), pilot=(as_losses, 1, True), always=True, others=((as_losses, 0, True),)
    ),
    "joint points": lambda random: Units(
        JointPoints,
        _points(random),
        pilot=(("a", "b"), 1.0),
        always=True,
        others=((("b", "a"), 1.0), (("a", "b"), 0.5)),
    ),
    "joint numbers": lambda random: Units(
        JointNumbers, _together(random), pilot=CENTRES, always=True, others=(CENTRES[::-1],)
    ),
    "joint rows": lambda random: Units(
        JointRows,
        _joint(random),
        pilot=(None, np.array([0.7, 0.4, 0.0])),
        always=True,
        others=((None, np.array([0.5, 0.0])), (None, None)),
    ),
    "number rows": lambda random: Units(NumberRows, MeasuredColumns(random.integers(0, 3, (ROWS, 2)).astype(float))),
    "value pairs": lambda random: Units(ValuePairs, ValueColumns(*random.integers(0, 4, (2, ROWS)).astype(float))),
    "judged sums": lambda random: Units(JudgedSums, _judged(random)),
    "judged tables": lambda random: Units(JudgedTables, _judged_labels(random)),
    "uplift cells": lambda random: Units(UpliftCells, _trial(random)),
}
OTHERS: dict[str, Callable[[np.random.Generator], Units]] = {
    "linear sums": _linear,
    "score sums": _score_sums,
    "score table": _of_scores(ScoreTable),
    "descriptives": _of_scores(Descriptives),
    "error cells": _of_scores(ErrorCells),
    "person errors": _of_scores(PersonErrors),
    "conditional cells": _conditional,
    "hardest queries": lambda random: Units(
        HardestQueries, _lists(random), pilot=HARDEST, always=True, others=(HARDEST._replace(value=VALUES[1]),)
    ),
}
EVERY = (*PROTOCOL, *OTHERS)
# Statistics of cells: these draw their own replicates.
DRAWN = tuple(name for name in PROTOCOL if name not in ("losses", "moments", "curves"))


def numbers(statistic: Any) -> Numbers:
    """Every number in a statistic by what it is of; rows of cells in an order that their makers do not decide."""
    if isinstance(statistic, Patterns):
        names = [tuple(sorted(zip(statistic.categories, row, strict=True))) for row in statistic.patterns]
        return _of_kinds(statistic, [str([(c, n) for c, n in row if n]) for row in names])
    if isinstance(statistic, RatingVectors) and statistic.numbers is not None:
        return _of_kinds(statistic, [str(row.tolist()) for row in statistic.values])
    if isinstance(statistic, RatingVectors):
        names = np.append(np.array(statistic.categories, dtype=object), "-")
        return _of_kinds(statistic, [" ".join(names[row]) for row in statistic.vectors])
    if isinstance(statistic, SetRatings):
        names = np.append(np.array(statistic.table.sets, dtype=object), "-")
        return _of_kinds(statistic, [" ".join(names[row]) for row in statistic.table.vectors])
    if isinstance(statistic, SpanCounts):
        statistic = statistic.aligned(ordered_labels({*statistic.categories, "A", "B"}))
        return _of_kinds(statistic, [str(row.astype(int).tolist()) for row in statistic.documents])
    if isinstance(statistic, NumberPairs):
        statistic = statistic.moved((0.0, 0.0))
    if isinstance(statistic, JointNumbers):
        statistic = statistic.moved(((0.0, 0.0),) * len(statistic.centres))
    if isinstance(statistic, Curves):
        return {f"{c} {k}": v for c, curve in enumerate(statistic.curves) for k, v in numbers(curve).items()}
    if isinstance(statistic, Curve):
        points = statistic.points
        return {name: getattr(points, name) for name in ("thresholds", "counts", "squares", "rows", "level")}
    if isinstance(statistic, Confusion):
        statistic = statistic.aligned(CATEGORIES)
    if isinstance(statistic, ErrorCells):
        statistic = statistic.of_levels(None)
        return _fields(statistic, ("errors", "squared")) | {
            name: _fields(getattr(statistic, name).about(0.0), ()) for name in ("errors", "squared")
        }
    if isinstance(statistic, LinearSums):
        kept = statistic.kept
        order = None if kept is None else np.lexsort(kept.T)
        return _fields(statistic, ("kept",)) | ({} if kept is None else {"kept": kept[order]})
    return {name: numbers(value) if is_dataclass(value) else value for name, value in _fields(statistic, ()).items()}


def _fields(statistic: Any, skipped: tuple[str, ...]) -> Numbers:
    return {name: getattr(statistic, name) for name in statistic.__dataclass_fields__ if name not in skipped}


def _of_kinds(statistic: Any, names: list[str]) -> Numbers:
    counts = statistic.counts
    kinds = sorted(set(names))
    place = np.array([kinds.index(name) for name in names], dtype=np.int64)

    def placed(amounts: np.ndarray) -> np.ndarray:
        sums = np.zeros((*amounts.shape[:-1], len(kinds)))
        for cell, where in enumerate(place):
            sums[..., where] += amounts[..., cell]
        return sums

    return {"kinds": kinds, "counts": placed(counts), "squares": placed(statistic.squares), "rows": statistic.rows}
