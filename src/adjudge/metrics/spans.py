"""Spans found in documents: formulas over the counts of spans. Documents are what is resampled."""

from __future__ import annotations

from functools import partial

import numpy as np

from adjudge.errors import SettingError, check_choice, literal
from adjudge.metrics.base import Direction, metric
from adjudge.metrics.declaration import is_number
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.ratings.spans import SpanCounts, SpanSums

MATCHES = ("strict", "exact", "partial", "type")
UNIT = (0.0, 1.0)
MUC = ["Chinchor & Sundheim 1993 (MUC-5)", "Segura-Bedmar et al. 2013 (SemEval task 9)"]


# Called on lists of tags, or of (label, start, end), one list for each document.
of_spans = partial(
    metric,
    over=SpanCounts,
    direction=Direction.HIGHER,
    range=UNIT,
    intervals=("bootstrap", "bayesian"),  # of documents
    reading={"scheme": "bio", "mode": "strict-penalise"},
)

# One number for each label; without one, labels are thrown together.
of_label = partial(of_spans, per="category", alone="micro")


def _known_match(*, match: str = "strict", beta: float = 1.0) -> None:
    check_choice("match", match, MATCHES)
    if not (is_number(beta) and 0 < beta < float("inf")):
        raise SettingError(f"`beta` must be a number above 0, not {literal(beta)}.")


def f_of(sums: SpanSums, match: str, beta: float = 1.0) -> Array:
    """(1 + β²) correct / (β² possible + actual), the correct of either side weighed like its spans."""
    matched, right = sums.correct(match)
    weight = beta**2
    return np.asarray(ratio(weight * matched + right, weight * sums.possible + sums.actual))


@of_label(
    label="Span precision",
    undefined="no such span is predicted",
    check=_known_match,
    references=MUC,
)
def span_precision(sums: SpanSums, *, match: str = "strict") -> Array:
    """Of the predicted spans, the share that is right.

    correct / actual. Right is, by `match`: strict (boundaries and label), exact (boundaries), partial
    (boundaries, and half for an overlap), type (an overlap and the label), after matching one to one.

    Undefined when no such span is predicted.

    >>> span_precision([["B-PER", "I-PER", "O", "B-LOC"]], [["B-PER", "O", "O", "B-LOC"]])
    0.5
    """
    return np.asarray(ratio(sums.correct(match)[1], sums.actual))


@of_label(
    label="Span recall",
    undefined="the reference has no such span",
    check=_known_match,
    references=MUC,
)
def span_recall(sums: SpanSums, *, match: str = "strict") -> Array:
    """Of the spans of the reference, the share that is found.

    correct / possible, where `match` says what is correct, as for span precision.

    Undefined when the reference has no such span.

    >>> span_recall([[("PER", 0, 5), ("LOC", 6, 9)]], [[("PER", 0, 5)]])
    0.5
    """
    return np.asarray(ratio(sums.correct(match)[0], sums.possible))


@of_label(
    label="Span F score",
    undefined="neither side has such a span",
    check=_known_match,
    references=[*MUC, "Hripcsak & Rothschild 2005 (agreement)"],
)
def span_f_score(sums: SpanSums, *, match: str = "strict", beta: float = 1.0) -> Array:
    """Precision and recall of spans in one number; with beta 1, F(a, b) = F(b, a), as agreement needs.

    (1 + β²) correct / (β² possible + actual). Spans are matched one to one with the largest total overlap,
    so neither the order of spans nor of the two sides matters.

    Undefined when neither side has such a span.

    >>> a, b = [["B-PER", "I-PER", "O", "B-LOC"]], [["B-PER", "O", "O", "B-LOC"]]
    >>> [span_f_score(a, b, match=match) for match in ("strict", "partial", "type")]
    [0.5, 0.75, 1.0]
    """
    return f_of(sums, match, beta)


@of_spans(
    label="Pairwise span F score",
    short="F of two raters",
    undefined="no two annotators have a span between them",
    symmetric=True,
    check=_known_match,
    references=["Hripcsak & Rothschild 2005", "Deleger et al. 2012"],
)
def pairwise_span_f(counts: SpanCounts, *, match: str = "strict") -> Array:
    """Agreement of several annotators on spans: the mean F over every two of them.

    Mean of 2 correct / (spans of one + spans of the other), over the pairs that have a span. A document that
    is None for an annotator counts for the others only.

    Undefined when no two annotators have a span between them.

    >>> a, b, c = [["B-PER", "O"]], [["B-PER", "O"]], [["B-PER", "B-LOC"]]
    >>> round(pairwise_span_f([a, b, c]), 4)
    0.7778
    """
    each = f_of(counts.by_pair.summed, match)[..., 0]
    defined = ~np.isnan(each)
    return np.asarray(ratio(np.where(defined, each, 0).sum(-1), defined.sum(-1)))
