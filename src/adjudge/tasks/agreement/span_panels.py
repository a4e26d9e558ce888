"""The page of spans: who marks other spans, under which labels, and in which items."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from adjudge.data.judgements.annotations import Annotations
from adjudge.diagnosis.limits import from_draws
from adjudge.evaluation.panels import BarPanel, Cell, ForestPanel, MatrixPanel, Panels, TablePanel, finite
from adjudge.inference.replicate_values import replicate_values
from adjudge.inference.resampling import percentile
from adjudge.metrics import pairwise_span_f, span_f_score
from adjudge.metrics.spans import MATCHES, f_of
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.ratings.spans import (
    EXACT_REFERENCE,
    PARTIAL_REFERENCE,
    STRICT,
    TYPE,
    SpanCounts,
    SpanSums,
    document_counts,
)
from adjudge.tasks.agreement.rater_panels import LabelPage, RatingPage, busiest, line, most_used
from adjudge.tasks.agreement.tables import MOST_ITEMS

# Raters, and spans of each, told one by one beside an item.
MOST_TOLD = 6
LABEL = "F of every two raters"
BY_LABEL = [span_f_score.using(match=match) for match in MATCHES]  # strict first


@dataclass(frozen=True, slots=True)
class _SpanPage(LabelPage):
    """What every panel needs."""

    spans: Annotations

    @property
    def whole(self) -> SpanCounts:
        """The sums over all items."""
        statistic: SpanCounts = self.replicates.base[SpanCounts]
        return statistic


def span_panels(page: RatingPage) -> Panels:
    """All panels of spans."""
    spans = page.rated.annotations
    if not spans.categories:
        return Panels()
    flags = np.stack([one.annotated for one in spans.annotators], axis=1)
    shown = busiest(flags.sum(0).astype(np.float64))
    replicates, metric = page.whole.bootstrap[0], pairwise_span_f.using(match="strict")
    sums = replicates.base[SpanCounts].sums
    labels = most_used(sums.possible + sums.actual)
    context = _SpanPage(page, replicates, spans.raters, spans.categories, shown, labels, spans)
    note = "Strict F of the two: boundaries and label are the same. n is the items both read."
    raters = context.compared(metric, flags, LABEL, note, (0.0, 1.0))
    each = replicate_values(context.replicates, BY_LABEL)
    tables = [_hardest(context), _differences(context), *raters.tables]
    return replace(
        raters,
        matrices=[*raters.matrices, _by_match(context, each)],
        forests=[*raters.forests, _by_label(context, each[0])],
        bars=[_use(context)],
        tables=[one for one in tables if one.rows],
    )


def _by_label(context: _SpanPage, draws: Array) -> ForestPanel:
    """Strict F of each label."""
    metric = BY_LABEL[0]
    points = metric.values(context.whole)
    size = context.page.items(np.ones((len(context.spans), 2), dtype=np.bool_)).size([0, 1])
    lines = []
    for place in context.labels:
        value = from_draws(float(points[place]), draws[:, place], context.page.level, size, metric.undefined)
        lines.append(line(context.spans.categories[place], value))
    against = float(metric.averaged("micro").values(context.whole))
    note = "Strict F, all pairs of raters together, beside that of all labels."
    return context.label_forest(note, "F", lines, finite(against))


def _by_match(context: _SpanPage, each: list[Array]) -> MatrixPanel:
    """F of each label by every rule of match."""
    points = np.stack([metric.values(context.whole) for metric in BY_LABEL], axis=-1)
    bounds = [percentile("bootstrap", draws, context.page.level) for draws in each]
    ends = [np.stack([getattr(one, end) for one in bounds], axis=-1) for end in ("low", "high")]
    values, low, high = ([[finite(x) for x in table[place]] for place in context.labels] for table in (points, *ends))
    note = (
        "Strict: boundaries and label. Exact: boundaries. Partial: boundaries, an overlap counts half. Type: overlap "
        f"and label. A label far better by type than by strict has unclear boundaries. {context.cut_labels}"
    ).strip()
    names = [context.spans.categories[place] for place in context.labels]
    n = [[context.whole.rows] * len(MATCHES) for _ in names]
    title = "F of each label by what must match"
    return MatrixPanel(title, note, names, list(MATCHES), values, low, high, n, (0.0, 1.0))


def _use(context: _SpanPage) -> BarPanel:
    """How the spans of each rater are spread over the labels."""
    shares = []
    for rater in context.shown:
        spans = context.spans.annotators[rater]
        given = np.bincount(spans.label, weights=context.weight[spans.document], minlength=len(context.categories))
        shares.append(ratio(given, given.sum()))
    return context.use_of_labels("Share of each label among a rater's own spans.", shares)


def _hardest(context: _SpanPage) -> TablePanel:
    """The items with the lowest mean F of every two raters."""
    documents, cell = document_counts(context.spans)
    each = f_of(SpanSums(documents).summed, "strict")[..., 0]
    defined = ~np.isnan(each)
    mean: Array = ratio(np.where(defined, each, 0).sum(-1), defined.sum(-1))[cell]
    spans = np.where(defined, documents[:, :, :2].sum((-2, -1)), 0).sum(-1)[cell]
    triples = [one.triples() for one in context.spans.annotators]
    rows: list[list[Cell]] = []
    # Of equally hard items, those with more spans first: there is more to look at.
    for place in np.lexsort((-spans, np.nan_to_num(mean, nan=2.0)))[:MOST_ITEMS]:
        if not mean[place] < 1:
            break
        rows.append([context.page.rated.names[place], _spans_text(context, triples, int(place)), float(mean[place])])
    note = "The items on which every two raters share least: mean strict F. Ends are exclusive."
    return TablePanel("Hardest items", note, ["item", "spans", "mean F"], rows)


def _spans_text(context: _SpanPage, triples: list[list[list[tuple[str, int, int]]]], item: int) -> str:
    read = [place for place, one in enumerate(context.spans.annotators) if one.annotated[item]]
    said = []
    for place in read[:MOST_TOLD]:
        spans = sorted(triples[place][item], key=lambda span: span[1:])
        text = ", ".join(f"{label} {start}–{end}" for label, start, end in spans[:MOST_TOLD]) or "nothing"
        said.append(f"{context.spans.raters[place]}: {text}" + (" …" if len(spans) > MOST_TOLD else ""))
    return "; ".join(said) + (f"; {len(read) - MOST_TOLD} more raters" if len(read) > MOST_TOLD else "")


def _differences(context: _SpanPage) -> TablePanel:
    """What becomes of a span when another rater reads the item."""
    sums = context.whole.sums.counts.sum(-1)
    total = float(sums[:2].sum())
    strict, same_label, exact, overlap = (float(sums[f]) for f in (STRICT, TYPE, EXACT_REFERENCE, PARTIAL_REFERENCE))
    kinds = [
        ("the same span and label", 2 * strict),
        ("the same boundaries, another label", 2 * (exact - strict)),
        ("other boundaries, the same label", 2 * (same_label - strict)),
        ("other boundaries, another label", 2 * (overlap - (same_label - strict))),
        ("nothing that overlaps", total - 2 * (exact + overlap)),
    ]
    rows: list[list[Cell]] = [[name, round(count), count / total] for name, count in kinds] if total else []
    pairs = len(list(combinations(context.spans.annotators, 2)))
    note = f"For every span of one rater, what another marked there; {pairs:,} pairs of raters together."
    return TablePanel("What the other rater marked", note, ["the other marked", "spans", "share"], rows)
