"""Judging data that grow: limits that hold after several planned looks, or after any number of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import SettingError

NODES = 120
FAR = 9.0
Design = Literal["obrien_fleming", "pocock"]


def crossing(limits: Sequence[float], shares: Sequence[float], *, two_sided: bool = False) -> float:
    """The chance that a statistic without effect crosses its limit at some look.

    `limits` of the standardised statistic at each look, `shares` of all information there is by then. The
    recursion over looks of Armitage, McPherson and Rowe (1969), on Gauss–Legendre nodes.

    >>> round(crossing([1.96], [1.0], two_sided=True), 3)
    0.05
    """
    from scipy.special import ndtr

    points, weights = _nodes()
    crossed, before = 0.0, 0.0
    place, density = np.zeros(1), np.ones(1)
    for limit, share in zip(limits, shares, strict=True):
        step, edge = math.sqrt(share - before), limit * math.sqrt(share)
        crossed += float((density * ndtr((place - edge) / step)).sum())
        if two_sided:
            crossed += float((density * ndtr((-edge - place) / step)).sum())
        lowest = -edge if two_sided else -FAR * math.sqrt(share)
        middle, half = (edge + lowest) / 2, (edge - lowest) / 2
        following = middle + half * points
        kernel = np.exp(-(((following[:, None] - place[None, :]) / step) ** 2) / 2) / (step * math.sqrt(2 * math.pi))
        density = half * weights * (kernel * density).sum(axis=1)
        place, before = following, share
    return crossed


@cache
def _nodes() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Nodes of Gauss and Legendre with their weights, once for all that a search of limits tries."""
    points, weights = np.polynomial.legendre.leggauss(NODES)
    points.flags.writeable = weights.flags.writeable = False
    return points, weights


def planned_constant(
    looks: int, alpha: float = 0.05, design: Design = "obrien_fleming", *, two_sided: bool = False
) -> float:
    """The constant of a design with equally spaced looks; at look k of K the limit is c √(K/k), or c for Pocock.

    >>> round(planned_constant(2), 4), round(planned_constant(5, design="pocock"), 4)
    (1.678, 2.1217)
    """
    if looks < 1:
        raise SettingError(f"`looks` must be at least 1, not {looks!r}.")
    shares = [(k + 1) / looks for k in range(looks)]
    grows = [1.0 if design == "pocock" else math.sqrt(looks / (k + 1)) for k in range(looks)]
    return _root(lambda c: crossing([c * g for g in grows], shares, two_sided=two_sided) - alpha, 0.1, 6.0)


def spending_limits(shares: Sequence[float], alpha: float = 0.05) -> list[float]:
    """Limits at looks that are not equally spaced: Lan and DeMets (1983) with spending 2 − 2Φ(z / √share).

    >>> [round(limit, 3) for limit in spending_limits([0.5, 1.0])]
    [2.538, 1.662]
    """
    normal, limits = NormalDist(), list[float]()
    z = normal.inv_cdf(1 - alpha / 2)
    for look, share in enumerate(shares):
        spent = 2 - 2 * normal.cdf(z / math.sqrt(share))
        upto = list(shares[: look + 1])

        def beyond(limit: float, upto: list[float] = upto, spent: float = spent) -> float:
            return crossing([*limits, limit], upto) - spent

        # So early a look may spend nothing that can be told.
        limits.append(_root(beyond, 0.1, FAR) if beyond(FAR) < 0 else FAR)
    return limits


def share_e_value(right: int, rows: int, bound: float) -> float:
    """Evidence that a share is at least a bound, however often it is looked at: shown once it reaches 1/α.

    The likelihood averaged over all shares above the bound, over that at the bound.

    >>> share_e_value(85, 100, 0.85) < 1 < 20 < share_e_value(290, 300, 0.85)
    True
    """
    from scipy.special import betainc, betaln

    wrong = rows - right
    tail = float(betainc(wrong + 1, right + 1, 1 - bound))
    if tail <= 0:
        return 0.0
    logarithm = (
        float(betaln(right + 1, wrong + 1)) + math.log(tail) - math.log1p(-bound)
        - right * math.log(bound) - wrong * math.log1p(-bound)
    )  # fmt: skip
    return math.exp(min(logarithm, 700.0))


LARGEST_TUNED = 0.5
"""No sequence is tightest for a larger error: that would ask for a negative variance. It holds however it is tuned."""


def mean_sequence(deviation: float, units: int, alpha: float = 0.05, planned: int = 200) -> float:
    """How far the limits of a mean reach that hold at every look (Waudby-Smith and others 2024), tightest at `planned`.

    >>> round(mean_sequence(0.3, 200), 6)
    0.064392
    """
    tuning = -2 * math.log(min(alpha, LARGEST_TUNED))
    square = (tuning + math.log(tuning) + 1) / planned
    grown = units * square + 1
    return deviation * math.sqrt(2 * grown / (units**2 * square) * math.log(math.sqrt(grown) / alpha))


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function changes its sign."""
    from scipy.optimize import brentq

    return float(brentq(function, low, high, xtol=1e-15, rtol=1e-14))
