"""Does a group of people get better or worse scores from a system than from raters? Three regressions.

Overall score accuracy explains the squared error by group, overall score difference the error itself, conditional
score difference the error of people with the same human score (Loukina, Madnani and Zechner 2019). Least squares,
worked out from sums by cell; errors may vary more in one group than in another, and people may have several responses.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from adjudge.data.judgements.labels import Labels, ordered_labels
from adjudge.data.judgements.responses import Responses
from adjudge.data.keys import Keys
from adjudge.diagnosis.robust_errors import RobustCovariance, of_people, of_responses, unrounded
from adjudge.errors import SettingError, did_you_mean, quoted
from adjudge.inference.differences.paired_units import MeanDifference
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.scores.error_cells import ErrorCells, cuts_of
from adjudge.statistics.scores.person_errors import PersonErrors
from adjudge.statistics.weights import Weights

# A human score of more levels than this is binned when errors are compared at equal human scores.
MOST_LEVELS = 20
# What rounding leaves of no variance, relative to what was summed.
NO_SPREAD = 1e-12


@dataclass(frozen=True, slots=True)
class Coefficient:
    """How much higher a group's mean is than that of the reference group; of the reference itself, its mean."""

    group: str
    estimate: float
    low: float
    high: float
    p: float
    n: int


