"""What may be asked of automated scoring: columns and settings, checked before a row is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from adjudge.data.facts import Facts, check_rows
from adjudge.data.judgements.labels import label_text
from adjudge.data.judgements.score_types import Scaling, ScoreScale
from adjudge.data.reading import batches_of
from adjudge.data.source import open_source
from adjudge.data.systems import as_list, slices_of, systems_of
from adjudge.errors import SettingError, check_choice, listed, literal, quoted
from adjudge.evaluation.asking.settings import named_numbers, number_setting
from adjudge.evaluation.declaration import Given
from adjudge.statistics.scores.descriptives import Descriptives
from adjudge.statistics.weights import Weights
from adjudge.tasks.scoring.forms import APART, Forms
from adjudge.tasks.scoring.reading import HUMAN_SCORES, ScoreReading

ZEROS = ("exclude", "keep")
SCALING = ("system_mean", "system_sd", "human_mean", "human_sd")


def reading_of(columns: Sequence[str], given: Given) -> ScoreReading:
    """How the table is read: its columns by role, what is left out, and in which forms scores are compared."""
    if given.get("prediction") is None and given.get("systems") is None:
        raise SettingError("`prediction` must be given: the column of the system's scores.")
    systems = systems_of(given.get("prediction"), None, given.get("systems"))
    if without := [system.name for system in systems if system.prediction is None]:
        raise SettingError(
            f"`prediction` must name the column of each system's scores, but {listed(without)} has none."
        )
    raters = given["raters"]
    reading = ScoreReading(
        raters=(raters,) if isinstance(raters, str) else tuple(raters),
        systems={system.name: str(system.prediction) for system in systems},
        slices=slices_of(given.get("slices"), columns),
        candidate=given.get("candidate"),
        id=given.get("id"),
        weight=given.get("weight"),
        flags=_flags(given.get("flag")),
        zeros=_zeros(given.get("zeros")),
        min_items=given.get("min_items"),
        rated_by=given.get("rated_by") or "first",
    ).checked(columns)
    names = tuple(reading.systems)
    forms = Forms(reading.raters, names, _scale(given))
    scaling = _scaling(given)
    scalings = {} if scaling is None else dict.fromkeys(names, scaling)
    if given.get("training") is not None:
        scalings = _from_training(given["training"], reading)
    return replace(reading, forms=replace(forms, scalings=scalings))


def variance_setting(given: object) -> float | None:
    """The variance of rater errors, if it was given."""
    if given is None:
        return None
    value = number_setting("error_variance", given)
    if not (np.isfinite(value) and value >= 0):
        raise SettingError(f"`error_variance` must be at least 0, not {literal(given)}.")
    return value


def _flags(given: Mapping[str, object] | str | Iterable[str] | None) -> dict[str, tuple[str, ...]]:
    """Which values may stay, by column: {"ok": [1]}, or ["ok=1"]; several values are separated by commas."""
    if given is None:
        return {}
    if isinstance(given, Mapping):
        pairs = [(name, values if isinstance(values, (list, tuple)) else [values]) for name, values in given.items()]
    else:
        texts = as_list(given)
        if wrong := [text for text in texts if "=" not in text]:
            raise SettingError(f"`flag` must be given as COLUMN=VALUE, not as {quoted(wrong[0])}.")
        pairs = [(text.partition("=")[0], text.partition("=")[2].split(",")) for text in texts]
    return {str(name): tuple(label_text(value) for value in values) for name, values in pairs}


def _zeros(given: str | None) -> bool:
    zeros = given or "exclude"
    check_choice("zeros", zeros, ZEROS)
    return zeros == "keep"


def _scale(given: Given) -> ScoreScale | None:
    ends = [given.get(name) for name in ("min", "max")]
    finer = [name for name in ("step", "tolerance") if given.get(name) is not None]
    if ends == [None, None] and finer:
        raise SettingError(f"`{finer[0]}` must be given with `min` and `max`: it is of scores moved to a scale.")
    if ends == [None, None]:
        return None
    if None in ends:
        raise SettingError("`min` and `max` belong together: both ends of the scale must be given, or neither.")
    step, tolerance = given.get("step"), given.get("tolerance")
    low, high = (number_setting(name, value) for name, value in zip(("min", "max"), ends, strict=True))
    return ScoreScale(
        low,
        high,
        1.0 if step is None else number_setting("step", step),
        None if tolerance is None else number_setting("tolerance", tolerance),
    )


def _scaling(given: Given) -> Scaling | None:
    scaling = given.get("scaling")
    if scaling is None or isinstance(scaling, Scaling):
        return scaling
    if given.get("training") is not None:
        raise SettingError("Scaling must come from `training` or from `scaling`, not from both.")
    numbers = named_numbers("scaling", scaling)
    if set(numbers) != set(SCALING):
        raise SettingError(f"`scaling` must give {listed(SCALING)}, but it gives {listed(numbers)}.")
    return Scaling(**numbers)


def _from_training(table: object, reading: ScoreReading) -> dict[str, Scaling]:
    """What moves each system's scores to the mean and spread that human scores have in another table."""
    source = open_source(table)
    names = tuple(reading.systems)
    plain = ScoreReading(
        reading.raters,
        reading.systems,
        zeros=True,
        rated_by=reading.rated_by,
        forms=Forms(reading.raters, names),
    ).checked(source.column_names)
    views = {HUMAN_SCORES.format(reading.raters[0]): "human"} | {f"{name}{APART}raw": name for name in names}
    facts, described = Facts(), dict.fromkeys(views, Descriptives.of(np.zeros(0)))
    for place, batch in batches_of(source, plain, gather=False):
        block = plain.read(batch, place.first_row)
        facts = facts + block.facts
        if block.rows:
            parts = {view: Descriptives.collect(block.views[view], Weights(block.rows)) for view in views}
            described = {view: described[view] + part for view, part in parts.items()}
    check_rows(facts, source.name, "Some responses must be usable")
    human, *systems = [(int(part.n), part.mean, part.sd) for part in described.values()]
    return {name: Scaling.of_moments(system, human) for name, system in zip(names, systems, strict=True)}
