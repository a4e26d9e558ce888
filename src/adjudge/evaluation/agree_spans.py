"""Ratings that are spans of text: tags, lists of spans, or a row for each span."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from adjudge.data.collect_ratings import Rated, RatingRoles, rating_roles
from adjudge.data.span_cells import annotations_of_cells, gathered, whole_cell
from adjudge.data.tags import MODES, SCHEMES, Annotations, TagReport
from adjudge.engines.base import WHOLE, Collected, Wanted
from adjudge.errors import BadValue, ColumnNotFound, SettingError, quoted
from adjudge.evaluation.agree_kind import MOST_PAIRED_RATERS, Page, Pair, chosen, refuse_settings, statistic_in
from adjudge.evaluation.panels import Panels
from adjudge.evaluation.span_panels import span_panels
from adjudge.inference.resampling import Together
from adjudge.metrics.base import Metric
from adjudge.statistics.base import ratio
from adjudge.statistics.spans import FIELDS, SpanCounts
from adjudge.tasks.agreement import OF_SPANS

LEVEL = "spans"
PARTS = ("start", "end", "label")
# Counts of an item's spans by every two raters must fit memory.
MOST_COUNTS = 2**27
TREATED = {"conll": "kept as spans", "strict": "left out", "strict-penalise": "counted as spans that match nothing"}


@dataclass(frozen=True)
class SpanKind:
    """Spans of an item for each rating."""

    scheme: str
    mode: str

    by_rater = SpanCounts
    scale = None

    @classmethod
    def of(cls, level: str, scheme: Any = None, mode: Any = None, **others: Any) -> SpanKind:
        """The settings of spans, checked."""
        refuse_settings(level, others)
        how = chosen("scheme", "bio" if scheme is None else scheme, tuple(SCHEMES))
        return cls(how, chosen("mode", "strict-penalise" if mode is None else mode, MODES))

    @property
    def choices(self) -> dict[str, str]:
        """The settings to tell the reader."""
        return {"Level of measurement": LEVEL, "Tags": f"{self.scheme}, {self.mode}"}

    def roles(self, columns: Sequence[str], named: Mapping[str, Any]) -> RatingRoles:
        """Where the spans are: in cells, or a row for each."""
        given = {name: column for name, column in named.items() if column is not None}
        if "batch" in given:
            raise SettingError('`batch` must be left out at level "spans". Give the column as `slices`.')
        parts = {role: str(given.pop(role)) for role in PARTS if role in given}
        if not parts:
            return replace(rating_roles(columns, **given), cells=whole_cell)
        if not {"start", "end"} <= set(parts) or "rating" in given or given.get("raters"):
            raise SettingError(
                "Spans in rows must have `item`, `rater`, `start`, `end` and, if there are several, `label`. "
                "Spans in cells have `raters`, or `item`, `rater` and `rating`."
            )
        for role, name in parts.items():
            if name not in columns:
                raise ColumnNotFound(role, name, columns)
        return replace(rating_roles(columns, rating=parts["start"], **given), also=parts, gather=gathered)

    def ready(self, rated: Rated, named: bool) -> Rated:
        """The spans of every rater; malformed tags that are dropped are counted."""
        if len(rated.ratings.raters) < 2 and len(rated.ratings):
            raise BadValue(
                f"Spans must be marked by two raters at least, but all are of {quoted(rated.ratings.raters[0])}. "
                "Add the rows of another, or look at `rater`."
            )
        found = annotations_of_cells(rated.ratings, rated.items, self.scheme, self.mode)
        pairs = len(found.annotators) * (len(found.annotators) - 1) // 2
        if len(found) * pairs * FIELDS * max(1, len(found.categories)) > MOST_COUNTS:
            raise BadValue(
                f"Items × pairs of raters × labels must be at most {MOST_COUNTS // FIELDS:,} for spans, but there are "
                f"{len(found):,} × {pairs:,} × {len(found.categories):,}. Name fewer raters, or group the rare labels."
            )
        dropped = found.report.malformed_chunks if self.mode == "strict" else 0
        reason = {"a malformed chunk of tags (not a row)": dropped} if dropped else {}
        return replace(rated, ratings=found, left_out={**rated.left_out, **reason})

    def statistics(self, rated: Rated, streamed: bool, named: bool) -> tuple[type[Any], ...]:
        """One serves all."""
        if streamed:
            raise SettingError('Spans must be read at once, not streamed. Use engine="memory".')
        return (SpanCounts,)

    def check(self, collected: Collected, raters: set[str]) -> None:
        """Nothing more than what was checked in the reading."""

    def derived(self, value: Any) -> Together:
        """The statistic itself."""
        return {SpanCounts: value}

    def allows(self, metric: Metric) -> bool:
        """Whether the metric is about spans."""
        return metric.over is SpanCounts

    def metrics(self, statistics: Together) -> tuple[Metric, ...]:
        """F of every two raters by every rule of match, over all labels and for each."""
        return OF_SPANS

    def unmeasured(self, metric: Metric, raters: int) -> str:
        """Why a metric that was named has no value."""
        return "no rater marked a span"

    def pairs(self, collected: Collected, rated: Rated | None) -> Iterator[Pair]:
        """F of every two raters, when there are a few more than two."""
        whole = statistic_in(collected, SpanCounts)
        if rated is None or not 2 < len(whole.raters) <= MOST_PAIRED_RATERS:
            return
        flags = [spans.annotated for spans in rated.ratings.annotators]
        for first, second in combinations(range(len(whole.raters)), 2):
            view = whole.of_raters([first, second])
            drawn = Collected(
                statistics={(WHOLE, Wanted(SpanCounts, 0)): view.statistic},
                replicates={key: view.of(value) for key, value in collected.replicates.items() if key[0] == WHOLE},
            )
            yield Pair(view.statistic.raters, drawn, int((flags[first] & flags[second]).sum()), OF_SPANS[:1])

    def labels(self, collected: Collected) -> tuple[str, ...]:
        """The labels of spans."""
        return collected.labels

    def facts(self, collected: Collected, rated: Rated | None) -> dict[str, str]:
        """What the ratings are like."""
        assert rated is not None
        found: Annotations = rated.ratings
        flags = np.stack([spans.annotated for spans in found.annotators], axis=1)
        marked = sum(len(spans.document) for spans in found.annotators)
        return {
            "Items": f"{len(found):,}",
            "Raters": f"{len(found.annotators):,}",
            "Items read by two raters or more": f"{int((flags.sum(1) >= 2).sum()):,}",
            "Spans": f"{marked:,}, {float(ratio(marked, flags.sum())):.2f} in a rating on average",
            **self._tags(found.report),
        }

    def _tags(self, report: TagReport) -> dict[str, str]:
        if not report.tags:
            return {}
        chunks = f"{report.malformed_chunks:,} chunk{'s' if report.malformed_chunks > 1 else ''}"
        told = f"{report.malformed_tags:,} of {report.tags:,} tags, in {chunks}"
        return {"Malformed tags": f"{told}, {TREATED[self.mode]}" if report.malformed_tags else f"0 of {report.tags:,}"}

    def panels(self, page: Page) -> Panels:
        """Who differs, on which labels and items."""
        return span_panels(page)
