"""The first screen of uplift: the score beside treating at random."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.evaluation.answers.answering import (
    answers_of,
    difference_claim,
    drawn_together,
    figures,
    measured,
    plain,
    top_subject,
)
from adjudge.evaluation.answers.claims import Evidence, unspoken_claim
from adjudge.evaluation.answers.evidence import in_slices, leader, of_row
from adjudge.evaluation.answers.screen import Advice, ForestOf, GridOf, ListOf, Remark, Screen, SpokenNumber
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.panels import Cell, TablePanel
from adjudge.evaluation.results import WHOLE_NAME

SHARES = (0.1, 0.2, 0.3, 0.5, 0.75, 1.0)  # of those treated first, that the first screen shows


def _stand_alone(outcome: Outcome) -> bool:
    """Whether several scores of one table are told each by itself; results of their own are compared, not paired."""
    return len(outcome.systems) > 1 and not outcome.table.differences.rows


def _remarks(outcome: Outcome) -> Iterator[Remark]:
    if len(outcome.systems) == 1 and "qini" in outcome.metrics:
        for _, label, figure in figures(outcome, "uplift_auc"):
            yield Remark("also", f"{label} {{area}}", {"area": figure})
    for row in outcome.table.estimates.first_methods() if _stand_alone(outcome) else ():
        if row.slice == WHOLE_NAME and row.metric == "qini" and row.system != leader(outcome):
            figure = SpokenNumber(row.estimate, row.low, row.high, limits=(0.0,))
            yield Remark("other", f"{plain(row.system)}: Qini coefficient {{qini}}", {"qini": figure})


def _slices(outcome: Outcome) -> Iterator[Evidence]:
    """The one score in every slice."""
    for row in () if outcome.table.differences.rows else in_slices(outcome, "qini", leader(outcome)):
        yield of_row(row, row.slice)


def _title(outcome: Outcome) -> str:
    whose = f"scores of {leader(outcome)}" if len(outcome.systems) > 1 else "scores"
    return f"what treating the highest {whose} first gains"


def _doubt(outcome: Outcome) -> str:
    apart = " Scores are not held against one another: read their intervals side by side."
    compared = bool(outcome.table.differences.rows)
    return drawn_together(outcome, tested=compared) + (apart if _stand_alone(outcome) else "")


def _treated_first(outcome: Outcome) -> TablePanel | None:
    """What treating some first, by the score, gains: points of the curve."""
    panel = next(iter(outcome.panels.lines), None)
    series = next((one for one in panel.series if one.name == leader(outcome)), None) if panel is not None else None
    if panel is None or series is None:
        return None
    places = [min((abs(x - share), at) for at, x in enumerate(series.x))[1] for share in SHARES]
    whole = series.y[places[-1]]
    rows: list[list[Cell]] = [
        [
            f"{100 * series.x[at]:.0f} %",
            series.y[at],
            *(ends[at] if ends else None for ends in (series.low, series.high)),
            whole * series.x[at],
        ]
        for at in places
    ]
    return TablePanel(panel.title, "", ["treated first", "net lift", "low", "high", "at random"], rows)


SCREEN = Screen(
    answers=answers_of(measured("qini", "uplift_auc", "*"), "treating at random"),
    top=lambda outcome: [top_subject(outcome)],
    claims=(difference_claim("qini", "*"), unspoken_claim("slices", _slices, order="value")),
    remarks=_remarks,
    blocks=(
        ForestOf("difference", "gain, worst first", "gain"),
        ListOf(_title, _treated_first, most=len(SHARES)),
        GridOf("slices", "slices, lowest first", "slice", figure="Qini coefficient"),
    ),
    steps=lambda outcome: [Advice("See whom the score would treat first:", "--items items.csv", needs=True)],
    doubt=_doubt,
)
