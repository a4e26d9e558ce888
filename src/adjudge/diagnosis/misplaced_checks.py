"""Checks of columns and rows in the wrong place: two sides swapped, ends the wrong way round, row numbers, totals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from adjudge.data.cleaning import number_column, text_column
from adjudge.data.source import Batch
from adjudge.diagnosis.checks import REMARK, SERIOUS, Check
from adjudge.diagnosis.column_checks import given_columns
from adjudge.errors import quoted
from adjudge.statistics.base import Array

FEWEST_ROWS, MANY = 20, 0.05
# People give points of a scale and grades, systems numbers with decimals: roles of the one, and of the other.
SIDES = (("raters", "prediction"), ("relevance", "score"))
MOST_POINTS = 15


def misplaced_checks(first: Batch, given: Mapping[str, object], numbers: Sequence[str], whole: bool) -> Iterator[Check]:
    """C32, C34 and C35 of the first rows, which may be the `whole` table; `numbers` are its columns of numbers."""
    if first.rows < FEWEST_ROWS or first.times is not None:
        return
    values = {name: number_column(first, name).values for name in numbers}
    for name, column in values.items():
        if bool((np.diff(column) == 1).all()):
            yield Check("C34", SERIOUS, f"{quoted(name)} numbers the rows, one by one. Is it the right column?")
    if whole:
        yield from _totals(values)
    for people, systems in SIDES:
        yield from _swapped(values, *([*given_columns(given.get(role))] for role in (people, systems)))
    ends = ([*given_columns(given.get(role))] for role in ("lower", "prediction", "upper"))
    for lower, middle, upper in zip(*ends, strict=False):
        yield from _ends(middle, *(values.get(name) for name in (lower, middle, upper)))
    yield from _named_again(first, given)
    yield from _same_texts(first, *(given.get(role) for role in ("text_a", "text_b")))


def _totals(values: Mapping[str, Array]) -> Iterator[Check]:
    """C32: a last row that holds the sums of all others."""
    added = []
    for name, column in values.items():
        others, last = column[:-1][np.isfinite(column[:-1])], float(column[-1])
        total = float(others.sum())
        large = len(others) >= FEWEST_ROWS and abs(total) > 2 * float(np.abs(others).max())
        if large and abs(last - total) <= 1e-6 * abs(total):
            added.append(quoted(name))
    if added:
        which = f"the sum of all others in {', '.join(added)}"
        yield Check("C32", SERIOUS, f"The last row holds {which}: a line of totals. Remove it.")


def _swapped(values: Mapping[str, Array], people: Sequence[str], systems: Sequence[str]) -> Iterator[Check]:
    """C34: a rater whose scores have decimals, beside systems that give a few whole numbers alone."""
    known = [
        [column[np.isfinite(column)] for name in side if (column := values.get(name)) is not None]
        for side in (people[:1], systems)
    ]
    if not all(known) or any(len(column) < FEWEST_ROWS for side in known for column in side):
        return
    fractions = float((known[0][0] * 2 % 1 != 0).mean())  # half points are points
    whole = all(bool((column % 1 == 0).all()) and len(np.unique(column)) <= MOST_POINTS for column in known[1])
    if fractions > 0.5 and whole:
        yield Check(
            "C34",
            SERIOUS,
            f"{quoted(people[0])} has decimals, and {quoted(systems[0])} only a few whole numbers, as human "
            "scores do. Are the two swapped?",
        )


def _ends(who: str, lower: Array | None, middle: Array | None, upper: Array | None) -> Iterator[Check]:
    """C34: prediction intervals whose ends are swapped, or are no ends."""
    if lower is None or middle is None or upper is None:
        return
    known = np.isfinite(lower + middle + upper)
    if known.sum() < FEWEST_ROWS:
        return
    swapped, outside = float((lower > upper)[known].mean()), float(((middle < lower) | (middle > upper))[known].mean())
    if swapped > 0.5:
        how = f"The lower ends of {quoted(who)} lie above the upper ones in {swapped:.0%} of the rows: swap the two."
    elif outside > 0.5:
        how = (
            f"The predictions of {quoted(who)} lie outside their own intervals in {outside:.0%} of the rows. Are "
            "these widths, or another system's ends?"
        )
    else:
        return
    yield Check("C34", SERIOUS, how)


def _named_again(first: Batch, given: Mapping[str, object]) -> Iterator[Check]:
    """C6: a row for each item, and items that have two."""
    item = given.get("item")
    if not isinstance(item, str) or not given.get("raters"):
        return
    codes = text_column(first, item).codes
    again = int((codes >= 0).sum()) - len(np.unique(codes[codes >= 0]))
    if again:
        yield Check(
            "C6",
            SERIOUS if again >= MANY * first.rows else REMARK,
            f"{again:,} of {first.rows:,} rows repeat an item of another row in {quoted(item)}, and count as separate "
            "items. Remove the repeats, or give the column as `cluster`.",
        )


def _same_texts(first: Batch, one: object, two: object) -> Iterator[Check]:
    """C35: pairs of one and the same text, between which nobody can choose."""
    if not isinstance(one, str) or not isinstance(two, str) or one == two:
        return
    texts = [text_column(first, name) for name in (one, two)]
    known = (texts[0].codes >= 0) & (texts[1].codes >= 0)
    words = [np.array([*texts[side].labels, ""], dtype=object)[texts[side].codes] for side in (0, 1)]
    same = int((known & (words[0] == words[1])).sum())
    if same:
        share = same / max(int(known.sum()), 1)
        yield Check(
            "C35",
            SERIOUS if share >= MANY else REMARK,
            f"{same:,} of {int(known.sum()):,} pairs show the same text twice, so there is nothing to choose. Are "
            f"{quoted(one)} and {quoted(two)} the right columns?",
        )
