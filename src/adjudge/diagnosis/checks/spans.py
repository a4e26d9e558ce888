"""Checks of spans: labels written twice, raters who mark nothing or the same, and places counted otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from adjudge.data.judgements.annotations import Annotations, Spans
from adjudge.diagnosis.checks.check import SERIOUS, Check
from adjudge.diagnosis.checks.labels import doubled
from adjudge.errors import percent, quoted, with_minus

FEWEST_SPANS, COPIED, NEAR = 20, 50, 3
MOSTLY, SELDOM, SHORTER = 0.5, 0.2, 1 / 3


def span_checks(marked: Annotations) -> Iterator[Check]:
    """C2, C4, C8, C12 and C34 of each rater's spans beside the first rater's."""
    used = {
        name: [spans.categories[code] for code in np.unique(spans.label).tolist()]
        for name, spans in zip(marked.raters, marked.annotators, strict=True)
    }
    yield from doubled(sorted({label for labels in used.values() for label in labels}), used)
    total = sum(len(spans.start) for spans in marked.annotators)
    for name, spans in zip(marked.raters, marked.annotators, strict=True):
        if not len(spans.start) and spans.annotated.sum() >= FEWEST_SPANS and total >= FEWEST_SPANS:
            yield Check("C8", SERIOUS, f"{quoted(name)} marks nothing in any item. Is it the right column?")
    for name, spans in list(zip(marked.raters, marked.annotators, strict=True))[1:]:
        yield from _beside(marked.raters[0], marked.annotators[0], name, spans)


def _beside(first: str, one: Spans, name: str, other: Spans) -> Iterator[Check]:
    moves = _moves(one, other)
    n, near = len(moves), Counter(move for move in moves if max(map(abs, move)) <= NEAR)
    if n < FEWEST_SPANS:
        return
    if n >= COPIED and near[0, 0] == n == len(one.start) and _labels(one) == _labels(other):
        yield Check("C4", SERIOUS, f"{quoted(name)} marks the same {n:,} spans as {quoted(first)}: a copy?")
    (start, end), times = max(near.items(), key=lambda move: move[1], default=((0, 0), 0))
    if (start, end) != (0, 0) and times > MOSTLY * n and near[0, 0] < SELDOM * n:
        moved = " and ".join(f"{what} by {with_minus(by, '+d')}" for what, by in (("start", start), ("end", end)) if by)
        yield Check(
            "C34",
            SERIOUS,
            f"Spans of {quoted(name)} differ from those of {quoted(first)} in their {moved} in {percent(times / n)} of "
            "all. Do both count from 0, with ends that are no longer part of the span?",
        )
    reach = [int(spans.end.max()) for spans in (one, other)]
    low, high = sorted(reach)
    if low < SHORTER * high and near[0, 0] < SELDOM * n:
        yield Check(
            "C12",
            SERIOUS,
            f"Spans of {quoted(first)} end at {reach[0]:,} at most, those of {quoted(name)} at {reach[1]:,}: are the "
            "ones counted in characters, and the others in words?",
        )


def _moves(one: Spans, other: Spans) -> list[tuple[int, int]]:
    """How far the start and the end of each span of the second are from the nearest of the first."""
    if not len(one.start) or not len(other.start):
        return []
    far = 4 * (1 + int(max(one.end.max(), other.end.max())))  # further than any two spans of a document
    order = np.argsort(one.document * far + one.start, kind="stable")
    places, others = (one.document * far + one.start)[order], other.document * far + other.start
    right = np.searchsorted(places, others).clip(0, len(places) - 1)
    left = (right - 1).clip(0)
    nearest = np.where(np.abs(places[left] - others) < np.abs(places[right] - others), left, right)
    starts, ends = others - places[nearest], other.end - one.end[order][nearest]
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def _labels(spans: Spans) -> Counter[str]:
    codes, times = np.unique(spans.label, return_counts=True)
    return Counter({spans.categories[code]: int(n) for code, n in zip(codes.tolist(), times.tolist(), strict=True)})
