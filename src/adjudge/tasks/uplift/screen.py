"""The first screen of uplift: the score beside treating at random."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.evaluation.answers.answering import (
    answers_of,
    difference_claim,
    drawn_together,
    figures,
    measured,
    top_subject,
)
from adjudge.evaluation.answers.evidence import leader
from adjudge.evaluation.answers.screen import Advice, ForestOf, ListOf, Remark, Screen
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.panels import Cell, TablePanel

SHARES = (0.1, 0.2, 0.3, 0.5, 0.75, 1.0)  # of those treated first, that the first screen shows


def _remarks(outcome: Outcome) -> Iterator[Remark]:
    for _, label, figure in figures(outcome, "uplift_auc"):
        if len(outcome.systems) == 1:
            yield Remark("also", f"{label} {{area}}", {"area": figure})


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
    answers=answers_of(measured("qini", "uplift_auc", "*"), "treating at random", baseline=0.0),
    top=lambda outcome: [top_subject(outcome)],
    claims=(difference_claim("qini", "*"),),
    remarks=_remarks,
    blocks=(
        ForestOf("difference", "gain, worst first", "gain"),
        ListOf("what treating the highest scores first gains", _treated_first, most=len(SHARES)),
    ),
    steps=lambda outcome: [Advice("See whom the score would treat first:", "--items items.csv", needs=True)],
    doubt=drawn_together,
)
