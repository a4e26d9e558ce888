"""Are fixes and breakages spread alike over parts? A test of a table with two columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from adjudge.statistics.base import Array, Codes
from adjudge.statistics.cells import generator

TABLES = 10_000
ENOUGH = 500  # tables as far apart as the one seen: more would tell p no better than to a twentieth of itself
LEAST_EXPECTED = 5.0


class SpreadTest(NamedTuple):
    """The probability of parts as different as these, were they alike, and by which test."""

    p: float
    test: str
    parts: int


def spread_alike(fixed: Sequence[float] | Array, broken: Sequence[float] | Array, seed: int = 0) -> SpreadTest | None:
    """χ² of parts × (fixed, broken), or where few are expected in a cell, Fisher, Freeman and Halton's exact test.

    The latter by 10,000 tables with the same margins, p = (1 + as improbable) / (1 + tables), never 0. Parts in which
    nothing changed say nothing; None where fewer than two are left.

    >>> round(spread_alike([30, 20, 9], [18, 10, 11]).p, 3)
    0.278
    >>> spread_alike([3, 0], [2, 0]) is None
    True
    """
    table = np.stack([np.asarray(fixed, dtype=np.float64), np.asarray(broken, dtype=np.float64)], axis=1)
    table = table[table.sum(axis=1) > 0]
    if len(table) < 2 or not (table.sum(axis=0) > 0).all():
        return None
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    if expected.min() >= LEAST_EXPECTED:
        from scipy.special import chdtrc

        return SpreadTest(float(chdtrc(len(table) - 1, _chi2(table))), "χ²", len(table))
    random = generator(seed, "spread")
    rows = np.rint(table.sum(axis=1)).astype(np.int64)
    tables = random.multivariate_hypergeometric(rows, round(float(table[:, 1].sum())), size=TABLES)
    seen, others = _log_chance(rows, table[:, 1]), _log_chance(rows, tables)
    as_far = int((others <= seen + 1e-9 * abs(seen)).sum())
    return SpreadTest((1 + as_far) / (1 + TABLES), "Fisher–Freeman–Halton", len(table))


def spread_by_units(parts: Sequence[Array], seed: int = 0, units_are: str = "templates") -> SpreadTest | None:
    """The same where several rows stand or fall together: each part's units, (units, 2), are dealt to parts anew.

    10,000 times, or until 500 tables are as far apart as this one: p is then 500 of those dealt (Besag and Clifford
    1991).

    >>> one, two = np.array([[5.0, 0], [4, 1], [6, 0]]), np.array([[0.0, 5], [1, 4], [0, 3]])
    >>> round(spread_by_units([one, two]).p, 2)
    0.1
    """
    moving = [part[part.sum(axis=1) > 0] for part in parts]
    moving = [part for part in moving if len(part)]
    if len(moving) < 2 or not (sum(part.sum(axis=0) for part in moving) > 0).all():
        return None
    fixed, broken = np.ascontiguousarray(np.concatenate(moving).T)
    firsts = np.cumsum([0, *(len(part) for part in moving[:-1])])
    seen = _chi2(_by_part(fixed, broken, firsts))
    random = generator(seed, "spread")
    as_far, dealt = 0, 0
    step = max(1, 2**20 // len(fixed))
    while dealt < TABLES:
        many = min(step, TABLES - dealt)
        order = random.permuted(np.tile(np.arange(len(fixed), dtype=np.int32), (many, 1)), axis=1)
        far = _chi2(_by_part(fixed[order], broken[order], firsts)) >= seen * (1 - 1e-9)
        if as_far + int(far.sum()) >= ENOUGH:
            dealt += 1 + int(np.searchsorted(np.cumsum(far), ENOUGH - as_far))
            return SpreadTest(ENOUGH / dealt, f"{units_are} dealt anew", len(moving))
        as_far, dealt = as_far + int(far.sum()), dealt + many
    return SpreadTest((1 + as_far) / (1 + TABLES), f"{units_are} dealt anew", len(moving))


def _by_part(fixed: Array, broken: Array, firsts: Codes) -> Array:
    """Units in the order of parts, (…, units), summed by part: (…, parts, 2)."""
    return np.stack([np.add.reduceat(column, firsts, axis=-1) for column in (fixed, broken)], axis=-1)


def spread_drawn(parts: Sequence[Array], draws: Sequence[Array], units: float) -> SpreadTest | None:
    """The same of parts, each (2,), whose units were drawn, (replicates, 2) by the same draws: Rao and Scott's χ².

    χ² over what it is on average where parts are alike, which the draws tell (Scott and Rao 1981), as an F with
    k − 1 and (k − 1)(G − 1) degrees of freedom (Thomas and Rao 1987). None where few are expected in a cell.

    >>> random = np.random.default_rng(1)
    >>> parts = np.array([[30.0, 18], [20, 10], [9, 11]])
    >>> round(spread_drawn(parts, random.poisson(parts[:, None], (3, 4000, 2)).astype(float), 1e6).p, 2)
    0.29
    """
    from scipy.special import fdtrc

    moving = [place for place, part in enumerate(parts) if part.sum() > 0]
    table = np.array([parts[place] for place in moving])
    if len(moving) < 2 or not (table.sum(axis=0) > 0).all():
        return None
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    if expected.min() < LEAST_EXPECTED or units < 2:
        return None
    by_part = np.stack([draws[place] for place in moving], axis=1)  # (replicates, parts, 2)
    broken, pooled = table[:, 1] / table.sum(axis=1), table[:, 1].sum() / table.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        each = by_part[..., 1] / by_part.sum(axis=2) - (by_part[..., 1].sum(axis=1) / by_part.sum(axis=(1, 2)))[:, None]
    off = (each - (broken - pooled)) ** 2 * table.sum(axis=1)
    freedom = len(moving) - 1
    effect = float(np.nanmean(off, axis=0).sum()) / (pooled * (1 - pooled)) / freedom
    ratio = float(_chi2(table)) / effect / freedom
    return SpreadTest(float(fdtrc(freedom, freedom * (units - 1), ratio)), "χ² of Rao and Scott", len(moving))


def _chi2(tables: Array) -> Array:
    """χ² of each of several tables, (…, parts, 2); a part without anything adds nothing."""
    rows, columns = tables.sum(axis=-1, keepdims=True), tables.sum(axis=-2, keepdims=True)
    expected = rows * columns / tables.sum(axis=(-2, -1), keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(expected > 0, (tables - expected) ** 2 / expected, 0.0).sum(axis=(-2, -1)))


def _log_chance(rows: Codes, broken: Array | Codes) -> Array:
    """The logarithm of how probable a table with these margins is, up to a constant."""
    from scipy.special import gammaln

    return np.asarray(-(gammaln(broken + 1) + gammaln(rows - broken + 1)).sum(axis=-1))
