"""Checks of spans: labels written twice or named otherwise, raters who mark nothing, the same or other items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from adjudge.data.cleaning import count_text
from adjudge.data.judgements.annotations import Annotations, Spans
from adjudge.data.judgements.labels import positions
from adjudge.diagnosis.checks.check import REMARK, SERIOUS, Check
from adjudge.diagnosis.checks.labels import doubled, strangers
from adjudge.diagnosis.checks.renamed import renamed_spans
from adjudge.diagnosis.checks.span_places import overlaps, place_checks, same_places
from adjudge.errors import percent, quoted
from adjudge.statistics.base import Array

FEWEST_SPANS, COPIED = 20, 50
FEW, MANY, OFTEN, HARDLY, FEWEST_ITEMS, MORE = 0.05, 0.1, 0.2, 0.01, 10, 3.0


def span_checks(marked: Annotations) -> Iterator[Check]:
    """C1, C2, C4, C7, C8, C12, C26, C34, C36 and C39 of each rater's spans beside the first rater's."""
    raters = dict(zip(marked.raters, marked.annotators, strict=True))
    used = {
        name: [spans.categories[code] for code in np.unique(spans.label).tolist()] for name, spans in raters.items()
    }
    twice = [*doubled(sorted({label for labels in used.values() for label in labels}), used)]
    yield from twice
    total = sum(len(spans.start) for spans in marked.annotators)
    for name, spans in raters.items():
        if not len(spans.start) and spans.annotated.sum() >= FEWEST_SPANS and total >= FEWEST_SPANS:
            yield Check("C8", SERIOUS, f"{quoted(name)} marks nothing in any item. Is it the right column?")
    by_word = [*_rows_of_words(total, raters)]
    yield from by_word or [check for name, spans in raters.items() for check in _malformed(name, spans)]
    yield from _across_one_another(raters)
    yield from _in_pieces(raters)
    first, *others = raters
    for name in (name for name in others if min(len(raters[who].start) for who in (first, name)) >= FEWEST_SPANS):
        yield from _two(first, raters[first], name, raters[name])
        stranger = strangers(f"Spans of {quoted(name)}", used[name], quoted(first), used[first])
        if stranger is None:
            yield from _renamed(first, raters[first], name, raters[name])
        elif not twice:  # where spans lie can be compared all the same
            yield replace(stranger, severity=SERIOUS)


def _rows_of_words(total: int, raters: Mapping[str, Spans]) -> Iterator[Check]:
    """C34: a row for each word, so that every item is one word long."""
    if total >= FEWEST_SPANS and all((spans.start == 0).all() and (spans.end == 1).all() for spans in raters.values()):
        yield Check(
            "C34",
            SERIOUS,
            "No span reaches beyond the first word of its item: is there a row for each word? Give a row for each "
            "sentence, with the tags of its words in one cell.",
        )


def _renamed(first: str, one: Spans, name: str, other: Spans) -> Iterator[Check]:
    """C39: labels under another name, told from spans in the same places."""
    same, categories = same_places(one, other), tuple(sorted({*one.categories, *other.categories}))
    codes = [positions(spans.categories, categories)[spans.label] for spans in (one, other)]
    counts: Array = np.zeros((len(categories), len(categories)))
    np.add.at(counts, (codes[0][same.one], codes[1][same.other]), 1.0)
    yield from renamed_spans(first, name, categories, counts)


def _two(first: str, one: Spans, name: str, other: Spans) -> Iterator[Check]:
    """What the spans of two raters say of one another."""
    items = [np.unique(spans.document) for spans in (one, other)]
    if not len(np.intersect1d(items[0], items[1])) and min(map(len, items)) >= FEWEST_ITEMS:
        yield Check(
            "C7",
            SERIOUS,
            f"{quoted(name)} marks spans in none of the {count_text(len(items[0]), 'item')} in which {quoted(first)} "
            "does. Do both name items the same way?",
        )
        return
    n, same = len(other.start), same_places(one, other)
    if n >= COPIED and len(same.other) == n == len(one.start) and _labels(one) == _labels(other):
        yield Check("C4", SERIOUS, f"{quoted(name)} marks the same {n:,} spans as {quoted(first)}: a copy?")
    yield from place_checks(first, one, name, other)
    yield from _skipped(first, one, name, other)


def _skipped(first: str, one: Spans, name: str, other: Spans) -> Iterator[Check]:
    """C26: items in which one of two marks nothing, though it finds most of the other's spans elsewhere."""
    both = one.annotated & other.annotated
    for (who, mine), (whom, theirs) in (((name, other), (first, one)), ((first, one), (name, other))):
        sizes, own = (np.bincount(spans.document, minlength=spans.documents) for spans in (theirs, mine))
        there = both[theirs.document] & (own[theirs.document] > 0)
        if there.sum() < FEWEST_SPANS:
            continue
        met = float(overlaps(mine, theirs)[there].mean())
        nothing = both & (sizes > 0) & (own == 0)
        by_chance = float(((1 - met) ** sizes[both & (sizes > 0)]).sum())
        if nothing.sum() >= max(FEWEST_ITEMS, MANY * both.sum()) and nothing.sum() > MORE * by_chance + 1:
            yield Check(
                "C26",
                REMARK,
                f"{quoted(who)} marks nothing in {count_text(int(nothing.sum()), 'item')} in which {quoted(whom)} "
                f"does, and meets {percent(met)} of these spans elsewhere. Were they read? If not, give only items "
                "that were, or say who read what with `seen_items`.",
            )


