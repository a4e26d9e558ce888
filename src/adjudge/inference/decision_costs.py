"""What deciding at a threshold costs, and what the best threshold costs on other rows than it was chosen on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from adjudge.inference.number_intervals import student_quantile
from adjudge.inference.small_samples import guarded_error
from adjudge.statistics.base import Array
from adjudge.statistics.cells import draw_cells, generator


@dataclass(frozen=True, slots=True)
class Decision:
    """Deciding yes from a threshold on: its cost per row with limits, and its net benefit beside all and none."""

    threshold: float
    cost: float
    low: float
    high: float
    net_benefit: float
    net_benefit_of_all: float


@dataclass(frozen=True, slots=True)
class Chosen:
    """The cheapest threshold on these rows, what it costs here, and what it costs on others."""

    threshold: float
    apparent: float
    corrected: float  # less what choosing on the same rows flatters
    low: float  # limits of the corrected cost
    high: float
    often: float  # the share of replicates that choose a threshold within a tenth of the scores from it


def decision_curve(
    positive: Array, score: Array, costs: tuple[float, float], thresholds: Array, level: float = 0.95
) -> list[Decision]:
    """The cost c_FP · FP + c_FN · FN per row, by a mean with guarded limits; the net benefit TP/n − FP/n · t/(1 − t).

    >>> made = decision_curve(np.array([1.0, 0, 1, 0]), np.array([0.9, 0.2, 0.4, 0.6]), (1.0, 5.0), np.array([0.5]))
    >>> made[0].cost, made[0].net_benefit
    (1.5, 0.0)
    """
    n, found = len(score), []
    for threshold in thresholds:
        taken = score >= threshold
        each = np.where(taken, (1 - positive) * costs[0], positive * costs[1])
        cost = float(each.mean())
        error = guarded_error(float(each.var()) / n, n, n, max(costs))
        reach = float(student_quantile(level, n - 1)) * error if n > 1 else np.nan
        odds = float(threshold / (1 - threshold)) if threshold < 1 else np.nan
        hits, alarms = float((taken * positive).mean()), float((taken * (1 - positive)).mean())
        share = float(positive.mean())
        found.append(
            Decision(
                float(threshold),
                cost,
                max(cost - reach, 0.0),
                cost + reach,
                hits - alarms * odds,
                share - (1 - share) * odds,
            )
        )
    return found


def chosen_threshold(
    positive: Array, score: Array, costs: tuple[float, float], *, replicates: int = 1_000, seed: int = 7,
    level: float = 0.95,
) -> Chosen:  # fmt: skip
    """The cheapest threshold; it is chosen anew in each replicate, and its cost there held against that on all rows.

    The mean excess is what choosing flatters (Efron 1983); the corrected cost adds it.

    >>> random = np.random.default_rng(2)
    >>> y = (random.random(300) < 0.3).astype(float)
    >>> made = chosen_threshold(y, np.clip(0.3 * y + random.random(300) * 0.7, 0, 1), (1.0, 1.0), replicates=200)
    >>> made.corrected > made.apparent
    True
    """
    order = np.argsort(-score, kind="stable")
    ranked, truth = score[order], positive[order]
    ends = np.flatnonzero(np.append(np.diff(ranked) != 0, True))  # after these as many are taken
    drawn = draw_cells(np.ones(len(ranked)), "multinomial", replicates, generator(seed, "thresholds"))

    def costs_of(weights: Array) -> Array:
        """The cost of taking none, and those up to each end, (…, thresholds)."""
        alarms = np.cumsum(weights * (1 - truth) * costs[0], axis=-1)[..., ends]
        missed = (weights * truth * costs[1]).sum(-1, keepdims=True)
        hits = np.cumsum(weights * truth * costs[1], axis=-1)[..., ends]
        made = np.concatenate([missed, alarms + missed - hits], axis=-1)
        return np.asarray(made / np.maximum(weights.sum(-1, keepdims=True), 1e-12))

    here, again = costs_of(np.ones(len(ranked))), costs_of(drawn)
    best, each = int(here.argmin()), again.argmin(axis=-1)
    apparent, theirs = float(here[best]), again[np.arange(replicates), each]
    flattery = here[each] - theirs
    corrected = apparent + float(flattery.mean())
    tail = (1 - level) / 2
    spread = theirs + flattery.mean()
    low, high = (float(end) for end in np.quantile(spread, [tail, 1 - tail]))
    cuts = np.append(np.inf, ranked[ends])
    width = 0.1 * float(ranked[0] - ranked[-1])
    near = np.abs(cuts[each] - cuts[best]) <= width if np.isfinite(cuts[best]) else each == best
    return Chosen(float(cuts[best]), apparent, corrected, min(low, corrected), max(high, corrected), float(near.mean()))
