"""Laws of limits that are asked for at any level, and tests of signs held to every pattern of signs there is."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from adjudge.errors import SettingError
from adjudge.inference.differences.paired_shares import PairedShares, mcnemar
from adjudge.inference.differences.paired_units import sign_flip_p, sign_p, signed_ranks
from adjudge.inference.intervals.quantiles import woodruff_reach
from adjudge.inference.reach import (
    Reach,
    added_reach,
    drawn_reach,
    guarded_reach,
    mean_sequence_reach,
    on_either_side,
    share_reach,
    share_sequence_reach,
    student_reach,
    with_unseen,
    worth_reach,
)

LEVELS = (0.3, 0.5, 0.8, 0.9, 0.95, 0.99)
DRAWS = np.random.default_rng(5).normal(0.7, 0.1, 999)
REACHES: dict[str, tuple[Reach, float]] = {
    # By formula limits move with every level; those of draws and of order statistics by steps: how far p may be off.
    "a share": (share_reach(45, 60), 1e-6),
    "a share worth fewer rows": (worth_reach(0.7, 0.004, (0.0, 1.0), units=12, rows=80), 1e-6),
    "a coefficient worth fewer rows": (worth_reach(0.4, 0.02, (-1.0, 1.0), units=12, rows=80), 1e-6),
    "Student's": (student_reach("student", 0.7, 0.1, 20), 1e-6),
    "guarded": (guarded_reach(0.7, 0.004, 20, 40, 1.0), 1e-6),
    "a sequence of shares": (share_sequence_reach(70, 100), 1e-4),
    "a sequence of means": (mean_sequence_reach(0.7, 0.02, 50), 1e-6),
    "a difference": (added_reach(share_reach(45, 60), share_reach(30, 60), 0.3), 1e-6),
    "a difference to a share of another": (added_reach(share_reach(45, 60), share_reach(30, 60), 0.3, 0.5), 1e-6),
    "rows that were not seen": (with_unseen(student_reach("s", 1.0, 0.1, 90), 1.0, (9.0, 90.0), math.sqrt), 1e-3),
    "draws": (drawn_reach("bootstrap", 0.7, DRAWS, None, 40), 2e-3),
    "draws of few units": (drawn_reach("bootstrap", 0.7, DRAWS, 12, 40), 2e-3),
    "draws on either side": (on_either_side(drawn_reach("bayesian", 0.75, DRAWS, None, 40), DRAWS), 2e-3),
    "a quantile": (woodruff_reach(np.arange(0.0, 1.0, 0.002), 0.7), 5e-2),
}


@pytest.mark.parametrize("name", REACHES)
def test_limits_widen_with_the_level_around_the_value(name: str) -> None:
    reach, _ = REACHES[name]
    ends = [reach.at(level) for level in LEVELS]
    assert all(low <= reach.value <= high for low, high in ends)
    lows, highs = zip(*ends, strict=True)
    assert all(a >= b for a, b in itertools.pairwise(lows))
    assert all(a <= b for a, b in itertools.pairwise(highs))
    assert lows[-1] < lows[0]
    assert highs[-1] > highs[0]


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("name", REACHES)
def test_p_is_the_error_at_which_the_limit_is_the_bound(name: str, lower: bool) -> None:
    reach, off = REACHES[name]
    for level in LEVELS[2:]:
        bound = reach.at(level)[0 if lower else 1]
        if bound in (0.0, 1.0, math.inf, -math.inf):
            continue  # the end of the scale is a limit at many levels
        inside = reach.value - bound if lower else bound - reach.value
        nudge = 1e-9 * (1 if lower else -1)
        assert reach.p(bound - nudge, lower=lower) == pytest.approx((1 - level) / 2, rel=1e-3, abs=off)
        assert reach.p(bound + nudge * inside * 1e8, lower=lower) >= (1 - level) / 2 - off
    beyond = reach.value + (0.1 if lower else -0.1)
    assert reach.p(beyond, lower=lower) == 1


def test_a_sequence_is_wider_than_limits_for_one_look() -> None:
    for level in LEVELS:
        one, any_time = student_reach("s", 0.7, 0.02, 50).at(level), mean_sequence_reach(0.7, 0.02, 50).at(level)
        assert any_time[0] < one[0] < one[1] < any_time[1]
        one, any_time = share_reach(70, 100).at(level), share_sequence_reach(70, 100).at(level)
        assert any_time[0] < one[0] < one[1] < any_time[1]
    assert all(math.isnan(end) for end in mean_sequence_reach(0.7, 0.02, 29).at(0.9))


# Tests of signs


SAMPLES = [
    [0.5, -1.0, 2.0, 2.0, 0.0, 3.0, -0.5],
    [1.0, 1.0, 1.0, -1.0, 0.0, 0.0, 2.0, 2.0, -3.0],
    [-4.0, 1.0, 0.25, 0.25, -0.25, 6.0, 6.0, 6.0],
    [1.0],
    [1.0, -1.0],
    [2.0, 2.0, 2.0, 2.0, 2.0],
]


def chance(d: list[float], at_least_as_far: Callable[[np.ndarray], bool]) -> float:
    """How often a statistic of the signs is as far out, over every pattern of signs of what differs."""
    moving = [x for x in d if x != 0]
    patterns = list(itertools.product((-1.0, 1.0), repeat=len(moving)))
    return sum(at_least_as_far(np.array(signs)) for signs in patterns) / len(patterns)


@pytest.mark.parametrize("d", SAMPLES)
@pytest.mark.parametrize("zeros", ["drop", "pratt"])
def test_signed_ranks_are_those_of_every_pattern(d: list[float], zeros: str) -> None:
    kept = [x for x in d if x != 0] if zeros == "drop" else d
    ranks = [rank for rank, x in zip(stats.rankdata(np.abs(kept)), kept, strict=True) if x != 0]
    seen = sum(rank for rank, x in zip(ranks, [x for x in d if x != 0], strict=True) if x > 0)

    def of(signs: np.ndarray) -> float:
        return float(sum(rank for rank, sign in zip(ranks, signs, strict=True) if sign > 0))

    above, below = chance(d, lambda signs: of(signs) >= seen), chance(d, lambda signs: of(signs) <= seen)
    made = signed_ranks(d, zeros=zeros)  # type: ignore[arg-type]
    assert made.ranks == seen
    assert made.p == pytest.approx(min(1.0, 2 * min(above, below)))
    moving = [x for x in d if x != 0]
    walsh = [(a + b) / 2 for place, a in enumerate(moving) for b in moving[place:]]
    assert made.shift == pytest.approx(np.median(walsh))
    assert made.low <= made.shift <= made.high


@pytest.mark.parametrize("d", SAMPLES)
def test_swapped_answers_and_signs_are_those_of_every_pattern(d: list[float]) -> None:
    moving = np.array([x for x in d if x != 0])
    seen = abs(moving.sum())
    every = chance(d, lambda signs: abs((signs * np.abs(moving)).sum()) >= seen - 1e-9)
    assert sign_flip_p(d) == pytest.approx(every)
    better = int((moving > 0).sum())
    assert sign_p(d) == pytest.approx(stats.binomtest(better, len(moving)).pvalue)


def test_many_units_are_swapped_at_random_as_often_as_every_pattern_says() -> None:
    d = [0.3, -0.5, 1.1, 0.7, -0.2, 0.9, 0.4, -0.8, 1.3, 0.6, -0.1, 0.5, -0.3, 0.8, 0.2, -0.4]
    every = chance(d, lambda signs: abs((signs * np.abs(d)).sum()) >= abs(sum(d)) - 1e-9)
    drawn = sign_flip_p(d, permutations=4000)
    assert type(drawn) is float
    assert drawn == pytest.approx(every, abs=4 * math.sqrt(every / 4000))


def test_nothing_that_differs_is_no_sign() -> None:
    nothing = signed_ranks([0.0, 0.0, 0.0])
    assert (nothing.ranks, nothing.p, nothing.shift) == (0, 1, 0)
    assert math.isnan(nothing.low)
    assert math.isnan(nothing.high)
    assert (sign_p([0.0]), sign_flip_p([0.0])) == (1, 1)


@pytest.mark.parametrize(
    "pairs", [PairedShares(1, 1.5, 2.5, 1), PairedShares(1, 1, 2.5, 1), PairedShares(1, 1.5, 2, 1)]
)
def test_mcnemars_test_counts_whole_rows(pairs: PairedShares) -> None:
    with pytest.raises(SettingError, match="counts whole rows"):
        mcnemar(pairs)
