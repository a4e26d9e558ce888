"""Two systems with one number for each unit: the mean of the differences, and tests of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self

import numpy as np

from adjudge.data.keys import Keys, keys_of_rows, mixed
from adjudge.errors import SettingError
from adjudge.inference.intervals.interval import normal_below, normal_quantile
from adjudge.statistics.base import Array

ALL_PATTERNS = 14
"""With this many units that differ or fewer, every pattern of signs is tried."""
PERMUTATIONS = 10_000
EXACT_RANKS = 50
"""With this many units that differ or fewer, the null distribution of Wilcoxon's sum is exact."""
WALSH_UNITS = 2_000
TIE = 1e-9
# A p-value is looked for between this and 1, by so many halvings of its logarithm.
LEAST_P, HALVINGS = 1e-100, 60


@dataclass(frozen=True, slots=True)
class MeanDifference:
    """A mean of differences with its standard error and the degrees of freedom behind it."""

    mean: float
    error: float
    freedom: float

    def interval(self, level: float) -> tuple[float, float]:
        """Student's limits; NaN where there is no freedom."""
        from scipy.special import stdtrit

        if not self.freedom >= 1 or math.isnan(self.error):
            return math.nan, math.nan
        reach = float(stdtrit(self.freedom, 0.5 + level / 2)) * self.error
        return self.mean - reach, self.mean + reach

    def p(self, null: float = 0.0, alternative: str = "two-sided") -> float:
        """The probability of a mean this far from the null value, or further, if it were true."""
        from scipy.special import stdtr

        if not self.freedom >= 1 or math.isnan(self.error):
            return math.nan
        if self.error == 0:
            return 1.0 if self.mean == null else 0.0
        away = (self.mean - null) / self.error
        beyond = {"less": away, "greater": -away}.get(alternative)  # of the far end what is left is told, not of 1
        return float(stdtr(self.freedom, beyond) if beyond is not None else 2 * stdtr(self.freedom, -abs(away)))

    def turned(self, sign: float) -> Self:
        """The same of the difference the other way round, where the sign is −1."""
        return replace(self, mean=sign * self.mean)

    def where_few_differ(self, differing: float, row: float = 0.0) -> Self:
        """The same of two systems that answer so few units differently.

        As if there were one more of these, as far apart as they are on average, or where that is further, as `row` says
        of any. How many there are is chance, as much as of a Poisson count, which leaves 2 (D + 1) degrees of freedom
        (Satterthwaite 1946).

        >>> few = student_draws(0.04, 4.0 / 100**2, 100).where_few_differ(4)
        >>> round(few.error, 5), few.freedom
        (0.02247, 10)
        """
        one_more = max(self.error / math.sqrt(differing), row) if differing > 0 else math.nan
        error = math.hypot(self.error, one_more)
        return replace(self, error=error, freedom=min(2 * (differing + 1), self.freedom))


