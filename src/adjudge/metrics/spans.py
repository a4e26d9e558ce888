"""Spans found in documents: formulas over the counts of spans. Documents are what is resampled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np

from adjudge.errors import SettingError, listed, quoted
from adjudge.metrics.arrays import spans_of_arrays
from adjudge.metrics.base import Direction, Metric, is_number, metric
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.spans import SpanCounts, SpanSums

MATCHES = ("strict", "exact", "partial", "type")
UNIT = (0.0, 1.0)
BY_DOCUMENT = ("bootstrap", "bayesian")
MUC = ["Chinchor & Sundheim 1993 (MUC-5)", "Segura-Bedmar et al. 2013 (SemEval task 9)"]


class SpanMetric(Metric):
    """A metric of spans: called on lists of tags, or of (label, start, end), one list for each document.

    Without `positive` (a label), labels are thrown together.
    """

    def __call__(
        self,
        reference: Any,
        prediction: Any = None,
        *,
        weights: Any = None,
        positive: Any = None,
        categories: Any = None,
        scheme: str = "bio",
        mode: str = "strict-penalise",
        **parameters: Any,
    ) -> float:
        """The metric of two annotators' documents, or of a list of annotators, as a float.

        `scheme` and `mode` say how tags are read; `weights` holds one number for each document.
        """
        chosen = self.using(**parameters) if parameters else self
        statistic = spans_of_arrays(reference, prediction, weights, scheme=scheme, mode=mode)
        return float(chosen.one_value(statistic, positive))

    def one_value(self, statistic: Any, positive: Any = None) -> Array:
        """The value as one number: of a label, or of all labels thrown together."""
        if self.by_category and positive is None:
            return self.averaged("micro").values(statistic)
        return super().one_value(statistic, positive)


def span_metric(**declaration: Any) -> Callable[[Callable[..., Array]], SpanMetric]:
    """Declare a formula as a metric of spans."""

    def declare(formula: Callable[..., Array]) -> SpanMetric:
        plain = metric(over=SpanCounts, direction=Direction.HIGHER, range=UNIT, best=1.0, **declaration)(formula)
        made = SpanMetric(**{field.name: getattr(plain, field.name) for field in fields(plain)})
        object.__setattr__(made, "__doc__", formula.__doc__)
        return made

    return declare


def _known_match(*, match: str = "strict", beta: float = 1.0) -> None:
    if match not in MATCHES:
        raise SettingError(f"`match` must be one of {listed(MATCHES)}, not {quoted(match)}.")
    if not (is_number(beta) and 0 < beta < float("inf")):
        raise SettingError(f"`beta` must be a number above 0, not {beta!r}.")


def f_of(sums: SpanSums, match: str, beta: float = 1.0) -> Array:
    """(1 + β²) correct / (β² possible + actual), the correct of either side weighed like its spans."""
    found, right = sums.correct(match)
    weight = beta**2
    return np.asarray(ratio(weight * found + right, weight * sums.possible + sums.actual))


@span_metric(
    per="category",
    label="Span precision",
    undefined="no such span is predicted",
    intervals=BY_DOCUMENT,
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


@span_metric(
    per="category",
    label="Span recall",
    undefined="the reference has no such span",
    intervals=BY_DOCUMENT,
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


@span_metric(
    per="category",
    label="Span F score",
    undefined="neither side has such a span",
    intervals=BY_DOCUMENT,
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


@span_metric(
    label="Pairwise span F score",
    undefined="no two annotators have a span between them",
    intervals=BY_DOCUMENT,
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
