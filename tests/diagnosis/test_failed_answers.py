"""Messages of errors that stand where an answer should."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

import adjudge
from adjudge.diagnosis.checks.failed_answers import says_failure

LABELS = ["a", "b", "c"] * 40
FAST = {"replicates": 200}


def answers(messages: Sequence[str]) -> list[str]:
    """Mostly right, but for the first, which are these."""
    return [*messages, *(label if row % 5 else "a" for row, label in enumerate(LABELS[len(messages) :]))]


def of_classes(messages: Sequence[str], labels: Sequence[str] = LABELS) -> adjudge.Evaluation:
    return adjudge.classification({"y": labels, "m": answers(messages)}, reference="y", prediction="m", **FAST)


def of_a_suite(messages: Sequence[str]) -> adjudge.Evaluation:
    table = {"t": ["x", "y"] * 60, "y": LABELS, "m": answers(messages)}
    return adjudge.diagnostic(table, expect="y", prediction="m", phenomenon="t", **FAST)


def of_raters(messages: Sequence[str]) -> adjudge.Evaluation:
    return adjudge.agreement({"y": LABELS, "m": answers(messages)}, raters=["y", "m"], **FAST)


@pytest.mark.parametrize("evaluated", [of_classes, of_a_suite, of_raters])
def test_messages_of_errors_are_no_answers(evaluated: Callable[[Sequence[str]], adjudge.Evaluation]) -> None:
    several = ["ERROR: timeout"] * 7 + [f"openai.RateLimitError: 429 of {row}" for row in range(7)]
    [said] = [one for one in evaluated(several).checks if "of an error" in one.sentence]
    assert (said.key, said.severity) == ("C22", "serious")
    assert said.sentence.startswith('14 answers of "m" are messages of an error, such as "')
    [said] = [one for one in evaluated(["ERROR: timeout"]).checks if "of an error" in one.sentence]
    assert (said.severity, said.sentence[:36]) == ("remark", '1 answer of "m" is a message of an e')
    assert not [one for one in evaluated(["timeout"] * 14).checks if "of an error" in one.sentence]


def test_labels_that_are_about_errors_are_no_messages() -> None:
    def keys(labels: Sequence[str]) -> list[str]:
        checks = of_classes(["error: disk"] * 14, labels).checks
        return [one.key for one in checks if one.key in ("C9", "C22") and "error: disk" in one.sentence]

    assert keys(LABELS) == ["C22"]  # and is not told again as a label that only one side has
    assert keys([*["error: net"] * 20, *LABELS[20:]]) == ["C9"]


def test_what_a_failed_call_says() -> None:
    said = (
        "Error code: 429 - too many",
        "HTTP 503 Service Unavailable",
        "Rate limit exceeded, try again",
        "API error: x",
    )
    assert all(map(says_failure, [*said, "Traceback (most recent call last):\n  File", " Request timed out. "]))
    words = ("no error: fine", "I made an error: sorry", "error", "Errors: 3 stars", "429 days", "requests: too many")
    assert not any(map(says_failure, words))
