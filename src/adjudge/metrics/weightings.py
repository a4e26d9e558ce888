"""How far two categories are apart: one disagreement for each pair, 0 on the diagonal, 1 at most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from adjudge.data.judgements.columns import floats_of
from adjudge.data.judgements.labels import number_in
from adjudge.data.judgements.scales import category_values
from adjudge.errors import SettingError, listed, literal
from adjudge.statistics.base import Array, Codes, ratio

Weighting = str | ArrayLike  # one of WEIGHTINGS, or a matrix of disagreements
Distance = Callable[[str | float, str | float], float]  # a caller's own, of two numbers, or labels that spell none
Measurement = str | ArrayLike | Distance  # one of MEASUREMENTS, a matrix, or a distance
WEIGHTINGS = ("none", "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar")
# Levels of measurement, and the weighting whose disagreement they are; ordinal depends on the ratings.
MEASUREMENTS = {
    "nominal": "none",
    "ordinal": "ordinal",
    "interval": "quadratic",
    "ratio": "ratio",
    "circular": "circular",
    "bipolar": "bipolar",
}


def disagreement(categories: tuple[str, ...], weighting: Weighting) -> Array:
    """The disagreement of each pair of categories (Gwet's weights, subtracted from 1).

    Distances are between the numbers that labels spell; labels that are not numbers count by place, so an
    unused middle category never shrinks the scale.

    >>> disagreement(("1", "2", "3"), "ordinal")[0].round(3).tolist()
    [0.0, 0.333, 1.0]
    """
    if not isinstance(weighting, str):
        return given_matrix(categories, weighting)
    size = len(categories)
    if weighting == "none" or size < 2:
        return 1 - np.eye(size)
    x = category_values(categories)
    steps = np.abs(x[:, None] - x)
    span = x.max() - x.min()
    if weighting in ("linear", "quadratic", "radical"):
        return np.asarray(ratio(steps, span) ** {"linear": 1.0, "quadratic": 2.0, "radical": 0.5}[weighting])
    return {"ordinal": _ordinal, "ratio": _ratio, "circular": _circular, "bipolar": _bipolar}[weighting](x)


@dataclass(frozen=True, slots=True)
class CategoryDistances:
    """How far categories are apart, without a matrix where all are equally far: thousands of labels have no scale.

    >>> CategoryDistances.of(("a", "b", "c"), "none").to_all(np.array([0.5, 0.25, 0.25])).tolist()
    [0.5, 0.75, 0.75]
    """

    matrix: Array | None  # None: every two are 1 apart
    largest: float

    @classmethod
    def of(cls, categories: tuple[str, ...], weighting: Weighting) -> CategoryDistances:
        """By a weighting of these categories."""
        if isinstance(weighting, str) and weighting == "none":
            return cls(None, float(len(categories) > 1))
        d = disagreement(categories, weighting)
        return cls(d, float(d.max(initial=0.0)))

    def of_pairs(self, first: Codes, second: Codes) -> Array:
        """The disagreement of each of some pairs."""
        return np.asarray(first != second, dtype=np.float64) if self.matrix is None else self.matrix[first, second]

    def to_all(self, amounts: Array) -> Array:
        """Σ_l d_kl a_l of amounts by category, (…, K)."""
        return np.asarray(amounts.sum(-1, keepdims=True) - amounts if self.matrix is None else amounts @ self.matrix)


def _ordinal(x: Array) -> Array:
    place = np.argsort(np.argsort(x))
    d = np.abs(place[:, None] - place).astype(np.float64)
    return np.asarray(d * (d + 1) / (d.max() * (d.max() + 1)))


def _ratio(x: Array) -> Array:
    if (x <= 0).any():
        raise SettingError("The ratio weighting needs categories above 0: there is no ratio to nothing.")
    relative = (x[:, None] - x) / (x[:, None] + x)
    return np.asarray(relative**2 / ((x.max() - x.min()) / (x.max() + x.min())) ** 2)


def _circular(x: Array) -> Array:
    apart = np.sin(np.pi * (x[:, None] - x) / (x.max() - x.min() + 1)) ** 2
    return np.asarray(apart / apart.max())


def _bipolar(x: Array) -> Array:
    sums = x[:, None] + x
    apart = ratio((x[:, None] - x) ** 2, (sums - 2 * x.min()) * (2 * x.max() - sums))
    np.fill_diagonal(apart, 0.0)
    return np.asarray(apart / apart.max())


def given_matrix(categories: tuple[str, ...], matrix: ArrayLike) -> Array:
    """A matrix of disagreements given by the caller: square, symmetric, 0 on the diagonal; scaled to 1 at most."""
    if (d := floats_of(matrix)) is None:
        raise SettingError(f"A matrix of disagreements must hold numbers, not {literal(matrix)}.")
    if d.shape != (len(categories), len(categories)):
        raise SettingError(
            f"A matrix of disagreements must have a row for each of {listed(categories)}, but its shape is {d.shape}."
        )
    if np.diagonal(d).any() or not np.allclose(d, d.T) or not ((d >= 0) & np.isfinite(d)).all():
        raise SettingError(
            "A matrix of disagreements must be symmetric, finite and not negative, with 0 on the diagonal."
        )
    return np.asarray(d / max(1.0, d.max(initial=0.0)))


def known_weighting(*, weighting: object = "none") -> None:
    """Refuse a weighting that has no definition."""
    if isinstance(weighting, str) and weighting not in WEIGHTINGS:
        raise SettingError(f"`weighting` must be a matrix or one of {listed(WEIGHTINGS)}, not {literal(weighting)}.")


def known_measurement(*, measurement: object = "nominal") -> None:
    """Refuse a level of measurement that has no definition."""
    if isinstance(measurement, str) and measurement not in MEASUREMENTS:
        raise SettingError(
            f"`measurement` must be a matrix or one of {listed(MEASUREMENTS)}, not {literal(measurement)}."
        )


def are_numbers(categories: tuple[str, ...]) -> bool:
    """Whether every category spells a number."""
    return all(number_in(category) is not None for category in categories)
