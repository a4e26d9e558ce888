"""Two teams, or before and after, on the same items: is the difference in agreement real?"""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.data.facts import Facts, check_clusters, check_rows, check_weight
from adjudge.data.reading import batches_of
from adjudge.data.source import Source, open_source
from adjudge.data.systems import as_list
from adjudge.errors import SettingError, listed
from adjudge.evaluation.asking.arguments import SHARED, checked_arguments
from adjudge.evaluation.asking.settings import bootstrap_settings, number_setting
from adjudge.evaluation.declaration import Role
from adjudge.inference.differences.paired_coefficients import paired_difference
from adjudge.inference.intervals.interval import Estimate, checked_level
from adjudge.metrics.base import Metric
from adjudge.metrics.catalogue import parse
from adjudge.statistics.ratings.items import RatedItems
from adjudge.statistics.weights import Weights
from adjudge.tasks.agreement.checks import check_rated, checked_scale
from adjudge.tasks.agreement.reading import ITEMS, RatingReading
from adjudge.tasks.agreement.task import TASK

TEAMS = (
    Role("metric", "the coefficient that is compared", required=True, form="metric"),
    Role("first", "columns of the first team's ratings", required=True, many=True),
    Role("second", "columns of the second team's ratings", required=True, many=True),
    *(role for role in TASK.roles if role.name in ("weight", "cluster")),
)
SETTINGS = (
    *(setting for setting in TASK.settings if setting.name == "scale"),
    *(setting for setting in SHARED if setting.name in ("level", "replicates", "seed")),
)


def agreement_difference(
    table: object,
    first: Sequence[str],
    second: Sequence[str],
    *,
    metric: str | Metric = "krippendorff_alpha",
    scale: Sequence[object] | None = None,
    weight: str | None = None,
    cluster: str | None = None,
    level: float = 0.95,
    replicates: int = 2_000,
    seed: int = 7,
) -> Estimate:
    """How much better the second team of raters agrees than the first, on the same items, with its interval.

    `first` and `second` name the teams' columns, `weight` and `cluster` columns as in `agreement`. Items, or clusters,
    are drawn once for both teams; the note has a p-value.

    >>> table = {"a": ["x", "y"] * 20, "b": ["x", "y", "y", "y"] * 10, "c": ["x", "y"] * 20, "d": ["x", "y"] * 20}
    >>> difference = agreement_difference(table, ["a", "b"], ["c", "d"])
    >>> round(difference.value, 3), difference.interval.low > 0
    (0.527, True)
    """
    roles = {"first": first, "second": second, "metric": metric, "scale": scale, "weight": weight, "cluster": cluster}
    settings = {"level": level, "replicates": replicates, "seed": seed}
    given = checked_arguments("agreement_difference", TEAMS, SETTINGS, {**roles, **settings})
    teams = [as_list(names) for names in (given["first"], given["second"])]
    for role, names in zip(("first", "second"), teams, strict=True):
        if len(set(names)) < 2 or len(set(names)) < len(names):
            raise SettingError(f"`{role}` must name at least two different columns, not {listed(names) or 'none'}.")
    every = tuple(dict.fromkeys([*teams[0], *teams[1]]))
    reading = RatingReading(
        raters=every, weight=given["weight"], cluster=given["cluster"], scale=checked_scale(given["scale"])
    )
    source = open_source(table)
    items = _items(source, reading.checked(source.column_names))
    before, after = (items.ratings.of_raters([every.index(name) for name in names]) for names in teams)
    difference, _ = paired_difference(
        parse(metric) if isinstance(metric, str) else metric,
        before,
        after,
        level=checked_level(number_setting("level", level)),
        settings=bootstrap_settings(replicates, seed, "percentile"),
        weights=items.weight,
        keys=items.keys if reading.cluster else None,
    )
    return difference


def _items(source: Source, reading: RatingReading) -> RatedItems:
    """All items of the table, weights in units of an item."""
    facts, items = Facts(), None
    for place, batch in batches_of(source, reading, gather=True):
        block = reading.read(batch, place.first_row)
        facts = facts + block.facts
        if block.rows:
            part = RatedItems.collect(block.views[ITEMS], Weights(block.rows, block.weight))
            items = part if items is None else items + part
    check_rated(facts)
    check_rows(facts, source.name, "Some items must be rated")
    check_clusters(facts, "cluster", reading.cluster)
    check_weight(facts, reading.weight, "item")
    assert items is not None
    return items.scaled(facts.used / facts.weight)
