"""Ratings that are sets of labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from adjudge.data.facts import Facts
from adjudge.data.judgements.label_sets import SEPARATOR, SetCells, labels_in, members
from adjudge.data.judgements.labels import ordered_labels
from adjudge.diagnosis.checks.check import Check
from adjudge.diagnosis.checks.labels import doubled, unknown
from adjudge.diagnosis.checks.pairs import copied_sets
from adjudge.diagnosis.checks.several_labels import joined_labels
from adjudge.engines.base import Collected
from adjudge.errors import BadValue, SettingError, quoted
from adjudge.evaluation.declaration import Follows, Given
from adjudge.evaluation.panels import Panels
from adjudge.evaluation.request import Request
from adjudge.evaluation.take_away.tables import Part
from adjudge.metrics.base import Metric
from adjudge.statistics.base import AnyStatistic, ratio
from adjudge.statistics.ratings.items import RatedItems
from adjudge.statistics.ratings.set_distance import DISTANCES
from adjudge.statistics.ratings.set_ratings import SetRatings
from adjudge.tasks.agreement.by_measurement import OF_SETS
from adjudge.tasks.agreement.checks import choice_of, refuse_batch, refuse_parts
from adjudge.tasks.agreement.items import set_table
from adjudge.tasks.agreement.rater_panels import RatingPage
from adjudge.tasks.agreement.reading import EVERYBODY, LABELS, RATERS, RatingReading, roles_of
from adjudge.tasks.agreement.set_panels import set_panels
from adjudge.tasks.agreement.study import RatingStudy, draws_raters, with_item_rows

# Distances of every two sets must fit memory, for every distance asked for.
MOST_SETS = 4_000
# What else is written between labels; met where the separator never is, it is told.
USUAL_SEPARATORS, FEWEST_LISTS = (";", ",", "|", " "), 3


@dataclass(frozen=True)
class SetStudy(RatingStudy):
    """A set of labels for each rating."""

    distance: str = DISTANCES[0]
    separator: str | None = None

    by_rater = SetRatings
    about = "sets of labels"
    takes = ("distance", "separator")

    @classmethod
    def of(cls, columns: Sequence[str], roles: Given, measurement: str, given: Given) -> SetStudy:
        """The roles and settings, checked."""
        separator = given.get("separator")
        if separator is not None and not separator:
            raise SettingError(f"`separator` must be the character between two labels, not {quoted(separator)}.")
        distance = choice_of(given, "distance", DISTANCES, DISTANCES[0])
        refuse_batch(measurement, roles)
        refuse_parts(measurement, roles)
        cells = SetCells(SEPARATOR if separator is None else separator)
        reading = RatingReading(**roles_of(columns, roles), cells=cells).checked(columns)
        return cls(reading, measurement, draws_raters(given), distance, separator)

    def check(self, request: Request, facts: Facts) -> None:
        """Refuse more sets than can be compared two by two, and labels that were not cut."""
        sets = ordered_labels(facts.seen.get(LABELS, ()))
        check_number(len(sets))
        if self.separator is None:
            check_separator(sets)

    def checks(self, request: Request, collected: Collected) -> Iterator[Check]:
        """What looks like a mistake in the labels of sets."""
        yield from super().checks(request, collected)
        labels = ordered_labels({label for one in collected.facts.seen.get(LABELS, ()) for label in labels_in(one)})
        yield from unknown("the sets", labels)
        yield from doubled(labels, {"the sets": labels})
        yield from joined_labels(labels)
        yield from copied_sets(collected.facts.table)

    def sums(self, request: Request) -> tuple[tuple[type[AnyStatistic], object], ...]:
        """One serves all; it must be known whether raters are told apart."""
        return ((SetRatings, self.named(request)),)

    def fitting(self, collected: Collected) -> tuple[Metric, ...]:
        """Agreement of whole sets, by the chosen distance first, and of each label."""
        return OF_SETS[self.distance]

    def of_two(self) -> tuple[Metric, ...]:
        """Alpha."""
        return OF_SETS[self.distance][:1]

    def unmeasured(self, metric: Metric, raters: int) -> str:
        """Why a metric that was named has no value."""
        return "no rating has a label"

    def pair_of(self, collected: Collected, pair: tuple[int, int]) -> Follows:
        """The items that both of two raters rated."""
        return partial(_of_both, pair=pair)

    def categories(self, collected: Collected) -> tuple[str, ...]:
        """The labels that sets are made of."""
        return members(tuple(collected.facts.seen.get(LABELS, ())))[0]

    def settings(self) -> dict[str, str]:
        """The settings to tell the reader."""
        between = SEPARATOR if self.separator is None else self.separator
        return {"Level of measurement": self.measurement, "Distance of sets": self.distance, "Between labels": between}

    def described(self, collected: Collected) -> dict[str, str]:
        """How many items, raters, ratings, sets and labels there are."""
        whole = collected.sums_of(EVERYBODY, SetRatings)
        used, r = whole.counts > 0, whole.table.ratings
        given = np.asarray(whole.counts @ whole.table.set_uses)
        sizes = whole.table.held.sum(1)
        each = r[used]
        return {
            "Items": f"{whole.rows:,}",
            **({"Raters": f"{len(collected.facts.seen[RATERS]):,}"} if whole.raters else {}),
            "Items with two ratings or more": f"{round(float(whole.paired)):,}",
            "Ratings of an item": f"{int(each.min(initial=99))} to {int(each.max(initial=0))}, "
            f"{float(ratio(whole.counts @ r, whole.counts.sum())):.2f} on average",
            "Different sets": f"{len(whole.table.sets):,}, of {len(whole.categories):,} labels",
            "Labels in a set": f"{int(sizes.min(initial=99))} to {int(sizes.max(initial=0))}, "
            f"{float(ratio(given @ sizes, given.sum())):.2f} on average",
        }

    def item_table(self, name: str, items: RatedItems) -> Part:
        """A table of items to take away."""
        return set_table(name, items, self.distance)

    def pictures(self, page: RatingPage) -> Panels:
        """Who differs, on which labels and items."""
        return set_panels(page, self.distance)


def _of_both(ratings: SetRatings, pair: tuple[int, int]) -> SetRatings:
    """Two raters, by place, on the items that both rated."""
    two: SetRatings = ratings.of_raters(pair).statistic
    return two if two.counts.ndim > 1 else with_item_rows(two, two.shared)


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
        like = [label for label in labels if sign in label]
        parts = Counter(part for label in labels for part in set(label.split(sign)))
        again = len(like) >= FEWEST_LISTS and all(parts[part] > 1 for label in like for part in label.split(sign))
        if again if sign == " " else like:  # the words of names hardly all come again
            raise SettingError(
                f"`separator` must be the character between labels: no rating has {quoted(SEPARATOR)}, but "
                f"{quoted(like[0])} has {quoted(sign)}. Give separator={quoted(sign)}, or, if these are single "
                f"labels, separator={quoted(SEPARATOR)}."
            )
