"""Matching of spans, and the laws of the counts."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.data.judgements.tags import annotations_of
from adjudge.errors import SettingError
from adjudge.statistics.ratings.spans import ACTUAL, POSSIBLE, STRICT, SpanCounts
from adjudge.statistics.weights import Weights

REPEATABLE = settings(max_examples=60, deadline=None, derandomize=True)
spans = st.builds(lambda x, s, w: (x, s, s + w), st.sampled_from("AB"), st.integers(0, 6), st.integers(1, 5))
document = st.lists(spans, max_size=4)
documents = st.lists(st.tuples(document, document), min_size=1, max_size=6)


def counts_of(pairs: list[tuple[list, list]], weights: Any = None, draws: Any = None) -> SpanCounts:
    annotations = annotations_of([[a for a, _ in pairs], [b for _, b in pairs]])
    return SpanCounts.collect(annotations, Weights(len(pairs), weights, draws))


def same(a: SpanCounts, b: SpanCounts) -> None:
    assert a.categories == b.categories
    for name in ("documents", "counts", "squares"):
        assert getattr(a, name) == pytest.approx(getattr(b, name)), name
    assert a.rows == b.rows


def overlap(a: tuple, b: tuple) -> int:
    return max(0, min(a[2], b[2]) - max(a[1], b[1]))


def by_trying_all(a: list, b: list) -> tuple[int, int, int, int]:
    """Total overlap, strict, exact and type matches of the best matching: every one is tried."""
    short, long = sorted((a, b), key=len)
    best = (0, 0, 0, 0)
    for chosen in permutations(long, len(short)):
        pairs = [(x, y) for x, y in zip(short, chosen, strict=True) if overlap(x, y)]
        found = (
            sum(overlap(x, y) for x, y in pairs),
            sum(x == y for x, y in pairs),
            sum(x[1:] == y[1:] for x, y in pairs),
            sum(x[0] == y[0] for x, y in pairs),
        )
        best = max(best, found)
    return best


def total_overlap(a: list, b: list) -> int:
    from adjudge.statistics.ratings.overlaps import keys_in_order, matched

    annotations = annotations_of([[a], [b]])
    left, right = (keys_in_order(spans, spans.annotated) for spans in annotations.annotators)
    i, j = matched(left, right)
    assert len(set(i.tolist())) == len(i)
    assert len(set(j.tolist())) == len(j)
    return int((np.minimum(left.end[i], right.end[j]) - np.maximum(left.start[i], right.start[j])).sum())


@settings(max_examples=300, deadline=None, derandomize=True)
@given(a=document, b=document)
def test_the_matching_is_the_best_there_is(a: list, b: list) -> None:
    best, strict, exact, _ = by_trying_all(a, b)
    assert total_overlap(a, b) == best
    sums = counts_of([(a, b)]).sums.summed
    assert sums.correct("strict")[0] == strict
    assert sums.correct("exact")[0] == exact


@REPEATABLE
@given(pairs=documents, seed=st.integers(0, 99))
def test_neither_sides_nor_order_matter(pairs: list, seed: int) -> None:
    random = np.random.default_rng(seed)

    def shuffled(one: list) -> list:
        return [one[place] for place in random.permutation(len(one))]

    plain = counts_of(pairs).sums
    mixed = counts_of([(shuffled(a), shuffled(b)) for a, b in pairs]).sums
    turned = counts_of([(b, a) for a, b in pairs]).sums
    assert np.array_equal(plain.counts, mixed.counts)
    for match in ("strict", "exact", "partial", "type"):
        found, right = plain.correct(match)
        assert np.array_equal(turned.correct(match), (right, found))
    assert np.array_equal(turned.possible, plain.actual)


@REPEATABLE
@given(pairs=documents, cut=st.integers(0, 6))
def test_two_parts_added_equal_the_whole(pairs: list, cut: int) -> None:
    parts = [part for part in (pairs[:cut], pairs[cut:]) if part]
    whole = counts_of(pairs)
    if len(parts) == 2:
        same(counts_of(parts[0]) + counts_of(parts[1]), whole)
        same(counts_of(parts[1]) + counts_of(parts[0]), whole)
    same(whole + SpanCounts.empty(), whole)
    same(SpanCounts.empty() + whole, whole)


@REPEATABLE
@given(pairs=documents, seed=st.integers(0, 99))
def test_draws_weights_and_repeated_documents_are_the_same(pairs: list, seed: int) -> None:
    times = np.random.default_rng(seed).integers(0, 3, (len(pairs), 4))
    times[0] += 1
    drawn = counts_of(pairs, draws=times.astype(float)).sums.counts
    for place in range(4):
        repeated = [pair for pair, n in zip(pairs, times[:, place], strict=True) for _ in range(n)]
        categories = counts_of(pairs).categories
        assert drawn[place] == pytest.approx(counts_of(repeated).aligned(categories).sums.counts)
        weighted = counts_of(pairs, weights=times[:, place].astype(float))
        assert drawn[place] == pytest.approx(weighted.sums.counts)


def test_replicates_are_of_whole_documents() -> None:
    pairs = [([("A", 0, 2), ("B", 3, 4)], [("A", 0, 2)])] * 6 + [([], [("B", 0, 1)])] * 4
    counts = counts_of(pairs)
    drawn = counts.resampled("multinomial", 500, 7, "test")
    assert drawn.counts.sum(-1).tolist() == [10.0] * 500
    sums = drawn.sums.counts
    assert np.array_equal(sums[:, POSSIBLE, 0], sums[:, STRICT, 0])
    assert np.array_equal(sums[:, POSSIBLE, 1], sums[:, POSSIBLE, 0])
    assert sums[:, ACTUAL].sum(-1).tolist() == [10.0] * 500
    assert drawn.tile(10, 20).counts.shape == (10, 2)
    same(SpanCounts.stacked([drawn.tile(0, 250), drawn.tile(250, 500)]), drawn)
    left, rows = counts.without_one()
    assert left.counts.sum(-1).tolist() == [9.0, 9.0]
    assert sorted(rows.tolist()) == [4.0, 6.0]


def test_bayesian_replicates_of_perfect_documents_are_not_all_perfect() -> None:
    drawn = counts_of([([("A", 0, 2)], [("A", 0, 2)])] * 30).resampled("bayesian", 400, 7, "test")
    sums = drawn.sums
    shares = sums.correct("strict")[0] / sums.possible
    assert shares.min() < 1
    assert shares.mean() > 0.95


def test_many_documents_are_told_apart_in_blocks(monkeypatch) -> None:
    random = np.random.default_rng(4)
    pairs = [
        tuple([("AB"[random.integers(2)], int(s), int(s) + 2) for s in random.integers(0, 9, 2)] for _ in range(2))
        for _ in range(80)
    ]
    whole = counts_of(pairs)
    monkeypatch.setattr("adjudge.statistics.ratings.spans.BLOCK_COUNTS", 100)
    same(counts_of(pairs), whole)


def test_numbers_that_do_not_fit_one_key_are_still_matched() -> None:
    far = 2**40
    pairs = [([("A", far, far + 5)], [("A", far, far + 5)]), ([("A", 0, far)], [("A", 1, far)])]
    assert counts_of(pairs).sums.correct("partial")[0].tolist() == [1.5]


def test_touching_spans_do_not_overlap() -> None:
    assert counts_of([([("A", 0, 5)], [("A", 5, 9)])]).sums.correct("type")[0].tolist() == [0.0]


def test_documents_of_one_annotator_alone_do_not_count() -> None:
    annotations = annotations_of([[[("A", 0, 1)], None], [[("A", 0, 1)], [("A", 0, 1)]]])
    counts = SpanCounts.collect(annotations, Weights(2))
    assert counts.sums.actual.tolist() == [1.0]


def test_parts_must_have_the_same_annotators() -> None:
    three = SpanCounts.empty(pairs=3)
    with pytest.raises(SettingError, match="Annotators must be the same"):
        three + SpanCounts.empty()
