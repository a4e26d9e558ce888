"""Tables of items to take away: each item, what to adjudicate, and what the label probably is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TypedDict

import numpy as np

from adjudge.data.judgements.label_sets import labels_in
from adjudge.data.reading import Block
from adjudge.diagnosis.raters.consensus import dawid_skene, majority
from adjudge.diagnosis.raters.distinct_ratings import DistinctRatings, distinct
from adjudge.diagnosis.raters.items import adjudication_queue, item_influence, row_agreement
from adjudge.engines.base import WHOLE_ONLY, Collected, SumPlan, Tally, no_progress
from adjudge.errors import SettingError
from adjudge.evaluation.request import Request
from adjudge.evaluation.take_away.tables import Nested, Part
from adjudge.evaluation.walk import settled
from adjudge.metrics.spans import f_of
from adjudge.statistics.base import Array, Codes, ratio
from adjudge.statistics.ratings.items import RatedItems
from adjudge.statistics.ratings.set_rows import SetRows
from adjudge.statistics.ratings.spans import SpanSums, document_counts
from adjudge.tasks.agreement.by_measurement import NUMBERS
from adjudge.tasks.agreement.checks import MOST_CATEGORIES
from adjudge.tasks.agreement.reading import ITEMS
from adjudge.tasks.agreement.study import RatingStudy

MODEL, MEAN, MOST, MARKED = (
    "Dawid and Skene 1979",
    "mean of the ratings",
    "labels that more than half of the raters gave",
    "spans that more than half of the raters marked",
)


def of_items(name: str) -> Callable[[Request], Iterator[Part]]:
    """What makes one of the tables: items, queue or consensus."""

    def parts(request: Request) -> Iterator[Part]:
        if not request.engine.holds_table:
            raise SettingError(f'`{name}` must have all items at once, but a stream does not. Use engine="memory".')
        tally = Tally(ITEMS, RatedItems, where=WHOLE_ONLY, holds_units=True)
        collected = _collected(request, tally)
        if (again := settled(request, collected.facts)) is not request:
            request, collected = again, _collected(again, tally)
        study, items = request.study, collected.find(ITEMS, RatedItems)
        assert isinstance(study, RatingStudy)
        yield from [] if items is None else [study.item_table(name, items)]

    return parts


def _collected(request: Request, tally: Tally) -> Collected:
    def planner(first: Block) -> SumPlan:
        return SumPlan((tally,))

    return request.engine.collect(request.source, request.study.reading, planner, no_progress)


# Labels


def label_table(name: str, items: RatedItems, measurement: str) -> Part:
    """A table of items whose ratings are labels, grades or numbers."""
    ratings = items.ratings
    if measurement in NUMBERS and len(ratings.categories) > MOST_CATEGORIES:
        return _of_numbers(name, items)
    table = distinct(ratings, items.weight)
    if name == "items":
        agreement, entropy = row_agreement(table)
        influence = item_influence(table, measurement)
        votes = majority(table.by_row)
        label = [table.categories[code] if code >= 0 else None for code in votes.labels]
        return {
            "item": items.names,
            "ratings": table.said.sum(1).astype(np.int64)[table.place],
            "votes": Nested(_votes(table)[row] for row in table.place),
            "majority": [label[row] for row in table.place],
            "agreement": agreement[table.place],
            "entropy": entropy[table.place],
            "influence": influence[table.place],
        }
    return _queue(items, table, measurement) if name == "queue" else _consensus(items, table)


def _votes(table: DistinctRatings) -> list[dict[str, int]]:
    """The votes of each distinct row, labels in their order."""
    return [{label: int(n) for label, n in zip(table.categories, row, strict=True) if n} for row in table.said]


def _queue(items: RatedItems, table: DistinctRatings, measurement: str) -> Part:
    queue = adjudication_queue(table, items.names, measurement=measurement)
    place = dict(zip(items.names, table.place, strict=True))
    apart = 1 - row_agreement(table)[0]
    entries = queue.entries
    return {
        "rank": np.arange(1, len(entries) + 1),
        "item": [one.item for one in entries],
        "reasons": Nested(list(one.reasons) for one in entries),
        "disagreement": np.array([apart[place[one.item]] for one in entries], dtype=np.float64),
        "votes": Nested(one.votes for one in entries),
        "label": [one.label for one in entries],
        "probability": np.array([one.probability for one in entries], dtype=np.float64),
        "influence": np.array([one.influence for one in entries], dtype=np.float64),
    }


def _consensus(items: RatedItems, table: DistinctRatings) -> Part:
    model = dawid_skene(table.by_row)
    chances = [dict(zip(table.categories, map(float, row), strict=True)) for row in model.probabilities]
    labels = [table.categories[code] if code >= 0 else None for code in model.labels]
    return {
        "item": items.names,
        "label": [labels[row] for row in table.place],
        "probability": model.certainty[table.place],
        "ratings": model.votes[table.place],
        "probabilities": Nested(chances[row] for row in table.place),
        "model": [MODEL] * table.items,
    }


def _of_numbers(name: str, items: RatedItems) -> Part:
    """Numbers with too many values to be labels."""
    values: Array = items.ratings.values
    rated = np.isfinite(values)
    count = rated.sum(1)
    mean = np.asarray(ratio(np.where(rated, values, 0).sum(1), count))
    spread = np.sqrt(ratio(np.where(rated, (values - mean[:, None]) ** 2, 0).sum(1), np.maximum(count - 1, 0)))
    if name == "consensus":
        return {"item": items.names, "label": mean, "ratings": count, "model": [MEAN] * len(mean)}
    ends = [np.where(rated, values, np.inf).min(1), np.where(rated, values, -np.inf).max(1)]
    order = np.arange(len(mean))
    if name == "queue":
        order = np.argsort(-np.nan_to_num(spread), kind="stable")
        order = order[np.nan_to_num(spread)[order] > 0]
    columns: Part = {
        "mean": mean[order],
        "standard_deviation": spread[order],
        "lowest": ends[0][order],
        "highest": ends[1][order],
    }
    return _in_order(name, items, count, order, columns)


def _in_order(name: str, items: RatedItems, count: Codes, order: Codes, columns: Part) -> Part:
    """A table of some items, each with how many rated it; of a queue, with the place of each."""
    rank: Part = {"rank": np.arange(1, len(order) + 1)} if name == "queue" else {}
    return {**rank, "item": [items.names[row] for row in order], "ratings": count[order], **columns}


# Sets of labels


def set_table(name: str, items: RatedItems, distance: str) -> Part:
    """A table of items whose ratings are sets of labels."""
    ratings = items.ratings
    labels = tuple(sorted({label for one in ratings.categories for label in labels_in(one)}))
    rows = SetRows(labels, ratings.categories, ratings.raters, ratings.codes)
    apart, count = rows.apart(distance), (ratings.codes >= 0).sum(1)
    said = [Counter(ratings.categories[code] for code in row if code >= 0) for row in ratings.codes]
    given = [Counter(label for one, n in sets.items() for label in labels_in(one) for _ in range(n)) for sets in said]
    shares = [{label: one[label] / n for label in sorted(one)} for one, n in zip(given, count.tolist(), strict=True)]
    order = np.arange(len(count))
    if name == "consensus":
        return {
            "item": items.names,
            "label": Nested([label for label, share in one.items() if share > 0.5] for one in shares),
            "ratings": count,
            "probabilities": Nested(shares),
            "model": [MOST] * len(count),
        }
    if name == "queue":
        order = np.argsort(-apart, kind="stable")
        order = order[apart[order] > 0]
    votes, disagreement = Nested(dict(said[row]) for row in order), np.where(count > 1, apart, np.nan)[order]
    return _in_order(name, items, count, order, {"votes": votes, "disagreement": disagreement})


# Spans


def span_table(name: str, items: RatedItems) -> Part:
    """A table of items in which raters marked spans."""
    marked = items.annotations
    read = np.stack([one.annotated for one in marked.annotators], axis=1).sum(1)
    triples = [one.triples() for one in marked.annotators]
    each = [Counter(span for of_rater in triples for span in set(of_rater[place])) for place in range(len(marked))]
    if name == "consensus":
        kept = [_shares(one, n) for one, n in zip(each, read.tolist(), strict=True)]
        return {
            "item": items.names,
            "label": Nested([span for span in one if span["share"] > 0.5] for one in kept),
            "ratings": read,
            "spans": Nested(kept),
            "model": [MARKED] * len(kept),
        }
    documents, cell = document_counts(marked)
    f = f_of(SpanSums(documents).summed, "strict")[..., 0]
    defined = ~np.isnan(f)
    mean = np.asarray(ratio(np.where(defined, f, 0).sum(-1), defined.sum(-1)))[cell]
    order = np.arange(len(read))
    if name == "queue":
        order = np.argsort(np.nan_to_num(mean, nan=2.0), kind="stable")
        order = order[mean[order] < 1]
    spans = Nested(_shares(each[row], int(read[row])) for row in order)
    return _in_order(name, items, read, order, {"spans": spans, "mean_f": mean[order]})


class MarkedSpan(TypedDict):
    """A span, and the share of raters who marked it."""

    label: str
    start: int
    end: int
    share: float


def _shares(spans: Counter[tuple[str, int, int]], raters: int) -> list[MarkedSpan]:
    """Every span that somebody marked, with the share of raters who did."""
    return [
        {"label": label, "start": start, "end": end, "share": times / raters}
        for (label, start, end), times in sorted(spans.items(), key=lambda one: (one[0][1], one[0][2], one[0][0]))
    ]
