"""Cubes that may be shared: cells are made coarser until nobody stands nearly alone in one.

Cells are joined, not blanked: what is blanked can be worked out from what is left. It is not differential privacy.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Never

import numpy as np

from adjudge.data.cubes.cube import Cube, cube_of_cells
from adjudge.data.cubes.grid import BEYOND, Cells, CubeGrid, grid_between
from adjudge.data.cubes.meaning import BAG, replace_meaning
from adjudge.data.cubes.number_labels import labels_of_numbers, numbers_of_labels, usable
from adjudge.data.source import Text
from adjudge.errors import InputError, quoted

OTHER = "(other)"
FEW_BAGS = 16  # units are kept in fewer only where nothing else helps
NO_ROWS = 2**62


def with_at_least(cube: Cube, rows: int) -> Cube:
    """The cube made coarser until every cell has so many rows.

    Rows that are left out go. Bags are joined down to 16; then the rarest levels become one; then the last slice column
    goes; then bags are joined further; then numbers that were rounded are rounded further. Last, neighbouring cells of
    scores are joined, but none across a threshold. The steps are kept in the file.
    """
    own = replace_meaning(cube.meaning, slices=()).label_columns.values()
    if twice := sorted({*cube.meaning.slices} & {*own}):
        raise InputError(
            f"A slice of a cube that is shared must not be an answer as well, but {quoted(twice[0])} is: it would stay "
            "as it is. Leave it out of the slices."
        )
    cube = _without_left_out(cube, rows)
    while smallest(joined := _deciding(cube)) < rows:
        cube = _coarser(cube) or _refused(joined, rows)
    cube = _with_scores_joined(cube, rows)
    return replace(cube, meaning=replace_meaning(cube.meaning, min_cell=rows))


def smallest(cube: Cube) -> int:
    """The fewest rows of a cell."""
    return int(cube.n.min(initial=NO_ROWS))


def _coarser(cube: Cube) -> Cube | None:
    """The next step; None where only answers are left, which stay as they are."""
    meaning = cube.meaning
    crowded = [name for name in meaning.slices if len(_levels(cube, name)) > 1]
    rounded = [name for name in meaning.numbers if meaning.keys[name] in meaning.rounded]
    wide = [name for name in rounded if len(_levels(cube, name)) > 1]
    if meaning.bags > (1 if not meaning.slices else FEW_BAGS):
        return _half_the_bags(cube)
    if crowded:
        return _without_rarest(cube, max(crowded, key=lambda name: len(_levels(cube, name))))
    if meaning.slices:
        return without_slice(cube, meaning.slices[-1])
    return _rounded_further(cube, max(wide, key=lambda name: len(_levels(cube, name)))) if wide else None


def _refused(cube: Cube, rows: int) -> Never:
    """Say which answer most small cells are due to: the one without which the fewest rows are in any."""
    answers = {name: text.codes for name, text in cube.labels.items() if name != BAG}

    def small_without(name: str) -> int:
        others = [codes for other, codes in answers.items() if other != name]
        counts = np.bincount(_places(others), weights=cube.n) if others else cube.n.sum(keepdims=True)
        return int(counts[counts < rows].sum())

    worst = min(answers, key=small_without)
    instead = "round it before it is counted" if worst in cube.meaning.numbers else "join rare labels"
    raise InputError(
        f"Every cell must have {rows} rows at least to be shared, but {int((cube.n < rows).sum()):,} of "
        f"{len(cube.n):,} have fewer, most of them because of {quoted(worst)}, which stays as it is. Add another "
        f"table, or {instead}."
    )


def _places(keys: list[Cells]) -> Cells:
    """Which combination of keys each cell has, by number."""
    _, place = np.unique(np.stack(keys, axis=1), axis=0, return_inverse=True)
    return np.asarray(place.reshape(-1))


def _without_left_out(cube: Cube, rows: int) -> Cube:
    """Only rows that are evaluated: others have something missing, which may be rare, and add nothing."""
    meaning = cube.meaning
    own = meaning.needed if meaning.of_rows else [name for name in cube.labels if name not in meaning.slices]
    known = [usable(cube.labels[name], number=name in meaning.numbers) for name in own]
    known += [cells > BEYOND for cells in cube.cells.values()]
    used = np.all(known, axis=0) if known else np.ones(len(cube.n), dtype=np.bool_)
    total = int(cube.n[used].sum())
    gone = int(cube.n.sum()) - total
    if not gone and not meaning.left_out:
        return cube
    if not total:
        raise InputError("A cube that is shared must have rows that are evaluated, but all are left out.")
    many = f"{gone:,} rows" if gone >= rows else f"fewer than {rows} rows"
    left = _noted(cube.of_cells(np.flatnonzero(used)), f"without {many} that are left out") if gone else cube
    # Of other tasks some may be left out for what no single column tells.
    all_gone = not meaning.of_rows or gone == sum(meaning.left_out.values())
    total_used = total if all_gone else None
    return replace(left, meaning=replace_meaning(left.meaning, rows_read=total, rows_used=total_used, left_out={}))


def _half_the_bags(cube: Cube) -> Cube:
    """Every two bags as one: a unit is in the bag of its key, modulo how many there are."""
    half, text = cube.meaning.bags // 2, cube.labels[BAG]
    numbers = np.array([*(int(label) % half for label in text.labels), -1])  # a row without a unit is in none
    joined = Text(numbers[text.codes], tuple(map(str, range(half))))
    return _noted(cube, f"units in {half} bags", labels={**cube.labels, BAG: joined}, instead="units in", bags=half)


def _rounded_further(cube: Cube, name: str) -> Cube:
    """Numbers as multiples of three steps: what was a multiple of one is then still within half of it."""
    column, meaning = cube.meaning.keys[name], cube.meaning
    step = float(f"{3 * meaning.rounded[column]:.15g}")
    coarser = labels_of_numbers(numbers_of_labels(cube.labels[name]), step)
    again = replace(cube, meaning=replace_meaning(meaning, rounded={**meaning.rounded, column: step}))
    begins = f"{column} as multiples of "
    return _noted(again, f"{begins}{step:g}", labels={**cube.labels, name: coarser}, instead=begins)


def without_slice(cube: Cube, column: str) -> Cube:
    """The cube without a slice column."""
    labels = {name: text for name, text in cube.labels.items() if name != column}
    slices = tuple(name for name in cube.meaning.slices if name != column)
    return _noted(cube, f"without {column}", labels=labels, slices=slices)


def _levels(cube: Cube, column: str) -> dict[int, int]:
    """How many rows each level has, by code; missing is one."""
    codes, place = np.unique(cube.labels[column].codes, return_inverse=True)
    return dict(zip(codes.tolist(), np.bincount(place.reshape(-1), weights=cube.n).astype(int).tolist(), strict=True))


def _without_rarest(cube: Cube, column: str) -> Cube:
    """The two rarest levels as one, which others may join later."""
    text, rows = cube.labels[column], _levels(cube, column)
    rarest = sorted(rows, key=lambda code: (rows[code], code))[:2]
    other = text.labels.index(OTHER) if OTHER in text.labels else len(text.labels)
    labels = text.labels if OTHER in text.labels else (*text.labels, OTHER)
    joined = Text(np.where(np.isin(text.codes, rarest), other, text.codes), labels)
    return _noted(cube, f"rare levels of {column} as {OTHER}", labels={**cube.labels, column: joined})


def _deciding(cube: Cube) -> Cube:
    """The cells of scores as coarse as they may become: from one threshold to the next."""
    return _in_grids(cube, {name: _coarsest(cube, name) for name in cube.cells})


def _coarsest(cube: Cube, system: str) -> CubeGrid:
    grid = cube.meaning.grid(system)
    lowest = float(grid.lows(cube.cells[system]).min(initial=0.0))
    first = float(math.floor(lowest))  # which does not tell the lowest score
    return grid_between([first, *(cut for cut in grid.thresholds if cut > first)], grid.thresholds)


def _in_grids(cube: Cube, grids: Mapping[str, CubeGrid]) -> Cube:
    """The same rows in coarser cells of scores."""
    cells = {name: cube.meaning.grid(name).moved(one, grids[name]) for name, one in cube.cells.items()}
    meaning = replace_meaning(cube.meaning, grids=dict(grids))
    return replace(cube_of_cells(meaning, cube.labels, cells, cube.sums, cube.n), more=cube.more)


def _with_scores_joined(cube: Cube, rows: int) -> Cube:
    """Neighbouring cells of scores as one where any is small, system by system, all others as coarse as they may be.

    So no cell is small at any time, and the cells of one system are as fine as those before it let them be.
    """
    grids = {name: _coarsest(cube, name) for name in cube.cells}
    steps = []
    for name, cells in cube.cells.items():
        grid, many = cube.meaning.grid(name), len(np.unique(cells))
        if smallest(_in_grids(cube, {**grids, name: grid})) >= rows:
            grids[name] = grid
            continue
        others = [one for other, one in _in_place(cube, grids).items() if other != name]
        groups = _places([*(text.codes for text in cube.labels.values()), *others])
        grids[name] = grid_between(_edges(grid.lows(cells), groups, cube.n, grids[name], rows), grid.thresholds)
        steps.append(f"scores of {name} in {len(grids[name].edges):,} cells instead of {many:,}")
    joined = _in_grids(cube, grids)
    for step in steps:
        joined = _noted(joined, step)
    return joined


def _in_place(cube: Cube, grids: Mapping[str, CubeGrid]) -> dict[str, Cells]:
    """The cells of each system's scores in these grids, cell by cell."""
    return {name: cube.meaning.grid(name).moved(cells, grids[name]) for name, cells in cube.cells.items()}


