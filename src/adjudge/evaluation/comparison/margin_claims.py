"""What a margin lets one say of a difference: not worse by it, better, the same within it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from adjudge.evaluation.comparison.difference import GUARDED, Difference
from adjudge.evaluation.comparison.settings import Margin, MarginClaim
from adjudge.evaluation.results import Row
from adjudge.inference.differences.paired_shares import not_worse_p
from adjudge.inference.intervals.interval import normal_below, normal_quantile
from adjudge.inference.resampling import student_p
from adjudge.statistics.base import Array


def margin_claims(difference: Difference, margin: Margin) -> list[MarginClaim]:
    """Not worse by the margin, better, and the same within it; an equality counts as met."""
    sign, metric = difference.number.sign, difference.number.metric
    system, baseline = (float(difference.number.of(one.points[metric])) for one in (difference.other, difference.first))
    draws, pointed = margin.bounds(*difference.values, sign), margin.bounds(system, baseline, sign)
    closed = not margin.relative
    not_worse = _p_of_gain(difference, sign, margin.size, (pointed[0], draws[0]), closed=closed)
    not_better = _p_of_gain(difference, -sign, margin.size, (pointed[1], draws[1]), closed=closed)
    return [
        MarginClaim(f"not worse by {margin.text}", not_worse),
        MarginClaim("better", _p_of_gain(difference, sign, 0.0, (sign * difference.value, sign * difference.draws))),
        MarginClaim(f"the same within {margin.text}", max(not_worse, not_better)),
    ]


def _p_of_gain(
    difference: Difference, sign: float, shift: float, beyond: tuple[float, Array], *, closed: bool = True
) -> float:
    """The one-sided p-value of "the gain is at most minus the shift"; `beyond` is gain plus shift, with draws."""
    if difference.shares is not None and closed:
        return not_worse_p(difference.shares if sign > 0 else difference.shares.swapped, shift)
    method, mean = next(iter(difference.means.items()), ("", None))
    tells = difference.pairs.root == 1 and (method == GUARDED or not difference.of_scores)
    if mean is not None and closed and tells:
        return mean.turned(sign).p(-shift, "greater")
    point, draws = beyond
    if closed:
        return _as_limits_say(difference, sign, point)
    if difference.pairs.few_differ or not np.nanstd(difference.draws) > 0:
        # Draws of units that do not differ say nothing: what both systems' own limits leave open does.
        low, high = difference.added(difference.how.level)
        error = (high - low) / (2 * normal_quantile(difference.how.level))
        return normal_below(-point / error) if error > 0 else math.nan
    return student_p(draws[~np.isnan(draws)], difference.units, one_sided=True)


def _as_limits_say(difference: Difference, sign: float, point: float) -> float:
    """The one-sided p-value of a gain beyond a margin by as much as `point`, as the limits beside it have it.

    They are those of the interval whose ends are one-sided limits, and taken to be normal on that side.
    """
    level = 2 * difference.how.level - 1
    _, low, high = next(iter(difference.limits(level)), ("none", math.nan, math.nan))
    reach = difference.value - low if sign > 0 else high - difference.value
    return normal_below(-point / reach * normal_quantile(level)) if reach > 0 else math.nan


def margin_masses(difference: Difference, margin: Margin) -> tuple[float, float, float]:
    """The share of draws in which the system is worse by the margin, the same within it, and better by it."""
    above, below = margin.bounds(*difference.values, difference.number.sign)
    known = ~np.isnan(difference.draws)
    worse, better = float((above[known] < 0).mean()), float((below[known] < 0).mean())
    return worse, 1 - worse - better, better


def claim_row(difference: Difference, claim: MarginClaim, p_adjusted: float, family: int) -> Row:
    """What a margin lets one say, with the interval whose ends are the one-sided limits."""
    level = round(2 * difference.how.level - 1, 12)
    method, low, high = next(iter(difference.limits(level)), ("none", math.nan, math.nan))
    row = difference.row(low, high, method, test=claim.text, p=claim.p, p_adjusted=p_adjusted, family=family)
    return replace(row, level=level)
