"""Every metric by its name, and names read back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

from adjudge.errors import SettingError, UnknownMetric, check_length, quoted
from adjudge.metrics import (
    calibration,
    chance_agreement,
    classification,
    discrimination,
    failures,
    in_use,
    interval_alpha,
    judged,
    operating_points,
    preference,
    ranking,
    rater_reliability,
    regression,
    scoring,
    set_distances,
    spans,
    suites,
    uplift,
)
from adjudge.metrics.base import Metric
from adjudge.metrics.own import OWN
from adjudge.metrics.pair_fits import FITTED
from adjudge.metrics.spoken import spoken

NAMES = ("Brennan–Prediger", "Brier", "Matthews", "Pearson", "Qini", "Spearman")  # with which labels begin
CHAPTERS = {
    "decisions": classification,
    "agreement beyond chance": chance_agreement,
    "raters told apart": rater_reliability,
    "agreement of numbers": interval_alpha,
    "sets of labels": set_distances,
    "spans": spans,
    "ranking by score": discrimination,
    "operating points": operating_points,
    "probabilities": calibration,
    "regression": regression,
    "ranked lists": ranking,
    "uplift": uplift,
    "test suites": suites,
    "labels that a judge helps with": judged,
    "scoring": scoring,
    "votes": preference,
    "in use": in_use,
    "failures in use": failures,
}

# A comma ends a parameter only where another begins: values may hold commas themselves.
_BETWEEN = re.compile(r",\s*(?=\w+\s*=)")
_NAME = re.compile(r"^\s*(\w+)\s*(?:\((.*)\))?\s*$", re.DOTALL)


def chapters() -> dict[str, list[Metric]]:
    """The metrics, chapter by chapter."""
    return {
        title: [value for value in vars(module).values() if isinstance(value, Metric)]
        for title, module in CHAPTERS.items()
    }


def every() -> list[Metric]:
    """All metrics.

    >>> "roc_auc" in {metric.name for metric in every()}
    True
    """
    return [metric for metrics in chapters().values() for metric in metrics]


@cache
def _declared() -> dict[str, Metric]:
    """The catalogue and fits of pairs, by name."""
    return {metric.name: metric for metric in (*every(), *FITTED)}


_ALSO: ContextVar[tuple[Metric, ...]] = ContextVar("also", default=())


@contextmanager
def also(metrics: Iterable[Metric]) -> Iterator[None]:
    """Names of a task's own metrics are known, too, as long as it lasts."""
    token = _ALSO.set(tuple(metrics))
    try:
        yield
    finally:
        _ALSO.reset(token)


def parse(text: str, more: Iterable[Metric] = ()) -> Metric:
    """The metric a name stands for, in the catalogue, among fits of pairs, the user's own or more.

    >>> parse("cohen_kappa(weighting=quadratic)")
    cohen_kappa(weighting=quadratic)
    """
    check_length(text, "The name of a metric")
    known = {metric.name: metric for metric in (*more, *_ALSO.get())} | _declared() | OWN
    match = _NAME.match(text)
    if match is None or match[1] not in known:
        raise UnknownMetric(text, known, spoken(text))
    metric = known[match[1]]
    return metric.using(**_parameters(match[2])) if match[2] else metric


def _parameters(text: str) -> dict[str, str | float]:
    parameters = {}
    for part in _BETWEEN.split(text):
        key, equals, value = part.partition("=")
        if not equals:
            raise SettingError(f"A metric's parameters are written name=value, not {quoted(part.strip())}.")
        parameters[key.strip()] = _value(value.strip())
    return parameters


def _value(text: str) -> str | float:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    # As Python writes texts: icc(form='A,k').
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def in_sentence(metric: Metric) -> str:
    """What a metric is called in a sentence, or as the head of a column: small, unless it begins with a name.

    >>> [in_sentence(parse(name)) for name in ("specific_agreement", "cohen_kappa", "ndcg(at=5)", "rmse")]
    ['specific agreement', "Cohen's kappa", 'NDCG@5', 'RMSE']
    """
    label, first = metric.full_label, metric.full_label.partition(" ")[0]
    named = first in NAMES or first.endswith(("'s", "s'")) or not label[1:2].islower()
    return metric.short or (label if named else label[:1].lower() + label[1:])
