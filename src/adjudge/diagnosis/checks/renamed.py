"""Checks of labels under another name: some that were exchanged, others that only the answers have."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from adjudge.diagnosis.checks.check import SERIOUS, Check
from adjudge.diagnosis.checks.doubt import error_of_share
from adjudge.diagnosis.checks.misspelled import numbered_labels
from adjudge.diagnosis.checks.writing import same_labels
from adjudge.errors import percent, quoted
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.ratings.vectors import RatingVectors

FAR, SURE, RENAMED_ROWS = 0.2, 5.0, 50
# Where labels were renamed: how much commoner another label is than the own, and how often answers would be right.
MORE, MOSTLY, RATED, NAMED = 2.0, 0.6, 0.5, 4.0
FEWEST_ANSWERS, MOST_RATERS, SHOWN = 10, 12, 3


class RenamedSide(NamedTuple):
    """Whose labels are looked at, in words, and how often they must be right under other names."""

    agrees: str
    would: str
    what: str
    other: str
    least: float


def renamed_answers(who: str, table: Confusion) -> Iterator[Check]:
    """C39 of a system's answers beside the reference."""
    effective = float(ratio(table.total**2, table.squares.sum()))
    side = RenamedSide(f"{who} is right", "would be", "rows", "the reference is", MOSTLY)
    if _may_be_exchanged(side, table, effective):
        yield from _exchanged(side, table.categories, table.dense, effective)
    rows = table.with_counts(table.counts * (table.rows / float(table.total) if table.total else 0.0))
    yield from _only_answered(f"{who} gives labels that the reference never has", rows)


def renamed_ratings(vectors: RatingVectors) -> Iterator[Check]:
    """C39 of a rater's labels beside those of all others; of two raters, of the second."""
    if vectors.numbers is not None or not 2 <= len(vectors.raters) <= MOST_RATERS or not len(vectors.counts):
        return
    raters = len(vectors.raters)
    for place in range(raters) if raters > 2 else (1,):
        others = [(other, place) for other in range(raters) if other != place]
        counts = vectors.tables_of(others).sum(-3) / max(raters - 1, 1)
        who = f"{quoted(vectors.raters[place])} agrees with {'the others' if raters > 2 else quoted(vectors.raters[0])}"
        side = RenamedSide(who, "would", "ratings", "the other rating is", RATED)
        yield from _exchanged(side, vectors.categories, counts, float(counts.sum()))


def renamed_spans(first: str, name: str, categories: Sequence[str], counts: Array) -> Iterator[Check]:
    """C39 of the labels of spans that two raters marked in the same places: the first's by the other's."""
    who = f"{quoted(name)} gives the label of {quoted(first)}"
    side = RenamedSide(who, "would", "spans that both marked", f"{quoted(first)} says", RATED)
    yield from _exchanged(side, categories, counts, float(counts.sum()))
    table = Confusion(tuple(categories), counts, counts, round(float(counts.sum())))
    yield from _only_answered(f"{quoted(name)} gives labels that {quoted(first)} never does", table)


def _may_be_exchanged(side: RenamedSide, table: Confusion, effective: float) -> bool:
    """Whether any names would make answers right so much more often: told without the zeros of a table."""
    pairs = table.listed
    if effective < RENAMED_ROWS or not table.total:
        return False
    starts = np.flatnonzero(np.diff(pairs.pairs[0], prepend=-1))
    own, most = (float(part / table.total) for part in (table.agreed, np.maximum.reduceat(pairs.counts, starts).sum()))
    return most > side.least and most - own > FAR


def _exchanged(side: RenamedSide, categories: Sequence[str], every: Array, effective: float) -> Iterator[Check]:
    """Answers that would be right far more often if some labels had one another's names."""
    labels = np.flatnonzero(every.sum(0) + every.sum(1))
    counts = every[np.ix_(labels, labels)]
    total = float(counts.sum())
    own, most = (float(part.sum()) / max(total, 1e-12) for part in (counts.diagonal(), counts.max(-1, initial=0.0)))
    if len(labels) < 3 or effective < RENAMED_ROWS or most <= side.least or most - own <= FAR:
        return  # whatever the names: what follows imports for a third of a second
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(counts, maximize=True)
    moved = np.flatnonzero((rows != columns) & (counts[rows, columns] > 0))
    best = float(counts[rows, columns].sum()) / total
    error = math.hypot(error_of_share(own, effective), error_of_share(best, effective))
    often = all(counts[rows[k], columns[k]] > MORE * counts[rows[k], rows[k]] for k in moved)
    if best - own > max(FAR, SURE * error) and best > side.least and len(moved) > 1 and often:
        first = int(moved[counts[rows[moved], columns[moved]].argmax()])
        one, two = (categories[int(labels[place])] for place in (rows[first], columns[first]))
        yield Check(
            "C39",
            SERIOUS,
            f"{side.agrees} in {percent(own)} of the {side.what}, and {side.would} in {percent(best)} if "
            f"the names of {len(moved)} labels were exchanged: where {side.other} {quoted(one)}, it says "
            f"{quoted(two)}. Were labels numbered, or score columns named, in another order?",
        )


def _only_answered(what: str, table: Confusion) -> Iterator[Check]:
    """Labels that the reference never has, and that stand where it has another: two of them, or the only name there.

    A label that the reference lacks by chance stands where others are hard, not where one is.
    """
    categories, rows, numbered = table.categories, float(table.total), [*numbered_labels(table.categories)]
    expected, answered = table.reference_total, table.prediction_total
    names: dict[int, int] = {}  # what is answered, by what it stands for
    for place in np.flatnonzero((expected == 0) & (answered >= FEWEST_ANSWERS)):
        meant = table.answered(int(place))
        other = int(meant.argmax())
        share, usual = meant[other] / answered[place], expected[other] / rows
        error = math.sqrt(max(usual * (1 - usual), 1e-12) / answered[place])
        spelled_alike = numbered or same_labels([categories[place], categories[other]])  # C2 says so
        if share > MOSTLY and share - usual > NAMED * error and not spelled_alike:
            names[int(place)] = other
    alone = [
        p for p, other in names.items() if not answered[other] and table.answered(p)[other] > MOSTLY * expected[other]
    ]
    shown = [*names] if len({*names.values()}) > 1 else alone
    if shown and rows >= RENAMED_ROWS:
        pairs = [f"{quoted(categories[place])} where it has {quoted(categories[names[place]])}" for place in shown]
        more = f" and {len(pairs) - SHOWN} more" if len(pairs) > SHOWN else ""
        yield Check(
            "C39",
            SERIOUS,
            f"{what}: {', '.join(pairs[:SHOWN])}{more}. Are these other names of the same labels? "
            "Use one name in both.",
        )
