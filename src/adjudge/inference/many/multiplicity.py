"""Many comparisons at once: adjusted p-values, simultaneous intervals, and who may be the best."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from adjudge.statistics.base import Array

NOTHING_MOVES = 1e-12


def holm(p_values: Sequence[float] | Array) -> Array:
    """Holm's adjusted p-values: reject those below α and the chance of any false alarm is at most α.

    Undefined ones stay undefined and are not counted.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    return _adjusted(p_values, lambda p: np.maximum.accumulate(p * np.arange(len(p), 0, -1)))


def hochberg(p_values: Sequence[float] | Array) -> Array:
    """Hochberg's adjusted p-values (1988): smaller than Holm's, for tests that do not pull against each other.

    >>> hochberg([0.01, 0.02, 0.03, 0.04, 0.05]).tolist()
    [0.05, 0.05, 0.05, 0.05, 0.05]
    """
    return _adjusted(p_values, lambda p: _least_from_here(p * np.arange(len(p), 0, -1)))


def benjamini_hochberg(p_values: Sequence[float] | Array) -> Array:
    """Adjusted so that among those below α at most a share α are false alarms on average (1995).

    >>> benjamini_hochberg([0.01, 0.02, 0.06]).round(3).tolist()
    [0.03, 0.03, 0.06]
    """
    return _adjusted(p_values, lambda p: _least_from_here(p * len(p) / np.arange(1, len(p) + 1)))


def benjamini_yekutieli(p_values: Sequence[float] | Array) -> Array:
    """The same however the tests depend on each other (2001).

    >>> benjamini_yekutieli([0.01, 0.02, 0.06]).round(3).tolist()
    [0.055, 0.055, 0.11]
    """
    return _adjusted(
        p_values,
        lambda p: _least_from_here(p * len(p) / np.arange(1, len(p) + 1)) * (1 / np.arange(1, len(p) + 1)).sum(),
    )


def _adjusted(p_values: Sequence[float] | Array, adjust: Callable[[Array], Array]) -> Array:
    """Adjust the known p-values in rising order; undefined ones stay undefined."""
    p = np.asarray(p_values, dtype=np.float64)
    known: NDArray[np.int64] = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    adjusted = np.full(len(p), np.nan)
    if len(order):
        adjusted[order] = np.minimum(adjust(p[order]), 1.0)
    return adjusted


def _least_from_here(p: Array) -> Array:
    return np.minimum.accumulate(p[::-1])[::-1]


@dataclass(frozen=True, slots=True)
class MaxT:
    """Comparisons judged together by the largest of their standardised distances in each replicate."""

    p: Array
    quantile: float

    def intervals(self, differences: Array, errors: Array) -> tuple[Array, Array]:
        """Limits that hold for all comparisons at once."""
        return differences - self.quantile * errors, differences + self.quantile * errors


def max_t(differences: Array, centred: Array, errors: Array, level: float = 0.95, *, step_down: bool = True) -> MaxT:
    """Westfall and Young's adjustment from paired replicates, (replicates, comparisons), less their estimates.

    How often is the largest |replicate| / error among the comparisons not yet decided as large as this one? The
    plus-one rule keeps p above 0. A comparison without any spread takes no part; its p is 1 if it is 0 itself.

    >>> centred = np.array([[0.02, -0.01], [-0.01, 0.02], [0.0, 0.01], [-0.03, -0.02]])
    >>> max_t(np.array([0.05, 0.0]), centred, np.array([0.02, 0.02])).p.tolist()
    [0.2, 1.0]
    """
    differences, errors = np.asarray(differences, dtype=np.float64), np.asarray(errors, dtype=np.float64)
    moving = errors > NOTHING_MOVES
    scale = np.where(moving, errors, 1.0)
    distance = np.where(moving, np.abs(differences) / scale, -1.0)
    replicates = np.where(moving, np.abs(np.asarray(centred, dtype=np.float64)) / scale, -1.0)
    p = np.where(np.abs(differences) <= NOTHING_MOVES, 1.0, np.nan)
    order = np.argsort(-distance, kind="stable")[: int(moving.sum())]
    so_far = 0.0
    for position, place in enumerate(order):
        largest = replicates[:, order[position:] if step_down else order].max(axis=1)
        share = (1 + int((largest >= distance[place] * (1 - 1e-12)).sum())) / (len(replicates) + 1)
        so_far = max(so_far, share) if step_down else share
        p[place] = so_far
    together = np.sort(replicates.max(axis=1)) if moving.any() else np.full(len(replicates), np.nan)
    rank = math.ceil(level * (len(replicates) + 1))
    return MaxT(p, float(together[rank - 1]) if rank <= len(together) else math.inf)


