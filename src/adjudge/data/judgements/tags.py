"""Spans of text: read from tag sequences (BIO, IOB1, BIOES, BILOU), or given as (label, start, end).

Ends are exclusive: [0, 5) and [5, 9) touch and do not overlap. All documents are read at once; a tag that
breaks its scheme is counted whatever is done about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data.arrays import rows_in
from adjudge.data.judgements.annotations import Annotations, Spans, TagReport
from adjudge.data.judgements.labels import label_text, ordered_labels
from adjudge.data.nested import NESTED, is_missing
from adjudge.errors import BadValue, check_choice, listed, quoted

Codes = NDArray[np.int64]
Flags = NDArray[np.bool_]
Document = Any  # a list of tags or of spans, or an array of them; None: not annotated

SCHEMES = {"bio": "BIO", "iob2": "BIO", "iob1": "BIO", "bioes": "BIOES", "iobes": "BIOES", "bilou": "BILOU"}
MODES = ("conll", "strict", "strict-penalise")
# What a prefix means: L and U are BILOU's names for E and S.
PREFIXES = {"O": 0, "B": 1, "I": 2, "E": 3, "S": 4, "L": 3, "U": 4}
OUTSIDE, BEGIN, INSIDE, END, SINGLE = range(5)
NO_LABEL = "_"  # of tags that are a prefix alone
MOST_PLACES = 2**41  # a place and one of two million documents must fit one whole number


def annotations_of(annotators: Sequence[object], scheme: str = "bio", mode: str = "strict-penalise") -> Annotations:
    """What several annotators marked in the same documents: lists of tags, or of (label, start, end).

    >>> both = annotations_of([[["B-PER", "I-PER", "O"]], [["B-PER", "O", "O"]]])
    >>> both.categories, [spans.triples() for spans in both.annotators]
    (('PER',), [[[('PER', 0, 2)]], [[('PER', 0, 1)]]])
    """
    if len(annotators) < 2:
        raise BadValue(f"Spans are compared between two annotators at least, but there is {len(annotators)}.")
    documents = rows_in([[one] if isinstance(one, str) else one for one in annotators], "Spans")
    if len(sizes := {len(one) for one in documents}) > 1:
        raise BadValue(
            f"Annotators must have marked the same documents, but the lists hold {listed(sorted(sizes))} of them."
        )
    kinds = {kind for one in documents if (kind := _kind(one)) is not None}
    if kinds == {"tags", "spans"}:
        raise BadValue("Annotators must all give tags, or all give (label, start, end), but they are mixed here.")
    if kinds == {"tags"}:
        _same_lengths(documents)
    read = [spans_of_tags(one, scheme, mode) if kinds == {"tags"} else spans_of_triples(one) for one in documents]
    categories = ordered_labels({category for spans in read for category in spans.categories})
    return Annotations(categories, tuple(spans.recoded(categories) for spans in read))


def spans_of_tags(documents: Iterable[object], scheme: str = "bio", mode: str = "strict-penalise") -> Spans:
    """Spans of tag sequences. None stands for a document that was not annotated.

    `conll` keeps malformed chunks, as the conlleval script does; `strict` drops them, as seqeval's strict mode
    does; `strict-penalise` keeps them as spans that match nothing.

    >>> spans_of_tags([["O", "I-PER", "I-PER"]], mode="conll").triples()
    [[('PER', 1, 3)]]
    >>> spans_of_tags([["O", "I-PER", "I-PER"]]).report
    TagReport(tags=3, chunks=1, malformed_chunks=1, malformed_tags=2, repaired_tags=0)
    """
    check_reading(scheme, mode)
    given = list(documents)
    annotated = np.array([one is not None for one in given], dtype=np.bool_)
    rows = _checked_documents(given)
    lengths = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
    seen = _ByAppearance()
    codes = np.fromiter(map(seen.__getitem__, chain.from_iterable(rows)), dtype=np.int64, count=int(lengths.sum()))
    prefix, label, categories = _parsed(list(seen), "BIOESLU" if mode == "conll" else SCHEMES[scheme])
    firsts = np.cumsum(lengths) - lengths
    start, end = _chunks(codes, prefix, label, firsts[lengths > 0])
    first, of_chunk = prefix[codes[start]], label[codes[start]]
    formed = _well_formed(scheme, first, prefix[codes[end - 1]], _follows(start, end, of_chunk, firsts))
    size = end - start
    broken = int(size[~formed].sum())
    repaired = broken if mode == "conll" else 0
    report = TagReport(len(codes), len(start), int((~formed).sum()), broken, repaired)
    kept = formed if mode == "strict" else np.ones(len(start), dtype=np.bool_)
    penalised = ~formed[kept] if mode == "strict-penalise" else np.zeros(int(kept.sum()), dtype=np.bool_)
    start, size = start[kept], size[kept]
    document = np.searchsorted(firsts, start, side="right") - 1  # an empty document ends where it starts
    inside = start - firsts[document]
    return Spans(categories, document, of_chunk[kept], inside, inside + size, penalised, annotated, report)


def spans_of_triples(documents: Iterable[Document], names: Sequence[str] | None = None) -> Spans:
    """Spans given for each document as (label, start, end), ends exclusive; they may be nested.

    `names` are what a refusal calls the documents.

    >>> spans_of_triples([[("PER", 0, 2), ("ORG", 0, 5)], []]).end.tolist()
    [2, 5]
    """
    given = list(documents)
    annotated = np.array([one is not None for one in given], dtype=np.bool_)
    places = [f"item {quoted(name)}" for name in names] if names else [f"document {n + 1}" for n in range(len(given))]
    spans = [(place, *_triple(span, places[place])) for place, one in enumerate(given) for span in (one or ())]
    labels = {label: label_text(label) for label in dict.fromkeys(span[1] for span in spans)}
    categories = ordered_labels(labels.values())
    code = {label: categories.index(text) for label, text in labels.items()}
    numbers = np.array([(place, code[label], start, end) for place, label, start, end in spans], dtype=np.int64)
    document, label, start, end = numbers.reshape(-1, 4).T
    none = np.zeros(len(spans), dtype=np.bool_)
    return Spans(categories, document, label, start, end, none, annotated, TagReport())


def check_reading(scheme: str, mode: str) -> None:
    """Refuse a scheme or a mode that has no definition."""
    check_choice("scheme", scheme, SCHEMES)
    check_choice("mode", mode, MODES)


def _parsed(tags: Sequence[object], allowed: str) -> tuple[Codes, Codes, tuple[str, ...]]:
    """What each distinct tag means: its prefix, its label (-1 outside), and the labels in natural order."""
    parts = []
    for tag in tags:
        prefix, dash, label = tag.partition("-") if isinstance(tag, str) else ("", "", "")
        if prefix not in tuple(allowed) or (dash and not label) or (prefix == "O" and dash):
            raise BadValue(
                f"A tag must be O or begin with one of {listed(p for p in allowed if p != 'O')}, then a dash and a "
                f'label, but {quoted(tag)} was found. Choose another `scheme`, or mode="conll".'
            )
        parts.append((PREFIXES[prefix], label or NO_LABEL))
    categories = ordered_labels(label for prefix, label in parts if prefix != OUTSIDE)
    place = {label: code for code, label in enumerate(categories)}
    prefixes = np.array([prefix for prefix, _ in parts], dtype=np.int64)
    return prefixes, np.array([place[x] if p else -1 for p, x in parts], dtype=np.int64), categories


class _ByAppearance(dict[object, int]):
    """Codes of values, given out as they appear."""

    def __missing__(self, value: object) -> int:
        self[value] = len(self)
        return self[value]


def _chunks(codes: Codes, prefix: Codes, label: Codes, firsts: Codes) -> tuple[Codes, Codes]:
    """Where chunks start and end, read leniently: a new one begins at B, S, another label, or after O, E, S.

    What a tag does depends on the tag before it, so it is looked up in a table of every two tags; the last row
    is for what opens a document.
    """
    before, label_before = np.append(prefix, OUTSIDE)[:, None], np.append(label, -1)[:, None]
    opens = (prefix == BEGIN) | (prefix == SINGLE) | (label != label_before)
    opens |= (before == OUTSIDE) | (before == END) | (before == SINGLE)
    starts, breaks = opens & (prefix != OUTSIDE), opens | (prefix == OUTSIDE)
    pair = np.empty_like(codes)
    pair[1:] = codes[:-1] * len(prefix)
    pair[firsts] = len(prefix) ** 2
    pair += codes
    places = np.flatnonzero(breaks.reshape(-1)[pair])
    begins = starts.reshape(-1)[pair[places]]
    return places[begins], np.append(places[1:], len(codes))[begins] if len(places) else places


def _well_formed(scheme: str, first: Codes, last: Codes, follows: Flags) -> Flags:
    """Which chunks obey the scheme, from their first and last tags."""
    if SCHEMES[scheme] != "BIO":
        return np.asarray((first == SINGLE) | ((first == BEGIN) & (last == END)))
    if scheme != "iob1":
        return np.asarray(first == BEGIN)
    # IOB1 writes B only where a chunk follows another of its label without a gap.
    return np.asarray((first == INSIDE) | ((first == BEGIN) & follows))


def _follows(start: Codes, end: Codes, label: Codes, firsts: Codes) -> Flags:
    """Which chunks come right after another of their label, in the same document."""
    follows = np.zeros(len(start), dtype=np.bool_)
    follows[1:] = (start[1:] == end[:-1]) & (label[1:] == label[:-1])
    return follows & ~np.isin(start, firsts)


def _checked_documents(documents: Sequence[object]) -> list[Document]:
    """Documents as they are, nothing for those not annotated."""
    if {*map(type, documents)} <= {list, tuple}:
        return list(documents)
    return [() if one is None else _document(one, place) for place, one in enumerate(documents)]


def _document(tags: object, place: int) -> Document:
    if isinstance(tags, str) or not hasattr(tags, "__len__"):
        raise BadValue(
            f"Tags must be given as one list for each document, but document {place + 1} is {quoted(tags)}. "
            "Wrap a lone document in a list."
        )
    return tags


def _triple(span: object, where: str) -> tuple[object, int, int]:
    """The label, start and end of one span, in order and not empty."""
    if isinstance(span, Mapping) and {"label", "start", "end"} <= set(span):
        span = (span["label"], span["start"], span["end"])
    if not isinstance(span, (tuple, list, np.ndarray)) or len(span) != 3:
        raise BadValue(f"A span must be (label, start, end), but {where} has {quoted(span)}.")
    label, start, end = span
    if isinstance(label, NESTED) or is_missing(label):
        raise BadValue(
            f"A span must have one label, but {where} has {quoted(tuple(span))}. Give it one, or leave the span out."
        )
    if not (_is_whole(start) and _is_whole(end) and 0 <= start < end <= MOST_PLACES):
        raise BadValue(
            f"A span must start at 0 or later and end after it starts, in whole numbers up to {MOST_PLACES:,}, but "
            f"{where} has {quoted(tuple(span))}. Ends are exclusive."
        )
    return label, int(start), int(end)


def _is_whole(value: object) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _kind(documents: Sequence[Document]) -> str | None:
    """Whether documents hold tags or spans; None when nothing is in them."""
    for place, one in enumerate(documents):
        if one is not None and len(_document(one, place)):
            return "tags" if isinstance(next(iter(one)), str) else "spans"
    return None


def _same_lengths(annotators: Sequence[Sequence[Document]]) -> None:
    """Tags of one document must be of one length, whoever gave them."""
    sizes = np.array([[-1 if one is None else len(one) for one in documents] for documents in annotators])
    high, low = sizes.max(0), np.where(sizes < 0, sizes.max(0), sizes).min(0)
    if (wrong := np.flatnonzero(high != low)).size:
        raise BadValue(
            f"Annotators must have tagged the same tokens, but document {wrong[0] + 1} has "
            f"{listed([low[wrong[0]], high[wrong[0]]])} tags."
        )
