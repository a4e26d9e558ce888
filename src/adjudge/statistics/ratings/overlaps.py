"""Partners among overlapping spans: one to one, of the largest total overlap in each document.

A pair with the same boundaries never costs overlap (|A ∩ X| + |X ∩ B| ≤ |X| + |A ∩ B|), so equal spans are matched
first, then the rest.
Most overlapping spans have one candidate on either side, or one span has all candidates: those are settled for
all documents at once. Only tangled groups are solved one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.annotations import Spans

Codes = NDArray[np.int64]
DOCUMENT, START, END, LABEL = range(4)


def of_largest_overlap(a: Codes, b: Codes) -> tuple[Codes, Codes]:
    """The partners, by place in each; a and b hold document, start, end and label in rows, spans in order.

    >>> one, halves = np.array([[0], [0], [10], [0]]), np.array([[0, 0], [0, 3], [3, 9], [0, 0]])
    >>> of_largest_overlap(one, halves)
    (array([0]), array([1]))
    """
    i, j = overlapping(a, b)
    if not len(i):
        return i, j
    overlap = np.minimum(a[END, i], b[END, j]) - np.maximum(a[START, i], b[START, j])
    same = a[LABEL, i] == b[LABEL, j]
    group, tangled = _groups(i, j, a.shape[1], b.shape[1])
    # In a group with one span on a side the best candidate wins; in a group of two spans it is the only one.
    best = np.lexsort((j, i, ~same, -overlap, group))
    best = best[np.diff(group[best], prepend=-1) != 0]
    chosen = [best[~tangled[group[best]]]]
    edges = np.flatnonzero(tangled[group])
    edges = edges[np.argsort(group[edges], kind="stable")]
    for some in np.split(edges, np.flatnonzero(np.diff(group[edges])) + 1) if len(edges) else ():
        chosen.append(some[_solved(a, b, (i[some], j[some]), (overlap[some], same[some]))])
    kept = np.concatenate(chosen)
    return i[kept], j[kept]


def overlapping(a: Codes, b: Codes) -> tuple[Codes, Codes]:
    """Every two spans of one document that share at least one place, by place in each side."""
    width = max(int(a[END].max()), int(b[END].max())) + 1
    start_a, end_a = a[DOCUMENT] * width + a[START], a[DOCUMENT] * width + a[END]
    start_b, end_b = b[DOCUMENT] * width + b[START], b[DOCUMENT] * width + b[END]
    # b is in order of its starts; spans before `low` have all ended, those from `high` on begin too late.
    low = np.searchsorted(np.maximum.accumulate(end_b), start_a, side="right")
    high = np.maximum(np.searchsorted(start_b, end_a, side="left"), low)
    sizes = high - low
    i = np.repeat(np.arange(len(start_a)), sizes)
    j = np.arange(int(sizes.sum())) + np.repeat(low - (np.cumsum(sizes) - sizes), sizes)
    met = end_b[j] > start_a[i]
    return i[met], j[met]


def _groups(i: Codes, j: Codes, size_a: int, size_b: int) -> tuple[Codes, NDArray[np.bool_]]:
    """The connected group of each pair of candidates, and which groups have several spans on both sides."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    size = size_a + size_b
    count, of_span = connected_components(coo_array((np.ones(len(i)), (i, size_a + j)), shape=(size, size)), False)
    several = [np.bincount(part, minlength=count) > 1 for part in (of_span[:size_a], of_span[size_a:])]
    return of_span[i].astype(np.int64), several[0] & several[1]


def _solved(a: Codes, b: Codes, pairs: tuple[Codes, Codes], worth: tuple[Codes, NDArray[np.bool_]]) -> Codes:
    """Which candidates of one group are partners: most overlap, then most of one label, then most pairs."""
    from scipy.optimize import linear_sum_assignment

    (left, i), (right, j) = (np.unique(side, return_inverse=True) for side in pairs)
    overlap, same = worth
    most = min(len(left), len(right)) + 1
    gain = np.zeros((len(left), len(right)))
    gain[i, j] = overlap * float(most**2) + same * most + 1
    # Ties are broken alike whichever side comes first.
    turned = a[START:, left].T.tolist() > b[START:, right].T.tolist()
    rows, columns = linear_sum_assignment(gain.T if turned else gain, maximize=True)
    rows, columns = (columns, rows) if turned else (rows, columns)
    partner = np.full(len(left), -1)
    partner[rows] = columns
    return np.flatnonzero(partner[i] == j)


def keys_in_order(spans: Spans, shared: NDArray[np.bool_]) -> Spans:
    """The spans of shared documents by place, then label: what follows never depends on the order given."""
    step, onward = np.diff(spans.document), np.diff(spans.start) > 0
    if shared.all() and ((step > 0) | ((step == 0) & onward)).all():
        return spans
    order = np.lexsort((spans.label, spans.end, spans.start, spans.document))
    order = order[shared[spans.document[order]]]
    names = ("document", "label", "start", "end", "penalised")
    return replace(spans, **{name: getattr(spans, name)[order] for name in names})


def matched(a: Spans, b: Spans) -> tuple[Codes, Codes]:
    """Which spans are partners, by place in each: one to one, of the largest total overlap.

    Among equal overlaps, pairs of one label come first. Both sides must be in order; swapping them swaps
    the answer.
    """
    left, right = np.flatnonzero(~a.penalised), np.flatnonzero(~b.penalised)
    pairs: list[tuple[Codes, Codes]] = []
    for columns in (("document", "start", "end", "label"), ("document", "start", "end")):
        i, j = _alike(*_keys([getattr(a, name)[left] for name in columns], [getattr(b, n)[right] for n in columns]))
        pairs.append((left[i], right[j]))
        left, right = np.delete(left, i), np.delete(right, j)
    if len(left) and len(right):
        i, j = of_largest_overlap(_places(a, left), _places(b, right))
        pairs.append((left[i], right[j]))
    return np.concatenate([i for i, _ in pairs]), np.concatenate([j for _, j in pairs])


def _places(spans: Spans, chosen: Codes) -> Codes:
    """Document, start, end and label of some spans, (4, spans)."""
    return np.stack([spans.document, spans.start, spans.end, spans.label])[:, chosen]


def _keys(a: Sequence[Codes], b: Sequence[Codes]) -> tuple[Codes, Codes]:
    """One whole number for each row of several columns, alike on both sides."""
    key = np.zeros(len(a[0]) + len(b[0]), dtype=np.int64)
    for columns in zip(a, b, strict=True):
        column = np.concatenate(columns)
        base = int(column.max(initial=0)) + 1
        if int(key.max(initial=0)) + 1 > 2**62 // base:
            key = np.unique(key, return_inverse=True)[1].reshape(-1)
        key = key * base + column
    return key[: len(a[0])], key[len(a[0]) :]


def _alike(a: Codes, b: Codes) -> tuple[Codes, Codes]:
    """Partners with the same key: the first with the first, the second with the second."""
    (first, i), (second, j) = ((key[order := np.argsort(key, kind="stable")], order) for key in (a, b))
    rank = np.arange(len(first)) - np.searchsorted(first, first)
    place = np.searchsorted(second, first) + rank
    inside = np.flatnonzero(place < len(second))
    met = inside[second[place[inside]] == first[inside]]
    return i[met], j[place[met]]
