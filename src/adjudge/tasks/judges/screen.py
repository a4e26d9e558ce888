"""The first screen of labels that a judge helps with: the estimate, beside labels alone and the judge alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from adjudge.evaluation.answers.answering import drawn_together, figures, measured, plural, top_subject
from adjudge.evaluation.answers.claims import Evidence, Words, claim_of_gains
from adjudge.evaluation.answers.evidence import against_rest, compared_margin, leader, of_differences, of_row, row_of
from adjudge.evaluation.answers.screen import Advice, Answering, ForestOf, GridOf, Remark, Screen
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.results import Row
from adjudge.tasks.judges.reading import ELSEWHERE, LABELS_ARE, MEASURED

LEADING = ("judge_assisted_mean", "labelled_mean", "*")
CORRECTED = ("rogan_gladen", "*")
GAINS = Words(
    beyond="lower", looks="looks lower", within="higher", low="{subject} is lower", looks_low="{subject} looks lower"
)
LOWER = Words(
    unit="label",
    by="worst",
    beyond="lower than the rest",
    looks="looks lower",
    within="higher than the rest",
    finding="lower",
    finding_looks="looks lower",
    low="{subject} is lower than the rest",
    looks_low="{subject} looks lower than the rest",
)


def _elsewhere(outcome: Outcome) -> bool:
    """Whether labels only tell how often the judge errs."""
    return outcome.settings.choices.get(LABELS_ARE) == ELSEWHERE


def _leading(*patterns: str, elsewhere: bool) -> Callable[[Outcome], Sequence[Evidence]]:
    """The figure to read, where labels are from elsewhere or where they are not."""

    def evidence(outcome: Outcome) -> Sequence[Evidence]:
        row = row_of(outcome, measured(*patterns)(outcome), leader(outcome))
        return [] if row is None or _elsewhere(outcome) != elsewhere else [_read(row, outcome)]

    return evidence


def _read(row: Row, outcome: Outcome) -> Evidence:
    """A figure with what it is of: a mean, or the share of a label."""
    return of_row(row, row.system, whole=True, what=str(outcome.settings.choices.get(MEASURED, "mean")))


def _of_two(outcome: Outcome) -> Sequence[Evidence]:
    return [one for one in of_differences("judge_assisted_mean")(outcome) if one.whole]


def _remarks(outcome: Outcome) -> Iterator[Remark]:
    row = row_of(outcome, "judge_assisted_mean", leader(outcome))
    if row is not None and row.note:
        said = row.note.replace("as good as", "with the judge's help are as good as").replace(
            "human labels", "without it"
        )
        link = " " if said != row.note else ": "
        yield Remark("worth", f"{plural(row.n, 'human label')}{link}{said}", rank=2)
    alone = {name: figure for name in ("labelled_mean", "judge_mean") for _, _, figure in figures(outcome, name)}
    if alone:
        texts = {"labelled_mean": "human labels {labelled_mean}", "judge_mean": "the judge {judge_mean}"}
        yield Remark("alone", "; ".join(texts[name] for name in alone), alone, rank=4)
    for _, _, figure in figures(outcome, "judge_kappa"):
        yield Remark("agreement", "kappa of the judge with people {value}", {"value": figure}, rank=4)


def _steps(outcome: Outcome) -> Iterator[Advice]:
    counts = row_of(outcome, "judge_assisted_mean", leader(outcome))
    if counts is None or counts.n < outcome.data.used:
        yield Advice("Label more rows, drawn at random:", "--queue queue.csv", needs=True)


def _doubt(outcome: Outcome) -> str:
    labels = "Labelled rows are assumed to be a random sample."
    if _elsewhere(outcome):
        labels = "Labels are from elsewhere: the judge is assumed to err as often here."
    return f"{labels} {drawn_together(outcome)}"


SCREEN = Screen(
    answers=(
        Answering("difference", _of_two, measured("judge_assisted_mean"), margin=compared_margin),
        Answering(
            "value",
            _leading(*LEADING, elsewhere=False),
            measured(*LEADING),
            says={"value": "As people would judge all rows: {what} {figure}."},
        ),
        Answering(
            "value",
            _leading(*CORRECTED, elsewhere=True),
            measured(*CORRECTED),
            says={"value": "As people would judge the rows without a label: {what} {figure}."},
        ),
    ),
    top=lambda outcome: [top_subject(outcome)],
    claims=(
        claim_of_gains("difference", of_differences("judge_assisted_mean"), GAINS),
        claim_of_gains("slices", against_rest("judge_assisted_mean", "rogan_gladen"), LOWER, order="value"),
    ),
    remarks=_remarks,
    blocks=(
        ForestOf("difference", "gain, worst first", "gain"),
        GridOf("slices", "lowest slices", "slice", strip=False, p=True),
    ),
    steps=_steps,
    doubt=_doubt,
)
