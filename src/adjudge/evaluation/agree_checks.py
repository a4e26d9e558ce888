"""What agreement refuses: settings that do not fit the ratings, and metrics that the ratings cannot answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from adjudge.data.collect_ratings import Rated
from adjudge.errors import BadValue, SettingError, did_you_mean, listed, quoted
from adjudge.evaluation.results import Row
from adjudge.inference.interval import checked_level
from adjudge.metrics.base import Metric
from adjudge.metrics.catalogue import parse
from adjudge.metrics.weightings import are_numbers
from adjudge.tasks.agreement import AGREEMENT

# Numbers with more values than this are not categories any more, and labels with more do not fit tables of every two.
MOST_CATEGORIES = 100
NUMBERS = ("interval", "ratio")


def checked_names(given: Iterable[str]) -> None:
    """Refuse settings that agreement does not have."""
    known = [*(role.name for role in AGREEMENT.roles), *(setting.name for setting in AGREEMENT.settings)]
    for name in given:
        if name not in known:
            raise SettingError(f"{quoted(name)} must be a setting of agreement. {did_you_mean(name, known)}")


def checked_confidence(value: Any) -> float:
    """The confidence level of intervals; `level` is the level of measurement here."""
    if not isinstance(value, (int, float, np.number)) or not 0 < value < 1:
        raise SettingError(f"`confidence` must lie between 0 and 1, for example 0.95, not {value!r}.")
    return checked_level(float(value))


def checked_scale(scale: Any) -> tuple[Any, ...] | None:
    """The declared categories; a text alone is a slip of the pen."""
    if isinstance(scale, str):
        raise SettingError(f"`scale` must list the categories in their order, not be {quoted(scale)}.")
    return None if scale is None else tuple(scale)


def checked_metrics(
    metrics: str | Metric | Sequence[str | Metric] | None, allows: Callable[[Metric], bool]
) -> tuple[Metric, ...] | None:
    """The metrics that were asked for, each once, if they are about such ratings; None for all."""
    if metrics is None:
        return None
    several = [metrics] if isinstance(metrics, (str, Metric)) else list(metrics)
    if not several:
        raise SettingError("`metrics` must name at least one metric. Leave it out for all.")
    chosen = tuple(dict.fromkeys(parse(metric) if isinstance(metric, str) else metric for metric in several))
    for metric in chosen:
        if not allows(metric):
            raise SettingError(f"`metrics` must be ones of agreement at this level, but {quoted(repr(metric))} is not.")
    return chosen


def check_measured(metrics: tuple[Metric, ...] | None, rows: Iterable[Row], reason: Callable[[Metric], str]) -> None:
    """Every metric that was asked for must have been measured."""
    found = {row.metric for row in rows}
    for metric in metrics or ():
        if repr(metric) not in found:
            raise SettingError(f"{quoted(repr(metric))} must be measurable, but {reason(metric)}.")


def check_ratings(measured_as: str, scale: Sequence[Any] | None, rated: Rated) -> None:
    """Refuse ratings that the level of measurement does not fit."""
    categories = rated.ratings.categories
    if measured_as != "nominal" and scale is None and not are_numbers(categories):
        raise SettingError(
            f"`scale` must give the order of labels that are not numbers: level {quoted(measured_as)} "
            f"cannot order {listed(categories)}."
        )
    check_size(measured_as, len(categories))


def check_case_weights(rated: Rated, weight: str | None) -> None:
    """Refuse case weights that are not numbers (`weight` names their column)."""
    if weight is None or rated.weight is None:
        return
    if odd := int((~np.isfinite(rated.weight)).sum()):
        raise BadValue(
            f"`weight` must be a finite number for every item, but {quoted(weight)} is none for {odd:,} of "
            f"{len(rated.weight):,}. Fill it in, or leave those items out."
        )


def check_total_weight(weightless: str | None) -> None:
    """Refuse weights that are all zero (`weightless` names their column)."""
    if weightless is not None:
        raise BadValue(
            f"`weight` must not be zero everywhere, but {quoted(weightless)} is: no item would count. "
            "Give another column, or leave `weight` out."
        )


def check_drawn_raters(raters: int) -> None:
    """Refuse to draw raters who are not told apart (0), or too few to tell of others."""
    if not raters:
        raise SettingError(
            '`resample` must be "items" where ratings in rows are streamed: raters are not told apart. '
            'Use engine="memory", or give a column for each rater.'
        )
    if raters < 3:
        raise SettingError(
            f'`resample` must be "items" with fewer than three raters, and there are {raters}: '
            "they cannot tell how others would differ. Leave it out."
        )


def check_model(model: str | None, raters: set[str]) -> None:
    """Refuse a model that rated nothing."""
    if model is not None and model not in raters:
        raise SettingError(f"`model` must be one of the raters {listed(sorted(raters))}, not {quoted(model)}.")


def check_size(measured_as: str, categories: int) -> None:
    """Refuse more labels than tables of every two of them can hold."""
    if measured_as not in NUMBERS and categories > MOST_CATEGORIES:
        raise BadValue(
            f"Level {quoted(measured_as)} must have at most {MOST_CATEGORIES} categories, but there are "
            f"{categories:,}. "
            'If they are measurements, use level="interval"; if they are labels, group the rare ones.'
        )
