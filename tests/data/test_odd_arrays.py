"""What is no array, given where one is wanted: refused in a sentence by every metric."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge import estimate, metrics
from adjudge.errors import AdjudgeError
from adjudge.metrics.catalogue import every

ODD: tuple[tuple[Any, Any], ...] = (
    (5, None),
    ([1, 2, 3], 5),
    ([1, 2, 3], None),
    ("ab", "ab"),
    ({"a": 1}, {"a": 2}),
    ({1, 2}, {1, 2}),
    ([[]], None),
    ([1, 2], [[], []]),
    ([[1, 2], [3]], None),
    ([10**400, 1], [1, 2]),
)


@pytest.mark.parametrize("metric", every(), ids=lambda metric: metric.name)
def test_every_metric_answers_or_refuses(metric: Any) -> None:
    for first, second in ODD:
        with suppress(AdjudgeError):
            metric(first, second)
    with pytest.raises(AdjudgeError):
        metric(5, 5)
    with pytest.raises(AdjudgeError):
        metric(iter([1, 2]), iter([1, 2]))


def test_a_text_is_no_list_of_letters() -> None:
    with pytest.raises(AdjudgeError, match="must be in a list or an array, but some are of type str"):
        metrics.accuracy("abc", "abd")


def test_rows_of_scores_are_of_one_length() -> None:
    with pytest.raises(AdjudgeError, match="rows of an array must be of equal length"):
        adjudge.evaluate([1, 0], [[0.1, 0.9], [0.2]])


def test_numbers_are_those_that_people_write() -> None:
    """Python reads 1_2 as 12, and digits of other scripts; as labels they are words, which have no order."""
    for labels in (["1_2", "3", "4", "1_2"], ["١", "٢", "٣", "١"]):
        with pytest.raises(AdjudgeError, match="the order of labels that are not numbers"):
            metrics.cohen_kappa(labels, labels[::-1], weighting="quadratic")


def test_what_is_expected_meets_what_was_said_by_value() -> None:
    assert metrics.failure_rate(["1.0", "0.0", "1.0"], [1, 0, 0]) == pytest.approx(1 / 3)


def test_a_scale_too_small_for_its_squares_is_no_traceback() -> None:
    human = [1e-200, 2e-200, None, None, 1e-200, None]
    table = {"human": human, "judge": [1e-200, 2e-200, 1e-200, 2e-200, 1e-200, 2e-200]}
    assert len(adjudge.judges(table, reference="human", judge="judge", ok="C14", replicates=100).table)


@pytest.mark.parametrize("level", [1e-20, 1 - 1e-16])
def test_a_level_without_a_quantile_is_refused(level: float) -> None:
    with pytest.raises(AdjudgeError, match=r"`level` must be from 0\.001 to 0\.999999"):
        adjudge.estimate(metrics.accuracy, [1, 0], [1, 1], level=level)


def test_masked_values_are_missing_and_no_numbers() -> None:
    """What a mask hides is what stood there before: 20 rows that are off by 100 would make all of the error."""
    hidden = np.arange(60) < 20
    true = np.ma.MaskedArray(np.linspace(0.0, 1.0, 60), mask=hidden)
    said = np.where(hidden, 100.0, true.data + 0.1)
    for asked in (metrics.rmse, lambda a, b: estimate("rmse", a, b)):
        with pytest.raises(AdjudgeError, match="some are missing"):
            asked(true, said)
        with pytest.raises(AdjudgeError, match="some are missing"):
            metrics.rmse(true.data, said, weights=np.ma.MaskedArray(np.ones(60), mask=hidden))
    assert adjudge.evaluate(true, said, task="regression")["rmse"].value == pytest.approx(0.1)
    with pytest.raises(AdjudgeError, match="must not have missing values here, but 20 are missing"):
        metrics.accuracy(np.ma.MaskedArray(["a", "b"] * 30, mask=hidden), ["a", "b"] * 30)
    ratings = np.ma.MaskedArray(np.arange(120).reshape(60, 2) % 7, mask=np.stack([hidden, hidden], axis=1))
    for measure in (metrics.krippendorff_alpha, metrics.fleiss_kappa):
        assert measure(ratings) == pytest.approx(measure(ratings.data[20:]))
    scores = np.ma.MaskedArray(np.tile([0.2, 0.8], (60, 1)), mask=np.stack([hidden, hidden], axis=1))
    evaluated = adjudge.evaluate(["a", "b"] * 30, scores, ok=["C7", "C8"])
    assert evaluated["accuracy"].n == 40
