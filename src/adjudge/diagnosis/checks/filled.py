"""Checks of numbers and scores that were filled in: the mean, one number again and again, or from the rows around."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from adjudge.data.cleaning import count_text
from adjudge.data.number_facts import NumberColumn
from adjudge.data.pair_facts import PairFacts
from adjudge.data.row_moves import error_of_change
from adjudge.data.table_facts import Pair
from adjudge.diagnosis.checks.check import REMARK, SERIOUS, Check
from adjudge.diagnosis.checks.doubt import correlation_of_sums, error_of_share
from adjudge.errors import percent, quoted, with_minus
from adjudge.statistics.curves.curve import Curve

FEWEST_ROWS, FEWEST_FILLED, SHARE, SURE = 50, 10, 0.03, 4.5
FOLLOWS, AS_ALL, MORE, LIKE_MEAN, NEAR = 0.5, 0.5, 2.0, 0.0006, 3.0
FEWEST_SCORES, FEWEST_ALIKE, STANDS_OUT, AS_OTHERS = 40, 20, 5.0, 2.0  # of scores of which one stands in many rows
FEWEST_HELD, MOST_HELD, HALF = 20, 0.8, 0.5  # what holds for longer are steps
HELD = ("repeats the row before", "lies midway between the rows around it")
WHERE_MISSING = ("carried forward", "interpolated")


def filled_checks(pair: Pair, facts: PairFacts, columns: Sequence[NumberColumn | None]) -> Iterator[Check]:
    """C22: numbers that stand for ones that are missing, told from the column beside them."""
    if facts.sums[0] < FEWEST_ROWS or any(one is None or one.values.counts is not None for one in columns):
        return
    names = (pair.one, pair.other)
    for side, name in enumerate(names):
        column = columns[side]
        for of_side, value in facts.coded:
            if of_side == side and column is not None and column.ends[0] < value < column.ends[1]:
                yield from _one_value(names[1 - side], name, side, value, facts)
        for held, how, where in zip(facts.held[side::2], HELD, WHERE_MISSING, strict=True):
            yield from _held(names[1 - side], f"{quoted(name)} {how}", where, held, facts)


def filled_scores(who: str, curve: Curve) -> Iterator[Check]:
    """C22: the lowest or highest score in many rows, in which the label is as common as in all others.

    Where the score says something, its last rows should have the label more seldom (at the highest, more often) than
    those next to them, as many; there they have it by 4.5 standard errors more often, and as all others do.
    """
    hits, rows = curve.counts[0], curve.counts.sum(0)
    alone = np.flatnonzero(rows >= max(FEWEST_ALIKE, SHARE * rows.sum(), STANDS_OUT * np.median(rows)))
    if len(rows) <= FEWEST_SCORES or len(alone) != 1 or alone[0] not in (0, len(rows) - 1):
        return
    place = int(alone[0])
    others = np.arange(1, len(rows)) if place == 0 else np.arange(len(rows) - 1)[::-1]  # from the nearest on
    beside = others[: int(np.searchsorted(np.cumsum(rows[others]), rows[place])) + 1]
    times, next_to = float(rows[place]), float(rows[beside].sum())
    here, near = hits[place] / times, hits[beside].sum() / next_to
    all_others = (hits.sum() - hits[place]) / (rows.sum() - times)
    both = (hits[place] + hits[beside].sum()) / (times + next_to)
    error = error_of_share(both, 1 / (1 / times + 1 / next_to))
    as_others = abs(here - all_others) < AS_OTHERS * error_of_share(all_others, times)
    if as_others and error > 0 and abs(here - near) > SURE * error:
        yield Check(
            "C22",
            SERIOUS,
            f"{who} is {curve.thresholds[place]:.6g} in {count_text(int(times), 'row')}, of which {percent(here)} have "
            f"the label, as {percent(all_others)} of all others have, and {percent(near)} of those with the scores "
            "next to it. Was it filled in? Leave these cells empty.",
        )


def _one_value(other: str, name: str, side: int, value: float, facts: PairFacts) -> Iterator[Check]:
    """A number that stands in many rows, in which the other column varies as it does in all."""
    times, total, squares = facts.coded[side, value]
    n, x, y, xx, _, yy = rest = facts.without(side, value)
    if times < max(FEWEST_FILLED, SHARE * (n + times)) or n < FEWEST_ROWS:
        return
    across, along = xx - x * x / n, yy - y * y / n
    correlation = _correlation(rest)
    residual = along * (1 - correlation**2) / n
    there = squares / times - (total / times) ** 2
    error = math.sqrt(2 / times + 2 / n)
    varies = there > AS_ALL * along / n and there > MORE * residual > 0 and math.log(there / residual) > SURE * error
    near = abs(total / times - y / n) < NEAR * math.sqrt(along / n / times)
    if abs(correlation) > FOLLOWS and varies and near:
        mean = abs(value - x / n) < LIKE_MEAN * math.sqrt(across / n)
        which = f"{value:.6g}, the mean of all others," if mean else f"{value:.6g}"
        yield Check(
            "C22",
            SERIOUS if mean else REMARK,  # a system may say one thing wherever it knows nothing
            f"{quoted(name)} is {which} in {count_text(int(times), 'row')}, in which {quoted(other)} varies as it does "
            "everywhere. Was it filled in? Leave these cells empty.",
        )


def _held(other: str, how: str, where: str, held: Sequence[float], facts: PairFacts) -> Iterator[Check]:
    """Rows in which a number is made of those around it, and has nothing to do with the other column."""
    rest = tuple(a - b for a, b in zip(facts.sums, held, strict=True))
    n = min(held[0], rest[0])
    if n < FEWEST_HELD or not SHARE * facts.sums[0] < held[0] < MOST_HELD * facts.sums[0]:
        return
    there, elsewhere = _correlation(held), _correlation(rest)
    if not math.isfinite(there) or elsewhere < FOLLOWS or there > HALF * elsewhere:
        return
    if elsewhere - there > SURE * error_of_change(there, elsewhere, n, labels=False):
        yield Check(
            "C22",
            SERIOUS,
            f"{how} in {percent(held[0] / facts.sums[0])} of the rows, and its correlation with {quoted(other)} is "
            f"{with_minus(there, '.2f')} there and {elsewhere:.2f} elsewhere. Was it {where} where it is missing? "
            "Leave these cells empty.",
        )


def _correlation(sums: Sequence[float]) -> float:
    """Of n, x, y, xx, xy and yy; NaN where one hardly varies."""
    n, x, y, xx, xy, yy = sums
    across, along, both = xx - x * x / n, yy - y * y / n, xy - x * y / n
    plain = across > 1e-9 * abs(xx) and along > 1e-9 * abs(yy)
    return correlation_of_sums(both, across, along) if plain else math.nan
