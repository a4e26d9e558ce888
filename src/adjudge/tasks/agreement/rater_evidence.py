"""Who differs from the other raters, as evidence: who is apart, who guesses, and without whom agreement would do."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from adjudge.diagnosis.raters.scales import SCALES
from adjudge.evaluation.answers.claims import (
    ABOVE_ZERO,
    BEYOND,
    LEAST_UNITS,
    Claim,
    Evidence,
    Words,
    judged_evidence,
    probability_below,
)
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.panels import Cell, ForestPanel, TablePanel
from adjudge.tasks.agreement.rater_panels import MEAN, SEVERITY, TOGETHER, VITALITY, WITHOUT

KRIPPENDORFF = SCALES["Krippendorff"]
EDGES = tuple((band.low, band.name) for band in reversed(KRIPPENDORFF.bands[1:]))
LEAST = EDGES[-1][0]
MAJORITY = "Agreement with the majority of the others"
MEAN_KAPPA = "Mean kappa of each rater with the others"
GUESSING = "close to guessing"
LIKELY, HALF, INCOMPETENT = 0.95, 0.5, 0.3
RATER = Words(
    one="rater",
    many="raters",
    beyond="apart from the others",
    looks="looks apart",
    within="like the others",
    finding="apart",
    finding_looks="looks apart",
    low="{subject} is apart from the others",
    looks_low="{subject} looks apart from the others",
    unit="item",
    value="{value} agreement with the others",
)


def forest_of(outcome: Outcome, *titles: str) -> ForestPanel | None:
    return next((one for title in titles for one in outcome.panels.forests if one.title == title), None)


def severities(outcome: Outcome) -> TablePanel | None:
    """Of raters who give numbers: how much higher each rates than the others, the furthest first, and α without."""
    offsets = forest_of(outcome, SEVERITY)
    if offsets is None or forest_of(outcome, MAJORITY) is not None:
        return None
    panel = forest_of(outcome, WITHOUT)
    without = {} if panel is None else {one.name: one.estimate for one in panel.lines}
    known = sorted((one for one in offsets.lines if one.estimate is not None), key=lambda one: -abs(one.estimate or 0))
    rows: list[list[Cell]] = [
        [one.name, one.n, one.estimate, one.low, one.high, *([without.get(one.name)] if without else [])]
        for one in known
    ]
    columns = ["rater", "n", "above the others", "low", "high", *(["α without"] if without else [])]
    return TablePanel(SEVERITY, "", columns, rows)


def _numbers(table: TablePanel | None) -> dict[str, list[float]]:
    """The numbers of every row that has them all, by its name."""
    rows = [] if table is None else table.rows
    return {
        str(name): [float(x) for x in numbers if isinstance(x, int | float)]
        for name, *numbers in rows
        if all(isinstance(x, int | float) for x in numbers)
    }


def _column(table: TablePanel | None, name: str) -> dict[str, float]:
    """A column of numbers by the first."""
    if table is None or name not in table.columns:
        return {}
    place = table.columns.index(name)
    cells = [(str(row[0]), row[place]) for row in table.rows]
    return {row: float(value) for row, value in cells if isinstance(value, int | float)}


def without_whom(outcome: Outcome) -> str:
    """The rater, or raters, without whom the least edge is reached, if the gain of each is shown after correction."""
    rows = _numbers(outcome.panels.table(VITALITY))
    level = outcome.settings.level
    enough = 10**6  # how many items there are is judged elsewhere
    raters = [Evidence(name, row[3], row[4], row[5], enough, level) for name, row in rows.items()]
    without = {name: Evidence(name, row[0], row[1], row[2], enough, level) for name, row in rows.items()}
    for one in sorted(shown_apart(raters), key=lambda one: one.estimate):
        if probability_below(without[one.subject], LEAST) <= 1 - LIKELY:
            return one.subject
    for names, (value, low, high, *_) in _numbers(outcome.panels.table(TOGETHER)).items():
        if probability_below(Evidence(names, value, low, high, enough, level), LEAST) <= 1 - LIKELY:
            return names
    return ""


def shown_apart(raters: Sequence[Evidence]) -> list[Evidence]:
    """Those who are shown to lie below 0, corrected for their number."""
    judged = judged_evidence(Claim("raters", lambda outcome: (), RATER), raters, ABOVE_ZERO)
    return [one.evidence for one in judged if one.state == BEYOND]


def raters_apart(outcome: Outcome) -> Iterator[Evidence]:
    """How much less than the others each rater agrees with them; who is close to guessing is told so."""
    forest = forest_of(outcome, MAJORITY, MEAN)
    if forest is None or len(forest.lines) < 2:
        return
    shares = forest.title == MAJORITY
    without, competence = (
        _column(outcome.panels.table(VITALITY), "without"),
        _column(outcome.panels.table("Reliability of each rater"), "competence"),
    )
    kappas = forest_of(outcome, MEAN_KAPPA, MEAN)
    total = sum(line.n for line in forest.lines if line.estimate is not None)
    agreed = sum(line.n * line.estimate for line in forest.lines if line.estimate is not None)
    for line in forest.lines:
        value, low, high = (math.nan if x is None else x for x in (line.estimate, line.low, line.high))
        rest = (agreed - line.n * value) / (total - line.n) if total > line.n and not math.isnan(value) else math.nan
        facts: dict[str, str | float] = {"value": value, "low": low, "high": high, "rest": rest}
        facts |= {"metric": "percent_agreement"} if shares else {"metric": "", "unit": "comparison"}
        facts |= {"without": without[line.name]} if line.name in without else {}
        if shares and line.n >= LEAST_UNITS and high < rest and _guesses(line.name, competence, kappas):
            facts["also"] = GUESSING
        yield Evidence(
            line.name, value - rest, low - rest, high - rest, line.n, outcome.settings.level, line.note, facts=facts
        )


def _guesses(name: str, competence: dict[str, float], kappas: ForestPanel | None) -> bool:
    """Whether a rater knows the label in few items and agrees with nobody; each where that was worked out."""
    line = next((one for one in kappas.lines if one.name == name), None) if kappas is not None else None
    usual = kappas.against if kappas is not None else None
    if line is not None and line.high is not None and usual is not None and line.high >= HALF * usual:
        return False
    return competence.get(name, 1.0) < INCOMPETENT
