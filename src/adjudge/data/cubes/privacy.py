"""Cubes that may be shared: cells are made coarser until nobody stands nearly alone in one.

Cells are joined, not blanked: what is blanked can be worked out from what is left. It is not differential privacy.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from adjudge.data.cubes.cube import BEYOND, Cells, Cube, cube_of_cells, replace_meaning
from adjudge.data.source import Text
from adjudge.errors import InputError, quoted

FEWEST_BITS = 4  # 16 cells of scores in [0, 1]
OTHER = "(other)"


def with_at_least(cube: Cube, rows: int) -> Cube:
    """The cube made coarser until every combination of slice levels and reference, or what is one, has so many rows.

    Scores first, down to 16 cells; then the rarest levels become one; then the last slice column goes. The steps are
    kept in the file.
    """
    own = replace_meaning(cube.meaning, slices=()).label_columns.values()
    if twice := sorted({*cube.meaning.slices} & {*own}):
        raise InputError(
            f"A slice of a cube that is shared must not be an answer as well, but {quoted(twice[0])} is: it would stay "
            "as it is. Leave it out of the slices."
        )
    while len(cube.n) and smallest(cube) < rows:
        crowded = [name for name in cube.meaning.slices if len(_levels(cube, name)) > 1]
        if cube.cells and cube.meaning.bits > FEWEST_BITS:
            cube = coarser(cube)
        elif crowded:
            cube = _without_rarest(cube, max(crowded, key=lambda name: len(_levels(cube, name))))
        elif cube.meaning.slices:
            cube = without_slice(cube, cube.meaning.slices[-1])
        else:
            raise InputError(
                f"Every label must have {rows} rows at least to be shared, but one has {smallest(cube)}. Add another "
                "table, or join rare labels."
            )
    return cube


def smallest(cube: Cube) -> int:
    """The fewest rows of a combination of slice levels and what else is guarded that has any; there are cells."""
    names = cube.meaning.rare
    if not names:
        return int(cube.n.sum())
    keys = np.stack([cube.labels[name].codes for name in names], axis=1)
    _, place = np.unique(keys, axis=0, return_inverse=True)
    return int(np.bincount(place.reshape(-1), weights=cube.n).min())


def coarser(cube: Cube) -> Cube:
    """Two neighbouring cells of scores as one."""
    cells = {name: _halved(one) for name, one in cube.cells.items()}
    return _noted(cube, f"scores in cells of 1/{2 ** (cube.meaning.bits - 1)}", cells=cells, bits=cube.meaning.bits - 1)


def _halved(cells: Cells) -> Cells:
    return np.where(cells <= BEYOND, cells, cells >> 1)


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


def _noted(
    cube: Cube,
    step: str,
    *,
    labels: dict[str, Text] | None = None,
    cells: dict[str, Cells] | None = None,
    slices: tuple[str, ...] | None = None,
    bits: int | None = None,
) -> Cube:
    """Other cells, grouped again, with the step that made them."""
    steps = [one for one in cube.meaning.merged if not (bits is not None and one.startswith("scores in cells of"))]
    meaning = replace_meaning(
        cube.meaning,
        merged=tuple(dict.fromkeys([*steps, step])),
        slices=cube.meaning.slices if slices is None else slices,
        bits=cube.meaning.bits if bits is None else bits,
    )
    coarser = cube_of_cells(meaning, labels or dict(cube.labels), cells or dict(cube.cells), dict(cube.sums), cube.n)
    return replace(coarser, more=cube.more)
