"""What lies behind the strength of a trait: the place of an answer, its length, other traits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.inference.intervals.closed_form import wilson
from adjudge.inference.logistic import Fit, anchored_fit
from adjudge.metrics.intervals import Share
from adjudge.statistics.base import Array, Codes, ratio, steady_product

ALIKE, ENTANGLED, DECIDED = 0.5, 0.9, 10.0
CAUTION = 0.7


def two_sided(agreed: Array | float, disagreed: Array | float, *, mid: bool = False) -> Array:
    """The exact two-sided p of as uneven a split of votes, where both ways are as likely.

    `mid` counts what was seen by half (Lancaster 1961), as `inference.paired_shares.mcnemar` does of whole rows.

    >>> round(float(two_sided(14, 4)), 6), round(float(two_sided(14, 4, mid=True)), 6)
    (0.030884, 0.019211)
    """
    from scipy.special import betainc, betaln

    a, d = np.asarray(agreed, dtype=np.float64), np.asarray(disagreed, dtype=np.float64)
    least, total = np.minimum(a, d), a + d
    p = np.minimum(1.0, 2 * betainc(np.maximum(total - least, 1e-9), least + 1, 0.5))
    if mid:
        seen = np.exp(-total * np.log(2.0) - betaln(a + 1, d + 1)) / (total + 1)
        p = np.where(least == total - least, 1.0, p - seen)
    return np.asarray(np.where(total > 0, p, 1.0))


@dataclass(frozen=True, slots=True)
class Lean:
    """How often an annotator chooses the first answer."""

    share: float
    low: float
    high: float
    p: float
    n: float


def lean(chose_a: float, chose_b: float, level: float) -> Lean:
    """The share of votes for the first answer, with Wilson's interval and the exact test.

    >>> round(lean(60, 40, 0.95).p, 4)
    0.0569
    """
    n = np.asarray(chose_a + chose_b, dtype=np.float64)
    low, high = wilson(Share(np.asarray(float(chose_a)), n, n), level)
    return Lean(float(ratio(chose_a, n)), float(low), float(high), float(two_sided(chose_a, chose_b)), float(n))


def independent_kappa(first: float, second: float) -> float:
    """What kappa with a chance of one half is for votes that have nothing to do with each other, from shares of a.

    >>> round(independent_kappa(0.7, 0.65), 4)
    0.12
    """
    return 4 * (first - 0.5) * (second - 0.5)


@dataclass(frozen=True, slots=True)
class LengthControl:
    """Strength at equal length."""

    strength: float
    low: float
    high: float
    trait: float  # coefficients
    length: float
    correlation: float
    note: str


def length_term(lengths: Array, weight: Array | None = None) -> Array:
    """tanh of the difference in characters, in units of its root mean square; 0 where a length is not known."""
    difference = lengths[:, 0] - lengths[:, 1]
    known = np.isfinite(difference)
    weight = np.ones(len(difference)) if weight is None else weight
    scale = np.nan_to_num(np.sqrt(ratio((weight * difference**2)[known].sum(), weight[known].sum())))
    return np.tanh(np.where(known, difference, 0.0) / scale) if scale > 0 else np.zeros(len(difference))


@dataclass(frozen=True)
class FoldedPairs:
    """Pairs turned so that the reference chose the first answer: signs of traits, and the length term, by cell."""

    sign: Array  # +1 where the reference chose a
    weight: Array
    terms: Array  # distinct length terms, turned
    place: Codes  # of each pair's
    prompts: Codes | None

    @classmethod
    def of(cls, chose_a: NDArray[np.bool_], weight: Array, term: Array, prompts: Codes | None) -> FoldedPairs:
        """The pairs in which the reference chose."""
        sign = np.where(chose_a, 1.0, -1.0)
        terms, place = np.unique(term * sign, return_inverse=True)
        return cls(sign, weight, terms, place.reshape(-1), prompts)

    def controlled(self, votes: Array, level: float) -> LengthControl:
        """The strength of a trait, votes +1 for a, −1 for b, 0 for none, where both answers are as long."""
        x = votes * self.sign
        cells = np.bincount(
            self.place * 3 + (x + 1).astype(np.int64), weights=self.weight, minlength=3 * len(self.terms)
        )
        used = np.flatnonzero(cells)
        design = np.stack([used % 3 - 1.0, self.terms[used // 3]], axis=-1)
        correlation = _cosine(x, self.terms[self.place], self.weight)
        n = float(self.weight.sum())
        chose = float((self.weight * np.abs(x)).sum())
        fit, note = self._fit(x, design, np.asarray(cells[used], dtype=np.float64))
        kappa, error = np.tanh(fit.beta[0] / 2), fit.errors[0]
        reach = fit.reach(level)
        ends = np.tanh((fit.beta[0] + np.array([-reach, reach]) * error) / 2)
        low_r, high_r = (float(end) for end in wilson(Share(np.asarray(chose), np.asarray(n), np.asarray(n)), level))
        relevance = float(ratio(chose, n))
        low, high = _product_limits(float(kappa), (float(ends[0]), float(ends[1])), relevance, (low_r, high_r))
        if abs(correlation) > ENTANGLED:
            note = note or "cannot be told from length"
        elif abs(correlation) > CAUTION:
            note = note or "goes with length: equal length may not be a fair question"
        high = 1.0 if note.startswith("decided") and kappa > 0 else high
        low = -1.0 if note.startswith("decided") and kappa < 0 else low
        return LengthControl(
            relevance * float(kappa), low, high, float(fit.beta[0]), float(fit.beta[1]), correlation, note
        )

    def _fit(self, x: Array, design: Array, weight: Array) -> tuple[Fit, str]:
        ones = np.ones(len(weight))
        fit = anchored_fit(design, ones, weight)
        free = anchored_fit(design, ones, weight, anchor=0.0, start=fit.beta) if len(weight) > 1 else None
        note = (
            "" if free is not None and free.converged and np.abs(free.beta).max() <= DECIDED else "decided every time"
        )
        if self.prompts is None:
            return fit, note
        rows = np.stack([x, self.terms[self.place]], axis=-1)
        return anchored_fit(rows, np.ones(len(x)), self.weight, groups=self.prompts, start=fit.beta), note


def _cosine(x: Array, y: Array, weight: Array) -> float:
    one, two, both = ((weight * values).sum() for values in (x * x, y * y, x * y))
    return float(np.nan_to_num(ratio(both, np.sqrt(one * two))))


def _product_limits(
    kappa: float, kappas: tuple[float, float], relevance: float, relevances: tuple[float, float]
) -> tuple[float, float]:
    """Limits of kappa times relevance, from those of both, squared and added (Zou and Donner 2008)."""
    less, more = (abs(relevance - end) for end in (relevances if kappa >= 0 else relevances[::-1]))
    low = kappa * relevance - np.hypot(relevance * (kappa - kappas[0]), kappa * less)
    high = kappa * relevance + np.hypot(relevance * (kappas[1] - kappa), kappa * more)
    return float(max(low, -1.0)), float(min(high, 1.0))


def trait_correlations(votes: Array, weight: Array, level: float) -> tuple[Array, Array, Array, Array]:
    """How votes go together, whichever answer comes first: Σxy / √(Σx² Σy²), limits, and pairs in which both chose."""
    weighted = votes * weight[:, None]
    product, both = steady_product(weighted.T, votes), steady_product(np.abs(weighted).T, np.abs(votes))
    n = np.diag(both)
    factor = ratio(both, np.sqrt(n[:, None] * n))
    low, high = wilson(Share((both + product) / 2, both, both), level)
    known = both > 0
    value = np.where(known, factor * ratio(product, both), np.nan)
    return (
        value,
        np.where(known, factor * (2 * low - 1), np.nan),
        np.where(known, factor * (2 * high - 1), np.nan),
        both,
    )


def clusters(correlation: Array, cut: float = ALIKE) -> list[list[int]]:
    """Traits that are one finding, with either sign: average linkage on 1 − |c|, cut at one half.

    >>> clusters(np.array([[1, -0.9, 0.1], [-0.9, 1, 0.0], [0.1, 0.0, 1]]))
    [[0, 1], [2]]
    """
    far = 1 - np.abs(np.nan_to_num(correlation))
    groups = [[place] for place in range(len(far))]
    while len(groups) > 1:
        distances = [
            (far[np.ix_(one, other)].mean(), i, j)
            for i, one in enumerate(groups)
            for j, other in enumerate(groups)
            if i < j
        ]
        least, i, j = min(distances)
        if least > cut:
            break
        groups[i] = sorted(groups[i] + groups.pop(j))
    return sorted(groups)


FEWEST_FOR_TRAIT = 10
# Models without one trait are fitted until their deviance is right to about this share of the rows.
CLOSE, STEPS = 1e-9, 40
AT_ONCE = 8_192


@dataclass(frozen=True, slots=True)
class JointTraits:
    """All traits in one model of the choice. `few`: too few pairs for limits, so that only the order can be read."""

    fit: Fit
    dropped: Array  # how much worse the fit is without each, in deviance
    few: bool

    def limits(self, level: float) -> tuple[Array, Array]:
        """Of the coefficients."""
        reach = np.full(len(self.fit.beta), np.nan) if self.few else self.fit.reach(level) * self.fit.errors
        return self.fit.beta - reach, self.fit.beta + reach

    def coefficient(self, place: int, level: float) -> tuple[float, float, float]:
        """One of them with its limits."""
        low, high = self.limits(level)
        return float(self.fit.beta[place]), float(low[place]), float(high[place])


def joint_traits(signed: Array, weight: Array, prompts: Codes | None, rarer: float | None = None) -> JointTraits:
    """The fit of all traits: columns +1 with the choice, −1 against it, 0 for neither.

    Rows are turned so that the reference chose the first; `rarer` is how many pairs have the answer that was chosen
    less often (half of all, if not given). The change of deviance is that of the model fitted again without the trait.
    """
    ones = np.ones(len(signed))
    fit = anchored_fit(signed, ones, weight, groups=prompts)
    model = fit if prompts is None else anchored_fit(signed, ones, weight, start=fit.beta)
    rarer = len(signed) / 2 if rarer is None else rarer
    return JointTraits(fit, _without_each(signed, weight, model), rarer < FEWEST_FOR_TRAIT * signed.shape[1])


def _without_each(signed: Array, weight: Array, fit: Fit, anchor: float = 0.5) -> Array:
    """How much more deviance there is without each column, all models at once.

    Each starts from where the others would go if the likelihood were normal, and takes Newton's steps with the second
    derivatives of the whole model, until the next one would change nothing.
    """
    size = len(fit.beta)
    spread = fit.covariance
    own = np.diag(spread)
    # Column k: the coefficients without trait k.
    beta = fit.beta[:, None] - spread * ratio(fit.beta, own)
    others = 1 - np.eye(size)
    for _ in range(STEPS):
        beta = np.nan_to_num(beta) * others
        deviance, slope = _deviances(signed, weight, beta, anchor)
        slope = slope * others
        step = spread @ slope
        step = np.nan_to_num(step - spread * ratio(np.diag(step), own)) * others
        if (np.abs((slope * step).sum(0)) < (CLOSE * len(signed)) ** 2).all():
            break
        beta = beta + step
    return deviance - fit.deviance


def _deviances(signed: Array, weight: Array, beta: Array, anchor: float) -> tuple[Array, Array]:
    """Of many sets of coefficients at once, and the slopes of their likelihoods with the anchor's."""
    from scipy.special import expit

    deviance, slope = np.zeros(beta.shape[1]), anchor * (1 - 2 * expit(beta))
    for start in range(0, len(signed), AT_ONCE):
        rows = slice(start, start + AT_ONCE)
        chance = expit(-steady_product(signed[rows], beta))  # of the other choice
        times = weight[rows, None]
        deviance -= 2 * (times * np.log1p(-np.minimum(chance, 1 - 1e-16))).sum(0)
        slope = slope + steady_product(signed[rows].T, times * chance)
    return deviance, slope
