"""Two teams, or before and after, on the same items: is the difference in agreement real?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adjudge.data.collect_ratings import RatingRoles, read_rated
from adjudge.data.prepare import check_clusters
from adjudge.data.source import open_source
from adjudge.errors import SettingError, listed
from adjudge.evaluation.agree_checks import check_case_weights, check_total_weight, checked_scale
from adjudge.evaluation.settings import bootstrap_settings, number_setting
from adjudge.inference.difference import paired_difference
from adjudge.inference.interval import Estimate, checked_level
from adjudge.metrics.base import Metric
from adjudge.metrics.catalogue import parse
from adjudge.tasks.agreement import AGREEMENT
from adjudge.tasks.arguments import SHARED, checked_arguments
from adjudge.tasks.base import Role

TEAMS = (
    Role("metric", "the coefficient that is compared", required=True, form="metric"),
    Role("first", "columns of the first team's ratings", required=True, many=True),
    Role("second", "columns of the second team's ratings", required=True, many=True),
    *(role for role in AGREEMENT.roles if role.name in ("weight", "cluster")),
)
SETTINGS = (
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
    weight: str | None = None,
    cluster: str | None = None,
    confidence: float = 0.95,
    replicates: int = 2_000,
    seed: int = 7,
) -> Estimate:
    """How much better the second team of raters agrees than the first, on the same items, with its interval.

    `first` and `second` name the teams' columns, `weight` and `cluster` columns as in `agreement`. Items, or clusters,
    are drawn once for both teams; the note has a p-value.

    >>> table = {"a": ["x", "y"] * 20, "b": ["x", "y", "y", "y"] * 10, "c": ["x", "y"] * 20, "d": ["x", "y"] * 20}
    >>> found = agreement_difference(table, ["a", "b"], ["c", "d"])
    >>> round(found.value, 3), found.interval.low > 0
    (0.527, True)
    """
    asked = {"first": first, "second": second, "metric": metric, "scale": scale, "weight": weight, "cluster": cluster}
    others = {"confidence": confidence, "replicates": replicates, "seed": seed}
    given = checked_arguments("agreement_difference", TEAMS, SETTINGS, {**asked, **others})
    source, weight, cluster = open_source(table), given["weight"], given["cluster"]
    teams = [[names] if isinstance(names, str) else names for names in (given["first"], given["second"])]
    for role, names in zip(("first", "second"), teams, strict=True):
        if len(set(names)) < 2 or len(set(names)) < len(names):
            raise SettingError(f"`{role}` must name at least two different columns, not {listed(names) or 'none'}.")
    every = tuple(dict.fromkeys([*teams[0], *teams[1]]))
    roles = RatingRoles(raters=every, weight=weight, cluster=cluster).checked(source.column_names)
    rated = read_rated(source, roles, checked_scale(scale))
    check_case_weights(rated, weight)
    if cluster is not None:
        check_clusters("cluster", cluster, rated.keys)
    check_total_weight(weight if rated.weight is not None and not rated.weight.any() else None)
    before, after = (rated.ratings.of_raters([every.index(name) for name in names]) for names in teams)
    return paired_difference(
        parse(metric) if isinstance(metric, str) else metric,
        before,
        after,
        level=checked_level(number_setting("confidence", confidence)),
        settings=bootstrap_settings(replicates, seed, "percentile"),
        weights=None if rated.weight is None else rated.weight / rated.weight.mean(),
        keys=rated.keys if cluster else None,
    )
