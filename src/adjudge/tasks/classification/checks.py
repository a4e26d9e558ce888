"""What looks like a mistake in a table of labels, decisions and scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from adjudge.data.judgements.labels import ordered_labels
from adjudge.data.reading import Block
from adjudge.data.systems import SystemRoles
from adjudge.diagnosis.checks.check import REMARK, Check
from adjudge.diagnosis.checks.columns import VARIED_ROWS
from adjudge.diagnosis.checks.failed_answers import failed_answers
from adjudge.diagnosis.checks.filled import filled_scores
from adjudge.diagnosis.checks.labels import (
    doubled,
    lone_rows,
    names,
    one_answer,
    one_sided,
    only_in_reference,
    spread,
    strangers,
    unknown,
    within_answers,
)
from adjudge.diagnosis.checks.numbers import same_answers
from adjudge.diagnosis.checks.scores import (
    curve_checks,
    cut_checks,
    decision_checks,
    label_score_checks,
    of_another,
    of_the_predicted,
    of_the_reference,
    of_whichever,
    percentages,
    repeated_scores,
    without_score,
)
from adjudge.diagnosis.checks.several_labels import joined_labels, reordered_labels
from adjudge.diagnosis.checks.slices import sliced_by_answer
from adjudge.diagnosis.checks.weights import weights_by_errors
from adjudge.engines.base import Collected
from adjudge.errors import quoted
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curves
from adjudge.tasks.classification.reading import LabelReading


def first_checks(reading: LabelReading, first: Block) -> Iterator[Check]:
    """What must stop before anything is counted, of the first rows: columns that hold no labels."""
    columns = [("reference", reading.reference, first.views[reading.systems[0].name].reference)]
    for system in reading.systems:
        if system.prediction is not None:
            columns.append(("prediction", system.prediction, first.views[system.name].prediction))
    reference = columns[0][2].categories
    for role, column, labels in columns:
        times = np.bincount(labels.codes, minlength=len(labels.categories)).astype(np.float64)
        predicted = role == "prediction"
        check = names(
            f"`{role}` {quoted(column)}", labels.categories, times, predicted, reference if predicted else None
        )
        if check is not None:
            yield check


def classification_checks(reading: LabelReading, collected: Collected) -> Iterator[Check]:
    """Everything, once all rows are summed."""
    reference = ordered_labels(collected.facts.seen["labels"])
    sides: dict[str, Sequence[str]] = {"reference": reference}
    totals: dict[str, float] = {}
    for system in reading.systems:
        table: Confusion | None = collected.find(system.name, Confusion)
        curves: Curves | None = collected.find(system.name, Curves)
        if table is not None:
            sides[system.name] = _used(table, table.prediction_total)
            totals = dict(zip(table.categories, table.reference_total.tolist(), strict=True))
            yield from _of_decisions(reading, system, table)
            yield from _of_slices(reading, system, collected)
            if reading.weight is not None and system.name in collected.facts.runs:
                yield from weights_by_errors(reading.weight, table, collected.facts.runs[system.name].wrong)
        if curves is not None and system.has_one_score:
            yield from curve_checks(quoted(system.name), curves.curves[0], quoted(curves.categories[0]))
            if table is not None and system.prediction is not None:
                yield from of_the_reference(quoted(system.name), table, curves.curves[0])
                answers, known = (system.prediction, system.scores[0][1]), collected.facts.table
                together = known.together(*answers), known.together(*answers, against=reading.reference)
                positive = quoted(curves.categories[0])
                yield from of_the_predicted(quoted(system.name), table, curves.curves[0], together, positive)
                yield from of_another(quoted(system.name), table, together[0])
            if system.prediction is None:
                cut, positive = reading.cut_of(system.name), quoted(curves.categories[0])
                yield from cut_checks(quoted(system.name), curves.curves[0], cut, positive, bool(reading.cuts))
                yield from () if reading.cuts else of_whichever(quoted(system.name), curves.curves[0], positive)
            if reading.weight is None:
                yield from filled_scores(quoted(system.name), curves.curves[0])
            if reading.cluster is None and reading.weight is None:
                yield from repeated_scores(quoted(system.name), curves.curves[0])
        if len(system.scores) > 1:
            columns = [collected.facts.table.numbers.get(column) for _, column in system.scores]
            yield from percentages(quoted(system.name), [column.ends for column in columns if column is not None])
            yield from label_score_checks(quoted(system.name), system.scores, collected.facts.table.numbers)
        if len(system.scores) > 1 and curves is not None:
            yield from without_score(quoted(system.name), [c for c in reference if c not in curves.categories])
    yield from same_answers(_told_apart(collected), collected.facts.used)
    labels = ordered_labels({label for side in sides.values() for label in side})
    yield from doubled(labels, sides)
    yield from joined_labels(labels, sides)
    yield from reordered_labels(labels, sides)
    yield from unknown("the labels", labels)
    if met := [label for label in reference if totals.get(label)]:
        facts = collected.facts
        # Weights that are no counts may add up to anything, so labels have rows by their share of all.
        rows = 1.0 if facts.whole_weights else facts.used / facts.weight
        yield from spread(met, rows * np.array([totals[label] for label in met]), facts.used)


def _of_slices(reading: LabelReading, system: SystemRoles, collected: Collected) -> Iterator[Check]:
    """Slices that are the answers under another name."""
    keys, taken = collected.slices(), {reading.reference, system.prediction}
    for column in dict.fromkeys(column for column, _ in keys if column and column not in taken):
        tables = [collected.find(system.name, Confusion, key) for key in keys if key[0] == column]
        yield from sliced_by_answer(quoted(system.name), column, [table for table in tables if table is not None])


def _told_apart(collected: Collected) -> dict[str, int]:
    """What tells systems apart, but for those that nearly always give one label: these are alike by chance."""
    digests = {}
    for name, digest in collected.facts.digests.items():
        table: Confusion | None = collected.find(name, Confusion)
        shares = None if table is None else table.prediction_total / table.total
        if shares is None or table is None or (1 - shares.max()) * table.rows >= VARIED_ROWS:
            digests[name] = digest
    return digests


def _used(table: Confusion, totals: np.ndarray) -> tuple[str, ...]:
    return tuple(label for label, total in zip(table.categories, totals.tolist(), strict=True) if total)


def _of_decisions(reading: LabelReading, system: SystemRoles, table: Confusion) -> Iterator[Check]:
    given, known = (_used(table, totals) for totals in (table.prediction_total, table.reference_total))
    named = f"Predictions of {quoted(system.name)}"
    scale = table.rows / float(table.total) if table.total else 0.0
    expected, answered = table.reference_total * scale, table.prediction_total * scale
    checks = [
        strangers(named, given, "the reference", known),
        names(f"`reference` {quoted(reading.reference)}", known, expected[expected > 0]),
        names(named, given, answered[answered > 0], True, known) if system.prediction is not None else None,
        one_answer(quoted(system.name), table.categories, answered, expected),
        one_answer("The reference", table.categories, expected, answered, severity=REMARK),
    ]
    yield from (check for check in checks if check is not None)
    yield from one_sided(quoted(system.name), table.categories, expected, answered)
    yield from failed_answers(quoted(system.name), dict(zip(table.categories, answered.tolist(), strict=True)), known)
    in_rows = table.with_counts(table.counts * scale)
    yield from only_in_reference(in_rows)
    yield from lone_rows(in_rows)
    yield from within_answers(quoted(system.name), in_rows)
    yield from decision_checks(quoted(system.name), table)
