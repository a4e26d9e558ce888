"""Intervals by formula. Each takes a metric, its statistic and a level; weights enter as effective rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from adjudge.inference.intervals import columns
from adjudge.inference.intervals.agreement import fisher, gof, gwet
from adjudge.inference.intervals.area import delong, delong_logit, hanley, logit, newcombe, newcombe_delong
from adjudge.inference.intervals.folded import folded_normal
from adjudge.inference.intervals.habits import scheffe
from adjudge.inference.intervals.interval import Bounds, normal_quantile
from adjudge.inference.intervals.jackknife import jackknife_hill, johnson, mover_hill
from adjudge.inference.intervals.judge_assisted import judge_assisted, lang_reiczigel
from adjudge.inference.intervals.numbers import (
    bland_altman,
    bonett_wright,
    f_exact,
    fieller,
    fisher_z,
    lin,
    student_quantile,
)
from adjudge.inference.intervals.one_category import wilson_of_items
from adjudge.inference.intervals.regression import chi2, order_statistics, rubin_hill
from adjudge.inference.intervals.scores import bonett, jackknife_mover
from adjudge.inference.intervals.small_samples import as_few, heavy_unseen, mean_of_shares, positives_worth, worth
from adjudge.inference.intervals.tailed_means import rubin
from adjudge.inference.intervals.unit_shares import unit_share_limits
from adjudge.inference.intervals.votes import plus_three, votes_tango
from adjudge.metrics.base import Metric
from adjudge.metrics.intervals import Mean, Share
from adjudge.metrics.weightings import CategoryDistances, Weighting
from adjudge.statistics.base import AnyStatistic, Array, ratio
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curve, Curves
from adjudge.statistics.moments import Moments
from adjudge.statistics.numbers.rows import NumberRows
from adjudge.statistics.suites.case_outcomes import CASES, FAILURES, CaseOutcomes

Limits = tuple[Array, Array]


def _reaching_the_unseen(interval: Callable[[Share, float], Limits]) -> Callable[[Share, float], Limits]:
    """The interval of a share, whose limits reach as far as with a heavy row that was not seen on either side."""

    @wraps(interval)
    def limits(share: Share, level: float) -> Limits:
        low, high = interval(share, level)
        if share.unseen is None:
            return low, high
        lower, upper = (interval(other, level) for other in share.unseen)
        return np.where(np.isnan(low), low, np.fmin(low, lower[0])), np.where(
            np.isnan(high), high, np.fmax(high, upper[1])
        )

    return limits


@_reaching_the_unseen
def wilson(share: Share, level: float) -> Limits:
    """Wilson's score interval of a share.

    >>> low, high = wilson(Share(np.array(150.0), np.array(200.0), np.array(200.0)), 0.95)
    >>> round(float(low), 6), round(float(high), 6)
    (0.685659, 0.804918)
    """
    z, n, p = normal_quantile(level), _effective_rows(share, level), ratio(share.part, share.whole)
    with np.errstate(divide="ignore", invalid="ignore"):
        middle = (p + z**2 / (2 * n)) / (1 + z**2 / n)
        reach = z / (1 + z**2 / n) * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return middle - reach, middle + reach


def clopper_pearson(share: Share, level: float) -> Limits:
    """The exact binomial interval of a share: never too short, often too long.

    >>> low, high = clopper_pearson(Share(np.array(150.0), np.array(200.0), np.array(200.0)), 0.95)
    >>> round(float(low), 6), round(float(high), 6)
    (0.684037, 0.808393)
    """
    from scipy.special import betaincinv

    n = _effective_rows(share, level)
    hits, tail = ratio(share.part, share.whole) * n, (1 - level) / 2
    with np.errstate(invalid="ignore"):
        low = np.where(hits <= 0, 0.0, betaincinv(np.maximum(hits, 1e-300), n - hits + 1, tail))
        high = np.where(hits >= n, 1.0, betaincinv(hits + 1, np.maximum(n - hits, 1e-300), 1 - tail))
    missing = np.isnan(hits)
    return np.where(missing, np.nan, low), np.where(missing, np.nan, high)


def guarded_wilson(share: Share, level: float) -> Limits:
    """Wilson's interval whose ends reach as far as the exact one-sided limits of that level; none where they do anyway.

    With few rows on one side Wilson's end there is too near: shares near 0 or 1 are held in as few as .84 of samples
    (Brown, Cai and DasGupta 2001), and in at least .92 from 50 rows on with this.

    >>> low, high = guarded_wilson(Share(np.array(198.0), np.array(200.0), np.array(200.0)), 0.95)
    >>> round(float(low), 6), round(float(high), 6)
    (0.964278, 0.99822)
    """
    from scipy.special import betaincinv

    (low, high), n = wilson(share, level), _effective_rows(share, level)
    hits = ratio(share.part, share.whole) * n
    with np.errstate(invalid="ignore"):
        exact = (
            np.where(hits <= 0, low, betaincinv(np.maximum(hits, 1e-300), n - hits + 1, 1 - level)),
            np.where(hits >= n, high, betaincinv(hits + 1, np.maximum(n - hits, 1e-300), level)),
        )
        moved = (exact[0] < low) | (exact[1] > high)
    return np.where(moved, np.fmin(low, exact[0]), np.nan), np.where(moved, np.fmax(high, exact[1]), np.nan)


def _effective_rows(share: Share, level: float) -> Array:
    """Kish's effective sample size of the whole; fewer where few units tell it (Korn and Graubard 1998)."""
    few = normal_quantile(level) / student_quantile(level, share.freedom) if np.isfinite(share.freedom) else 1.0
    return np.asarray(ratio(share.whole**2, share.squares) * few**2)


