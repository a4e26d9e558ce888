"""Are the scores probabilities? Formulas over losses and over the score curve."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from adjudge.errors import SettingError, literal
from adjudge.metrics.base import Direction, metric
from adjudge.metrics.declaration import is_number
from adjudge.metrics.intervals import Quantity, Unseen
from adjudge.metrics.score_cells import Extremes, mean_of_convex
from adjudge.statistics.base import Array, Codes, ratio
from adjudge.statistics.curves.curve import Curve, Curves
from adjudge.statistics.curves.grouping import group_starts, in_parts
from adjudge.statistics.curves.orders import CellOrders
from adjudge.statistics.losses import Losses

NOT_PROBABILITIES = "the scores are not probabilities: they must lie in [0, 1] and sum to 1 over the categories"


def _entropy(losses: Losses) -> Array:
    shares = ratio(losses.shares, losses.shares.sum(-1, keepdims=True))
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(shares > 0, -shares * np.log(shares), 0.0)
    return np.where(losses.surprise.weight == 0, np.nan, terms.sum(-1))


def _impurity(losses: Losses) -> Array:
    shares = ratio(losses.shares, losses.shares.sum(-1, keepdims=True))
    # Two categories are told by one score: its squared error is half of that over both.
    two = losses.shares.shape[-1] == 2
    return np.asarray((1 - (shares**2).sum(-1)) / (2 if two else 1))


# Losses that differ by less beside their mean are alike: what is left of their spread is rounding.
ALIKE = 1e-9


def _unseen(losses: Losses, which: int) -> Unseen:
    moments, (first, second) = (losses.surprise, losses.squared_error)[which], losses.weighed[which::2]
    mean = float(moments.average)
    # Squared weights times squared deviations: more than Kish's rows tell where heavy rows differ more (Taylor).
    spread = second - 2 * mean * first + mean**2 * moments.squares if np.isfinite(mean) else 0.0
    is_more = spread > ALIKE * second and moments.deviations > ALIKE * moments.weight * mean**2
    rows = float(ratio(moments.deviations * moments.weight, spread)) if is_more else np.inf
    return Unseen(float(losses.tails[which]), float(ratio(losses.tails[2 + which], losses.total)), rows)


def _surprise_in_cells(cells: CellOrders, formula: Callable[..., Array]) -> Extremes:
    return mean_of_convex(cells, lambda positive, negative: -np.stack([np.log(positive), np.log1p(-negative)]))


def _error_in_cells(cells: CellOrders, formula: Callable[..., Array]) -> Extremes:
    return mean_of_convex(cells, lambda positive, negative: np.stack([1 - positive, negative]) ** 2)


@metric(
    over=Losses,
    label="Log loss",
    direction=Direction.LOWER,
    range=(0.0, np.inf),
    undefined="there are no rows, or something that happened was given probability 0 and the loss is infinite",
    intervals=("rubin", "normal", "bootstrap"),
    mean=lambda losses: losses.surprise,
    tail=lambda losses: _unseen(losses, 0),
    in_cells=_surprise_in_cells,
    probabilities=True,
    baseline=_entropy,
    references=["Good 1952", "Shannon 1948 (baseline: the entropy of the labels)", "Rubin 1981 (interval)"],
)
def log_loss(losses: Losses) -> Array:
    """Mean surprise: −log of the probability given to what happened, natural logarithm.

    (1/n) Σ_i −ln p_{i, y_i}; no clipping.

    Undefined when there are no rows, when scores are not probabilities, and when something that
    happened was given probability 0 (the loss is then infinite).

    >>> round(log_loss([0, 1], [0.25, 0.5]), 4)
    0.4904
    """
    return _if_proper(losses, losses.surprise.average)


@metric(
    over=Losses,
    label="Brier score",
    direction=Direction.LOWER,
    range=(0.0, 2.0),
    undefined="there are no rows",
    intervals=("rubin", "normal", "bootstrap"),
    mean=lambda losses: losses.squared_error,
    tail=lambda losses: _unseen(losses, 1),
    in_cells=_error_in_cells,
    probabilities=True,
    baseline=_impurity,
    references=["Brier 1950", "Rubin 1981 (interval)"],
)
def brier_score(losses: Losses) -> Array:
    """Mean squared distance between the probabilities and what happened.

    With one score for two categories (1/n) Σ (p_i − y_i)², at most 1; with a score for each category
    the sum over categories, at most 2.

    Undefined when there are no rows or the scores are not probabilities.

    >>> brier_score([0, 1], [0.25, 0.5])
    0.15625
    """
    return _if_proper(losses, losses.squared_error.average)


def _if_proper(losses: Losses, values: Array) -> Array:
    return values if losses.improper == 0 else np.full_like(values, np.nan)


MOST_BINS = 2**20


def _whole_bins(*, bins: int = 10) -> None:
    if not (isinstance(bins, int) and is_number(bins) and bins >= 1):
        raise SettingError(f"`bins` must be a whole number of at least 1, not {literal(bins)}.")
    if bins > MOST_BINS:
        raise SettingError(f"`bins` must be at most {MOST_BINS:,}, not {literal(bins)}. Ask for fewer.")


def _bins_of(scores: Array, bins: int) -> Codes:
    """The bin of equal width that each score falls into."""
    places = (scores * bins).astype(np.int64)
    return np.clip(places, 0, bins - 1, out=places)


class CalibrationSums(NamedTuple):
    """Sums over the rows in each bin, (bins,), of score minus outcome; squared weights as far as they are others."""

    weight: Array
    gaps: Array
    squares: Array  # of weights
    square_gaps: Array  # squared weights times the difference,
    square_squares: Array  # and times its square
    expected: Array  # squared weights times what outcomes vary by if the scores are their probabilities


def bin_sums(curve: Curve, bins: int) -> CalibrationSums:
    """What lies in bins of equal width. There may be a million cells: a few are looked at at a time."""
    score, plain = curve.within.mean_score, curve.squares is curve.counts
    sums = np.zeros((5, 2 * bins))
    for some in in_parts(score.shape[-1]):
        places = _bins_of(score[:, some], bins)
        places[1] += bins
        gaps = np.stack([score[0, some] - 1, score[1, some]])
        starts = group_starts(places.reshape(-1))  # cells are in the order of their scores: there are few runs
        at = places.reshape(-1)[starts]
        amounts, squares = (weights[:, some] for weights in (curve.counts, curve.squares))
        once = gaps * squares
        each = [squares, once, once * gaps, *(() if plain else (amounts, gaps * amounts))]
        for row, one in enumerate(each):
            sums[row] += np.bincount(at, np.add.reduceat(one.reshape(-1), starts), 2 * bins)
    if plain:
        sums[3:] = sums[:2]
    # p (1 − p) of a positive, whose difference d is p − 1, is −d − d²; of a negative, d being p, it is d − d².
    one, two = sums[1].reshape(2, bins), sums[2].reshape(2, bins)
    squares, square_gaps, square_squares, weight, gaps = sums.reshape(5, 2, bins).sum(1)
    return CalibrationSums(weight, gaps, squares, square_gaps, square_squares, one[1] - one[0] - two.sum(0))


def bin_gaps(curve: Curve, bins: int) -> Array:
    """Sums of score minus outcome in bins of equal width, (…, bins): of replicates, too."""
    mean_score = curve.within.mean_score
    cells = _bins_of(mean_score, bins)
    gaps = np.stack([mean_score[0] - 1, mean_score[1]])
    cells = cells.astype(np.min_scalar_type(bins)).reshape(-1)  # small codes sort fast
    rows = curve.counts.reshape(*curve.counts.shape[:-2], -1) * gaps.reshape(-1)
    del gaps
    sizes, order = np.bincount(cells, minlength=bins), np.argsort(cells, kind="stable")
    sums, starts = np.zeros((*rows.shape[:-1], bins)), (np.cumsum(sizes) - sizes)[sizes > 0]
    if len(order):
        sums[..., sizes > 0] = np.add.reduceat(rows[..., order], starts, axis=-1)
    return sums


def _across_bins(cells: CellOrders, formula: Callable[..., Array], *, bins: int = 10) -> Extremes:
    """Rows of a cell at the edge of two bins may lie in either: at most what they miss leaves one and enters one."""
    curve, value = cells.curve, formula(cells.curve, bins=bins)
    positive, negative = curve.within.mean_score
    missed = curve.counts[0] * (1 - positive) + curve.counts[1] * negative
    across = _bins_of(curve.thresholds, bins) != _bins_of(cells.highest, bins)
    off = ratio(2 * (missed * across).sum(-1), curve.total) + cells.mean_off
    return value - off, value + off


@metric(
    over=Curves,
    per="category",
    label="Calibration error",
    direction=Direction.LOWER,
    range=(0.0, 1.0),
    undefined="there are no rows",
    intervals=("folded_normal", "folded_bootstrap", "bootstrap"),
    quantity=Quantity.CALIBRATION,
    in_cells=_across_bins,
    probabilities=True,
    check=_whole_bins,
    references=[
        "Naeini, Cooper & Hauskrecht 2015",
        "Guo et al. 2017",
        "Leone, Nelson & Nottingham 1961 (interval: the folded normal distribution)",
    ],
)
def calibration_error(curve: Curve, *, bins: int = 10) -> Array:
    """Mean distance between score and share of positives, over bins of equal width (ECE).

    Σ_b |Σ_{i∈b} p_i − Σ_{i∈b} y_i| / n. It is above 0 even for perfect probabilities, the more so
    the fewer the rows; the interval takes that off and holds 0 unless the scores are clearly off.

    Undefined when there are no rows or the scores are not probabilities.

    >>> calibration_error([0, 1], [0.25, 0.5])
    0.375
    """
    if not curve.are_probabilities:
        return np.full_like(curve.total, np.nan)
    if curve.counts.ndim == 2:
        return np.asarray(ratio(np.abs(curve.once(bin_sums, bins=bins).gaps).sum(), curve.total))
    return np.asarray(ratio(np.abs(bin_gaps(curve, bins)).sum(-1), curve.total))
