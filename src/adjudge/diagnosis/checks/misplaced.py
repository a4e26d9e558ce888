"""Checks of columns and rows in the wrong place: two sides swapped, ends the wrong way round, row numbers, totals."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from adjudge.data.cleaning import count_text, text_column
from adjudge.data.keys import Twins
from adjudge.data.number_facts import NumberColumn
from adjudge.data.source import Batch
from adjudge.data.table_facts import ENDS, ONE_END, OUTSIDE, SUBTOTALS, SWAPPED, TableFacts
from adjudge.diagnosis.checks.check import REMARK, SERIOUS, Check
from adjudge.diagnosis.checks.watching import role_columns
from adjudge.errors import percent, quoted

FEWEST_ROWS, MANY, ALIKE, OTHER_UNIT, CROSSING = 20, 0.05, 0.99, 10.0, 0.2
# People give points of a scale and grades, systems numbers with decimals: roles of the one, and of the other.
SIDES = (("raters", "prediction"), ("relevance", "score"))
MOST_POINTS = 15
MOMENTS = ((1e9, 2.2e9), (1e12, 2.2e12))  # seconds and milliseconds since 1970, of this century
YEARS = (1950, 2040)
DATED = ("score", "judge", "raters", "rating", "exposure", "weight", "column")  # roles that hold no times and dates
PREDICTED = ("reference", "prediction", "lower", "upper")  # of numbers
FEWEST_FAILURES = 10  # of a system
FEWEST_PEOPLE, AGREEING = 10, 3.75  # who answered, and how much they agree with what contradicts itself
MOST_SHOWN = 40  # letters of a text


def misplaced_checks(table: TableFacts, given: Mapping[str, object]) -> Iterator[Check]:
    """C32 and C34: totals, row numbers, sides that are swapped, ends that are none."""
    for name, column in table.numbers.items():
        if column.steps and column.rows >= FEWEST_ROWS:
            yield Check("C34", SERIOUS, f"{quoted(name)} numbers the rows, one by one. Is it the right column?")
    yield from [*_totals(table.numbers)] or _figures(table.numbers)
    yield from _subtotals({name: n for (what, name), n in table.counted.items() if what == SUBTOTALS})
    yield from _dates(table, given)
    yield from _day_numbers(table, given)
    yield from _places(table, given)
    for people, systems in SIDES:
        yield from _swapped(table.numbers, *(role_columns(given, role) for role in (people, systems)))
    yield from _same_models(table, given.get("model_a"), given.get("model_b"))
    for what, name in table.counted:
        if what == ENDS:
            yield from _ends(name, *(table.counted.get((one, name), 0) for one in (ENDS, SWAPPED, OUTSIDE, ONE_END)))


def _totals(columns: Mapping[str, NumberColumn]) -> Iterator[Check]:
    """C32: a last row that holds the sums, or the means, of all others."""
    sums, means, firsts = [], [], []
    for name, column in columns.items():
        last, others = column.edges[1], column.rows - 1
        total = column.total - last
        if others < FEWEST_ROWS or not math.isfinite(total):
            continue
        if abs(total) > 2 * column.largest and abs(last - total) <= 1e-6 * abs(total):
            sums.append(quoted(name))
        first, rest = column.edges[0], column.total - column.edges[0]
        second = sorted(column.values.counts or ())[-2:-1]  # of few values, the largest but one
        alone = not second or abs(first) > 2 * second[0]
        if alone and first and math.isfinite(first) and abs(first - rest) <= 1e-9 * abs(first):
            firsts.append(quoted(name))
        if column.fractions and _is_mean(last, total / others, column):
            means.append(quoted(name))
    for columns_so, what in ((sums, "sum"), (means if len(means) > 1 else [], "mean")):
        if columns_so:
            which = f"the {what} of all others in {', '.join(columns_so)}"
            yield Check("C32", SERIOUS, f"The last row holds {which}: a line of totals. Remove it.")
    if firsts:
        yield Check("C32", SERIOUS, f"The first row holds the sum of all others in {', '.join(firsts)}. Remove it.")


def _is_mean(value: float, mean: float, column: NumberColumn) -> bool:
    """Whether a number is the mean of others to the last digits; not where all lie as near to one another."""
    return abs(value - mean) <= min(1e-9 * abs(mean), 1e-6 * (column.ends[1] - column.ends[0]))


def _figures(columns: Mapping[str, NumberColumn]) -> Iterator[Check]:
    """C32: last rows of which one holds the means of all before them: means, deviations, ends."""
    rows: dict[int, list[str]] = {}
    for name, column in columns.items():
        for number in range(2, len(column.tail) + 1):
            figures = column.tail[-number:]
            others, total = column.rows - number, column.total - sum(figures)
            if others < FEWEST_ROWS or not column.fractions or not math.isfinite(total):
                continue
            if any(_is_mean(one, total / others, column) for one in figures):
                rows.setdefault(number, []).append(quoted(name))
    for number, names in list(rows.items())[:1]:
        if len(names) > 1:
            which = f"The last {number} rows hold figures of all others, such as their mean, in {', '.join(names)}"
            yield Check("C32", SERIOUS, f"{which}. Remove them.")


def _subtotals(rows: Mapping[str, int]) -> Iterator[Check]:
    """C32: rows that hold the sums of those above: three of a column, or two of several."""
    known = {name: n for name, n in rows.items() if n >= 2}
    if max(known.values(), default=0) >= 3 or len(known) > 1:
        most = max(known.values())
        yield Check(
            "C32",
            SERIOUS,
            f"{most:,} rows hold the sum of the rows above them in {', '.join(map(quoted, known))}: lines of "
            "subtotals. Remove them.",
        )


def _dates(table: TableFacts, given: Mapping[str, object]) -> Iterator[Check]:
    """C34: times and dates where a score, a rating or a weight must be. C25: years as weights."""
    columns = {role: role_columns(given, role) for role in DATED}
    for role, name in ((role, name) for role, names in columns.items() for name in names):
        column = table.numbers.get(name)
        if column is None and name in table.labels and (values := table.labels[name].numbers):
            column = NumberColumn.counted(values)
        if column is None or column.rows < FEWEST_ROWS or not column.ends[0] < column.ends[1]:
            continue
        low, high = column.ends
        if column.fractions and not MOMENTS[0][0] <= low:  # moments may have parts of a second
            continue
        if any(first <= low and high <= last for first, last in MOMENTS) or (_is_date(low) and _is_date(high)):
            how = f"{quoted(name)} lies from {low:.10g} to {high:.10g}, as times or dates do"
            place = "" if role == "column" else f" for `{role}`"
            yield Check("C34", SERIOUS, f"{how}. Is it the right column{place}?")
        elif role == "weight" and YEARS[0] <= low and high <= YEARS[1]:
            how = f"The weights in {quoted(name)} lie from {low:g} to {high:g}, as years do"
            yield Check("C25", SERIOUS, f"{how}. Leave `weight` out, or give another column.")


def _day_numbers(table: TableFacts, given: Mapping[str, object]) -> Iterator[Check]:
    """C34: days as 20240131 that are to be predicted: between two months they are 70 apart."""
    for name in dict.fromkeys(name for role in PREDICTED for name in role_columns(given, role)):
        column = table.numbers.get(name)
        if column is None or column.rows < FEWEST_ROWS or column.fractions or not column.ends[0] < column.ends[1]:
            continue
        if all(map(_is_date, column.ends)):
            how = f"{quoted(name)} lies from {column.ends[0]:.8g} to {column.ends[1]:.8g}, as dates do"
            yield Check(
                "C34", SERIOUS, f"{how}, and differences of such numbers are not days. Give days since a fixed date."
            )


def _places(table: TableFacts, given: Mapping[str, object]) -> Iterator[Check]:
    """C34: predictions that are the numbers from 1 to as many as there are rows: places in an order."""
    against = [table.numbers.get(name) for role in ("reference", "raters") for name in role_columns(given, role)]
    if any(column is not None and _counts_all(column) for column in against):
        return
    for name in (name for role in ("prediction", "judge") for name in role_columns(given, role)):
        column = table.numbers.get(name)
        if column is not None and _counts_all(column) and not column.steps:
            how = f"{quoted(name)} goes from 1 to {column.rows:,}, as many as there are rows"
            yield Check("C34", SERIOUS, f"{how}: are these ranks? Give the numbers that were predicted.")


def _counts_all(column: NumberColumn) -> bool:
    """Whether numbers, of more than 40 values, lie from 1 to how many there are, and add up to what these do."""
    low, high = min(*column.ends, *column.codes), max(*column.ends, *column.codes)
    whole = column.values.counts is None and not column.fractions
    return whole and (low, high) == (1, column.rows) and 2 * column.total == column.rows * (column.rows + 1)


def _is_date(number: float) -> bool:
    """Whether a number is a day as year, month and day."""
    year, month, day = int(number) // 10_000, int(number) // 100 % 100, int(number) % 100
    return number % 1 == 0 and YEARS[0] <= year <= YEARS[1] and 1 <= month <= 12 and 1 <= day <= 31


def _swapped(values: Mapping[str, NumberColumn], people: Sequence[str], systems: Sequence[str]) -> Iterator[Check]:
    """C34: a rater whose scores have decimals, beside systems that give a few whole numbers alone."""
    sides = [[values[name] for name in side if name in values] for side in (people[:1], systems)]
    if not all(sides) or any(column.rows < FEWEST_ROWS for side in sides for column in side):
        return
    fractions = sides[0][0].fractions / sides[0][0].looked  # half points are points
    points = [column.values.counts for column in sides[1]]
    whole = all(of is not None and len(of) <= MOST_POINTS and all(v % 1 == 0 for v in of) for of in points)
    if fractions > 0.5 and whole:
        yield Check(
            "C34",
            SERIOUS,
            f"{quoted(people[0])} has decimals, and {quoted(systems[0])} only a few whole numbers, as human "
            "scores do. Are the two swapped?",
        )


def called_otherwise(one: tuple[str, str], other: tuple[str, str]) -> Check:
    """C34: two columns that are each called as the other's role is."""
    return Check(
        "C34",
        SERIOUS,
        f"{quoted(one[1])} is `{one[0]}` and {quoted(other[1])} is `{other[0]}`, but their names say the opposite. "
        "Are the two swapped?",
    )