def level_together(draws: Array, level: float) -> float:
    """The level that each of several intervals needs so that all hold the level at once: max-T of their draws.

    >>> draws = np.random.default_rng(1).normal(size=(20_000, 2))
    >>> round(level_together(draws, 0.95), 3), round(level_together(draws[:, [0, 0]], 0.95), 3)
    (0.975, 0.95)
    """
    if not len(draws):
        return level
    centred = np.nan_to_num(draws - np.nanmean(draws, axis=0))
    q = max_t(np.zeros(draws.shape[1]), centred, np.nanstd(draws, axis=0), level).quantile
    return max(level, 2 * NormalDist().cdf(q) - 1) if 0 <= q < math.inf else level


def letters(different: NDArray[np.bool_]) -> list[str]:
    """Two systems share a letter exactly when they are not told apart: insert and absorb (Piepho 2004).

    `different` says of every two systems, best first, whether they differ.

    >>> letters(np.array([[0, 0, 1], [0, 0, 1], [1, 1, 0]], dtype=bool))
    ['a', 'a', 'b']
    """
    count = len(different)
    groups: list[frozenset[int]] = [frozenset(range(count))]
    for one in range(count):
        for two in range(one + 1, count):
            if different[one, two]:
                split = [part for group in groups for part in _without_both(group, one, two)]
                groups = [group for group in dict.fromkeys(split) if not any(group < other for other in split)]
    groups.sort(key=sorted)
    apart = " " if len(groups) > 26 else ""  # a and a, or aa
    named = [(_letter(place), group) for place, group in enumerate(groups)]
    return [apart.join(letter for letter, group in named if system in group) for system in range(count)]


def _without_both(group: frozenset[int], one: int, two: int) -> list[frozenset[int]]:
    return [group - {one}, group - {two}] if {one, two} <= group else [group]


def _letter(place: int) -> str:
    """a … z, then aa, ab …"""
    word = ""
    while place >= 0:
        word, place = chr(ord("a") + place % 26) + word, place // 26 - 1
    return word


def rank_intervals(better: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The ranks each system may have: below those shown to be better, above those shown to be worse.

    >>> rank_intervals(np.array([[0, 0, 1], [0, 0, 1], [0, 0, 0]], dtype=bool))
    [(1, 2), (1, 2), (3, 3)]
    """
    count = len(better)
    beaten_by, beats = better.sum(axis=0), better.sum(axis=1)
    return [(1 + int(beaten_by[i]), count - int(beats[i])) for i in range(count)]


def probability_of_best(replicates: Array) -> Array:
    """How often each system is the best in replicates, (replicates, systems), larger being better; ties are split.

    >>> probability_of_best(np.array([[0.8, 0.7], [0.6, 0.6], [0.5, 0.9], [0.9, 0.1]])).tolist()
    [0.625, 0.375]
    """
    values = np.asarray(replicates, dtype=np.float64)
    values = values[~np.isnan(values).any(axis=1)]
    if not len(values):  # of replicates that are all undefined, nothing is known
        return np.full(values.shape[1], np.nan)
    best = values == values.max(axis=1, keepdims=True)
    return np.asarray((best / best.sum(axis=1, keepdims=True)).mean(axis=0))
