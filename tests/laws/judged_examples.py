"""Values of people on some rows and of a judge on all, right but for a given share."""

from __future__ import annotations

import numpy as np
from tests.laws.rows import Making, Rows, objects

from adjudge.metrics.base import Metric

NONE = np.nan
# Of these, what is perfect is a judge who says what people say; of the others, rows that are all good.
OF_THE_JUDGE = ("judge_kappa",)


def judged(metric: Metric, random: np.random.Generator, making: Making) -> Rows:
    """Good rows are 1 for people and judge; of those that are not, the judge takes some for good."""
    wrong = random.random(making.size) < making.amount
    if metric.name in OF_THE_JUDGE:
        truth = making.codes(random, 2).astype(float)
        judge = np.where(wrong, random.integers(0, 2, making.size), truth)
    else:
        base = making.codes(random, 2) if metric.name == "rogan_gladen" else np.ones(making.size)
        truth = np.where(wrong, 0.0, base)
        truth[:3] = np.where(metric.name == "rogan_gladen", 1.0, truth[:3])  # some are good, or the judge is not known
        judge = np.where((truth == 0) & wrong & (random.random(making.size) < 0.2), 1.0, truth)
    if making.wide and metric.name in ("judge_assisted_mean", "labelled_mean", "judge_mean") and making.amount:
        truth, judge = truth * 3.0, judge * 3.0 - 0.5 * wrong  # grades, not shares
    human = np.where(random.random(making.size) < 0.6, truth, NONE)
    if making.even:
        human[:6], human[-2:] = truth[:6], NONE
    return Rows(human, judge.astype(float))


ROWS: dict[str, tuple[list[float], list[float]]] = {
    "nothing": ([], []),
    "one label": ([1], [1]),
    "no label": ([NONE, NONE], [1, 0]),
    "two labels": ([1, 0], [0, 1]),
    "labels only": ([1, 0, 1], [1, 0, 0]),
    "one value": ([1, 1, 1, NONE, NONE], [1, 1, 1, 1, 1]),
    "a judge without spread": ([1, 0, 1, NONE, NONE], [1, 1, 1, 1, 1]),
    "one row without a label": ([1, 0, 1, NONE], [1, 0, 1, 1]),
    "a judge who is wrong": ([1, 0, 1, 0, NONE, NONE], [0, 1, 0, 1, 1, 0]),
    "large": ([1e40, -1e40, NONE, NONE], [1e40, 1e40, -1e40, 0]),
}


def degenerate_judged(metric: Metric) -> dict[str, Rows]:
    return {name: Rows(*(np.array(side, dtype=float) for side in both)) for name, both in ROWS.items()}


def judged_labels(metric: Metric, random: np.random.Generator, making: Making) -> Rows:
    """People's labels and the judge's side by side, None where nobody was asked; and a system's answers."""
    names = np.array(["a", "b", "c"] if making.wide else ["a", "b"], dtype=object)
    truth = making.codes(random, len(names))
    answers, judge = (
        np.where(random.random(making.size) < share, random.integers(0, len(names), making.size), truth)
        for share in (making.amount, making.amount / 2)
    )
    asked = (random.random(making.size) < 0.6) | (making.even & (np.arange(making.size) < making.size // 2))
    people = [name if seen else None for name, seen in zip(names[truth], asked, strict=True)]
    both = np.empty((making.size, 2), dtype=object)
    both[:, 0], both[:, 1] = objects(people), names[judge]
    return Rows(both, objects(list(names[answers])))


LABELLED: dict[str, tuple[list[str | None], list[str], list[str]]] = {
    "nothing": ([], [], []),
    "one label": (["a"], ["a"], ["a"]),
    "no label": ([None, None], ["a", "b"], ["a", "b"]),
    "two labels": (["a", "b"], ["b", "a"], ["a", "b"]),
    "one value": (["a", "a", None], ["a", "a", "a"], ["a", "a", "a"]),
    "never said": (["a", "b", None, None], ["a", "a", "a", "a"], ["a", "b", "a", "b"]),
    "a judge of other labels": (["a", "b", None, None], ["c", "c", "c", "c"], ["a", "b", "a", "b"]),
    "one row without a label": (["a", "b", "a", None], ["a", "b", "a", "b"], ["a", "b", "b", "b"]),
}


def degenerate_labels(metric: Metric) -> dict[str, Rows]:
    made = {}
    for name, (people, judge, answers) in LABELLED.items():
        both = np.empty((len(people), 2), dtype=object)
        both[:, 0], both[:, 1] = objects(people), objects(judge)
        made[name] = Rows(both, objects(answers))
    return made
