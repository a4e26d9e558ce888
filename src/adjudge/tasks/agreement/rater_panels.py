"""Pictures of raters that every kind of rating shares: without each rater, every two raters, each with the others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.diagnosis.limits import ValueWithLimits
from adjudge.diagnosis.raters.against_others import Vitality
from adjudge.diagnosis.raters.rater_pairs import Pairwise
from adjudge.diagnosis.raters.rater_views import Items, raters_compared
from adjudge.errors import noted, with_minus
from adjudge.evaluation.measuring.rows import Measured
from adjudge.evaluation.panels import BarPanel, Cell, ForestLine, ForestPanel, MatrixPanel, Panels, TablePanel, finite
from adjudge.inference.resampling import Bootstrap, Replicates
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array
from adjudge.statistics.ratings.items import RatedItems

MOST_RATERS = 30
# Labels shown one by one: those used most.
MOST_LABELS = 30
PAIRS = "Agreement of every two raters"
VITALITY = "Vitality of each rater"
SEVERITY = "Severity of each rater"
WITHOUT = "Agreement without each rater"
TOGETHER = "Agreement without all who pull it down"
COLUMNS = ["rater", "without", "low", "high", "vitality", "vitality low", "vitality high"]
MEAN = "Mean agreement of each rater with the others"
WIDTHS = (0.1, 0.05, 0.025)
ROOT_LAW = (
    "Half-widths shrink with the square root of the number of items, if new items are like these and are rated "
    "by the same raters."
)


@dataclass(frozen=True, slots=True)
class RatingPage:
    """What panels are made of: the items, and the sums of all of them with their replicates."""

    rated: RatedItems
    whole: Measured
    bootstrap: Bootstrap
    level: float

    def items(self, rated: NDArray[np.bool_]) -> Items:
        """Who rated which item, (items, raters), with what is drawn."""
        return Items(rated, self.rated.keys, "clusters" if self.whole.clustered else "items")


@dataclass(frozen=True, slots=True)
class LabelPage:
    """A page of ratings that may hold several labels each: which raters and which labels are shown, by place."""

    page: RatingPage
    replicates: Replicates
    raters: Sequence[str]
    categories: Sequence[str]
    shown: list[int]
    labels: list[int]

    @property
    def cut(self) -> str:
        """What is said when not all raters are shown."""
        return cut_note(self.shown, len(self.raters))

    @property
    def cut_labels(self) -> str:
        """What is said when not all labels are shown."""
        left = len(self.categories) - len(self.labels)
        return f"The {len(self.labels)} labels used most are shown; {left} are not." if left else ""

    @property
    def weight(self) -> Array:
        """How often each item counts."""
        weight = self.page.rated.weight
        return np.ones(len(self.page.rated.keys)) if weight is None else weight

    def compared(
        self, metric: Metric, rated: NDArray[np.bool_], label: str, note: str, limits: tuple[float, float]
    ) -> Panels:
        """Every two raters, each with the others, and all without each; `rated` says who rated which item."""
        alone, pairs = raters_compared(metric, self.replicates, self.page.items(rated), self.shown, self.page.level)
        planned = planning_table(alone.all, alone.draws, self.page.level, clustered=self.page.whole.clustered)
        return Panels(
            matrices=[pair_panel(pairs, f"{note} {self.cut}".strip(), limits)],
            forests=[without_panel(alone, label, self.cut), mean_panel(pairs, label, self.cut)],
            tables=[vitality_table(alone), planned],
        )

    def label_forest(self, note: str, metric: str, lines: list[ForestLine], against: float | None) -> ForestPanel:
        """Agreement on each label that is shown, beside that on all."""
        return ForestPanel("Agreement on each label", f"{note} {self.cut_labels}".strip(), metric, lines, against)

    def use_of_labels(self, note: str, given: Sequence[Array]) -> BarPanel:
        """The share of each label in what each rater gave; `given` has the shares by rater."""
        values = [[finite(float(share[place])) for place in self.labels] for share in given]
        labels, raters = [self.categories[place] for place in self.labels], [self.raters[place] for place in self.shown]
        return BarPanel(
            "Use of labels by rater", f"{note} {self.cut_labels} {self.cut}".strip(), labels, raters, values
        )


def line(name: str, value: ValueWithLimits, note: str = "") -> ForestLine:
    """One line of a forest."""
    notes = noted(value.note, note)
    return ForestLine(name, finite(value.value), finite(value.low), finite(value.high), value.n, notes)


def busiest(ratings: Array) -> list[int]:
    """The raters with most ratings, in the order of the table; `ratings` counts each one's."""
    most = np.argsort(-ratings, kind="stable")[:MOST_RATERS]
    return sorted(int(place) for place in most)


