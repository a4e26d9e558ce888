"""The first screen of labels that a judge helps with: the estimate, beside labels alone and the judge alone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from adjudge.evaluation.answering import drawn_together, figures, measured, who
from adjudge.evaluation.claims import Claim, Evidence, Words
from adjudge.evaluation.evidence import against_rest, compared_margin, leader, of_differences, of_row, row_of
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.screen import Advice, Answering, ForestOf, GridOf, Remark, Screen

LEADING = ("judge_assisted_mean", "labelled_mean", "*")
ABOVE = (0.0, math.inf)
GAINS = Words(
    beyond="lower", looks="looks lower", within="higher", low="{subject} is lower", looks_low="{subject} looks lower"
)
LOWER = Words(
    beyond="lower than the rest",
    looks="looks lower than the rest",
    within="higher than the rest",
    finding="lower",
    finding_looks="looks lower",
    low="{subject} is lower than the rest",
    looks_low="{subject} looks lower than the rest",
)


def _alone(outcome: Outcome) -> Sequence[Evidence]:
    row = row_of(outcome, measured(*LEADING)(outcome), leader(outcome))
    return [] if row is None else [of_row(row, row.system, whole=True)]


def _of_two(outcome: Outcome) -> Sequence[Evidence]:
    return [one for one in of_differences("judge_assisted_mean")(outcome) if one.whole]


def _remarks(outcome: Outcome) -> Iterator[Remark]:
    row = row_of(outcome, "judge_assisted_mean", leader(outcome))
    if row is not None and row.note:
        yield Remark("judge", f"{row.note}; {row.n:,} were given", rank=2)
    for name, text in (("labelled_mean", "labels alone {value}"), ("judge_mean", "the judge alone {value}")):
        for _, _, figure in figures(outcome, name):
            yield Remark("alone", text, {"value": figure}, rank=4)
    for _, _, figure in figures(outcome, "judge_kappa"):
        yield Remark("kappa", "judge and people {value}", {"value": figure}, rank=4)


def _steps(outcome: Outcome) -> Iterator[Advice]:
    yield Advice("Label the rows that tell most next:", "--queue queue.csv", needs=True)


def _doubt(outcome: Outcome) -> str:
    return f"Labelled rows taken as a random part. {drawn_together(outcome)}"


SCREEN = Screen(
    answers=(
        Answering("difference", _of_two, measured("judge_assisted_mean"), margin=compared_margin),
        Answering("value", _alone, measured(*LEADING), says={"value": "As people would judge all rows: {value}."}),
    ),
    top=lambda outcome: [who(outcome)],
    claims=(
        Claim("difference", of_differences("judge_assisted_mean"), GAINS, good=ABOVE, difference=True),
        Claim("slices", against_rest("judge_assisted_mean"), LOWER, good=ABOVE, order="value", difference=True),
    ),
    remarks=_remarks,
    blocks=(
        ForestOf("difference", "difference, worst first", "difference"),
        GridOf("slices", "lowest slices", "slice", strip=False, p=True),
    ),
    steps=_steps,
    doubt=_doubt,
)
