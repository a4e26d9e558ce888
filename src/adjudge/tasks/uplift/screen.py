"""The first screen of uplift: the score beside treating at random."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.evaluation.answering import answers_of, difference_claim, drawn_together, figures, measured, who
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.screen import ForestOf, Remark, Screen


def _remarks(outcome: Outcome) -> Iterator[Remark]:
    for _, label, figure in figures(outcome, "uplift_auc"):
        if len(outcome.systems) == 1:
            yield Remark("also", f"{label} {{area}}", {"area": figure})


SCREEN = Screen(
    answers=answers_of(measured("qini", "uplift_auc", "*"), "treating at random", baseline=0.0),
    top=lambda outcome: [who(outcome)],
    claims=(difference_claim("qini", "*"),),
    remarks=_remarks,
    blocks=(ForestOf("difference", "difference, worst first", "difference"),),
    doubt=drawn_together,
)