@dataclass(frozen=True, slots=True)
class SkewedDifference(MeanDifference):
    """A mean of differences that are skewed: the end on that side reaches further (Johnson 1978).

    `freedom` is Satterthwaite's, `skewness` that of the mean, and `units` how many there are. A p-value is what is left
    of the highest level whose interval does not reach the null value.

    >>> skewed = SkewedDifference(1.0, 0.4, 20.0, skewness=-0.3, units=60.0)
    >>> [round(end, 3) for end in skewed.interval(0.95)], round(skewed.p(), 3)
    ([-0.015, 1.834], 0.053)
    """

    skewness: float
    units: float

    def interval(self, level: float) -> tuple[float, float]:
        """Johnson's limits; NaN where there is no freedom."""
        if not self.freedom >= 1:
            return math.nan, math.nan
        return self.mean - self._reach(1 - level, -1), self.mean + self._reach(1 - level, 1)

    def _reach(self, left: float, side: float) -> float:
        """How far the limit on one side is from the mean, at the level that leaves so much."""
        from scipy.special import stdtrit

        few, many = -float(stdtrit(self.freedom, left / 2)), -float(stdtrit(self.units - 1, left / 2))
        return self.error * (few + max(side * self.skewness, 0.0) * (1 + 2 * many**2) / 6)

    def p(self, null: float = 0.0, alternative: str = "two-sided") -> float:
        """What is left of the highest level whose interval does not reach the null value; halves of it, one-sided."""
        if not self.freedom >= 1 or math.isnan(self.error):
            return math.nan
        away = self.mean - null
        side = -1.0 if away > 0 else 1.0
        p = self._left(abs(away), side) if side * self.skewness > 0 else max(MeanDifference.p(self, null), LEAST_P)
        towards = {"greater": away > 0, "less": away < 0}.get(alternative)
        return p if towards is None else p / 2 if towards else 1 - p / 2

    def _left(self, distance: float, side: float) -> float:
        """What is left of the highest level whose limit on one side is no further than this from the mean."""
        low, high = math.log(LEAST_P), 0.0
        if self._reach(1.0, side) >= distance:
            return 1.0
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if self._reach(math.exp(middle), side) > distance else (low, middle)
        return math.exp(high)

    def turned(self, sign: float) -> Self:
        """The same of the difference the other way round, where the sign is −1."""
        return replace(self, mean=sign * self.mean, skewness=sign * self.skewness)


def mean_of_differences(total: float, squares: float, units: int, bound: float | None = None) -> MeanDifference:
    """The mean of per-unit differences, from their sum and their sum of squares about the mean.

    With `bound`, the largest difference that one unit can have, it is guarded: as if one more unit had +bound and one
    −bound, centred on the mean. Then no difference in any unit is not taken for certainty (near Bonett and Price 2012).

    >>> guarded = mean_of_differences(0.0, 2.0, 50, bound=1.0)
    >>> [round(end, 4) for end in guarded.interval(0.95)]
    [-0.078, 0.078]
    """
    if units < 2:
        return MeanDifference(total / units if units else math.nan, math.nan, 0)
    if bound is None:
        error = math.sqrt(squares / ((units - 1) * units))
    else:
        error = math.sqrt((squares + 2 * bound**2) / ((units + 1) * (units + 2)))
    return MeanDifference(total / units, error, units - 1)


def clustered_difference(
    differences: Sequence[float] | Array,
    clusters: Sequence[int] | Array,
    weights: Sequence[float] | Array | None = None,
    bound: float | None = None,
) -> MeanDifference:
    """The same of rows that come in clusters, or weigh differently: the sums of each cluster vary, not the rows.

    G / (G − 1) Σ (Σ w (d − mean))² over clusters, t with G − 1 degrees of freedom (CR1). The guard is the one above,
    for a cluster of average weight.

    >>> d, c = [1, 0, 0, 1, 0, -1, 0, 0, 1, 1], [1, 1, 1, 2, 2, 3, 3, 3, 3, 4]
    >>> round(clustered_difference(d, c).error, 4)
    0.1673
    """
    d = np.asarray(differences, dtype=np.float64)
    w = np.ones(len(d)) if weights is None else np.asarray(weights, dtype=np.float64)
    _, place = np.unique(np.asarray(clusters), return_inverse=True)
    total, groups = float(w.sum()), int(place.max(initial=-1)) + 1
    mean = float((w * d).sum() / total) if total > 0 else math.nan
    if groups < 2:
        return MeanDifference(mean, math.nan, 0)
    squares = float((np.bincount(place, weights=w * (d - mean)) ** 2).sum())
    if bound is None:
        variance = groups / (groups - 1) * squares / total**2
    else:
        imagined = 2 * bound**2 * (total / groups) ** 2 * groups * float((w**2).sum()) / total**2
        variance = groups**2 / ((groups + 1) * (groups + 2)) * (squares + imagined) / total**2
    return MeanDifference(mean, math.sqrt(variance), groups - 1)


