"""Checks of numbers in another unit: in some of the rows, or as shares of a scale."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from adjudge.data.degrees import DEGREES
from adjudge.data.number_facts import NumberColumn
from adjudge.data.pair_facts import STEPS, TURNS, PairFacts, Ratios, added_sums
from adjudge.data.table_facts import Pair
from adjudge.diagnosis.checks.check import SERIOUS, Check
from adjudge.errors import percent, quoted, with_minus

FEWEST_ROWS, FEWEST_OTHERS, CLOSER, FOLLOWS = 50, 5, 0.2, 0.4
POWERS, MOSTLY, BEYOND, SOME, NEARLY = 2, 0.7, 2.0, 0.3, 0.95
# Two units: so many empty steps between them, the nearer one about as large, how far the other is, in powers of ten.
EMPTY, HARDLY, AS_LARGE, APART, WIDER, VARIED = 2, 0.002, 0.15, 0.2, 0.1, 0.5
SEVERAL, RARE, UNLIKELY = 8, 0.02, 6.0
ALIKE, SURE = 3.0, 3.0  # how errors of rows in two scales may differ: times, and standard errors of their means
# Of numbers that do not follow the reference: how far all of them lie from it, and how near to zero on average.
FOLLOWED, CLOSELY, TIMES, AROUND_ZERO, BOTH_SIDES = 0.5, 0.9, 3.0, 0.1, 0.2
ROUND, FEWEST_FAR = 0.9, 3  # how much of a turn both fill together, and rows at its two ends
HALF = math.floor(STEPS * math.log10(2))  # steps that halve a number: a little less
NEVER, NEAR_ZERO = 200, 0.05  # rows in which a number is never below zero, though some are so near to it, of their mean


def unit_checks(pair: Pair, facts: PairFacts, columns: Sequence[NumberColumn | None]) -> Iterator[Check]:
    """C12: rows in another unit, shares of a scale, and numbers that lie wholly elsewhere."""
    powers = [*_mixed_units(pair, facts)] if pair.scaled else []
    yield from powers or [*_degrees(pair, facts, columns)] or _two_units(pair, facts, columns)
    yield from _shares(pair, facts, columns)
    yield from _round(pair, facts, columns)
    if pair.scaled and not powers and facts.rows[0] >= FEWEST_ROWS:
        elsewhere = [*_elsewhere(pair, facts, columns)] if facts.at(0) < FOLLOWED else []
        yield from elsewhere or _a_part(pair, facts, columns)


def _mixed_units(pair: Pair, facts: PairFacts) -> Iterator[Check]:
    """C12: some rows in which one number is 100 or 1,000 times the other, where all the rest are alike."""
    rows, alike = sum(facts.times.values()), facts.times.get(0, 0)
    for power, n in facts.times.items() if rows >= FEWEST_ROWS else ():
        between = sum(facts.times.get(one, 0) for one in (power - 1, power + 1, *((1,) if power > 0 else (-1,))))
        mostly = alike >= MOSTLY * rows or (alike >= SOME * rows and alike + n >= NEARLY * rows)
        if mostly and abs(power) >= POWERS and n >= FEWEST_OTHERS and n > 0.01 * rows and between < n / 5:
            yield Check(
                "C12",
                SERIOUS,
                f"{quoted(pair.other)} is about {10.0**power:,.5g} times {quoted(pair.one)} in {percent(n / rows, 1)} "
                f"of the rows, and about as large in {percent(alike / rows)}. Are these rows in another unit?",
            )


def _degrees(pair: Pair, facts: PairFacts, columns: Sequence[NumberColumn | None]) -> Iterator[Check]:
    """C12: rows in degrees of another scale, with errors as large as those of the others, and hardly any between."""
    rows, known = facts.sums[0], [one for one in columns if one is not None and one.values.counts is None]
    if rows < FEWEST_ROWS or not pair.scaled or len(known) < 2:
        return
    range_ = min(one.ends[1] - one.ends[0] for one in known)
    for (how, (slope, more)), (n, total, squares, times, its, squared) in zip(
        DEGREES.items(), facts.degrees, strict=True
    ):
        enough = min(n, times) >= max(SEVERAL, RARE * rows) and n + times >= NEARLY * rows
        if not enough or (slope == 1 and range_ > abs(more)):  # of two groups so far apart one may be taken for another
            continue
        mean, other = total / n, its / times / slope
        spreads = [math.sqrt(max(squares / n - mean**2, 0.0))]
        spreads += [math.sqrt(max(squared / times / slope**2 - other**2, 0.0))]
        error = math.hypot(spreads[0] / math.sqrt(n), spreads[1] / math.sqrt(times))
        if max(spreads) < ALIKE * min(spreads) and abs(mean - other) < SURE * error:
            yield Check(
                "C12",
                SERIOUS,
                f"{quoted(pair.other)} is about {how.format(quoted(pair.one))} in {percent(times / rows, 1)} of the "
                f"rows, and about as large in {percent(n / rows)}. Are these rows in degrees of another scale?",
            )


class _Ratio(NamedTuple):
    """Rows in which one number is about as many times the other: how many, and how both vary there, in logarithms."""

    rows: float
    mean: float  # of the ratio
    steps: tuple[int, int]  # the first and the last
    sizes: float  # the standard deviation of the first number

    @property
    def width(self) -> float:
        """From the first step to the last, in powers of ten."""
        return (self.steps[1] - self.steps[0] + 1) / STEPS

    def parted(self, usual: _Ratio, few: float) -> bool:
        """Whether filling the steps up to the usual ones would take so many rows that chance leaves none with few."""
        between = max(self.steps[0] - usual.steps[1], usual.steps[0] - self.steps[1]) - 1
        return (self.rows / self.width / STEPS - few) * between > UNLIKELY


def _two_units(pair: Pair, facts: PairFacts, columns: Sequence[NumberColumn | None]) -> Iterator[Check]:
    """C12: rows with another ratio than all others, whatever their size, and none between: 12 or 2.54 times as much."""
    rows = sum(n for n, *_ in facts.ratios.values())
    varied = all(one is not None and one.values.counts is None for one in columns)
    if rows < FEWEST_ROWS or not pair.scaled or not varied:
        return
    ratios = sorted(_ratios_apart(facts.ratios, HARDLY * rows), key=lambda one: -one.rows)
    if len(ratios) < 2:
        return
    usual, other, *_ = ratios
    enough = other.rows >= max(SEVERAL, RARE * rows) and usual.rows + other.rows >= NEARLY * facts.sums[0]
    alike = usual.rows >= SOME * rows and abs(usual.mean) < AS_LARGE and abs(other.mean - usual.mean) > APART
    steady = other.width <= usual.width + WIDER and other.sizes > VARIED * usual.sizes and usual.width < 4 * usual.sizes
    times = 10.0 ** (other.mean - usual.mean)
    if enough and alike and steady and other.parted(usual, HARDLY * rows):
        yield Check(
            "C12",
            SERIOUS,
            f"{quoted(pair.other)} is about {float(f'{times:.2g}'):,g} times {quoted(pair.one)} in "
            f"{percent(other.rows / rows, 1)} of the rows, and about as large in {percent(usual.rows / rows)}, with "
            "hardly any between. Are these rows in another unit?",
        )


def _ratios_apart(ratios: Ratios, few: float) -> Iterator[_Ratio]:
    """Ratios that lie together, with some steps between them and others in which there are few rows."""
    together: list[int] = []
    for step in sorted(step for step, (n, *_) in ratios.items() if n > few):
        if together and step - together[-1] > EMPTY:
            yield _one_ratio(ratios, together)
            together = []
        together.append(step)
    if together:
        yield _one_ratio(ratios, together)


def _one_ratio(ratios: Ratios, steps: Sequence[int]) -> _Ratio:
    total: Ratios = {}
    for step in steps:
        total = added_sums(total, {0: ratios[step]})
    n, size, squares = total[0]
    mean = sum((step + 0.5) * ratios[step][0] for step in steps) / n / STEPS
    spread = math.sqrt(max(squares / n - (size / n) ** 2, 0.0))
    return _Ratio(n, mean, (steps[0], steps[-1]), spread)


def _shares(pair: Pair, facts: PairFacts, columns: Sequence[NumberColumn | None]) -> Iterator[Check]:
    """C12: answers from 0 to 1 that follow what goes far beyond."""
    one, other = columns
    if one is None or other is None or facts.rows[0] < FEWEST_ROWS or facts.at(0) < FOLLOWS:
        return
    (low, high), mean = other.ends, one.total / max(one.rows, 1)
    if pair.scaled and low >= 0 and high <= 1 < mean and high - low > CLOSER and one.ends[1] > BEYOND:
        yield Check(
            "C12",
            SERIOUS,
            f"{quoted(pair.other)} lies from {low:.3g} to {high:.3g}, and {quoted(pair.one)}, which it follows, goes "
            f"up to {one.ends[1]:.4g}. Is it a share of the scale? Convert both to one scale.",
        )


def _round(pair: Pair, facts: PairFacts, columns: Sequence[NumberColumn | None]) -> Iterator[Check]:
    """C12: angles or hours, of which 359 and 1 are near to one another, and are told as 358 apart."""
    one, other = columns
    if one is None or other is None or facts.rows[0] < FEWEST_ROWS or not pair.scaled:
        return
    low, high = (pick(one.ends[side], other.ends[side]) for side, pick in ((0, min), (1, max)))
    for turn, (far, aside) in zip(TURNS, facts.turned, strict=True):
        inside = (low >= 0 and high <= turn) or (low >= -turn / 2 and high <= turn / 2)
        if inside and high - low > ROUND * turn and far >= max(FEWEST_FAR, 0.01 * facts.rows[0]) and aside < far / 3:
            yield Check(
                "C12",
                SERIOUS,
                f"{quoted(pair.one)} and {quoted(pair.other)} are nearly {turn:.4g} apart in {far:,} rows, and hardly "
                f"ever half of that: are these angles, or hours? Add or take {turn:.4g} where the two are nearer so.",
            )


def _elsewhere(pair: Pair, facts: PairFacts, columns: Sequence[NumberColumn | None]) -> Iterator[Check]:
    """C12: answers in another unit in nearly all rows; around zero, or below or above all there is to predict."""
    one, other = columns
    if one is None or other is None or not one.rows or not other.rows:
        return
    rows, named, mean, theirs = sum(facts.times.values()), quoted(pair.other), one.total / one.rows, other.ends
    power, n = max(facts.times.items(), key=lambda item: item[1], default=(0, 0))
    level, less = other.total / other.rows, mean > 0 and theirs[1] < one.ends[0]
    far = not mean / TIMES < abs(level) < mean * TIMES
    if abs(power) >= POWERS and n >= NEARLY * max(rows, facts.sums[0]):
        how = f"is about {10.0**power:,.5g} times {quoted(pair.one)} in {percent(n / rows, 1)} of the rows"
        question = "Is it in another unit, or are there signs between thousands?"
    elif _never_below_zero(one, mean) and abs(level) < AROUND_ZERO * mean and _both_sides(theirs):
        where = f"where {quoted(pair.one)} is {mean:.4g} on average and never below 0"
        how = f"lies around 0, from {with_minus(theirs[0], '.4g')} to {theirs[1]:.4g}, {where}"
        question = "Are these errors or changes, and no predictions?"
    elif one.ends[0] >= 0 and far and (less or theirs[0] > one.ends[1]):
        side = "below the least" if less else "above the largest"
        how = f"lies from {theirs[0]:.4g} to {theirs[1]:.4g}, {side} of {quoted(pair.one)}"
        question = "Is it in another unit, a ratio, or the wrong column?"
    else:
        return
    yield Check("C12", SERIOUS, f"{named} {how}. {question}")


def _a_part(pair: Pair, facts: PairFacts, columns: Sequence[NumberColumn | None]) -> Iterator[Check]:
    """C12: answers that are less than half of what is to be predicted, or more than twice that, in nearly all rows."""
    varied = all(one is not None and one.values.counts is None for one in columns)
    steps = {step: n for step, (n, *_) in facts.ratios.items()}
    for what, n in (
        ("less than half of", sum(n for step, n in steps.items() if step < -HALF)),
        ("more than twice", sum(n for step, n in steps.items() if step >= HALF)),
    ):
        if varied and facts.at(0) < CLOSELY and n >= NEARLY * facts.sums[0]:
            yield Check(
                "C12",
                SERIOUS,
                f"{quoted(pair.other)} is {what} {quoted(pair.one)} in {percent(n / facts.sums[0])} of the rows. Is it "
                "in another unit, an error, or the wrong column?",
            )


def _never_below_zero(column: NumberColumn, mean: float) -> bool:
    return column.ends[0] >= (0 if column.rows >= NEVER else NEAR_ZERO * mean)


def _both_sides(ends: tuple[float, float]) -> bool:
    return -ends[0] > BOTH_SIDES * max(ends[1], 0.0) > 0
