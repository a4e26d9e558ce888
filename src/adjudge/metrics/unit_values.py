"""What is counted of each unit, from the columns it has: refused where they hold something else."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from adjudge.errors import BadValue
from adjudge.statistics.base import Array, ratio

QUESTIONS = 10  # of the System Usability Scale


def yes_or_no(values: Array) -> Array:
    """One column of zeros and ones; anything else is refused.

    >>> yes_or_no(np.array([[1.0], [0.0]])).tolist()
    [[1.0], [0.0]]
    """
    if values.shape[1] != 1 or not np.isin(values[~np.isnan(values)], (0.0, 1.0)).all():
        raise BadValue("What is counted must be one column of zeros and ones, but it holds something else.")
    return values


def usability_scores(values: Array) -> Array:
    """The score of each respondent from ten answers of 1 to 5; none where an answer is missing (Brooke 1996).

    >>> usability_scores(np.array([[4, 2, 5, 1, 4, 2, 4, 1, 5, 2.0]])).tolist()
    [[85.0]]
    """
    if values.shape[1] != QUESTIONS:
        raise BadValue(f"System usability must have ten answers of each respondent, but there are {values.shape[1]}.")
    known = values[~np.isnan(values)]
    if not np.isin(known, (1.0, 2.0, 3.0, 4.0, 5.0)).all():
        raise BadValue("Answers on system usability must be whole numbers from 1 to 5, but some are not.")
    return np.asarray(2.5 * ((values[:, 0::2] - 1).sum(1) + (5 - values[:, 1::2]).sum(1)))[:, None]


def all_right_of(k: int = 3) -> Callable[[Array], Array]:
    """What makes of each item's tries the chance that `k` of them, drawn without replacement, are all right.

    >>> all_right_of(2)(np.array([[1.0, 1.0, 0.0, np.nan]])).round(4).tolist()
    [[0.3333]]
    """

    def of_items(values: Array) -> Array:
        if not np.isin(values[~np.isnan(values)], (0.0, 1.0)).all():
            raise BadValue("Tries must be 1 where they are right and 0 where not, but some are something else.")
        tries, right = (~np.isnan(values)).sum(1), np.nansum(values, axis=1)
        places = np.arange(k)
        # Without replacement: right / tries, then one right and one try less, as often as k says.
        parts = ratio(np.maximum(right[:, None] - places, 0.0), np.maximum(tries[:, None] - places, 0.0))
        return np.asarray(np.where(tries >= k, parts.prod(axis=1), np.nan))[:, None]

    return of_items


def watches(values: Array) -> Array:
    """How long each unit was watched and how often it failed: neither is below 0, and failures are counted.

    >>> watches(np.array([[400.0, 2.0]])).tolist()
    [[400.0, 2.0]]
    """
    refuse_all_but_two(values, "how long each unit was watched, and how often it failed")
    exposure, failures = (column[~np.isnan(column)] for column in values.T)
    if (exposure < 0).any() or (failures < 0).any() or (failures != np.round(failures)).any():
        raise BadValue(
            "How long each unit was watched must be 0 or more, and how often it failed a whole number from 0 on, but "
            "some are not. Correct them, or leave those rows out."
        )
    return values


def two_watches(values: Array) -> Array:
    """The same of two systems side by side; one that was not watched has 0 and 0.

    >>> two_watches(np.array([[400.0, 2.0, 0.0, 0.0]])).tolist()
    [[400.0, 2.0, 0.0, 0.0]]
    """
    if values.shape[1] != 4:
        raise BadValue(
            f"There must be four columns, how long each of two systems was watched and how often it failed, not "
            f"{values.shape[1]}."
        )
    return np.hstack([watches(values[:, :2]), watches(values[:, 2:])])


def refuse_all_but_two(values: Array, what: str) -> None:
    """Refuse units with more columns than two, or fewer."""
    if values.shape[1] != 2:
        raise BadValue(f"There must be two columns, {what}, not {values.shape[1]}.")


def costs_and_right(values: Array) -> Array:
    """What each answer cost, and 1 or 0: whether it is right.

    >>> costs_and_right(np.array([[2.5, 1.0]])).tolist()
    [[2.5, 1.0]]
    """
    refuse_all_but_two(values, "what each answer cost, and whether it is right")
    right = values[:, 1]
    if not np.isin(right[~np.isnan(right)], (0.0, 1.0)).all():
        raise BadValue("Whether an answer is right must be 1 or 0 in the second column, but it holds something else.")
    if np.nansum(values[:, 0]) < 0:
        raise BadValue("What answers cost must be 0 or more altogether, but it is less. Turn the signs of all costs.")
    return values


def logarithms(values: Array) -> Array:
    """The logarithm of each number; one that is not above 0 is refused."""
    if (values[~np.isnan(values)] <= 0).any():
        raise BadValue("Numbers of a geometric mean must be above 0, but some are not.")
    return np.asarray(np.log(values))
