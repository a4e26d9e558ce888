"""Checks of where two raters' spans lie: moved by some places, more and more along an item, or anywhere."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from adjudge.data.judgements.annotations import Codes, Flags, Spans
from adjudge.diagnosis.checks.check import REMARK, SERIOUS, Check
from adjudge.errors import percent, quoted, with_minus

FEWEST_SPANS, FEWEST_LATER, NEAR = 20, 10, 3
MOSTLY, SELDOM, SOME, SHORTER = 0.5, 0.2, 0.2, 1 / 3
MORE, NEARLY, MOSTLY_ONE_WAY, ALIKE, SURE = 3.0, 0.9, 0.8, 0.15, 3.0
MOST_PAIRS = 2**20  # of spans of two raters in one item that are held against one another


class SpanPairs(NamedTuple):
    """Spans of one rater and of another, by their places among all."""

    one: Codes
    other: Codes


def same_places(one: Spans, other: Spans) -> SpanPairs:
    """Spans of two raters that start and end alike in the same item."""
    places = [np.stack([spans.document, spans.start, spans.end], axis=1) for spans in (one, other)]
    _, codes = np.unique(np.concatenate(places), axis=0, return_inverse=True)
    codes = codes.reshape(-1)
    _, first, second = np.intersect1d(codes[: len(one.start)], codes[len(one.start) :], return_indices=True)
    return SpanPairs(first, second)


def spans_beside(one: Spans, other: Spans) -> SpanPairs:
    """Every span of the one beside every one of the other in the same item, of as many items as there is room for."""
    sizes = np.bincount(one.document, minlength=one.documents)
    order, firsts = np.argsort(one.document, kind="stable"), np.cumsum(sizes) - sizes
    times = sizes[other.document]
    kept = np.flatnonzero(np.cumsum(times) <= MOST_PAIRS)
    times = times[kept]
    within = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
    return SpanPairs(order[np.repeat(firsts[other.document[kept]], times) + within], np.repeat(kept, times))


def overlaps(one: Spans, other: Spans) -> Flags:
    """Which spans of the other share a place with any of the one in the same item."""
    pairs = spans_beside(one, other)
    common = (one.start[pairs.one] < other.end[pairs.other]) & (other.start[pairs.other] < one.end[pairs.one])
    met = np.zeros(len(other.start), dtype=bool)
    met[pairs.other[common]] = True
    return met


def place_checks(first: str, one: Spans, name: str, other: Spans) -> Iterator[Check]:
    """C12, C34 and C36: places that are counted otherwise, or have nothing to do with one another."""
    n, same = len(other.start), len(same_places(one, other).other)
    (start, end), times, others = _commonest_move(one, other)
    moved = " and ".join(f"{what} by {with_minus(by, '+d')}" for what, by in (("start", start), ("end", end)) if by)
    differ = (
        f"Spans of {quoted(name)} differ from those of {quoted(first)} in their {moved} in {percent(times / n)} of all"
    )
    reach = [int(spans.end.max()) for spans in (one, other)]
    if times > MOSTLY * n and same < SELDOM * n:
        advice = "Do both count from 0, and is the end the first place after the span"
        more = ", and in the same text" if max(abs(start), abs(end)) > NEAR else ""
        yield Check("C34", SERIOUS, f"{differ}. {advice}{more}?")
    elif min(reach) < SHORTER * max(reach) and same < SELDOM * n:
        yield Check(
            "C12",
            SERIOUS,
            f"Spans of {quoted(first)} end at {reach[0]:,} at most, those of {quoted(name)} at {reach[1]:,}: are "
            "some counted in characters and others in words?",
        )
    elif (drift := _further_on(one, other)) is not None:
        yield Check(
            "C12",
            SERIOUS,
            f"Spans of {quoted(name)} lie {'after' if drift > 0 else 'before'} those of {quoted(first)} from some "
            "place in an item to its end. Are some counted in characters and others in bytes, or with other line ends?",
        )
    elif times > max(SOME * n, FEWEST_SPANS, MORE * others) and max(abs(start), abs(end)) <= NEAR:
        yield Check("C34", REMARK, f"{differ}, and not at all in {percent(same / n)}. Do all count the same way?")
    elif _unrelated(one, other):
        yield Check(
            "C36",
            REMARK,
            f"Spans of {quoted(name)} meet those of {quoted(first)} no more often than those of another item. Do "
            "both name items and count places the same way?",
        )


def _commonest_move(one: Spans, other: Spans) -> tuple[tuple[int, int], int, int]:
    """The commonest way in which start and end of spans differ in an item, how often it occurs, and the next one.

    Ways that people differ in who do not agree are many.
    """
    pairs = spans_beside(one, other)
    starts, ends = other.start[pairs.other] - one.start[pairs.one], other.end[pairs.other] - one.end[pairs.one]
    apart = (starts != 0) | (ends != 0)
    moves, counts = np.unique(np.stack([starts[apart], ends[apart]], axis=1), axis=0, return_counts=True)
    if not len(counts):
        return (0, 0), 0, 0
    best, *others = np.argsort(-counts, kind="stable").tolist()
    return (int(moves[best, 0]), int(moves[best, 1])), int(counts[best]), int(counts[others[0]]) if others else 0


def _further_on(one: Spans, other: Spans) -> float | None:
    """On which side spans lie of the other's where, once they differ in an item, all later ones do so as much or more.

    Of items in which both have as many spans, in their order; lengths must be alike, or grow as places do.
    """
    sizes = [np.bincount(spans.document, minlength=spans.documents) for spans in (one, other)]
    alike = (sizes[0] == sizes[1]) & (sizes[0] > 0)
    first, second = (_in_order(spans, alike) for spans in (one, other))
    if len(first[0]) < FEWEST_SPANS:
        return None
    document, start, length = first[0], first[1], first[2] - first[1]
    starts, ends = second[1] - first[1], second[2] - first[2]
    sign, slope = 1 if np.sign(starts).sum() > 0 else -1, float(np.median(starts / np.maximum(start, 1)))
    fits = np.abs(ends - starts - slope * length) <= 2 + ALIKE * length
    fits |= np.abs(ends - starts) <= 2 + ALIKE * length
    moved = (sign * starts > 0) & (sign * ends > 0) & fits
    later = (document[1:] == document[:-1]) & moved[:-1] & fits[1:]  # others are hardly the same span
    stay = later & moved[1:] & (sign * starts[1:] >= sign * starts[:-1])
    steady = later.sum() >= FEWEST_LATER and stay.sum() > NEARLY * later.sum()
    enough = moved.sum() >= max(FEWEST_SPANS, SOME / 2 * len(starts))
    enough &= moved.sum() > MOSTLY_ONE_WAY * ((starts != 0) & fits).sum()
    return float(sign) if steady and enough else None


def _in_order(spans: Spans, kept: Flags) -> tuple[Codes, Codes, Codes]:
    """Items, starts and ends of the spans of some items, in the order of the text."""
    order = np.lexsort((spans.end, spans.start, spans.document))
    order = order[kept[spans.document[order]]]
    return spans.document[order], spans.start[order], spans.end[order]


def _unrelated(one: Spans, other: Spans) -> bool:
    """Whether spans meet those of their own item hardly more often than those of the next one."""
    n = len(other.start)
    if min(len(one.start), n) < 2 * FEWEST_SPANS or one.documents < FEWEST_LATER:
        return False
    items = np.unique(np.concatenate([one.document, other.document]))
    following = np.zeros(one.documents, dtype=np.int64)
    following[items] = np.roll(items, 1)
    moved = Spans(
        one.categories, following[one.document], one.label, one.start, one.end, one.penalised, one.annotated, one.report
    )
    overlapping = [float(overlaps(spans, other).mean()) for spans in (one, moved)]
    exact = [len(same_places(spans, other).other) / n for spans in (one, moved)]
    sure = [SURE * math.sqrt(sum(share * (1 - share) for share in shares) / n) for shares in (overlapping, exact)]
    apart = overlapping[0] - overlapping[1] < sure[0] and exact[0] - exact[1] < sure[1]
    return apart and overlapping[0] < MOSTLY and exact[0] + sure[1] < SELDOM
