"""The annotation lead's page: every diagnosis of raters, labels and items as panels.

Panels hold aggregates and short lists. With many raters the busiest are shown; with many items the first of a list.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.ratings import Ratings
from adjudge.diagnosis.raters.against_others import Vitality, category_use, severity, vitality, with_others
from adjudge.diagnosis.raters.consensus import dawid_skene
from adjudge.diagnosis.raters.distinct_ratings import DistinctRatings, distinct
from adjudge.diagnosis.raters.drift import BatchValue, Drift, drift
from adjudge.diagnosis.raters.rater_pairs import Pairwise, pairwise
from adjudge.diagnosis.raters.replacement import NOT_WORSE, UNDECIDED, Replacement, can_replace
from adjudge.errors import with_minus
from adjudge.evaluation.panels import BarPanel, ForestPanel, MatrixPanel, Panels, TablePanel, finite
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics import cohen_kappa, interval_alpha, krippendorff_alpha
from adjudge.metrics.base import Metric
from adjudge.metrics.weightings import Measurement
from adjudge.statistics.base import steady_product
from adjudge.tasks.agreement.by_measurement import NUMBERS
from adjudge.tasks.agreement.rater_panels import (
    MOST_RATERS,
    SEVERITY,
    busiest,
    cut_note,
    line,
    mean_panel,
    pair_panel,
    planning_table,
    together_table,
    vitality_table,
    without_panel,
)
from adjudge.tasks.agreement.tables import (
    confused_table,
    consensus_table,
    hardest_table,
    margins_table,
    queue_table,
    scales_table,
)

MOST_APART = 5  # raters who agree least, whose vitality is worked out though they are not among the busiest
MOST_BATCHES = 60
MOST_LISTED = 200  # raters in a table of all
MOST_DRAWN = 50  # categories; tables of every two of more are too large to draw
ORDERED = ("ordinal", *NUMBERS)
KAPPA = {"nominal": "none", "circular": "circular", "bipolar": "bipolar"}


@dataclass(frozen=True, slots=True)
class _Page:
    """What every panel needs."""

    table: DistinctRatings
    items: Sequence[str] | None
    measurement: Measurement
    settings: Bootstrap
    level: float
    shown: list[int]

    @property
    def metric(self) -> Metric:
        """The coefficient of the page."""
        if len(self.table.categories) > MOST_DRAWN:
            return interval_alpha
        return krippendorff_alpha.using(measurement=self.measurement)

    @property
    def kappa(self) -> Metric:
        """Kappa for two raters at this level of measurement."""
        weighting = KAPPA.get(self.measurement, "quadratic") if isinstance(self.measurement, str) else "none"
        return cohen_kappa if weighting == "none" else cohen_kappa.using(weighting=weighting)

    @property
    def names(self) -> list[str]:
        """The raters shown."""
        return [self.table.raters[place] for place in self.shown]

    def noted(self, *notes: str, whole: Vitality | None = None) -> str:
        """A note, with how items count and what was left out; `whole` has those who agree least, too."""
        shown, by = (self.shown, "most ratings") if whole is None else (whole.raters, "most ratings or least agreement")
        cut = cut_note(shown, len(self.table.raters), by)
        weighed = "Items count by their weights, in n too." if self.table.weight is not None else ""
        clustered = "Intervals are by cluster." if self.table.cluster is not None else ""
        return " ".join(note for note in (*notes, weighed, clustered, cut) if note)


def agreement_panels(
    ratings: Ratings,
    items: Sequence[str] | None,
    *,
    measurement: Measurement = "nominal",
    settings: Bootstrap | None = None,
    level: float = 0.95,
    batches: Sequence[str] | None = None,
    model: str | None = None,
    weights: object = None,
    clusters: Sequence[object] | NDArray[np.uint64] | None = None,
) -> Panels:
    """All panels of one set of ratings.

    `items` names the items, `batches` the batch of each, `model` the rater that is a model. `weights` says
    how often each item counts, and one that counts 0 times is not there; `clusters` says which belong together. Ratings
    with many different numbers get the panels that need no categories.

    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> rows = [["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "a", "b"]] * 5
    >>> panels = agreement_panels(ratings_of(rows), None)
    >>> panels.forests[0].title, panels.forests[0].lines[2].name
    ('Agreement without each rater', '3')
    """
    ratings, (items, batches, weights, clusters) = _there(ratings, weights, items, batches, clusters)
    table = distinct(ratings, weights, clusters)
    if not table.items or not table.raters or not table.categories:
        return Panels()
    page = _Page(
        table, items, measurement, settings or Bootstrap(), level, busiest(steady_product(table.counts, table.rated))
    )
    if len(table.categories) > MOST_DRAWN:
        return _of_numbers(page, batches) if measurement in NUMBERS else _of_many_labels(page)
    whole, pairs = _vitality(page), _pairs(page)
    mean = mean_panel(pairs, page.kappa.label, page.noted(), title="Mean kappa of each rater with the others")
    forests = [without_panel(whole, page.metric.label, page.noted(whole=whole)), _with_others(page), mean]
    forests += [_severity(page)] if measurement in ORDERED else []
    matrices = [pair_panel(pairs, page.noted(_of_kappa(page.kappa)), (-1.0, 1.0))]
    if batches is not None:
        moved = drift(table, batches, page.metric, settings=page.settings, level=level)
        forests.append(_batches(page, moved))
        matrices.append(_rater_batches(page, moved))
    if model is not None:
        forests.append(_replacement(page, model))
    fitted = dawid_skene(table.by_row)
    tables = [
        queue_table(table, items, measurement, fitted),
        hardest_table(table, items, measurement),
        confused_table(table, measurement, page.settings, level),
        consensus_table(table, fitted, list(range(min(len(table.raters), MOST_LISTED)))),
        vitality_table(whole),
        together_table(whole),
        margins_table(table.of_raters(page.shown)),
        scales_table(page.metric, whole.all, whole.draws),
        _planning(page, whole),
    ]
    return Panels(matrices=matrices, forests=forests, bars=[_use(page)], tables=[one for one in tables if one.rows])


# `Any`: columns of values of any kind, or none.
def _there(ratings: Ratings, weights: Any, items: Any, batches: Any, clusters: Any) -> tuple[Ratings, tuple[Any, ...]]:
    """The items that count, with their names, batches, weights and clusters."""
    columns = (items, batches, weights, clusters)
    if weights is None or np.all(weights):
        return ratings, columns
    there = np.flatnonzero(weights)
    return ratings.of_rows(there), tuple(None if one is None else [one[row] for row in there] for one in columns)


def _of_many_labels(page: _Page) -> Panels:
    """What can be said of labels too many for tables of every two."""
    fitted = dawid_skene(page.table.by_row)
    tables = [
        queue_table(page.table, page.items, page.measurement, fitted),
        hardest_table(page.table, page.items, page.measurement),
    ]
    return Panels(forests=[_with_others(page)], tables=[one for one in tables if one.rows])


def _of_numbers(page: _Page, batches: Sequence[str] | None) -> Panels:
    """What can be said of numbers with too many values to be categories."""
    whole = _vitality(page)
    forests = [without_panel(whole, page.metric.label, page.noted(whole=whole)), _severity(page)]
    if batches is not None:
        moved = drift(page.table, batches, page.metric, settings=page.settings, level=page.level)
        forests.append(_batches(page, moved))
    tables = [
        scales_table(page.metric, whole.all, whole.draws),
        _planning(page, whole),
    ]
    return Panels(forests=forests, tables=[one for one in tables if one.rows])


def _vitality(page: _Page) -> Vitality:
    """Without each of the raters that are shown, and of those who agree least, however few items they rated."""
    places = page.shown
    if page.table.categories and len(places) < len(page.table.raters):
        highs = [one.agreement.high for one in with_others(page.table, page.level)]
        places = sorted({*places, *np.argsort(np.nan_to_num(highs, nan=2.0), kind="stable")[:MOST_APART].tolist()})
    return vitality(page.table, page.metric, settings=page.settings, level=page.level, places=places)


def _pairs(page: _Page) -> Pairwise:
    return pairwise(page.table.of_raters(page.shown), page.kappa, settings=page.settings, level=page.level)


def _of_kappa(kappa: Metric) -> str:
    weighting = kappa.parameters.get("weighting")
    return f"Cohen's kappa, {weighting} weights." if weighting else "Cohen's kappa."


def _planning(page: _Page, whole: Vitality) -> TablePanel:
    return planning_table(whole.all, whole.draws, page.level, clustered=page.table.cluster is not None)


def _with_others(page: _Page) -> ForestPanel:
    agreements = with_others(page.table, page.level)
    known = [one.agreement for one in agreements if one.agreement.known]
    total = sum(one.n for one in known)
    mean = sum(one.value * one.n for one in known) / total if total else None
    # Whoever agrees least is shown, however few items that were.
    lowest = sorted(range(len(agreements)), key=lambda place: np.nan_to_num(agreements[place].agreement.high, nan=2.0))
    shown = page.shown if len(page.shown) == len(agreements) else lowest[:MOST_LISTED]
    lines = [
        line(agreements[place].rater, agreements[place].agreement, _tied(agreements[place].tied)) for place in shown
    ]
    note = "Share of items on which the rater gives the label that most of the others give."
    cut = f"The {len(shown)} raters with the lowest agreement." if len(shown) < len(agreements) else ""
    return ForestPanel(
        "Agreement with the majority of the others", f"{note} {cut}".strip(), "share of items", lines, mean
    )


def _tied(items: int) -> str:
    return f"the others are tied on {items:,} more" if items else ""


def _severity(page: _Page) -> ForestPanel:
    offsets = severity(page.table, page.level)
    lines = [line(page.table.raters[place], offsets[place]) for place in page.shown]
    note = "How much higher the rater rates than the mean of the others on the same items; below 0 is severe."
    unit = "" if page.measurement in NUMBERS else " (categories count by their number or place)"
    return ForestPanel(SEVERITY, page.noted(note), f"offset from the others{unit}", lines, 0.0)


def _use(page: _Page) -> BarPanel:
    shares = category_use(page.table)
    values = [[finite(share) for share in shares[place]] for place in page.shown]
    note = page.noted("Share of each category among a rater's own ratings; raters may have rated different items.")
    return BarPanel("Use of categories by rater", note, list(page.table.categories), page.names, values)


def _flag(one: BatchValue) -> str:
    return f"differs from all batches (p = {one.p_value:.2g} after Holm)" if one.flagged else ""


def _batches(page: _Page, moved: Drift) -> ForestPanel:
    lines = [line(one.batch, one.value, _flag(one)) for one in moved.batches]
    kept, left = lines[-MOST_BATCHES:], len(lines) - MOST_BATCHES
    cut = f" The last {MOST_BATCHES} batches are shown; {left} earlier ones are not." if left > 0 else ""
    return ForestPanel("Agreement by batch", moved.note + cut, page.metric.label, kept, finite(moved.whole))


def _rater_batches(page: _Page, moved: Drift) -> MatrixPanel:
    shown = [moved.raters[place] for place in page.shown]
    columns = [one.batch for one in moved.batches][-MOST_BATCHES:]
    rows = [one.batches[-MOST_BATCHES:] for one in shown]
    values, low, high = (
        [[finite(getattr(one.value, part)) for one in row] for row in rows] for part in ("value", "low", "high")
    )
    n = [[one.value.n for one in row] for row in rows]
    flagged = [
        f"{who.rater} in {one.batch}" for who, row in zip(shown, rows, strict=True) for one in row if one.flagged
    ]
    said = (
        f"Differs from the rater's own whole: {', '.join(flagged[:20])}."
        if flagged
        else "No rater differs in any batch."
    )
    title = "Agreement with the others by rater and batch"
    return MatrixPanel(title, page.noted(said, moved.note), page.names, columns, values, low, high, n, (0.0, 1.0))


def _replacement(page: _Page, model: str) -> ForestPanel:
    replacement = can_replace(page.table, model, page.metric, settings=page.settings, level=page.level)
    shown = replacement.humans[:MOST_RATERS]
    lines = [
        line(
            f"instead of {one.human}",
            one.difference,
            f"model {with_minus(one.model.value, '.3f')}, human {with_minus(one.own.value, '.3f')}",
        )
        for one in shown
    ]
    lines.append(line("mean over humans", replacement.difference))
    title = f"Can {model} stand in for a human?"
    axis = f"{page.metric.label} with the other humans, model less human"
    return ForestPanel(title, verdict_sentence(replacement), axis, lines, 0.0)


def verdict_sentence(replacement: Replacement) -> str:
    """The verdict in one sentence.

    >>> from adjudge.diagnosis.limits import unknown_limit
    >>> nothing = unknown_limit(0, "no shared items")
    >>> verdict_sentence(Replacement("m", 0.05, [], nothing, UNDECIDED))
    'Undecided: no shared items.'
    """
    d = replacement.difference
    if math.isnan(d.low):
        return f"Undecided: {d.note}."
    limits = ", ".join(with_minus(end, ".3f") for end in (d.low, d.high))
    span = f"{with_minus(d.value, '+.3f')} [{limits}] on {d.n:,} items, margin {replacement.margin:g}"
    if replacement.verdict == UNDECIDED:
        return f"Undecided whether {replacement.model} agrees with humans as humans do with each other: {span}."
    how = "not worse" if replacement.verdict == NOT_WORSE else "worse"
    return f"{replacement.model} agrees with humans {how} than humans with each other: {span}."
