"""The numbers behind the pictures of ranking: NDCG by cut-off, the spread of values, the hardest queries."""

from __future__ import annotations

from adjudge.evaluation.declaration import Page
from adjudge.evaluation.panels import HistogramPanel, LinesPanel, Panels, Series, TablePanel
from adjudge.inference.closed_form import closed_form
from adjudge.metrics import ndcg
from adjudge.metrics.catalogue import parse
from adjudge.statistics.hardest_queries import HardestQueries
from adjudge.statistics.query_means import QueryMeans
from adjudge.statistics.query_values import QueryValue
from adjudge.tasks.ranking.reading import LISTS, UNJUDGED

# The cut-offs at which NDCG is drawn, as far as lists go.
CURVE = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 100)
COUNTED = "Queries and items to know of"
FEW_JUDGED = 0.8


def ranking_panels(page: Page, systems: tuple[str, ...], *, clustered: bool, at: tuple[int, ...]) -> Panels:
    """Every picture; of clusters, lines have no band, since it takes queries as independent."""
    hardest: HardestQueries = page.collected.find(LISTS, HardestQueries)
    means: QueryMeans = page.collected.find(LISTS, QueryMeans)
    leading = parse(next(iter(page.table)).metric).full_label
    tables = [_hardest(name, hardest, leading, len(systems)) for name in systems if hardest.lowest[name]]
    if counted := _counted(page, means, systems, at):
        tables.append(counted)
    lines = [_curve(page, means, systems, clustered=clustered)]
    return Panels(
        lines=[line for line in lines if any(series.x for series in line.series)],
        histograms=[_spread(hardest, systems, leading)] if hardest.counts.any() else [],
        tables=tables,
    )


def _curve(page: Page, means: QueryMeans, systems: tuple[str, ...], *, clustered: bool) -> LinesPanel:
    band = "" if clustered else " The band is each point's interval by itself."
    return LinesPanel(
        "NDCG by cut-off",
        f"How much of what could stand among the first items does, mean over queries.{band}",
        "Items looked at",
        "NDCG",
        [_series(page, means.of_system(name), name, clustered=clustered) for name in systems],
        band=True,
    )


def _series(page: Page, means: QueryMeans, name: str, *, clustered: bool) -> Series:
    cutoffs = [at for at in CURVE if QueryValue("ndcg", at, "exponential") in means.values]
    metrics = [ndcg.using(at=at) for at in cutoffs]
    points = [float(metric.values(means)) for metric in metrics]
    known = [place for place, point in enumerate(points) if point == point]
    bounds = [None if clustered else closed_form("worth", metric, means, page.request.level) for metric in metrics]
    ends = [bounds[place] for place in known]
    return Series(
        name,
        [float(cutoffs[place]) for place in known],
        [points[place] for place in known],
        [] if clustered else [None if end is None else float(end.low) for end in ends],
        [] if clustered else [None if end is None else float(end.high) for end in ends],
    )


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
    rows: list[list[str | int | float | None]] = [[what, n] for what, n in sorted(known.items())]
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
