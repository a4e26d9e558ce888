"""The numbers behind the pictures, from the statistics of the whole table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from adjudge.evaluation.measuring.rows import Measured
from adjudge.evaluation.panels import (
    CalibrationBin,
    CalibrationPanel,
    ConfusionPanel,
    CurvePanel,
    Line,
    Panels,
    ScorePanel,
    ThresholdPanel,
)
from adjudge.inference.intervals.closed_form import wilson
from adjudge.metrics.intervals import Share
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curve, Curves

Band = tuple[Array, Array]
POINTS = 150
BAND_POINTS = 61
BAND_REPLICATES = 250
CALIBRATION_BINS = 10
HISTOGRAM_BINS = 40
# More categories than this get no curves of their own: nobody can tell the lines apart.
MOST_CURVES = 12


def classification_panels(whole: Sequence[Measured], level: float) -> Panels:
    """Every picture of these systems."""
    curves = [named for measured in whole for named in _curves(measured)]
    proper = [(m, name, curve) for m, name, curve in curves if curve.are_probabilities]
    return Panels(
        confusions=[_confusion(m) for m in whole if Confusion in m.statistics and Confusion not in m.refused],
        curves=[_curve_panel(m, name, curve, level) for m, name, curve in curves if _has_both(curve)],
        thresholds=[_threshold_panel(m.system, name, curve) for m, name, curve in curves if curve.rows],
        calibrations=[_calibration(m.system, name, curve, level) for m, name, curve in proper],
        scores=[_score_panel(m.system, name, curve) for m, name, curve in curves if curve.rows],
    )


def _curves(measured: Measured) -> Iterator[tuple[Measured, str, Curve]]:
    if Curves in measured.statistics:
        curves = measured.statistics[Curves]
        for name, curve in list(zip(curves.categories, curves.curves, strict=True))[:MOST_CURVES]:
            yield measured, name, curve


def _has_both(curve: Curve) -> bool:
    return bool(curve.positive_total > 0 and curve.negative_total > 0)


def _confusion(measured: Measured) -> ConfusionPanel:
    table = measured.statistics[Confusion]
    if table.cells is None:
        return ConfusionPanel(measured.system, list(table.categories), [_plain(row) for row in table.counts])
    occurring = list(zip(*(part.tolist() for part in (*table.pairs, table.counts)), strict=True))
    return ConfusionPanel(measured.system, list(table.categories), [], occurring)


def _curve_panel(measured: Measured, category: str, curve: Curve, level: float) -> CurvePanel:
    coarse = curve.thinned(POINTS)
    replicates = _replicates_of_curve(measured, category)
    rates = np.linspace(0, 1, BAND_POINTS)
    roc_band = (
        _band(replicates.false_positive_rate, replicates.recall, rates, level) if replicates is not None else None
    )
    pr_band = (
        _band(replicates.recall, np.nan_to_num(replicates.precision), rates[1:], level)
        if replicates is not None
        else None
    )
    return CurvePanel(
        measured.system,
        category,
        float(ratio(curve.positive_total, curve.total)),
        _from_the_origin(_line(coarse, coarse.false_positive_rate, coarse.recall, rates, roc_band), roc_band),
        _line(coarse, coarse.recall, coarse.precision, rates[1:], pr_band),
    )


def _replicates_of_curve(measured: Measured, category: str) -> Curve | None:
    """A few hundred replicates of one curve."""
    for replicates in measured.bootstrap:
        if Curves in replicates.base:
            curves_of_tiles: list[Curve] = []
            for tile in replicates.tiles():
                curves = tile[Curves]
                curves_of_tiles.append(curves.curves[curves.categories.index(category)])
                if sum(len(curve.counts) for curve in curves_of_tiles) >= BAND_REPLICATES:
                    break
            counts = np.concatenate([curve.counts for curve in curves_of_tiles])[:BAND_REPLICATES]
            first = curves_of_tiles[0]
            return first.with_counts(counts)
    return None


def _band(x: Array, y: Array, at: Array, level: float) -> Band:
    """Pointwise limits of y over x, replicate by replicate."""
    values = np.stack(
        [np.interp(at, np.append(0.0, a), np.append(b[:1] if len(b) else 0.0, b)) for a, b in zip(x, y, strict=True)]
    )
    low, high = np.nanquantile(values, [0.5 - level / 2, 0.5 + level / 2], axis=0)
    return low, high


def _line(coarse: Curve, x: Array, y: Array, at: Array, band: Band | None) -> Line:
    """A line with its band read off at the line's own points."""
    # The highest scores may belong to rows of weight zero: a line starts where it is defined.
    known = np.isfinite(x) & np.isfinite(y)
    x, y = x[known], y[known]
    low, high = ([], []) if band is None else (_plain(np.interp(x, at, end)) for end in band)
    return Line(_plain(x), _plain(y), low, high, _plain(coarse.thresholds[known]))


def _from_the_origin(line: Line, band: Band | None) -> Line:
    """The line with the point that takes nothing in front."""
    low, high = ([], []) if band is None else ([0.0], [float(band[1][0])])
    return Line([0.0, *line.x], [0.0, *line.y], low + line.low, high + line.high, [line.threshold[0], *line.threshold])


def _threshold_panel(system: str, category: str, curve: Curve) -> ThresholdPanel:
    coarse = curve.thinned(POINTS)
    taken, false = coarse.true_positives, coarse.false_positives
    lines = {
        "precision": coarse.precision,
        "recall": coarse.recall,
        "specificity": 1 - coarse.false_positive_rate,
        "accuracy": ratio(taken + coarse.negative_total - false, coarse.total),
        "f_score": ratio(2 * taken, taken + false + coarse.positive_total),
        "volume": ratio(taken + false, coarse.total),
    }
    rising = {name: [None if np.isnan(v) else float(v) for v in values[::-1]] for name, values in lines.items()}
    return ThresholdPanel(system, category, _plain(coarse.thresholds[::-1]), **rising)


def _calibration(system: str, category: str, curve: Curve, level: float) -> CalibrationPanel:
    cells = np.clip((curve.thresholds * CALIBRATION_BINS).astype(np.int64), 0, CALIBRATION_BINS - 1)

    def by_bin(amounts: Array) -> Array:
        return np.bincount(cells, weights=amounts, minlength=CALIBRATION_BINS).astype(np.float64)

    positives, weight = by_bin(curve.counts[0]), by_bin(curve.counts.sum(0))
    mean = ratio(by_bin(curve.counts.sum(0) * curve.thresholds), weight)
    low, high = wilson(Share(positives, weight, by_bin(curve.squares.sum(0))), level)
    share = ratio(positives, weight)
    bins = [
        CalibrationBin(
            float(place / CALIBRATION_BINS),
            float((place + 1) / CALIBRATION_BINS),
            *(float(part[place]) for part in (mean, share, low, high, weight)),
        )
        for place in np.flatnonzero(weight)
    ]
    return CalibrationPanel(system, category, bins)


def _score_panel(system: str, category: str, curve: Curve) -> ScorePanel:
    low, high = (0.0, 1.0) if curve.are_probabilities else (float(curve.thresholds[-1]), float(curve.thresholds[0]))
    # Halved and doubled: the distance between the largest and the smallest float is not a float.
    edges = 2 * np.linspace(low / 2, (high if high > low else low + 1) / 2, HISTOGRAM_BINS + 1)
    positives, negatives = (np.histogram(curve.thresholds, edges, weights=counts)[0] for counts in curve.counts)
    return ScorePanel(system, category, _plain(edges), _plain(positives), _plain(negatives))


def _plain(values: Array) -> list[float]:
    return list(map(float, values))
