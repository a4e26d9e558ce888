"""Which items are hard, and which go to adjudication."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.ratings import Ratings
from adjudge.diagnosis.raters.consensus import Consensus, dawid_skene, majority
from adjudge.diagnosis.raters.distinct_ratings import (
    DistinctRatings,
    coincidences_of,
    distinct,
    distinct_count_rows,
    patterns_of_pairs,
)
from adjudge.metrics import krippendorff_alpha
from adjudge.metrics.weightings import Measurement
from adjudge.statistics.base import Array, Codes, ratio
from adjudge.statistics.weights import summed_by

TIE, SPLIT, LONE, DOUBTED, SINGLE = (
    "tie",
    "split",
    "lone dissent",
    "doubted majority",
    "single rating",
)
REASONS = {
    TIE: "several labels have the most votes",
    DOUBTED: "another label is more probable, by how reliable each rater is",
    SPLIT: "two or more votes differ from the majority",
    LONE: "one vote differs from the majority",
    SINGLE: "one rating only",
}
CHUNK = 2**21


@dataclass(frozen=True, slots=True)
class Item:
    """One item: share of agreeing pairs of ratings, entropy of its labels in bits, and influence on alpha.

    Influence is alpha with the item less alpha without it: below 0 the item pulls alpha down.
    """

    item: str
    votes: dict[str, int]
    agreement: float
    entropy: float
    influence: float


@dataclass(frozen=True, slots=True)
class Queued:
    """An item to adjudicate: why, the label the model gives it, and how probable that is."""

    item: str
    reasons: tuple[str, ...]
    votes: dict[str, int]
    label: str
    probability: float
    influence: float


@dataclass(frozen=True, slots=True)
class Queue:
    """The first entries of the queue, how many items are in it in all and by reason, and how many are closed."""

    entries: list[Queued]
    open: int
    closed: int
    by_reason: dict[str, int]


def item_names(items: Sequence[str] | None, count: int) -> Sequence[str]:
    """The items' names, or their places from 1.

    >>> list(item_names(None, 2))
    ['1', '2']
    """
    return [str(place + 1) for place in range(count)] if items is None else items


def row_agreement(table: DistinctRatings) -> tuple[Array, Array]:
    """Share of agreeing pairs and entropy in bits of each row; NaN without two ratings, without one."""
    r = table.said.sum(1)
    agreement = ratio((table.said * (table.said - 1)).sum(1), r * (r - 1))
    share = ratio(table.said, r[:, None])
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = -np.where(share > 0, share * np.log2(share), 0.0).sum(1) + 0.0
    return np.asarray(agreement), np.where(r > 0, entropy, np.nan)


def item_influence(ratings: Ratings | DistinctRatings, measurement: Measurement = "nominal") -> Array:
    """Alpha less alpha without one item, with all its weight, for each distinct row of ratings.

    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> item_influence(ratings_of([["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"]])).round(2).tolist()
    [0.53, -0.47, 0.09]
    """
    table = distinct(ratings)
    said, each, counts, place = _kinds(table)
    if not said.size:
        return np.full(len(table.rows), np.nan)
    values = krippendorff_alpha.using(measurement=measurement).values
    step = max(1, CHUNK // said.shape[1] ** 2)
    chunks = [slice(start, start + step) for start in range(0, len(said), step)]
    whole = np.zeros((said.shape[1], said.shape[1]))
    for chunk in chunks:
        whole += np.tensordot(counts[chunk], coincidences_of(said[chunk]), 1)
    alpha = float(values(patterns_of_pairs(table.categories, whole / 2)))
    left = []
    for chunk in chunks:
        rest = whole - each[chunk, None, None] * coincidences_of(said[chunk])
        # What rounding leaves of nothing would pass for a second category.
        rest[rest < 1e-9] = 0.0
        left.append(values(patterns_of_pairs(table.categories, rest / 2)))
    return np.asarray(alpha - np.concatenate(left))[place]


def _kinds(table: DistinctRatings) -> tuple[Array, Array, Array, Codes]:
    """What decides an item's influence: its counts of categories and its weight; what such items weigh, and places."""
    weights, rank = np.unique(table.each, return_inverse=True)
    kinds, place = distinct_count_rows(np.column_stack([table.said, rank]))
    counts = summed_by(table.counts, place, len(kinds))
    return kinds[:, :-1], weights[kinds[:, -1].astype(np.int64)], counts, place


