"""Few human labels and many of a judge: what both say together, and how good the judge is."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from adjudge.metrics.base import Direction, metric
from adjudge.metrics.classification import positive_beta
from adjudge.metrics.intervals import Mean, Quantity, Share
from adjudge.statistics.base import Array, ratio, remainder
from adjudge.statistics.judges.sums import JudgedSums
from adjudge.statistics.judges.tables import Assisted, JudgedTables, LabelFigure, LabelShares

NO_LABEL = "no row has a label"


def _labels(sums: JudgedSums) -> Array:
    """How many rows have a label, in effect: what the doubt of these metrics depends on, however many were judged."""
    return np.asarray(sums.effective("n"))


of_values = partial(metric, over=JudgedSums, direction=Direction.HIGHER, range=(-np.inf, np.inf), undefined=NO_LABEL)
of_two = partial(metric, over=JudgedSums, direction=Direction.HIGHER, pairs=_labels)


@of_values(
    label="Mean, helped by the judge",
    pairs=_labels,
    short="mean",
    quantity=Quantity.JUDGE_ASSISTED,
    intervals=("judge_assisted", "bootstrap"),
    references=["Angelopoulos, Duchi & Zrnic 2023 (PPI++)", "Student 1908 (interval)"],
)
def judge_assisted_mean(sums: JudgedSums) -> Array:
    """Mean of what people would say of all rows, from labels on some and the judge's on all.

    λ mean(judge where there is no label) + mean(label − λ judge where there is), with the λ between 0 and 1 that makes
    it least uncertain: 0 leaves the labels alone, 1 trusts the judge but for its mean error. Rows with a label must be
    a random part. Of 0 and 1 it is a share.

    Undefined when no row has a label.

    >>> round(judge_assisted_mean([1, 0, 1, 1, None, None, None, None], [1, 0, 1, 0, 1, 1, 1, 0]), 4)
    0.8278
    """
    return sums.estimate


def _share_of_labels(sums: JudgedSums) -> Share | None:
    return Share(sums.of("h"), sums.of("n"), sums.sums.squares_of("n")) if sums.two_valued else None


def _of_labels(sums: JudgedSums) -> Mean:
    return _mean(sums, "h", "hh", "n")


def _mean(sums: JudgedSums, value: str, square: str, over: str) -> Mean:
    n = sums.of(over)
    variance = ratio(remainder(sums.of(square), ratio(sums.of(value) ** 2, n)), n)
    return Mean(ratio(sums.of(value), n), variance, np.asarray(sums.effective(over)))


@of_values(
    label="Mean of human labels alone",
    pairs=_labels,
    intervals=("guarded_wilson", "wilson", "student", "bootstrap"),
    share=_share_of_labels,
    mean=_of_labels,
    references=["Wilson 1927 (interval of a share)", "Student 1908 (interval of a mean)"],
)
def labelled_mean(sums: JudgedSums) -> Array:
    """Mean of the labels that people gave: what is known without the judge.

    Undefined when no row has a label.

    >>> labelled_mean([1, 0, 1, 1, None, None], [1, 0, 1, 0, 1, 1])
    0.75
    """
    return np.asarray(ratio(sums.of("h"), sums.of("n")))


@of_values(
    label="Mean of the judge alone",
    intervals=("bootstrap",),
    undefined="there are no rows",
    references=["Angelopoulos and others 2023 (what a judge alone is worth)"],
)
def judge_mean(sums: JudgedSums) -> Array:
    """Mean of what the judge says of all rows; its interval knows nothing of the judge's errors.

    Undefined when there are no rows.

    >>> judge_mean([1, 0, None, None], [1, 0, 1, 1])
    0.75
    """
    return np.asarray(ratio(sums.of("j") + sums.of("k"), sums.total))


@of_two(
    label="Kappa of judge and people",
    range=(-1.0, 1.0),
    undefined="values are not all 0 or 1, or all labels and all of the judge's are the same",
    intervals=("bayesian", "bootstrap"),
    references=["Cohen 1960"],
)
def judge_kappa(sums: JudgedSums) -> Array:
    """Agreement of the judge with people beyond chance, where both say 0 or 1.

    Undefined when values are not all 0 or 1, or all labels and all of the judge's are the same.

    >>> judge_kappa([1, 0, 1, 0, None], [1, 0, 1, 1, 1])
    0.5
    """
    n, h, j = sums.of("n"), sums.of("h"), sums.of("j")
    observed = ratio(n - h - j + 2 * sums.of("hj"), n)
    expected = ratio(h * j + (n - h) * (n - j), n * n)
    kappa = ratio(remainder(observed, expected), remainder(1.0, expected))
    return np.asarray(kappa if sums.two_valued else np.full(np.shape(kappa), np.nan))


@of_two(
    label="Share, corrected for a judge calibrated elsewhere",
    range=(0.0, 1.0),
    undefined="values are not all 0 or 1, a kind of label is missing, or the judge is no better than chance",
    quantity=Quantity.CORRECTED_SHARE,
    intervals=("lang_reiczigel", "bootstrap"),
    references=["Rogan & Gladen 1978", "Lang & Reiczigel 2014 (interval)"],
)
def rogan_gladen(sums: JudgedSums) -> Array:
    """Share of 1 among rows without a label: the judge's, corrected for how often it errs where there are labels.

    (q + specificity − 1) / (sensitivity + specificity − 1), between 0 and 1. For labels that are no part of the same
    rows: it rests on the judge erring as often here as there.

    Undefined when values are not all 0 or 1, a kind of label is missing, or the judge is no better than chance.

    >>> rogan_gladen([1, 1, 1, 1, 0, 0] + [None] * 4, [1, 1, 1, 0, 0, 0] + [1, 1, 1, 0])
    1.0
    """
    n, h, j, both = (sums.of(name) for name in ("n", "h", "j", "hj"))
    sensitivity, spared = ratio(both, h), ratio(n - h - j + both, n - h)
    better = remainder(sensitivity + spared, 1.0)
    q = ratio(sums.of("k"), sums.of("m"))
    share = np.clip(ratio(q + spared - 1, np.where(better > 0, better, np.nan)), 0.0, 1.0)
    return np.asarray(share if sums.two_valued else np.full(np.shape(share), np.nan))


def _labels_of_tables(tables: JudgedTables) -> Array:
    return np.asarray(tables.effective())


of_answers = partial(
    metric,
    over=JudgedTables,
    direction=Direction.HIGHER,
    range=(-1.0, 1.0),
    pairs=_labels_of_tables,
    quantity=Quantity.JUDGE_ASSISTED,
    intervals=("judge_assisted", "bootstrap"),
    reading={"judge": None},
)


def _kappa(of: LabelShares) -> LabelFigure:
    """Cohen's kappa of margins, and its slopes."""
    observed, expected = of.hits.sum(-1), (of.reference * of.prediction).sum(-1)
    left = remainder(1.0, expected)
    value = np.clip(ratio(observed - expected, left), -1.0, 1.0)
    missed = ratio(1 - value, left)[..., None]
    hits = np.broadcast_to(ratio(1.0, left)[..., None], of.hits.shape)
    return LabelFigure(value, -missed * of.prediction, -missed * of.reference, hits)


