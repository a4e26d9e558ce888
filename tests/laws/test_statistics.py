"""The laws of statistics, over all of them: parts, trees, weights, levels, draws and copies."""

from __future__ import annotations

import pickle
from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.laws.sums import DRAWN, EVERY, PROTOCOL, ROWS, numbers, of_rows, units_of

from adjudge.data.judgements.unit_losses import as_losses
from adjudge.errors import SettingError
from adjudge.statistics.base import Statistic
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves import growing
from adjudge.statistics.curves.curve import Curve, Scored
from adjudge.statistics.moments import Moments
from adjudge.statistics.suites.case_outcomes import CaseList
from adjudge.statistics.systems.paired_units import PairedUnits
from adjudge.statistics.weights import Weights

# A seed and a choice or two are all that is given: what units are like is drawn afresh in every example.
REPEATABLE = settings(max_examples=16, deadline=None, derandomize=True)


def parts_of(statistic: Any) -> dict[str, Any]:
    """Every number in a statistic, by where it stands."""
    if isinstance(statistic, (tuple, list)):
        return {f"{i}.{k}": v for i, part in enumerate(statistic) for k, v in parts_of(part).items()}
    if isinstance(statistic, dict):
        return {f"{name}.{k}": v for name, part in statistic.items() for k, v in parts_of(part).items()}
    if hasattr(statistic, "__dataclass_fields__"):
        fields = statistic.__dataclass_fields__
        return {f"{f}.{k}": v for f in fields for k, v in parts_of(getattr(statistic, f)).items()}
    return {"": statistic}


def assert_same(a: Any, b: Any, skipped: tuple[str, ...] = ()) -> None:
    left, right = parts_of(numbers(a)), parts_of(numbers(b))
    assert left.keys() == right.keys()
    for where, value in left.items():
        if any(name in where for name in skipped):
            continue
        if isinstance(value, (str, type(None))):
            assert value == right[where], where
        elif where.endswith("thresholds."):
            assert np.array_equal(value, right[where]), where  # scores are kept, never computed
        else:
            assert close(value, right[where]), where