def _ends(who: str, known: int, swapped: int, outside: int, one_end: int) -> Iterator[Check]:
    """C34: prediction intervals whose ends are swapped, are one and the same, or are no ends."""
    if known >= FEWEST_ROWS and one_end > known / 2:
        how = f"The intervals of {quoted(who)} have no width in {percent(one_end / known)} of the rows"
        yield Check("C34", SERIOUS, f"{how}: the lower end is the upper one. Are these the right columns?")
    if known < FEWEST_ROWS or (swapped <= MANY * known and outside <= known / 2):
        return
    crossed = swapped > known / 2 or outside - swapped <= known / 2
    if crossed:
        rows = percent(swapped / known)
        how = f"The lower ends of {quoted(who)} lie above the upper ones in {rows} of the rows: swap the two there."
    else:
        how = (
            f"The predictions of {quoted(who)} lie outside their own intervals in {percent(outside / known)} of the "
            "rows. Are these widths, or another system's ends?"
        )
    # Quantiles that were fitted one by one cross in some rows.
    yield Check("C34", REMARK if crossed and swapped <= CROSSING * known else SERIOUS, how)


def items_again(items: Twins, column: str) -> Iterator[Check]:
    """C6: a row for each item, and items that have two; of many items told from some."""
    if items.again:
        share = items.again / items.rows
        yield Check(
            "C6",
            SERIOUS if share >= MANY else REMARK,
            f"{percent(share, 1)} of the rows repeat an item of another row in {quoted(column)}, and count as separate "
            "items. Remove the repeats, or give the column as `cluster`.",
        )


