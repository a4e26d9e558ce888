"""A system's scores beside the raters': formulas over score sums.

The first argument is a list of ratings, or a matrix with one column for each rater (None or NaN where not rated), of
which the first is the reference; the second is the system's scores.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from adjudge.errors import SettingError, check_choice, listed, literal
from adjudge.metrics import score_reliability, true_scores
from adjudge.metrics.base import Direction, metric
from adjudge.metrics.declaration import is_number
from adjudge.metrics.intervals import HINKLEY, Mean, Share
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.numbers.two_numbers import Centred
from adjudge.statistics.scores.features import TOLERANCES
from adjudge.statistics.scores.sums import ScoreSums

WHO = ("human", "system")
UNIT, CORRELATIONS, ANY = (0.0, 1.0), (-1.0, 1.0), (-np.inf, np.inf)
METHODS = ("unpooled", "pooled", "johnson", "williamson")

# In the same chapter.
rater_error_variance, true_score_variance = true_scores.rater_error_variance, true_scores.true_score_variance
true_score_mse, prmse = true_scores.true_score_mse, true_scores.prmse
degradation, disattenuated_correlation = score_reliability.degradation, score_reliability.disattenuated_correlation

# Shares of responses.
near_enough = partial(
    metric,
    over=ScoreSums,
    direction=Direction.HIGHER,
    range=UNIT,
    undefined="there are no responses",
    intervals=("guarded_wilson", "wilson", "clopper_pearson", "bootstrap"),
    symmetric=True,
    references=["Williamson, Xi & Breyer 2012", "Wilson 1927 (interval)"],
)


def _check_ddof(*, ddof: int = 0) -> None:
    if ddof not in (0, 1):
        raise SettingError(f"`ddof` must be 0 or 1, not {literal(ddof)}.")


@metric(
    over=ScoreSums,
    label="Quadratic weighted kappa",
    short="QWK",
    direction=Direction.HIGHER,
    range=CORRELATIONS,
    undefined="both scores are one and the same number, or there are no responses",
    intervals=("jackknife_hill", "bootstrap"),
    symmetric=True,
    check=_check_ddof,
    references=["Cohen 1968", "Haberman 2019 (continuous scores)", HINKLEY],
)
def quadratic_weighted_kappa(sums: ScoreSums, *, ddof: int = 0) -> Array:
    """Agreement of two scores beyond chance when a miss counts by its square; for continuous scores too.

    2 cov / (var x + var y + (mean x − mean y)²), with divisor n − ddof.

    Undefined when both scores are one and the same number.

    >>> round(quadratic_weighted_kappa([1, 2, 3, 4], [1, 2, 3, 3]), 4)
    0.875
    """
    return score_reliability.kappa_of(sums.machine, ddof)


def _check_difference(
    *,
    method: str = "unpooled",
    human_sd: float | None = None,
    system_sd: float | None = None,
    ddof: int = 1,
) -> None:
    _check_ddof(ddof=ddof)
    check_choice("method", method, METHODS, literal)
    needed = {"johnson": {"human_sd": human_sd}, "williamson": {"human_sd": human_sd, "system_sd": system_sd}}
    for name, value in needed.get(method, {}).items():
        if not is_number(value) or not value > 0:
            raise SettingError(f'`{name}` must be a number above 0 with method="{method}", not {literal(value)}.')


@metric(
    over=ScoreSums,
    label="Standardized mean difference",
    direction=Direction.NEAREST,
    range=ANY,
    best=0.0,
    undefined="the scores do not vary, or there are fewer than two responses",
    intervals=("jackknife_hill", "bootstrap"),
    check=_check_difference,
    references=["Williamson, Xi & Breyer 2012", "Johnson 2015", HINKLEY],
    unit="SD",
)
def standardized_mean_difference(
    sums: ScoreSums,
    *,
    method: str = "unpooled",
    human_sd: float | None = None,
    system_sd: float | None = None,
    ddof: int = 1,
) -> Array:
    """How much higher the system scores than the first rater, on average, in standard deviations.

    unpooled divides by the rater's SD, pooled by √((SD² + SD²)/2) of both; johnson and williamson are the
    same two with the standard deviations of a population, which must be given.

    Undefined when that standard deviation is 0, or there are fewer than two responses.

    >>> round(standardized_mean_difference([1, 2, 3, 4], [2, 3, 4, 5]), 4)
    0.7746
    """
    pair = sums.machine
    if method in ("johnson", "williamson"):
        given = [float(sd) for sd in (human_sd, system_sd if method == "williamson" else None) if sd is not None]
        return np.asarray(ratio(pair.shift, np.sqrt(np.mean(np.square(given)))))
    return score_reliability.difference_of(pair, method, ddof)


def _near(tolerance: float) -> Callable[[ScoreSums], Share]:
    return lambda sums: Share(sums.machine.within[tolerance], sums.machine.n, sums.machine.weights)


@near_enough(
    label="Exact agreement",
    share=_near(0.0),
    rounded_only=True,
    unit="share",
)
def exact_agreement(sums: ScoreSums) -> Array:
    """Share of responses to which system and first rater give the same score. Round the scores first.

    Undefined when there are no responses.

    >>> exact_agreement([1, 2, 3, 4], [1, 2, 3, 3])
    0.75
    """
    return score_reliability.near(sums.machine, 0.0)


def _check_tolerance(*, tolerance: float = 1.0) -> None:
    if tolerance not in TOLERANCES:
        raise SettingError(
            f"`tolerance` must be one of {listed(f'{t:g}' for t in TOLERANCES)}, not {literal(tolerance)}."
        )


@near_enough(
    label="Exact or adjacent agreement",
    share=lambda sums, *, tolerance=1.0: _near(tolerance)(sums),
    rounded_only=lambda *, tolerance=1.0: tolerance == 0,
    check=_check_tolerance,
    unit="share",
)
def adjacent_agreement(sums: ScoreSums, *, tolerance: float = 1.0) -> Array:
    """Share of responses to which system and first rater give scores no further apart than the tolerance.

    Undefined when there are no responses.

    >>> adjacent_agreement([1, 2, 3, 4], [1, 2, 3, 2])
    0.75
    """
    return score_reliability.near(sums.machine, tolerance)


def _check_population(
    *,
    human_mean: float | None = None,
    human_sd: float | None = None,
    system_mean: float | None = None,
    system_sd: float | None = None,
) -> None:
    for who, mean, sd in (("human", human_mean, human_sd), ("system", system_mean, system_sd)):
        if (mean is None) != (sd is None):
            raise SettingError(f"`{who}_mean` and `{who}_sd` belong together: give both, or neither.")
        if sd is not None and not (is_number(sd) and sd >= 0):
            raise SettingError(f"`{who}_sd` must be a number of at least 0, not {literal(sd)}.")
        if mean is not None and not is_number(mean):
            raise SettingError(f"`{who}_mean` must be a number, not {literal(mean)}.")


def _mean_in_slice(sums: ScoreSums, **population: float | None) -> Mean:
    """The mean over the slice of what a response's two z-scores differ by, with its spread.

    Everybody's mean of that is 0, so it is (1 − p) (slice less rest), p the slice's share of everybody; the standard
    deviations of everybody are taken as known. Units are responses, or people.
    """
    value, rest = difference_of_standardized_means.formula(sums, **population), sums.totals.rest
    sds = [population.get(f"{who}_sd") or everybody.sd() for who, everybody in zip(WHO, sums.everybody, strict=True)]
    total = float(sums.machine.n)
    units = ratio(total**2, sums.machine.weights)
    given = rest is None or all(population.get(f"{who}_sd") is not None for who in WHO)
    other = 0.0 if rest is None else float(rest.of(f"{sums.view} n"))
    left = 1.0 if given else float(ratio(other, total + other))
    spread = sums.spread_about_mean(sums.sums, sds)
    if not given and rest is not None:
        spread = left**2 * (spread + ratio(units - 1, units) * sums.spread_about_mean(rest, sds))
    return Mean(value, np.asarray(spread * units), np.asarray(units))


@metric(
    over=ScoreSums,
    label="Difference of standardized means",
    short="DSM",
    direction=Direction.NEAREST,
    range=ANY,
    best=0.0,
    undefined="a score does not vary over all responses, or the slice has none",
    intervals=("student", "bootstrap"),
    mean=_mean_in_slice,
    check=_check_population,
    references=["Zwick 2015", "Loukina, Madnani & Zechner 2019", "Student 1908 (interval)"],
    unit="SD",
)
def difference_of_standardized_means(
    sums: ScoreSums,
    *,
    human_mean: float | None = None,
    human_sd: float | None = None,
    system_mean: float | None = None,
    system_sd: float | None = None,
) -> Array:
    """How much better a slice does by the system's scores than by the rater's, each as z-scores of everybody.

    mean over the slice of (y − ȳ)/sd y − (x − x̄)/sd x, with the means and SDs (N − 1) of all responses,
    or of a population, where given.

    Undefined when a score does not vary over all responses, or the slice has none.

    >>> round(difference_of_standardized_means([1, 2], [2, 3], human_mean=2, human_sd=1, system_mean=2, system_sd=1), 4)
    1.0
    """
    part, (humans, systems) = sums.machine, sums.everybody
    x = _standardized(part.x.mean, humans, (human_mean, human_sd))
    y = _standardized(part.y.mean, systems, (system_mean, system_sd))
    return np.asarray(y - x)


def _standardized(mean: Array, everybody: Centred, given: tuple[float | None, float | None]) -> Array:
    if given[0] is not None and given[1] is not None:
        return np.asarray(ratio(mean - given[0], given[1]))
    return np.asarray(ratio(mean - everybody.mean, everybody.sd()))
