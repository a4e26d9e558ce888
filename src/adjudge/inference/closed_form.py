"""Intervals by formula. Each takes a metric, its statistic and a level; weights enter as effective rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from adjudge.inference.agreement_forms import AGREEMENT
from adjudge.inference.area import delong, hanley, logit, newcombe
from adjudge.inference.interval import Bounds, normal_quantile
from adjudge.inference.regression_forms import FORMS
from adjudge.inference.small_samples import correlation_of_f, mean_of_shares, positives_worth
from adjudge.metrics.base import Metric, Share
from adjudge.metrics.weightings import disagreement
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curve import Curve, Curves
from adjudge.statistics.number_pairs import NumberPairs
from adjudge.statistics.residuals import Residuals

Limits = tuple[Array, Array]


def wilson(share: Share, level: float) -> Limits:
    """Wilson's score interval of a share.

    >>> from adjudge.metrics.base import Share
    >>> low, high = wilson(Share(np.array(150.0), np.array(200.0), np.array(200.0)), 0.95)
    >>> round(float(low), 6), round(float(high), 6)
    (0.685659, 0.804918)
    """
    z, n, p = normal_quantile(level), _effective_rows(share), ratio(share.part, share.whole)
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

    n = _effective_rows(share)
    found, tail = ratio(share.part, share.whole) * n, (1 - level) / 2
    with np.errstate(invalid="ignore"):
        low = np.where(found <= 0, 0.0, betaincinv(np.maximum(found, 1e-300), n - found + 1, tail))
        high = np.where(found >= n, 1.0, betaincinv(found + 1, np.maximum(n - found, 1e-300), 1 - tail))
    missing = np.isnan(found)
    return np.where(missing, np.nan, low), np.where(missing, np.nan, high)


def _effective_rows(share: Share) -> Array:
    """Kish's effective sample size of the whole."""
    return np.asarray(ratio(share.whole**2, share.squares))


def fleiss_cohen_everitt(table: Confusion, level: float, *, weighting: Any = "none") -> Limits:
    """The large-sample interval of kappa, weighted or not."""
    d = disagreement(table.categories, weighting)
    p = ratio(table.counts, table.total)
    w = 1 - ratio(d, d.max(initial=0))
    rows, columns = p.sum(1), p.sum(0)
    observed, expected = (w * p).sum(), (w * np.outer(rows, columns)).sum()
    kappa = ratio(observed - expected, 1 - expected)
    habit = (w @ columns)[:, None] + (w.T @ rows)[None, :]
    spread = (p * (w - habit * (1 - kappa)) ** 2).sum() - (kappa - expected * (1 - kappa)) ** 2
    spread = np.where(spread < 1e-14, 0.0, spread)  # what rounding leaves of none
    n = ratio(table.total**2, table.squares.sum())
    reach = normal_quantile(level) * np.sqrt(np.maximum(ratio(spread, n * (1 - expected) ** 2), 0))
    return kappa - reach, kappa + reach


def korn_graubard(curve: Curve, area: Array, level: float) -> Limits:
    """Clopper and Pearson's interval of an area, as a share of as many positives as its variance is worth."""
    return clopper_pearson(positives_worth(curve, area), level)


def of_mean(moments: Any, level: float) -> Limits:
    """Student's interval of a mean."""
    from scipy.special import stdtrit

    n = moments.effective_rows
    with np.errstate(invalid="ignore"):
        error = np.sqrt(ratio(moments.variance, n - 1))
        reach = stdtrit(np.maximum(n - 1, 1e-9), 0.5 + level / 2) * error
        reach = np.where(n > 1, reach, np.nan)
        return moments.average - reach, moments.average + reach


SHARES: dict[str, Callable[[Share, float], Limits]] = {"wilson": wilson, "clopper_pearson": clopper_pearson}
AREAS = {"hanley": hanley, "delong": delong, "newcombe": newcombe, "logit": logit, "korn_graubard": korn_graubard}
MEANS = {"log_loss": "surprise", "brier_score": "squared_error"}
# Metrics whose values for different categories hang together; those of others rest on different rows.
CORRELATIONS: dict[str, Callable[[Confusion], Array]] = {"f_score": correlation_of_f}


def closed_form(method: str, metric: Metric, statistic: Any, level: float) -> Bounds | None:
    """The bounds by this method, or None when it does not apply to this metric as it stands."""
    limits = _limits(method, metric, statistic, level)
    return None if limits is None else Bounds(method, *limits).within(metric.range)


def _limits(method: str, metric: Metric, statistic: Any, level: float) -> Limits | None:
    if method == "mover":
        return _mean_limits(metric, statistic, level)
    if metric.average is not None:
        return None
    if method in SHARES and metric.share is not None:
        return _share_limits(SHARES[method], metric, statistic, level)
    if method in AREAS:
        pairs = [AREAS[method](curve, metric.formula(curve), level) for curve in statistic.curves]
        return np.array([low for low, _ in pairs]), np.array([high for _, high in pairs])
    if method == "fleiss_cohen_everitt":
        return fleiss_cohen_everitt(statistic, level, **metric.settings)
    if isinstance(statistic, NumberPairs | Residuals):
        return FORMS[method](metric, statistic, level) if method in FORMS else None
    if method in AGREEMENT:
        return AGREEMENT[method](metric, statistic, level)
    if method == "normal":
        return of_mean(getattr(statistic, MEANS[metric.name]), level)
    return None


def _mean_limits(metric: Metric, table: Confusion, level: float) -> Limits | None:
    """A plain mean over categories of shares whose own intervals are known."""
    share = metric.share(table, **metric.settings) if metric.share is not None else None
    if share is None or metric.by_category or metric.average not in (None, "macro"):
        return None
    together = CORRELATIONS[metric.name](table) if metric.name in CORRELATIONS else np.eye(len(table.categories))
    return mean_of_shares(share, level, clopper_pearson, together)


def _share_limits(
    interval: Callable[[Share, float], Limits], metric: Metric, statistic: Any, level: float
) -> Limits | None:
    assert metric.share is not None
    if isinstance(statistic, Curves):
        shares = [metric.share(curve, **metric.settings) for curve in statistic.curves]
        pairs = [interval(share, level) for share in shares if share is not None]
        return np.array([low for low, _ in pairs]), np.array([high for _, high in pairs])
    share = metric.share(statistic, **metric.settings)
    if share is None:
        return None
    low, high = interval(share, level)
    return (low, high) if share.through is None else (share.through(low), share.through(high))
