"""Checks of models whose answers were compared."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.diagnosis.checks.check import REMARK, SERIOUS, Check
from adjudge.diagnosis.preferences.model_strengths import Games, parts_of, what_is_unknown


def model_checks(games: Games, *, alone: bool) -> Iterator[Check]:
    """C7: models in parts that no pair connects, serious where models `alone` are measured; and none beaten, or all."""
    parts = parts_of(games)
    unknown_of = what_is_unknown(games, parts)
    if parts.any():
        advice = "Add pairs of a model of one and a model of another, or evaluate each by itself."
        yield Check("C7", SERIOUS if alone else REMARK, f"M{unknown_of[1:]}. {advice}")
    elif unknown_of:
        yield Check("C7", REMARK, f"Of models: {unknown_of}.")
