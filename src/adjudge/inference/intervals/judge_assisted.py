"""Few human labels and many of a judge: intervals of what both say together."""

from __future__ import annotations

import numpy as np

from adjudge.inference.intervals.interval import normal_quantile
from adjudge.inference.intervals.numbers import student_quantile
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array
from adjudge.statistics.judges.sums import JudgedSums
from adjudge.statistics.judges.tables import Assisted, JudgedTables

Limits = tuple[Array, Array]


def judge_assisted(metric: Metric, sums: JudgedSums | JudgedTables, level: float) -> Limits | None:
    """Student's limits of the figure that people's labels and the judge give together (PPI++, guarded)."""
    if isinstance(sums, JudgedTables):
        return _of_tables(metric, sums, level)
    if metric.average is not None:
        return None
    n, value = sums.effective("n"), float(metric.values(sums))
    if not (n > 1 and np.isfinite(value)):
        return None
    reach = student_quantile(level, n - 1) * sums.error(float(sums.weight))
    low, high = value - reach, value + reach
    if sums.two_valued:
        low, high = max(low, 0.0), min(high, 1.0)
    return np.asarray(low), np.asarray(high)


def _of_tables(metric: Metric, tables: JudgedTables, level: float) -> Limits | None:
    """The limits of a figure of each label, of their mean, or of all."""
    n, values = tables.effective(), metric.values(tables)
    if not n > 1 or metric.average == "weighted":
        return None
    reach = student_quantile(level, n - 1) * assisted_errors(metric, tables)
    return values - reach, values + reach


def assisted_errors(metric: Metric, tables: JudgedTables) -> Array:
    """The standard error of each value of a metric of labels, to a first approximation of what rows add to it.

    >>> from adjudge.metrics import judge_assisted_kappa
    >>> people, said, judge = ["a", "b"] * 20 + [None] * 60, ["a", "b"] * 45 + ["b", "a"] * 5, ["a", "b"] * 50
    >>> tables = JudgedTables.of_arrays(people, said, judge=judge)
    >>> round(float(assisted_errors(judge_assisted_kappa, tables)), 4)
    0.0682
    """
    assert metric.assisted is not None, "only what declares it has such errors"
    figures = metric.assisted(tables, **metric.settings)
    if metric.average is not None:
        known = [one for one in figures if np.isfinite(one.value)]
        return np.asarray(tables.error(Assisted.averaged(known)) if known else np.nan)
    errors = [tables.error(one) if np.isfinite(one.value) else np.nan for one in figures]
    return np.array(errors) if metric.by_category else np.asarray(errors[0])


def lang_reiczigel(metric: Metric, sums: JudgedSums, level: float) -> Limits | None:
    """The interval of a share that a judge of known sensitivity and specificity was corrected for.

    >>> from adjudge.metrics import rogan_gladen
    >>> people = [1] * 80 + [0] * 40 + [None] * 200
    >>> judge = [1] * 72 + [0] * 8 + [0] * 32 + [1] * 8 + [1] * 150 + [0] * 50
    >>> low, high = lang_reiczigel(rogan_gladen, JudgedSums.of_arrays(people, judge), 0.95)
    >>> round(float(low), 9), round(float(high), 9)
    (0.661397202, 0.910888614)
    """
    if not (sums.two_valued and np.isfinite(float(metric.values(sums)))):
        return None
    z, n = normal_quantile(level), sums.effective("m")
    positive, labels, both, judged = (float(sums.of(name)) for name in ("h", "n", "hj", "j"))
    share = sums.effective("n") / labels  # of a label, in effective rows
    right, of_positive, of_negative = both * share, positive * share, (labels - positive) * share
    spared = of_negative - (judged - both) * share
    q, judged_rows = (n * float(sums.of("k")) / float(sums.of("m")) + z**2 / 2) / (n + z**2), n + z**2
    sensitivity, positives = (right + 1) / (of_positive + 2), of_positive + 2
    left, negatives = (spared + 1) / (of_negative + 2), of_negative + 2
    better = sensitivity + left - 1
    if better <= 0:
        return None
    p = (q + left - 1) / better
    of_found, of_left = sensitivity * (1 - sensitivity) / positives, left * (1 - left) / negatives
    shift = 2 * z**2 * (p * of_found - (1 - p) * of_left)
    error = np.sqrt(q * (1 - q) / judged_rows + p**2 * of_found + (1 - p) ** 2 * of_left) / better
    return np.asarray(p + shift - z * error), np.asarray(p + shift + z * error)
