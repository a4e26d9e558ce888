"""The laws of `+`, for every statistic: associative, commutative, two parts equal the whole, nothing is neutral."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.data.columns import Judgements, Scores
from adjudge.data.labels import Labels
from adjudge.statistics import growing
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curve import Curve, Curves, Scored
from adjudge.statistics.losses import Losses
from adjudge.statistics.moments import Moments
from adjudge.statistics.weights import Weights

REPEATABLE = settings(max_examples=40, deadline=None, derandomize=True)
CATEGORIES = ("a", "b", "c")
KINDS = ["moments", "confusion", "curve", "curves", "losses"]


class Table:
    """Random rows of every sort, from which each statistic collects what it needs."""

    def __init__(self, seed: int, rows: int, weighted: bool, digits: int) -> None:
        random = np.random.default_rng(seed)
        self.reference, self.prediction = random.integers(0, 3, (2, rows))
        self.scores = np.round(random.dirichlet(np.ones(3), rows), digits) if rows else np.zeros((0, 3))
        self.values = random.normal(1e3, 1.0, rows)
        self.weights = random.gamma(2.0, 1.0, rows) if weighted else None

    def collect(self, kind: str, rows: np.ndarray) -> Any:
        weights = Weights(len(self.values), self.weights).of_rows(rows)
        reference = Labels(self.reference[rows], CATEGORIES)
        prediction = Labels(self.prediction[rows], CATEGORIES)
        judgements = Judgements(reference, prediction, Scores(CATEGORIES, self.scores[rows]))
        if kind == "moments":
            return Moments.collect(self.values[rows], weights)
        if kind == "confusion":
            return Confusion.collect(only_used(judgements), weights)
        if kind == "curve":
            return Curve.collect(Scored(self.reference[rows] == 0, self.scores[rows, 0]), weights)
        return {"curves": Curves, "losses": Losses}[kind].collect(judgements, weights)


def only_used(judgements: Judgements) -> Judgements:
    """The same rows, with no category that does not occur: parts then differ in their categories."""

    def used(labels: Labels) -> Labels:
        codes, places = np.unique(labels.codes, return_inverse=True)
        return Labels(places.astype(np.int64), tuple(CATEGORIES[code] for code in codes))

    return Judgements(used(judgements.reference), used(judgements.prediction))


def parts_of(statistic: Any) -> dict[str, Any]:
    """Every number in a statistic, by where it stands."""
    if isinstance(statistic, (tuple, list)):
        return {f"{i}.{k}": v for i, part in enumerate(statistic) for k, v in parts_of(part).items()}
    if isinstance(statistic, Curve):  # its cells may be merged or not; what is read must be the same
        return parts_of(statistic.points) | parts_of(statistic.inside)
    if hasattr(statistic, "__dataclass_fields__"):
        fields = statistic.__dataclass_fields__
        return {f"{f}.{k}": v for f in fields for k, v in parts_of(getattr(statistic, f)).items()}
    return {"": statistic}


def assert_same(a: Any, b: Any) -> None:
    left, right = parts_of(a), parts_of(b)
    assert left.keys() == right.keys()
    for where, value in left.items():
        if isinstance(value, (str, type(None))):
            assert value == right[where], where
        elif where.endswith("thresholds."):
            assert np.array_equal(value, right[where]), where  # scores are kept, never computed
        else:
            assert value == pytest.approx(right[where], rel=1e-9, abs=1e-9, nan_ok=True), where


tables = st.builds(Table, st.integers(0, 2**32 - 1), st.integers(3, 40), st.booleans(), st.sampled_from([1, 15]))


@pytest.mark.parametrize("kind", KINDS)
class TestLawsOfPlus:
    @REPEATABLE
    @given(table=tables, cut=st.floats(0, 1))
    def test_two_parts_added_equal_the_whole(self, kind: str, table: Table, cut: float) -> None:
        rows = np.arange(len(table.values))
        place = round(cut * len(rows))
        parts = table.collect(kind, rows[:place]) + table.collect(kind, rows[place:])
        assert_same(parts, table.collect(kind, rows))

    @REPEATABLE
    @given(table=tables)
    def test_order_does_not_matter(self, kind: str, table: Table) -> None:
        a, b = (table.collect(kind, rows) for rows in np.array_split(np.arange(len(table.values)), 2))
        assert_same(a + b, b + a)

    @REPEATABLE
    @given(table=tables)
    def test_brackets_do_not_matter(self, kind: str, table: Table) -> None:
        a, b, c = (table.collect(kind, rows) for rows in np.array_split(np.arange(len(table.values)), 3))
        assert_same((a + b) + c, a + (b + c))

    @REPEATABLE
    @given(table=tables)
    def test_nothing_is_neutral(self, kind: str, table: Table) -> None:
        whole, nothing = table.collect(kind, np.arange(len(table.values))), table.collect(kind, np.arange(0))
        assert_same(whole + nothing, whole)
        assert_same(nothing + whole, whole)


@pytest.mark.parametrize("empty", [Confusion.empty, Curve.empty])
def test_the_empty_statistic_is_neutral(empty) -> None:
    table = Table(1, 30, True, 2)
    whole = table.collect(empty.__self__.__name__.lower(), np.arange(30))
    assert_same(whole + empty(), whole)
    assert_same(empty() + whole, whole)


def test_draws_add_like_everything_else() -> None:
    """A leading axis rides along."""
    random = np.random.default_rng(2)
    table = Table(2, 30, True, 1)
    draws = random.poisson(1.0, (30, 5)).astype(float)
    judgements = Judgements(Labels(table.reference, CATEGORIES), Labels(table.prediction, CATEGORIES))
    whole = Confusion.collect(judgements, Weights(30, table.weights, draws))
    parts = [
        Confusion.collect(judgements.of_rows(rows), Weights(30, table.weights, draws).of_rows(rows))
        for rows in (np.arange(11), np.arange(11, 30))
    ]
    assert_same(parts[0] + parts[1], whole)
    assert whole.counts.shape == (5, 3, 3)


class TestCompression:
    """Beyond MOST_SCORES distinct scores, leading bits are kept: the same ones whatever the parts."""

    @pytest.fixture(autouse=True)
    def few_scores(self, monkeypatch) -> None:
        monkeypatch.setattr(growing, "MOST_SCORES", 16)

    @REPEATABLE
    @given(seed=st.integers(0, 2**32 - 1), parts=st.integers(2, 6))
    def test_parts_and_order_do_not_matter(self, seed: int, parts: int) -> None:
        random = np.random.default_rng(seed)
        positive, score = random.random(120) < 0.4, random.normal(size=120)
        weights = Weights(120, random.gamma(2.0, 1.0, 120))
        whole = Curve.collect(Scored(positive, score), weights)
        order = random.permutation(120)
        pieces = [
            Curve.collect(Scored(positive[rows], score[rows]), weights.of_rows(rows))
            for rows in np.array_split(order, parts)
        ]
        assert_same(reduce(add, pieces), whole)
        assert_same(reduce(lambda a, b: b + a, pieces), whole)
        assert len(whole.thresholds) <= 16
        assert whole.level > 0

    def test_nothing_is_lost(self) -> None:
        random = np.random.default_rng(4)
        positive, score = random.random(500) < 0.4, random.random(500)
        made = Curve.collect(Scored(positive, score), Weights(500))
        assert made.positive_total == positive.sum()
        assert made.negative_total == (~positive).sum()
        assert made.thresholds[-1] == score.min()
        assert (np.diff(made.thresholds) < 0).all()

    def test_cells_hold_neighbours_only(self) -> None:
        """A threshold takes exactly the rows that score at least as high."""
        random = np.random.default_rng(5)
        positive, score = random.random(300) < 0.5, random.normal(size=300)
        made = Curve.collect(Scored(positive, score), Weights(300))
        taken = [(positive & (score >= t)).sum() for t in made.thresholds]
        assert made.true_positives.tolist() == taken

    def test_few_scores_stay_exact(self) -> None:
        made = Curve.collect(Scored(np.array([True, False] * 20), np.repeat(np.arange(10.0), 4)), Weights(40))
        assert made.level == 0
        assert made.thresholds.tolist() == list(range(9, -1, -1))


def alternating(first: float, low: float, high: float) -> np.ndarray:
    return np.array([first, *([low, high] * 500)])


NIST = {
    "NumAcc1": (np.array([10000001.0, 10000003.0, 10000002.0]), 10000002.0, 1.0),
    "NumAcc2": (alternating(1.2, 1.1, 1.3), 1.2, 0.1),
    "NumAcc3": (alternating(1000000.2, 1000000.1, 1000000.3), 1000000.2, 0.1),
    "NumAcc4": (alternating(10000000.2, 10000000.1, 10000000.3), 10000000.2, 0.1),
}


@pytest.mark.parametrize("name", NIST)
@pytest.mark.parametrize("blocks", [1, 2, 3, 7, 100])
def test_certified_mean_and_deviation(name: str, blocks: int) -> None:
    """NIST StRD, univariate. The data themselves are off by 1e-9 in the last two: 0.1 is not a binary number."""
    values, mean, deviation = NIST[name]
    pieces = [Moments.collect(part, Weights(len(part))) for part in np.array_split(values, blocks)]
    made = reduce(add, pieces)
    n = len(values)
    assert float(made.mean) == pytest.approx(mean, rel=1e-14)
    tolerance = {"NumAcc1": 1e-14, "NumAcc2": 1e-13, "NumAcc3": 2e-9, "NumAcc4": 2e-8}[name]
    assert float(np.sqrt(made.deviations / (n - 1))) == pytest.approx(deviation, rel=tolerance)


def test_moments_of_no_weight_have_no_mean() -> None:
    nothing = Moments.collect(np.zeros(0), Weights(0))
    assert np.isnan(nothing.average)
    assert np.isnan(nothing.variance)


def test_one_infinite_value_makes_the_mean_infinite() -> None:
    parts = [Moments.collect(np.array(values), Weights(len(values))) for values in ([1.0, np.inf], [2.0, 3.0])]
    assert (parts[0] + parts[1]).average == np.inf
    assert (parts[1] + parts[0]).average == np.inf
    assert (parts[0] + parts[0]).average == np.inf
