"""Whether strengths differ between columns or slices: the largest difference of each annotator, with its doubt."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from adjudge.data.votes import MISSING, B
from adjudge.diagnosis.model_strengths import simultaneous_quantile
from adjudge.diagnosis.strength_differences import by_prompt, largest_difference, unpaired_difference
from adjudge.evaluation.panels import TablePanel
from adjudge.inference.multiplicity import holm
from adjudge.statistics.base import Array
from adjudge.statistics.cells import generator
from adjudge.tasks.preference.panels import Cell, Shown, Value, number, reach_of
from adjudge.tasks.preference.reading import MODEL

HEAD = ["annotator", "most", "least", "difference", "low", "high", "p", "p, Holm"]


def difference_tables(shown: Shown) -> Iterator[TablePanel]:
    """One table for models, and one for each split."""
    columns = [column for column in shown.study.reading.columns if column.startswith(MODEL)]
    if len(columns) > 1 and shown.units is not None:
        yield _between_columns(shown, columns)
    for split in shown.page.slice_columns:
        levels = [column for column in shown.columns if column.startswith(f"{split} = ")]
        if len(levels) > 1:
            yield _between_slices(shown, split, levels)


def _between_slices(shown: Shown, split: str, levels: list[str]) -> TablePanel:
    """Nothing is shared between slices: limits are squared and added, and simultaneous where there are many."""
    rows: list[list[Value]] = []
    for annotator in dict.fromkeys(cell.annotator for cell in shown.first):
        cells = [
            cell for level in levels if (cell := shown.cells.get((annotator, level))) and np.isfinite(cell.strength)
        ]
        if len(cells) > 1:
            rows.append([annotator, *_largest(shown, cells)])
    note = (
        f"Not paired: the levels of {split} share no pair. With more than two levels, limits hold for all differences."
    )
    return TablePanel(f"Differences between levels of {split}", note, HEAD, _with_holm(rows))


def _largest(shown: Shown, cells: list[Cell]) -> list[Value]:
    values = np.array([cell.strength for cell in cells])
    errors = np.array([(cell.high - cell.low) / 2 for cell in cells]) / reach_of(shown.level)
    most, least = int(values.argmax()), int(values.argmin())
    spread = np.sqrt(errors[:, None] ** 2 + errors**2)
    if len(cells) == 2:
        found = unpaired_difference(cells[most].limits, cells[least].limits)
    else:
        q = simultaneous_quantile(
            np.diag(errors**2), shown.level, shown.seed, f"largest difference/{cells[0].annotator}"
        )
        found = largest_difference(values, spread, q)
    p = _p_of_range(values, np.diag(errors**2), shown.seed)
    return [cells[most].column, cells[least].column, *map(number, (*found, p))]


def _between_columns(shown: Shown, columns: list[str]) -> TablePanel:
    """The same prompts, and often the same pairs: by what each prompt does to both columns."""
    assert shown.units is not None
    pairs = shown.units.pairs
    prompts = np.unique(pairs.prompts, return_inverse=True)[1].reshape(-1)
    references = pairs.votes[:, [pairs.names.index(column) for column in columns]]
    rows: list[list[Value]] = []
    for annotator in dict.fromkeys(cell.annotator for cell in shown.first):
        said = pairs.votes[:, [pairs.names.index(annotator)]]
        agree = np.where(said > B, 0.0, np.where(said == references, 1.0, -1.0))
        found = by_prompt(np.where((references > B) | (said == MISSING), np.nan, agree), prompts)
        known = np.flatnonzero(np.isfinite(found.values))
        if len(known) < 2:
            continue
        values, covariance = found.values[known], found.covariance[np.ix_(known, known)]
        most, least = int(values.argmax()), int(values.argmin())
        if len(known) == 2:
            value, _, (low, high) = found.difference(int(known[most]), int(known[least]), shown.level)
        else:
            q = simultaneous_quantile(covariance, shown.level, shown.seed, f"largest difference/{annotator}")
            spread = np.diag(covariance)[:, None] + np.diag(covariance) - 2 * covariance
            value, low, high = largest_difference(values, np.sqrt(np.maximum(spread, 0.0)), q)
        p = _p_of_range(values, covariance, shown.seed)
        rows.append([annotator, columns[known[most]], columns[known[least]], *map(number, (value, low, high, p))])
    note = "Paired by prompt. With more than two models, limits hold for all differences together."
    return TablePanel("Differences between models", note, HEAD, _with_holm(rows))


def _p_of_range(values: Array, covariance: Array, seed: int, draws: int = 4_000) -> float:
    """How often strengths without any difference, as unsure as these, differ as much."""
    spread = np.diag(covariance)[:, None] + np.diag(covariance) - 2 * covariance
    first, second = np.nonzero(np.triu(spread > 1e-15, 1))
    if not len(first):
        return float("nan")
    errors = np.sqrt(spread[first, second])
    roots, vectors = np.linalg.eigh(covariance)
    normal = generator(seed, "range of strengths").standard_normal((draws, len(values)))
    drawn = normal @ (vectors * np.sqrt(np.maximum(roots, 0.0))).T
    largest = (np.abs(drawn[:, first] - drawn[:, second]) / errors).max(1)
    observed = float((np.abs(values[first] - values[second]) / errors).max())
    return float((1 + (largest >= observed).sum()) / (1 + draws))


def _with_holm(rows: list[list[Value]]) -> list[list[Value]]:
    """Adjusted over the annotators, the surest first."""
    p = [float("nan") if row[-1] is None else float(row[-1]) for row in rows]
    complete = [[*row, number(float(one))] for row, one in zip(rows, holm(p), strict=True)]
    return sorted(complete, key=lambda row: (2.0 if row[6] is None else float(row[6]), str(row[0])))
