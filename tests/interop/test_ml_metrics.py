"""The functions of benhamner/Metrics: its own tests, and every case its code gets wrong."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from adjudge.errors import AdjudgeError
from adjudge.interop.ml_metrics import (
    confusion_matrix,
    histogram,
    kappa,
    linear_weighted_kappa,
    mean_quadratic_weighted_kappa,
    quadratic_weighted_kappa,
    weighted_mean_quadratic_weighted_kappa,
)

EXACT = {"rel": 0, "abs": 1e-12}
SEVEN = [1, 2, 3, 1, 2, 2, 3], [1, 2, 3, 1, 2, 3, 2]
KAPPAS = (quadratic_weighted_kappa, linear_weighted_kappa, kappa)


class TestOutsideTests:
    """The tests that come with the original, in Python and R."""

    def test_confusion_matrix(self) -> None:
        assert confusion_matrix([1, 2], [1, 2]) == [[1, 0], [0, 1]]
        assert confusion_matrix([1, 2], [1, 2], 0, 2) == [[0, 0, 0], [0, 1, 0], [0, 0, 1]]
        five = [[0] * 5 for _ in range(5)]
        five[0][0], five[1][2], five[3][4] = 2, 2, 1
        assert confusion_matrix([1, 1, 2, 2, 4], [1, 1, 3, 3, 5]) == five
        assert confusion_matrix([1, 2], [1, 2], 1, 4) == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]

    @pytest.mark.parametrize(
        ("a", "b", "scale", "quadratic", "linear", "plain"),
        [
            ([1, 2, 3], [1, 2, 3], (), 1.0, 1.0, 1.0),
            ([1, 2, 1], [1, 2, 2], (1, 2), 0.4, 0.4, 0.4),
            (*SEVEN, (), 0.75, 0.65, 0.5625),
            ([1, 2, 3, 1, 2, 3], [1, 2, 3, 1, 3, 2], (), 0.75, 0.625, 0.5),
            ([1, 3, 5], [2, 4, 6], (), 0.8421052631578947, None, None),
            ([1, 3, 3, 5], [2, 4, 5, 6], (1, 6), 0.6956521739130435, None, None),
        ],
    )
    def test_kappas(self, a, b, scale, quadratic, linear, plain) -> None:
        for function, value in zip(KAPPAS, (quadratic, linear, plain), strict=True):
            if value is not None:
                assert function(a, b, *scale) == pytest.approx(value, **EXACT)

    def test_means(self) -> None:
        assert mean_quadratic_weighted_kappa([1, 1]) == pytest.approx(0.999, **EXACT)
        assert mean_quadratic_weighted_kappa([0.5, 0.8], [1, 0.5]) == pytest.approx(0.624536446425734, **EXACT)
        assert mean_quadratic_weighted_kappa([-1, 1]) == 0
        assert mean_quadratic_weighted_kappa([0.5, 0.8]) == pytest.approx(0.6772190444071822, **EXACT)


class TestWhatTheOriginalGetsWrong:
    @pytest.mark.parametrize("kind", [np.array, pd.Series, tuple, list, lambda v: np.array(v, dtype=float)])
    def test_any_sequence_is_taken_for_ratings(self, kind) -> None:
        a, b = kind(SEVEN[0]), kind(SEVEN[1])
        assert [f(a, b) for f in KAPPAS] == pytest.approx([0.75, 0.65, 0.5625], **EXACT)
        assert confusion_matrix(a, b) == [[2, 0, 0], [0, 2, 1], [0, 1, 1]]
        assert histogram(a) == [2, 3, 2]
        assert linear_weighted_kappa(a, list(SEVEN[1])) == pytest.approx(0.65, **EXACT)

    @pytest.mark.parametrize("function", KAPPAS)
    def test_one_rating_only_is_undefined(self, function) -> None:
        assert np.isnan(function([2, 2, 2], [2, 2, 2]))
        assert np.isnan(function([2, 2, 2], [2, 2, 2], 1, 3))
        assert function([2, 2, 2], [1, 2, 3]) == 0

    @pytest.mark.parametrize("function", [*KAPPAS, confusion_matrix])
    def test_a_score_off_the_scale_is_named(self, function) -> None:
        with pytest.raises(AdjudgeError, match="at least 1 and at most 3, but 0 was found"):
            function([0, 2, 3], [1, 2, 3], 1, 3)
        with pytest.raises(AdjudgeError, match="but 4 was found"):
            function([1, 2, 4], [1, 2, 3], max_rating=3)

    def test_scores_that_are_not_whole_keep_their_value(self) -> None:
        a, b = [1.9, 2.9, 3.9], [1, 2, 3]
        x, y = np.array(a), np.array(b)
        moments = 2 * np.cov(x, y, ddof=0)[0, 1] / (x.var() + y.var() + (x.mean() - y.mean()) ** 2)
        assert quadratic_weighted_kappa(a, b) == pytest.approx(moments, **EXACT)
        assert quadratic_weighted_kappa(a, b) < 1
        random = np.random.default_rng(3)
        many, more = random.normal(size=(2, 500))
        want = 2 * np.cov(many, more, ddof=0)[0, 1] / (many.var() + more.var() + (many.mean() - more.mean()) ** 2)
        assert quadratic_weighted_kappa(many, more) == pytest.approx(want, **EXACT)
        assert -1 < linear_weighted_kappa(a, b) < 1
        for counting in (lambda: confusion_matrix(a, b), lambda: histogram(a)):
            with pytest.raises(AdjudgeError, match=r"whole numbers, but 1\.9 was found"):
                counting()

    def test_missing_ratings_are_left_out_in_pairs(self) -> None:
        assert quadratic_weighted_kappa([*SEVEN[0], None, 3], [*SEVEN[1], 1, float("nan")]) == pytest.approx(0.75)

    def test_words_need_an_order(self) -> None:
        with pytest.raises(AdjudgeError, match='"good" was found'):
            kappa(["good", "bad"], ["bad", "good"])

    def test_nothing_is_undefined(self) -> None:
        assert [np.isnan(f([], [])) for f in KAPPAS] == [True] * 3
        assert confusion_matrix([], []) == []
        assert confusion_matrix([], [], 1, 2) == [[0, 0], [0, 0]]
        assert histogram([]) == []
        assert np.isnan(mean_quadratic_weighted_kappa([]))

    def test_lengths_must_match(self) -> None:
        with pytest.raises(AdjudgeError, match="3 and 2 ratings"):
            kappa([1, 2, 3], [1, 2])

    @pytest.mark.parametrize(
        ("weights", "said"),
        [
            ([0, 0], "not all be zero"),
            ([1, -1], "not negative"),
            ([1, 2, 3], "each of the 2 sets"),
            (2, "each of the 2"),
        ],
    )
    def test_weights_are_checked(self, weights, said: str) -> None:
        with pytest.raises(AdjudgeError, match=said):
            mean_quadratic_weighted_kappa([0.5, 0.8], weights)

    def test_impossible_kappas_are_refused_and_undefined_ones_reported(self) -> None:
        with pytest.raises(AdjudgeError, match=r"1\.5 was found"):
            mean_quadratic_weighted_kappa([1.5, 0.5])
        with pytest.warns(UserWarning, match="1 of 3 kappas"):
            found = mean_quadratic_weighted_kappa([0.5, float("nan"), 0.8])
        assert found == pytest.approx(0.6772190444071822, **EXACT)

    def test_without_a_cap_perfect_sets_give_one(self) -> None:
        assert mean_quadratic_weighted_kappa([1, 1], cap=None) == 1
        assert mean_quadratic_weighted_kappa([1, 0.2], cap=None) == 1
        assert mean_quadratic_weighted_kappa([1, -1, 0.5], cap=None) == pytest.approx(np.tanh(np.arctanh(0.5) / 3))
        assert mean_quadratic_weighted_kappa([1, -1], [1, 3], cap=None) == -1


SOLUTION = pd.DataFrame(
    {
        "essay_set": [1] * 4 + [2] * 5,
        "essay_weight": [1.0] * 4 + [0.5] * 5,
        "essay_score": [1, 2, 3, 2, 1, 2, 3, 4, 4],
    },
    index=pd.Index(range(101, 110), name="id"),
)
SUBMISSION = pd.DataFrame({"predicted": [1, 2, 3, 3, 1, 2, 3, 4, 3]}, index=SOLUTION.index)


class TestEssaySets:
    def test_the_worked_example(self) -> None:
        found = weighted_mean_quadratic_weighted_kappa(SOLUTION, SUBMISSION)
        assert found == pytest.approx(0.8504742188132733, **EXACT)

    def test_essays_are_aligned_by_id(self) -> None:
        found = weighted_mean_quadratic_weighted_kappa(SOLUTION, SUBMISSION.sample(frac=1, random_state=1))
        assert found == pytest.approx(0.8504742188132733, **EXACT)

    def test_positions_are_not_ids(self) -> None:
        with pytest.raises(AdjudgeError, match='"0", "1", "2", "3", "4" and 4 more is not among them'):
            weighted_mean_quadratic_weighted_kappa(SOLUTION, SUBMISSION.reset_index(drop=True))

    @pytest.mark.parametrize(
        "short", [SUBMISSION.iloc[:-1], SUBMISSION.where(SUBMISSION[["predicted"]].index.to_frame().to_numpy() < 109)]
    )
    def test_missing_predictions_are_named_or_left_out(self, short: pd.DataFrame) -> None:
        with pytest.raises(AdjudgeError, match='1 have none: "109"'):
            weighted_mean_quadratic_weighted_kappa(SOLUTION, short)
        found = weighted_mean_quadratic_weighted_kappa(SOLUTION, short, missing="leave_out")
        assert found == pytest.approx(mean_quadratic_weighted_kappa([0.8, 1.0], [1, 0.5]), **EXACT)

    def test_a_weight_that_changes_within_a_set_is_refused(self) -> None:
        wrong = SOLUTION.assign(essay_weight=[1.0, 2.0, *[1.0] * 7])
        with pytest.raises(AdjudgeError, match=r'set "1" has "1\.0", "2\.0"'):
            weighted_mean_quadratic_weighted_kappa(wrong, SUBMISSION)

    def test_other_slips(self) -> None:
        with pytest.raises(AdjudgeError, match='"essay_set" is missing'):
            weighted_mean_quadratic_weighted_kappa(SOLUTION.drop(columns="essay_set"), SUBMISSION)
        with pytest.raises(AdjudgeError, match="name every essay once"):
            weighted_mean_quadratic_weighted_kappa(SOLUTION, pd.concat([SUBMISSION, SUBMISSION]))
        with pytest.raises(AdjudgeError, match="`missing` must be one of"):
            weighted_mean_quadratic_weighted_kappa(SOLUTION, SUBMISSION, missing="zero")


def test_a_scale_whose_ends_are_far_the_wrong_way_round_is_refused() -> None:
    with pytest.raises(AdjudgeError, match=r"^The scale must have at most .* but it runs from 1e\+150 to 1\.$"):
        confusion_matrix([], [], 1e150, 1)
