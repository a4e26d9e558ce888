"""Checks of numbers that are held against a reference, and of systems beside one another."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from adjudge.diagnosis.checks import REMARK, SERIOUS, Check
from adjudge.diagnosis.score_checks import COPIED_ROWS, LEVEL
from adjudge.errors import quoted
from adjudge.inference.interval import normal_quantile
from adjudge.statistics.number_pairs import NumberPairs

FEW_ROWS = 20
BEYOND = 0.5  # steps of a scale


def number_checks(who: str, pairs: NumberPairs, unit: str = "row") -> Iterator[Check]:
    """C3, C4 and C8: numbers that run the wrong way round, are the reference, or never vary."""
    two, rows = pairs.two, pairs.rows
    x, y, both = float(two.x.deviations), float(two.y.deviations), float(two.deviations)
    if rows >= FEW_ROWS and x > 0 and y == 0:
        yield Check(
            "C8", SERIOUS, f"{who} gives {float(two.y.mean):g} in all {rows:,} {unit}s. Is it the right column?"
        )
    if not (x > 0 and y > 0 and math.isfinite(x * y)):
        return
    if rows >= COPIED_ROWS and float(two.shift) == 0 and abs(x + y - 2 * both) <= 1e-12 * (x + y):
        yield Check("C4", SERIOUS, f"{who} equals the reference in all {rows:,} {unit}s. Is it a copy of it?")
    correlation, effective = both / math.sqrt(x * y), float(pairs.effective_rows)
    if effective > 10 and abs(correlation) < 1:
        reach = normal_quantile(LEVEL) / math.sqrt(effective - 3)
        if math.tanh(math.atanh(correlation) + reach) < 0:
            yield _reversed(who, correlation)
    elif effective > 10 and correlation <= -1:
        yield _reversed(who, correlation)


def _reversed(who: str, correlation: float) -> Check:
    return Check(
        "C3",
        SERIOUS,
        f"{who} runs the wrong way round: its correlation with the reference is {correlation:.2f}. "
        "Is the scale reversed?",
    )


def same_answers(digests: Mapping[str, int], rows: int, unit: str = "row") -> Iterator[Check]:
    """C24: systems that answer alike everywhere, told from sums over their answers."""
    first: dict[int, str] = {}
    for name, digest in digests.items() if rows >= FEW_ROWS else ():
        if digest in first:
            yield Check(
                "C24",
                SERIOUS,
                f"{quoted(first[digest])} and {quoted(name)} give the same answer in all {rows:,} {unit}s. "
                "Is one the copy of the other?",
            )
        first.setdefault(digest, name)


def beyond_scale(who: str, low: float, high: float, ends: tuple[float, float]) -> Iterator[Check]:
    """C19: scores far outside the scale."""
    if low < ends[0] - BEYOND or high > ends[1] + BEYOND:
        yield Check(
            "C19",
            REMARK,
            f"The scores of {who} lie between {low:g} and {high:g}, beyond the scale from {ends[0]:g} to {ends[1]:g}: "
            "they are moved to its ends. Is it the right scale?",
        )
