"""How sure least squares from sums by cell is when errors vary more in some groups, or people have several responses.

HC2 (MacKinnon and White 1985) and CR2 (Bell and McCaffrey 2002) variances with Satterthwaite's degrees of freedom; with
two groups and independent responses that is Welch's test. CR2 takes the responses of a person as independent when it
corrects for what was fitted, which matters where more than groups was: there it is CR3, the jackknife of people.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.inference.differences.paired_units import SkewedDifference
from adjudge.statistics.base import Array, ratio

Places = NDArray[np.int64]

# With more people than this what leaving one out changes is nothing.
MOST_CORRECTED = 2_000
# A leverage this close to 1 leaves no residual.
ALL_OF_IT = 1e-9
# With so many degrees of freedom in each group Welch's approximation, to the first order of their inverse, is enough.
WELL_KNOWN = 20
# What rounding leaves of a sum that is zero, relative to what was summed.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class GroupMeans:
    """What is known of the means of groups: the variance of each, and how well it is known itself."""

    variances: Array
    freedom: Array

    @classmethod
    def of(cls, variances: Array, freedom: Array) -> GroupMeans:
        """Of the groups of which a variance is known at all."""
        known = (freedom > 0) & (variances > 0)
        return cls(variances[known], freedom[known])

    @property
    def are_well_known(self) -> bool:
        """Whether Welch's approximation, to the first order of the inverse of degrees of freedom, is enough."""
        return bool(self.freedom.min() >= WELL_KNOWN)

    def welch(self, statistic: float, count: int) -> float:
        """The p-value of Wald's statistic of so many differences, where none differs (Welch 1951)."""
        from scipy.special import fdtrc

        precision = 1 / self.variances
        lack = float(((1 - precision / precision.sum()) ** 2 / self.freedom).sum())
        few = 1 + 2 * (count - 1) / (count * (count + 2)) * lack
        return float(fdtrc(count, count * (count + 2) / (3 * lack), statistic / count / few))


@dataclass(frozen=True, slots=True)
class RobustCovariance:
    """The covariance of coefficients, the degrees of freedom of each variance, and what is known of groups.

    `lean` is how skewed each coefficient is; 0 where that is not known.
    """

    covariance: Array
    freedom: Array
    groups: GroupMeans
    lean: Array
    units: float = math.inf

    def doubt(self, place: int, estimate: float) -> SkewedDifference:
        """One coefficient with its limits and its p-value of 0; what is left of a degree of freedom is one."""
        error, freedom = math.sqrt(max(float(self.covariance[place, place]), 0.0)), float(self.freedom[place])
        freedom = max(freedom, 1.0) if freedom > 0 else freedom
        return SkewedDifference(estimate, error, freedom, float(self.lean[place]), self.units)

    def wald(self, estimates: Array, chosen: Places) -> float:
        """The p-value of no difference in any of the chosen coefficients; NaN where there are too few units.

        Those whose variance is not known, of a group of one, are left out. Welch's test finds differences of many small
        groups too often; there the single differences must bear it out: the least of their p, times how many they are.
        """
        chosen = chosen[self.freedom[chosen] > 0]
        covariance, values, count = self.covariance[np.ix_(chosen, chosen)], estimates[chosen], len(chosen)
        if not count or len(self.groups.variances) < 2 or not (np.diagonal(covariance) > 0).all():
            return np.nan
        singly = min(self.doubt(place, float(value)).p() for place, value in zip(chosen.tolist(), values, strict=True))
        if count == 1:  # one group beside the reference: what is said of its coefficient
            return singly
        p = self.groups.welch(float(values @ np.linalg.pinv(covariance, ROUNDING, hermitian=True) @ values), count)
        return p if self.groups.are_well_known else max(p, min(1.0, count * singly))


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
    short = _shortfall(*(np.bincount(groups, of).astype(np.float64) for of in (squares, weight)))
    if kurtosis is None:
        meat = meat * short[groups]
    parts, means = np.zeros((groups.max(initial=0) + 1, design.shape[1])), np.bincount(groups, weights=meat)
    np.add.at(parts, groups, pulls**2 * meat[:, None])
    size = np.bincount(groups, weights=times).astype(np.float64)
    own = size - 1 if kurtosis is None else np.minimum(size - 1, np.maximum(2 * size / (kurtosis - 1), 1.0))
    freedom = _satterthwaite(parts, own, short)
    freedom = np.where(_of_unknown(pulls, weight, groups, size <= 1), 0.0, np.nan_to_num(freedom))
    known = GroupMeans.of(ratio(means, np.bincount(groups, weights=weight) ** 2), own)
    return RobustCovariance(pulls.T @ (meat[:, None] * pulls), freedom, known, np.zeros(len(freedom)))


