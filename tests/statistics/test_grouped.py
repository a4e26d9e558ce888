"""Cells of leading bits: found by address or by order, the same, and no larger however many rows there are."""

from __future__ import annotations

import pickle
from functools import reduce
from operator import add

import numpy as np
import pytest

from adjudge.statistics import grouped, growing
from adjudge.statistics.curve import Curve, Scored
from adjudge.statistics.grouped import Cut, GroupedTable, joined
from adjudge.statistics.losses import Losses
from adjudge.statistics.weights import Weights


def same(a: GroupedTable, b: GroupedTable) -> bool:
    pairs = zip(a[:3], b[:3], strict=True)
    return all(np.array_equal(mine, theirs) for mine, theirs in pairs) and a.cut == b.cut


def test_addresses_and_order_find_the_same_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    scores, cut = np.random.default_rng(1).normal(size=3_000), Cut(0.3, 44)
    by_address = GroupedTable.of_rows(scores, 1, cut)
    ones = np.stack([np.zeros(3_000), np.ones(3_000)]).astype(np.uint8)
    assert same(by_address, GroupedTable.of_cells(np.sort(scores), ones, None, cut))
    monkeypatch.setattr(grouped, "MOST_ADDRESSES", 1)
    assert same(by_address, GroupedTable.of_rows(scores, 1, cut))
    monkeypatch.setattr(grouped, "CHUNK", 700)
    monkeypatch.setattr(grouped, "PART", 33)
    assert same(by_address, GroupedTable.of_rows(scores, 1, cut))


@pytest.mark.parametrize("level", [46, 50, 52])
def test_levels_nest(level: int) -> None:
    scores = np.random.default_rng(2).normal(size=2_000) * 10.0 ** np.random.default_rng(3).integers(-9, 9, 2_000)
    fine = joined([GroupedTable.of_rows(scores[side::2], side, Cut(0.3, 44)) for side in (0, 1)])
    coarse = joined([GroupedTable.of_rows(scores[side::2], side, Cut(0.3, level)) for side in (0, 1)])
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
