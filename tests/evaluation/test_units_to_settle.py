"""How many more units would settle what is undecided, by the side of the interval that faces the limit."""

from __future__ import annotations

import math

import numpy as np
import pytest

from adjudge.evaluation.answers.claims import (
    ALONE,
    BEYOND,
    LOOKS,
    Claim,
    Evidence,
    judged_alone,
    judged_evidence,
    units_to_settle,
)

Z, POWER = 1.959964, 0.841621  # of 95 %, and of a chance of 80 %


def units(low: float, estimate: float, high: float, good: tuple[float, float]) -> int | None:
    """Of 100 units."""
    return units_to_settle(judged_alone(Evidence("x", estimate, low, high, 100), good))


@pytest.mark.parametrize(
    ("good", "reach"), [((0.0, math.inf), 0.3), ((-math.inf, 0.6), 0.9)], ids=["a limit below", "a limit above"]
)
def test_the_side_that_faces_the_limit_tells_the_doubt(good: tuple[float, float], reach: float) -> None:
    """An estimate of .2 in [−.1, 1.1]: its half width is .6, whichever limit is in question."""
    gap = min(abs(0.2 - end) for end in good if math.isfinite(end))
    expected = 100 * ((1 + POWER / Z) * reach / gap) ** 2 - 100
    assert units(-0.1, 0.2, 1.1, good) == pytest.approx(expected, rel=0.05)


def test_a_limit_that_nothing_bounds_is_settled_by_no_number_of_units() -> None:
    assert units(0.1, 0.2, math.inf, (-math.inf, 0.25)) is None


@pytest.mark.parametrize("count", [1, 4, 12])
def test_a_slice_that_looks_worse_among_others_is_settled_as_often_as_told(count: int) -> None:
    """Its p pays for the others, too: of twelve, as many more as one alone takes settled 44 % of tables, not 80."""
    random, kept = np.random.default_rng(1), list[bool]()
    claim = Claim("slices", lambda outcome: (), difference=True)
    while len(kept) < 400:
        values = random.normal(0.0, 0.1, count)
        values[0] = random.normal(-0.2, 0.1)
        slices = [Evidence(str(place), one, one - Z / 10, one + Z / 10, 100) for place, one in enumerate(values)]
        first = judged_evidence(claim, slices, (0.0, math.inf))[0]
        more = units_to_settle(first) if first.state in (LOOKS, ALONE) else None
        if more is None:
            continue
        value = (100 * values[0] + more * random.normal(values[0], more**-0.5)) / (100 + more)
        reach = Z / math.sqrt(100 + more)
        again = [Evidence("0", value, value - reach, value + reach, 100 + more), *slices[1:]]
        kept.append(judged_evidence(claim, again, (0.0, math.inf))[0].state == BEYOND)
    assert np.mean(kept) >= 0.77
