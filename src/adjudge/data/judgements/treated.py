"""Outcomes of a trial, row by row: who was treated, what came of it, and how much a system expected of treating."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.columns import Array, Rows, checked_scores
from adjudge.data.judgements.labels import folded_case, label_text, labels_of
from adjudge.errors import BadValue, SettingError, listed, quoted

# What the arm that is not treated is called, unless it is named; never the one that has more or fewer rows.
CONTROL = ("control", "0", "false")


@dataclass(frozen=True, slots=True)
class Treated:
    """The outcome of each row, whether it was treated, and its score: the higher, the more is expected of treating."""

    outcome: Array
    treated: NDArray[np.bool_]
    score: Array

    def __len__(self) -> int:
        return len(self.outcome)

    def of_rows(self, rows: Rows) -> Treated:
        """Some of the rows."""
        return Treated(self.outcome[rows], self.treated[rows], self.score[rows])


def is_control(label: str, control: str | None) -> bool:
    """Whether this is the arm that is not treated.

    >>> is_control("Control", None), is_control("0.0", None), is_control("b", "b"), is_control("0", "b")
    (True, True, True, False)
    """
    return folded_case(label) in {*map(folded_case, CONTROL)} if control is None else label == control


def check_arms(arms: tuple[str, ...], control: str | None) -> None:
    """Refuse anything but one arm that is treated and one that is not."""
    if len(arms) > 2:
        raise BadValue(f"`treatment` must have two values, one of them the control arm, but it has {listed(arms)}.")
    if len(arms) == 2 and control is not None and control not in arms:
        raise SettingError(f"`control` must be one of {listed(arms)}, not {quoted(control)}.")
    if len(arms) == 2 and sum(is_control(arm, control) for arm in arms) != 1:
        raise SettingError(
            f"`control` must say which arm is not treated: {listed(arms)}. If left out, it is the one called "
            f"{' or '.join(CONTROL)}."
        )


def treated_rows(outcome: object, score: object, treatment: object = None, control: object = None) -> Treated:
    """Rows from arrays; `control` names the arm that is not treated.

    >>> treated_rows([1, 0], [0.3, 0.1], ["pill", "control"], None).treated.tolist()
    [True, False]
    """
    if score is None or treatment is None:
        raise SettingError("This metric needs outcomes and scores, and `treatment`, which says who was treated.")
    values = checked_scores(outcome, len(np.atleast_1d(np.asarray(outcome, dtype=object))))[:, 0]
    labels = labels_of(treatment, "treatment")
    if len(labels) != len(values):
        raise BadValue(f"`treatment` must be as long as the outcomes ({len(values)} rows), but it has {len(labels)}.")
    name = None if control is None else label_text(control)
    if labels.categories:
        check_arms(labels.categories, name)
    treats = np.array([not is_control(arm, name) for arm in labels.categories], dtype=np.bool_)
    return Treated(values, treats[labels.codes], checked_scores(score, len(values))[:, 0])