def fleiss_cohen_everitt(table: Confusion, level: float, *, weighting: Weighting = "none") -> Limits:
    """The large-sample interval of kappa, weighted or not."""
    pairs = table.listed
    first, second = pairs.pairs
    apart = CategoryDistances.of(table.categories, weighting)
    p, w = ratio(pairs.counts, table.total), 1 - ratio(apart.of_pairs(first, second), apart.largest)
    rows, columns = (ratio(total, table.total) for total in (table.reference_total, table.prediction_total))
    of_rows, of_columns = (share.sum() - ratio(apart.to_all(share), apart.largest) for share in (rows, columns))
    observed, expected = (w * p).sum(), (rows * of_columns).sum()
    kappa = ratio(observed - expected, 1 - expected)
    habit = of_columns[first] + of_rows[second]
    spread = (p * (w - habit * (1 - kappa)) ** 2).sum() - (kappa - expected * (1 - kappa)) ** 2
    spread = np.where(spread < 1e-14, 0.0, spread)  # what rounding leaves of none
    n = ratio(table.total**2, table.squares.sum())
    reach = normal_quantile(level) * np.sqrt(np.maximum(ratio(spread, n * (1 - expected) ** 2), 0))
    return kappa - reach, kappa + reach


def korn_graubard(curve: Curve, area: Array, level: float) -> Limits:
    """Clopper and Pearson's interval of an area, as a share of as many positives as its variance is worth.

    As fewer where few rows tell that variance (Korn and Graubard 1998). Where other rows weigh more than positives, the
    lower limit allows for one of them that was not seen.
    """
    low, high = clopper_pearson(as_few(positives_worth(curve, area), curve, level), level)
    if unseen := heavy_unseen(curve):
        low = np.fmin(low, clopper_pearson(as_few(positives_worth(curve, area, unseen), curve, level), level)[0])
    return low, high


def of_mean(moments: Mean | Moments, level: float) -> Limits:
    """Student's interval of a mean."""
    from scipy.special import stdtrit

    n = moments.effective_rows
    with np.errstate(invalid="ignore"):
        error = np.sqrt(ratio(moments.variance, n - 1))
        reach = stdtrit(np.maximum(n - 1, 1e-9), 0.5 + level / 2) * error
        reach = np.where(n > 1, reach, np.nan)
        return moments.average - reach, moments.average + reach


# Any: the one statistic that it is for, which `NEEDS` has checked.
Formula = Callable[[Metric, Any, float], Limits | None]


@dataclass(frozen=True, slots=True)
class Method:
    """An interval by formula: the limits of a metric of a statistic at a level, None where there are none.

    What a metric must declare to name it is in `NEEDS` of `metrics/intervals.py`, so that whatever reaches `limits` is
    what the formula is for.
    """

    name: str
    limits: Formula
    of_means: bool = False  # of a mean over categories
    by_units: bool = False  # of the units that were summed, which may be clusters


def _of_share(interval: Callable[[Share, float], Limits]) -> Formula:
    """The limits of a metric that is a share, of one or of each category."""

    def limits(metric: Metric, statistic: AnyStatistic, level: float) -> Limits | None:
        assert metric.share is not None
        if isinstance(statistic, Curves):
            shares = [metric.share(curve, **metric.settings) for curve in statistic.curves]
            return _stacked([interval(share, level) for share in shares if share is not None])
        share = metric.share(statistic, **metric.settings)
        if share is None:
            return None
        low, high = interval(share, level)
        if interval is guarded_wilson and np.isnan(low).all():
            return None
        return (low, high) if share.through is None else (share.through(low), share.through(high))

    return limits


def _of_area(
    interval: Callable[[Curve, Array, float], tuple[ArrayLike, ArrayLike]],
) -> Formula:
    """The limits of an area, for each category's curve."""
    return lambda metric, statistic, level: _stacked(
        [interval(curve, curve.once(metric.formula, **metric.settings), level) for curve in statistic.curves]
    )


def _stacked(pairs: Sequence[tuple[ArrayLike, ArrayLike]]) -> Limits:
    return np.array([low for low, _ in pairs]), np.array([high for _, high in pairs])


def mover(metric: Metric, table: Confusion, level: float) -> Limits | None:
    """A plain mean over categories of shares whose own intervals are known."""
    share = metric.share(table, **metric.settings) if metric.share is not None else None
    if share is None or metric.by_category or metric.average not in (None, "macro"):
        return None
    return mean_of_shares(share, level, clopper_pearson)