def _satterthwaite(parts: Array, own: Array, short: Array) -> Array:
    """Degrees of freedom of variances, (columns,), from what groups add to each, (groups, columns), with their own.

    A small group seems to vary hardly at all every so often, and the variance of a difference from it then seems to be
    that of the other group, which is well known: there are no more than if groups varied as much as all (`short`).
    """
    both = (
        ratio(one.sum(0) ** 2, (one**2 / np.maximum(own, 1e-9)[:, None]).sum(0))
        for one in (parts, parts * short[:, None])
    )
    return np.asarray(np.fmin(*both))


def _shortfall(squares: Array, weight: Array) -> Array:
    """How many times as much the residuals of all groups vary as those of one; 1 at least."""
    of_group = ratio(squares, weight)
    return np.nan_to_num(np.maximum(ratio(ratio(squares.sum(), weight.sum()), of_group), 1.0), nan=1.0, posinf=1.0)


def _of_unknown(pulls: Array, weight: Array, groups: Places, is_alone: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which coefficients rest on a group of a single unit: that is fitted exactly, and nothing tells how it varies."""
    moved = np.zeros((len(is_alone), pulls.shape[1]))
    np.add.at(moved, groups, np.abs(pulls) * weight[:, None])
    return np.asarray((moved[is_alone] > ALL_OF_IT * moved.sum(0)).any(axis=0))


def of_people(
    design: Array,
    basis: Array,
    weight: Array,
    residuals: Array,
    place: tuple[Places, Places, Places],
    *,
    squared: bool = False,
) -> RobustCovariance:
    """Of people, from what each has in each cell: weight and summed residual; the cell, its group, and the person.

    `basis` turns the design into columns that are orthonormal under the weights. Degrees of freedom are the fewer of
    what the design leaves and of what groups tell of their variances, as in `of_responses`; `squared` values vary in a
    small group as much as in all.
    """
    cell, group, person = place
    columns, people = design[cell] @ basis, int(person.max(initial=-1)) + 1
    by_group = _ByGroup.of(weight, residuals, group, person)
    if squared:
        residuals = residuals * by_group.widened[group]
        by_group = _ByGroup.of(weight, residuals, group, person)
    pulls, corrected = unrounded(columns @ basis.T, np.abs(columns) @ np.abs(basis.T)), residuals
    if people <= MOST_CORRECTED:
        power = -1.0 if basis.shape[1] > np.count_nonzero(by_group.sizes) else -0.5
        corrected = _unfitted(columns, weight, residuals, person, power)
    moves, most, shares = np.zeros((3, people, design.shape[1]))
    longest = np.sqrt(np.bincount(person, residuals**2))[person]
    np.add.at(moves, person, pulls * corrected[:, None])
    np.add.at(most, person, np.abs(pulls) * longest[:, None])
    np.add.at(shares, person, weight[:, None] * pulls**2)
    moves = unrounded(moves, most)
    by_design = np.minimum(ratio(shares.sum(0) ** 2, (shares**2).sum(0)), people) - 1
    summed = np.zeros((people, basis.shape[1]))
    np.add.at(summed, person, weight[:, None] * columns)
    fitted = np.nan_to_num(ratio((summed**2).sum(1), by_group.mass.sum(1)))
    known = by_group.freedom(fitted, squared)
    parts = np.zeros((len(known), design.shape[1]))
    np.add.at(parts, by_group.mass.argmax(1), moves**2)
    by_groups = _satterthwaite(parts, known, by_group.shortfall)
    freedom = np.fmin(by_design, by_groups)
    lean = np.zeros(len(freedom)) if squared else by_group.lean(moves)
    freedom = np.where(
        _of_unknown(pulls, weight, group, (by_group.mass > 0).sum(0) <= 1), 0.0, np.maximum(np.nan_to_num(freedom), 0.0)
    )
    means = GroupMeans.of(by_group.variances, known)
    return RobustCovariance(moves.T @ moves, freedom, means, lean, float(people))


def unrounded(sums: Array, summed: Array) -> Array:
    """Sums, zero where no more is left of all that was summed than rounding leaves: its sign and size are of nothing.

    >>> unrounded(np.array([0.1 + 0.2 - 0.3, 0.1]), np.array([0.6, 0.1])).tolist()
    [0.0, 0.1]
    """
    return np.asarray(np.where(np.abs(sums) > ROUNDING * summed, sums, 0.0))


def _unfitted(columns: Array, weight: Array, residuals: Array, person: Places, power: float) -> Array:
    """The residuals of each person without what was fitted to them: times (1 − own leverage) to this power.

    By a person's cells: what is neither in them nor weighs anything moves no score.
    """
    corrected = np.zeros(len(residuals))
    order = np.argsort(person, kind="stable")
    order = order[weight[order] > 0]
    for own in np.split(order, np.flatnonzero(np.diff(person[order])) + 1):
        scale = np.sqrt(weight[own])
        ways, sizes, _ = np.linalg.svd(scale[:, None] * columns[own], full_matrices=False)
        left = (1 - sizes) * (1 + sizes)
        times = np.where(left > ALL_OF_IT, np.maximum(left, ALL_OF_IT) ** power, 0.0)
        along = ways.T @ (residuals[own] / scale)
        corrected[own] = scale * (ways @ (times * along))
    return corrected


@dataclass(frozen=True, slots=True)
class _ByGroup:
    """What each person weighs and is off in each group, (people, groups)."""

    mass: Array
    off: Array

    @classmethod
    def of(cls, weight: Array, residuals: Array, group: Places, person: Places) -> _ByGroup:
        """From what people have in cells."""
        people, size = int(person.max(initial=-1)) + 1, int(group.max(initial=0)) + 1

        def summed(amount: Array) -> Array:
            flat = np.bincount(person * size + group, weights=amount, minlength=people * size)
            return flat.reshape(people, size).astype(np.float64)

        return cls(summed(weight), unrounded(summed(residuals), summed(np.abs(residuals))))

    @property
    def sizes(self) -> Array:
        """How many equally weighty people each group is worth."""
        return np.asarray(np.nan_to_num(ratio(self.mass.sum(0) ** 2, (self.mass**2).sum(0))))

    @property
    def variances(self) -> Array:
        """Of the means of groups."""
        return np.asarray(ratio((self.off**2).sum(0), self.mass.sum(0) ** 2))

    @property
    def widened(self) -> Array:
        """How much further off people of a group would be, halfway to varying as much as all; 1 at least."""
        return np.asarray(self.shortfall**0.25)

    @property
    def shortfall(self) -> Array:
        """How many times as much people of all groups vary as those of one."""
        return _shortfall((self.off**2).sum(0), (self.mass**2).sum(0))

    def lean(self, moves: Array) -> Array:
        """How skewed what people move each coefficient by is, (people, coefficients), were all groups as skewed.

        A small group does not show its own skewness: it is that of all people's mean residuals, in spreads of their
        groups, and corrected for few people.
        """
        mean, group = np.nan_to_num(ratio(self.off, self.mass)), self.mass.argmax(1)
        n = (self.mass > 0).sum(0).astype(np.float64)
        second, third = ((mean**power).sum(0) for power in (2, 3))
        few = ratio(np.sqrt(n * np.maximum(n - 1, 0.0)), n - 2)
        of_group = np.where(n > 2, ratio(third * np.sqrt(n), second**1.5) * few, np.nan)
        known = np.isfinite(of_group)
        pooled = float((n * of_group)[known].sum() / n[known].sum()) if known.any() else 0.0
        squares, along, summed = np.zeros((3, len(n), moves.shape[1]))
        each = moves * mean[np.arange(len(group)), group][:, None]
        for sums, of_people in ((squares, moves**2), (along, each), (summed, np.abs(each))):
            np.add.at(sums, group, of_people)
        cubes = np.sign(unrounded(along, summed)) * np.nan_to_num(ratio(squares**1.5, np.sqrt(n)[:, None]))
        return np.asarray(np.nan_to_num(pooled * ratio(cubes.sum(0), squares.sum(0) ** 1.5)))

    def freedom(self, fitted: Array, squared: bool) -> Array:
        """How well each group knows its variance: n less what was fitted to people, and less by their kurtosis.

        What was fitted is how much of a person's sum of errors the model takes up: 1 in all of a group, when it has
        nothing but groups. The kurtosis is that of all people's mean residuals.
        """
        used = np.bincount(self.mass.argmax(1), weights=fitted, minlength=self.mass.shape[1])
        most = np.maximum(self.sizes - used, 0.0)
        if squared:
            return most
        mean = np.nan_to_num(ratio(self.off, self.mass))
        n, second, fourth = (self.mass > 0).sum(0), (mean**2).sum(0), (mean**4).sum(0)
        of_group = ratio(n * fourth, second**2)
        known = np.isfinite(of_group)
        kurtosis = max(float(ratio((n * of_group)[known].sum(), n[known].sum())), 3.0) if known.any() else 3.0
        return np.minimum(most, np.maximum(2 * self.sizes / (kurtosis - 1), 1.0))