def _edges(
    lows: np.ndarray[tuple[int], np.dtype[np.float64]], groups: Cells, n: Cells, coarsest: CubeGrid, rows: int
) -> Iterator[float]:
    """Where cells begin so that in each group each has so many rows, or none; those of the coarsest grid among them."""
    ends = [*coarsest.edges[1:], math.inf]
    for first, end in zip(coarsest.edges, ends, strict=True):
        inside = np.flatnonzero((lows >= first) & (lows < end))
        order = inside[np.argsort(lows[inside], kind="stable")]
        starts = np.flatnonzero(np.diff(lows[order], prepend=-math.inf))
        runs: list[tuple[float, Cells]] = []  # where each begins, and its rows by group
        begins, counts = first, np.zeros(int(groups.max(initial=0)) + 1, dtype=np.int64)
        for start, stop in zip(starts.tolist(), [*starts[1:].tolist(), len(order)], strict=True):
            if runs and not counts.any():
                begins = float(lows[order[start]])
            some = order[start:stop]
            np.add.at(counts, groups[some], n[some])
            if _none_small(counts, rows) or stop == len(order):
                runs.append((begins, counts))
                counts = np.zeros_like(counts)
        while len(runs) > 1 and not _none_small(runs[-1][1], rows):  # what is left goes with those before it
            last = runs.pop()
            runs[-1] = (runs[-1][0], runs[-1][1] + last[1])
        yield first
        yield from (begin for begin, _ in runs[1:])


def _none_small(counts: Cells, rows: int) -> bool:
    return not ((counts > 0) & (counts < rows)).any()


def _noted(
    cube: Cube,
    step: str,
    *,
    labels: Mapping[str, Text] | None = None,
    slices: tuple[str, ...] | None = None,
    bags: int | None = None,
    instead: str = "",
) -> Cube:
    """Other cells, grouped again, with the step that made them, which may stand instead of one that begins so."""
    steps = [one for one in cube.meaning.merged if not (instead and one.startswith(instead))]
    meaning = replace_meaning(
        cube.meaning,
        merged=tuple(dict.fromkeys([*steps, step])),
        slices=cube.meaning.slices if slices is None else slices,
        bags=cube.meaning.bags if bags is None else bags,
    )
    return replace(cube_of_cells(meaning, labels or cube.labels, cube.cells, cube.sums, cube.n), more=cube.more)
