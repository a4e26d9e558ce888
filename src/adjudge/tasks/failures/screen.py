"""The first screen of failures: how long it runs, and how much longer than another one."""

from __future__ import annotations

import math
from collections.abc import Iterator

from adjudge.evaluation.answering import answers_of, difference_claim, drawn_together, measured, plain, who
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.results import WHOLE_NAME
from adjudge.evaluation.screen import ForestOf, Remark, Screen, SpokenNumber


def _remarks(outcome: Outcome) -> Iterator[Remark]:
    for row in outcome.table.estimates.first_methods():
        if row.metric == "failure_ratio" and row.slice == WHOLE_NAME and not math.isnan(row.low):
            system, _, other = row.system.partition(" beside ")
            ratio = SpokenNumber(row.estimate, row.low, row.high)
            yield Remark(
                "failures", f"{plain(system)} fails {{ratio}} times as often as {plain(other)}", {"ratio": ratio}
            )
        elif len(outcome.systems) > 1 and row.slice == WHOLE_NAME and row.note.startswith("no failure"):
            yield Remark("figures", plain(f"{row.system}: {row.note}"))


SCREEN = Screen(
    answers=answers_of(
        measured("mean_time_between_failures", "mean_time_between_failures(*)"), "no time at all", baseline=0.0
    ),
    top=lambda outcome: [who(outcome)],
    claims=(difference_claim("mean_time_between_failures", "*"),),
    remarks=_remarks,
    blocks=(ForestOf("difference", "difference, worst first", "difference"),),
    doubt=drawn_together,
)
