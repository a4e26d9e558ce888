"""Cells that grow: what waits and what is merged does not show, and a block costs what its rows cost."""

from __future__ import annotations

import pickle
from functools import reduce
from operator import add

import numpy as np
import pytest

from adjudge.statistics.curves import growing
from adjudge.statistics.curves.curve import Curve, Scored
from adjudge.statistics.curves.grouping import leading_bits, levels_needed
from adjudge.statistics.curves.growing import GrowingCells
from adjudge.statistics.weights import Weights


def curve_of(seed: int, rows: int, *, weighted: bool = False, digits: int | None = None) -> Curve:
    random = np.random.default_rng(seed)
    score = random.normal(size=rows) if digits is None else random.random(rows).round(digits)
    case = random.gamma(2.0, 1.0, rows) if weighted else None
    return Curve.collect(Scored(random.random(rows) < 0.4, score), Weights(rows, case))


def bytes_of(curve: Curve) -> bytes:
    return curve.thresholds.tobytes() + curve.counts.tobytes() + curve.squares.tobytes() + bytes([curve.level])


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells are merged every few hundred rows, and leading bits are dropped soon."""
    monkeypatch.setattr(growing, "MOST_SCORES", 128)
    monkeypatch.setattr(growing, "MOST_CELLS", 128)
    monkeypatch.setattr(growing, "MOST_WAITING", 3)
    monkeypatch.setattr(growing, "MOST_TABLES", 3)


@pytest.mark.usefixtures("small")
class TestWhatIsMergedDoesNotShow:
    def test_parts_stay_as_they_were(self) -> None:
        parts = [curve_of(seed, 100) for seed in range(20)]
        before = [bytes_of(curve_of(seed, 100)) for seed in range(20)]
        _ = reduce(add, parts)
        assert [bytes_of(part) for part in parts] == before

    @pytest.mark.parametrize("weighted", [False, True])
    def test_reading_on_the_way_changes_nothing(self, weighted: bool) -> None:
        quiet = read = curve_of(0, 90, weighted=weighted)
        for seed in range(1, 25):
            part = curve_of(seed, 90, weighted=weighted)
            quiet, read = quiet + part, read + part
            assert len(read.thresholds) <= 128
        assert bytes_of(read) == bytes_of(quiet)

    @pytest.mark.parametrize("weighted", [False, True])
    def test_spans_from_another_process_give_the_same_bytes(self, weighted: bool) -> None:
        """Blocks folded in spans, spans folded: the tree that every engine walks."""
        spans = [
            reduce(add, (curve_of(seed, 70, weighted=weighted) for seed in range(first, first + 6)))
            for first in range(0, 30, 6)
        ]
        sent = [pickle.loads(pickle.dumps(span)) for span in spans]
        assert bytes_of(reduce(add, sent)) == bytes_of(reduce(add, spans))

    def test_unweighted_sums_are_the_same_bytes_along_any_tree(self) -> None:
        parts = [curve_of(seed, 80) for seed in range(12)]
        halves = reduce(add, parts[6:]) + reduce(add, parts[:6])
        assert bytes_of(halves) == bytes_of(reduce(add, parts))

    def test_single_and_double_precision_meet(self) -> None:
        """Scores written with few digits beside scores that float32 holds."""
        random = np.random.default_rng(3)
        short, exact = random.random(90).astype(np.float32).astype(np.float64), random.random(90)
        positive = random.random(180) < 0.5
        parts = Curve.collect(Scored(positive[:90], short), Weights(90))
        parts = parts + Curve.collect(Scored(positive[90:], exact), Weights(90))
        whole = Curve.collect(Scored(positive, np.concatenate([short, exact])), Weights(180))
        assert bytes_of(parts) == bytes_of(whole)


def test_a_block_does_not_touch_what_was_summed_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Merging is rare: once for every MOST_SCORES / 2 rows, whatever the size of blocks."""
    monkeypatch.setattr(growing, "MOST_SCORES", 2_048)
    monkeypatch.setattr(growing, "MOST_CELLS", 2_048)
    merges = []
    table_of = growing.Parts.table
    monkeypatch.setattr(growing.Parts, "table", lambda parts: merges.append(parts) or table_of(parts))
    blocks = [curve_of(seed, 64) for seed in range(256)]
    _ = reduce(add, blocks)
    assert 4 <= len(merges) <= 256 * 64 / 1_024


def test_repeating_scores_pickle_small_and_so_do_a_curves_cells() -> None:
    rounded, fine = curve_of(1, 50_000, digits=2), curve_of(1, 50_000)
    assert len(pickle.dumps(rounded)) < 3_000
    assert len(pickle.dumps(fine)) < 9 * 50_000
    _ = fine.true_positives
    assert len(pickle.dumps(fine)) < 11 * 50_000


def test_points_of_the_last_curves_alone_stay_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "MOST_READ", 1_000)
    curves = [curve_of(seed, 600) for seed in range(5)]
    first = curves[0].thresholds
    assert curves[0].thresholds is first
    for curve in curves[1:]:
        assert len(curve.thresholds) == 600
    kept = [curve for curve in curves if isinstance(curve.cells, GrowingCells) and curve.cells._points]
    assert kept == curves[-1:]
    assert np.array_equal(curves[0].thresholds, first)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("most", [2, 3, 10, 40, 100])
def test_as_few_bits_are_dropped_as_fit(seed: int, most: int) -> None:
    random = np.random.default_rng(seed)
    scores = np.unique(random.normal(size=100) * 10.0 ** random.integers(-300, 300, 100))

    def groups(level: int) -> int:
        return len(np.unique(leading_bits(scores, level)))

    level = levels_needed(scores, 0, most)
    assert groups(level) <= most
    assert level == 0 or groups(level - 1) > most


def test_neighbours_that_differ_in_all_their_last_bits() -> None:
    """The exponent of a float must not be rounded up."""
    bits = np.array([2**62 - 1, 2**62], dtype=np.int64)
    low, high = (np.array([0, 2**53 - 1], dtype=np.int64)).view(np.float64), bits.view(np.float64)
    assert levels_needed(low, 0, 1) == 53
    assert levels_needed(high, 0, 1) == 63
