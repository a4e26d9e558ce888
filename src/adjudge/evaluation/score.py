"""Automated scoring: one table in, one outcome out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from adjudge.data.collect_scores import ScoreRoles, ScoreRules, read_scored
from adjudge.data.labels import label_text
from adjudge.data.roles import slice_columns, systems_of
from adjudge.data.score_types import Scaling, ScoreScale
from adjudge.data.source import Source, open_source
from adjudge.errors import SettingError, listed, quoted
from adjudge.evaluation.measure import BASELINE, Measured, rows_of
from adjudge.evaluation.outcome import Data, Outcome, Settings
from adjudge.evaluation.results import WHOLE_NAME, ResultTable, Row
from adjudge.evaluation.score_flags import FlagRule, flag_rules, named_numbers
from adjudge.evaluation.score_measures import Measures, Responses
from adjudge.evaluation.score_panels import main_forms, scoring_panels
from adjudge.evaluation.settings import Progress, bootstrap_settings, number_setting, versions
from adjudge.inference.interval import checked_level
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics import spearman
from adjudge.metrics.base import Metric
from adjudge.metrics.catalogue import parse
from adjudge.statistics.score_features import MOST_POINTS
from adjudge.statistics.score_sums import ScoreSums
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

ENGINES = ("auto", "memory")
ZEROS = ("exclude", "keep")
SCALING = ("system_mean", "system_sd", "human_mean", "human_sd")
# Fewer responses with two ratings than this make a shaky variance of errors; the table says so.
FEW_DOUBLE = 30


@dataclass(frozen=True)
class ScoringRequest:
    """Everything that was asked, checked before a row is read."""

    source: Source
    roles: ScoreRoles
    rules: ScoreRules
    scale: ScoreScale | None
    training: Source | None
    scaling: Scaling | None
    error_variance: float | None
    flags: tuple[FlagRule, ...]
    metrics: tuple[Metric, ...] | None
    level: float
    bootstrap: Bootstrap


def request_scoring(
    table: Any,
    *,
    raters: str | Sequence[str] | None = None,
    prediction: Any = None,
    systems: Mapping[str, Any] | None = None,
    slices: str | Sequence[str] | None = (),
    candidate: str | None = None,
    id: str | None = None,
    metrics: Sequence[str | Metric] | None = None,
    level: float = 0.95,
    replicates: int = 2_000,
    seed: int = 7,
    bootstrap: str = "percentile",
    engine: str = "auto",
    **settings: Any,
) -> ScoringRequest:
    """Check what was asked. `settings` are those the task declares: min, max, step, flag, zeros, scaling, limits …"""
    known = [setting.name for setting in SCORING.settings]
    if unknown := sorted(set(settings) - set(known)):
        raise SettingError(f"Scoring has no setting {listed(unknown)}. It takes: {listed(known, most=len(known))}.")
    if engine not in ENGINES:
        raise SettingError(f"`engine` must be one of {listed(ENGINES)} for scoring, not {quoted(engine)}.")
    if prediction is None and systems is None:
        raise SettingError("`prediction` must be given: the column of the system's scores.")
    source = open_source(table)
    return ScoringRequest(
        source=source,
        roles=_roles(
            source, raters, systems_of(prediction, None, systems), slices, (candidate, id, settings.get("flag"))
        ),
        rules=_rules(settings),
        scale=_scale(settings),
        training=None if settings.get("training") is None else open_source(settings["training"]),
        scaling=_scaling(settings),
        error_variance=_variance(settings.get("error_variance")),
        flags=flag_rules(settings.get("limits")),
        metrics=None if metrics is None else _chosen(metrics),
        level=checked_level(number_setting("level", level)),
        bootstrap=bootstrap_settings(replicates, seed, bootstrap),
    )


def _chosen(metrics: str | Metric | Sequence[str | Metric]) -> tuple[Metric, ...]:
    several = [metrics] if isinstance(metrics, (str, Metric)) else list(metrics)
    chosen = tuple(dict.fromkeys(parse(metric) if isinstance(metric, str) else metric for metric in several))
    known = {metric.name for metric in SCORING.metrics}
    if not chosen or any(metric.name not in known for metric in chosen):
        strange = listed([metric for metric in chosen if metric.name not in known])
        given = f"not {strange}" if strange else "but none is given"
        raise SettingError(f"`metrics` must be ones that scoring measures, {given}. See: adjudge metrics.")
    return chosen


def _roles(source: Source, raters: Any, systems: Any, slices: Any, others: tuple[Any, Any, Any]) -> ScoreRoles:
    candidate, id_, flag = others
    names = [slices] if isinstance(slices, str) else list(slices or ())
    people = (raters,) if isinstance(raters, str) else tuple(str(rater) for rater in raters or ())
    columns = source.column_names
    if without := [system.name for system in systems if system.prediction is None]:
        raise SettingError(
            f"`prediction` must name the column of each system's scores, but {listed(without)} has none."
        )
    return ScoreRoles(
        raters=people,
        systems={system.name: str(system.prediction) for system in systems},
        slices=tuple(dict.fromkeys(slice_columns(str(name), columns) for name in names)),
        candidate=candidate,
        id=id_,
        flags=_flags(flag, columns),
    ).checked(columns)


def _flags(given: Any, columns: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Which values may stay, by column: {"ok": [1]}, or ["ok=1"]; several values are separated by commas."""
    if given is None:
        return {}
    if isinstance(given, Mapping):
        pairs = [(name, values if isinstance(values, (list, tuple)) else [values]) for name, values in given.items()]
    else:
        texts = [given] if isinstance(given, str) else list(given)
        if wrong := [text for text in texts if "=" not in text]:
            raise SettingError(f"`flag` must be given as COLUMN=VALUE, not as {quoted(wrong[0])}.")
        pairs = [(text.partition("=")[0], text.partition("=")[2].split(",")) for text in texts]
    return {str(name): tuple(label_text(value) for value in values) for name, values in pairs}


