"""Ratings that are labels, grades or measurements: one value for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from adjudge.data.facts import Facts
from adjudge.data.judgements.labels import ordered_labels
from adjudge.diagnosis.checks.check import Check
from adjudge.diagnosis.checks.labels import names, unknown
from adjudge.diagnosis.checks.pairs import made_checks, pair_checks
from adjudge.diagnosis.checks.raters import (
    apart_raters,
    facts_of_vectors,
    has_direction,
    rater_checks,
    raters_elsewhere,
    reversed_raters,
    split_raters,
)
from adjudge.diagnosis.checks.renamed import renamed_ratings
from adjudge.diagnosis.checks.scales import order_of_scale, scale_checks
from adjudge.engines.base import Collected
from adjudge.evaluation.declaration import Follows, Given
from adjudge.evaluation.panels import Panels
from adjudge.evaluation.request import Request
from adjudge.evaluation.take_away.tables import Part
from adjudge.inference.resampling import Together
from adjudge.metrics.base import Metric
from adjudge.statistics.base import AnyStatistic, ratio
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.ratings.items import RatedItems
from adjudge.statistics.ratings.patterns import Patterns
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.tasks.agreement.by_measurement import BY_MEASUREMENT, CONTINUOUS, CONTINUOUS_OF_TWO, NUMBERS, OF_TWO
from adjudge.tasks.agreement.checks import (
    MOST_CATEGORIES,
    check_labels,
    check_model,
    check_streamed,
    checked_scale,
    refuse_parts,
)
from adjudge.tasks.agreement.items import label_table
from adjudge.tasks.agreement.label_panels import agreement_panels
from adjudge.tasks.agreement.rater_panels import RatingPage
from adjudge.tasks.agreement.reading import CROWD, EVERYBODY, LABELS, RATERS, RatingReading, roles_of
from adjudge.tasks.agreement.study import RatingStudy, draws_raters, with_item_rows

# What a rater says of an item that was not rated; "unsure" and the like are answers.
SKIPPED = ("skip", "skipped", "no rating", "not seen", "no answer", "keine antwort", "sin respuesta", "sans réponse")


@dataclass(frozen=True)
class LabelStudy(RatingStudy):
    """One value for each rating, at a level of measurement."""

    model: str | None = None

    by_rater = RatingVectors
    about = "labels that raters give"
    takes = ("scale", "model")

    @classmethod
    def of(cls, columns: Sequence[str], roles: Given, measurement: str, given: Given) -> LabelStudy:
        """The roles and settings, checked."""
        refuse_parts(measurement, roles)
        reading = RatingReading(
            **roles_of(columns, roles),
            scale=checked_scale(given.get("scale")),
            most=MOST_CATEGORIES if measurement in NUMBERS else None,
        )
        return cls(reading.checked(columns), measurement, draws_raters(given), given.get("model"))

    def is_crowded(self, facts: Facts) -> bool:
        """Whether ratings are numbers with too many values to be categories."""
        many = CROWD in facts.seen or len(facts.seen.get(LABELS, ())) > MOST_CATEGORIES
        return self.measurement in NUMBERS and many

    def told_apart(self, facts: Facts, statistic: type[AnyStatistic]) -> bool:
        """Patterns of too many categories say nothing."""
        return statistic is not Patterns or not self.is_crowded(facts)

    def compares_pairs(self, facts: Facts) -> bool:
        """Kappa takes categories."""
        return not self.is_crowded(facts)

    def check(self, request: Request, facts: Facts) -> None:
        """Refuse labels that do not fit the measurement, and a model that rated nothing."""
        check_labels(self.measurement, self.reading.scale, facts.seen.get(LABELS, ()))
        check_streamed(self.is_crowded(facts) and not request.engine.holds_table)

    def judge(self, request: Request, collected: Collected) -> None:
        """Refuse what only the whole table shows."""
        super().judge(request, collected)
        check_model(self.model, collected.facts.seen[RATERS])

    def checks(self, request: Request, collected: Collected) -> Iterator[Check]:
        """What looks like a mistake in labels and in who gave them."""
        yield from super().checks(request, collected)
        labels = ordered_labels(collected.facts.seen.get(LABELS, ()))
        vectors: RatingVectors | None = collected.find(EVERYBODY, RatingVectors)
        yield from unknown("the ratings", labels, SKIPPED)
        if self.measurement not in NUMBERS:
            patterns = collected.sums_of(EVERYBODY, Patterns)
            of_one = np.nan_to_num(ratio(patterns.sums.ratings, patterns.sums.shares.sum()))
            times = patterns.sums.shares * float(of_one)
            check = names("Ratings", labels, times)
            yield from [] if check is None else [check]
        if vectors is not None:
            measured = self.measurement in NUMBERS
            of_raters = [*rater_checks(vectors, measured=measured), *apart_raters(vectors)]
            yield from of_raters
            counts = any(check.key == "C23" for check in of_raters)
            if self.measurement != "nominal" or (has_direction(vectors) and not counts):
                yield from reversed_raters(vectors)
            yield from raters_elsewhere(vectors) if measured else ()
            if self.measurement == "nominal":  # of points with an order, a rater may be stricter by one
                yield from renamed_ratings(vectors)
            elif self.reading.scale is not None:
                yield from order_of_scale(vectors)
        if vectors is not None and not self.reading.is_wide:
            yield from split_raters(vectors)
            together = facts_of_vectors(vectors)
            yield from made_checks(together, vectors.raters)
            yield from scale_checks(together, vectors.raters)
            yield from pair_checks(together, vectors.raters)

    def sums(self, request: Request) -> tuple[tuple[type[AnyStatistic], object], ...]:
        """Patterns serve most coefficients; vectors know who said what."""
        vectors = ((RatingVectors, MOST_CATEGORIES),) if self.named(request) else ()
        return ((Patterns, MOST_CATEGORIES), *vectors)

    def derive(self, value: object) -> Together:
        """The statistic and, for two raters, the table that follows from it."""
        statistics: Together = {type(value): value}
        if isinstance(value, RatingVectors) and len(value.raters) == 2 and value.numbers is None:
            squares = replace(value, counts=value.squares).pair_counts[0]
            statistics[Confusion] = Confusion(value.categories, value.pair_counts[..., 0, :, :], squares, value.rows)
        return statistics

    def is_about(self, metric: Metric) -> bool:
        """Whether the metric is about raters."""
        of_two = {metric.name for metrics in OF_TWO.values() for metric in metrics}
        return metric.over in (Patterns, RatingVectors) or metric.name in of_two

    def fitting(self, collected: Collected) -> tuple[Metric, ...]:
        """What the level of measurement asks for, by any number of raters or by two."""
        two = len(self.raters(collected)) == 2
        if self.is_crowded(collected.facts):
            return CONTINUOUS + (CONTINUOUS_OF_TWO if two else ())
        return BY_MEASUREMENT[self.measurement] + (OF_TWO[self.measurement] if two else ())

    def of_two(self) -> tuple[Metric, ...]:
        """Kappa, by squared distances where categories have an order."""
        has_order = self.measurement in ("ordinal", *NUMBERS)
        return (OF_TWO[self.measurement][1 if has_order else 0],)

    def unmeasured(self, metric: Metric, raters: int) -> str:
        """Why a metric that was named has no value."""
        reasons: dict[type[object], str] = {
            Confusion: f"it compares two raters, and there are {raters}",
            Patterns: f"it takes at most {MOST_CATEGORIES} categories, and there are more",
        }
        return reasons.get(metric.over, 'streamed ratings in rows do not tell raters apart; use engine="memory"')

    def pair_of(self, collected: Collected, pair: tuple[int, int]) -> Follows:
        """The items that both of two raters rated."""
        return partial(_of_both, pair=pair)

    def categories(self, collected: Collected) -> tuple[str, ...]:
        """The labels that were seen; numbers too many to be labels are not told one by one."""
        return () if self.is_crowded(collected.facts) else super().categories(collected)

    def settings(self) -> dict[str, str]:
        """The settings to tell the reader."""
        return {"Level of measurement": self.measurement}

    def described(self, collected: Collected) -> dict[str, str]:
        """How many items, pairs, ratings, raters and categories there are."""
        items = {"Items": f"{collected.facts.used:,}"}
        if self.is_crowded(collected.facts):
            return items | {"Raters": f"{len(collected.facts.seen[RATERS]):,}"}
        patterns = collected.sums_of(EVERYBODY, Patterns)
        each = patterns.patterns.sum(1)
        rated, sums = each[patterns.counts > 0], patterns.sums
        return items | {
            "Items with two ratings or more": f"{round(float(patterns.counts[each >= 2].sum())):,}",
            "Ratings of an item": f"{int(rated.min(initial=99))} to {int(rated.max(initial=0))}, "
            f"{float(ratio(sums.ratings, sums.items)):.2f} on average",
            "Categories used": f"{int((sums.shares > 0).sum())} of {len(patterns.categories)}",
        }

    def item_table(self, name: str, items: RatedItems) -> Part:
        """A table of items to take away."""
        return label_table(name, items, self.measurement)

    def pictures(self, page: RatingPage) -> Panels:
        """The annotation lead's page."""
        items = page.rated
        return agreement_panels(
            items.ratings,
            items.names,
            measurement=self.measurement,
            settings=page.bootstrap,
            level=page.level,
            batches=items.batches,
            model=self.model,
            weights=items.weight,
            clusters=items.keys if page.whole.clustered else None,
        )


def _of_both(vectors: RatingVectors, pair: tuple[int, int]) -> RatingVectors:
    """Two raters, by place, on the items that both rated."""
    two = vectors.of_raters(pair).joined
    counts, squares = (np.where(two.complete, amounts, 0.0) for amounts in (two.counts, two.squares))
    both: RatingVectors = with_item_rows(replace(two, counts=counts, squares=squares), round(float(counts.sum())))
    return both