def running_totals(table: TableFacts, watches: Sequence[tuple[str, str]]) -> Iterator[Check]:
    """C34: times and failures that grow from row to row. C12: times of two systems in two units."""
    exposures = [time for time, _ in watches]
    for time, count in watches:
        both = [table.numbers[name] for name in (time, count) if name in table.numbers]
        if len(both) == 2 and all(
            one.rises and one.rows >= FEWEST_ROWS and one.edges[0] < one.edges[1] for one in both
        ):
            how = f"{quoted(time)} and {quoted(count)} both grow from row to row. Are these running totals?"
            yield Check("C34", SERIOUS, f"{how} Give what each row adds.")
        elif both and both[0].rises and both[0].values.counts is None:  # or rows in the order of their times
            how = f"{quoted(time)} grows from row to row. Is it a running total, or a date?"
            yield Check("C34", REMARK, f"{how} Give how long each row was watched.")
    for pair, facts in table.pairs.items():
        n, x, y, *_ = facts.sums
        if pair.one in exposures and pair.other in exposures and facts.at(0) > ALIKE and n >= FEWEST_ROWS and x * y > 0:
            times = y / x
            if not 1 / OTHER_UNIT < times < OTHER_UNIT:
                how = f"{quoted(pair.other)} is {times:.4g} times {quoted(pair.one)}, and goes up and down with it"
                yield Check("C12", SERIOUS, f"{how}. Are these the same times in two units?")


