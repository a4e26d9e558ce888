"""The pictures of regression, each number worked out a second time with NumPy and SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.tasks.regression.tables import evaluated, table_of

from adjudge.evaluation.panels import LinesPanel, Panels, Series

TITLES = ["Prediction by reference", "Reference by prediction", "Residual by reference", "Residual by prediction"]
LEAST = 5


def panels_of(rows: int = 400, weight: bool = False, **given: Any) -> tuple[dict[str, Any], Panels]:
    table = table_of(rows)
    more = {"weight": "w"} if weight else {}
    e = evaluated(table, metrics=["rmse"], **more, **given)
    columns = {name: np.array(table[name]) for name in ("y", "m", "other", "w")}
    # A row weighs one on average.
    return columns | {"w": columns["w"] / columns["w"].mean() if weight else np.ones(rows)}, e.outcome.panels


def panel(panels: Panels, title: str) -> LinesPanel:
    (found,) = (panel for panel in panels.lines if panel.title == title)
    return found


def joined(places: Any, weights: Any, bins: int) -> list[Any]:
    """The rows of each point: bins from the left until there are five effective rows, what is left to the last."""
    parts: list[list[int]] = [[]]
    for place in range(bins):
        if _effective(weights[parts[-1]]) >= LEAST:
            parts.append([])
        parts[-1] += np.flatnonzero(places == place).tolist()
    if len(parts) > 1 and _effective(weights[parts[-1]]) < LEAST:
        parts[-2:] = [parts[-2] + parts[-1]]
    return [np.array(part) for part in parts]


def _effective(weights: Any) -> float:
    return float(weights.sum() ** 2 / (weights**2).sum()) if len(weights) else 0.0


@pytest.mark.parametrize("weight", [False, True])
@pytest.mark.parametrize("title", TITLES)
def test_conditional_means(title: str, weight: bool) -> None:
    columns, panels = panels_of(weight=weight)
    found = panel(panels, title)
    y, m, w = columns["y"], columns["m"], columns["w"]
    number, binned = {
        "Prediction by reference": (m, y),
        "Reference by prediction": (y, m),
        "Residual by reference": (y - m, y),
        "Residual by prediction": (y - m, m),
    }[title]
    (series,) = found.series
    edges = np.array(series.edges)
    inside = np.clip(binned, edges[0], np.nextafter(edges[-1], -np.inf))
    assert series.counts == pytest.approx(np.histogram(inside, edges, weights=w)[0])
    assert sum(series.counts) == pytest.approx(len(y))
    parts = joined(np.searchsorted(edges, inside, side="right") - 1, w, len(edges) - 1)
    assert len(parts) == len(series.x) > 10
    assert series.n == pytest.approx([w[rows].sum() for rows in parts])
    assert series.x == pytest.approx([np.average(binned[rows], weights=w[rows]) for rows in parts])
    assert series.y == pytest.approx([np.average(number[rows], weights=w[rows]) for rows in parts])
    for place, rows in enumerate(parts):
        mean, n = np.average(number[rows], weights=w[rows]), _effective(w[rows])
        spread = np.average((number[rows] - mean) ** 2, weights=w[rows])
        ends = stats.t.interval(0.95, n - 1, mean, np.sqrt(spread / (n - 1)))
        assert (series.low[place], series.high[place]) == pytest.approx(ends), place
        if not weight:
            sem = stats.sem(number[rows])
            assert ends == pytest.approx(stats.t.interval(0.95, len(rows) - 1, mean, sem))


def test_axes_are_what_their_titles_say() -> None:
    """Against a peer that swaps them: x is what is binned, y what is averaged."""
    _, panels = panels_of()
    axes = {found.title: (found.x, found.y, found.guide) for found in panels.lines}
    residual = "Residual (reference less prediction)"
    assert axes == {
        "Prediction by reference": ("Reference", "Prediction", "diagonal"),
        "Reference by prediction": ("Prediction", "Reference", "diagonal"),
        "Residual by reference": ("Reference", residual, "zero"),
        "Residual by prediction": ("Prediction", residual, "zero"),
        "Are the residuals normal?": ("Normal quantile", "Residual, in standard deviations", "diagonal"),
    }


def test_the_normal_probability_plot_of_a_few_rows_is_scipys() -> None:
    columns, panels = panels_of(60)
    (series,) = panel(panels, "Are the residuals normal?").series
    residuals = columns["y"] - columns["m"]
    quantiles, ordered = stats.probplot(residuals, fit=False)
    assert series.x == pytest.approx(quantiles)
    assert series.y == pytest.approx((ordered - residuals.mean()) / residuals.std())
    rank = np.arange(1, 61)
    for side, ends in ((0.025, series.low), (0.975, series.high)):
        assert ends == pytest.approx(stats.norm.ppf(stats.beta.ppf(side, rank, 61 - rank)))


def test_the_normal_probability_plot_of_many_rows_has_the_same_points_but_fewer() -> None:
    columns, panels = panels_of(3_000)
    (series,) = panel(panels, "Are the residuals normal?").series
    residuals = columns["y"] - columns["m"]
    quantiles, ordered = stats.probplot(residuals, fit=False)
    assert 60 < len(series.x) <= 99
    places = [int(np.abs(quantiles - x).argmin()) for x in series.x]
    assert series.x == pytest.approx(quantiles[places])
    assert series.y == pytest.approx(((ordered - residuals.mean()) / residuals.std())[places])
    assert (places[0], places[-1]) == (0, 2_999), "both ends are seen"


def test_normal_residuals_stay_in_the_band_and_heavy_tails_do_not() -> None:
    random = np.random.default_rng(5)
    m = random.normal(size=2_000)

    def outside(errors: Any) -> float:
        table = {"y": (m + errors).tolist(), "m": m.tolist()}
        (series,) = panel(evaluated(table, metrics=["rmse"]).outcome.panels, "Are the residuals normal?").series
        return float(
            np.mean([not low <= y <= high for y, low, high in zip(series.y, series.low, series.high, strict=True)])
        )

    assert outside(random.normal(size=2_000)) < 0.15
    assert outside(random.standard_t(3, 2_000)) > 0.5


def test_the_weighted_normal_probability_plot() -> None:
    """Repeated rows and whole weights have the same quantiles at the same shares."""
    columns, panels = panels_of(500, weight=True)
    (series,) = panel(panels, "Are the residuals normal?").series
    residuals, w = columns["y"] - columns["m"], columns["w"]
    mean = np.average(residuals, weights=w)
    sd = np.sqrt(np.average((residuals - mean) ** 2, weights=w))
    order = np.argsort(residuals)
    below = np.cumsum(w[order]) / w.sum()
    for x, y in zip(series.x, series.y, strict=True):
        value = residuals[order][np.searchsorted(below, stats.norm.cdf(x))]
        assert y == pytest.approx((value - mean) / sd)
    n = _effective(w)
    assert series.x[-1] == pytest.approx(stats.norm.ppf(0.5 ** (1 / n)))


@pytest.mark.parametrize("weight", [False, True])
def test_the_histogram_of_residuals_counts_every_row(weight: bool) -> None:
    columns, panels = panels_of(weight=weight, prediction=["m", "other"])
    (found,) = panels.histograms
    assert found.series == ["m", "other"]
    edges = np.array(found.edges)
    assert np.diff(edges) == pytest.approx(edges[1] - edges[0])
    for name, counts in zip(found.series, found.counts, strict=True):
        residuals = np.clip(columns["y"] - columns[name], edges[0], edges[-1])
        assert counts == pytest.approx(np.histogram(residuals, edges, weights=columns["w"])[0])
        assert sum(counts) == pytest.approx(len(residuals))


def test_systems_stand_side_by_side() -> None:
    _, panels = panels_of(prediction=["m", "other"])
    for found in panels.lines:
        assert [series.name for series in found.series] == ["m", "other"]
    by_reference = panel(panels, "Prediction by reference").series
    assert by_reference[0].edges == by_reference[1].edges, "bins of the reference are shared"
    assert by_reference[0].counts == by_reference[1].counts


@pytest.mark.parametrize(("rows", "points"), [(1, 1), (4, 1), (9, 1), (12, 2)])
def test_a_few_rows_make_a_few_points(rows: int, points: int) -> None:
    y = list(range(rows))
    panels = evaluated({"y": y, "m": [value + 0.5 for value in y]}, metrics=["rmse"]).outcome.panels
    series: Series = panel(panels, "Prediction by reference").series[0]
    assert len(series.x) == points
    assert sum(series.n) == rows
    if rows == 1:
        assert (series.low, series.high) == ([None], [None]), "one row has no interval"


def test_aggregates_only() -> None:
    """Panels of many rows are as large as those of a few."""
    small, large = (len(repr(panels_of(rows)[1])) for rows in (400, 20_000))
    assert large < 1.6 * small
