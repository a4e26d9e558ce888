"""Spans in tables: a cell of tags or of spans for each rating, or a row for each span."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from adjudge.data.cleaning import text_column
from adjudge.data.judgements.annotations import Annotations
from adjudge.data.judgements.labels import number_in, ordered_labels
from adjudge.data.judgements.ratings import Ratings
from adjudge.data.judgements.tags import MOST_PLACES, NO_LABEL, spans_of_tags, spans_of_triples
from adjudge.data.nested import nested_in
from adjudge.data.source import Batch, Numbers, Text
from adjudge.errors import BadValue, quoted

SPANS = "spans of the rating"  # a column that no table has, made of rows
TWICE = "a span that the rater marked twice in the item (one is kept)"


def annotations_of_cells(ratings: Ratings, items: Sequence[str], scheme: str, mode: str) -> tuple[Annotations, str]:
    """What each rater marked in each item, from cells that hold tags, or lists of (label, start, end), and which.

    >>> said = Ratings(np.array([[0, 1], [1, -1]]), ("B-PER O", "O O"), ("ann", "ben"))
    >>> marked, writing = annotations_of_cells(said, ["1", "2"], "bio", "conll")
    >>> [spans.triples() for spans in marked.annotators], writing
    ([[[('PER', 0, 1)], []], [[], []]], 'tags')
    """
    cells = [_cell(text) for text in ratings.categories]
    kinds = {kind for kind, _ in cells if kind}
    check_writing(kinds)
    if kinds == {"tags"}:
        _same_tokens(ratings, items, [len(tags) for _, tags in cells])
    read = []
    for column in ratings.codes.T:
        documents = [cells[code][1] if code >= 0 else None for code in column]
        in_spans = kinds == {"spans"}
        read.append(spans_of_triples(documents, items) if in_spans else spans_of_tags(documents, scheme, mode))
    labels = ordered_labels({label for spans in read for label in spans.categories})
    annotations = Annotations(labels, tuple(spans.recoded(labels) for spans in read), ratings.raters)
    return annotations, next(iter(kinds), "")


def check_writing(writings: Collection[str]) -> None:
    """Refuse tags beside lists of spans."""
    if len(writings) > 1:
        raise BadValue(
            "Raters must all give tags, or all give lists of (label, start, end), but both were found. "
            "Write all ratings the same way."
        )


def _cell(text: str) -> tuple[str, list[object]]:
    """Whether a cell holds tags or spans ("" when nothing is in it), and what."""
    values = nested_in(text)
    if values is None:
        return "tags" if text.split() else "", [*text.split()]
    if isinstance(values, dict):
        values = [values] if values else []
    if not values:
        return "", []
    if all(isinstance(one, str) for one in values):
        return "tags", list(values)
    if all(isinstance(one, (list, tuple, Mapping)) for one in values):
        return "spans", list(values)
    raise BadValue(
        f"A rating must be tags or a list of (label, start, end), but {quoted(text)} was found. "
        'Write tags as "B-PER I-PER O", spans as [["PER", 0, 2]].'
    )


def _same_tokens(ratings: Ratings, items: Sequence[str], lengths: list[int]) -> None:
    """Tags of an item must be of one number, whoever gave them."""
    sizes = np.array([*lengths, -1])[ratings.codes]
    high = sizes.max(1, initial=-1)
    low = np.where(sizes < 0, high[:, None], sizes).min(1, initial=2**62) if sizes.size else high
    if (wrong := np.flatnonzero(high != low)).size:
        place = int(wrong[0])
        raise BadValue(
            f"Raters must have tagged the same tokens, but item {quoted(items[place])} has {low[place]} and "
            f"{high[place]} tags. Split the text the same way for all, or leave the item out."
        )


def gathered(batch: Batch, who: tuple[str, str], parts: Mapping[str, str]) -> tuple[Batch, dict[str, int]]:
    """Rows of spans as rows of ratings, and what was left out: one for each item and rater, with all spans in a cell.

    `who` names the columns of items and of raters, `parts` those of start, end and label. A row without start, end
    and label says that the rater looked at the item and marked nothing.
    """
    item, rater = (text_column(batch, name) for name in who)
    columns = {role: _texts(batch, name) for role, name in parts.items()}
    first: dict[tuple[int, int], int] = {}
    cells: list[list[object]] = []
    kept: list[int] = []
    twice = 0
    for row, key in enumerate(zip(item.codes.tolist(), rater.codes.tolist(), strict=True)):
        if min(key) < 0 or key not in first:
            first[key] = len(kept)
            kept.append(row)
            cells.append([])
        if min(key) < 0:
            continue  # left out, and counted, with the other ratings
        place = first[key]
        span = _span({role: texts[row] for role, texts in columns.items()}, (item.labels[key[0]], rater.labels[key[1]]))
        if span is not None and span in cells[place]:
            twice += 1
        elif span is not None:
            cells[place].append(span)
    rows = np.array(kept, dtype=np.int64)
    said = Text(np.arange(len(cells)), tuple(json.dumps(cell, ensure_ascii=False) for cell in cells))
    of_rows: dict[str, Text | Numbers] = {
        name: Text(column.codes[rows], column.labels) if isinstance(column, Text) else column[rows]
        for name, column in batch.columns.items()
    }
    return Batch(len(rows), of_rows | {SPANS: _joined(said)}), {TWICE: twice} if twice else {}


def _joined(text: Text) -> Text:
    """The same column with each text once."""
    place: dict[str, int] = {}
    codes = np.array([place.setdefault(label, len(place)) for label in text.labels], dtype=np.int64)
    return Text(codes[text.codes] if len(codes) else text.codes, tuple(place))


def _texts(batch: Batch, name: str) -> list[str | None]:
    text = text_column(batch, name)
    return [None if code < 0 else text.labels[code] for code in text.codes.tolist()]


def _span(texts: dict[str, str | None], where: tuple[str, str]) -> list[object] | None:
    """One row's span, (label, start, end); None where nothing was marked."""
    known = [role for role, text in texts.items() if text is not None and text.strip()]
    if not known:
        return None
    at = f"rater {quoted(where[1])} in item {quoted(where[0])}"
    if len(known) < len(texts):
        raise BadValue(
            f"A span must have all of `{'`, `'.join(texts)}`, or none where nothing was marked, but a row of {at} has "
            f"`{'`, `'.join(known)}` alone. Fill in the rest, or empty the row."
        )
    start, end = (number_in(str(texts[role])) for role in ("start", "end"))
    places = () if start is None or end is None else (start, end)
    if not places or any(one != int(one) for one in places) or not 0 <= places[0] < places[1] <= MOST_PLACES:
        raise BadValue(
            f"A span must start at 0 or later and end after it starts, in whole numbers up to {MOST_PLACES:,}, but "
            f"{at} has {quoted(texts['start'])} and {quoted(texts['end'])}. Ends are exclusive."
        )
    return [texts.get("label") or NO_LABEL, int(places[0]), int(places[1])]
