"""Two systems on the same rows, right or wrong: how much more often the first is right, and could that be chance?"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from adjudge.errors import SettingError
from adjudge.inference.differences.tango import tango_limits, tango_score
from adjudge.inference.intervals.closed_form import clopper_pearson, wilson
from adjudge.inference.intervals.interval import normal_below, normal_quantile
from adjudge.metrics.intervals import Share

Alternative = Literal["two-sided", "greater", "less"]
MID_P = "McNemar's test, mid-p"
EXACT = "McNemar's test, exact"
ONE_SIDED = "McNemar's test, exact, better"


@dataclass(frozen=True, slots=True)
class PairedShares:
    """How many rows both systems got right, only the first, only the second, and neither.

    >>> PairedShares(1, 1, 7, 12).difference
    -0.2857142857142857
    """

    both: float
    only_first: float
    only_second: float
    neither: float

    @property
    def rows(self) -> float:
        """All rows."""
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def differing(self) -> float:
        """Rows that one system got right and the other wrong."""
        return self.only_first + self.only_second

    @property
    def difference(self) -> float:
        """The first system's share of right rows minus the second's."""
        return (self.only_first - self.only_second) / self.rows if self.rows > 0 else math.nan

    @property
    def swapped(self) -> PairedShares:
        """The same rows, the systems in the other order."""
        return PairedShares(self.both, self.only_second, self.only_first, self.neither)

    def effective(self, rows: float) -> PairedShares:
        """The same shares of another number of rows: what weighted rows are worth."""
        scale = rows / self.rows
        return PairedShares(*(scale * part for part in (self.both, self.only_first, self.only_second, self.neither)))


def flip_odds(better: float, worse: float) -> tuple[float, float, float]:
    """How many rows a system wins for each it loses, with 95 % limits: Clopper and Pearson's of its share, as odds.

    >>> [round(value, 3) for value in flip_odds(8, 2)]
    [4.0, 0.798, 38.666]
    """
    if not better + worse > 0:
        return math.nan, math.nan, math.nan
    share = Share(np.asarray(better), np.asarray(better + worse), np.asarray(better + worse))
    low, high = (float(end) for end in clopper_pearson(share, 0.95))
    odds = [end / (1 - end) if end < 1 else math.inf for end in (better / (better + worse), low, high)]
    return odds[0], odds[1], odds[2]


def cohen_g(better: float, worse: float) -> float:
    """Cohen's g: by how much the share of differing rows that a system wins is above one half.

    >>> round(cohen_g(8, 2), 3), cohen_g(0, 0)
    (0.3, nan)
    """
    return better / (better + worse) - 0.5 if better + worse > 0 else math.nan


def mcnemar(pairs: PairedShares, alternative: Alternative = "two-sided", *, mid: bool = False) -> float:
    """McNemar's test on the rows that differ: the binomial probability of what was seen, or of more.

    P(X ≥ b) for the claim that the first system is better (`greater`), X of b + c tosses of a coin. `mid` counts what
    was seen by half (Lancaster 1961): closer to the nominal level, which the exact test never exceeds.

    >>> pairs = PairedShares(1, 1, 7, 12)
    >>> mcnemar(pairs), mcnemar(pairs, mid=True), mcnemar(pairs, "less")
    (0.0703125, 0.0390625, 0.03515625)
    """
    from scipy.special import bdtr, bdtrc

    first, total = pairs.only_first, pairs.differing
    if first != int(first) or total != int(total):
        raise SettingError("McNemar's test counts whole rows; weighted rows are compared by their interval.")
    first, total = int(first), int(total)
    below, above = float(bdtr(first, total, 0.5)), float(bdtrc(first - 1, total, 0.5)) if first else 1.0
    here = below + above - 1
    if alternative == "greater":
        return above - here / 2 if mid else above
    if alternative == "less":
        return below - here / 2 if mid else below
    return min(1.0, 2 * min(below, above) - (here if mid else 0.0)) if total else 1.0


def tango_z(pairs: PairedShares, difference: float) -> float:
    """Tango's score statistic of a tried difference: its square at 0 is McNemar's χ².

    >>> round(tango_z(PairedShares(43, 0, 1, 0), -0.1), 6)
    1.708564
    """
    return tango_score(difference, pairs.only_first, pairs.only_second, pairs.rows)


def tango(pairs: PairedShares, level: float) -> tuple[float, float]:
    """Tango's score interval: all differences that the score test does not reject. It has width where no row differs.

    >>> [round(end, 4) for end in tango(PairedShares(1, 1, 7, 12), 0.95)]
    [-0.5172, -0.026]
    """
    return tango_limits(pairs.only_first, pairs.only_second, pairs.rows, normal_quantile(level))


def not_worse_p(pairs: PairedShares, margin: float) -> float:
    """The one-sided p-value of "the first is worse than the second by the margin or more": small means not worse.

    >>> round(not_worse_p(PairedShares(43, 0, 1, 0), 0.1), 4)
    0.0438
    """
    return normal_below(-tango_z(pairs, -margin))


def newcombe_paired(pairs: PairedShares, level: float) -> tuple[float, float]:
    """Newcombe's method 10 (1998): the Wilson limits of the two shares, squared and added.

    >>> [round(end, 4) for end in newcombe_paired(PairedShares(1, 1, 7, 12), 0.95)]
    [-0.5069, -0.0256]
    """
    a, b, c, d = pairs.both, pairs.only_first, pairs.only_second, pairs.neither
    product = a * d - b * c
    numerator = max(product - pairs.rows / 2, 0.0) if product > 0 else product
    root = math.sqrt((a + b) * (c + d) * (a + c) * (b + d))
    shares = [share_limits(right, pairs.rows, level) for right in (a + b, a + c)]
    return square_and_add(shares[0], shares[1], numerator / root if root > 0 else 0.0)


def share_limits(right: float, rows: float, level: float) -> tuple[float, float, float]:
    """A share with its Wilson limits."""
    low, high = wilson(Share(np.asarray(right), np.asarray(rows), np.asarray(rows)), level)
    return right / rows, float(low), float(high)


def square_and_add(
    first: tuple[float, float, float], second: tuple[float, float, float], correlation: float
) -> tuple[float, float]:
    """Limits of a difference from the value and limits of its parts and their correlation (Zou and Donner 2008).

    >>> [round(end, 3) for end in square_and_add((0.8, 0.7, 0.88), (0.6, 0.49, 0.7), 0.0)]
    [0.059, 0.336]
    """
    (one, low_1, high_1), (two, low_2, high_2) = first, second

    def distance(this: float, other: float) -> float:
        # A power of a float raises where a product is infinite.
        return math.sqrt(max(this * this - 2 * correlation * this * other + other * other, 0.0))

    return one - two - distance(one - low_1, high_2 - two), one - two + distance(high_1 - one, two - low_2)


def asked_of_pairs(
    shares: PairedShares, tests: Collection[str], level: float, *, more_is_better: bool
) -> Iterator[tuple[str, tuple[float, float], str, float]]:
    """The other tests of right and wrong that were asked for: method, limits, test and p-value of each.

    >>> asked = asked_of_pairs(PairedShares(1, 1, 7, 12), ["sign"], 0.95, more_is_better=True)
    >>> [(test, round(p, 3)) for _, _, test, p in asked]
    [("McNemar's test, exact", 0.07)]
    """
    limits = tango(shares, level)
    if "newcombe" in tests:
        yield "newcombe", newcombe_paired(shares, level), MID_P, mcnemar(shares, mid=True)
    if {"mcnemar", "permutation", "sign"} & {*tests}:
        yield "tango", limits, EXACT, mcnemar(shares)
    if "mcnemar_one_sided" in tests:
        yield "tango", limits, ONE_SIDED, mcnemar(shares if more_is_better else shares.swapped, "greater")
