"""Ratings that are labels, grades or measurements: one value for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from adjudge.data.collect_ratings import Rated, RatingRoles
from adjudge.engines.base import Collected
from adjudge.errors import SettingError
from adjudge.evaluation.agree_checks import (
    MOST_CATEGORIES,
    NUMBERS,
    check_model,
    check_ratings,
    check_size,
    checked_scale,
)
from adjudge.evaluation.agree_facts import found_in
from adjudge.evaluation.agree_kind import MOST_PAIRED_RATERS, Page, Pair, plain_roles, refuse_settings
from adjudge.evaluation.agree_sums import of_pair, vectors_in
from adjudge.evaluation.agreement_panels import agreement_panels
from adjudge.evaluation.panels import Panels
from adjudge.inference.resampling import Together
from adjudge.metrics.base import Metric
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.patterns import Patterns
from adjudge.statistics.rating_vectors import RatingVectors
from adjudge.tasks.agreement import BY_LEVEL, CONTINUOUS, CONTINUOUS_OF_TWO, OF_TWO


@dataclass(frozen=True)
class LabelKind:
    """One value for each rating, at a level of measurement."""

    level: str
    scale: tuple[Any, ...] | None
    model: str | None

    by_rater = RatingVectors

    @classmethod
    def of(cls, level: str, scale: Any = None, model: str | None = None, **others: Any) -> LabelKind:
        """The settings of labels, checked."""
        refuse_settings(level, others)
        return cls(level, checked_scale(scale), model)

    @property
    def choices(self) -> dict[str, str]:
        """The settings to tell the reader."""
        return {"Level of measurement": self.level}

    def roles(self, columns: Sequence[str], named: Mapping[str, Any]) -> RatingRoles:
        """Where the ratings are."""
        return plain_roles(columns, named, self.level)

    def ready(self, rated: Rated, named: bool) -> Rated:
        """The ratings as they are, checked."""
        check_ratings(self.level, self.scale, rated)
        return rated

    def _continuous(self, categories: tuple[str, ...]) -> bool:
        return self.level in NUMBERS and len(categories) > MOST_CATEGORIES

    def statistics(self, rated: Rated, streamed: bool, named: bool) -> tuple[type[Any], ...]:
        """Patterns serve labels; vectors need the same raters in every block."""
        continuous = self._continuous(rated.ratings.categories)
        if continuous and streamed:
            raise SettingError(
                f"Streamed numbers must have at most {MOST_CATEGORIES} different values, but there are more. "
                'Use engine="memory".'
            )
        return (*([] if continuous else [Patterns]), *([RatingVectors] if named else []))

    def check(self, collected: Collected, raters: set[str]) -> None:
        """Refuse a model that rated nothing, and too many labels."""
        check_model(self.model, raters)
        check_size(self.level, len(collected.labels))

    def derived(self, value: Any) -> Together:
        """The statistic and, for two raters, the table that follows from it."""
        found: Together = {type(value): value}
        if isinstance(value, RatingVectors) and len(value.raters) == 2 and len(value.categories) <= MOST_CATEGORIES:
            squares = replace(value, counts=value.squares).pair_counts[0]
            found[Confusion] = Confusion(value.categories, value.pair_counts[..., 0, :, :], squares, value.rows)
        return found

    def allows(self, metric: Metric) -> bool:
        """Whether the metric is about raters."""
        of_two = {metric.name for level in OF_TWO.values() for metric in level}
        return metric.over in (Patterns, RatingVectors) or metric.name in of_two

    def metrics(self, statistics: Together) -> tuple[Metric, ...]:
        """What the level of measurement is asked, by any number of raters or by two."""
        vectors = statistics.get(RatingVectors)
        two = vectors is not None and len(vectors.raters) == 2
        if vectors is not None and self._continuous(vectors.categories):
            return CONTINUOUS + (CONTINUOUS_OF_TWO if two else ())
        return tuple(dict.fromkeys(BY_LEVEL[self.level] + (OF_TWO[self.level] if two else ())))

    def unmeasured(self, metric: Metric, raters: int) -> str:
        """Why a metric that was named has no value."""
        reasons: dict[type[Any], str] = {
            Confusion: f"it compares two raters, and there are {raters}",
            Patterns: f"it takes at most {MOST_CATEGORIES} categories, and there are more",
        }
        return reasons.get(metric.over, 'streamed ratings in rows do not tell raters apart; use engine="memory"')

    def pairs(self, collected: Collected, rated: Rated | None) -> Iterator[Pair]:
        """The kappa of every two raters, when there are a few more than two."""
        vectors = vectors_in(collected)
        if vectors is None or not 2 < len(vectors.raters) <= MOST_PAIRED_RATERS:
            return
        if self._continuous(vectors.categories):
            return
        kappa = OF_TWO[self.level][1 if self.level in ("ordinal", *NUMBERS) else 0]
        for pair in vectors.pairs:
            drawn = of_pair(collected, pair)
            two = vectors_in(drawn)
            assert two is not None
            yield Pair(two.raters, drawn, round(float(two.counts.sum())), (kappa,))

    def labels(self, collected: Collected) -> tuple[str, ...]:
        """The labels that were seen."""
        return collected.labels

    def facts(self, collected: Collected, rated: Rated | None) -> dict[str, str]:
        """What the ratings are like."""
        return found_in(collected)

    def panels(self, page: Page) -> Panels:
        """The annotation lead's page."""
        rated = page.rated
        return agreement_panels(
            rated.ratings,
            list(rated.items),
            level_of_measurement=self.level,
            settings=page.bootstrap,
            level=page.level,
            batches=None if rated.batches is None else [rated.batches.categories[code] for code in rated.batches.codes],
            model=self.model,
            weights=None if rated.weight is None else rated.weight / rated.weight.mean(),
            clusters=rated.keys if page.whole.clustered else None,
        )
