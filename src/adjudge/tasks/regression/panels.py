"""The numbers behind the pictures of regression: conditional means, residuals and how normal they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from adjudge.evaluation.panels import HistogramPanel, LinesPanel, Panels, Series, finite
from adjudge.statistics.base import Array
from adjudge.statistics.numbers.conditional_cells import Conditional, ConditionalCells
from adjudge.statistics.numbers.distribution import Distribution
from adjudge.statistics.numbers.residuals import Residuals

REFERENCE, PREDICTION, RESIDUAL = "Reference", "Prediction", "Residual (reference less prediction)"
# Points of a normal probability plot, at most; rows of a bin, at least.
MOST_POINTS, LEAST_ROWS = 99, 5  # the words of the section in task.py say so
# The four conditional plots: title, which of the two numbers is binned, what is averaged, the guide, and where it is.
CONDITIONAL: tuple[tuple[str, int, str, str, Callable[[ConditionalCells], Conditional]], ...] = (
    ("Prediction by reference", 0, PREDICTION, "diagonal", lambda cells: cells.prediction_by_reference),
    ("Reference by prediction", 1, REFERENCE, "diagonal", lambda cells: cells.reference_by_prediction),
    ("Residual by reference", 0, RESIDUAL, "zero", lambda cells: cells.residual_by_reference),
    ("Residual by prediction", 1, RESIDUAL, "zero", lambda cells: cells.residual_by_prediction),
)
NOTES = {
    "Prediction by reference": "Below the dashed line predictions are too low on average. A flatter line is usual: "
    "what cannot be told is predicted nearer the middle.",
    "Reference by prediction": "On the dashed line predictions are right on average, whatever is predicted.",
    "Residual by reference": "Above the dashed line predictions are too low on average.",
    "Residual by prediction": "On the dashed line predictions are right on average; a slope can be corrected.",
}
INTERVALS = "Intervals are Student's."
NO_INTERVALS = "Without intervals: rows of a cluster are not independent."
NORMAL = (
    "Residuals in standard deviations beside those of normal residuals. On the dashed line they are normal; ends that "
    "bend away from it are heavy tails.{}"
)


def regression_panels(
    cells: Mapping[str, ConditionalCells], residuals: Mapping[str, Residuals], level: float | None
) -> Panels:
    """Every picture of these systems; no level, no intervals: they take rows as independent."""
    lines = [
        LinesPanel(
            title,
            f"{NOTES[title]} {NO_INTERVALS if level is None else INTERVALS}",
            (REFERENCE, PREDICTION)[binned],
            y,
            [_conditional(name, of_system, find, binned, level) for name, of_system in cells.items()],
            guide,
        )
        for title, binned, y, guide, find in CONDITIONAL
    ]
    band = "" if level is None else " The band is where as many normal residuals would lie, each point by itself."
    normal = LinesPanel(
        "Are the residuals normal?",
        NORMAL.format(band),
        "Normal quantile",
        "Residual, in standard deviations",
        [_normal(name, of_system, level) for name, of_system in residuals.items()],
        "diagonal",
        band=True,
    )
    spread = _histograms({name: of_system.signed for name, of_system in residuals.items()})
    return Panels(lines=[*lines, normal], histograms=[spread] if spread else [])


def _conditional(
    name: str,
    cells: ConditionalCells,
    find: Callable[[ConditionalCells], Conditional],
    binned: int,
    level: float | None,
) -> Series:
    """The mean in each bin, with an interval where there are two rows, and how many rows lie where."""
    from scipy.special import stdtrit

    joined = find(cells.joined(LEAST_ROWS))
    number, n = joined.number, joined.effective_rows
    counts = (cells.by_reference, cells.by_prediction)[binned].counts
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        mean, error = number.mean, np.sqrt(number.variance(ddof=0) / np.maximum(n - 1, 0.0))
        reach = np.where(n > 1.5, stdtrit(np.maximum(n - 1, 1.0), 0.5 + (level or 0.0) / 2) * error, np.nan)
    known = np.isfinite(joined.position) & np.isfinite(mean)
    ends = [] if level is None else [_known((mean + side * reach)[known]) for side in (-1, 1)]
    low, high = ends or ([], [])
    return Series(
        name,
        _plain(joined.position[known]),
        _plain(mean[known]),
        low,
        high,
        _plain(number.n[known]),
        _plain(cells.bins.edges[binned]),
        _plain(counts),
    )


def _normal(name: str, residuals: Residuals, level: float | None) -> Series:
    """Quantiles of residuals in standard deviations, with the band in which those of normal residuals lie.

    The k-th of n residuals stands at the median of the k-th of n normal numbers (Filliben 1975). Of many, a few
    do, evenly along the normal scale, so that the tails are seen.
    """
    from scipy.special import betaincinv, ndtr, ndtri

    signed = residuals.signed
    with np.errstate(over="ignore", invalid="ignore"):
        mean = float(signed.mean_of(signed.values))
        sd = float(np.sqrt(signed.mean_of((signed.values - mean) ** 2)))
    n = float(residuals.effective_rows)
    if not (np.isfinite(sd) and sd > 0 and n > 2):
        return Series(name, [], [])
    rank = np.arange(1.0, np.floor(n) + 1)
    if n > MOST_POINTS:
        end = ndtri(0.5 ** (1 / n))
        rank = np.unique(np.rint(ndtr(np.linspace(-end, end, MOST_POINTS)) * (n + 0.365) + 0.3175).clip(1, np.floor(n)))
    shares = _medians(rank, n)
    y = (_quantiles(signed, shares) - mean) / sd
    if level is None:
        return Series(name, _plain(ndtri(shares)), _plain(y))
    # The k-th of n uniform numbers has a beta distribution; its quantiles become those of the k-th normal number.
    low, high = (ndtri(betaincinv(rank, n + 1 - rank, 0.5 + side * level / 2)) for side in (-1, 1))
    return Series(name, _plain(ndtri(shares)), _plain(y), _known(low), _known(high))


def _medians(rank: Array, n: float) -> Array:
    """The share of a distribution that lies below the k-th of n numbers, at its median (Filliben 1975)."""
    shares = (rank - 0.3175) / (n + 0.365)
    shares[[0, -1]] = 1 - 0.5 ** (1 / n), 0.5 ** (1 / n)
    return np.asarray(shares)


def _quantiles(spread: Distribution, shares: Array) -> Array:
    """The first value by which each share of the weight is reached."""
    below = np.cumsum(spread.counts)
    return np.asarray(spread.values[np.minimum(np.searchsorted(below, shares * below[-1]), len(below) - 1)])


def _histograms(parts: Mapping[str, Distribution]) -> HistogramPanel | None:
    """How the residuals of all systems are spread, in bins that they share."""
    values = np.concatenate([part.values[part.counts > 0] for part in parts.values()])
    if not len(values) or not np.isfinite(values.max() - values.min()) or not values.max() > values.min():
        return None
    weights = np.concatenate([part.counts[part.counts > 0] for part in parts.values()])
    edges = _edges(values, weights)
    counts = [
        np.histogram(np.clip(part.values, edges[0], edges[-1]), edges, weights=part.counts)[0]
        for part in parts.values()
    ]
    note = "Rows beyond the ends are counted in the outer bins."
    return HistogramPanel("Residuals", note, RESIDUAL, _plain(edges), list(parts), [_plain(each) for each in counts])


# Bins of residuals, and how many times the width of the middle half they may reach beyond it.
BINS, FENCE = 40, 3.0


def _edges(values: Array, weights: Array) -> Array:
    """Even bins over all values, but not far beyond the middle half of them."""
    order = np.argsort(values)
    share = np.cumsum(weights[order]) / weights.sum()
    last = len(values) - 1
    lower, upper = (float(values[order][min(int(np.searchsorted(share, at)), last)]) for at in (0.25, 0.75))
    reach = FENCE * (upper - lower) if upper > lower else float(values.max() - values.min())
    low, high = max(float(values.min()), lower - reach), min(float(values.max()), upper + reach)
    return np.linspace(low, high, BINS + 1)


def _plain(values: object) -> list[float]:
    return [float(value) for value in np.asarray(values, dtype=np.float64)]


def _known(values: object) -> list[float | None]:
    return [finite(value) for value in np.asarray(values, dtype=np.float64)]
