"""How rows become values of people and of a judge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import ClassVar

import numpy as np

from adjudge.data.cleaning import LeftOut, Rows, number_column, text_column
from adjudge.data.judgements.judged import JudgedLabels, JudgedValues
from adjudge.data.label_values import called
from adjudge.data.reading import Units, Views
from adjudge.data.row_reading import RoleColumn, RowReading
from adjudge.data.source import MOST_NUMBER, Batch
from adjudge.errors import quoted
from adjudge.statistics.base import Array

MEASURED = "Measured"  # among what was chosen: the mean, or the share of which label or of right answers
LABELS_ARE, ELSEWHERE = "Labels", "from elsewhere: the judge errs as often here"  # among what was chosen
LABELS, JUDGED = "labels of people", "labels of the judge"
MOST_NAMED = 1_000  # labels of a block whose names are kept: more are texts


def difference_name(system: str, baseline: str) -> str:
    """What the view of two systems is called."""
    return f"{system} − {baseline}"


def answers_name(system: str) -> str:
    """What the labels that a system gave are called."""
    return f"answers of {system}"


def labels_name(view: str) -> str:
    """What the labels behind a view are called."""
    return f"labels of {view}"


@dataclass(frozen=True, kw_only=True)
class JudgedReading(RowReading):
    """Which columns hold people's labels, the judge's, and what the systems answered, if that is what is judged."""

    reference: str
    judge_column: str
    predictions: Mapping[str, str]  # by system, its column; none where the values themselves are what counts
    positive: str | None = None  # the label whose share is asked for

    as_labels: ClassVar[str] = "prediction, with `positive` reference and judge too, "
    as_numbers: ClassVar[str] = "reference and judge, "

    @property
    def of_numbers(self) -> bool:
        """Whether people's and the judge's values are numbers themselves."""
        return not self.predictions and self.positive is None

    @property
    def measured(self) -> dict[str, str]:
        """What a figure is the share of, where it is one."""
        if self.of_numbers:
            return {}
        return {MEASURED: "share right" if self.positive is None else f"share of {quoted(self.positive)}"}

    @property
    def systems(self) -> tuple[str, ...]:
        """What is judged."""
        return tuple(self.predictions) or (self.reference,)

    def answers(self) -> Iterator[RoleColumn]:
        """The judge says something of every row, people of some."""
        yield RoleColumn("reference", self.reference, number=self.of_numbers, needed=False)
        yield RoleColumn("judge", self.judge_column, number=self.of_numbers)
        yield from (RoleColumn("prediction", column) for column in self.predictions.values())

    def unused(self, batch: Batch, left_out: LeftOut) -> dict[str, int]:
        """Labels of people that are no numbers, which the whole table is refused for."""
        if not self.of_numbers:
            return {}
        column = number_column(batch, self.reference)
        with np.errstate(invalid="ignore"):
            bad = column.unreadable | np.isinf(column.values) | (np.abs(column.values) > MOST_NUMBER)
        count = left_out.count(bad & left_out.keep)
        return {f"reference {quoted(self.reference)} is not a number": count} if count else {}

    def views(self, batch: Batch, rows: Rows) -> tuple[Views, dict[str, frozenset[str]]]:
        """Each system's values, and what each has more than each other."""
        if self.of_numbers:
            human = number_column(batch, self.reference).values[rows]
            with np.errstate(invalid="ignore"):
                human = np.where(np.abs(human) <= MOST_NUMBER, human, np.nan)
            said = number_column(batch, self.judge_column).values[rows]
            return {self.reference: JudgedValues.of(human, said)}, {}
        columns = [self.reference, self.judge_column, *self.predictions.values()]
        names = sorted({called(label) for column in columns for label in text_column(batch, column).labels})
        place = {name: number for number, name in enumerate(names)}
        truth, judge, *answers = (_codes(batch, column, rows, place) for column in columns)
        positive = place.get(called(self.positive), -2) if self.positive is not None else -2
        answers_of = dict(zip(self.systems, answers or [np.full(len(rows), positive)], strict=True))
        judged = {
            name: JudgedValues.of(_right(truth, answer), _right(judge, answer)) for name, answer in answers_of.items()
        }
        views: dict[str, Units] = dict(judged)
        for name, other in permutations(self.systems, 2):
            views[difference_name(name, other)] = judged[name] - judged[other]
        for *several, view in _views(self.predictions):
            columns_of = [truth, judge, *(answers_of[name] for name in several)]
            views[labels_name(view)] = JudgedLabels(tuple(names), np.stack(columns_of, axis=1))
        seen = [(LABELS, truth), (JUDGED, judge)]
        if len(names) <= MOST_NAMED:
            seen += [(answers_name(name), answers_of[name]) for name in self.predictions]
        met = {which: np.unique(codes[codes >= 0]) for which, codes in seen}
        return views, {which: frozenset(names[code] for code in codes) for which, codes in met.items()}


def _views(systems: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Each system, and every two of them, with what the view is called."""
    yield from ((name, name) for name in systems)
    yield from ((name, other, difference_name(name, other)) for name, other in permutations(systems, 2))


def _codes(batch: Batch, column: str, rows: Rows, place: Mapping[str, int]) -> Rows:
    """The labels of some rows by their place among all labels; -1 where there is none."""
    text = text_column(batch, column)
    codes = np.array([*(place[called(label)] for label in text.labels), -1], dtype=np.int64)
    return np.asarray(codes[text.codes[rows]])


def _right(truth: Rows, answer: Rows) -> Array:
    """1 where an answer is the truth, 0 where it is not, NaN where there is no truth."""
    return np.where(truth < 0, np.nan, (truth == answer) * 1.0)
