"""Cases of a test suite: how many are failed."""

from __future__ import annotations

import numpy as np

from adjudge.metrics.base import Direction, metric
from adjudge.metrics.intervals import Share
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.suites.case_outcomes import CaseOutcomes


def _failed(outcomes: CaseOutcomes) -> Share:
    return Share(outcomes.failed, outcomes.total, np.asarray(outcomes.squares))


@metric(
    over=CaseOutcomes,
    label="Failure rate",
    direction=Direction.LOWER,
    range=(0.0, 1.0),
    undefined="there are no cases",
    intervals=("korn_graubard_unseen", "korn_graubard_units", "bootstrap"),
    share=_failed,
    symmetric=True,
    unit="share",
    reading={"template": None},
    references=[
        "Ribeiro et al. 2020 (CheckList)",
        "Korn & Graubard 1998 (interval by template)",
        "Satterthwaite 1946 (degrees of freedom of templates)",
        "Clopper & Pearson 1934 (interval of cases that stand for themselves)",
    ],
)
def failure_rate(outcomes: CaseOutcomes) -> Array:
    """Share of cases that are failed: failures over applicable cases.

    The interval is Clopper and Pearson's; where several cases come from one template, of as many cases as templates and
    one more that was not seen are worth.

    Undefined when there are no cases.

    >>> failure_rate(["yes", "no", "no", "no"], ["yes", "yes", "no", "no"])
    0.25
    """
    return np.asarray(ratio(outcomes.failed, outcomes.total))