def _rules(settings: Mapping[str, Any]) -> ScoreRules:
    zeros = settings.get("zeros") or "exclude"
    if zeros not in ZEROS:
        raise SettingError(f"`zeros` must be one of {listed(ZEROS)}, not {quoted(zeros)}.")
    return ScoreRules(zeros == "keep", settings.get("min_items"), settings.get("reference") or "first")


def _scale(settings: Mapping[str, Any]) -> ScoreScale | None:
    ends = [settings.get(name) for name in ("min", "max")]
    if ends == [None, None]:
        return None
    if None in ends:
        raise SettingError("`min` and `max` belong together: both ends of the scale must be given, or neither.")
    step, tolerance = settings.get("step"), settings.get("tolerance")
    low, high = (number_setting(name, value) for name, value in zip(("min", "max"), ends, strict=True))
    return ScoreScale(
        low,
        high,
        1.0 if step is None else number_setting("step", step),
        None if tolerance is None else number_setting("tolerance", tolerance),
    )


def _scaling(settings: Mapping[str, Any]) -> Scaling | None:
    given = settings.get("scaling")
    if given is None or isinstance(given, Scaling):
        return given
    if settings.get("training") is not None:
        raise SettingError("Scaling must come from `training` or from `scaling`, not from both.")
    numbers = named_numbers("scaling", given)
    if set(numbers) != set(SCALING):
        raise SettingError(f"`scaling` must give {listed(SCALING)}, but it gives {listed(numbers)}.")
    return Scaling(**numbers)


def _variance(given: Any) -> float | None:
    if given is None:
        return None
    value = number_setting("error_variance", given)
    if not (np.isfinite(value) and value >= 0):
        raise SettingError(f"`error_variance` must be at least 0, not {given!r}.")
    return value


def run_scoring(asked: ScoringRequest, progress: Progress = lambda what, more, of: None) -> Outcome:
    """Carry out a request."""
    scored = read_scored(asked.source, asked.roles, asked.rules)
    progress("reading", scored.read, 0)
    names = tuple(" × ".join(columns) for columns in asked.roles.slices)
    responses = Responses.of(scored, asked.roles.raters, asked.scale, _scalings(asked), names)
    measures = Measures(responses, asked.bootstrap)
    parts = list(responses.parts())
    rows: list[Row] = []
    for part in parts:
        for measured in measures.of_part(part):
            wanted = _metrics(asked, responses, measured)
            rows.extend(_rows(asked, measured, wanted))
        progress("measuring", 1, len(parts))
    table = ResultTable(tuple(rows))
    return Outcome(
        task=SCORING.name,
        data=_data(asked, responses),
        settings=_settings(asked, responses),
        systems=_in_order(responses, table),
        slice_columns=list(names),
        metrics=list(dict.fromkeys(row.metric for row in table if row.method != BASELINE)),
        table=table,
        panels=scoring_panels(measures, table, asked.flags, asked.level),
    )


