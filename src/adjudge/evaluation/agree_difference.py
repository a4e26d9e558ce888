"""Two teams, or before and after, on the same items: is the difference in agreement real?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adjudge.data.collect_ratings import RatingRoles, read_rated
from adjudge.data.source import open_source
from adjudge.evaluation.agree_checks import checked_scale
from adjudge.evaluation.settings import bootstrap_settings, number_setting
from adjudge.inference.difference import paired_difference
from adjudge.inference.interval import Estimate, checked_level
from adjudge.metrics.base import Metric
from adjudge.metrics.catalogue import parse
from adjudge.tasks.agreement import AGREEMENT
from adjudge.tasks.arguments import SHARED, checked_arguments
from adjudge.tasks.base import Role, Setting

TEAMS = (
    Role("first", "columns of the first team's ratings", required=True, many=True),
    Role("second", "columns of the second team's ratings", required=True, many=True),
)
SETTINGS = (
    Setting("metric", "the coefficient that is compared", form="metric"),
    *(setting for setting in AGREEMENT.settings if setting.name in ("scale", "confidence")),
    *(setting for setting in SHARED if setting.name in ("replicates", "seed")),
)


def agreement_difference(
    table: Any,
    first: Sequence[str],
    second: Sequence[str],
    *,
    metric: str | Metric = "krippendorff_alpha",
    scale: Sequence[Any] | None = None,
    confidence: float = 0.95,
    replicates: int = 2_000,
    seed: int = 7,
) -> Estimate:
    """How much better the second team of raters agrees than the first, on the same items, with its interval.

    `first` and `second` name the teams' columns. Items are drawn once for both teams; the note has a p-value.

    >>> table = {"a": ["x", "y"] * 20, "b": ["x", "y", "y", "y"] * 10, "c": ["x", "y"] * 20, "d": ["x", "y"] * 20}
    >>> found = agreement_difference(table, ["a", "b"], ["c", "d"])
    >>> round(found.value, 3), found.interval.low > 0
    (0.527, True)
    """
    asked = {"first": first, "second": second, "metric": metric, "scale": scale, "confidence": confidence}
    given = checked_arguments(
        "agreement_difference", TEAMS, SETTINGS, {**asked, "replicates": replicates, "seed": seed}
    )
    source = open_source(table)
    teams = [[names] if isinstance(names, str) else names for names in (given["first"], given["second"])]
    every = tuple(dict.fromkeys([*teams[0], *teams[1]]))
    rated = read_rated(source, RatingRoles(raters=every).checked(source.column_names), checked_scale(scale))
    before, after = (rated.ratings.of_raters([every.index(name) for name in names]) for names in teams)
    return paired_difference(
        parse(metric) if isinstance(metric, str) else metric,
        before,
        after,
        level=checked_level(number_setting("confidence", confidence)),
        settings=bootstrap_settings(replicates, seed, "percentile"),
    )
