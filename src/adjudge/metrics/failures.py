"""How often a system fails in the time it is watched, and beside another one."""

from __future__ import annotations

import numpy as np

from adjudge.errors import SettingError, literal
from adjudge.metrics.base import Direction, metric
from adjudge.metrics.intervals import Quantity
from adjudge.metrics.unit_values import two_watches, watches
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.numbers.rows import NumberRows


def _check_stopped(stopped: object = "time") -> None:
    if stopped not in ("time", "failure"):
        raise SettingError(f"`stopped` must be time or failure: what ended the watch, not {literal(stopped)}.")


@metric(
    over=NumberRows,
    label="Mean time between failures",
    direction=Direction.HIGHER,
    range=(0.0, np.inf),
    undefined="no failure was seen",
    intervals=("garwood_dispersed", "garwood", "bootstrap"),
    each=lambda stopped="time": watches,
    quantity=Quantity.EXPOSURE_PER_EVENT,
    check=_check_stopped,
    references=["NIST/SEMATECH e-Handbook 8.4.5.1", "Garwood 1936, McCullagh & Nelder 1989 (interval)"],
)
def mean_time_between_failures(rows: NumberRows, *, stopped: str = "time") -> Array:
    """How long it runs, on average, until it fails: all exposure (hours, requests) over all failures.

    Two columns: how long each unit was watched, and how often it failed. Limits by the chi-square distribution take
    the rate as constant (`garwood`); where ten units or more show that it is not, events count as fewer
    (`garwood_dispersed`). `stopped` is what ended the watch: time, or a failure.

    Undefined when no failure was seen; there is a lower limit then, T / −ln α.

    >>> mean_time_between_failures([400, 400], [0, 2])
    400.0
    """
    return np.asarray(ratio(rows.sum(0), rows.sum(1)))


@metric(
    over=NumberRows,
    label="Failure rate beside another's",
    direction=Direction.LOWER,
    range=(0.0, np.inf),
    undefined="no failure of the other was seen, or one of the two was not watched",
    intervals=("conditional_binomial_dispersed", "conditional_binomial", "bootstrap"),
    each=lambda: two_watches,
    quantity=Quantity.RATIO_OF_RATES,
    references=["Przyborowski & Wilenski 1940", "Clopper & Pearson 1934, McCullagh & Nelder 1989 (interval)"],
)
def failure_ratio(rows: NumberRows) -> Array:
    """How often a system fails, over how often another one does: (r₁ / T₁) / (r₂ / T₂), below 1 where it fails less.

    Four columns: how long it was watched and how often it failed, and both of the other one. The ratio is that of the
    other's mean time between failures to its own. Given all r₁ + r₂ failures, r₁ is binomial: its exact limits are
    those of the ratio, and take both rates as constant; where ten units or more show that they are not, failures count
    as fewer (`conditional_binomial_dispersed`).

    Undefined when no failure of the other was seen (there is a lower limit then), or one was not watched.

    >>> failure_ratio([[800, 2, 400, 4]])
    0.25
    """
    return np.asarray(ratio(rows.sum(1) * rows.sum(2), rows.sum(0) * rows.sum(3)))
