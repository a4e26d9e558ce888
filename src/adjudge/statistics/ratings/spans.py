"""Spans against spans: what each document holds, what was found in it, and how many documents are alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.annotations import Annotations, Spans
from adjudge.data.judgements.labels import ordered_labels, positions
from adjudge.data.judgements.tags import annotations_of
from adjudge.errors import SettingError, listed
from adjudge.statistics.base import Array, Codes, steady_product
from adjudge.statistics.kinds import Kinds, RaterView, joined_raters
from adjudge.statistics.of_arrays import OfArrays
from adjudge.statistics.ratings.overlaps import keys_in_order, matched
from adjudge.statistics.weights import Weights

FIELDS = 8
POSSIBLE, ACTUAL, STRICT, TYPE, EXACT_REFERENCE, EXACT_PREDICTION, PARTIAL_REFERENCE, PARTIAL_PREDICTION = range(FIELDS)
# The same counts when the two annotators change places.
OTHER_WAY = [1, 0, 2, 3, 5, 4, 7, 6]
# Documents are told apart in blocks of about this many counts.
BLOCK_COUNTS = 2**23


@dataclass(frozen=True, slots=True)
class SpanSums:
    """Spans of each label, (…, K): those of the reference, those predicted, and how many of them meet a partner.

    A partner with other boundaries or another label may have another label on the other side, so those are
    counted by the label of each side.
    """

    counts: Array  # (…, FIELDS, K)

    @property
    def summed(self) -> SpanSums:
        """All labels thrown together: what micro averages divide."""
        return SpanSums(self.counts.sum(-1, keepdims=True))

    @property
    def possible(self) -> Array:
        """Spans of the reference."""
        return self.counts[..., POSSIBLE, :]

    @property
    def actual(self) -> Array:
        """Spans predicted."""
        return self.counts[..., ACTUAL, :]

    def correct(self, match: str) -> tuple[Array, Array]:
        """Spans of the reference that are found, and predicted spans that are right, by a rule of matching."""
        if match in ("strict", "type"):
            both = self.counts[..., STRICT if match == "strict" else TYPE, :]
            return both, both
        exact = self.counts[..., EXACT_REFERENCE, :], self.counts[..., EXACT_PREDICTION, :]
        if match == "exact":
            return exact
        overlapping = self.counts[..., PARTIAL_REFERENCE, :], self.counts[..., PARTIAL_PREDICTION, :]
        return exact[0] + overlapping[0] / 2, exact[1] + overlapping[1] / 2


# `Any`: a list, as `checked_arrays` has seen.
def _of_annotators(first: Any, second: object = None, **tags: str) -> Annotations:
    """The documents of two annotators, or of a list of annotators; `scheme` and `mode` say how tags are read."""
    return annotations_of(list(first) if second is None else [first, second], **tags)


@dataclass(frozen=True)
class SpanCounts(OfArrays[Annotations, None], Kinds[Annotations, None]):
    """Counts of spans in a document, for each two annotators, and the weight of the documents that have them.

    Laws: (a + b) + c == a + (b + c), a + b == b + a; collecting two parts and adding equals collecting the
    whole. Labels, and annotators that have names, are aligned on `+`.
    """

    categories: tuple[str, ...]
    documents: Array  # (P, pairs of annotators, FIELDS, K), distinct, in lexical order
    counts: Array  # (…, P), weight of the documents with these counts
    squares: Array  # (P,), squared case weights
    rows: int
    raters: tuple[str, ...] = ()  # the annotators' names, where they have some

    described = "documents"
    read_arrays = staticmethod(_of_annotators)

    @classmethod
    def empty(cls, categories: tuple[str, ...] = (), pairs: int = 1) -> Self:
        """The counts of no documents."""
        return cls(categories, np.zeros((0, pairs, FIELDS, len(categories))), np.zeros(0), np.zeros(0), 0)

    @classmethod
    def summing(cls, annotations: Annotations, pilot: None = None) -> Callable[[Weights], SpanCounts]:
        """What turns weights into counts of these documents; spans are matched once."""
        documents, cell = document_counts(annotations)
        size = len(documents)

        def sums(weights: Weights) -> SpanCounts:
            counts, squares = weights.sums_by(cell, size)
            return cls(annotations.categories, documents, counts, squares, weights.rows, annotations.raters)

        return sums

    def __add__(self, other: Self) -> Self:
        raters = joined_raters(self.raters, other.raters)
        categories = ordered_labels({*self.categories, *other.categories})
        a, b = (part.marked_by(raters).aligned(categories) for part in (self, other))
        if a.documents.shape[1] != b.documents.shape[1]:
            numbers = listed([a.documents.shape[1], b.documents.shape[1]])
            raise SettingError(f"Annotators must be the same in all parts, but their pairs number {numbers}.")
        both = np.concatenate([a.documents, b.documents])
        distinct, place = _distinct_rows(_flat(both))
        documents = distinct.reshape(len(distinct), *both.shape[1:])
        return replace(a, documents=documents, **a.counted_with(b, place, len(distinct)))

    def aligned(self, categories: tuple[str, ...]) -> Self:
        """The same counts over more labels, zeros where absent."""
        if categories == self.categories:
            return self
        documents = np.zeros((*self.documents.shape[:-1], len(categories)))
        documents[..., positions(self.categories, categories)] = self.documents
        return replace(self, categories=categories)._with_documents(documents)

    def marked_by(self, raters: tuple[str, ...]) -> Self:
        """The same counts with more annotators, who marked nothing and read nothing."""
        if raters == self.raters or not self.raters:
            return self
        pairs = {pair: place for place, pair in enumerate(combinations(raters, 2))}
        documents = np.zeros((len(self.documents), len(pairs), *self.documents.shape[2:]))
        for place, (first, second) in enumerate(combinations(self.raters, 2)):
            if (first, second) in pairs:
                documents[:, pairs[first, second]] = self.documents[:, place]
            else:
                documents[:, pairs[second, first]] = self.documents[:, place, OTHER_WAY]
        return replace(self, raters=raters)._with_documents(documents)

    def _with_documents(self, documents: Array) -> Self:
        """The same documents with other columns, still distinct, in lexical order again."""
        distinct, place = _distinct_rows(_flat(documents))
        order = np.argsort(place)
        return replace(
            self,
            documents=distinct.reshape(documents.shape),
            counts=self.counts[..., order],
            squares=self.squares[order],
        )

    def in_terms_of(self, other: Self) -> Self:
        """The same counts over the annotators and labels of another statistic."""
        return self.marked_by(other.raters).aligned(other.categories)

    @property
    def prior_kinds(self) -> tuple[Array, Array] | None:
        """One document's worth of prior spans."""
        return _prior_documents(self.documents.shape[1], len(self.categories)) if self.categories else None

    def of_raters(self, places: Sequence[int]) -> RaterView[SpanCounts]:
        """The same documents as marked by some of the raters."""
        every = list(combinations(range(len(self.raters)), 2))
        chosen = [place for place, pair in enumerate(every) if set(pair) <= set(places)]
        names = tuple(self.raters[place] for place in sorted(places))

        def of(replicates: SpanCounts) -> SpanCounts:
            view = replace(replicates, documents=replicates.documents[:, chosen], raters=names)
            # Sums of pairs are sums of all pairs, which are there already.
            vars(view)["by_pair"] = SpanSums(replicates.by_pair.counts[..., chosen, :, :])
            return view

        return RaterView(of(self), of)

    @property
    def work(self) -> int:
        """Multiplications in one replicate."""
        return int(self.documents.size)

    @cached_property
    def by_pair(self) -> SpanSums:
        """The sums for each two annotators, (…, pairs, FIELDS, K)."""
        flat = steady_product(self.counts, _flat(self.documents))
        return SpanSums(flat.reshape(*self.counts.shape[:-1], *self.documents.shape[1:]))

    @property
    def sums(self) -> SpanSums:
        """The sums over all pairs of annotators: of the two, when there are two."""
        return SpanSums(self.by_pair.counts.sum(-3))

    def each_category(self, formula: Callable[[SpanSums], Array]) -> Array:
        """A formula of one label's counts, for every label, (…, K)."""
        return formula(self.sums)

    def pooled(self, formula: Callable[[SpanSums], Array]) -> Array:
        """A formula of all labels' counts thrown together, (…)."""
        return formula(self.sums.summed)[..., 0]

    @property
    def category_weight(self) -> Array:
        """How many spans of the reference each label has, (…, K)."""
        return self.sums.possible


