"""The annotation lead's page, as plain numbers."""

from __future__ import annotations

from adjudge.data.labels import Labels
from adjudge.data.ratings import Ratings
from adjudge.evaluation.panels import Panels
from adjudge.inference.resampling import Bootstrap


def agreement_panels(
    ratings: Ratings,
    items: list[str],
    *,
    level_of_measurement: str,
    settings: Bootstrap,
    level: float,
    batches: Labels | None = None,
    model: str | None = None,
) -> Panels:
    """Every picture of these ratings."""
    return Panels()