def guarded_draws(mean: float, variance: float, units: float, rows: float, bound: float) -> MeanDifference:
    """The guarded mean from the variance of paired draws: of units (rows, clusters), and rows in effective ones.

    Draws of units vary by Σ (Σ w (d − mean))² / (Σ w)² over units, which is all that `clustered_difference` sums.

    >>> round(guarded_draws(0.0, 2.0 / 50**2, 50, 50, bound=1.0).error, 6)
    0.038837
    """
    if not units > 1:
        return MeanDifference(mean, math.nan, 0)
    guard = variance + 2 * bound**2 / (units * rows)
    return MeanDifference(mean, math.sqrt(units**2 / ((units + 1) * (units + 2)) * guard), units - 1)


def student_draws(mean: float, variance: float, units: float) -> MeanDifference:
    """Student's mean from the variance of paired draws of so many units.

    >>> round(student_draws(0.1, 9.0 / 50**2, 50).error, 6), round(mean_of_differences(5.0, 9.0, 50).error, 6)
    (0.060609, 0.060609)
    """
    if not units > 1:
        return MeanDifference(mean, math.nan, 0)
    return MeanDifference(mean, math.sqrt(variance * units / (units - 1)), units - 1)


def correlated_t(differences: Sequence[float] | Array, folds: int) -> MeanDifference:
    """The mean difference over folds of a cross-validation, whose training rows overlap (Nadeau and Bengio 2003).

    The variance is (1/n + ρ/(1 − ρ)) s² with ρ = 1/folds, for n differences: repeats times folds.

    >>> mean = correlated_t([0.02, 0.01, 0.03, 0.00, 0.02], folds=5)
    >>> round(mean.error, 6), [round(share, 3) for share in three_masses(mean, 0.01)]
    (0.007649, [0.014, 0.225, 0.762])
    """
    values = np.asarray(differences, dtype=np.float64)
    if folds < 2 or len(values) < 2:
        raise SettingError("A cross-validation must have two folds at least, and a difference of each.")
    error = math.sqrt((1 / len(values) + 1 / (folds - 1)) * float(values.var(ddof=1)))
    return MeanDifference(float(values.mean()), error, len(values) - 1)


def three_masses(mean: MeanDifference, margin: float) -> tuple[float, float, float]:
    """How probable it is that a system is worse by a margin, the same within it, and better (Benavoli 2017)."""
    worse, better = 1 - mean.p(-margin, "less"), 1 - mean.p(margin, "greater")
    return worse, 1 - worse - better, better


def sign_flip_p(
    differences: Sequence[float] | Array, *, keys: Keys | None = None, seed: int = 0, permutations: int = PERMUTATIONS
) -> float:
    """Fisher's randomisation test: had the two answers of each unit been swapped by a coin, how often so far from zero?

    Every pattern of signs with up to 14 units that differ; otherwise random ones, each unit's coin a function of (seed,
    pattern, its key), and p = (1 + as far) / (1 + patterns), never 0. Sums of clusters are swapped by passing them.

    >>> sign_flip_p([1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4])
    0.00390625
    """
    d = np.asarray(differences, dtype=np.float64)
    moving = d != 0
    d, unit_keys = d[moving], (keys_of_rows(0, len(moving)) if keys is None else keys)[moving]
    seen = abs(d.sum()) * (1 - TIE)
    if len(d) <= ALL_PATTERNS:
        patterns = (np.arange(2 ** len(d))[:, None] >> np.arange(len(d))) & 1
        return float((np.abs((1 - 2 * patterns) @ d) >= seen).mean())
    further = 0
    for number in range(permutations):
        salt = np.uint64((seed * 0x9E3779B97F4A7C15 + number * 0xD1B54A32D192ED03) % 2**64)
        heads = (mixed(unit_keys ^ mixed(np.array([salt]))) >> np.uint64(63)).astype(bool)
        further += bool(abs(2 * d[heads].sum() - d.sum()) >= seen)
    return (1 + further) / (1 + permutations)


