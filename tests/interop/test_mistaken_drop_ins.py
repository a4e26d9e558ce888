"""Drop-ins that were given something else than they take: said, and not answered with a plausible number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from adjudge import metrics
from adjudge.errors import AdjudgeError, BadValue
from adjudge.interop.feedback_forensics import annotation_metrics, strength_percentiles
from adjudge.interop.ml_metrics import weighted_mean_quadratic_weighted_kappa

SCORES = [1, 2, 3, 4, 4, 2]
SOLUTION = pd.DataFrame({"id": range(6), "essay_set": 1, "essay_weight": 1.0, "essay_score": SCORES})


@pytest.mark.parametrize("ids", [[1, 2, 3, 4, 5, 6], [5, 4, 3, 2, 1, 0], [0, 1, 2, 3, 4, 4]])
def test_ids_in_a_column_that_the_index_contradicts(ids: list[int]) -> None:
    """Essays are aligned by the index: other ids beside it were passed over."""
    submission = pd.DataFrame({"id": ids, "predicted": SCORES})
    with pytest.raises(BadValue, match="set the index of both"):
        weighted_mean_quadratic_weighted_kappa(SOLUTION, submission)


@pytest.mark.parametrize("ids", [range(6), [str(one) for one in range(6)], [float(one) for one in range(6)]])
def test_ids_in_a_column_that_the_index_follows(ids: Any) -> None:
    submission = pd.DataFrame({"id": ids, "predicted": SCORES})
    assert weighted_mean_quadratic_weighted_kappa(SOLUTION, submission, cap=None) == 1.0


def test_votes_are_words_or_codes() -> None:
    words, codes = ["a", "b", "b", "tie"], np.array([0, 1, 1, 2], dtype=np.int8)
    assert annotation_metrics(words, ["a", "b", "a", "b"])["agreed"] == 2
    assert annotation_metrics(codes, codes)["agreed"] == annotation_metrics(words, words)["agreed"] == 3


@pytest.mark.parametrize("votes", [[0, 1, 1], ["left", "right", "right"], [True, False, False], [1.0, 2.0, 2.0]])
def test_what_holds_no_vote_at_all_is_refused(votes: Any) -> None:
    """None of it counted, and the strength was 0."""
    for call in (annotation_metrics, metrics.preference_strength, metrics.preference_accuracy):
        with pytest.raises(BadValue, match="must hold votes"):
            call(["a", "b", "b"], votes)


def test_codes_that_are_none_are_refused() -> None:
    with pytest.raises(BadValue, match="Codes of votes"):
        annotation_metrics(np.array([0, 1]), np.array([0, 99]))
    with pytest.raises(BadValue, match="Codes of votes"):
        annotation_metrics(np.array([0, 1]), np.array([0]))


@pytest.mark.parametrize("counts", [(10, 5, 2), (-1, 5, 20), (0.1, 0.5, 2)])
def test_counts_of_votes_that_cannot_be(counts: Any) -> None:
    with pytest.raises(AdjudgeError, match=r"at most `total` together|must be a whole number"):
        strength_percentiles(*counts)
