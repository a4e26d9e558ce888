"""The scale that the strips of a block share: two ends and a middle, all round numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from adjudge.evaluation.answers.claims import Judged
from adjudge.report.answers.answer import Tick
from adjudge.report.answers.verdict import AnsweredClaim
from adjudge.report.numbers import number


def ticks_of(
    spans: Sequence[tuple[float, float, float]],
    answer: AnsweredClaim,
    limits: Sequence[float],
    *,
    signed: bool | None = None,
) -> list[Tick]:
    """The two ends of a common scale, and its middle."""
    signed = answer.difference if signed is None else signed
    values = [x for one in spans for x in one if math.isfinite(x)]  # an end may be infinite
    if not values:
        return []
    factor = answer.unit.factor
    low, high = (choose([*values, *limits]) * factor for choose in (min, max))
    if signed:
        far = _round_up(max(abs(low), abs(high)))
        ends = [-far, 0.0, far]
    else:
        step, start = _step((high - low) / 2 or 0.05 * factor, low, high)
        if high <= factor < start + 2 * step:  # no share, and hardly a coefficient, is above 1
            start = float(f"{factor - 2 * step:.6g}")
        ends = [start, start + step, start + 2 * step]
    suffix = "" if signed else answer.unit.suffix
    return [Tick(value / factor, number(value, _decimals(value), signed=signed) + suffix) for value in ends]


def _step(least: float, low: float, high: float) -> tuple[float, float]:
    """A round step of which two reach from a multiple of it below the lowest value to the highest, and that multiple.

    >>> _step(15, 53, 83), _step(0.02, 0.91, 0.94)
    ((25.0, 50.0), (0.02, 0.9))
    """
    step = least
    while True:
        step = _round_up(step)
        start = math.floor(low / step + 1e-9) * step
        if start + 2 * step >= high - 1e-9 * step:
            return step, float(f"{start:.6g}")
        step *= 1.01


def _decimals(value: float) -> int:
    """As many decimals as a tick has."""
    return len(f"{abs(value):.6g}".partition(".")[2])


def _round_up(value: float) -> float:
    """The next of 1, 1.5, 2, 2.5, 3, 4, 5, 8 and 10 times a power of ten.

    >>> _round_up(0.121), _round_up(0.44), _round_up(7.2)
    (0.15, 0.5, 8.0)
    """
    if not value > 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    step = next(step for step in (1, 1.5, 2, 2.5, 3, 4, 5, 8, 10) if step * power >= value * (1 - 1e-9))
    return float(f"{step * power:.6g}")


def drawn_ends(one: Judged) -> tuple[float, float, float]:
    """What is drawn of a subject: its own figure where it has one, otherwise what it is judged by."""
    facts = one.evidence.facts
    if "value" in facts:
        return float(facts["low"]), float(facts["value"]), float(facts["high"])
    return one.evidence.low, one.evidence.estimate, one.evidence.high
