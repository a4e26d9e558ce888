"""Checks of any table, whatever is asked of it: what was left out, how numbers are written, and what weighs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from adjudge.data.cleaning import NOT_A_NUMBER, text_column
from adjudge.data.facts import Facts
from adjudge.data.judgements.labels import number_in
from adjudge.data.keys import distinct_of
from adjudge.data.number_facts import NumberColumn
from adjudge.data.repeats import Repeats
from adjudge.data.source import Source
from adjudge.diagnosis.checks.check import NOTE, REMARK, SERIOUS, Check
from adjudge.errors import percent, quoted
from adjudge.inference.intervals.interval import LEAST_USUAL
from adjudge.metrics.base import Metric

MANY, MOST = 0.05, 0.2
FEW_SPEAK = 0.05  # of the rows: fewer that speak are hardly what anybody means
FEWEST, FEWEST_WEIGHTS, REPEATED = 20, 50, 0.01
LOOKED_AT = 10_000
MOST_COPIES = 3  # of a row on average, where rows are copies
MOST_TIMES = 9  # that a copy stands
CLOSER = 10  # times as often as any two rows do those have the same number that are alike otherwise
# Points between thousands: so many of them, beside so many numbers without, of which some have three digits.
MANY_POINTS, FEWEST_PLAIN, FEWEST_WHOLE, THOUSAND = 20, 3, 100, 1_000
_POINTED = re.compile(r"[+-]?[1-9][0-9]{0,2}\.[0-9]{3}")
_DIGITS = r"[+-]?[0-9.\u00a0 ]*[0-9]"
_THOUSANDS = r"[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+"
_NUMBER = "Give a number, such as minutes or days."
# The first that fits: of commas before three digits only, as of 1,250, nobody can tell what they are.
WRITINGS = (
    (
        re.compile(_THOUSANDS + r"(?:\.[0-9]*)?"),
        "a comma before three digits",
        'Remove commas between thousands; if they are decimal commas, give decimal=",".',
    ),
    (re.compile(rf"(?:{_DIGITS})?,[0-9]+(?:[eE][+-]?[0-9]+)?"), "a comma", 'Give decimal=",".'),
    (re.compile(rf"{_DIGITS}(?:,[0-9]+)?\s*%"), "a percent sign", "Remove the signs and divide by 100."),
    (re.compile(rf"[$€£¥]\s*{_DIGITS}|{_DIGITS}(?:,[0-9]+)?\s*[$€£¥]"), "a currency sign", "Remove the signs."),
    (
        re.compile(r"[+-]?[1-9][0-9]{0,2}(?:\.[0-9]{3}){2,}"),
        "two points",
        'If they separate thousands, give decimal=",".',
    ),
    (
        re.compile(r"[+-]?[0-9]+(?:['’ \u00a0\u202f][0-9]{3})+(?:\.[0-9]*)?"),
        "a thousands separator",
        "Write the digits alone.",
    ),
    (re.compile(rf"{_DIGITS}\s*[^\W\d_°%][\w°/²³]{{0,5}}|{_DIGITS}\s*°\w?"), "a unit", "Write the number alone."),
    (re.compile(rf"[<>≤≥~≈]=?\s*{_DIGITS}"), "a sign before it", "Write the number alone, or leave the cell empty."),
    (re.compile(rf"{_DIGITS}(?:,[0-9]+)?\s*[*†‡§#]+"), "a sign behind it", "Write the number alone."),
    (
        re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ].*)?|(?:[0-9]{1,2}[./-]){2}[0-9]{2,4}"),
        "the form of a date",
        _NUMBER,
    ),
    (re.compile(r"-?(?:[0-9]+ days?,? )?[0-9]+(?::[0-9]{2}){1,2}(?:\.[0-9]+)?"), "the form of a time", _NUMBER),
    (re.compile(rf"{_DIGITS}\s*/\s*{_DIGITS}"), "a slash", "Write the number before it alone."),
    (re.compile(rf"{_DIGITS}\s*[-–]\s*{_DIGITS}"), "the form of a range", "Write one number, or leave the cell empty."),
    (re.compile(rf"\({_DIGITS}\)|[−–]{_DIGITS}|{_DIGITS}[-−]"), "another minus sign", "Write negative numbers with -."),
)


def table_checks(facts: Facts, notes: Iterable[str] = (), doubts: Iterable[str] = ()) -> Iterator[Check]:
    """C7: many rows were left out. C27: how the table is written. C28: what another tool's file does not tell."""
    yield from (Check("C27", NOTE, note) for note in notes)
    yield from (Check("C28", SERIOUS, doubt) for doubt in doubts)
    lost = sum(facts.left_out.values())
    if facts.read >= FEWEST and lost > MANY * facts.read:
        severity = SERIOUS if lost > MOST * facts.read else REMARK
        yield Check(
            "C7",
            severity,
            f"{lost:,} of {facts.read:,} rows ({percent(lost / facts.read)}) are left out ({facts.reasons}). "
            "What remains may not represent the whole.",
        )


