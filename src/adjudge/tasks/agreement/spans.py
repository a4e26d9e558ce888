"""Ratings that are spans of text: tags, lists of spans, or a row for each span."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from adjudge.data.cleaning import check_columns, text_column
from adjudge.data.facts import Facts
from adjudge.data.judgements.annotations import Annotations, TagReport
from adjudge.data.judgements.span_cells import SPANS, annotations_of_cells, check_writing, gathered
from adjudge.data.judgements.tags import MODES, SCHEMES
from adjudge.data.reading import Block
from adjudge.data.source import Batch, Text
from adjudge.diagnosis.checks.check import Check
from adjudge.diagnosis.checks.raters import unmarked
from adjudge.diagnosis.checks.spans import span_checks
from adjudge.engines.base import Collected, Tally
from adjudge.errors import BadValue, SettingError, quoted
from adjudge.evaluation.declaration import Follows, Given
from adjudge.evaluation.panels import Panels
from adjudge.evaluation.request import Request
from adjudge.evaluation.take_away.tables import Part
from adjudge.metrics.base import Metric
from adjudge.statistics.base import AnyStatistic, ratio
from adjudge.statistics.ratings.items import RatedItems
from adjudge.statistics.ratings.spans import FIELDS, SpanCounts
from adjudge.tasks.agreement.by_measurement import OF_SPANS
from adjudge.tasks.agreement.checks import PARTS_OF_SPANS, choice_of, refuse_batch
from adjudge.tasks.agreement.items import span_table
from adjudge.tasks.agreement.rater_panels import RatingPage
from adjudge.tasks.agreement.reading import (
    ITEMS,
    LABELS,
    RATERS,
    WRITINGS,
    ItemRatings,
    RatingReading,
    in_use,
    roles_of,
)
from adjudge.tasks.agreement.span_panels import span_panels
from adjudge.tasks.agreement.study import RatingStudy, draws_raters, with_item_rows

# Who saw an item of which there is a row for each span: raters who have one, or all.
SEEN_BY = ("marked", "all")


@dataclass(frozen=True)
class SpanReading(RatingReading):
    """The same for spans: cells hold tags or lists of spans, or each span has a row."""

    scheme: str = "bio"
    mode: str = "strict-penalise"
    seen_by: str = SEEN_BY[0]
    everybody: tuple[str, ...] = ()  # who read every item, once all raters are known

    def settled(self, facts: Facts) -> SpanReading:
        """The same with all raters, where all of them read all items."""
        raters = tuple(sorted(facts.seen.get(RATERS, ()))) if self.seen_by == "all" else ()
        return self if raters == self.everybody else replace(self, everybody=raters)

    @property
    def holds_lists(self) -> bool:
        """Cells of tags or spans may be lists."""
        return not self.parts

    def read(self, batch: Batch, first_row: int) -> Block:
        """The items of a batch; the spans of one rater in one item are one rating."""
        if not self.parts:
            return super().read(batch, first_row)
        ratings, left_out = gathered(batch, (str(self.item), str(self.rater)), self.parts)
        block = RatingReading.read(replace(self, rating=SPANS, parts={}), ratings, first_row)
        counts = {**block.facts.left_out, **left_out}
        return replace(block, facts=replace(block.facts, read=batch.rows, left_out=counts))

    def _said(self, batch: Batch, name: str) -> tuple[Text, frozenset[str]]:
        """A column of tags or spans, as written."""
        return in_use(text_column(batch, name)), frozenset()

    def judged(self, items: ItemRatings) -> tuple[Annotations, dict[str, frozenset[str]], dict[str, int]]:
        """The spans of every rater; malformed tags that are dropped are counted."""
        marked, writing = annotations_of_cells(items.ratings, items.names, self.scheme, self.mode)
        marked = marked.read_by(self.everybody) if self.everybody else marked
        dropped = marked.report.malformed_chunks if self.mode == "strict" and marked.annotators else 0
        met = {LABELS: marked.categories, RATERS: marked.rated_by, WRITINGS: [writing] if writing else []}
        left_out = {"a malformed chunk of tags (not a row)": dropped} if dropped else {}
        return marked, {name: frozenset(values) for name, values in met.items()}, left_out


# Counts of an item's spans by every two raters must fit memory.
MOST_COUNTS = 2**27
NOT_READ = 'an item without a row of a rater counts as not read by that rater; seen_by="all" counts it as unmarked'
TREATED = {"conll": "kept as spans", "strict": "left out", "strict-penalise": "counted as spans that match nothing"}


@dataclass(frozen=True)
class SpanStudy(RatingStudy):
    """Spans of an item for each rating."""

    scheme: str = "bio"
    mode: str = "strict-penalise"

    by_rater = SpanCounts
    about = "spans"
    takes = ("scheme", "mode", "seen_by")

    @classmethod
    def of(cls, columns: Sequence[str], roles: Given, measurement: str, given: Given) -> SpanStudy:
        """The roles and settings, checked."""
        scheme = choice_of(given, "scheme", SCHEMES, "bio")
        mode = choice_of(given, "mode", MODES, "strict-penalise")
        refuse_batch(measurement, roles)
        seen_by = choice_of(given, "seen_by", SEEN_BY, SEEN_BY[0])
        reading = SpanReading(**_where(columns, roles), scheme=scheme, mode=mode, seen_by=seen_by)
        reading.checked(columns)
        return cls(reading, measurement, draws_raters(given), scheme, mode)

    def tallies(self, request: Request, first: Block) -> tuple[Tally, ...]:
        """The counts of spans; matching them takes the table at hand."""
        if not request.engine.holds_table:
            raise SettingError('Spans must be read at once, not streamed. Use engine="memory".')
        return super().tallies(request, first)

    def judge(self, request: Request, collected: Collected) -> None:
        """Refuse what only the whole table shows."""
        super().judge(request, collected)
        raters = sorted(collected.facts.seen[RATERS])
        if len(raters) < 2:
            raise BadValue(
                f"Spans must be marked by at least two raters, but all are by {quoted(raters[0])}. "
                "Add the rows of another, or check `rater`."
            )

    def checks(self, request: Request, collected: Collected) -> Iterator[Check]:
        """What looks like a mistake in any ratings, and items that may have been read."""
        yield from super().checks(request, collected)
        items = collected.find(ITEMS, RatedItems)
        if items is not None:
            yield from span_checks(items.annotations)
        if self.unread(collected):
            yield from unmarked(collected.sums_of(ITEMS, RatedItems).annotations)

    def unread(self, collected: Collected) -> bool:
        """Whether a rater without a row of an item counts as not having read it, and there is such a one."""
        marked = collected.sums_of(ITEMS, RatedItems).annotations
        reading = self.reading
        by_span = bool(reading.parts) and getattr(reading, "seen_by", "") != "all"
        return by_span and not all(spans.annotated.all() for spans in marked.annotators)

    def notes(self, collected: Collected) -> str:
        """What stands beside every number."""
        return NOT_READ if self.unread(collected) else ""

    def check(self, request: Request, facts: Facts) -> None:
        """Refuse tags beside lists, and more counts than fit memory."""
        check_writing(facts.seen.get(WRITINGS, ()))
        raters, labels = (len(facts.seen.get(what, ())) for what in (RATERS, LABELS))
        pairs = raters * (raters - 1) // 2
        if facts.used * pairs * FIELDS * max(1, labels) > MOST_COUNTS:
            raise BadValue(
                f"Items × pairs of raters × labels must be at most {MOST_COUNTS // FIELDS:,} for spans, but there are "
                f"{facts.used:,} × {pairs:,} × {labels:,}. Name fewer raters, or group the rare labels."
            )

    def sums(self, request: Request) -> tuple[tuple[type[AnyStatistic], object], ...]:
        """One serves all."""
        return ((SpanCounts, None),)

    def fitting(self, collected: Collected) -> tuple[Metric, ...]:
        """F of every two raters by every rule of match, over all labels and for each."""
        return OF_SPANS

    def of_two(self) -> tuple[Metric, ...]:
        """Strict F."""
        return OF_SPANS[:1]

    def unmeasured(self, metric: Metric, raters: int) -> str:
        """Why a metric that was named has no value."""
        return "no rater marked a span"

    def pair_of(self, collected: Collected, pair: tuple[int, int]) -> Follows:
        """The items that both of two raters read."""
        marked = collected.sums_of(ITEMS, RatedItems).annotations
        first, second = (marked.annotators[place].annotated for place in pair)
        return partial(_of_both, pair=pair, rows=int((first & second).sum()))

    def settings(self) -> dict[str, str]:
        """The settings to tell the reader."""
        seen = {"Items read": "all, by all raters"} if getattr(self.reading, "seen_by", "") == "all" else {}
        return {"Level of measurement": self.measurement, "Tags": f"{self.scheme}, {self.mode}", **seen}

    def described(self, collected: Collected) -> dict[str, str]:
        """How many items, raters, spans and malformed tags there are."""
        marked = collected.sums_of(ITEMS, RatedItems).annotations
        flags = np.stack([spans.annotated for spans in marked.annotators], axis=1)
        spans = sum(len(one.document) for one in marked.annotators)
        return {
            "Items": f"{len(marked):,}",
            "Raters": f"{len(marked.rated_by):,}",
            "Items read by two raters or more": f"{int((flags.sum(1) >= 2).sum()):,}",
            "Spans": f"{spans:,}, {float(ratio(spans, flags.sum())):.2f} in a rating on average",
            **self._tags(marked.report),
        }

    def _tags(self, report: TagReport) -> dict[str, str]:
        if not report.tags:
            return {}
        chunks = f"{report.malformed_chunks:,} chunk{'s' if report.malformed_chunks > 1 else ''}"
        malformed = f"{report.malformed_tags:,} of {report.tags:,} tags, in {chunks}, {TREATED[self.mode]}"
        return {"Malformed tags": malformed if report.malformed_tags else f"0 of {report.tags:,}"}

    def item_table(self, name: str, items: RatedItems) -> Part:
        """A table of items to take away."""
        return span_table(name, items)

    def pictures(self, page: RatingPage) -> Panels:
        """Who differs, on which labels and items."""
        return span_panels(page)


def _where(columns: Sequence[str], roles: Mapping[str, object]) -> Given:
    """Where the spans are, as the fields of a reading: in cells, or a row for each."""
    given = {name: column for name, column in roles.items() if column is not None}
    parts = {role: str(given.pop(role)) for role in PARTS_OF_SPANS if role in given}
    if not parts:
        return roles_of(columns, given)
    if not {"start", "end"} <= set(parts) or "rating" in given or given.get("raters"):
        raise SettingError(
            "Spans in rows must have `item`, `rater`, `start`, `end` and, if there are several, `label`. "
            "Spans in cells have `raters`, or `item`, `rater` and `rating`."
        )
    check_columns(parts.items(), columns)
    return {**roles_of(columns, given), "rating": parts["start"], "parts": parts}


def _of_both(counts: SpanCounts, pair: tuple[int, int], rows: int) -> SpanCounts:
    """Two raters, by place, on the items that both read."""
    return with_item_rows(counts.of_raters(pair).statistic, rows)
