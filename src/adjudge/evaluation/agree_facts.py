"""What an agreement evaluation was told and what it found the ratings to be like."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.data.collect_ratings import RatingRoles
from adjudge.data.source import Source
from adjudge.engines.base import WHOLE, Collected
from adjudge.evaluation.outcome import Data
from adjudge.statistics.base import ratio
from adjudge.statistics.patterns import Patterns
from adjudge.statistics.rating_vectors import RatingVectors


def data_of(source: Source, roles: RatingRoles, collected: Collected, labels: Sequence[str]) -> Data:
    """The table that was read."""
    named = {role: getattr(roles, role) for role in ("item", "rater", "rating", "weight", "cluster", "batch")}
    named |= {"raters": ", ".join(roles.raters) or None}
    named |= {"rating": None, **roles.also} if roles.also else {}
    return Data(
        source=source.name,
        fingerprint=source.fingerprint(),
        rows=collected.read,
        # An item has several rows where each rating has its own.
        used=collected.rows if roles.is_wide else collected.read - sum(collected.left_out.values()),
        left_out=dict(collected.left_out),
        categories=list(labels),
        roles={role: name for role, name in named.items() if name is not None},
    )


def found_in(collected: Collected) -> dict[str, str]:
    """What the ratings are like: how many items, pairs, ratings, raters and categories."""
    some = next(value for (key, _), value in collected.statistics.items() if key == WHOLE)
    patterns = some if isinstance(some, Patterns) else None
    facts = {"Items": f"{some.rows:,}"}
    if isinstance(some, RatingVectors):
        return facts | {"Raters": f"{len(some.raters):,}"}
    if patterns is not None:
        rated = patterns.patterns.sum(1)[patterns.counts > 0]
        used = (patterns.sums.shares > 0).sum()
        facts |= {
            "Items with two ratings or more": f"{int(patterns.counts[patterns.patterns.sum(1) >= 2].sum()):,}",
            "Ratings of an item": f"{int(rated.min(initial=99))} to {int(rated.max(initial=0))}, "
            f"{float(ratio(patterns.sums.ratings, patterns.sums.items)):.2f} on average",
            "Categories used": f"{int(used)} of {len(patterns.categories)}",
        }
    return facts
