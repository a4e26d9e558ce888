"""The numbers behind the pictures of ranking: NDCG by cut-off, the spread of values, the hardest queries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from adjudge.diagnosis.checks.answers import FEW_JUDGED
from adjudge.evaluation.declaration import Page
from adjudge.evaluation.panels import Cell, HistogramPanel, LinesPanel, Panels, Series, TablePanel, finite
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.inference.intervals.interval import normal_quantile
from adjudge.inference.many.multiplicity import level_together
from adjudge.inference.replicate_values import replicate_values
from adjudge.metrics import ndcg
from adjudge.metrics.catalogue import parse
from adjudge.statistics.base import Array
from adjudge.statistics.queries.hardest import HardestQueries
from adjudge.statistics.queries.means import QueryMeans
from adjudge.statistics.queries.values import QueryValue
from adjudge.tasks.ranking.reading import LISTS, UNJUDGED

# The cut-offs at which NDCG is drawn, as far as lists go.
CURVE = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 100)
COUNTED = "Queries and items to know of"


def ranking_panels(page: Page, systems: tuple[str, ...], *, clustered: bool, at: tuple[int, ...]) -> Panels:
    """Every picture."""
    hardest = page.collected.sums_of(LISTS, HardestQueries)
    means = page.collected.sums_of(LISTS, QueryMeans)
    leading = parse(next(iter(page.table)).metric).full_label
    tables = [_hardest(name, hardest, leading, len(systems)) for name in systems if hardest.lowest[name]]
    if counted := _counted(page, means, systems, at):
        tables.append(counted)
    curves = [CutoffCurve.of(page, means.of_system(name), name, clustered=clustered) for name in systems]
    shown = [curve for curve in curves if curve.cutoffs]
    tables += [_by_cutoff(curve, page.request.level, len(systems)) for curve in shown]
    return Panels(
        lines=[_curves(page, shown)] if shown else [],
        histograms=[_spread(hardest, systems, leading)] if hardest.counts.any() else [],
        tables=tables,
    )


def _curves(page: Page, curves: list[CutoffCurve]) -> LinesPanel:
    level = page.request.level
    return LinesPanel(
        "NDCG by cut-off",
        "How much of what could stand among the first items does, mean over queries. The band holds the whole curve at "
        "once, so it is wider than the interval of a single point.",
        "Items looked at",
        "NDCG",
        [Series(one.name, [float(at) for at in one.cutoffs], one.points, *one.band(level)) for one in curves],
        band=True,
    )


@dataclass(frozen=True)
class CutoffCurve:
    """NDCG of a system at every cut-off, with what its draws say of all of them together."""

    name: str
    cutoffs: list[int]
    points: list[float]
    means: QueryMeans
    draws: Array  # (replicates, cut-offs)
    clustered: bool

    @classmethod
    def of(cls, page: Page, means: QueryMeans, name: str, *, clustered: bool) -> CutoffCurve:
        """The cut-offs at which there is a value."""
        every = [at for at in CURVE if QueryValue("ndcg", at, "exponential") in means.values]
        values = {at: float(ndcg.using(at=at).values(means)) for at in every}
        known = [at for at in every if np.isfinite(values[at])]
        metrics = [ndcg.using(at=at) for at in known]
        by_source = [
            replicate_values(one, metrics) for one in page.whole[name].bootstrap if QueryMeans in one.base and metrics
        ]
        draws = np.stack(by_source[0], axis=-1) if by_source else np.zeros((0, len(known)))
        return cls(name, known, [values[at] for at in known], means, draws, clustered)

    def limits(self, level: float) -> tuple[list[float | None], list[float | None]]:
        """Each point's interval by itself; of clusters, from the spread of their draws."""
        reach = normal_quantile(level)
        if self.clustered:
            spread = reach * self.draws.std(axis=0) if len(self.draws) else np.full(len(self.points), np.nan)
            low, high = np.clip(np.array(self.points) - spread, 0, 1), np.clip(np.array(self.points) + spread, 0, 1)
            return [finite(end) for end in low], [finite(end) for end in high]
        ends = [closed_form("worth", ndcg.using(at=at), self.means, level) for at in self.cutoffs]
        return (
            [None if end is None else finite(float(end.low)) for end in ends],
            [None if end is None else finite(float(end.high)) for end in ends],
        )

    def band(self, level: float) -> tuple[list[float | None], list[float | None]]:
        """Limits between which the whole curve lies at once: those of a level at which the farthest point does."""
        return self.limits(level_together(self.draws, level))


def _by_cutoff(curve: CutoffCurve, level: float, systems: int) -> TablePanel:
    who = f" of {curve.name}" if systems > 1 else ""
    pointwise, band = curve.limits(level), curve.band(level)
    rows: list[list[Cell]] = [list(row) for row in zip(curve.cutoffs, curve.points, *pointwise, *band, strict=True)]
    head = ["items looked at", "NDCG", "low", "high", "low of the band", "high of the band"]
    note = "Each interval by itself, and the band in which all of them lie at once (max-T over cut-offs)."
    return TablePanel(f"NDCG by cut-off{who}", note, head, rows)


def _spread(hardest: HardestQueries, systems: tuple[str, ...], label: str) -> HistogramPanel:
    return HistogramPanel(
        "How values are spread over queries",
        f"{label} of each query, in bins. A mean hides whether all queries are middling or some are lost.",
        label,
        hardest.edges.tolist(),
        list(systems),
        hardest.counts.tolist(),
        of="queries",
    )


def _hardest(name: str, hardest: HardestQueries, label: str, systems: int) -> TablePanel:
    who = f" for {name}" if systems > 1 else ""
    return TablePanel(
        f"Hardest queries{who}",
        f"The queries with the lowest {label}. Tied: items among the first places whose score another item has.",
        ["query", label, "items", "relevant", "tied", "judged"],
        [[q.name, q.value, q.items, q.relevant, q.tied, q.judged] for q in hardest.lowest[name]],
    )


def _counted(page: Page, means: QueryMeans, systems: tuple[str, ...], at: tuple[int, ...]) -> TablePanel | None:
    """What was counted of queries and items that stay, and how much of the first places is judged."""
    known = page.collected.facts.unused
    rows: list[list[Cell]] = [[what, n] for what, n in sorted(known.items())]
    few = False
    for name in systems if UNJUDGED in known else ():
        for cutoff in at:
            share = float(means.of_system(name).mean(QueryValue("judged", cutoff)))
            few |= share < FEW_JUDGED
            rows.append([f"share of the first {cutoff} items that is judged, {name}", share])
    note = "They stay, and are counted as the settings say."
    if few:
        note += " Less than 80 % of what stands first is judged: values may say more about the judging."
    return TablePanel(COUNTED, note, ["what", "n"], rows) if rows else None