def hardest_items(
    ratings: Ratings | DistinctRatings,
    items: Sequence[str] | None = None,
    measurement: Measurement = "nominal",
    most: int = 50,
) -> list[Item]:
    """The items that pull alpha down most, then those with the least agreement and the most entropy.

    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> rows = [["a", "a", "a"], ["a", "b", "c"], ["b", "b", "b"], ["c", "c", "b"]]
    >>> [one.item for one in hardest_items(ratings_of(rows))]
    ['2', '4']
    """
    table = distinct(ratings)
    agreement, entropy = row_agreement(table)
    moved = item_influence(table, measurement)
    rows = np.flatnonzero(agreement < 1)
    order = rows[np.lexsort((-entropy[rows], agreement[rows], np.nan_to_num(moved[rows]).round(12)))]
    names = item_names(items, table.items)
    return [
        Item(names[item], _votes(table, row), float(agreement[row]), float(entropy[row]), float(moved[row]))
        for row, item in _expanded(table, order, most)
    ]


def _expanded(
    table: DistinctRatings, order: Codes, most: int, shown: NDArray[np.bool_] | None = None
) -> list[tuple[int, int]]:
    """Rows in this order with the items that have them, as far as the first ones go."""
    rank = np.full(len(table.rows), len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    of_item = rank[table.place]
    ranked = of_item < len(order)
    items = np.flatnonzero(ranked if shown is None else ranked & shown)
    if len(items) > most:
        last = np.partition(of_item[items], most - 1)[most - 1] if most else -1
        items = items[of_item[items] <= last]
    items = items[np.argsort(of_item[items], kind="stable")][:most]
    return [(int(table.place[item]), int(item)) for item in items]


def _votes(table: DistinctRatings, row: int) -> dict[str, int]:
    """An item's votes, the most frequent label first."""
    said = table.said[row]
    return {table.categories[k]: int(said[k]) for k in np.argsort(-said, kind="stable") if said[k] > 0}


def adjudication_queue(
    ratings: Ratings | DistinctRatings,
    items: Sequence[str] | None = None,
    resolved: Iterable[str] = (),
    *,
    measurement: Measurement = "nominal",
    most: int | None = None,
    model: Consensus | None = None,
) -> Queue:
    """Items whose label is open: the most uncertain first, then those that move alpha most.

    Certainty is that of `model`, fitted to the distinct rows (`by_row`): Dawid and Skene's when none is given.
    Items named in `resolved` are closed and do not come back.

    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> ratings = ratings_of([["a", "a", "a"], ["a", "b", None], ["b", "b", "a"], ["b", "b", "b"], ["a", None, None]])
    >>> [(one.item, one.reasons) for one in adjudication_queue(ratings, resolved=["5"]).entries]
    [('2', ('tie',)), ('3', ('lone dissent',))]
    """
    table = distinct(ratings)
    names, closed_names = item_names(items, table.items), {str(name) for name in resolved}
    closed = np.array([name in closed_names for name in names], dtype=bool) if closed_names else None
    rows = table.by_row
    model = dawid_skene(rows) if model is None else model
    moved, reasons = item_influence(table, measurement), _reasons(rows, model.labels)
    queued = np.flatnonzero([bool(one) for one in reasons])
    doubt = 1 - model.certainty
    order = queued[np.lexsort((-np.nan_to_num(np.abs(moved[queued])).round(12), -doubt[queued].round(9)))]
    shown = None if closed is None else ~closed
    waiting = np.bincount(table.place if shown is None else table.place[shown], minlength=len(table.rows))
    by_reason: Counter[str] = Counter(dict.fromkeys(REASONS, 0))
    for row in queued.tolist():
        for reason in reasons[row]:
            by_reason[reason] += int(waiting[row])
    total = int(waiting[queued].sum())
    entries = [
        Queued(
            names[item],
            reasons[row],
            _votes(table, row),
            table.categories[model.labels[row]],
            float(1 - doubt[row]),
            float(moved[row]),
        )
        for row, item in _expanded(table, order, total if most is None else most, shown)
    ]
    return Queue(entries, total, 0 if closed is None else int(closed.sum()), dict(by_reason))


def _reasons(rows: DistinctRatings, labels: NDArray[np.int64]) -> list[tuple[str, ...]]:
    """Why each row needs a decision, if it does."""
    votes = majority(rows)
    most = rows.said.max(1, initial=0.0)
    against = votes.votes - most
    several = votes.votes > 1
    flags = {
        TIE: several & votes.tied,
        DOUBTED: several & ~votes.tied & (labels != votes.labels),
        SPLIT: several & ~votes.tied & (against >= 2),
        LONE: several & ~votes.tied & (against == 1),
        SINGLE: votes.votes == 1,
    }
    code = sum(
        (flag.astype(np.int64) << bit for bit, flag in enumerate(flags.values())), np.zeros(len(most), dtype=np.int64)
    )
    named = [tuple(name for bit, name in enumerate(flags) if kind >> bit & 1) for kind in range(2 ** len(flags))]
    return [named[kind] for kind in code.tolist()]
