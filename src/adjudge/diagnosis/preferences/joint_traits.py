"""Which traits explain a choice together: one logistic model, and how much worse it is without each of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from adjudge.inference.logistic import Fit, anchored_fit
from adjudge.statistics.base import Array, Codes, ratio, steady_product

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
