"""Cells of leading bits: found by address or by order, the same, and no larger however many rows there are."""

from __future__ import annotations

import pickle
from functools import reduce
from operator import add

import numpy as np
import pytest

from adjudge.statistics.curves import grouped, growing
from adjudge.statistics.curves.curve import Curve, Scored
from adjudge.statistics.curves.grouped import Cut, GroupedTable, joined, level_of_many, summed
from adjudge.statistics.curves.grouping import leading_bits, levels_needed
from adjudge.statistics.losses import Losses
from adjudge.statistics.weights import Weights


def same(a: GroupedTable, b: GroupedTable) -> bool:
    pairs = zip(a[:3], b[:3], strict=True)
    return all(np.array_equal(mine, theirs) for mine, theirs in pairs) and a.cut == b.cut


@pytest.mark.parametrize("more", [[], [0.0], [-0.25], [1e-40]], ids=["positive", "zero", "negative", "subnormal"])
@pytest.mark.parametrize("cut", [Cut(0.7, 39), Cut(0.3, 44), Cut(0.5, 36), Cut(np.inf, 40), Cut(0.3, 19)])
def test_short_scores_are_where_long_ones_are(cut: Cut, more: list[float]) -> None:
    """0.7 in single precision lies below 0.7, which decides: it was put above where the two were compared in single."""
    random = np.random.default_rng(2)
    near = [np.nextafter(np.float32(at), np.float32(to)) for at in (0.3, 0.5, 0.7) for to in (0, at, 1)]
    short = [np.append(random.random(2_000).astype(np.float32), [*near, *more]).astype(np.float32) for _ in range(2)]
    assert same(summed([], short, cut), summed([], [side.astype(np.float64) for side in short], cut))
    below = sum((side.astype(np.float64) < cut.score).sum() for side in short)
    table = summed([], short, cut)
    assert table.counts[:, table.keys <= cut.lead].sum() == below


def test_addresses_and_order_find_the_same_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    random, cut = np.random.default_rng(1), Cut(0.3, 44)
    sides = [random.normal(size=3_000), random.normal(size=2_000)]
    by_address = summed([], sides, cut)
    every, positive = np.concatenate(sides), np.repeat([True, False], [3_000, 2_000])
    order = np.argsort(every)
    ones = np.stack([positive, ~positive]).astype(np.uint8)[:, order]
    assert same(by_address, GroupedTable.of_cells(every[order], ones, None, cut))
    halves = [summed([], [side[start::2] for side in sides], cut) for start in (0, 1)]
    for addresses in (grouped.MOST_ADDRESSES, 1):
        monkeypatch.setattr(grouped, "MOST_ADDRESSES", addresses)
        assert same(by_address, summed([], sides, cut))
        assert same(by_address, summed(halves, [np.zeros(0)] * 2, cut))
        assert same(by_address, summed(halves[:1], [side[1::2] for side in sides], cut))
    monkeypatch.undo()
    monkeypatch.setattr(grouped, "CHUNK", 700)
    monkeypatch.setattr(grouped, "PART", 33)
    assert same(by_address, summed([], sides, cut))


