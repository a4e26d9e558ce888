"""Checks of decisions and scores: whether they run the wrong way round, are copies, or are on another scale."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from adjudge.data.number_facts import NumberColumn
from adjudge.diagnosis.checks.check import REMARK, SERIOUS, Check
from adjudge.diagnosis.checks.renamed import RENAMED_ROWS, renamed_answers
from adjudge.diagnosis.checks.tables import MOST_COPIES, REPEATED
from adjudge.errors import listed, quoted, with_minus
from adjudge.inference.intervals.closed_form import wilson
from adjudge.inference.intervals.interval import normal_quantile
from adjudge.metrics.classification import matthews_correlation
from adjudge.metrics.intervals import Share
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curve

LEVEL = 0.999  # of the intervals that a check looks at
COPIED_ROWS, COPIED_AREA = 100, 0.999
FAR, SURE = 0.2, 5.0  # how far scores are from how often their label occurs, and in standard errors
PERCENT = 20.0
FEWEST_SCORES, OFTEN, BIN = 20, 3, 50
OFTEN_BOTH, FOLLOWS = 0.1, 0.5  # of predictions, and of their correlation with the score that they follow from
# Where scores of the predicted label begin, and the ROC AUC that they hardly reach: they say how sure, not of what.
ABOVE_HALF, TELLS = 0.55, 0.75
UNRELATED = 0.2  # a correlation whose whole interval is nearer to 0 is none


def unrelated(who: str, reference: str, correlation: float, interval: tuple[float, float]) -> Iterator[Check]:
    """C36: nothing in common, and enough rows to see it."""
    low, high = interval
    if low < 0 < high and max(-low, high) < UNRELATED:
        measured = with_minus(round(correlation, 2) + 0.0, ".2f")
        yield Check(
            "C36",
            REMARK,
            f"{who} is unrelated to {reference}: their correlation is {measured}. Is it the right column, and are "
            "its rows in the same order?",
        )


def decision_checks(who: str, table: Confusion) -> Iterator[Check]:
    """C3 and C4 of decided labels: two labels the wrong way round, or every answer right."""
    share, rows = float(ratio(table.minority, table.rows)), float(table.effective_rows)  # rows may weigh nothing
    if rows >= COPIED_ROWS and rows * share >= COPIED_ROWS / 2 and float(table.agreed) == float(table.total):
        which = "all" if math.isclose(rows, table.rows) else "all that weigh of"
        yield Check("C4", SERIOUS, f"{who} equals the reference in {which} {table.rows:,} rows. Is it a copy?")
    correlation = float(matthews_correlation.values(table))
    if math.isfinite(correlation):
        reach = normal_quantile(LEVEL) * math.sqrt(float(ratio(table.squares.sum(), table.total**2)))
        yield from unrelated(who, "the reference", correlation, (correlation - reach, correlation + reach))
    labels = np.flatnonzero(table.reference_total + table.prediction_total)
    if len(labels) > 2:
        renamed = [*renamed_answers(who, table)]
        yield from renamed
        if math.isfinite(correlation) and correlation + reach < 0 and not renamed:
            yield _reversed(who, "it is right more seldom than by chance. Is the lowest score the best?")
    if len(labels) != 2:
        return
    _, high = wilson(Share(table.agreed, table.total, table.squares.sum()), LEVEL)
    least = 1 - float(ratio(table.reference_total.max(), table.total))
    if float(high) < least:
        wrong = 100 * (1 - float(ratio(table.agreed, table.total)))
        how = "every answer is" if wrong == 100 else f"{wrong:.3g} % of its answers are"
        yield _reversed(who, f"{how} the other label. Are the two swapped?")


def of_the_reference(who: str, table: Confusion, curve: Curve) -> Iterator[Check]:
    """C34: a score that parts the labels of the reference without fault, and not those of the prediction beside it."""
    if table.rows < COPIED_ROWS or len(curve.thresholds) <= 2 or len(table.categories) != 2:
        return
    above, below = (np.flatnonzero(part) for part in curve.counts)  # places, from the highest score on
    parted = len(above) and len(below) and above.max() < below.min()
    if parted and table.counts[0, 1] > 0 and table.counts[1, 0] > 0:
        yield Check(
            "C34",
            SERIOUS,
            f"The scores of {who} separate the labels of the reference perfectly, but not those of the prediction: are "
            "reference and prediction the wrong way round?",
        )


def of_the_predicted(
    who: str, table: Confusion, curve: Curve, together: tuple[float, float], positive: str
) -> Iterator[Check]:
    """C13: scores from a half on, whatever is predicted: how sure the system is of its answer, whichever that is.

    `together` are the correlations of the score with the prediction, which is high where the one follows from the
    other, and with being right.
    """
    scores = curve.thresholds[curve.counts.sum(0) > 0]
    rarer = 1 - float(ratio(table.prediction_total.max(initial=0.0), table.total))
    sure = len(scores) > FEWEST_SCORES and float(scores.min()) >= 0.5 and float(scores.max()) <= 1
    right = together[1] > normal_quantile(LEVEL) / math.sqrt(max(table.rows, 1))
    if sure and right and table.rows >= RENAMED_ROWS and rarer >= OFTEN_BOTH and abs(together[0]) < FOLLOWS:
        yield Check(
            "C13",
            SERIOUS,
            f"The scores of {who} are {float(scores.min()):.2g} or more whatever it predicts, as those of the "
            f"predicted label are. Give the score of {positive} in every row: 1 minus it where the other label is "
            "predicted.",
        )


def of_whichever(who: str, curve: Curve, positive: str) -> Iterator[Check]:
    """C13: the same where nothing is predicted: a half or more in every row, whichever label it has."""
    scores = curve.thresholds[curve.counts.sum(0) > 0]
    positives, negatives = (float(part) for part in curve.counts.sum(-1))
    if curve.rows < COPIED_ROWS or len(scores) <= FEWEST_SCORES or not positives or not negatives:
        return
    above = np.cumsum(curve.counts[0]) - curve.counts[0] / 2
    area = float((curve.counts[1] * above).sum() / (positives * negatives))
    mean = float((curve.counts.sum(0) * curve.thresholds).sum() / curve.counts.sum())
    share, least = positives / (positives + negatives), float(scores.min())
    if 0.5 <= least < ABOVE_HALF and float(scores.max()) <= 1 and mean - share > FAR and area < TELLS:
        yield Check(
            "C13",
            SERIOUS,
            f"The scores of {who} are {least:.2g} or more in every row, though {positive} is {share:.2f} of the rows: "
            f"are they those of the predicted label, whichever it is? Give the score of {positive} in every row: 1 "
            "minus it where the other label is predicted.",
        )


def of_another(who: str, table: Confusion, together: float) -> Iterator[Check]:
    """C34: scores that do not go with the predictions beside them: another's, or how sure it is of any answer."""
    if table.rows < COPIED_ROWS or len(table.categories) != 2 or not math.isfinite(together):
        return
    correlation = float(matthews_correlation.values(table))
    reach = normal_quantile(LEVEL) / math.sqrt(table.rows)
    if abs(together) < reach and abs(together) + reach < FOLLOWS and correlation > FOLLOWS:
        yield Check(
            "C34",
            REMARK,
            f"The scores of {who} do not go with its predictions: their correlation is {with_minus(together, '.2f')}. "
            "Are both of one system, and does the score speak of one label in every row?",
        )