def close(value: Any, expected: Any) -> bool:
    """As `pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True)`, which walks an array in Python."""
    a, b = np.asarray(value, dtype=np.float64), np.asarray(expected, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        near = np.abs(a - b) <= np.maximum(1e-9, 1e-9 * np.abs(b))
    return a.shape == b.shape and bool((near & np.isfinite(b) | (a == b) | (np.isnan(a) & np.isnan(b))).all())


ALL = np.arange(ROWS)
seeds = st.integers(0, 2**32 - 1)


def weights_of(seed: int, weighted: bool) -> np.ndarray | None:
    return np.random.default_rng([seed, 1]).gamma(2.0, 1.0, ROWS) if weighted else None


def any_tree(parts: list[Any], random: np.random.Generator) -> Any:
    """The sum of all parts: any two are added, until one is left."""
    while len(parts) > 1:
        i, j = random.choice(len(parts), 2, replace=False)
        both = parts[i] + parts[j]
        parts = [part for place, part in enumerate(parts) if place not in (i, j)] + [both]
    return parts[0]


@pytest.mark.parametrize("name", EVERY)
class TestLawsOfSums:
    """Of every statistic, and of what else adds."""

    @REPEATABLE
    @given(seed=seeds, weighted=st.booleans(), many=st.integers(2, 7))
    def test_any_parts_added_along_any_tree_equal_the_whole(
        self, name: str, seed: int, weighted: bool, many: int
    ) -> None:
        random = np.random.default_rng([seed, 2])
        units, case = units_of(name, seed), weights_of(seed, weighted)
        parts = [units.sums(rows, case) for rows in np.array_split(random.permutation(ROWS), many)]
        assert_same(any_tree(parts, random), units.sums(ALL, case))

    @REPEATABLE
    @given(seed=seeds, weighted=st.booleans())
    def test_order_does_not_matter(self, name: str, seed: int, weighted: bool) -> None:
        units, case = units_of(name, seed), weights_of(seed, weighted)
        a, b = units.sums(ALL[:9], case), units.sums(ALL[9:], case)
        assert_same(a + b, b + a)

    @REPEATABLE
    @given(seed=seeds, weighted=st.booleans())
    def test_nothing_is_neutral(self, name: str, seed: int, weighted: bool) -> None:
        units, case = units_of(name, seed), weights_of(seed, weighted)
        whole, nothing = units.sums(ALL, case), units.sums(ALL[:0], case)
        assert_same(whole + nothing, whole)
        assert_same(nothing + whole, whole)

    @REPEATABLE
    @given(seed=seeds, unit=st.sampled_from([0.25, 3.0, 1e-3]))
    def test_scaled_is_summed_with_scaled_weights(self, name: str, seed: int, unit: float) -> None:
        units, case = units_of(name, seed), weights_of(seed, weighted=True)
        assert case is not None
        assert_same(units.sums(ALL, case).scaled(unit), units.sums(ALL, case * unit))
        assert_same(units.sums(ALL).scaled(unit), units.sums(ALL, np.full(ROWS, unit)))

    @REPEATABLE
    @given(seed=seeds)
    def test_whole_weights_are_repeated_units(self, name: str, seed: int) -> None:
        """But for the number of units, and for what says how unequal weights are."""
        units, times = units_of(name, seed), np.random.default_rng(seed).integers(1, 4, ROWS)
        repeated = units.sums(np.repeat(ALL, times))
        weighted = units.sums(ALL, times.astype(np.float64))
        of_units = (
            "rows",
            "twice",
            "squares",
            "weighed",
            "products",
            "kept",
            "units",
            "n.",
            "times",
            "improper",
            "largest",
        )
        of_units += ("counted", "lowest")
        assert_same(weighted, repeated, skipped=tuple(n for n in of_units if (name, n) != ("descriptives", "squares")))

    @REPEATABLE
    @given(seed=seeds, weighted=st.booleans())
    def test_a_pickled_copy_adds_like_the_original(self, name: str, seed: int, weighted: bool) -> None:
        units, case = units_of(name, seed), weights_of(seed, weighted)
        a, b = units.sums(ALL[:9], case), units.sums(ALL[9:], case)
        copy = pickle.loads(pickle.dumps(a))
        assert_same(copy, a)
        original, copied = (parts_of(numbers(sums)) for sums in (a + b, copy + b))
        for where, value in original.items():
            assert np.array_equal(value, copied[where], equal_nan=isinstance(value, (float, np.ndarray))), where


@pytest.mark.parametrize("name", PROTOCOL)
class TestLawsOfStatistics:
    """Of what keeps the whole protocol."""

    def test_it_inherits_the_protocol(self, name: str) -> None:
        assert Statistic in units_of(name, 1).over.__mro__

    @REPEATABLE
    @given(seed=seeds, weighted=st.booleans(), drawn=st.booleans(), levels=st.integers(1, 5))
    def test_all_levels_at_once_are_each_level_by_itself(
        self, name: str, seed: int, weighted: bool, drawn: bool, levels: int
    ) -> None:
        random = np.random.default_rng([seed, 3])
        units, case = units_of(name, seed), weights_of(seed, weighted)
        draws = random.poisson(1.0, (ROWS, 3)).astype(float) if drawn else None
        codes = random.integers(0, levels, ROWS)
        judgements, pilot = units.judgements, units.pilot if drawn or units.always else None
        at_once = units.over.collect_by(judgements, Weights(ROWS, case, draws), codes, levels + 1, pilot)
        assert at_once[levels] is None
        assert len(at_once) == levels + 1
        for level, sums in enumerate(at_once[:levels]):
            rows = np.flatnonzero(codes == level)
            if len(rows):
                assert_same(sums, units.sums(rows, case, draws))
            else:
                assert sums is None

    @REPEATABLE
    @given(seed=seeds, weighted=st.booleans())
    def test_draws_are_one_leading_axis(self, name: str, seed: int, weighted: bool) -> None:
        """They add, stack and come apart again; each is what its own weights give."""
        random = np.random.default_rng([seed, 4])
        units, case = units_of(name, seed), weights_of(seed, weighted)
        draws = random.poisson(1.0, (ROWS, 5)).astype(float)
        whole = units.sums(ALL, case, draws)
        assert_same(units.sums(ALL[:9], case, draws) + units.sums(ALL[9:], case, draws), whole)
        assert_same(units.over.stacked([whole.tile(0, 2), whole.tile(2, 5)]), whole)
        third = units.sums(ALL, case, draws[:, 2:3])
        assert_same(whole.tile(2, 3), third)
        assert_same(units.sums(ALL, case).with_draws(whole).tile(2, 3), units.sums(ALL, case).with_draws(third))

    @REPEATABLE
    @given(seed=seeds)
    def test_effective_rows_do_not_know_the_unit_of_weights(self, name: str, seed: int) -> None:
        units, case = units_of(name, seed), weights_of(seed, weighted=True)
        assert case is not None
        sums = units.sums(ALL, case)
        assert sums.rows == ROWS
        assert float(sums.scaled(3.0).effective_rows) == pytest.approx(float(sums.effective_rows))
        if name not in (
            "set ratings",
            "spans",
            "patterns",
            "rating vectors",
            "measurements",
        ):  # units without a rating may be left out
            assert float(sums.effective_rows) == pytest.approx(case.sum() ** 2 / (case**2).sum())


@pytest.mark.parametrize("name", [name for name in EVERY if units_of(name, 1).others])
@REPEATABLE
@given(seed=seeds, weighted=st.booleans())
def test_sums_that_were_made_knowing_other_things_are_moved_or_refused(name: str, seed: int, weighted: bool) -> None:
    units, case = units_of(name, seed), weights_of(seed, weighted)
    draws = None if units.always else np.random.default_rng([seed, 6]).poisson(1.0, (ROWS, 3)).astype(float)
    one = units.sums(ALL[:9], case, draws)
    for pilot in units.others:
        other = replace(units, pilot=pilot).sums(ALL[9:], case, draws)
        try:
            both = one + other
        except SettingError:
            continue
        assert_same(both, units.sums(ALL, case, draws))


@pytest.mark.parametrize("name", [name for name in EVERY if units_of(name, 1).others and not units_of(name, 1).always])
@pytest.mark.parametrize("weighted", [False, True])
def test_sums_on_another_grid_are_moved_or_refused_without_draws_too(name: str, weighted: bool) -> None:
    units, case = replace(units_of(name, 3), always=True), weights_of(3, weighted)
    one, whole = units.sums(ALL[:9], case), units.sums(ALL, case)
    assert_same(one + units.sums(ALL[9:], case), whole)
    for pilot in (*units.others, None):
        other = replace(units, pilot=pilot).sums(ALL[9:], case)
        try:
            both = one + other
        except SettingError:
            continue
        assert_same(both, whole)


# Units of what counted cells tell; where a statistic has none of its own, the pairs of another.
OF_CELLS = {
    **{units_of(name, 0).over: name for name in PROTOCOL if units_of(name, 0).over.is_of_cells},
    PairedUnits: "flips",
}


def test_every_statistic_that_is_made_of_cells_is_looked_at() -> None:
    def every(base: type[Any]) -> set[type[Any]]:
        return {base} | {one for below in base.__subclasses__() for one in every(below)}

    assert {one for one in every(Statistic) if one.is_of_cells and one.__module__.startswith("adjudge.")} == {*OF_CELLS}


@pytest.mark.parametrize("over", OF_CELLS)
@REPEATABLE
@given(seed=seeds, weighted=st.booleans())
def test_counted_cells_tell_what_the_rows_tell(over: type[Any], seed: int, weighted: bool) -> None:
    """Distinct rows, as SQL or a cube counts them, with the sums of their weights and of the squares of these."""
    random, units = np.random.default_rng([seed, 6]), units_of(OF_CELLS[over], seed)
    times = random.integers(1, 5, ROWS)
    rows = np.repeat(ALL, times)
    case = random.gamma(2.0, 1.0, len(rows)) if weighted else None
    sums = () if case is None else (np.bincount(rows, case), np.bincount(rows, case**2))
    pilot = (as_losses, 1) if over is PairedUnits else units.pilot if units.always else None
    cells = over.collect(units.judgements, Weights.standing_for(times, *sums), pilot)
    assert_same(cells, over.collect(of_rows(units.judgements, rows), Weights(len(rows), case), pilot))
    halves = [(ALL[:9], slice(0, 9)), (ALL[9:], slice(9, ROWS))]
    parts = [
        over.collect(of_rows(units.judgements, some), Weights.standing_for(times[at], *(s[at] for s in sums)), pilot)
        for some, at in halves
    ]
    assert_same(parts[0] + parts[1], cells)


@pytest.mark.parametrize(
    ("statistic", "of", "pilots"),
    [
        (CaseList, "case outcomes", [(0, (1,), False), (1, (0,), False), (0, (1,), True)]),
        (PairedUnits, "flips", [(as_losses, 0), (as_losses, 1)]),
    ],
)
def test_lists_of_other_systems_are_not_added(statistic: Any, of: str, pilots: list[Any]) -> None:
    first, *others = (statistic.collect(units_of(of, 1).judgements, Weights(ROWS), pilot) for pilot in pilots)
    for other in others:
        with pytest.raises(SettingError, match="must be the same in all parts"):
            _ = first + other


@pytest.mark.parametrize("kind", ["multinomial", "poisson", "bayesian"])
@pytest.mark.parametrize("name", DRAWN)
@settings(max_examples=10, deadline=None, derandomize=True)
@given(seed=seeds)
def test_replicates_depend_on_the_sums_alone(name: str, kind: str, seed: int) -> None:
    """Not on the order of units or parts, nor on a trip through another process."""
    units, order = units_of(name, seed), np.random.default_rng([seed, 5]).permutation(ROWS)
    whole, parts = units.sums(ALL), units.sums(order[:7]) + units.sums(order[7:])
    drawn = whole.resampled(kind, 6, 7, "a stream")
    assert_same(parts.resampled(kind, 6, 7, "a stream"), drawn)
    assert_same(pickle.loads(pickle.dumps(parts)).resampled(kind, 6, 7, "a stream"), drawn)


@pytest.mark.parametrize("name", DRAWN)
def test_without_one_unit_of_each_kind(name: str) -> None:
    """Every unit is left out once, and what is left out weighs one."""
    whole = units_of(name, 3).sums(ALL)
    left, times = whole.without_one()
    assert times.sum() == ROWS
    total = left.counts.reshape(len(times), -1).sum(1) if hasattr(left, "counts") else left.total
    assert total == pytest.approx(np.full(len(times), ROWS - 1.0))


@pytest.mark.parametrize("name", ["losses", "moments"])
def test_means_do_not_draw_on_cells(name: str) -> None:
    whole = units_of(name, 1).sums(ALL)
    for refused in (lambda: whole.resampled("poisson", 3, 7, ""), whole.without_one):
        with pytest.raises(SettingError, match="no cells"):
            refused()


@pytest.mark.parametrize(("name", "empty"), [("confusion", Confusion.empty), ("curve", Curve.empty)])
def test_the_empty_statistic_is_neutral(name: str, empty: Any) -> None:
    whole = units_of(name, 1).sums(ALL, weights_of(1, weighted=True))
    assert_same(whole + empty(), whole)
    assert_same(empty() + whole, whole)


class TestCompression:
    """Beyond MOST_SCORES distinct scores, leading bits are kept: the same ones whatever the parts."""

    @pytest.fixture(autouse=True)
    def few_scores(self, monkeypatch) -> None:
        monkeypatch.setattr(growing, "MOST_SCORES", 16)
        monkeypatch.setattr(growing, "MOST_CELLS", 16)

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
        assert score.min() * (1 - 2.0 ** (made.level - 52)) <= made.thresholds[-1] <= score.min()
        sums = (made.counts * made.within.mean_score).sum(-1)
        assert sums == pytest.approx([score[positive].sum(), score[~positive].sum()], rel=1e-9)
        selected = [np.count_nonzero(positive & (score >= threshold)) for threshold in made.thresholds]
        assert made.true_positives.tolist() == selected

    @pytest.mark.parametrize("weighted", [False, True])
    def test_cells_part_at_the_score_that_decides(self, weighted: bool) -> None:
        random = np.random.default_rng(5)
        positive, score, cut = random.random(500) < 0.4, random.normal(size=500), 0.3171
        case = random.gamma(2.0, 1.0, 500) if weighted else None
        made = reduce(
            add,
            (
                Curve.collect(
                    Scored(positive[rows], score[rows], cut=cut), Weights(100, None if case is None else case[rows])
                )
                for rows in np.split(np.arange(500), 5)
            ),
        )
        assert made.level > 0
        assert cut in made.thresholds
        chosen = made.thresholds >= cut
        each = np.ones(500) if case is None else case
        for side, rows in enumerate((positive, ~positive)):
            assert made.counts[side, chosen].sum() == pytest.approx(each[rows & (score >= cut)].sum(), rel=1e-12)
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
