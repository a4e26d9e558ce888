"""Checks of columns, whatever is asked of them: two roles that do not go together, names and codes among the values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from adjudge.data.cleaning import number_column
from adjudge.data.facts import Facts
from adjudge.data.judgements.labels import label_text, number_in, ordered_labels
from adjudge.data.keys import distinct_of
from adjudge.data.label_values import AS_WRITTEN, called, kinds_of, meeting_of
from adjudge.data.number_facts import NumberColumn, ValueCounts
from adjudge.data.source import Batch, Source
from adjudge.data.table_facts import TableFacts
from adjudge.diagnosis.checks.check import REMARK, SERIOUS, Check
from adjudge.diagnosis.checks.failed_answers import failed_answers
from adjudge.diagnosis.checks.labels import FAR_CODES, SEEN, doubled, one_answer, strangers, stray_rows, unknown
from adjudge.diagnosis.checks.misplaced import misplaced_checks, running_totals, turned_answers, unwatched
from adjudge.diagnosis.checks.numbers import same_answers
from adjudge.diagnosis.checks.scores import LEVEL
from adjudge.diagnosis.checks.tables import LOOKED_AT, MANY, MOST
from adjudge.diagnosis.checks.watching import coded_columns, given_columns, role_columns
from adjudge.errors import AdjudgeError, listed, percent, quoted, with_minus
from adjudge.inference.intervals.closed_form import wilson
from adjudge.metrics.intervals import Share
from adjudge.statistics.suites.case_outcomes import CaseOutcomes

FEWEST_OTHERS, OFTEN, BESIDE_TWO, FEWEST_ROWS = 3, 10, 7, 50  # 9 beside 0 and 1, or beside 1 and 2
OFTEN_WRITTEN = 0.05  # of names in two ways: what people type has a few of them
BEYOND_ONE = 20.0  # percentages; log-odds lie below
VARIED_ROWS = 20  # outside the commonest answer, that two systems must have alike to be alike by no chance
# Roles of what is measured: rows must not be parted by it, nor belong together for it.
ANSWERS = ("reference", "prediction", "raters", "rating", "outcome", "judge", "relevance", "expect", "score")
# Roles that must be columns of their own, beside these.
APART = ("treatment", "lower", "upper", "text_a", "text_b", "model_a", "model_b", "case", "phenomenon", "item", "rater")
BEYOND = 3.0  # times as large as all that the judge says
TOGETHER = ("cluster", "candidate")


def role_checks(given: Mapping[str, object], facts: Facts) -> Iterator[Check]:
    """C33: columns with two roles that do not go together, and names as slices."""
    answers = {column: role for role in ANSWERS for column in given_columns(given.get(role))}
    yield from two_roles(given)
    yield from _alone(given, facts)
    for column in given_columns(given.get("cluster")):
        if column in answers:
            yield Check(
                "C33",
                SERIOUS,
                f"{quoted(column)} is both `{answers[column]}` and `cluster`, but rows belong together by who or what "
                "they come from, never by their answer. Give another `cluster`, or leave it out.",
            )
    for role, column in [(of, name) for of in ("slices", "search") for name in given_columns(given.get(of))]:
        levels = len(facts.levels.get(column, ())) if role == "slices" else 0
        if column in answers:
            yield Check(
                "C33",
                REMARK,
                f"{quoted(column)} is both `{answers[column]}` and one of `{role}`: slices chosen by the answer cannot "
                "be compared with one another.",
            )
        elif facts.used >= FEWEST_ROWS and levels == 1:
            how = f"{quoted(column)} has one level only, which is the whole"
            yield Check("C33", REMARK, f"{how}. Is it the right column for `slices`?")
        elif facts.used >= FEWEST_ROWS and levels > facts.used / 2:
            yield Check(
                "C33",
                SERIOUS,
                f"{quoted(column)} has {levels:,} levels in {facts.used:,} rows, as ids do: nothing can be said about "
                "such `slices`. Is it the right column?",
            )
    for column in given_columns(given.get("phenomenon")):
        if facts.used >= FEWEST_ROWS and (levels := len(facts.levels.get(column, ()))) > facts.used / 2:
            yield Check(
                "C33",
                SERIOUS,
                f"{quoted(column)} names {levels:,} phenomena in {facts.used:,} cases, as ids do. Is it the right "
                "column for `phenomenon`?",
            )


def two_roles(given: Mapping[str, object]) -> Iterator[Check]:
    """C33: one column for two things that are held against one another, or that weighs by its own answer."""
    roles: dict[str, list[str]] = {}
    for role in (*ANSWERS, *APART, "weight"):
        for column in dict.fromkeys(given_columns(given.get(role))):
            roles.setdefault(column, []).append(role)
    for column, several in roles.items():
        if len(several) > 1:
            named = " and ".join(f"`{role}`" for role in several)
            yield Check(
                "C33",
                SERIOUS,
                f"{quoted(column)} is both {named}, which must be different columns. Give another for one of them.",
            )


def _alone(given: Mapping[str, object], facts: Facts) -> Iterator[Check]:
    """C33: a column by which nothing belongs together, for it is different everywhere."""
    gathered = facts.gathered
    if facts.used < FEWEST_ROWS or gathered.again or distinct_of(gathered.keys) < 0.9 * facts.used:
        return
    for role in TOGETHER:
        for column in given_columns(given.get(role)):
            yield Check(
                "C33",
                REMARK,
                f"{quoted(column)} is different in every row, so it groups nothing: as `{role}` it "
                "changes no interval. Is it the right column?",
            )


def one_number(facts: Facts) -> Iterator[Check]:
    """C2: labels of one column that are one number with and without zeros at its end, as versions and sections are."""
    counts = {name: [*of.counts] for name, of in facts.table.labels.items() if of.counts is not None}
    meeting = meeting_of(kinds_of(label for labels in counts.values() for label in labels))
    for name, labels in counts.items():
        ways: dict[str, list[str]] = {}
        for label in labels if meeting != AS_WRITTEN else ():
            if "." in (number := called(label, meeting)):
                ways.setdefault(number, []).append(label)
        if several := [ways for ways in ways.values() if len(ways) > 1]:
            shown = " and ".join(map(quoted, sorted(several[0])))
            how = f"{shown} in {quoted(name)} count as one label, since they are one number"
            yield Check("C2", SERIOUS, f"{how}. If they are names, such as versions, write a letter before each.")
            return


def codes_of_labels(facts: Facts) -> Iterator[Check]:
    """C22: a code for what is missing among labels that are numbers."""
    of_labels = ValueCounts(dict.fromkeys(facts.seen.get("labels", ()), 1)).numbers
    if len(of_labels) > FEWEST_OTHERS:
        yield from _codes("the labels", NumberColumn.counted(of_labels), 1, (0, -1))


def first_rows(source: Source, texts: Sequence[str], numbers: Sequence[str]) -> Batch | None:
    """The first rows with these columns, where they can be read again."""
    if not source.rereads:
        return None
    try:
        return next(source.batches(list(dict.fromkeys(texts)), list(dict.fromkeys(numbers)), LOOKED_AT), None)
    except AdjudgeError:
        return None


def value_checks(table: TableFacts, given: Mapping[str, object]) -> Iterator[Check]:
    """C22 and C32: codes for what is missing, and lines that are no rows, among the values."""
    near, scores = coded_columns(given), {*role_columns(given, "score")}
    for name, column in table.numbers.items():
        yield from _codes(quoted(name), column, 3, () if name in near else (0,) if name in scores else (0, -1))
        yield from _below_zero(quoted(name), column) if name in scores else ()
    if table.heading is not None:
        which = f"Row {table.heading + 1:,}" if table.heading >= 0 else "A row"
        yield Check(
            "C32",
            SERIOUS,
            f"{which} repeats the names of the columns, as happens when files are joined. Remove it.",
        )
        return
    for name, labels in table.labels.items():
        yield from stray_rows(name, labels.counts or {})


def column_checks(
    source: Source,
    columns: Sequence[str],
    watches: Sequence[tuple[str, str]] = (),
    usability: Sequence[Sequence[str]] = (),
) -> Iterator[Check]:
    """C3, C7, C22, C32 and C34 of columns that are measured by themselves, in the first rows.

    `watches` have failures, and `usability` has the answers to its questions.
    """
    first = first_rows(source, (), columns) if columns else None
    if first is None:
        return
    values = {name: number_column(first, name).values for name in dict.fromkeys(columns)}
    table = TableFacts({name: NumberColumn.of(of) for name, of in values.items()})
    exposures = [time for time, _ in watches]
    others = [name for name in values if name not in {*exposures, *(count for _, count in watches)}]
    yield from misplaced_checks(table, {"exposure": exposures, "column": others})
    yield from running_totals(table, watches)
    for answers in usability:
        yield from turned_answers([table.numbers[name] for name in answers])
    for time, count in watches:
        yield from unwatched(time, int(((values[time] == 0) & (values[count] > 0)).sum()))
    for name, column in table.numbers.items():
        rows = column.rows + column.others
        yield from _codes(quoted(name), column, 3, (0,))
        yield from _below_zero(quoted(name), column, fine=column.values.counts is None)
        if name in others and column.rises and column.values.counts is None and not column.steps:
            how = f"{quoted(name)} grows from row to row"
            yield Check("C34", REMARK, f"{how}. Is it a running total? Give what each row has, unless rows are sorted.")
        if rows >= VARIED_ROWS and column.others > MANY * rows:
            yield Check(
                "C7",
                SERIOUS if column.others > MOST * rows else REMARK,
                f"{quoted(name)} is missing in {percent(column.others / rows)} of the rows, which are left out of what "
                "is required of it. What remains may not represent the whole.",
            )


# Queries are typed by people, in capitals or not; cases of a suite may be about capitals.
OFTEN_TYPED = {"query": 0.3, "case": np.inf}


def name_checks(table: TableFacts) -> Iterator[Check]:
    """C2: names of what rows belong to that are hardly meant to be two: many of them, or any of a few."""
    for what, names in table.names.items():
        if names.several:
            shown = " and ".join(map(quoted, names.several[0]))
            yield Check(
                "C2",
                SERIOUS if names.share >= OFTEN_TYPED.get(what, OFTEN_WRITTEN) else REMARK,
                f"{shown} count as {len(names.several[0])} in `{what}`, but differ only in case, blanks, dashes or "
                f"number format, as {percent(names.share)} of the names do. Spell them the same way if they mean the "
                "same.",
            )


def _codes(what: str, column: NumberColumn, least: int, values: Sequence[float]) -> Iterator[Check]:
    for code, apart in column.far_codes.items():
        others = FEWEST_OTHERS if column.values.counts is None else len({*column.values.counts} - {code})
        far = others >= FEWEST_OTHERS or (others > 0 and apart > OFTEN) or (others == 2 and apart >= BESIDE_TWO)
        if column.codes[code] >= least and far and code not in values:
            how = (
                f"{label_text(code)} in {what} lies far from all other values, and probably stands for a missing value"
            )
            yield Check("C22", SERIOUS, f'{how}. Declare it missing: missing=["{label_text(code)}"].')


def _below_zero(what: str, column: NumberColumn, *, fine: bool = False) -> Iterator[Check]:
    """C22: -1, again and again, as the only number below 0 of a column with decimals, or of `fine` steps."""
    apart = -1.0 in column.far_codes  # said already
    if column.outer_codes.get(-1.0, 0) >= 3 and column.ends[0] >= 0 and (column.fractions or fine) and not apart:
        yield Check(
            "C22",
            SERIOUS,
            f"−1 is the only number below 0 in {what}, in {column.codes[-1.0]:,} rows, and probably stands for a "
            'missing value. Declare it missing: missing=["-1"].',
        )


def answer_checks(facts: Facts, expected: Sequence[str], systems: Sequence[str], meet: bool) -> Iterator[Check]:
    """C1, C2, C8 and C24 of columns of answers beside what is expected, which they may have to `meet`."""
    counts = {name: facts.table.labels[name].counts for name in (*expected, *systems) if name in facts.table.labels}
    used = {name: of for name, of in counts.items() if of is not None}
    labels = ordered_labels({label for of in used.values() for label in of})
    yield from doubled(labels, {name: [*of] for name, of in used.items()})
    # A system does not answer that something is missing.
    answered = {label for name in systems for label, n in used.get(name, {}).items() if n >= SEEN}
    for name in (name for name in expected if name in used):
        yield from unknown(quoted(name), [label for label in used[name] if label not in answered])
    expected_labels = {label for name in expected for label in used.get(name, {})}
    for name in (name for name in systems if name in used and expected_labels):
        yield from unknown(
            quoted(name), [label for label, n in used[name].items() if label not in expected_labels and n >= SEEN]
        )
        yield from failed_answers(quoted(name), used[name], expected_labels)
    totals = {name: np.array([float(of.get(label, 0)) for label in labels]) for name, of in used.items()}
    for name, reference in ((name, one) for name in systems for one in expected if {name, one} <= {*used}):
        check = one_answer(quoted(name), labels, totals[name], totals[reference])
        stranger = strangers(f"Answers of {quoted(name)}", [*used[name]], quoted(reference), [*used[reference]])
        if stranger is not None and meet and totals[name].sum() >= VARIED_ROWS:
            check = replace(stranger, severity=SERIOUS)
        yield from [] if check is None else [check]
    varied = [name for name in used if totals[name].sum() - totals[name].max(initial=0.0) >= VARIED_ROWS]
    yield from same_answers({name: facts.digests[name] for name in varied if name in facts.digests}, facts.read)


def reversed_answers(who: str, expected: Mapping[str, int], outcomes: CaseOutcomes) -> Iterator[Check]:
    """C3: a system that gets fewer cases right than the rarer of the two labels that are expected makes up."""
    total, right = float(outcomes.total), float(outcomes.total - outcomes.failed)
    rarer = min(expected.values(), default=0) / max(sum(expected.values()), 1)
    if len(expected) == 2 and outcomes.drawn_units and total > 0:
        met = Share(np.asarray(right), np.asarray(total), np.asarray(total**2 / outcomes.drawn_units))
        if float(wilson(met, LEVEL)[1]) < rarer:
            how = f"{who} is right in {percent(right / total)} of the cases, of which {percent(rarer)} expect the rarer"
            yield Check("C3", SERIOUS, f"{how} of {listed(expected)}. Are the two labels swapped on one side?")


def usual_tolerance(name: str, column: NumberColumn | None, tolerance: float) -> Iterator[Check]:
    """C12: scores that go far beyond 1, of which nobody said how far they may move the wrong way."""
    if column is not None and column.rows >= VARIED_ROWS and column.ends[1] > BEYOND_ONE:
        how = f"{quoted(name)} goes up to {column.ends[1]:.4g}, and may move {tolerance:g} the wrong way, as if up to 1"
        yield Check("C12", SERIOUS, f"{how}. Give `tolerance`, or divide the scores.")


def labels_of_people(column: str, labels: Sequence[str], judged: Sequence[str]) -> Iterator[Check]:
    """C22: words for what is missing among people's labels, or a code that lies beyond all that the judge gives."""
    yield from unknown(f"`reference` {quoted(column)}", labels)
    numbers = [number_in(label) for label in judged]
    known = [number for number in numbers if number is not None]
    for label in labels if known and len(known) == len(numbers) else ():
        code, most = number_in(label), max(1.0, *map(abs, known))
        far = code in FAR_CODES and abs(code) > BEYOND * most
        if label not in judged and (far or (code == -1 and min(known) >= 0)):
            yield Check(
                "C22",
                SERIOUS,
                f"{with_minus(code)} stands in {quoted(column)} alone, and never in what the judge says. It probably "
                f'stands for a missing value. Declare it missing: missing=["{label}"].',
            )
