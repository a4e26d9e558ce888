"""Which of several systems is worth having when characteristics pull apart: fronts and utilities, with their doubt.

Values are turned so that higher is better. Draws are joint: all systems and characteristics under the same weights.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from adjudge.inference.many.multiplicity import holm
from adjudge.statistics.base import Array
from adjudge.statistics.cells import generator

DOMINATED, FRONT, UNDECIDED = "dominated", "on the front", "undecided"
WEIGHTS = 10_000  # vectors of weights that are tried


@dataclass(frozen=True, slots=True)
class ParetoPlace:
    """One system: whether another is shown to be at least as good in all and better in one."""

    state: str
    by: int | None  # the one that dominates it
    undominated: float  # the share of draws in which none does


@dataclass(frozen=True, slots=True)
class ImaginedUnits:
    """What units may differ by though none does: how far apart two values of a characteristic can be, and the units.

    A scale without an end has 0: of what is the same in every unit of that, prices for example, nothing is imagined.
    """

    spans: Array  # (characteristics,)
    units: int

    def added(self, away: Array) -> Array:
        """Draws of differences with one imagined unit more on either side (draws, characteristics).

        As in the Bayesian draws of requirements: that no unit differs is not that none would.
        """
        more, less = generator(0, "imagined units").standard_exponential((2, *away.shape))
        return np.asarray((self.units * away + self.spans * (more - less)) / (self.units + more + less))


def fronts(values: Array, draws: Array, alpha: float = 0.05, unseen: ImaginedUnits | None = None) -> list[ParetoPlace]:
    """The place of each system, from values (systems, characteristics) and draws (draws, systems, characteristics).

    Of every other system: not worse in any characteristic (the largest of the p-values, an intersection–union test, so
    that it needs no correction), better in one; Holm over the others.

    >>> values = np.array([[0.9, 0.5], [0.8, 0.4]])
    >>> draws = values + np.random.default_rng(1).normal(0, 0.01, (500, 1, 1)) * np.array([[[1.0], [0.9]]])
    >>> [place.state for place in fronts(values, draws)]
    ['on the front', 'dominated']
    """
    places = []
    for own in range(len(values)):
        others = [one for one in range(len(values)) if one != own]
        away_from = {one: draws[:, one] - draws[:, own] for one in others}
        if unseen is not None:
            away_from = {one: unseen.added(away) for one, away in away_from.items()}
        p = np.array([_dominates(away_from[one]) for one in others])
        shown = [one for one, adjusted in zip(others, holm(p), strict=True) if adjusted <= alpha]
        better = [one for one in others if _better(values[one] - values[own])]
        state = DOMINATED if shown else UNDECIDED if better else FRONT
        by = shown[int(np.argmin([p[others.index(one)] for one in shown]))] if shown else None
        beaten = np.zeros(len(draws), dtype=bool)
        for away in away_from.values():
            beaten |= (away >= 0).all(axis=1) & (away > 0).any(axis=1)
        places.append(ParetoPlace(state, by, float(1 - beaten.mean())))
    return places


def _better(away: Array) -> bool:
    return bool((away >= 0).all() and (away > 0).any())


def _dominates(away: Array) -> float:
    """The p-value of one system dominating another, from draws of the differences (draws, characteristics)."""
    count = len(away) + 1
    not_worse = (1 + (away < 0).sum(axis=0)) / count
    better = (1 + (away <= 0).sum(axis=0)) / count
    return float(max(not_worse.max(), better.min()))


def utilities(values: Array, worst: Array, target: Array, weights: Array) -> Array:
    """The weighted utility of systems: each characteristic from 0 at its worst to 1 at its target, (…, systems).

    >>> utilities(np.array([[0.8, 200.0]]), np.array([0.5, 400.0]), np.array([1.0, 0.0]), np.array([1.0, 1.0])).tolist()
    [0.55]
    """
    return np.asarray(parts(values, worst, target) @ (weights / weights.sum()))


def parts(values: Array, worst: Array, target: Array) -> Array:
    """How far each value is from its worst to its target, cut to 0 and 1."""
    return np.asarray(np.clip((values - worst) / (target - worst), 0.0, 1.0))


def best_by_weights(shares: Array, seed: int) -> Array:
    """In which share of all weight vectors, drawn evenly, each system is best; ties are split. `shares` as `parts`.

    >>> best_by_weights(np.array([[1.0, 0.0], [0.0, 1.0]]), 7).round(1).tolist()
    [0.5, 0.5]
    """
    weights = generator(seed, "weights of characteristics").dirichlet(np.ones(shares.shape[1]), WEIGHTS)
    utilities = weights @ shares.T
    best = utilities >= utilities.max(axis=1, keepdims=True) - 1e-12
    return np.asarray((best / best.sum(axis=1, keepdims=True)).mean(axis=0))


def change_of_winner(shares: Array, weights: Array) -> list[tuple[float, int] | None]:
    """For each characteristic the nearest weight at which another system wins, the others rescaled; and which.

    The utility is linear in one weight w: w u + (1 − w) A, A being the mean of the rest.

    >>> change_of_winner(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([0.7, 0.3]))
    [(0.5, 1), (0.5, 1)]
    """
    weights = weights / weights.sum()
    winner = int(np.argmax(shares @ weights))
    changes: list[tuple[float, int] | None] = []
    for place, own in enumerate(weights):
        rest = np.delete(np.arange(len(weights)), place)
        if not len(rest) or weights[rest].sum() == 0:
            changes.append(None)
            continue
        others = shares[:, rest] @ (weights[rest] / weights[rest].sum())
        slope = (shares[winner, place] - others[winner]) - (shares[:, place] - others)
        with np.errstate(divide="ignore", invalid="ignore"):
            at = np.where(slope != 0, (others - others[winner]) / slope, np.nan)
        near = [
            (float(abs(value - own)), float(value), one)
            for one, value in enumerate(at)
            if one != winner and np.isfinite(value) and 0 <= value <= 1
        ]
        changes.append(min(near)[1:] if near else None)
    return changes