@dataclass(frozen=True, slots=True)
class ScoreModel:
    """One regression: how much of the variance groups explain, whether that is more than chance, and by group.

    Of the conditional model, what the groups explain beyond the human score. NaN is undefined and `note` says why.
    """

    name: str
    r_squared: float
    adjusted: float
    p: float
    coefficients: tuple[Coefficient, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class ScoreFairness:
    """The three regressions of one system and one slice column."""

    reference: str
    accuracy: ScoreModel
    difference: ScoreModel
    conditional: ScoreModel

    @property
    def models(self) -> tuple[ScoreModel, ScoreModel, ScoreModel]:
        """All three."""
        return self.accuracy, self.difference, self.conditional


def score_fairness(
    human: Array,
    system: Array,
    groups: Labels,
    *,
    reference: str | None = None,
    level: float = 0.95,
    most_levels: int | None = MOST_LEVELS,
    weights: Array | None = None,
    people: Keys | None = None,
    equal_variances: bool = False,
) -> ScoreFairness:
    """The three regressions; groups are compared with the largest one (of equal ones the first by name), or as told.

    `people` says whose response each is; `equal_variances` asks for the tests of ordinary least squares.

    >>> groups = Labels(np.array([0, 0, 0, 1, 1, 0]), ("x", "y"))
    >>> fairness = score_fairness(np.array([1.0, 2, 3, 1, 2, 2]), np.array([1.0, 2.1, 3, 2, 3, 1.8]), groups)
    >>> fairness.reference, round(fairness.difference.coefficients[1].estimate, 3)
    ('x', 1.025)
    """
    cuts = None if most_levels is None else cuts_of(human, weights)
    cells = ErrorCells.of_groups(human, system, groups.codes, groups.categories, cuts=cuts, weights=weights)
    by_person = None
    if people is not None:
        inside = [np.flatnonzero(groups.codes == code) for code in range(len(groups.categories))]
        parts = {
            name: PersonErrors.collect(
                Responses(human[rows, None], {"system": system[rows]}, people[rows]),
                Weights(len(rows), None if weights is None else weights[rows]),
            )
            for name, rows in zip(groups.categories, inside, strict=True)
        }
        by_person = PersonErrors.by_level(parts)
        # Levels come in the natural order of their names, which need not be that of the labels.
        place = np.array([groups.categories.index(name) for name in ordered_labels(parts)])
        assert by_person.groups is not None
        by_person = replace(by_person, groups=place[by_person.groups])
    cells = cells.of_levels(most_levels)
    return fairness_of(cells, by_person, reference=reference, level=level, equal_variances=equal_variances)


def fairness_of(
    cells: ErrorCells,
    people: PersonErrors | None = None,
    *,
    reference: str | None = None,
    level: float = 0.95,
    equal_variances: bool = False,
) -> ScoreFairness:
    """The same from errors that are summed already; groups of `people` are in the order of those of the cells.

    Coefficients and shares are those of weighted least squares, in which responses that weigh whole numbers are as
    good as repeated. Intervals and p-values take a heavy response as one: see `robust_errors`. With `equal_variances`
    they are those of ordinary least squares, which hold when errors vary alike in all groups.
    """
    order = _by_size(cells, reference)
    if not order:
        raise SettingError("Fairness needs groups, but no response is in one.")
    names = tuple(cells.groups[place] for place in order)
    by_group, by_level = _groups_design(cells, order), _levels_design(cells)
    both = np.concatenate([by_group, by_level], axis=1)
    how = _Errors(cells, people, equal_variances)
    accuracy = _fit(how, "squared", by_group, len(names)).model("overall score accuracy", names, level)
    difference = _fit(how, "errors", by_group, len(names)).model("overall score difference", names, level)
    null = _fit(how, "errors", np.concatenate([by_group[:, :1], by_level], axis=1), 1)
    full = _fit(how, "errors", both, len(names))
    return ScoreFairness(names[0], accuracy, difference, _conditional(null, full, names, level))


@dataclass(frozen=True, slots=True)
class _Errors:
    """What was summed of errors, and how their spread is told."""

    cells: ErrorCells
    people: PersonErrors | None
    equal_variances: bool

    def spread(self, value: str, design: Array, fitted: Array, basis: Array) -> RobustCovariance:
        """The doubt about coefficients, from residuals by cell or by person; `fitted` is about the cells' centre."""
        cells, sums = self.cells, getattr(self.cells, value)
        counts, shape = sums.counts.reshape(-1), sums.counts.shape
        if self.people is None:
            squares = sums.second.reshape(-1) - 2 * fitted * sums.first.reshape(-1) + fitted**2 * counts
            groups = np.repeat(np.arange(shape[0]), shape[1])
            known = (counts, cells.times.reshape(-1), np.maximum(squares, 0.0))
            return of_responses(design, basis @ basis.T, known, groups, self._kurtosis() if value == "errors" else None)
        people = self.people
        column = np.searchsorted(cells.values, people.human)
        if cells.binned and cells.cuts is not None:
            column = np.searchsorted(cells.values, np.searchsorted(cells.cuts, people.human, side="right"))
        assert people.groups is not None
        cell = people.groups * shape[1] + column
        weight, total = people.sums[:, 0], people.sums[:, 1 if value == "errors" else 2]
        expected = (sums.centre + fitted[cell]) * weight
        usual = np.sqrt(ratio(sums.second.sum(), counts.sum()) + np.square(sums.centre))
        residuals = unrounded(total - expected, np.abs(total) + np.abs(expected) + usual * weight)
        person = np.unique(people.people, return_inverse=True)[1].reshape(-1)
        place = cell, people.groups, person
        return of_people(design, basis, weight, residuals, place, squared=value == "squared")

    def _kurtosis(self) -> float:
        """Of the errors of all groups, each about its mean, 3 at least: a small group does not show its own tail.

        Errors are taken as even about their mean, since their cubes were not summed.
        """
        errors, squared = self.cells.errors, self.cells.squared
        n = errors.counts.sum(1)
        mean = ratio(errors.first.sum(1), n) + errors.centre
        second = ratio(squared.first.sum(1), n) + squared.centre
        fourth = ratio((squared.second + 2 * squared.centre * squared.first).sum(1), n) + squared.centre**2
        variance = second - mean**2
        of_group = ratio(fourth - 6 * mean**2 * variance - mean**4, variance**2)
        known = np.isfinite(of_group) & (variance > NO_SPREAD * second)
        return max(float(ratio((n * of_group)[known].sum(), n[known].sum())), 3.0) if known.any() else 3.0


def _by_size(cells: ErrorCells, reference: str | None) -> list[int]:
    """The groups that occur, the reference first, then the largest, of equal ones by name."""
    sizes = cells.errors.counts.sum(1)
    order = sorted(np.flatnonzero(sizes).tolist(), key=lambda place: (-sizes[place], cells.groups[place]))
    if reference is None:
        return order
    known = [cells.groups[place] for place in order]
    if reference not in known:
        raise SettingError(
            f"`reference` must be a group that occurs, not {quoted(reference)}. {did_you_mean(reference, known)}"
        )
    first = order[known.index(reference)]
    return [first, *(place for place in order if place != first)]


def _groups_design(cells: ErrorCells, order: list[int]) -> Array:
    """The intercept, and one column for each group but the reference, (cells, columns)."""
    group = np.repeat(np.arange(len(cells.groups)), len(cells.levels))
    return np.stack([np.ones(len(group)), *((group == place) * 1.0 for place in order[1:])], axis=1)


def _levels_design(cells: ErrorCells) -> Array:
    """One column for each human score but the most frequent one."""
    level = np.tile(np.arange(len(cells.levels)), len(cells.groups))
    often = int(cells.errors.counts.sum(0).argmax())
    others = [(level == place) * 1.0 for place in range(len(cells.levels)) if place != often]
    return np.stack(others, axis=1) if others else np.zeros((len(level), 0))


@dataclass(frozen=True, slots=True)
class _Fit:
    """A least squares fit."""

    estimates: Array
    inverse: Array  # of XᵀX
    known: Array  # which coefficients the data determine
    groups: Array  # responses with each column's property
    residual: float
    total: float
    n: float  # what the responses weigh together
    effective: float  # as how many equally weighty ones they count
    rank: int
    spread: RobustCovariance | None  # where errors may vary more in some groups

    @property
    def freedom(self) -> float:
        """Of tests and intervals."""
        return self.effective - self.rank

    @property
    def r_squared(self) -> float:
        return 1 - self.residual / self.total if self.total > 0 else np.nan

    @property
    def adjusted(self) -> float:
        left = self.n - self.rank
        return 1 - (self.n - 1) / left * (1 - self.r_squared) if left > 0 else np.nan

    def model(self, name: str, groups: tuple[str, ...], level: float) -> ScoreModel:
        """The model as it is reported."""
        p = self.p_of_groups(len(groups), self.total - self.residual, self.rank - 1)
        return ScoreModel(
            name, self.r_squared, self.adjusted, p, self.coefficients(groups, level), self._note(len(groups))
        )

    def p_of_groups(self, groups: int, explained: float, parameters: int) -> float:
        """The p-value of no difference between groups, given what they explain with so many parameters."""
        if self.spread is None:
            return f_test(explained, parameters, self.residual, self.freedom)
        chosen = 1 + np.flatnonzero(self.known[1:groups])
        return self.spread.wald(self.estimates, chosen) if parameters > 0 and self.residual > 0 else np.nan

    def _doubt(self, place: int, estimate: float) -> MeanDifference:
        """A coefficient with its standard error, and its degrees of freedom."""
        if self.spread is not None:
            return self.spread.doubt(place, estimate)
        variance = self.residual / self.freedom * self.inverse[place, place] if self.freedom > 0 else np.nan
        return MeanDifference(estimate, float(np.sqrt(max(variance, 0.0))), self.freedom)

    def _note(self, groups: int) -> str:
        if groups < 2:
            return "undefined: there is a single group"
        if not self.total > 0:
            return "undefined: the errors do not vary"
        return "" if self.freedom > 0 else "undefined: there are too few responses"

    def coefficients(self, groups: tuple[str, ...], level: float) -> tuple[Coefficient, ...]:
        """Of the intercept, which is the reference group's, and of the other groups."""
        coefficients = []
        for place, group in enumerate(groups):
            estimate = float(self.estimates[place]) if self.known[place] else np.nan
            low = high = p = np.nan
            doubt = self._doubt(place, estimate)
            if doubt.freedom > 0 and self.known[place] and doubt.error > 0:
                low, high = doubt.interval(level)
                p = doubt.p()
            coefficients.append(Coefficient(group, estimate, low, high, p, int(self.groups[place])))
        return tuple(coefficients)


def _fit(how: _Errors, value: str, design: Array, groups: int) -> _Fit:
    """Least squares from the sums in cells; coefficients that the data do not determine are marked."""
    cells, sums = how.cells, getattr(how.cells, value)
    counts, first = sums.counts.reshape(-1), sums.first.reshape(-1)
    n = counts.sum()
    gram, moment = design.T @ (counts[:, None] * design), design.T @ first
    values, vectors = np.linalg.eigh(gram)
    used = values > NO_SPREAD * max(values.max(initial=0.0), 1.0) * len(values)
    basis = vectors[:, used] / np.sqrt(values[used])
    inverse = basis @ basis.T
    estimates = inverse @ moment
    spread_of = None if how.equal_variances else how.spread(value, design, design @ estimates, basis)
    spread = float(sums.second.sum() - first.sum() ** 2 / n) if n else 0.0
    inside = float((counts * (design @ estimates) ** 2 - 2 * first * (design @ estimates)).sum() + sums.second.sum())
    noise = NO_SPREAD * float(sums.second.sum() + n * np.square(sums.centre))
    estimates = estimates + np.where(np.arange(len(estimates)) == 0, sums.centre, 0.0)
    known = (vectors[:, ~used] ** 2).sum(1) < 1e-9
    sizes = cells.times.reshape(-1) @ design
    sizes[0] -= sizes[1:groups].sum()
    return _Fit(
        estimates,
        inverse,
        known,
        sizes,
        residual=inside if inside > noise else 0.0,
        total=spread if spread > noise else 0.0,
        n=float(n),
        effective=float(n**2 / cells.squares) if cells.squares else 0.0,
        rank=int(used.sum()),
        spread=spread_of,
    )


def _conditional(null: _Fit, full: _Fit, groups: tuple[str, ...], level: float) -> ScoreModel:
    """What groups explain beyond the human score."""
    extra = full.rank - null.rank
    p = full.p_of_groups(len(groups), null.residual - full.residual, extra)
    note = full._note(len(groups))
    if not note and extra == 0:
        note = "undefined: a group is all of the people with some human scores"
    return ScoreModel(
        "conditional score difference",
        full.r_squared - null.r_squared,
        full.adjusted - null.adjusted,
        p,
        full.coefficients(groups, level),
        note,
    )


def f_test(explained: float, parameters: int, residual: float, freedom: float) -> float:
    """The p-value of a nested model's F test; NaN where there is nothing to test or nothing to test it with.

    >>> round(f_test(3.0, 1, 10.0, 20), 4)
    0.0236
    """
    from scipy.special import fdtrc

    if parameters < 1 or not freedom > 0 or not residual > 0:
        return np.nan
    return float(fdtrc(parameters, freedom, max(explained, 0.0) / parameters / (residual / freedom)))
