"""Checks of columns beside one another, row by row: made of one another, turned round, codes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from adjudge.data.number_facts import NumberColumn
from adjudge.data.pair_facts import PairFacts
from adjudge.data.table_facts import MADE, MEAN, OTHERWISE, SUM, Pair, TableFacts
from adjudge.diagnosis.checks.check import REMARK, SERIOUS, Check
from adjudge.diagnosis.checks.doubt import correlation_of_sums
from adjudge.diagnosis.checks.filled import filled_checks
from adjudge.diagnosis.checks.moved import labels_sorted_alone, moved_checks
from adjudge.diagnosis.checks.units import unit_checks
from adjudge.errors import percent, quoted, with_minus

FEWEST_ROWS = 50
UNLIKELY, FEW_PAIRS = 3.4e-6, 10  # beyond 4.5 standard errors of many rows
FOLLOWS, LIKE_ALL, FEWEST_CODES = 0.4, 0.25, 5
COPIED, SOME = 0.05, 0.3
VARIED = 20
FEWEST_SIGNS, COPIED_ROWS, ON_A_LINE, EXACT_ENOUGH, TURNED = 3, 100, 1e-10, 1e-5, 5.0
# How often somebody with skill gives what most others do where these differ; their mean nobody meets so often.
RARELY, GOOD = 0.001, 0.9


def pair_checks(table: TableFacts, coded: Iterable[str]) -> Iterator[Check]:
    """C4, C12, C22 and C37 of every two columns that answer the same question; `coded` may have codes."""
    said: set[tuple[str, float]] = set()
    compared = {pair: facts for pair, facts in table.pairs.items() if pair.compared}
    yield from _of_other_rows(table, compared)
    for pair, facts in compared.items():
        columns = [table.numbers.get(name) for name in (pair.one, pair.other)]
        yield from filled_checks(pair, facts, columns)
        yield from _partly_copied(pair, facts, columns)
        yield from unit_checks(pair, facts, columns)
        yield from _signs(pair, facts, columns)
        yield from _made_of(pair, facts, columns)
        yield from _turned(pair, facts)
        for side, name in enumerate((pair.one, pair.other)):
            for code in _codes_beside(table, name, side, facts, len(compared)) if name in coded else ():
                if (name, code) not in said:
                    said.add((name, code))
                    rated = name not in table.numbers or table.numbers[name].values.counts is not None
                    check = _code(name, code, (pair.other, pair.one)[side], side, facts)
                    # Of what is counted or measured there may be none; a point of a scale lies within it.
                    yield check if code or rated else replace(check, severity=REMARK)


def _of_other_rows(table: TableFacts, compared: Mapping[Pair, PairFacts]) -> Iterator[Check]:
    """C37, once of two columns that are looked at as labels and as numbers: the most serious that is found."""
    of_pairs: dict[tuple[str, str], list[Check]] = {}
    for pair, facts in compared.items():
        names = (pair.one, pair.other)
        of_two = of_pairs.setdefault(names, [])
        of_two += moved_checks(pair, facts, [table.numbers.get(name) for name in names])
        of_two += labels_sorted_alone(pair, facts, [table.labels.get(name) for name in names])
    for checks in of_pairs.values():
        yield from sorted(checks, key=lambda check: check.severity != SERIOUS)[:1]


def _partly_copied(pair: Pair, facts: PairFacts, columns: Sequence[NumberColumn | None]) -> Iterator[Check]:
    """C4: many rows in which both are the same to the last digit, more than nearly so, and others in which they differ.

    Numbers of few values, such as means of three ratings, are often the same by chance.
    """
    varied = all(one is not None and one.values.counts is None for one in columns)
    rows = facts.rows[0]
    if varied and rows >= FEWEST_ROWS and max(COPIED * rows, facts.near) < facts.same < rows:
        yield Check(
            "C4",
            SERIOUS,
            f"{quoted(pair.other)} equals {quoted(pair.one)} to the last digit in "
            f"{percent(facts.same / rows, 1)} of the rows. Was it trained on these rows, or filled in from them?",
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
            f"in {alike:,}. Did some rows lose or gain a minus sign?",
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


def _codes_beside(table: TableFacts, name: str, side: int, facts: PairFacts, pairs: int) -> Iterator[float]:
    """C22: codes at the end of a column at which the other column is what it is on average."""
    near = near_codes(table, name)
    for (of_side, code), (times, total, _) in facts.coded.items():
        if of_side == side and code in near and times >= FEWEST_CODES:
            rest = facts.without(side, code)
            if rest[0] >= VARIED and _looks_missing(code, times, total / times, rest, pairs):
                yield code


def _code(name: str, code: float, other: str, side: int, facts: PairFacts) -> Check:
    times, total, _ = facts.coded[side, code]
    rest = facts.without(side, code)
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


def _looks_missing(code: float, times: float, at_code: float, rest: tuple[float, ...], pairs: int) -> bool:
    """Whether the other column is far from where a line through all other rows leads, and near its mean.

    How far is told by Student's distribution, at a level that is shared by all pairs of columns beyond a few.
    """
    from scipy.special import stdtrit

    n, x, y, xx, xy, yy = rest
    across, along, both = xx - x * x / n, yy - y * y / n, xy - x * y / n
    if not (across > 1e-9 * abs(xx) and along > 1e-9 * abs(yy)):
        return False
    correlation = correlation_of_sums(both, across, along)
    away = both / across * (code - x / n)  # from the mean, on the line
    residual = math.sqrt(max(along * (1 - correlation**2), 0.0) / n)
    error = residual * math.sqrt(1 / times + 1 / n + (code - x / n) ** 2 / across)
    moved = at_code - y / n
    sure = -float(stdtrit(n - 2, UNLIKELY / max(1.0, pairs / FEW_PAIRS)))
    return abs(correlation) >= FOLLOWS and moved / away < LIKE_ALL and abs(moved - away) > sure * error


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
                f"{quoted(name)} is the {how} of {', '.join(others)} in all {rows:,} rows that can tell. If "
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
