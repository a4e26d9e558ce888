"""What is expected of a metric before it is measured, by the formula that belongs to it."""

from __future__ import annotations

import math

from adjudge.errors import SettingError, as_share, literal
from adjudge.evaluation.planning.drawn_outlooks import correlation_outlook, losses_outlook
from adjudge.evaluation.planning.size_questions import Assumptions, Question, is_share, needed
from adjudge.inference.planning.power import (
    KappaOutlook,
    MeanOutlook,
    NormalOutlook,
    Outlook,
    ShareOutlook,
    SquaresOutlook,
    area_outlook,
    pairs_outlook,
)
from adjudge.inference.planning.power_in_use import ExposureOutlook, JudgedOutlook
from adjudge.metrics.base import Metric
from adjudge.metrics.intervals import Quantity

PILOT = "Give `pilot`, a saved evaluation or a table like the one to come"


def outlook_of(question: Question, given: Assumptions) -> Outlook:
    """What is expected, by the formula that belongs to the metric; refused where there is none."""
    _check_reach(question.metric, given)
    return _difference(question, given) if question.compares else _single(question, given)


def _check_reach(metric: Metric, given: Assumptions) -> None:
    """Refuse values that the metric cannot have, and differences that no two of them have."""
    low, high = metric.range
    if metric.quantity is Quantity.QUANTILE:
        return
    for name in ("expect", "against"):
        value = getattr(given, name)
        if value is not None and not low <= value <= high:
            percent = f" Write {value / 100:g} for {value:g} %." if (low, high) == (0, 1) and 1 < value <= 100 else ""
            raise SettingError(
                f"`{name}` must be a value of {metric!r}, from {low:g} to {high:g}, not {literal(value)}.{percent}"
            )
    if given.difference is not None and abs(given.difference) > high - low:
        points = as_share(given.difference) if (low, high) == (0, 1) else ""
        raise SettingError(
            f"`difference` must be at most {high - low:g}, as values of {metric!r} go from {low:g} to {high:g}, not "
            f"{literal(given.difference)}.{points}"
        )


def _single(question: Question, given: Assumptions) -> Outlook:
    metric = question.metric
    expect = needed("expect", given.expect, f"the value that {metric!r} is expected to have, or a `pilot`")
    if metric.quantity is Quantity.QUANTILE:
        return ShareOutlook(_share("expect", expect), "order_statistics")
    if is_share(metric) and given.judged is None:
        return ShareOutlook(expect)
    if metric.quantity is Quantity.EXPOSURE_PER_EVENT:
        return ExposureOutlook(_inside("expect", expect, most=math.inf))
    if given.judged is not None or metric.quantity is Quantity.JUDGE_ASSISTED:
        return _judged(metric, expect, given)
    if metric.quantity is Quantity.ROC_AREA:
        part = needed("part", given.part, "the share of rows that are positive")
        _inside("part", part)
        return area_outlook(_inside("expect", expect), part)
    if "gof" in metric.intervals and not metric.parameters:
        prevalence = needed("part", given.part, "the share of ratings of one category")
        return KappaOutlook(_inside("expect", expect, -1), _inside("part", prevalence))
    if metric.quantity is Quantity.CORRELATION:
        return correlation_outlook(_inside("expect", expect, -1))
    if metric.quantity in (Quantity.ROOT_MEAN_SQUARE, Quantity.MEAN_SQUARE) and given.deviation is None:
        return SquaresOutlook(_inside("expect", expect, most=math.inf), metric.quantity is Quantity.ROOT_MEAN_SQUARE)
    if metric.mean is not None:
        deviation = needed("deviation", given.deviation, f"the standard deviation of what {metric!r} is the mean of")
        is_skewed = metric.tail is not None or metric.intervals[0] == "jackknife_hill"
        return losses_outlook(metric, expect, deviation) if is_skewed and expect > 0 else MeanOutlook(expect, deviation)
    raise SettingError(f"`{metric!r}` has no formula to plan with. {PILOT}.")


def _judged(metric: Metric, expect: float, given: Assumptions) -> Outlook:
    """Few labels of people, helped by a judge's many."""
    agreed = needed("judge_correlation", given.judge_correlation, "how the judge's values correlate with people's")
    judged = needed("judged", given.judged, "how many more rows the judge sees")
    of_share = is_share(metric) or (metric.quantity is Quantity.JUDGE_ASSISTED and given.deviation is None)
    if of_share and not 0 < expect < 1:
        raise SettingError(f"`deviation` must be given where {metric!r} is not expected between 0 and 1.")
    deviation = math.sqrt(expect * (1 - expect)) if of_share else given.deviation
    return JudgedOutlook(expect, needed("deviation", deviation, "that of people's values"), agreed, judged)


def _share(name: str, value: float) -> float:
    if not 0 <= value <= 1:
        raise SettingError(f"`{name}` must be a share from 0 to 1: of values within the bound, not {literal(value)}.")
    return value


def _inside(name: str, value: float, least: float = 0.0, most: float = 1.0) -> float:
    if not least < value < most:
        ends = f"above {least:g}" if math.isinf(most) else f"between {least:g} and {most:g}"
        raise SettingError(f"`{name}` must lie {ends}, not {literal(value)}.")
    return value


def _difference(question: Question, given: Assumptions) -> Outlook:
    metric = question.metric
    if given.against is not None and given.difference is None:
        return _two_samples(metric, given)
    difference = given.difference
    if difference is None:
        difference = 0.0
        if any(aim.distance(0.0) <= 0 for aim in question.aims):
            raise SettingError("`difference` must be given: by how much the systems are expected to differ.")
    if is_share(metric):
        share = needed("differing", given.differing, "the share of rows that only one of the two answers right")
        if share < abs(difference) or share <= difference**2:
            raise SettingError(
                f"`differing` must be at least the difference of {abs(difference):g}, not {literal(share)}."
            )
        return pairs_outlook(difference, share)
    if metric.mean is not None:
        what = "the standard deviation of the differences between the two systems, unit by unit"
        return MeanOutlook(difference, needed("deviation", given.deviation, what))
    raise SettingError(f"A difference in `{metric!r}` has no formula to plan with. {PILOT} with both systems.")


def _two_samples(metric: Metric, given: Assumptions) -> Outlook:
    """Two systems on different rows, as many of each."""
    expect = needed("expect", given.expect, "the value of the system")
    against = float(given.against or 0.0)
    if is_share(metric):
        first, second = _inside("expect", expect), _inside("against", against)
        mean = (first + second) / 2
        null, other = 2 * mean * (1 - mean), first * (1 - first) + second * (1 - second)
        return NormalOutlook(first - second, lambda value: math.sqrt(null if value == 0 else other), "two_shares")
    if metric.mean is None:
        raise SettingError(f"A difference in `{metric!r}` has no formula to plan with. {PILOT} with both systems.")
    deviation = needed("deviation", given.deviation, f"the standard deviation of what {metric!r} is the mean of")
    return NormalOutlook(expect - against, lambda value: deviation * math.sqrt(2), "two_means")