def curve_checks(who: str, curve: Curve, positive: str) -> Iterator[Check]:
    """C3, C4, C8, C12 and C13 of a score."""
    counts, scores = curve.counts, curve.thresholds
    positives, negatives = (float(part) for part in counts.sum(-1))
    if not positives or not negatives:
        return
    if curve.rows >= FEWEST_SCORES and np.count_nonzero(counts.sum(0)) == 1:
        one = float(scores[np.argmax(counts.sum(0))])
        yield Check("C8", SERIOUS, f"{who} gives {one:g} in all {curve.rows:,} rows. Is it the right column?")
    above = np.cumsum(counts[0]) - counts[0] / 2
    area = float((counts[1] * above).sum() / (positives * negatives))
    shrink = float(curve.effective_rows) / (positives + negatives)
    error = _hanley(area, positives * shrink, negatives * shrink)
    reach = normal_quantile(LEVEL) * error
    if area + reach < 0.5:
        yield _reversed(who, f"{positive} has the lower scores, ROC AUC {area:.2f}. Is `positive` the right label?")
    # The correlation of ranks: Somers' D of the score by the label.
    ranks = (2 * (area - reach) - 1, 2 * (area + reach) - 1)
    yield from unrelated(who, "the reference", 2 * area - 1, ranks)
    decided = len(scores) == 2 and curve.rows >= COPIED_ROWS
    if decided and area == 1:
        yield Check(
            "C4", SERIOUS, f"The scores of {who} equal the reference in all {curve.rows:,} rows. Are they a copy?"
        )
    elif decided:
        yield Check(
            "C13",
            REMARK,
            f"The scores of {who} have only 2 values, {float(scores.min()):g} and {float(scores.max()):g}: these are "
            "decisions, one point of any curve. Give the original scores, or give the column as `prediction`.",
        )
    elif curve.rows >= COPIED_ROWS and area >= COPIED_AREA:
        yield Check(
            "C4", REMARK, f"The scores of {who} separate the labels perfectly, ROC AUC {area:.4f}. Are they a copy?"
        )
    least, most = float(scores.min()), float(scores.max())
    yield from percentages(who, [(least, most)])
    if least >= 0 and most <= 1:
        mean = float((counts.sum(0) * scores).sum() / counts.sum())
        share = positives / (positives + negatives)
        spread = math.sqrt(max(share * (1 - share), 1e-12) / float(curve.effective_rows))
        if abs(mean - share) > FAR and abs(mean - share) > SURE * spread:
            yield Check(
                "C13",
                REMARK,
                f"The scores of {who} are {mean:.2f} on average, but {positive} is {share:.2f} of the rows: they are "
                "not probabilities here. Calibrate them, or give `threshold`.",
            )


