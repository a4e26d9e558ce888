"""What formulas of a curve are made of: worked out once, in ranges and by halves, and the same as in one go."""

from __future__ import annotations

from functools import reduce
from operator import add

import numpy as np
import pytest

from adjudge.data.facts import Facts
from adjudge.data.judgements.columns import Judgements, Scores
from adjudge.data.judgements.labels import Labels
from adjudge.data.reading import Block
from adjudge.engines.base import WHOLE, WHOLE_ONLY, SumPlan, Tally, added
from adjudge.engines.blocks import sum_block
from adjudge.statistics.curves import growing
from adjudge.statistics.curves.curve import Curve, Curves, Scored
from adjudge.statistics.curves.grouping import coarse_starts
from adjudge.statistics.curves.growing import CellTable, PackedTable
from adjudge.statistics.losses import Losses
from adjudge.statistics.weights import Weights


def curve_of(seed: int, rows: int, *, weighted: bool = False) -> Curve:
    random = np.random.default_rng(seed)
    case = random.gamma(2.0, 1.0, rows) * (random.random(rows) < 0.9) if weighted else None
    return Curve.collect(Scored(random.random(rows) < 0.4, random.normal(size=rows).round(3)), Weights(rows, case))


def bytes_of(curve: Curve) -> bytes:
    return curve.thresholds.tobytes() + curve.counts.tobytes() + curve.squares.tobytes() + bytes([curve.level])


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("most", [128, 2**20])
def test_ranges_of_any_size_give_the_same_cells(weighted: bool, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "MOST_SCORES", most)
    monkeypatch.setattr(growing, "MOST_CELLS", most)
    found = []
    for size in (5, 64, 2**16):
        monkeypatch.setattr(growing, "RANGE", size)
        found.append(bytes_of(reduce(add, (curve_of(seed, 300, weighted=weighted) for seed in range(6)))))
    assert len(set(found)) == 1


def test_packed_cells_come_back_as_they_were() -> None:
    random = np.random.default_rng(4)
    counts = random.gamma(1.0, 1.0, (2, 200)) * (random.random((2, 200)) < 0.5)
    squares = np.where(random.random((2, 200)) < 0.5, counts**2, counts**2 * 0.7)
    packed = PackedTable.of([CellTable(np.arange(200.0), counts, squares)])
    assert sum(map(len, packed.kept)) < counts.size + squares.size
    for start, end in ((0, 200), (17, 90), (199, 200), (5, 5)):
        cells = packed.between(start, end)
        assert cells.squares is not None
        assert cells.counts.tobytes() == np.ascontiguousarray(counts[:, start:end]).tobytes()
        assert cells.squares.tobytes() == np.ascontiguousarray(squares[:, start:end]).tobytes()
        assert cells.lows.tolist() == list(range(start, end))


@pytest.mark.parametrize("weighted", [False, True])
def test_cells_begin_where_the_ruler_steps(weighted: bool) -> None:
    """The ruler worked out at every threshold, as the docstring has it."""
    curve, cells, cut = curve_of(7, 5_000, weighted=weighted), 64, 0.25
    tp, fp = curve.true_positives, curve.false_positives
    rank, total = tp + fp, tp[-1] + fp[-1]
    ends = np.log1p(rank) / np.log1p(total) + 1 - np.log1p(total - rank) / np.log1p(total)
    step = np.floor((tp / tp[-1] + fp / fp[-1] + ends) / 4 * cells)
    new = np.diff(step, prepend=-1.0) != 0
    new |= np.diff(curve.thresholds >= cut, prepend=True)
    assert coarse_starts(curve.thresholds, (tp, fp), cells, (cut,)).tolist() == np.flatnonzero(new).tolist()


def test_rows_without_weight_have_one_cell() -> None:
    nothing = np.zeros(50)
    assert coarse_starts(np.arange(50.0)[::-1], (nothing, nothing), 8, ()).tolist() == [0]


def test_what_is_known_of_a_curve_is_not_known_of_another() -> None:
    calls = []

    def total(curve: Curve, times: float) -> float:
        calls.append(times)
        return float(curve.total) * times

    curve = curve_of(3, 40)
    assert [curve.once(total, times=2.0), curve.once(total, times=2.0), curve.once(total, times=3.0)] == [80, 80, 120]
    assert calls == [2.0, 3.0]
    assert curve.scaled(0.5).once(total, times=2.0) == 40


def test_an_impossible_score_costs_infinitely_only_where_it_occurs() -> None:
    """A positive at 1 and a negative at 0 cost nothing, though the other kind would cost everything there."""
    right = Losses.from_curve(Curve.collect(Scored(np.array([True, False]), np.array([1.0, 0.0])), Weights(2)))
    wrong = Losses.from_curve(Curve.collect(Scored(np.array([False, False]), np.array([1.0, 0.0])), Weights(2)))
    assert (float(right.surprise.mean), float(right.surprise.deviations)) == (0.0, 0.0)
    assert float(wrong.surprise.mean) == np.inf


@pytest.mark.parametrize("weighted", [False, True])
def test_slices_tell_the_whole(weighted: bool) -> None:
    """To the last bit, so that rows which count one are summed in slices alone."""
    random, rows, size = np.random.default_rng(8), 900, 100
    label, score = random.integers(0, 2, rows), random.random(rows).round(4)
    levels = [Labels(random.integers(0, many, rows), tuple("abcdef"[:many])) for many in (5, 2)]
    case = random.gamma(2.0, 1.0, rows) if weighted else None

    def block(start: int) -> Block:
        some = slice(start, start + size)
        judgements = Judgements(Labels(label[some], ("no", "yes")), scores=Scores(("yes",), score[some, None]))
        weight = None if case is None else case[some]
        slices = tuple(Labels(each.codes[some], each.categories) for each in levels)
        return Block(size, Facts(), {"m": judgements}, weight, slices=slices)

    wholes = []
    for tally in (Tally("m", Curves), Tally("m", Curves, WHOLE_ONLY)):
        plan = SumPlan((tally,), ("five", "two"))
        summed = [(start // size, sum_block(block(start), plan)) for start in range(0, rows, size)]
        assert ((WHOLE, tally) in summed[0][1].sums) == (weighted or tally.where == WHOLE_ONLY)
        collected = added(summed)
        assert collected.slices()[0] == WHOLE
        wholes.append(bytes_of(collected.sums[WHOLE, tally].curves[0]))
    assert wholes[0] == wholes[1]
