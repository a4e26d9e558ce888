"""Cells from files: cubes that were saved, and what SQL counted."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np

from adjudge.data.cleaning import number_column, text_column
from adjudge.data.cubes.bags import BAGS
from adjudge.data.cubes.counted import check_counted, doubts_of
from adjudge.data.cubes.cube import DERIVED, FORMER, MOST_ROWS, Cube, cube_of_cells, with_contents
from adjudge.data.cubes.grid import BEYOND, Cells
from adjudge.data.cubes.meaning import (
    BAG,
    CELL,
    FORMAT,
    KEY,
    KNOWN_FORMAT,
    SUMMED,
    SUMS,
    WEIGHTS,
    CubeMeaning,
    grids_of,
    replace_meaning,
)
from adjudge.data.foreign import refusing
from adjudge.data.source import Batch, joined_batches, open_source
from adjudge.errors import ColumnNotFound, InputError, quoted

PARQUET = b"PAR1"  # what a file in Parquet begins with


def read_cube(path: str) -> Cube:
    """A cube from its file; a format of another name is refused, unknown members are kept."""
    import pyarrow.parquet as pq

    name = Path(path).name
    with refusing(name):
        document = (pq.read_schema(path).metadata or {}).get(KEY) if _is_parquet(path) else None
    if document is None:
        raise InputError(
            f"A cube must be a file that --save-cube wrote, but {quoted(name)} does not say what its cells mean. Cells "
            "that SQL counted are evaluated with: adjudge cells --from-cells FILE."
        )
    try:
        members = msgspec.json.decode(document, type=dict[str, object])
        if not KNOWN_FORMAT.fullmatch(str(members.get("format"))):
            raise InputError(
                f"A cube must be of the format {FORMAT}, but {quoted(name)} is of {quoted(members.get('format'))}. Use "
                "the adjudge that wrote it."
            )
        meaning = msgspec.convert(members, CubeMeaning)
        if not meaning.grids:  # all scores were in cells of one width at first
            width = msgspec.convert(members.get("bits"), int | None)
            meaning = replace_meaning(meaning, grids=grids_of(meaning.systems, k=width))
        if meaning.wrong:
            raise msgspec.ValidationError(meaning.wrong)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{quoted(name)} must say what its cells mean, but: {error}. Count again.") from error
    known = {*CubeMeaning.__struct_fields__, DERIVED, *FORMER}
    more = {member: value for member, value in members.items() if member not in known}
    cube = replace(_read_cells(path, meaning), more=more)
    # What was counted is known of a file that does not say it, where nothing was added or joined since.
    return cube if "contents" in members or len(meaning.sources) > 1 or meaning.merged else with_contents(cube)


def read_counted_cells(path: str, meaning: CubeMeaning) -> Cube:
    """Cells from a file, as SQL counted them; what makes it doubtful that they are counts is kept with them."""
    cube = _read_cells(path, meaning, once=True)
    return replace(cube, doubts=tuple(doubts_of(meaning.slices, cube.labels, cube.n)))


def _read_cells(path: str, meaning: CubeMeaning, *, once: bool = False) -> Cube:
    """Cells from a file, which may have to stand `once` in it; those that differ in other columns alone become one."""
    source = open_source(path)
    keys = [*meaning.label_columns]
    scored = meaning.scored
    keys += [BAG] if meaning.bags else []
    weighed = [] if meaning.weight is None else [*SUMMED]
    summed = [name for name in scored if f"score_sum:{name}" in source.column_names]
    numbers = [
        "n",
        *weighed,
        *(f"{CELL}:{name}" for name in scored),
        *(f"{what}:{name}" for name in summed for what in SUMS),
    ]
    for name in (*keys, *numbers):
        if name not in source.column_names:
            raise ColumnNotFound("cells", name, source.column_names)
    known = {*keys, *numbers}
    others = [name for name in source.column_names if once and name not in known and not name.startswith(SUMS)]
    batches = list(source.batches([*keys, *others], numbers))
    if not batches:
        raise InputError(f"Cells must have rows, but {quoted(source.name)} has none. Is it the right file?")
    batch = joined_batches(batches)
    n = _whole(batch, "n", source.name)
    if (n < 0).any():
        raise InputError(f'"n" of cells must not be negative, but {quoted(source.name)} has such cells. Count again.')
    if meaning.bags and (odd := {*text_column(batch, BAG).labels} - {*map(str, range(BAGS))}):
        raise InputError(f'"{BAG}" of cells must be numbers below {BAGS}, not {quoted(min(odd))}. Count again.')
    cells = {name: _whole(batch, f"{CELL}:{name}", source.name) for name in scored}
    if any((one == BEYOND).any() for one in cells.values()):
        raise InputError("Scores must lie within 2³¹ cells, but some are beyond. Ask for fewer cells of scores.")
    labels = {key: text_column(batch, key) for key in keys}
    if once:
        check_counted(source.name, labels, {name: text_column(batch, name) for name in others}, [*cells.values()], n)
    sums = {name: np.stack([number_column(batch, f"{what}:{name}").values for what in SUMS], axis=1) for name in summed}
    if weighed:
        sums = {WEIGHTS: np.stack([number_column(batch, what).values for what in weighed], axis=1)} | sums
        if not (np.isfinite(sums[WEIGHTS]) & (sums[WEIGHTS] >= 0)).all():
            raise InputError(
                f"Rows must all have a weight to be counted in cells, but in {quoted(source.name)} some have none. "
                "Leave them out, and count again."
            )
    return replace(cube_of_cells(meaning, labels, cells, sums, n), name=source.name)


def is_cube(path: object) -> bool:
    """Whether this is the name of a file that --save-cube wrote."""
    try:
        if not isinstance(path, str | os.PathLike) or not _is_parquet(path):
            return False
        import pyarrow.parquet as pq

        return KEY in (pq.read_schema(path).metadata or ())
    except (OSError, ValueError):
        return False


def _is_parquet(path: str | os.PathLike[str]) -> bool:
    with open(path, "rb") as file:
        return file.read(len(PARQUET)) == PARQUET


def _whole(batch: Batch, name: str, source: str) -> Cells:
    values = number_column(batch, name).values
    if not ((np.abs(values) <= MOST_ROWS).all() and (values == np.rint(values)).all()):
        raise InputError(
            f"{quoted(name)} must hold whole numbers up to {MOST_ROWS:,}, but {quoted(source)} has others. Count again."
        )
    return values.astype(np.int64)
