"""How rows become spans that raters marked in items: cells of tags or of spans, or a row for each span."""

from __future__ import annotations

from dataclasses import dataclass, replace

from adjudge.data.cleaning import text_column
from adjudge.data.facts import Facts
from adjudge.data.judgements.annotations import Annotations
from adjudge.data.judgements.span_cells import SPANS, annotations_of_cells, gathered
from adjudge.data.reading import Block
from adjudge.data.source import Batch, Text
from adjudge.tasks.agreement.reading import LABELS, RATERS, WRITINGS, ItemRatings, RatingReading, in_use

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
        met = {LABELS: marked.categories, RATERS: marked.raters, WRITINGS: [writing] if writing else []}
        left_out = {"a malformed chunk of tags (not a row)": dropped} if dropped else {}
        return marked, {name: frozenset(values) for name, values in met.items()}, left_out