def level_checks(level: float) -> Iterator[Check]:
    """C40: intervals that more often miss what is true than hold it."""
    if level < LEAST_USUAL:
        yield Check(
            "C40",
            SERIOUS,
            f"`level` is {level:g}: intervals miss what is true in {percent(1 - level)} of all tables. Is "
            f"{1 - level:g} meant?",
        )


def named_otherwise(named: Iterable[Metric], offered: Iterable[Metric], given: Mapping[str, object]) -> Iterator[Check]:
    """C40: metrics that were named without a parameter for which the table was given a setting."""
    followed = {(one.name, key) for one in offered for key in one.parameters}
    for metric in dict.fromkeys(named):
        for key, usual in sorted(metric.settings.items()):
            value = given.get(key)
            values = value if isinstance(value, (list, tuple)) else [] if value is None else [value]
            set_to = [one for one in values if str(one) != str(usual)]
            if set_to and key not in metric.parameters and (metric.name, key) in followed:
                meant = " or ".join(str(metric.using(**{key: one})) for one in set_to)
                yield Check(
                    "C40",
                    SERIOUS,
                    f"{metric} is told with its usual `{key}`, not with the one that was given. Name {meant}.",
                )


def repeated_rows(facts: Facts) -> Iterator[Check]:
    """C5: rows whose answers all stand elsewhere too, where that is no chance."""
    twins = facts.twins
    # Scores of a few leaves or steps, with all their decimals, stand in many rows each: these are no copies.
    coarse = twins.rows > MOST_COPIES * (twins.rows - twins.again)
    if twins.rows >= FEWEST and twins.again > REPEATED * twins.rows and not coarse:
        yield Check(
            "C5",
            REMARK,
            f"About {percent(twins.again / twins.rows)} of the rows repeat another row to the last decimal. Remove "
            "them, or give what belongs together as `cluster`.",
        )
        return
    yield from _copies(facts.table.repeats)


def _copies(repeats: Repeats) -> Iterator[Check]:
    """C5 of rounded numbers: rows that repeat another in all columns, far more often than chance makes of it.

    By chance, two rows that are alike in all other columns have the same number as often as any two rows, or some
    times as often, for it goes with the others.
    """
    whole = repeats.whole.up_to(MOST_TIMES)  # zeros, or what was cut off at an end, are no copies
    coarse = whole.rows > MOST_COPIES * (whole.rows - whole.again)
    if repeats.rows < FEWEST_WEIGHTS or whole.again <= REPEATED * whole.rows or coarse:
        return
    copies = repeats.alike(whole)
    # Of rows that differ otherwise.
    number = repeats.alike(repeats.number) - repeats.alike(repeats.whole) + 2 / repeats.rows
    if copies > 2 * repeats.alike(repeats.rest) * min(1.0, CLOSER * number / (repeats.rows - 1)):
        yield Check(
            "C5",
            REMARK,
            f"{percent(whole.again / whole.rows)} of the rows repeat another row in every column that was read. Remove "
            "them, or give what belongs together as `cluster`.",
        )