@pytest.mark.parametrize("cut", [Cut(0.3, 44), Cut(-0.3, 44), Cut(0.0, 48), Cut(np.inf, 44)])
def test_scores_of_both_signs_are_found_by_address(cut: Cut, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their leading bits are so far apart that all of them were put in order."""
    random = np.random.default_rng(6)
    sides = [np.append(random.normal(size=1_000), [0.0, -0.0]) for _ in range(2)]
    halves = [summed([], [side[start::2] for side in sides], cut) for start in (0, 1)]
    by_order = joined([grouped._of_side(scores, side, cut) for side, scores in enumerate(sides)])
    monkeypatch.setattr(grouped, "MOST_ADDRESSES", 2**17)
    monkeypatch.delattr(grouped, "_of_side")
    assert same(by_order, summed([], sides, cut))
    assert same(by_order, summed(halves, [np.zeros(0)] * 2, cut))
    assert same(by_order, summed(halves[:1], [side[1::2] for side in sides], cut))


@pytest.mark.parametrize("exponents", [(0, 1), (-3, 2), (-20, 20)])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("sign", [0, -1, 1])
def test_marks_tell_the_level_that_order_tells(exponents: tuple[int, int], kind: type, sign: int) -> None:
    random = np.random.default_rng(7)
    with np.errstate(over="ignore", under="ignore"):
        scores = (random.normal(size=5_000) * 10.0 ** random.integers(*exponents, 5_000)).astype(kind)
    scores = scores[np.isfinite(scores)] if not sign else sign * np.abs(scores[np.isfinite(scores)])
    distinct = np.unique(scores.astype(np.float64) + 0.0)
    for most in (1_000, 300, 7):
        expected = levels_needed(distinct, 0, most)
        assert level_of_many([scores[:900], scores[900:], scores[:0]], 1_000, most) in (expected, 0)
        assert level_of_many([scores], len(distinct), most) == 0
    assert level_of_many([scores], 1_000, 300) == levels_needed(distinct, 0, 300)


def test_zero_is_in_one_group_with_the_least_scores_above_it() -> None:
    """Sixty-four groups of numbers from 1 to 2, and one of zero and a score that is one step above it."""
    scores = np.concatenate([[0.0, 5e-324], 1 + np.arange(0, 1, 2**-12)])
    assert levels_needed(scores, 0, 65) == 52 - 6
    assert level_of_many([scores], 1_000, 65) == 52 - 6
    assert level_of_many([scores, np.array([-1.0])], 1_000, 66) == 52 - 6


@pytest.mark.parametrize("level", [12, 19, 20, 21, 44])
def test_steps_are_what_a_score_has_beyond_its_cell(level: int) -> None:
    scores = np.array([-3.0, -0.7, -1e-300, 0.0, 0.1, 0.3, 0.7, 1e300])
    table = summed([], [scores, np.zeros(0)], Cut(np.inf, level))
    bits = [int(one) for one in leading_bits(scores, 0)]
    assert table.keys.tolist() == [one >> level for one in bits]
    assert table.beyond[0].tolist() == [(one >> 20) - ((one >> level << level) >> 20) for one in bits]


@pytest.mark.parametrize("level", [46, 50, 52])
def test_levels_nest(level: int) -> None:
    scores = np.random.default_rng(2).normal(size=2_000) * 10.0 ** np.random.default_rng(3).integers(-9, 9, 2_000)
    fine, coarse = (summed([], [scores[::2], scores[1::2]], Cut(0.3, bits)) for bits in (44, level))
    assert same(fine.at(level), coarse)


def test_the_state_does_not_grow_with_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is held after 16,000 rows is no less than what is held after 128,000."""
    monkeypatch.setattr(growing, "MOST_SCORES", 2_048)
    monkeypatch.setattr(growing, "MOST_CELLS", 512)
    random, held = np.random.default_rng(4), []
    curve = Curve.empty()
    for block in range(1, 129):
        scored = Scored(random.random(1_000) < 0.4, random.random(1_000))
        curve = curve + Curve.collect(scored, Weights(1_000))
        if block % 16 == 0:
            held.append(len(pickle.dumps(curve)))
    most = 8 * (2_048 + 1_000) + 40 * 513 + 4_096
    assert max(held) <= most
    assert len(curve.thresholds) <= 513


def test_losses_are_those_of_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "MOST_SCORES", 4_096)
    monkeypatch.setattr(growing, "MOST_CELLS", 4_096)
    random = np.random.default_rng(5)
    positive, score = random.random(30_000) < 0.3, 1 / (1 + np.exp(-random.normal(size=30_000)))
    parts = np.split(np.arange(30_000), 30)
    curve = reduce(add, (Curve.collect(Scored(positive[rows], score[rows]), Weights(len(rows))) for rows in parts))
    assert curve.level > 0
    losses = Losses.from_curve(curve)
    assert float(losses.surprise.mean) == pytest.approx(-np.log(np.where(positive, score, 1 - score)).mean(), rel=1e-6)
    assert float(losses.squared_error.mean) == pytest.approx(((score - positive) ** 2).mean(), rel=1e-6)
    assert curve.are_probabilities
    beyond = curve + Curve.collect(Scored(np.array([True]), np.array([1.001])), Weights(1))
    assert not beyond.are_probabilities
