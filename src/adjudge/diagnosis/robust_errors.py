"""How sure least squares from sums by cell is when errors vary more in some groups, or people have several responses.

HC2 (MacKinnon and White 1985) and CR2 (Bell and McCaffrey 2002) variances with Satterthwaite's degrees of freedom; with
two groups and independent responses that is Welch's test.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.statistics.base import Array, ratio

Places = NDArray[np.int64]

# With more people than this what leaving one out changes is nothing.
MOST_CORRECTED = 2_000
# A leverage this close to 1 leaves no residual.
ALL_OF_IT = 1e-9


@dataclass(frozen=True, slots=True)
class RobustCovariance:
    """The covariance of coefficients, the degrees of freedom of each variance, and Welch's term for all groups."""

    covariance: Array
    freedom: Array
    lack: float  # Σ (1 − share of the precision)² / (units − 1) over groups: Welch 1951

    def wald(self, estimates: Array, chosen: Places) -> float:
        """The p-value of no difference in any of the chosen coefficients; NaN where there are too few units."""
        from scipy.special import fdtrc

        covariance, values, count = self.covariance[np.ix_(chosen, chosen)], estimates[chosen], len(chosen)
        if not count or not 0 < self.lack < np.inf or not (np.diagonal(covariance) > 0).all():
            return np.nan
        statistic = float(values @ np.linalg.pinv(covariance, hermitian=True) @ values) / count
        few = 1 + 2 * (count - 1) / (count * (count + 2)) * self.lack
        return float(fdtrc(count, count * (count + 2) / (3 * self.lack), statistic / few))


def of_responses(
    design: Array, inverse: Array, cells: tuple[Array, Array, Array], groups: Places, kurtosis: float | None = None
) -> RobustCovariance:
    """Of independent responses, from cells: what they weigh, how many they count as, and their squared residuals.

    The variance of a group of n values of this kurtosis is known as well as that of 2n / (kurtosis − 1) normal ones
    (Satterthwaite 1946), which is what its degrees of freedom are; at most n − 1. Without a kurtosis values are
    squares, whose variance a small group sees too little of whenever it sees too little of their mean: it is taken to
    be at least that of all responses.
    """
    weight, times, squares = cells
    pulls, each = design @ inverse, np.nan_to_num(ratio(weight, times))
    leverage = np.clip((pulls * design).sum(1) * each, 0.0, 1.0)
    left = np.where(leverage < 1 - ALL_OF_IT, 1 - leverage, np.inf)
    meat = squares * each / left
    if kurtosis is None:
        whole, of_group = (
            ratio(squares.sum(), weight.sum()),
            ratio(*(np.bincount(groups, of) for of in (squares, weight))),
        )
        meat = meat * np.nan_to_num(np.maximum(ratio(whole, of_group), 1.0), nan=1.0)[groups]
    parts, means = np.zeros((groups.max(initial=0) + 1, design.shape[1])), np.bincount(groups, weights=meat)
    np.add.at(parts, groups, pulls**2 * meat[:, None])
    size = np.bincount(groups, weights=times).astype(np.float64)
    own = size - 1 if kurtosis is None else np.minimum(size - 1, np.maximum(2 * size / (kurtosis - 1), 1.0))
    freedom = ratio(parts.sum(0) ** 2, (parts**2 / np.maximum(own, 1e-9)[:, None]).sum(0))
    lack = _lack(ratio(means, np.bincount(groups, weights=weight) ** 2), np.where(size > 0, own + 1, 0.0))
    return RobustCovariance(pulls.T @ (meat[:, None] * pulls), np.nan_to_num(freedom), lack)


def _lack(variances: Array, sizes: Array) -> float:
    """Welch's term, of the groups that have units, from the variances of their means."""
    known = sizes > 0
    precision = 1 / np.maximum(variances[known], 1e-300)
    shares = precision / precision.sum()
    return float(((1 - shares) ** 2 / np.maximum(sizes[known] - 1, 1e-9)).sum())


def of_people(
    design: Array, basis: Array, weight: Array, residuals: Array, place: tuple[Places, Places, Places]
) -> RobustCovariance:
    """Of people, from what each has in each cell: weight and summed residual; the cell, its group, and the person.

    `basis` turns the design into columns that are orthonormal under the weights.
    """
    cell, group, person = place
    columns, people = design[cell] @ basis, int(person.max(initial=-1)) + 1
    scores = np.zeros((people, basis.shape[1]))
    np.add.at(scores, person, columns * residuals[:, None])
    if people <= MOST_CORRECTED:
        own = np.zeros((people, basis.shape[1], basis.shape[1]))
        np.add.at(own, person, weight[:, None, None] * columns[:, :, None] * columns[:, None, :])
        values, vectors = np.linalg.eigh(np.eye(basis.shape[1]) - own)
        roots = np.where(values > ALL_OF_IT, np.maximum(values, ALL_OF_IT) ** -0.5, 0.0)
        scores = np.einsum("pij,pj,pkj,pk->pi", vectors, roots, vectors, scores)
    moves = scores @ basis.T
    shares = np.zeros((people, design.shape[1]))
    np.add.at(shares, person, weight[:, None] * (columns @ basis.T) ** 2)
    freedom = np.minimum(ratio(shares.sum(0) ** 2, (shares**2).sum(0)), people) - 1
    size = int(group.max(initial=0)) + 1
    off, mass = (
        np.bincount(person * size + group, weights=amount, minlength=people * size).reshape(people, size)
        for amount in (residuals, weight)
    )
    total = mass.sum(0)
    lack = _lack(ratio((off**2).sum(0), total**2), ratio(total**2, (mass**2).sum(0)))
    return RobustCovariance(moves.T @ moves, np.maximum(np.nan_to_num(freedom), 0.0), lack)
