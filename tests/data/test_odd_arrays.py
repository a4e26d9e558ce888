"""What is no array, given where one is wanted: refused in a sentence by every metric."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

import adjudge
from adjudge import metrics
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
