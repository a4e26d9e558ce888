"""How large an effect is: odds of flips, cross-validated differences, and what a comparison would have seen."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from scipy import stats

import adjudge
from adjudge.errors import AdjudgeError
from adjudge.evaluation.gates.requirement_scope import levels_of
from adjudge.evaluation.gates.requirements import Requirement
from adjudge.inference.differences.paired_shares import cohen_g, flip_odds
from adjudge.inference.differences.paired_units import correlated_t, three_masses
from adjudge.inference.differences.spread_alike import spread_alike, spread_by_units, spread_drawn


@pytest.mark.parametrize(("better", "worse"), [(8, 2), (3, 9), (5, 0), (0, 4)])
def test_odds_of_flips_are_scipys_exact_limits_turned_to_odds(better: int, worse: int) -> None:
    odds, low, high = flip_odds(better, worse)
    other = stats.binomtest(better, better + worse).proportion_ci(0.95)
    assert odds == (pytest.approx(better / worse) if worse else math.inf)
    assert low == pytest.approx(other.low / (1 - other.low))
    assert high == (pytest.approx(other.high / (1 - other.high)) if other.high < 1 else math.inf)
    back, _, _ = flip_odds(worse, better)
    assert back == pytest.approx(1 / odds if odds else math.inf)
    assert cohen_g(better, worse) == pytest.approx(-cohen_g(worse, better))


def test_cross_validated_differences_are_wider_than_folds_alone_say() -> None:
    each = np.array([0.02, 0.01, 0.03, 0.00, 0.02, 0.01, 0.04, -0.01, 0.02, 0.03])  # ten folds
    mean = correlated_t(each, folds=10)
    plain = each.std(ddof=1) / len(each) ** 0.5
    assert mean.error == pytest.approx(plain * (1 + 10 / 9) ** 0.5)  # (1/n + ρ/(1 − ρ)) n with ρ = 1/10
    worse, same, better = three_masses(mean, 0.01)
    t = stats.t(9, loc=each.mean(), scale=mean.error)
    assert (worse, same, better) == pytest.approx((t.cdf(-0.01), t.cdf(0.01) - t.cdf(-0.01), t.sf(0.01)))
    with pytest.raises(AdjudgeError, match="two folds"):
        correlated_t([0.1], folds=5)


def test_a_difference_that_is_not_shown_tells_what_would_have_been() -> None:
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 200)
    answers = {name: np.where(rng.random(200) < 0.8, y, 1 - y) for name in ("old", "new")}
    found = adjudge.compare(
        {"y": y, **answers}, reference="y", prediction=["old", "new"], metrics="accuracy", replicates=200
    )
    [panel] = found.panels["Every difference to old"].records()
    row = found.table.find("accuracy", system="new", baseline="old")
    usual = stats.norm.ppf(0.975)
    assert panel["detectable"] == pytest.approx((usual + stats.norm.ppf(0.8)) * (row.high - row.low) / 2 / usual)


def test_pococks_limits_are_the_same_at_every_look() -> None:
    """Two looks at one-sided 5 %: c = 1.875 (Jennison and Turnbull 2000, table 2.1, two-sided 10 %)."""
    levels = levels_of(Requirement("accuracy", at_least=0.9, looks=2, spending="pocock"))
    assert len(set(levels)) == 1
    assert stats.norm.ppf(0.5 + levels[0] / 2) == pytest.approx(1.875, abs=5e-4)
    with pytest.raises(AdjudgeError, match="`spending` must go with"):
        Requirement("accuracy", at_least=0.9, spending="pocock")


def test_clusters_that_flip_whole_are_seldom_told_to_be_spread_unalike() -> None:
    random, shown, ignored = np.random.default_rng(5), 0, 0
    for _ in range(200):
        state = random.integers(0, 3, 60)  # a cluster of ten rows is fixed, broken, or neither
        each = 10.0 * np.stack([state == 1, state == 2], axis=1)
        parts = [each[place::3] for place in range(3)]
        draws = [random.poisson(1.0, (400, len(part))) @ part for part in parts]
        totals = np.array([part.sum(axis=0) for part in parts])
        shown += spread_drawn(totals, draws, 60).p < 0.05
        ignored += spread_alike(totals[:, 0], totals[:, 1]).p < 0.05
    assert shown <= 20, "standard error of 5 % of 200: 3"
    assert ignored > 100


@pytest.mark.parametrize(
    "parts",
    [
        [[[5, 0], [4, 1], [6, 0]], [[0, 5], [1, 4], [0, 3]]],
        [[[1, 0], [0.5, 0], [0, 2]], [[0, 1], [3, 0]], [[0, 1.5], [0, 1]]],
        [[[2, 0], [0, 1]], [[1, 0], [0, 2], [0, 1], [0.25, 0]]],
    ],
)
def test_units_dealt_anew_are_all_orders_of_them(parts: list[list[list[float]]]) -> None:
    """p is the share of all orders whose table is as far apart by SciPy's χ², within what 500 of them tell."""
    own = [np.array(part, dtype=float) for part in parts]
    ends = np.cumsum([len(part) for part in own])[:-1]

    def far(units: np.ndarray) -> float:
        table = np.array([part.sum(axis=0) for part in np.split(units, ends)])
        return float(stats.chi2_contingency(table, correction=False).statistic)

    units = np.concatenate(own)
    seen = far(units)
    every = [far(units[list(order)]) >= seen * (1 - 1e-9) for order in permutations(range(len(units)))]
    share = float(np.mean(every))
    assert 0.05 < share < 1.0
    error = share * ((1 - share) / 500) ** 0.5
    assert abs(spread_by_units(own, seed=3).p - share) < 3.5 * error


def test_what_is_never_dealt_again_has_the_least_p() -> None:
    fixed, broken = np.tile([1.0, 0.0], (40, 1)), np.tile([0.0, 1.0], (40, 1))
    assert spread_by_units([fixed, broken]).p == 1 / 10_001