def cut_note(shown: Sequence[object], raters: int, by: str = "most ratings") -> str:
    """What is said when not all raters are shown."""
    left = raters - len(shown)
    return f"The {len(shown)} raters with {by} are shown; {left} {'is' if left == 1 else 'are'} not." if left else ""


def most_used(uses: Array) -> list[int]:
    """The labels used most, by place, in their natural order; `uses` counts each one's."""
    return sorted(int(place) for place in np.argsort(-uses, kind="stable")[:MOST_LABELS])


def without_panel(whole: Vitality, label: str, cut: str) -> ForestPanel:
    """Agreement without each rater."""
    lines = []
    for one in whole.raters:
        change = one.vitality
        sign = (change.low > 0) - (change.high < 0)
        said = {1: "agreement falls without this rater", -1: "agreement rises without this rater", 0: ""}[sign]
        span = (
            f" [{with_minus(change.low, '.3f')}, {with_minus(change.high, '.3f')}]"
            if not math.isnan(change.low)
            else ""
        )
        vital = f"vitality {with_minus(change.value, '+.3f')}{span}" if change.known else ""
        lines.append(line(one.rater, one.without, noted(vital, said)))
    note = "Vitality: agreement of all raters minus agreement without this one, from the same draws."
    return ForestPanel(WITHOUT, f"{note} {cut}".strip(), f"{label} without the rater", lines, finite(whole.all.value))


def vitality_table(whole: Vitality) -> TablePanel:
    """Agreement without each rater, and what that changes, as numbers."""
    rows: list[list[Cell]] = [
        [one.rater, *(finite(x) for x in _ends(one.without)), *(finite(x) for x in _ends(one.vitality))]
        for one in whole.raters
    ]
    return TablePanel(VITALITY, "Below 0, agreement rises without the rater.", COLUMNS, rows)


def together_table(whole: Vitality) -> TablePanel:
    """Agreement without all raters who pull it down, where there are several."""
    one = whole.together
    rows: list[list[Cell]] = []
    if one is not None:
        rows = [[one.rater, *(finite(x) for x in (*_ends(one.without), *_ends(one.vitality)))]]
    return TablePanel(TOGETHER, "Without each of them alone, agreement is shown to rise (Holm).", COLUMNS, rows)


def _ends(value: ValueWithLimits) -> tuple[float, float, float]:
    return value.value, value.low, value.high


def pair_panel(pairs: Pairwise, note: str, limits: tuple[float, float]) -> MatrixPanel:
    """Every two raters."""
    values, low, high = (
        [[finite(value) for value in row] for row in matrix] for matrix in (pairs.values, pairs.low, pairs.high)
    )
    n = [[int(count) for count in row] for row in pairs.n]
    names = list(pairs.raters)
    return MatrixPanel(PAIRS, note, names, names, values, low, high, n, limits)


def mean_panel(pairs: Pairwise, label: str, cut: str, *, title: str = MEAN) -> ForestPanel:
    """Each rater's mean agreement with the others."""
    known = [one.value for one in pairs.mean if one.known]
    lines = [line(name, one) for name, one in zip(pairs.raters, pairs.mean, strict=True)]
    note = f"n counts an item once for each other rater. {cut}".strip()
    return ForestPanel(title, note, label, lines, sum(known) / len(known) if known else None)


def planning_table(whole: ValueWithLimits, draws: Array, level: float, *, clustered: bool = False) -> TablePanel:
    """How wide the interval would be with more items."""
    defined = draws[~np.isnan(draws)]
    rows: list[list[Cell]] = []
    if not math.isnan(whole.low) and len(defined):
        tail = (1 - level) / 2
        low, high = np.quantile(defined, [tail, 1 - tail])
        half = float(high - low) / 2
        rows += [["now", whole.n, half], ["twice as many", 2 * whole.n, half / math.sqrt(2)]]
        rows.append(["four times as many", 4 * whole.n, half / 2])
        for width in WIDTHS:
            rows.append([f"for ± {width:g}", math.ceil(whole.n * (half / width) ** 2 - 1e-9), width])
    note = f"{ROOT_LAW} They must come in new clusters like these." if clustered else ROOT_LAW
    return TablePanel("How many more items?", note, ["", "items", "half-width of the interval"], rows)
