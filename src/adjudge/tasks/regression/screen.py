"""The first screen of regression: the error beside that of the mean, then where it is too high or too low."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from adjudge.errors import with_minus
from adjudge.evaluation.answers.answering import (
    answers_of,
    difference_claim,
    drawn_together,
    figures,
    measured,
    of_one_system,
    systems_blocks,
    top_subject,
    worse_than_rest,
)
from adjudge.evaluation.answers.claims import (
    BEYOND,
    LEAST_UNITS,
    NORMAL,
    UNDECIDED,
    WITHIN,
    Claim,
    Evidence,
    Words,
    claim_of_gains,
    judged_alone,
)
from adjudge.evaluation.answers.evidence import against_rest, leader, row_of
from adjudge.evaluation.answers.screen import Advice, ForestOf, GridOf, Remark, Screen, SpokenNumber
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.panels import Series
from adjudge.tasks.regression.study import LIMIT

LEADING = ("rmse", "mean_absolute_error", "r_squared", "*")
REGIONS = 4
ERRS = worse_than_rest("has larger errors", better="smaller errors")
OFF = Words(
    one="region",
    many="regions",
    beyond="off",
    looks="looks off",
    within="within",
    low="is too low where it predicts {subject}",
    high="is too high where it predicts {subject}",
    looks_low="looks too low where it predicts {subject}",
    looks_high="looks too high where it predicts {subject}",
    where="with predictions {subject}",
)


def _regions(outcome: Outcome) -> Iterator[Evidence]:
    """The mean error in quarters of the predictions, from the bins that the picture has.

    Not of the reference: the highest are under-predicted by the best of models, whatever cannot be told of them.
    """
    panel = next((lines for lines in outcome.panels.lines if lines.title == "Residual by prediction"), None)
    series = next((one for one in panel.series if one.name == leader(outcome)), None) if panel else None
    if series is None or not series.low or len(series.n) < REGIONS:
        return
    reach = NORMAL.inv_cdf((1 + outcome.settings.level) / 2)
    total, parts, part = sum(series.n), list[list[int]](), list[int]()
    for place, _ in enumerate(series.x):
        part.append(place)
        if sum(series.n[: place + 1]) >= total * (len(parts) + 1) / REGIONS - 1e-9:
            parts, part = [*parts, part], []
    for number, places in enumerate(parts):
        n = [series.n[place] for place in places]
        ends = [(series.low[place], series.high[place]) for place in places]
        if any(low is None or high is None for low, high in ends):
            continue
        mean = -sum(w * series.y[place] for w, place in zip(n, places, strict=True)) / sum(n)
        errors = [((high or 0) - (low or 0)) / 2 / reach for low, high in ends]
        error = math.sqrt(sum((w * e) ** 2 for w, e in zip(n, errors, strict=True))) / sum(n)
        low, high = (with_minus(_edge(series, at), ".3g") for at in (places[0], places[-1] + 1))
        name = (
            f"above {low}" if number == len(parts) - 1 else f"below {high}" if number == 0 else f"from {low} to {high}"
        )
        ends_of = (mean - reach * error, mean + reach * error)
        facts = {"whose": leader(outcome)} if len(outcome.systems) > 1 else {}
        yield Evidence(name, mean, *ends_of, round(sum(n)), outcome.settings.level, facts=facts)


def _edge(series: Series, place: int) -> float:
    """Where the rows before some point end: the edge below which as much was counted, or halfway to that point."""
    before, counted = sum(series.n[:place]), 0.0
    for edge, count in zip(series.edges[1:], series.counts, strict=False):
        counted += count
        between = place < len(series.x) and series.x[place - 1] < edge <= series.x[place]
        if between and math.isclose(counted, before, rel_tol=1e-9):
            return edge
    last = series.x[min(place, len(series.x) - 1)]
    return (series.x[place - 1] + last) / 2 if place else series.x[0]


def _allowed(outcome: Outcome) -> tuple[float, float]:
    """How far off the mean error may be; by itself no bias at all."""
    limit = float(outcome.settings.choices.get(LIMIT, "0").removeprefix("±"))
    return (-limit, limit)


def _slices(outcome: Outcome) -> Iterator[Evidence]:
    """Slices by their squared error, which is a mean; the figure shown is its root."""
    for one in against_rest("mean_squared_error")(outcome):
        row = row_of(outcome, "rmse", leader(outcome), slice="all" if one.whole else one.subject)
        if row is None or (not one.whole and "rest" not in one.facts):
            continue
        rest = math.sqrt(max(0.0, float(one.facts["rest"]))) if "rest" in one.facts else math.nan
        facts: dict[str, str | float] = {
            "value": row.estimate,
            "low": row.low,
            "high": row.high,
            "rest": rest,
            "metric": "rmse",
        }
        yield replace(one, facts={} if one.whole else {**facts, "excess": float(one.facts.get("excess", 0.0))})


def _remarks(outcome: Outcome) -> Iterator[Remark]:
    shown = {
        name: (label, figure)
        for name, label, figure in figures(outcome, "mean_absolute_error", "median_absolute_error", "mean_bias_error")
    }
    if "mean_absolute_error" in shown and len(outcome.systems) == 1:
        parts = ["MAE {mean}"]
        if "median_absolute_error" in shown:
            parts.append("half of the errors are below {median}")
        known = {
            "mean": shown["mean_absolute_error"][1],
            **({"median": shown["median_absolute_error"][1]} if len(parts) > 1 else {}),
        }
        yield Remark("typical", "; ".join(parts), known, rank=4)
    if "mean_bias_error" in shown:
        bias = shown["mean_bias_error"][1]
        yield _bias(bias, _allowed(outcome))


def _bias(bias: SpokenNumber, allowed: tuple[float, float]) -> Remark:
    """Whether all rows together are too high or too low, by more than is allowed."""
    side, limit = "low" if bias.estimate < 0 else "high", allowed[1]
    figures = {"bias": replace(bias, signed=True, limits=(0.0, *allowed))}
    if limit:
        one = Evidence("", bias.estimate, bias.low, bias.high, LEAST_UNITS)
        state = judged_alone(one, allowed).state
        said = f"{{bias}}, limit ±{limit:g}"
        if state == WITHIN:
            return Remark("bias", f"mean error of all rows {said}", figures, "within", rank=3)
        if state == UNDECIDED:
            return Remark(
                "bias", f"undecided whether the mean error is within its limit: {said}", figures, state, rank=3
            )
        word, rank, end = ("beyond", 1, "") if state == BEYOND else ("looks", 2, "; undecided")
        return Remark("bias", f"too {side} on average: {said}{end}", figures, word, rank=rank)
    if bias.low <= 0 <= bias.high:
        return Remark("bias", "no overall bias is shown: {bias}", figures, "undecided", rank=3)
    return Remark("bias", f"too {side} on average: {{bias}}", figures, "looks", rank=2)


SCREEN = Screen(
    answers=(
        *answers_of(measured("rmse"), "always answering the mean"),
        *answers_of(measured(*LEADING), "the best constant answer"),
    ),
    top=lambda outcome: [top_subject(outcome)],
    claims=(
        difference_claim(*LEADING),
        Claim("regions", _regions, OFF, good=_allowed, neutral=0.0, difference=True, settles=False),
        claim_of_gains("slices", of_one_system(_slices), ERRS, order="excess", settles=False),
    ),
    remarks=_remarks,
    blocks=(
        *systems_blocks(*LEADING),
        ForestOf("regions", "mean error by prediction", "mean error"),
        GridOf(
            "slices",
            "worst slices, by squared error beyond the rest's",
            "slice",
            (("rest", "rest", "coefficient"),),
            figure="RMSE",
            strip=False,
            p=True,
        ),
    ),
    steps=lambda outcome: [Advice("Read the rows with the largest errors:", "--items items.csv", needs=True)],
    doubt=drawn_together,
)
