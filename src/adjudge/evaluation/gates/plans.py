"""What a gate can show before it is run: of every requirement the chance to pass with the rows there will be."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from adjudge.data.source import Source, Text
from adjudge.errors import AdjudgeError, InputError, did_you_mean, noted, quoted
from adjudge.evaluation.asking.foreign import opened_as
from adjudge.evaluation.gates.file import GateFile
from adjudge.evaluation.gates.requirement_scope import levels_of
from adjudge.evaluation.gates.requirements import Requirement
from adjudge.evaluation.planning.outlooks import outlook_of
from adjudge.evaluation.planning.pilots import outlook_of_row, row_asked
from adjudge.evaluation.planning.size_plans import Goal, Making, units_wanted
from adjudge.evaluation.planning.size_questions import Assumptions, Question, is_share, question_of_requirement
from adjudge.evaluation.results import ResultTable
from adjudge.inference.intervals.quantiles import values_for_limit
from adjudge.inference.planning.power import Outlook, ShareOutlook
from adjudge.metrics.intervals import Quantity

CANNOT, ANY_LOOKS = "cannot pass", "no plan is known for any number of looks"
NOTHING_EXPECTED = "nothing is expected of it: say `expect`, or give a pilot"
HALVINGS = 40


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many rows there will be, and how many in each level of the columns that slices are made of."""

    rows: int | None = None
    levels: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, source: Source, columns: Sequence[str]) -> Sizes:
        """Counted in a table, answers or not."""
        rows, levels = 0, {column: dict[str, int]() for column in columns}
        for batch in source.batches(list(columns) or [source.column_names[0]], []):
            rows += batch.rows
            for column, counts in levels.items():
                text = batch.columns[column]
                assert isinstance(text, Text)
                for label, number in zip(text.labels, np.bincount(text.codes[text.codes >= 0]).tolist(), strict=False):
                    counts[label] = counts.get(label, 0) + number
        return cls(rows, {column: {k: n for k, n in counts.items() if n} for column, counts in levels.items()})

    def shares(self, requirement: Requirement) -> list[float] | None:
        """The share of rows in each slice that it speaks of; None where slices were not counted."""
        if requirement.slice is not None:
            column, _, level = requirement.slice.partition(" = ")
            counted = self.levels.get(column)
            return None if counted is None or not self.rows else [counted.get(level, 0) / self.rows]
        if not requirement.every:
            return [1.0]
        if not self.rows or any(column not in self.levels for column in requirement.every):
            return None
        return [number / self.rows for column in requirement.every for number in self.levels[column].values()]


def sizes_of(gate: GateFile, table: object = None) -> Sizes:
    """Counted in a table, or in the gate's own where it is there; nothing is known otherwise."""
    if table is None and (gate.data_path is None or not os.path.exists(gate.data_path)):
        return Sizes()
    source = gate.data_path if table is None else table
    columns = dict.fromkeys(column for one in gate.requirements for column in one.slice_columns)
    opened_table = opened_as(source, gate.given)
    if missing := [column for column in columns if column not in opened_table.column_names]:
        near = did_you_mean(missing[0], opened_table.column_names)
        raise InputError(f"The slice {quoted(missing[0])} must be a column of the table, but it is not. {near}")
    return Sizes.of(opened_table, list(columns))


@dataclass(frozen=True, slots=True)
class PlannedRequirement:
    """One requirement, and what so many rows would show of it; None is what cannot be said."""

    requirement: str
    text: str
    expected: float | None = None
    rows: int | None = None  # there will be
    units: int | None = None  # that count, in the smallest slice
    passed: float | None = None
    inconclusive: float | None = None
    failed: float | None = None
    rows_needed: int | None = None  # for it to pass with the power that is wanted
    passes_from: float | None = None  # the value it must truly have to pass with that power, where none is expected
    can_pass: bool = True
    blocks: bool = True  # whether the gate stops where it does not pass
    side: str = "at least"
    method: str = ""
    note: str = ""


def planned_requirement(
    requirement: Requirement, sizes: Sizes, pilot: ResultTable | None = None, power: float = 0.8
) -> PlannedRequirement:
    """What the rows will show of a requirement, and how many it needs.

    >>> from adjudge.evaluation.gates.requirements import checked_requirements
    >>> [one] = checked_requirements({"metric": "accuracy", "at_least": 0.99, "expect": 0.995})
    >>> planned_requirement(one, Sizes(200)).can_pass
    False
    """
    blocks = requirement.must and requirement.when_undecided == "block"
    blank = PlannedRequirement(
        requirement.title, requirement.text, rows=sizes.rows, blocks=blocks, side=requirement.holds[0].side
    )
    if requirement.column and requirement.of_column.quantity is Quantity.QUANTILE:
        return _of_quantile(requirement, blank, sizes)
    if requirement.looks == "any":
        return replace(blank, note=ANY_LOOKS)
    try:
        return _Planning.of(requirement, sizes, pilot, power).planned(blank)
    except AdjudgeError as error:
        return replace(blank, note=str(error))


