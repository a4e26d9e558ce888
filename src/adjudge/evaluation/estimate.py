"""One metric of two arrays, with its doubt."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from adjudge.data.columns import checked_weights
from adjudge.data.labels import label_text, labels_of
from adjudge.errors import SettingError, listed
from adjudge.evaluation.arguments import SHARED, checked_arguments
from adjudge.evaluation.declaration import Setting
from adjudge.evaluation.of_statistic import row_of_statistic
from adjudge.evaluation.request import request
from adjudge.evaluation.settings import bootstrap_settings
from adjudge.evaluation.walk import walk
from adjudge.inference.interval import Estimate
from adjudge.metrics.arrays import positive_category, scores_of, statistic_of_arrays
from adjudge.metrics.base import Metric
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curve import Curves
from adjudge.statistics.losses import Losses

SETTINGS = (
    Setting("level", "confidence level", float),
    Setting("threshold", "score from which the positive label is decided", float),
    Setting("method", "how the interval is made"),
    Setting("positive", "the label a lone score speaks of", form="label"),
    Setting("categories", "the labels that the columns of scores stand for", form="labels"),
    *(setting for setting in SHARED if setting.name not in ("systems", "metrics", "level")),
)


def estimate(
    metric: Metric,
    reference: Any,
    prediction: Any = None,
    *,
    weights: Any = None,
    positive: Any = None,
    categories: Any = None,
    method: str | None = None,
    **settings: Any,
) -> Estimate:
    """A metric of two arrays (or a matrix of ratings) with its interval: by its default method, or by the named one.

    `level`, `replicates`, `seed` and `bootstrap` are as in `evaluate`.

    >>> from adjudge import metrics
    >>> e = estimate(metrics.accuracy, ["a"] * 20, ["a"] * 15 + ["b"] * 5)
    >>> round(e.interval.low, 3), round(e.interval.high, 3)
    (0.531, 0.888)
    """
    named = {"method": method, "positive": positive, "categories": categories}
    given = checked_arguments("estimate", (), SETTINGS, settings | named)
    settings = {name: given[name] for name in settings}
    if metric.over not in (Confusion, Curves, Losses):
        keywords = {"weights": weights, "categories": categories}
        return _of_ratings(
            metric, statistic_of_arrays(metric.over, reference, prediction, **keywords), method, settings
        )
    labels = labels_of(reference, "reference")
    table: dict[str, Any] = {"reference": [labels.categories[code] for code in labels.codes]}
    roles: dict[str, Any] = {"reference": "reference"}
    if checked_weights(weights, len(labels)) is not None:
        table["weight"], roles["weight"] = np.asarray(weights, dtype=np.float64), "weight"
    if metric.over is Confusion:
        table["prediction"], roles["prediction"] = prediction, "prediction"
    else:
        scores = scores_of(labels, prediction, positive, categories)
        named = {category: f"score {category}" for category in scores.categories}
        table |= {column: scores.values[:, place] for place, column in enumerate(named.values())}
        lone = len(named) == 1
        roles["score"] = next(iter(named.values())) if lone else named
        positive = positive_category(labels.categories, positive) if lone else positive
    from adjudge.tasks import task_named

    found = walk(
        request(
            task_named("classification"),
            table,
            **roles,
            positive=None if positive is None else label_text(positive),
            metrics=[metric],
            **settings,
        )
    )
    rows = [row for row in found.table if row.metric == repr(metric) and row.category in ("", _category(positive))]
    if method is not None:
        rows = [row for row in rows if row.method == method or math.isnan(row.estimate)]
    if not rows:
        raise SettingError(
            f"`{metric!r}` has no such estimate: give `positive=`, "
            f"and a `method` it offers ({listed(metric.intervals)})."
        )
    return rows[0].as_estimate()


def _of_ratings(metric: Metric, statistic: Any, method: str | None, settings: dict[str, Any]) -> Estimate:
    """A metric of raters: items are what is drawn."""
    level = settings.pop("level", 0.95)
    drawing = bootstrap_settings(
        settings.pop("replicates", 2_000), settings.pop("seed", 7), settings.pop("bootstrap", "percentile")
    )
    if settings:
        raise SettingError(f"`{metric!r}` has no setting {listed(sorted(settings))}.")
    row = None if metric.by_category else row_of_statistic(metric, statistic, method, level=level, settings=drawing)
    if row is None:
        raise SettingError(f"`{metric!r}` has no such estimate: `method` must be one of {listed(metric.intervals)}.")
    return row.as_estimate()


def _category(positive: Any) -> str:
    return "" if positive is None else label_text(positive)