def percentages(who: str, ends: Sequence[tuple[float, float]]) -> Iterator[Check]:
    """C12: scores from 0 to 100."""
    least, most = min((low for low, _ in ends), default=0.0), max((high for _, high in ends), default=0.0)
    if least >= 0 and PERCENT < most <= 100:
        yield Check(
            "C12",
            SERIOUS,
            f"The scores of {who} look like percentages: they reach {most:g}. Divide them by 100: "
            "otherwise losses are undefined, and without `threshold` decisions are.",
        )


def label_score_checks(
    who: str, columns: Sequence[tuple[str | None, str]], numbers: Mapping[str, NumberColumn]
) -> Iterator[Check]:
    """C33: one score column for two labels. C21: a score column that says the same of every row."""
    for name in dict.fromkeys(name for _, name in columns):
        labels = [label or name for label, other in columns if other == name]
        if len(labels) > 1:
            how = f"{quoted(name)} is the score of {who} for {listed(labels)}"
            yield Check("C33", SERIOUS, f"{how}, which must be different columns. Give the column of each.")
        column = numbers.get(name)
        if (
            column is not None
            and column.rows >= FEWEST_SCORES
            and column.values.counts
            and len(column.values.counts) == 1
        ):
            how = f"The score of {who} for {listed(labels)} is {next(iter(column.values.counts)):g} in all rows"
            yield Check("C21", SERIOUS, f"{how}. Give the score column of every label.")