@dataclass(frozen=True)
class _Planning:
    """One requirement with what is expected of it."""

    requirement: Requirement
    question: Question
    given: Assumptions
    outlook: Outlook | None  # None: nothing is expected
    shares: tuple[float, ...]  # of the rows in each slice that it speaks of
    sizes: Sizes
    power: float

    @classmethod
    def of(cls, requirement: Requirement, sizes: Sizes, pilot: ResultTable | None, power: float) -> _Planning:
        """Expected as it says itself, or as a pilot found."""
        expected: dict[str, Any] = dict(requirement.expect)  # each of its field's kind
        value = expected.pop("value", None)
        slices = expected.pop("slices", None)
        shares = sizes.shares(requirement)
        if shares is None:
            shares = [float(expected.get("smallest", 1 / (slices or 1)))] * int(slices or 1)
        question = question_of_requirement(requirement, Assumptions(**expected))
        if value is not None:
            expected["difference" if question.compares else "expect"] = value
        expected |= {"slices": len(shares), "smallest": min(shares)} if min(shares, default=1) < 1 else {}
        given = Assumptions(**expected)
        # The last look decides with what the looks before it left to spend.
        alpha = (1 - levels_of(requirement)[-1]) / 2
        question = replace(question, aims=tuple(replace(aim, alpha=alpha) for aim in question.aims))
        outlook: Outlook | None = None
        if value is not None or "against" in expected:
            outlook = outlook_of(question, given)
        elif pilot is not None:
            row = row_asked(pilot, question)
            outlook = outlook_of_row(question, row)
            if isinstance(outlook, ShareOutlook) and counts_part(question) and given.part is None and row.n:
                given = replace(given, part=row.n / max(one.n for one in pilot))
        return cls(requirement, question, given, outlook, tuple(shares), sizes, power)

    def planned(self, blank: PlannedRequirement) -> PlannedRequirement:
        """Filled in as far as can be said."""
        if counts_part(self.question) and self.given.part is None:
            blank = replace(blank, note="all rows are taken to count: say which `part` of them does")
        making = Making.of(self.question, self.given)
        if self.sizes.rows is None:
            plan = replace(blank, units=None)
        else:
            units = [replace(making, smallest=share).units(self.sizes.rows) for share in self.shares]
            plan = self._shown(replace(blank, units=min(units, default=0)), units)
        if self.outlook is None:
            return replace(plan, note=noted(plan.note, NOTHING_EXPECTED))
        needed = units_wanted(self.question, self.outlook, Goal(self.power), self.given)
        rows = None if needed is None else max(making.rows(needed), making.fewest)
        none = "" if rows is not None else "no number of rows would do: what is expected does not meet it"
        return replace(
            plan,
            expected=self.outlook.truth,
            rows_needed=rows,
            method=self.outlook.method,
            note=noted(plan.note, none),
        )

    def _shown(self, blank: PlannedRequirement, units: Sequence[int]) -> PlannedRequirement:
        """What so many units in each slice would show; slices are taken as independent."""
        fewest, least = min(units, default=0), self.requirement.minimum_n
        if fewest < max(least, 1):
            few = f"{fewest:,} units, and at least {max(least, 1):,} are asked for"
            return replace(blank, passed=0.0, inconclusive=1.0, failed=0.0, can_pass=False, note=f"{CANNOT}: {few}")
        best = self._at_best()
        if best is not None and not all(self.question.passes(best, number) > 0 for number in units):
            why = f"{CANNOT}: not even {fewest:,} right of {fewest:,} would prove it"
            blank = replace(blank, can_pass=False, note=why)
        if self.outlook is None:
            return replace(blank, passes_from=self._passes_from(fewest) if blank.can_pass else None)
        passed = math.prod(self.question.passes(self.outlook, number) for number in units)
        failed = 1 - math.prod(1 - self.question.fails(self.outlook, number) for number in units)
        return replace(blank, passed=passed, failed=failed, inconclusive=max(0.0, 1 - passed - failed))

    def _at_best(self) -> Outlook | None:
        """The best that can be seen, where that is known: every row right."""
        if not is_share(self.question.metric) or self.question.compares or len(self.question.aims) != 1:
            return None
        return ShareOutlook(1.0 if self.question.aims[0].at_least else 0.0)

    def _passes_from(self, units: int) -> float | None:
        """The share that passes with the power that is wanted."""
        if self._at_best() is None:
            return None
        [aim] = self.question.aims
        inner, outer = aim.bound, 1.0 if aim.at_least else 0.0
        each = self.power ** (1 / len(self.shares))
        for _ in range(HALVINGS):
            middle = (inner + outer) / 2
            inner, outer = (inner, middle) if ShareOutlook(middle).passes(units, aim) >= each else (middle, outer)
        return outer


def counts_part(question: Question) -> bool:
    """Whether only some rows count: those of a category, or those given it."""
    return is_share(question.metric) and question.metric.by_category


def _of_quantile(requirement: Requirement, blank: PlannedRequirement, sizes: Sizes) -> PlannedRequirement:
    """A quantile has an upper limit from a known number of values on, whatever they are."""
    at = requirement.of_column.settings["at"]
    shares, alpha = sizes.shares(requirement) or [1.0], 1 - requirement.confidence
    needed = max(values_for_limit(at if requirement.at_most is not None else 1 - at, alpha), requirement.minimum_n)
    rows = math.ceil(needed / min(shares)) if min(shares) > 0 else None
    plan = replace(blank, rows_needed=rows, method="order_statistics")
    if sizes.rows is None:
        return replace(plan, note=f"{needed} values are needed for a limit")
    units = math.floor(sizes.rows * min(shares) + 1e-9)
    if units < needed:
        why = f"{CANNOT}: {units:,} values, and {needed:,} are needed for a limit"
        return replace(plan, units=units, passed=0.0, inconclusive=1.0, failed=0.0, can_pass=False, note=why)
    return replace(plan, units=units, note=f"{quoted(requirement.column_text)} has a limit; its chance is not planned")