def written_otherwise(source: Source, columns: Sequence[str], facts: Facts) -> Iterator[Check]:
    """C20: text that was no number, but is one in another writing. The first rows are looked at again, as text."""
    yield from _points(source, [name for name in columns if _may_have_points(facts.table.numbers.get(name))])
    if not any(reason.endswith(NOT_A_NUMBER) for reason in (*facts.left_out, *facts.unused)):
        return
    first = next(source.batches(columns, (), LOOKED_AT), None)
    without: list[tuple[str, str]] = []  # columns that hold no number, and what they hold
    for name in columns if first is not None else ():
        labels = text_column(first, name).labels if first is not None else ()
        odd = [label for label in labels if number_in(label) is None and label.strip()]
        for pattern, what, advice in WRITINGS:
            like = [label for label in odd if pattern.fullmatch(label.strip())]
            if len(like) > len(odd) / 2:
                contrast = f"but {quoted(like[0])} has {what}"
                yield Check("C20", SERIOUS, f"Numbers in {quoted(name)} must be plain, {contrast}. {advice}")
                break
        else:
            known = [label for label in labels if label.strip()]
            without += [(name, odd[0])] if odd and len(odd) == len(known) else []
    if len(without) == 1 and not facts.used:
        [(name, held)] = without
        what = f"{quoted(held)} is none. Is it the right column?"
        yield Check("C20", SERIOUS, f"Cells of {quoted(name)} must be numbers, but {what}")


def _may_have_points(column: NumberColumn | None) -> bool:
    """Whether numbers below 1,000, many of them with decimals, may be larger ones with points between thousands."""
    return column is not None and column.fractions >= MANY_POINTS and FEWEST_WHOLE <= column.ends[1] < THOUSAND


def _points(source: Source, columns: Sequence[str]) -> Iterator[Check]:
    """C20: points that always stand before three digits, whatever these are, beside whole numbers below 1,000."""
    first = next(source.batches(columns, (), LOOKED_AT), None) if columns and source.rereads else None
    for name in columns if first is not None else ():
        labels = [label.strip() for label in text_column(first, name).labels] if first is not None else []
        pointed, plain = ([label for label in labels if ("." in label) is has] for has in (True, False))
        small = [label for label in plain if label.lstrip("+-").isdigit() and len(label.lstrip("+-")) <= 3]
        thousands = all(_POINTED.fullmatch(label) for label in pointed) and any(label[-1] == "0" for label in pointed)
        if len(pointed) >= MANY_POINTS and thousands and len(small) == len(plain) >= FEWEST_PLAIN:
            how = (
                f"{quoted(pointed[0])} stands beside {quoted(max(small, key=len))}, and three digits follow every point"
            )
            yield Check(
                "C20", SERIOUS, f'Numbers in {quoted(name)}: {how}. If they separate thousands, give decimal=",".'
            )


def weight_checks(facts: Facts, column: str | None) -> Iterator[Check]:
    """C25: weights that are all different whole numbers. C20: weights that leave few rows to speak."""
    if column is None or facts.used < FEWEST_WEIGHTS:
        return
    effective = facts.weight**2 / facts.squared_weight if facts.squared_weight else float(facts.used)
    if effective < facts.used / 2:
        yield Check(
            "C20",
            SERIOUS if effective < FEW_SPEAK * facts.used else REMARK,
            f"With the weights in {quoted(column)}, {facts.used:,} rows say only as much as about {effective:,.0f} "
            "of equal weight.",
        )
    if facts.whole_weights and distinct_of(facts.weights) > 0.9 * facts.used:
        yield Check(
            "C25",
            SERIOUS,
            f"The weights in {quoted(column)} are whole numbers and different in every row, like ids. "
            "Leave `weight` out, or give another column.",
        )
