"""The first screen of uplift: the score beside treating at random."""

from __future__ import annotations

import math
from collections.abc import Iterator

from adjudge.evaluation.answering import answers_of, drawn_together, figures, measured, who
from adjudge.evaluation.claims import Claim, Words
from adjudge.evaluation.evidence import of_differences
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.screen import ForestOf, Remark, Screen

GAINS = Words(
    beyond="worse", looks="looks worse", within="better", low="{subject} is worse", looks_low="{subject} looks worse"
)


def _remarks(outcome: Outcome) -> Iterator[Remark]:
    for _, label, figure in figures(outcome, "uplift_auc"):
        if len(outcome.systems) == 1:
            yield Remark("also", f"{label} {{area}}", {"area": figure})


SCREEN = Screen(
    answers=answers_of(measured("qini", "uplift_auc", "*"), "treating at random", baseline=0.0),
    top=lambda outcome: [who(outcome)],
    claims=(Claim("difference", of_differences("qini", "*"), GAINS, good=(0.0, math.inf), difference=True),),
    remarks=_remarks,
    blocks=(ForestOf("difference", "difference, worst first", "difference"),),
    doubt=drawn_together,
)
