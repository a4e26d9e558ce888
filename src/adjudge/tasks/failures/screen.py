"""The first screen of failures: how long it runs, and how much longer than another one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from adjudge.evaluation.answers.answering import (
    answers_of,
    difference_claim,
    drawn_together,
    measured,
    plain,
    top_subject,
)
from adjudge.evaluation.answers.claims import Evidence, unspoken_claim
from adjudge.evaluation.answers.evidence import in_slices, leader, of_row, row_of
from adjudge.evaluation.answers.screen import Answering, ForestOf, GridOf, Remark, Screen, SpokenNumber
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.results import WHOLE_NAME


def _remarks(outcome: Outcome) -> Iterator[Remark]:
    for row in outcome.table.estimates.first_methods():
        if row.metric == "failure_ratio" and row.slice == WHOLE_NAME and not math.isnan(row.low):
            system, _, other = row.system.partition(" beside ")
            ratio = SpokenNumber(row.estimate, row.low, row.high, limits=(1.0,))
            yield Remark(
                "failures", f"{plain(system)} fails {{ratio}} times as often as {plain(other)}", {"ratio": ratio}
            )
        elif len(outcome.systems) > 1 and row.slice == WHOLE_NAME and row.note.startswith("no failure"):
            yield Remark("figures", plain(f"{row.system}: {row.note}"))


def _none_seen(outcome: Outcome) -> Sequence[Evidence]:
    """One system that never failed: how long it runs at least."""
    row = row_of(outcome, MEASURED(outcome), leader(outcome)) if len(outcome.systems) == 1 else None
    if row is None or not row.note.startswith("no failure"):
        return []
    said = row.note.replace(": at least", "; the mean time between failures is at least")
    return [Evidence(row.system, 0.0, 0.0, 0.0, row.n, facts={"sentence": f"{row.system}: {said}."})]


def _slices(outcome: Outcome) -> Iterator[Evidence]:
    """How long the one system runs in every slice."""
    for row in in_slices(outcome, MEASURED(outcome), leader(outcome)) if len(outcome.systems) == 1 else ():
        yield of_row(row, row.slice)


def _top(outcome: Outcome) -> list[str]:
    """Who, and what time is counted in: the name of its column."""
    columns = outcome.data.roles.get("exposure", "")
    return [top_subject(outcome), *([f"time in {columns}"] if columns else [])]


MEASURED = measured("mean_time_between_failures", "mean_time_between_failures(*)")
SCREEN = Screen(
    answers=(
        Answering("value", _none_seen, MEASURED, says={"value": "{sentence}"}),
        *answers_of(MEASURED, ""),
    ),
    top=_top,
    claims=(
        difference_claim("mean_time_between_failures", "*"),
        unspoken_claim("slices", _slices, order="value"),
    ),
    remarks=_remarks,
    blocks=(
        ForestOf("difference", "gain, worst first", "gain"),
        GridOf("slices", "slices, shortest time first", "slice", figure="mean time between failures"),
    ),
    doubt=lambda outcome: drawn_together(outcome, tested=len(outcome.systems) > 1),
)
