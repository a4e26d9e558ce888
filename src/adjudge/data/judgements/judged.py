"""Values that people gave to some rows and a judge to all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from adjudge.data.arrays import rows_in
from adjudge.data.judgements.columns import Array, Codes, Rows, floats_of
from adjudge.data.judgements.ratings import ratings_of
from adjudge.errors import BadValue


@dataclass(frozen=True, slots=True)
class JudgedValues:
    """What people say of each row, NaN where nobody was asked, and what the judge says.

    `least` and `most` are the ends of what was said of the row: of a difference of two systems, of the two themselves.
    """

    human: Array
    judge: Array
    least: Array
    most: Array

    @classmethod
    def of(cls, human: Array, judge: Array) -> JudgedValues:
        """One value a row."""
        return cls(human, judge, np.fmin(human, judge), np.fmax(human, judge))

    def __len__(self) -> int:
        return len(self.judge)

    def __sub__(self, other: JudgedValues) -> JudgedValues:
        """One system less another, row by row, on the scale of one."""
        ends = np.fmin(self.least, other.least), np.fmax(self.most, other.most)
        return JudgedValues(self.human - other.human, self.judge - other.judge, *ends)

    def of_rows(self, rows: Rows) -> JudgedValues:
        """Some of the rows."""
        return JudgedValues(self.human[rows], self.judge[rows], self.least[rows], self.most[rows])


def judged_values(human: object, judge: object) -> JudgedValues:
    """From two arrays; the first has NaN or None where nobody was asked.

    >>> judged_values([1, None, 0], [1, 1, 0]).human.tolist()
    [1.0, nan, 0.0]
    """
    said, judged = floats_of(human), floats_of(judge)
    if said is None or judged is None:
        raise BadValue("People's and the judge's values must be numbers, or missing.")
    if said.ndim != 1 or said.shape != judged.shape:
        raise BadValue("People's and the judge's values must be two lists of the same length.")
    if not np.isfinite(judged).all() or np.isinf(said).any():
        raise BadValue("The judge must have said something of every row, a number, and people nothing infinite.")
    return JudgedValues.of(said, judged)


@dataclass(frozen=True, slots=True)
class JudgedLabels:
    """The labels that people gave to some rows, and that the judge and one or two systems gave to all of them."""

    labels: tuple[str, ...]
    codes: Codes  # (rows, 2 + systems): people, -1 where nobody was asked, judge, systems

    def __len__(self) -> int:
        return len(self.codes)

    def of_rows(self, rows: Rows) -> JudgedLabels:
        """Some of the rows."""
        return JudgedLabels(self.labels, self.codes[rows])


def judged_labels(people: object, prediction: object, judge: object = None) -> JudgedLabels:
    """From three lists; the first has None where nobody was asked.

    >>> judged_labels(["a", None], ["a", "b"], ["a", "a"]).codes.tolist()
    [[0, 0, 0], [-1, 0, 1]]
    """
    if prediction is None or judge is None:
        raise BadValue("Labels of people, a system's answers and `judge`, the labels of a judge, must all be given.")
    lists = rows_in((people, judge, prediction), "Labels")
    if len({len(one) for one in lists}) > 1:
        raise BadValue("Labels of people, answers and the labels of a judge must be lists of the same length.")
    if not lists[0]:
        return JudgedLabels((), np.zeros((0, 3), dtype=np.int64))
    rated = ratings_of([list(row) for row in zip(*lists, strict=True)])
    if (rated.codes[:, 1:] < 0).any():
        raise BadValue("The judge and the system must have said something of every row.")
    return JudgedLabels(rated.categories, rated.codes)
