"""Checks of columns beside one another, row by row: moved by a row, sorted apart, made of one another, codes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from adjudge.data.number_facts import NumberColumn
from adjudge.data.pair_facts import PairFacts
from adjudge.data.table_facts import MADE, MEAN, OTHERWISE, SUM, Pair, TableFacts
from adjudge.diagnosis.checks.check import REMARK, SERIOUS, Check
from adjudge.errors import percent, quoted, with_minus

FEWEST_ROWS, SURE = 50, 4.5
CLOSER, APART = 0.2, 0.1  # how much better a neighbour must fit than the own row, and than the other neighbour
FOLLOWS, LIKE_ALL, FEWEST_CODES = 0.4, 0.25, 5
COPIED, POWERS, MOSTLY, BEYOND = 0.05, 2, 0.7, 2.0
SOME, NEARLY = 0.3, 0.95
VARIED = 20
FEWEST_SIGNS, COPIED_ROWS, ON_A_LINE, EXACT_ENOUGH, TURNED = 3, 100, 1e-10, 1e-5, 5.0
FORECAST, FOLLOWS_TOO, LIKE_LABELS = 0.999, 0.5, 0.7
# How often somebody with skill gives what most others do where these differ; their mean nobody meets so often.
RARELY, GOOD = 0.001, 0.9


def pair_checks(table: TableFacts, coded: Iterable[str]) -> Iterator[Check]:
    """C4, C12, C22 and C37 of every two columns that answer the same question; `coded` may have codes."""
    said: set[tuple[str, float]] = set()
    for pair, facts in ((pair, facts) for pair, facts in table.pairs.items() if pair.compared):
        columns = [table.numbers.get(name) for name in (pair.one, pair.other)]
        yield from _moved(pair, facts)
        yield from _sorted_apart(pair, facts, columns)
        yield from _partly_copied(pair, facts, columns)
        yield from _mixed_units(pair, facts)
        yield from _shares(pair, facts, columns)
        yield from _signs(pair, facts, columns)
        yield from _made_of(pair, facts, columns)
        yield from _turned(pair, facts)
        for side, name in enumerate((pair.one, pair.other)):
            for code in _codes_beside(table, name, side, facts) if name in coded else ():
                if (name, code) not in said:
                    said.add((name, code))
                    rated = name not in table.numbers or table.numbers[name].values.counts is not None
                    check = _code(name, code, (pair.other, pair.one)[side], side, facts)
                    # Of what is counted or measured there may be none; a point of a scale lies within it.
                    yield check if code or rated else replace(check, severity=REMARK)


def _moved(pair: Pair, facts: PairFacts) -> Iterator[Check]:
    """C37: answers that belong to the row before, or after."""
    n = min(facts.rows)
    if n < FEWEST_ROWS:
        return
    own, before, after = (facts.at(lag) if facts.labels else abs(facts.at(lag)) for lag in (0, 1, -1))
    best, other = max(before, after), min(before, after)
    if best < own + CLOSER or best < other + APART:
        return
    if facts.labels:
        error = math.sqrt((own * (1 - own) + best * (1 - best)) / n)
        words = f"they agree in {percent(best)} of the rows, but with their own row in {percent(own)}"
    else:
        own, best = min(own, 1 - 1e-9), min(best, 1 - 1e-9)
        error = (best - own) / ((math.atanh(best) - math.atanh(own)) / math.sqrt(2 / (n - 3)))
        words = f"the correlation is {best:.2f}, but {own:.2f} with their own row"
    if best - own > SURE * error:
        where = "before" if before > after else "after"
        # A forecast follows the row before, and its own row too; what was shifted fits its own row by chance alone.
        forecast = best > FORECAST or own > (LIKE_LABELS if facts.labels else FOLLOWS_TOO)
        yield Check(
            "C37",
            REMARK if forecast else SERIOUS,
            f"The answers in {quoted(pair.other)} match {quoted(pair.one)} of the row {where}: {words}. Was one of "
            "the two shifted by a row?",
        )


def _sorted_apart(pair: Pair, facts: PairFacts, columns: Sequence[NumberColumn | None]) -> Iterator[Check]:
    """C37: two columns that both rise from row to row, as if each had been sorted by itself."""
    known = [one for one in columns if one is not None and one.rises and one.rows >= FEWEST_ROWS]
    varied = all(one.values.counts is None or len(one.values.counts) > VARIED for one in known)
    if len(known) == 2 and varied and facts.same < facts.rows[0] and not any(one.steps for one in known):
        yield Check(
            "C37",
            REMARK,  # running totals do so as well
            f"{quoted(pair.one)} and {quoted(pair.other)} both rise from the first row to the last. Was each sorted on "
            "its own? Then their rows no longer belong together.",
        )


def _partly_copied(pair: Pair, facts: PairFacts, columns: Sequence[NumberColumn | None]) -> Iterator[Check]:
    """C4: many rows in which both are the same to the last decimal, and others in which they are not.

    Numbers of few values, such as means of three ratings, are often the same by chance.
    """
    varied = all(one is not None and one.values.counts is None for one in columns)
    if varied and facts.fine >= FEWEST_ROWS and COPIED * facts.fine < facts.same < facts.fine:
        yield Check(
            "C4",
            SERIOUS,
            f"{quoted(pair.other)} equals {quoted(pair.one)} to the last decimal in "
            f"{percent(facts.same / facts.fine, 1)} of the rows. Was it trained on these rows, or filled in from them?",
        )


def _mixed_units(pair: Pair, facts: PairFacts) -> Iterator[Check]:
    """C12: some rows in which one number is 100 or 1,000 times the other, where all the rest are alike."""
    rows, alike = sum(facts.times.values()), facts.times.get(0, 0)
    for power, n in facts.times.items() if rows >= FEWEST_ROWS else ():
        between = sum(facts.times.get(one, 0) for one in (power - 1, power + 1, *((1,) if power > 0 else (-1,))))
        mostly = alike >= MOSTLY * rows or (alike >= SOME * rows and alike + n >= NEARLY * rows)
        if mostly and abs(power) >= POWERS and n >= FEWEST_CODES and n > 0.01 * rows and between < n / 5:
            yield Check(
                "C12",
                SERIOUS,
                f"{quoted(pair.other)} is about {10.0**power:,.5g} times {quoted(pair.one)} in {percent(n / rows, 1)} "
                f"of the rows, and about as large in {percent(alike / rows)}. Are these rows in another unit?",
            )


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


def _signs(pair: Pair, facts: PairFacts, columns: Sequence[NumberColumn | None]) -> Iterator[Check]:
    """C3: rows in which one number is about minus the other, and hardly any between: signs that were lost."""
    alike, less, minus = facts.mirrored
    far = alike + less + minus
    varied = all(one is not None and one.values.counts is None for one in columns)
    if varied and far >= FEWEST_ROWS and minus >= FEWEST_SIGNS and minus > FEWEST_SIGNS * less and alike > SOME * far:
        yield Check(
            "C3",
            SERIOUS,
            f"{quoted(pair.other)} is about minus {quoted(pair.one)} in {minus:,} of {far:,} rows, and about as large "
            f"in {alike:,}. Were signs lost, or turned, in some rows?",
        )


def _made_of(pair: Pair, facts: PairFacts, columns: Sequence[NumberColumn | None]) -> Iterator[Check]:
    """C4: answers that follow from the reference without any error, or it from them: on a line, or rounded."""
    n, x, y, xx, xy, yy = facts.sums
    if n < COPIED_ROWS or facts.same == n or not pair.scaled:
        return
    across, along, both = xx - x * x / n, yy - y * y / n, xy - x * y / n
    plain = across > EXACT_ENOUGH * xx and along > EXACT_ENOUGH * yy  # else what is left of the sums is no sum
    varied = all(one is not None and one.values.counts is None for one in columns)
    copied = x == y and xx == yy  # said elsewhere
    if varied and plain and across * along - both * both < ON_A_LINE * across * along and not copied:
        slope = both / across
        more = (y - slope * x) / n
        times = "" if abs(slope - 1) < EXACT_ENOUGH else f"{slope:.4g} times "
        plus = (
            ""
            if abs(more) < EXACT_ENOUGH * math.sqrt(along / n)
            else f" {'plus' if more > 0 else 'minus'} {abs(more):.4g}"
        )
        line = f"{times}{quoted(pair.one)}{plus}"
        yield Check("C4", SERIOUS, f"{quoted(pair.other)} is {line} in all rows, to five digits. Was it made from it?")
        return
    rows = max(facts.rounded)
    values = [one.values.counts for one in columns if one is not None]
    most = max((max(of.values()) for of in values if of), default=0)
    if rows == n and n - most >= FEWEST_ROWS:
        copy, of = (pair.other, pair.one) if facts.rounded[0] == n else (pair.one, pair.other)
        severity = SERIOUS if copy == pair.other else REMARK  # answers may well be that near to whole numbers
        yield Check("C4", severity, f"{quoted(copy)} is {quoted(of)}, rounded, in all {n:,.0f} rows. Is it a copy?")


def _turned(pair: Pair, facts: PairFacts) -> Iterator[Check]:
    """C3: a part of the rows that runs the other way than another."""
    least, most = facts.parts
    if least < -TURNED and most > TURNED:
        yield Check(
            "C3",
            SERIOUS,
            f"{quoted(pair.other)} goes with {quoted(pair.one)} in one part of the rows and against it in another. "
            "Were labels, signs or a scale turned round from some row on?",
        )


def _codes_beside(table: TableFacts, name: str, side: int, facts: PairFacts) -> Iterator[float]:
    """C22: codes at the end of a column at which the other column is what it is on average."""
    near = near_codes(table, name)
    for (of_side, code), (times, total, _) in facts.coded.items():
        if of_side == side and code in near and times >= FEWEST_CODES:
            rest = _without(facts, side, code)
            if rest[0] >= VARIED and _looks_missing(code, times, total / times, rest):
                yield code


def _without(facts: PairFacts, side: int, code: float) -> tuple[float, ...]:
    """The sums of both columns, the one that has the code first, without the rows of the code."""
    times, total, squares = facts.coded[side, code]
    n, x, y, xx, xy, yy = facts.sums if side == 0 else (facts.sums[place] for place in (0, 2, 1, 5, 4, 3))
    return (n - times, x - times * code, y - total, xx - times * code**2, xy - code * total, yy - squares)


def _code(name: str, code: float, other: str, side: int, facts: PairFacts) -> Check:
    times, total, _ = facts.coded[side, code]
    rest = _without(facts, side, code)
    return Check(
        "C22",
        SERIOUS,
        f"{with_minus(code)} in {quoted(name)} probably stands for a missing value: {quoted(other)} is "
        f"{total / times:.3g} on average there and {rest[2] / rest[0]:.3g} elsewhere, though the two "
        f'correlate. Declare it missing: missing=["{code:.15g}"].',
    )


def near_codes(table: TableFacts, name: str) -> set[float]:
    """The codes beyond all other values of a column that are so near that they may be values."""
    column = table.numbers.get(name)
    if column is None and name in table.labels and (values := table.labels[name].numbers):
        column = NumberColumn.counted(values)
    return set() if column is None else {*column.outer_codes} - {*column.far_codes}


def _looks_missing(code: float, times: float, at_code: float, rest: tuple[float, ...]) -> bool:
    """Whether the other column is far from where a line through all other rows leads, and near its mean."""
    n, x, y, xx, xy, yy = rest
    across, along, both = xx - x * x / n, yy - y * y / n, xy - x * y / n
    if not (across > 1e-9 * abs(xx) and along > 1e-9 * abs(yy)):
        return False
    correlation = both / math.sqrt(across * along)
    away = both / across * (code - x / n)  # from the mean, on the line
    residual = math.sqrt(max(along * (1 - correlation**2), 0.0) / n)
    error = residual * math.sqrt(1 / times + 1 / n + (code - x / n) ** 2 / across)
    moved = at_code - y / n
    return abs(correlation) >= FOLLOWS and moved / away < LIKE_ALL and abs(moved - away) > SURE * error


def made_checks(table: TableFacts, raters: Sequence[str]) -> Iterator[Check]:
    """C38: a rater, or a system, that is what the raters' columns make: their mean, their median, what most give."""
    ways: dict[str, list[tuple[float, int, str]]] = {}
    for (how, name), hits in table.counted.items():
        rows = hits + table.counted.get((OTHERWISE + how, name), 0)
        if how in MADE and rows >= VARIED:
            ways.setdefault(name, []).append((hits / rows, rows, how))
    best = {name: max(each, key=lambda way: (way[0], -MADE.index(way[2]))) for name, each in ways.items()}
    alike = {name: way for name, way in best.items() if way[0] == 1}
    # Each may be what the others make, if one is: the one with the most rows is named.
    strongest = max((name for name in alike if name in raters), key=lambda name: alike[name][1], default="")
    for name, (_, rows, how) in alike.items():
        others = [quoted(rater) for rater in raters if rater != name]
        alone = how in (MEAN, SUM) or len(others) == 2
        if GOOD**rows < RARELY and (name == strongest or name not in raters):
            yield Check(
                "C38",
                SERIOUS if alone else REMARK,
                f"{quoted(name)} is the {how} of {', '.join(others)} in all {rows:,} rows where that shows. If "
                "it was computed from them, it agrees with them by construction: leave it out.",
            )


def copied_sets(table: TableFacts) -> Iterator[Check]:
    """C4: raters whose cells are the same in every row, and not one and the same cell."""
    for pair, facts in table.pairs.items():
        cells = table.labels[pair.one].counts if pair.one in table.labels else None
        rare = facts.rows[0] - max((cells or {"": 0}).values(), default=0)
        if facts.labels and facts.rows[0] >= FEWEST_ROWS and facts.at(0) == 1 and rare >= FEWEST_ROWS:
            yield Check(
                "C4",
                SERIOUS,
                f"{quoted(pair.one)} and {quoted(pair.other)} say the same of all {facts.rows[0]:,.0f} items. Is "
                "one a copy?",
            )
