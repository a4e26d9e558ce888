"""What a block of rows adds: the sums of the whole and of every slice, and the same under explicit draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import reduce
from operator import add

import numpy as np
from numpy.typing import NDArray

from adjudge.data.counting import counted_rows
from adjudge.data.reading import Block, Place, Reading
from adjudge.data.source import Batch
from adjudge.data.table_facts import table_facts
from adjudge.engines.base import (
    ANY_SLICE,
    SLICES_ONLY,
    WHOLE,
    WHOLE_ONLY,
    Collected,
    Progress,
    SliceKey,
    SumPlan,
    Tally,
    no_progress,
)
from adjudge.engines.crossing import Crossed
from adjudge.errors import SettingError, check_size
from adjudge.statistics.base import AnyStatistic, of_given_units
from adjudge.statistics.weights import Weights

Rows = NDArray[np.int64]
Summing = dict[tuple[SliceKey, Tally], Callable[[Weights], AnyStatistic]]


def sum_batch(
    batch: Batch, reading: Reading, place: Place, plan: SumPlan, progress: Progress = no_progress
) -> Collected:
    """All sums of one batch of rows; those that are alike are read once where nothing else tells them apart."""
    few = counted_rows(batch) if plan.of_cells and reading.countable else None
    block = reading.read(batch if few is None else few, place.first_row)
    return sum_block(looked_at(block, batch, plan, place, few), plan, progress)


def looked_at(block: Block, batch: Batch, plan: SumPlan, place: Place, counted: Batch | None = None) -> Block:
    """The same block, with what the columns of its batch tell of mistakes; `counted` is the batch by distinct rows."""
    if plan.watched is None:
        return block
    table = table_facts(batch, plan.watched, place.first_row, place.number, counted)
    return replace(block, facts=replace(block.facts, table=table))


def sum_block(block: Block, plan: SumPlan, progress: Progress = no_progress) -> Collected:
    """All sums of one block of rows; of a block without a complete row, its facts."""
    if not block.rows:
        return Collected(block.facts)
    if plan.slices:
        _check_names(block, plan.slices)
    weights = Weights(block.rows, block.weight) if block.times is None else _of_cells(block, plan)
    sums: dict[tuple[SliceKey, Tally], AnyStatistic] = {}
    for tally in plan.tallies:
        judgements, statistic = block.views[tally.view], of_given_units(tally.statistic)
        if tally.where != SLICES_ONLY and not (plan.slices and tally.told_by_slices(block)):
            sums[WHOLE, tally] = statistic.collect(judgements, weights, tally.pilot)
        if tally.where != WHOLE_ONLY:
            by = [(levels.codes, len(levels.categories)) for levels in block.slices]
            parts = statistic.collect_slices(judgements, weights, by, tally.pilot_of(ANY_SLICE))
            for name, levels, of_slice in zip(plan.slices, block.slices, parts, strict=True):
                named = zip(levels.categories, of_slice, strict=True)
                sums |= {((name, level), tally): part for level, part in named if part is not None}
    return Collected(block.facts, sums, _replicates(block, plan, progress))


def _check_names(block: Block, slices: tuple[str, ...]) -> None:
    """Refuse a slice without a name of a column without a name: the whole is called so."""
    if any((name, level) == WHOLE for name, one in zip(slices, block.slices, strict=True) for level in one.categories):
        raise SettingError("A slice must have a name, but a column without a name has an empty level. Name the column.")


def _of_cells(block: Block, plan: SumPlan) -> Weights:
    """What rows count that stand for several each; what they do not tell is refused, such as draws without bags."""
    one_by_one = block.rows_of_cells is not None and any(draws.kind == "jackknife" for draws, _ in plan.draws)
    if one_by_one or block.times is None or not all(tally.statistic.is_of_cells for tally in plan.tallies):
        raise SettingError(
            "Cells must tell what is asked, but they do not hold rows: leaving rows out one by one and metrics of your "
            "own need the table itself. Leave them out, or evaluate the table."
        )
    return Weights.standing_for(block.times, block.weight, block.squares)


def _replicates(block: Block, plan: SumPlan, progress: Progress) -> dict[tuple[SliceKey, Tally, str], AnyStatistic]:
    """The sums under explicit draws, a tile of draws at a time."""
    if not plan.draws:
        return {}
    parts = dict(_parts(block, plan.slices))
    crossed = Crossed.of(block, plan.slices)
    whole = {tally: _summing(block, tally, WHOLE, parts[WHOLE]) for tally in plan.by_rows}
    one = Weights(block.rows, block.weight, np.ones((block.rows, 1)))
    numbers = {tally: _numbers_in(sums(one)) for tally, sums in whole.items()}
    by_level = {
        tally: _summing_by_level(block, tally, crossed)
        for tally in plan.by_rows
        if crossed is not None and tally.statistic.draws_by_level and numbers[tally] * crossed.size <= MOST_BY_LEVEL
    }
    summing: Summing = {
        (key, tally): whole[tally] if key == WHOLE else _summing(block, tally, key, rows)
        for key, rows in parts.items()
        for tally in plan.by_rows
        if tally.covers(key) and tally not in by_level
    }
    replicates: dict[tuple[SliceKey, Tally, str], AnyStatistic] = {}
    case = block.times.astype(np.float64) if block.weight is None and block.times is not None else block.weight
    _check_replicates(plan, parts, numbers, summing, one)
    for draws, under in plan.draws:
        places = [(key, tally) for key in parts for tally in under if tally.covers(key)]
        tiles: dict[tuple[SliceKey, Tally], list[AnyStatistic]] = {place: [] for place in places}
        for weights in draws.tiles(np.asarray(block.keys), case, block.rows_of_cells):
            count = 0 if weights.draws is None else weights.draws.shape[-1]
            one_by_one = [place for place in places if place[1] not in by_level]
            of_parts = {key: weights if key == WHOLE else weights.of_rows(parts[key]) for key, _ in one_by_one}
            for key, tally in one_by_one:
                tiles[key, tally].append(summing[key, tally](of_parts[key]))
            for tally in (tally for tally in under if tally in by_level):
                for key, sums in by_level[tally](weights).items():
                    if tally.covers(key):
                        tiles[key, tally].append(sums)
            progress("drawing", block.facts.read * count, plan.replicate_count)
        for (key, tally), stack in tiles.items():
            replicates[key, tally, draws.kind] = tally.statistic.stacked(stack)
    return replicates


def _summing(block: Block, tally: Tally, key: SliceKey, rows: Rows) -> Callable[[Weights], AnyStatistic]:
    """What turns draws of these rows into sums."""
    pilot = tally.pilot_of(key) if tally.grid is None else tally.grid
    return of_given_units(tally.statistic).summing(block.views[tally.view].of_rows(rows), pilot)


# Numbers in a replicate of all combinations of levels: more would leave fast memory.
MOST_BY_LEVEL = 2**15


def _summing_by_level(
    block: Block, tally: Tally, crossed: Crossed
) -> Callable[[Weights], dict[SliceKey, AnyStatistic]]:
    """What turns draws into sums of the whole and of every slice: summed once, by combination of levels."""
    pilot = tally.pilot if tally.grid is None else tally.grid
    summing = of_given_units(tally.statistic).summing_by(block.views[tally.view], crossed.codes, crossed.size, pilot)
    members = {WHOLE: range(crossed.size), **crossed.members}

    def sums(weights: Weights) -> dict[SliceKey, AnyStatistic]:
        cells = summing(weights)
        return {
            key: reduce(add, [cell for one in of if (cell := cells[one]) is not None]) for key, of in members.items()
        }

    return sums


# Numbers in all replicates of all slices, 4 GiB: they are held until every row is read.
MOST_REPLICATES = 2**29


def _check_replicates(
    plan: SumPlan, parts: dict[SliceKey, Rows], numbers: dict[Tally, int], summing: Summing, one: Weights
) -> None:
    """Refuse replicates that cannot be held, told from one of each."""
    times = {tally: sum(draws.replicates for draws, under in plan.draws if tally in under) for tally in plan.by_rows}
    alone = {tally for _, tally in summing}
    held = sum(numbers[tally] * times[tally] * len(parts) for tally in plan.by_rows if tally not in alone)
    for (key, tally), of_weights in summing.items():
        held += (numbers[tally] if key == WHOLE else _numbers_in(of_weights(one.of_rows(parts[key])))) * times[tally]
        check_size(held, f"{max(times.values()):,} replicates of {len(parts):,} slices", MOST_REPLICATES)


def _numbers_in(value: object) -> int:
    """How many numbers one replicate holds."""
    if isinstance(value, np.ndarray):
        return value.size if value.shape[:1] == (1,) else 0
    named = [getattr(value, one.name) for one in fields(value)] if is_dataclass(value) else ()
    return sum(_numbers_in(part) for part in (value if isinstance(value, (tuple, list)) else named))


def _parts(block: Block, names: tuple[str, ...]) -> Iterator[tuple[SliceKey, Rows]]:
    """The rows of the whole and of each slice."""
    yield WHOLE, np.arange(block.rows)
    for name, levels in zip(names, block.slices, strict=True):
        order = np.argsort(levels.codes, kind="stable")
        ends = np.cumsum(np.bincount(levels.codes, minlength=len(levels.categories)))
        for level, start, end in zip(levels.categories, [0, *ends[:-1]], ends, strict=True):
            if end > start:
                yield (name, level), order[start:end]
