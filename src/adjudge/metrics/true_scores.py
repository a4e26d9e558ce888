"""How well a system predicts the true score, of which ratings are noisy readings: formulas over score sums.

For any number of raters and any pattern of missing ratings; response i has c_i ratings with mean m_i and variance V_i.
"""

from __future__ import annotations

import numpy as np

from adjudge.errors import SettingError, literal
from adjudge.metrics.base import Direction, metric
from adjudge.metrics.declaration import is_number
from adjudge.metrics.intervals import HINKLEY, Quantity
from adjudge.metrics.score_reliability import double_rated
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.scores.sums import ScoreSums


def _second_ratings(sums: ScoreSums, *, error_variance: float | None = None) -> Array:
    """What the variance of errors rests on: responses with two ratings, unless it is known."""
    return double_rated(sums) if error_variance is None else np.asarray(sums.effective_rows)


def _no_errors(sums: ScoreSums, *, error_variance: float | None = None) -> str:
    """That raters never differ, which does not say how seldom they would."""
    return "two raters never differ" if error_variance is None and float(sums.truth.error_variance()) == 0 else ""


ANY = (-np.inf, np.inf)
NO_SECOND = "no response has two ratings"
LOUKINA = "Loukina et al. 2020"


def _check_variance(*, error_variance: float | None = None) -> None:
    if error_variance is not None and not (is_number(error_variance) and error_variance >= 0):
        raise SettingError(f"`error_variance` must be a number of at least 0, not {literal(error_variance)}.")


@metric(
    over=ScoreSums,
    label="Variance of rater errors",
    direction=Direction.LOWER,
    range=(0.0, np.inf),
    undefined=NO_SECOND,
    intervals=("bonett", "bootstrap"),
    quantity=Quantity.RATER_ERROR,
    references=[LOUKINA, "Bonett 2006 (interval)"],
)
def rater_error_variance(sums: ScoreSums) -> Array:
    """How far a rating is from the true score, squared, on average.

    Σ V_i (c_i − 1) / Σ (c_i − 1), over responses with two ratings or more.

    Undefined when no response has two ratings.

    >>> rater_error_variance([[1, 2], [3, 3], [4, 5], [2, None]]) == 1 / 3
    True
    """
    return sums.truth.error_variance()


@metric(
    over=ScoreSums,
    label="Variance of true scores",
    direction=Direction.HIGHER,
    range=ANY,
    undefined=f"{NO_SECOND} and no error variance is given, or there are fewer than two responses",
    intervals=("jackknife_hill", "bootstrap"),
    check=_check_variance,
    rests_on=_second_ratings,
    flat=_no_errors,
    references=[LOUKINA, HINKLEY],
)
def true_score_variance(sums: ScoreSums, *, error_variance: float | None = None) -> Array:
    """Variance of what raters would say on average: that of the ratings without the raters' errors.

    [Σ c_i (m_i − m)² − (N − 1) σ²] / [C − Σ c_i² / C], σ² the variance of errors, C = Σ c_i. Negative when raters
    differ more on the same response than responses differ.

    Undefined when no response has two ratings and no error variance is given.

    >>> round(true_score_variance([[1, 2], [3, 3], [4, 5], [2, None]]), 4)
    1.7222
    """
    return sums.truth.variance(error_variance)


@metric(
    over=ScoreSums,
    label="Mean squared error of true scores",
    direction=Direction.LOWER,
    range=ANY,
    best=0.0,
    undefined=f"{NO_SECOND} and no error variance is given",
    intervals=("jackknife_hill", "bootstrap"),
    check=_check_variance,
    rests_on=_second_ratings,
    flat=_no_errors,
    references=[LOUKINA, HINKLEY],
)
def true_score_mse(sums: ScoreSums, *, error_variance: float | None = None) -> Array:
    """How far the system's score is from the true score, squared, on average; the raters' errors are taken off.

    [Σ c_i (m_i − M_i)² − N σ²] / C. Slightly negative for a system as good as can be.

    Undefined when no response has two ratings and no error variance is given.

    >>> round(true_score_mse([[1, 2], [3, 3], [4, 5], [2, None]], [1.5, 3, 4, 2.5]), 4)
    -0.0833
    """
    return sums.truth.squared_error(error_variance)


@metric(
    over=ScoreSums,
    label="PRMSE",
    direction=Direction.HIGHER,
    range=ANY,
    best=1.0,
    undefined=f"{NO_SECOND} and no error variance is given, or the variance of true scores is not above 0: too few "
    "responses, or raters too far apart",
    intervals=("jackknife_hill", "bootstrap"),
    check=_check_variance,
    rests_on=_second_ratings,
    flat=_no_errors,
    references=[LOUKINA, "Haberman 2008", HINKLEY],
)
def prmse(sums: ScoreSums, *, error_variance: float | None = None) -> Array:
    """Share of the variance of true scores that the system's scores account for.

    1 − (mean squared error of true scores) / (variance of true scores).

    Undefined when no response has two ratings and no error variance is given, or the variance of true scores is not
    above 0.

    >>> round(prmse([[1, 2], [3, 3], [4, 5], [2, None]], [1.5, 3, 4, 2]), 4)
    1.0691
    >>> prmse([[1, 4], [4, 1], [2, 3]], [2, 3, 2])
    nan
    """
    variance = sums.truth.variance(error_variance)
    return np.asarray(1 - ratio(sums.truth.squared_error(error_variance), np.where(variance > 0, variance, 0.0)))
