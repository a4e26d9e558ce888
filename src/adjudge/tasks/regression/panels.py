"""The numbers behind the pictures of regression: conditional means, residuals and how normal they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from adjudge.evaluation.panels import HistogramPanel, LinesPanel, Panels, Series
from adjudge.statistics.base import Array
from adjudge.statistics.conditional_cells import Conditional, ConditionalCells
from adjudge.statistics.residuals import Residuals

REFERENCE, PREDICTION, RESIDUAL = "Reference", "Prediction", "Residual (reference less prediction)"
# Points of a normal probability plot.
POINTS = 99
# The four conditional plots: title, what is binned, what is averaged, the guide, and where it is found.
CONDITIONAL: tuple[tuple[str, str, str, str, Callable[[ConditionalCells], Conditional]], ...] = (
    ("Prediction by reference", REFERENCE, PREDICTION, "diagonal", lambda cells: cells.prediction_by_reference),
    ("Reference by prediction", PREDICTION, REFERENCE, "diagonal", lambda cells: cells.reference_by_prediction),
    ("Residual by reference", REFERENCE, RESIDUAL, "zero", lambda cells: cells.residual_by_reference),
    ("Residual by prediction", PREDICTION, RESIDUAL, "zero", lambda cells: cells.residual_by_prediction),
)


def regression_panels(
    cells: Mapping[str, ConditionalCells], residuals: Mapping[str, Residuals], level: float
) -> Panels:
    """Every picture of these systems."""
    lines = [
        LinesPanel(
            title,
            "Each point is the mean of the rows of a bin, at the mean place of its rows, with Student's interval.",
            x,
            y,
            [_conditional(name, find(of_system), level) for name, of_system in cells.items()],
            guide,
        )
        for title, x, y, guide, find in CONDITIONAL
    ]
    normal = LinesPanel(
        "Are the residuals normal?",
        "Residuals in standard deviations beside normal ones; the rules are where normal residuals of "
        "as many rows would lie. On the dashed line they are normal; a bend at the ends is a heavy tail.",
        "Normal quantile",
        "Residual, in standard deviations",
        [_normal(name, of_system, level) for name, of_system in residuals.items()],
        "diagonal",
    )
    spread = _histograms(residuals)
    return Panels(lines=[*lines, normal], histograms=[spread] if spread else [])


def _conditional(name: str, found: Conditional, level: float) -> Series:
    """The mean in each bin that has rows; an interval where there are two."""
    from scipy.special import stdtrit

    number, n = found.number, found.effective_rows
    used = np.flatnonzero(number.n > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.sqrt(number.variance(ddof=0) / np.maximum(n - 1, 0.0))
        reach = np.where(n > 1.5, stdtrit(np.maximum(n - 1, 1.0), 0.5 + level / 2) * error, np.nan)
    low, high = number.mean - reach, number.mean + reach
    return Series(
        name,
        _plain(found.position[used]),
        _plain(number.mean[used]),
        _known(low[used]),
        _known(high[used]),
        _plain(number.n[used]),
    )


def _normal(name: str, residuals: Residuals, level: float) -> Series:
    """Quantiles of residuals in standard deviations, with the band in which those of normal residuals lie."""
    from scipy.special import betaincinv, ndtri

    signed = residuals.signed
    mean = float(signed.mean_of(signed.values))
    sd = float(np.sqrt(signed.mean_of((signed.values - mean) ** 2)))
    n = float(residuals.effective_rows)
    if not (sd > 0 and n > 2):
        return Series(name, [], [])
    shares = np.arange(1, POINTS + 1) / (POINTS + 1)
    at = [float(signed.quantile(share)) for share in shares]
    # The k-th of n uniform numbers has a beta distribution; its quantiles become those of the k-th normal number.
    rank = shares * (n + 1)
    ends = (betaincinv(rank, n + 1 - rank, 0.5 + side * level / 2) for side in (-1, 1))
    low, high = (ndtri(end) for end in ends)
    return Series(name, _plain(ndtri(shares)), _plain((np.array(at) - mean) / sd), _known(low), _known(high))


def _histograms(residuals: Mapping[str, Residuals]) -> HistogramPanel | None:
    """How the residuals of all systems are spread, in bins that they share."""
    parts = {name: of_system.signed for name, of_system in residuals.items()}
    values = np.concatenate([part.values[part.counts > 0] for part in parts.values()])
    if not len(values) or not values.max() > values.min():
        return None
    weights = np.concatenate([part.counts[part.counts > 0] for part in parts.values()])
    edges = _edges(values, weights)
    counts = [
        np.histogram(np.clip(part.values, edges[0], edges[-1]), edges, weights=part.counts)[0]
        for part in parts.values()
    ]
    note = "Rows beyond the ends are counted in the outer bins."
    return HistogramPanel("Residuals", note, RESIDUAL, _plain(edges), list(parts), [_plain(each) for each in counts])


def _edges(values: Array, weights: Array, bins: int = 40, fence: float = 3.0) -> Array:
    """Even bins over all values, but not far beyond the middle half of them."""
    order = np.argsort(values)
    share = np.cumsum(weights[order]) / weights.sum()
    last = len(values) - 1
    lower, upper = (float(values[order][min(int(np.searchsorted(share, at)), last)]) for at in (0.25, 0.75))
    reach = fence * (upper - lower) if upper > lower else float(values.max() - values.min())
    low, high = max(float(values.min()), lower - reach), min(float(values.max()), upper + reach)
    return np.linspace(low, high, bins + 1)


def _plain(values: Any) -> list[float]:
    return [float(value) for value in np.asarray(values, dtype=np.float64)]


def _known(values: Any) -> list[float | None]:
    return [float(value) if np.isfinite(value) else None for value in np.asarray(values, dtype=np.float64)]
