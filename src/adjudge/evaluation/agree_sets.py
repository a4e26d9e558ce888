"""Ratings that are sets of labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from adjudge.data.collect_ratings import Rated, RatingRoles
from adjudge.data.label_sets import SEPARATOR, SetCells, labels_in, members
from adjudge.engines.base import WHOLE, Collected, Wanted
from adjudge.errors import BadValue, SettingError, quoted
from adjudge.evaluation.agree_kind import (
    MOST_PAIRED_RATERS,
    Page,
    Pair,
    chosen,
    plain_roles,
    refuse_settings,
    statistic_in,
)
from adjudge.evaluation.panels import Panels
from adjudge.evaluation.set_panels import set_panels
from adjudge.inference.resampling import Together
from adjudge.metrics.base import Metric
from adjudge.statistics.base import ratio
from adjudge.statistics.set_distance import DISTANCES
from adjudge.statistics.set_ratings import SetRatings
from adjudge.statistics.set_rows import unnamed
from adjudge.tasks.agreement import OF_SETS

LEVEL = "sets"
# Distances of every two sets must fit memory, for every distance asked for.
MOST_SETS = 4_000
# What else is written between labels; met where the separator never is, it is told.
USUAL_SEPARATORS = (";", ",", "|")


@dataclass(frozen=True)
class SetKind:
    """A set of labels for each rating."""

    distance: str
    separator: str | None

    by_rater = SetRatings
    scale = None

    @classmethod
    def of(cls, level: str, distance: Any = None, separator: Any = None, **others: Any) -> SetKind:
        """The settings of sets, checked."""
        refuse_settings(level, others)
        if separator is not None and not (isinstance(separator, str) and separator):
            raise SettingError(f"`separator` must be the sign between two labels, not {quoted(separator)}.")
        return cls(chosen("distance", DISTANCES[0] if distance is None else distance, DISTANCES), separator)

    @property
    def choices(self) -> dict[str, str]:
        """The settings to tell the reader."""
        between = SEPARATOR if self.separator is None else self.separator
        return {"Level of measurement": LEVEL, "Distance of sets": self.distance, "Between labels": between}

    def roles(self, columns: Sequence[str], named: Mapping[str, Any]) -> RatingRoles:
        """Where the ratings are; their cells are sets."""
        if named.get("batch"):
            raise SettingError('`batch` must be left out at level "sets". Give the column as `slices`.')
        cells = SetCells(SEPARATOR if self.separator is None else self.separator)
        return replace(plain_roles(columns, named, LEVEL), cells=cells)

    def ready(self, rated: Rated, named: bool) -> Rated:
        """The ratings, checked; without names they are sorted within an item."""
        check_number(len(rated.ratings.categories))
        if self.separator is None:
            check_separator(rated.ratings.categories)
        if named:
            return rated
        return replace(rated, ratings=replace(rated.ratings, kinds=unnamed(rated.ratings.kinds, 0), raters=()))

    def statistics(self, rated: Rated, streamed: bool, named: bool) -> tuple[type[Any], ...]:
        """One serves all."""
        return (SetRatings,)

    def check(self, collected: Collected, raters: set[str]) -> None:
        """Refuse more sets than can be compared two by two."""
        check_number(len(collected.labels))

    def derived(self, value: Any) -> Together:
        """The statistic itself."""
        return {SetRatings: value}

    def allows(self, metric: Metric) -> bool:
        """Whether the metric is about sets."""
        return metric.over is SetRatings

    def metrics(self, statistics: Together) -> tuple[Metric, ...]:
        """Agreement of whole sets, by the chosen distance first, and of each label."""
        return OF_SETS[self.distance]

    def unmeasured(self, metric: Metric, raters: int) -> str:
        """Why a metric that was named has no value."""
        return "no rating has a label"

    def pairs(self, collected: Collected, rated: Rated | None) -> Iterator[Pair]:
        """Alpha of every two raters, when there are a few more than two."""
        whole = statistic_in(collected, SetRatings)
        if not 2 < len(whole.raters) <= MOST_PAIRED_RATERS:
            return
        for pair in whole.pairs:
            view = whole.of_raters(pair)
            drawn = Collected(
                statistics={(WHOLE, Wanted(SetRatings, 0)): view.statistic},
                replicates={key: view.of(value) for key, value in collected.replicates.items() if key[0] == WHOLE},
            )
            yield Pair(view.statistic.raters, drawn, view.statistic.shared, OF_SETS[self.distance][:1])

    def labels(self, collected: Collected) -> tuple[str, ...]:
        """The labels that sets are made of."""
        return members(collected.labels)[0]

    def facts(self, collected: Collected, rated: Rated | None) -> dict[str, str]:
        """What the ratings are like."""
        whole: SetRatings = statistic_in(collected, SetRatings)
        used, r = whole.counts > 0, whole.table.ratings
        given = np.asarray(whole.counts @ whole.table.set_uses)
        sizes = whole.table.held.sum(1)
        each = r[used]
        return {
            "Items": f"{whole.rows:,}",
            **({"Raters": f"{len(whole.raters):,}"} if whole.raters else {}),
            "Items with two ratings or more": f"{round(float(whole.paired)):,}",
            "Ratings of an item": f"{int(each.min(initial=99))} to {int(each.max(initial=0))}, "
            f"{float(ratio(whole.counts @ r, whole.counts.sum())):.2f} on average",
            "Different sets": f"{len(whole.table.sets):,}, of {len(whole.categories):,} labels",
            "Labels in a set": f"{int(sizes.min(initial=99))} to {int(sizes.max(initial=0))}, "
            f"{float(ratio(given @ sizes, given.sum())):.2f} on average",
        }

    def panels(self, page: Page) -> Panels:
        """Who differs, on which labels and items."""
        return set_panels(page, self.distance)


def check_number(sets: int) -> None:
    """Refuse more sets than can be compared two by two."""
    if sets > MOST_SETS:
        raise BadValue(
            f"Ratings must be at most {MOST_SETS:,} different sets of labels, but there are {sets:,}. "
            "Group the rare labels, or leave out columns that are not labels."
        )


def check_separator(sets: tuple[str, ...]) -> None:
    """Labels that look like several, where no set has more than one, were not cut."""
    if any(len(labels_in(one)) > 1 for one in sets):
        return
    labels, _ = members(sets)
    for sign in USUAL_SEPARATORS:
        if like := [label for label in labels if sign in label]:
            raise SettingError(
                f"`separator` must be the sign between labels: no rating has {quoted(SEPARATOR)}, but "
                f"{quoted(like[0])} has {quoted(sign)}. Give separator={quoted(sign)}, or, if these are single "
                f"labels, separator={quoted(SEPARATOR)}."
            )