def _across_one_another(raters: dict[str, Spans]) -> Iterator[Check]:
    """C34: a rater whose spans of one label lie across one another, as no other's do."""
    shares = {name: _across(spans) for name, spans in raters.items() if len(spans.start) >= FEWEST_SPANS}
    odd = [name for name, share in shares.items() if share > OFTEN]
    for name in odd if min(shares.values(), default=1.0) < HARDLY else ():
        yield Check(
            "C34",
            REMARK,
            f"{percent(shares[name])} of the spans of {quoted(name)} overlap another one of the same label, unlike "
            "those of the others. Were two versions put together?",
        )


def _malformed(name: str, spans: Spans) -> Iterator[Check]:
    """C34: tags of another scheme, whose spans match nothing: that begin with I, or end without E."""
    report = spans.report
    odd = report.malformed_chunks / max(report.chunks, 1)
    if report.chunks >= FEWEST_SPANS and odd > FEW and not report.repaired_tags:
        yield Check(
            "C34",
            SERIOUS if odd > OFTEN else REMARK,
            f"{percent(odd)} of the spans of {quoted(name)} do not begin or end as `scheme` says, and match nothing. "
            'Is it another one, such as scheme="iob1"? To take them as they are, give mode="conll".',
        )


def _in_pieces(raters: dict[str, Spans]) -> Iterator[Check]:
    """C34: a rater whose spans follow one another without a gap, where another's are longer and do not."""
    known = {name: spans for name, spans in raters.items() if len(spans.start) >= FEWEST_SPANS}
    shares = {name: _next_to_another(spans) for name, spans in known.items()}
    sizes = {name: float((spans.end - spans.start).mean()) for name, spans in known.items()}
    whole = [name for name, share in shares.items() if share < OFTEN / 4]
    for name in (name for name, share in shares.items() if share > OFTEN):
        if any(sizes[other] > sizes[name] for other in whole):
            yield Check(
                "C34",
                REMARK,
                f"{percent(shares[name])} of the spans of {quoted(name)} directly follow another one of the same "
                f"label, unlike those of {quoted(whole[0])}. Does every word start a span of its own there?",
            )


def _next_to_another(spans: Spans) -> float:
    """The share of spans that begin where another of the same item and label ends, or one sign later."""
    order = np.lexsort((spans.start, spans.document))
    document, label, start, end = (part[order] for part in (spans.document, spans.label, spans.start, spans.end))
    gap = start[1:] - end[:-1]
    again = (document[1:] == document[:-1]) & (label[1:] == label[:-1]) & (gap >= 0) & (gap <= 1)
    return float(again.sum()) / max(len(start), 1)


def _across(spans: Spans) -> float:
    """The share of spans that begin before another of the same item and label has ended."""
    order = np.lexsort((spans.start, spans.label, spans.document))
    document, label, start, end = (part[order] for part in (spans.document, spans.label, spans.start, spans.end))
    again = (document[1:] == document[:-1]) & (label[1:] == label[:-1]) & (start[1:] < end[:-1])
    return float(again.sum()) / max(len(start), 1)


def _labels(spans: Spans) -> Counter[str]:
    codes, times = np.unique(spans.label, return_counts=True)
    return Counter({spans.categories[code]: int(n) for code, n in zip(codes.tolist(), times.tolist(), strict=True)})
