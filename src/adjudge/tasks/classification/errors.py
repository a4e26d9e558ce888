"""Where a system errs: slice by slice how many errors are too many, and which label is taken for which."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from adjudge.engines.base import WHOLE, SliceKey
from adjudge.evaluation.comparison.side_effects import whole_or_not
from adjudge.evaluation.declaration import Page, View
from adjudge.evaluation.panels import Cell, TablePanel, finite
from adjudge.evaluation.results import ResultTable, slice_name
from adjudge.statistics.base import Array
from adjudge.statistics.confusion import Confusion

ERRORS = "Errors by slice"
COLUMNS = [
    "system", "slice", "n", "errors", "error rate", "low", "high", "share of errors", "lift", "excess",
    "shrunken rate", "most confused", "residual",
]  # fmt: skip
# Levels that a column must have for rates to be drawn towards their mean.
FEWEST_LEVELS = 5


def error_table(page: Page, views: Sequence[View]) -> Iterator[TablePanel]:
    """Every slice of every system, those with the most errors beyond their share first."""
    keys, cells, limits = page.collected.slices(), list[list[Cell]](), _limits(page.table)
    for view in views:
        if Confusion in view.refused or view.name not in page.whole:
            continue
        tables = {key: page.find(view, key, Confusion) for key in keys}
        known = {key: table for key, table in tables.items() if table is not None and float(table.total) > 0}
        if WHOLE in known:
            rows = _rows(known)
            cells += [
                [view.name, *row[:4], *limits.get((view.name, str(row[0])), [None, None]), *row[4:]]
                for row in sorted(rows, key=lambda one: -float(one[6] or 0.0))
            ]
    note = (
        "Excess is n (error rate − that of the other rows): what would be saved were the slice as good as the rest. "
        "The shrunken rate is drawn towards the mean of its column's levels (beta-binomial, by moments, of at least "
        f"{FEWEST_LEVELS} levels). Most confused is the reference → answer with the largest standardised residual "
        "beside the other rows (Haberman 1973)."
    )
    if cells:
        yield TablePanel(ERRORS, note, COLUMNS, cells)


def _rows(tables: Mapping[SliceKey, Confusion]) -> Iterator[list[Cell]]:
    """The slices of one system, column by column."""
    for column in dict.fromkeys(key[0] for key in tables if key != WHOLE):
        levels = [(key, table) for key, table in tables.items() if key[0] == column]
        rates = shrunken([_errors(one) for _, one in levels], [float(one.total) for _, one in levels])
        for (key, table), rate in zip(levels, rates, strict=True):
            yield [slice_name(key), *_line(table, tables[WHOLE]), rate, *_confused(table, tables[WHOLE])]


def _errors(table: Confusion) -> float:
    return float(table.total) - float(table.agreed)


def _line(table: Confusion, whole: Confusion) -> list[Cell]:
    """Rows, errors, their rate, share, lift and excess."""
    n, errors, every, all_errors = float(table.total), _errors(table), float(whole.total), _errors(whole)
    rate, rest = errors / n, every - n
    of_rest = (all_errors - errors) / rest if rest > 0 else math.nan
    share = errors / all_errors if all_errors > 0 else None
    lift = rate / (all_errors / every) if all_errors > 0 else None
    excess = n * (rate - of_rest) if math.isfinite(of_rest) else None
    return [whole_or_not(n), whole_or_not(errors), rate, share, lift, excess]


def _limits(results: ResultTable) -> dict[tuple[str, str], list[Cell]]:
    """The limits of the error rate of each system in each slice, or those of accuracy turned round."""
    limits: dict[tuple[str, str], list[Cell]] = {}
    for row in results.where(lambda row: row.metric in ("error_rate", "accuracy")).estimates.first_methods():
        ends = (row.low, row.high) if row.metric == "error_rate" else (1 - row.high, 1 - row.low)
        limits.setdefault((row.system, row.slice), [finite(end) for end in ends])
    return limits


def _confused(table: Confusion, whole: Confusion) -> list[Cell]:
    """The pair of labels that is confused more here than elsewhere: the largest standardised residual."""
    here, every = table.aligned(whole.categories).listed, whole.listed
    first, second = here.pairs
    of_label, total = here.reference_total[first], every.reference_total[first]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = every.amounts_in_cells_of(here, every.counts, 0.0) / total
        expected = of_label * share
        residual = (here.counts - expected) / np.sqrt(expected * (1 - share) * (1 - of_label / total))
    residual = np.where((first != second) & (here.counts > 0) & np.isfinite(residual), residual, -np.inf)
    if not np.isfinite(residual).any():
        return [None, None]
    most = int(residual.argmax())
    return [f"{whole.categories[first[most]]} → {whole.categories[second[most]]}", float(residual[most])]


def shrunken(errors: Sequence[float], rows: Sequence[float]) -> list[float | None]:
    """Rates drawn towards their mean, so that 1 of 2 does not lead: beta-binomial, its two numbers by moments.

    >>> shrunken([1, 10, 12, 9, 30, 8], [2, 100, 100, 100, 100, 100])[0] < 0.25
    True
    >>> shrunken([1, 2], [10, 10])
    [None, None]
    """
    n, x = np.asarray(rows, dtype=np.float64), np.asarray(errors, dtype=np.float64)
    if len(n) < FEWEST_LEVELS or not 0 < x.sum() < n.sum():
        return [None] * len(n)
    mean, mass = x.sum() / n.sum(), _mass(x, n)
    rates: Array = np.full(len(n), mean) if math.isinf(mass) else (x + mass * mean) / (n + mass)
    return [float(one) for one in rates]


def _mass(x: Array, n: Array) -> float:
    """How many rows at the mean a level is mixed with: infinite where levels vary no more than by chance.

    Kleinman (1973): the weighted variance of rates, less what chance gives, as a part of mean · (1 − mean).
    """
    mean, total = x.sum() / n.sum(), n.sum()
    spread = float((n * (x / n - mean) ** 2).sum())
    by_chance = mean * (1 - mean) * (len(n) - 1)
    beyond = (spread - by_chance) / (mean * (1 - mean) * (total - (n**2).sum() / total) - by_chance)
    return math.inf if not beyond > 0 else max(1 / beyond - 1, 0.0)