def _flat(documents: Array) -> Array:
    return documents.reshape(len(documents), int(np.prod(documents.shape[1:])))


def document_counts(annotations: Annotations) -> tuple[Array, Codes]:
    """The distinct counts of spans in a document, (P, pairs, FIELDS, K), and each document's place among them."""
    pairs = list(combinations(annotations.annotators, 2))
    shape = (len(pairs), FIELDS, len(annotations.categories))
    entries = [
        document * int(np.prod(shape)) + (place * FIELDS + field) * shape[2] + label
        for place, (first, second) in enumerate(pairs)
        for field, document, label in counted_spans(first, second)
    ]
    every = np.concatenate([np.zeros(0, dtype=np.int64), *entries])
    distinct, cell = _distinct_documents(every, len(annotations), int(np.prod(shape)))
    return distinct.reshape(len(distinct), *shape), cell


def _prior_documents(pairs: int, size: int) -> tuple[Array, Array]:
    """For each label a document with one span: found, missed, or made up; alike for all pairs. One in all."""
    documents = np.zeros((3, size, pairs, FIELDS, size))
    for label in range(size):
        documents[0, label, :, :PARTIAL_REFERENCE, label] = 1
        documents[1, label, :, POSSIBLE, label] = 1
        documents[2, label, :, ACTUAL, label] = 1
    return documents.reshape(-1, pairs, FIELDS, size), np.full(3 * size, 1 / (3 * size))


