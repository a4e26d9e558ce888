"""How many rows before the run: for a gate to pass, or a difference to be seen."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from adjudge.errors import SettingError

LOOK_AHEAD = 60
MOST_ROWS = 10_000_000
CHUNK = 4_096  # numbers of rows looked at together


@dataclass(frozen=True, slots=True)
class ShareGate:
    """Rows for an exact test of a share: power is a saw-tooth, reached first at one number, for good at a later one."""

    first: int
    rows: int
    passes: int
    power: float


def rows_for_share(bound: float, truth: float, alpha: float = 0.05, power: float = 0.8) -> ShareGate:
    """Rows from which on a true share passes "at least the bound" with this power, by the exact binomial test.

    >>> plan = rows_for_share(0.85, 0.90)
    >>> plan.first, plan.rows, plan.passes
    (281, 304, 269)
    """
    _between("bound", bound)
    _between("truth", truth)
    _between("alpha", alpha)
    _between("power", power)
    if truth <= bound:
        raise SettingError(f"`truth` must be above the bound of {bound!r} for a gate to pass, not {truth!r}.")
    guess = _normal_rows(bound, truth, alpha, power)
    if guess > MOST_ROWS:
        raise SettingError(f"About {guess:,.0f} rows would be needed: `truth` is too near the bound.")
    first, since = 0, 0
    start, stop = max(1, int(guess - min(0.3 * guess, 40 / (truth - bound))) - 30), 4 * int(guess) + 400
    while start < stop:
        rows = np.arange(start, start + CHUNK)
        reached = share_power(rows, bound, truth, alpha) >= power
        short = np.flatnonzero(~reached)
        if not first and reached.any():
            first = int(rows[reached.argmax()])
        # From which row on none falls short, of those looked at so far.
        gaps = np.diff(np.concatenate([[(since or start) - 1], rows[short], [rows[-1] + 1]]))
        ends = np.concatenate([[(since or start)], rows[short] + 1])
        if (held := np.flatnonzero(gaps - 1 >= LOOK_AHEAD)).size:
            since = int(ends[held[0]])
            break
        since = int(ends[-1])
        start += CHUNK
    passes = int(passes_needed(np.array([since]), bound, alpha)[0])
    return ShareGate(first, since, passes, float(share_power(np.array([since]), bound, truth, alpha)[0]))


def passes_needed(rows: np.ndarray, bound: float, alpha: float) -> np.ndarray:
    """Of so many rows, how many must be right to prove that a share is at least the bound; one more than all: never.

    >>> passes_needed(np.array([58, 59, 304]), 0.95, 0.05).tolist()
    [59, 59, 296]
    """
    from scipy.special import bdtrc

    def chance(passes: np.ndarray) -> np.ndarray:
        return np.where(
            passes <= 0, 1.0, np.where(passes > rows, 0.0, bdtrc(np.clip(passes - 1, 0, rows), rows, bound))
        )

    reach = NormalDist().inv_cdf(1 - alpha) * np.sqrt(rows * bound * (1 - bound))
    passes = np.clip(np.floor(rows * bound + reach), 0, rows + 1)
    while (over := chance(passes) > alpha).any():
        passes = passes + over
    while (spare := (passes > 0) & (chance(passes - 1) <= alpha)).any():
        passes = passes - spare
    return np.asarray(passes, dtype=np.int64)


def share_power(rows: np.ndarray, bound: float, truth: float, alpha: float) -> np.ndarray:
    """The chance that a true share passes "at least the bound" by the exact binomial test, for each number of rows.

    >>> share_power(np.array([281, 304]), 0.85, 0.9, 0.05).round(3).tolist()
    [0.811, 0.836]
    """
    from scipy.special import bdtrc

    passes = passes_needed(rows, bound, alpha)
    chance = bdtrc(np.clip(passes - 1, 0, rows), rows, truth)
    return np.asarray(np.where(passes > rows, 0.0, np.where(passes <= 0, 1.0, chance)))


def _normal_rows(bound: float, truth: float, alpha: float, power: float) -> float:
    quantile = NormalDist().inv_cdf
    reach = quantile(1 - alpha) * math.sqrt(bound * (1 - bound)) + quantile(power) * math.sqrt(truth * (1 - truth))
    return (reach / (truth - bound)) ** 2


def power_of_pairs(rows: int, only_first: float, only_second: float, alpha: float = 0.05, *, mid: bool = True) -> float:
    """The power of McNemar's two-sided test, mid-p or exact, by summing over all that can be seen.

    >>> round(power_of_pairs(100, 0.2, 0.05), 3)
    0.876
    """
    from scipy.special import bdtr, gammaln

    differing = only_first + only_second
    total = 0.0
    for m in range(rows + 1):
        chance = _binomial(np.array([m]), rows, differing, gammaln)[0]
        if chance < 1e-12:
            continue
        seen = np.arange(m + 1)
        here = _binomial(seen, m, 0.5, gammaln)
        below = bdtr(seen, m, 0.5)
        p = np.minimum(1.0, 2 * np.minimum(below, 1 - below + here) - (here if mid else 0.0)) if m else np.ones(1)
        total += chance * float(_binomial(seen, m, only_first / differing, gammaln)[p <= alpha * (1 + 1e-9)].sum())
    return float(total)


def _binomial(x: np.ndarray, n: int, p: float, gammaln: Callable[[ArrayLike], np.ndarray]) -> np.ndarray:
    ways = gammaln(n + 1) - gammaln(x + 1) - gammaln(n - x + 1)
    return np.asarray(np.exp(ways + x * math.log(p) + (n - x) * math.log1p(-p)))


def design_effect(cluster_size: float, correlation: float) -> float:
    """By how much clusters of this size and intraclass correlation raise the rows needed (Kish 1965).

    >>> round(design_effect(20, 0.3), 3)
    6.7
    """
    return 1 + (cluster_size - 1) * correlation


def _between(name: str, value: float) -> None:
    if not 0 < value < 1:
        raise SettingError(f"`{name}` must lie between 0 and 1, not {value!r}.")