def _figures_of_kappa(tables: JudgedTables) -> list[Assisted]:
    return [tables.worked_out(_kappa)]


@of_answers(
    label="Kappa, helped by the judge",
    short="kappa",
    undefined="no row has a label, or all labels and all answers are the same",
    assisted=_figures_of_kappa,
    references=["Cohen 1960", "Angelopoulos, Duchi & Zrnic 2023 (PPI++)", "Student 1908 (interval)"],
)
def judge_assisted_kappa(tables: JudgedTables) -> Array:
    """Agreement of a system with people beyond chance, from labels on some rows and the judge's on all.

    (observed − expected) / (1 − expected), each from shares of people's labels plus λ times what the judge has more of
    them where nobody looked; λ between 0 and 1 is the one that makes what rows add to kappa least uncertain. Rows with
    a label must be a random part.

    Undefined when no row has a label, or all labels and all answers are the same.

    >>> people, said = ["a", "b", "a", "b", None, None], ["a", "b", "b", "b", "a", "b"]
    >>> round(judge_assisted_kappa(people, said, judge=["a", "b", "a", "b", "a", "a"]), 4)
    0.4157
    """
    return tables.assisted(_kappa)


def _f_of(category: int, beta: float) -> Callable[[LabelShares], LabelFigure]:
    """The F score of one label, and its slopes."""
    share = beta**2

    def figure(of: LabelShares) -> LabelFigure:
        whole = share * of.reference[..., category] + of.prediction[..., category]
        value = ratio((1 + share) * of.hits[..., category], whole)
        slopes = [np.zeros(of.hits.shape) for _ in range(3)]
        for slope, change in zip(slopes, (-share * value, -value, np.asarray(1 + share)), strict=True):
            slope[..., category] = ratio(change, whole)
        return LabelFigure(value, *slopes)

    return figure


def _figures_of_f(tables: JudgedTables, *, beta: float = 1.0) -> list[Assisted]:
    return [tables.worked_out(_f_of(place, beta)) for place in range(len(tables.labels))]


@of_answers(
    per="category",
    label="F score, helped by the judge",
    short="F",
    undefined="no row has a label, or no labelled row is or was answered so",
    assisted=_figures_of_f,
    check=positive_beta,
    references=["van Rijsbergen 1979", "Angelopoulos, Duchi & Zrnic 2023 (PPI++)", "Student 1908 (interval)"],
)
def judge_assisted_f_score(tables: JudgedTables, *, beta: float = 1.0) -> Array:
    """F score of a system's answers by people's labels on some rows and the judge's on all.

    (1 + β²) hits / (β² reference + answers), each a share by people's labels plus λ times what the judge has more of it
    where nobody looked. Rows with a label must be a random part.

    Undefined when no row has a label, or no labelled row is or was answered so.

    >>> people, said = ["a", "b", "a", "b", None, None], ["a", "b", "b", "b", "a", "b"]
    >>> judge = ["a", "b", "a", "b", "a", "a"]
    >>> round(judge_assisted_f_score(people, said, judge=judge, positive="a"), 4)
    0.6667
    """
    # Of a label and all others together: the same figure, of so many fewer kinds of rows.
    values = [of_two.assisted(_f_of(1, beta)) for of_two in tables.against_rest()]
    return np.concatenate(values, axis=-1) if values else np.zeros((*tables.counts.shape[:-1], 0))
