"""Whether strengths differ between columns or slices: every two, and the largest difference, with their doubt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from adjudge.data.judgements.votes import MISSING, B
from adjudge.diagnosis.preferences.model_strengths import largest_differences, simultaneous_quantile
from adjudge.diagnosis.preferences.strength_differences import by_prompt, largest_difference, unpaired_difference
from adjudge.evaluation.panels import Cell, TablePanel, finite
from adjudge.inference.differences.same_verdict import p_by_limits
from adjudge.inference.intervals.interval import normal_quantile
from adjudge.inference.intervals.numbers import student_quantile
from adjudge.inference.many.multiplicity import holm
from adjudge.statistics.base import Array
from adjudge.statistics.cells import generator
from adjudge.tasks.preference.reading import MODEL
from adjudge.tasks.preference.shown_votes import ShownVotes, TraitCell

HEAD = ["annotator", "most", "least", "difference", "low", "high", "p", "p, Holm"]
PAIRED, NOT_PAIRED = "paired by prompt", "not paired"
MOST_LEVELS = 100  # that are compared with each other: those with the most pairs


@dataclass(frozen=True)
class StrengthDifference:
    """One strength less another."""

    first: str
    second: str
    value: float
    low: float
    high: float
    p: float
    n: int
    at: Callable[[float], tuple[float, float, float]]  # the value with its limits at any level


@dataclass(frozen=True)
class StrengthSpread:
    """The strengths of one annotator beside several columns, or in several slices."""

    annotator: str
    among: str  # models, or the column that is split by
    paired: bool
    largest: StrengthDifference
    each: tuple[StrengthDifference, ...]
    left_out: int = 0  # levels that are not compared

    @property
    def method(self) -> str:
        """How limits of single differences are made."""
        return "guarded_t" if self.paired else "square_and_add"


def spreads_of(shown: ShownVotes) -> list[StrengthSpread]:
    """Of every annotator: between models, and between the levels of each split."""
    spreads: list[StrengthSpread] = []
    columns = [column for column in shown.study.reading.columns if column.startswith(MODEL)]
    if len(columns) > 1 and shown.units is not None:
        spreads += _between_columns(shown, columns)
    for split in shown.page.slice_columns:
        levels = [column for column in shown.columns if column.startswith(f"{split} = ")]
        if len(levels) > 1:
            spreads += _between_slices(shown, split, levels)
    return spreads


def _annotators(shown: ShownVotes) -> list[str]:
    return list(dict.fromkeys(cell.annotator for cell in shown.first))


def _between_slices(shown: ShownVotes, split: str, levels: list[str]) -> Iterator[StrengthSpread]:
    """Nothing is shared between slices: limits are squared and added, and simultaneous where there are many."""
    for annotator in _annotators(shown):
        cells = [
            cell for level in levels if (cell := shown.cells.get((annotator, level))) and np.isfinite(cell.strength)
        ]
        if len(cells) < 2:
            continue
        most = sorted(range(len(cells)), key=lambda k: -float(cells[k].table.both_asked))[:MOST_LEVELS]
        left_out, cells = len(cells) - len(most), [cells[k] for k in sorted(most)]
        values = np.array([cell.strength for cell in cells])
        errors = np.array([(cell.high - cell.low) / 2 for cell in cells]) / normal_quantile(shown.level)
        each = tuple(_unpaired(one, other, shown.level) for k, one in enumerate(cells) for other in cells[k + 1 :])
        between = np.sqrt(errors[:, None] ** 2 + errors**2)
        largest = _largest(shown, annotator, each, values, covariance=np.diag(errors**2), errors=between)
        yield StrengthSpread(annotator, split, False, largest, each, left_out)


def _unpaired(one: TraitCell, other: TraitCell, level: float) -> StrengthDifference:
    value, low, high = unpaired_difference(one.limits, other.limits)
    p = p_by_limits(value, (low, high), level)
    n = round(float(one.table.both_asked + other.table.both_asked))

    def at(new_level: float) -> tuple[float, float, float]:
        return unpaired_difference(one.at(new_level), other.at(new_level))

    return StrengthDifference(one.column, other.column, value, low, high, p, n, at)


def _between_columns(shown: ShownVotes, columns: list[str]) -> Iterator[StrengthSpread]:
    """The same prompts, and often the same pairs: by what each prompt does to both columns."""
    from scipy.special import stdtr

    assert shown.units is not None
    pairs = shown.units.pairs
    prompts = np.unique(pairs.prompts, return_inverse=True)[1].reshape(-1)
    references = pairs.votes[:, [pairs.names.index(column) for column in columns]]
    for annotator in _annotators(shown):
        said = pairs.votes[:, [pairs.names.index(annotator)]]
        agree = np.where(said > B, 0.0, np.where(said == references, 1.0, -1.0))
        by_unit = by_prompt(np.where((references > B) | (said == MISSING), np.nan, agree), prompts)
        known = np.flatnonzero(np.isfinite(by_unit.values))
        if len(known) < 2:
            continue
        errors, freedom = by_unit.errors, max(len(by_unit.influence) - 1, 1)
        each = []
        for place, k in enumerate(known):
            for other in known[place + 1 :]:
                value, error = float(by_unit.values[k] - by_unit.values[other]), float(errors[k, other])
                p = float(2 * stdtr(freedom, -abs(value) / error)) if error > 0 else np.nan
                at = partial(_around, value, error, freedom)
                names = (columns[k], columns[other])
                each.append(StrengthDifference(*names, *at(shown.level), p, len(by_unit.influence), at))
        covariance, kept = (values[np.ix_(known, known)] for values in (by_unit.covariance, errors))
        largest = _largest(shown, annotator, each, by_unit.values[known], covariance=covariance, errors=kept)
        yield StrengthSpread(annotator, "models", True, largest, tuple(each))


def _around(value: float, error: float, freedom: int, level: float) -> tuple[float, float, float]:
    reach = student_quantile(level, freedom) * error
    return value, value - reach, value + reach


def _largest(
    shown: ShownVotes,
    annotator: str,
    each: Sequence[StrengthDifference],
    values: Array,
    *,
    covariance: Array,
    errors: Array,
) -> StrengthDifference:
    """The largest difference; of three or more, with limits that hold for all."""
    most = max(each, key=lambda one: abs(one.value))

    def at(level: float) -> tuple[float, float, float]:
        if len(values) == 2:
            value, low, high = most.at(level)
            value, low, high = (value, low, high) if value >= 0 else (-value, -high, -low)
            return value, max(low, 0.0), high
        q = simultaneous_quantile(covariance, level, shown.seed, f"largest difference/{annotator}")
        return largest_difference(values, errors, q)

    p = _p_of_range(values, covariance, shown.seed)
    names = (most.first, most.second) if most.value >= 0 else (most.second, most.first)
    return StrengthDifference(*names, *at(shown.level), p, most.n, at)


RANGE_DRAWS = 4_000


def _p_of_range(values: Array, covariance: Array, seed: int) -> float:
    """How often strengths without any difference, as unsure as these, differ as much."""
    spread = np.diag(covariance)[:, None] + np.diag(covariance) - 2 * covariance
    first, second = np.nonzero(np.triu(spread > 1e-15, 1))
    if not len(first):
        return float("nan")
    errors = np.sqrt(spread[first, second])
    roots, vectors = np.linalg.eigh(covariance)
    normal = generator(seed, "range of strengths").standard_normal((RANGE_DRAWS, len(values)))
    ranges = normal @ (vectors * np.sqrt(np.maximum(roots, 0.0))).T
    largest = largest_differences(ranges, first, second, errors)
    observed = float((np.abs(values[first] - values[second]) / errors).max())
    return float((1 + (largest >= observed).sum()) / (1 + RANGE_DRAWS))


def difference_tables(spreads: Sequence[StrengthSpread]) -> Iterator[TablePanel]:
    """One table for models, and one for each split: the largest difference of each annotator, the surest first."""
    for among in dict.fromkeys(spread.among for spread in spreads):
        kept = [spread for spread in spreads if spread.among == among]
        adjusted = holm([spread.largest.p for spread in kept]).tolist()
        rows: list[list[Cell]] = []
        for spread, p in zip(kept, adjusted, strict=True):
            one = spread.largest
            numbers = map(finite, (one.value, one.low, one.high, one.p, p))
            rows.append([spread.annotator, one.first, one.second, *numbers])
        rows.sort(key=lambda row: (2.0 if row[6] is None else float(row[6]), str(row[0])))
        title, note = f"Differences between levels of {among}", f"Not paired: the levels of {among} share no pair."
        if kept[0].paired:
            title, note = "Differences between models", "Paired by prompt."
        left_out = max(spread.left_out for spread in kept)
        note += f" {left_out:,} levels with fewer pairs are not compared." if left_out else ""
        many = " Limits hold for all differences of an annotator at once." if len(kept[0].each) > 1 else ""
        yield TablePanel(title, f"{note} The largest of each annotator.{many}", HEAD, rows)
