"""Spans of text as annotators marked them, and how well formed the tags were that they came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.labels import ordered_labels, positions

Codes = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class TagReport:
    """How well formed the tags were. A chunk is malformed when it breaks its scheme.

    `malformed_tags` are the tags in malformed chunks; `repaired_tags` those kept as spans all the same.
    """

    tags: int = 0
    chunks: int = 0
    malformed_chunks: int = 0
    malformed_tags: int = 0
    repaired_tags: int = 0

    def __add__(self, other: TagReport) -> TagReport:
        return TagReport(
            self.tags + other.tags,
            self.chunks + other.chunks,
            self.malformed_chunks + other.malformed_chunks,
            self.malformed_tags + other.malformed_tags,
            self.repaired_tags + other.repaired_tags,
        )


@dataclass(frozen=True, slots=True)
class Spans:
    """One annotator's spans of all documents, one entry for each span.

    A `penalised` span counts as given, and matches nothing. `annotated` says which documents were read at all.
    """

    categories: tuple[str, ...]
    document: Codes
    label: Codes
    start: Codes
    end: Codes
    penalised: Flags
    annotated: Flags
    report: TagReport

    @property
    def documents(self) -> int:
        """How many documents there are, with or without spans."""
        return len(self.annotated)

    def recoded(self, categories: tuple[str, ...]) -> Spans:
        """The same spans with codes into other categories, which must contain the used ones."""
        label = positions(self.categories, categories)[self.label] if len(self.label) else self.label
        rest = (self.document, label, self.start, self.end, self.penalised, self.annotated, self.report)
        return Spans(categories, *rest)

    def of_rows(self, rows: Codes) -> Spans:
        """The spans of some documents, which may be repeated; they are numbered anew."""
        order = np.argsort(self.document, kind="stable")
        sizes = np.bincount(self.document, minlength=self.documents)
        firsts = np.cumsum(sizes) - sizes
        taken = order[_runs(firsts[rows], sizes[rows])]
        document = np.repeat(np.arange(len(rows)), sizes[rows])
        fields = (self.label[taken], self.start[taken], self.end[taken], self.penalised[taken])
        return Spans(self.categories, document, *fields, self.annotated[rows], self.report)

    @classmethod
    def joined(cls, parts: Sequence[Spans]) -> Spans:
        """Documents of several parts, which have the same labels, one after another."""
        starts = np.cumsum([0, *(part.documents for part in parts)])
        document = np.concatenate([part.document + start for part, start in zip(parts, starts, strict=False)])
        return cls(
            parts[0].categories,
            document,
            label=np.concatenate([part.label for part in parts]),
            start=np.concatenate([part.start for part in parts]),
            end=np.concatenate([part.end for part in parts]),
            penalised=np.concatenate([part.penalised for part in parts]),
            annotated=np.concatenate([part.annotated for part in parts]),
            report=reduce(add, (part.report for part in parts)),
        )

    def triples(self) -> list[list[tuple[str, int, int]]]:
        """The spans of each document as (label, start, end), penalised ones left out."""
        triples: list[list[tuple[str, int, int]]] = [[] for _ in range(self.documents)]
        for place in np.flatnonzero(~self.penalised):
            span = (self.categories[self.label[place]], int(self.start[place]), int(self.end[place]))
            triples[self.document[place]].append(span)
        return triples


@dataclass(frozen=True, slots=True)
class Annotations:
    """The same documents as marked by two annotators or more; the first is the reference, if there is one."""

    categories: tuple[str, ...]
    annotators: tuple[Spans, ...]
    raters: tuple[str, ...] = ()  # their names, where they have some

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of spans."""
        return self.categories

    def __len__(self) -> int:
        return self.annotators[0].documents if self.annotators else 0

    def of_rows(self, rows: Codes) -> Annotations:
        """Some of the documents."""
        return Annotations(self.categories, tuple(spans.of_rows(rows) for spans in self.annotators), self.raters)

    @classmethod
    def joined(cls, parts: Sequence[Annotations]) -> Annotations:
        """Documents of several parts, one after another; an annotator who is not in a part read nothing of it."""
        if len(parts) == 1:
            return parts[0]
        same = all(part.raters == parts[0].raters for part in parts)
        raters = parts[0].raters if same else tuple(sorted({name for part in parts for name in part.raters}))
        categories = ordered_labels({label for part in parts for label in part.categories})
        annotators = tuple(Spans.joined([part.of_rater(name).recoded(categories) for part in parts]) for name in raters)
        return cls(categories, annotators, raters)

    def of_rater(self, name: str) -> Spans:
        """What one annotator marked; nothing, in nothing read, where there is no such annotator."""
        if name in self.raters:
            return self.annotators[self.raters.index(name)]
        none, flags = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.bool_)
        return Spans((), none, none, none, none, flags, np.zeros(len(self), dtype=np.bool_), TagReport())

    def read_by(self, raters: tuple[str, ...]) -> Annotations:
        """The same spans where these raters read every document, also those in which they marked nothing."""
        every = [self.of_rater(name).recoded(self.categories) for name in raters]
        read = np.ones(len(self), dtype=np.bool_)
        return Annotations(self.categories, tuple(replace(spans, annotated=read) for spans in every), raters)

    @property
    def rated_by(self) -> list[str]:
        """Who read an item."""
        return [name for name, spans in zip(self.raters, self.annotators, strict=True) if spans.annotated.any()]

    @property
    def report(self) -> TagReport:
        """How well formed all tags were."""
        return reduce(add, (spans.report for spans in self.annotators))


def _runs(firsts: Codes, sizes: Codes) -> Codes:
    """The whole numbers of several runs, one after another."""
    ends = np.cumsum(sizes)
    return np.asarray(np.arange(int(sizes.sum())) + np.repeat(firsts - (ends - sizes), sizes))
