"""Teams of raters, a table each, on the same items: how much better one agrees than another, and its doubt."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.source import Source
from adjudge.data.systems import as_list
from adjudge.data.tables.joining import ENOUGH_IN_COMMON
from adjudge.errors import InputError, SettingError, listed, percent, quoted
from adjudge.evaluation.asking.settings import Progress
from adjudge.evaluation.comparison.settings import OF_COMPARISONS, comparing
from adjudge.evaluation.comparison.side_by_side import side_by_side
from adjudge.evaluation.declaration import Given, Task
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.request import Request, request
from adjudge.evaluation.results import WHOLE_NAME, Row
from adjudge.evaluation.walk import collect, measure
from adjudge.inference.differences.paired_coefficients import comparable, paired_difference
from adjudge.metrics.catalogue import parse
from adjudge.statistics.ratings.items import RatedItems
from adjudge.tasks.agreement.reading import EVERYBODY, ITEMS

PAIRED_DRAWS = "paired draws of items"


def compare_teams(task: Task, tables: Mapping[str, Source], given: Mapping[str, object], progress: Progress) -> Outcome:
    """Each table's raters by themselves, and their differences, by item where the tables name their items."""
    alike = {name: value for name, value in given.items() if name not in OF_COMPARISONS}
    requests = {name: request(task, source, **_own(name, source, alike)) for name, source in tables.items()}
    sums = {name: collect(one, progress) for name, one in requests.items()}
    outcomes = {name: measure(requests[name], sums[name], progress) for name in requests}
    how = comparing(task, given)
    items = {name: sums[name].find(ITEMS, RatedItems) for name in requests}
    if given.get("item") is None or any(one is None for one in items.values()):
        return side_by_side(outcomes, task, "there is no `item` to join the tables by", how)
    teams = _Teams(task, requests, {name: one for name, one in items.items() if one is not None})
    shared, fewest = len(teams.shared), min(len(one.names) for one in teams.items.values())
    if not shared:
        raise InputError(
            f"The tables must have items in common to be compared, but {listed(tables)} have none. Check the names."
        )
    if shared < ENOUGH_IN_COMMON * fewest:
        return side_by_side(
            outcomes, task, f"the tables have {shared:,} items in common, {percent(shared / fewest)}", how
        )
    return side_by_side(outcomes, task, f"paired by item: {shared:,} items in all tables", how, teams.difference)


def _own(name: str, source: Source, given: Given) -> dict[str, object]:
    """What is asked of one table: of the raters that were named those it has."""
    raters = given.get("raters")
    if raters is None:
        return dict(given)
    here = [one for one in as_list(raters) if one in source.column_names]
    if len(here) < 2:
        raise SettingError(
            f"`raters` must name at least two columns of each table, but {quoted(name)} has {listed(here) or 'none'}."
        )
    return {**given, "raters": here}


@dataclass(frozen=True)
class _Teams:
    """The items of each team."""

    task: Task
    requests: Mapping[str, Request]
    items: Mapping[str, RatedItems]

    @property
    def shared(self) -> list[str]:
        """The items that all have, in the order of the first."""
        first, *others = self.items.values()
        known = [set(one.names) for one in others]
        return [name for name in first.names if all(name in names for names in known)]

    def difference(self, first: str, second: str, row: Row) -> Row | None:
        """A coefficient of the second team less that of the first, on the items of both; None where it has none."""
        metric = parse(row.metric, self.task.metrics)
        if row.slice != WHOLE_NAME or row.system != EVERYBODY or not comparable(metric):
            return None
        before, after = self.items[first], self.items[second]
        places = [self._places(name) for name in (first, second)]
        settings = self.requests[first]
        weights = None if before.weight is None else before.weight[places[0]]
        difference, p = paired_difference(
            metric,
            before.ratings.of_rows(places[0]),
            after.ratings.of_rows(places[1]),
            settings.level,
            settings.bootstrap,
            weights=weights,
            keys=before.keys[places[0]] if settings.study.clustered else None,
        )
        known = not math.isnan(p)
        return replace(
            row,
            estimate=difference.value,
            low=difference.interval.low,
            high=difference.interval.high,
            level=difference.interval.level,
            method=f"paired_{difference.method}" if difference.method != "none" else "none",
            n=difference.n,
            note="" if difference.method != "none" else difference.note,
            test=PAIRED_DRAWS if known else None,
            p=p if known else None,
        )

    def _places(self, name: str) -> NDArray[np.int64]:
        place = {item: number for number, item in enumerate(self.items[name].names)}
        return np.array([place[item] for item in self.shared], dtype=np.int64)
