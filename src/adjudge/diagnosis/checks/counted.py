"""Checks of what was counted already: rows that are counts of others, and cubes that do not go together."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np

from adjudge.data.cleaning import number_column, text_column
from adjudge.data.cubes.counted import counts_lines
from adjudge.data.cubes.cube import Cube
from adjudge.data.judgements.labels import number_in
from adjudge.data.source import Source
from adjudge.diagnosis.checks.check import SERIOUS, STOP, Check
from adjudge.diagnosis.checks.columns import first_rows
from adjudge.diagnosis.checks.writing import same_labels
from adjudge.errors import listed, quoted

LabelCounts = Mapping[str, float]
COUNTED = ("n", "count", "counts", "cnt", "freq", "frequency", "num", "n_rows", "rows", "count_star()", "count(*)")
FEWEST_CELLS, MOST_LEVELS, CROSSED = 4, 20, 2
FEWEST_ROWS, OFTEN = 100, 0.05


def rows_of_counts(source: Source, taken: Collection[str]) -> Iterator[Check]:
    """C41: a column without a role that says how often each row stands, where no row stands twice."""
    named = [name for name in source.column_names if name not in taken and name.casefold() in COUNTED]
    others = [name for name in source.column_names if name not in named]
    first = first_rows(source, others, named) if len(named) == 1 and others else None
    if first is None or first.rows < FEWEST_CELLS:
        return
    counts = number_column(first, named[0]).values
    whole = bool((counts == np.rint(counts)).all() and (counts >= 0).all() and (counts > 1).any())
    texts = [text for name in others if not counts_lines(text := text_column(first, name))]
    levels = [len(np.unique(text.codes)) for text in texts]
    if not whole or not texts or max(levels) > MOST_LEVELS or first.rows * CROSSED < math.prod(levels):
        return
    if any((number_in(label) or 0.0) % 1 for text in texts for label in text.labels):
        return  # what has decimals is measured, and rows are not crossed by it
    if len(np.unique(np.stack([text.codes for text in texts], axis=1), axis=0)) == first.rows:
        yield Check(
            "C41",
            SERIOUS,
            f"{quoted(named[0])} seems to say how often each row occurs, and no row occurs twice: these "
            f"{first.rows:,} rows stand for {counts.sum():,.0f}. Repeat each row that often, or evaluate the counts "
            "with: adjudge cells.",
        )


def merged_checks(cubes: Mapping[str, Cube]) -> Iterator[Check]:
    """C42: cubes that hold the same rows, or labels that do not meet."""
    names = list(cubes)
    for place, name in enumerate(names):
        for before in names[:place]:
            yield from _two_cubes(before, cubes[before], name, cubes[name])


def _two_cubes(one: str, mine: Cube, other: str, theirs: Cube) -> Iterator[Check]:
    both = f"{quoted(one)} and {quoted(other)}"
    if again := sorted({*mine.held} & {*theirs.held}):
        name = mine.held[again[0]]
        yield Check(
            "C42",
            STOP,
            f"Cubes that are added must be of different rows, but {both} both hold the cells of {quoted(name)} "
            "with the same numbers of rows: the same table again, written otherwise? Leave one out.",
        )
        return
    for columns in _answers(mine):
        yield from labels_apart(both, (_counts(mine, columns), _counts(theirs, columns)), STOP)


def labels_apart(both: str, counts: tuple[LabelCounts, LabelCounts], severity: str) -> Iterator[Check]:
    """C42: labels of two that do not meet, or that are numbers of which each has common ones that the other lacks."""
    one, other = counts
    if min(len(one), len(other)) < 2:
        return
    alone, strange = ([label for label in mine if label not in of] for mine, of in ((one, other), (other, one)))
    nearly = [group for group in same_labels([*alone, *strange]) if {*group} & {*alone} and {*group} & {*strange}]
    shown = f"{listed(alone[:3])} against {listed(strange[:3])}"
    if nearly:
        alike = " and ".join(map(quoted, nearly[0][:2]))
        said = f"{both} must write labels alike, but {alike} differ only in case, blanks, number format or punctuation."
        yield Check("C42", severity, f"{said} Spell them the same way.")
    elif len(alone) == len(one):
        yield Check(
            "C42", severity, f"{both} must have labels in common, but have none: {shown}. Are they of one task?"
        )
    elif _is_moved(one, strange, other) and _is_moved(other, alone, one):
        said = f"{both} must be on one scale, but each has points that the other lacks: {shown}."
        yield Check("C42", severity, f"{said} Does one of them count from another number on?")


def _is_moved(lacking: Mapping[str, float], lacks: Sequence[str], common: Mapping[str, float]) -> bool:
    """Whether one has none of what is common in the other, of labels that are numbers."""
    rows, others = sum(lacking.values()), sum(common.values())
    numbers = all(number_in(label) is not None for label in (*lacking, *common))
    often = any(common[label] >= OFTEN * others for label in lacks)
    return numbers and often and min(rows, others) >= FEWEST_ROWS


def _answers(cube: Cube) -> Iterator[list[str]]:
    """The columns of labels that are held against one another."""
    if cube.meaning.raters:
        yield [f"rating:{name}" for name in cube.meaning.raters]
    elif not cube.meaning.of_rows:
        yield [name for name in cube.labels if name == "reference" or name.startswith("prediction:")]


def _counts(cube: Cube, columns: Sequence[str]) -> dict[str, float]:
    counts: dict[str, float] = {}
    for text in (cube.labels[name] for name in columns):
        known = text.codes >= 0
        for code, rows in enumerate(np.bincount(text.codes[known], cube.n[known], len(text.labels)).tolist()):
            if rows:
                counts[text.labels[code]] = counts.get(text.labels[code], 0.0) + rows
    return counts
