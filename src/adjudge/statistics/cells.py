"""Replicates drawn directly on the cells of a statistic.

When units are independent unweighted rows, resampling rows and resampling cells are the same thing,
and cells cost nothing in the number of rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from adjudge.statistics.base import Array

# Above this many rows the multinomial is drawn as independent Poisson counts: the number of rows then
# varies by its square root, which changes the variance of a ratio by less than one part in the row count.
MULTINOMIAL_ROWS = 4_096
# Naming a row costs less than drawing a small Poisson count, by more than this factor.
ROWS_A_CELL = 8
MULTINOMIAL_CELLS = 64
# Units' worth of prior mass that smooths Bayesian replicates, as `prior_of_pairs` spreads it. Without it small skewed
# samples give intervals of no width; docs/validation/coverage.md compares one unit with two.
PRIOR_MASS = 2.0


def generator(seed: int, stream: str) -> np.random.Generator:
    """A random generator for one purpose, the same on every run."""
    digest = blake2b(stream.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return np.random.Generator(np.random.SFC64([seed, int.from_bytes(digest, "little")]))


def draw_cells(
    counts: Array, kind: str, replicates: int, random: np.random.Generator, *, among: int | None = None
) -> Array:
    """Replicates of a vector of counts, (replicates, cells).

    kind: multinomial (the row bootstrap), poisson, or bayesian (Gamma weights; counts may then be
    fractions, which is how prior mass enters). `among`: how many cells there are, where only some are listed.

    >>> draw_cells(np.array([2.0, 3.0]), "multinomial", 3, generator(1, "doc")).sum(-1)
    array([5., 5., 5.])
    """
    if kind == "bayesian":
        return draw_gamma(counts, replicates, random)
    total, cells = counts.sum(), len(counts) if among is None else among
    few = total <= max(MULTINOMIAL_ROWS, ROWS_A_CELL * cells) or cells <= MULTINOMIAL_CELLS
    if kind == "poisson" or not few or total == 0:
        return draw_poisson(counts, replicates, random)
    if cells <= MULTINOMIAL_CELLS:
        return random.multinomial(int(total), counts / total, size=replicates).astype(np.float64)
    return draw_rows(counts, replicates, random)


# Means and shapes from here on are drawn as normal numbers bent to the same skewness.
LARGE_MEAN = 16
LARGE_SHAPE = 64


def draw_poisson(means: Array, replicates: int, random: np.random.Generator) -> Array:
    """Poisson counts. Large means use the normal with the same mean, variance and skewness (Cornish and Fisher).

    The variance is then off by one part in 18 times the mean, far below what replicates can show, at a
    fifth of the cost.
    """
    return _draws(means, means >= LARGE_MEAN, random.poisson, 1 / 6, (replicates, random))


def draw_gamma(shapes: Array, replicates: int, random: np.random.Generator) -> Array:
    """Gamma weights of unit scale. Large shapes use the normal with the same mean, variance and skewness.

    The variance is then off by two parts in 9 times the shape.
    """
    return _draws(shapes, shapes >= LARGE_SHAPE, random.standard_gamma, 1 / 3, (replicates, random))


def _draws(
    means: Array,
    large: NDArray[np.bool_],
    exact: Callable[[Array, tuple[int, int]], NDArray[np.number]],
    bend: float,
    draws: tuple[int, np.random.Generator],
) -> Array:
    """Numbers whose variance is their mean: exact ones, or for large means μ + √μ z + bend (z² − 1), z normal."""
    replicates, random = draws
    if not large.any():
        return np.asarray(exact(means, (replicates, len(means))), dtype=np.float64)
    # Overwriting the columns of the few small means costs less than putting the others in their places.
    replicate_draws = _bent(means, bend, random.standard_normal((replicates, len(means))))
    if not large.all():
        replicate_draws[:, ~large] = exact(means[~large], (replicates, int((~large).sum())))
    return replicate_draws


def _bent(means: Array, bend: float, normal: Array) -> Array:
    """Two multiplications each, in place: drawing is mostly moving memory."""
    bent = normal * bend
    bent += np.sqrt(means)
    bent *= normal
    bent += means - bend
    return bent


def draw_by_table(counts: Array, kind: str, replicates: int, random: np.random.Generator) -> Array:
    """Poisson counts, or Gamma weights for "bayesian", of rising whole counts: small ones are looked up, not drawn.

    Replicates of a cell lie side by side in memory, as products with sparse matrices want them.

    >>> draw_by_table(np.array([1.0, 1, 40]), "poisson", 4_000, generator(1, "doc")).mean(0).round()
    array([ 1.,  1., 40.])
    """
    replicate_draws = np.empty((len(counts), replicates))
    large = int(np.searchsorted(counts, LARGE_MEAN))
    bits = random.integers(0, TABLE, size=(large, replicates), dtype=np.uint16)
    edges = [*np.flatnonzero(np.diff(counts[:large], prepend=-1.0)), large]
    for start, stop in pairwise(edges):
        np.take(
            quantile_table(kind == "bayesian", int(counts[start])),
            bits[start:stop],
            out=replicate_draws[start:stop],
            mode="clip",
        )
    if large < len(counts):
        draw = draw_gamma if kind == "bayesian" else draw_poisson
        replicate_draws[large:] = draw(counts[large:], replicates, random).T
    return replicate_draws.T


# Equally likely values of a draw that is looked up.
TABLE = 2**14


@cache
def quantile_table(bayesian: bool, mean: int) -> Array:
    """Poisson counts, or Gamma weights, of a small mean at equally likely levels, with its mean and variance."""
    from scipy.special import gammaincinv, pdtr

    levels = (np.arange(TABLE) + 0.5) / TABLE
    if mean == 0:
        return np.zeros(TABLE)
    if not bayesian:
        return np.searchsorted(pdtr(np.arange(8 * mean + 16), mean), levels).astype(np.float64)
    values = gammaincinv(float(mean), levels)
    return np.asarray(mean + (values - values.mean()) * np.sqrt(mean / values.var()))


# Atoms of prior mass that are drawn one by one; what is left of the stick, 2 / 3 to this power, is nothing.
ATOMS = 64
# Tables of more cells than this list those that are occupied; their prior mass is drawn as atoms, not cell by cell.
MANY_CELLS = 2**14


def prior_atoms(mass: float, replicates: int, atoms: int, random: np.random.Generator) -> Array:
    """The atoms of a Gamma process, (replicates, atoms): the limit of a little mass in every one of many cells.

    Sethuraman's stick (1994) draws its atoms largest first, however many cells there are.

    >>> prior_atoms(2.0, 4_000, 64, generator(1, "doc")).sum(-1).mean().round(1)
    np.float64(2.0)
    """
    stick = random.beta(1.0, mass, size=(replicates, atoms))
    stick[:, atoms - 1 :] = 1.0
    left = np.cumprod(np.concatenate([np.ones((replicates, 1)), 1 - stick[:, :-1]], axis=1), axis=1)[:, :atoms]
    return np.asarray(stick * left * random.standard_gamma(mass, size=(replicates, 1)))


def prior_of_pairs(size: int, mass: float) -> Array:
    """Prior mass of two labels out of so many, (size, size): half where they are the same, half where they differ.

    Spread evenly over all pairs of many labels, nearly all of it would say that they differ, and draws of a coefficient
    of agreement would lie below it: docs/validation/heldout.md.

    >>> prior_of_pairs(3, 3.0).tolist()
    [[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5]]
    """
    half = mass / 2 if size > 1 else mass
    prior = np.full((size, size), half / max(size * (size - 1), 1))
    np.fill_diagonal(prior, half / max(size, 1))
    return prior


def prior_places(size: int, shape: tuple[int, ...], random: np.random.Generator) -> NDArray[np.int64]:
    """Cells of a table of so many labels, (size × size), as often as `prior_of_pairs` has mass there."""
    same = random.integers(0, size, size=shape) * (size + 1)
    if size < 2:
        return same
    row, place = np.divmod(random.integers(0, size * (size - 1), size=shape), size)
    return np.where(random.random(shape) < 0.5, same, row * (size + 1) + 1 + place)


def draw_smoothed(counts: Array, mass: float, replicates: int, random: np.random.Generator) -> Array:
    """Gamma weights of the cells of a square table with prior mass in all of them, (replicates, cells)."""
    size = math.isqrt(len(counts))
    if len(counts) <= MANY_CELLS:
        return draw_gamma(counts + prior_of_pairs(size, mass).reshape(-1), replicates, random)
    occupied = np.flatnonzero(counts)
    listed, amounts = with_prior_atoms(occupied, draw_gamma(counts[occupied], replicates, random), size, mass, random)
    draws = np.zeros((replicates, len(counts)))
    draws[:, listed] = amounts
    return draws


def with_prior_atoms(
    listed: NDArray[np.int64], draws: Array, size: int, mass: float, random: np.random.Generator, *, unit: float = 1.0
) -> tuple[NDArray[np.int64], Array]:
    """Replicates of listed cells of a table of `size` labels, (replicates, cells), with prior mass in any of them.

    Atoms fall into any of them: the rising cells that are occupied then, and what each has. `unit` is what one of the
    mass weighs.
    """
    atoms = prior_atoms(mass, len(draws), ATOMS, random) * unit
    place = prior_places(size, atoms.shape, random)
    cells = np.union1d(listed, place)
    amounts = np.zeros((len(draws), len(cells)))
    amounts[:, np.searchsorted(cells, listed)] = draws
    at = np.searchsorted(cells, place) + (np.arange(len(draws)) * len(cells))[:, None]
    np.add.at(amounts.reshape(-1), at, atoms)
    return cells, amounts


def draw_rows(counts: Array, replicates: int, random: np.random.Generator) -> Array:
    """The multinomial by naming rows one by one: faster than numpy's when cells hold a row or two each."""
    cell_of_row = np.repeat(np.arange(len(counts)), counts.astype(np.int64))
    rows = len(cell_of_row)
    chosen = cell_of_row[random.integers(0, rows, size=(replicates, rows))]
    chosen += (np.arange(replicates) * len(counts))[:, None]
    return np.bincount(chosen.ravel(), minlength=replicates * len(counts)).astype(np.float64).reshape(replicates, -1)