def sign_p(differences: Sequence[float] | Array) -> float:
    """The sign test: as many units better as worse? Two-sided, units without a difference left out.

    >>> sign_p([1, 2, 3, -1, 0])
    0.625
    """
    from scipy.special import bdtr

    d = np.asarray(differences, dtype=np.float64)
    better, worse = int((d > 0).sum()), int((d < 0).sum())
    return min(1.0, 2 * float(bdtr(min(better, worse), better + worse, 0.5))) if better + worse else 1.0


@dataclass(frozen=True, slots=True)
class SignedRanks:
    """Wilcoxon's sum of the ranks of positive differences, its p-value, and the shift of Hodges and Lehmann."""

    ranks: float
    p: float
    shift: float
    low: float
    high: float


def signed_ranks(
    differences: Sequence[float] | Array, level: float = 0.95, zeros: Literal["drop", "pratt"] = "drop"
) -> SignedRanks:
    """Wilcoxon's test of a typical difference of zero. Exact for these very ranks, ties included, up to 50 units.

    Units without a difference are left out, or ranked and then left out (Pratt 1959). The shift is the median of all
    means of two differences; its limits assume differences that are symmetric about it.

    >>> result = signed_ranks([2, 0, 2, 0, -1, 4, 0, 1, 0, 1, 3, 2])
    >>> result.p, result.shift
    (0.03125, 2.0)
    """
    d = np.asarray(differences, dtype=np.float64)
    kept = d if zeros == "pratt" else d[d != 0]
    doubled = _doubled_ranks(np.abs(kept))[kept != 0]
    d = d[d != 0]
    if len(d) == 0:
        return SignedRanks(0.0, 1.0, 0.0, math.nan, math.nan)
    positive = int(doubled[d > 0].sum())
    if len(d) <= EXACT_RANKS:
        chances = _sums_of_subsets(doubled)
        p = min(1.0, 2 * min(chances[: positive + 1].sum(), chances[positive:].sum()))
    else:
        middle, spread = doubled.sum() / 2, math.sqrt((doubled.astype(np.float64) ** 2).sum()) / 2
        p = min(1.0, 2 * normal_below((1 - abs(positive - middle)) / spread))  # half a rank, doubled: continuity
    return SignedRanks(positive / 2, float(p), *_shift(d, level))


def _doubled_ranks(sizes: Array) -> np.ndarray:
    """Twice the average rank of each: whole numbers, also for ties."""
    _, place, counts = np.unique(sizes, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((2 * last - counts + 1)[place])


def _sums_of_subsets(weights: np.ndarray) -> Array:
    """The chance of each sum when every weight is in or out by a coin."""
    chances = np.zeros(int(weights.sum()) + 1)
    chances[0] = 1.0
    for weight in weights:
        chances[weight:] = (chances[weight:] + chances[: len(chances) - weight]) / 2 if weight else chances
        chances[:weight] /= 2
    return chances


def _shift(d: Array, level: float) -> tuple[float, float, float]:
    """The median of all means of two, and the means that the signed-rank test would not reject."""
    k = len(d)
    if k > WALSH_UNITS:
        return float(np.median(d)), math.nan, math.nan
    rows, columns = np.triu_indices(k)
    walsh = np.sort((d[rows] + d[columns]) / 2)
    if k <= EXACT_RANKS:
        cut = int(np.searchsorted(np.cumsum(_sums_of_subsets(np.arange(1, k + 1))), (1 - level) / 2))
    else:
        spread = math.sqrt(k * (k + 1) * (2 * k + 1) / 24)
        cut = round(k * (k + 1) / 4 - normal_quantile(level) * spread)
    cut = max(cut, 1)
    return float(np.median(walsh)), float(walsh[cut - 1]), float(walsh[len(walsh) - cut])