def _scalings(asked: ScoringRequest) -> dict[str, Scaling]:
    if asked.training is None:
        return {} if asked.scaling is None else dict.fromkeys(asked.roles.systems, asked.scaling)
    roles = replace(asked.roles, slices=(), candidate=None, id=None, flags={}).checked(asked.training.column_names)
    trained = read_scored(asked.training, roles, replace(asked.rules, zeros=True, min_items=None))
    return {name: Scaling.of_training(trained.ratings[:, 0], scores) for name, scores in trained.systems.items()}


def _in_order(responses: Responses, table: ResultTable) -> list[str]:
    """Systems as the report shows them: the forms that matter first, then the others and the raters."""
    first = [*main_forms(responses, rounded=False).values(), *main_forms(responses, rounded=True).values()]
    return list(dict.fromkeys([*first, *(row.system for row in table)]))


def _metrics(asked: ScoringRequest, responses: Responses, measured: Measured) -> tuple[Metric, ...]:
    """What is asked of a system, or of two raters, in all responses or in a slice."""
    several, whole = len(responses.raters) > 1, measured.slice == WHOLE_NAME
    true_scores = tuple(
        m
        if asked.error_variance is None or m.name == "rater_error_variance"
        else m.using(error_variance=asked.error_variance)
        for m in TRUE_SCORE
        if several or (asked.error_variance is not None and m.name != "rater_error_variance")
    )
    beside = BESIDE_RATERS if several else ()
    machine = measured.system in responses.forms
    every = (*OBSERVED, *KAPPAS, spearman, *true_scores, *beside) if machine else (*AMONG_RATERS, *KAPPAS)
    able = [m for m in (*every, *SLICE_ONLY) if (m not in SLICE_ONLY if whole else m not in WHOLE_ONLY)]
    names = {metric.name for metric in able}
    chosen = able if asked.metrics is None else [metric for metric in asked.metrics if metric.name in names]
    return tuple(metric for metric in chosen if _serves(metric, whole, responses.is_rounded(measured.system)))


def _serves(metric: Metric, whole: bool, rounded: bool) -> bool:
    """Double-scored responses alone are looked at over all responses, and categories in rounded scores."""
    return (whole or metric.settings.get("rows") != "double") and (rounded or metric.settings.get("of") != "kappa")


def _rows(asked: ScoringRequest, measured: Measured, metrics: tuple[Metric, ...]) -> Iterator[Row]:
    sums: ScoreSums = measured.statistics[ScoreSums]
    for row in rows_of(measured, metrics, asked.level, asked.bootstrap):
        yield replace(row, note=_note(row, sums, asked)) if row.metric.startswith(RESTS_ON_DOUBLE) else row


RESTS_ON_DOUBLE = ("prmse", "true_score", "rater_error_variance", "degradation", "disattenuated")


def _note(row: Row, sums: ScoreSums, asked: ScoringRequest) -> str:
    """Why a figure that rests on second ratings is undefined, or how few it rests on."""
    truth, given = sums.truth, asked.error_variance
    double = round(float(truth.multiple))
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


def _data(asked: ScoringRequest, responses: Responses) -> Data:
    roles, scored = asked.roles, responses.scored
    points = np.unique(responses.reference)
    named = {"raters": ", ".join(roles.raters), "prediction": ", ".join(roles.systems.values())}
    named |= {role: name for role, name in (("candidate", roles.candidate), ("id", roles.id)) if name is not None}
    return Data(
        source=asked.source.name,
        fingerprint=asked.source.fingerprint(),
        rows=scored.read,
        used=len(scored),
        left_out=dict(scored.left_out),
        categories=[f"{point:g}" for point in points[:MOST_POINTS]],
        roles=named,
    )


def _settings(asked: ScoringRequest, responses: Responses) -> Settings:
    scale = asked.scale
    double = int((np.isfinite(responses.scored.ratings).sum(1) > 1).sum())
    choices = {"Responses with two ratings or more": f"{double:,}"}
    if scale is not None:
        choices["Scale"] = f"{scale.low:g} to {scale.high:g} in steps of {scale.step:g}, trimmed {scale.slack:g} beyond"
    choices["Human scores of zero"] = "stay" if asked.rules.zeros else "are left out"
    if asked.error_variance is not None:
        choices["Variance of rater errors"] = f"{asked.error_variance:g}, given"
    unit = "candidate" if asked.roles.candidate is not None else "response"
    return Settings(
        level=asked.level,
        replicates=asked.bootstrap.replicates,
        seed=asked.bootstrap.seed,
        bootstrap=asked.bootstrap.kind,
        draws=f"{asked.bootstrap.weights} by {unit}",
        engine="memory",
        versions=versions(),
        choices=choices,
    )
