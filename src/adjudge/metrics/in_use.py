"""How a system does in use: how long it takes, what it costs, how often it fails, and how people get on with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from adjudge.errors import SettingError, literal
from adjudge.metrics.base import Direction, metric
from adjudge.metrics.declaration import is_number
from adjudge.metrics.intervals import HINKLEY, Mean, Quantity, Share
from adjudge.metrics.unit_values import (
    QUESTIONS,
    all_right_of,
    costs_and_right,
    logarithms,
    refuse_all_but_two,
    usability_scores,
    yes_or_no,
)
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.numbers.rows import NumberRows

# What each metric is of: its columns by what they hold. Several of one kind are told by a star.
COLUMNS: dict[str, tuple[str, ...]] = {
    "quantile": ("value",),
    "mean": ("value",),
    "geometric_mean": ("value",),
    "failed_share": ("failed",),
    "success_rate": ("succeeded",),
    "mean_time_between_failures": ("exposure", "failures"),
    "failure_ratio": ("exposure", "failures", "exposure of the other", "failures of the other"),
    "cost_per_right": ("cost", "right"),
    "system_usability": ("answer",) * QUESTIONS,
    "pass_hat_k": ("try", "*"),
    "robustness_drop": ("original", "perturbed"),
    "share_kept": ("original", "perturbed"),
}
of_units = partial(metric, over=NumberRows, undefined="there are no units")
used_up = partial(of_units, direction=Direction.LOWER)


def _mean(rows: NumberRows, **parameters: object) -> Mean:
    return Mean(rows.mean(0), rows.covariance(0, 0), rows.effective_rows)


def _mean_slopes(rows: NumberRows) -> Array:
    return np.asarray(ratio(rows.values[:, 0] - rows.mean(0), rows.total))


def _ratio_slopes(above: int, below: int) -> Callable[[NumberRows], Array]:
    """How the sum of one column over that of another changes with the weight of each kind of unit."""

    def slopes(rows: NumberRows) -> Array:
        whole, part = rows.sum(below), rows.sum(above)
        return np.asarray(ratio(rows.values[:, above] - ratio(part, whole) * rows.values[:, below], whole))

    return slopes


def _drop_slopes(rows: NumberRows) -> Array:
    drops = rows.values[:, 0] - rows.values[:, 1]
    return np.asarray(ratio(drops - (rows.mean(0) - rows.mean(1)), rows.total))


def _share(rows: NumberRows) -> Share:
    return Share(rows.sum(0), rows.total, rows.squares.sum())


def _check_share(at: object = 0.95) -> None:
    if not (is_number(at) and 0 < at < 1):
        raise SettingError(f"`at` must lie between 0 and 1, such as 0.95, not {literal(at)}.")


def _check_tries(k: object = 3) -> None:
    if not (isinstance(k, int) and not isinstance(k, bool) and 1 <= k <= 1_000):
        raise SettingError(f"`k` must be a whole number from 1 to 1,000, not {literal(k)}.")


@used_up(
    label="Quantile",
    range=(-np.inf, np.inf),
    best=0.0,
    intervals=("order_statistics", "bootstrap"),
    quantity=Quantity.QUANTILE,
    check=_check_share,
    references=["Conover 1999, 3.2 (order statistics)", "Hyndman & Fan 1996 (type 1)"],
)
def quantile(rows: NumberRows, *, at: float = 0.95) -> Array:
    """The smallest value that a share of all units do not exceed: 0.95 is the 95th percentile of a latency.

    The ⌈np⌉-th smallest value, never one in between. Its limits are values of the column too, whatever the
    distribution; with too few values there is none on one side.

    Undefined when there are no units.

    >>> quantile([12, 30, 15, 80, 22], at=0.5)
    22.0
    """
    if not len(rows.values):
        return np.full(rows.counts.shape[:-1], np.nan)
    return np.asarray(np.where(rows.total > 0, rows.distribution.reaching(at), np.nan))


@used_up(
    label="Mean of a column",
    range=(-np.inf, np.inf),
    best=0.0,
    intervals=("jackknife_hill", "student", "bootstrap"),
    mean=_mean,
    slopes=_mean_slopes,
    references=["Student 1908", HINKLEY],
)
def mean(rows: NumberRows) -> Array:
    """The mean of what each unit takes: cost, time, memory. A bound may stand on either side.

    Σ w x / Σ w.

    Undefined when there are no units.

    >>> mean([0.02, 0.03, 0.04])
    0.03
    """
    return rows.mean(0)


@used_up(
    label="Geometric mean",
    range=(0.0, np.inf),
    intervals=("log_student", "bootstrap"),
    each=lambda: logarithms,
    quantity=Quantity.GEOMETRIC_MEAN,
    references=["Sauro & Lewis 2010 (time on task)"],
)
def geometric_mean(rows: NumberRows) -> Array:
    """The typical value of what is long on one side, such as time on a task: the mean on the scale of logarithms.

    exp(Σ w ln x / Σ w).

    Undefined when there are no units.

    >>> round(geometric_mean([1, 10, 100]), 6)
    10.0
    """
    return np.exp(rows.mean(0))


@of_units(
    label="Share that failed",
    direction=Direction.LOWER,
    range=(0.0, 1.0),
    intervals=("clopper_pearson", "wilson", "bootstrap"),
    share=_share,
    each=lambda: yes_or_no,
    references=["Clopper & Pearson 1934", "Hanley & Lippman-Hand 1983 (no failure seen)"],
)
def failed_share(rows: NumberRows) -> Array:
    """The share of units that failed, from a column of ones and zeros: cases of injection, of leaks, of wrong output.

    Of n units without a failure the rate is at most 1 − α^(1/n), about 3 / n.

    Undefined when there are no units.

    >>> failed_share([0, 0, 1, 0])
    0.25
    """
    return np.asarray(ratio(rows.sum(0), rows.total))


@of_units(
    label="Success rate",
    direction=Direction.HIGHER,
    range=(0.0, 1.0),
    intervals=("clopper_pearson", "wilson", "bootstrap"),
    share=_share,
    each=lambda: yes_or_no,
    references=["Clopper & Pearson 1934"],
)
def success_rate(rows: NumberRows) -> Array:
    """The share of units that went well, from a column of ones and zeros: tasks done, bad inputs handled.

    Σ w x / Σ w.

    Undefined when there are no units.

    >>> success_rate([1, 1, 0, 1])
    0.75
    """
    return np.asarray(ratio(rows.sum(0), rows.total))


@metric(
    over=NumberRows,
    label="Cost of a right answer",
    direction=Direction.LOWER,
    range=(-np.inf, np.inf),
    best=0.0,
    undefined="no answer is right",
    intervals=("fieller_hill", "fieller_ratio", "delta_ratio", "bootstrap"),
    each=lambda: costs_and_right,
    quantity=Quantity.RATIO_OF_MEANS,
    slopes=_ratio_slopes(0, 1),
    references=["Fieller 1954", HINKLEY, "Cochran 1977, 6.4 (delta)"],
)
def cost_per_right(rows: NumberRows) -> Array:
    """What one right answer costs: the mean cost over the share of right answers.

    Two columns: what each answer cost, and 1 where it is right. Σ w cost / Σ w right.

    Undefined when no answer is right; without limits where so few are that none can be told.

    >>> cost_per_right([2, 1, 3], [1, 1, 0])
    3.0
    """
    return np.asarray(ratio(rows.sum(0), rows.sum(1)))


@of_units(
    label="System usability",
    direction=Direction.HIGHER,
    range=(0.0, 100.0),
    intervals=("student", "bootstrap"),
    mean=_mean,
    each=lambda: usability_scores,
    references=["Brooke 1996", "Lewis 2018 (interval)"],
)
def system_usability(rows: NumberRows) -> Array:
    """The System Usability Scale: ten answers of 1 to 5, odd ones in favour, even ones against; 0 to 100.

    The mean over respondents of 2.5 (Σ (odd − 1) + Σ (5 − even)).

    Undefined when nobody gave all ten answers.

    >>> system_usability([[4, 2, 5, 1, 4, 2, 4, 1, 5, 2], [3] * 10])
    67.5
    """
    return rows.mean(0)


@of_units(
    label="All of k tries right",
    direction=Direction.HIGHER,
    range=(0.0, 1.0),
    intervals=("worth", "bootstrap"),
    mean=_mean,
    each=all_right_of,
    check=_check_tries,
    references=["Yao et al. 2024 (pass^k)", "Chen et al. 2021 (unbiased form)"],
)
def pass_hat_k(rows: NumberRows, *, k: int = 3) -> Array:
    """The chance that k tries of the same item are all right: pass^k. One row for each item, a column for each try.

    The mean over items of C(right, k) / C(tries, k); an item with fewer than k tries is left out.

    Undefined when no item was tried as often.

    >>> pass_hat_k([[1, 1, 1], [1, 1, 0]], k=2)
    0.6666666666666666
    """
    return rows.mean(0)


PERTURBED = "the value of each item as it was, and of its perturbed form"


@of_units(
    label="Drop on perturbed input",
    direction=Direction.LOWER,
    range=(-np.inf, np.inf),
    best=0.0,
    intervals=("tango", "guarded_t", "student", "bootstrap"),
    mean=lambda rows: Mean(rows.mean(0) - rows.mean(1), _of_differences(rows), rows.effective_rows),
    quantity=Quantity.PAIRED_DROP,
    slopes=_drop_slopes,
    references=["Tango 1998", "Ribeiro et al. 2020 (perturbed cases)"],
)
def robustness_drop(rows: NumberRows) -> Array:
    """How much is lost when input is disturbed: the mean on originals less the mean on the same items perturbed.

    Two columns: the value of each item as it was, and of its perturbed form; 1 and 0 for right and wrong.

    Undefined when there are no units.

    >>> robustness_drop([1, 1, 1, 0], [1, 0, 1, 0])
    0.25
    """
    refuse_all_but_two(rows.values, PERTURBED)
    return np.asarray(rows.mean(0) - rows.mean(1))


def _of_differences(rows: NumberRows) -> Array:
    return np.asarray(rows.covariance(0, 0) + rows.covariance(1, 1) - 2 * rows.covariance(0, 1))


@metric(
    over=NumberRows,
    label="Share kept on perturbed input",
    direction=Direction.HIGHER,
    range=(-np.inf, np.inf),
    best=1.0,
    undefined="the mean on originals is 0",
    intervals=("jackknife_hill", "bootstrap"),
    slopes=_ratio_slopes(1, 0),
    references=["Hendrycks & Dietterich 2019 (relative robustness)", HINKLEY],
)
def share_kept(rows: NumberRows) -> Array:
    """What is left of the value when input is disturbed: the mean on perturbed items over that on the originals.

    Two columns, as for `robustness_drop`.

    Undefined when the mean on the originals is 0.

    >>> share_kept([1, 1, 1, 1], [1, 0, 1, 1])
    0.75
    """
    refuse_all_but_two(rows.values, PERTURBED)
    return np.asarray(ratio(rows.sum(1), rows.sum(0)))