def cut_checks(who: str, curve: Curve, cut: float, positive: str, chosen: bool) -> Iterator[Check]:
    """C8 of a threshold that all scores reach, or none; serious where somebody chose it."""
    scores = curve.thresholds[curve.counts.sum(0) > 0]
    if curve.rows < FEWEST_SCORES or len(scores) < 2:
        return
    least, most = float(scores.min()), float(scores.max())
    if not least < cut <= most and (chosen or (least >= 0 and most <= 1)):
        decided = f"never predicts {positive}" if cut > most else f"always predicts {positive}"
        yield Check(
            "C8",
            SERIOUS if chosen else REMARK,
            f"{who} {decided}: its scores range from {with_minus(least, '.4g')} to {with_minus(most, '.4g')}, and the "
            f"threshold is {with_minus(cut, '.4g')}. Give another `threshold`.",
        )


def repeated_scores(who: str, curve: Curve) -> Iterator[Check]:
    """C5 of rounded scores: far more rows with the same label and score than rounding explains.

    Rows are put in order of their score and cut into bins; in each, as many different scores could be met as there are
    steps of the last decimal, and so many rows repeat one by chance if all are as likely.
    """
    counts, scores = curve.counts, curve.thresholds
    if (
        counts.ndim != 2
        or len(scores) <= FEWEST_SCORES
        or curve.level
        or curve.inside is not None
        or (counts % 1).any()
    ):
        return
    step = _step(scores)
    again = expected = 0.0
    for of_label in counts if step else ():
        values, times = scores[of_label > 0], of_label[of_label > 0]
        if len(values):
            again += float((times - 1).sum())
            expected += _by_chance(values, times, step)
    rows = float(counts.sum())
    coarse = rows > MOST_COPIES * (rows - again)
    if rows >= COPIED_ROWS and again > REPEATED * rows and again > OFTEN * expected and not coarse:
        yield Check(
            "C5",
            REMARK,
            f"{again:,.0f} of {rows:,.0f} rows have the same label and score of {who} as another row, where "
            f"chance gives about {expected:,.0f}. Remove copies, or give what belongs together as `cluster`.",
        )


def _step(scores: Array) -> float:
    """The last decimal that scores have; 0 where they have more than nine, which are told apart otherwise."""
    return next((10.0**-places for places in range(10) if np.allclose(scores, np.round(scores, places), 0, 1e-12)), 0.0)


def _by_chance(values: Array, times: Array, step: float) -> float:
    """How many of these rows repeat another by chance."""
    bins = np.minimum((np.cumsum(times) - times) // BIN, max(times.sum() // BIN - 1, 0)).astype(np.int64)
    rows = np.bincount(bins, times)
    least, most = np.full(len(rows), np.inf), np.full(len(rows), -np.inf)
    np.minimum.at(least, bins, values)
    np.maximum.at(most, bins, values)
    with np.errstate(invalid="ignore"):
        possible = np.where(rows > 0, np.rint((most - least) / step) + 1, 1.0)
    different = -possible * np.expm1(rows * np.log1p(-1 / np.maximum(possible, 1 + 1e-9)))
    return float(np.where(rows > 0, rows - np.minimum(different, rows), 0.0).sum())


def without_score(who: str, labels: Sequence[str]) -> Iterator[Check]:
    """C21: labels that no score column speaks of."""
    if labels:
        yield Check(
            "C21",
            SERIOUS,
            f"{who} has no score for {listed(labels)}, which the reference has: it can never be right there. Give the "
            "score column of every label.",
        )


def _reversed(who: str, how: str) -> Check:
    return Check("C3", SERIOUS, f"{who} is the wrong way round: {how}")


def _hanley(area: float, positives: float, negatives: float) -> float:
    """The standard error of an area by Hanley and McNeil (1982)."""
    first, second = area / (2 - area), 2 * area**2 / (1 + area)
    amount = area * (1 - area) + (positives - 1) * (first - area**2) + (negatives - 1) * (second - area**2)
    return math.sqrt(max(amount, 0.0) / (positives * negatives))