def failed_as_often(table: TableFacts, watches: Sequence[tuple[str, str]]) -> Iterator[Check]:
    """C12: a system that was watched far longer in a row than the first, and failed as often: other units."""
    none = NumberColumn()
    columns = [(name, table.numbers.get(name, none), table.numbers.get(count, none)) for name, count in watches]
    known = [(name, time, count) for name, time, count in columns if time.total > 0 and count.total >= FEWEST_FAILURES]
    for name, time, count in known[1:]:
        first, usual, fails = known[0]
        times = time.total / time.rows / (usual.total / usual.rows)
        rate = count.total / count.rows / (fails.total / fails.rows)
        beyond = math.sqrt(1 / count.total + 1 / fails.total)  # of the logarithm of two counts
        if not 1 / OTHER_UNIT < times < OTHER_UNIT and abs(math.log(rate)) < min(beyond, math.log(1.5)):
            how = f"{quoted(name)} is {times:.3g} times {quoted(first)} in a row, and failures are as many"
            yield Check("C12", SERIOUS, f"{how}. Are these times in two units?")


def turned_answers(columns: Sequence[NumberColumn]) -> Iterator[Check]:
    """C3: answers to the questions on usability, of which every second is a complaint, that all say the same."""
    means = [column.total / max(column.rows, 1) for column in columns]
    praise, complaint = (sum(means[side::2]) / max(len(means[side::2]), 1) for side in (0, 1))
    few = min((column.rows for column in columns), default=0) < FEWEST_PEOPLE
    if not few and (min(praise, complaint) > AGREEING or max(praise, complaint) < 6 - AGREEING):
        how = f"People give {praise:.1f} of 5 to the questions that praise, and {complaint:.1f} to those that complain"
        yield Check("C3", SERIOUS, f"{how}. Were the answers to every other question already reversed?")


def unwatched(time: str, rows: int) -> Iterator[Check]:
    """C22: times of 0 in rows that have something to count."""
    if rows:
        yield Check(
            "C22",
            SERIOUS,
            f"{quoted(time)} is 0 in {count_text(rows, 'row')} with failures, though what is not watched cannot "
            "fail. Is it missing there? Leave these cells empty.",
        )


def _same_models(table: TableFacts, one: object, two: object) -> Iterator[Check]:
    """C35: pairs of one and the same model."""
    facts = next((facts for pair, facts in table.pairs.items() if (pair.one, pair.other) == (one, two)), None)
    if facts is not None and facts.met[0]:
        share = facts.at(0)
        yield Check(
            "C35",
            SERIOUS if share >= MANY else REMARK,
            f"{percent(share, 1)} of the pairs are two answers of the same model. Are {quoted(one)} and {quoted(two)} "
            "the right columns?",
        )


def _empty_texts(name: str, words: Sequence[str]) -> Iterator[Check]:
    """C35: texts that are empty; one text that stands again and again where hardly any other does."""
    times = Counter(word.strip() for word in words)
    empty, rows = times.pop("", 0), len(words)
    if rows >= FEWEST_ROWS and empty >= MANY * rows:
        yield Check(
            "C35",
            SERIOUS,
            f"{quoted(name)} is empty in {percent(empty / rows)} of the first {rows:,} pairs, where there was no "
            "answer to read. Is it the right column, and complete?",
        )
    text, often = max(times.items(), key=lambda item: item[1], default=("", 0))
    if often >= max(FEWEST_ROWS, MANY * rows) and len(times) > (rows - often) / 2:
        shown = quoted(text[:MOST_SHOWN] + " …" if len(text) > MOST_SHOWN else text)
        yield Check(
            "C35",
            REMARK,
            f"{quoted(name)} is {shown} in {often:,} of the first {rows:,} pairs, where other texts hardly stand "
            "twice. Is that an answer?",
        )


def same_texts(first: Batch, one: object, two: object) -> Iterator[Check]:
    """C35: pairs of one and the same text, between which nobody can choose."""
    if not isinstance(one, str) or not isinstance(two, str) or one == two:
        return
    texts = [text_column(first, name) for name in (one, two)]
    known = (texts[0].codes >= 0) & (texts[1].codes >= 0)
    words = [np.array([*texts[side].labels, ""], dtype=object)[texts[side].codes] for side in (0, 1)]
    for name, side in zip((one, two), words, strict=True):
        yield from _empty_texts(name, side.tolist())
    same = int((known & (words[0] == words[1]) & np.array([bool(word.strip()) for word in words[0]])).sum())
    if same:
        share = same / max(int(known.sum()), 1)
        yield Check(
            "C35",
            SERIOUS if share >= MANY else REMARK,
            f"{same:,} of {int(known.sum()):,} pairs show the same text twice, so there is nothing to choose. Are "
            f"{quoted(one)} and {quoted(two)} the right columns?",
        )
