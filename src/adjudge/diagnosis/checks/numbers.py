"""Checks of numbers that are held against a reference, and of systems beside one another."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from adjudge.data.facts import ABOVE, BELOW, POINT, Facts
from adjudge.data.runs import Runs
from adjudge.diagnosis.checks.check import REMARK, SERIOUS, Check
from adjudge.diagnosis.checks.doubt import correlation_of_sums
from adjudge.diagnosis.checks.labels import FEWEST_VALUES
from adjudge.diagnosis.checks.scores import COPIED_ROWS, LEVEL, unrelated
from adjudge.errors import percent, quoted, with_minus
from adjudge.inference.intervals.interval import normal_quantile
from adjudge.statistics.numbers.pairs import NumberPairs

FEW_ROWS = 20
FOLLOWS, CLOSELY, OTHER_UNIT, ELSEWHERE = 0.5, 0.9, 10.0, 3.0
TWO_SPREADS = 2.0
ONE_ROW = 0.9  # of the squared error
OFF, NEAR = 0.2, 0.1  # shares of rows: far from a quantile, and near to the middle or to the other side
MANY, USED, FEW_RESPONSES, MOST_POINTS = 0.05, 0.2, 20, 20
FINE = 0.02  # of a step: how points may be rounded


def number_checks(
    who: str, pairs: NumberPairs, unit: str = "row", other: str | None = None, *, as_large: bool = False
) -> Iterator[Check]:
    """C3, C4, C8 and C36: numbers that run the wrong way round, are the reference, never vary, or just vary."""
    two, effective = pairs.two, float(pairs.effective_rows)
    # Of two raters, the rows are those that both scored.
    rows, where = (
        (pairs.rows, f"in all {pairs.rows:,} {unit}s") if other is None else (effective, "wherever both score")
    )
    reference = other or "the reference"
    x, y, both = float(two.x.deviations), float(two.y.deviations), float(two.deviations)
    if rows >= FEW_ROWS and x > 0 and y == 0:
        yield Check("C8", SERIOUS, f"{who} gives {float(two.y.mean):g} {where}. Is it the right column?")
    if rows >= FEW_ROWS and x == 0 and y > 0:
        what = f"{reference[0].upper()}{reference[1:]} is {float(two.x.mean):g} {where}"
        yield Check("C8", SERIOUS, f"{what}. Is it the right column?")
    if not (0 < x < math.inf and 0 < y < math.inf):
        return
    if rows >= COPIED_ROWS and float(two.shift) == 0 and abs(x + y - 2 * both) <= 1e-12 * (x + y):
        yield Check("C4", SERIOUS, f"{who} equals {reference} {where}. Is it a copy?")
    correlation = correlation_of_sums(both, x, y)
    yield from _in_another_unit(who, pairs, correlation, reference, as_large)
    if effective > 10:
        inside = max(-1 + 1e-12, min(1 - 1e-12, correlation))
        reach = normal_quantile(LEVEL) / math.sqrt(effective - 3)
        low, high = (math.tanh(math.atanh(inside) + sign * reach) for sign in (-1, 1))
        if high < 0:
            yield _reversed(who, correlation, reference)
        yield from unrelated(who, reference, correlation, (low, high))


def _in_another_unit(
    who: str, pairs: NumberPairs, correlation: float, reference: str, as_large: bool
) -> Iterator[Check]:
    """C12: numbers that follow the reference at another spread, on another line, or lie wholly elsewhere.

    Of numbers `as_large`, a few that are far larger than all others make the spreads and the correlation.
    """
    two = pairs.two
    spreads = [math.sqrt(float(part.deviations) / float(two.n)) for part in (two.x, two.y)]
    times, apart = spreads[1] / spreads[0], abs(float(two.shift))
    if pairs.rows < FEW_ROWS or (as_large and apart < max(spreads)):
        return
    severity, off = SERIOUS, spreads_off(apart, spreads, correlation)
    if correlation > FOLLOWS and not 1 / OTHER_UNIT < times < OTHER_UNIT:
        how = f"follows {reference}, but varies {times:.3g} times as much"
    elif apart > ELSEWHERE * sum(spreads) or (correlation > FOLLOWS and apart > ELSEWHERE * max(spreads)):
        means = f"{float(two.y.mean):.4g} on average, against {float(two.x.mean):.4g}"
        how = f"is far from {reference}: {means}"
    elif correlation > CLOSELY and off > 1:
        x, y = float(two.x.mean), float(two.y.mean)
        severity = SERIOUS if off > TWO_SPREADS or (min(x, y) > 0 and not x / 2 < y < 2 * x) else REMARK
        slope = correlation / times
        rest = float(two.x.mean) - slope * float(two.y.mean)
        line = f"{slope:.3g} times it {'plus' if rest > 0 else 'minus'} {abs(rest):.3g}"
        how = f"follows {reference} closely, but lies far from it: {reference} is about {line}"
    else:
        return
    yield Check("C12", severity, f"{who} {how}. Is it in another unit, or the wrong column?")


def spreads_off(apart: float, spreads: Sequence[float], correlation: float) -> float:
    """How many spreads of the reference the root mean squared error makes: with more than one, R² is below 0."""
    x, y = spreads
    return math.sqrt(max(apart**2 + x**2 + y**2 - 2 * correlation * x * y, 0.0)) / x


def one_row(who: str, pairs: NumberPairs, largest: float) -> Iterator[Check]:
    """C12: one row that makes nearly all of the squared error."""
    two = pairs.two
    squares = float(two.n) * float(two.shift) ** 2 + float(two.x.deviations + two.y.deviations - 2 * two.deviations)
    known = squares > 1e-9 * float(two.x.deviations + two.y.deviations)  # what is left of larger sums is no sum
    if known and pairs.rows >= FEWEST_VALUES and float(two.n) == pairs.rows and largest**2 > ONE_ROW * squares:
        yield Check(
            "C12",
            REMARK,
            f"One row accounts for {percent(largest**2 / squares)} of the squared error of {who}, which is off by "
            f"{largest:.4g} there. Is the number mistyped, or in another unit?",
        )


def quantile_checks(who: str, runs: Runs, quantile: float) -> Iterator[Check]:
    """C13: predictions above another share of the references than the quantile they are said to be."""
    if runs.rows < FEWEST_VALUES:
        return
    share, error = runs.wrong / runs.rows, math.sqrt(quantile * (1 - quantile) / runs.rows)
    if abs(share - quantile) > max(OFF, 5 * error):
        middle = abs(share - 0.5) < NEAR or abs(share - (1 - quantile)) < NEAR
        how = f"{who} is above the reference in {percent(share)} of the rows, and the quantile is {quantile:g}"
        yield Check(
            "C13",
            SERIOUS if middle else REMARK,
            f"{how}. Is it another quantile, or a mean? Give the right `quantile`.",
        )


def _reversed(who: str, correlation: float, reference: str) -> Check:
    return Check(
        "C3",
        SERIOUS,
        f"{who} is the wrong way round: its correlation with {reference} is {with_minus(correlation, '.2f')}. "
        "Is the scale reversed?",
    )


def same_answers(digests: Mapping[str, int], rows: int, unit: str = "row") -> Iterator[Check]:
    """C24: systems that answer alike everywhere, told from sums over their answers."""
    first: dict[int, str] = {}
    for name, digest in digests.items() if rows >= FEW_ROWS else ():
        if digest in first:
            yield Check(
                "C24",
                SERIOUS,
                f"{quoted(first[digest])} and {quoted(name)} give the same answer in all {rows:,} {unit}s. "
                "Is one a copy of the other?",
            )
        first.setdefault(digest, name)


def beyond_scale(who: str, facts: Facts, ends: tuple[float, float]) -> Iterator[Check]:
    """C19: scores more than half a point outside the scale."""
    below, above = (facts.counted.get((side, who), 0) for side in (BELOW, ABOVE))
    ends_passed = ((below, BELOW, ends[0]), (above, ABOVE, ends[1]))
    sides = [f"{n:,} {side} {end:g}" for n, side, end in ends_passed if n]
    if sides:
        share = (below + above) / facts.used
        yield Check(
            "C19",
            SERIOUS if share > MANY else REMARK,
            f"{percent(share, 1)} of the scores of {quoted(who)} lie outside the scale from {ends[0]:g} to {ends[1]:g} "
            f"({', '.join(sides)}) and are moved to its ends. Is it the right scale?",
        )


def raters_beyond_scale(facts: Facts, ends: tuple[float, float], others: Iterable[str] = ()) -> Iterator[Check]:
    """C19: human scores more than half a point outside the scale, which are used as they are."""
    points = {float(key[1]): n for key, n in facts.counted.items() if key[0] == POINT}
    for values in (
        points,
        *(facts.table.numbers[name].values.numbers for name in others if name in facts.table.numbers),
    ):
        beyond = {point: n for point, n in values.items() if not ends[0] - 0.5 <= point <= ends[1] + 0.5 and point}
        if beyond:
            shown = ", ".join(f"{with_minus(point)} ({n:,})" for point, n in sorted(beyond.items())[:5])
            yield Check(
                "C19",
                SERIOUS if sum(beyond.values()) > MANY * sum(values.values()) else REMARK,
                f"Human scores of {shown}{' …' if len(beyond) > 5 else ''} lie outside the scale from {ends[0]:g} to "
                f"{ends[1]:g}. Is it the right scale, or do they stand for no score?",
            )


def between_points(facts: Facts, first: str, scale: tuple[float, float, float]) -> Iterator[Check]:
    """C19: human scores between the points of the scale, given by its ends and step: no rounded one is equal."""
    low, high, step = scale
    points = {float(key[1]): n for key, n in facts.counted.items() if key[0] == POINT}
    inside = {point: n for point, n in points.items() if low <= point <= high}
    between = {
        point: n for point, n in inside.items() if abs((point - low) / step - round((point - low) / step)) > FINE
    }
    share = sum(between.values()) / max(sum(inside.values()), 1)
    if share > MANY:
        yield Check(
            "C19",
            SERIOUS,
            f"{percent(share)} of the human scores in {quoted(first)} lie between the points of the scale, such as "
            f"{min(between):g}: no score that is rounded to it can be equal. Is it the mean of several raters? Give "
            "each of them, or a smaller `step`.",
        )


def unused_scale(facts: Facts, ends: tuple[float, float], columns: Iterable[str]) -> Iterator[Check]:
    """C19: a scale of which little is used. C7: scores of zero that are left out, though they are on the scale."""
    known = [facts.table.numbers[name].ends for name in columns if name in facts.table.numbers]
    low, high = min((one[0] for one in known), default=ends[0]), max((one[1] for one in known), default=ends[1])
    if facts.used >= FEWEST_VALUES and high - low < USED * (ends[1] - ends[0]):
        yield Check(
            "C19",
            REMARK,
            f"The scale goes from {ends[0]:g} to {ends[1]:g}, but all scores lie from {low:.4g} to {high:.4g}. Is it "
            "the right scale?",
        )
    zeros = sum(
        n for reason, n in facts.left_out.items() if reason.startswith("human score") and reason.endswith("is zero")
    )
    if zeros and ends[0] <= 0:
        yield Check(
            "C7",
            SERIOUS,
            f"{zeros:,} responses with a human score of 0 are left out, though 0 is on the scale. Give "
            'zeros="keep" if it is a score.',
        )


def scale_of_raters(facts: Facts, ends: tuple[float, float], rater: str, systems: Iterable[str]) -> Iterator[Check]:
    """C12: human scores that count from 0 on, beside a scale, and a system, that count from 1 on: all are one off."""
    human, *others = (facts.table.numbers.get(name) for name in (rater, *systems))
    if human is None or human.values.counts is None or ends[0] != 1:
        return
    values = [value for value in human.values.counts if value not in human.outer_codes or not value]
    zeros, often = human.values.counts.get(0.0, 0), FEWEST_VALUES / 10
    higher = [one.total / one.rows - human.total / human.rows > 0.5 for one in others if one is not None and one.rows]
    if zeros >= often and min(values) == 0 and max(values) == ends[1] - 1 and higher and all(higher):
        yield Check(
            "C12",
            SERIOUS,
            f"Human scores in {quoted(rater)} go from 0 to {max(values):g}, and the scale from 1 to {ends[1]:g}: are "
            "they one off? Convert both to one scale.",
        )


def trained_on(facts: Facts, means: Mapping[str, tuple[float, float]], rater: str) -> Iterator[Check]:
    """C30: a training table whose means, of a system and of people, are those of the table itself."""
    for system, trained in means.items():
        columns = [facts.table.numbers.get(name) for name in (system, rater)]
        own = [column.total / column.rows for column in columns if column is not None and column.rows]
        if len(own) == 2 and all(math.isclose(a, b, rel_tol=1e-9) for a, b in zip(own, trained, strict=True)):
            yield Check(
                "C30",
                SERIOUS,
                f"`training` has the mean scores of the table itself, in {quoted(system)} and {quoted(rater)}: are "
                "they the same rows? Give other rows as `training`.",
            )


def rare_points(facts: Facts) -> Iterator[Check]:
    """C10: human scores that few responses have."""
    points = {key[1]: n for key, n in facts.counted.items() if key[0] == POINT}
    few = sorted((float(point), n) for point, n in points.items() if n < FEW_RESPONSES)
    if few and facts.used >= FEWEST_VALUES and len(points) <= MOST_POINTS:
        *first, last = [f"{with_minus(point)} ({n:,})" for point, n in few[:5]]
        shown = ", ".join([*first, last]) + " …" if len(few) > 5 else f"{', '.join(first)} or {last}" if first else last
        yield Check(
            "C10",
            REMARK,
            f"Fewer than {FEW_RESPONSES} responses have a human score of {shown}: too few to say much about these "
            "scores.",
        )
