"""What may be asked of automated scoring, checked before a row is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from adjudge.data.collect_scores import ScoreRoles, ScoreRules
from adjudge.data.labels import label_text
from adjudge.data.roles import slice_columns, systems_of
from adjudge.data.score_types import Scaling, ScoreScale
from adjudge.data.source import Source, open_source
from adjudge.engines.base import Engine
from adjudge.errors import SettingError, listed, quoted
from adjudge.evaluation.score_flags import FlagRule, flag_rules, named_numbers
from adjudge.evaluation.settings import bootstrap_settings, chosen_engine, number_setting
from adjudge.inference.interval import checked_level
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics import spearman
from adjudge.metrics.base import Metric
from adjudge.metrics.catalogue import parse
from adjudge.tasks.scoring import SCORING

ZEROS = ("exclude", "keep")
SCALING = ("system_mean", "system_sd", "human_mean", "human_sd")


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
    engine: Engine


def request_scoring(
    table: Any,
    *,
    raters: str | Sequence[str] | None = None,
    prediction: Any = None,
    systems: Mapping[str, Any] | None = None,
    slices: str | Sequence[str] | None = (),
    candidate: str | None = None,
    id: str | None = None,
    weight: str | None = None,
    metrics: Sequence[str | Metric] | None = None,
    level: float = 0.95,
    replicates: int = 2_000,
    seed: int = 7,
    bootstrap: str = "percentile",
    engine: str = "auto",
    **settings: Any,
) -> ScoringRequest:
    """Check what was asked. `settings` are those the task declares: min, max, step, flag, zeros, scaling, limits …"""
    if prediction is None and systems is None:
        raise SettingError("`prediction` must be given: the column of the system's scores.")
    source = open_source(table)
    chosen = None if metrics is None else _chosen(metrics)
    return ScoringRequest(
        source=source,
        roles=_roles(
            source, raters, systems_of(prediction, None, systems), slices, (candidate, id, weight, settings.get("flag"))
        ),
        rules=_rules(settings),
        scale=_scale(settings),
        training=None if settings.get("training") is None else open_source(settings["training"]),
        scaling=_scaling(settings),
        error_variance=_variance(settings.get("error_variance")),
        flags=flag_rules(settings.get("limits")),
        metrics=chosen,
        level=checked_level(number_setting("level", level)),
        bootstrap=bootstrap_settings(replicates, seed, bootstrap),
        engine=_engine(engine, table, candidate, chosen),
    )


def _engine(name: str, table: Any, candidate: str | None, metrics: tuple[Metric, ...] | None) -> Engine:
    """Where the sums run; what needs all responses at once cannot be streamed."""
    engine = chosen_engine("memory" if name == "auto" else name, table)
    if engine.name == "stream" and candidate is not None:
        raise SettingError(
            "`candidate` must not be given with a stream: a person's responses may be anywhere in the table, and are "
            'drawn together. Use engine="memory", or leave `candidate` out.'
        )
    if engine.name == "stream" and metrics is not None and spearman in metrics:
        raise SettingError(
            'Spearman\'s correlation must have all scores at once, but a stream has not. Use engine="memory".'
        )
    return engine


def _chosen(metrics: str | Metric | Sequence[str | Metric]) -> tuple[Metric, ...]:
    several = [metrics] if isinstance(metrics, (str, Metric)) else list(metrics)
    chosen = tuple(dict.fromkeys(parse(metric) if isinstance(metric, str) else metric for metric in several))
    known = {metric.name for metric in SCORING.metrics}
    if not chosen or any(metric.name not in known for metric in chosen):
        strange = listed([metric for metric in chosen if metric.name not in known])
        given = f"not {strange}" if strange else "but none is given"
        raise SettingError(f"`metrics` must be ones that scoring measures, {given}. See: adjudge metrics.")
    return chosen


def _roles(source: Source, raters: Any, systems: Any, slices: Any, others: tuple[Any, Any, Any, Any]) -> ScoreRoles:
    candidate, id_, weight, flag = others
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
        weight=weight,
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
