"""One metric of two arrays, or of a statistic that is already summed, with its doubt."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from adjudge.data.foreign import unmasked
from adjudge.data.judgements.columns import checked_weights
from adjudge.data.judgements.labels import label_text
from adjudge.errors import SettingError, listed, literal, quoted, within_memory
from adjudge.evaluation.asking.arguments import SHARED, checked_arguments
from adjudge.evaluation.asking.settings import bootstrap_settings
from adjudge.evaluation.declaration import Setting
from adjudge.evaluation.measuring.rows import PROBABILITIES, Measured, rows_of
from adjudge.evaluation.results import WHOLE_NAME, Row
from adjudge.inference.drawing import UnitsToDraw, replicates_of
from adjudge.inference.intervals.interval import LEAST_USUAL, Estimate, checked_level
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics.base import Metric
from adjudge.metrics.calibration import NOT_PROBABILITIES
from adjudge.metrics.catalogue import parse
from adjudge.statistics.base import AnyStatistic, Array
from adjudge.statistics.categories import has_categories
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curves
from adjudge.statistics.losses import Losses
from adjudge.statistics.weights import Weights

SummingArrays = tuple[int, Callable[[Weights], AnyStatistic]]  # how many units, and what turns their weights into sums
SETTINGS = (
    Setting("level", "confidence level", float),
    Setting("method", "how the interval is made"),
    Setting("positive", "the label that is asked about", form="label"),
    Setting("categories", "the labels that columns of scores stand for, or the scale of ratings", form="labels"),
    *(setting for setting in SHARED if setting.name in ("replicates", "seed", "bootstrap")),
)


@within_memory("this estimate")
@np.errstate(all="ignore")  # what is undefined is told in the note; NumPy need not warn of it on the way
def plain_estimate(
    metric: Metric | str,
    reference: object,
    prediction: object = None,
    *,
    weights: Sequence[float] | Array | None = None,
    positive: object = None,
    categories: Sequence[object] | None = None,
    method: str | None = None,
    **settings: object,
) -> Estimate:
    """A metric of two arrays (or a matrix of ratings) with its interval: by its default method, or by the named one.

    `level`, `replicates`, `seed` and `bootstrap` are as in `evaluate`; what else the metric takes to read arrays, such
    as the `scheme` of tags, may be given too.

    >>> from adjudge import metrics
    >>> e = plain_estimate(metrics.accuracy, ["a"] * 20, ["a"] * 15 + ["b"] * 5)
    >>> round(e.interval.low, 3), round(e.interval.high, 3)
    (0.531, 0.896)
    """
    metric = read_metric(metric, settings)
    reference, prediction = unmasked(reference), unmasked(prediction)
    settings = {name: value for name, value in settings.items() if name not in metric.reading}
    for name in (one for one in settings if one in metric.settings and one != "level"):
        raise SettingError(
            f"`{name}` must stand with the metric, whose parameter it is: give "
            f'"{metric.name}({name}={settings[name]})" in place of {quoted(metric.name)}.'
        )
    named = {"method": method, "positive": positive, "categories": categories}
    given = checked_arguments(f"estimate of {metric.name}", (), SETTINGS, settings | named)
    drawing = bootstrap_settings(
        given.get("replicates", 2_000), given.get("seed", 7), given.get("bootstrap", "percentile")
    )
    level = checked_level(given.get("level", 0.95))
    if level < LEAST_USUAL:
        raise SettingError(f"`level` must be {LEAST_USUAL:g} or more, not {level:g}: 0.95 errs in 5 of 100 cases.")
    statistic = metric.statistic_of(reference, prediction, weights=weights, positive=positive, categories=categories)
    if categories is not None and has_categories(statistic):
        _check_categories(statistic.categories, categories)
    if metric.by_category and positive is None and metric.alone is not None:
        metric = metric.averaged(metric.alone)
    options = {"positive": positive, "categories": categories, **metric.array_options}
    row = row_of_statistic(
        metric,
        statistic,
        method,
        category=_category(metric, statistic, positive),
        level=level,
        settings=drawing,
        units=_units(partial(metric.over.summing_arrays, reference, prediction), options, weights),
        stream=_stream(metric),
    )
    if row is None:
        raise SettingError(_no_interval(metric, str(method), drawing))
    return row.as_estimate()


def read_metric(metric: Metric | str, settings: Mapping[str, object]) -> Metric:
    """The metric that is meant, with those of the settings that say how it reads arrays.

    >>> read_metric("accuracy", {}).name
    'accuracy'
    """
    metric = parse(metric) if isinstance(metric, str) else metric
    if not isinstance(metric, Metric):
        raise SettingError(f"`metric` must be a metric or its name, not {literal(metric)}. See: adjudge metrics.")
    return metric.with_options({name: settings[name] for name in metric.reading if name in settings})


def _check_categories(labels: Sequence[str], categories: Sequence[object]) -> None:
    """Refuse categories that leave out a label."""
    named = {label_text(label) for label in categories}
    if strange := [label for label in labels if label not in named]:
        raise SettingError(f"`categories` must name every label, but {quoted(strange[0])} is not among them. Add it.")


def _category(metric: Metric, statistic: AnyStatistic, positive: object) -> str:
    """The category that one number is about; empty when the metric is not by category."""
    if not metric.by_category or not has_categories(statistic) or not statistic.categories:
        return ""
    return statistic.categories[metric.place_of(statistic.categories, positive)]


def _units(
    summing_arrays: Callable[..., SummingArrays], options: Mapping[str, object], weights: Sequence[float] | Array | None
) -> UnitsToDraw:
    """The units in the arrays, for statistics whose cells do not hold them; read when they are drawn."""

    def summing(pilot: tuple[Array, ...] | None) -> SummingArrays:
        return summing_arrays(**options) if pilot is None else summing_arrays(**options, pilot=pilot)

    return UnitsToDraw(summing, None if weights is None else checked_weights(weights, len(weights)))


def _stream(metric: Metric) -> str:
    """The name of the random numbers: for labels and scores, those of the first system of a classification."""
    return f"{metric.over.__name__}/0//" if metric.over in (Confusion, Curves, Losses) else WHOLE_NAME


def _no_interval(metric: Metric, method: str, settings: Bootstrap) -> str:
    offered = [settings.method if name == "bootstrap" else name for name in metric.intervals]
    if method not in offered:
        return f"`method` must be one of {listed(offered)} for `{metric!r}`, not {quoted(method)}."
    others = listed(name for name in offered if name != method)
    return f"`{metric!r}` has no interval by {quoted(method)} of these data. Use {others}, or leave `method` out."


def row_of_statistic(
    metric: Metric,
    statistic: AnyStatistic,
    method: str | None = None,
    *,
    category: str = "",
    settings: Bootstrap | None = None,
    level: float = 0.95,
    units: UnitsToDraw | None = None,
    stream: str | None = None,
) -> Row | None:
    """The estimate by one method, or by the first that gives an interval; None if there is none by that method.

    Other methods are not carried out: a closed form needs no replicates.
    """
    settings = settings or Bootstrap()
    named = metric.intervals if method is None else ("bootstrap" if method == settings.method else method,)
    for methods in (*((one,) for one in named), None):
        rows = rows_of_statistic(
            metric, statistic, level=level, settings=settings, methods=methods, units=units, stream=stream
        )
        rows = [row for row in rows if row.metric == repr(metric) and row.category == category]
        for row in rows:
            if math.isnan(row.estimate) or (method is None and (methods is None or row.low < row.high)):
                return row
            if method is not None and row.method == method:
                return row
        if method is not None:
            return None
    return None


def rows_of_statistic(
    metric: Metric,
    statistic: AnyStatistic,
    *,
    name: str = WHOLE_NAME,
    level: float = 0.95,
    settings: Bootstrap | None = None,
    methods: tuple[str, ...] | None = None,
    units: UnitsToDraw | None = None,
    stream: str | None = None,
) -> list[Row]:
    """Every estimate of a metric of a statistic: each category by each method, the default method first.

    `methods` are the only ones to carry out. `units` are drawn where the statistic's cells do not hold them; `stream`
    names the random numbers.
    """
    settings, stream = settings or Bootstrap(), stream or name
    measured = Measured(
        system="",
        slice=name,
        rows=statistic.rows,
        statistics={metric.over: statistic},
        bootstrap=(replicates_of(statistic, units, settings.weights, settings, stream),),
        bayesian=(replicates_of(statistic, units, "bayesian", settings, stream),),
        refused={PROBABILITIES: f"undefined: {NOT_PROBABILITIES}"} if _improper(statistic) else {},
        methods=methods,
    )
    return list(rows_of(measured, [metric], checked_level(level), settings))


def _improper(statistic: object) -> bool:
    """Whether scores are not probabilities."""
    curves = getattr(statistic, "curves", ())
    return getattr(statistic, "improper", 0) > 0 or not all(curve.are_probabilities for curve in curves)
