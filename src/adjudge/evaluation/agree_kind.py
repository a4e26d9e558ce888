"""What the agreement door must know of a kind of rating: labels, sets and spans each answer for themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from adjudge.data.collect_ratings import Rated, RatingRoles, rating_roles
from adjudge.diagnosis.rater_views import Items
from adjudge.engines.base import WHOLE, Collected
from adjudge.errors import SettingError, listed, quoted
from adjudge.evaluation.measure import Measured
from adjudge.evaluation.panels import Panels
from adjudge.inference.resampling import Bootstrap, Together
from adjudge.metrics.base import Metric

# Every two raters are compared in the table up to this many raters.
MOST_PAIRED_RATERS = 12


@dataclass(frozen=True, slots=True)
class Pair:
    """Two raters on the items both rated: the sums there are of them, how many items, and what is asked."""

    raters: tuple[str, ...]
    collected: Collected
    rows: int
    metrics: tuple[Metric, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """What pictures are made of: everything that was read, and its sums with their draws."""

    rated: Rated
    whole: Measured
    bootstrap: Bootstrap
    level: float

    def items(self, rated: NDArray[np.bool_]) -> Items:
        """Who rated which item, (items, raters), with what is drawn."""
        return Items(rated, self.rated.keys, "clusters" if self.whole.clustered else "items")


class RatingKind(Protocol):
    """One kind of rating, with its own settings checked."""

    @property
    def choices(self) -> dict[str, str]:
        """The settings to tell the reader."""

    @property
    def scale(self) -> tuple[Any, ...] | None:
        """The declared categories, if there are."""

    @property
    def by_rater(self) -> type[Any]:
        """The statistic that knows who rated."""

    def roles(self, columns: Sequence[str], named: Mapping[str, Any]) -> RatingRoles:
        """Where the ratings are."""

    def ready(self, rated: Rated, named: bool) -> Rated:
        """What was read, checked and as the statistics want it; `named` says whether raters are told apart."""

    def statistics(self, rated: Rated, streamed: bool, named: bool) -> tuple[type[Any], ...]:
        """What to sum."""

    def check(self, collected: Collected, raters: set[str]) -> None:
        """Refuse what only the whole table shows."""

    def derived(self, value: Any) -> Together:
        """A statistic and all that follows from it."""

    def allows(self, metric: Metric) -> bool:
        """Whether the metric is about such ratings."""

    def metrics(self, statistics: Together) -> tuple[Metric, ...]:
        """What is asked when nothing is named."""

    def unmeasured(self, metric: Metric, raters: int) -> str:
        """Why a metric that was named has no value."""

    def pairs(self, collected: Collected, rated: Rated | None) -> Iterator[Pair]:
        """Every two raters, when they are to be compared."""

    def labels(self, collected: Collected) -> tuple[str, ...]:
        """The labels that were seen."""

    def facts(self, collected: Collected, rated: Rated | None) -> dict[str, str]:
        """What the ratings are like."""

    def panels(self, page: Page) -> Panels:
        """The pictures."""


# What settings that not every kind has are for.
MADE_FOR = {
    **dict.fromkeys(("scale", "model"), "single labels"),
    **dict.fromkeys(("distance", "separator"), "sets of labels"),
    **dict.fromkeys(("scheme", "mode"), "spans"),
}


def refuse_settings(level: str, given: Mapping[str, Any]) -> None:
    """Refuse settings that say nothing about ratings of this kind."""
    for name, value in given.items():
        if value is not None:
            raise SettingError(f"`{name}` must be left out at level {quoted(level)}: it is for {MADE_FOR[name]}.")


def plain_roles(columns: Sequence[str], named: Mapping[str, Any], level: str) -> RatingRoles:
    """The roles of ratings that have a cell each."""
    for role in ("start", "end", "label"):
        if named.get(role) is not None:
            raise SettingError(f'`{role}` must be left out at level {quoted(level)}: it is for level="spans".')
    return rating_roles(columns, **{name: column for name, column in named.items() if column is not None})


def chosen(name: str, value: Any, allowed: Sequence[str]) -> str:
    """A setting that is one of a few words."""
    if value not in allowed:
        raise SettingError(f"`{name}` must be one of {listed(allowed)}, not {quoted(value)}.")
    return str(value)


def statistic_in(collected: Collected, statistic: type[Any]) -> Any:
    """The sums over all items of one type; None if there are none."""
    found = (value for (key, wanted), value in collected.statistics.items() if key == WHOLE)
    return next((value for value in found if type(value) is statistic), None)
