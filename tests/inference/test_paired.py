"""Laws of paired comparison: what must hold for any two systems, whatever the numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.errors import SettingError
from adjudge.inference.differences.paired_areas import paired_areas
from adjudge.inference.differences.paired_shares import (
    PairedShares,
    mcnemar,
    newcombe_paired,
    not_worse_p,
    share_limits,
    square_and_add,
    tango,
    tango_z,
)
from adjudge.inference.differences.paired_units import (
    clustered_difference,
    mean_of_differences,
    sign_flip_p,
    signed_ranks,
)
from adjudge.inference.differences.shares_apart import miettinen_nurminen
from adjudge.inference.many.looks import share_e_value
from adjudge.inference.many.multiplicity import benjamini_hochberg, hochberg, holm, letters, max_t, rank_intervals
from adjudge.inference.reach import share_sequence_reach

COUNT = st.integers(0, 60)
PAIRS = st.builds(PairedShares, COUNT, COUNT, COUNT, COUNT).filter(lambda pairs: pairs.rows > 0)
NUMBERS = st.lists(st.integers(-4, 4).map(float), min_size=2, max_size=12)


@given(PAIRS)
@settings(max_examples=60, deadline=None)
def test_swapping_the_systems_mirrors_everything(pairs: PairedShares) -> None:
    other = pairs.swapped
    assert other.difference == pytest.approx(-pairs.difference)
    assert mcnemar(other) == pytest.approx(mcnemar(pairs))
    assert mcnemar(other, "less", mid=True) == pytest.approx(mcnemar(pairs, "greater", mid=True))
    for interval in (tango, newcombe_paired):
        low, high = interval(pairs, 0.95)
        assert interval(other, 0.95) == pytest.approx((-high, -low), abs=1e-9)


@given(PAIRS)
@settings(max_examples=60, deadline=None)
def test_limits_hold_the_difference_and_have_width(pairs: PairedShares) -> None:
    for level in (0.5, 0.9, 0.999):
        low, high = tango(pairs, level)
        assert -1 <= low <= pairs.difference <= high <= 1
        assert high - low > 0


@given(PAIRS)
@settings(max_examples=60, deadline=None)
def test_tangos_interval_leaves_out_zero_when_mcnemars_chi_square_rejects(pairs: PairedShares) -> None:
    low, high = tango(pairs, 0.95)
    if not math.isclose(abs(tango_z(pairs, 0.0)), 1.959964, rel_tol=1e-5):
        assert (low > 0 or high < 0) == (abs(tango_z(pairs, 0.0)) > 1.959964)
    assert not_worse_p(pairs, 0.0) >= 0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_an_adjusted_p_value_is_never_smaller(p: list[float]) -> None:
    for adjust in (holm, hochberg, benjamini_hochberg):
        adjusted = adjust(p)
        assert (adjusted >= np.array(p) - 1e-15).all()
        assert (adjusted <= 1).all()
    assert (hochberg(p) <= holm(p) + 1e-12).all()


@given(st.integers(2, 6), st.randoms(use_true_random=False))
def test_systems_share_a_letter_exactly_when_they_are_not_told_apart(count: int, random: object) -> None:
    different = np.zeros((count, count), dtype=bool)
    for one in range(count):
        for two in range(one):
            different[one, two] = different[two, one] = random.random() < 0.5  # type: ignore[attr-defined]
    shown = [set(word) for word in letters(different)]
    for one in range(count):
        for two in range(count):
            assert bool(shown[one] & shown[two]) == (not different[one, two])


def test_letters_do_not_stop_at_z() -> None:
    assert letters(~np.eye(30, dtype=bool))[-1] == "ad"


@given(NUMBERS)
@settings(max_examples=50, deadline=None)
def test_randomisation_and_rank_tests_do_not_care_which_system_is_first(d: list[float]) -> None:
    for test in (sign_flip_p, lambda x: signed_ranks(x).p):
        p = test(d)
        assert 0 < p <= 1
        assert test([-x for x in d]) == pytest.approx(p)
    assert sign_flip_p([0.0] * len(d)) == 1


def test_random_patterns_follow_the_units_and_never_reach_zero() -> None:
    d = np.arange(1.0, 31.0)
    keys = np.arange(30, dtype=np.uint64) * np.uint64(77)
    order = np.random.default_rng(1).permutation(30)
    assert sign_flip_p(d, keys=keys, permutations=500) == 1 / 501
    mixed = np.where(np.arange(30) % 3 == 0, -d, d)
    one = sign_flip_p(mixed, keys=keys, seed=3, permutations=500)
    assert one == sign_flip_p(mixed[order], keys=keys[order], seed=3, permutations=500)
    assert 0.001 < one < 0.2


@given(NUMBERS)
def test_a_cluster_for_each_row_is_no_cluster(d: list[float]) -> None:
    alone = mean_of_differences(sum(d), float(((np.array(d) - np.mean(d)) ** 2).sum()), len(d))
    clustered = clustered_difference(d, range(len(d)))
    assert (clustered.mean, clustered.error) == pytest.approx((alone.mean, alone.error))
    heavy = clustered_difference(d, range(len(d)), weights=[10.0] * len(d), bound=8)
    guarded = mean_of_differences(sum(d), float(((np.array(d) - np.mean(d)) ** 2).sum()), len(d), bound=8)
    assert heavy.error == pytest.approx(guarded.error)
    assert heavy.error > 0


def test_without_spread_only_the_guard_keeps_width() -> None:
    assert mean_of_differences(0.0, 0.0, 50).interval(0.95) == (0.0, 0.0)
    assert mean_of_differences(0.0, 0.0, 50, bound=1).error == pytest.approx(math.sqrt(2 / (51 * 52)))
    assert math.isnan(mean_of_differences(1.0, 0.0, 1, bound=1).interval(0.95)[0])
    assert math.isnan(clustered_difference([1, 0, 1], [7, 7, 7]).error)


def test_the_same_scores_have_the_same_area() -> None:
    score = [0.9, 0.8, 0.4, 0.4, 0.3, 0.1]
    areas = paired_areas([1, 1, 0, 1, 0, 0], score, score)
    assert areas.difference == 0
    assert areas.p == 1
    assert areas.error == pytest.approx(0)
    assert math.isnan(paired_areas([1, 1], [0.1, 0.2], [0.1, 0.2]).p)


def test_weights_of_areas_may_be_rescaled_and_two_rows_are_one_of_weight_two() -> None:
    positive, first, second = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.4, 0.4, 0.3, 0.1], [0.5, 0.9, 0.6, 0.2, 0.3, 0.3]
    plain = paired_areas(positive, first, second)
    assert paired_areas(positive, first, second, [7.0] * 6).variances == pytest.approx(plain.variances)
    doubled = paired_areas([*positive, 1], [*first, 0.9], [*second, 0.5])
    assert paired_areas(positive, first, second, [2.0, 1, 1, 1, 1, 1]).first == pytest.approx(doubled.first)


@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 30), st.integers(0, 30))
@settings(max_examples=60, deadline=None)
def test_unpaired_limits_mirror(n1: int, n2: int, x1: int, x2: int) -> None:
    first, second = (min(x1, n1), n1), (min(x2, n2), n2)

    def newcombe(one: tuple[int, int], other: tuple[int, int], level: float) -> tuple[float, float]:
        return square_and_add(share_limits(*one, level), share_limits(*other, level), 0.0)

    for interval in (newcombe, miettinen_nurminen):
        low, high = interval(first, second, 0.9)
        assert low <= first[0] / n1 - second[0] / n2 <= high
        assert interval(second, first, 0.9) == pytest.approx((-high, -low), abs=1e-6)


def test_max_t_is_between_the_plain_test_and_bonferroni() -> None:
    rng = np.random.default_rng(2)
    centred = rng.standard_normal((4_000, 4)) * 0.02
    difference = np.array([0.05, 0.03, 0.0, 0.02])
    errors = centred.std(axis=0)
    together = max_t(difference, centred, errors)
    alone = np.array([max_t(difference[[j]], centred[:, [j]], errors[[j]]).p[0] for j in range(4)])
    assert (together.p >= alone).all()
    assert (together.p <= np.minimum(4 * alone + 0.01, 1)).all()
    assert 2.3 < together.quantile < 2.6
    assert max_t(np.array([0.0, 0.1]), np.zeros((9, 2)), np.zeros(2)).p[0] == 1


def test_ranks_span_those_not_told_apart() -> None:
    better = np.zeros((3, 3), dtype=bool)
    assert rank_intervals(better) == [(1, 3)] * 3


@given(st.integers(1, 300), st.data())
@settings(max_examples=60, deadline=None)
def test_a_sequence_holds_what_it_has_seen(rows: int, data: st.DataObject) -> None:
    right = data.draw(st.integers(0, rows))
    low, high = share_sequence_reach(right, rows).at(0.95)
    assert 0 <= low <= right / rows <= high <= 1
    assert share_e_value(4 * rows, 5 * rows, 0.8) < 1  # as many as the bound says are no evidence for more


def test_mcnemar_refuses_weights() -> None:
    with pytest.raises(SettingError, match="whole rows"):
        mcnemar(PairedShares(1, 1.5, 2, 3))


def test_limits_of_differences_of_the_largest_numbers_are_no_crash() -> None:
    """A failure rate of one in 1e200 hours ended in a traceback."""
    low, high = square_and_add((1e200, 0.0, 1e300), (1.0, 0.5, 2.0), 0.3)
    assert low <= 1e200 <= high


def test_p_values_of_many_rows_are_small_and_not_nothing() -> None:
    """1 less a share of nearly 1 was 0 for a margin that thousands of rows keep, and so was the share itself."""
    from scipy.stats import norm

    pairs = PairedShares(9_000, 60, 50, 890)
    assert not_worse_p(pairs, 0.05) == pytest.approx(norm.sf(tango_z(pairs, -0.05)), rel=1e-9)
    assert 0 < not_worse_p(pairs, 0.05) < 1e-100