def normal(metric: Metric, statistic: AnyStatistic, level: float) -> Limits:
    """Student's interval of the mean that a metric is; NaN where there is no spread to see."""
    assert metric.mean is not None
    return of_mean(metric.mean(statistic, **metric.settings), level)


def student(metric: Metric, statistic: AnyStatistic, level: float) -> Limits | None:
    """The same, or none."""
    low, high = normal(metric, statistic, level)
    return None if np.isnan(low).all() else (low, high)


def kappa_of_table(metric: Metric, table: Confusion, level: float) -> Limits:
    """The large-sample interval of Cohen's kappa with the metric's weighting."""
    return fleiss_cohen_everitt(table, level, **metric.settings)


def korn_graubard_units(outcomes: CaseOutcomes, level: float, *, unseen: bool) -> Limits:
    """Clopper and Pearson's interval of the cases that are failed, of as many as their templates are worth."""
    _, low, high = unit_share_limits(
        outcomes.sums, (FAILURES,), (CASES,), level, clopper_pearson, row=outcomes.row, unseen=unseen
    )
    return np.asarray(low), np.asarray(high)


def _either(usual: Formula, of_rows: Formula) -> Formula:
    """One method of two kinds of sums: its own, and rows of numbers."""
    return lambda metric, sums, level: (of_rows if isinstance(sums, NumberRows) else usual)(metric, sums, level)


METHODS = {
    method.name: method
    for method in (
        Method("guarded_wilson", _of_share(guarded_wilson)),
        Method("wilson", _of_share(wilson)),
        Method("clopper_pearson", _of_share(clopper_pearson)),
        Method("mover", mover, of_means=True),
        Method("normal", normal),
        Method("student", student, by_units=True),
        Method("worth", worth),
        Method("hanley", _of_area(hanley)),
        Method("delong", _of_area(delong)),
        Method("delong_logit", _of_area(delong_logit)),
        Method("newcombe", _of_area(newcombe)),
        Method("newcombe_delong", _of_area(newcombe_delong)),
        Method("logit", _of_area(logit)),
        Method("korn_graubard", _of_area(korn_graubard)),
        Method(
            "korn_graubard_unseen",
            lambda metric, outcomes, level: korn_graubard_units(outcomes, level, unseen=True),
            by_units=True,
        ),
        Method(
            "korn_graubard_units",
            lambda metric, outcomes, level: korn_graubard_units(outcomes, level, unseen=False),
            by_units=True,
        ),
        Method("folded_normal", folded_normal),
        Method("wilson_of_items", wilson_of_items),
        Method("fleiss_cohen_everitt", kappa_of_table),
        Method("scheffe", scheffe),
        Method("gof", gof),
        Method("gwet", gwet),
        Method("fisher", fisher),
        Method("f_exact", f_exact),
        Method("fisher_z", fisher_z),
        Method("bonett_wright", bonett_wright),
        Method("fieller", fieller),
        Method("lin", lin),
        Method("bland_altman", bland_altman),
        Method("bonett", bonett),
        Method("jackknife_mover", lambda metric, sums, level: jackknife_mover(metric, sums, level, wilson)),
        Method("chi2", chi2),
        Method("order_statistics", _either(order_statistics, columns.quantile_limits)),
        Method("rubin_hill", rubin_hill),
        Method("jackknife_hill", jackknife_hill, by_units=True),
        Method("johnson", johnson, by_units=True),
        Method("mover_hill", mover_hill, by_units=True),
        Method("tango", _either(votes_tango, columns.drop_by_tango)),
        Method("guarded_t", columns.drop_guarded),
        Method("garwood", columns.garwood),
        Method("garwood_dispersed", columns.garwood_dispersed),
        Method("conditional_binomial", columns.conditional_binomial),
        Method("conditional_binomial_dispersed", columns.conditional_binomial_dispersed),
        Method("fieller_hill", columns.fieller_hill),
        Method("fieller_ratio", columns.fieller_ratio),
        Method("delta_ratio", columns.delta_ratio),
        Method("log_student", columns.log_student),
        Method("plus_three", plus_three),
        Method("rubin", rubin),
        Method("judge_assisted", judge_assisted, of_means=True),
        Method("lang_reiczigel", lang_reiczigel),
        Method("none", lambda metric, statistic, level: None),
    )
}


def closed_form(
    method: str, metric: Metric, statistic: object, level: float, *, most: float | None = None
) -> Bounds | None:
    """The bounds by this method, or None when it does not apply to this metric as it stands.

    `most` is the largest number of rows that a share may count as, where rows belong together.
    """
    form = METHODS[method]
    if metric.average is not None and not form.of_means:
        return None
    if most is not None:
        metric = replace(metric, share=_at_most(metric.share, most))
    limits = form.limits(metric, statistic, level)
    return None if limits is None else Bounds(method, *limits).within(metric.range)


def _at_most(share: Callable[..., Share | None] | None, rows: float) -> Callable[..., Share | None]:
    """The share as one of at most so many effective rows."""
    assert share is not None

    def fewer(*given: object, **settings: object) -> Share | None:
        counts = share(*given, **settings)
        return counts and replace(counts, squares=np.maximum(counts.squares, counts.whole**2 / rows))

    return fewer
