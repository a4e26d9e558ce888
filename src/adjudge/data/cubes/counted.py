"""Cells that were counted elsewhere: each stands once, and their numbers are counts, with no totals among them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from adjudge.data.source import Text
from adjudge.errors import InputError, did_you_mean, quoted

Counts = NDArray[np.int64]
FEWEST_CELLS, FEWEST_ROWS = 6, 20
NEAR_HUNDRED = (98, 102)  # what percentages add up to once they were rounded
FEWEST_LEVELS = 3  # of which every one adds up to about a hundred
MISSING = "(missing)"


def check_counted(
    name: str, labels: Mapping[str, Text], others: Mapping[str, Text], cells: Sequence[Counts], n: Counts
) -> None:
    """Refuse cells that stand twice, in all columns of their file, and numbers that count the lines of the file."""
    beside = [text.codes for text in others.values() if not counts_lines(text)]
    keys = [*(text.codes for text in labels.values()), *beside, *cells]
    order = np.lexsort(keys[::-1])
    again = np.all([key[order][1:] == key[order][:-1] for key in keys], axis=0)
    if again.any():
        place = int(order[:-1][again].min())
        often = int(np.all([key == key[place] for key in keys], axis=0).sum())
        cell = ", ".join(f"{column} {quoted(_level(text, place))}" for column, text in labels.items())
        raise InputError(
            f"Each cell must stand once, but {cell} stands {often:,} times in {quoted(name)}. Count again by the "
            "statement; a table whose rows were not counted is evaluated as it is."
        )
    if len(n) >= FEWEST_CELLS and any(np.array_equal(n, np.arange(start, start + len(n))) for start in (0, 1)):
        raise InputError(
            f'"n" must be how many rows each cell has, but in {quoted(name)} it counts the cells one by one. '
            "Count again."
        )


def check_levels(column: str, levels: Sequence[str], known: Sequence[str]) -> None:
    """Refuse a level of a slice column that is in no cell.

    >>> check_levels("site", ["a"], ["a", "b"])
    """
    if strange := [level for level in levels if level not in known]:
        raise InputError(
            f"`where` must name levels that are in the cube, but {quoted(column)} has no {quoted(strange[0])}. "
            f"{did_you_mean(strange[0], known)}"
        )


def doubts_of(slices: Sequence[str], labels: Mapping[str, Text], n: Counts) -> Iterator[str]:
    """What makes it doubtful that the cells hold each row once: totals among them, and percentages."""
    totals = next(_totals(labels, n), None)
    if totals is not None:
        yield (
            f"The cells of {totals} are the sums of all others, so that every row counts twice. Leave totals out, as "
            "of ROLLUP or CUBE."
        )
        return
    low, high = NEAR_HUNDRED
    for name in slices:
        sums = np.bincount(labels[name].codes + 1, n)
        sums = sums[sums > 0]
        if len(sums) >= FEWEST_LEVELS and ((low <= sums) & (sums <= high)).all() and (sums != 100).any():
            yield f"The cells of each level of {quoted(name)} add up to about 100, as percentages do. Count rows."
            return
    total = int(n.sum())
    if len(n) >= FEWEST_CELLS and low <= total <= high and total != 100:
        yield f"The cells add up to {total}, as rounded percentages do. If they are, count rows instead."


def _level(text: Text, place: int) -> str:
    code = int(text.codes[place])
    return MISSING if code < 0 else text.labels[code]


def counts_lines(text: Text) -> bool:
    """Whether a column of the file only tells its lines apart, as an index does that was written with it."""
    if len(text.labels) < len(text.codes):
        return False
    written = [_level(text, place) for place in range(len(text.codes))]
    return any(written == [str(number) for number in range(start, start + len(written))] for start in (0, 1))


def _totals(labels: Mapping[str, Text], n: Counts) -> Iterator[str]:
    """The levels, of any column, whose cells are the sums of all others in whatever they do not sum over."""
    codes = {name: text.codes for name, text in labels.items()}
    for name, text in labels.items():
        sums = np.bincount(codes[name] + 1, n)
        for code in (np.flatnonzero(2 * sums == n.sum()) - 1).tolist():
            chosen = codes[name] == code
            rest = ~chosen
            if rest.sum() < 2 * chosen.sum() or n[rest].sum() < FEWEST_ROWS:
                continue
            # What has levels there that stand nowhere else was summed over, too.
            kept = [of for of in codes.values() if np.isin(of[chosen], of[rest]).all()]
            if _by_keys(kept, n, chosen) == _by_keys(kept, n, rest):
                yield f"{quoted(name)} = {quoted(MISSING if code < 0 else text.labels[code])}"


def _by_keys(keys: Sequence[Counts], n: Counts, chosen: NDArray[np.bool_]) -> dict[tuple[int, ...], int]:
    """How many rows the chosen cells have, by what they have in common with others."""
    counts: dict[tuple[int, ...], int] = {}
    for place in np.flatnonzero(chosen).tolist():
        key = tuple(int(of[place]) for of in keys)
        counts[key] = counts.get(key, 0) + int(n[place])
    return {key: rows for key, rows in counts.items() if rows}