def counted_spans(reference: Spans, prediction: Spans) -> list[tuple[int, Codes, Codes]]:
    """What is counted: the field, and the document and label of each span that counts towards it."""
    a, b = (keys_in_order(spans, reference.annotated & prediction.annotated) for spans in (reference, prediction))
    counts = [(POSSIBLE, a.document, a.label), (ACTUAL, b.document, b.label)]
    i, j = matched(a, b)
    document, first, second = a.document[i], a.label[i], b.label[j]
    same_label = first == second
    exact = (a.start[i] == b.start[j]) & (a.end[i] == b.end[j])
    for field, chosen, label in (
        (STRICT, exact & same_label, first),
        (TYPE, same_label, first),
        (EXACT_REFERENCE, exact, first),
        (EXACT_PREDICTION, exact, second),
        (PARTIAL_REFERENCE, ~exact, first),
        (PARTIAL_PREDICTION, ~exact, second),
    ):
        counts.append((field, document[chosen], label[chosen]))
    return counts


def _distinct_documents(entries: Codes, documents: int, width: int) -> tuple[Array, Codes]:
    """Distinct rows of counts and each document's place among them; entries are document · width + column."""
    step = max(1, BLOCK_COUNTS // max(width, 1))
    entries = np.sort(entries) if documents > step else entries
    parts, cells, known = [np.zeros((0, width))], [np.zeros(0, dtype=np.int64)], 0
    for start in range(0, documents, step):
        stop = min(start + step, documents)
        low, high = (0, len(entries)) if documents <= step else np.searchsorted(entries, [start * width, stop * width])
        counts = np.bincount(entries[low:high] - start * width, minlength=(stop - start) * width)
        rows, place = _distinct_rows(counts.reshape(stop - start, width))
        parts.append(rows)
        cells.append(place + known)
        known += len(rows)
    if len(parts) == 2:
        return parts[1], cells[1]
    distinct, place = _distinct_rows(np.concatenate(parts))
    return distinct, place[np.concatenate(cells)]


def _distinct_rows(counts: NDArray[np.number]) -> tuple[Array, Codes]:
    """Distinct rows of whole numbers in lexical order, and each row's place among them."""
    if not counts.size:
        return np.zeros((min(len(counts), 1), counts.shape[1])), np.zeros(len(counts), dtype=np.int64)
    # Bytes of big-endian numbers sort as the numbers do.
    kind = "u1" if counts.max() < 2**8 else ">u2" if counts.max() < 2**16 else ">u8"
    packed = np.ascontiguousarray(counts.astype(kind))
    rows = packed.view(np.dtype((np.void, packed.dtype.itemsize * packed.shape[1]))).reshape(-1)
    _, first, place = np.unique(rows, return_index=True, return_inverse=True)
    return counts[first].astype(np.float64), place.reshape(-1).astype(np.int64)
