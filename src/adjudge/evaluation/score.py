"""Automated scoring: one table in, one outcome out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from adjudge.data.collect_scores import scored_blocks
from adjudge.data.prepare import check_clusters
from adjudge.data.score_types import Scaling
from adjudge.engines.base import WHOLE
from adjudge.errors import BadValue, quoted
from adjudge.evaluation.measure import BASELINE, Measured, rows_of
from adjudge.evaluation.outcome import Data, Outcome, Settings
from adjudge.evaluation.results import WHOLE_NAME, ResultTable, Row
from adjudge.evaluation.score_collect import Asked, Pilot, Responses, ScoreState, collect
from adjudge.evaluation.score_measures import Measures
from adjudge.evaluation.score_panels import scoring_panels
from adjudge.evaluation.score_request import ScoringRequest
from adjudge.evaluation.settings import Progress, versions
from adjudge.metrics import spearman
from adjudge.metrics.base import Metric
from adjudge.statistics.score_described import Descriptives
from adjudge.statistics.score_features import HUMAN
from adjudge.statistics.score_sums import ScoreSums
from adjudge.statistics.score_views import TrueScore
from adjudge.tasks.scoring import (
    AMONG_RATERS,
    BESIDE_RATERS,
    KAPPAS,
    OBSERVED,
    SCORING,
    SLICE_ONLY,
    TRUE_SCORE,
    WHOLE_ONLY,
)

# Fewer responses with two ratings than this make a shaky variance of errors; the table says so.
FEW_DOUBLE = 30
ALL_ROWS = 2**40
# Responses summed at a time, on every engine: what each adds is some hundred numbers, so a block is tens of megabytes.
BLOCK_ROWS = 2**15
NO_PILOT = Pilot({}, np.zeros(0))


def run_scoring(asked: ScoringRequest, progress: Progress = lambda what, more, of: None) -> Outcome:
    """Carry out a request."""
    measures = _collected(asked, progress)
    state = measures.state
    rows: list[Row] = []
    keys = state.keys()
    metrics: dict[tuple[str, bool], tuple[Metric, ...]] = {}
    for key in keys:
        for measured in measures.of_part(key):
            kind = (measured.system, key == WHOLE)
            if kind not in metrics:
                metrics[kind] = _metrics(asked, measures.asked, measured)
            rows.extend(_rows(asked, measured, metrics[kind], state.parts[key].double))
        progress("measuring", 1, len(keys))
    table = ResultTable(tuple(rows))
    return Outcome(
        task=SCORING.name,
        data=_data(asked, state),
        settings=_settings(asked, state),
        systems=_in_order(measures.asked, table),
        slice_columns=list(measures.asked.slice_names),
        metrics=list(dict.fromkeys(row.metric for row in table if row.method != BASELINE)),
        table=table,
        panels=scoring_panels(measures, table, asked.flags, asked.level),
    )


def _collected(asked: ScoringRequest, progress: Progress) -> Measures:
    """All sums, in one pass; in memory the responses are kept for what needs all of them at once."""
    roles, by_person = asked.roles, asked.roles.candidate is not None
    names = tuple(" × ".join(columns) for columns in roles.slices)
    what = Asked(roles.raters, tuple(roles.systems), asked.scale, _scalings(asked), names)
    state, pilot, kept = ScoreState(), None, []
    # A person's responses may be anywhere, so people are not cut into blocks.
    for scored in scored_blocks(asked.source, roles, asked.rules, ALL_ROWS if by_person else BLOCK_ROWS):
        if roles.candidate is not None and scored.candidates is not None:
            check_clusters("candidate", roles.candidate, scored.candidates)
        block = Responses(what, scored)
        if pilot is None and len(scored):
            pilot = Pilot.of(block)
        state = state + collect(block, pilot or NO_PILOT)
        progress("reading", scored.read, 0)
        if asked.engine.name == "memory":
            kept.append(block)
    assert pilot is not None, "a table without responses is refused"
    if not state.weight:
        raise BadValue(
            f"`weight` must not be zero everywhere, but {quoted(roles.weight)} is: no response would count. "
            "Give another column, or leave `weight` out."
        )
    weighted = roles.weight is not None
    return Measures(what, state.in_responses(), pilot, tuple(kept), asked.bootstrap, weighted, by_person)


def _scalings(asked: ScoringRequest) -> dict[str, Scaling]:
    if asked.training is None:
        return {} if asked.scaling is None else dict.fromkeys(asked.roles.systems, asked.scaling)
    roles = replace(asked.roles, slices=(), candidate=None, id=None, weight=None, flags={})
    rules = replace(asked.rules, zeros=True, min_items=None)
    found: dict[str, Descriptives] = {}
    for scored in scored_blocks(asked.training, roles.checked(asked.training.column_names), rules, BLOCK_ROWS):
        columns = {HUMAN: scored.ratings[:, 0], **scored.systems}
        made = {name: Descriptives.of(values) for name, values in columns.items()}
        found = {name: found[name] + made[name] if found else made[name] for name in made}
    moments = {name: (told.n, told.mean, told.sd) for name, told in found.items()}
    return {name: Scaling.of_moments(moments[name], moments[HUMAN]) for name in asked.roles.systems}


def _in_order(what: Asked, table: ResultTable) -> list[str]:
    """Systems as the report shows them: the forms that matter first, then the others and the raters."""
    first = [*what.main_forms(rounded=False).values(), *what.main_forms(rounded=True).values()]
    return list(dict.fromkeys([*first, *(row.system for row in table)]))


def _metrics(asked: ScoringRequest, what: Asked, measured: Measured) -> tuple[Metric, ...]:
    """What is asked of a system, or of two raters, in all responses or in a slice."""
    several, whole = len(what.raters) > 1, measured.slice == WHOLE_NAME
    true_scores = tuple(
        m
        if asked.error_variance is None or m.name == "rater_error_variance"
        else m.using(error_variance=asked.error_variance)
        for m in TRUE_SCORE
        if several or (asked.error_variance is not None and m.name != "rater_error_variance")
    )
    beside = BESIDE_RATERS if several else ()
    machine = measured.system in what.forms
    every = (*OBSERVED, *KAPPAS, spearman, *true_scores, *beside) if machine else (*AMONG_RATERS, *KAPPAS)
    able = [m for m in (*every, *SLICE_ONLY) if (m not in SLICE_ONLY if whole else m not in WHOLE_ONLY)]
    names = {metric.name for metric in able}
    chosen = able if asked.metrics is None else [metric for metric in asked.metrics if metric.name in names]
    return tuple(metric for metric in chosen if _serves(metric, whole, measured.system in what.rounded_forms))


def _serves(metric: Metric, whole: bool, rounded: bool) -> bool:
    """Double-scored responses alone are looked at over all responses, and categories in rounded scores."""
    return (whole or metric.settings.get("rows") != "double") and (rounded or metric.settings.get("of") != "kappa")


def _rows(asked: ScoringRequest, measured: Measured, metrics: tuple[Metric, ...], double: int) -> Iterator[Row]:
    sums: ScoreSums = measured.statistics[ScoreSums]
    for row in rows_of(measured, metrics, asked.level, asked.bootstrap):
        yield (
            replace(row, note=_note(row, sums.truth, double, asked)) if row.metric.startswith(RESTS_ON_DOUBLE) else row
        )


RESTS_ON_DOUBLE = ("prmse", "true_score", "rater_error_variance", "degradation", "disattenuated")


def _note(row: Row, truth: TrueScore, double: int, asked: ScoringRequest) -> str:
    """Why a figure that rests on second ratings is undefined, or how few it rests on."""
    given = asked.error_variance
    about_truth = not row.metric.startswith(("degradation", "disattenuated"))
    if np.isnan(row.estimate):
        if double == 0 and (given is None or not about_truth):
            return "undefined: no response has two ratings"
        if about_truth and not (variance := float(truth.variance(given))) > 0:
            return f"undefined: the variance of true scores comes out as {variance:.3g}, with {double:,} double-scored"
        return row.note
    few = double < FEW_DOUBLE and not (about_truth and given is not None)
    said = f"rests on {double:,} responses with two ratings" if few else ""
    return "; ".join(part for part in (row.note, said) if part)


def _data(asked: ScoringRequest, state: ScoreState) -> Data:
    roles = asked.roles
    named = {"raters": ", ".join(roles.raters), "prediction": ", ".join(roles.systems.values())}
    others = {"candidate": roles.candidate, "id": roles.id, "weight": roles.weight}
    return Data(
        source=asked.source.name,
        fingerprint=asked.source.fingerprint(),
        rows=state.read,
        used=state.whole.rows,
        left_out=dict(state.left_out),
        categories=[f"{point:g}" for point in state.points],
        roles=named | {role: name for role, name in others.items() if name is not None},
    )


def _settings(asked: ScoringRequest, state: ScoreState) -> Settings:
    scale = asked.scale
    choices = {"Responses with two ratings or more": f"{state.whole.double:,}"}
    if scale is not None:
        choices["Scale"] = f"{scale.low:g} to {scale.high:g} in steps of {scale.step:g}, trimmed {scale.slack:g} beyond"
    choices["Human scores of zero"] = "stay" if asked.rules.zeros else "are left out"
    if asked.error_variance is not None:
        choices["Variance of rater errors"] = f"{asked.error_variance:g}, given"
    if asked.roles.weight is not None:
        choices["Weights"] = COUNTS if state.whole_weights else SHARES
    if asked.engine.name == "stream":
        choices["Not computed when streaming"] = "Spearman's correlation, which needs all scores at once"
    unit = "candidate" if asked.roles.candidate is not None else "response"
    return Settings(
        level=asked.level,
        replicates=asked.bootstrap.replicates,
        seed=asked.bootstrap.seed,
        bootstrap=asked.bootstrap.kind,
        draws=f"{asked.bootstrap.weights} by {unit}",
        engine=asked.engine.name,
        versions=versions(),
        choices=choices,
    )


COUNTS = "whole numbers: N is their sum, as if responses were repeated"
SHARES = "not all whole: scaled so that N, their sum, is the number of responses"
