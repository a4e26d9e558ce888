"""The page of sets of labels: who differs, on which labels, on which items."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from adjudge.diagnosis.limits import Size, from_draws
from adjudge.diagnosis.raters.rater_views import view_values, whole_view
from adjudge.diagnosis.raters.sets import hardest_sets, swapped_labels
from adjudge.evaluation.panels import BarPanel, Cell, ForestPanel, Panels, TablePanel, finite
from adjudge.inference.replicate_values import replicate_values
from adjudge.metrics import label_alpha, set_alpha
from adjudge.statistics.base import ratio
from adjudge.statistics.ratings.set_distance import DISTANCES
from adjudge.statistics.ratings.set_ratings import SetRatings
from adjudge.statistics.ratings.set_rows import SetRows
from adjudge.tasks.agreement.rater_panels import LabelPage, RatingPage, busiest, line, most_used
from adjudge.tasks.agreement.tables import MOST_ITEMS, MOST_PAIRS

# Raters named one by one beside an item; beyond it, sets are counted.
MOST_NAMED = 6


@dataclass(frozen=True, slots=True)
class _SetPage(LabelPage):
    """What every panel needs."""

    items: SetRows

    @property
    def whole(self) -> SetRatings:
        """The sums over all items."""
        statistic: SetRatings = self.replicates.base[SetRatings]
        return statistic

    @property
    def size(self) -> Size:
        """What all items are worth."""
        return self.page.items(self.items.vectors >= 0).size(range(len(self.items.raters)))


def set_panels(page: RatingPage, distance: str) -> Panels:
    """All panels of sets of labels."""
    ratings = page.rated.ratings
    whole: SetRatings = page.whole.statistics[SetRatings]
    if not whole.table.sets or not whole.raters:
        return Panels()
    items = SetRows(whole.categories, ratings.categories, ratings.raters, ratings.codes)
    metric = set_alpha.using(distance=distance)
    shown = busiest((ratings.codes >= 0).sum(0).astype(np.float64))
    replicates = page.whole.bayesian[0]
    base: SetRatings = replicates.base[SetRatings]
    labels = most_used(base.category_weight)
    context = _SetPage(page, replicates, base.raters, base.categories, shown, labels, items)
    note = f"{metric.full_label} of the two, on the items both rated."
    raters = context.compared(metric, ratings.codes >= 0, metric.label, note, (-1.0, 1.0))
    tables = [_hardest(context, distance), _swapped(context), _distances(context), *raters.tables]
    return replace(
        raters,
        forests=[*raters.forests, _by_label(context)],
        bars=[_use(context)],
        tables=[one for one in tables if one.rows],
    )


def _by_label(context: _SetPage) -> ForestPanel:
    """Agreement on each label alone."""
    points, uses = label_alpha.values(context.whole), context.whole.category_weight
    (draws,) = replicate_values(context.replicates, [label_alpha])
    lines, size = [], context.size
    for place in context.labels:
        value = from_draws(float(points[place]), draws[:, place], context.page.level, size, label_alpha.undefined)
        lines.append(line(context.whole.categories[place], value, f"given {uses[place]:,.0f} times"))
    known = points[~np.isnan(points)]
    note = "Alpha for “has the label or has not”, beside its mean over all labels."
    return context.label_forest(note, label_alpha.label, lines, float(known.mean()) if len(known) else None)


def _use(context: _SetPage) -> BarPanel:
    """How often each rater gives each label."""
    shares = []
    for rater in context.shown:
        codes = context.items.vectors[:, rater]
        rated = codes >= 0
        given = np.bincount(codes[rated], weights=context.weight[rated], minlength=len(context.items.sets))
        shares.append(ratio(given @ context.items.held, given.sum()))
    note = "Share of a rater's own ratings that have the label; raters may have rated different items."
    return context.use_of_labels(note, shares)


def _hardest(context: _SetPage, distance: str) -> TablePanel:
    rows: list[list[Cell]] = [
        [one.item, _sets_text(one.said), one.similarity]
        for one in hardest_sets(context.items, context.page.rated.names, distance, MOST_ITEMS)
    ]
    note = "The items whose ratings share least: mean similarity of every two of them."
    return TablePanel("Hardest items", note, ["item", "ratings", "similarity"], rows)


def _sets_text(said: dict[str, str]) -> str:
    if len(said) <= MOST_NAMED:
        return "; ".join(f"{rater}: {labels}" for rater, labels in said.items())
    times: dict[str, int] = {}
    for labels in said.values():
        times[labels] = times.get(labels, 0) + 1
    return "; ".join(f"{labels} ×{count}" for labels, count in sorted(times.items(), key=lambda entry: -entry[1]))


def _swapped(context: _SetPage) -> TablePanel:
    rows: list[list[Cell]] = [
        [f"{one.first} / {one.second}", round(one.items, 3)]
        for one in swapped_labels(context.items, context.page.rated.weight, MOST_PAIRS)
    ]
    note = (
        "One rater gives the first label and not the second, another the second and not the first. "
        "Items count by the share of their pairs of ratings."
    )
    return TablePanel("Labels in each other's place", note, ["labels", "items"], rows)


def _distances(context: _SetPage) -> TablePanel:
    """The same coefficient by every distance: how much the choice matters."""
    rows: list[list[Cell]] = []
    for name in DISTANCES:
        metric = set_alpha.using(distance=name)
        alphas = view_values(metric, context.replicates, [whole_view(context.whole)])
        one = from_draws(
            float(alphas.points[0]), alphas.draws[:, 0], context.page.level, context.size, metric.undefined
        )
        rows.append([name, *map(finite, (one.value, one.low, one.high))])
    note = "Distances give partial credit differently; quote the one that was chosen beforehand."
    return TablePanel("Alpha by distance of sets", note, ["distance", "alpha", "low", "high"], rows)
